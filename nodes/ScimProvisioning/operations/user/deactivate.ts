import { planActive } from '../../../shared/access';
import { accountOperation } from './account';

/** Sets `active` to false, which on account organizations drops all memberships (docs/interface.md 1.2). */
export const deactivate = accountOperation(
	'deactivate',
	(wanted, traits) => planActive(wanted, false, traits),
	'deactivate',
);

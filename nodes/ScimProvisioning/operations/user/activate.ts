import { accountOperation } from './account';

/** Sets `active` to true; memberships that deactivation dropped do not come back (test/contract/interface.md 2.2). */
export const activate = accountOperation(
	{
		name: 'Activate',
		action: 'Activate user',
		description: 'Reactivate a user. Previous memberships are not restored.',
	},
	'active',
);

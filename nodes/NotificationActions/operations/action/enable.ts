import { showSecretsOption } from '../../fields/connection';
import { namedAction, namedActionFields } from './namedAction';

/** PUT .../enable, on services that offer it (test/contract/interface.md 2.4). */
export const enable = namedAction('enable', {
	name: 'Enable',
	action: 'Enable action',
	description: 'Resume the deliveries of an action',
	fields: namedActionFields('The action to enable', [showSecretsOption]),
});

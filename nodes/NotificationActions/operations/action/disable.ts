import { showSecretsOption } from '../../fields/connection';
import { namedAction, namedActionFields } from './namedAction';

/** PUT .../disable, on services that offer it (test/contract/interface.md 2.4). */
export const disable = namedAction('disable', {
	name: 'Disable',
	action: 'Disable action',
	description: 'Stop the deliveries of an action for all monitors',
	fields: namedActionFields('The action to disable', [showSecretsOption]),
});

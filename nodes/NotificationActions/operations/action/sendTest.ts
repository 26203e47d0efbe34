import { showSecretsOption } from '../../fields/connection';
import { namedAction, namedActionFields } from './namedAction';

/** POST .../test, once whatever happens, on services that offer it (test/contract/interface.md 2.4). */
export const sendTest = namedAction('test', {
	name: 'Send Test',
	action: 'Send test to action',
	description: 'Deliver one test message through an action',
	fields: namedActionFields('The action to send a test to', [showSecretsOption]),
});

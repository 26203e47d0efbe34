import { findAction } from '../../actions';
import { type Operation, optionsField } from '../../../shared/run';
import { actionField, actionItem, readActionField } from '../../fields/action';
import { organizationOption, showSecretsOption } from '../../fields/connection';
import { runRead } from '../../runWrite';

/** An action out of the documented list, which is read once for all items (test/contract/interface.md 1.6). */
export const get: Operation = {
	name: 'Get',
	action: 'Get action',
	description: 'Retrieve an action',
	fields: [
		actionField('Action', 'action', 'The action to retrieve'),
		optionsField([organizationOption, showSecretsOption]),
	],

	execute: async (context) =>
		await runRead(context, {
			async read(item, { actions, showsSecrets }) {
				const id = readActionField(context, 'action', item);
				return [actionItem(findAction(await actions(), id), showsSecrets)];
			},
		}),
};

import { InputError } from '../../../shared/util';
import { MOST_ACTIONS_PER_MONITOR } from '../../configurations';
import { type Operation, showFor } from '../../../shared/run';
import { readActionIds } from '../../fields/action';
import { monitorChangeFields, runMonitorChange } from '../../monitorChange';

/** Makes the actions of monitors exactly a list; entries of other types stay (docs/interface.md 2.5). */
export const setActions: Operation = {
	fields: showFor(
		'monitor',
		'setActions',
		monitorChangeFields([
			{
				displayName: 'Action IDs',
				name: 'actionIds',
				type: 'string',
				default: '',
				placeholder: 'e.g. marketing-chat, email',
				description:
					'Exactly these actions the monitors are to have, comma-separated; "email" is the default address of the organization. Empty needs Allow No Actions.',
			},
			{
				displayName: 'Allow No Actions',
				name: 'allowNone',
				type: 'boolean',
				default: false,
				description: 'Whether the list may be empty, so that the monitors tell nobody',
			},
		]),
	),

	execute: async (context) =>
		await runMonitorChange(context, (item) => {
			const mayBeNone = context.getNodeParameter('allowNone', item, false) === true;
			const targets = readActionIds(context.getNodeParameter('actionIds', item, ''), mayBeNone);
			if (targets.length > MOST_ACTIONS_PER_MONITOR) {
				throw new InputError(
					`${targets.length} actions are given`,
					`A monitor has at most ${MOST_ACTIONS_PER_MONITOR}.`,
				);
			}
			return { kind: 'set', targets };
		}),
};

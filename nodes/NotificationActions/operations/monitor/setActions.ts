import { InputError } from '../../../shared/util';
import { MOST_ACTIONS_PER_MONITOR } from '../../configurations';
import { readActionIds } from '../../fields/action';
import { monitorChange } from './monitorChange';

/** Makes the actions of monitors exactly a list; entries of other types stay. */
export const setActions = monitorChange(
	{
		name: 'Set Actions',
		action: 'Set actions of monitors',
		description: 'Replace all actions of monitors: every other action is detached',
		fields: [
			{
				displayName: 'Action IDs',
				name: 'actionIds',
				type: 'string',
				default: '',
				placeholder: 'e.g. marketing-chat, email',
				description:
					'The only actions to keep. All others are detached. "email" is the default email address.',
				hint: 'Separate several IDs with commas',
			},
			{
				displayName: 'Allow No Actions',
				name: 'allowNone',
				type: 'boolean',
				default: false,
				description: 'Whether to allow removing all actions',
			},
		],
	},
	(context, item) => {
		const mayBeNone = context.getNodeParameter('allowNone', item, false) === true;
		const targets = readActionIds(context.getNodeParameter('actionIds', item, ''), mayBeNone);
		if (targets.length > MOST_ACTIONS_PER_MONITOR) {
			throw new InputError(
				`${targets.length} actions are specified`,
				`A monitor can have at most ${MOST_ACTIONS_PER_MONITOR}. Remove some from Action IDs.`,
			);
		}
		return { kind: 'set', targets };
	},
);

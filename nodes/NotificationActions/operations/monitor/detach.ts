import { type Operation, showFor } from '../../../shared/run';
import { actionField, readActionField } from '../../fields/action';
import { monitorChangeFields, runMonitorChange } from '../../monitorChange';

/** Takes an action from monitors that have it, also one that is deleted by now (docs/interface.md 2.5). */
export const detach: Operation = {
	fields: showFor(
		'monitor',
		'detach',
		monitorChangeFields([actionField('Action', 'action', 'The action to detach')]),
	),

	execute: async (context) =>
		await runMonitorChange(context, (item) => ({
			kind: 'detach',
			targets: [readActionField(context, 'action', item)],
		})),
};

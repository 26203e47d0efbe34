import { type Operation, showFor } from '../../../shared/run';
import { actionField, readActionField } from '../../fields/action';
import { monitorChangeFields, runMonitorChange } from '../../monitorChange';

/** Adds an action to monitors that do not have it (docs/interface.md 1.6, 2.5). */
export const attach: Operation = {
	fields: showFor(
		'monitor',
		'attach',
		monitorChangeFields([actionField('Action', 'action', 'The action to attach')]),
	),

	execute: async (context) =>
		await runMonitorChange(context, (item) => ({
			kind: 'attach',
			targets: [readActionField(context, 'action', item)],
		})),
};

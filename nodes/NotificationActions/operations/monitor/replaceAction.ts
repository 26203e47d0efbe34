import { InputError } from '../../../shared/util';
import { type Operation, showFor } from '../../../shared/run';
import { actionField, readActionField } from '../../fields/action';
import { monitorChangeFields, runMonitorChange } from '../../monitorChange';

/** Puts one action in the place of another wherever monitors have it (docs/interface.md 2.5). */
export const replaceAction: Operation = {
	fields: showFor(
		'monitor',
		'replaceAction',
		monitorChangeFields([
			actionField('Action to Replace', 'action', 'The action that monitors have now'),
			actionField('Replace By', 'replaceBy', 'The action that they get in its place'),
		]),
	),

	execute: async (context) =>
		await runMonitorChange(context, (item) => {
			const from = readActionField(context, 'action', item);
			const to = readActionField(context, 'replaceBy', item);
			if (from !== to) return { kind: 'replace', from, to };
			throw new InputError(
				`Action ${from} is to be replaced by itself`,
				'Choose another action to put in its place.',
			);
		}),
};

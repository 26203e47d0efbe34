import { InputError } from '../../../shared/util';
import { actionField, readActionField } from '../../fields/action';
import { monitorChange } from './monitorChange';

/** Puts one action in the place of another wherever monitors have it. */
export const replaceAction = monitorChange(
	{
		name: 'Replace Action',
		action: 'Replace action on monitors',
		description: 'Detach an action from monitors and attach another in its place',
		fields: [
			actionField('Action to Replace', 'action', 'The action that monitors have now'),
			actionField('Replace With', 'replaceBy', 'The action to attach in its place'),
		],
	},
	(context, item) => {
		const from = readActionField(context, 'action', item);
		const to = readActionField(context, 'replaceBy', item);
		if (from !== to) return { kind: 'replace', from, to };
		throw new InputError(
			`Action ${from} would be replaced with itself`,
			'Choose another action under Replace With.',
		);
	},
);

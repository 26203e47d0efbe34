import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { actionUsage, planDeletes } from '../../actions';
import { monitorOf } from '../../configurations';
import type { Operation } from '../../../shared/run';
import { namedActionFields, runNamedActions } from './namedAction';

const detachFirstOption: INodeProperties = {
	displayName: 'Detach First',
	name: 'detachFirst',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description:
		'Whether to first detach the action from its monitors. Otherwise an action in use is not deleted.',
};

/** DELETE of an action that no monitor uses, on services that offer it (test/contract/interface.md 2.4). */
export const deleteAction: Operation = {
	name: 'Delete',
	action: 'Delete action',
	description: 'Delete an action permanently. Its ID can never be used again.',
	fields: namedActionFields('The action to delete. Its ID can never be used again.', [
		detachFirstOption,
	]),

	async execute(context) {
		const options = context.getNodeParameter('options', 0, {}) as IDataObject;
		return await runNamedActions(
			context,
			async (choices, actions, operation) => {
				if (options.detachFirst !== true) {
					const listed = actions.map(({ id, references }) => [id, references] as const);
					return planDeletes(choices, new Map(listed), actions, undefined);
				}
				const known = choices
					.map(({ id }) => id)
					.filter((id) => actions.some((action) => action.id === id));
				const usage = await actionUsage(known, operation);
				const models = [...usage.values()].flatMap((own) => own?.map(({ model }) => model) ?? []);
				const configurations = await operation.configurations(models);
				return planDeletes(choices, usage, actions, { configurations, actionIds: new Set() });
			},
			{
				blank: { id: null, deleted: false, model: null, monitor: null },
				output(part, _operation, all) {
					const { model = null, id } = monitorOf(part.subject) ?? {};
					const deletion = all.find(({ subject }) => monitorOf(subject) === undefined);
					const { status } = part.outcome;
					const deleted = model === null && (status === 'done' || status === 'unchanged');
					return { id: deletion?.subject ?? null, deleted, model, monitor: id || null };
				},
			},
		);
	},
};

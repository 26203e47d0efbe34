import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { actionUsage, planDeletes } from '../../actions';
import { monitorOf } from '../../configurations';
import type { Operation } from '../../../shared/run';
import { changedMonitors } from '../../fields/monitorItem';
import { outcomeItem } from '../../fields/outcomeItem';
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

/** DELETE of an action that no monitor uses, on services that offer it (docs/interface.md 2.4). */
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
			async (choices, rules, operation) => {
				const { client, configurations } = operation;
				const { actions } = rules;
				if (options.detachFirst !== true) {
					const listed = actions.map(({ id, references }) => [id, references] as const);
					return planDeletes(choices, new Map(listed), rules, undefined);
				}
				const known = choices
					.map(({ id }) => id)
					.filter((id) => actions.some((action) => action.id === id));
				const usage = await actionUsage(known, actions, operation);
				const models = [...usage.values()].flatMap((own) => own?.map(({ model }) => model) ?? []);
				return planDeletes(choices, usage, rules, {
					organizationId: client.organizationId,
					configurations: await configurations(models),
					actionIds: new Set(),
				});
			},
			(parts) => {
				const own = parts.filter(({ subject }) => monitorOf(subject) === undefined).at(-1);
				const monitors = parts.filter(({ subject }) => monitorOf(subject) !== undefined);
				if (own === undefined) return {};
				const { status } = own.outcome;
				return {
					id: own.subject,
					deleted: status === 'done' || status === 'unchanged',
					outcome: outcomeItem(own.outcome),
					...(monitors.length > 0 && { detached: changedMonitors(monitors).monitors }),
				};
			},
		);
	},
};

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { planDeletes, usersOf } from '../../actions';
import { type Operation, showFor } from '../../../shared/run';
import { savingOptions } from '../../fields/saving';
import { changedMonitors } from '../../fields/monitorItem';
import { namedActionFields, runNamedActions } from '../../namedActions';

const detachFirstOption: INodeProperties = {
	displayName: 'Detach First',
	name: 'detachFirst',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description: 'Whether to detach the action from all monitors that use it; otherwise it is kept',
};

/** DELETE of an action that no monitor uses, on services that offer it (docs/interface.md 2.4). */
export const deleteAction: Operation = {
	fields: showFor(
		'action',
		'delete',
		namedActionFields('The action to delete; its ID can never be used again', [
			detachFirstOption,
			...savingOptions.map((option) => ({
				...option,
				displayOptions: { show: { detachFirst: [true] } },
			})),
		]),
	),

	async execute(context) {
		return await runNamedActions(
			context,
			async (wanted, rules, surroundings) => {
				const { client, saving, configurations } = surroundings;
				const options = context.getNodeParameter('options', 0, {}) as IDataObject;
				const { actions } = rules;
				const there = wanted
					.map(({ id }) => id)
					.filter((id) => actions.some((one) => one.id === id));
				if (options.detachFirst !== true) {
					const told = actions.map(({ id, references }) => [id, references] as const);
					return planDeletes(wanted, new Map(told), rules, undefined);
				}
				const users = await usersOf(there, actions, surroundings);
				const models = [...users.values()].flatMap((own) => own?.map(({ model }) => model) ?? []);
				return planDeletes(wanted, users, rules, {
					organizationId: client.organizationId,
					configurations: await configurations(models),
					merges: saving.saveWith !== 'whole',
				});
			},
			(parts) => {
				const own = parts.filter(({ subject }) => !subject.includes('\n'));
				const monitors = parts.filter(({ subject }) => subject.includes('\n'));
				const last = own[own.length - 1];
				if (last === undefined) return {};
				const { status, action, reason } = last.outcome;
				return {
					id: last.subject,
					deleted: status === 'done' || status === 'unchanged',
					outcome: { status, action, ...(reason !== undefined && { reason }) },
					...(monitors.length > 0 && { detached: changedMonitors(monitors).monitors }),
				};
			},
		);
	},
};

import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	IDataObject,
} from 'n8n-workflow';

import {
	type Action,
	type ActionChoice,
	type AlertingPlan,
	planWrites,
	actionUsage,
	planDeletes,
} from '../../actions';
import { type Offer, type Operation, optionsField, previewField } from '../../../shared/run';
import { actionField, BLANK_ACTION, changedAction, readActionField } from '../../fields';
import {
	organizationOption,
	type AlertingWrite,
	type OperationContext,
	runAlertingWrite,
	showSecretsOption,
} from '../../runWrite';
import { monitorOf } from '../../configurations';

/** Makes the fields of an operation on one action that is there. */
function namedActionFields(...options: INodeProperties[]): INodeProperties[] {
	return [actionField(), previewField, optionsField([organizationOption, ...options])];
}

/** Runs an operation on actions that the list shows. */
async function runNamedActions(
	context: IExecuteFunctions,
	plan: (
		choices: ActionChoice[],
		actions: readonly Action[],
		operation: OperationContext,
	) => AlertingPlan | Promise<AlertingPlan>,
	{ blank, output }: Pick<AlertingWrite<ActionChoice>, 'blank' | 'output'>,
): Promise<INodeExecutionData[]> {
	return await runAlertingWrite<ActionChoice>(context, {
		blank,
		collect: (item) => [{ item, id: readActionField(context, 'action', item) }],
		plan: async (choices, operation) =>
			await plan(choices, choices.length === 0 ? [] : await operation.actions(), operation),
		output,
	});
}

/** Makes Enable, Disable or Send Test. @param kind the write that it sends for each action */
function namedAction(kind: 'disable' | 'enable' | 'test', offer: Offer): Operation {
	return {
		...offer,
		execute: async (context) =>
			await runNamedActions(context, (choices, actions) => planWrites(kind, choices, actions), {
				blank: BLANK_ACTION,
				output: changedAction,
			}),
	};
}

/** PUT .../enable, on services that offer it (test/contract/interface.md 2.4). */
export const enable = namedAction('enable', {
	name: 'Enable',
	action: 'Enable action',
	description: 'Resume the deliveries of an action',
	fields: namedActionFields(showSecretsOption),
});

/** PUT .../disable, on services that offer it (test/contract/interface.md 2.4). */
export const disable = namedAction('disable', {
	name: 'Disable',
	action: 'Disable action',
	description: 'Stop the deliveries of an action for all monitors',
	fields: namedActionFields(showSecretsOption),
});

/** POST .../test, once whatever happens, on services that offer it (test/contract/interface.md 2.4). */
export const sendTest = namedAction('test', {
	name: 'Send Test',
	action: 'Send test to action',
	description: 'Deliver one test message through an action',
	fields: namedActionFields(showSecretsOption),
});

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
	fields: namedActionFields(detachFirstOption),

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

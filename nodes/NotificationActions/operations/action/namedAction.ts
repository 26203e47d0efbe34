import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { type ActionChoice, type ActionRules, type AlertingPlan, planWrites } from '../../actions';
import {
	type Offer,
	type Operation,
	optionsField,
	previewField,
	requestsOption,
} from '../../../shared/run';
import { actionField, changedAction, readActionField } from '../../fields/action';
import { organizationOption } from '../../fields/connection';
import { type AlertingWrite, type OperationContext, runAlertingWrite } from '../../runWrite';

/** Fields of an operation on one action that is there. */
export function namedActionFields(
	description: string,
	options: INodeProperties[],
): INodeProperties[] {
	return [
		actionField('Action', 'action', description),
		previewField,
		optionsField([organizationOption, ...options, requestsOption('concurrency', 'verifyTime')]),
	];
}

/** Runs an operation on actions that the list shows. */
export async function runNamedActions(
	context: IExecuteFunctions,
	plan: (
		choices: ActionChoice[],
		rules: ActionRules,
		operation: OperationContext,
	) => AlertingPlan | Promise<AlertingPlan>,
	output: AlertingWrite<ActionChoice>['output'] = changedAction,
): Promise<INodeExecutionData[]> {
	return await runAlertingWrite<ActionChoice>(context, {
		collect: (item) => [{ item, id: readActionField(context, 'action', item) }],
		async plan(choices, operation) {
			const { client, actions } = operation;
			const rules = {
				organizationId: client.organizationId,
				actions: choices.length === 0 ? [] : await actions(),
			};
			return await plan(choices, rules, operation);
		},
		output,
	});
}

/** Enable, Disable or Send Test. @param kind the write that it sends for each action */
export function namedAction(kind: 'disable' | 'enable' | 'test', offer: Offer): Operation {
	return {
		...offer,
		execute: async (context) =>
			await runNamedActions(context, (choices, rules) => planWrites(kind, choices, rules)),
	};
}

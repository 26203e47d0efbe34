import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import type { ActionRules, AlertingPart, AlertingPlan, NamedAction } from './actions';
import { optionsField, previewField, requestsOption } from '../shared/run';
import { actionField, changedAction, readActionField } from './fields/action';
import { organizationOption, showSecretsOption } from './fields/connection';
import { runChange, type Surroundings } from './road';

/** Fields of an operation on one action that is there. */
export function namedActionFields(
	description: string,
	options: INodeProperties[],
): INodeProperties[] {
	return [
		actionField('Action', 'action', description),
		previewField,
		optionsField([
			organizationOption,
			showSecretsOption,
			...options,
			requestsOption('concurrency', 'verifyTime'),
		]),
	];
}

/** Runs an operation on actions that the list shows. */
export async function runNamedActions(
	context: IExecuteFunctions,
	plan: (
		wanted: NamedAction[],
		rules: ActionRules,
		surroundings: Surroundings,
	) => AlertingPlan | Promise<AlertingPlan>,
	output: (
		parts: readonly AlertingPart[],
		surroundings: Surroundings,
	) => IDataObject = changedAction,
): Promise<INodeExecutionData[]> {
	return await runChange<NamedAction>(context, {
		collect: (item) => [{ item, id: readActionField(context, 'action', item) }],
		async plan(wanted, surroundings) {
			const { client, actions } = surroundings;
			return await plan(
				wanted,
				{
					organizationId: client.organizationId,
					actions: wanted.length === 0 ? [] : await actions(),
				},
				surroundings,
			);
		},
		output,
	});
}

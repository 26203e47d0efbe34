import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { type Action, type ActionChoice, type AlertingPlan, planWrites } from '../../actions';
import { type Offer, type Operation, optionsField, previewField } from '../../../shared/run';
import { actionField, BLANK_ACTION, changedAction, readActionField } from '../../fields/action';
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
		optionsField([organizationOption, ...options]),
	];
}

/** Runs an operation on actions that the list shows. */
export async function runNamedActions(
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

/** Enable, Disable or Send Test. @param kind the write that it sends for each action */
export function namedAction(kind: 'disable' | 'enable' | 'test', offer: Offer): Operation {
	return {
		...offer,
		execute: async (context) =>
			await runNamedActions(context, (choices, actions) => planWrites(kind, choices, actions), {
				blank: BLANK_ACTION,
				output: changedAction,
			}),
	};
}

import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { attempt } from '../util';
import { checkChoices } from './checkChoices';
import { hintsOf } from './hints';
import { failureOfItem, report } from './report';
import type { Operations } from './operation';

/** What to do instead of each operation that is gone, by resource and value: `group merge`. */
export type Removed = Readonly<Record<string, string>>;

/** Runs the operation that is chosen in the node. @throws NodeOperationError when there is none like that, and as it does */
export async function dispatch(
	context: IExecuteFunctions,
	operations: Operations,
	removed: Removed = {},
): Promise<INodeExecutionData[][]> {
	const resource = context.getNodeParameter('resource', 0);
	const operation = context.getNodeParameter('operation', 0);
	// `toString` is on every object, and no operation.
	const chosen = own(own(operations, resource), operation);
	if (chosen === undefined) {
		const instead = own(removed, `${resource} ${operation}`);
		throw new NodeOperationError(
			context.getNode(),
			instead === undefined
				? `The node has no operation "${operation}" for resource "${resource}"`
				: `The operation "${operation}" of resource "${resource}" was removed`,
			{ description: instead ?? 'Choose the operation again in the node.' },
		);
	}
	const ran = await attempt(async () => {
		checkChoices(context, chosen.fields);
		return await chosen.execute(context);
	});
	if (ran.ok) {
		context.addExecutionHints(...hintsOf(ran.value));
		return [ran.value];
	}
	const { error } = ran;
	const isNodeError = error instanceof NodeApiError || error instanceof NodeOperationError;
	if (isNodeError && !context.continueOnFail()) throw error;
	// An expression under Options that cannot be evaluated, for one: n8n would pass the input on as if all had gone well.
	const blank = chosen.blank?.(context);
	const failed = context.getInputData().map((_, item) => failureOfItem(item, error, blank));
	return [report(context.getNode(), context.continueOnFail(), failed)];
}

function own<T>(values: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
	return values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
}

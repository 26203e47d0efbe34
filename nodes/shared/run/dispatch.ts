import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type IDataObject,
	type INodeExecutionData,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { attempt, attemptSync, InputError, isObject } from '../util';
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
		// What is shown above the output must not end a run that has sent something.
		attemptSync(() => context.addExecutionHints(...hintsOf(ran.value)));
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

/**
 * Looks whether every field that takes no expression is on or off, or one of its options. A workflow that was not made in
 * the editor may have anything there, and n8n hands it over as it is: what is not understood must not decide about changes.
 * @throws InputError for the first that is not
 */
function checkChoices(context: IExecuteFunctions, fields: readonly INodeProperties[]): void {
	for (const field of fields) {
		const { name, type, default: otherwise, noDataExpression } = field;
		// Others are read item by item.
		if (noDataExpression !== true && type !== 'collection') continue;
		const read = attemptSync(() => context.getNodeParameter(name, 0, otherwise as IDataObject));
		// What cannot be evaluated fails where it is read, with all fields of its item.
		if (read === undefined) continue;
		// One name may belong to several fields, of which n8n shows one.
		const options = fields.flatMap((one) => (one.name === name ? (one.options ?? []) : []));
		check({ ...field, options }, read);
	}
}

function check(field: INodeProperties, value: unknown): void {
	const { displayName, type, options = [], noDataExpression } = field;
	if (type === 'collection') return checkEach(options as INodeProperties[], value);
	if (type === 'fixedCollection') {
		for (const { name, values } of options as INodePropertyCollection[]) {
			const rows = isObject(value) ? [value[name]].flat() : [];
			for (const row of rows) checkEach(values, row);
		}
	}
	if (noDataExpression !== true) return;
	const hint = 'Choose it again in the node: it takes no expression. Nothing was sent.';
	if (type === 'boolean' && typeof value !== 'boolean') {
		throw new InputError(`${displayName} is neither on nor off`, hint);
	}
	const isIt = (option: unknown) => (option as INodePropertyOptions).value === value;
	if (type === 'options' && !options.some(isIt)) {
		throw new InputError(`${displayName} is none of its options`, hint);
	}
}

function checkEach(fields: readonly INodeProperties[], values: unknown): void {
	if (!isObject(values)) return;
	for (const field of fields) if (field.name in values) check(field, values[field.name]);
}

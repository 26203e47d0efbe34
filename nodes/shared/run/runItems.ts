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

import {
	attempt,
	attemptSync,
	InputError,
	isObject,
	mapConcurrent,
	addTo,
	type Attempt,
} from '../util';
import { hintsOf } from './hints';
import { failureOfItem, report, errorOf, type ItemReport } from './report';
import type { Operations } from './operation';
import { NO_ITEM, type Applied, type Plan, type Step } from './plan';
import { previewItem } from './preview';

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

/** How an operation reads. `E` is what it may use, `P` what it finds out for all items together. */
export interface Read<E, P> {
	prepare?(items: readonly number[], surroundings: E): Promise<P>;
	/** The output of one item, one entry per resource. */
	read(item: number, surroundings: E, prepared: P | undefined): Promise<IDataObject[]>;
}

/**
 * Reads what all items need together, then for each item by itself; an item whose read fails carries its error.
 * @throws NodeApiError or NodeOperationError as `report` does
 */
export async function readItems<E extends { client: { concurrency: number } }, P>(
	context: IExecuteFunctions,
	makeSurroundings: () => Promise<E>,
	{ prepare, read }: Read<E, P>,
): Promise<INodeExecutionData[]> {
	const items = context.getInputData().map((_, index) => index);
	const ready = await attempt(async () => {
		const surroundings = await makeSurroundings();
		return { surroundings, prepared: await prepare?.(items, surroundings) };
	});
	const concurrency = ready.ok ? ready.value.surroundings.client.concurrency : 1;
	const reports = await mapConcurrent(items, concurrency, async (item) => {
		const tried = ready.ok
			? await attempt(async () => await read(item, ready.value.surroundings, ready.value.prepared))
			: ready;
		return tried.ok
			? { item, json: tried.value, outcomes: [] }
			: { item, json: [], outcomes: [], error: tried.error };
	});
	return report(context.getNode(), context.continueOnFail(), reports);
}

/** What was decided, as far as the runner has to know. */
interface Decided {
	/** Already with the reasons of the guards. */
	plan: Plan<Step, unknown>;
}

/** What the fields of the node ask of a run. */
interface Wanted {
	/** Whether only the plan is wanted. */
	previews: boolean;
	/** Whether what the service cannot show goes to the success output. */
	acceptsHidden?: boolean;
}

/** One output item, and the parts that it tells of: it fails when one of them did. */
export interface Output<A> {
	json: IDataObject;
	parts: readonly A[];
}

/**
 * How one operation writes. `W` is what one item wants, `E` what the operation may use, `D` what it
 * decided, `A` what happened to a part.
 */
interface Write<W, E extends Wanted, D extends Decided, A extends Applied<unknown>> {
	/** Whatever holds for the whole execution. @throws InputError when the options or the credential cannot be used */
	context(): Promise<E>;
	/** What one item wants, from its parameters alone. @throws InputError */
	collect(item: number, context: E): W[];
	/**
	 * Reads what is needed, decides, and has the guards look at it.
	 * @param refused items that cannot be used, and why
	 */
	decide(wanted: W[], context: E, refused: ReadonlyMap<number, unknown>): Promise<D>;
	/** The fields of every item of the operation, for one that failed before more was known. */
	blank?(context?: E): IDataObject;
	/** What the preview says beside the plan. */
	extras?(decided: D, context: E): IDataObject;
	/** Sends, and looks. Never throws for a part: that part has an outcome. */
	carryOut(decided: D, context: E): Promise<readonly A[]>;
	/** The output of the parts of one item, or of those that no item names. */
	output(parts: readonly A[], context: E, decided: D): Array<Output<A>>;
}

/**
 * Runs an operation that writes. Every write is planned, sent, and verified: collect, read and plan, guard, then either the
 * preview or apply, verify and report.
 * @throws NodeApiError or NodeOperationError as `report` does; for a blocked plan before anything was sent
 */
export async function runWrite<W, E extends Wanted, D extends Decided, A extends Applied<unknown>>(
	context: IExecuteFunctions,
	run: Write<W, E, D, A>,
): Promise<INodeExecutionData[]> {
	const node = context.getNode();
	const items = context.getInputData().map((_, index) => index);
	const ready = await attempt(async () => await run.context());
	if (!ready.ok) {
		return report(
			node,
			context.continueOnFail(),
			items.map((item) => failureOfItem(item, ready.error, run.blank?.())),
		);
	}
	const operation = ready.value;
	const blank = run.blank?.(operation);
	const failed = (item: number, error: unknown) => failureOfItem(item, error, blank);

	const refused = new Map<number, unknown>();
	const tried = await decide(run, items, operation, refused);
	if (!tried?.ok) {
		const reports = items.map((item) => failed(item, refused.get(item) ?? tried?.error));
		return report(node, context.continueOnFail(), reports);
	}
	const decided = tried.value;
	const { plan } = decided;

	if (operation.previews) {
		return [previewItem(plan, refused, items, run.extras?.(decided, operation))];
	}
	if (plan.blockedBy.length > 0) {
		// With Continue On Fail n8n would pass the input on as if all had gone well, were this thrown: so each item carries it.
		const blocked = new InputError(
			`Nothing was sent: ${plan.blockedBy[0]}`,
			[...plan.blockedBy.slice(1), 'Turn on Preview to see the whole plan.'].join(' '),
		);
		return report(
			node,
			context.continueOnFail(),
			items.map((item) => failed(item, refused.get(item) ?? blocked)),
		);
	}
	const byItem = new Map<number, A[]>();
	for (const part of await run.carryOut(decided, operation)) addTo(byItem, part.item, part);
	const reportsOf = (item: number, parts: readonly A[], pairedTo?: readonly number[]) =>
		run.output(parts, operation, decided).map(({ json, parts: own }): ItemReport => ({
			item,
			json: [json],
			outcomes: own.map(({ outcome }) => outcome),
			error: errorOf(own, operation.acceptsHidden),
			...(pairedTo && { pairedTo }),
		}));
	return report(node, context.continueOnFail(), [
		...items.flatMap((item) =>
			refused.has(item)
				? [failed(item, refused.get(item))]
				: reportsOf(item, byItem.get(item) ?? []),
		),
		...(byItem.has(NO_ITEM) ? reportsOf(0, byItem.get(NO_ITEM) ?? [], items) : []),
	]);
}

/**
 * What was decided on all items; undefined where none can be used. What they want is let go of with it: of a long list
 * that is the most there is, and the plan has to be kept beside it otherwise.
 */
async function decide<W, E extends Wanted, D extends Decided, A extends Applied<unknown>>(
	run: Write<W, E, D, A>,
	items: readonly number[],
	operation: E,
	refused: Map<number, unknown>,
): Promise<Attempt<D> | undefined> {
	const wanted: W[] = [];
	for (const item of items) {
		const collected = await attempt(() => run.collect(item, operation));
		if (collected.ok) for (const entry of collected.value) wanted.push(entry);
		else refused.set(item, collected.error);
	}
	if (refused.size === items.length && !operation.previews) return undefined;
	return await attempt(async () => await run.decide(wanted, operation, refused));
}

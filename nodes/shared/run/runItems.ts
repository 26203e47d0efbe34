import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { attempt, mapConcurrent, addTo, InputError, type Attempt } from '../util';
import { report, errorOf, failureOfItem, type ItemReport } from './report';
import { NO_ITEM, type Applied, type Plan, type Step } from './plan';
import { previewItem } from './preview';

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

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { attempt, InputError } from '../util';
import type { Applied } from './apply';
import { NO_ITEM, type Plan, type Step } from './plan';
import { previewItem } from './preview';
import { errorOf, report, type ItemReport } from './report';

/** What was decided, as far as the road has to know. */
export interface Decided {
	/** Already with the reasons of the guards. */
	plan: Plan<Step, unknown>;
}

/** Output that belongs to no item, and what became of it. */
export interface OtherOutput<A> {
	json: IDataObject;
	parts: readonly A[];
}

/**
 * How one operation that writes goes the road. `W` is what one item wants, `E` what the operation may use, `D` what it
 * decided, `A` what became of a part.
 */
export interface Road<
	W,
	E extends { previews: boolean },
	D extends Decided,
	A extends Applied<unknown>,
> {
	/** Whatever holds for the whole execution. @throws InputError when the options or the credential cannot be used */
	surroundings(): Promise<E>;
	/** What one item wants, from its parameters alone. @throws InputError */
	collect(item: number, surroundings: E): W[];
	/**
	 * Reads what is needed, decides, and has the guards look at it.
	 * @param refused items that cannot be used, and why
	 */
	decide(wanted: W[], surroundings: E, refused: ReadonlyMap<number, unknown>): Promise<D>;
	/** What the preview says beside the plan. */
	extras?(decided: D, surroundings: E): IDataObject;
	/** Sends, and looks. Never throws for a part: that part has an outcome. */
	carryOut(decided: D, surroundings: E): Promise<readonly A[]>;
	/** The output of one item. */
	output(parts: readonly A[], surroundings: E): IDataObject;
	/** Output beside that of the items, for what no item names. */
	others?(parts: readonly A[], surroundings: E): Array<OtherOutput<A>>;
}

/**
 * The one road of every write: collect, read and plan, guard, then either the preview or apply, verify and report.
 * @throws NodeApiError or NodeOperationError as `report` does; for a blocked plan before anything was sent
 */
export async function travel<
	W,
	E extends { previews: boolean },
	D extends Decided,
	A extends Applied<unknown>,
>(context: IExecuteFunctions, road: Road<W, E, D, A>): Promise<INodeExecutionData[]> {
	const node = context.getNode();
	const items = context.getInputData().map((_, index) => index);
	const ready = await attempt(async () => await road.surroundings());
	if (!ready.ok) {
		return report(node, context.continueOnFail(), failures(items, ready.error));
	}
	const surroundings = ready.value;

	const wanted: W[] = [];
	const refused = new Map<number, unknown>();
	for (const item of items) {
		const collected = await attempt(() => road.collect(item, surroundings));
		if (collected.ok) for (const entry of collected.value) wanted.push(entry);
		else refused.set(item, collected.error);
	}
	if (refused.size === items.length && !surroundings.previews) {
		const reports = items.map((item) => failure(item, refused.get(item)));
		return report(node, context.continueOnFail(), reports);
	}
	const tried = await attempt(async () => await road.decide(wanted, surroundings, refused));
	if (!tried.ok) {
		const reports = items.map((item) => failure(item, refused.get(item) ?? tried.error));
		return report(node, context.continueOnFail(), reports);
	}
	const decided = tried.value;
	const { plan } = decided;

	if (surroundings.previews) {
		return [previewItem(plan, refused, items, road.extras?.(decided, surroundings))];
	}
	if (plan.blockedBy.length > 0) {
		// With Continue On Fail n8n would pass the input on as if all had gone well, were this thrown: so each item carries it.
		const blocked = new InputError(
			`Nothing was sent: ${plan.blockedBy[0]}`,
			[...plan.blockedBy.slice(1), 'Turn on Preview to see the whole plan.'].join(' '),
		);
		return report(node, context.continueOnFail(), failures(items, blocked));
	}
	const byItem = new Map<number, A[]>();
	for (const part of await road.carryOut(decided, surroundings)) {
		const same = byItem.get(part.item);
		if (same === undefined) byItem.set(part.item, [part]);
		else same.push(part);
	}
	const others = road.others?.(byItem.get(NO_ITEM) ?? [], surroundings) ?? [];
	return report(node, context.continueOnFail(), [
		...items.map((item): ItemReport => {
			const own = byItem.get(item) ?? [];
			if (refused.has(item)) return failure(item, refused.get(item));
			return {
				item,
				json: [road.output(own, surroundings)],
				outcomes: own.map(({ outcome }) => outcome),
				error: errorOf(own),
			};
		}),
		...others.map(({ json, parts: own }): ItemReport => ({
			item: 0,
			pairedTo: items,
			json: [json],
			outcomes: own.map(({ outcome }) => outcome),
			error: errorOf(own),
		})),
	]);
}

function failures(items: readonly number[], error: unknown): ItemReport[] {
	return items.map((item) => failure(item, error));
}

function failure(item: number, error: unknown): ItemReport {
	return { item, json: [], outcomes: [], error };
}

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { attempt, mapConcurrent } from '../util';
import { report } from './report';

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

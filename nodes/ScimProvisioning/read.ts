import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { attempt } from '../shared/attempt';
import { report } from '../shared/change/report';
import { mapInOrder } from '../shared/request/pool';
import { surroundingsOf, type Surroundings } from './road';

/** How an operation reads. `P` is what it finds out for all items together. */
export interface Read<P> {
	prepare?(items: readonly number[], surroundings: Surroundings): Promise<P>;
	/** The output of one item, one entry per resource. */
	read(item: number, surroundings: Surroundings, prepared: P | undefined): Promise<IDataObject[]>;
}

/**
 * Reads what all items need together, then for each item by itself; an item whose read fails carries its error.
 * @throws NodeApiError or NodeOperationError as `report` does
 */
export async function runRead<P>(
	context: IExecuteFunctions,
	{ prepare, read }: Read<P>,
): Promise<INodeExecutionData[]> {
	const items = context.getInputData().map((_, index) => index);
	const ready = await attempt(async () => {
		const surroundings = await surroundingsOf(context);
		return { surroundings, prepared: await prepare?.(items, surroundings) };
	});
	const concurrency = ready.ok ? ready.value.surroundings.settings.concurrency : 1;
	const reports = await mapInOrder(items, concurrency, async (item) => {
		const tried = ready.ok
			? await attempt(async () => await read(item, ready.value.surroundings, ready.value.prepared))
			: ready;
		return tried.ok
			? { item, json: tried.value, outcomes: [] }
			: { item, json: [], outcomes: [], error: tried.error };
	});
	return report(context.getNode(), context.continueOnFail(), reports);
}

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { attempt } from '../shared/attempt';
import { report } from '../shared/change/report';
import { mapInOrder } from '../shared/request/pool';
import { surroundingsOf, type Surroundings } from './road';

/**
 * Reads for each item by itself; an item whose read fails carries its error.
 * @param read gives the output of one item, one entry per resource
 * @throws NodeApiError or NodeOperationError as `report` does
 */
export async function runRead(
	context: IExecuteFunctions,
	read: (item: number, surroundings: Surroundings) => Promise<IDataObject[]>,
): Promise<INodeExecutionData[]> {
	const items = context.getInputData().map((_, index) => index);
	const ready = await attempt(async () => await surroundingsOf(context));
	const concurrency = ready.ok ? ready.value.settings.concurrency : 1;
	const reports = await mapInOrder(items, concurrency, async (item) => {
		const tried = ready.ok ? await attempt(async () => await read(item, ready.value)) : ready;
		return tried.ok
			? { item, json: tried.value, outcomes: [] }
			: { item, json: [], outcomes: [], error: tried.error };
	});
	return report(context.getNode(), context.continueOnFail(), reports);
}

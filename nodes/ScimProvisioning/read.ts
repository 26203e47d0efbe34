import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type Read, readItems } from '../shared/run';
import { surroundingsOf, type Surroundings } from './road';

/** Runs an operation that reads. @throws NodeApiError or NodeOperationError as `report` does */
export async function runRead<P>(
	context: IExecuteFunctions,
	{ needsOrganizations, ...read }: Read<Surroundings, P> & { needsOrganizations?: boolean },
): Promise<INodeExecutionData[]> {
	return await readItems(
		context,
		async () => await surroundingsOf(context, needsOrganizations),
		read,
	);
}

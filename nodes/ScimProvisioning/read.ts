import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type Read, readItems } from '../shared/run';
import { operationContext, type OperationContext } from './runWrite';

/** Runs an operation that reads. @throws NodeApiError or NodeOperationError as `report` does */
export async function runRead<P>(
	context: IExecuteFunctions,
	{ needsOrganizations, ...read }: Read<OperationContext, P> & { needsOrganizations?: boolean },
): Promise<INodeExecutionData[]> {
	return await readItems(
		context,
		async () => await operationContext(context, needsOrganizations),
		read,
	);
}

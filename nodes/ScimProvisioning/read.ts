import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type Read, readItems } from '../shared/run';
import { operationContext, type OperationContext } from './context';

/** Runs an operation that reads. @throws NodeApiError or NodeOperationError as `report` does */
export async function runRead<P>(
	context: IExecuteFunctions,
	read: Read<OperationContext, P>,
): Promise<INodeExecutionData[]> {
	return await readItems(context, async () => await operationContext(context), read);
}

import type { IDataObject } from 'n8n-workflow';

import type { Outcome } from '../../shared/run';

/** What the output says of an outcome. */
export function outcomeItem({ status, action, reason }: Outcome): IDataObject {
	return { status, action, ...(reason !== undefined && { reason }) };
}

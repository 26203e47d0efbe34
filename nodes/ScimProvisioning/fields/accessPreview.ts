import type { IDataObject } from 'n8n-workflow';

import type { PlanOperation } from '../../shared/access';
import type { OperationContext, Planned } from '../runWrite';

/** What Preview says of access beside the requests: the plan itself, sealed, and the plan in words. */
export function accessExtras(
	name: PlanOperation,
	planned: Planned,
	operation: OperationContext,
): Planned {
	return {
		...planned,
		extras: (): IDataObject => ({ operation: name, service: operation.baseUrl }),
	};
}

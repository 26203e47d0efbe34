import type { INodeProperties } from 'n8n-workflow';

import { requestsOption } from '../../shared/run';

/** On everything that writes and looks afterwards. */
export const acceptUnverified: INodeProperties = {
	displayName: 'Accept Unverified',
	name: 'acceptUnverified',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description: 'Whether to count changes that the service accepts but never shows as successful',
};

/** The options of most operations that write. */
export const writeOptions: INodeProperties[] = [
	acceptUnverified,
	requestsOption('concurrency', 'pageSize', 'verifyTime'),
];

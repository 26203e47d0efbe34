import type { INodeProperties } from 'n8n-workflow';

import { requestsOption } from '../../shared/run';

/** On everything that writes and looks afterwards. */
export const acceptUnverified: INodeProperties = {
	displayName: 'Accept Unverified',
	name: 'acceptUnverified',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description:
		'Whether a change that the service takes but never shows goes to the success output, as unverified',
};

/** The options of most operations that write. */
export const writeOptions: INodeProperties[] = [
	acceptUnverified,
	requestsOption('concurrency', 'pageSize', 'verifyTime'),
];

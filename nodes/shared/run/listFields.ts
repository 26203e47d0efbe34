import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { wholeNumber } from './parameter';

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

export const returnAllField: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

export const limitField: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
	displayOptions: { show: { returnAll: [false] } },
};

/** The most results that are wanted; undefined for all. @throws InputError for a limit that is no whole number from 1 */
export function readLimit(context: IExecuteFunctions, item: number): number | undefined {
	if (context.getNodeParameter('returnAll', item, false) === true) return undefined;
	return wholeNumber('Limit', context.getNodeParameter('limit', item, 50), 1);
}

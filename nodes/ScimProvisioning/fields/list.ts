import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { InputError } from '../../shared/inputError';
import { RequestError } from '../../shared/request/requestError';
import type { ListQuery, Listing } from '../../shared/scim/client/listing';
import type { Resource } from '../../shared/scim/protocol/resource';

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

/** Filter of a list request. @param example of the resource's own attributes */
export function filtersField(example: string): INodeProperties {
	return {
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: [
			{
				displayName: 'SCIM Filter',
				name: 'filter',
				type: 'string',
				default: '',
				placeholder: `e.g. ${example}`,
				description:
					'Filter that the service evaluates. Account organizations know userName eq and ID eq for users; what a service does not know it refuses, or ignores.',
			},
		],
	};
}

/** Options of a list request beside those of every execution. */
export const listOptions: INodeProperties[] = [
	{
		displayName: 'Attributes',
		name: 'attributes',
		type: 'string',
		default: '',
		placeholder: 'e.g. userName,active',
		description: 'Attributes to return, comma-separated; the service decides whether it follows',
	},
	{
		displayName: 'Excluded Attributes',
		name: 'excludedAttributes',
		type: 'string',
		default: '',
		placeholder: 'e.g. members',
		description:
			'Attributes not to return, comma-separated; the service decides whether it follows',
	},
	{
		displayName: 'Start Index',
		name: 'startIndex',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 1,
		description: 'Number of the first result to return, from 1',
	},
];

/** @throws InputError for a limit or start that is no whole number from 1 */
export function readListQuery(
	context: IExecuteFunctions,
	item: number,
	pageSize: number | undefined,
): ListQuery {
	const options = context.getNodeParameter('options', item, {}) as IDataObject;
	const filters = context.getNodeParameter('filters', item, {}) as IDataObject;
	const all = context.getNodeParameter('returnAll', item, false) === true;
	return {
		filter: textOf(filters.filter),
		attributes: textOf(options.attributes),
		excludedAttributes: textOf(options.excludedAttributes),
		...(options.startIndex !== undefined && {
			startIndex: wholeNumber('Start Index', options.startIndex),
		}),
		...(!all && { limit: wholeNumber('Limit', context.getNodeParameter('limit', item, 50)) }),
		count: pageSize,
	};
}

/** The resources of a list that may be shown as the answer. @throws RequestError when some may be missing */
export function wholeList<R extends Resource>(listing: Listing<R>, what: string): R[] {
	if (listing.incomplete === undefined) return listing.resources;
	throw new RequestError(
		`The list of ${what} is incomplete: ${listing.incomplete}`,
		`${listing.resources.length} ${what} were received. Use a filter or another page size, or look at the service.`,
		{ kind: 'incomplete', method: 'GET', mayHaveWorked: false },
	);
}

function wholeNumber(name: string, value: unknown): number {
	const number = Number(value);
	if (Number.isInteger(number) && number >= 1) return number;
	throw new InputError(`${name} is not a whole number from 1`, 'Correct it in the node.');
}

function textOf(value: unknown): string | undefined {
	const text = typeof value === 'string' ? value.trim() : '';
	return text === '' ? undefined : text;
}

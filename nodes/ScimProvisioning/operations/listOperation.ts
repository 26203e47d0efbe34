import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { InputError } from '../../shared/util';
import {
	parameterText,
	readLimit,
	wholeNumber,
	limitField,
	type Offer,
	type Operation,
	optionsField,
	returnAllField,
	simplifyField,
} from '../../shared/run';
import {
	comparedAttributes,
	type ListQuery,
	type Group,
	type Listing,
	type User,
	wholeList,
} from '../../shared/scim';
import { runRead, type OperationContext } from '../context';

/** Filter of a list request. @param example of the resource's own attributes */
function filtersField(example: string): INodeProperties {
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
					'Filter that the service evaluates. Services may refuse or ignore what they do not support.',
				hint: 'A SCIM filter: an attribute, an operator such as eq, and a value in double quotes',
			},
		],
	};
}

/** Options of a list request beside those of every execution. */
const listOptions: INodeProperties[] = [
	{
		displayName: 'Attributes',
		name: 'attributes',
		type: 'string',
		default: '',
		placeholder: 'e.g. displayName, externalId',
		description: 'Attributes to return. The service may ignore this.',
		hint: 'Separate several with commas',
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
function readListQuery(context: IExecuteFunctions, item: number): ListQuery {
	const options = context.getNodeParameter('options', item, {}) as IDataObject;
	const filters = context.getNodeParameter('filters', item, {}) as IDataObject;
	const limit = readLimit(context, item);
	return {
		filter: textOf(filters.filter),
		attributes: withId(textOf(options.attributes)),
		...(options.startIndex !== undefined && {
			startIndex: wholeNumber('Start Index', options.startIndex, 1),
		}),
		...(limit !== undefined && { limit }),
	};
}

/** Without IDs nothing in a list can be told apart; account organizations know the name in this case only. */
function withId(attributes: string | undefined): string | undefined {
	const names = namesIn(attributes);
	return names.length === 0 || names.includes('id') ? joined(names) : joined(['id', ...names]);
}

function namesIn(attributes = ''): string[] {
	return attributes.split(',').flatMap((name) => name.trim() || []);
}

function joined(names: readonly string[]): string | undefined {
	return names.join(',') || undefined;
}

/**
 * Checks a filter of groups.
 * @throws InputError for a filter of groups that the service would ignore, and then answer with all of them
 */
export function checkGroupFilter({ filter }: ListQuery, known?: readonly string[]): void {
	if (filter === undefined || known === undefined) return;
	if (/\beq\s+""/i.test(filter)) {
		throw new InputError(
			'The filter compares with an empty value: the service would answer with all groups',
			'Check that the field of the item is not empty.',
		);
	}
	const unknown = comparedAttributes(filter).find((name) => !known.includes(name));
	if (unknown === undefined) return;
	throw new InputError(
		`The service does not filter groups by ${unknown}: it would answer with all groups`,
		`Filter by ${known.slice(0, -1).join(', ')} and ${known.at(-1)} only, or read all groups and use a Filter node.`,
	);
}

function textOf(value: unknown): string | undefined {
	return parameterText(value) || undefined;
}

/**
 * Makes Get Many of users or groups, page by page where the service pages (RFC 7644 section 3.4.2).
 * @param example of a filter
 * @param simple the resource as workflows use it
 */
export function listOperation<R extends Group | User>(
	resource: 'user' | 'group',
	offer: Omit<Offer, 'fields'>,
	example: string,
	list: (query: ListQuery, operation: OperationContext) => Promise<Listing<R>>,
	simple: (entry: R, operation: OperationContext) => IDataObject,
): Operation {
	return {
		...offer,
		fields: [
			returnAllField,
			limitField,
			simplifyField,
			filtersField(example),
			optionsField(listOptions),
		],

		execute: async (context) =>
			await runRead(context, {
				read: async (item, operation) => {
					const query = readListQuery(context, item);
					const entries = wholeList(await list(query, operation), `${resource}s`);
					const simplify = context.getNodeParameter('simplify', item, true) === true;
					return entries.map((entry) =>
						simplify ? simple(entry, operation) : (entry.attributes as IDataObject),
					);
				},
			}),
	};
}

import type { IDataObject } from 'n8n-workflow';

import {
	limitField,
	type Offer,
	type Operation,
	optionsField,
	returnAllField,
	simplifyField,
} from '../../shared/run';
import { type Group, type Listing, type ListQuery, type User, wholeList } from '../../shared/scim';
import { filtersField, listOptions, readListQuery } from '../fields/list';
import { runRead } from '../read';
import type { OperationContext } from '../context';

/**
 * Get Many of users or groups, page by page where the service pages (RFC 7644 section 3.4.2).
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

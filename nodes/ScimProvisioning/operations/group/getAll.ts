import type { IDataObject } from 'n8n-workflow';

import { simpleGroup } from '../../fields/group';
import { checkGroupFilter, filtersField, listOptions, readListQuery } from '../../fields/list';
import {
	limitField,
	type Operation,
	optionsField,
	requestsOption,
	returnAllField,
	showFor,
	simplifyField,
} from '../../../shared/run';
import { wholeList } from '../../../shared/scim';
import { runRead } from '../../read';

/** GET /Groups, page by page where the service pages (RFC 7644 section 3.4.2, docs/interface.md 1.5). */
export const getAll: Operation = {
	fields: showFor('group', 'getAll', [
		returnAllField,
		limitField,
		simplifyField,
		filtersField('displayName eq "org-3454:member"'),
		optionsField([...listOptions, requestsOption('pageSize')]),
	]),

	execute: async (context) =>
		await runRead(context, {
			read: async (item, operation) => {
				const query = readListQuery(context, item, operation.settings.pageSize);
				checkGroupFilter(query, operation.client.profile.groupFilterAttributes);
				const groups = wholeList(await operation.client.listGroups(query), 'groups');
				const simplify = context.getNodeParameter('simplify', item, true) === true;
				return groups.map((group) =>
					simplify ? simpleGroup(group, operation) : (group.attributes as IDataObject),
				);
			},
		}),
};

import type { IDataObject } from 'n8n-workflow';

import { filtersField, listOptions, readListQuery } from '../../fields/list';
import {
	limitField,
	type Operation,
	optionsField,
	requestsOption,
	returnAllField,
	showFor,
	simplifyField,
} from '../../../shared/run';
import { simpleUser } from '../../fields/userItem';
import { wholeList } from '../../../shared/scim';
import { runRead } from '../../read';

/** GET /Users, page by page (RFC 7644 section 3.4.2). */
export const getAll: Operation = {
	fields: showFor('user', 'getAll', [
		returnAllField,
		limitField,
		simplifyField,
		filtersField('userName eq "name@email.com"'),
		optionsField([...listOptions, requestsOption('pageSize')]),
	]),

	execute: async (context) =>
		await runRead(context, {
			read: async (item, { client, settings }) => {
				const query = readListQuery(context, item, settings.pageSize);
				const users = wholeList(await client.listUsers(query), 'users');
				const simplify = context.getNodeParameter('simplify', item, true) === true;
				return users.map((user) =>
					simplify ? simpleUser(user) : (user.attributes as IDataObject),
				);
			},
		}),
};

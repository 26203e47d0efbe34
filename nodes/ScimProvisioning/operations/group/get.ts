import type { IDataObject } from 'n8n-workflow';

import { groupFields, readGroupFields, readGroupItem } from '../../fields/group';
import { matchOfGroup } from '../../fields/item';
import { type Operation, simplifyField } from '../../../shared/run';
import { runRead } from '../../context';
import { readGroup } from '../../fields/state';
import { checkGroupFilter, listOperation } from '../listOperation';

/** GET /Groups/{id} (RFC 7644 section 3.4.1). */
export const get: Operation = {
	name: 'Get',
	action: 'Get group',
	description: 'Retrieve a group',
	fields: [...groupFields, simplifyField],

	execute: async (context) =>
		await runRead(context, {
			read: async (item, operation) => {
				const group = await readGroup(readGroupFields(context, item, operation), operation);
				const simplify = context.getNodeParameter('simplify', item, true) === true;
				const shown = simplify
					? readGroupItem(group, operation)
					: (group.attributes as IDataObject);
				return [{ ...shown, ...matchOfGroup(group.id, operation) }];
			},
		}),
};

/** GET /Groups (test/contract/interface.md 1.5). */
export const getAll = listOperation(
	'group',
	{ name: 'Get Many', action: 'Get many groups', description: 'Retrieve a list of groups' },
	'displayName eq "org-3454:member"',
	async (query, { client }) => {
		checkGroupFilter(query, client.profile.groupFilters);
		return await client.listGroups(query);
	},
	readGroupItem,
);

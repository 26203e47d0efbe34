import { readGroupItem } from '../../fields/group';
import { checkGroupFilter } from '../../fields/list';
import { listOperation } from '../listOperation';

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

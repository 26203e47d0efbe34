import { simpleGroup } from '../../fields/group';
import { checkGroupFilter } from '../../fields/list';
import { listOperation } from '../listOperation';

/** GET /Groups (docs/interface.md 1.5). */
export const getAll = listOperation(
	'group',
	'displayName eq "org-3454:member"',
	async (query, { client }) => {
		checkGroupFilter(query, client.profile.groupFilters);
		return await client.listGroups(query);
	},
	simpleGroup,
);

import { readUserItem } from '../../fields/userItem';
import { listOperation } from '../listOperation';

/** GET /Users. */
export const getAll = listOperation(
	'user',
	{ name: 'Get Many', action: 'Get many users', description: 'Retrieve a list of users' },
	'userName eq "name@email.com"',
	async (query, { client, reader }) => {
		const listing = await client.listUsers(query);
		const isChosen = query.attributes !== undefined || query.excludedAttributes !== undefined;
		if (isChosen || listing.incomplete !== undefined) return listing;
		return { ...listing, resources: await reader.people.withGroups(listing.resources) };
	},
	(user, { client }) => readUserItem(user, client),
);

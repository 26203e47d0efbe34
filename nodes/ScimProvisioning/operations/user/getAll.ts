import { simpleUser } from '../../fields/userItem';
import { listOperation } from '../listOperation';

/** GET /Users. */
export const getAll = listOperation(
	'user',
	{ name: 'Get Many', action: 'Get many users', description: 'Retrieve a list of users' },
	'userName eq "name@email.com"',
	async (query, { client }) => await client.listUsers(query),
	simpleUser,
);

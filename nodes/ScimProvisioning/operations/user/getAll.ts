import { simpleUser } from '../../fields/userItem';
import { listOperation } from '../listOperation';

/** GET /Users. */
export const getAll = listOperation(
	'user',
	'userName eq "name@email.com"',
	async (query, { client }) => await client.listUsers(query),
	simpleUser,
);

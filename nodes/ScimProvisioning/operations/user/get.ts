import type { IDataObject } from 'n8n-workflow';

import { attemptSync } from '../../../shared/util';
import { type Operation, optionsField, simplifyField } from '../../../shared/run';
import { matchUsersByOption } from '../../fields/options';
import { lookUp } from '../../fields/people';
import { matchOfUser } from '../../fields/item';
import { labelOf, readUserField, userField, type Lookup } from '../../fields/person';
import { readUserItem } from '../../fields/userItem';
import { runRead } from '../../context';
import { listOperation } from '../listOperation';

/** GET /Users/{id} (RFC 7644 section 3.4.1), or a look-up when the user is given by email. */
export const get: Operation = {
	name: 'Get',
	action: 'Get user',
	description: 'Retrieve a user',
	fields: [userField, simplifyField, optionsField([matchUsersByOption])],

	execute: async (context) =>
		await runRead<Awaited<ReturnType<typeof lookUp>>>(context, {
			// Names are looked up together: on a service without filter that is one listing for all items.
			async prepare(items, operation) {
				const references = items.flatMap((item) => {
					const reference = attemptSync(() => readUserField(context, item, operation));
					return reference === undefined || isId(reference) ? [] : [reference];
				});
				return await lookUp(references, operation);
			},
			async read(item, operation, find) {
				const reference = readUserField(context, item, operation);
				const { client, reader } = operation;
				const found =
					isId(reference) || find === undefined
						? await client.getUser(labelOf(reference))
						: find(reference);
				const [user] = await reader.people.showGroups([found]);
				const simplify = context.getNodeParameter('simplify', item, true) === true;
				const shown = simplify ? readUserItem(user, client) : (user.attributes as IDataObject);
				return [{ ...shown, ...matchOfUser(user.id, operation) }];
			},
		}),
};

/** Whether it is an ID for sure. */
function isId(reference: Lookup): boolean {
	return reference.by === 'id' && reference.orEmail !== true;
}

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

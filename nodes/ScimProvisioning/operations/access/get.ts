import type { IDataObject } from 'n8n-workflow';

import { ambiguousGroups, reachedBy, type Access } from '../../../shared/access/facts';
import { type Operation, optionsField } from '../../../shared/run';
import { type User, valuesOf, shownActive } from '../../../shared/scim';
import { attemptSync } from '../../../shared/util';
import { membershipItems, UNKNOWN_ACCESS, valueItems } from '../../fields/accessItem';
import { matchOfUser } from '../../fields/item';
import { matchUsersByOption } from '../../fields/options';
import { findPeople, type FoundPerson, type FoundPeople } from '../../fields/people';
import { readUserField, userField, type Lookup } from '../../fields/person';
import { runRead, type OperationContext } from '../../context';

/** The people of the items, and where they are. */
interface Seen {
	person: FoundPeople['person'];
	access: Access;
}

/** Every group that a person is in (test/contract/interface.md 1.1, RFC 7643 sections 4.1.2 and 4.2). */
export const getAccess: Operation = {
	name: 'Get',
	action: 'Get access of user',
	description: 'Retrieve the groups and roles of a user',
	fields: [userField, optionsField([matchUsersByOption])],

	execute: async (context) =>
		await runRead<Seen>(context, {
			async prepare(items, operation) {
				const references = items.flatMap(
					(item) => attemptSync(() => readUserField(context, item, operation)) ?? [],
				);
				return await readPeople(references, operation);
			},
			async read(item, operation, seen) {
				const reference = readUserField(context, item, operation);
				const { person, access } = seen ?? (await readPeople([reference], operation));
				const found = person(reference);
				if (!found.ok) throw found.error;
				return [accessItem(found.value, access, operation)];
			},
		}),
};

/**
 * Where all groups come in one request they are read first, because they tell who is who. Elsewhere users are read, with
 * their groups where they show them; else all groups with their members.
 */
async function readPeople(
	references: readonly Lookup[],
	operation: OperationContext,
): Promise<Seen> {
	const { client, reader } = operation;
	const readsUsers = { readsUsers: true };
	if (client.profile.listsAreExact) {
		const access = await reader.memberships.withGroupsInGroups(await reader.memberships.read());
		const { person } = await findPeople(references, access, operation, readsUsers);
		return { person, access };
	}
	const nothing = await reader.memberships.read({ groups: [] });
	const { person } = await findPeople(references, nothing, operation, readsUsers);
	const users = references.flatMap((reference): User[] => {
		const found = person(reference);
		return found.ok && found.value.user ? [found.value.user] : [];
	});
	if (users.length === 0) return { person, access: nothing };
	const own = await reader.memberships.of(users);
	return { person, access: await reader.memberships.withGroupsInGroups(own) };
}

function accessItem(
	{ id, userName, user }: FoundPerson,
	access: Access,
	operation: OperationContext,
): IDataObject {
	const { profile } = operation.client;
	const isKnown = access.everyGroup(id).told === 'all';
	const memberships = reachedBy(access, id);
	const groups = new Set(memberships.flatMap(({ key }) => access.groups.get(key) ?? []));
	const warnings = isKnown ? ambiguousGroups(groups, operation.ids) : [UNKNOWN_ACCESS];
	return {
		userId: id,
		userName: userName ?? null,
		active: shownActive(user) ?? null,
		assignments: isKnown ? membershipItems(memberships, operation) : null,
		...(profile.accessAttributes.length > 0 && {
			values: user ? valueItems(valuesOf(user, profile)) : null,
		}),
		...matchOfUser(id, operation),
		...(warnings.length > 0 && { warnings }),
	};
}

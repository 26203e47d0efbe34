import { type Attempt, InputError, nameKey } from '../../shared/util';
import { type Access, foundUser, type Member, userOf } from '../../shared/access';
import { hasStatus } from '../../shared/http';
import type { User } from '../../shared/scim';
import type { Surroundings } from '../road';
import type { PersonReference } from './person';

/** Somebody as an item named them, found at the service. */
export interface FoundPerson extends Member {
	id: string;
	/** What the service showed of the user; undefined when only the groups were read. */
	user?: User;
}

/**
 * Finds everybody at once, in as few requests as possible: whoever has a role is known from the groups, only the
 * others are looked up. A write to an ID that nobody has may be answered as if it had worked, so an ID is looked up too.
 * @param readsMembers whether the users behind the IDs of members have to be read as well
 * @returns a function that gives one person, or why there is none
 */
export async function findPeople(
	references: readonly PersonReference[],
	access: Access,
	{ directory, protectsBy }: Surroundings,
	readsMembers = false,
): Promise<(reference: PersonReference) => Attempt<FoundPerson>> {
	const names = references.flatMap((reference) =>
		reference.by === 'userName' && memberNamed(access, reference.userName) === undefined
			? [reference.userName]
			: [],
	);
	const isKnown = (id: string) =>
		access.held.has(id) && !readsMembers && (access.names.has(id) || !protectsBy.names);
	const ids = references.flatMap((reference) =>
		reference.by === 'id' && !isKnown(reference.id) ? [reference.id] : [],
	);
	const [found, read] = [await directory.findUsers(names), await directory.readManyById(ids)];

	/** A group may keep somebody who is no user any more. */
	const isGhost = (id: string, user: Attempt<User> | undefined) =>
		access.held.has(id) && user?.ok === false && hasStatus(user.error, 404);
	const byId = (id: string): FoundPerson => {
		const asked = read.get(id);
		const user = asked === undefined || isGhost(id, asked) ? undefined : userOf(asked, id);
		const userName = access.names.get(id) ?? user?.userName;
		return { key: id, id, ...(userName !== undefined && { userName }), ...(user && { user }) };
	};
	const byName = (userName: string): FoundPerson => {
		const member = memberNamed(access, userName);
		if (member !== undefined) return onlyOne(member, userName);
		const user = foundUser(found.get(userName), userName);
		return { key: user.id, id: user.id, userName: user.userName, user };
	};
	return (reference) => {
		try {
			const person = reference.by === 'id' ? byId(reference.id) : byName(reference.userName);
			return { ok: true, value: person };
		} catch (error) {
			return { ok: false, error };
		}
	};
}

/**
 * What groups tell, with the user names of these people as well: without them nobody knows who is protected.
 * @throws RequestError when one cannot be read: the person might be protected
 */
export async function withNamesToProtect(
	access: Access,
	userIds: readonly string[],
	{ directory, protectsBy }: Surroundings,
): Promise<Access> {
	if (!protectsBy.names) return access;
	const names = new Map(access.names);
	const unnamed = userIds.filter((id) => !names.has(id));
	for (const [id, user] of await directory.readUsers(unnamed)) {
		if (!user.ok) throw user.error;
		if (user.value !== undefined) names.set(id, user.value.userName);
	}
	return { ...access, names };
}

/** Ids of the members of that name: the exact match alone, else all that differ in case only. Undefined: none. */
export function memberNamed(access: Access, userName: string): readonly string[] | undefined {
	const same = access.idsByName.get(nameKey(userName));
	const exact = same?.filter((id) => access.names.get(id) === userName);
	return exact !== undefined && exact.length > 0 ? exact : same;
}

function onlyOne(ids: readonly string[], userName: string): FoundPerson {
	if (ids.length === 1) return { key: ids[0], id: ids[0], userName };
	throw new InputError(
		`More than one user has the user name ${userName} (IDs ${ids.join(', ')})`,
		'Give the ID of the one that is meant.',
	);
}

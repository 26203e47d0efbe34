import type { Attempt } from '../../shared/attempt';
import { InputError } from '../../shared/inputError';
import type { Access } from '../../shared/provisioning/access';
import { foundUser } from '../../shared/provisioning/directory';
import type { Member } from '../../shared/provisioning/step';
import type { User } from '../../shared/scim/protocol/resource';
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
 * others are looked up.
 * @param readsUser whether the user behind an id has to be read as well
 * @returns a function that gives one person. @throws InputError when nobody or more than one is meant
 */
export async function findPeople(
	references: readonly PersonReference[],
	access: Access,
	{ directory, guards }: Surroundings,
	readsUser: (id: string) => boolean = () => false,
): Promise<(reference: PersonReference) => Attempt<FoundPerson>> {
	const names = references.flatMap((reference) =>
		reference.by === 'userName' && memberNamed(access, reference.userName) === undefined
			? [reference.userName]
			: [],
	);
	// Protection by e-mail needs the e-mail of people who are given by id.
	const protectsNames = guards.protectedPeople.some((entry) => /[@*]/.test(entry));
	const ids = references.flatMap((reference) =>
		reference.by === 'id' &&
		(readsUser(reference.id) || (protectsNames && !access.names.has(reference.id)))
			? [reference.id]
			: [],
	);
	const [found, read] = [await directory.findUsers(names), await directory.readManyById(ids)];
	return (reference) => {
		if (reference.by === 'id') {
			const user = read.get(reference.id);
			if (user?.ok === false) return user;
			const userName = access.names.get(reference.id) ?? user?.value.userName;
			return {
				ok: true,
				value: {
					key: reference.id,
					id: reference.id,
					...(userName !== undefined && { userName }),
					...(user?.ok && { user: user.value }),
				},
			};
		}
		const { userName } = reference;
		const member = memberNamed(access, userName);
		if (member !== undefined) return named(member, userName);
		try {
			const user = foundUser(found.get(userName), userName);
			return { ok: true, value: { key: user.id, id: user.id, userName: user.userName, user } };
		} catch (error) {
			return { ok: false, error };
		}
	};
}

/** Ids of the members of that name: the exact match alone, else all that differ in case only. Undefined: none. */
export function memberNamed(access: Access, userName: string): readonly string[] | undefined {
	const same = access.idsByName.get(userName.toLowerCase());
	const exact = same?.filter((id) => access.names.get(id) === userName);
	return exact !== undefined && exact.length > 0 ? exact : same;
}

function named(ids: readonly string[], userName: string): Attempt<FoundPerson> {
	if (ids.length === 1) return { ok: true, value: { key: ids[0], id: ids[0], userName } };
	return {
		ok: false,
		error: new InputError(
			`More than one user has the user name ${userName} (IDs ${ids.join(', ')})`,
			'Give the ID of the one that is meant.',
		),
	};
}

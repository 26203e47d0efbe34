import type { IDataObject } from 'n8n-workflow';

import { type Attempt, InputError, isSpelledOneWay, nameKey } from '../../shared/util';
import {
	AbsentError,
	type Access,
	type Directory,
	type Found,
	foundUser,
	isNotFound,
	type Member,
	UnknownKeyError,
	userOf,
} from '../../shared/access';
import { matchingBy, type User } from '../../shared/scim';
import type { OperationContext } from '../context';
import { treatsAsGone } from './ifNotFound';
import { labelOf, type AlsoNamed, type PersonReference } from './person';

/** Somebody as an item named them, found at the service. */
export interface FoundPerson extends Member {
	id: string;
	/** What the service showed of the user; undefined when only the groups were read. */
	user?: User;
}

/** How people are to be found. */
export interface Finding {
	/** Whether the users behind members have to be read as well, to see whether they are active. */
	readsUsers?: boolean;
	/** Whether nobody to be found counts as gone, as with Treat as Already Gone; that takes more than a 404. */
	countsAsGone?: boolean;
	/**
	 * Whether an email that no user has is somebody new. `looksFirst`: known before anything is sent; otherwise the service
	 * says it when the create comes, where its groups tell names.
	 */
	creates?: 'looksFirst' | 'asksLater';
}

/** Everybody who was to be found. */
export interface People {
	/** One person, or why there is none. */
	person(reference: PersonReference): Attempt<FoundPerson>;
	/** The user name of somebody who is to be created; undefined for everybody else. */
	newName(reference: PersonReference): string | undefined;
}

/** Who is behind a reference. */
export type Lookup = (reference: PersonReference) => User;

/**
 * Looks everybody up at once, IDs too: a write to an ID that no user has may be answered as if it had worked.
 * @param needsWhole whether users have to be read whole, as a list may not show them
 * @returns a function that throws for a person who cannot be worked on
 */
export async function lookUp(
	references: readonly PersonReference[],
	operation: Pick<OperationContext, 'directory' | 'context'>,
	needsWhole = false,
): Promise<Lookup> {
	const find = await findKeys(references, operation.directory);
	const ids = references.flatMap((reference) => (reference.by === 'id' ? [reference.id] : []));
	const read = await readIds(ids, operation, { needsWhole });
	return (reference) =>
		reference.by === 'id'
			? userOf(read.get(reference.id), reference.id)
			: foundUser(find(reference), labelOf(reference), matchingBy(reference.by));
}

/** Users by ID; where nobody to be found counts as gone, it is made sure that no list shows those whom no GET shows. */
async function readIds(
	ids: readonly string[],
	{ directory, context }: Pick<OperationContext, 'directory' | 'context'>,
	{ needsWhole = false, countsAsGone = false } = {},
): Promise<Map<string, Attempt<User>>> {
	const read = needsWhole ? await directory.readById(ids) : await directory.readManyById(ids);
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	const asGone = countsAsGone || treatsAsGone(options);
	const missing = asGone ? [...read.keys()].filter((id) => isNotFound(read.get(id))) : [];
	for (const [id, user] of await directory.findHidden(missing)) {
		if (!user.ok) read.set(id, user);
		else if (user.value !== undefined) read.set(id, { ok: false, error: hidden(user.value) });
	}
	return read;
}

function hidden({ id, userName }: User): InputError {
	return new InputError(
		`The service lists ${userName}, but shows no user with the ID ${id}`,
		'The token may lack rights to that user, or a server in front of the service may refuse the characters of the ID.',
	);
}

/** Whoever is named otherwise than by ID. */
async function findKeys(
	references: readonly PersonReference[],
	directory: Directory,
): Promise<(reference: PersonReference) => Found | undefined> {
	const names = references.flatMap((one) => (one.by === 'userName' ? [one.userName] : []));
	const byName = await directory.findUsers(names);
	const others = await findMatches(references, directory);
	return (reference) =>
		reference.by === 'userName' ? byName.get(reference.userName) : others.get(labelOf(reference));
}

/** By email or external ID: one of both in a run. */
async function findMatches(
	references: readonly PersonReference[],
	directory: Directory,
): Promise<Map<string, Found>> {
	const keys = references.flatMap((one) => (one.by === 'id' || one.by === 'userName' ? [] : [one]));
	return keys.length === 0 ? new Map() : await directory.findMatches(keys, matchingBy(keys[0].by));
}

/**
 * Finds everybody at once, in as few requests as possible: whoever has a role is known from the groups, only the
 * others are looked up. A write to an ID that no user has may be answered as if it had worked, so an ID is looked up too.
 */
export async function findPeople(
	references: readonly PersonReference[],
	access: Access,
	operation: OperationContext,
	finding: Finding = {},
): Promise<People> {
	const { directory, protectsBy, client } = operation;
	const { creates } = finding;
	const matches = await findMatches(references, directory);
	const unseen = (reference: PersonReference): string | undefined =>
		creates !== undefined &&
		reference.by === 'userName' &&
		memberNamed(access, reference.userName) === undefined
			? reference.userName
			: undefined;
	const newMatch = (reference: PersonReference): string | undefined =>
		creates !== undefined && 'newName' in reference && matches.get(reference.key)?.kind === 'absent'
			? reference.newName
			: undefined;
	// Where groups do not tell names, or people are protected by id, whoever exists has to be known beforehand.
	const looksFirst =
		creates === 'looksFirst' || !client.profile.knowsPeopleByLogin || protectsBy.ids;
	const mayBeMember = (userName: string) => access.idsByName.has(nameKey(userName));
	const existing = await directory.findUsersToCreate(
		references.flatMap((reference) => {
			const name = unseen(reference);
			return name !== undefined && (looksFirst || mayBeMember(name)) ? name : [];
		}),
	);
	const isAbsent = (userName: string | undefined) =>
		userName !== undefined && (existing.get(userName)?.kind ?? 'absent') === 'absent';
	const others = references.filter((reference) => !isAbsent(unseen(reference)));
	const person = await findExisting(others, matches, access, operation, finding);
	// Somebody whom one item names by email may be there by what the ID in another one shows.
	const byName = new Map<string, Attempt<FoundPerson>>();
	for (const reference of references) {
		const found = reference.by === 'id' ? person(reference) : undefined;
		const name = found?.ok ? found.value.userName : undefined;
		if (found !== undefined && name !== undefined) byName.set(nameKey(name), found);
	}
	const sameAs = (userName: string) => byName.get(nameKey(userName));
	const people: People = {
		person(reference) {
			const name = unseen(reference);
			return (isAbsent(name) ? sameAs(name ?? '') : undefined) ?? person(reference);
		},
		newName(reference) {
			const name = unseen(reference);
			const isNew = name !== undefined && isAbsent(name) && sameAs(name) === undefined;
			return isNew ? name : newMatch(reference);
		},
	};
	const clashes = await findClashes(references, people, access, operation);
	if (clashes.size === 0) return people;
	return {
		person(reference) {
			const error = clashes.get(reference);
			return error === undefined ? people.person(reference) : { ok: false, error };
		},
		newName: (reference) => (clashes.has(reference) ? undefined : people.newName(reference)),
	};
}

/** A key beside the one that decides, and what the latter led to. */
interface OtherKey {
	reference: PersonReference;
	person: FoundPerson | undefined;
	also: AlsoNamed;
}

/** People named by several keys, one of which belongs to another user. A key without a user says nothing. */
async function findClashes(
	references: readonly PersonReference[],
	people: People,
	access: Access,
	operation: OperationContext,
): Promise<Map<PersonReference, InputError>> {
	const open = references.flatMap((reference): OtherKey[] => {
		const { also: others = [] } = reference;
		if (others.length === 0) return [];
		const isNew = people.newName(reference) !== undefined;
		const found = isNew ? undefined : people.person(reference);
		// Whoever cannot be read is an error by itself.
		if (found?.ok === false && !(found.error instanceof AbsentError)) return [];
		const person = found?.ok ? found.value : undefined;
		return others.flatMap((also) =>
			shows(person, also) || isSameKey(reference, also) ? [] : { reference, person, also },
		);
	});
	const owner = await findOwners(open, access, operation);
	return new Map(
		open.flatMap(({ reference, person, also }) => {
			const owners = owner(also);
			const [other] = owners.some(({ id }) => id === person?.id) ? [] : owners;
			return other === undefined ? [] : [[reference, twoPeople(reference, person, also, other)]];
		}),
	);
}

/** Whether a person shows a key. */
function shows(person: FoundPerson | undefined, { by, key }: AlsoNamed): boolean {
	if (person === undefined) return false;
	if (by === 'id') return person.id === key;
	const { user, userName = '' } = person;
	const { fold, keysOf } = matchingBy(by);
	const own = keysOf(user ?? { userName, attributes: {} });
	return [...own, ...(by === 'email' ? [userName] : [])].some((name) => fold(name) === fold(key));
}

function isSameKey(reference: PersonReference, { by, key }: AlsoNamed): boolean {
	return by !== 'id' && reference.by !== 'id' && nameKey(labelOf(reference)) === nameKey(key);
}

/** Who has a key, as far as groups, a filter or a list that is cheaper tell. */
async function findOwners(
	open: readonly OtherKey[],
	access: Access,
	{ directory, client: { profile } }: OperationContext,
): Promise<(also: AlsoNamed) => ReadonlyArray<{ id: string; userName?: string }>> {
	const keysBy = (...by: Array<AlsoNamed['by']>) =>
		open.flatMap(({ also }) => (by.includes(also.by) ? also.key : []));
	const isLogin = !profile.userNamesAreConverted;
	const inGroup = (name: string) => (isLogin && memberNamed(access, name)) || [];
	const names = isLogin
		? keysBy('userName', 'email').filter((name) => inGroup(name).length === 0)
		: [];
	const byName = await directory.findByKeys(names, matchingBy('userName'));
	// Where the user name is the email, it has told already.
	const emails = profile.userNameIsEmail && isLogin ? [] : keysBy('email');
	const byEmail = await directory.findByKeys(emails, matchingBy('email'));
	const byExternalId = await directory.findByKeys(keysBy('externalId'), matchingBy('externalId'));
	const read = await directory.readManyById(keysBy('id'));
	return ({ by, key }) => {
		if (by === 'id') {
			const user = read.get(key);
			return user?.ok ? [user.value] : [];
		}
		const found = by === 'externalId' ? [byExternalId] : [byName, byEmail];
		const members = by === 'externalId' ? [] : inGroup(key);
		return [
			...members.map((id) => ({ id, userName: access.names.get(id) })),
			...found.flatMap((some) => {
				const one = some.get(key);
				if (one?.kind === 'ambiguous') return one.ids.map((id) => ({ id }));
				return one?.kind === 'found' ? [one.user] : [];
			}),
		];
	};
}

function twoPeople(
	reference: PersonReference,
	person: FoundPerson | undefined,
	{ key }: AlsoNamed,
	other: { id: string; userName?: string },
): InputError {
	const label = labelOf(reference);
	const named = ({ id, userName }: { id: string; userName?: string }) =>
		userName === undefined ? `the user with ID ${id}` : `${userName} (ID ${id})`;
	const first = person === undefined ? `${label} is no user` : `${label} is ${named(person)}`;
	return new InputError(
		`${first}, and ${key} is ${named(other)}`,
		'Correct the row: all its keys must name one person. Nothing was sent for it.',
	);
}

/** People of an operation whose Create Missing Users is off: the error of somebody who could be created names it. */
export function offerToCreate<P extends Pick<People, 'person'>>(people: P): P {
	return {
		...people,
		person(reference) {
			const found = people.person(reference);
			if (found.ok || !(found.error instanceof UnknownKeyError)) return found;
			const error = new AbsentError(
				`${found.error.message}, and Create Missing Users is off`,
				'Check the spelling, or turn it on. If the user was just created, run again in a moment.',
			);
			return { ok: false, error };
		},
	};
}

async function findExisting(
	references: readonly PersonReference[],
	matches: ReadonlyMap<string, Found>,
	access: Access,
	operation: OperationContext,
	{ readsUsers = false, countsAsGone }: Finding,
): Promise<People['person']> {
	const { directory, protectsBy } = operation;
	const isKnown = (id: string) =>
		access.held.has(id) && !readsUsers && (access.names.has(id) || !protectsBy.names);
	const [names, ids]: [string[], string[]] = [[], []];
	for (const reference of references) {
		if (reference.by === 'id' && !isKnown(reference.id)) ids.push(reference.id);
		if (reference.by !== 'userName') continue;
		const same = memberNamed(access, reference.userName);
		if (same === undefined) names.push(reference.userName);
		else if (readsUsers) ids.push(...same);
	}
	const [found, read] = [
		await directory.findUsers(names),
		await readIds(ids, operation, { countsAsGone }),
	];

	/** A group may keep somebody who is no user any more. */
	const isGhost = (id: string, user: Attempt<User> | undefined) =>
		access.held.has(id) && isNotFound(user);
	const byId = (id: string, known?: string): FoundPerson => {
		const asked = read.get(id);
		const user = asked === undefined || isGhost(id, asked) ? undefined : userOf(asked, id);
		const userName = known ?? access.names.get(id) ?? user?.userName;
		const person: FoundPerson =
			userName === undefined ? { key: id, id } : { key: id, id, userName };
		if (user !== undefined) person.user = user;
		return person;
	};
	const byName = (userName: string): FoundPerson => {
		const member = memberNamed(access, userName);
		if (member !== undefined) return byId(onlyOne(member, userName), userName);
		return personOf(foundUser(found.get(userName), userName));
	};
	const personOf = (user: User): FoundPerson => {
		const { id, userName } = user;
		return { key: id, id, userName, user };
	};
	return (reference) => {
		try {
			if (reference.by === 'id') return { ok: true, value: byId(reference.id) };
			if (reference.by === 'userName') return { ok: true, value: byName(reference.userName) };
			const { by, key } = reference;
			return { ok: true, value: personOf(foundUser(matches.get(key), key, matchingBy(by))) };
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
	{ directory, protectsBy }: OperationContext,
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

/**
 * Ids of the members of that name: the exact match alone, else all that differ in case or composition only. Undefined: none,
 * or one with accents of another spelling: somebody else, who is no member, may have the very name.
 */
export function memberNamed(access: Access, userName: string): readonly string[] | undefined {
	const same = access.idsByName.get(nameKey(userName)) ?? [];
	const exact = same.filter((id) => access.names.get(id) === userName);
	if (exact.length > 0) return exact;
	return same.length > 1 || (same.length === 1 && isSpelledOneWay(userName)) ? same : undefined;
}

function onlyOne(ids: readonly string[], userName: string): string {
	if (ids.length === 1) return ids[0];
	throw new InputError(
		`More than one user has the user name ${userName} (IDs ${ids.join(', ')})`,
		'Enter the ID of the right user.',
	);
}

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	type Attempt,
	InputError,
	isMistypedAddress,
	isSpelledOneWay,
	memoized,
	nameKey,
	shown,
} from '../../shared/util';
import {
	AbsentError,
	besideNobody,
	type Access,
	type Found,
	foundUser,
	idsByName,
	idsFound,
	incompleteAccess,
	isNotFound,
	namedUsers,
	UnknownKeyError,
	userOf,
} from '../../shared/access/facts';
import type { Person } from '../../shared/access/changes';
import { matchingBy, type MatchAttribute, type Matching, type User } from '../../shared/scim';
import type { OperationContext } from '../context';
import { treatsAsGone, labelOf, type FurtherKey, type Lookup } from './person';

/** A person, with what the service showed of the user: undefined when only the groups were read, and for a new one. */
export interface KnownPerson extends Person {
	user?: User;
}

/** A person of an item, found at the service. */
export interface FoundPerson extends KnownPerson {
	id: string;
}

export interface Finding {
	/** Whether the users behind members have to be read as well, to see whether they are active. */
	readsUsers?: boolean;
	/** Whether a user who is not found counts as gone, as with Treat as Already Gone; that takes more than a 404. */
	countsAsGone?: boolean;
	/**
	 * How it is known that an email belongs to a new user; missing: no user is created.
	 * `looksFirst`: users are looked up. `proves`: a complete list has to lack the user, since others lose what no item names.
	 * `asksLater`: where groups show user names (the account), no user is looked up: the create is sent, and a 409 says who exists.
	 */
	creates?: 'looksFirst' | 'asksLater' | 'proves';
	/** Whether users have to be read whole, as a list may not show them. */
	isWhole?: boolean;
	/** Attributes from which the items of a person take values by name; missing: from none. */
	takesFrom?(reference: Lookup): readonly string[];
	/** Whether all values of the people go. */
	takesValues?: boolean;
	/** Whether a user without external ID who has the user name is the one, as with Link by User Name. */
	links?: boolean;
	/** Whether a plan says who is created: rows that it does not show were about who has a key of its own. */
	isPlanned?: boolean;
}

/** What was found of the people of all items. */
export interface FoundPeople {
	/** One person, or why there is none. */
	person(reference: Lookup): Attempt<FoundPerson>;
	/** The user name of a user to be created; undefined for all others. */
	newName(reference: Lookup): string | undefined;
}

const BY_NAME = matchingBy('userName');

/** Returns who a found person is, without the user. */
export function withoutUser(found: KnownPerson): Person {
	if (found.user === undefined) return found;
	const { key, id, userName } = found;
	return { key, ...(id !== undefined && { id }), ...(userName !== undefined && { userName }) };
}

/** Returns the person of a reference, or an error. */
export function personOf(reference: Lookup, people: FoundPeople): Attempt<KnownPerson> {
	const userName = people.newName(reference);
	if (userName === undefined) return people.person(reference);
	return { ok: true, value: { key: nameKey(userName), userName } };
}

/**
 * Looks all people up at once, IDs too: a write to an ID that no user has may be answered as if it had worked.
 * @param isWhole whether users have to be read whole, as a list may not show them
 * @returns a function that throws for a person who cannot be worked on
 */
export async function lookUp(
	references: readonly Lookup[],
	operation: OperationContext,
	isWhole = false,
): Promise<(reference: Lookup) => User> {
	const noMembers = await operation.reader.memberships.read({ groups: [] });
	const find = await resolve(references, noMembers, operation, { readsUsers: true, isWhole });
	return (reference) => {
		const found = find.person(reference);
		if (!found.ok) throw found.error;
		return userOf({ ok: true, value: found.value.user }, found.value.id);
	};
}

/**
 * Finds all people at once, in as few requests as possible: people with a role are known from the groups, only the others
 * are looked up. A user is not found whose other keys name another user.
 */
export async function findPeople(
	references: readonly Lookup[],
	access: Access,
	operation: OperationContext,
	finding: Finding = {},
): Promise<FoundPeople> {
	const people = await withValues(
		references,
		await resolve(references, access, operation, finding),
		operation,
		finding,
	);
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

/** Adds the values of attributes that give access, where the answer that showed a user leaves them out. */
async function withValues(
	references: readonly Lookup[],
	people: FoundPeople,
	{ reader, client: { facts, profile } }: OperationContext,
	{ takesFrom, takesValues }: Finding,
): Promise<FoundPeople> {
	const isShown = profile.accessAttributes.some((path) => facts.showsValues(path));
	if (!isShown && takesFrom === undefined && takesValues !== true) return people;
	const named = new Map<string, readonly string[]>();
	for (const reference of references) {
		const found = people.person(reference);
		if (!found.ok || found.value.user === undefined) continue;
		const { id } = found.value;
		named.set(id, [...(named.get(id) ?? []), ...(takesFrom?.(reference) ?? [])]);
	}
	const read = await reader.people.tellValues([...named.keys()], {
		namedOf: (id) => named.get(id) ?? [],
		hasWitness: takesValues,
	});
	if (read.size === 0) return people;
	return {
		...people,
		person(reference) {
			const found = people.person(reference);
			const user = found.ok ? read.get(found.value.id) : undefined;
			return found.ok && user ? { ok: true, value: { ...found.value, user } } : found;
		},
	};
}

/** People as they are named, and those with an email from a model where an ID stands. */
async function resolve(
	references: readonly Lookup[],
	access: Access,
	operation: OperationContext,
	finding: Finding,
): Promise<FoundPeople> {
	const people = await resolveAsNamed(references, access, operation, finding);
	const missing = references.filter((one) => {
		const found = one.by === 'id' && one.orEmail === true ? people.person(one) : undefined;
		return found?.ok === false && found.error instanceof AbsentError;
	});
	if (missing.length === 0) return people;
	const emails = [...new Set(missing.map(labelOf))];
	const found = await findByEmail(emails, access, operation, finding);
	return {
		...people,
		person: (one) =>
			(one.by === 'id' && one.orEmail ? found.get(one.id) : undefined) ?? people.person(one),
	};
}

/**
 * The one user of each email, whichever of user name and emails has it, by a list without a user who has it as ID.
 * @throws RequestError when not all users can be seen
 */
async function findByEmail(
	emails: readonly string[],
	access: Access,
	operation: OperationContext,
	finding: Finding,
): Promise<Map<string, Attempt<FoundPerson>>> {
	const { client, reader, matched } = operation;
	const { incomplete, users } = await reader.people.all();
	if (incomplete !== undefined) throw incompleteAccess('users', incomplete);
	const open = emails.filter((email) => !users.has(email));
	const names = open.map((userName) => ({ by: 'userName' as const, userName }));
	// Where the login decides, what a user shows as the user name may be that of another.
	const byLogin = client.profile.knowsPeopleByLogin
		? await resolveAsNamed(names, access, operation, finding)
		: undefined;
	const owners = names.map((name) => {
		const found = byLogin?.person(name);
		return found?.ok ? [found.value] : byLogin ? [] : usersOf(name.userName, users.values());
	});
	const ids = owners.flatMap(([one, ...others]) =>
		one === undefined || others.length > 0 ? [] : [{ by: 'id' as const, id: one.id }],
	);
	const people = await resolveAsNamed(ids, access, operation, finding);
	for (const { id } of ids) matched.users.add(id);
	return new Map(
		open.flatMap((email, index): Array<[string, Attempt<FoundPerson>]> => {
			const [one, ...others] = owners[index];
			if (one === undefined) return [];
			if (others.length > 0) return [[email, { ok: false, error: several(email, owners[index]) }]];
			return [[email, people.person({ by: 'id', id: one.id })]];
		}),
	);
}

/** Finds the users with an email, as user name or among the emails. */
function usersOf(email: string, users: Iterable<User>): User[] {
	const ways = [matchingBy('userName'), matchingBy('email')];
	return [...users].filter((user) =>
		ways.some(({ keysOf, fold }) => keysOf(user).some((key) => fold(key) === fold(email))),
	);
}

function several(email: string, owners: ReadonlyArray<{ id: string }>): InputError {
	return new InputError(
		`More than one user has the email ${email} (IDs ${owners.map(({ id }) => id).join(', ')})`,
		'Enter the ID of the right user.',
	);
}

/** The one resolver of people: members by what groups show, others by key, IDs by a read. */
async function resolveAsNamed(
	references: readonly Lookup[],
	access: Access,
	operation: OperationContext,
	finding: Finding,
): Promise<FoundPeople> {
	const { reader, protectsBy, client } = operation;
	const { readsUsers = false, creates, links = false, isPlanned = false } = finding;
	// Asked for several times for each of thousands of rows.
	const byName = memoized((userName) => ({ members: memberNamed(access, userName) }));
	const membersNamed = (one: Lookup) =>
		one.by === 'userName' ? byName(one.userName).members : undefined;
	// Where groups do not tell names, or people are protected by ID, it has to be known beforehand who exists.
	const asksLater = creates === 'asksLater' && client.profile.knowsPeopleByLogin && !protectsBy.ids;
	const names = references.flatMap((one) => {
		if (one.by !== 'userName' || membersNamed(one) !== undefined) return [];
		const mayBeNew =
			!access.idsByName.has(nameKey(one.userName)) && !isMistypedAddress(one.userName);
		return asksLater && mayBeNew ? [] : one.userName;
	});
	const keys = references.flatMap((one) => (one.by === 'id' || one.by === 'userName' ? [] : one));
	const matching = matchingBy(keys.at(0)?.by ?? 'userName');
	const matched = await reader.people.match(keys, matching);
	const known = links ? linked(matched, matching) : matched;
	const absence = creates === undefined || creates === 'proves' ? 'proven' : 'creatable';
	const knownByName = await reader.people.find(names, { absence });
	const isKnown = (id: string) => access.held.has(id) && !readsUsers;
	const ids = references.flatMap((one) =>
		one.by === 'id' ? one.id : readsUsers ? (membersNamed(one) ?? []) : [],
	);
	const read = await readIds(
		ids.filter((id) => !isKnown(id)),
		operation,
		finding,
	);
	const others = references.flatMap((one) =>
		one.by === 'id' ? one.id : (membersNamed(one) ?? []),
	);
	const named = new Set([...others, ...idsFound(known), ...idsFound(knownByName)]);
	const foundBy = (one: Lookup) => {
		const [by, all] = one.by === 'userName' ? [BY_NAME, knownByName] : [matching, known];
		const key = labelOf(one);
		const isOther = (user: User) => named.has(user.id) || (isPlanned && by.keyOf(user) !== '');
		return besideNobody(all.get(key), key, by, client.facts, isOther);
	};
	const byId = (id: string, known?: string): FoundPerson => {
		const asked = read.get(id);
		// A group may keep a member who is no user any more.
		const isGhost = access.held.has(id) && isNotFound(asked);
		const user = asked === undefined || isGhost ? undefined : userOf(asked, id);
		const userName = known ?? access.names.get(id) ?? user?.userName;
		const person = userName === undefined ? { key: id, id } : { key: id, id, userName };
		return user ? { ...person, user } : person;
	};
	const find = (one: Lookup): FoundPerson => {
		if (one.by === 'id') return byId(one.id);
		const label = labelOf(one);
		const members = membersNamed(one);
		if (members !== undefined) return byId(onlyOne(members, label), label);
		const user = foundUser(foundBy(one), label, matchingBy(one.by));
		return { key: user.id, id: user.id, userName: user.userName, user };
	};
	const tried = (one: Lookup): Attempt<FoundPerson> => {
		try {
			return { ok: true, value: find(one) };
		} catch (error) {
			return { ok: false, error };
		}
	};
	// One item may have the ID, another one the user name of the same person.
	const namedById = new Map<string, Attempt<FoundPerson>>();
	for (const one of references) {
		const found = one.by === 'id' ? tried(one) : undefined;
		const name = found?.ok ? found.value.userName : undefined;
		if (found !== undefined && name !== undefined) namedById.set(nameKey(name), found);
	}
	const isAbsent = (found: Found = { kind: 'absent' }) =>
		found.kind === 'absent' && !(found.isUnsure === true && creates === 'proves');
	const isNew = (one: Lookup) =>
		creates !== undefined &&
		one.by !== 'id' &&
		membersNamed(one) === undefined &&
		isAbsent(foundBy(one));
	const sameAs = (one: Lookup) =>
		one.by === 'userName' && isNew(one) ? namedById.get(nameKey(one.userName)) : undefined;
	return {
		person: (one) => sameAs(one) ?? tried(one),
		newName(one) {
			if (one.by === 'id' || !isNew(one) || sameAs(one) !== undefined) return undefined;
			return one.by === 'userName' ? one.userName : one.newName;
		},
	};
}

/** Links by user name: a user without external ID who has the user name is the one. */
export function linked(
	found: ReadonlyMap<string, Found>,
	{ by, keyOf }: Matching,
): Map<string, Found> {
	return new Map(
		[...found].map(([key, one]): [string, Found] => {
			const [user, ...others] = one.kind === 'taken' ? one.users : [];
			const canLink = by === 'externalId' && user !== undefined && others.length === 0;
			return [key, canLink && keyOf(user) === '' ? { kind: 'found', user } : one];
		}),
	);
}

/** Users by ID; where a user who is not found counts as gone, it is made sure that nothing else shows those without a GET. */
async function readIds(
	ids: readonly string[],
	{ reader, context }: OperationContext,
	{ isWhole = false, countsAsGone = false }: Finding,
): Promise<Map<string, Attempt<User>>> {
	const read = await reader.people.read(ids, { alone: isWhole });
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	const asGone = countsAsGone || treatsAsGone(options);
	const missing = asGone ? [...read.keys()].filter((id) => isNotFound(read.get(id))) : [];
	for (const [id, user] of await reader.people.findHidden(missing)) {
		if (!user.ok) read.set(id, user);
		else if (user.value !== undefined) read.set(id, { ok: false, error: hidden(user.value) });
	}
	return read;
}

function hidden({ id, userName }: User): InputError {
	return new InputError(
		`The service lists ${shown(userName)}, but shows no user with the ID ${id}`,
		'The token may lack rights to that user, or a server in front of the service may refuse the characters of the ID.',
	);
}

/** A key beside the one that decides, and what the latter led to. */
interface OtherKey {
	reference: Lookup;
	person: FoundPerson | undefined;
	also: FurtherKey;
}

/** People named by several keys, one of which belongs to another user. A key without a user says nothing. */
async function findClashes(
	references: readonly Lookup[],
	people: FoundPeople,
	access: Access,
	operation: OperationContext,
): Promise<Map<Lookup, InputError>> {
	const open = references.flatMap((reference): OtherKey[] => {
		const { also: others = [] } = reference;
		if (others.length === 0) return [];
		const isNew = people.newName(reference) !== undefined;
		const found = isNew ? undefined : people.person(reference);
		// A user who cannot be read is an error by itself.
		if (found?.ok === false && !(found.error instanceof AbsentError)) return [];
		const person = found?.ok ? found.value : undefined;
		return others.flatMap((also) =>
			shows(person, also) || isSameKey(reference, also) ? [] : { reference, person, also },
		);
	});
	if (open.length === 0) return new Map();
	const owner = await findOwners(open, access, operation);
	const listed = new Set(
		references.flatMap((reference) => {
			const found = people.person(reference);
			return found.ok ? found.value.id : [];
		}),
	);
	return new Map(
		open.flatMap(({ reference, person, also }) => {
			const { owners, alike } = owner(also);
			const others = also.isGiven ? owners.filter(({ id }) => !listed.has(id)) : owners;
			const [other] = owners.some(({ id }) => id === person?.id) ? [] : others;
			if (other !== undefined) return [[reference, twoPeople(reference, person, also, other)]];
			// Beside who may be the person nobody is made, and nobody counts as gone.
			const open = person === undefined ? alike.filter(({ id }) => !listed.has(id)) : [];
			return open.length === 0 ? [] : [[reference, mayBeTwo(reference, also, open)]];
		}),
	);
}

function shows(person: FoundPerson | undefined, { by, key }: FurtherKey): boolean {
	if (person === undefined) return false;
	if (by === 'id') return person.id === key;
	const { user, userName = '' } = person;
	const { fold, keysOf } = matchingBy(by);
	const own = keysOf(user ?? { userName, attributes: {} });
	return [...own, ...(by === 'email' ? [userName] : [])].some((name) => fold(name) === fold(key));
}

function isSameKey(reference: Lookup, { by, key }: FurtherKey): boolean {
	return by !== 'id' && reference.by !== 'id' && nameKey(labelOf(reference)) === nameKey(key);
}

/** Finds the users with a key, as far as groups, a filter or a list that is cheaper tell. */
async function findOwners(
	open: readonly OtherKey[],
	access: Access,
	{ reader: { people }, client: { profile, facts } }: OperationContext,
): Promise<(also: FurtherKey) => Owners> {
	const keysBy = (...by: Array<FurtherKey['by']>) =>
		open.flatMap(({ also }) => (by.includes(also.by) ? also.key : []));
	const isLogin = !profile.userNamesAreConverted;
	const inGroup = (name: string) => (isLogin && memberNamed(access, name)) || [];
	const names = isLogin
		? keysBy('userName', 'email').filter((name) => inGroup(name).length === 0)
		: [];
	const find = async (keys: readonly string[], by: MatchAttribute) =>
		await people.find(keys, { matching: matchingBy(by), absence: 'refusable' });
	const byName = await find(names, 'userName');
	// Where the user name is the email, it has told already.
	const emails = profile.knowsPeopleByLogin && isLogin ? [] : keysBy('email');
	const byEmail = await find(emails, 'email');
	const byExternalId = await find(keysBy('externalId'), 'externalId');
	const read = await people.read(keysBy('id'));
	return ({ by, key }) => {
		if (by === 'id') {
			const user = read.get(key);
			return { owners: user?.ok ? [user.value] : [], alike: [] };
		}
		const found = by === 'externalId' ? [byExternalId] : [byName, byEmail];
		const members = by === 'externalId' ? [] : inGroup(key);
		const owners = [
			...members.map((id) => ({ id, userName: access.names.get(id) })),
			...found.flatMap((some) => {
				const one = some.get(key);
				if (one?.kind === 'ambiguous') return one.ids.map((id) => ({ id }));
				return one?.kind === 'found' ? [one.user] : [];
			}),
		];
		const names = found.flatMap((some) => {
			const one = some.get(key);
			return (one?.kind === 'absent' && one.names) || [];
		});
		return { owners, alike: facts.sharing(names) };
	};
}

/** The users with a key, and those that have it among their emails alone. */
interface Owners {
	owners: ReadonlyArray<{ id: string; userName?: string }>;
	alike: readonly User[];
}

function twoPeople(
	reference: Lookup,
	person: FoundPerson | undefined,
	{ key }: FurtherKey,
	other: { id: string; userName?: string },
): InputError {
	const label = labelOf(reference);
	const first =
		person === undefined
			? `${shown(label)} is no user`
			: `${shown(label)} is ${namedUsers([person])}`;
	return new InputError(
		`${first}, and ${key} is ${namedUsers([other])}`,
		'Correct the row: all its keys must name one person. Nothing was sent for it.',
	);
}

function mayBeTwo(reference: Lookup, { key }: FurtherKey, users: readonly User[]): InputError {
	return new InputError(
		`${shown(labelOf(reference))} is no user, and ${namedUsers(users)} may be the one, who has the email ${shown(key)}`,
		'If it is the same person, enter the ID, or match by External ID. Otherwise correct the email, here or at the service. Nothing was sent for this row.',
	);
}

/** Tells whether Create Missing Users is on. */
export function createsMissing(context: IExecuteFunctions): boolean {
	return context.getNodeParameter('createMissing', 0, false) === true;
}

/** Adds to the error of a user who could be created that Create Missing Users is off. */
export function offerToCreate<P extends Pick<FoundPeople, 'person'>>(people: P): P {
	return {
		...people,
		person(reference) {
			const found = people.person(reference);
			if (found.ok || !(found.error instanceof UnknownKeyError)) return found;
			const error = new AbsentError(
				`${found.error.message}, and Create Missing Users is off`,
				found.error.description.replace('Check the spelling', 'Check the spelling, or turn it on'),
			);
			return { ok: false, error };
		},
	};
}

/** Adds the user names of users who were read to what groups tell. */
export function withNames(
	access: Access,
	users: ReadonlyMap<string, Attempt<User | undefined>>,
): Access {
	if (users.size === 0) return access;
	const names = new Map(access.names);
	for (const [id, user] of users) if (user.ok && user.value) names.set(id, user.value.userName);
	return { ...access, names, idsByName: idsByName(names) };
}

/**
 * Lists the IDs of the members of a name: the exact match alone, else all that differ in case or composition only. Undefined
 * where there is none, or where one has accents of another spelling: another user, who is no member, may have the very name.
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
		`More than one user has the user name ${shown(userName)} (IDs ${ids.join(', ')})`,
		'Enter the ID of the right user.',
	);
}

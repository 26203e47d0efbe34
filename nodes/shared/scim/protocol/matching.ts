import { addTo, isObject, nameKey, isEmailAddress, shown } from '../../util';
import { putAttribute } from './paths';
import { attribute, readBoolean, readText, type Attributes, type User } from './resource';

/** The attribute by which a source and the service know the same person. */
export type MatchAttribute = 'userName' | 'email' | 'externalId';

type Keyed = Pick<User, 'userName' | 'attributes'>;

/** How people are matched by one attribute. */
export interface Matching {
	by: MatchAttribute;
	/** What the attribute is called in messages. */
	label: string;
	/** How a filter names it (RFC 7644 section 3.4.2.2). */
	path: string;
	/** What an account, or one to be created, has there; empty where it has none, or none that is the one. */
	keyOf(user: Keyed): string;
	/** All that a filter finds an account by. */
	keysOf(user: Keyed): readonly string[];
	/** Equal for two spellings of the same key. */
	fold(key: string): string;
}

const BY: Readonly<Record<MatchAttribute, Matching>> = {
	userName: {
		by: 'userName',
		label: 'user name',
		path: 'userName',
		keyOf: ({ userName }) => userName,
		keysOf: ({ userName }) => [userName],
		fold: nameKey,
	},
	email: {
		by: 'email',
		label: 'email',
		path: 'emails.value',
		keyOf: ({ attributes }) => mainEmail(attributes),
		keysOf: ({ attributes }) => emailsOf(attributes).map(addressIn),
		fold: nameKey,
	},
	// Its case counts (RFC 7643 section 3.1).
	externalId: {
		by: 'externalId',
		label: 'external ID',
		path: 'externalId',
		keyOf: ({ attributes }) => externalIdOf(attributes),
		keysOf: ({ attributes }) => [externalIdOf(attributes)],
		fold: (key) => key,
	},
};

export function matchingBy(by: MatchAttribute): Matching {
	return BY[by];
}

/** The primary email, else the only one; empty where several are primary, or several are there and none is. */
export function mainEmail(attributes: Attributes): string {
	return addressIn(mainEntry(emailsOf(attributes)));
}

function mainEntry(entries: readonly unknown[]): unknown {
	const primary = entries.filter(isPrimary);
	const candidates = primary.length > 0 ? primary : entries;
	return candidates.length === 1 ? candidates[0] : undefined;
}

function isPrimary(entry: unknown): boolean {
	return readBoolean(attribute(entry, 'primary')) === true;
}

/**
 * The emails of an account with another main one, or without it; the others stay.
 * @returns undefined where the main email is that already
 */
export function withMainEmail(
	attributes: Attributes,
	address: string | null,
): unknown[] | undefined {
	const entries = emailsOf(attributes);
	const main = mainEntry(entries);
	const wanted = nameKey(address ?? '');
	if (nameKey(addressIn(main)) === wanted) return undefined;
	const others = entries
		.filter((entry) => entry !== main && nameKey(addressIn(entry)) !== wanted)
		.map((entry) => (isPrimary(entry) && isObject(entry) ? { ...entry, primary: false } : entry));
	if (address === null) return others;
	const type = attribute(main, 'type');
	return [{ value: address, ...(type !== undefined && { type }), primary: true }, ...others];
}

/** Lists of a user whose entries are objects (RFC 7643 section 4.1.2), those apart that are access. */
const LISTS = ['emails', 'phoneNumbers', 'ims', 'photos', 'addresses', 'x509Certificates'];

/**
 * Makes lists of those attributes that are given as one object, such as a column `phoneNumbers.value`: it is the main entry, or
 * parts of it, and the others stay.
 * @param shown of the account, where there is one
 */
export function withWholeLists(attributes: Attributes, shown: Attributes = {}): Attributes {
	return Object.fromEntries(
		Object.entries(attributes).map(([name, value]) => {
			const isOne = isObject(value) && LISTS.includes(name);
			return [name, isOne ? withMainEntry(attribute(shown, name), value) : value];
		}),
	);
}

function withMainEntry(shown: unknown, parts: Attributes): unknown[] {
	const entries = [shown].flat().filter(isObject);
	const main = mainEntry(entries);
	const own = isObject(main) ? { ...main } : {};
	const isNew = attribute(own, 'value') !== parts.value;
	const others = entries.filter(
		(entry) => entry !== main && (!isNew || attribute(entry, 'value') !== parts.value),
	);
	if (parts.value === null) return others;
	if ('value' in parts && isNew) delete own.display;
	const isUnsaid = main === undefined && others.length > 0;
	const whole = Object.entries(parts).reduce<Attributes>(
		(entry, [name, value]) => putAttribute(entry, [name], value),
		{ ...own, ...(isUnsaid && { primary: true }) },
	);
	const said = Object.entries(whole).filter(([, value]) => value !== null);
	return [
		Object.fromEntries(said),
		...others.map((entry) => (isPrimary(entry) ? { ...entry, primary: false } : entry)),
	];
}

/**
 * Attributes whose emails say what some services find them by: the type. An email that is shown keeps its own, another main
 * one takes that of the main one shown; where no email is shown, the main one is `work`.
 * @param shown of the account, where there is one
 */
export function withEmailTypes(attributes: Attributes, shown: Attributes = {}): Attributes {
	const { emails } = attributes;
	if (!Array.isArray(emails)) return attributes;
	const before = emailsOf(shown);
	const main: unknown = mainEntry(emails);
	const mainType = before.length === 0 ? 'work' : attribute(mainEntry(before), 'type');
	const sameAs = (entry: unknown) =>
		before.find((one) => nameKey(addressIn(one)) === nameKey(addressIn(entry)));
	const keptType = (entry: unknown) => attribute(sameAs(entry), 'type');
	const types = emails.map((entry: unknown) => attribute(entry, 'type') ?? keptType(entry));
	const typed = emails.map((entry: unknown) => {
		if (!isObject(entry) || attribute(entry, 'type') !== undefined) return entry;
		const isNewMain = entry === main && sameAs(entry) === undefined && !types.includes(mainType);
		const type = isNewMain ? mainType : keptType(entry);
		return type === undefined ? entry : { ...entry, type };
	});
	return { ...attributes, emails: typed };
}

function externalIdOf(attributes: Attributes): string {
	return textOf(attribute(attributes, 'externalId'));
}

/** One object instead of a list was seen, and bare texts (test/servers/results.md). Entries that say nothing are none. */
function emailsOf(attributes: Attributes): unknown[] {
	const emails = attribute(attributes, 'emails');
	const entries: unknown[] = Array.isArray(emails) ? emails : [emails];
	return entries.filter((entry) => addressIn(entry) !== '');
}

function addressIn(entry: unknown): string {
	return textOf(isObject(entry) ? attribute(entry, 'value') : entry);
}

function textOf(value: unknown): string {
	return readText(value)?.trim() ?? '';
}

/** Who has which key. */
export interface UserIndex {
	/** All accounts with the key, in any spelling that counts as the same. */
	withKey(key: string): readonly User[];
	withId(id: string): User | undefined;
	/** All accounts with the user name, ignoring case. */
	named(userName: string): readonly User[];
	/** Accounts that no key can name: theirs is empty, or others have it too. */
	unmatched(): Unmatched[];
}

export interface Unmatched {
	user: User;
	/** What people call the user. */
	who: string;
	reason: string;
}

/** Linear in users. */
export function indexUsers(users: readonly User[], { keyOf, fold, label }: Matching): UserIndex {
	const byKey = grouped(users, (user) => fold(keyOf(user)));
	let byId: ReadonlyMap<string, User> | undefined;
	let byName: ReadonlyMap<string, User[]> | undefined;
	const whyUnmatched = (key: string, { id }: User, same: readonly User[]) => {
		if (key === '') return `the user has no ${label} to be matched by`;
		const others = same.flatMap((other) => (other.id === id ? [] : other.id));
		return `the user has the same ${label} as another one (ID ${others.join(', ')})`;
	};
	return {
		withKey: (key) => (key === '' ? [] : (byKey.get(fold(key)) ?? [])),
		withId(id) {
			byId ??= new Map(users.map((user) => [user.id, user]));
			return byId.get(id);
		},
		named(userName) {
			byName ??= grouped(users, (user) => nameKey(user.userName));
			return byName.get(nameKey(userName)) ?? [];
		},
		unmatched: () =>
			[...byKey].flatMap(([key, same]) =>
				key !== '' && same.length === 1
					? []
					: same.map((user) => ({
							...{ user, who: user.userName || user.id },
							reason: whyUnmatched(key, user, same),
						})),
			),
	};
}

/** The user name and every email of an account, as `nameKey` folds them, each once. */
export function namesOf(user: Keyed): string[] {
	const names = [user.userName, ...BY.email.keysOf(user)].map(nameKey);
	return [...new Set(names)].filter((name) => name !== '');
}

function grouped(users: readonly User[], keyOf: (user: User) => string): Map<string, User[]> {
	const groups = new Map<string, User[]>();
	for (const user of users) addTo(groups, keyOf(user), user);
	return groups;
}

/**
 * Returns what people call a user, as in `Ana Silva (ana@example.com)`: the name that the service shows with the address, or
 * the one that there is.
 */
export function calledUser(user: Pick<User, 'userName' | 'attributes'>): string | undefined {
	const { userName } = user;
	const isAddress = isEmailAddress(userName);
	const address = shown(isAddress ? userName : matchingBy('email').keyOf(user) || userName);
	const name = nameShown(user);
	if (name === undefined || nameKey(name) === nameKey(address)) return address || undefined;
	return address === '' ? name : `${name} (${address})`;
}

/** Returns the name of a user that the service shows. */
function nameShown({ attributes }: Pick<User, 'attributes'>): string | undefined {
	const name = attribute(attributes, 'name');
	const parts = ['givenName', 'familyName'].map((part) => readText(attribute(name, part)));
	const names = [
		readText(attribute(attributes, 'displayName')),
		readText(attribute(name, 'formatted')),
		parts.filter(Boolean).join(' '),
	].map((text = '') => shown(text.trim()));
	return names.find((text) => text !== '');
}

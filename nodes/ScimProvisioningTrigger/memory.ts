import { createHash, createHmac, randomBytes } from 'node:crypto';

import {
	ACCOUNT,
	type Coverage,
	type Fact,
	type FactsOfUser,
	holdingsIn,
	isHolding,
	type Look,
	seenGroup,
	seenValue,
	WATCHED,
	type Marking,
} from '../shared/access/facts';
import { type GroupMeaning, isAttributeName, SCHEMA, type User, valueAt } from '../shared/scim';
import { attemptSync, isObject, parseJson, DEEPEST, InputError, isDeepEqual } from '../shared/util';

/** Another format starts over. */
const FORMAT = 5;

/** Whether a user has an account, as kept: the value of `active`, or that the service does not say. */
const NO_ACCOUNT = 0;

/** What is kept of a user: name, account, numbers of groups and values, mark. */
type Kept = [string | null, boolean | null | typeof NO_ACCOUNT, number[], string?];

interface Memory {
	format: typeof FORMAT;
	source: string;
	covers: Coverage;
	people: Record<string, Kept>;
	/** ID and name; or a value, nothing, and its attribute. */
	groups: Array<[string, string, string?]>;
}

/** What was edited or cut is told from what was written: taken for a look, it would end each check, or make up events. */
function checksumOf(memory: object): string {
	return createHash('sha256').update(JSON.stringify(memory)).digest('base64url').slice(0, 16);
}

/** Writes a look as a text to be kept until the next one. @param source which service it is of */
export function writeMemory({ facts, covers, groups, names }: Look, source: string): string {
	// Groups by number: their ids are long, and many people are in one. An empty group has no member to lose.
	const numbers = new Map<string, number>();
	const numberOf = (key: string) => {
		const number = numbers.get(key) ?? numbers.size;
		numbers.set(key, number);
		return number;
	};
	const people = [...facts].map(([id, own]): [string, Kept] => {
		const account = own.get(ACCOUNT);
		const watched = own.get(WATCHED);
		const held = [...own.values()].flatMap((fact) => (isHolding(fact) ? fact.keys : []));
		const active = account?.of === 'account' ? (account.active ?? null) : NO_ACCOUNT;
		const kept: Kept = [names.get(id) ?? null, active, held.map(numberOf)];
		if (watched?.of === 'watched') kept.push(watched.mark);
		return [id, kept];
	});
	const memory: Memory = {
		format: FORMAT,
		...{ source, covers },
		people: Object.fromEntries(people),
		groups: [...numbers.keys()].map((key) => {
			const { id, displayName, attribute } = groups.get(key) ?? { id: key, displayName: key };
			return attribute === undefined ? [id, displayName] : [id, '', attribute];
		}),
	};
	return JSON.stringify({ ...memory, checksum: checksumOf(memory) });
}

/**
 * Reads the look that was kept; undefined for no text, and for one of another service or format, or that is damaged.
 * @param isOurs whether it is of the service
 */
export function readMemory(
	text: unknown,
	isOurs: (source: string) => boolean,
	ids: GroupMeaning,
): Look | undefined {
	const kept = typeof text === 'string' ? parseJson(text) : undefined;
	if (!isObject(kept)) return undefined;
	const { checksum, ...memory } = kept;
	if (checksum !== attemptSync(() => checksumOf(memory))) return undefined;
	const { format, source, people, covers, groups: named } = memory as unknown as Memory;
	if (format !== FORMAT || !isOurs(source)) return undefined;
	const seen = named.map(([id, displayName, attribute]) =>
		attribute === undefined
			? { key: ids.key(id), ...seenGroup(id, displayName, ids) }
			: seenValue({ attribute, value: id }),
	);
	const groups = new Map(seen.map(({ key, ...group }) => [key, group]));
	const holdings = holdingsIn(groups);
	const names = new Map<string, string>();
	const facts = new Map<string, FactsOfUser>();
	for (const [id, [name, active, numbers, mark]] of Object.entries(people)) {
		if (name !== null) names.set(id, name);
		const own = new Map<string, Fact>();
		if (active !== NO_ACCOUNT) own.set(ACCOUNT, { of: 'account', active: active ?? undefined });
		if (mark !== undefined) own.set(WATCHED, { of: 'watched', mark });
		const keys = numbers.map((number) => seen[number].key);
		for (const [place, holding] of holdings(keys)) own.set(place, holding);
		facts.set(id, own);
	}
	// Whether one role is the rule is a matter of looks alone.
	return { facts, groups, names, covers, oneRole: false };
}

const KEY_BYTES = 16;
const DIGEST_BYTES = 6;
const DIGEST_LENGTH = 8;

const CORE_PREFIX = `${SCHEMA.user.toLowerCase()}:`;

/** What has events of its own, changes with every write, never changes, or is secret. */
const UNWATCHED = new Set(['active', 'groups', 'id', 'meta', 'password', 'schemas']);

/**
 * Spells an attribute as `Marking` has it: in lower case, that of the core schema without its URN.
 * @throws InputError for what is no name, and for an attribute that cannot be watched
 */
export function watchedKey(name: string, field: string): string {
	const lower = name.toLowerCase();
	const key = lower.startsWith(CORE_PREFIX) ? lower.slice(CORE_PREFIX.length) : lower;
	if (!isAttributeName(key)) {
		throw new InputError(
			`${field} has "${name}", which is not an attribute name`,
			'Use names such as title, name.familyName, or the URN of an extension, with or without an attribute of it.',
		);
	}
	if (UNWATCHED.has(key.split('.', 1)[0])) {
		throw new InputError(
			`${field} has "${name}", which cannot be watched`,
			'Access and active have events of their own; id, meta, schemas and password are never watched. Remove it from the list.',
		);
	}
	return key;
}

/**
 * Decides how to keep these attributes: as before where they are the same, so that the two can be compared.
 * @param keys of `watchedKey`, each once
 */
export function markingFor(keys: readonly string[], before?: Marking): Marking {
	const attributes = [...keys].sort();
	if (before !== undefined && isDeepEqual(before.attributes, attributes)) return before;
	return { attributes, key: randomBytes(KEY_BYTES).toString('base64url') };
}

/**
 * Makes the mark that is kept of a user: a digest of each attribute. Digests are keyed, so that no table of digests tells
 * the values.
 */
export function markOf({ attributes: shown }: Pick<User, 'attributes'>, marking: Marking): string {
	const digests = marking.attributes.map((name) => {
		const value = JSON.stringify(canonical(valueAt(shown, name))) ?? '';
		// With the name: who has the same value in two attributes must not show.
		const digest = createHmac('sha256', marking.key).update(`${name}\n${value}`).digest();
		return digest.subarray(0, DIGEST_BYTES).toString('base64url');
	});
	return digests.join('');
}

/** Lists the attributes in which two marks differ. */
export function changedAttributes(
	before: string,
	after: string,
	{ attributes }: Marking,
): string[] {
	const digestIn = (mark: string, index: number) =>
		mark.slice(index * DIGEST_LENGTH, (index + 1) * DIGEST_LENGTH);
	return attributes.filter((_, index) => digestIn(before, index) !== digestIn(after, index));
}

/**
 * A value without what is no difference, in one order: that of entries and names, case of names, and nothing said as
 * null, an empty text, list or object (RFC 7643 sections 2.1, 2.4 and 2.5). What lies deeper than any attribute does
 * counts as it is written.
 */
function canonical(value: unknown, depth = 0): unknown {
	if (value === null || value === '') return undefined;
	if (depth > DEEPEST && typeof value === 'object') {
		return attemptSync(() => JSON.stringify(value)) ?? 'too deep to be compared';
	}
	if (Array.isArray(value)) {
		const all = value.map((entry) => canonical(entry, depth + 1));
		const entries = all.filter((entry) => entry !== undefined);
		return entries.length === 0 ? undefined : sortedBy(entries, (entry) => JSON.stringify(entry));
	}
	if (!isObject(value)) return value;
	const entries = Object.entries(value).flatMap(([name, inner]): Array<[string, unknown]> => {
		const said = canonical(inner, depth + 1);
		return said === undefined ? [] : [[name.toLowerCase(), said]];
	});
	return entries.length === 0 ? undefined : Object.fromEntries(sortedBy(entries, ([name]) => name));
}

function sortedBy<T>(entries: T[], keyOf: (entry: T) => string): T[] {
	return entries.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

import { createHmac, randomBytes } from 'node:crypto';

import type { Marking } from '../shared/access/facts';
import { attemptSync, DEEPEST, InputError, isDeepEqual, isObject } from '../shared/util';
import { isAttributeName, SCHEMA, type User, valueAt } from '../shared/scim';

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

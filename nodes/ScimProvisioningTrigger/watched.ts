import { createHmac, randomBytes } from 'node:crypto';

import type { Marking } from '../shared/access';
import { attemptSync, DEEPEST, InputError, isDeepEqual, isObject } from '../shared/util';
import { isAttributeName, SCHEMA, type User, valueAt } from '../shared/scim';

const KEY_BYTES = 16;
const DIGEST_BYTES = 8;

const CORE_PREFIX = `${SCHEMA.user.toLowerCase()}:`;

/** What has events of its own, changes with every write, never changes, or is secret. */
const UNWATCHED = new Set(['active', 'groups', 'id', 'meta', 'password', 'schemas']);

/**
 * An attribute as `Marking` has it: in lower case, that of the core schema without its URN.
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
 * How to keep these attributes: as before where they are the same, so that the two can be compared.
 * @param keys of `watchedKey`, each once
 */
export function markingFor(
	keys: readonly string[],
	keepsValues: boolean,
	before?: Marking,
): Marking {
	const attributes = [...keys].sort();
	const isSame =
		isDeepEqual(before?.attributes, attributes) && (before?.key === undefined) === keepsValues;
	if (before !== undefined && isSame) return before;
	return {
		attributes,
		...(!keepsValues && { key: randomBytes(KEY_BYTES).toString('base64url') }),
	};
}

/** What is kept of a user. The digest is keyed, so that no table of digests tells the values. */
export function markOf(user: User, { attributes, key }: Marking): unknown {
	const values = Object.fromEntries(
		attributes.flatMap((name) => {
			const value = canonical(valueAt(user.attributes, name));
			return value === undefined ? [] : [[name, value]];
		}),
	);
	if (key === undefined) return values;
	const digest = createHmac('sha256', key).update(JSON.stringify(values)).digest();
	return digest.subarray(0, DIGEST_BYTES).toString('base64url');
}

/** The attributes of `Marking` in which two marks differ; undefined where values are not kept. */
export function changedAttributes(before: unknown, after: unknown): string[] | undefined {
	if (!isObject(before) || !isObject(after)) return undefined;
	const names = new Set([...Object.keys(before), ...Object.keys(after)]);
	return [...names].filter((name) => !isDeepEqual(before[name], after[name]));
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

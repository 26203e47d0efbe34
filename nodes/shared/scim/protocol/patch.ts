import { isObject } from '../../util';
import { equals } from './paths';
import { attribute, attributesAlone, SCHEMA, type Attributes } from './resource';
import type { Traits } from './traits';

/** RFC 7644 section 3.5.2. */
export interface PatchBody {
	schemas: string[];
	Operations: PatchOperation[];
}

export interface PatchOperation {
	op: 'add' | 'remove' | 'replace';
	/** Missing: the value names the attributes. */
	path?: string;
	value?: unknown;
}

/** Always an array of operations: servers were seen to ignore every other form. */
export function patchBody(operations: PatchOperation[]): PatchBody {
	return { schemas: [SCHEMA.patch], Operations: operations };
}

/**
 * One `replace` per attribute, or `remove` for null; the parts of a complex attribute such as `name` one by one, so the
 * others stay.
 */
export function replaceAttributes(attributes: Attributes): PatchOperation[] {
	return Object.entries(attributes).flatMap(([name, value]) =>
		isObject(value) ? replaceParts(name, value) : [replaced(name, value)],
	);
}

function replaceParts(name: string, parts: Attributes): PatchOperation[] {
	// Attributes of a schema extension are joined to its URN by a colon (RFC 7644 section 3.10).
	const joint = /^urn:/i.test(name) ? ':' : '.';
	return Object.entries(parts).map(([part, value]) => replaced(`${name}${joint}${part}`, value));
}

/** The same, with complex attributes as a whole: as they were read, with what changes in them. */
export function replaceWhole(attributes: Attributes, current: Attributes): PatchOperation[] {
	return Object.entries(attributes).flatMap(([name, value]) => {
		if (!isObject(value) || /^urn:/i.test(name)) return replaceAttributes({ [name]: value });
		const before = attribute(current, name);
		const all = Object.entries({ ...(isObject(before) && before), ...value });
		return [replaced(name, Object.fromEntries(all.filter(([, part]) => part !== null)))];
	});
}

/**
 * The same, with the values that are no part of something in one operation without a path.
 * @param withText whether text goes there, too
 */
export function withoutPaths(
	operations: readonly PatchOperation[],
	withText = false,
): PatchOperation[] {
	const isMeant = ({ op, path = '', value }: PatchOperation) =>
		op === 'replace' &&
		(withText || typeof value !== 'string') &&
		!/[.:[]/.test(path) &&
		!isObject(value);
	const meant = operations.filter(isMeant);
	const others = operations.filter((operation) => !isMeant(operation));
	if (meant.length === 0) return others;
	const value = Object.fromEntries(meant.map(({ path = '', value: to }) => [path, to]));
	return [...others, { op: 'replace', value }];
}

function replaced(path: string, value: unknown): PatchOperation {
	return value === null ? { op: 'remove', path } : { op: 'replace', path, value };
}

/** A member as it is sent. Some services refuse one without its `display`, which others ignore (RFC 7643 section 4.2). */
export interface MemberEntry {
	value: string;
	display?: string;
}

/** A member by its ID, with the user name where that is known. */
export function memberEntry(value: string, userName = ''): MemberEntry {
	return { value, ...(userName !== '' && { display: userName }) };
}

/**
 * Removes members in the form that the service takes: the list form empties the whole group on some servers, the
 * filter form is not known to others.
 */
export function removeMembers(
	ids: readonly string[],
	form: Traits['memberRemoval'],
): PatchOperation[] {
	if (form === 'filterPath') {
		return ids.map((id) => ({ op: 'remove', path: `members[${equals('value', id)}]` }));
	}
	return ids.length === 0
		? []
		: [{ op: 'remove', path: 'members', value: ids.map((value) => ({ value })) }];
}

/** One request that adds and removes members; adds first, so that no user is without a group in between. */
export function changeMembers(
	add: readonly MemberEntry[],
	remove: readonly string[],
	form: Traits['memberRemoval'],
): PatchBody {
	return patchBody([
		...(add.length > 0 ? [{ op: 'add' as const, path: 'members', value: add }] : []),
		...removeMembers(remove, form),
	]);
}

/** What a PUT of a group keeps beside its people. */
export interface KeptOfGroup {
	attributes: Attributes;
	/** Ids of the groups in it. */
	nested: readonly string[];
	/** Members that are neither people nor groups, as they came. */
	others?: readonly unknown[];
	/** What the group shows as `display` of its members, by their IDs. */
	displays: ReadonlyMap<string, string>;
	/** Its ETag, as far as the service has them. */
	version?: string;
}

/** The body of a PUT that makes the people in a group exactly these. */
export function wholeGroup(
	{ attributes, nested, others = [] }: Pick<KeptOfGroup, 'attributes' | 'nested' | 'others'>,
	members: readonly MemberEntry[],
): Attributes {
	const own = attributesAlone(attributes);
	const extensions = Object.keys(own).filter((name) => /^urn:/i.test(name));
	return {
		schemas: [SCHEMA.group, ...extensions],
		...own,
		members: [...members, ...nested.map((value) => ({ value, type: 'Group' })), ...others],
	};
}

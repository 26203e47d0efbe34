import { equals } from './filter';
import { SCHEMA, type Attributes } from './resource';
import type { Traits } from './traits';

/** RFC 7644 section 3.5.2. */
export interface PatchBody {
	schemas: string[];
	Operations: PatchOperation[];
}

export interface PatchOperation {
	op: 'add' | 'remove' | 'replace';
	path: string;
	value?: unknown;
}

/** Always an array of operations with plain paths: servers were seen to ignore every other form. */
export function patchBody(operations: PatchOperation[]): PatchBody {
	return { schemas: [SCHEMA.patch], Operations: operations };
}

/** One `replace` per attribute, or `remove` for null; the parts of a complex attribute such as `name` one by one, so the others stay. */
export function replaceAttributes(attributes: Attributes): PatchOperation[] {
	return Object.entries(attributes).flatMap(([name, value]) => {
		if (typeof value !== 'object' || value === null || Array.isArray(value)) {
			return [replaced(name, value)];
		}
		// Attributes of a schema extension are joined to its URN by a colon (RFC 7644 section 3.10).
		const joint = name.toLowerCase().startsWith('urn:') ? ':' : '.';
		return Object.entries(value).map(([part, partValue]: [string, unknown]) =>
			replaced(`${name}${joint}${part}`, partValue),
		);
	});
}

function replaced(path: string, value: unknown): PatchOperation {
	return value === null ? { op: 'remove', path } : { op: 'replace', path, value };
}

function addMembers(ids: readonly string[]): PatchOperation {
	return { op: 'add', path: 'members', value: ids.map((value) => ({ value })) };
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

/** One request that adds and removes members; adds first, so that nobody is without a group in between. */
export function changeMembers(
	add: readonly string[],
	remove: readonly string[],
	form: Traits['memberRemoval'],
): PatchBody {
	return patchBody([...(add.length > 0 ? [addMembers(add)] : []), ...removeMembers(remove, form)]);
}

/** What a PUT of a group keeps beside its people. */
export interface KeptOfGroup {
	attributes: Attributes;
	/** Ids of the groups in it. */
	nested: readonly string[];
	/** Its ETag, as far as the service has them. */
	version?: string;
}

/** The body of a PUT that makes the people in a group exactly these. */
export function wholeGroup(
	{ attributes, nested }: KeptOfGroup,
	members: readonly string[],
): Attributes {
	const extensions = Object.keys(attributes).filter((name) => /^urn:/i.test(name));
	return {
		schemas: [SCHEMA.group, ...extensions],
		...attributes,
		members: [
			...members.map((value) => ({ value })),
			...nested.map((value) => ({ value, type: 'Group' })),
		],
	};
}

import type { INodeProperties, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { checkDepth, InputError, isObject, isSecret, shown } from '../../shared/util';
import { parameterJson } from '../../shared/run';
import { type Attributes, MASK, SCHEMA, withCanonicalNames } from '../../shared/scim';

/** Attributes below their own URN would get past what is left out by name. */
const CORE_SCHEMAS = [SCHEMA.user, SCHEMA.group];

/** Only the service sets these (RFC 7643 section 3.1). */
const NEVER_SENT = inLowerCase(['schemas', 'id', 'meta', ...CORE_SCHEMAS]);

/** They have no parts, and a path into one would get past the guards that look at them. */
const WITHOUT_PARTS = inLowerCase(['active', 'userName', 'password']);

/** In an extension or a complex attribute, too. */
const PASSWORD = /(?:^|[:.])\s*password(?![\w$-])/;

export interface CollectedAttributes {
	attributes: Attributes;
	warnings: string[];
}

/** Reads the text of an attribute. @throws InputError for a list or an object, which is no longer itself as text */
export function attributeText(name: string, value: unknown): string {
	if (typeof value !== 'object') return String(value);
	const hint = 'Enter a text, or null to leave the attribute as it is.';
	throw wrongValue(name, value, 'text', hint);
}

/** Makes the error of an attribute whose value has the wrong type. @param wanted such as "a list" */
export function wrongValue(name: string, value: unknown, wanted: string, hint: string): InputError {
	const given = typeof value === 'object' ? JSON.stringify(checkDepth(value, name)) : String(value);
	const seen = isSecret(name, value) ? MASK : given;
	return new InputError(`${name} is "${shown(seen)}", not ${wanted}`, hint);
}

/** Makes the field for attributes that have no field of their own. */
export function jsonField(example: string): INodeProperties {
	return {
		displayName: 'Other Attributes (JSON)',
		name: 'attributesJson',
		type: 'json',
		default: '{}',
		description: 'Other SCIM attributes. What has a field of its own wins.',
		hint: `A JSON object, e.g. ${example}`,
	};
}

/**
 * Reads attributes from JSON.
 * @param ignored attributes that are never sent from JSON, because sending them would act on access
 * @throws InputError for JSON that does not parse or is no object
 */
export function readJsonAttributes(
	value: unknown,
	ignored: readonly string[],
): CollectedAttributes {
	if (value === undefined || value === null || value === '')
		return { attributes: {}, warnings: [] };
	const parsed = parameterJson(value, 'Other Attributes');
	if (parsed === undefined) {
		throw new InputError(
			'Other Attributes is not valid JSON',
			'Check quotes, commas and brackets; an object such as {"title": "Engineer"} is expected.',
		);
	}
	if (!isObject(parsed)) {
		throw new InputError(
			'Other Attributes is not a JSON object',
			'Provide an object such as {"title": "Engineer"}.',
		);
	}
	return sendable(parsed, ignored, 'Other Attributes');
}

/**
 * Returns attributes without those that are never sent, under their usual names. A path into an attribute counts as that
 * one.
 * @param field where they were given, as the warning calls it
 */
export function sendable(
	given: Attributes,
	ignored: readonly string[],
	field: string,
): CollectedAttributes {
	const own = inLowerCase(ignored);
	const isNever = (name: string) => NEVER_SENT.includes(name) || own.includes(name);
	const isLeftOut = (name: string) => {
		const core = coreName(name).toLowerCase();
		const owner = ownerOf(core);
		const isSecret = own.includes('password') && PASSWORD.test(core);
		const isPart = owner !== core && WITHOUT_PARTS.includes(owner);
		return isSecret || isNever(core) || isNever(owner) || isPart;
	};
	const left: string[] = [];
	const sent: Array<[string, unknown]> = [];
	for (const [name, entry] of Object.entries(given)) {
		if (isLeftOut(name)) left.push(name);
		else sent.push([coreName(name), entry]);
	}
	return {
		attributes: withCanonicalNames(Object.fromEntries(sent)),
		warnings: left.length > 0 ? [`Left out of ${field}: ${left.join(', ')}.`] : [],
	};
}

function inLowerCase(names: readonly string[]): string[] {
	return names.map((name) => name.toLowerCase());
}

/** An attribute named with the URN of its schema is the same one without (RFC 7644 section 3.10), and so guarded. */
function coreName(name: string): string {
	const trimmed = name.trim();
	const lower = trimmed.toLowerCase();
	const urn = CORE_SCHEMAS.find((schema) =>
		/^\s*[:.]/.test(lower.startsWith(schema.toLowerCase()) ? lower.slice(schema.length) : ''),
	);
	if (urn === undefined) return trimmed.replace(/^[\s:.]+/, '');
	return coreName(trimmed.slice(urn.length + 1));
}

/** The attribute that a path such as `name.givenName` or `emails[type eq "work"]` leads into. */
function ownerOf(name: string): string {
	return name.startsWith('urn:') ? name : name.split(/[.[]/, 1)[0].trim();
}

/** What an empty value of an attribute does to a user who is there. */
export type EmptyCells = 'leave' | 'clear';

export const emptyCellsOption: INodeProperties = {
	displayName: 'Empty Cells',
	name: 'emptyCells',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Clear', value: 'clear', description: 'The attribute is removed from the user' },
		{ name: 'Leave', value: 'leave', description: 'The attribute stays as it is' },
	],
	default: 'leave',
	description: 'What an attribute without a value does: null, an empty text, or blanks',
};

/** Reads what empty cells do, from the first item. */
export function readEmptyCells(context: IExecuteFunctions): EmptyCells {
	const { emptyCells } = context.getNodeParameter('options', 0, {}) as IDataObject;
	return emptyCells === 'clear' ? 'clear' : 'leave';
}

/** Tells whether a cell is empty, however its source writes that: Data Tables as null, sheets as an empty text. */
export function isEmptyCell(value: unknown): boolean {
	return value === null || (typeof value === 'string' && value.trim() === '');
}

/** Gives empty cells their meaning: nothing, or null, which clears. A list is a value, also without entries. */
export function withEmptyCells(attributes: Attributes, emptyCells: EmptyCells): Attributes {
	return Object.fromEntries(
		Object.entries(attributes).flatMap(([name, value]) => {
			if (isEmptyCell(value)) return emptyCells === 'clear' ? [[name, null]] : [];
			if (!isObject(value)) return value === undefined ? [] : [[name, value]];
			const parts = withEmptyCells(value, emptyCells);
			return Object.keys(parts).length === 0 ? [] : [[name, parts]];
		}),
	);
}

/** Leaves out what is never cleared: an empty user name or `active` is not given. */
export function withoutClearedAccount(attributes: Attributes): Attributes {
	const isKept = ([name, value]: [string, unknown]) =>
		value !== null || (name !== 'active' && name !== 'userName');
	return Object.fromEntries(Object.entries(attributes).filter(isKept));
}

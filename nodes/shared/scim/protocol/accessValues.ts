import { DEEPEST, isObject, nameKey, shown } from '../../util';
import { equals } from './paths';
import type { PatchOperation } from './patch';
import { attribute, readText, type Attributes, type User, valueAt } from './resource';
import type { Traits } from './traits';

/** A role, an entitlement, or another value on a user that gives access. */
export interface AccessValue {
	/** As the trait `accessAttributes` names it. */
	attribute: string;
	value: string;
	display?: string;
}

/** Values to give and to take, by their attribute. */
export interface ValueChanges {
	add: readonly AccessValue[];
	remove: readonly AccessValue[];
}

type Holders = Pick<Traits, 'accessAttributes'>;

/** Lists by RFC 7643 section 4.1.2, also where a user shows none. */
const LISTS = ['roles', 'entitlements'];

/** What says nothing of what an entry gives. */
const NO_TEXT = new Set(['primary', '$ref']);

/**
 * The values that give a user access, each once: those of `[{value}]`, of one object instead of a list, of bare texts, and
 * of an attribute with one value. An entry without `value` is all its texts.
 */
export function valuesOf({ attributes }: User, { accessAttributes }: Holders): AccessValue[] {
	const values = accessAttributes.flatMap((path) =>
		entriesAt(attributes, path).flatMap((entry): AccessValue[] => {
			const value = textOf(entry);
			const display = readText(attribute(entry, 'display'));
			return value === undefined ? [] : [{ attribute: path, value, ...(display && { display }) }];
		}),
	);
	const byKey = new Map<string, AccessValue>();
	for (const one of values) if (!byKey.has(valueKey(one))) byKey.set(valueKey(one), one);
	return [...byKey.values()];
}

/** What a user shows of an attribute that gives access: values, that there is none, nothing, or something that gives no text. */
export function shownIn(
	{ attributes }: Pick<User, 'attributes'>,
	path: string,
): 'values' | 'none' | 'nothing' | 'unclear' {
	const held = valueAt(attributes, path);
	if (held === undefined) return 'nothing';
	const entries = entriesAt(attributes, path).filter((entry) => !saysNothing(entry));
	if (entries.some((entry) => textOf(entry) === undefined)) return 'unclear';
	return entries.length > 0 ? 'values' : 'none';
}

/** What no service means anything by. */
function saysNothing(entry: unknown): boolean {
	if (isObject(entry)) return Object.values(entry).every(saysNothing);
	return entry === null || entry === undefined || entry === false || entry === '';
}

/** Equal for the same value of a user. */
export function valueKey({ attribute: path, value }: AccessValue): string {
	return `${path.toLowerCase()}\n${value}`;
}

/** A value as people call it. */
export function valueLabel({ attribute: path, value }: AccessValue): string {
	return `${path} "${shown(value)}"`;
}

/** The matching values: the exact match alone, else all that differ in case only (RFC 7643 section 8.7.1). */
export function findValues(
	values: readonly AccessValue[],
	{ attribute: path, value }: AccessValue,
): AccessValue[] {
	const same = values.filter(
		(one) =>
			one.attribute.toLowerCase() === path.toLowerCase() && nameKey(one.value) === nameKey(value),
	);
	const exact = same.filter((one) => one.value === value);
	return exact.length > 0 ? exact : same;
}

/** Whether an attribute has one value instead of a list, as far as the user shows it. */
export function holdsOneValue({ attributes }: User, path: string): boolean {
	const held = valueAt(attributes, path);
	if (held === undefined || held === null) return !LISTS.includes(path.toLowerCase());
	return typeof held !== 'object';
}

/** Values that a user no longer has once attributes are replaced by these. */
export function lostValues(user: User, wanted: Attributes, holders: Holders): AccessValue[] {
	const replaced = holders.accessAttributes.filter((path) => valueAt(wanted, path) !== undefined);
	const before = valuesOf(user, { accessAttributes: replaced });
	const left = valuesOf({ ...user, attributes: wanted }, holders);
	return before.filter((value) => findValues(left, value).length === 0);
}

/**
 * The access attribute that attributes reach otherwise than as a whole: by a part of it, a filter or another spelling, or by
 * clearing what it is in. Which values that takes away cannot be told.
 */
export function accessReachedInPart(
	wanted: Attributes,
	{ accessAttributes }: Holders,
): string | undefined {
	return accessAttributes.find((path) =>
		Object.entries(wanted).some(([name, value]) => reachesPart(name, value, path)),
	);
}

function reachesPart(name: string, value: unknown, path: string, isInner = false): boolean {
	if (value === undefined || isSameName(name, path)) return false;
	const [given, holder] = [plainPath(name), plainPath(path)];
	if (given.startsWith(holder)) return true;
	if (!holder.startsWith(given)) return false;
	if (!isObject(value)) return !Array.isArray(value);
	const joint = !isInner && /^urn:/i.test(name) ? ':' : '.';
	const parts = Object.entries(value).map(
		([part, inner]) => [`${name}${joint}${part}`, inner] as const,
	);
	const isSet = parts.some(([part, inner]) => inner !== undefined && isSameName(part, path));
	// Of what is deeper, a service may keep nothing that it is not given.
	return (isInner && !isSet) || parts.some(([part, inner]) => reachesPart(part, inner, path, true));
}

function isSameName(name: string, other: string): boolean {
	return name.toLowerCase() === other.toLowerCase();
}

/** Without filters, and each name ended by a dot. */
function plainPath(path: string): string {
	const [names] = path.replace(/\[[^]*\]/, '').split('[', 1);
	return `${names.replace(/\s/g, '').replaceAll(':', '.').toLowerCase()}.`;
}

/**
 * Adds and removes single values (RFC 7644 sections 3.5.2.1 and 3.5.2.2). Where a filter cannot tell one, since it is no
 * `value` of an entry, the whole attribute is replaced.
 */
export function patchValues(user: User, changes: ValueChanges): PatchOperation[] {
	return byAttribute(changes).flatMap(({ path, add, remove }): PatchOperation[] => {
		const entries = entriesAt(user.attributes, path);
		const isFiltered = entries.every(
			(entry) => !isIn(entry, remove) || readText(attribute(entry, 'value')) !== undefined,
		);
		if (holdsOneValue(user, path) || !isFiltered) return [wholeAttribute(user, path, add, remove)];
		return [
			...(add.length > 0
				? [{ op: 'add' as const, path, value: add.map((one) => entryFor(one, entries)) }]
				: []),
			...remove.map(({ value }) => ({
				op: 'remove' as const,
				path: `${path}[${equals('value', value)}]`,
			})),
		];
	});
}

/** Adds and removes values by replacing each attribute as a whole, from the user as just read. */
export function replaceValues(user: User, changes: ValueChanges): PatchOperation[] {
	return byAttribute(changes).map(({ path, add, remove }) =>
		wholeAttribute(user, path, add, remove),
	);
}

function wholeAttribute(
	user: User,
	path: string,
	add: readonly AccessValue[],
	remove: readonly AccessValue[],
): PatchOperation {
	const entries = entriesAt(user.attributes, path);
	if (holdsOneValue(user, path)) {
		const [only] = add;
		return only === undefined ? { op: 'remove', path } : { op: 'replace', path, value: only.value };
	}
	const kept = entries.filter((entry) => !isIn(entry, remove));
	const fresh = add.filter((one) => !kept.some((entry) => textOf(entry) === one.value));
	return { op: 'replace', path, value: [...kept, ...fresh.map((one) => entryFor(one, entries))] };
}

function byAttribute({ add, remove }: ValueChanges) {
	const paths = new Set([...add, ...remove].map((one) => one.attribute));
	const of = (path: string) => (one: AccessValue) => one.attribute === path;
	return [...paths].map((path) => ({
		path,
		add: add.filter(of(path)),
		remove: remove.filter(of(path)),
	}));
}

/** In the form that the other entries have. */
function entryFor({ value }: AccessValue, entries: readonly unknown[]): unknown {
	return entries.length > 0 && entries.every((entry) => !isObject(entry)) ? value : { value };
}

function isIn(entry: unknown, values: readonly AccessValue[]): boolean {
	const text = textOf(entry);
	return values.some(({ value }) => value === text);
}

function entriesAt(attributes: Attributes, path: string): unknown[] {
	const held = valueAt(attributes, path);
	if (Array.isArray(held)) return held as unknown[];
	return held === undefined || held === null ? [] : [held];
}

/** Undefined for what gives nothing, such as false. */
function textOf(entry: unknown): string | undefined {
	const own = isObject(entry) ? (attribute(entry, 'value') ?? entry) : entry;
	const text = textsIn(typeof own === 'object' ? entry : own).join(': ');
	return text.trim() === '' ? undefined : text;
}

function textsIn(part: unknown, depth = 0): string[] {
	if (typeof part !== 'object' || part === null) {
		const text = plainText(part);
		return text === undefined ? [] : [text];
	}
	if (depth > DEEPEST) return [];
	return Object.entries(part).flatMap(([name, inner]) =>
		NO_TEXT.has(name.toLowerCase()) ? [] : textsIn(inner, depth + 1),
	);
}

function plainText(value: unknown): string | undefined {
	return value === true ? 'true' : readText(value);
}

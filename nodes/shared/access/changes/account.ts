import {
	attribute,
	attributesAlone,
	compareUser,
	SCHEMA,
	valueAt,
	valuesByFilter,
	versionOf,
	withCanonicalNames,
	withEmailTypes,
	type Attributes,
	type KnownAttributes,
	type ServiceProfile,
	type User,
	shownActive,
	shownActivity,
	putAttribute,
	readText,
} from '../../scim';
import { DEEPEST, isObject } from '../../util';
import type { AccountChange, WholeUser } from './change';

/** Levels of what a user shows of an attribute; RFC 7643 section 2.3.8 has two. */
const DEEPEST_SHOWN = 5;

/** Attributes that the service alone sets, or that act on access when they are sent (test/contract/interface.md 2.2). */
const NEVER_SENT = new Set(['schemas', 'id', 'meta', 'groups']);

/** The old values of attributes that are set, where any is shown. */
export function wasOf(attributes: Attributes, user: Attributes): Pick<AccountChange, 'was'> {
	const was = shownOf(attributes, user);
	return Object.keys(was).length > 0 ? { was } : {};
}

/** The attributes, and the parts of them, as a user shows them. */
function shownOf(attributes: Attributes, user: Attributes): Attributes {
	return Object.fromEntries(
		Object.entries(attributes).flatMap(([name, value]) => {
			const shown = valuesByFilter(user, name) ?? valueAt(user, name);
			if (shown === undefined || isTooDeep(shown)) return [];
			return [[name, isObject(value) && isObject(shown) ? shownOf(value, shown) : shown]];
		}),
	);
}

/** Whether there are values in values beyond what any attribute has: a plan with them could not be read again. */
function isTooDeep(value: unknown, depth = 0): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return depth > DEEPEST_SHOWN || Object.values(value).some((part) => isTooDeep(part, depth + 1));
}

/** A user as just read, with the wanted attributes in place, and what `active` then has to be where that is not wanted. */
export function wholeUser(current: User, wanted: Attributes): WholeUser {
	const shown = withoutNulls(attributesAlone(current.attributes));
	const active = shownActive(current);
	const body = fullBody({
		...without(withCanonicalNames(shown), ['active', ...Object.keys(wanted)]),
		userName: current.userName,
		// What is shown of it may be no boolean; left out, some services would take it for true and give access back.
		...(active !== undefined && { active }),
		...mergeDeep(shown, withEmailTypes(wanted, shown)),
	});
	const activeAfter = wanted.active === undefined ? active : undefined;
	return { body, activeAfter, version: versionOf(current) };
}

/**
 * What is said of attributes that the service, as is known, does not keep.
 * @param given the attributes, of which an extension is named by its parts, as people have them in columns
 */
export function notKeptWarnings(names: readonly string[], given: readonly Attributes[]): string[] {
	const called = names.flatMap((name) => {
		const parts = given.flatMap((all) => (/^urn:/i.test(name) ? partsOf(all[name]) : []));
		return parts.length > 0 ? [...new Set(parts)] : [name];
	});
	return called.length > 0 ? [`The service does not keep ${called.join(', ')}.`] : [];
}

function partsOf(extension: unknown): string[] {
	return isObject(extension) ? Object.keys(extension) : [];
}

/** What is said of attributes that are sent and never shown. @param given what is sent */
export function unseenWarnings(
	attributes: readonly string[],
	given: Attributes = {},
	{ knows, hides }: KnownAttributes,
): string[] {
	const names = attributes.filter((name) => !isDecisive(name) && name !== 'password');
	const hidden = names.filter(hides);
	return [
		...notKeptWarnings(
			names.filter((name) => !hides(name) && !knows(name)),
			[given],
		),
		...(hidden.length > 0
			? [`The service never shows ${hidden.join(', ')}, so nobody can see whether it was taken.`]
			: []),
	];
}

/** Who the user is and whether the user may come in has to be seen. */
export function isDecisive(name: string): boolean {
	return ['active', 'username'].includes(name.toLowerCase());
}

const MAY_OVERWRITE =
	'A PUT may overwrite a change of the same moment: the service has no ETag that prevents it.';

/** What is said of a PUT. @param version the ETag that it is sent with */
export function overwriteWarnings(version: string | undefined): string[] {
	return version === undefined ? [MAY_OVERWRITE] : [];
}

export function activationWarnings({ deactivation }: ServiceProfile): string[] {
	return deactivation === 'drops'
		? ['Memberships that were lost by deactivation do not come back: assign the roles again.']
		: [];
}

export function deactivationWarnings(
	current: User | undefined,
	{ deactivation }: ServiceProfile,
): string[] {
	if (deactivation !== 'drops') return [];
	const groups = current?.groupIds ?? [];
	return [
		groups.length === 0
			? 'Deactivation drops all memberships; activating again does not bring them back.'
			: `Deactivating ${current?.userName || current?.id} drops these memberships: ${groups.join(', ')}. Activating again does not bring them back.`,
	];
}

/** A request body for POST and PUT: `schemas` in front, with a URN for every extension that is used (RFC 7643 section 3). */
export function fullBody(attributes: Attributes): Attributes {
	const own = Object.entries(attributes).filter(([name]) => !NEVER_SENT.has(name.toLowerCase()));
	const extensions = own.map(([name]) => name).filter((name) => /^urn:/i.test(name));
	return { schemas: [SCHEMA.user, ...extensions], ...Object.fromEntries(own) };
}

/** The attributes that have none of these names, ignoring case. */
function without(attributes: Attributes, names: readonly string[]): Attributes {
	const left = new Set(names.map((name) => name.toLowerCase()));
	return Object.fromEntries(
		Object.entries(attributes).filter(([name]) => !left.has(name.toLowerCase())),
	);
}

/** Leaves out parts that are null, and entries of lists that have no value. */
export function withoutNulls(attributes: Attributes, depth = 0): Attributes {
	return Object.fromEntries(
		Object.entries(attributes).flatMap(([name, value]) => {
			const left = withoutNull(value, depth);
			return left === undefined ? [] : [[name, left]];
		}),
	);
}

/** Undefined for what holds nothing but null. */
function withoutNull(value: unknown, depth: number): unknown {
	if (value === null) return undefined;
	if (depth > DEEPEST) return value;
	if (Array.isArray(value)) {
		return value.flatMap((entry) => {
			// Of an entry without a value the type alone is left, which scimitar refuses.
			const left = attribute(entry, 'value') === null ? undefined : withoutNull(entry, depth + 1);
			return left === undefined ? [] : [left];
		});
	}
	if (!isObject(value)) return value;
	const left = withoutNulls(value, depth + 1);
	return Object.keys(left).length === 0 && Object.keys(value).length > 0 ? undefined : left;
}

/** The wanted attributes, complex ones filled up with the parts that are there already. */
function mergeDeep(current: Attributes, wanted: Attributes): Attributes {
	return Object.fromEntries(
		Object.entries(wanted).map(([name, value]) => {
			const there = attribute(current, name);
			const isComplex = isObject(value) && isObject(there);
			return [name, isComplex ? { ...without(there, Object.keys(value)), ...value } : value];
		}),
	);
}

/** Whether an existing user does not show a wanted attribute. */
export function wantsUnseen(
	wanted: Attributes,
	user: User | undefined,
	profile: ServiceProfile,
): boolean {
	return user !== undefined && compareUser(wanted, user, profile).notShown.length > 0;
}

export function inactiveWarning(user: User, wanted: Attributes): string[] {
	return shownActivity(user) === 'inactive' && wanted.active === undefined
		? [
				`${user.userName || user.id} is inactive and cannot sign in. Activate the user, or set Active.`,
			]
		: [];
}

/** RFC 7643 section 4.3: the ID of another user. */
const MANAGER = `${SCHEMA.enterpriseUser}:manager`;

/** What attributes say of the manager, however they are written; undefined where they name none. */
export function managerIn(attributes: Attributes): string | undefined {
	const whole = valueAt(attributes, MANAGER);
	const value = isObject(whole) ? attribute(whole, 'value') : whole;
	return readText(value ?? valueAt(attributes, `${MANAGER}.value`))?.trim() || undefined;
}

/** Tells whether attributes say that there is to be no manager. */
export function clearsManager(attributes: Attributes): boolean {
	return [MANAGER, `${MANAGER}.value`].some((path) => valueAt(attributes, path) === null);
}

/** Returns attributes with another manager, or with none for null. @param id undefined: they say nothing of it any more */
export function withManager(attributes: Attributes, id: string | null | undefined): Attributes {
	const prefix = SCHEMA.enterpriseUser.toLowerCase();
	const isManager = (name: string) => /^manager(?:\.value)?$/i.test(name);
	const others = Object.entries(attributes).flatMap(([name, value]): Array<[string, unknown]> => {
		const lower = name.toLowerCase();
		if (lower.startsWith(`${prefix}:`) && isManager(name.slice(prefix.length + 1))) return [];
		if (lower !== prefix || !isObject(value)) return [[name, value]];
		const left = Object.entries(value).filter(([part]) => !isManager(part));
		return left.length === 0 ? [] : [[name, Object.fromEntries(left)]];
	});
	const left = Object.fromEntries(others);
	if (id === undefined) return left;
	return putAttribute(left, [SCHEMA.enterpriseUser, 'manager'], id === null ? null : { value: id });
}

/** Stands for the ID of a manager whom the same plan creates. */
export function idOfNew(userName: string): string {
	return `{id of ${userName}}`;
}

/** Returns the user name of the new user whom attributes name as the manager, if they do. */
export function newManagerIn(attributes: Attributes = {}): string | undefined {
	return /^\{id of (.+)\}$/s.exec(managerIn(attributes) ?? '')?.[1];
}

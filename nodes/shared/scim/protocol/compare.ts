import { isObject, nameKey } from '../../util';
import { lostValues } from './accessValues';
import { valuesByFilter } from './paths';
import {
	attribute,
	attributesAlone,
	readBoolean,
	valueAt,
	type Attributes,
	type User,
} from './resource';
import type { ServiceProfile } from './service';

/** How a resource stands against wanted attributes, by attribute name. */
export interface Comparison {
	/** Shown with another value. */
	different: string[];
	/** Not shown at all, so nothing can be said. */
	notShown: string[];
}

/** Whether two values count as the same. */
export type SameValue = (actual: unknown, wanted: unknown) => boolean;

/**
 * The same for a user; the login email that a service adds to `emails` by itself is no difference. More values that give
 * access than are wanted are one.
 */
export function compareUser(
	wanted: Attributes,
	user: User,
	profile: ServiceProfile,
	isSame: SameValue = isEqual,
): Comparison {
	const { different, notShown } = compareWithLogin(wanted, user, profile, isSame);
	const paths = lostValues(user, wanted, profile).map(({ attribute: path }) => path.toLowerCase());
	const tooMuch = Object.keys(wanted).filter((name) =>
		paths.some(
			(path) =>
				path === name.toLowerCase() ||
				[':', '.'].some((joint) => path.startsWith(name.toLowerCase() + joint)),
		),
	);
	return { different: [...new Set([...different, ...tooMuch])], notShown };
}

/** The same where a wanted list is the whole list: one that shows more is a difference. */
export function compareWholeLists(
	wanted: Attributes,
	user: User,
	profile: ServiceProfile,
): Comparison {
	const { different, notShown } = compareUser(wanted, user, profile);
	const isLogin = (entry: unknown) => sameText(attribute(entry, 'value'), user.userName);
	const more = Object.entries(wanted).flatMap(([name, value]) => {
		const shown = attribute(user.attributes, name);
		const added = profile.knowsPeopleByLogin && name === 'emails' ? isLogin : () => false;
		return showsMore(shown, value, added) ? [name] : [];
	});
	return { different: [...new Set([...different, ...more])], notShown };
}

function showsMore(
	shown: unknown,
	wanted: unknown,
	isAdded: (entry: unknown) => boolean = () => false,
): boolean {
	if (Array.isArray(wanted) && Array.isArray(shown)) {
		return shown.some(
			(entry) => !isAdded(entry) && !wanted.some((candidate) => covers([entry], [candidate])),
		);
	}
	return (
		isObject(wanted) &&
		Object.entries(wanted).some(([name, value]) => showsMore(attribute(shown, name), value))
	);
}

function compareWithLogin(
	wanted: Attributes,
	user: User,
	profile: ServiceProfile,
	isSame: SameValue,
): Comparison {
	const { emails, ...rest } = wanted;
	if (!profile.knowsPeopleByLogin || !Array.isArray(emails)) {
		return compareAttributes(wanted, user.attributes, isSame);
	}
	const others = (list: unknown) =>
		[list].flat().filter((entry) => !sameText(attribute(entry, 'value'), user.userName));
	const wantedOthers = others(emails);
	if (wantedOthers.length > 0) {
		return compareAttributes({ ...rest, emails: wantedOthers }, user.attributes, isSame);
	}
	const shown = attribute(user.attributes, 'emails');
	const left = emails.length === 0 && !isNothing(shown) ? others(shown) : [];
	return compareAttributes({ ...rest, emails: [] }, { ...user.attributes, emails: left }, isSame);
}

/** Attributes that no answer ever shows (`returned: never`, RFC 7643 section 2.2). */
const NEVER_RETURNED = new Set(['password']);

/**
 * Compares what is wanted with what a service shows. More than was asked for is fine: servers add defaults to complex
 * attributes. Names compare ignoring case, email-like texts too, since services store them in lower case.
 */
export function compareAttributes(
	wanted: Attributes,
	shown: Attributes,
	isSame: SameValue = isEqual,
): Comparison {
	const comparison: Comparison = { different: [], notShown: [] };
	for (const [name, value] of Object.entries(wanted)) {
		// Its case counts (RFC 7643 section 3.1).
		const isOne = name.toLowerCase() === 'externalid' ? isEqual : isSame;
		const chosen = valuesByFilter(shown, name);
		if (chosen !== undefined) {
			if (!chosen.every((one) => covers(one, value, isOne))) comparison.different.push(name);
			else if (chosen.length === 0 && !isNothing(value)) comparison.notShown.push(name);
			continue;
		}
		// What is to be cleared must not pass for what is not there.
		const actual = value === null ? valueAt(shown, name) : attribute(shown, name);
		if (saysNothing(actual, value) || NEVER_RETURNED.has(name.toLowerCase())) {
			// Wanting nothing and seeing nothing is agreement.
			if (!isNothing(value)) comparison.notShown.push(name);
		} else if (
			!(name.toLowerCase() === 'username' ? sameText(actual, value) : covers(actual, value, isOne))
		) {
			comparison.different.push(name);
		}
	}
	return comparison;
}

/** Paths of the parts that differ or are not shown, such as `name.familyName`; the name of an attribute without parts. */
export function missedParts(
	name: string,
	wanted: Attributes,
	shown: Attributes,
	isSame: SameValue,
): string[] {
	const [parts, actual] = [wanted[name], attribute(shown, name)];
	if (!isObject(parts)) return [name];
	const { different, notShown } = compareAttributes(parts, isObject(actual) ? actual : {}, isSame);
	const missed = [...different, ...notShown].map(
		(part) => `${name}${name.includes(':') ? ':' : '.'}${part}`,
	);
	return missed.length > 0 ? missed : [name];
}

/** A plain value that is shown instead of the one that was sent. */
export interface OtherValue {
	path: string;
	wanted: unknown;
	shown: unknown;
}

/**
 * Returns what a service has made of an attribute: each part that differs is shown, with a plain value that was not there
 * before. Undefined where a part was not taken, which is then missing or as before.
 */
export function otherValues(
	name: string,
	wanted: Attributes,
	shown: Attributes,
	before: Attributes,
): OtherValue[] | undefined {
	const others = missedParts(name, wanted, shown, isSameSpelling).map((path) => ({
		...{ path, wanted: valueAt(wanted, path) ?? null, shown: valueAt(shown, path) },
		was: valueAt(before, path),
	}));
	// Some services keep a path as a name of its own, beside what it stands for (pranems).
	const isMade = ({ shown: now, wanted: sent, was }: (typeof others)[number]) =>
		isPlain(now) && now !== '' && ![sent, was].some((one) => isSameSpelling(now, one));
	return others.every(isMade) ? others : undefined;
}

/** What the service alone sets, what is shown on request, and the spelling of a whole name. */
const NO_LOSS = /^(?:schemas|id|meta|groups|active|password|name\.formatted)(?:\.|$)/;

/** Parts that only describe the value beside them, such as the ID of a manager. */
const DESCRIBING = /\.(?:display(?:name)?|\$ref)$/;

/**
 * Names what was shown before a write and is not any more, of all that the write has not named: paths, and lists that are
 * shorter. An entry that another one replaces is none: services renew and normalize values. No value is named, which may be
 * a secret.
 */
export function lostPaths(before: Attributes, after: Attributes, written: Attributes): string[] {
	const named = pathsIn(written).map((path) => path.toLowerCase().replace(/\[.*$/, ''));
	const isIn = (path: string, one: string) =>
		['.', ':'].some((joint) => path.startsWith(one + joint));
	const isNamed = (path: string, value: unknown) => {
		const beside = path.replace(DESCRIBING, '.value');
		// What was a text may be an object now.
		const isWhole = (one: string) => !Array.isArray(value) && isIn(one, path);
		return named.some((one) => one === path || one === beside || isIn(path, one) || isWhole(one));
	};
	const shown = new Map(
		partsIn(after).map(([path, value]) => [path.toLowerCase(), lengthOf(value)] as const),
	);
	return partsIn(attributesAlone(before)).flatMap(([path, value]) => {
		const lower = path.toLowerCase();
		const length = lengthOf(value);
		const left = shown.get(lower);
		if (NO_LOSS.test(lower) || isNamed(lower, value) || (left !== undefined && left >= length))
			return [];
		return left === undefined ? path : `${path} (${length - left} of ${length} entries)`;
	});
}

/** No attribute has more parts in parts; a service may nest what it shows without end. */
const DEEPEST = 20;

/** How many entries a list has; anything else counts as one. */
function lengthOf(value: unknown): number {
	return Array.isArray(value) ? value.length : 1;
}

/** Paths of attributes, and of the parts of those that have some. */
function pathsIn(attributes: Attributes): string[] {
	return partsOf(attributes, () => true).map(([path]) => path);
}

/** What is assigned, and the parts of what has some, by path. */
function partsIn(attributes: Attributes): Array<[path: string, value: unknown]> {
	return partsOf(attributes, (value) => !isNothing(value));
}

function partsOf(
	attributes: Attributes,
	counts: (value: unknown) => boolean,
	depth = 0,
): Array<[path: string, value: unknown]> {
	return Object.entries(attributes).flatMap(([name, value]): Array<[string, unknown]> => {
		if (!counts(value)) return [];
		if (!isObject(value) || depth >= DEEPEST) return [[name, value]];
		const joint = name.includes(':') ? ':' : '.';
		return partsOf(value, counts, depth + 1).map(([part, inner]) => [name + joint + part, inner]);
	});
}

/** Not there, or no boolean where one is wanted: servers were seen to send "undefined" for `active`. */
function saysNothing(actual: unknown, wanted: unknown): boolean {
	if (actual === undefined || actual === null) return true;
	return typeof wanted === 'boolean' && readBoolean(actual) === undefined;
}

function covers(actual: unknown, wanted: unknown, isSame: SameValue = isEqual): boolean {
	if (Array.isArray(wanted)) {
		const entries: unknown[] = Array.isArray(actual) ? actual : [actual];
		if (wanted.length === 0) return entries.length === 0;
		// An only entry on both sides needs no `primary`.
		const alone = wanted.length === 1 && entries.length === 1;
		return wanted.every((entry) =>
			entries.some((candidate) =>
				covers(
					alone && isObject(candidate) ? { primary: true, ...candidate } : candidate,
					entry,
					isSame,
				),
			),
		);
	}
	if (isObject(wanted)) {
		// Some services show the value of an object alone, such as the ID of a manager.
		if (isPlain(actual) && Object.keys(wanted).join() === 'value')
			return isSame(actual, wanted.value);
		return Object.entries(wanted).every(([name, value]) => {
			const shown = attribute(actual, name);
			const isDropped = isLabel(name, wanted) && isSame === isSameSpelling && isNothing(shown);
			return isDropped || covers(shown, value, isSame);
		});
	}
	if (typeof wanted === 'boolean') return readBoolean(actual) === wanted;
	if (typeof wanted === 'string' && wanted.includes('@')) return sameText(actual, wanted);
	return isSame(actual, wanted) || (isNothing(wanted) && isNothing(actual));
}

function isEqual(actual: unknown, wanted: unknown): boolean {
	return actual === wanted;
}

/** What some services drop of an entry of a list, such as the type of an email, whose value they keep (Weights & Biases). */
function isLabel(name: string, entry: Attributes): boolean {
	return entry.value !== undefined && ['display', 'primary', 'type'].includes(name.toLowerCase());
}

/** A phone number in any form (RFC 3966). */
const PHONE = /^(?:tel:)?\+?\d[\d\s()./-]*$/i;

/** Whether a service has kept a value, in whatever spelling: case, blanks, punctuation of a phone number. */
export function isSameSpelling(actual: unknown, wanted: unknown): boolean {
	if (actual === wanted) return true;
	if (!isPlain(actual) || !isPlain(wanted)) return false;
	const spelled = (value: unknown) => {
		const text = nameKey(String(value)).replace(/\s+/g, ' ').trim();
		return PHONE.test(text) ? text.replace(/[^\d]/g, '') : text;
	};
	return spelled(actual) === spelled(wanted);
}

function sameText(actual: unknown, wanted: unknown): boolean {
	return isPlain(actual) && nameKey(String(actual)) === nameKey(String(wanted));
}

/** Only these become the text that they look like. */
function isPlain(value: unknown): boolean {
	return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Not assigned (RFC 7643 section 2.5), at any depth. */
function isNothing(value: unknown, depth = 0): boolean {
	if (value === undefined || value === null || value === '') return true;
	if (typeof value !== 'object' || depth >= DEEPEST) return false;
	return Object.values(value).every((part) => isNothing(part, depth + 1));
}

import { isObject, nameKey } from '../../util';
import { lostValues } from './accessValues';
import { valuesByFilter } from './filter';
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

/** What the service alone sets, what is shown on request, and the spelling of a whole name. */
const NO_LOSS = /^(?:schemas|id|meta|groups|active|password|name\.formatted)(?:\.|$)/;

/** Paths of what was shown before a write and is not any more, of all that the write has not named. */
export function lostPaths(before: Attributes, after: Attributes, written: Attributes): string[] {
	const named = pathsIn(written).map((path) => path.toLowerCase().replace(/\[.*$/, ''));
	const isNamed = (path: string) =>
		named.some((one) => path === one || ['.', ':'].some((joint) => path.startsWith(one + joint)));
	const shown = new Set(pathsIn(after, true).map((path) => path.toLowerCase()));
	return pathsIn(attributesAlone(before), true).filter((path) => {
		const lower = path.toLowerCase();
		const whole = lower.replace(/\[.*$/, '');
		const isTold = !NO_LOSS.test(whole) && !isNamed(whole) && !shown.has(lower);
		// That a list is gone is said once.
		return isTold && (whole === lower || shown.has(whole));
	});
}

/** Paths of attributes, and of the parts of those that have some. @param isShown leaves out what is not assigned */
function pathsIn(attributes: Attributes, isShown = false): string[] {
	return Object.entries(attributes).flatMap(([name, value]) => {
		if (isShown && isNothing(value)) return [];
		if (isShown && Array.isArray(value)) return [name, ...entryPaths(name, value)];
		if (!isObject(value)) return [name];
		const joint = name.includes(':') ? ':' : '.';
		return pathsIn(value, isShown).map((part) => name + joint + part);
	});
}

/** Paths of the entries of a list that have a value (RFC 7643 section 2.4). */
function entryPaths(name: string, entries: readonly unknown[]): string[] {
	return entries.flatMap((entry) => {
		const value = isObject(entry) ? attribute(entry, 'value') : entry;
		return typeof value === 'string' ? `${name}[value eq ${JSON.stringify(value)}]` : [];
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
function isNothing(value: unknown): boolean {
	if (value === undefined || value === null || value === '') return true;
	return typeof value === 'object' && Object.values(value).every(isNothing);
}

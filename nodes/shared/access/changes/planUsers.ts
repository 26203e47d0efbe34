import { failureOf, type Outcome, type Part } from '../../run';
import {
	attribute,
	attributesAlone,
	compareUser,
	lostValues,
	replaceAttributes,
	matchingBy,
	SCHEMA,
	valueAt,
	valuesByFilter,
	versionOf,
	withCanonicalNames,
	withEmailTypes,
	type Attributes,
	type KnownAttributes,
	type MatchAttribute,
	type ServiceProfile,
	type User,
} from '../../scim';
import { DEEPEST, InputError, isDeepEqual, isObject, type Moment, nameKey } from '../../util';
import {
	accountKey,
	accountOf,
	deactivates,
	nameOf,
	NO_RESTS,
	type Account,
	type AccountChange,
	type IfUserExists,
	type WholeUser,
} from './change';
import { outcomeOfExisting, proves, type IfExists } from './existing';
import { otherOwner, ownerWarning } from './owner';
import { foundUser, whyNotFound, type Found } from '../facts';
import { whoIs } from './result';
import type { AttributeRules, Diff, WantedUser, Wish } from './wish';

/** A user that an item wants to be different, with what is known of that user so far. */
export type WantedChange = Pick<Wish, 'item' | 'person' | 'user' | 'source' | 'why'> & {
	attributes: Attributes;
	warnings: readonly string[];
};

/** What has to change about accounts. */
export interface AccountPlan extends Diff {
	changes: AccountChange[];
}

/** Levels of what a user shows of an attribute; RFC 7643 section 2.3.8 has two. */
const DEEPEST_SHOWN = 5;

/** Attributes that the service alone sets, or that act on access when they are sent (test/contract/interface.md 2.2). */
const NEVER_SENT = new Set(['schemas', 'id', 'meta', 'groups']);

/**
 * Users who are to exist. Items that name the same person become one change when they want the same.
 * @param found what is known of each by what the user is matched by; undefined without a lookup (the 409 tells)
 */
export function planUsers(
	wanted: readonly WantedUser[],
	ifExists: IfUserExists,
	found: ReadonlyMap<string, Found> | undefined,
	rules: AttributeRules,
): AccountPlan {
	const { profile } = rules;
	const plan: AccountPlan = { changes: [], settled: [], warnings: [] };
	for (const group of mergeByName(wanted, ifExists, found, plan)) {
		const known = found?.get(keyOf(group)[0]);
		if (known === undefined || known.kind === 'absent') {
			plan.changes.push(creation(group, ifExists));
			continue;
		}
		if (ifExists === 'fail' || ifExists === 'return') {
			settleExisting(group, known, ifExists, plan, rules);
			continue;
		}
		try {
			const current = foundUser(known, ...keyOf(group));
			const attributes = { ...group.attributes, ...newName(group, profile) };
			const comesBack = attributes.active === true && current.active === false;
			const other = comesBack ? otherOwner(current, attributes) : undefined;
			if (other !== undefined) throw other;
			const warnings = [
				...group.warnings,
				...inactiveWarning(current, attributes),
				...ownerWarning(current, attributes),
			];
			const { id, userName } = current;
			const person = { key: id, id, userName };
			const wants = { person, user: current, attributes, warnings, label: group.userName };
			planUpdate(wants, group.parts, plan, rules);
		} catch (error) {
			settle(plan, group.parts, failureOf(`create or update user ${group.userName}`, error));
		}
	}
	return plan;
}

/** Create, when a user was seen to exist before anything is sent. */
function settleExisting(
	merged: MergedUser,
	known: Found,
	ifExists: IfExists,
	plan: AccountPlan,
	{ profile, wasThere }: AttributeRules,
): void {
	const { userName, attributes, parts, warnings, matchBy } = merged;
	const action = `create user ${userName}`;
	if (known.kind !== 'found') {
		const error =
			known.kind === 'ambiguous' && matchBy === undefined
				? existingUser(userName, undefined)
				: whyNotFound(known, ...keyOf(merged));
		settle(plan, parts, failureOf(action, error));
	} else {
		const { user } = known;
		const all = [...warnings, ...(ifExists === 'return' ? inactiveWarning(user, {}) : [])];
		const isOurs = wasThere?.(user) !== true && isMadeBefore(attributes, user, profile);
		const madeBefore = isOurs ? MADE_BEFORE : undefined;
		const error = existingUser(userName, user);
		settle(plan, parts, outcomeOfExisting(ifExists, action, all, madeBefore, error), user);
	}
}

/** Whether a user is the one of this create. A user name alone proves nothing. */
export function isProof(wanted: Attributes, user: User, profile: ServiceProfile): boolean {
	return proves(compareUser(wanted, user, profile), wanted);
}

/** That a user who is in the way of a create was made by the same one, sent before: n8n runs a failed node again as a whole. */
export function isMadeBefore(wanted: Attributes, user: User, profile: ServiceProfile): boolean {
	const wasShutOut = user.active === false && wanted.active !== false;
	return !wasShutOut && isProof(wanted, user, profile);
}

export const MADE_BEFORE = 'the user is there as sent: an earlier try created the user';

/** What is said where the answer to a create shows a user who was there before, as if the create had made it. */
export function metWarning({ userName, id }: User): string {
	return `The service answered the create with a user who was there before: ${userName} (ID ${id}).`;
}

/** A user that exists although a create was to make it. */
export function existingUser(userName: string, user: User | undefined): InputError {
	const inactive = user?.active === false;
	const which = user === undefined ? '' : ` (ID ${user.id}${inactive ? ' and inactive' : ''})`;
	return new InputError(
		`User ${userName} exists already${which}`,
		inactive
			? 'Use Activate to reactivate the user, or set If User Exists to return the user.'
			: 'Use Create or Update, or set If User Exists to return the user.',
	);
}

interface MergedUser {
	userName: string;
	attributes: Attributes;
	parts: Part[];
	warnings: string[];
	matchBy?: MatchAttribute;
	why?: string;
}

function keyOf({
	matchBy = 'userName',
	...user
}: Pick<MergedUser, 'userName' | 'attributes' | 'matchBy'>) {
	const matching = matchingBy(matchBy);
	return [matching.keyOf(user), matching] as const;
}

/** A user that is found by another key may have another user name now, where user names stay as they are given. */
function newName(
	{ userName, matchBy }: MergedUser,
	{ userNameCanChange, userNamesAreConverted }: ServiceProfile,
): Attributes {
	// By email, the user name may be one of the service's own.
	const isKept = matchBy !== 'externalId' || !userNameCanChange || userNamesAreConverted;
	return isKept ? {} : { userName };
}

function mergeByName(
	wanted: readonly WantedUser[],
	ifExists: IfUserExists,
	found: ReadonlyMap<string, Found> | undefined,
	plan: AccountPlan,
): MergedUser[] {
	const [merged, byKey] = [new Map<string, MergedUser>(), new Map<string, MergedUser>()];
	for (const user of wanted) {
		const subject = nameKey(user.userName);
		const part = { item: user.item, subject };
		const [key, { by, fold, label }] = keyOf(user);
		const who = by === 'userName' ? found?.get(key) : undefined;
		// Two who differ in spelling alone are two people where the service has both.
		const name = who?.kind === 'found' ? who.user.id : subject;
		const first = merged.get(name);
		const sameKey = by === 'userName' ? first : byKey.get(fold(key));
		const same = first ?? sameKey;
		if (same === undefined) {
			const own = { ...user, attributes: { ...user.attributes }, parts: [part] };
			merged.set(name, own);
			byKey.set(fold(key), own);
			continue;
		}
		const clash =
			sameKey !== undefined && sameKey !== first
				? `Items ${sameKey.parts[0].item} and ${user.item} have the ${label} ${key}, but not the same user name`
				: ifExists === 'fail'
					? `Items ${same.parts[0].item} and ${user.item} both create user ${user.userName}`
					: conflict(same, user);
		if (clash !== undefined) {
			settle(
				plan,
				[part],
				failureOf(
					`create user ${user.userName}`,
					new InputError(clash, 'Send each person once, or the same values in both items.'),
				),
			);
			continue;
		}
		complete(same.attributes, user.attributes);
		if (same.parts.every(({ item }) => item !== part.item)) same.parts.push(part);
		same.warnings = [...new Set([...same.warnings, ...user.warnings])];
	}
	return [...merged.values()];
}

/** Two items may complete each other, but not contradict. */
export function conflict(
	first: { attributes: Attributes; parts: Part[] },
	second: { attributes: Attributes; item: number },
	what: 'user' | 'group' = 'user',
): string | undefined {
	const name = Object.keys(second.attributes).find((key) => {
		const before = attribute(first.attributes, key);
		return before !== undefined && !isDeepEqual(before, second.attributes[key]);
	});
	return name === undefined
		? undefined
		: `Items ${first.parts[0].item} and ${second.item} want different values of ${name} for the same ${what}`;
}

/** Adds what is not there yet, in whatever case (RFC 7643 section 2.1). */
export function complete(first: Attributes, second: Attributes): void {
	const more = Object.entries(second).filter(([name]) => attribute(first, name) === undefined);
	Object.assign(first, Object.fromEntries(more));
}

function creation(
	{ userName, attributes, parts, warnings, matchBy, why }: MergedUser,
	ifExists: IfUserExists,
): AccountChange {
	const person = { key: nameKey(userName), userName };
	return {
		...baseOf('create', person, `create user ${userName}`, parts, warnings, why),
		before: 'absent',
		after: deactivates(attributes) ? 'inactive' : 'active',
		attributes,
		ifExists,
		...(matchBy && { matchBy }),
	};
}

/** What all changes of an account have. */
function baseOf(
	verb: Parameters<typeof accountKey>[0],
	person: AccountChange['person'],
	action: string,
	parts: readonly Part[],
	warnings: readonly string[],
	why = '',
) {
	const [about, key] = ['account' as const, accountKey(verb, person)];
	const items = parts.map(({ item }) => item);
	const [{ subject }] = parts;
	const own = { about, key, person, action, items, warnings, why, restsOn: NO_RESTS };
	return subject === person.key ? own : { ...own, subject };
}

/** The account before and after attributes are set. */
function withAttributes(
	before: Account,
	attributes: Attributes,
): Pick<AccountChange, 'before' | 'after' | 'attributes'> {
	const { active } = attributes;
	const after = active === true ? 'active' : active === false ? 'inactive' : before;
	return { before, after, attributes };
}

/** Adds to the plan what makes a user as requested, all of it where the user was not read; nothing when it is so already. */
function planUpdate(
	wanted: Omit<WantedChange, 'item'> & { label?: string },
	parts: Part[],
	plan: AccountPlan,
	{ profile, knows = () => true, compare = compareUser }: AttributeRules,
): void {
	const { person, user, why, label = nameOf(person) } = wanted;
	const shown = user?.attributes;
	const attributes = user ? clearedByParts(wanted.attributes, user) : wanted.attributes;
	const action = `update user ${label}`;
	const { different, notShown } = user
		? compare(attributes, user, profile)
		: { different: Object.keys(attributes), notShown: [] };
	// Sending what the service does not know would be one request per person and night, for nothing.
	const unknown = notShown.filter((name) => !knows(name));
	const warnings = [...wanted.warnings, ...notKeptWarnings(unknown)];
	const left = pick(attributes, [...different, ...notShown.filter(knows)]);
	if (replaceAttributes(left).length === 0) {
		settle(plan, parts, { status: 'unchanged', action, warnings }, user);
		return;
	}
	plan.changes.push({
		...baseOf('update', person, action, parts, warnings, why),
		...withAttributes(accountOf(user), shown ? withEmailTypes(left, shown) : left),
		...(shown && wasOf(left, shown)),
		...lostOf(user, left, profile),
	});
}

/** Adds to the plan the user as read, with the given attributes in place. */
function planReplacement(
	{ person, user, attributes, why, ...wanted }: WantedChange,
	parts: Part[],
	plan: AccountPlan,
	{ profile }: AttributeRules,
	readAt: Moment,
): void {
	if (user === undefined) return;
	const planned = wholeUser(user, attributes);
	const warnings = [...wanted.warnings, ...overwriteWarnings(planned.version)];
	plan.changes.push({
		...baseOf('update', person, `replace user ${nameOf(person)}`, parts, warnings, why),
		...withAttributes(accountOf(user), attributes),
		...wasOf(attributes, user.attributes),
		whole: { readAt, planned },
		...lostOf(user, attributes, profile),
	});
}

/** An extension that is null is cleared by its attributes: no path leads to it as a whole (RFC 7644 section 3.5.2). */
function clearedByParts(attributes: Attributes, user: User): Attributes {
	return Object.fromEntries(
		Object.entries(attributes).map(([name, value]) => {
			const shown = attribute(user.attributes, name);
			if (value !== null || !/^urn:/i.test(name) || !isObject(shown)) return [name, value];
			return [name, Object.fromEntries(Object.keys(shown).map((part) => [part, null]))];
		}),
	);
}

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

/** Values that give access and that are gone once attributes are replaced by these. */
function lostOf(
	user: User | undefined,
	attributes: Attributes,
	profile: ServiceProfile,
): Pick<AccountChange, 'lost'> {
	const lost = user === undefined ? [] : lostValues(user, attributes, profile);
	return lost.length > 0 ? { lost } : {};
}

/** A user as just read, with the wanted attributes in place, and what `active` then has to be where that is not wanted. */
export function wholeUser(current: User, wanted: Attributes): WholeUser {
	const shown = withoutNulls(attributesAlone(current.attributes));
	const body = fullBody({
		...without(withCanonicalNames(shown), ['active', ...Object.keys(wanted)]),
		userName: current.userName,
		// What is shown of it may be no boolean; left out, some services would take it for true and give access back.
		...(current.active !== undefined && { active: current.active }),
		...mergeDeep(shown, withEmailTypes(wanted, shown)),
	});
	const activeAfter = wanted.active === undefined ? current.active : undefined;
	return { body, activeAfter, version: versionOf(current) };
}

/** What is said of attributes that the service, as is known, does not keep. */
export function notKeptWarnings(names: readonly string[]): string[] {
	return names.length > 0 ? [`The service does not keep ${names.join(', ')}.`] : [];
}

/** What is said of attributes that are sent and never shown. */
export function unseenWarnings(
	attributes: readonly string[],
	{ knows, hides }: KnownAttributes,
): string[] {
	const names = attributes.filter((name) => !isDecisive(name) && name !== 'password');
	const hidden = names.filter(hides);
	return [
		...notKeptWarnings(names.filter((name) => !hides(name) && !knows(name))),
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
			: `Deactivation drops these memberships: ${groups.join(', ')}. Activating again does not bring them back.`,
	];
}

/** Attributes of users who are there: one change per person, however many items mean that person. */
export function planUpdates(wanted: readonly WantedChange[], rules: AttributeRules): AccountPlan {
	const plan: AccountPlan = { changes: [], settled: [], warnings: [] };
	const merged = new Map<string, { change: WantedChange; parts: Part[] }>();
	for (const change of wanted) {
		const { item, person, user, source } = change;
		const part = { item, subject: person.key };
		const first = merged.get(person.key);
		const clash = first && conflict({ ...first.change, parts: first.parts }, change);
		const refused =
			userNameRefusal(change, rules.profile) ??
			(clash === undefined
				? undefined
				: new InputError(
						clash,
						'Send the same values in both items, or run them one after the other.',
					));
		if (refused !== undefined) {
			const outcome = failureOf(`update user ${nameOf(person)}`, refused);
			const result = { who: whoIs(person, user), intent: 'updated' as const, source };
			plan.settled.push({ ...part, outcome, result });
		} else if (first === undefined) {
			const own = { ...change, attributes: { ...change.attributes } };
			merged.set(person.key, { change: own, parts: [part] });
		} else {
			complete(first.change.attributes, change.attributes);
			first.change.user ??= user;
			first.change.warnings = [...new Set([...first.change.warnings, ...change.warnings])];
			if (first.parts.every((one) => one.item !== item)) first.parts.push(part);
		}
	}
	const readAt = rules.replacesAsRead;
	for (const { change, parts } of merged.values()) {
		if (readAt === undefined) planUpdate(change, parts, plan, rules);
		else planReplacement(change, parts, plan, rules, readAt);
	}
	return plan;
}

/** On some services a changed userName is accepted and changes nothing but what is shown (test/contract/interface.md 2.2). */
export function userNameRefusal(
	{ attributes, person, user }: Pick<WantedChange, 'attributes' | 'person' | 'user'>,
	{ userNameCanChange }: ServiceProfile,
): InputError | undefined {
	const wanted = attributes.userName;
	const current = user?.userName ?? person.userName;
	if (wanted === undefined || userNameCanChange) return undefined;
	if (current !== undefined && nameKey(String(wanted)) === nameKey(current)) return undefined;
	return new InputError(
		`The user name of ${nameOf(person)} cannot be changed to ${String(wanted)}`,
		'This service ties the account to the user name: create a user with the new one, assign the roles, and deactivate the old one.',
	);
}

/** A request body for POST and PUT: `schemas` in front, with a URN for every extension that is used (RFC 7643 section 3). */
export function fullBody(attributes: Attributes): Attributes {
	const own = Object.entries(attributes).filter(([name]) => !NEVER_SENT.has(name.toLowerCase()));
	const extensions = own.map(([name]) => name).filter((name) => /^urn:/i.test(name));
	return { schemas: [SCHEMA.user, ...extensions], ...Object.fromEntries(own) };
}

function pick(attributes: Attributes, names: readonly string[]): Attributes {
	return Object.fromEntries(names.map((name) => [name, attributes[name]]));
}

/** The attributes that have none of these names, ignoring case. */
function without(attributes: Attributes, names: readonly string[]): Attributes {
	const left = new Set(names.map((name) => name.toLowerCase()));
	return Object.fromEntries(
		Object.entries(attributes).filter(([name]) => !left.has(name.toLowerCase())),
	);
}

/** The same without parts that are null, and without entries of lists that have no value. */
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
	return user.active === false && wanted.active === undefined
		? ['The user is inactive and cannot sign in. Activate the user, or set Active.']
		: [];
}

function settle(plan: AccountPlan, parts: Part[], outcome: Outcome, user?: User): void {
	for (const part of parts) {
		plan.settled.push({
			...part,
			outcome,
			...(user && { result: { who: { kind: 'user', user } } }),
		});
	}
}

/** A person is inactive, and is not to be activated. */
export class InactiveError extends InputError {}

/** A person that cannot be given access as things are. */
export function inactivePerson(who: string): InactiveError {
	return new InactiveError(
		`${who} is inactive, and Reactivate is off: no access was given`,
		'Turn on Reactivate under Options, or activate the user first.',
	);
}

import {
	attribute,
	type Attributes,
	readBoolean,
	secretNamesIn,
	type ServiceProfile,
	type User,
} from '../../scim';
import { addTo, isDeepEqual, isObject } from '../../util';
import {
	accountKey,
	entitlementKey,
	kindOf,
	nameIn,
	nameOf,
	personLosingAccount,
	userIn,
	wasOf,
	type Account,
	type AccountChange,
	type AppliedPart,
	type Change,
	type EntitlementChange,
	type Kind,
	type Person,
	type Precondition,
	type ProvisioningResult,
} from '../changes';
import { membershipsOf, type Access } from '../facts';
import type { PlanTraits } from './sealedPlan';

/** How plans that take back a run are applied. */
export const UNDO: PlanTraits = { operation: 'undo', title: 'Undo' };

/** What is known of what was there before the run. */
export interface UndoRules {
	profile: ServiceProfile;
	/** By what a user is known beside its user name; empty where it is not. */
	identityOf(user: User): string;
	/** Who was in which group, where deactivations take memberships along. */
	access?: Access;
	/** The user of a change as it was read, and whether it was active. */
	before(change: AccountChange): { user?: User; account: Account };
	/** Whether the user of an update had none of what that read does not show. @param path as of `pathsLacking` */
	hadNone(change: AccountChange, path: string): boolean;
}

/** Notes what is not taken back, by the reason. */
type Note = (why: string, what: string) => void;

/** A change that was done, with its person as the run has left it, and what the answers have made of it. */
interface Made<C = AccountChange | EntitlementChange> {
	change: C;
	person: Person;
	kind: Kind;
	result: ProvisioningResult;
}

/**
 * Makes the changes that take back a run: of each that was done the same with before and after swapped, and the memberships
 * that a deactivation has taken along. Whoever was created is deactivated.
 * @returns them, and in whole sentences what is not taken back
 */
export function undoOf(
	changes: readonly Change[],
	applied: readonly AppliedPart[],
	rules: UndoRules,
): { changes: Change[]; notes: string[] } {
	const notes = new Map<string, string[]>();
	const note: Note = (why, what) => addTo(notes, why, what);
	const made = madeIn(changes, applied, note);
	const isFinal = ({ kind }: Made) =>
		kind === 'deleted' || (kind === 'deactivated' && rules.profile.deactivation === 'removes');
	const final = made.filter(isFinal);
	for (const { person } of final) note('Deleted, which cannot be undone', nameOf(person));
	const gone = new Set(final.map(({ person }) => person.key));
	const left = made.filter(({ person: { id, key } }) => id !== undefined && !gone.has(key));
	const accounts = left.filter(isOfAccount).map((one) => ({ one, back: undone(one, rules, note) }));
	const returning = accounts.filter(({ back }) => back && kindOf(back) === 'activated');
	const back = new Set(returning.map(({ one }) => one.person.key));
	const own = left.filter(isOfAccess).map(swapped);
	const known = new Set(
		own.flatMap(({ person, after }) => after.map((one) => placeOf(person, one))),
	);
	const along = returning.flatMap(({ one }) => takenAlong(one, rules, note));
	const shut = shutIn(changes, applied);
	const access = [
		...own,
		...along.filter(({ person, after }) => !after.some((one) => known.has(placeOf(person, one)))),
	].filter(({ person, after }) => {
		const isShut = after.length > 0 && shut.has(person.key) && !back.has(person.key);
		if (isShut) note('May be locked out by the run, so no access is given back', nameOf(person));
		return !isShut;
	});
	// Who was let in by somebody else since then is not given the old access.
	const rest: Precondition = { on: 'inactive' };
	const isBack = ({ person, after }: EntitlementChange) => back.has(person.key) && after.length > 0;
	return {
		changes: [
			...accounts.flatMap((account) => account.back ?? []),
			...access.map((one) => (isBack(one) ? { ...one, restsOn: [...one.restsOn, rest] } : one)),
		],
		notes: [...notes].map(([why, what]) => `${why}: ${[...new Set(what)].join('; ')}.`),
	};
}

/** The changes that were done. Of a new user the ID was not known before, and others may have got another name. */
function madeIn(changes: readonly Change[], applied: readonly AppliedPart[], note: Note): Made[] {
	const parts = new Map<string, AppliedPart[]>();
	for (const part of applied) if (part.step !== undefined) addTo(parts, part.change ?? '', part);
	const people = new Map<string, Person>();
	const made = changes.flatMap((change): Made[] => {
		const own = parts.get(change.key) ?? [];
		const done = own.find((part) => statusOf(part) === 'done');
		const isUntold = own.some((part) => statusOf(part) === 'unverified');
		if (isUntold) note('Not confirmed by the service, so not undone', change.action);
		if (isUntold || done === undefined || change.about === 'group') return [];
		const { result = {} } = done;
		const { person } = change;
		const known = people.get(person.key) ?? person;
		const { id = known.id, userName } = nameIn(result);
		// What a membership is told of may be the name from before an update.
		const name = change.about === 'account' ? userName : (known.userName ?? userName);
		people.set(person.key, { key: id ?? known.key, id, userName: name ?? known.userName });
		// Some services keep whom they delete.
		const kind = result.who?.kind === 'kept' ? 'deactivated' : kindOf(change);
		return [{ change, person, kind, result }];
	});
	return made.map((one) => ({ ...one, person: people.get(one.person.key) ?? one.person }));
}

/** What has become of a change alone: an account that was shut is, whatever else is left of the person. */
function statusOf({ alone, outcome }: AppliedPart) {
	return alone ?? outcome.status;
}

/** The people whom the run has locked out, as far as it can tell. */
function shutIn(changes: readonly Change[], applied: readonly AppliedPart[]): Set<string> {
	const sent = new Set(
		applied.flatMap(({ change, outcome: { status } }) =>
			status === 'done' || status === 'unverified' ? (change ?? []) : [],
		),
	);
	const shut = changes.filter(({ key }) => sent.has(key));
	return new Set(shut.flatMap((change) => personLosingAccount(change)?.key ?? []));
}

function isOfAccount(one: Made): one is Made<AccountChange> {
	return one.change.about === 'account';
}

function isOfAccess(one: Made): one is Made<EntitlementChange> {
	return one.change.about === 'entitlement';
}

const UNDOES = 'undo: ';

function baseOf({ change: { action, restsOn }, person }: Made) {
	const isUndo = action.startsWith(UNDOES);
	const undoes = isUndo ? action.slice(UNDOES.length) : `${UNDOES}${action}`;
	const ends = restsOn.flatMap(turned);
	return { person, action: undoes, items: [0], warnings: [], why: '', restsOn: ends };
}

/** The end of a row is kept for the undo of an undo, which gives again what the row wanted. */
function turned(rest: Precondition): Precondition[] {
	if (rest.on === 'until') return [{ ...rest, on: 'untilAgain' }];
	return rest.on === 'untilAgain' ? [{ ...rest, on: 'until' }] : [];
}

function placeOf({ key }: Person, held: { key: string }): string {
	return `${key}${JOINT}${held.key}`;
}

function swapped(one: Made<EntitlementChange>): EntitlementChange {
	const { about, key, before, after } = one.change;
	return { ...baseOf(one), about, key, before: after, after: before };
}

/** Why an account stays open or shut as the run has left it. */
function whyStays({ change, kind, result }: Made<AccountChange>, { profile, before }: UndoRules) {
	if (kind === 'updated' || (kind === 'created' && change.after === 'inactive')) return undefined;
	if (['there', 'unknown'].includes(before(change).account))
		return 'Not known to be active or inactive before, so the account stays';
	if (result.mayBeOld === true) return 'May have been there before the run, so the account stays';
	return profile.deactivation === 'removes'
		? 'A deactivation would remove the account on this service, so it stays'
		: undefined;
}

/** What takes back a change of an account; undefined where that is not known, or nobody can. */
function undone(one: Made<AccountChange>, rules: UndoRules, note: Note): AccountChange | undefined {
	const { change, person, kind, result } = one;
	const stays = whyStays(one, rules);
	if (stays !== undefined) note(stays, nameOf(person));
	const user = userIn(result);
	// A new user may have been shown by the answer to its creation alone.
	const is = change.before === 'absent' && user !== undefined ? rules.identityOf(user) : '';
	const base = baseOf(one);
	const restsOn: Precondition[] = [
		...base.restsOn,
		...(is === '' ? [] : [{ on: 'identity' as const, is }]),
	];
	const own = { ...base, about: 'account' as const, restsOn };
	if (change.attributes === undefined || change.before === 'absent') {
		const [verb, before, after] = kind === 'deactivated' ? OPENS : SHUTS;
		const isSo =
			kind === 'deactivated' ? rules.before(change).account !== after : change.after === after;
		return stays !== undefined || isSo
			? undefined
			: { ...own, key: accountKey(verb, person), before, after };
	}
	const unknown: string[] = [];
	const shownOf = (shown?: User) =>
		shown && (wasOf(change.attributes ?? {}, shown.attributes).was ?? {});
	const values = { old: shownOf(rules.before(change).user), now: shownOf(user) };
	const hadNone = (path: string) => rules.hadNone(change, path);
	const { wanted, left } = restored(change.attributes, values, hadNone, unknown);
	if (stays !== undefined) delete wanted.active;
	if (unknown.length > 0)
		note('Not known as it was before, so it stays', `${unknown.join(', ')} of ${nameOf(person)}`);
	if (Object.keys(wanted).length === 0) return undefined;
	const before = change.after;
	const after = wanted.active === undefined ? before : wanted.active ? 'active' : 'inactive';
	return {
		...own,
		key: accountKey('update', person),
		before,
		after,
		attributes: wanted,
		was: left,
		restsOn: [...restsOn, { on: 'attributes', are: left }],
	};
}

const OPENS = ['activate', 'inactive', 'active'] as const;
const SHUTS = ['deactivate', 'active', 'inactive'] as const;

/**
 * Returns the old values of what an update has set, and those that it has left, both as users show them.
 * @param unknown gets the names of what is not known as it was: it must not be cleared
 */
function restored(
	given: Attributes,
	{ old, now }: { old: unknown; now: unknown },
	hadNone: (path: string) => boolean,
	unknown: string[],
	outer = '',
): { wanted: Attributes; left: Attributes } {
	const [wanted, left]: [Attributes, Attributes] = [{}, {}];
	for (const [name, value] of Object.entries(given)) {
		const path = `${outer}${name}`;
		const [was, is] = [old, now].map((user) => shownLike(value, attribute(user, name)));
		const isNone = isNothing(isReference(value) ? value.value : value) && is === undefined;
		if (was === undefined ? isNone && now !== undefined : isDeepEqual(was, is)) continue;
		if (isObject(value) && !isReference(value) && (isObject(was) || isObject(is))) {
			const parts = { old: was, now: is };
			const inner = restored(value, parts, hadNone, unknown, `${path}${JOINT}`);
			if (Object.keys(inner.wanted).length === 0) continue;
			[wanted[name], left[name]] = [inner.wanted, inner.left];
			continue;
		}
		const isTold =
			was === undefined ? hadNone(path) : name !== 'active' || readBoolean(was) !== undefined;
		// No plan holds a secret.
		const isSecret = secretNamesIn({ [name]: [value, was, is] }).length > 0;
		if (!isTold || (is === undefined && !isNone) || isSecret)
			unknown.push(path.replaceAll(JOINT, '.'));
		else
			[wanted[name], left[name]] = [
				name === 'active' ? readBoolean(was) : (was ?? null),
				is ?? null,
			];
	}
	return { wanted, left };
}

/** Tells whether a value is an object with a value alone, such as a manager: it comes and goes as a whole. */
function isReference(value: unknown): value is { value: unknown } {
	return isObject(value) && Object.keys(value).join() === 'value';
}

/** What is shown of such an object, which some services show as its value alone. */
function shownLike(given: unknown, shown: unknown): unknown {
	if (!isReference(given) || Array.isArray(shown)) return shown;
	const value = isObject(shown) ? attribute(shown, 'value') : shown;
	return value === undefined || value === null ? undefined : { value };
}

/** Between the names of a path, from the outside. */
export const JOINT = '\n';

/** Returns the paths of what a user does not show of attributes. */
export function pathsLacking(attributes: Attributes, user: User): string[] {
	const lackingIn = (given: Attributes, shown: unknown, outer: string): string[] =>
		Object.entries(given).flatMap(([name, value]) => {
			const is = attribute(shown, name);
			if (isObject(value)) return lackingIn(value, is, `${outer}${name}${JOINT}`);
			return is === undefined ? [`${outer}${name}`] : [];
		});
	return lackingIn(attributes, wasOf(attributes, user.attributes).was, '');
}

function isNothing(value: unknown): boolean {
	return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** All memberships that a deactivation takes along. */
function takenAlong(
	one: Made<AccountChange>,
	{ access, profile }: UndoRules,
	note: Note,
): EntitlementChange[] {
	const { person } = one;
	if (profile.deactivation !== 'drops') return [];
	if (person.id === undefined || access?.everyGroup(person.id).told !== 'all') {
		note('Not known in which groups they were before, so none is given', nameOf(person));
		return [];
	}
	return membershipsOf(access, person.id).map((membership) => ({
		...{ ...baseOf(one), about: 'entitlement', before: [], after: [membership] },
		key: entitlementKey(person, membership.key),
	}));
}

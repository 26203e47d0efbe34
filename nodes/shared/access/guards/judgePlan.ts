import { findValues, notTold, valuesOf, type User } from '../../scim';
import { cachedPerObject, type Attempt, InputError } from '../../util';
import { AbsentError, type Access } from '../facts';
import {
	accountOf,
	gained,
	heldValue,
	isValue,
	kindOf,
	lost,
	nameOf,
	type Entitlement,
	type EntitlementChange,
	type Person,
	type Source,
} from '../changes';
import { judge, type Case } from './judge';
import { groupFault } from './places';
import { heldIn, sourceOf, unknownAccess, whyEnded, type HeldNow } from './preconditions';
import {
	comesAlong,
	faultOf,
	gives,
	heldAt,
	isOfAccess,
	isOfAccount,
	keysOf,
	knowsTaken,
	newNameOf,
	organizationOf,
	stale,
	TAKES,
	type PersonChange,
	type PersonOfPlan,
	type PlanRules,
} from './samePerson';

/** What has become of a change of an approved plan. */
export type Ruling =
	/** It may be made; `left` is what its place still lacks. */
	| { is: 'open'; left: PersonChange }
	/** Its place is as it makes it, or the user is gone. */
	| { is: 'made'; reason?: string }
	/** Nothing of the person is as planned, or this change must not be made. */
	| { is: 'stale' | 'refused'; error: unknown }
	| { is: 'skipped'; reason: string };

/** What all changes of a person may come to. */
type SameForAll = Exclude<Ruling, { is: 'open' }>;

/** Rulings on all changes of a plan; one person may depend on the changes of another. */
export interface PlanRulings {
	/** A person without a change. */
	ofUnchanged(one: PersonOfPlan): SameForAll;
	of(change: PersonChange, one: PersonOfPlan): Ruling;
}

/**
 * Judges an approved plan by what its places show now: a change that is made already, one that is open, and one that is
 * stale: then nothing is done for its person, nor for a person whose changes wait for it.
 */
export function judgePlan(people: readonly PersonOfPlan[], rules: PlanRules): PlanRulings {
	const faults = new Map(people.map((one) => [one, one.fault ?? faultOf(one, rules)]));
	const ownerOf = new Map(
		people.flatMap((one) => one.changes.map(({ key }) => [key, one] as const)),
	);
	const lacking = new Map<PersonOfPlan, boolean>();

	/** Whether something cannot be given that the person is to have; every removal asks for it. */
	const lacksGain = (one: PersonOfPlan): boolean => {
		const known = lacking.get(one);
		if (known !== undefined) return known;
		const is = one.changes.some((change) => gives(change) && cannotBe(change, one, rules));
		lacking.set(one, is);
		return is;
	};

	/** Rule "what a change waits for": a person whose changes come first and cannot all be made, be it for the sake of others. */
	const brokenBefore = (one: PersonOfPlan, seen: Set<PersonOfPlan>): string | undefined => {
		seen.add(one);
		for (const rest of one.changes.flatMap(({ restsOn }) => restsOn)) {
			const first = rest.on === 'change' ? ownerOf.get(rest.key) : one;
			if (first === undefined) return 'another person';
			if (seen.has(first)) continue;
			const isBroken =
				faults.get(first) !== undefined ||
				lacksGain(first) ||
				brokenBefore(first, seen) !== undefined;
			if (isBroken) return nameOf(first.person);
		}
		return undefined;
	};

	/** All changes of a person, where they come to the same. */
	const ofAll = cachedPerObject((one: PersonOfPlan): SameForAll | undefined => {
		const error = faults.get(one);
		if (error !== undefined) return { is: 'stale', error };
		const broken = brokenBefore(one, new Set());
		if (broken !== undefined)
			return {
				is: 'skipped',
				reason: `the changes of ${broken}, which come first, cannot be made`,
			};
		const isGone = one.kind === 'absent' && !one.changes.some(({ before }) => before === 'absent');
		return isGone ? { is: 'made', reason: 'the user is gone' } : undefined;
	});

	return {
		ofUnchanged(one) {
			const ruling = ofAll(one);
			if (ruling !== undefined) return ruling;
			const error = notEnded(one);
			return error === undefined ? { is: 'made' } : { is: 'refused', error };
		},

		of(change, one) {
			const leftOut = rules.leftOut.get(change.key);
			// What was not approved is skipped, whatever has become of the person.
			if (leftOut !== undefined) return { is: 'skipped', reason: leftOut };
			const forAll = ofAll(one);
			if (forAll !== undefined) return forAll;
			const fault = changedGroup(change, one, rules);
			if (fault !== undefined) return { is: 'refused', error: fault };
			if (isMade(change, one, rules)) return { is: 'made' };
			const ended = whyEnded(change);
			if (ended !== undefined) return { is: 'skipped', reason: ended };
			const since = letInSince(change, one);
			if (since !== undefined) return { is: 'refused', error: since };
			const kind = kindOf(change);
			if ((kind === 'created' || kind === 'activated') && isForNothing(change, one, rules))
				return { is: 'skipped', reason: 'the access that it is for cannot be given' };
			if (TAKES.has(kind) && lacksGain(one)) return { is: 'skipped', reason: NOT_GIVEN };
			const refusal = refusalOf(change, one, rules);
			if (refusal !== undefined) return { is: 'refused', error: refusal.error };
			// A move that was cut off is completed.
			const isMove = isOfAccess(change) && organizationOf(change, rules) !== undefined;
			const left = isMove ? { ...change, before: heldAt(change, one.person, rules) } : change;
			return { is: 'open', left };
		},
	};
}

/** Why nothing is taken from a person who is to get something else instead. */
export const NOT_GIVEN = 'the replacement cannot be granted';

/** A leaver without a change, who had left when the plan was made or could not be planned. */
function notEnded({ person, user }: PersonOfPlan): InputError | undefined {
	if (user?.active !== true) return undefined;
	return new InputError(
		`${nameOf(person)} is active, and the plan does not change that`,
		'Make a new plan. Nothing was sent for this person.',
	);
}

function isMade(change: PersonChange, { kind, person, user }: PersonOfPlan, rules: PlanRules) {
	if (isOfAccount(change)) {
		if (change.before === 'absent') return kind === 'found';
		return change.attributes === undefined && accountOf(user) === change.after;
	}
	const { after } = change;
	const [value] = [...after, ...change.before];
	if (isValue(value)) {
		if (user === undefined) return false;
		const isThere = findValues(valuesOf(user, rules.profile), value).length > 0;
		if (isThere || after.length > 0) return isThere === after.length > 0;
		return rules.everyValue?.(user, value.attribute).told !== 'nothing';
	}
	const now = keysOf(heldAt(change, person, rules));
	const isAsAfter = now.size === after.length && after.every(({ key }) => now.has(key));
	return isAsAfter && (after.length > 0 || knowsTaken(change, person, rules));
}

function cannotBe(change: PersonChange, one: PersonOfPlan, rules: PlanRules): boolean {
	const why =
		changedGroup(change, one, rules) ?? letInSince(change, one) ?? refusalOf(change, one, rules);
	return why !== undefined && !isMade(change, one, rules);
}

/** Who was let in by somebody else since then is not given what was to come with that. */
function letInSince(change: PersonChange, { person, user }: PersonOfPlan): InputError | undefined {
	return comesAlong(change) && accountOf(user) === 'active'
		? stale(`${nameOf(person)} is active, but was inactive`)
		: undefined;
}

/** Whether an account is made or activated for what cannot be given to it. */
function isForNothing(change: PersonChange, one: PersonOfPlan, rules: PlanRules): boolean {
	const gains = one.changes.filter((own) => gives(own) && !comesAlong(own));
	return (
		isOfAccount(change) &&
		gains.length > 0 &&
		gains.every((gain) => whyEnded(gain) !== undefined || cannotBe(gain, one, rules))
	);
}

function refusalOf(
	change: PersonChange,
	one: PersonOfPlan,
	rules: PlanRules,
): ReturnType<typeof judge> {
	const { person, user, changes } = one;
	const { leftOut } = rules;
	const names = newNameOf(change).map((userName) => ({ key: userName, userName }));
	const comesBack = changes.some((own) => !leftOut.has(own.key) && kindOf(own) === 'activated');
	const read = rules.account(person.id ?? '') ?? (user && { ok: true as const, value: user });
	const isAccess = isOfAccess(change);
	const copied = copiedBy(change, one, rules);
	const organization = isAccess ? organizationOf(change, rules) : undefined;
	return judge(
		{
			...{ moment: 'apply', person, otherNames: names, isLetIn: comesBack },
			there: isAccess ? thereNow(change, person, user, rules) : [],
			gives: isAccess ? gained(change) : [],
			takes: isAccess ? lost(change) : [],
			...(organization !== undefined && { organization }),
			...(read && { read }),
			...(copied && { copied }),
			takesValue: (value) =>
				changes.filter(isOfAccess).some((own) => {
					const taken = lost(own).filter(isValue);
					return (
						!leftOut.has(own.key) && taken.some((each) => findValues([value], each).length > 0)
					);
				}),
		},
		rules,
	);
}

/** What a change copies of another account, as it is now; an account that the plan creates is told by its proof. */
function copiedBy(
	change: PersonChange,
	{ user, changes }: PersonOfPlan,
	{ access, account }: PlanRules,
): Case['copied'] {
	const source = sourceOf(change);
	if (source === undefined) return undefined;
	const read = account(source.id);
	const isCreated = changes.some(({ before }) => before === 'absent');
	const from = heldBy(source, read, access);
	const to = user === undefined || isCreated ? undefined : heldIn(user, access);
	return { source, from, ...(to && { to }) };
}

function heldBy(
	{ id, userName }: Source,
	read: Attempt<User> | undefined,
	access: Access,
): Attempt<HeldNow | undefined> {
	if (read === undefined)
		return { ok: false, error: unknownAccess(userName, notTold('the user was not read')) };
	if (!read.ok) return read.error instanceof AbsentError ? { ok: true, value: undefined } : read;
	const told = access.everyGroup(id);
	if (told.told !== 'nothing') return { ok: true, value: heldIn(read.value, access) };
	return { ok: false, error: unknownAccess(userName, told) };
}

/** What the person has now in the place of a change of access. */
function thereNow(
	change: EntitlementChange,
	person: Person,
	user: User | undefined,
	rules: PlanRules,
): readonly Entitlement[] {
	const [one] = [...change.after, ...change.before];
	if (!isValue(one)) return heldAt(change, person, rules);
	return user === undefined ? [] : findValues(valuesOf(user, rules.profile), one).map(heldValue);
}

function changedGroup(
	change: PersonChange,
	{ person }: PersonOfPlan,
	rules: PlanRules,
): InputError | undefined {
	if (!isOfAccess(change)) return undefined;
	const given = gained(change);
	const meant = given.length > 0 ? given : lost(change);
	return meant.map((one) => groupFault(one, person, rules)).find(Boolean);
}

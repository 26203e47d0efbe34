import { failureOf, type Outcome } from '../../run';
import { findValues, valuesOf } from '../../scim';
import { InputError, nameKey } from '../../util';
import type { Membership } from '../facts';
import {
	accountOf,
	activityShown,
	untoldActivity,
	gained,
	isGain,
	isValue,
	kindOf,
	lost,
	nameOf,
	type AccountChange,
	type Member,
	conflictingRoles,
	fixedMembership,
	hiddenMembers,
	protectedPerson,
	unknownGroup,
	inactivePerson,
	planUpdates,
	whoIs,
	type Settled,
} from '../changes';
import type { Plan, PlannedChange } from './sealedPlan';
import {
	faultOf,
	gives,
	heldAt,
	isOfAccess,
	isOfAccount,
	isUpdate,
	keysOf,
	knowsTaken,
	newNameOf,
	organizationOf,
	TAKES,
	type Entry,
	type PersonChange,
	type PlanRules,
} from './stale';

/** What is left of a plan. */
export interface OpenChanges {
	changes: PersonChange[];
	/** Those that are made already, and that cannot be made any more: all of them are settled. */
	withheld: PersonChange[];
	settled: Settled[];
	/** All people of the plan who are there. */
	people: Member[];
}

/**
 * What is left of an approved plan: each change by what its place shows now. As it is to be: made. As it was: open. Neither:
 * stale, and then nothing is done for the person; so it is where what a change rests on is another. What cannot be seen is
 * not stale: what gives goes on, what takes fails.
 * @param item the input item with the plan
 */
export function openChanges(
	{ changes, people = [] }: Pick<Plan, 'changes' | 'people'>,
	item: number,
	rules: PlanRules,
): OpenChanges {
	const made: OpenChanges = { changes: [], withheld: [], settled: [], people: [] };
	const entries = entriesOf(changes, people, rules);
	const byChange = new Map<string, Entry>();
	for (const entry of entries) {
		entry.fault ??= faultOf(entry, rules);
		if (entry.kind === 'found') made.people.push(entry.person);
		for (const { key } of entry.changes) byChange.set(key, entry);
	}
	for (const entry of entries) {
		const ofAll = outcomeOfAll(entry, byChange, rules);
		if (entry.changes.length === 0) {
			const action = `change the access of ${nameOf(entry.person)}`;
			const isActive = entry.user?.active === true;
			const outcome =
				ofAll?.(action) ??
				(isActive ? failureOf(action, notEnded(entry)) : { status: 'unchanged' as const, action });
			made.settled.push(settledOf(undefined, outcome, entry, item, rules));
		}
		for (const planned of entry.changes) {
			const change = withPerson(planned, entry, item, rules);
			const fate =
				leftOutOf(change, rules) ?? ofAll?.(change.action) ?? fateOf(change, entry, rules);
			if ('about' in fate) made.changes.push(fate);
			else {
				made.withheld.push(change);
				made.settled.push(settledOf(change, fate, entry, item, rules));
			}
		}
	}
	return made;
}

/** Of a leaver without a change, who had left when the plan was made or could not be planned. */
function notEnded({ person }: Entry): InputError {
	return new InputError(
		`${nameOf(person)} is active, and the plan does not change that`,
		'Make a new plan. Nothing was sent for this person.',
	);
}

function entriesOf(
	changes: readonly PlannedChange[],
	people: NonNullable<Plan['people']>,
	rules: PlanRules,
): Entry[] {
	const entries = new Map<string, Entry>();
	const entryOf = (who: Member): Entry => {
		const present = rules.present(who);
		const key = present.kind === 'found' ? present.person.key : who.key;
		const entry: Entry = entries.get(key) ?? {
			kind: present.kind,
			// Protection goes by what the service shows, which a plan need not say.
			person: { ...who, key, ...(present.kind === 'found' && present.person) },
			...(present.kind === 'found' && present.user && { user: present.user }),
			...(present.kind === 'unknown' && { fault: present.error }),
			changes: [],
		};
		entries.set(key, entry);
		return entry;
	};
	for (const change of changes) entryOf(change.person).changes.push(change);
	for (const { id, userName } of people) {
		entryOf({
			key: id ?? nameKey(userName ?? ''),
			...(id !== null && { id }),
			...(userName !== null && { userName }),
		});
	}
	return [...entries.values()];
}

/** What all changes of a person come to, if they come to the same. */
function outcomeOfAll(
	entry: Entry,
	byChange: ReadonlyMap<string, Entry>,
	rules: PlanRules,
): ((action: string) => Outcome) | undefined {
	const { kind, changes, fault } = entry;
	if (fault !== undefined) return (action) => failureOf(action, fault);
	const broken = brokenBefore(entry, byChange, rules, new Set());
	if (broken !== undefined) {
		const reason = `the changes of ${broken}, which come first, cannot be made`;
		return (action) => ({ status: 'skipped', action, reason });
	}
	const isGone = kind === 'absent' && !changes.some(({ before }) => before === 'absent');
	const reason = 'the user is gone';
	return isGone ? (action) => ({ status: 'unchanged', action, reason }) : undefined;
}

/** A person whose changes come first and cannot all be made, be it for the sake of others. */
function brokenBefore(
	entry: Entry,
	byChange: ReadonlyMap<string, Entry>,
	rules: PlanRules,
	seen: Set<Entry>,
): string | undefined {
	seen.add(entry);
	for (const rest of entry.changes.flatMap(({ restsOn }) => restsOn)) {
		const first = rest.on === 'change' ? byChange.get(rest.key) : entry;
		if (first === undefined) return 'another person';
		if (seen.has(first)) continue;
		const isBroken =
			first.fault !== undefined ||
			lacksGain(first, rules) ||
			brokenBefore(first, byChange, rules, seen) !== undefined;
		if (isBroken) return nameOf(first.person);
	}
	return undefined;
}

/** The change for who is there now. */
function withPerson(
	planned: PlannedChange,
	{ person, user }: Entry,
	item: number,
	{ access }: PlanRules,
): PersonChange {
	const change: PersonChange = { ...planned, person, items: [item] };
	if (isOfAccess(change) && user) change.evidence = { user, readAt: access.readAt };
	return change;
}

function leftOutOf({ key, action }: PersonChange, { leftOut }: PlanRules): Outcome | undefined {
	const reason = leftOut.get(key);
	return reason === undefined ? undefined : { status: 'skipped', action, reason };
}

/** What is left of a change, or why nothing is. */
function fateOf(change: PersonChange, entry: Entry, rules: PlanRules): PersonChange | Outcome {
	const { action } = change;
	const fault = groupFault(change, entry, rules);
	if (fault !== undefined) return failureOf(action, fault);
	if (isMade(change, entry, rules)) return { status: 'unchanged', action };
	const kind = kindOf(change);
	if ((kind === 'created' || kind === 'activated') && isForNothing(change, entry, rules))
		return { status: 'skipped', action, reason: 'the access that it is for cannot be given' };
	if (TAKES.has(kind) && lacksGain(entry, rules))
		return { status: 'skipped', action, reason: 'the replacement cannot be granted' };
	const refusal = refusalOf(change, entry, rules);
	if (refusal !== undefined) return failureOf(action, refusal);
	if (isUpdate(change)) return leftOfUpdate(change, entry, rules);
	// A move that was cut off is completed.
	return isOfAccess(change) && organizationOf(change, rules) !== undefined
		? { ...change, before: heldAt(change, entry.person, rules) }
		: change;
}

function isMade(change: PersonChange, { kind, person, user }: Entry, rules: PlanRules): boolean {
	if (isOfAccount(change)) {
		if (change.before === 'absent') return kind === 'found';
		return change.attributes === undefined && accountOf(user) === change.after;
	}
	const { after } = change;
	const [value] = [...after, ...change.before];
	if (isValue(value)) {
		if (user === undefined) return false;
		return findValues(valuesOf(user, rules.profile), value).length > 0 === after.length > 0;
	}
	const now = keysOf(heldAt(change, person, rules));
	const isAsAfter = now.size === after.length && after.every(({ key }) => now.has(key));
	return isAsAfter && (after.length > 0 || knowsTaken(change, person, rules));
}

/** Whether something cannot be given that the person is to have. */
function lacksGain(entry: Entry, rules: PlanRules): boolean {
	// Once: every removal asks for it.
	entry.lacksGain ??= entry.changes.some(
		(change) => gives(change) && cannotBe(change, entry, rules),
	);
	return entry.lacksGain;
}

function cannotBe(change: PersonChange, entry: Entry, rules: PlanRules): boolean {
	const isRefused = groupFault(change, entry, rules) ?? refusalOf(change, entry, rules);
	return isRefused !== undefined && !isMade(change, entry, rules);
}

/** An account is made or activated for what can be given to it. */
function isForNothing(change: PersonChange, entry: Entry, rules: PlanRules): boolean {
	const gains = entry.changes.filter(gives);
	return (
		isOfAccount(change) && gains.length > 0 && gains.every((one) => cannotBe(one, entry, rules))
	);
}

/** Why something that is open must not be made. */
function refusalOf(
	change: PersonChange,
	{ person, user, changes }: Entry,
	rules: PlanRules,
): unknown {
	const { access, profile, isProtected, label, leftOut } = rules;
	const who = nameOf(person);
	const names = newNameOf(change).map((userName) => ({ key: userName, userName }));
	if ([person, ...names].some(isProtected)) return protectedPerson(who);
	if (!isOfAccess(change)) return undefined;
	const organization = organizationOf(change, rules);
	const now = heldAt(change, person, rules);
	if (organization !== undefined && profile.addMovesWithinOrganization && now.length > 1)
		return conflictingRoles(who, organization);
	const [value] = [...change.after, ...change.before];
	if (isValue(value) && user === undefined) return unknownValue(who, value.attribute);
	const comesBack = changes.some(
		({ key, change: own }) => !leftOut.has(key) && own === 'activated',
	);
	const shown = person.id === undefined ? undefined : rules.account(person.id);
	if (gives(change) && isGain(change) && !comesBack) {
		if (shown?.ok === false) return shown.error;
		const activity = activityShown({ person, ...(user && { user }) }, rules);
		if (activity === 'inactive') return inactivePerson(who);
		if (activity === 'not told') return untoldActivity(who);
	}
	const isFixed = profile.inactiveRefusesGroupChanges && user?.active === false && !comesBack;
	for (const one of lost(change)) {
		if (isValue(one)) continue;
		const isHeld = now.some(({ key }) => key === one.key);
		const told = access.membership(person.id ?? '', one.groupId);
		if (!isHeld && told.told === 'nothing') return hiddenMembers(one.groupId, told);
		if (isHeld && isFixed) return fixedMembership(who, label(one.groupId));
	}
	return undefined;
}

/** A group that there is not, is called otherwise now, or stands for something else; or an attribute that is none of access. */
function groupFault(
	change: PersonChange,
	{ person }: Entry,
	rules: PlanRules,
): InputError | undefined {
	if (!isOfAccess(change)) return undefined;
	const { access, profile } = rules;
	const given = gained(change);
	for (const one of given.length > 0 ? given : lost(change)) {
		if (isValue(one)) {
			if (profile.accessAttributes.includes(one.attribute)) continue;
			return new InputError(
				`${one.attribute} is not one of the Access Attributes in the credential`,
				'Nothing was sent for it. Make a new plan and get it approved.',
			);
		}
		const { key, groupId, displayName } = one;
		const group = access.groups.get(key);
		if (group === undefined) {
			if (access.held.get(person.id ?? '')?.has(key)) continue;
			return unknownGroup(groupId, rules);
		}
		const isNamed = group.displayName === displayName;
		const [now, before] = [placeText(access.placeOf(group.id)), placeText(one)];
		if (isNamed && now === before) continue;
		return new InputError(
			isNamed
				? `The group "${group.displayName}" stands for ${now}, but stood for ${before} when this was planned`
				: `The group ${group.id} is named "${group.displayName}", but was named "${displayName}" when this was planned`,
			'Nothing was sent for this group. Make a new plan and get it approved.',
		);
	}
	return undefined;
}

/** The attributes that are not so yet. */
function leftOfUpdate(
	change: AccountChange,
	{ person, user }: Entry,
	rules: PlanRules,
): AccountChange | Outcome {
	const { attributes: given = {}, warnings } = change;
	const wanted = { item: 0, person, attributes: given, warnings };
	const { changes, settled } = planUpdates([{ ...wanted, ...(user && { user }) }], rules);
	const [made] = changes.filter((one) => one.about === 'account');
	if (made === undefined) return settled[0].outcome;
	const { before, after, attributes, was, lost: taken } = made;
	return { ...change, before, after, attributes, was, ...(taken && { lost: taken }) };
}

/** All changes of a plan that was declined: nothing is read for them. @param item the input item with the plan */
export function declined({ changes }: Pick<Plan, 'changes'>, item: number): Settled[] {
	return changes.map((change) => {
		const outcome = { status: 'skipped' as const, action: change.action, reason: 'declined' };
		const entry: Entry = { kind: 'unknown', person: change.person, changes: [] };
		return settledOf(change, outcome, entry, item);
	});
}

function settledOf(
	change: PersonChange | undefined,
	outcome: Outcome,
	{ kind, person, user }: Entry,
	item: number,
	rules?: PlanRules,
): Settled {
	const isGone = kind === 'absent' && outcome.status === 'unchanged';
	const [one] = change?.about === 'entitlement' ? [...gained(change), ...lost(change)] : [];
	const group = one && rules?.access.groups.get(one.key);
	return {
		...{ item, subject: person.key, outcome },
		...(change && { change: change.key }),
		result: {
			who: isGone ? { kind: 'gone', person } : whoIs(person, user),
			intent: change === undefined ? 'none' : kindOf(change),
			...(group && { group }),
			...(one && isValue(one) && { value: one }),
		},
	};
}

function unknownValue(who: string, attributeName: string): InputError {
	return new InputError(
		`The ${attributeName} of ${who} could not be read`,
		'Nothing was sent for it. Check the user at the service, and run again.',
	);
}

function placeText({ organization, role }: Partial<Membership> = {}): string {
	return organization === undefined ? 'no organization' : `${role ?? 'no role'} in ${organization}`;
}

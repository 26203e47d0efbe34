import { failureOf, type Outcome } from '../../run';
import { nameKey } from '../../util';
import {
	gained,
	isValue,
	kindOf,
	lost,
	nameOf,
	newManagerIn,
	withManager,
	type Member,
	whoIs,
	type Settled,
} from '../changes';
import {
	isOfAccess,
	isUpdate,
	judgePlan,
	type PersonChange,
	type PersonOfPlan,
	type PlanRules,
	type Ruling,
} from '../guards';
import { planUpdates } from './planUsers';
import type { Plan, PlannedChange } from './sealedPlan';

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
	const persons = personsOf(changes, people, rules);
	const rulings = judgePlan(persons, rules);
	for (const one of persons) {
		const { kind, person } = one;
		if (kind === 'found') made.people.push(person);
		if (one.changes.length === 0) {
			const outcome = outcomeOf(rulings.ofUnchanged(one), `change the access of ${nameOf(person)}`);
			made.settled.push(settledOf(undefined, outcome, one, item, rules));
		}
		for (const planned of one.changes) {
			const change = withPerson(planned, one, item, rules);
			const ruling = rulings.of(change, one);
			const fate =
				ruling.is === 'open' ? leftOf(ruling.left, one, rules) : outcomeOf(ruling, change.action);
			if ('about' in fate) made.changes.push(fate);
			else {
				made.withheld.push(change);
				made.settled.push(settledOf(change, fate, one, item, rules));
			}
		}
	}
	return made;
}

function personsOf(
	changes: readonly PlannedChange[],
	people: NonNullable<Plan['people']>,
	rules: PlanRules,
): PersonOfPlan[] {
	const persons = new Map<string, PersonOfPlan>();
	const personOf = (who: Member): PersonOfPlan => {
		const present = rules.present(who);
		const key = present.kind === 'found' ? present.person.key : who.key;
		const one: PersonOfPlan = persons.get(key) ?? {
			kind: present.kind,
			// Protection goes by what the service shows, which a plan need not say.
			person: { ...who, key, ...(present.kind === 'found' && present.person) },
			...(present.kind === 'found' && present.user && { user: present.user }),
			...(present.kind === 'unknown' && { fault: present.error }),
			changes: [],
		};
		persons.set(key, one);
		return one;
	};
	for (const change of changes) personOf(change.person).changes.push(change);
	for (const { id, userName } of people) {
		personOf({
			key: id ?? nameKey(userName ?? ''),
			...(id !== null && { id }),
			...(userName !== null && { userName }),
		});
	}
	return [...persons.values()];
}

/** The change for who is there now. */
function withPerson(
	planned: PersonChange,
	{ person, user }: PersonOfPlan,
	item: number,
	{ access, present }: PlanRules,
): PersonChange {
	const change: PersonChange = { ...planned, person, items: [item] };
	const userName = change.about === 'account' ? newManagerIn(change.attributes) : undefined;
	const manager = userName === undefined ? undefined : present({ userName });
	// Someone has created the manager since.
	if (manager?.kind === 'found' && change.about === 'account' && change.attributes)
		change.attributes = withManager(change.attributes, manager.person.id);
	if (isOfAccess(change) && user) change.evidence = { user, readAt: access.readAt };
	return change;
}

/** What is said of a change of which nothing is left to do. */
function outcomeOf(ruling: Exclude<Ruling, { is: 'open' }>, action: string): Outcome {
	switch (ruling.is) {
		case 'made':
			return { status: 'unchanged', action, ...(ruling.reason && { reason: ruling.reason }) };
		case 'skipped':
			return { status: 'skipped', action, reason: ruling.reason };
		default:
			return failureOf(action, ruling.error);
	}
}

/** What is left of an open change: of an update the attributes that are not so yet. */
function leftOf(
	change: PersonChange,
	{ person, user }: PersonOfPlan,
	rules: PlanRules,
): PersonChange | Outcome {
	if (!isUpdate(change)) return change;
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
		const entry: PersonOfPlan = { kind: 'unknown', person: change.person, changes: [] };
		return settledOf(change, outcome, entry, item);
	});
}

function settledOf(
	change: PersonChange | undefined,
	outcome: Outcome,
	{ kind, person, user }: PersonOfPlan,
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

import { failureOf } from '../run';
import { InputError, nameKey } from '../util';
import type { User } from '../scim';
import { assignmentsOf } from './access';
import type { AccessRules } from './planAccess';
import {
	deactivatedFirst,
	unlessMoreAccess,
	type AccessChange,
	type ScopeNames,
} from './planReconcile';
import { planRoles, type WantedRole } from './planRoles';
import { planActive, type WantedChange } from './planUsers';
import type { ProvisioningPlan } from './step';

/** A plan as it was approved, one item's. */
export interface ApprovedPlan {
	item: number;
	changes: readonly AccessChange[];
	scope: ScopeNames;
	reactivate: boolean;
}

/** Users whom the groups do not tell enough of, by id; undefined for one who is gone. */
export type ReadUsers = ReadonlyMap<string, User | undefined>;

/**
 * Plans the changes of an approved plan anew: requests are made from what they say, none is taken from the input. What
 * they touch has to be as it was when they were planned, or as they want it by now (a run that was cut off is then
 * completed); a plan of which anything else has changed is refused as a whole, with what it is.
 */
export function planFromChanges(
	approved: ApprovedPlan,
	users: ReadUsers,
	rules: AccessRules,
): ProvisioningPlan {
	const { item, changes } = approved;
	const byPerson = peopleOf(changes, users, rules);
	const differences = byPerson.flatMap((entry) => differencesOf(entry, users, rules));
	if (differences.length > 0) {
		const error = new InputError(
			`Nothing was sent: ${differences.length === 1 ? 'something has' : `${differences.length} things have`} changed since this was planned: ${differences.slice(0, 5).join('; ')}`,
			'Make a new plan and have it approved.',
		);
		const plan = planRoles([], false, rules);
		const outcome = failureOf('apply the plan', error);
		return { ...plan, settled: [{ item, subject: 'plan', outcome }] };
	}

	const wanted: WantedRole[] = [];
	const leavers: WantedChange[] = [];
	const comers: WantedChange[] = [];
	for (const { id, userName: planned, changes: own } of byPerson) {
		// Protection goes by what the service shows, which a plan need not say.
		const userName = planned ?? rules.access.names.get(id ?? '') ?? users.get(id ?? '')?.userName;
		const of = (...kinds: Array<AccessChange['kind']>) =>
			own.filter(({ kind }) => kinds.includes(kind));
		const hold = [
			...new Set(of('add', 'move').map((change) => groupOf(change, change.after, rules))),
		];
		if (id === undefined) {
			const attributes = of('create')[0]?.attributes ?? {};
			wanted.push({ kind: 'new', item, hold, userName: userName ?? '', attributes, warnings: [] });
			continue;
		}
		const person = { key: id, id, ...(userName !== undefined && { userName }) };
		const user = users.get(id);
		const leaves = of('deactivate').length > 0;
		const takenAlong = leaves && rules.profile.deactivationDropsMemberships;
		const drop = of('revoke')
			.map((change) => groupOf(change, change.before, rules))
			.filter((groupId) => rules.access.held.get(id)?.has(rules.ids.key(groupId)));
		if (hold.length + (takenAlong ? 0 : drop.length) > 0) {
			wanted.push({
				kind: 'known',
				item,
				person,
				hold,
				drop: takenAlong ? [] : drop,
				...(user && { user }),
			});
		}
		if (rules.isProtected(person)) continue;
		const member = rules.access.held.has(id);
		const flip = { item, label: userName ?? id, person, member, attributes: {}, warnings: [] };
		if (leaves) leavers.push({ ...flip, ...(user && { current: user }) });
		// With a role to give, it is the plan of the roles that activates.
		else if (of('activate').length > 0 && hold.length === 0)
			comers.push({ ...flip, ...(user && { current: user }) });
	}
	const roles = planRoles(wanted, approved.reactivate, rules);
	const coming = planActive(comers, true, rules.profile);
	const leaving = planActive(leavers, false, rules.profile);
	return {
		...roles,
		steps: [
			...coming.steps,
			...deactivatedFirst(
				roles.steps,
				leaving.steps.flatMap(({ parts }) => parts.map(({ subject }) => ({ id: subject }))),
			),
			...unlessMoreAccess(leaving.steps, rules),
		],
		settled: [...coming.settled, ...roles.settled, ...leaving.settled],
	};
}

/** All changes of one person. */
interface PersonChanges {
	/** Missing for somebody who is still to be created. */
	id?: string;
	userName?: string;
	changes: AccessChange[];
}

function peopleOf(
	changes: readonly AccessChange[],
	users: ReadUsers,
	{ access }: AccessRules,
): PersonChanges[] {
	const idByName = new Map<string, string>();
	for (const user of users.values()) {
		if (user !== undefined) idByName.set(nameKey(user.userName), user.id);
	}
	const people = new Map<string, PersonChanges>();
	for (const change of changes) {
		// Left alone when it was planned, so nothing is done about it, whatever it is by now.
		if (change.kind === 'unwanted') continue;
		const { userName = '' } = change.person;
		// Who was to be created may be there by now, made by a run that was cut off.
		const name = nameKey(userName);
		const id = change.person.id ?? access.idsByName.get(name)?.[0] ?? idByName.get(name);
		const key = id ?? `new ${name}`;
		const same = people.get(key);
		if (same === undefined) people.set(key, { ...change.person, id, changes: [change] });
		else same.changes.push(change);
	}
	return [...people.values()];
}

function groupOf(change: AccessChange, role: string | null, { ids }: AccessRules): string {
	return ids.format({ organization: change.organization ?? '', role: role ?? '' });
}

/** What is neither as it was when it was planned nor as it was to become. */
function differencesOf(
	{ id, userName, changes }: PersonChanges,
	users: ReadUsers,
	{ access, ids }: AccessRules,
): string[] {
	const kinds = new Set(changes.map(({ kind }) => kind));
	const who = userName ?? id ?? '';
	if (id === undefined) return kinds.has('create') ? [] : [`${who} is not there`];
	const user = users.get(id);
	if (users.has(id) && user === undefined) {
		// Whoever is gone can lose what is left.
		const onlyLeaves = [...kinds].every((kind) => kind === 'revoke' || kind === 'deactivate');
		return onlyLeaves ? [] : [`${who} is no longer there`];
	}
	const shownName = access.names.get(id) ?? user?.userName;
	if (
		shownName !== undefined &&
		userName !== undefined &&
		nameKey(shownName) !== nameKey(userName)
	) {
		return [`${id} is ${shownName} and not ${userName}`];
	}
	const differences: string[] = [];
	if (user?.active === false && !kinds.has('activate') && (kinds.has('add') || kinds.has('move')))
		differences.push(`${who} is inactive by now`);

	// By organization, the roles before and after; null for none.
	const known = new Map<string, { before: Set<string | null>; after: Set<string | null> }>();
	for (const { organization, before, after } of changes) {
		if (organization === undefined) continue;
		const same = known.get(organization) ?? { before: new Set(), after: new Set() };
		known.set(organization, { before: same.before.add(before), after: same.after.add(after) });
	}
	const held = assignmentsOf(access, id, ids);
	// Who is deactivated loses everything, so there must be nothing else.
	if (kinds.has('deactivate')) {
		for (const { organization } of held) {
			if (known.has(organization)) continue;
			known.set(organization, { before: new Set([null]), after: new Set([null]) });
		}
	}
	for (const [organization, { before, after }] of known) {
		const now = held.filter((own) => own.organization === organization).map(({ role }) => role);
		const shown: Array<string | null> = now.length > 0 ? now : [null];
		if (shown.every((role) => before.has(role) || after.has(role))) continue;
		// Somebody created since then had nothing to differ from.
		const was = kinds.has('create') ? 'is to be created' : `was ${wordsOf([...before])}`;
		differences.push(`${who} is ${wordsOf(shown)} in ${organization}, and ${was}`);
	}
	return differences;
}

function wordsOf(roles: ReadonlyArray<string | null>): string {
	return roles.map((role) => role ?? 'without a role').join(' and ');
}

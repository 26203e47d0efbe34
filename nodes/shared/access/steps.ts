import type { Part } from '../run';
import {
	patchBody,
	patchValues,
	replaceAttributes,
	requests,
	SCHEMA,
	type AccessValue,
	type Attributes,
	type Traits,
} from '../scim';
import type { Access, Membership } from './access';
import {
	isGain,
	isValue,
	lost,
	subjectOf,
	type AccountChange,
	type Change,
	type EntitlementChange,
	type GroupChange,
	nameOf,
} from './change';
import { fullBody, withoutNulls } from './planUsers';
import type { Forerunner } from './order';
import { scheduleOf, type Entry, type Request, type Schedule } from './schedule';
import {
	type KnownAccess,
	type MemberChange,
	type NamedGroupOf,
	type Person,
	type ProvisioningStep,
} from './step';
import type { AccessRules } from './wish';

type Rules = Pick<AccessRules, 'ids' | 'profile' | 'label'> & {
	access?: Access;
	/** Keys of groups that are no access. */
	ignored?: ReadonlySet<string>;
};

/** The requests of the schedule, with what each has to know to be sent and judged. */
export function stepsOf(changes: readonly Change[], rules: Rules): ProvisioningStep[] {
	const schedule = scheduleOf(changes, rules.profile);
	const waits = waitsOf(schedule);
	const siblings = siblingsOf(rules);
	return schedule.requests.map((request) => {
		const { entries } = request;
		const common = commonOf(request, waits);
		const [{ change }] = entries;
		if (change.about === 'account') return userStep(change, common, rules);
		if (change.about === 'group') return groupStep(change, common, rules.profile);
		const { entitlement } = entries[0];
		return entitlement === undefined || isValue(entitlement)
			? valueStep(entries, change, common, rules.profile)
			: memberStep(entries, entitlement, common, siblings, rules);
	});
}

type Common = Pick<ProvisioningStep, 'id' | 'parts' | 'warnings' | 'after'>;

/** Ids of the steps that an entry needs, each with the subject there, and of those that only come first. */
type Waits = (
	entry: Entry,
	own: string,
) => { needs: ReadonlyArray<{ step: string; subject: string }>; after: readonly string[] };

const NOTHING: ReturnType<Waits> = { needs: [], after: [] };

function waitsOf(schedule: Schedule): Waits {
	const { order } = schedule;
	const awaited = new Set<Change>();
	for (const own of order.values()) for (const { change } of own) awaited.add(change);
	for (const { entries } of schedule.requests) {
		for (const { change, isSecondStage } of entries) if (isSecondStage) awaited.add(change);
	}
	const stepsBy = new Map<Change, string[]>();
	for (const { id, entries } of schedule.requests) {
		for (const { change } of awaited.size === 0 ? [] : entries) {
			if (awaited.has(change)) stepsBy.set(change, [...(stepsBy.get(change) ?? []), id]);
		}
	}
	const firstOf = (change: Change) =>
		(stepsBy.get(change) ?? []).slice(0, 1).map((step) => ({ step, subject: subjectOf(change) }));
	// Thousands may wait for the same.
	const all = new Map<readonly Forerunner[], ReturnType<Waits>>();
	return ({ change, isSecondStage }, own) => {
		// What a move gives has to be seen, which has waited for all else.
		if (isSecondStage) return { needs: firstOf(change), after: [] };
		const before = order.get(change);
		if (before === undefined) return NOTHING;
		const waits = all.get(before) ?? {
			needs: before.flatMap((one) => (one.must ? firstOf(one.change) : [])),
			after: before.flatMap((one) => (one.must ? [] : (stepsBy.get(one.change) ?? []))),
		};
		all.set(before, waits);
		const isOther = ({ step }: { step: string }) => step !== own;
		return waits.needs.every(isOther) ? waits : { ...waits, needs: waits.needs.filter(isOther) };
	};
}

function commonOf({ id, entries }: Request, waits: Waits): Common {
	const parts: Part[] = [];
	const [warnings, after] = [new Set<string>(), new Set<string>()];
	for (const entry of entries) {
		const { change } = entry;
		const own = waits(entry, id);
		for (const step of own.after) if (step !== id) after.add(step);
		// What a move takes goes without the warnings of what it gives.
		for (const warning of entry.isSecondStage ? [] : change.warnings) warnings.add(warning);
		for (const item of change.items) {
			const part: Part = { item, subject: subjectOf(change), change: change.key };
			parts.push(own.needs.length === 0 ? part : { ...part, needs: own.needs });
		}
	}
	return { id, parts, warnings: [...warnings], ...(after.size > 0 && { after: [...after] }) };
}

function userStep(change: AccountChange, common: Common, rules: Rules): ProvisioningStep {
	const { action, person: member, before, after, attributes } = change;
	const { profile } = rules;
	if (before === 'absent') {
		const { ifExists = 'fail', matchBy } = change;
		const { userName = member.key } = member;
		const given = attributes ?? {};
		return {
			...common,
			kind: 'createUser',
			...{ action, userName, attributes: given, ifExists },
			...(matchBy && { matchBy }),
			request: requests.createUser(
				profile,
				fullBody(
					withoutNulls({
						active: true,
						...given,
						// Composed, so that the service keeps one spelling of it.
						userName: userName.normalize('NFC'),
					}),
				),
			),
		};
	}
	const person: Person = { id: member.id ?? '', userName: member.userName };
	const own = { ...common, action, person };
	if (after === 'absent') {
		const request = requests.deleteUser(profile, person.id);
		return { ...own, kind: 'deleteUser', wasActive: before === 'active', request };
	}
	const patch = (sent: Attributes) =>
		requests.patchUser(profile, person.id, patchBody(replaceAttributes(sent)));
	const seenBefore = before !== 'unknown';
	if (attributes === undefined) {
		const active = after === 'active';
		const onlyWith = knownAccess(change, rules);
		return {
			...{ ...own, kind: 'setActive', seenBefore, active },
			...(onlyWith && { onlyWith }),
			request: patch({ active }),
		};
	}
	const { whole } = change;
	if (whole === undefined)
		return { ...own, kind: 'updateUser', attributes, seenBefore, request: patch(attributes) };
	const { readAt, planned } = whole;
	return {
		...{ ...own, kind: 'replaceUser', attributes, readAt },
		...{ activeAfter: planned.activeAfter, version: planned.version },
		request: requests.replaceUser(profile, person.id, planned.body),
	};
}

/** What a person may be in who is deactivated for having nothing else. */
function knownAccess(
	{ restsOn }: AccountChange,
	{ access, ids, ignored, label }: Rules,
): KnownAccess | undefined {
	const rest = restsOn.find((one) => one.on === 'nothingElse');
	if (rest === undefined) return undefined;
	const groups = new Set(rest.groups);
	return {
		readAt: access?.readAt ?? NEVER,
		includes(groupId) {
			const key = ids.key(groupId);
			return groups.has(key) || ignored?.has(key) === true;
		},
		label,
	};
}

/** All values of one user go in one request. */
function valueStep(
	entries: readonly Entry[],
	{ person, evidence, action }: EntitlementChange,
	common: Common,
	profile: Traits,
): ProvisioningStep {
	const { user = blankUser(person), readAt = NEVER } = evidence ?? {};
	const values = entries.flatMap(({ change, entitlement, gives }) =>
		entitlement === undefined || !isValue(entitlement)
			? []
			: [{ change: change.key, action: change.action, value: valueOf(entitlement), gives }],
	);
	const of = (wanted: boolean) =>
		values.flatMap(({ value, gives = false }) => (gives === wanted ? value : []));
	const operations = patchValues(user, { add: of(true), remove: of(false) });
	return {
		...common,
		kind: 'changeValues',
		action: values.length === 1 ? action : `change ${values.length} values of ${nameOf(person)}`,
		person: { id: user.id, userName: user.userName },
		values: values.map(({ gives, ...one }) => ({ ...one, kind: gives ? 'grant' : 'revoke' })),
		...{ user, readAt },
		request: requests.patchUser(profile, user.id, patchBody(operations)),
	};
}

function valueOf({ attribute, value, display }: AccessValue): AccessValue {
	return { attribute, value, ...(display !== undefined && { display }) };
}

function blankUser({ id = '', userName = '' }: EntitlementChange['person']) {
	return { id, userName, attributes: {} };
}

function groupStep(change: GroupChange, common: Common, profile: Traits): ProvisioningStep {
	const { action, attributes = {}, groupId } = change;
	if (groupId === undefined) {
		const request = requests.createGroup(profile, { schemas: [SCHEMA.group], ...attributes });
		return { ...common, kind: 'createGroup', action, attributes, request };
	}
	if (change.after === 'absent') {
		const request = requests.deleteGroup(profile, groupId);
		return { ...common, kind: 'deleteGroup', action, groupId, request };
	}
	const body = patchBody(replaceAttributes(attributes));
	const request = requests.patchGroup(profile, groupId, body);
	return { ...common, kind: 'updateGroup', action, groupId, attributes, request };
}

function memberStep(
	entries: readonly Entry[],
	{ key, groupId, organization }: Membership,
	common: Common,
	siblings: Siblings,
	{ access, ids, profile, label }: Rules,
): ProvisioningStep {
	const [add, remove]: [MemberChange[], MemberChange[]] = [[], []];
	const group = access?.groups.get(key);
	const isEmpty = (group?.members ?? []).length === 0 && group?.byFilter !== true;
	const isHidden = isEmpty && profile.groupsShowMembers !== 'yes';
	for (const { change, gives, isSecondStage = false } of entries) {
		if (change.about !== 'entitlement') continue;
		const { person, action } = change;
		if (gives) {
			const one: MemberChange = { person, action, mayBeGone: false };
			one.from = lost(change).flatMap((from) => (isValue(from) ? [] : from.groupId));
			one.gains = isGain(change);
			add.push(one);
			continue;
		}
		const own =
			change.before.length > 1 || change.after.length > 0
				? `remove ${nameOf(person)} from ${label(groupId)}`
				: action;
		const one: MemberChange = { person, action: own, mayBeGone: isSecondStage };
		if (isHidden) one.hidden = true;
		if (change.skipsOtherRole) one.skipsOtherRole = true;
		remove.push(one);
	}
	const [{ action } = { action: '' }] = [...add, ...remove];
	const others = siblings.get(organization ?? '') ?? [];
	return {
		...common,
		kind: 'changeMembers',
		action: entries.length === 1 ? action : `change ${entries.length} members of group ${groupId}`,
		groupId,
		add,
		remove,
		siblings: others.filter((other) => ids.key(other.groupId) !== key),
		readAt: access?.readAt ?? NEVER,
		...(organization !== undefined && { organization }),
		request: requests.changeMembers(profile, groupId, add.map(shownId), remove.map(shownId)),
	};
}

const NEVER = { at: 0, pauses: 0 };

/** What stands for the id of somebody who is yet to be created, in a plan that is shown. */
function shownId({ person }: MemberChange): string {
	return person.id ?? `{id of ${person.userName ?? person.key}}`;
}

type Siblings = ReadonlyMap<string, readonly NamedGroupOf[]>;

/** The groups of each organization, where an add to one takes a role in another. */
function siblingsOf({ access, profile, label }: Rules): Siblings {
	const siblings = new Map<string, NamedGroupOf[]>();
	if (!profile.addMovesWithinOrganization) return siblings;
	for (const { id } of access?.groups.values() ?? []) {
		const organization = access?.placeOf(id)?.organization;
		if (organization === undefined) continue;
		const same = siblings.get(organization) ?? [];
		siblings.set(organization, same);
		same.push({ groupId: id, label: label(id) });
	}
	return siblings;
}

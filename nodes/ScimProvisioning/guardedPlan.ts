import {
	adminQuestions,
	type AdminQuestion,
	Directory,
	endingOf,
	excessIn,
	excessWords,
	gainsIn,
	isGain,
	isValue,
	lossesIn,
	manyAdded,
	membershipsOf,
	newAdminsFirst,
	peopleOf,
	permanentRemoval,
	protection,
	peopleIn,
	knowsPeopleIn,
	protectsBy,
	RISKS,
	riskyIn,
	readsOf,
	rolesAsGroups,
	scheduleOf,
	stepsOf,
	unseenWarnings,
	userOf,
	withinNumber,
	withoutIncomplete,
	type Access,
	type AffectedBase,
	type AppliedPart,
	type Change,
	type Diff,
	type Excess,
	type GroupSelection,
	type GuardSettings,
	type Loss,
	type Member,
	type Plan,
	type PlanTraits,
	type ProvisioningPlan,
	type Risky,
	type Schedule,
	type SummaryInput,
} from '../shared/access';
import { tooLong } from '../shared/run';
import type { ScimClient, Traits } from '../shared/scim';
import { attempt, isLate } from '../shared/util';

import type { IDataObject } from 'n8n-workflow';
import type { Output } from '../shared/run';
import type { OperationContext } from './context';

/** As what a plan is sealed. */
export interface Sealed extends PlanTraits {
	/** When and under what an earlier plan was made of which this is what is left. */
	made?: Pick<Plan, 'time' | 'guards' | 'settings'>;
}

/** What was decided, and who had what when it was; without that only people are guarded, not organizations. */
export interface Planned extends Diff {
	blockedBy?: string[];
	access?: Access;
	/** What is to be said on every item. */
	notes?: string[];
	/** Those against whom the affected count; all who have access, unless the change is about others. */
	among?: AffectedBase;
	/** Everybody whom the operation is about, also those without a change. */
	people?: readonly Member[];
	/** Where it is about all that people have: whether a group counts, and the entries that say so. */
	compares?: Pick<GroupSelection, 'includes'> & { managed?: readonly string[] };
	/** How many reads prove the whole afterwards, at the least. */
	proofReads?: number;
	/** Where others hold than those of the node's options. */
	guards?: GuardSettings;
	/** Of a plan that is applied: what it says to be beyond the limits, and the kinds of it that somebody has approved. */
	approval?: { excess: readonly Excess[]; kinds: ReadonlySet<string> };
	/** Changes that are settled: they are made already, or cannot be made. */
	withheld?: readonly Change[];
	/** Keys of groups that are no access. */
	ignored?: ReadonlySet<string>;
	/** Whether the members of a group are sent as a whole list where all of them are known. */
	sendsWholeLists?: boolean;
	/** What the summary says beside the changes. */
	words?: Pick<SummaryInput, 'unusable' | 'leftAlone' | 'compared' | 'unmatched'>;
	/** What else the plan has to hold, so that it can be applied. */
	settings?: Plan['settings'];
	/** How the plan is sealed; missing where Apply Plan takes none. */
	sealed?: Sealed;
	/** A last look at everything together, e.g. the proof that nothing is left. */
	conclude?(applied: AppliedPart[], plan: Guarded): Promise<AppliedPart[]>;
}

/** The same, with the requests and the reasons of the guards. */
export interface Guarded extends ProvisioningPlan {
	changes: readonly Change[];
	/** Changes that cannot be made, or are made already: their parts are settled. */
	withheld: readonly Change[];
	schedule: Schedule;
	losses: readonly Loss[];
	/** Organizations that lose admins. */
	admins: readonly AdminQuestion[];
	ignored?: ReadonlySet<string>;
	/** The people whom limits by volume count. */
	risky: Risky;
	/** What is beyond those. */
	excess: readonly Excess[];
	/** What is to be said on every item. */
	notes: readonly string[];
	access?: Access;
	/** Everybody whom the operation is about, by their keys. */
	personOf: ReadonlyMap<string, Member>;
	/** Those of the guards that hold. */
	protectedUsers: readonly string[];
	/** How many requests it takes at the least. */
	least: { reads: number; writes: number };
	/** Items that cannot be used, and why. */
	refused?: ReadonlyMap<number, unknown>;
}

/** How the items of an operation look. */
export interface ItemForm {
	/** The fields of every item, for one that failed before anything was known. */
	blank: IDataObject;
	/** The items for the parts of one input item, or for those that no item names. */
	output(
		parts: readonly AppliedPart[],
		operation: OperationContext,
		plan: Guarded,
	): Array<Output<AppliedPart>>;
}

/**
 * A plan that knows who is active, which no membership tells: whoever would gain access and was not read yet is read. And
 * who is protected by email, where groups show a name alone: whoever would be changed is read. With somebody who is
 * inactive, protected, or cannot be read the plan is made again.
 * @throws RequestError when one cannot be read, who might be protected
 */
export async function planKnowing(
	make: () => Promise<Planned>,
	operation: OperationContext,
): Promise<Planned> {
	const { client, directory, accounts } = operation;
	const planned = await make();
	const { protectedUsers } = planned.guards ?? operation.guards;
	const byEmail = protectsBy(protectedUsers).emails;
	const gaining = peopleOf(
		planned.changes.filter((change) => change.about === 'entitlement' && isGain(change)),
	);
	const isUnread = ({ id = '' }: Member) => id && !client.userSeen(id) && !accounts.has(id);
	const unread = (byEmail ? peopleOf(planned.changes) : gaining).filter(isUnread);
	const users = await directory.readThere(unread.flatMap(({ id }) => id ?? []));
	for (const user of users.values()) if (byEmail && !user.ok) throw user.error;
	for (const [id, user] of users) {
		accounts.set(id, await attempt(async () => userOf(user, id)));
	}
	const isProtected = protection(protectedUsers, client.userSeen);
	const gains = new Set(gaining.map(({ key }) => key));
	const isOther = (person: Member) => {
		const user = users.get(person.id ?? '');
		return user?.ok === true && user.value !== undefined
			? isProtected(person) || (gains.has(person.key) && user.value.active === false)
			: gains.has(person.key);
	};
	return unread.some(isOther) ? await planKnowing(make, operation) : planned;
}

/**
 * The plan with its requests and the reasons of the guards. Who has what is read for it only when somebody would lose all
 * access where there are admins, or when more are affected than the number allows; whether remaining admins are
 * active only when an admin would go.
 * @param before what an earlier part of the run has done: limits hold for the run
 */
export async function guarded(
	planned: Planned,
	operation: OperationContext,
	before?: Pick<Guarded, 'losses' | 'risky'>,
): Promise<Guarded> {
	const { directory, ids, organizations, client } = operation;
	const { guards = operation.guards } = planned;
	const creates = planned.changes.some(
		({ about, before }) => about === 'account' && before === 'absent',
	);
	const required = creates ? await client.requiredAttributes() : [];
	const { withheld, settled, ...made } = withoutIncomplete(
		planned.changes,
		required,
		client.profile,
	);
	const changes = operation.previews ? await withUnseen(made.changes, client) : made.changes;
	const ending = changes.some((change) => endingOf(change) !== undefined);
	const access =
		planned.access ??
		(ending && ids.standsFor !== 'nothing' ? await directory.access() : undefined);
	const heldBy = ({ id = '' }: Member) => (access === undefined ? [] : membershipsOf(access, id));
	const losses = [
		...(before?.losses ?? []),
		...lossesIn(changes, heldBy).map((loss) => withPlace(loss, access)),
	];
	const facts = {
		profile: client.profile,
		userSeen: client.userSeen,
		sizeOf: await sizesOf([...manyAdded(changes).keys()], access, operation),
	};
	const risky = riskyIn(changes, facts, before?.risky);
	const base = withinNumber(risky, guards)
		? undefined
		: (planned.among ?? (await allWithAccess(access, directory)));
	const excess = excessIn(risky, base, guards);
	// Whoever approves a plan sees what is beyond the limits, and decides.
	const isAsked = operation.previews && planned.sealed !== undefined;
	const targets = changes.flatMap(groupsIn);
	const mistaken = rolesAsGroups([...client.groupsSeen(), ...targets], ids);
	if (mistaken !== undefined) throw mistaken;
	const withoutAdmin: string[] = [];
	const newAdmins = new Map<string, Member>();
	const admins: AdminQuestion[] = [];
	if (access !== undefined && !guards.allowRemovingLastAdmin) {
		const activated = new Set(
			changes.flatMap((change) =>
				change.about === 'account' && change.attributes === undefined && change.after === 'active'
					? [change.person.id ?? '']
					: [],
			),
		);
		for (const question of adminQuestions(losses, gainsIn(changes), access)) {
			const { organization, staying, coming } = question;
			admins.push(question);
			const back = staying.find((id) => activated.has(id));
			if (await directory.anyActive(staying.filter((id) => !activated.has(id)))) continue;
			const newAdmin =
				back === undefined
					? await firstActive(coming, activated, directory)
					: { key: back, id: back };
			if (newAdmin === undefined) withoutAdmin.push(organizations.nameOf(organization));
			else newAdmins.set(organization, newAdmin);
		}
	}
	newAdminsFirst(changes, newAdmins, losses);
	const label = (groupId: string) => operation.label(groupId, access);
	const { ignored } = planned;
	const { profile } = client;
	const schedule = scheduleOf(changes, profile, wholeLists(planned, access, operation));
	const steps = stepsOf(schedule, { ids, profile, label, ...(access && { access }) });
	const isPlanOld = isLate(access?.readAt ?? { at: 0, pauses: 0 }, client.patience);
	const reads = readsOf(schedule, profile, isPlanOld) + (planned.proofReads ?? 0);
	const least = { reads, writes: steps.length };
	return {
		changes,
		withheld: [...(planned.withheld ?? []), ...withheld],
		personOf: new Map((planned.people ?? []).map((person) => [person.key, person])),
		...{ losses, risky },
		protectedUsers: guards.protectedUsers,
		excess: excess.map(({ kind, people, limit }) => ({ kind, people, limit })),
		...{ schedule, admins, steps, least },
		...(ignored && { ignored }),
		settled: [...planned.settled, ...settled],
		notes: [...(planned.notes ?? []), ...(access?.warnings ?? [])],
		warnings: [...(planned.notes ?? []), ...(access?.warnings ?? []), ...planned.warnings],
		blockedBy: [
			...(planned.blockedBy ?? []),
			...(withoutAdmin.length > 0
				? [
						`${withoutAdmin.join(', ')} would be left without an active admin. Make another user admin first, or allow it with Allow Removing Last Admin.`,
					]
				: []),
			...(isAsked ? [] : excess.flatMap((one) => excessReason(one, planned) ?? [])),
			...permanentIn(changes, client.profile, guards),
			...(operation.pace === undefined ? [] : tooLong(least, operation.pace)),
		],
		...(access && { access }),
	};
}

/** Changes with what is said of attributes that nobody will see; whoever sends them learns it from the answers. */
async function withUnseen(changes: Change[], client: ScimClient): Promise<Change[]> {
	const namesOf = (change: Change) =>
		change.about === 'account' ? Object.keys(change.attributes ?? {}) : [];
	if (!changes.some((change) => namesOf(change).length > 0)) return changes;
	const known = await client.knownAttributes();
	return changes.map((change) => {
		const warnings = [...change.warnings, ...unseenWarnings(namesOf(change), known)];
		return { ...change, warnings: [...new Set(warnings)] };
	});
}

/** Undefined where so many were approved: never more than the plan says. */
function excessReason(one: Excess & { words: string }, { approval }: Planned): string | undefined {
	const planned = approval?.excess.find(({ kind }) => kind === one.kind);
	if (planned !== undefined && approval?.kinds.has(one.kind)) {
		return one.people <= planned.people
			? undefined
			: `${excessWords(one)}, more than the ${planned.people} of the plan. Make a new plan.`;
	}
	const advice =
		planned !== undefined
			? `Check the plan, and tick ${RISKS[one.kind].name} under Approved Excess if it is intended`
			: approval !== undefined
				? 'Make a new plan, or check Safety Limits here'
				: 'Check the source, or raise the limit under Options > Safety Limits';
	return `${excessWords(one)}, more than ${one.words}. ${advice}.`;
}

function permanentIn(changes: readonly Change[], traits: Traits, guards: GuardSettings): string[] {
	const endings = new Set(changes.flatMap((change) => endingOf(change) ?? []));
	return [...endings].flatMap((kind) => permanentRemoval(kind, traits, guards) ?? []);
}

function groupsIn(change: Change): string[] {
	if (change.about !== 'entitlement') return 'groupId' in change ? [change.groupId ?? ''] : [];
	return [...change.before, ...change.after].flatMap((one) => (isValue(one) ? [] : one.groupId));
}

function withPlace(loss: Loss, access: Access | undefined): Loss {
	const place =
		loss.organization === undefined && loss.groupId !== undefined
			? access?.placeOf(loss.groupId)
			: undefined;
	return place === undefined ? loss : { ...loss, ...place };
}

/** How many are in each of some groups, as far as anybody shows it. @param access what is known already */
async function sizesOf(
	groupIds: readonly string[],
	access: Access | undefined,
	{ directory, ids }: OperationContext,
): Promise<(groupId: string) => number | undefined> {
	const isKnown = (groupId: string) => access !== undefined && knowsPeopleIn(access, groupId);
	// Where every group costs a request of its own, the others are not asked.
	const isEnough = groupIds.every(isKnown) || directory.tellsByPerson;
	const whole = isEnough ? access : ((await allAccess(access, directory)) ?? access);
	return (groupId) =>
		whole !== undefined && knowsPeopleIn(whole, groupId)
			? peopleIn(whole, ids.key(groupId)).length
			: undefined;
}

async function allAccess(
	access: Access | undefined,
	directory: Directory,
): Promise<Access | undefined> {
	const read = await attempt(async () =>
		access?.isWhole === true && !access.isPartial ? access : await directory.access(),
	);
	return read.ok ? read.value : undefined;
}

/** Undefined where it cannot be known who has access. */
async function allWithAccess(
	access: Access | undefined,
	directory: Directory,
): Promise<AffectedBase | undefined> {
	const all = await allAccess(access, directory);
	return all?.showsMembers === true
		? { people: all.held.size, are: 'people with access' }
		: undefined;
}

/** Somebody who is active by the time of becoming admin: created or activated in the same plan, or active already. */
async function firstActive(
	people: readonly Member[],
	activated: ReadonlySet<string>,
	directory: Directory,
): Promise<Member | undefined> {
	const back = people.find(({ id = '' }) => activated.has(id));
	if (back !== undefined) return back;
	const newcomers = people.filter(({ id }) => id === undefined);
	if (people.length === 1 && newcomers.length === 1) return newcomers[0];
	for (const person of people) {
		if (person.id !== undefined && (await directory.anyActive([person.id]))) return person;
	}
	// The create of one who is there already, but inactive, ends without an admin; of several it is worth a look.
	for (const person of newcomers) {
		const { userName = '' } = person;
		const found = (await directory.findUsersToCreate([userName])).get(userName);
		if (found?.kind === 'absent' || (found?.kind === 'found' && found.user.active !== false))
			return person;
	}
	return newcomers[0];
}

/** Groups that are sent as whole lists: a list drops whomever it does not name, so it has to be known who is in the group. */
function wholeLists(
	{ sendsWholeLists }: Planned,
	access: Access | undefined,
	{ client }: OperationContext,
) {
	if (sendsWholeLists !== true || access === undefined) return undefined;
	const { groups, membershipIn } = access;
	return {
		isWhole: (key: string) => knowsPeopleIn(access, groups.get(key)?.id ?? key),
		organizationOf: (key: string) =>
			client.profile.addMovesWithinOrganization ? membershipIn(key).organization : undefined,
	};
}

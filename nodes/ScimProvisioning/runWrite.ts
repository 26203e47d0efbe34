import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import {
	adminQuestions,
	carryOutPlan,
	type AdminQuestion,
	changeOf,
	connect,
	createReader,
	endingOf,
	excessIn,
	excessWords,
	gainsIn,
	isGain,
	isValue,
	lossesIn,
	manyAdded,
	membershipsOf,
	nameIn,
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
	subjectOf,
	unseenWarnings,
	userIn,
	userOf,
	withinNumber,
	withoutIncomplete,
	type Access,
	type AffectedBase,
	type AppliedPart,
	type Change,
	type Diff,
	type Ending,
	type Excess,
	type GroupSelection,
	type GuardSettings,
	type Loss,
	type Member,
	type ProtectsBy,
	type Reader,
	type ProvisioningPlan,
	type Risky,
	type Schedule,
	type ScimConnection,
	type SummaryInput,
} from '../shared/access';
import {
	estimateOf,
	holdsBack,
	readSettings,
	runWrite,
	tooLong,
	partKey,
	type Output,
	type Settings,
} from '../shared/run';
import {
	attribute,
	readText,
	type Matching,
	type ScimClient,
	type Traits,
	type User,
} from '../shared/scim';
import { attempt, type Attempt, InputError, isLate, nameKey } from '../shared/util';
import { readGuards } from './fields/guards';
import { readMatching } from './fields/matchUsers';

/** What an operation may use to read and plan. */
export interface OperationContext extends ScimConnection {
	context: IExecuteFunctions;
	settings: Settings;
	guards: GuardSettings;
	reader: Reader;
	/** By what people are known whom no ID names. */
	matching: Matching;
	/** Whether only the plan is wanted. */
	previews: boolean;
	isProtected(person: Member): boolean;
	/** By ID, people who were read only because they are to gain access, and why others could not be. */
	accounts: Map<string, Attempt<User>>;
	/** What has to be known of a person before `isProtected` can tell. */
	protectsBy: ProtectsBy;
	/** Whether what the service cannot show goes to the success output. */
	acceptsHidden: boolean;
	/**
	 * Before anything is asked of the service; a preview is blocked by the guards later.
	 * @throws InputError where people must not be deactivated or deleted, since it cannot be undone
	 */
	requireUndoable(kind: Ending | undefined, guards?: GuardSettings): void;
	/** A group as people call it: "member in Marketing", or "member of group X". */
	label(groupId: string, access?: Access): string;
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
	/** What the preview says beside the requests, which guards may have blocked meanwhile. */
	extras?(plan: Guarded): IDataObject;
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

/** How one operation writes. `W` is what one item wants. */
export interface ScimWrite<W extends { item: number }> {
	/** Whether groups have to stand for organizations and roles. */
	needsOrganizations?: boolean;
	/** What one item wants, from its parameters alone. @throws InputError */
	collect(item: number, context: OperationContext): W[];
	/**
	 * Reads what is needed and decides.
	 * @param refused items that cannot be used, and why
	 */
	plan(
		wanted: W[],
		context: OperationContext,
		refused: ReadonlyMap<number, unknown>,
	): Promise<Planned>;
	/** Changes that only the service's answers brought to light. */
	followUp?(applied: readonly AppliedPart[], context: OperationContext): Promise<Diff>;
	/** A last look at everything together, e.g. the proof that nothing is left. */
	conclude?(
		applied: AppliedPart[],
		context: OperationContext,
		plan: Guarded,
	): Promise<AppliedPart[]>;
	blank: IDataObject;
	/** The items for the parts of one input item, or for those that no item names. */
	output(
		parts: readonly AppliedPart[],
		context: OperationContext,
		plan: Guarded,
	): Array<Output<AppliedPart>>;
}

/** Writes to people, groups or access. @throws as `runWrite` of the runner does */
export async function runScimWrite<W extends { item: number }>(
	context: IExecuteFunctions,
	write: ScimWrite<W>,
): Promise<INodeExecutionData[]> {
	return await runWrite<W, OperationContext, Planned & { plan: Guarded }, AppliedPart>(context, {
		...write,
		context: async () => await operationContext(context, write.needsOrganizations),
		async decide(wanted, operation, refused) {
			const planned = await planKnowing(
				async () => await write.plan(wanted, operation, refused),
				operation,
			);
			return { ...planned, plan: { ...(await guarded(planned, operation)), refused } };
		},
		extras: ({ plan, extras }, { pace }) => ({
			...(pace && { estimate: estimateOf(plan.least, pace) }),
			...extras?.(plan),
		}),
		carryOut: async ({ plan }, operation) => await carryOut(plan, write, operation),
		output: (parts, operation, { plan }) =>
			write.output(
				parts.map((part) => withOtherName(part, plan, operation.client)),
				operation,
				plan,
			),
	});
}

/** Another client may have changed the user name that is shown of somebody who is known by the login. */
function withOtherName(part: AppliedPart, plan: Guarded, client: ScimClient): AppliedPart {
	const { outcome, result } = part;
	const user = userIn(result) ?? client.userSeen(nameIn(result).id ?? part.subject);
	if (!client.profile.knowsPeopleByLogin || user === undefined) return part;
	const change = changeOf(part, plan);
	const { userName: login = user.userName } =
		change === undefined || change.about === 'group' ? user : change.person;
	const shown = readText(attribute(user.attributes, 'userName')) ?? login;
	if (nameKey(shown) === nameKey(login)) return part;
	const said = `The service shows ${shown} as the user name of ${login}: another client may have changed it.`;
	return { ...part, outcome: { ...outcome, warnings: [...(outcome.warnings ?? []), said] } };
}

/** @throws InputError when the options or the credential cannot be used */
export async function operationContext(
	context: IExecuteFunctions,
	needsOrganizations = false,
): Promise<OperationContext> {
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	const settings = readSettings(options);
	const connection = await connect(context, settings);
	if (needsOrganizations) connection.ids.requirePattern();
	const guards = readGuards(options, connection.client.profile);
	const previews = context.getNodeParameter('preview', 0, false) === true;
	return {
		...connection,
		context,
		settings,
		guards,
		reader: createReader(connection.client, connection.ids, settings),
		matching: readMatching(context),
		previews,
		acceptsHidden: options.acceptUnverified === true,
		requireUndoable(kind, own = guards) {
			const reason =
				previews || kind === undefined
					? undefined
					: permanentRemoval(kind, connection.client.profile, own);
			if (reason !== undefined) throw new InputError(reason, 'Nothing was sent.');
		},
		isProtected: protection(guards.protectedUsers, connection.client.userSeen),
		accounts: new Map(),
		protectsBy: protectsBy(guards.protectedUsers),
		label(groupId, access) {
			const { ids, organizations } = connection;
			const place = access?.placeOf(groupId) ?? ids.parse(groupId);
			if (place !== undefined)
				return `${place.role} in ${organizations.nameOf(place.organization)}`;
			return `member of group ${access?.groups.get(ids.key(groupId))?.displayName ?? groupId}`;
		},
	};
}

/**
 * A plan that knows who is active, which no membership tells: people who are to have access and were not read yet are read.
 * And who is protected by email, where groups show a name alone: people who would be changed are read. With one who is
 * inactive, protected, or cannot be read the plan is made again.
 * @throws RequestError when one cannot be read, who might be protected
 */
async function planKnowing(
	make: () => Promise<Planned>,
	operation: OperationContext,
): Promise<Planned> {
	const { client, reader, accounts } = operation;
	const planned = await make();
	const { protectedUsers } = planned.guards ?? operation.guards;
	const byEmail = protectsBy(protectedUsers).emails;
	const gaining = peopleOf(
		planned.changes.filter((change) => change.about === 'entitlement' && isGain(change)),
	);
	const deciding = new Set([...gaining.flatMap(({ id }) => id ?? []), ...(planned.unread ?? [])]);
	const changed = byEmail ? peopleOf(planned.changes).flatMap(({ id }) => id ?? []) : [];
	const unread = [...new Set([...deciding, ...changed])].filter(
		(id) => client.userSeen(id) === undefined && !accounts.has(id),
	);
	const users = await reader.people.readThere(unread);
	for (const user of users.values()) if (byEmail && !user.ok) throw user.error;
	for (const [id, user] of users) {
		accounts.set(id, await attempt(async () => userOf(user, id)));
	}
	const isProtected = protection(protectedUsers, client.userSeen);
	const isOther = (id: string) => {
		const user = users.get(id);
		if (user?.ok !== true || user.value === undefined) return deciding.has(id);
		const { userName, active } = user.value;
		return isProtected({ key: id, id, userName }) || (deciding.has(id) && active === false);
	};
	return unread.some(isOther) ? await planKnowing(make, operation) : planned;
}

/**
 * The plan with its requests and the reasons of the guards. Who has what is read for it only when somebody would lose all
 * access where there are admins, or when more are affected than the number allows; whether remaining admins are
 * active only when an admin would go.
 * @param before what an earlier part of the run has done: limits hold for the run
 */
async function guarded(
	planned: Planned,
	operation: OperationContext,
	before?: Pick<Guarded, 'losses' | 'risky'>,
): Promise<Guarded> {
	const { reader, ids, organizations, client } = operation;
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
		(ending && ids.standsFor !== 'nothing' ? await reader.memberships.read() : undefined);
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
		: (planned.among ?? (await allWithAccess(access, reader)));
	const excess = excessIn(risky, base, guards);
	// Whoever approves a plan sees what is beyond the limits, and decides.
	const isAsked = operation.previews && planned.extras !== undefined;
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
			if (await reader.people.anyActive(staying.filter((id) => !activated.has(id)))) continue;
			const newAdmin =
				back === undefined ? await firstActive(coming, activated, reader) : { key: back, id: back };
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
	{ reader, ids }: OperationContext,
): Promise<(groupId: string) => number | undefined> {
	const isKnown = (groupId: string) => access !== undefined && knowsPeopleIn(access, groupId);
	// Where every group costs a request of its own, the others are not asked.
	const isEnough = groupIds.every(isKnown) || reader.memberships.tellsByPerson;
	const whole = isEnough ? access : ((await allAccess(access, reader)) ?? access);
	return (groupId) =>
		whole !== undefined && knowsPeopleIn(whole, groupId)
			? peopleIn(whole, ids.key(groupId)).length
			: undefined;
}

async function allAccess(access: Access | undefined, reader: Reader): Promise<Access | undefined> {
	const read = await attempt(async () =>
		access?.isWhole === true && !access.isPartial ? access : await reader.memberships.read(),
	);
	return read.ok ? read.value : undefined;
}

/** Undefined where it cannot be known who has access. */
async function allWithAccess(
	access: Access | undefined,
	reader: Reader,
): Promise<AffectedBase | undefined> {
	const all = await allAccess(access, reader);
	return all?.showsMembers === true
		? { people: all.held.size, are: 'people with access' }
		: undefined;
}

/** Somebody who is active by the time of becoming admin: created or activated in the same plan, or active already. */
async function firstActive(
	people: readonly Member[],
	activated: ReadonlySet<string>,
	reader: Reader,
): Promise<Member | undefined> {
	const back = people.find(({ id = '' }) => activated.has(id));
	if (back !== undefined) return back;
	const newcomers = people.filter(({ id }) => id === undefined);
	if (people.length === 1 && newcomers.length === 1) return newcomers[0];
	for (const person of people) {
		if (person.id !== undefined && (await reader.people.anyActive([person.id]))) return person;
	}
	// The create of one who is there already, but inactive, ends without an admin; of several it is worth a look.
	for (const person of newcomers) {
		const { userName = '' } = person;
		const read = await reader.people.find([userName], { absence: 'refusable' });
		const found = read.get(userName);
		if (found?.kind === 'absent' || (found?.kind === 'found' && found.user.active !== false))
			return person;
	}
	return newcomers[0];
}

async function carryOut<W extends { item: number }>(
	plan: Guarded,
	write: ScimWrite<W>,
	operation: OperationContext,
): Promise<AppliedPart[]> {
	const applied = await apply(plan, operation);
	const next = await write.followUp?.(applied, operation);
	if (next === undefined) return (await write.conclude?.(applied, operation, plan)) ?? applied;
	const checked = await attempt(async () => await guarded(next, operation, plan));
	const followed = checked.ok
		? checked.value.blockedBy.length > 0
			? refuseAll(next, checked.value.blockedBy)
			: await apply(checked.value, operation)
		: refuseAll(next, [wordsOf(checked.error)]);
	const better = new Map(followed.map((part) => [partKey(part), part]));
	return applied.map((part) => better.get(partKey(part)) ?? part);
}

/** Every part of changes that guards have blocked. */
function refuseAll({ settled, changes }: Diff, reasons: readonly string[]): AppliedPart[] {
	const reason = reasons.join(' ');
	const refused = changes.flatMap((change) => {
		const subject = subjectOf(change);
		const outcome = { status: 'failed' as const, action: change.action, reason };
		return change.items.map((item): AppliedPart => ({ item, subject, outcome }));
	});
	return [...settled, ...refused];
}

async function apply(plan: Guarded, operation: OperationContext): Promise<AppliedPart[]> {
	const { client, reader, ids, settings } = operation;
	const { access, admins, ignored, schedule } = plan;
	const sent = await carryOutPlan(schedule, {
		...{ client, reader, ids, concurrency: settings.concurrency, admins },
		...(access && { access }),
		...(ignored && { ignored }),
		label: (groupId) => operation.label(groupId, access),
		isProtected: protection(plan.protectedUsers, client.userSeen),
	});
	const failed = new Set(
		sent.flatMap(({ change, outcome }) => (holdsBack(outcome) ? (change ?? []) : [])),
	);
	return [...plan.settled.map((part) => unlessNeeded(part, failed)), ...sent];
}

/** What was so already, unless it needs a change that failed. @param failed keys of changes */
function unlessNeeded(part: AppliedPart, failed: ReadonlySet<string>): AppliedPart {
	if (part.needs?.some(({ step }) => failed.has(step)) !== true) return part;
	const reason = 'it needs a step that did not succeed';
	return { ...part, outcome: { ...part.outcome, status: 'failed', reason } };
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

function wordsOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

import { rolesAsGroups } from '../../connection';
import { tooLong } from '../../run';
import type { ScimClient, Traits } from '../../scim';
import { isLate, attempt } from '../../util';
import { endingOf, isValue, lossesIn, unseenWarnings, type Change, type Loss } from '../changes';
import {
	askForAdmins,
	excessIn,
	joinsIn,
	manyAdded,
	newAdminsFirst,
	permanentRemoval,
	riskyIn,
	tooManyAdded,
	withinNumber,
	withoutAdmins,
	withoutEmailNote,
	withoutIncomplete,
	withRequiredEmails,
	withTypoWarnings,
	type GuardSettings,
	type Risky,
	excessWords,
	RISKS,
	type Excess,
	type Joins,
} from '../guards';
import { membershipsOf, type Access, type Reader, peopleIn, type AffectedBase } from '../facts';
import { readsOf, scheduleOf, stepsOf } from '../send';
import type { ToolCall, WriteContext, Guarded, Planned, Volume, Basis } from './plan';

/**
 * The plan with its requests and the reasons of the guards. Who has what is read for it only when a user would lose all
 * access where there are admins, or when more are affected than the number allows; whether remaining admins are
 * active only when an admin would go.
 * @param before what an earlier part of the run has done: limits hold for the run
 * @throws InputError where groups stand for roles in another way than the credential says
 */
export async function guard(
	planned: Planned,
	operation: WriteContext,
	before?: Pick<Volume, 'losses' | 'risky'>,
): Promise<Guarded> {
	const complete = await leaveOutIncomplete(planned, operation);
	const call = operation.toolCalls.enter(joinsIn(complete.changes));
	let mayRun = false;
	try {
		const judged = await judgeWhole(planned, complete, call, operation, before);
		mayRun = judged.blockedBy.length === 0;
		return judged;
	} finally {
		if (!mayRun) call.takeBack();
	}
}

/** The plan with what the guards say. @param call which counts it */
async function judgeWhole(
	planned: Planned,
	{ changes, withheld, settled }: ReturnType<typeof withoutIncomplete>,
	call: ToolCall,
	operation: WriteContext,
	before?: Pick<Volume, 'losses' | 'risky'>,
): Promise<Guarded> {
	const { client, pace, previews } = operation;
	const { basis = {}, words = {} } = planned;
	const { ignored, people = [] } = basis;
	const guards = basis.approved?.guards ?? operation.guards;
	const access = basis.access ?? (await readAccess(changes, operation));
	const losses = [...(before?.losses ?? []), ...lossesOf(changes, access)];
	const { risky, grown, unjudged } = await countRisky(
		changes,
		access,
		operation,
		call,
		before?.risky,
	);
	refuseRoles(changes, operation);
	const { reader, organizations } = operation;
	const nameOf = (organization: string) => organizations.nameOf(organization);
	const admins = await askForAdmins(changes, losses, access, guards, reader.people, nameOf);
	newAdminsFirst(changes, admins.newAdmins, losses);
	const requests = requestsOf(changes, planned, access, operation);
	const unmailed = previews ? withoutEmailNote(changes, client.profile) : [];
	const notes = [...(words.notes ?? []), ...(access?.warnings ?? []), ...unjudged, ...unmailed];
	const excess = await findExcess(call.count(risky, grown), planned, access, operation);
	// The approver of a plan sees what is beyond the limits, and decides.
	const isAsked = previews && planned.seal !== undefined;
	const blockedBy = [
		...(words.blockedBy ?? []),
		...withoutAdmins(admins.without),
		...(isAsked ? [] : excess.flatMap((one) => excessReason(one, basis.approved, risky) ?? [])),
		...permanentIn(changes, client.profile, guards),
		...(pace === undefined ? [] : tooLong(requests.least, pace)),
	];
	return {
		blockedBy,
		...{ changes, notes, ...requests },
		basis: {
			...(access && { access }),
			...(ignored && { ignored }),
			...{ admins: admins.admins, protectedUsers: guards.protectedUsers },
			isApproved: basis.approved !== undefined,
			personOf: new Map(people.map((person) => [person.key, person])),
		},
		volume: {
			...{ losses, risky },
			excess: excess.map(({ kind, people: beyond, limit }) => ({ kind, people: beyond, limit })),
		},
		withheld: [...(planned.withheld ?? []), ...withheld],
		settled: [...planned.settled, ...settled],
		warnings: [...notes, ...(planned.warnings ?? [])],
	};
}

/** The changes, without people who lack an attribute that the service demands of new ones, and what is said of the others. */
async function leaveOutIncomplete(
	{ changes, settled, basis }: Planned,
	{ client, previews }: WriteContext,
): Promise<ReturnType<typeof withoutIncomplete>> {
	const creates = changes.some(({ about, before }) => about === 'account' && before === 'absent');
	const required = creates ? await client.requiredAttributes() : [];
	const filled = withRequiredEmails(changes, required);
	const made = withoutIncomplete(filled, required, client.profile);
	const shown = previews ? await withUnseen(made.changes, client) : made.changes;
	const all = { changes: shown, settled: [...settled, ...made.settled] };
	return { ...made, changes: creates ? withTypoWarnings(all, client, basis?.access) : shown };
}

/** Who has what, where an account ends and groups stand for roles: an admin may be among them. */
async function readAccess(
	changes: readonly Change[],
	{ ids, reader }: WriteContext,
): Promise<Access | undefined> {
	const isEnding = changes.some((change) => endingOf(change) !== undefined);
	return isEnding && ids.standsFor !== 'nothing' ? await reader.memberships.read() : undefined;
}

/** What people lose, with the place that the group stands for. */
function lossesOf(changes: readonly Change[], access: Access | undefined): Loss[] {
	if (access === undefined) return lossesIn(changes, () => []);
	return lossesIn(changes, ({ id = '' }) => membershipsOf(access, id)).map((loss) => {
		const { organization, groupId } = loss;
		const isPlaced = organization !== undefined || groupId === undefined;
		return isPlaced ? loss : { ...loss, ...access.placeOf(groupId) };
	});
}

/** The people that limits by volume count, and what is said of groups whose size is not known. */
async function countRisky(
	changes: readonly Change[],
	access: Access | undefined,
	operation: WriteContext,
	call: ToolCall,
	before: Risky | undefined,
): Promise<{ risky: Risky; grown: string[]; unjudged: string[] }> {
	const { profile } = operation.client;
	const userSeen = (id: string) => operation.client.facts.lastRead(id);
	const { joinedEarlier } = call;
	const many = manyAdded(changes, call);
	const sizeOf = await sizesOf(many, access, operation, call);
	const facts = { profile, userSeen, sizeOf, joinedEarlier };
	const unknown = many.flatMap(({ groupId }) => (sizeOf(groupId) === undefined ? [groupId] : []));
	return {
		risky: riskyIn(changes, facts, before),
		grown: tooManyAdded(changes, facts).map(({ key }) => key),
		unjudged: unknown.map((groupId) => unjudgedWarning(operation.label(groupId, access))),
	};
}

/** What is beyond the limits; of how many it is a share is read only above the number. */
async function findExcess(
	risky: Risky,
	planned: Planned,
	access: Access | undefined,
	operation: WriteContext,
): Promise<ReturnType<typeof excessIn>> {
	const { among, approved, limits } = planned.basis ?? {};
	const guards = approved?.guards ?? operation.guards;
	// What was beyond a limit of the plan is so when it is applied.
	const ofPlan = new Map(
		approved?.excess.map(({ kind, limit }) => [
			kind,
			{ people: limit, words: `the limit of ${limit} of the plan` },
		]),
	);
	const base = withinNumber(risky, guards)
		? undefined
		: (among ?? (await allWithAccess(access, operation.reader)));
	return excessIn(risky, base, guards, limits ?? ofPlan);
}

/** @throws InputError for roles that are taken for groups */
function refuseRoles(changes: readonly Change[], { client, ids }: WriteContext): void {
	const mistaken = rolesAsGroups([...client.facts.groupsSeen, ...changes.flatMap(groupsIn)], ids);
	if (mistaken !== undefined) throw mistaken;
}

/** The requests of the changes, and how many it takes at the least. */
function requestsOf(
	changes: readonly Change[],
	planned: Planned,
	access: Access | undefined,
	operation: WriteContext,
): Pick<Guarded, 'schedule' | 'steps' | 'least'> {
	const { client, ids, reader } = operation;
	const { profile } = client;
	const { proofReads } = planned;
	const label = (groupId: string) => operation.label(groupId, access);
	const schedule = scheduleOf(changes, profile, wholeLists(planned, access, operation));
	const steps = stepsOf(schedule, { ids, profile, label, ...(access && { access }) });
	const isPlanOld = isLate(access?.readAt, client.timing);
	const people = {
		cost: (users: number) => reader.people.cost(users),
		isKnown: (id: string) => client.facts.lastRead(id) !== undefined,
	};
	const isProven = proofReads !== undefined;
	const reads = readsOf(schedule, profile, isPlanOld, people, isProven) + (proofReads ?? 0);
	return { schedule, steps, least: { reads, writes: steps.length } };
}

/** Changes with what is said of attributes that will not be shown; where they are sent, the answers tell. */
async function withUnseen(changes: Change[], client: ScimClient): Promise<Change[]> {
	const sentBy = (change: Change) => (change.about === 'account' ? (change.attributes ?? {}) : {});
	const namesOf = (change: Change) => Object.keys(sentBy(change));
	if (!changes.some((change) => namesOf(change).length > 0)) return changes;
	const known = await client.knownAttributes();
	return changes.map((change) => {
		const warnings = [
			...change.warnings,
			...unseenWarnings(namesOf(change), sentBy(change), known),
		];
		return { ...change, warnings: [...new Set(warnings)] };
	});
}

function permanentIn(changes: readonly Change[], traits: Traits, guards: GuardSettings): string[] {
	const endings = new Set(changes.flatMap((change) => endingOf(change) ?? []));
	return [...endings].flatMap((kind) => permanentRemoval(kind, traits, guards) ?? []);
}

function groupsIn(change: Change): string[] {
	if (change.about !== 'entitlement') return 'groupId' in change ? [change.groupId ?? ''] : [];
	return [...change.before, ...change.after].flatMap((one) => (isValue(one) ? [] : one.groupId));
}

/** Groups that are sent as whole lists: a list drops whomever it does not name, so it has to be known who is in the group. */
function wholeLists(
	{ sendsWholeList }: Planned,
	access: Access | undefined,
	{ client }: WriteContext,
) {
	if (sendsWholeList === undefined || access === undefined) return undefined;
	const { groups, membershipIn } = access;
	return {
		isWhole: (key: string) =>
			sendsWholeList(key) && access.everyMember(groups.get(key)?.id ?? key).told === 'all',
		organizationOf: (key: string) =>
			client.profile.addMovesWithinOrganization ? membershipIn(key).organization : undefined,
	};
}

/**
 * Undefined where so many were approved: never more than the plan says.
 * @param own the people of this run, where tool calls before it count as well
 */
function excessReason(
	one: Excess & { words: string },
	approved: Basis['approved'],
	own: Risky,
): string | undefined {
	const planned = approved?.excess.find(({ kind }) => kind === one.kind);
	if (planned !== undefined && approved?.kinds.has(one.kind)) {
		return one.people <= planned.people
			? undefined
			: `${excessWords(one)}, more than the ${planned.people} of the plan. Make a new plan.`;
	}
	const { name } = RISKS[one.kind];
	const isJoin = one.kind === 'membersAdded';
	const advice =
		planned !== undefined
			? `Check the plan, and tick ${name} under Allow More Than the Limit For if it is intended: a button or a Yes is not enough`
			: approved !== undefined
				? `Make a new plan, ${isJoin ? `and approve ${name}` : 'or check Safety Limits here'}`
				: `Check the source, or ${isJoin ? `preview, and approve ${name}` : 'raise the limit under Safety Limits'}`;
	const before = one.people - (own.get(one.kind)?.size ?? 0);
	const calls = before > 0 ? ` (${before} of them by earlier tool calls in this execution)` : '';
	return `${excessWords(one)}${calls}, more than ${one.words}. ${advice}.`;
}

/** What is said of access that many get, and of which the service does not show how many have it. */
function unjudgedWarning(access: string): string {
	return `The service does not show how many people have this, so Members Added does not limit it: ${access}.`;
}

/**
 * How many are in each of some groups beside those who joined in earlier calls, as far as it is shown.
 * @param access what is known already
 */
async function sizesOf(
	groups: readonly Joins[],
	access: Access | undefined,
	{ reader, ids }: WriteContext,
	{ joinedEarlier }: Pick<ToolCall, 'joinedEarlier'>,
): Promise<(groupId: string) => number | undefined> {
	const joined = new Map(groups.map(({ groupId, key }) => [groupId, new Set(joinedEarlier(key))]));
	const isKnown = (groupId: string) =>
		access !== undefined && access.everyMember(groupId).told === 'all';
	// Where every group costs a request of its own, the others are not asked.
	const isEnough =
		groups.every(({ groupId }) => isKnown(groupId)) || reader.memberships.tellsByPerson;
	const whole = isEnough ? access : ((await allAccess(access, reader)) ?? access);
	return (groupId) => {
		if (whole === undefined) return undefined;
		if (whole.everyMember(groupId).told === 'all') {
			const people = peopleIn(whole, ids.key(groupId));
			return people.filter((id) => joined.get(groupId)?.has(id) !== true).length;
		}
		// A role without people may have no group yet.
		return whole.isWhole && !whole.groups.has(ids.key(groupId)) ? 0 : undefined;
	};
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
	return all?.shown.told === 'all'
		? { people: all.held.size, are: 'people with access' }
		: undefined;
}

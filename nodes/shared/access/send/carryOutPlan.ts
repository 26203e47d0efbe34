import { addTo, InputError, memoized, poll } from '../../util';
import {
	carryOut,
	isFailure,
	type LoopWorld,
	failureOf,
	holdsBack,
	NEEDS_STEP,
	type Outcome,
} from '../../run';
import { attribute, type GroupMeaning, type ScimClient, type User } from '../../scim';
import type { Access, Reader } from '../facts';
import {
	gained,
	isValue,
	restsOnWholeList,
	subjectOf,
	type AccountChange,
	type Change,
	type Person,
	type AppliedPart,
	type ProvisioningResult,
	type Settled,
	nameIn,
} from '../changes';
import type { AdminQuestion } from '../guards';
import { otherMembersOf, leavingTogether, type TakenAlong } from './otherMembers';
import { expectedGroup, nextFormOfGroup, sendGroup } from './groups';
import {
	type LookedGroup,
	lookAtChangedGroups,
	lookForMembers,
	lookAtGroups,
	readUsers,
} from './looks';
import { expectedMember, noteAdded } from './groupMoves';
import { sendManagers, withSent } from './managers';
import { sendMembers } from './members';
import { usersTell } from './proof';
import { restsOnIdentity } from './preconditions';
import { groupOf, type Entry, type Schedule } from './schedule';
import {
	newState,
	takesTrials,
	type CreateState,
	type EntryState,
	type UserState,
	type Verdict,
	endTrial,
	giveUp,
	idOf,
	NOT_SHOWN,
	verdictOf,
	type ExpectedState,
	type Replacement,
	type SendContext,
} from './context';
import { isUnmet, lookForMet } from './users/create';
import { lookAtUsers, expectedUser, sendUser } from './users/users';
import { nextForm } from './users/update';
import { expectedValue, sendValues } from './values';

/** What a plan is carried out with. */
interface Means {
	client: ScimClient;
	reader: Reader;
	ids: GroupMeaning;
	access?: Access;
	admins: readonly AdminQuestion[];
	ignored?: ReadonlySet<string>;
	/** Whether a proof follows, which reads the people. */
	isProven?: boolean;
	/** Whether it is a plan that was approved. */
	isApproved?: boolean;
	label(groupId: string): string;
	isProtected(person: Person): boolean;
}

/**
 * Carries out a schedule: sends, reads every answer as evidence, looks for what no answer has shown, and judges by what is known.
 * @param settled what the plan leaves as it is
 * @returns that, and a part for each item of each request, in their order; never throws for one of them
 */
export async function carryOutPlan(
	{ rounds, order }: Schedule,
	settled: readonly Settled[],
	means: Means,
): Promise<AppliedPart[]> {
	const requests = rounds.flat();
	const world = sendContextOf(requests, order, means);
	const loop = loopOf(world);
	const verdicts = await carryOut<Change, Entry, ProvisioningResult>(rounds, order, loop);
	const managers = await sendManagers(requests, verdicts, world, loop);
	await lookAgain(requests, verdicts, world);
	const parts = requests.flatMap(({ id, entries }) =>
		entries.flatMap((entry) => {
			const { change } = entry;
			const verdict = verdicts.get(entry);
			return verdict === undefined
				? []
				: change.items.map((item): AppliedPart => ({
						...{ item, subject: subjectOf(change), change: change.key, step: id },
						...withSent(asAccepted(verdict, entry, world), entry, world.stateOf(entry)),
					}));
		}),
	);
	const losses = [...(world.otherMembers?.losses.values() ?? [])];
	const sent = tellLosses(parts, requests, losses, means.ids);
	return [...(await settledAfter(settled, sent, requests, world)), ...sent, ...managers];
}

/** Says of what was not seen that the service has accepted it: it may still carry it out. */
function asAccepted(verdict: Verdict, entry: Entry, world: SendContext): Verdict {
	const { outcome } = verdict;
	const isOpen = outcome.status === 'unverified' && outcome.error === undefined;
	if (!isOpen || !wasAccepted(entry, world)) return verdict;
	const why = outcome.reason === NOT_SHOWN.reason ? '' : `: ${outcome.reason}`;
	const reason = `the service accepted it (202), and has not shown it yet${why}`;
	return { ...verdict, outcome: { ...outcome, reason } };
}

function wasAccepted({ change, entitlement }: Entry, world: SendContext): boolean {
	const { facts } = world;
	if (change.about === 'group') return facts.wasAccepted('Groups', change.groupId);
	if (entitlement !== undefined && !isValue(entitlement))
		return facts.wasAccepted('Groups', entitlement.groupId);
	const isNew = change.about === 'account' && change.before === 'absent';
	return facts.wasAccepted('Users', isNew ? undefined : idOf(change.person, world));
}

/** Makes the context in which the requests of a plan are sent. */
function sendContextOf(
	requests: Schedule['rounds'][number],
	order: Schedule['order'],
	means: Means,
): SendContext {
	const { client, ids, access, reader, label, isApproved = false } = means;
	const facts = client.facts;
	// What the plan was made of is not looked at again by itself, but counts as no look of the loop.
	facts.distrust();
	const states = new Map<Entry, EntryState>();
	const changes = [
		...new Set(requests.flatMap(({ entries }) => entries.map(({ change }) => change))),
	];
	const requestOf = new Map<Entry, readonly Entry[]>();
	for (const request of requests)
		for (const entry of request.entries) requestOf.set(entry, request.entries);
	const moving = movesIn(requests.flatMap(({ entries }) => entries));
	const reading = new Map<string, Promise<unknown>>();
	const identities = new Map<string, string>();
	const givenBy = ({ change }: { change: Change }): Replacement[] =>
		change.about !== 'entitlement'
			? []
			: gained(change).flatMap((one) => {
					const { person } = change;
					const id = person.id ?? identities.get(person.key) ?? '';
					return isValue(one) ? [] : { person, id, key: one.key, groupId: one.groupId };
				});
	return {
		...means,
		facts,
		endsAreRead: means.isProven === true && usersTell(client.profile),
		otherMembers: otherMembersOf(requests, access, client.profile),
		identities,
		isApproved,
		identified: changes.flatMap((change) =>
			change.about === 'entitlement' || restsOnIdentity(change, { client, isApproved })
				? (change.person.id ?? [])
				: [],
		),
		absentees: new Set(
			changes.flatMap((change) =>
				change.about !== 'group' && restsOnWholeList(change) ? (change.person.id ?? []) : [],
			),
		),
		planned: plannedUsers(changes, client),
		learned: {
			...{ added: new Map(), activated: new Set(), losses: new Map(), partialAnswers: new Set() },
			managers: new Map(),
			values: { spares: false, queue: Promise.resolve() },
			names: {
				kept: client.profile.keeps?.('userName') === true,
				queue: Promise.resolve(),
			},
		},
		siblingsOf: siblingsOf(access, ids, label, client.profile.addMovesWithinOrganization),
		movesWithin: (key, id) =>
			moving.get(access?.membershipIn(key).organization ?? '')?.has(id) === true,
		replacementsOf: (entry) =>
			entry.isSecondStage === true
				? givenBy(entry)
				: (order.get(entry.change) ?? []).flatMap((list) =>
						list.filter(({ must }) => must).flatMap(givenBy),
					),
		requestOf: (entry) => requestOf.get(entry) ?? [entry],
		stateOf(entry) {
			const state = states.get(entry) ?? newState(entry);
			states.set(entry, state);
			return state.kind === 'create' ? (state.reactivation ?? state) : state;
		},
		async readAccounts(people, isAgain = false) {
			const isOld = (id: string) => isAgain || !facts.isFreshUser(id);
			const old = people.filter((id) => isOld(id) && !reading.has(id));
			if (old.length > 0) {
				const read = reader.people.readThere(old, { fresh: true }).then(() => {
					for (const id of old) reading.delete(id);
				});
				for (const id of old) reading.set(id, read);
			}
			await Promise.all(people.map(async (id) => await reading.get(id)));
		},
	};
}

/** Returns the users that changes are about, as shown until now, except those who get another name or external ID. */
function plannedUsers(changes: readonly Change[], { facts }: ScimClient): Map<string, User> {
	const planned = new Map<string, User>();
	const renamed = new Set<string>();
	for (const change of changes) {
		if (change.about === 'group') continue;
		const { id = '' } = change.person;
		const user = facts.lastRead(id);
		if (user !== undefined) planned.set(id, user);
		if (change.about === 'account' && changesIdentity(change)) renamed.add(id);
	}
	for (const id of renamed) planned.delete(id);
	return planned;
}

function changesIdentity({ attributes = {} }: AccountChange): boolean {
	return ['userName', 'externalId'].some((name) => attribute(attributes, name) !== undefined);
}

/** Returns the IDs of people who get a role, by organization. */
function movesIn(entries: readonly Entry[]): Map<string, Set<string>> {
	const moving = new Map<string, Set<string>>();
	for (const { change } of entries) {
		if (change.about !== 'entitlement' || change.person.id === undefined) continue;
		for (const one of gained(change)) {
			if (isValue(one) || one.organization === undefined) continue;
			const same = moving.get(one.organization) ?? new Set();
			moving.set(one.organization, same.add(change.person.id));
		}
	}
	return moving;
}

/** Finds the other groups of the organization of each. */
function siblingsOf(
	access: Access | undefined,
	ids: GroupMeaning,
	label: Means['label'],
	isMoving: boolean,
): SendContext['siblingsOf'] {
	const all = new Map<string, Array<{ key: string; groupId: string; label: string }>>();
	for (const [key, { id }] of isMoving ? (access?.groups ?? []) : []) {
		const organization = access?.placeOf(id)?.organization;
		if (organization !== undefined)
			addTo(all, organization, { key, groupId: id, label: label(id) });
	}
	return memoized((key) => {
		const organization = access?.membershipIn(key).organization ?? '';
		return (all.get(organization) ?? []).filter((one) => one.key !== ids.key(key));
	});
}

/** Makes what the loop asks to send, look and judge. */
function loopOf(world: SendContext): LoopWorld<Entry, ProvisioningResult> {
	const { client } = world;
	return {
		concurrency: client.concurrency,
		timing: client.timing,
		together: (requests) => leavingTogether(requests, world.otherMembers),
		async send(request, entries) {
			const [entry] = entries;
			const state = world.stateOf(entry);
			if (state.kind === 'group') await sendGroup(state, world);
			else if (state.kind === 'value') await sendValues(entries, state.change, world);
			else if (state.kind === 'member') await sendMembers(request, entries, world);
			else await sendUser(state, world);
		},
		verdictOf: (entry) => judgeEntry(entry, world),
		look: async (entries) => await look(entries, world),
		tryOtherwise: (entry) => tryOtherwise(entry, world),
		unseen(entry) {
			const state = world.stateOf(entry);
			endTrial(state, false, world);
			return giveUp(expectedStateOf(entry, world), state);
		},
	};
}

/** Decides whether a change of a user or a group that is not seen is sent again in another form. */
function tryOtherwise(entry: Entry, world: SendContext): boolean {
	const state = world.stateOf(entry);
	if (!takesTrials(state)) return false;
	const isSecond = state.form !== undefined;
	endTrial(state, false, world);
	state.form =
		state.kind === 'update' ? nextForm(state, world, isSecond) : nextFormOfGroup(state, world);
	if (state.form === undefined) return false;
	state.unseen ??= giveUp(expectedStateOf(entry, world), state);
	return true;
}

/** Compares what is known of an entry with what is expected. */
function expectedStateOf(entry: Entry, world: SendContext): ExpectedState {
	const state = world.stateOf(entry);
	if (state.kind === 'group') return expectedGroup(state, world);
	if (state.kind === 'member') return expectedMember(entry, state, world);
	if (state.kind === 'value') return expectedValue(entry, state, world);
	return expectedUser(state, world);
}

/** Judges an entry by what is known of it. */
function judgeEntry(entry: Entry, world: SendContext): Verdict | 'again' | 'waits' | undefined {
	const state = world.stateOf(entry);
	if (state.verdict !== undefined) {
		endTrial(state, false, world);
		return state.verdict;
	}
	if (takesTrials(state) && state.waits) return 'waits';
	if (state.kind === 'reactivation' && !state.isSent) return 'again';
	// Of what was never sent, nothing was shown.
	if ((state.kind === 'create' && isUnmet(state)) || state.since === 0) return undefined;
	const verdict = verdictOf(expectedStateOf(entry, world), state);
	if (verdict === undefined) return undefined;
	noteAdded(entry, verdict, world);
	const isDone = verdict.outcome.status === 'done';
	if (isDone && isPatched(state)) world.client.forms.Users.noteEffect();
	endTrial(state, isDone, world);
	return verdict;
}

/** Tells whether a user was changed by a PATCH, and was shown otherwise before. */
function isPatched(state: EntryState): boolean {
	if (state.kind !== 'update' && state.kind !== 'reactivation') return false;
	const { before, sentIn, whole } = state;
	return before !== undefined && sentIn !== undefined && whole === undefined;
}

/** Reads what these are about: each group once, users one by one or as a list, and users that creates have met. */
async function look(entries: readonly Entry[], world: SendContext): Promise<void> {
	const { ids, facts } = world;
	const groups = new Map<string, LookedGroup>();
	const about = (key: string, groupId: string, entry: Entry) => {
		const same = groups.get(key) ?? { groupId, people: [], entries: [] };
		groups.set(key, same);
		same.entries.push(entry);
		return same;
	};
	const [byList, byId] = [new Set<string>(), new Set<string>()];
	const accounts: UserState[] = [];
	const conflicts: CreateState[] = [];
	const members: Array<{ key: string; id: string; entry: Entry }> = [];
	for (const entry of entries) {
		const { entitlement } = entry;
		const state = world.stateOf(entry);
		state.looks += 1;
		if (state.kind === 'group') {
			const { groupId = '' } = state.change;
			about(ids.key(groupId), groupId, entry);
		} else if (state.kind === 'value') byId.add(state.change.person.id ?? '');
		else if (state.kind !== 'member') {
			if (state.kind === 'create' && isUnmet(state)) conflicts.push(state);
			else accounts.push(state);
		} else if (entitlement !== undefined && !isValue(entitlement)) {
			const { key, groupId } = entitlement;
			const id = idOf(state.change.person, world) ?? '';
			about(key, groupId, entry).people.push(id);
			members.push({ key, id, entry });
		}
	}
	await lookForMet(conflicts, world);
	const isShown = (entry: Entry) => expectedStateOf(entry, world).missing === undefined;
	await lookAtChangedGroups(groups, isShown, world);
	// A group that shows no members may be one that never does: then the users themselves say where they belong.
	const isOpen = (entry: Entry) =>
		expectedStateOf(entry, world).observed === undefined || !isShown(entry);
	for (const { key, id, entry } of members)
		if (facts.isSilent(key, id) && isOpen(entry)) byList.add(id);
	await lookAtUsers(accounts, { byId, byList }, world);
}

/** Looks at all whole lists of an organization after the last: one may take from another what was seen there before. */
async function lookAgain(
	requests: Schedule['rounds'][number],
	verdicts: Map<Entry, Verdict>,
	world: SendContext,
): Promise<void> {
	if (!world.client.profile.addMovesWithinOrganization) return;
	const byOrganization = new Map<string, typeof requests>();
	for (const request of requests) {
		const { organization } = groupOf(request) ?? {};
		if (organization !== undefined) addTo(byOrganization, organization, request);
	}
	const together = [...byOrganization.values()].filter(
		(own) => own.filter(({ isWhole }) => isWhole === true).length > 1,
	);
	const since = world.facts.leaving().number;
	const looked = together.flat().flatMap(({ entries }) =>
		entries.flatMap((entry) => {
			const { change, entitlement } = entry;
			const { outcome } = verdicts.get(entry) ?? {};
			if (change.about !== 'entitlement' || entitlement === undefined || isValue(entitlement))
				return [];
			if (outcome === undefined || isFailure(outcome) || outcome.status === 'skipped') return [];
			const state = world.stateOf(entry);
			Object.assign(state, { since, isRefused: false, error: undefined });
			const id = idOf(change.person, world) ?? '';
			return [{ entry, state, id, groupId: entitlement.groupId }];
		}),
	);
	const isSo = ({ entry }: (typeof looked)[number]) =>
		expectedStateOf(entry, world).missing === undefined;
	await lookForMembers(looked, isSo, world);
	for (const one of looked)
		if (!isSo(one)) verdicts.set(one.entry, giveUp(expectedStateOf(one.entry, world), one.state));
}

/** Names the otherMembers that a group lost: after an alarm nothing that was done to the group counts as a success. */
function tellLosses(
	parts: AppliedPart[],
	requests: Schedule['rounds'][number],
	losses: readonly TakenAlong[],
	ids: GroupMeaning,
): AppliedPart[] {
	return losses.reduce((judged, { groupId, reason, isAlarm }) => {
		const key = ids.key(groupId);
		const own = new Set(
			requests.flatMap((request) => (groupOf(request)?.key === key ? request.id : [])),
		);
		const error = new InputError(reason, 'Check the members of the group at the service.');
		return judged.map((part): AppliedPart => {
			const { outcome } = part;
			if (!own.has(part.step ?? '') || isFailure(outcome)) return part;
			if (isAlarm) return { ...part, outcome: { ...outcome, status: 'unverified', reason, error } };
			const warnings = [...(outcome.warnings ?? []), `${reason}.`];
			return { ...part, outcome: { ...outcome, warnings } };
		});
	}, parts);
}

/**
 * Looks again at what was so already: it fails with the change that it needs, and where it is gone once that has let the
 * person in.
 */
async function settledAfter(
	settled: readonly Settled[],
	sent: readonly AppliedPart[],
	requests: Schedule['rounds'][number],
	world: SendContext,
): Promise<AppliedPart[]> {
	const needing = settled.flatMap(({ needs = [] }) => needs.map(({ step }) => step));
	if (needing.length === 0) return [...settled];
	const { client, ids, facts, label } = world;
	const failed = new Set(
		sent.flatMap(({ change, outcome }) => (holdsBack(outcome) ? (change ?? []) : [])),
	);
	const entries = requests.flatMap((request) => request.entries);
	const since = new Map(
		entries.map((entry) => [entry.change.key, world.stateOf(entry).since] as const),
	);
	const kept = settled.flatMap((part) => {
		const { id } = nameIn(part.result);
		const groupId = part.result?.group?.id;
		const [need] = part.needs ?? [];
		return need === undefined || failed.has(need.step) || id === undefined || groupId === undefined
			? []
			: [{ part, id, groupId, since: since.get(need.step) ?? 0 }];
	});
	type Kept = (typeof kept)[number];
	const knownOf = (one: Kept) => facts.membership(ids.key(one.groupId), one.id, one.since);
	const open = () => kept.filter((one) => knownOf(one).told !== 'so');
	await poll(client.timing, async () => {
		await readUsers([...new Set(open().map(({ id }) => id))], true, world);
		const groups = new Map<string, string[]>();
		for (const { groupId, id } of open()) addTo(groups, groupId, id);
		await lookAtGroups(groups, world);
		return open().length === 0 ? true : undefined;
	});
	const doubtful = new Map<AppliedPart, Kept>(open().map((one) => [one.part, one]));
	return settled.map((part): AppliedPart => {
		const { action } = part.outcome;
		if (part.needs?.some(({ step }) => failed.has(step)) === true) {
			return { ...part, outcome: { status: 'failed', action, reason: NEEDS_STEP } };
		}
		const one = doubtful.get(part);
		if (one === undefined) return part;
		const known = knownOf(one);
		const outcome: Outcome =
			known.told === 'nothing'
				? { ...NOT_SHOWN, status: 'unverified', action, error: known.error }
				: failureOf(action, goneMeanwhile(label(one.groupId)));
		return { ...part, outcome };
	});
}

function goneMeanwhile(group: string): InputError {
	return new InputError(
		`The person was ${group} when this run began, and is not any more`,
		'Another client removed the membership meanwhile. Run again if it is still wanted.',
	);
}

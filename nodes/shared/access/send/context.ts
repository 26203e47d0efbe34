import { attempt, type Attempt, type Turns, messageOf, InputError } from '../../util';
import {
	failureOf,
	type Failure,
	type Missing,
	type Outcome,
	type Verdict as VerdictOf,
} from '../../run';
import {
	type Facts,
	type Group,
	type GroupMeaning,
	type Leaving,
	type ScimClient,
	type User,
	type FormName,
	type KnownAttributes,
	type Form,
	type Forms,
	type replaceAttributes,
	withoutPaths,
} from '../../scim';
import type { FailureFacts } from '../../http';
import type { Access, Reader, Found } from '../facts';
import {
	type Person,
	type ProvisioningResult,
	isValue,
	type AccountChange,
	type EntitlementChange,
	type GroupChange,
	type WholeUser,
	type Change,
} from '../changes';
import type { AdminQuestion } from '../guards';
import type { OtherMembers } from './otherMembers';
import type { Entry } from './schedule';

/** What an entry has come to. */
export type Verdict = VerdictOf<ProvisioningResult>;

/** How far an entry has come, of whatever kind it is. */
interface SendState {
	verdict?: Verdict;
	/** Number of the last request for it that may have worked; facts from before says nothing. */
	since: number;
	/** Whether the service took that request. */
	isTaken: boolean;
	/** What stood in the way of it. */
	error?: unknown;
	/** Whether it was refused, so that what no look shows was not done: another writer may have made it so. */
	isRefused: boolean;
	/** How often it was looked for since. */
	looks: number;
	/** Whether the answer to it has shown what was sent. */
	isAnswered: boolean;
	/** Whether a PUT of it has left without an ETag. */
	isUntagged: boolean;
}

/** How far an entry has come that is tried in another form after it was taken and not seen. */
interface TrialState extends SendState {
	/** The form of that trial, if there is one. */
	form?: FormName;
	/** Whether another change tries that form first. */
	waits: boolean;
	/** What is said of it where that form is refused. */
	unseen?: Verdict;
}

/** How far a PATCH or PUT of attributes of a user has come. */
interface AttributesState extends SendState {
	change: AccountChange;
	/** What the service says of its attributes, where an answer does not show all. */
	known?: KnownAttributes;
	/** The form that a read after it may prove (`formToProve`). */
	sentIn?: string;
	/** The whole user as it was sent. */
	whole?: WholeUser;
	/** The user as just before the first request. */
	before?: User;
}

export interface CreateState extends SendState {
	kind: 'create';
	change: AccountChange;
	/** What the service says of its attributes, where an answer does not show all. */
	known?: KnownAttributes;
	/** The user it made, or met. */
	made?: { user: User; isFound: boolean };
	/** Whether the user that it made is in groups, and may be an old account that came back. */
	isInGroups?: boolean;
	/** How the service said that there is one. */
	conflict?: FailureFacts;
	/** Whether the user whom it met is surely none that an earlier try of it has made. */
	isNews?: boolean;
	/** The users that the service shows by what the create was to be known by. */
	found?: Found;
	/** What the create goes on as, once it has met an inactive user. */
	reactivation?: ReactivationState;
}

/** How far a create has come that activates a user who was there. */
export interface ReactivationState extends AttributesState {
	kind: 'reactivation';
	user: User;
	isSent: boolean;
}

/** How far an update, activation or deactivation has come. */
export interface UpdateState extends AttributesState, TrialState {
	kind: 'update';
	/** Whether the answer to it has shown the user as before. */
	showedBefore: boolean;
}

export interface DeletionState extends SendState {
	kind: 'deletion';
	change: AccountChange;
	/** Whether the delete was answered as if there was no user. */
	wasGone: boolean;
}

export interface MemberState extends SendState {
	kind: 'member';
	change: EntitlementChange;
}

export interface ValueState extends SendState {
	kind: 'value';
	change: EntitlementChange;
	/** The user as just before the first request. */
	before?: User;
}

export interface GroupState extends TrialState {
	kind: 'group';
	change: GroupChange;
	/** Whether the delete was answered as if there was no group. */
	wasGone: boolean;
	/** The members before a request that is to leave them. */
	members?: Group['members'];
}

/** The state of a change of an account. */
export type UserState = CreateState | ReactivationState | UpdateState | DeletionState;

/** How far an entry has come, by the kind of what is sent for it. */
export type EntryState = UserState | MemberState | ValueState | GroupState;

/** Makes the state of an entry of which nothing was sent yet. */
export function newState({ change, entitlement }: Entry): EntryState {
	const base: SendState = {
		...{ since: 0, isTaken: false, isRefused: false },
		...{ looks: 0, isAnswered: false, isUntagged: false },
	};
	if (change.about === 'group') {
		return { ...base, kind: 'group', change, wasGone: false, waits: false };
	}
	if (change.about === 'entitlement') {
		const isOfUser = entitlement !== undefined && isValue(entitlement);
		return { ...base, kind: isOfUser ? 'value' : 'member', change };
	}
	if (change.before === 'absent') return { ...base, kind: 'create', change };
	if (change.after === 'absent') return { ...base, kind: 'deletion', change, wasGone: false };
	return { ...base, kind: 'update', change, waits: false, showedBefore: false };
}

/** Makes the state of a create that goes on with an inactive user. */
export function reactivationOf(
	{ change, since, isTaken, error, looks, isUntagged }: CreateState,
	user: User,
): ReactivationState {
	return {
		...{ kind: 'reactivation', change, user, isSent: false },
		...{ since, isTaken, error, looks, isUntagged, isRefused: false, isAnswered: false },
	};
}

/** Tells whether a change may be tried in another form. */
export function takesTrials(state: EntryState): state is UpdateState | GroupState {
	return state.kind === 'update' || state.kind === 'group';
}

/** Returns what is said of a change that was sent in another form before, and not seen. */
export function unseenBefore(state: EntryState): Verdict | undefined {
	return takesTrials(state) ? state.unseen : undefined;
}

/** Returns the form that a read after a change of a user may prove. */
export function sentInOf(state: UserState): string | undefined {
	return state.kind === 'update' || state.kind === 'reactivation' ? state.sentIn : undefined;
}

/** What answers of this execution have taught. */
export interface Learned {
	/** Ids of people who were added, by organization: reads may be older than that. */
	added: Map<string, Set<string>>;
	/** A user name that the service has changed when it created the user, so that the user is not found by it. */
	changedName?: { sent: string; shown: string };
	/** A user whom a create or a rename has met, and the list of the plan did not show. */
	metUser?: string;
	/** Keys of changes whose manager was left out, and the user name of the manager, whom this run is to create. */
	managers: Map<string, string>;
	/** Creates go one after the other until one of them has kept its user name. */
	names: Turns & { kept: boolean };
	/** All groups as they are being read, for several looks; `ofNoUse` where that did not tell. */
	listing?: Promise<unknown> | 'ofNoUse';
	/** Ids of people who were created or activated: a read that shows them otherwise is older. */
	activated: Set<string>;
	/** What updates of users took along, by the form in which they were sent; then no other leaves in it. */
	losses: Map<string, string>;
	/** Forms of update whose answers do not show all that the user has. */
	partialAnswers: Set<string>;
	/** Of removals of single values from users. */
	values: LearnedOfValues;
}

interface LearnedOfValues extends Turns {
	/** Whether one was seen to spare the other values; until then they go one by one. */
	spares: boolean;
	/** What one of them took along, as a whole sentence without its full stop; then no other is sent. */
	alarm?: string;
}

/** What a person is to have instead of something that goes. */
export interface Replacement {
	person: Person;
	id: string;
	key: string;
	groupId: string;
}

/** All that a plan is carried out with. */
export interface SendContext {
	client: ScimClient;
	reader: Reader;
	ids: GroupMeaning;
	facts: Facts;
	learned: Learned;
	/** Undefined where they are not watched. */
	otherMembers?: OtherMembers;
	/** Whether what is sent is a plan that was approved. */
	isApproved: boolean;
	/** IDs of users whose identity is looked at before a change leaves, in the order of the requests. */
	identified: readonly string[];
	/** IDs of users who lose something for being in no row: that rests on the whole list. */
	absentees: ReadonlySet<string>;
	/** Users by ID, as shown when the plan was made; without those to whom it gives another name or external ID. */
	planned: ReadonlyMap<string, User>;
	/** Ids of people that this run has created or found, by the key that plans give them. */
	identities: Map<string, string>;
	/** Who was in which group when the plan was made. */
	access?: Access;
	/** Organizations that lose admins. */
	admins: readonly AdminQuestion[];
	/** Keys of groups that are no access. */
	ignored?: ReadonlySet<string>;
	/** Whether whose account ends is read when all was sent. */
	endsAreRead: boolean;
	/** A group as people call it. */
	label(groupId: string): string;
	/** The other groups of the organization, where an add to one takes the role in another. */
	siblingsOf(groupKey: string): ReadonlyArray<{ key: string; groupId: string; label: string }>;
	/** Whether a person gets another role in the organization of a group by this plan. */
	movesWithin(groupKey: string, id: string): boolean;
	/** The memberships that have to be there before what an entry takes may go. */
	replacementsOf(entry: Entry): Replacement[];
	/** Reads accounts, unless they were seen a moment ago: all that leaves at the same time shares a read. */
	readAccounts(ids: readonly string[], isAgain?: boolean): Promise<void>;
	/** All that goes in the same request as an entry. */
	requestOf(entry: Entry): readonly Entry[];
	isProtected(person: Person): boolean;
	stateOf(entry: Entry): EntryState;
}

/** Returns the ID of the person of a change; undefined while unknown. */
export function idOf({ id, key }: Person, { identities }: SendContext): string | undefined {
	return id ?? identities.get(key);
}

/** Sends, and notes since when facts counts, and whether the service took it. */
export async function sendFor<T>(
	states: readonly SendState[],
	{ facts }: SendContext,
	send: () => Promise<T>,
): Promise<{ tried: Attempt<T>; left: Leaving }> {
	const left = facts.leaving();
	for (const state of states)
		Object.assign(state, { since: left.number, looks: 0, isAnswered: false, isRefused: false });
	const tried = await attempt(send);
	for (const state of states) {
		// A look before a repeat may have decided.
		if (state.isRefused) continue;
		state.isTaken = tried.ok;
		state.error = tried.ok ? undefined : tried.error;
	}
	return { tried, left: facts.answeredTo(left) };
}

/** Makes the verdict of what was not done. */
export function failed(action: string, error: unknown, result?: ProvisioningResult): Verdict {
	return { outcome: failureOf(action, error), ...(result && { result }) };
}

/** Makes the verdict of what was so already, so that nothing was sent. */
export function unchanged(
	action: string,
	warnings: readonly string[],
	result: ProvisioningResult,
	reason?: string,
): Verdict {
	const outcome: Outcome = { status: 'unchanged', action, warnings: [...warnings] };
	return { outcome: { ...outcome, ...(reason !== undefined && { reason }) }, result };
}

/** Makes the verdict of what was sent and not seen. */
export function unverified(
	action: string,
	warnings: readonly string[],
	{ reason, hidden, goesOn }: Missing,
	result: ProvisioningResult,
	error?: unknown,
): Verdict {
	const outcome: Failure = {
		...{ status: 'unverified', action, warnings: [...warnings], reason },
		...(hidden && { hidden }),
		...(goesOn && { goesOn }),
		...(error !== undefined && { error }),
	};
	return { outcome, result };
}

/** What is known of an entry, and what is to be said of it. */
export interface ExpectedState {
	action: string;
	warnings: readonly string[];
	/** What the service has shown since the request left, or why a look has shown nothing; undefined before a look. */
	observed?: Attempt<unknown>;
	/** What is not so; undefined when all is. */
	missing?: Missing;
	result: ProvisioningResult;
	/** Why what was seen is no change of ours. */
	wasSo?: string;
	/** Whether a request that was refused may have been carried out in part, so that it takes looks to know. */
	mayBePartial?: boolean;
	/** What is said of a refusal, where that is not the answer of the service. */
	refusal?(error: unknown): unknown;
}

export const NOT_SHOWN: Missing = { reason: 'the service did not show it' };

/** So often it is looked whether a part of what was refused was done. */
const LOOKS_FOR_PARTS = 3;

/** What is judged: `unseen` is what the first form came to, where another one was tried. */
type GivenUp = SendState & Pick<TrialState, 'unseen'>;

/**
 * Judges by the one rule: done is what was seen; what was refused and is not seen was not done; undefined as long as it is
 * open.
 */
export function verdictOf(expected: ExpectedState, state: GivenUp): Verdict | undefined {
	const { action, warnings, observed, missing, result, wasSo } = expected;
	const isOver = state.isRefused && state.looks >= (expected.mayBePartial ? LOOKS_FOR_PARTS : 1);
	if (observed === undefined) return undefined;
	if (!observed.ok) return isOver && !expected.mayBePartial ? giveUp(expected, state) : undefined;
	if (missing === undefined) {
		if (wasSo !== undefined) return unchanged(action, warnings, result, wasSo);
		return { outcome: { status: 'done', action, warnings: [...warnings] }, result };
	}
	return isOver ? giveUp(expected, state) : undefined;
}

/** Makes the verdict of what no look has shown: a refusal, or that it was sent and not seen. */
export function giveUp(expected: ExpectedState, state: GivenUp): Verdict {
	const {
		action,
		warnings,
		observed,
		missing,
		result,
		refusal = (error: unknown) => error,
	} = expected;
	if (state.isRefused && !(expected.mayBePartial && observed?.ok === false))
		return state.unseen ?? failed(action, refusal(state.error), result);
	if (observed?.ok === false) {
		const reason = messageOf(observed.error);
		return unverified(action, warnings, { reason }, result, state.error ?? observed.error);
	}
	return unverified(action, warnings, missing ?? NOT_SHOWN, result, state.error);
}

/** Returns which group it was. A big group takes many requests, and kept answers with all members would fill the memory. */
export function withoutMembers({ id, displayName }: Group): Group {
	return { id, displayName, attributes: {} };
}

/** Adds an entry to the set of an organization. */
export function noteIn(sets: Map<string, Set<string>>, organization: string, entry: string): void {
	sets.set(organization, (sets.get(organization) ?? new Set()).add(entry));
}

/** Ends a request that a look before its repeat has left nothing of; no item shows it. */
export function nothingMore(): InputError {
	return new InputError('Nothing more is sent', '');
}

// One change tries another form of request for all others (client/forms.ts).

/** Returns the forms of what a change is about. */
function formsOf({ about }: Change, { forms }: SendContext['client']): Forms {
	return about === 'group' ? forms.Groups : forms.Users;
}

/**
 * Tells whether a change is not sent now: another one tries its form first, or has tried it in vain.
 * @param next names the form after that one
 */
export function standsBack(
	state: TrialState,
	forms: Forms,
	next: () => FormName | undefined = () => undefined,
): boolean {
	if (state.form !== undefined && forms.isUseless(state.form)) {
		state.form = next();
		if (state.form === undefined) state.verdict = state.unseen;
	}
	state.waits = state.form !== undefined && !forms.takesTrial(state.form);
	return state.waits || state.verdict !== undefined;
}

/** Notes what has come of the form that a change was tried in. */
export function endTrial(state: EntryState, hadEffect: boolean, world: SendContext): void {
	if (!takesTrials(state)) return;
	if (state.form !== undefined && !state.waits)
		formsOf(state.change, world.client).ended(state.form, hadEffect);
	delete state.form;
}

/** Gives the operations of a PATCH the form that the service takes. */
export function operationsInForm(
	operations: ReturnType<typeof replaceAttributes>,
	form: Form,
): ReturnType<typeof replaceAttributes> {
	const isPathless = form.has('nothingByPath');
	return isPathless || form.has('withoutPath') ? withoutPaths(operations, isPathless) : operations;
}

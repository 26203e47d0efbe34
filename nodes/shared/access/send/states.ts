import type { FailureFacts } from '../../http';
import type { Verdict as VerdictOf } from '../../run';
import type { FormName, Group, KnownAttributes, User } from '../../scim';
import type { Found } from '../facts';
import {
	isValue,
	type AccountChange,
	type EntitlementChange,
	type GroupChange,
	type ProvisioningResult,
	type WholeUser,
} from '../changes';
import type { Entry } from './schedule';

/** What an entry has come to. */
export type Verdict = VerdictOf<ProvisioningResult>;

/** How far an entry has come, of whatever kind it is. */
export interface SendState {
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
export interface TrialState extends SendState {
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

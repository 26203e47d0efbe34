import { hasStatus, RequestError } from '../../http';
import { InputError, type Moment, messageOf } from '../../util';
import { GROUP_FORMS, isMereAnswer, isReadAfterRemoval } from './looks';
import {
	isValue,
	nameOf,
	type EntitlementChange,
	overwriteWarnings,
	whoIs,
	type ProvisioningResult,
} from '../changes';
import { actionOfEntry, warningsOf } from './requests';
import { groupOf, type Entry, type Request } from './schedule';
import {
	failed,
	idOf,
	verdictOf,
	noteIn,
	unchanged,
	withoutMembers,
	type ExpectedState,
	type SendContext,
	type MemberState,
	type Verdict,
} from './context';

/** One person joining or leaving a group, and the progress so far. */
export interface Move {
	entry: Entry;
	change: EntitlementChange;
	state: MemberState;
	id: string;
	gives: boolean;
	action: string;
}

/** Tells whether a change takes away what a move leaves behind: what was given before may have done it. */
export function mayBeGone({ entry }: Move): boolean {
	return entry.isSecondStage === true;
}

/** Holds what one request changes of a group, and how far each change has come; the looks and the sends work on it. */
export class GroupMoves {
	readonly groupId: string;

	readonly key: string;

	readonly moves: readonly Move[];

	/** Whether it takes members out. */
	readonly removes: boolean;

	/** The other groups of the organization, where an add to one takes the role in another. */
	readonly siblings: ReadonlyArray<{ key: string; groupId: string; label: string }>;

	/** People who were in a request that may have taken them out before, if not wholly. */
	readonly repeated = new Set<Move>();

	/** Who was sent and waits to be seen. */
	readonly sent = new Set<Move>();

	/** When the group was last looked at, or read for the plan. */
	lookedAt: Moment | undefined;

	constructor(
		readonly request: Request,
		entries: readonly Entry[],
		readonly world: SendContext,
	) {
		const group = groupOf(request);
		this.groupId = group?.groupId ?? '';
		this.key = group?.key ?? '';
		this.siblings = world.siblingsOf(this.key);
		this.lookedAt = world.access?.readAt;
		this.removes = request.isWhole === true || entries.some(({ gives }) => gives !== true);
		this.moves = entries.flatMap((entry): Move[] => {
			const { gives = false } = entry;
			const state = world.stateOf(entry);
			if (state.kind !== 'member') return [];
			const { change } = state;
			const action = actionOfEntry(entry, world.label);
			const id = idOf(change.person, world);
			if (id !== undefined) return [{ entry, change, state, id, gives, action }];
			const reason = 'the ID of the person is not known';
			state.verdict = { outcome: { status: 'failed', action, reason } };
			return [];
		});
	}

	/** Returns those that are still to be sent. */
	openOf(moves: readonly Move[]): Move[] {
		return moves.filter((move) => move.state.verdict === undefined && !this.sent.has(move));
	}

	/** Notes the people that a look shows as requested, before anything is sent or by a request of this run. */
	settleShown(moves: readonly Move[], repeated: boolean): void {
		for (const move of moves) {
			if (this.isMember(move) !== move.gives) continue;
			const { outcome, result } = this.doneVerdictOf(move);
			const { action, warnings = [] } = outcome;
			this.settle(move, repeated ? { outcome, result } : unchanged(action, warnings, result ?? {}));
		}
	}

	/** Tells whether the person is in the group, as it was shown last. */
	isMember({ id, entry }: Move): boolean | undefined {
		const { told } = this.world.facts.membership(this.key, id, 0, wasHidden(entry, this.world));
		return told === 'nothing' ? undefined : told === 'so';
	}

	/** Decides what is said of a person who is not in the group any more. */
	settleGone(move: Move, otherRole: string | undefined, repeated: boolean): void {
		const { action, change } = move;
		const { result } = this.doneVerdictOf(move);
		if (otherRole === undefined) {
			const reason = 'the person is not there any more';
			const gone: Verdict = { outcome: { status: 'unchanged', action, reason }, result };
			this.settle(move, repeated ? this.doneVerdictOf(move) : gone);
			return;
		}
		const reason = `the person is ${otherRole} now`;
		if (change.skipsOtherRole) {
			this.settle(move, { outcome: { status: 'skipped', action, reason }, result });
			return;
		}
		const error = new InputError(
			`${nameOf(change.person)} is ${otherRole} now, so nothing was removed there`,
			'Someone else changed the role in the meantime. Check the role, and run again.',
		);
		this.settle(move, failed(action, error));
	}

	/** Compares what is known of a move with what is expected. */
	expectedStateOf({ entry, state }: Move): ExpectedState {
		return expectedMember(entry, state, this.world);
	}

	/** Judges a move; undefined as long as it is open. */
	verdictOf(move: Move): Verdict | undefined {
		return verdictOf(this.expectedStateOf(move), move.state);
	}

	/** Returns the verdict that a move was made. */
	doneVerdictOf(move: Move): Verdict {
		const { action, warnings, result } = this.expectedStateOf(move);
		return { outcome: { status: 'done', action, warnings: [...warnings] }, result };
	}

	/** Notes a verdict, and who was added by it. */
	settle(move: Move, verdict: Verdict): void {
		noteAdded(move.entry, verdict, this.world);
		move.state.verdict = verdict;
	}

	/** Notes that a move was refused. */
	refuse(move: Move, error: unknown): void {
		const { action, result } = this.expectedStateOf(move);
		const { entry, change } = move;
		move.state.verdict = failed(action, refusalOfMember(entry, change, error, this.world), result);
	}

	/**
	 * Leaves the verdict to a last look, which refuses what it does not show: the service refused, but may have added the
	 * person anyway, and a read may lag behind.
	 */
	refuseUnlessShown(move: Move, error: unknown): void {
		move.state.error = error;
		move.state.isRefused = true;
		this.sent.add(move);
	}
}

/** Compares what is known of a membership with what is expected. */
export function expectedMember(
	entry: Entry,
	state: MemberState,
	world: SendContext,
): ExpectedState {
	const { change } = state;
	const gives = entry.gives === true;
	const key = entry.entitlement?.key ?? '';
	const id = idOf(change.person, world) ?? '';
	const known = world.facts.membership(key, id, state.since, wasHidden(entry, world));
	const error = known.told === 'nothing' ? known.error : undefined;
	const is = known.told === 'nothing' ? undefined : known.told === 'so';
	const form = gives ? GROUP_FORMS.adds : GROUP_FORMS.removes;
	const isUntold = isMereAnswer(key, form, world) || isReadAfterRemoval(key, world);
	const isRead =
		!isUntold && (is !== undefined || world.facts.group(key, state.since) !== undefined);
	const cannotShow = gives ? world.facts.hides(key, id, state.since) : is === undefined;
	const isFiltered = world.client.profile.memberRemoval === 'filterPath';
	const isOfForm = !gives && is === true && isFiltered;
	const why = isOfForm
		? { reason: `the service still shows it. ${OTHER_REMOVAL}` }
		: notMember(gives);
	const missing = { ...why, ...(cannotShow && { hidden: true }) };
	return {
		action: actionOfEntry(entry, world.label),
		warnings: [...warningsOf(entry), ...(state.isUntagged ? overwriteWarnings(undefined) : [])],
		result: resultOf(entry, change, world),
		...(isRead && {
			observed: error === undefined ? { ok: true, value: is } : { ok: false, error },
		}),
		...(is !== gives && { missing }),
		mayBePartial: true,
		refusal: (refused) => refusalOfMember(entry, change, refused, world),
	};
}

/** Tells whether a group showed no members before, so that none afterwards proves nothing. */
export function wasHidden({ entitlement, gives }: Entry, { access, client }: SendContext): boolean {
	const group = access?.groups.get(entitlement?.key ?? '');
	const isEmpty = (group?.members ?? []).length === 0 && group?.byFilter !== true;
	return gives !== true && isEmpty && client.profile.groupsShowMembers !== 'yes';
}

function resultOf(entry: Entry, change: EntitlementChange, world: SendContext): ProvisioningResult {
	const { entitlement } = entry;
	const key = entitlement?.key ?? '';
	const read = world.facts.group(key);
	const group = (read?.ok === true ? read.value : undefined) ?? world.access?.groups.get(key);
	const { person } = change;
	return {
		...(group && { group: withoutMembers(group) }),
		who: whoIs({ ...person, id: idOf(person, world) }),
	};
}

/** Notes who was added: reads may be older than that. */
export function noteAdded(entry: Entry, { outcome }: Verdict, world: SendContext): void {
	const { change, entitlement, gives } = entry;
	if (change.about !== 'entitlement' || entitlement === undefined || isValue(entitlement)) return;
	const { organization } = entitlement;
	if (organization === undefined || gives !== true || outcome.status !== 'done') return;
	noteIn(world.learned.added, organization, idOf(change.person, world) ?? '');
}

/**
 * Says why a membership is not as it is to be.
 * @param error what went wrong with the look
 */
function notMember(gives: boolean, error?: unknown): { reason: string; error?: unknown } {
	if (error !== undefined) return { reason: messageOf(error), error };
	const reason = gives
		? 'neither the group nor the user shows it'
		: 'the service still shows it, or does not show members at all';
	return { reason };
}

/** Says what a refusal means for a person. */
export function refusalOfMember(
	{ entitlement, gives }: Entry,
	{ person }: EntitlementChange,
	error: unknown,
	{ client }: SendContext,
): unknown {
	if (!(error instanceof RequestError)) return error;
	const { message, facts } = error;
	if (gives === true && hasStatus(error, 400)) {
		const groupId = entitlement && !isValue(entitlement) ? entitlement.groupId : '';
		const detail = facts.detail ? `: ${facts.detail}` : '';
		return new RequestError(
			`The service does not accept ${nameOf(person)} as a member of group ${groupId}${detail}`,
			client.profile.groupsAreFixed
				? 'Check that the user exists in this account and that the organization allows the email domain. The others of the request were not affected.'
				: 'Check the user and the group at the service. The others of the request were not affected.',
			facts,
		);
	}
	const isOfForm = client.profile.memberRemoval === 'filterPath' && hasStatus(error, 400, 501);
	if (gives === true || !isOfForm) return error;
	return new RequestError(
		`${message}. ${OTHER_REMOVAL}`,
		'Try Member Removal: List of Values in the credential, with a group that has nobody else in it: some services then remove everybody.',
		facts,
	);
}

const OTHER_REMOVAL =
	'The service may not take removals in this form: see Member Removal in the credential';

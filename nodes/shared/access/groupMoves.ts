import { InputError, type Moment } from '../util';
import {
	failed,
	idOf,
	judge,
	unchanged,
	type Claim,
	type State,
	type Verdict,
	type World,
} from './world';
import { nameOf, type EntitlementChange } from './change';
import { claimOfMember, noteAdded, refusalOfMember, wasHidden } from './memberClaims';
import { actionOfEntry } from './requests';
import { groupOf, type Entry, type Request } from './schedule';

/** One person who is to get into a group or out of it, as far as it has come. */
export interface Move {
	entry: Entry;
	change: EntitlementChange;
	state: State;
	id: string;
	gives: boolean;
	action: string;
}

/** Whether a change takes away what a move leaves behind: what was given before may have done it. */
export function mayBeGone({ entry }: Move): boolean {
	return entry.isSecondStage === true;
}

/** What one request changes of a group, and how far each change has come. */
export class GroupMoves {
	readonly groupId: string;

	readonly key: string;

	readonly moves: readonly Move[];

	/** Whether it takes anybody out. */
	readonly removes: boolean;

	/** The other groups of the organization, where an add to one takes the role in another. */
	readonly siblings: ReadonlyArray<{ groupId: string; label: string }>;

	/** Adds that the service may have refused; each is asked for alone at the end unless it is sure. */
	readonly blamed = new Map<Move, { error: unknown; isSure: boolean }>();

	/** People who were in a request that may have taken them out before, if not wholly. */
	readonly repeated = new Set<Move>();

	/** Who was sent and waits to be seen. */
	readonly sent = new Set<Move>();

	/** When the group was last looked at, or read for the plan. */
	lookedAt: Moment;

	/** Whether nobody looked at people and admins since a refusal. */
	wasRefused = false;

	constructor(
		readonly request: Request,
		entries: readonly Entry[],
		readonly world: World,
	) {
		const group = groupOf(request);
		this.groupId = group?.groupId ?? '';
		this.key = group?.key ?? '';
		this.siblings = world.siblingsOf(this.key);
		this.lookedAt = world.access?.readAt ?? { at: 0, pauses: 0 };
		this.removes = request.isWhole === true || entries.some(({ gives }) => gives !== true);
		this.moves = entries.flatMap((entry): Move[] => {
			const { change, gives = false } = entry;
			if (change.about !== 'entitlement') return [];
			const state = world.stateOf(entry);
			const action = actionOfEntry(entry, world.label);
			const id = idOf(change.person, world);
			if (id !== undefined) return [{ entry, change, state, id, gives, action }];
			const reason = 'the ID of the person is not known';
			state.verdict = { outcome: { status: 'failed', action, reason } };
			return [];
		});
	}

	openOf(moves: readonly Move[]): Move[] {
		return moves.filter(
			(move) => move.state.verdict === undefined && !this.blamed.has(move) && !this.sent.has(move),
		);
	}

	/** Notes whom a look shows as requested, before anything is sent or by a request of this run. */
	settleShown(moves: readonly Move[], repeated: boolean): void {
		for (const move of moves) {
			if (this.isMember(move) !== move.gives) continue;
			const { outcome, result } = this.seen(move);
			const { action, warnings = [] } = outcome;
			this.settle(move, repeated ? { outcome, result } : unchanged(action, warnings, result ?? {}));
		}
	}

	/** Whether the person is in the group, as it was shown last. */
	isMember({ id, entry }: Move): boolean | undefined {
		const { evidence } = this.world;
		return evidence.membership(this.key, id, 0, wasHidden(entry, this.world)).is;
	}

	/** What is to be said of a person who is not in the group any more. */
	settleGone(move: Move, otherRole: string | undefined, repeated: boolean): void {
		const { action, change } = move;
		const { result } = this.seen(move);
		if (otherRole === undefined) {
			const reason = 'the person is not there any more';
			const gone: Verdict = { outcome: { status: 'unchanged', action, reason }, result };
			this.settle(move, repeated ? this.seen(move) : gone);
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

	claim({ entry, change, state }: Move): Claim {
		return claimOfMember(entry, change, state, this.world);
	}

	judged(move: Move): Verdict | undefined {
		return judge(this.claim(move), move.state);
	}

	seen(move: Move): Verdict {
		const { action, warnings, result } = this.claim(move);
		return { outcome: { status: 'done', action, warnings: [...warnings] }, result };
	}

	settle(move: Move, verdict: Verdict): void {
		noteAdded(move.entry, verdict, this.world);
		move.state.verdict = verdict;
		this.blamed.delete(move);
	}

	refuse(move: Move, error: unknown): void {
		const { action, result } = this.claim(move);
		const { entry, change } = move;
		move.state.verdict = failed(action, refusalOfMember(entry, change, error, this.world), result);
	}

	/**
	 * The service refused, but may have added the person anyway, and a read may lag behind: a last look decides, and
	 * what it does not show is refused.
	 */
	refuseUnlessShown(move: Move, error: unknown): void {
		move.state.error = error;
		move.state.isRefused = true;
		this.sent.add(move);
	}
}

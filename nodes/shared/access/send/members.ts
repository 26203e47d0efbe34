import { attempt, isLate, type Attempt } from '../../util';
import { hasStatus, mayHaveWorked } from '../../http';
import type { Group } from '../../scim';
import { alarmIn } from './otherMembers';
import { GroupMoves, mayBeGone, type Move } from './groupMoves';
import { lookForOtherMembers, readGroupNow, readWholeGroup, seeAnswer } from './looks';
import { look, lookAfterRefusal, lookAtList, lookAtPeople } from './memberLooks';
import { keptOf, wholeListOf } from './requests';
import { isPlanLate, judgeKnown, listFault } from './preconditions';
import type { Entry, Request } from './schedule';
import { sendFor, type SendContext } from './context';

type Tried = Attempt<unknown>;

/** Answers that refuse a request, or a part of it. */
const REFUSALS = [400, 403, 404, 409, 422, 501];

/** So often one alone whom the service may not know yet is sent. */
const MOST_TRIES = 3;

/**
 * Sends what changes of one group: the difference as PATCH, or the whole list as PUT. A refusal may leave a part of it done
 * (test/contract/interface.md 2.3), and does not say whom it is about: after one the group itself is read, and what it does
 * not show yet is sent again, each member alone.
 */
export async function sendMembers(
	request: Request,
	entries: readonly Entry[],
	world: SendContext,
): Promise<void> {
	await new MembersRequest(new GroupMoves(request, entries, world), world).send();
}

/** Sends the requests that the changes of one group take. */
class MembersRequest {
	/** Batches that are still to be sent, in their order. */
	private readonly queue: Move[][];

	/** Whether the next request has its place already: a look came in between, which must not grow old while it waits. */
	private hasSlot = false;

	private hasSent = false;

	/** Answers of 404 to requests about one alone (`triesOf`). */
	private readonly tries = new Map<string, number>();

	constructor(
		private readonly work: GroupMoves,
		private readonly world: SendContext,
	) {
		this.queue = chunked(work.moves, world.client.profile.membersPerRequest);
	}

	/** Sends until everything was sent or refused; what is to be seen after that is looked for by the loop. */
	async send(): Promise<void> {
		if (this.work.request.isWhole === true) await this.sendList();
		for (let next = this.next(); next.length > 0; next = this.next()) {
			const batch = next;
			const tried = await attempt(async () => await this.sendDifference(batch));
			if (!tried.ok) this.leave(batch, tried.error);
		}
	}

	/** Fails the people of a look that breaks off; some may have been sent before. */
	private leave(batch: readonly Move[], error: unknown): void {
		for (const move of this.work.openOf(batch)) {
			if (move.state.since > 0) this.work.refuseUnlessShown(move, error);
			else this.work.refuse(move, error);
		}
	}

	/** Takes the next batch that has somebody to be sent. */
	private next(): Move[] {
		for (let batch = this.queue.shift(); batch !== undefined; batch = this.queue.shift()) {
			const open = this.work.openOf(batch);
			if (open.length > 0) return open;
		}
		return [];
	}

	/** Sends one PATCH for those of these who are still open; a look comes before it is repeated. */
	private async sendDifference(batch: readonly Move[]): Promise<void> {
		const { client } = this.world;
		await this.takePlace();
		const isFirst = !this.hasSent && this.work.moves.some(mayBeGone);
		if (isFirst || isLate(this.work.lookedAt, client.timing)) await look(this.work, this.hasSent);
		this.heedKnown(batch);
		const open = this.work.openOf(batch);
		if (open.length > 0) await this.after(await this.sendOpen(open), open);
	}

	/**
	 * Refuses all that is open after an alarm, whatever has been sent of it before, what is about an ID that a read of this run
	 * has shown to be another person's, and removals by a list that was not whole.
	 */
	private heedKnown(moves: readonly Move[]): void {
		const alarm = alarmIn(this.world.otherMembers);
		for (const move of this.work.openOf(moves)) {
			const other = judgeKnown(move.change, move.id, this.world)?.error;
			const why = alarm ?? other ?? listFault(move.change, this.world);
			if (why !== undefined) this.work.refuse(move, why);
		}
	}

	/**
	 * Sends those who are open. After 5xx, 429 or a lost answer `http/send` waits and calls `again`: it looks, and what is
	 * still open then leaves again. When no repeat is left, the loop looks until Verification Time ends: shown is `done`, not
	 * shown is `unverified`. A refusal goes to `afterRefusal`, which looks too: not shown is `failed`.
	 */
	private async sendOpen(open: readonly Move[]): Promise<Tried> {
		const ids = (gives: boolean) =>
			this.work.openOf(open).flatMap((move) => (move.gives === gives ? move.id : []));
		const again = async () => {
			for (const move of open) this.work.repeated.add(move);
			await look(this.work, true);
			this.heedKnown(open);
			return { add: ids(true), remove: ids(false) };
		};
		const { client } = this.world;
		return await this.sendOnce(
			open,
			ids(false),
			async (hasSlot) =>
				await client.forms.Groups.send({}, async (form) =>
					form.has('wholeResource')
						? await this.putChanged(open, hasSlot)
						: await client.changeMembers(this.work.groupId, ids(true), ids(false), again, hasSlot),
				),
		);
	}

	/**
	 * Sends the group as read now as PUT, with the changes in it, where there is no PATCH. An answer may repeat it, so a look
	 * decides.
	 */
	private async putChanged(open: readonly Move[], hasSlot: boolean): Promise<undefined> {
		const { client } = this.world;
		const membersNow = async () => {
			const group = await readWholeGroup(this.work.groupId, this.world);
			const members = new Set(group.members.map(({ id }) => id));
			for (const { id, gives } of this.work.openOf(open)) {
				if (gives) members.add(id);
				else members.delete(id);
			}
			return { group, members: [...members] };
		};
		const again = async () => {
			for (const move of open) this.work.repeated.add(move);
			await look(this.work, true);
			this.heedKnown(open);
			return this.work.openOf(open).length === 0 ? undefined : (await membersNow()).members;
		};
		const { group, members } = await membersNow();
		const kept = keptOf(group, client.profile);
		await client.replaceMembers(this.work.groupId, members, kept, again, hasSlot);
	}

	/** Sends one request for some moves, and notes what its answer shows. */
	private async sendOnce(
		moves: readonly Move[],
		removed: readonly string[],
		send: (hasSlot: boolean) => Promise<Group | undefined>,
	): Promise<Tried> {
		const had = this.hasSlot;
		[this.hasSlot, this.hasSent] = [false, true];
		const states = moves.map(({ state }) => state);
		if (removed.length > 0) await lookForOtherMembers(this.work.groupId, this.world);
		const { tried, left } = await sendFor(states, this.world, async () => await send(had));
		// A member who is gone after a single removal that was refused was removed by another client.
		const isPart = !tried.ok && moves.length > 1 && hasStatus(tried.error, 400, 404, 501);
		if (tried.ok || (removed.length > 0 && isPart) || mayHaveWorked(tried.error)) {
			const added = tried.ok ? moves.flatMap(({ gives, id }) => (gives ? id : [])) : [];
			this.world.facts.noteMembersChange(this.work.key, { added, removed }, left);
		}
		const isLess =
			tried.ok &&
			tried.value !== undefined &&
			seeAnswer(this.work.groupId, tried.value, left, this.world);
		const isUntagged = this.world.facts.wasUntagged('Groups', this.work.groupId);
		for (const state of states) state.isUntagged = isUntagged;
		// At once: the answer to another request may be about the same group.
		if (tried.ok) this.see(moves);
		if (isLess)
			await attempt(async () => await readGroupNow(this.work.groupId, removed, this.world));
		return tried;
	}

	/** Waits for the place of a request that a look comes before, where writes are paced. */
	private async takePlace(): Promise<void> {
		if (this.hasSlot) return;
		await this.world.client.timing.slotOfWrite?.(this.work.moves[0]?.action ?? '');
		this.hasSlot = true;
	}

	// --- whole lists ---

	/**
	 * Sends all members as PUT. When what was read is not fresh, the group is looked at first: the list must not remove anyone
	 * the plan did not know, nor move back a person who has another role now. After a refusal the difference is sent: a
	 * second list, without the one who was refused, could remove a member that a stale read does not show.
	 */
	private async sendList(): Promise<void> {
		const { world } = this;
		await this.takePlace();
		this.heedKnown(this.work.moves);
		const { staying, kept } = wholeListOf(this.work.request, {
			...{ access: world.access, ids: world.ids, profile: world.client.profile },
		});
		const moving = staying.filter((id) => world.movesWithin(this.work.key, id));
		let [list, { version }] = [staying, kept];
		const look = async (repeated = false) => {
			({ list, version } = await lookAtList(this.work, staying, moving, repeated));
		};
		const movesLater = moving.length > 0 && this.work.request.after.length > 0;
		if (movesLater || isPlanLate(world)) {
			const looked = await attempt(look);
			if (!looked.ok) {
				for (const move of this.work.openOf(this.work.moves)) this.work.refuse(move, looked.error);
				return;
			}
		}
		const open = this.work.openOf(this.work.moves);
		const members = () => [
			...list,
			...this.work.moves.filter((move) => this.isIn(move)).map(({ id }) => id),
		];
		const again = async () => {
			// A person moved by the first list may be in neither group between two reads.
			for (const move of open) this.work.repeated.add(move);
			await look(true);
			this.heedKnown(this.work.moves);
			return this.work.openOf(open).length === 0 ? undefined : members();
		};
		if (open.length === 0) return;
		const stays = new Set(members());
		const before = world.access?.groups.get(this.work.key)?.members ?? [];
		const removed = before.flatMap(({ id }) => (stays.has(id) ? [] : id));
		const tried = await this.sendOnce(
			open,
			removed,
			async (hasSlot) =>
				await world.client.replaceMembers(
					this.work.groupId,
					members(),
					{ ...kept, version },
					again,
					hasSlot,
				),
		);
		await this.afterList(open, tried);
	}

	/** Sends the difference after a list was refused: that may be for its form, which judges no person. */
	private async afterList(open: readonly Move[], tried: Tried): Promise<void> {
		if (tried.ok || !hasStatus(tried.error, 405, ...REFUSALS)) {
			await this.after(tried, open);
			return;
		}
		await this.lookAfter(open, tried.error, false);
	}

	/** Tells whether a whole list has the person of a change: one that a look has stopped leaves it as it is. */
	private isIn({ state, gives }: Move): boolean {
		return gives !== (state.verdict?.outcome.status === 'failed');
	}

	// --- after a request ---

	/** Leaves what was taken to a look. What was refused proves nothing: another writer may have made it so. */
	private async after(tried: Tried, sent: readonly Move[]): Promise<void> {
		if (!tried.ok && hasStatus(tried.error, ...REFUSALS)) {
			await this.afterRefusal(sent, tried.error);
			return;
		}
		for (const move of this.work.openOf(sent)) {
			if (tried.ok || mayHaveWorked(tried.error)) this.work.sent.add(move);
			else this.work.refuse(move, tried.error);
		}
	}

	/**
	 * Leaves one alone to a later look, which does for all who are, unless the service may not know the person or the group
	 * yet. Of several it sends each alone, who gets in first.
	 */
	private async afterRefusal(sent: readonly Move[], error: unknown): Promise<void> {
		const isAlone = sent.length === 1;
		const tries = isAlone && hasStatus(error, 404) ? this.triesOf(sent[0]) : Infinity;
		if (!isAlone || tries <= MOST_TRIES) await this.lookAfter(sent, error, isAlone);
		const left = this.work.openOf(sent);
		if (left.length === 0) return;
		if (!isAlone || tries < MOST_TRIES) this.queue.unshift(...chunked(left, 1));
		else this.work.refuseUnlessShown(left[0], error);
	}

	/** Counts a try: who is new is counted alone, and all others together. */
	private triesOf({ id }: Move): number {
		const key = this.world.learned.activated.has(id) ? id : '';
		const tries = (this.tries.get(key) ?? 0) + 1;
		this.tries.set(key, tries);
		return tries;
	}

	/** Looks at the group after a refusal. Who is shown as requested, or is out already, is sent for no more. */
	private async lookAfter(sent: readonly Move[], error: unknown, isAlone: boolean): Promise<void> {
		const open = this.work.openOf(sent);
		const looked = await attempt(async () => {
			const left = this.world.facts.leaving();
			const roles = await lookAfterRefusal(this.work, open);
			for (const move of open) this.seeGone(move, roles.get(move.id), error);
			this.see(open);
			// One of several that is refused is carried out in part.
			for (const move of isAlone ? [] : this.work.openOf(open))
				if (!isNamedGone(move, error)) this.work.repeated.add(move);
			await lookAtPeople(this.work);
			this.work.lookedAt = left;
		});
		if (looked.ok) return;
		// Of a list, or of several, it is not known whom the refusal is about.
		const reason = isAlone ? error : looked.error;
		for (const move of this.work.openOf(open)) this.work.refuseUnlessShown(move, reason);
	}

	/**
	 * Settles a removal that was out before the request: the service stops at a person who is no member
	 * (test/contract/interface.md 2.3).
	 */
	private seeGone(move: Move, role: string | undefined, error: unknown): void {
		if (move.gives || mayBeGone(move) || this.work.isMember(move) !== false) return;
		if (role !== undefined || isNamedGone(move, error))
			this.work.settleGone(move, role, this.work.repeated.has(move));
	}

	/** Notes who of these is shown as requested. */
	private see(moves: readonly Move[]): void {
		for (const move of this.work.openOf(moves)) {
			const verdict = this.work.verdictOf(move);
			if (verdict !== undefined) this.work.settle(move, verdict);
		}
	}
}

/** Tells whether an answer says that a person was not there. */
function isNamedGone({ id }: Move, error: unknown): boolean {
	if (!hasStatus(error, 404)) return false;
	return names(error.facts.detail ?? '', id);
}

/** Tells whether a text names an ID, and not only a longer one that it is a part of. */
function names(text: string, id: string): boolean {
	const isEnd = (character = '') => !/[\w-]/.test(character);
	for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1)) {
		if (isEnd(text[at - 1]) && isEnd(text[at + id.length])) return true;
	}
	return false;
}

function chunked<T>(all: readonly T[], most: number): T[][] {
	const chunks: T[][] = [];
	for (let at = 0; at < all.length; at += most) chunks.push(all.slice(at, at + most));
	return chunks;
}

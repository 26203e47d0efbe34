import { attempt, InputError, isLate, messageOf } from '../../util';
import { hasStatus, mayHaveWorked, RequestError } from '../../http';
import type { Group } from '../../scim';
import { alarmIn } from './bystanders';
import { GroupMoves, mayBeGone, type Move } from './groupMoves';
import { lookForBystanders, readGroupNow, readWholeGroup, seeAnswer } from './looks';
import { look, lookAfterRefusal, lookAtList, lookAtPeople } from './memberLooks';
import { keptOf, wholeListOf } from './requests';
import { isPlanLate } from './rests';
import { groupOf, type Entry, type Request } from './schedule';
import { noteIn, sendFor, type World } from './world';

/** Answers that refuse a request, or a part of it. */
const REFUSALS = [400, 403, 404, 409, 422, 501];

/** So often a request that was refused is sent again although nothing of it was done meanwhile. */
const MOST_TRIES = 3;
/** So many who are alone and refused alike speak for trying the others one by one, too. */
const SAME_REFUSALS = 2;

/**
 * Sends what changes of one group: the difference as PATCH, or the whole list as PUT. A refusal may leave a part of it done
 * (test/contract/interface.md 2.3), so after one the group itself is read, those who were refused are left out, and what it does not show
 * yet is sent again.
 */
export async function sendMembers(
	request: Request,
	entries: readonly Entry[],
	world: World,
): Promise<void> {
	await new MembersRequest(request, entries, world).send();
}

class MembersRequest extends GroupMoves {
	/** Batches that are still to be sent, in their order. */
	private queue: Move[][];

	/** Whether the next request has its place already: a look came in between, which must not grow old while it waits. */
	private hasPlace = false;

	private hasSent = false;

	private tries = 0;

	/** Whether the service has taken any person of this request. */
	private hasTaken = false;

	/** Whether people of a refused domain are asked for one by one, because none of them was taken together. */
	private oneByOne = false;

	/** How often single ones were refused, by the words of the service. */
	private readonly refusals = new Map<string, number>();

	constructor(request: Request, entries: readonly Entry[], world: World) {
		super(request, entries, world);
		this.queue = this.batchesOf(this.moves);
	}

	private get addsInOrder(): boolean {
		return this.world.client.profile.addsStopAtRefused;
	}

	/** Sends until everything was sent or refused; what is to be seen after that is looked for by the loop. */
	async send(): Promise<void> {
		if (this.request.isWhole === true) await this.sendList();
		for (let next = this.next(); next.length > 0; next = this.next()) {
			const batch = next;
			const tried = await attempt(async () => {
				const sent = await this.sendDifference(batch);
				if (sent !== undefined) await this.after(sent, batch);
			});
			if (!tried.ok) this.leave(batch, tried.error);
		}
		for (const [move, { error, isSure }] of this.blamed) {
			this.blamed.delete(move);
			if (isSure) this.refuse(move, error);
			else {
				const tried = await attempt(async () => await this.sendAlone(move));
				if (!tried.ok) this.leave([move], tried.error);
			}
		}
	}

	/** A look that breaks off fails the people it was for; some may have been sent before. */
	private leave(batch: readonly Move[], error: unknown): void {
		for (const move of this.openOf(batch)) {
			if (move.state.since > 0) this.refuseUnlessShown(move, error);
			else this.refuse(move, error);
		}
	}

	/** What was taken waits to be seen; what was refused is tried in another way, or left to a look. */
	private async after(
		tried: { ok: boolean; error?: unknown },
		batch: readonly Move[],
	): Promise<void> {
		if (tried.ok) {
			this.hasTaken = true;
			for (const move of this.openOf(batch)) this.sent.add(move);
			if (!this.oneByOne) return;
			this.oneByOne = false;
			this.queue = this.batchesOf(this.openOf(this.moves));
		} else await this.afterFailure(batch, tried.error);
	}

	/** People of a domain that the organization has refused go last. */
	private batchesOf(moves: readonly Move[]): Move[][] {
		const isSuspect = (move: Move) => move.gives && this.isSuspect(move);
		const suspects = moves.filter(isSuspect);
		const others = suspects.length === 0 ? moves : moves.filter((move) => !isSuspect(move));
		return [
			...chunked(others, this.mostMembers),
			...chunked(suspects, this.oneByOne ? 1 : this.mostMembers),
		];
	}

	private get mostMembers(): number {
		return this.world.client.profile.membersPerRequest;
	}

	/** Who is sent for next. */
	private next(): Move[] {
		for (let batch = this.queue.shift(); batch !== undefined; batch = this.queue.shift()) {
			const open = this.openOf(batch);
			if (open.length > 0) return open;
		}
		return [];
	}

	/** One PATCH for those of these who are still open; a look comes before it is repeated. */
	private async sendDifference(
		batch: readonly Move[],
	): Promise<{ ok: boolean; error?: unknown } | undefined> {
		const { client } = this.world;
		await this.takePlace();
		const isFirst = !this.hasSent && this.moves.some(mayBeGone);
		if (isFirst || isLate(this.lookedAt, client.patience)) await look(this, this.hasSent);
		else if (this.wasRefused) await lookAtPeople(this);
		this.heedAlarm(batch.filter(({ gives }) => !gives));
		const open = this.openOf(batch);
		return open.length === 0 ? undefined : await this.sendOpen(open);
	}

	/** After an alarm no removal leaves, whatever has been sent of it before. */
	private heedAlarm(removals: readonly Move[]): void {
		const alarm = alarmIn(this.world.bystanders);
		for (const move of alarm ? this.openOf(removals) : []) this.refuse(move, alarm);
	}

	/**
	 * Sends those who are open. After 5xx, 429 or a lost answer `http/send` waits and calls `again`: it looks, and what is
	 * still open then leaves again. When no repeat is left, the loop looks until Verification Time ends: shown is `done`, not
	 * shown is `unverified`. A refusal goes to `afterFailure`, which looks too: not shown is `failed`.
	 */
	private async sendOpen(open: readonly Move[]): Promise<{ ok: boolean; error?: unknown }> {
		const ids = (gives: boolean) =>
			this.openOf(open).flatMap((move) => (move.gives === gives ? move.id : []));
		const again = async (mayBeDone: boolean) => {
			for (const move of open) this.repeated.add(move);
			await look(this, true, mayBeDone);
			this.heedAlarm(open.filter(({ gives }) => !gives));
			return { add: ids(true), remove: ids(false) };
		};
		const { client } = this.world;
		return await this.sendOnce(
			open,
			ids(false),
			async (hasPlace) =>
				await client.forms.Groups.send({}, async (form) =>
					form.has('wholeResource')
						? await this.putChanged(open, hasPlace)
						: await client.changeMembers(this.groupId, ids(true), ids(false), again, hasPlace),
				),
		);
	}

	/** Where there is no PATCH: PUT of the group as read now, with the changes in it. An answer may repeat it, so a look decides. */
	private async putChanged(open: readonly Move[], hasPlace: boolean): Promise<undefined> {
		const { client } = this.world;
		const membersNow = async () => {
			const group = await readWholeGroup(this.groupId, this.world);
			this.lookedAt = this.world.evidence.leaving();
			const members = new Set(group.members.map(({ id }) => id));
			for (const { id, gives } of this.openOf(open)) {
				if (gives) members.add(id);
				else members.delete(id);
			}
			return { group, members: [...members] };
		};
		const again = async () => {
			for (const move of open) this.repeated.add(move);
			await look(this, true, true);
			this.heedAlarm(open.filter(({ gives }) => !gives));
			return this.openOf(open).length === 0 ? undefined : (await membersNow()).members;
		};
		const { group, members } = await membersNow();
		const kept = keptOf(group, client.profile);
		await client.replaceMembers(this.groupId, members, kept, again, hasPlace);
	}

	private async sendOnce(
		moves: readonly Move[],
		removed: readonly string[],
		send: (hasPlace: boolean) => Promise<Group | undefined>,
	): Promise<{ ok: boolean; error?: unknown }> {
		const had = this.hasPlace;
		[this.hasPlace, this.hasSent] = [false, true];
		const states = moves.map(({ state }) => state);
		if (removed.length > 0) await lookForBystanders(this.groupId, this.world);
		const { tried, left } = await sendFor(states, this.world, async () => await send(had));
		// A member who is gone after a single removal that was refused was removed by another client.
		const isPart = !tried.ok && moves.length > 1 && hasStatus(tried.error, 400, 404, 501);
		if (removed.length > 0 && (tried.ok || isPart || mayHaveWorked(tried.error)))
			this.world.evidence.noteRemoval(this.key, removed, left);
		const isLess =
			tried.ok &&
			tried.value !== undefined &&
			seeAnswer(this.groupId, tried.value, left, this.world);
		const isUntagged = this.world.client.putUntagged('Groups', this.groupId);
		for (const state of states) state.isUntagged = isUntagged;
		// At once: the answer to another request may be about the same group.
		if (tried.ok) this.see(moves);
		if (isLess) await attempt(async () => await readGroupNow(this.groupId, removed, this.world));
		return tried;
	}

	private async sendAlone(move: Move): Promise<void> {
		const tried = await this.sendDifference([move]);
		if (tried === undefined || tried.ok) {
			this.sent.add(move);
			return;
		}
		if (move.state.verdict !== undefined || mayHaveWorked(tried.error)) return;
		if (this.addsInOrder) this.refuse(move, tried.error);
		// Elsewhere a person who was added after all may be refused for being a member.
		else this.refuseUnlessShown(move, tried.error);
	}

	/** Waits for the place of a request that a look comes before, where writes are paced. */
	private async takePlace(): Promise<void> {
		if (this.hasPlace) return;
		await this.world.client.patience.placeOfWrite?.(this.moves[0]?.action ?? '');
		this.hasPlace = true;
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
		this.heedAlarm(this.moves);
		const { staying, kept } = wholeListOf(this.request, {
			...{ access: world.access, ids: world.ids, profile: world.client.profile },
		});
		const moving = staying.filter((id) => world.movesWithin(this.key, id));
		let [list, { version }] = [staying, kept];
		const look = async (repeated = false) => {
			({ list, version } = await lookAtList(this, staying, moving, repeated));
		};
		const movesLater = moving.length > 0 && this.request.after.length > 0;
		if (movesLater || isPlanLate(world)) {
			const looked = await attempt(look);
			if (!looked.ok) {
				for (const move of this.openOf(this.moves)) this.refuse(move, looked.error);
				return;
			}
		}
		const open = this.openOf(this.moves);
		const members = () => [
			...list,
			...this.moves.filter((move) => this.isIn(move)).map(({ id }) => id),
		];
		const again = async () => {
			// A person moved by the first list may be in neither group between two reads.
			for (const move of open) this.repeated.add(move);
			await look(true);
			this.heedAlarm(this.moves);
			return this.openOf(open).length === 0 ? undefined : members();
		};
		if (open.length === 0) return;
		const stays = new Set(members());
		const before = world.access?.groups.get(this.key)?.members ?? [];
		const removed = before.flatMap(({ id }) => (stays.has(id) ? [] : id));
		const tried = await this.sendOnce(
			open,
			removed,
			async (hasPlace) =>
				await world.client.replaceMembers(
					this.groupId,
					members(),
					{ ...kept, version },
					again,
					hasPlace,
				),
		);
		await this.afterList(open, tried);
	}

	/** A list may be refused for its form: that judges no person, and the difference is sent. */
	private async afterList(
		open: readonly Move[],
		tried: { ok: boolean; error?: unknown },
	): Promise<void> {
		const isOfForm = !this.addsInOrder && hasStatus(tried.error, 405, ...REFUSALS);
		if (tried.ok || !isOfForm) {
			await this.after(tried, open);
			return;
		}
		if ((await this.lookAfter(open, tried.error)) === undefined) return;
		this.see(open);
		for (const move of this.openOf(open)) this.repeated.add(move);
	}

	/** Whether a whole list has the person of a change: one that a look has stopped leaves it as it is. */
	private isIn({ state, gives }: Move): boolean {
		return gives !== (state.verdict?.outcome.status === 'failed');
	}

	// --- after a refusal ---

	private async afterFailure(batch: readonly Move[], error: unknown): Promise<void> {
		const open = this.openOf(batch);
		// A refusal proves nothing: another writer may have made it so.
		if (!hasStatus(error, ...REFUSALS)) {
			for (const move of open) {
				if (mayHaveWorked(error)) this.sent.add(move);
				else this.refuse(move, error);
			}
			return;
		}
		if (this.oneByOne && batch.length === 1 && hasStatus(error, 400)) {
			this.refuse(batch[0], error);
			return;
		}
		if (batch.length === 1 && !this.addsInOrder && !hasStatus(error, 404)) {
			// One look, later, does for all who are refused alone.
			this.wasRefused = true;
			for (const move of open) this.refuseUnlessShown(move, error);
			this.noteRefusal(error);
			return;
		}
		const roles = await this.lookAfter(open, error);
		if (roles === undefined) return;
		// A removal stops at a person who is no member, so that one was out before the request (test/contract/interface.md 2.3).
		const isNamedGone = (move: Move) => hasStatus(error, 404) && isNamed(move, error);
		for (const move of open) {
			if (move.gives || mayBeGone(move) || this.isMember(move) !== false) continue;
			const role = roles.get(move.id);
			if (isNamedGone(move) || role !== undefined)
				this.settleGone(move, role, this.repeated.has(move));
		}
		this.see(open);
		const left = this.openOf(open);
		// One of several that is refused is carried out in part.
		if (batch.length > 1) for (const move of left) if (!isNamedGone(move)) this.repeated.add(move);
		const progress = left.length < batch.length;
		this.hasTaken ||= progress;
		if (left.length === 0) return;
		this.sendLeft(left, error, batch.length === 1, progress);
	}

	/**
	 * Who of those still open is asked for next, after a refusal and a look: the first rule that fits.
	 *
	 * 1. 404, and something got through or tries are left: all again.
	 * 2. Adds are carried out in order: the first that is missing is the refused one.
	 * 3. One alone: refused.
	 * 4. 501 to adds or to removals alone: all refused.
	 * 5. Something got through: all again. One is named by the answer: that one alone, then the others. Else by halves.
	 */
	private sendLeft(
		left: readonly Move[],
		error: unknown,
		isAlone: boolean,
		progress: boolean,
	): void {
		if (hasStatus(error, 404) && (progress || ++this.tries < MOST_TRIES)) {
			this.queue.unshift(...chunked(left, this.mostMembers));
			return;
		}
		const adds = left.filter(({ gives }) => gives);
		if (this.addsInOrder && hasStatus(error, 400) && adds.length > 0) {
			this.afterRefusedInOrder(left, adds, error, progress);
			return;
		}
		if (left.length === 1 && isAlone) {
			this.refuseUnlessShown(left[0], error);
			this.noteRefusal(error);
			return;
		}
		const isMixed = adds.length > 0 && adds.length < left.length;
		// What a service has not is asked for in vain of each alone.
		if (hasStatus(error, 501) && !isMixed) {
			for (const move of left) this.refuseUnlessShown(move, error);
			return;
		}
		const culprits = left.filter((move) => isNamed(move, error));
		if (progress) this.queue.unshift(...chunked(left, this.mostMembers));
		else if (culprits.length === 1 && hasStatus(error, 400)) {
			// A person named by the answer is asked for alone: a number in a text may be anything.
			this.queue.unshift(
				culprits,
				...chunked(
					left.filter((one) => one !== culprits[0]),
					this.mostMembers,
				),
			);
		} else this.queue.unshift(...this.partsOf(left, adds, error));
	}

	/** @returns the roles that the look showed; undefined where it broke off, and open ones are left to a later look */
	private async lookAfter(
		open: readonly Move[],
		error: unknown,
	): Promise<Map<string, string> | undefined> {
		const looked = await attempt(async () => await lookAfterRefusal(this, open));
		this.lookedAt = this.world.evidence.leaving();
		this.wasRefused = true;
		for (const move of looked.ok ? [] : open) this.refuseUnlessShown(move, error);
		return looked.ok ? looked.value : undefined;
	}

	/** Where adds are carried out in order, the first who is missing is the one who was refused (test/contract/interface.md 2.3). */
	private afterRefusedInOrder(
		left: readonly Move[],
		adds: readonly Move[],
		error: unknown,
		progress: boolean,
	): void {
		const areSuspects = left.length > 1 && left.every((move) => move.gives && this.isSuspect(move));
		// None of a refused domain was taken together: each is asked for alone.
		if (areSuspects && !progress) this.oneByOne = true;
		else this.blame(adds[0], error, left.length === 1);
		this.queue = this.batchesOf(this.openOf(this.moves));
	}

	/** Smaller requests for what was refused together. No person is judged who was neither sent alone nor named. */
	private partsOf(left: readonly Move[], adds: readonly Move[], error: unknown): Move[][] {
		if (adds.length > 0 && adds.length < left.length)
			return [[...adds], left.filter(({ gives }) => !gives)];
		if (this.isHopeless(error)) return this.singles(left);
		const half = Math.ceil(left.length / 2);
		return [left.slice(0, half), left.slice(half)];
	}

	/**
	 * Where no person was taken so far, and several alone were refused alike, the others are not halved any more. When as many
	 * were as it takes to find one of them, it is the form that is refused, and no further one is sent.
	 */
	private noteRefusal(error: unknown): void {
		const said = textOf(error);
		const count = (this.refusals.get(said) ?? 0) + 1;
		this.refusals.set(said, count);
		if (!this.isHopeless(error)) return;
		const left = this.openOf(this.queue.flat());
		if (count === SAME_REFUSALS) this.queue = this.singles(left);
		if (count < this.mostAlike) return;
		for (const move of left) this.refuse(move, refusedForm(count, this.groupId, error));
	}

	/** One by one, some from all over first: a few of a kind may stand together. */
	private singles(moves: readonly Move[]): Move[][] {
		const step = Math.ceil(moves.length / this.mostAlike);
		const isFirst = (_: Move, at: number) => at % step === 0;
		const later = moves.filter((move, at) => !isFirst(move, at));
		return [...moves.filter(isFirst), ...later].map((move) => [move]);
	}

	private get mostAlike(): number {
		return Math.ceil(2 + 2 * Math.log2(this.moves.length));
	}

	private isHopeless(error: unknown): boolean {
		return !this.hasTaken && (this.refusals.get(textOf(error)) ?? 0) >= SAME_REFUSALS;
	}

	private blame(move: Move, error: unknown, isSure: boolean): void {
		this.blamed.set(move, { error, isSure });
		const organization = this.organization;
		const domain = domainOf(move);
		if (organization === undefined || domain === undefined) return;
		noteIn(this.world.learned.refusedDomains, organization, domain);
	}

	private get organization(): string | undefined {
		return groupOf(this.request)?.organization;
	}

	private isSuspect(move: Move): boolean {
		const refused = this.world.learned.refusedDomains.get(this.organization ?? '');
		return refused?.has(domainOf(move) ?? '') === true;
	}

	// --- verdicts ---

	/**
	 * Notes who is shown as requested, of these and of those who were blamed too early. A group that shows what was just asked
	 * for is no old read, so those it lacks were refused indeed.
	 */
	private see(moves: readonly Move[]): void {
		let hasShown = false;
		for (const move of this.openOf(moves)) {
			const judged = this.judged(move);
			if (judged === undefined) continue;
			hasShown = true;
			this.settle(move, judged);
		}
		for (const [move, blame] of this.blamed) {
			const judged = this.judged(move);
			if (judged !== undefined) this.settle(move, judged);
			else blame.isSure ||= hasShown;
		}
	}
}

function refusedForm(count: number, groupId: string, error: unknown): InputError {
	return new InputError(
		`It was not sent: the service refused ${count} others of group ${groupId} alone with the same answer, and took nobody (${messageOf(error)})`,
		'The service may not take this form of request. Check the group at the service, and try it with one person.',
	);
}

/** Whether the answer that refused names the person. */
function isNamed({ id }: Move, error: unknown): boolean {
	return names(error instanceof RequestError ? (error.facts.detail ?? '') : '', id);
}

/** Whether a text names an id, and not only a longer one that it is a part of. */
function names(text: string, id: string): boolean {
	const isEnd = (character = '') => !/[\w-]/.test(character);
	for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1)) {
		if (isEnd(text[at - 1]) && isEnd(text[at + id.length])) return true;
	}
	return false;
}

function textOf(error: unknown): string {
	if (!(error instanceof RequestError)) return String(error);
	return `${error.facts.status} ${error.facts.detail ?? ''}`;
}

function domainOf({ change: { person } }: Move): string | undefined {
	const { userName = '' } = person;
	const at = userName.lastIndexOf('@');
	return at < 0 ? undefined : userName.slice(at + 1).toLowerCase();
}

function chunked<T>(all: readonly T[], most: number): T[][] {
	const chunks: T[][] = [];
	for (let at = 0; at < all.length; at += most) chunks.push(all.slice(at, at + most));
	return chunks;
}

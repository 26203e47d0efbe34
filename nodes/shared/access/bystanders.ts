import { attempt, InputError, inTurn, poll, type Turns } from '../util';
import { hasStatus, mayHaveWorked } from '../http';
import type { Group, GroupIds, ScimClient } from '../scim';
import type { Access } from './access';
import { isValue } from './change';
import { groupOf, type Request } from './schedule';

/** So many who are gone are looked at one by one. */
const MOST_LOOKED_AT = 20;
/** An alarm is the only record of who lost access. */
const MOST_NAMED = 1_000;

/** Members whom this run did not remove, and who are gone after a removal. */
export interface BystanderLoss {
	groupId: string;
	/** A whole sentence without its full stop. */
	reason: string;
	/** Whether the removal may have taken them along; then no other one is sent. */
	isAlarm: boolean;
}

function removes(request: Request): boolean {
	const isOfGroup = groupOf(request) !== undefined;
	return isOfGroup && request.entries.some(({ gives }) => gives !== true);
}

/**
 * Watches the groups that people are removed from: some services understand a removal as one of every member
 * (docs/servers.md). Until a read has shown that a removal spared somebody, removals go one by one, so that such a
 * service empties one group and not all of them. What others have removed meanwhile looks the same, so it is told and
 * never repaired.
 */
export class Bystanders {
	private readonly losses = new Map<string, BystanderLoss>();

	/** Groups that somebody was removed from and that were not seen since, with those who were removed. */
	private readonly unseen = new Map<string, ReadonlySet<string>>();

	/** Whether a read has shown that a removal spared somebody. */
	private trusted = false;

	private readonly turns: Turns = { queue: Promise.resolve() };

	/** Whom the plan changes: as users, or in a group. */
	private readonly touched = new Set<string>();

	/** Who was in a group and is to stay. */
	private readonly staying = new Map<string, readonly string[]>();

	private readonly removals: number;

	private readonly isOff: boolean;

	/**
	 * @param access who was in which group when the plan was made; without it, and where an add moves people and deactivation
	 * drops them, so that others leave groups all the time, nobody is watched
	 */
	constructor(
		private readonly client: ScimClient,
		requests: readonly Request[],
		private readonly access: Access | undefined,
		private readonly ids: GroupIds,
	) {
		this.isOff = access === undefined || client.profile.addMovesWithinOrganization;
		this.removals = requests.filter(removes).length;
		for (const { change, entitlement } of requests.flatMap(({ entries }) => entries)) {
			if (change.about === 'group') continue;
			const { id = '' } = change.person;
			if (change.about === 'account' || entitlement === undefined || isValue(entitlement))
				this.touched.add(id);
			else this.touched.add(`${entitlement.key}\n${id}`);
		}
	}

	/** Waits for the removals before, until a read has shown that one of them spared somebody. */
	async inTurn<T>(groupId: string, removes: boolean, work: () => Promise<T>): Promise<T> {
		const isAlone = !this.isOff && removes && this.isAlone(this.ids.key(groupId));
		return isAlone ? await inTurn(this.turns, work) : await work();
	}

	private isAlone(key: string): boolean {
		const mayHarm = this.isPartial(key) || this.bystanders(key).length > 0;
		return !this.trusted && this.removals > 1 && mayHarm;
	}

	/**
	 * Sends a removal, and looks at what its answer shows, or a read where that decides about the next removals.
	 * @param changes how many the request is for: of several one that is refused may be carried out in part
	 */
	async watch(
		groupId: string,
		remove: readonly string[],
		changes: number,
		send: () => Promise<Group | undefined>,
	): Promise<Group | undefined> {
		if (this.isOff || remove.length === 0) return await send();
		const key = this.ids.key(groupId);
		await this.findOthers(groupId);
		const sent = await attempt(send);
		const isPart = !sent.ok && changes > 1 && hasStatus(sent.error, 400, 404, 501);
		// Whoever is gone after a removal that was refused was removed by somebody else.
		if (sent.ok || isPart || mayHaveWorked(sent.error))
			this.unseen.set(key, new Set([...(this.unseen.get(key) ?? []), ...remove]));
		if (!sent.ok) throw sent.error;
		const group = sent.value;
		const isLess = group !== undefined && this.missingFrom(group).length > 0;
		if (!isLess && !this.isAlone(key)) {
			await this.look(group, false);
			return group;
		}
		// An answer may show a part of the members, and a read may lag: only a read that shows the removal decides.
		const of = this.isPartial(key) ? [...this.unseenIn(groupId), ...remove] : undefined;
		await poll(this.client.patience, async () => {
			const read = await attempt(async () => await this.client.getGroup(groupId, of));
			if (!read.ok) return true;
			if (this.isOld(read.value)) return undefined;
			await this.look(read.value, true);
			return true;
		});
		return isLess ? undefined : group;
	}

	/** The same of a whole list, which removes everybody whom it does not name. */
	async watchList(
		groupId: string,
		staying: readonly string[],
		send: () => Promise<Group | undefined>,
	): Promise<Group | undefined> {
		const stays = new Set(staying);
		const before = this.access?.groups.get(this.ids.key(groupId))?.members ?? [];
		const remove = before.map(({ id }) => id).filter((id) => !stays.has(id));
		return await this.watch(groupId, remove, 1, send);
	}

	/** Notes who is missing from a group without being meant. @param isRead whether this is no answer to a write */
	async look(group: Group | undefined, isRead: boolean): Promise<void> {
		if (this.isOff || group?.members === undefined) return;
		const { id } = group;
		const key = this.ids.key(id);
		if (!this.unseen.has(key)) return;
		let shown = group;
		if (this.missingFrom(group).length > 0 && this.isPartial(key)) {
			const all = await attempt(async () => await this.client.getGroup(id, this.bystanders(key)));
			if (all.ok) shown = all.value;
		}
		const missing = this.missingFrom(shown);
		if (missing.length === 0 && this.isOld(shown)) return;
		this.unseen.delete(key);
		const { lost, isShown } = await this.lostOf(missing, key);
		const othersStay = isShown || this.told(shown).length > missing.length;
		this.trusted ||= isRead && othersStay;
		if (lost.length === 0) return;
		const isAlarm = lost.length > 1 || !othersStay;
		const names = `${lost.slice(0, MOST_NAMED).join(', ')}${lost.length > MOST_NAMED ? ', ...' : ''}`;
		const lostToo = `Group ${id} lost ${lost.length} more than this run removed (${names})`;
		const reason = isAlarm
			? `${lostToo}, so no further removal was sent. Another run may have removed them. If not, choose another Member Removal in the credential, and restore them with Access: Assign`
			: `${lostToo}. Another run may have done so`;
		this.losses.set(key, { groupId: id, isAlarm, reason });
	}

	/** Why no removal may be sent any more, if so. */
	alarm(): InputError | undefined {
		const alarm = [...this.losses.values()].find(({ isAlarm }) => isAlarm);
		return (
			alarm &&
			new InputError(
				`No further removal was sent, because group ${alarm.groupId} lost more members than this run removed`,
				'Check that group, and run again.',
			)
		);
	}

	/** The same rounds; of each, removals from small groups first. */
	smallestFirst(rounds: ReadonlyArray<readonly Request[]>): ReadonlyArray<readonly Request[]> {
		if (this.isOff) return rounds;
		const size = (request: Request) =>
			this.access?.groups.get(groupOf(request)?.key ?? '')?.members?.length ??
			Number.MAX_SAFE_INTEGER;
		return rounds.map((round) => {
			const sorted = round
				.filter(removes)
				.map((request) => ({ request, size: size(request) }))
				.sort((one, other) => one.size - other.size);
			return round.map((request) =>
				removes(request) ? (sorted.shift()?.request ?? request) : request,
			);
		});
	}

	/** Who was lost, by group. */
	found(): readonly BystanderLoss[] {
		return [...this.losses.values()];
	}

	/** A read that still shows somebody who was removed. */
	private isOld({ id, members = [] }: Group): boolean {
		const removed = this.unseen.get(this.ids.key(id));
		return removed !== undefined && members.some((member) => removed.has(member.id));
	}

	private missingFrom(group: Group): string[] {
		const { members, nested = [] } = group;
		if (members === undefined) return [];
		const there = new Set([...members.map((member) => member.id), ...nested]);
		return this.told(group).filter((bystander) => !there.has(bystander));
	}

	/** Bystanders of whom a read tells whether they are still there. */
	private told({ id, of }: Group): readonly string[] {
		return this.bystanders(this.ids.key(id)).filter((bystander) => of?.has(bystander) ?? true);
	}

	/** Of whom a read of a group has to tell, until the service was seen to spare others: one stands for all. */
	unseenIn(groupId: string): readonly string[] {
		if (this.isOff) return [];
		const key = this.ids.key(groupId);
		return this.trusted || !this.unseen.has(key) ? [] : this.bystanders(key).slice(0, 1);
	}

	/** Whether the group was asked about some people alone. */
	private isPartial(key: string): boolean {
		return this.access?.groups.get(key)?.of !== undefined;
	}

	/** Where a group was asked about some people alone, a page of the others. */
	private async findOthers(groupId: string): Promise<void> {
		const key = this.ids.key(groupId);
		if (this.trusted || !this.isPartial(key) || this.bystanders(key).length > 0) return;
		const some = await attempt(async () => await this.client.someMembers(groupId));
		if (some.ok) this.staying.set(key, this.untouched(some.value, key));
	}

	/** Who was in a group and is to stay, groups in it too. */
	private bystanders(key: string): readonly string[] {
		const { members = [], nested = [] } = this.access?.groups.get(key) ?? {};
		const known = () => [
			...this.untouched(
				members.map(({ id }) => id),
				key,
			),
			...nested,
		];
		const staying = this.staying.get(key) ?? known();
		this.staying.set(key, staying);
		return staying;
	}

	private untouched(userIds: readonly string[], key: string): string[] {
		return userIds.filter((id) => !this.touched.has(id) && !this.touched.has(`${key}\n${id}`));
	}

	/**
	 * Of those who are missing from a group, who are users as before, by name: somebody else may have deleted or
	 * deactivated one in the meantime, and a user who shows the group is in it.
	 */
	private async lostOf(
		missing: readonly string[],
		key: string,
	): Promise<{ lost: string[]; isShown: boolean }> {
		const nested = new Set(this.access?.groups.get(key)?.nested);
		const nameOf = (id: string) => this.access?.names.get(id) ?? id;
		const people = missing.filter((id) => !nested.has(id));
		const lost: string[] = [];
		let isShown = false;
		for (const id of people.slice(0, MOST_LOOKED_AT)) {
			const user = await attempt(async () => await this.client.getUser(id));
			const isMember = user.ok && user.value.groupIds?.some((own) => this.ids.key(own) === key);
			const left = user.ok ? user.value.active === false : hasStatus(user.error, 404, 410);
			if (isMember) isShown = true;
			else if (!left) lost.push(user.ok ? user.value.userName || id : nameOf(id));
		}
		const others = isShown ? [] : people.slice(MOST_LOOKED_AT).map(nameOf);
		const groups = missing.filter((id) => nested.has(id)).map((id) => `group ${id}`);
		return { lost: [...lost, ...others, ...groups], isShown };
	}
}

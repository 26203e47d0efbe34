import { attempt, InputError, poll } from '../util';
import { hasStatus } from '../http';
import type { Group, GroupIds, ScimClient } from '../scim';
import type { Access } from './access';
import type { ProvisioningStep } from './step';

/** So many who are gone are looked at one by one; more cannot have left by themselves. */
const MOST_LOOKED_AT = 20;
/** Of more, these say whether the group only hides them. */
const WITNESSES = 3;
const MOST_NAMED = 10;

/** What a service did to people whom nobody wanted to touch. */
export interface Alarm {
	groupId: string;
	/** A whole sentence without its full stop. */
	reason: string;
}

export interface Watch {
	/** The client to carry the plan out with. */
	client: ScimClient;
	/** What went wrong, one entry per group; nothing more may be sent once there is any. */
	alarms(): readonly Alarm[];
}

/**
 * Watches the groups that people are removed from: some services understand a removal as one of every member
 * (docs/servers.md). Whoever was in the group, is in no step of the plan, and is gone afterwards is put back at once,
 * and the alarm is raised. Until a removal was seen to spare the others, they leave one by one, so that such a service
 * empties one group and not all of them.
 * @param access who was in which group when the plan was made
 */
export function watchBystanders(
	client: ScimClient,
	steps: readonly ProvisioningStep[],
	access: Access | undefined,
	ids: GroupIds,
): Watch {
	// Where an add moves people, and deactivation drops them, others leave groups all the time.
	if (access === undefined || client.profile.addMovesWithinOrganization) {
		return { client, alarms: () => [] };
	}
	const watcher = new Watcher(client, steps, access, ids);
	return {
		alarms: () => [...watcher.alarms.values()],
		client: {
			...client,
			async changeMembers(groupId, add, remove, again, hasPlace) {
				const send = async () => await client.changeMembers(groupId, add, remove, again, hasPlace);
				return remove.length === 0 ? await send() : await watcher.watch(groupId, remove, send);
			},
			async replaceMembers(groupId, userIds, kept, again, hasPlace) {
				const staying = new Set(userIds);
				const before = access.groups.get(ids.key(groupId))?.members ?? [];
				const remove = before.map(({ id }) => id).filter((id) => !staying.has(id));
				return await watcher.watch(
					groupId,
					remove,
					async () => await client.replaceMembers(groupId, userIds, kept, again, hasPlace),
				);
			},
			async getGroup(id, of) {
				const group = await client.getGroup(id, of && [...of, ...watcher.unseenIn(id)]);
				await watcher.look(group);
				return group;
			},
		},
	};
}

class Watcher {
	readonly alarms = new Map<string, Alarm>();

	/** Groups that somebody was removed from and that were not seen since, with those who were removed. */
	private readonly unseen = new Map<string, Set<string>>();

	/** Whether a removal was seen to spare everybody else. */
	private trusted = false;

	private queue: Promise<unknown> = Promise.resolve();

	private readonly touched: Touched;

	/** Who is to stay, by group. */
	private readonly staying = new Map<string, readonly string[]>();

	private readonly removals: number;

	constructor(
		private readonly client: ScimClient,
		steps: readonly ProvisioningStep[],
		private readonly access: Access,
		private readonly ids: GroupIds,
	) {
		this.touched = touchedBy(steps, ids);
		this.removals = steps.filter((step) => 'remove' in step && step.remove.length > 0).length;
	}

	/** Sends a removal, and looks at what its answer shows. */
	async watch(
		groupId: string,
		remove: readonly string[],
		send: () => Promise<Group | undefined>,
	): Promise<Group | undefined> {
		const key = this.ids.key(groupId);
		const mayHarm = this.isPartial(key) || this.bystanders(key).length > 0;
		const alone = !this.trusted && this.removals > 1 && mayHarm;
		if (!alone) {
			await this.findOthers(groupId);
			return await this.sendAndLook(key, remove, send);
		}
		const turn = this.queue.then(async () => {
			await this.findOthers(groupId);
			this.refuseAfterAlarm();
			const group = await this.sendAndLook(key, remove, send);
			if (group?.members === undefined && !this.trusted) {
				const of = this.isPartial(key) ? [...this.unseenIn(groupId), ...remove] : undefined;
				await attempt(async () => await this.look(await this.client.getGroup(groupId, of)));
			}
			return group;
		});
		this.queue = turn.catch(() => {});
		return await turn;
	}

	private async sendAndLook(
		key: string,
		remove: readonly string[],
		send: () => Promise<Group | undefined>,
	): Promise<Group | undefined> {
		const removed = this.unseen.get(key) ?? new Set();
		this.unseen.set(key, removed);
		for (const id of remove) removed.add(id);
		const group = await send();
		if (group !== undefined && this.missingFrom(group).length > 0) {
			// An answer may show a part of the members; a read is believed unless it is older than the removal.
			const read = await attempt(async () => await this.client.getGroup(group.id));
			await this.look(read.ok && !this.isOld(read.value) ? read.value : group);
		} else await this.look(group);
		return group;
	}

	/** Whoever is missing from a group without being meant is put back, and the alarm is raised. */
	async look(group: Group | undefined): Promise<void> {
		if (group?.members === undefined) return;
		const key = this.ids.key(group.id);
		if (!this.unseen.has(key)) return;
		let gone = this.missingFrom(group);
		if (gone.length > 0 && this.isPartial(key)) {
			const all = await attempt(
				async () => await this.client.getGroup(group.id, this.bystanders(key)),
			);
			if (all.ok) gone = this.missingFrom(all.value);
		}
		if (gone.length === 0) {
			if (this.isOld(group)) return;
			this.unseen.delete(key);
			this.trusted ||= this.told(group).length > 0;
			return;
		}
		this.unseen.delete(key);
		const nested = new Set(this.access.groups.get(key)?.nested);
		const lost = new Map([
			...(await stillThere(
				gone.filter((id) => !nested.has(id)),
				key,
				this.ids,
				this.client,
			)),
			...gone.flatMap((id) => (nested.has(id) ? [[id, `group ${id}`] as const] : [])),
		]);
		if (lost.size === 0) return;
		this.alarms.set(key, {
			groupId: group.id,
			reason: `The service removed ${lost.size} more from group ${group.id} than it was asked to, and they are being put back`,
		});
		const back = await putBack(group.id, [...lost.keys()], this.client);
		const names = [...lost]
			.slice(0, MOST_NAMED)
			.map(([id, userName]) => this.access.names.get(id) ?? (userName || id));
		const who = `${names.join(', ')}${lost.size > names.length ? `, and ${lost.size - names.length} more` : ''}`;
		this.alarms.set(key, {
			groupId: group.id,
			reason: `The service removed ${lost.size} more from group ${group.id} than it was asked to (${who}); ${back}, and everything else was stopped. Choose another Member Removal in the credential`,
		});
	}

	private refuseAfterAlarm(): void {
		const [alarm] = this.alarms.values();
		if (alarm === undefined) return;
		throw new InputError(alarm.reason, 'Nothing was sent for this.');
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
		const key = this.ids.key(groupId);
		return this.trusted || !this.unseen.has(key) ? [] : this.bystanders(key).slice(0, 1);
	}

	/** Whether the group was asked about some people alone. */
	private isPartial(key: string): boolean {
		return this.access.groups.get(key)?.of !== undefined;
	}

	/** Where a group was asked about some people alone, a page of the others, to see whether the first removal spares them. */
	private async findOthers(groupId: string): Promise<void> {
		const key = this.ids.key(groupId);
		if (this.trusted || !this.isPartial(key) || this.bystanders(key).length > 0) return;
		const some = await attempt(async () => await this.client.someMembers(groupId));
		const touched = this.touched(groupId);
		if (some.ok) {
			this.staying.set(
				key,
				some.value.filter((id) => !touched(id)),
			);
		}
	}

	/** Who was in a group and is to stay, groups in it too. */
	private bystanders(key: string): readonly string[] {
		const known = this.staying.get(key);
		if (known !== undefined) return known;
		const { id: groupId, members = [], nested = [] } = this.access.groups.get(key) ?? { id: key };
		const touched = this.touched(groupId);
		const staying = [...members.map(({ id }) => id).filter((id) => !touched(id)), ...nested];
		this.staying.set(key, staying);
		return staying;
	}
}

type Touched = (groupId: string) => (userId: string) => boolean;

/**
 * Whom a plan changes, as seen from a group: in that group, by an add to another one of the same organization (which
 * moves people on some services), or as a user.
 */
function touchedBy(steps: readonly ProvisioningStep[], ids: GroupIds): Touched {
	const users = new Set<string>();
	const inGroup = new Map<string, Set<string>>();
	const inOrganization = new Map<string, Set<string>>();
	const note = (map: Map<string, Set<string>>, key: string, people: readonly string[]) => {
		const same = map.get(key);
		if (same === undefined) map.set(key, new Set(people));
		else for (const id of people) same.add(id);
	};
	for (const step of steps) {
		if (step.kind === 'changeMembers' || step.kind === 'replaceMembers') {
			const [add, remove] = [step.add, step.remove].map((changes) =>
				changes.flatMap(({ person }) => person.id ?? []),
			);
			note(inGroup, ids.key(step.groupId), [...add, ...remove]);
			const organization = ids.parse(step.groupId)?.organization;
			if (organization !== undefined) note(inOrganization, organization, add);
		} else if ('person' in step) users.add(step.person.id);
	}
	return (groupId) => {
		const own = inGroup.get(ids.key(groupId));
		const moved = inOrganization.get(ids.parse(groupId)?.organization ?? '');
		return (id) => users.has(id) || own?.has(id) === true || moved?.has(id) === true;
	};
}

/**
 * Those of a few who are users as before: somebody else may have deleted or deactivated one in the meantime, and who
 * says to be in the group is in it, whatever the group shows.
 * @returns user names by id; empty where nobody was asked
 */
async function stillThere(
	gone: readonly string[],
	groupKey: string,
	ids: GroupIds,
	client: ScimClient,
): Promise<Map<string, string>> {
	const few = gone.length <= MOST_LOOKED_AT;
	const there = new Map(few ? [] : gone.map((id) => [id, '']));
	for (const id of few ? gone : gone.slice(0, WITNESSES)) {
		const user = await attempt(async () => await client.getUser(id));
		const isMember = user.ok && user.value.groupIds?.some((own) => ids.key(own) === groupKey);
		if (isMember && !few) return new Map();
		const left = user.ok ? user.value.active === false : hasStatus(user.error, 404);
		if (left || isMember) there.delete(id);
		else there.set(id, few && user.ok ? user.value.userName : '');
	}
	return there;
}

/** @returns what happened to it, in words */
async function putBack(
	groupId: string,
	lost: readonly string[],
	client: ScimClient,
): Promise<string> {
	const size = client.profile.membersPerRequest;
	const add = async (people: readonly string[]) =>
		await attempt(async () => await client.changeMembers(groupId, people, []));
	for (let at = 0; at < lost.length; at += size) {
		const chunk = lost.slice(at, at + size);
		const tried = await add(chunk);
		// One whom the service does not take any more must not keep the others out.
		if (!tried.ok && hasStatus(tried.error, 400, 404)) for (const id of chunk) await add([id]);
	}
	let missing: string[] | undefined;
	await poll(client.patience, async () => {
		const seen = await attempt(async () => await client.getGroup(groupId));
		if (!seen.ok) return undefined;
		const { members: people = [], nested = [] } = seen.value;
		const members = new Set([...people.map(({ id }) => id), ...nested]);
		missing = lost.filter((id) => !members.has(id));
		return missing.length === 0 ? true : undefined;
	});
	if (missing === undefined) return 'it is unknown whether they could be put back';
	if (missing.length === 0) return 'they were put back';
	return `${missing.length} of them could not be put back: ${missing.join(', ')}`;
}

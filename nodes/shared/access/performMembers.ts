import {
	attempt,
	type Attempt,
	InputError,
	isLate,
	madeOnce,
	type Moment,
	momentOf,
	poll,
} from '../util';
import { failureOf, type Failure } from '../run';
import { hasStatus, RequestError } from '../http';
import { versionOf, type Group, type ScimClient, type User } from '../scim';
import type { Directory } from './directory';
import {
	mayHaveWorked,
	putWarnings,
	unverified,
	type Identities,
	type Learned,
	type StepOf,
} from './performCommon';
import { lookFor, whoIs, type AppliedPart, type MemberChange } from './step';

type MemberStep = StepOf<'changeMembers'> | StepOf<'replaceMembers'>;

interface OpenChange extends MemberChange {
	id: string;
	/** Whether the person has to be in the group afterwards. */
	present: boolean;
}

type Judged = Pick<AppliedPart, 'outcome' | 'result' | 'open'>;

/** Why somebody was left out, and whether nobody else can have been the reason; otherwise the person is asked for alone. */
interface Blame {
	error: unknown;
	isSure: boolean;
}

/** So often a request that was refused is sent again although nothing of it was done meanwhile. */
const MOST_TRIES = 3;
const NEVER: Moment = { at: 0, pauses: 0 };
const MOST_NAMED = 10;

/**
 * Sends the adds and removals of one group as PATCH. A refusal may leave a part of them done (docs/interface.md 2.3), so
 * after one the group itself is read, whoever was refused is left out, and what it does not show yet is sent again.
 */
export async function changeGroup(
	step: StepOf<'changeMembers'>,
	client: ScimClient,
	directory: Directory,
	identities: Identities,
	learned: Learned,
): Promise<AppliedPart[]> {
	const work = new MembersWork(step, client, directory, identities, learned);
	await work.takePlace();
	const mayBeGone = step.remove.some((one) => one.mayBeGone);
	if (mayBeGone || isLate(step.readAt, client.patience)) await work.look();
	return await work.carryOut(async (changes) => await work.sendDifference(changes));
}

/**
 * Sends the whole list of a group as PUT. It may be half carried out behind a refusal, too (docs/interface.md 2.3). When
 * what was read is not fresh, the group is looked at first: the list must not remove anyone whom the plan did not know,
 * nor move back anyone who has another role now.
 */
export async function replaceGroup(
	step: StepOf<'replaceMembers'>,
	client: ScimClient,
	directory: Directory,
	learned: Learned,
): Promise<AppliedPart[]> {
	const work = new MembersWork(step, client, directory, new Map(), learned);
	await work.takePlace();
	const movesLater = step.moving.length > 0 && (step.after ?? []).length > 0;
	let kept =
		movesLater || isLate(step.readAt, client.patience) ? await work.lookAtList() : step.kept;
	return await work.carryOut(async (changes) => {
		// After a refusal a second list, without the one who was refused, could remove whom a stale read does not show.
		if (work.goesByDifference) return await work.sendDifference(changes);
		work.goesByDifference = true;
		const list = () => [...kept, ...changes.filter((one) => work.belongs(one)).map(({ id }) => id)];
		const again = async () => {
			kept = await work.lookAtList(true);
			return work.isDone(changes) ? undefined : list();
		};
		const rest = { ...step.rest, version: work.version };
		return await client.replaceMembers(step.groupId, list(), rest, again, work.usePlace());
	});
}

/** What is known of one step on the members of a group while it is carried out. */
class MembersWork {
	private readonly judged = new Map<string, Judged>();

	private readonly changes: readonly OpenChange[];

	/** Whoever was left out because the service would not have them; a later look may show them anyway. */
	private readonly blamed = new Map<OpenChange, Blame>();

	/** False while a whole list is to be sent. */
	goesByDifference: boolean;

	/** Who was in a request that may have taken them out before, if not wholly. */
	private readonly repeated = new Set<string>();

	/** The ETag of the group when a whole list was last compared with it. */
	version?: string;

	/** When the group was last looked at, or read for the plan. */
	private lookedAt: Moment;

	/** Whether the next request has its place already: a look came in between, which must not grow old while it waits. */
	private hasPlace = false;

	private hasSent = false;

	/** Whether nobody looked at people and admins since a refusal. */
	private wasRefused = false;

	private tries = 0;

	/** Whether people of a refused domain are asked for one by one, because none of them was taken together. */
	private oneByOne = false;

	/** Whether adds and removals go in requests of their own, because the service refused them together. */
	private apart = false;

	constructor(
		private readonly step: MemberStep,
		private readonly client: ScimClient,
		private readonly directory: Directory,
		identities: Identities,
		private readonly learned: Learned,
	) {
		this.goesByDifference = step.kind === 'changeMembers';
		if (step.kind === 'replaceMembers') this.version = step.rest.version;
		this.lookedAt = step.readAt;
		const free = new Set(step.parts.map(({ subject }) => subject));
		const changes = [
			...step.add.map((change) => ({ ...change, present: true })),
			...step.remove.map((change) => ({ ...change, present: false })),
		];
		this.changes = changes.flatMap((change) => {
			const { person, action } = change;
			const id = person.id ?? identities.get(person.key);
			if (!free.has(person.key)) return [];
			if (id !== undefined) return [{ ...change, id }];
			const reason = 'the ID of the person is not known';
			this.judged.set(person.key, { outcome: { status: 'failed', action, reason } });
			return [];
		});
	}

	private get addsInOrder(): boolean {
		return this.client.profile.addsStopAtRefused;
	}

	/** Sends until everybody is judged. */
	async carryOut(
		send: (changes: readonly OpenChange[]) => Promise<Group | undefined>,
	): Promise<AppliedPart[]> {
		for (let next = this.next(); next.length > 0; next = this.next()) {
			const changes = next;
			const tried = await attempt(async () => await send(changes));
			if (!tried.ok) await this.afterFailure(this.openOf(changes), tried.error, changes.length);
			else {
				this.oneByOne = false;
				if (tried.value !== undefined) this.see(tried.value, changes);
				for (const change of this.openOf(changes)) {
					this.settle(change, this.unseen(change, tried.value, tried));
				}
			}
		}
		for (const [change, { error, isSure }] of this.blamed) {
			const judged = isSure ? this.refusal(change, error) : await this.alone(change);
			// Elsewhere somebody who was added after all may be refused for being a member.
			const isOpen = judged.outcome.status === 'failed' && !isSure && !this.addsInOrder;
			this.settle(change, isOpen ? this.refusedUnlessShown(change, error) : judged);
		}
		return this.step.parts.flatMap((part) => {
			const outcome = this.judged.get(part.subject);
			return outcome === undefined ? [] : [{ ...part, ...outcome }];
		});
	}

	/** One PATCH for those of these who are still open; a look comes before it is repeated. */
	async sendDifference(changes: readonly OpenChange[]): Promise<Group | undefined> {
		if (!this.hasPlace) {
			await this.takePlace();
			if (isLate(this.lookedAt, this.client.patience)) await this.look(this.hasSent);
			else if (this.wasRefused) await this.lookAtPeople();
		}
		const ids = (present: boolean) =>
			this.openOf(changes)
				.filter((change) => change.present === present)
				.map(({ id }) => id);
		const again = async () => {
			for (const { id } of changes) this.repeated.add(id);
			await this.look(true);
			return { add: ids(true), remove: ids(false) };
		};
		const [add, remove] = [ids(true), ids(false)];
		if (add.length + remove.length === 0) return undefined;
		const { groupId } = this.step;
		return await this.client.changeMembers(groupId, add, remove, again, this.usePlace());
	}

	/** Waits for the place of a request that a look comes before, where writes are paced. */
	async takePlace(): Promise<void> {
		await this.client.patience.placeOfWrite?.(this.step.action);
		this.hasPlace = true;
	}

	/** @returns whether the request to be sent now has its place */
	usePlace(): boolean {
		const had = this.hasPlace;
		[this.hasPlace, this.hasSent] = [false, true];
		return had;
	}

	/** Whether a whole list has the person of a change: one that a look has stopped leaves it as it is. */
	belongs({ person, present }: OpenChange): boolean {
		return present !== (this.judged.get(person.key)?.outcome.status === 'failed');
	}

	isDone(changes: readonly OpenChange[]): boolean {
		return this.openOf(changes).length === 0;
	}

	/** Looks before a late change, and before one that is sent again. @param repeated whether this step may have made it */
	async look(repeated = false): Promise<void> {
		this.lookedAt = momentOf(this.client.patience);
		const { siblings, remove } = this.step;
		if (siblings.length + remove.length > 0) await this.lookAtGroup(repeated);
		await this.lookAtPeople();
	}

	/** Whoever gains access, and the admins who would be left. */
	private async lookAtPeople(): Promise<void> {
		this.wasRefused = false;
		await this.lookAtGaining();
		await this.lookAtAdmins();
	}

	/** A person who is inactive or gone meanwhile, or has another role than planned, is given nothing. */
	private async lookAtGaining(): Promise<void> {
		const adds = this.openOf(this.changes).filter(({ present }) => present);
		const { siblings } = this.step;
		const roles = await this.rolesNow(adds.map(({ id }) => id));
		const labelOf = new Map(siblings.map(({ groupId, label }) => [groupId, label]));
		for (const change of adds) {
			const [before] = (change.from ?? []).flatMap((groupId) => labelOf.get(groupId) ?? []);
			const now = roles.get(change.id);
			if (siblings.length === 0 || change.from === undefined || now === before) continue;
			const judged = this.isOther(change, now === undefined ? `not ${before}` : now);
			// A request that was sent before may have moved the person: the new role then shows a read later.
			const mayBeMoved = now === undefined && this.repeated.has(change.id);
			this.settle(change, mayBeMoved ? this.failedUnlessShown(change, judged) : judged);
		}
		const { letIn } = this.learned;
		const gaining = this.openOf(adds).filter(({ gains, id }) => gains && !letIn.has(id));
		const users = await this.accountsNow(gaining.map(({ id }) => id));
		for (const change of gaining) {
			const user = users.get(change.id);
			if (user?.ok === false) this.settle(change, this.refusal(change, user.error));
			else if (user?.value === undefined || user.value.active === false) {
				this.settle(change, this.isOther(change, user?.value ? 'inactive' : 'gone'));
			}
		}
	}

	/** The last active admin does not stop being one. */
	private async lookAtAdmins(): Promise<void> {
		const { admins } = this.step;
		const taken = this.openOf(this.changes).filter(({ person }) => admins?.leaving.has(person.key));
		if (admins === undefined || taken.length === 0) return;
		const isOneLeft = async (again: boolean) => {
			const { members = [] } = await this.groupNow(admins.groupId, again);
			const staying = members.filter(({ id }) => !admins.leaving.has(id));
			return (await this.directory.anyActive(staying.map(({ id }) => id))) || undefined;
		};
		// The look at this very group serves as well.
		if (admins.groupId === this.step.groupId && (await isOneLeft(false))) return;
		// Reads may lag behind an admin whom this run has added.
		const { patience } = this.client;
		const limitMs = this.learned.added.has(this.step.organization ?? '') ? patience.limitMs : 0;
		if (await poll({ ...patience, limitMs }, async () => await isOneLeft(true))) return;
		for (const change of taken) {
			const error = new InputError(
				`${this.step.organization} would be left without an active admin`,
				'Someone else removed an admin in the meantime. Make another user admin first, and run again.',
			);
			this.settle(change, { outcome: failureOf(change.action, error) });
		}
	}

	/** Accounts as they are now, shared by all that leaves at the same time. */
	private async accountsNow(
		ids: readonly string[],
	): Promise<Map<string, Attempt<User | undefined> | undefined>> {
		const { accounts } = this.learned;
		const { patience } = this.client;
		const readAt = momentOf(patience);
		const old = ids.filter((id) => isLate(accounts.get(id)?.readAt ?? NEVER, patience));
		const reading = this.directory.readUsers(old);
		for (const id of old)
			accounts.set(id, { user: reading.then((users) => users.get(id)), readAt });
		return new Map(
			await Promise.all(ids.map(async (id) => [id, await accounts.get(id)?.user] as const)),
		);
	}

	private isOther(change: OpenChange, now: string): { outcome: Failure } {
		const error = new InputError(
			`${nameOf(change)} is ${now} now, so no access was given`,
			'Someone else changed it in the meantime. Check the person, and run again.',
		);
		return { outcome: failureOf(change.action, error) };
	}

	/**
	 * Looks who is in the group: whoever is out now needs no removal, and whoever has another role there would lose that
	 * one (docs/interface.md 2.3).
	 */
	private async lookAtGroup(repeated: boolean): Promise<void> {
		// What an add of this run has moved shows in a later look only.
		const again = repeated || this.changes.some((one) => one.mayBeGone);
		const group = await this.groupNow(this.step.groupId, again);
		const members = idsIn(group);
		this.settleShown(
			this.openOf(this.changes).filter(({ present }) => present),
			group,
			repeated,
		);
		const gone = this.openOf(this.changes).filter(
			({ present, id }) => !present && !members.has(id),
		);
		const hidden = gone.filter((change) => change.hidden);
		for (const change of hidden) {
			const judged = await this.judgeHidden(change);
			if (judged !== undefined) this.settle(change, judged);
		}
		const left = gone.filter((change) => !change.hidden && this.shows(group, change));
		const byOwnAdd = (change: OpenChange) => change.mayBeGone;
		for (const change of left.filter(byOwnAdd)) this.settle(change, this.seen(change, group));
		const others = left.filter((change) => !byOwnAdd(change));
		const roles = await this.rolesNow(others.map(({ id }) => id));
		for (const change of others) {
			this.settle(change, this.judgeGone(change, group, roles.get(change.id), repeated));
		}
	}

	/** The group as it is; as somebody else has just seen it where that is no look after a request of this step. */
	private async groupNow(groupId: string, again: boolean): Promise<Group> {
		const { patience } = this.client;
		const known = this.learned.looked.get(groupId);
		const ids = this.changes.map(({ id }) => id);
		const isEnough = known?.group.of === undefined || ids.every((id) => known.group.of?.has(id));
		if (!again && known !== undefined && isEnough && !isLate(known.readAt, patience)) {
			return known.group;
		}
		const group = await this.client.getGroup(groupId, ids);
		// A request may have waited long for its place.
		this.learned.looked.set(groupId, { group, readAt: momentOf(patience) });
		return group;
	}

	/**
	 * The same before a whole list is sent.
	 * @returns the ids of the people who stay: whoever has moved out by a step of this run is not moved back
	 * @throws InputError when the list would remove somebody whom the plan did not know, or bring somebody back
	 */
	async lookAtList(repeated = false): Promise<string[]> {
		const { kept, moving } = this.step as StepOf<'replaceMembers'>;
		const group = await this.client.getGroup(this.step.groupId);
		this.version = versionOf(group);
		const members = idsIn(group);
		const known = new Set([...kept, ...this.changes.map(({ id }) => id)]);
		const strangers = (group.members ?? []).filter(({ id }) => !known.has(id));
		const leaving = new Set(moving);
		const moved = this.learned.added.get(this.step.organization ?? '');
		const staying = kept.filter(
			(id) => !leaving.has(id) || (members.has(id) && moved?.has(id) !== true),
		);
		const showsAll = group.members !== undefined || this.client.profile.groupsShowMembers === 'yes';
		const gone = staying.filter((id) => showsAll && !members.has(id));
		const roles = await this.rolesNow(gone);
		const problems = [
			...(strangers.length > 0
				? [`${named(strangers.map(({ id, display }) => display ?? id))} joined it meanwhile`]
				: []),
			...gone.map((id) =>
				roles.has(id) ? `${id} is ${roles.get(id)} now` : `${id} left it meanwhile`,
			),
		];
		if (problems.length > 0) {
			const error = new InputError(
				`Group ${this.step.groupId} has changed since it was read: ${named(problems)}. The list was not sent`,
				'Run again: the list is then compared with what is there.',
			);
			for (const change of this.openOf(this.changes)) {
				this.settle(change, { outcome: failureOf(change.action, error) });
			}
			throw error;
		}
		this.settleShown(this.openOf(this.changes), group, repeated);
		await this.lookAtPeople();
		return staying;
	}

	/** Notes whom the group shows as requested, before anything is sent or by a request of this step. */
	private settleShown(changes: readonly OpenChange[], group: Group, repeated: boolean): void {
		for (const change of changes) {
			if (!this.shows(group, change)) continue;
			const { action } = change;
			const { outcome, result } = this.seen(change, group);
			this.settle(change, {
				outcome: repeated ? outcome : { status: 'unchanged', action, warnings: outcome.warnings },
				result,
			});
		}
	}

	/** Who is sent for next: people of a domain that the organization has refused go last. */
	private next(): OpenChange[] {
		const open = this.openOf(this.changes);
		const suspects = open.filter((change) => change.present && this.isSuspect(change));
		const suspected = new Set(suspects);
		const others = open.filter((change) => !suspected.has(change));
		const adds = others.filter(({ present }) => present);
		const isApart = this.apart && adds.length > 0;
		const next = isApart ? adds : others.length > 0 ? others : suspects;
		if (!this.goesByDifference) return next;
		return next.slice(0, next === suspects && this.oneByOne ? 1 : this.mostMembers);
	}

	private get mostMembers(): number {
		return this.client.profile.membersPerRequest;
	}

	private openOf(changes: readonly OpenChange[]): OpenChange[] {
		return changes.filter(
			(change) => !this.judged.has(change.person.key) && !this.blamed.has(change),
		);
	}

	private settle(change: OpenChange, judged: Judged): void {
		const { organization } = this.step;
		if (organization !== undefined && change.present && judged.outcome.status === 'done')
			noteIn(this.learned.added, organization, change.id);
		this.judged.set(change.person.key, judged);
		this.blamed.delete(change);
	}

	/**
	 * Notes whom the group shows as requested, of these and of those who were blamed too early. A group that shows what was
	 * just asked for is no old read, so whoever it lacks was refused indeed.
	 */
	private see(group: Group, changes: readonly OpenChange[]): void {
		const shown = this.openOf(changes).filter((change) => this.shows(group, change));
		for (const change of shown) this.settle(change, this.seen(change, group));
		for (const [change, blame] of this.blamed) {
			if (this.shows(group, change)) this.settle(change, this.seen(change, group));
			else blame.isSure ||= shown.length > 0;
		}
	}

	/** @param sent how many the request was for */
	private async afterFailure(
		open: readonly OpenChange[],
		error: unknown,
		sent: number,
	): Promise<void> {
		if (!hasStatus(error, 400, 404, 501)) {
			for (const change of open) {
				this.settle(
					change,
					mayHaveWorked(error)
						? this.unseen(change, undefined, { ok: false, error })
						: this.refusal(change, error),
				);
			}
			return;
		}
		if (this.oneByOne && sent === 1 && hasStatus(error, 400)) {
			this.settle(open[0], this.refusal(open[0], error));
			return;
		}
		const looked = await attempt(async () => await this.lookAfterRefusal(open));
		if (!looked.ok) {
			for (const change of open) this.settle(change, this.refusedUnlessShown(change, error));
			return;
		}
		this.lookedAt = momentOf(this.client.patience);
		this.wasRefused = true;
		const { group, roles } = looked.value;
		// A removal stops at whoever is no member, so that one was out before the request (docs/interface.md 2.3).
		const isNamed = ({ id }: OpenChange) =>
			hasStatus(error, 404) && names(error.facts.detail ?? '', id);
		for (const change of open) {
			if (change.present || change.mayBeGone || !this.shows(group, change)) continue;
			const role = roles.get(change.id);
			if (isNamed(change) || role !== undefined)
				this.settle(change, this.judgeGone(change, group, role, this.repeated.has(change.id)));
		}
		this.see(group, this.openOf(open));
		if ((group.members ?? []).length === 0) await this.askUsers(this.openOf(open), group);
		const left = this.openOf(open);
		// One of several that is refused is carried out in part.
		if (sent > 1) for (const one of left) if (!isNamed(one)) this.repeated.add(one.id);
		const progress = left.length < sent;
		const adds = left.filter(({ present }) => present);
		const mixed = adds.length > 0 && adds.length < left.length;
		if (left.length === 0) return;
		if (hasStatus(error, 404) && (progress || ++this.tries < MOST_TRIES)) return;
		const areSuspects =
			left.length > 1 && left.every((change) => change.present && this.isSuspect(change));
		if (hasStatus(error, 400) && this.addsInOrder && areSuspects && !progress) this.oneByOne = true;
		else if (hasStatus(error, 400) && adds.length > 0 && (progress || this.addsInOrder))
			this.blame(adds[0], { error, isSure: this.addsInOrder && left.length === 1 });
		else if (mixed && !this.apart && this.goesByDifference) this.apart = true;
		else if (hasStatus(error, 400) && left.length > 1 && this.step.kind === 'changeMembers') {
			// A service that did nothing at all may have stumbled over one: each is then asked for alone.
			for (const change of left) this.settle(change, await this.alone(change));
		} else for (const change of left) this.settle(change, this.refusedUnlessShown(change, error));
	}

	/**
	 * The group after a refusal, and the roles that people have in the same organization who are out of it: with removals
	 * among these, all groups at once where that is one request.
	 */
	private async lookAfterRefusal(
		open: readonly OpenChange[],
	): Promise<{ group: Group; roles: Map<string, string> }> {
		const { groupId, siblings } = this.step;
		const leaving = open.filter(({ present }) => !present).map(({ id }) => id);
		if (leaving.length === 0 || siblings.length === 0) {
			const ids = open.map(({ id }) => id);
			return { group: await this.client.getGroup(groupId, ids), roles: new Map() };
		}
		const { listsAllGroupsAtOnce } = this.client.profile;
		const listed = listsAllGroupsAtOnce ? (await this.client.listGroups()).resources : [];
		const byId = new Map(listed.map((group) => [group.id, group]));
		const group = byId.get(groupId) ?? (await this.client.getGroup(groupId));
		const members = idsIn(group);
		const gone = leaving.filter((id) => !members.has(id));
		return { group, roles: await this.rolesNow(gone, byId) };
	}

	/** Where a group never shows its members, those who were added say it themselves. */
	private async askUsers(open: readonly OpenChange[], group: Group): Promise<void> {
		if (this.client.profile.groupsShowMembers === 'yes' || group.byFilter) return;
		for (const change of open.filter(({ present }) => present)) {
			const user = await attempt(async () => await this.client.getUser(change.id));
			const isIn = user.ok && user.value.groupIds?.includes(group.id) === true;
			if (isIn) this.settle(change, this.seen(change, group));
		}
	}

	/** Adds are carried out in order, so the first who is missing is the one who was refused (docs/interface.md 2.3). */
	private blame(change: OpenChange, blame: Blame): void {
		this.blamed.set(change, blame);
		const { organization } = this.step;
		const domain = domainOf(change);
		if (organization === undefined || domain === undefined) return;
		noteIn(this.learned.refusedDomains, organization, domain);
	}

	private isSuspect(change: OpenChange): boolean {
		const refused = this.learned.refusedDomains.get(this.step.organization ?? '');
		return refused?.has(domainOf(change) ?? '') === true;
	}

	private async alone(change: OpenChange): Promise<Judged> {
		this.blamed.delete(change);
		const tried = await attempt(async () => await this.sendDifference([change]));
		const looked = this.judged.get(change.person.key);
		if (looked !== undefined) return looked;
		if (!tried.ok && !mayHaveWorked(tried.error)) {
			return this.refusal(change, tried.error);
		}
		const group = tried.ok ? tried.value : undefined;
		return group !== undefined && this.shows(group, change)
			? this.seen(change, group)
			: this.unseen(change, group, tried);
	}

	/**
	 * What happened to somebody whom the group never showed; undefined for one who says to be in it anyway.
	 */
	private async judgeHidden(change: OpenChange): Promise<Judged | undefined> {
		const user = await attempt(async () => await this.client.getUser(change.id));
		if (user.ok && user.value.groupIds?.includes(this.step.groupId)) return undefined;
		return this.unseen(change, undefined, user);
	}

	/** What is to be said of somebody who is not in the group any more. */
	private judgeGone(
		change: OpenChange,
		group: Group,
		otherRole: string | undefined,
		repeated: boolean,
	): Judged {
		const { action, person, id } = change;
		const result = { group: withoutMembers(group), who: whoIs({ ...person, id }) };
		if (otherRole === undefined) {
			if (repeated) return this.seen(change, group);
			const reason = 'the person is not there any more';
			return { outcome: { status: 'unchanged', action, reason }, result };
		}
		const reason = `the person is ${otherRole} now`;
		if (change.skipsOtherRole) return { outcome: { status: 'skipped', action, reason }, result };
		const error = new InputError(
			`${nameOf(change)} is ${otherRole} now, so nothing was removed there`,
			'Someone else changed the role in the meantime. Check the role, and run again.',
		);
		return { outcome: failureOf(action, error), result };
	}

	/** The roles in the same organization of people who are not in the group, where a removal would take those. */
	private async rolesNow(
		ids: readonly string[],
		read: ReadonlyMap<string, Group> = new Map(),
	): Promise<Map<string, string>> {
		const roles = new Map<string, string>();
		if (ids.length === 0) return roles;
		const wanted = new Set(ids);
		for (const { groupId, label } of this.step.siblings) {
			const { members = [] } = read.get(groupId) ?? (await this.client.getGroup(groupId, ids));
			for (const { id } of members) if (wanted.has(id)) roles.set(id, label);
		}
		return roles;
	}

	/** Whether the group shows the change. One without members says nothing of who is out, since some never show any. */
	private shows(group: Group, { id, present, hidden }: OpenChange): boolean {
		const isMember = idsIn(group).has(id);
		if (present) return isMember;
		if (hidden) return !isMember && (group.members ?? []).length > 0;
		return (
			!isMember &&
			(this.client.profile.groupsShowMembers === 'yes' || group.members !== undefined) &&
			(group.byFilter !== true || this.client.filtersFound())
		);
	}

	private get warnings(): string[] {
		return putWarnings(this.step, this.client, 'Groups', this.step.groupId);
	}

	private seen({ action, person, id }: OpenChange, group: Group): Judged {
		return {
			outcome: { status: 'done', action, warnings: this.warnings },
			result: { group: withoutMembers(group), who: whoIs({ ...person, id }) },
		};
	}

	/** Somebody whom no answer showed as requested: a read-back decides. */
	private unseen(
		change: OpenChange,
		group: Group | undefined,
		tried: Attempt<unknown>,
		refused = false,
	): Judged {
		const { action, person, id, present } = change;
		return {
			outcome: unverified(action, this.warnings, tried),
			result: {
				...(group && { group: withoutMembers(group) }),
				who: whoIs({ ...person, id }),
			},
			open: lookFor({ kind: 'member', groupId: this.step.groupId, id, present }, refused),
		};
	}

	private refusal(change: OpenChange, error: unknown): Judged {
		const { person, id } = change;
		return { outcome: this.refused(change, error), result: { who: whoIs({ ...person, id }) } };
	}

	/**
	 * The service refused, but may have added the person anyway, and a read may lag behind: a last look decides, and
	 * what it does not show is refused.
	 */
	private refusedUnlessShown(change: OpenChange, error: unknown): Judged {
		return this.failedUnlessShown(change, { outcome: this.refused(change, error) });
	}

	private failedUnlessShown(change: OpenChange, { outcome }: { outcome: Failure }): Judged {
		return {
			...this.unseen(change, undefined, { ok: true, value: undefined }, true),
			outcome: { ...outcome, status: 'unverified' },
		};
	}

	private refused(change: OpenChange, error: unknown): Failure {
		const { action, present } = change;
		if (!(error instanceof RequestError)) return failureOf(action, error);
		const { message, facts } = error;
		const detail = facts.detail ? `: ${facts.detail}` : '';
		const { memberRemoval } = this.client.profile;
		if (!present && memberRemoval === 'filterPath' && hasStatus(error, 400, 501)) {
			const advice =
				'The service may not know this form of removal. Try Member Removal: List of Values in the credential, with a group that has nobody else in it: some services then remove everybody.';
			return failureOf(action, new RequestError(message, advice, facts));
		}
		if (!present || !hasStatus(error, 400)) return failureOf(action, error);
		return failureOf(
			action,
			new RequestError(
				`The service does not accept ${nameOf(change)} as a member of group ${this.step.groupId}${detail}`,
				'Check that the user exists in this account and that the organization allows the email domain. The others of the request were not affected.',
				facts,
			),
		);
	}
}

function noteIn(sets: Map<string, Set<string>>, organization: string, entry: string): void {
	sets.set(organization, (sets.get(organization) ?? new Set()).add(entry));
}

/** Whether a text names an id, and not only a longer one that it is a part of. */
function names(text: string, id: string): boolean {
	const isEnd = (character = '') => !/[\w-]/.test(character);
	for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1)) {
		if (isEnd(text[at - 1]) && isEnd(text[at + id.length])) return true;
	}
	return false;
}

/** Made once: every change is looked up in every answer. */
const idsIn = madeOnce(
	({ members = [] }: Group): ReadonlySet<string> => new Set(members.map(({ id }) => id)),
);

/** Which group it was. A big group takes many requests, and kept answers with all members would fill the memory. */
function withoutMembers({ id, displayName }: Group): Group {
	return { id, displayName, attributes: {} };
}

function nameOf({ person }: OpenChange): string {
	return person.userName ?? person.id ?? person.key;
}

function domainOf({ person: { userName = '' } }: OpenChange): string | undefined {
	const at = userName.lastIndexOf('@');
	return at < 0 ? undefined : userName.slice(at + 1).toLowerCase();
}

function named(entries: readonly string[]): string {
	const rest = entries.length - MOST_NAMED;
	return `${entries.slice(0, MOST_NAMED).join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`;
}

import { attempt, type Attempt } from '../attempt';
import { notDone, type Outcome } from '../change/outcome';
import { InputError } from '../inputError';
import { isLate, lookUntilSeen } from '../patience';
import { hasStatus, RequestError } from '../request/requestError';
import type { ScimClient } from '../scim/client/scimClient';
import type { Group } from '../scim/protocol/resource';
import {
	mayHaveWorked,
	unverified,
	type Identities,
	type Learned,
	type StepOf,
} from './performCommon';
import type { AppliedPart, MemberChange, ProvisioningResult } from './step';

type MemberStep = StepOf<'changeMembers'> | StepOf<'replaceMembers'>;

interface OpenChange extends MemberChange {
	id: string;
	/** Whether the person has to be in the group afterwards. */
	present: boolean;
}

interface Judged {
	outcome: Outcome;
	result?: ProvisioningResult;
}

/** Why somebody was left out, and whether nobody else can have been the reason; otherwise the person is asked for alone. */
interface Blame {
	error: unknown;
	isSure: boolean;
}

/** So often a request that was refused is sent again although nothing of it was done meanwhile. */
const MOST_TRIES = 3;
const MOST_NAMED = 10;

/**
 * Sends the adds and removals of one group as PATCH. A refusal may leave a part of them done (docs/interface.md 2.3), so
 * after one the group itself is read, whoever was refused is left out, and what it does not show yet is sent again.
 */
export async function changeGroup(
	step: StepOf<'changeMembers'>,
	client: ScimClient,
	identities: Identities,
	learned: Learned,
): Promise<AppliedPart[]> {
	const work = new MembersWork(step, client, identities, learned);
	const removes = step.remove.length > 0;
	if (
		step.remove.some(({ mayBeGone }) => mayBeGone) ||
		(removes && isLate(step.readAt, client.patience))
	)
		await work.look();
	return await work.carryOut(async (changes) => await work.sendDifference(changes));
}

/**
 * Sends the whole list of a group as PUT. It may be half carried out behind a refusal, too (docs/interface.md 2.3). When
 * what was read is not fresh, the group is looked at first: the list must not remove anyone whom the plan did not know,
 * nor move back anyone who has another role by now.
 */
export async function replaceGroup(
	step: StepOf<'replaceMembers'>,
	client: ScimClient,
	learned: Learned,
): Promise<AppliedPart[]> {
	const work = new MembersWork(step, client, new Map(), learned);
	const movesLater = step.moving.length > 0 && (step.after ?? []).length > 0;
	let kept =
		movesLater || isLate(step.readAt, client.patience) ? await work.lookAtList() : step.kept;
	let isSent = false;
	return await work.carryOut(async (changes) => {
		// After a refusal a second list, without the one who was refused, could remove whom an old read does not show.
		if (isSent) return await work.sendDifference(changes);
		isSent = true;
		const list = () => [...kept, ...changes.filter(({ present }) => present).map(({ id }) => id)];
		return await client.replaceMembers(step.groupId, list(), step.rest, async () => {
			kept = await work.lookAtList(true);
			return work.isDone(changes) ? undefined : list();
		});
	});
}

/** What is known of one step on the members of a group while it is carried out. */
class MembersWork {
	private readonly judged = new Map<string, Judged>();

	private readonly changes: readonly OpenChange[];

	/** Whoever was left out because the service would not have them; a later look may show them all the same. */
	private readonly blamed = new Map<OpenChange, Blame>();

	private tries = 0;

	/** Whether adds and removals go in requests of their own, because the service refused them together. */
	private apart = false;

	constructor(
		private readonly step: MemberStep,
		private readonly client: ScimClient,
		identities: Identities,
		private readonly learned: Learned,
	) {
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
			this.judged.set(person.key, { outcome: { status: 'notDone', action, reason } });
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
				if (tried.value !== undefined) this.see(tried.value, changes);
				for (const change of this.openOf(changes)) {
					this.settle(change, this.unseen(change, tried.value, tried));
				}
			}
		}
		for (const [change, { error, isSure }] of this.blamed) {
			const judged = isSure ? this.refusal(change, error) : await this.alone(change);
			// Elsewhere somebody who was added after all may be refused for being a member.
			const isOpen = judged.outcome.status === 'notDone' && !isSure && !this.addsInOrder;
			this.settle(change, isOpen ? this.refusedUnlessShown(change, error) : judged);
		}
		return this.step.parts.flatMap((part) => {
			const outcome = this.judged.get(part.subject);
			return outcome === undefined ? [] : [{ ...part, ...outcome }];
		});
	}

	/** One PATCH for those of these who are still open; a look comes before it is repeated, where it removes anybody. */
	async sendDifference(changes: readonly OpenChange[]): Promise<Group | undefined> {
		const ids = (present: boolean) =>
			this.openOf(changes)
				.filter((change) => change.present === present)
				.map(({ id }) => id);
		const again = async () => {
			await this.look(true);
			return { add: ids(true), remove: ids(false) };
		};
		const [add, remove] = [ids(true), ids(false)];
		const repeat = remove.length > 0 ? again : undefined;
		return await this.client.changeMembers(this.step.groupId, add, remove, repeat);
	}

	isDone(changes: readonly OpenChange[]): boolean {
		return this.openOf(changes).length === 0;
	}

	/**
	 * Looks who is in the group before anybody is removed: whoever is out by now needs nothing, and whoever has another
	 * role there would lose that one (docs/interface.md 2.3).
	 * @param repeated whether a request of this step may have done it
	 */
	async look(repeated = false): Promise<void> {
		const group = await this.client.getGroup(this.step.groupId);
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

	/**
	 * The same before a whole list is sent.
	 * @returns the ids of the people who stay: whoever has moved out by a step of this run is not moved back
	 * @throws InputError when the list would remove somebody whom the plan did not know, or move somebody back
	 */
	async lookAtList(repeated = false): Promise<string[]> {
		const { kept, moving } = this.step as StepOf<'replaceMembers'>;
		const group = await this.client.getGroup(this.step.groupId);
		const members = idsIn(group);
		const known = new Set([...kept, ...this.changes.map(({ id }) => id)]);
		const strangers = (group.members ?? []).filter(({ id }) => !known.has(id));
		const leaving = new Set(moving);
		const moved = this.learned.added.get(this.step.organization ?? '');
		const staying = kept.filter(
			(id) => !leaving.has(id) || (members.has(id) && moved?.has(id) !== true),
		);
		const roles = await this.rolesNow(
			staying.filter((id) => group.members !== undefined && !members.has(id)),
		);
		const problems = [
			...(strangers.length > 0
				? [`${named(strangers.map(({ id, display }) => display ?? id))} joined it meanwhile`]
				: []),
			...[...roles].map(([id, role]) => `${id} is ${role} now`),
		];
		if (problems.length > 0) {
			const error = new InputError(
				`Group ${this.step.groupId} has changed since it was read: ${named(problems)}. The list was not sent`,
				'Run again: the list is then compared with what is there.',
			);
			for (const change of this.openOf(this.changes)) {
				this.settle(change, { outcome: notDone(change.action, error) });
			}
			throw error;
		}
		this.settleShown(this.openOf(this.changes), group, repeated);
		return staying;
	}

	/** Notes whom the group shows as wanted, before anything is sent or by a request of this step. */
	private settleShown(changes: readonly OpenChange[], group: Group, repeated: boolean): void {
		for (const change of changes) {
			if (!this.shows(group, change)) continue;
			const { action } = change;
			const { outcome, result } = this.seen(change, group);
			this.settle(change, {
				outcome: repeated ? outcome : { status: 'alreadySo', action, warnings: outcome.warnings },
				result,
			});
		}
	}

	/** Who is sent for next: people of a domain that the organization has refused go last. */
	private next(): OpenChange[] {
		const open = this.openOf(this.changes);
		const suspects = open.filter((change) => change.present && this.isSuspect(change));
		const others = open.filter((change) => !suspects.includes(change));
		const adds = others.filter(({ present }) => present);
		if (this.apart && adds.length > 0 && adds.length < others.length) return adds;
		return others.length > 0 ? others : suspects;
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
	 * Notes whom the group shows as wanted, of these and of those who were blamed too early. A group that shows what was
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
						: { outcome: notDone(change.action, error) },
				);
			}
			return;
		}
		const looked = await attempt(async () => await this.client.getGroup(this.step.groupId));
		if (!looked.ok) {
			for (const change of open) this.settle(change, this.refusedUnlessShown(change, error));
			return;
		}
		this.see(looked.value, open);
		const left = this.openOf(open);
		const progress = left.length < sent;
		const adds = left.filter(({ present }) => present);
		const mixed = adds.length > 0 && adds.length < left.length;
		if (left.length === 0) return;
		if (hasStatus(error, 404) && (progress || ++this.tries < MOST_TRIES)) return;
		if (hasStatus(error, 400) && adds.length > 0 && (progress || this.addsInOrder))
			this.blame(adds[0], { error, isSure: this.addsInOrder && left.length === 1 });
		else if (mixed && !this.apart && this.step.kind === 'changeMembers') this.apart = true;
		else if (hasStatus(error, 400) && left.length > 1 && this.step.kind === 'changeMembers') {
			// A service that did nothing at all may have stumbled over one: each is then asked for alone.
			for (const change of left) this.settle(change, await this.alone(change));
		} else for (const change of left) this.settle(change, this.refusedUnlessShown(change, error));
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
	 * What became of somebody whom the group never showed; undefined for one who says to be in it all the same.
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
		const result = { group: withoutMembers(group), person: { ...person, id } };
		if (otherRole === undefined) {
			if (repeated) return this.seen(change, group);
			const reason = 'the person is not there any more';
			return { outcome: { status: 'alreadySo', action, reason }, result };
		}
		const reason = `the person is ${otherRole} now`;
		if (change.skipsOtherRole) return { outcome: { status: 'skipped', action, reason }, result };
		const error = new InputError(
			`${nameOf(change)} is ${otherRole} now, so nothing was taken away there`,
			'Somebody else has changed the role meanwhile. Look at who is to have what, and run again.',
		);
		return { outcome: notDone(action, error), result };
	}

	/** The roles in the same organization of people who are not in the group, where a removal would take those. */
	private async rolesNow(ids: readonly string[]): Promise<Map<string, string>> {
		const roles = new Map<string, string>();
		if (ids.length === 0) return roles;
		const wanted = new Set(ids);
		for (const { groupId, label } of this.step.siblings) {
			const { members = [] } = await this.client.getGroup(groupId);
			for (const { id } of members) if (wanted.has(id)) roles.set(id, label);
		}
		return roles;
	}

	/** Whether the group shows the change. One without members says nothing of who is out, since some never show any. */
	private shows(group: Group, { id, present, hidden }: OpenChange): boolean {
		const isMember = group.members?.some((member) => member.id === id) === true;
		if (present) return isMember;
		if (hidden) return !isMember && (group.members ?? []).length > 0;
		return !isMember && (this.client.profile.emptyGroupsOmitMembers || group.members !== undefined);
	}

	private seen({ action, person, id }: OpenChange, group: Group): Judged {
		return {
			outcome: { status: 'done', action, warnings: this.step.warnings },
			result: { group: withoutMembers(group), person: { ...person, id } },
		};
	}

	/** Somebody whom no answer showed as wanted: a read-back decides. */
	private unseen(change: OpenChange, group: Group | undefined, tried: Attempt<unknown>): Judged {
		const { action, person, id, present, replaces } = change;
		return {
			outcome: unverified(action, this.step.warnings, tried),
			result: {
				...(group && { group: withoutMembers(group) }),
				...(replaces && { replaces }),
				person: { ...person, id },
				check: { kind: 'member', groupId: this.step.groupId, id, present },
			},
		};
	}

	private refusal(change: OpenChange, error: unknown): Judged {
		const { replaces, person, id } = change;
		return {
			outcome: this.refused(change, error),
			result: { ...(replaces && { replaces }), person: { ...person, id } },
		};
	}

	/**
	 * The service refused, but may have added the person all the same, and a read may lag behind: a last look decides, and
	 * what it does not show is refused.
	 */
	private refusedUnlessShown(change: OpenChange, error: unknown): Judged {
		const { result } = this.unseen(change, undefined, { ok: false, error });
		return {
			outcome: { ...this.refused(change, error), status: 'unverified' },
			result: { ...result, refused: true },
		};
	}

	private refused(change: OpenChange, error: unknown): Outcome {
		const { action, present } = change;
		if (!(error instanceof RequestError)) return notDone(action, error);
		const { message, facts } = error;
		const detail = facts.detail ? `: ${facts.detail}` : '';
		const { memberRemoval } = this.client.profile;
		if (!present && memberRemoval === 'filterPath' && hasStatus(error, 400, 501)) {
			const advice =
				'The service may not know this form of removal. Try Member Removal: List of Values in the credential, with a group that has nobody else in it: some services then remove everybody.';
			return notDone(action, new RequestError(message, advice, facts));
		}
		if (!present || !hasStatus(error, 400)) return notDone(action, error);
		return notDone(
			action,
			new RequestError(
				`The service does not accept ${nameOf(change)} as a member of group ${this.step.groupId}${detail}`,
				'Check that the user exists in this account and that the organization allows the email domain. The others of the request were not affected.',
				facts,
			),
		);
	}
}

/**
 * Gives people their old role back whose new one was refused, on services where the old one has to go first.
 * @returns the same parts, with what became of that
 */
export async function putBackReplaced(
	parts: readonly AppliedPart[],
	client: ScimClient,
): Promise<AppliedPart[]> {
	const back = new Map<string, string>();
	for (const { outcome, result } of parts) {
		const { replaces, person } = result ?? {};
		if (replaces === undefined || person?.id === undefined) continue;
		const { id } = person;
		const key = `${replaces.groupId}\n${id}`;
		if (back.has(key)) continue;
		if (outcome.status === 'unverified') {
			// With the new role perhaps there, the old one would be a second one.
			back.set(key, `The old role (${replaces.label}) was taken away before`);
		}
		if (outcome.status !== 'notDone') continue;
		const sent = await attempt(async () => await client.changeMembers(replaces.groupId, [id], []));
		const isBack = await lookUntilSeen(client.patience, async () => {
			const group = await attempt(async () => await client.getGroup(replaces.groupId));
			return group.ok && idsIn(group.value).has(id) ? true : undefined;
		});
		const words = isBack
			? 'was put back'
			: sent.ok
				? 'was put back, but is not seen'
				: 'could not be put back';
		back.set(key, `The old role (${replaces.label}) ${words}`);
	}
	return parts.map((part) => {
		const { replaces, person } = part.result ?? {};
		const note = back.get(`${replaces?.groupId}\n${person?.id}`);
		if (note === undefined) return part;
		const { error, reason } = part.outcome;
		const said =
			error instanceof RequestError
				? new RequestError(`${error.message}. ${note}`, error.description, error.facts)
				: error;
		return {
			...part,
			outcome: {
				...part.outcome,
				reason: `${reason}. ${note}`,
				...(said !== undefined && { error: said }),
			},
		};
	});
}

function noteIn(sets: Map<string, Set<string>>, organization: string, entry: string): void {
	sets.set(organization, (sets.get(organization) ?? new Set()).add(entry));
}

function idsIn({ members = [] }: Group): Set<string> {
	return new Set(members.map(({ id }) => id));
}

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

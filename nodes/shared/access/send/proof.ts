import { isFailure, partKey, type Missing } from '../../run';
import {
	type AccessValue,
	type Facts,
	type GroupMeaning,
	type NotTold,
	type ScimClient,
	showsGroup,
	type Traits,
	type User,
	valueLabel,
	valuesOf,
	shownActivity,
} from '../../scim';
import { attempt, memoized, poll } from '../../util';
import {
	membershipsOf,
	reachedBy,
	stuckIn,
	type Access,
	type Membership,
	type GroupSelection,
	type Reader,
} from '../facts';
import { changeOf, lost, type Change, heldValue, type AppliedPart } from '../changes';
import { readUsers } from './looks';

/** What a proof is made with. */
interface Means {
	client: ScimClient;
	reader: Reader;
	ids: GroupMeaning;
	label(groupId: string, access?: Access): string;
	/** How many requests the run has made so far. */
	requestsSent(): number;
}

/** What was decided, and who had what by then. */
interface Decided {
	changes: readonly Change[];
	withheld: readonly Change[];
	basis: { access?: Access };
}

/** All that there still is of a person. */
interface Left {
	user?: User;
	isGone: boolean;
	/** Whether nothing says if the user is active. */
	isUnsaid: boolean;
	/** Members of the groups who look like the person, and are no users any more. */
	ghosts: readonly string[];
	/** Why it is not known where the person is; missing where it is. */
	unknown?: NotTold;
	groups: readonly Membership[];
	values: readonly AccessValue[];
	/** Why it is not known which others there are. */
	untold: readonly string[];
}

/** Stands for the account among the keys of what a part was to take. */
const ACCOUNT = '';

/**
 * Reads all facts of leavers again when everything was sent, until nothing is left but what was refused or is kept. What was
 * refused and is gone is done; what is left of a person is said in the last of the person's parts.
 * @param keeps whether memberships of a group stay
 */
export async function proveGone(
	applied: AppliedPart[],
	decided: Decided,
	means: Means,
	keeps: GroupSelection['includes'],
): Promise<AppliedPart[]> {
	const { client, ids, label } = means;
	const before = decided.basis.access;
	const isTried = ({ outcome, result }: AppliedPart) =>
		outcome.status !== 'failed' && result?.who?.kind !== 'gone';
	const people = new Set(applied.filter(isTried).map(({ subject }) => subject));
	if (before === undefined || people.size === 0) return applied;
	const taken = new Map(applied.map((part) => [part, takenBy(part, decided, ids)]));
	// What was refused does not go by waiting.
	const refused = new Set(
		[...taken].flatMap(([{ subject, outcome }, keys]) =>
			outcome.status === 'failed' ? keys.map((key) => `${subject}\n${key}`) : [],
		),
	);
	const facts = client.facts;
	let access: Access = before;
	const isUnfound = ({ groupId }: Membership) => facts.isUnfound(groupId);
	const leftOf = (id: string): Left => {
		const read = facts.user(id);
		const user = read?.ok === true ? read.value : undefined;
		const isGone = facts.isGone(id);
		const told = access.everyGroup(id);
		return {
			...(user && { user }),
			isGone,
			...(!isGone && told.told === 'nothing' && { unknown: told }),
			isUnsaid:
				user !== undefined && shownActivity(user) === 'not told' && !facts.isActiveNoMore(user),
			ghosts: isGone ? [] : access.lookAlikes(id).filter((one) => facts.isGone(one)),
			groups: [...membershipsOf(access, id), ...stuckIn(access, id)],
			values: user === undefined ? [] : valuesOf(user, client.profile),
			untold: user === undefined ? [] : facts.untoldValues(user),
		};
	};
	// Where memberships go with the account, those that were to be kept go, too: a read that shows them is an old one.
	const goAlong = new Set(
		applied.flatMap((part) =>
			client.profile.deactivation === 'drops' && changeOf(part, decided)?.about === 'account'
				? part.subject
				: [],
		),
	);
	const mayStay = (id: string, groupId: string) => !goAlong.has(id) && keeps(groupId);
	const isOpen = (id: string) => {
		const { user, groups, values } = leftOf(id);
		const isWaitedFor = (one: Membership) => !isUnfound(one) && !mayStay(id, one.groupId);
		const keys = [
			...groups.filter(isWaitedFor).map(({ key }) => key),
			...values.map((value) => heldValue(value).key),
			...(shownActivity(user) === 'active' ? [ACCOUNT] : []),
		];
		return keys.some((key) => !refused.has(`${id}\n${key}`));
	};
	const looked = await attempt(
		async () =>
			await poll(client.timing, async () => {
				access = await readFacts([...people], before, facts, means);
				return [...people].some(isOpen) ? undefined : true;
			}),
	);
	const deleted = new Set(
		applied.flatMap(({ subject, result }) => (result?.who?.kind === 'deleted' ? subject : [])),
	);
	/** Once for each person: one who was in hundreds of groups has as many parts. */
	const seen = memoized((id) => {
		const left = leftOf(id);
		const stays = new Set([...left.groups, ...left.values.map(heldValue)].map(({ key }) => key));
		const isTaken = ({ key }: { key: string }) => !stays.has(key);
		const had = before.values.get(id) ?? [];
		// Of a deleted user groups tell, or what the user was shown with last.
		const last = facts.lastRead(id);
		const isOut = (key: string) =>
			last !== undefined && facts.showsGroupsLike(last) && !showsGroup(last, key, ids.key);
		const isToldByOthers = () =>
			before.everyGroup(id).told === 'all' &&
			membershipsOf(before, id).every(
				({ groupId, key }) => access.membership(id, groupId).told !== 'nothing' || isOut(key),
			);
		const isTold = left.isGone ? isToldByOthers() : left.unknown === undefined;
		const proof = {
			valuesRemoved: had.filter((value) => isTaken(heldValue(value))),
			valuesRemaining: left.values,
			...(left.user && { user: left.user }),
			isGone: left.isGone,
			...(isTold && { remaining: reachedBy(access, id) }),
			...((isTold || !left.isGone) &&
				before.everyGroup(id).told === 'all' && {
					removed: membershipsOf(before, id).filter(isTaken),
				}),
			// A hidden group cannot be told from a deleted one.
			...(!left.groups.some(isUnfound) && { at: new Date().toISOString() }),
			requests: means.requestsSent(),
		};
		return { left, stays, proof };
	});
	const isOfAccount = (part: AppliedPart) => taken.get(part)?.[0] === ACCOUNT;
	const last = new Map<string, AppliedPart>();
	for (const part of applied.filter(({ outcome }) => outcome.status !== 'failed')) {
		const best = last.get(partKey(part));
		if (best === undefined || isOfAccount(part) || !isOfAccount(best))
			last.set(partKey(part), part);
	}
	return applied.map((part): AppliedPart => {
		const { subject, outcome } = part;
		if (!people.has(subject)) return part;
		const speaks = last.get(partKey(part)) === part;
		if (!looked.ok) {
			const reason = 'the groups could not be read back';
			return speaks ? unproven(part, { reason }, looked.error) : part;
		}
		const { left, stays, proof } = seen(subject);
		const { ghosts } = left;
		const warned =
			speaks && ghosts.length > 0 ? [...(outcome.warnings ?? []), ghostsOf(ghosts)] : undefined;
		const shown = {
			...{ ...part, proof },
			...(warned && { outcome: { ...outcome, warnings: warned } }),
		};
		const name = (groupId: string) => label(groupId, access);
		const missing = speaks
			? missingProof(left, (groupId) => mayStay(subject, groupId) || facts.isUnfound(groupId), name)
			: undefined;
		if (missing !== undefined) return unproven(shown, missing);
		if (!isFailure(outcome)) return shown;
		const keys = taken.get(part) ?? [];
		const kept = left.values.find((value) => keys.includes(heldValue(value).key));
		if (kept !== undefined && outcome.status === 'failed') {
			const reason = `the service did not take ${valueLabel(kept)}: ${outcome.reason}`;
			return unproven(shown, { reason }, outcome.error);
		}
		// It went with the account although its removal was refused, or the user is deleted.
		const isGone = isOfAccount(part)
			? deleted.has(subject)
			: left.unknown === undefined && !keys.some((key) => stays.has(key));
		const { action, warnings } = outcome;
		return isGone ? { ...shown, outcome: { status: 'done', action, warnings } } : shown;
	});
}

/** Keys of what a part was to take. */
function takenBy(part: AppliedPart, decided: Decided, ids: GroupMeaning): readonly string[] {
	const change = changeOf(part, decided);
	if (change?.about === 'entitlement') return lost(change).map(({ key }) => key);
	const { value, group, intent } = part.result ?? {};
	if (value !== undefined) return [heldValue(value).key];
	return group !== undefined && intent === 'revoked' ? [ids.key(group.id)] : [ACCOUNT];
}

/** Tells what is left of a person that is not to be kept; undefined where nothing is. */
function missingProof(
	{ user, isUnsaid, unknown, groups, values, untold }: Left,
	keeps: GroupSelection['includes'],
	label: (groupId: string) => string,
): Missing | undefined {
	const has =
		values.length > 0 ? [`the person still has ${values.map(valueLabel).join(', ')}`] : [];
	const isActive = shownActivity(user) === 'active' ? ['the user is still active'] : [];
	if (unknown !== undefined) {
		// The worst comes first.
		const reasons = [...isActive, ...has, `memberships are unknown: ${unknown.why}`];
		const hidden = isActive.length + values.length === 0;
		const reason = reasons.join('; ');
		return { reason: unknown.advice ? `${reason}. ${unknown.advice}` : reason, hidden };
	}
	const left = groups.filter(({ groupId }) => !keeps(groupId));
	const names = left.map(({ groupId }) => label(groupId)).join(', ');
	const reasons = [
		...isActive,
		...(left.length > 0 ? [`the person is still ${names}`] : []),
		...has,
	];
	if (reasons.length > 0) return { reason: reasons.join('; ') };
	if (untold.length > 0) return { reason: untold.join('; '), hidden: true };
	return isUnsaid
		? { reason: 'the service does not show whether the user is active', hidden: true }
		: undefined;
}

function ghostsOf(ids: readonly string[]): string {
	return `Groups still show ${ids.join(', ')}, who looks like the person and is no user any more. Remove that member if groups keep it.`;
}

/** Tells whether a list does not say of a user whether it is active, and another kind of request may. */
function isSilent(facts: Facts, id: string): boolean {
	const read = facts.user(id);
	const user = read?.ok === true ? read.value : undefined;
	if (user === undefined || shownActivity(user) !== 'not told' || facts.isActiveNoMore(user))
		return false;
	return facts.saysActivity && facts.lastAsked(id) === 'list';
}

/** Counts how many reads the proof takes at the least. */
export function proofReads(
	people: ReadonlySet<string>,
	before: Access,
	{ reader, client }: Pick<Means, 'reader' | 'client'>,
): number {
	if (people.size === 0) return 0;
	const inAll = usersTell(client.profile) ? reader.people.cost(people.size) : 0;
	// Beside a list, one is read by ID for what lists may leave out.
	const isListed =
		inAll < people.size &&
		client.profile.accessAttributes.length > 0 &&
		!client.facts.wasAskedBy('id');
	const users = isListed ? inAll + 1 : inAll;
	if (before.isWhole)
		return users + 1 + (reader.memberships.tellsByPerson ? before.groups.size : 0);
	const groups = [...people].flatMap((id) => membershipsOf(before, id).map(({ key }) => key));
	return users + new Set(groups).size;
}

/** Tells whether users tell what groups do not. */
export function usersTell({ groupsShowMembers, accessAttributes }: Traits): boolean {
	return groupsShowMembers !== 'yes' || accessAttributes.length > 0;
}

/** Reads where people are now, and the people themselves where they tell more. @throws RequestError where one cannot be read */
async function readFacts(
	people: readonly string[],
	before: Access,
	facts: Facts,
	{ reader, client }: Means,
): Promise<Access> {
	if (usersTell(client.profile)) {
		await readUsers(people, true, { reader });
		await readUsers(
			people.filter((id) => isSilent(facts, id)),
			false,
			{ reader },
		);
		await reader.people.tellValues(people, { hasWitness: true });
	}
	const users = people.flatMap((id) => {
		const user = facts.user(id);
		if (user?.ok === false) throw user.error;
		return user?.value ?? [];
	});
	const { memberships } = reader;
	const shown = async (access: Access) => {
		// What one kind of request shows of nobody, another one may have shown.
		const there = users.map(({ id }) => id);
		const asks = facts.usersShowGroups || there.some((id) => access.lookAlikes(id).length > 0);
		return asks ? await memberships.askedOf(access, there) : access;
	};
	if (before.isWhole) return await shown(await memberships.read({ people, users, fresh: true }));
	const groups = [
		...people.flatMap((id) => membershipsOf(before, id).map(({ groupId }) => groupId)),
		...users.flatMap(({ groupIds = [] }) => groupIds),
	];
	return await shown(await memberships.read({ groups, users }));
}

function unproven(part: AppliedPart, { reason, hidden }: Missing, error?: unknown): AppliedPart {
	const { outcome } = part;
	return {
		...{ ...part, alone: outcome.status },
		outcome: { ...outcome, status: 'unverified', reason, hidden, error },
	};
}

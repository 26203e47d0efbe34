import type { IDataObject } from 'n8n-workflow';

import {
	changeOf,
	isValue,
	lost as lostBy,
	membershipsOf,
	nameIn,
	reachedBy,
	userIn,
	type Access,
	type AppliedPart,
	type Change,
	type GroupSelection,
	type Membership,
} from '../../shared/access';
import {
	isFailure,
	partKey,
	worstOf,
	type Missing,
	type Outcome,
	type Output,
} from '../../shared/run';
import {
	type AccessValue,
	type GroupIds,
	type Traits,
	type User,
	valueKey,
	valueLabel,
	valuesOf,
} from '../../shared/scim';
import { attempt, memoized, poll } from '../../shared/util';
import type { Guarded, OperationContext } from '../runWrite';
import { membershipItems, valueItems } from './accessItem';
import { statusOf, wasDeleted } from './userItem';

/** The fields of every item of Offboard, for somebody of whom nothing is known. */
export function noLeaver(deletes: boolean): IDataObject {
	return {
		...{ userId: null, userName: null, active: null, ...(deletes && { deleted: null }) },
		...{ accessRemoved: null, accessRemaining: null, provenAt: null, requests: null },
		...{ status: 'unchanged', reason: null },
	};
}

/** What a look shows of those who leave. */
interface Look {
	access: Access;
	/** By id; undefined for whoever is not there. Empty where groups alone tell. */
	users: ReadonlyMap<string, User | undefined>;
}

/** One part with what it is about. */
interface LeaverPart {
	part: AppliedPart;
	/** Keys of the groups or of the value that the person was to lose; otherwise the part is about the account. */
	lost?: readonly string[];
	isOfValue: boolean;
	/** Whether it speaks for the person where the proof fails. */
	isLast: boolean;
}

/**
 * Reads groups and users back, again and again until nothing is left or patience ends, and puts what was seen on every
 * leaver. Whoever has something left that is not to be kept is unverified, also where the service refused to take a value.
 * @param keeps whether memberships of a group stay
 */
export async function proveGone(
	applied: AppliedPart[],
	operation: OperationContext,
	plan: Guarded,
	keeps: GroupSelection['includes'],
): Promise<AppliedPart[]> {
	const before = plan.access;
	const tried = applied.filter(
		({ outcome, result }) => outcome.status !== 'failed' && result?.who?.kind !== 'gone',
	);
	const ids = [...new Set(tried.map(({ subject }) => subject))];
	if (before === undefined || ids.length === 0) return applied;

	const parts = leaverParts(applied, plan, operation);
	const failed = parts.filter(({ part }) => part.outcome.status === 'failed');
	// What was refused does not go by waiting.
	const refused = new Set(
		failed.flatMap(({ part, lost = [''] }) => lost.map((key) => `${part.subject}\n${key}`)),
	);
	let last: Look = { access: before, users: new Map() };
	const left = (id: string) =>
		membershipsOf(last.access, id).filter(({ groupId }) => !keeps(groupId));
	// Where memberships go with a deactivation those that were to be kept go, too: a read that shows them is an old one.
	const { profile } = operation.client;
	const { deactivationDropsMemberships } = profile;
	const waitedFor = (id: string) =>
		deactivationDropsMemberships ? membershipsOf(last.access, id) : left(id);
	const valuesLeft = (id: string) => {
		const user = last.users.get(id);
		return user === undefined ? [] : valuesOf(user, profile);
	};
	const isOpen = (id: string) =>
		waitedFor(id).some(({ key }) => !refused.has(`${id}\n${key}`)) ||
		valuesLeft(id).some((value) => !refused.has(`${id}\n${valueKey(value)}`)) ||
		(last.users.get(id)?.active === true && !refused.has(`${id}\n`));
	const looked = await attempt(
		async () =>
			await poll(operation.client.patience, async () => {
				last = await look(ids, before, operation);
				return ids.some(isOpen) ? undefined : true;
			}),
	);
	const [proven, deleted] = [
		new Set(ids),
		new Set(applied.filter(wasDeleted).map(({ subject }) => subject)),
	];
	/** Once for each person: whoever was in hundreds of groups has as many parts. */
	const seen = memoized((id) => {
		const { access, users } = last;
		const user = users.get(id);
		const isGone = users.has(id) && user === undefined;
		const wasKnown = before.knowsAll(id);
		const isKnown = isGone || wasKnown || access.knowsAll(id);
		const stays = new Set(access.held.get(id));
		const values = valuesLeft(id);
		const valueKeys = new Set(values.map(valueKey));
		const had = before.values.get(id) ?? [];
		const valuesRemoved = had.filter((value) => !valueKeys.has(valueKey(value)));
		const proof = {
			valuesRemoved,
			valuesRemaining: values,
			...(user && { user }),
			...(wasKnown && { removed: membershipsOf(before, id).filter(({ key }) => !stays.has(key)) }),
			...(isKnown && { remaining: reachedBy(access, id) }),
			at: new Date().toISOString(),
			requests: operation.requestsSent(),
		};
		return { user, isKnown, stays, values, valuesRemoved, proof };
	});
	return parts.map(({ part, lost, isOfValue, isLast }): AppliedPart => {
		const id = part.subject;
		if (!proven.has(id)) return part;
		if (!looked.ok) {
			const reason = 'the groups could not be read back';
			return isLast ? unproven(part, { reason }, looked.error) : part;
		}
		const { user, isKnown, stays, values, valuesRemoved, proof } = seen(id);
		const shown = { ...part, proof };
		const kept = values.find((value) => lost?.includes(valueKey(value)) === true);
		if (kept !== undefined && part.outcome.status === 'failed') {
			const reason = `the service did not take ${valueLabel(kept)}: ${part.outcome.reason ?? 'no reason given'}`;
			return unproven(shown, { reason }, part.outcome.error);
		}
		if (isLast && !isKnown) {
			const reason = 'neither the groups nor the user show memberships';
			const also = values.length > 0 ? `; ${stillHas(values)}` : '';
			return unproven(shown, { reason: `${reason}${also}`, hidden: values.length === 0 });
		}
		if (isLast && left(id).length + values.length > 0) {
			const reasons = [
				...(left(id).length > 0 ? [stillIn(left(id), last, operation)] : []),
				...(values.length > 0 ? [stillHas(values)] : []),
			];
			return unproven(shown, { reason: reasons.join('; ') });
		}
		if (isLast && user?.active === true)
			return unproven(shown, { reason: 'the user is still active' });
		const hasGone = isOfValue
			? valuesRemoved.some((value) => lost?.includes(valueKey(value)) === true)
			: lost === undefined
				? deleted.has(id)
				: isKnown && !lost.some((key) => stays.has(key));
		return isFailure(part.outcome) && hasGone ? gone(shown) : shown;
	});
}

/** How many reads the proof takes at the least. */
export function proofReads(
	ids: ReadonlySet<string>,
	before: Access,
	{ directory, client }: Pick<OperationContext, 'directory' | 'client'>,
): number {
	if (ids.size === 0) return 0;
	const users = readsUsers(client.profile) ? directory.readsOfUsers(ids.size) : 0;
	if (before.isWhole) return users + 1 + (directory.tellsByPerson ? before.groups.size : 0);
	const groups = [...ids].flatMap((id) => membershipsOf(before, id).map(({ key }) => key));
	return users + new Set(groups).size;
}

/** Whether users tell what groups do not. */
function readsUsers({ groupsShowMembers, accessAttributes }: Traits): boolean {
	return groupsShowMembers !== 'yes' || accessAttributes.length > 0;
}

async function look(
	ids: readonly string[],
	before: Access,
	{ directory, client }: OperationContext,
): Promise<Look> {
	const users = new Map<string, User | undefined>();
	if (readsUsers(client.profile)) {
		for (const [id, user] of await directory.readUsers(ids)) {
			if (!user.ok) throw user.error;
			users.set(id, user.value);
		}
	}
	const there = [...users.values()].flatMap((user) => user ?? []);
	if (before.isWhole) return { users, access: await directory.accessAboutNow(ids, there) };
	const groupIds = [
		...ids.flatMap((id) => membershipsOf(before, id).map(({ groupId }) => groupId)),
		...there.flatMap(({ groupIds: own = [] }) => own),
	];
	return { users, access: await directory.accessOf(groupIds, there) };
}

function leaverParts(
	applied: readonly AppliedPart[],
	plan: Guarded,
	{ ids }: OperationContext,
): LeaverPart[] {
	const parts = applied.map((part): LeaverPart => {
		const taken = takenBy(part, changeOf(part, plan), ids);
		return { part, isLast: false, ...taken };
	});
	const last = new Map<string, LeaverPart>();
	for (const one of parts) {
		const { outcome } = one.part;
		const key = partKey(one.part);
		const best = last.get(key);
		const isBetter = best === undefined || best.lost !== undefined || one.lost === undefined;
		if (outcome.status !== 'failed' && isBetter) last.set(key, one);
	}
	for (const one of last.values()) one.isLast = true;
	return parts;
}

function takenBy(
	{ result }: AppliedPart,
	change: Change | undefined,
	ids: GroupIds,
): Pick<LeaverPart, 'lost' | 'isOfValue'> {
	if (change?.about === 'entitlement') {
		const all = lostBy(change);
		const isOfValue = all.some(isValue);
		return { isOfValue, lost: all.map((one) => (isValue(one) ? valueKey(one) : one.key)) };
	}
	const { value, group, intent } = result ?? {};
	if (value !== undefined) return { isOfValue: true, lost: [valueKey(value)] };
	const isTaken = group !== undefined && intent === 'revoked';
	return { isOfValue: false, ...(isTaken && { lost: [ids.key(group.id)] }) };
}

function stillIn(left: readonly Membership[], { access }: Look, { label }: OperationContext) {
	return `the person is still ${left.map(({ groupId }) => label(groupId, access)).join(', ')}`;
}

function stillHas(values: readonly AccessValue[]): string {
	return `the person still has ${values.map(valueLabel).join(', ')}`;
}

function unproven(part: AppliedPart, { reason, hidden }: Missing, error?: unknown): AppliedPart {
	return { ...part, outcome: { ...part.outcome, status: 'unverified', reason, hidden, error } };
}

/** A membership that went with the account although its removal was refused, or a user who is deleted. */
function gone(part: AppliedPart): AppliedPart {
	const { action, warnings } = part.outcome;
	return { ...part, outcome: { status: 'done', action, warnings } };
}

/** One flat item per person, with the worst of what was done. */
export function leaverItems(
	parts: readonly AppliedPart[],
	operation: OperationContext,
	plan: Guarded,
	blank: IDataObject,
): Array<Output<AppliedPart>> {
	const rows = new Map<string, AppliedPart[]>();
	for (const part of parts) {
		const same = rows.get(part.subject);
		if (same === undefined) rows.set(part.subject, [part]);
		else same.push(part);
	}
	return [...rows].map(([key, own]) => {
		const outcome = together(own.map((part) => part.outcome));
		const proof = own.find((part) => part.proof !== undefined)?.proof;
		const who = proof?.user ?? own.flatMap(({ result }) => userIn(result) ?? []).at(-1);
		const named = own.find(({ result }) => result?.who !== undefined)?.result;
		const person = { ...plan.personOf.get(key), ...nameIn(named) };
		const deleted = own.flatMap((part) => wasDeleted(part) ?? []).at(-1);
		const list = (of: readonly Membership[] | undefined) => of && membershipItems(of, operation);
		const warnings = [...(outcome.warnings ?? []), ...plan.warnings];
		return {
			parts: own,
			json: {
				...blank,
				userId: who?.id ?? person.id ?? null,
				userName: who?.userName ?? person.userName ?? null,
				active: deleted === true ? null : (who?.active ?? null),
				...(deleted !== undefined && { deleted }),
				accessRemoved: list(proof?.removed) ?? null,
				accessRemaining: list(proof?.remaining) ?? null,
				...(operation.client.profile.accessAttributes.length > 0 && {
					valuesRemoved: proof ? valueItems(proof.valuesRemoved) : null,
					valuesRemaining: proof ? valueItems(proof.valuesRemaining) : null,
				}),
				provenAt: isFailure(outcome) ? null : (proof?.at ?? null),
				requests: proof?.requests ?? null,
				...statusOf({ ...outcome, warnings: [...new Set(warnings)] }),
			},
		};
	});
}

/** The worst status with every reason for it, and all warnings. */
function together(outcomes: readonly Outcome[]): Outcome {
	const worst = worstOf(outcomes) ?? outcomes[0];
	const reasons = outcomes.flatMap(({ status, reason }) =>
		status === worst.status && reason !== undefined ? [reason] : [],
	);
	return {
		...worst,
		...(reasons.length > 0 && { reason: [...new Set(reasons)].join('; ') }),
		warnings: outcomes.flatMap(({ warnings = [] }) => warnings),
	};
}

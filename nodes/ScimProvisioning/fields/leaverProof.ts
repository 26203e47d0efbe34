import type { IDataObject } from 'n8n-workflow';

import {
	changeOf,
	heldValue,
	stuckIn,
	lost as lostBy,
	membershipsOf,
	nameIn,
	reachedBy,
	userIn,
	type Access,
	type AppliedPart,
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
import { type AccessValue, type Traits, type User, valueLabel, valuesOf } from '../../shared/scim';
import { attempt, memoized, poll } from '../../shared/util';
import type { OperationContext } from '../context';
import type { Guarded, ItemForm } from '../planned';
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

/** What there still is of a person. */
interface Left {
	user?: User;
	/** Whether it is known where the person is. */
	isKnown: boolean;
	groups: readonly Membership[];
	values: readonly AccessValue[];
}

/**
 * Reads all that leavers have back, again and again until nothing is left but what was refused or is kept. What was refused
 * and is gone is done; what is left of a person is said in the last of the person's parts.
 * @param keeps whether memberships of a group stay
 */
export async function proveGone(
	applied: AppliedPart[],
	operation: OperationContext,
	plan: Guarded,
	keeps: GroupSelection['includes'],
): Promise<AppliedPart[]> {
	const before = plan.access;
	const isTried = ({ outcome, result }: AppliedPart) =>
		outcome.status !== 'failed' && result?.who?.kind !== 'gone';
	const people = [...new Set(applied.filter(isTried).map(({ subject }) => subject))];
	if (before === undefined || people.length === 0) return applied;

	const { profile, patience } = operation.client;
	const taken = new Map(applied.map((part) => [part, takenBy(part, plan, operation)]));
	// What was refused does not go by waiting.
	const refused = new Set(
		[...taken].flatMap(([{ subject, outcome }, keys = ['']]) =>
			outcome.status === 'failed' ? keys.map((key) => `${subject}\n${key}`) : [],
		),
	);
	let access: Access = before;
	let users: ReadonlyMap<string, User | undefined> = new Map();
	const leftOf = (id: string): Left => {
		const user = users.get(id);
		const isGone = users.has(id) && user === undefined;
		return {
			...(user && { user }),
			isKnown: isGone || before.knowsAll(id) || access.knowsAll(id),
			groups: [...membershipsOf(access, id), ...stuckIn(access, id)],
			values: user === undefined ? [] : valuesOf(user, profile),
		};
	};
	const isOpen = (id: string) => {
		const { user, groups, values } = leftOf(id);
		// Where memberships go with the account, those that were to be kept go, too: a read that shows them is an old one.
		const isWaitedFor = ({ groupId }: Membership) =>
			profile.deactivationDropsMemberships || !keeps(groupId);
		const keys = [
			...groups.filter(isWaitedFor).map(({ key }) => key),
			...values.map((value) => heldValue(value).key),
			...(user?.active === true ? [''] : []),
		];
		return keys.some((key) => !refused.has(`${id}\n${key}`));
	};
	const looked = await attempt(
		async () =>
			await poll(patience, async () => {
				({ access, users } = await look(people, before, operation));
				return people.some(isOpen) ? undefined : true;
			}),
	);
	const proven = new Set(people);
	const deleted = new Set(applied.filter(wasDeleted).map(({ subject }) => subject));
	/** Once for each person: whoever was in hundreds of groups has as many parts. */
	const seen = memoized((id) => {
		const left = leftOf(id);
		const stays = new Set([...left.groups, ...left.values.map(heldValue)].map(({ key }) => key));
		const had = before.values.get(id) ?? [];
		const proof = {
			valuesRemoved: had.filter((value) => !stays.has(heldValue(value).key)),
			valuesRemaining: left.values,
			...(left.user && { user: left.user }),
			...(before.knowsAll(id) && {
				removed: membershipsOf(before, id).filter(({ key }) => !stays.has(key)),
			}),
			...(left.isKnown && { remaining: reachedBy(access, id) }),
			at: new Date().toISOString(),
			requests: operation.requestsSent(),
		};
		return { left, stays, proof };
	});
	const last = new Map<string, AppliedPart>();
	for (const part of applied.filter(({ outcome }) => outcome.status !== 'failed')) {
		const best = last.get(partKey(part));
		const isOfAccount = taken.get(part) === undefined;
		if (best === undefined || isOfAccount || taken.get(best) !== undefined)
			last.set(partKey(part), part);
	}
	return applied.map((part): AppliedPart => {
		const { subject, outcome } = part;
		if (!proven.has(subject)) return part;
		const speaks = last.get(partKey(part)) === part;
		if (!looked.ok) {
			const reason = 'the groups could not be read back';
			return speaks ? unproven(part, { reason }, looked.error) : part;
		}
		const { left, stays, proof } = seen(subject);
		const shown = { ...part, proof };
		const missing = speaks ? missingProof(left, keeps, access, operation) : undefined;
		if (missing !== undefined) return unproven(shown, missing);
		if (!isFailure(outcome)) return shown;
		const keys = taken.get(part);
		const kept = left.values.find((value) => keys?.includes(heldValue(value).key) === true);
		if (kept !== undefined && outcome.status === 'failed') {
			const reason = `the service did not take ${valueLabel(kept)}: ${outcome.reason}`;
			return unproven(shown, { reason }, outcome.error);
		}
		// It went with the account although its removal was refused, or the user is deleted.
		const isGone =
			keys === undefined
				? deleted.has(subject)
				: left.isKnown && !keys.some((key) => stays.has(key));
		const { action, warnings } = outcome;
		return isGone ? { ...shown, outcome: { status: 'done', action, warnings } } : shown;
	});
}

/** Keys of what a part was to take; undefined of one about the account. */
function takenBy(
	part: AppliedPart,
	plan: Guarded,
	{ ids }: OperationContext,
): readonly string[] | undefined {
	const change = changeOf(part, plan);
	if (change?.about === 'entitlement') return lostBy(change).map(({ key }) => key);
	const { value, group, intent } = part.result ?? {};
	if (value !== undefined) return [heldValue(value).key];
	return group !== undefined && intent === 'revoked' ? [ids.key(group.id)] : undefined;
}

/** What is left of a person that is not to be kept; undefined where nothing is. */
function missingProof(
	{ user, isKnown, groups, values }: Left,
	keeps: GroupSelection['includes'],
	access: Access,
	{ label }: OperationContext,
): Missing | undefined {
	const has =
		values.length > 0 ? [`the person still has ${values.map(valueLabel).join(', ')}`] : [];
	if (!isKnown) {
		const reasons = ['neither the groups nor the user show memberships', ...has];
		return { reason: reasons.join('; '), hidden: values.length === 0 };
	}
	const left = groups.filter(({ groupId }) => !keeps(groupId));
	const names = left.map(({ groupId }) => label(groupId, access)).join(', ');
	const reasons = [...(left.length > 0 ? [`the person is still ${names}`] : []), ...has];
	if (reasons.length > 0) return { reason: reasons.join('; ') };
	return user?.active === true ? { reason: 'the user is still active' } : undefined;
}

/** How many reads the proof takes at the least. */
export function proofReads(
	ids: ReadonlySet<string>,
	before: Access,
	{ reader, client }: Pick<OperationContext, 'reader' | 'client'>,
): number {
	if (ids.size === 0) return 0;
	const users = readsUsers(client.profile) ? reader.people.cost(ids.size) : 0;
	if (before.isWhole)
		return users + 1 + (reader.memberships.tellsByPerson ? before.groups.size : 0);
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
	{ reader, client }: OperationContext,
): Promise<{ users: Map<string, User | undefined>; access: Access }> {
	const users = new Map<string, User | undefined>();
	if (readsUsers(client.profile)) {
		for (const [id, user] of await reader.people.readThere(ids, { fresh: true })) {
			if (!user.ok) throw user.error;
			users.set(id, user.value);
		}
	}
	const there = [...users.values()].flatMap((user) => user ?? []);
	const { memberships } = reader;
	if (before.isWhole) {
		const question = { people: ids, users: there, fresh: true };
		return { users, access: await memberships.read(question) };
	}
	const groupIds = [
		...ids.flatMap((id) => membershipsOf(before, id).map(({ groupId }) => groupId)),
		...there.flatMap(({ groupIds: own = [] }) => own),
	];
	return { users, access: await memberships.read({ groups: groupIds, users: there }) };
}

function unproven(part: AppliedPart, { reason, hidden }: Missing, error?: unknown): AppliedPart {
	return { ...part, outcome: { ...part.outcome, status: 'unverified', reason, hidden, error } };
}

/** @param deletes whether the accounts are deleted */
export function leaverItems(deletes: boolean): ItemForm {
	const blank = noLeaver(deletes);
	return {
		blank,
		output: (parts, operation, plan) => itemsOf(parts, operation, plan, blank),
	};
}

/** One flat item per person, with the worst of what was done. */
function itemsOf(
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

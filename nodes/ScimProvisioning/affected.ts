import {
	type Reader,
	peopleIn,
	knowsPeopleIn,
	type Access,
	type AffectedBase,
} from '../shared/access/facts';
import { excessWords, RISKS, type Excess } from '../shared/access/guards';
import { attempt } from '../shared/util';

import type { OperationContext } from './context';

import type { Planned } from './planned';

/** Undefined where so many were approved: never more than the plan says. */
export function excessReason(
	one: Excess & { words: string },
	{ approval }: Planned,
): string | undefined {
	const planned = approval?.excess.find(({ kind }) => kind === one.kind);
	if (planned !== undefined && approval?.kinds.has(one.kind)) {
		return one.people <= planned.people
			? undefined
			: `${excessWords(one)}, more than the ${planned.people} of the plan. Make a new plan.`;
	}
	const advice =
		planned !== undefined
			? `Check the plan, and tick ${RISKS[one.kind].name} under Approved Excess if it is intended: a button or a Yes is not enough`
			: approval !== undefined
				? 'Make a new plan, or check Safety Limits here'
				: 'Check the source, or raise the limit under Safety Limits';
	return `${excessWords(one)}, more than ${one.words}. ${advice}.`;
}

/** How many are in each of some groups, as far as it is shown. @param access what is known already */
export async function sizesOf(
	groupIds: readonly string[],
	access: Access | undefined,
	{ reader, ids }: OperationContext,
): Promise<(groupId: string) => number | undefined> {
	const isKnown = (groupId: string) => access !== undefined && knowsPeopleIn(access, groupId);
	// Where every group costs a request of its own, the others are not asked.
	const isEnough = groupIds.every(isKnown) || reader.memberships.tellsByPerson;
	const whole = isEnough ? access : ((await allAccess(access, reader)) ?? access);
	return (groupId) =>
		whole !== undefined && knowsPeopleIn(whole, groupId)
			? peopleIn(whole, ids.key(groupId)).length
			: undefined;
}

async function allAccess(access: Access | undefined, reader: Reader): Promise<Access | undefined> {
	const read = await attempt(async () =>
		access?.isWhole === true && !access.isPartial ? access : await reader.memberships.read(),
	);
	return read.ok ? read.value : undefined;
}

/** Undefined where it cannot be known who has access. */
export async function allWithAccess(
	access: Access | undefined,
	reader: Reader,
): Promise<AffectedBase | undefined> {
	const all = await allAccess(access, reader);
	return all?.showsMembers === true
		? { people: all.held.size, are: 'people with access' }
		: undefined;
}

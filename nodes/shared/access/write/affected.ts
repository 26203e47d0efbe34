import { type Reader, peopleIn, type Access, type AffectedBase } from '../facts';
import { excessWords, RISKS, type Excess, type Joins, type Risky } from '../guards';
import { attempt } from '../../util';

import type { ToolCall, WriteContext } from './context';
import type { Basis } from './plan';

/**
 * Undefined where so many were approved: never more than the plan says.
 * @param own the people of this run, where tool calls before it count as well
 */
export function excessReason(
	one: Excess & { words: string },
	approved: Basis['approved'],
	own: Risky,
): string | undefined {
	const planned = approved?.excess.find(({ kind }) => kind === one.kind);
	if (planned !== undefined && approved?.kinds.has(one.kind)) {
		return one.people <= planned.people
			? undefined
			: `${excessWords(one)}, more than the ${planned.people} of the plan. Make a new plan.`;
	}
	const { name } = RISKS[one.kind];
	const isJoin = one.kind === 'membersAdded';
	const advice =
		planned !== undefined
			? `Check the plan, and tick ${name} under Allow More Than the Limit For if it is intended: a button or a Yes is not enough`
			: approved !== undefined
				? `Make a new plan, ${isJoin ? `and approve ${name}` : 'or check Safety Limits here'}`
				: `Check the source, or ${isJoin ? `preview, and approve ${name}` : 'raise the limit under Safety Limits'}`;
	const before = one.people - (own.get(one.kind)?.size ?? 0);
	const calls = before > 0 ? ` (${before} of them by earlier tool calls in this execution)` : '';
	return `${excessWords(one)}${calls}, more than ${one.words}. ${advice}.`;
}

/** What is said of access that many get, and of which the service does not show how many have it. */
export function unjudgedWarning(access: string): string {
	return `The service does not show how many people have this, so Members Added does not limit it: ${access}.`;
}

/**
 * How many are in each of some groups beside those who joined in earlier calls, as far as it is shown.
 * @param access what is known already
 */
export async function sizesOf(
	groups: readonly Joins[],
	access: Access | undefined,
	{ reader, ids }: WriteContext,
	{ joinedEarlier }: Pick<ToolCall, 'joinedEarlier'>,
): Promise<(groupId: string) => number | undefined> {
	const joined = new Map(groups.map(({ groupId, key }) => [groupId, new Set(joinedEarlier(key))]));
	const isKnown = (groupId: string) =>
		access !== undefined && access.everyMember(groupId).told === 'all';
	// Where every group costs a request of its own, the others are not asked.
	const isEnough =
		groups.every(({ groupId }) => isKnown(groupId)) || reader.memberships.tellsByPerson;
	const whole = isEnough ? access : ((await allAccess(access, reader)) ?? access);
	return (groupId) => {
		if (whole === undefined) return undefined;
		if (whole.everyMember(groupId).told === 'all') {
			const people = peopleIn(whole, ids.key(groupId));
			return people.filter((id) => joined.get(groupId)?.has(id) !== true).length;
		}
		// A role without people may have no group yet.
		return whole.isWhole && !whole.groups.has(ids.key(groupId)) ? 0 : undefined;
	};
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
	return all?.shown.told === 'all'
		? { people: all.held.size, are: 'people with access' }
		: undefined;
}

import type { ServiceRequest } from '../../http';
import { type KeptOfGroup, memberEntry } from '../protocol/patch';
import * as requests from '../protocol/requests';
import type { Group } from '../protocol/resource';
import { groupOfAnswer, groupReader } from './observe';
import { getResource, putResource } from './resources';
import type { Wire } from './wire';

/** What a PUT of a group has in its own place, or not at all. */
const SET_BY_SERVICE = /^(?:schemas|id|meta|members)$/i;

/**
 * Adds and removes members by PATCH (RFC 7644 section 3.5.2). Adds may be sent again as they are. Removals never: the user may
 * have another role by then, which the removal would take (test/contract/interface.md 2.3).
 * @param again looks what is left to be sent, before a repeat; without it, removals are sent once only
 */
export async function changeMembers(
	wire: Wire,
	groupId: string,
	add: readonly string[],
	remove: readonly string[],
	again?: () => Promise<{ add: readonly string[]; remove: readonly string[] }>,
	hasSlot?: boolean,
): Promise<Group | undefined> {
	const { facts, profile, send } = wire;
	if (add.length > 0) facts.noteGrowth(groupId);
	const requestFor = (adds: readonly string[], removals: readonly string[]) => {
		const entries = adds.map((id) => memberEntry(id, facts.userName(id)));
		return requests.changeMembers(profile, groupId, entries, removals);
	};
	const withoutLook = remove.length === 0 ? 'always' : 'never';
	const answer = await send({
		...requestFor(add, remove),
		repeat:
			again === undefined
				? withoutLook
				: async () => {
						const left = await again();
						if (left.add.length + left.remove.length === 0) return { answer: {} };
						return requestFor(left.add, left.remove);
					},
		hasSlot,
		purpose: `change the members of group ${groupId}`,
	});
	return groupOfAnswer(wire, answer, groupId);
}

/**
 * Replaces a whole group (RFC 7644 section 3.5.1), so that its members are exactly these.
 * @param again reads the group before a repeat, and gives the list to send then; undefined when there is nothing to send
 */
export async function replaceMembers(
	wire: Wire,
	groupId: string,
	userIds: readonly string[],
	kept: KeptOfGroup,
	again: () => Promise<readonly string[] | undefined>,
	hasSlot?: boolean,
): Promise<Group | undefined> {
	const { facts, onRequest, profile } = wire;
	facts.noteGrowth(groupId);
	const whole = onRequest.asks ? await withOthers(wire, groupId, kept) : kept;
	const requestFor = (ids: readonly string[]) => {
		const displayOf = (id: string) => whole.displays.get(id) ?? facts.userName(id);
		const entries = ids.map((id) => memberEntry(id, displayOf(id)));
		return requests.replaceMembers(profile, groupId, entries, whole);
	};
	const next = async () => {
		const wanted = await again();
		return wanted === undefined ? { answer: {} } : requestFor(wanted);
	};
	const request: ServiceRequest = {
		...requestFor(userIds),
		repeat: next,
		hasSlot,
		purpose: `replace the members of group ${groupId}`,
	};
	const answer = await putResource(wire, request, ['Groups', groupId], kept.version, next);
	return groupOfAnswer(wire, answer, groupId);
}

/** Reads the other attributes of a group, which what was asked for by name lacks, and which a PUT would clear. */
async function withOthers(wire: Wire, groupId: string, kept: KeptOfGroup): Promise<KeptOfGroup> {
	const { attributes } = await getResource(wire, 'Groups', groupId, groupReader(wire));
	const others = Object.entries(attributes).filter(([name]) => !SET_BY_SERVICE.test(name));
	return { ...kept, attributes: { ...Object.fromEntries(others), ...kept.attributes } };
}

/**
 * Reads by filter the members of groups that show none. Undefined where filters cannot be believed, or find none in any group:
 * then `getGroup` does not use them either.
 */
export async function membersByFilter(
	wire: Wire,
	groups: readonly Group[],
): Promise<Group[] | undefined> {
	if (wire.profile.membersByFilter === 'no') return undefined;
	const told: Group[] = [];
	for (const group of groups) {
		const members = await wire.memberFilters.membersOf(group.id);
		if (members === undefined) return undefined;
		told.push({ ...group, ...members });
	}
	wire.readsMembersByFilter = told.some(({ members = [] }) => members.length > 0);
	return wire.readsMembersByFilter ? told : undefined;
}

/** Tells whether every form of filter that was asked has found a member of a group. */
export function filtersFound({ memberFilters }: Wire): boolean {
	return memberFilters.found;
}

/** Has filters find a member of a group, if there is one, so that it is known whether they find any. */
export async function findMember({ memberFilters }: Wire, groupId: string): Promise<void> {
	await memberFilters.findMember(groupId);
}

/** Reads by filter a page of the members of a group; none where that cannot be told. */
export async function someMembers({ memberFilters }: Wire, groupId: string): Promise<string[]> {
	return await memberFilters.someOf(groupId);
}

import { failureOf } from '../run';
import type { Attributes, Group, GroupIds } from '../scim';
import { addTo, InputError } from '../util';
import type { Access } from './access';
import { NO_RESTS, type GroupChange, nameOf, type Member } from './change';
import { protectedPerson } from './diff';
import type { Diff } from './wish';

/** A group that an item wants to exist. */
export interface WantedGroup {
	item: number;
	attributes: Attributes;
	warnings: string[];
}

export interface NamedGroup {
	item: number;
	groupId: string;
}

export type WantedGroupChange = NamedGroup & WantedGroup;

/** One create per item: names of groups need not be unique. */
export function planGroupCreations(wanted: readonly WantedGroup[]): Diff {
	const changes = wanted.map(({ item, attributes, warnings }): GroupChange => ({
		...baseOf(`create group\n${item}`, `create group ${String(attributes.displayName)}`),
		...{ before: 'absent', after: 'there' },
		...{ items: [item], subject: String(item) },
		warnings,
		attributes,
	}));
	return { changes, settled: [], warnings: [] };
}

/** One PATCH per item, in the order of the items for items that mean the same group. */
export function planGroupUpdates(wanted: readonly WantedGroupChange[]): Diff {
	const last = new Map<string, string>();
	const changes = wanted.map(({ item, groupId, attributes, warnings }): GroupChange => {
		const base = baseOf(`update group\n${groupId}\n${item}`, `update group ${groupId}`);
		const before = last.get(groupId);
		last.set(groupId, base.key);
		return {
			...base,
			...{ before: 'there', after: 'there' },
			...{ items: [item], subject: String(item) },
			restsOn: before === undefined ? NO_RESTS : [{ on: 'change', key: before }],
			warnings,
			groupId,
			attributes,
		};
	});
	return { changes, settled: [], warnings: [] };
}

/** A group with protected people in it is left alone. */
export function planGroupDeletions(
	wanted: readonly NamedGroup[],
	access: Access,
	ids: GroupIds,
	isProtected: (person: Member) => boolean,
): Diff {
	const plan: Diff = { changes: [], settled: [], warnings: [] };
	const byGroup = new Map<string, NamedGroup[]>();
	for (const named of wanted) addTo(byGroup, ids.key(named.groupId), named);
	for (const [key, named] of byGroup) {
		const group = access.groups.get(key);
		const groupId = group?.id ?? named[0].groupId;
		const action = `delete group ${groupId}`;
		const members = peopleIn(group, access, ids);
		const kept = members.find(isProtected);
		const error =
			group === undefined
				? new InputError(
						`There is no group ${groupId}`,
						'Check the ID, or select the group from the list.',
					)
				: kept && protectedPerson(nameOf(kept));
		if (error !== undefined) {
			const outcome = failureOf(action, error);
			plan.settled.push(...named.map(({ item }) => ({ item, subject: key, outcome })));
			continue;
		}
		plan.changes.push({
			...baseOf(`delete group\n${key}`, action),
			...{ before: 'there', after: 'absent' },
			...{ items: named.map(({ item }) => item), subject: key },
			warnings: group?.nested
				? [`Groups in it lose what it gives, too: ${group.nested.join(', ')}.`]
				: [],
			groupId,
			members,
		});
	}
	return plan;
}

/** What all changes of groups have. */
function baseOf(key: string, action: string) {
	return { about: 'group' as const, key, action, why: '', restsOn: NO_RESTS };
}

/** All people in a group, by way of groups in it too as far as these are known. */
function peopleIn(group: Group | undefined, access: Access, ids: GroupIds): Member[] {
	const people = new Map<string, Member>();
	const seen = new Set<Group>();
	const open = group === undefined ? [] : [group];
	for (let one = open.pop(); one !== undefined; one = open.pop()) {
		if (seen.has(one)) continue;
		seen.add(one);
		for (const { id, display } of one.members ?? []) {
			const userName = access.names.get(id) ?? display;
			people.set(id, { key: id, id, ...(userName !== undefined && { userName }) });
		}
		open.push(...(one.nested ?? []).flatMap((id) => access.groups.get(ids.key(id)) ?? []));
	}
	return [...people.values()];
}

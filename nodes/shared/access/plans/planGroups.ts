import { failureOf, type Outcome, type Part } from '../../run';
import type { Attributes, Group, GroupMeaning } from '../../scim';
import { addTo, type Attempt, InputError, nameKey, shown } from '../../util';
import type { Access } from '../facts';
import {
	displayNameIn,
	NO_PRECONDITIONS,
	verdictOfExisting,
	type Diff,
	type GroupChange,
	type IfExists,
	nameOf,
	type Person,
	type ProvisioningResult,
} from '../changes';
import { protectedPerson } from '../guards';
import { complete, conflict } from './planUsers';

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

/**
 * Groups that are to exist, one create per name: most services would take a second group of the same name.
 * @param found by name as given, the groups of that name; undefined where the service does not tell
 */
export function planGroupCreations(
	wanted: readonly WantedGroup[],
	ifExists: IfExists,
	found: ReadonlyMap<string, Attempt<readonly Group[] | undefined>>,
): Diff {
	const plan: Diff = { changes: [], settled: [] };
	for (const merged of mergeByName(wanted, ifExists, plan)) {
		const { attributes, parts, warnings } = merged;
		const [displayName, [{ subject }]] = [displayNameIn(attributes), parts];
		const change: GroupChange = {
			...baseOf(`create group\n${subject}`, `create group ${shown(displayName)}`),
			...{ before: 'absent', after: 'there', ifExists },
			...{ items: parts.map(({ item }) => item), subject },
			warnings,
			attributes,
		};
		const known = found.get(displayName);
		if (known?.ok === false) settle(plan, parts, failureOf(change.action, known.error));
		else if (known?.value === undefined)
			plan.changes.push({ ...change, mayExist: true, warnings: [...warnings, NOT_LOOKED_FOR] });
		else if (known.value.length === 0) plan.changes.push(change);
		else {
			const { outcome, result } = verdictOfExisting(change, known.value);
			settle(plan, parts, outcome, result);
		}
	}
	return plan;
}

const NOT_LOOKED_FOR =
	'The service does not show its groups, so there may be another group of this name.';

interface MergedGroup extends Omit<WantedGroup, 'item'> {
	parts: Part[];
}

/** Items that want the same group are one create, unless an existing group is an error, or they contradict each other. */
function mergeByName(
	wanted: readonly WantedGroup[],
	ifExists: IfExists,
	plan: Diff,
): MergedGroup[] {
	const merged = new Map<string, MergedGroup>();
	for (const { item, attributes, warnings } of wanted) {
		const displayName = displayNameIn(attributes);
		const subject = nameKey(displayName);
		const part = { item, subject };
		const first = merged.get(subject);
		if (first === undefined) {
			merged.set(subject, { attributes: { ...attributes }, warnings, parts: [part] });
			continue;
		}
		const others = { ...attributes, displayName: first.attributes.displayName };
		const clash =
			ifExists === 'fail'
				? `Items ${first.parts[0].item} and ${item} both create group ${shown(displayName)}`
				: conflict(first, { item, attributes: others }, 'group');
		if (clash !== undefined) {
			const advice = 'Send each group once, or the same values in both items.';
			const outcome = failureOf(
				`create group ${shown(displayName)}`,
				new InputError(clash, advice),
			);
			settle(plan, [part], outcome);
			continue;
		}
		complete(first.attributes, others);
		first.parts.push(part);
		first.warnings = [...new Set([...first.warnings, ...warnings])];
	}
	return [...merged.values()];
}

function settle(
	plan: Diff,
	parts: readonly Part[],
	outcome: Outcome,
	result?: ProvisioningResult,
): void {
	plan.settled.push(...parts.map((part) => ({ ...part, outcome, ...(result && { result }) })));
}

/**
 * One PATCH per item, in the order of the items for items that mean the same group.
 * @param read groups as they are, by ID; of those that are missing no old value is known
 */
export function planGroupUpdates(
	wanted: readonly WantedGroupChange[],
	read: ReadonlyMap<string, Pick<Group, 'attributes'>>,
): Diff {
	const last = new Map<string, GroupChange>();
	const changes = wanted.map(({ item, groupId, attributes, warnings }): GroupChange => {
		const base = baseOf(`update group\n${groupId}\n${item}`, `update group ${groupId}`);
		const before = last.get(groupId);
		const was = { ...(before?.was ?? read.get(groupId)?.attributes), ...before?.attributes };
		const change: GroupChange = {
			...base,
			...{ before: 'there', after: 'there' },
			...{ items: [item], subject: String(item) },
			restsOn: before === undefined ? NO_PRECONDITIONS : [{ on: 'change', key: before.key }],
			...{ warnings, groupId, attributes, was },
		};
		last.set(groupId, change);
		return change;
	});
	return { changes, settled: [] };
}

/** A group with protected people in it is left alone. */
export function planGroupDeletions(
	wanted: readonly NamedGroup[],
	access: Access,
	ids: GroupMeaning,
	isProtected: (person: Person) => boolean,
): Diff {
	const plan: Diff = { changes: [], settled: [] };
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
	return { about: 'group' as const, key, action, why: '', restsOn: NO_PRECONDITIONS };
}

/** All people in a group, by way of groups in it too as far as these are known. */
function peopleIn(group: Group | undefined, access: Access, ids: GroupMeaning): Person[] {
	const people = new Map<string, Person>();
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

import { failureOf } from '../run';
import { InputError } from '../util';
import {
	type Attributes,
	type Group,
	type GroupIds,
	patchBody,
	replaceAttributes,
	resourcePath,
	SCHEMA,
	type ServiceProfile,
} from '../scim';
import type { Access } from './access';
import { protectedPerson } from './planAccess';
import { emptyProvisioningPlan, type Member, type ProvisioningPlan } from './step';

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
export function planGroupCreations(
	wanted: readonly WantedGroup[],
	profile: ServiceProfile,
): ProvisioningPlan {
	const plan = emptyProvisioningPlan();
	for (const { item, attributes, warnings } of wanted) {
		const body = { schemas: [SCHEMA.group], ...attributes };
		plan.steps.push({
			id: `create group of item ${item}`,
			kind: 'createGroup',
			action: `create group ${String(attributes.displayName)}`,
			parts: [{ item, subject: String(item) }],
			warnings,
			attributes,
			request: { method: 'POST', path: resourcePath(profile.prefix, 'Groups'), body },
		});
	}
	return plan;
}

/** One PATCH per item, in the order of the items for items that mean the same group. */
export function planGroupUpdates(
	wanted: readonly WantedGroupChange[],
	profile: ServiceProfile,
): ProvisioningPlan {
	const plan = emptyProvisioningPlan();
	const last = new Map<string, { step: string; subject: string }>();
	for (const { item, groupId, attributes, warnings } of wanted) {
		const id = `update group ${groupId} of item ${item}`;
		const before = last.get(groupId);
		last.set(groupId, { step: id, subject: String(item) });
		plan.steps.push({
			id,
			kind: 'updateGroup',
			action: `update group ${groupId}`,
			parts: [{ item, subject: String(item), ...(before && { needs: [before] }) }],
			warnings,
			groupId,
			attributes,
			request: {
				method: 'PATCH',
				path: resourcePath(profile.prefix, 'Groups', groupId),
				body: patchBody(replaceAttributes(attributes)),
			},
		});
	}
	return plan;
}

/** A group with protected people in it is left alone. */
export function planGroupDeletions(
	wanted: readonly NamedGroup[],
	access: Access,
	ids: GroupIds,
	profile: ServiceProfile,
	isProtected: (person: Member) => boolean,
): ProvisioningPlan {
	const plan = emptyProvisioningPlan();
	const byGroup = new Map<string, NamedGroup[]>();
	for (const named of wanted) {
		const key = ids.key(named.groupId);
		byGroup.set(key, [...(byGroup.get(key) ?? []), named]);
	}
	for (const [key, named] of byGroup) {
		const group = access.groups.get(key);
		const groupId = group?.id ?? named[0].groupId;
		const action = `delete group ${groupId}`;
		const parts = named.map(({ item }) => ({ item, subject: key }));
		if (group === undefined) {
			const error = new InputError(
				`There is no group ${groupId}`,
				'Check the ID, or pick the group from the list.',
			);
			plan.settled.push(...parts.map((part) => ({ ...part, outcome: failureOf(action, error) })));
			continue;
		}
		const members = peopleIn(group, access, ids);
		const kept = members.find(isProtected);
		if (kept !== undefined) {
			const outcome = failureOf(action, protectedPerson(kept.userName ?? kept.key));
			plan.settled.push(...parts.map((part) => ({ ...part, outcome })));
			continue;
		}
		for (const person of members) plan.losses.push({ person, ...ids.parse(groupId) });
		plan.steps.push({
			id: action,
			kind: 'deleteGroup',
			action,
			parts,
			warnings: group.nested
				? [`Groups in it lose what it gives, too: ${group.nested.join(', ')}.`]
				: [],
			groupId,
			request: { method: 'DELETE', path: resourcePath(profile.prefix, 'Groups', groupId) },
		});
	}
	return plan;
}

/** Everybody in a group, by way of groups in it too as far as these are known. */
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

import { emptyPlan, type Part } from '../change/plan';
import type { GroupIds } from '../scim/protocol/groupId';
import { addMembers, patchBody } from '../scim/protocol/patch';
import { resourcePath } from '../scim/protocol/paths';
import type { ServiceProfile } from '../scim/protocol/profile';
import type { Group } from '../scim/protocol/resource';
import { notDone } from '../change/outcome';
import { InputError } from '../inputError';
import type { Person, ProvisioningPlan } from './step';

/** A person whom an item wants in a group. */
export interface WantedMember {
	item: number;
	person: Person;
	groupId: string;
}

/**
 * Plans Add Members: who is a member already is left alone (adding again mails the person, or stores the member twice),
 * the others go in chunks, one request for many items.
 * @param groups as read, by key of their id
 */
export function planMembers(
	wanted: readonly WantedMember[],
	groups: ReadonlyMap<string, Group>,
	ids: GroupIds,
	profile: ServiceProfile,
	accountOrganization: string,
): ProvisioningPlan {
	const plan = emptyPlan() as ProvisioningPlan;
	const clashes = twoRolesInOneOrganization(wanted, ids, profile);
	const byGroup = new Map<string, Map<string, { person: Person; parts: Part[] }>>();

	for (const member of wanted) {
		const key = ids.key(member.groupId);
		const part = { item: member.item, subject: member.person.id };
		const action = `add ${member.person.userName ?? member.person.id} to group ${member.groupId}`;
		const group = groups.get(key);
		if (group === undefined) continue;
		const clash = clashes.get(member);
		if (clash !== undefined) {
			plan.settled.push({
				...part,
				outcome: notDone(action, clash),
				result: { group, person: member.person },
			});
			continue;
		}
		if (group.members?.some(({ id }) => id === member.person.id)) {
			plan.settled.push({
				...part,
				outcome: { status: 'alreadySo', action },
				result: { group, person: member.person },
			});
			continue;
		}
		const people = byGroup.get(key) ?? new Map<string, { person: Person; parts: Part[] }>();
		byGroup.set(key, people);
		const entry = people.get(member.person.id) ?? { person: member.person, parts: [] };
		people.set(member.person.id, entry);
		entry.parts.push(part);
	}

	for (const [key, people] of byGroup) {
		const group = groups.get(key);
		if (group === undefined) continue;
		const warnings = accountOrganizationWarning(group.id, ids, accountOrganization);
		const entries = [...people.values()];
		for (let at = 0; at < entries.length; at += profile.membersPerRequest) {
			const chunk = entries.slice(at, at + profile.membersPerRequest);
			plan.steps.push({
				id: `add to ${group.id} from ${at}`,
				kind: 'addMembers',
				action: `add ${chunk.length === 1 ? (chunk[0].person.userName ?? chunk[0].person.id) : `${chunk.length} people`} to group ${group.id}`,
				after: [],
				parts: chunk.flatMap(({ parts }) => parts),
				warnings,
				groupId: group.id,
				people: chunk.map(({ person }) => person),
				request: {
					method: 'PATCH',
					path: resourcePath(profile.prefix, 'Groups', group.id),
					body: patchBody([addMembers(chunk.map(({ person }) => person.id))]),
				},
			});
		}
	}
	return plan;
}

/** With one role per organization, the second add would silently take the first one back (docs/interface.md 1.5). */
function twoRolesInOneOrganization(
	wanted: readonly WantedMember[],
	ids: GroupIds,
	profile: ServiceProfile,
): Map<WantedMember, InputError> {
	const clashes = new Map<WantedMember, InputError>();
	if (!profile.oneRolePerOrganization) return clashes;
	const byOrganization = new Map<string, WantedMember[]>();
	for (const member of wanted) {
		const organization = ids.parse(member.groupId)?.organization;
		if (organization === undefined) continue;
		const key = `${organization}\n${member.person.id}`;
		const same = byOrganization.get(key);
		if (same === undefined) byOrganization.set(key, [member]);
		else same.push(member);
	}
	for (const same of byOrganization.values()) {
		const other = same.find(({ groupId }) => ids.key(groupId) !== ids.key(same[0].groupId));
		if (other === undefined) continue;
		const { person, groupId, item } = same[0];
		const error = new InputError(
			`Items ${item} and ${other.item} want two roles for ${person.userName ?? person.id} in one organization: ${groupId} and ${other.groupId}`,
			'A person has one role per organization. Decide for one of them; none of the two was sent.',
		);
		for (const member of same) clashes.set(member, error);
	}
	return clashes;
}

/** The account organization is for account management only (docs/interface.md 1.1). */
function accountOrganizationWarning(
	groupId: string,
	ids: GroupIds,
	accountOrganization: string,
): string[] {
	const parsed = ids.parse(groupId);
	return parsed?.organization === accountOrganization && parsed.role !== 'admin'
		? [
				`${groupId} belongs to the account organization, whose ${parsed.role} group should stay empty: it is for account management only.`,
			]
		: [];
}

import type { GroupIds } from '../scim/protocol/groupId';
import { wholeGroup } from '../scim/protocol/patch';
import { resourcePath } from '../scim/protocol/paths';
import type { ServiceProfile } from '../scim/protocol/profile';
import { withCanonicalNames, type Attributes, type Group } from '../scim/protocol/resource';
import type { Access } from './access';
import type { ProvisioningPlan, ProvisioningStep } from './step';

type MemberChanges = Extract<ProvisioningStep, { kind: 'changeMembers' }>;

/**
 * The same plan with each group's changes as one PUT of the whole member list (docs/interface.md 1.5: members become
 * exactly the list).
 */
export function asReplacements(
	plan: ProvisioningPlan,
	access: Access,
	ids: GroupIds,
	profile: ServiceProfile,
): ProvisioningPlan {
	const byGroup = new Map<string, MemberChanges[]>();
	const others: ProvisioningStep[] = [];
	for (const step of plan.steps) {
		if (step.kind !== 'changeMembers') others.push(step);
		else byGroup.set(step.groupId, [...(byGroup.get(step.groupId) ?? []), step]);
	}
	// Whole lists could wait for each other in a circle: a group that waits for another one is changed by difference.
	for (const [groupId, changes] of byGroup) {
		const own = new Set(changes.map(({ id }) => id));
		const waits = changes.some(({ parts }) =>
			parts.some(({ needs = [] }) => needs.some(({ step }) => !own.has(step))),
		);
		if (!waits) continue;
		byGroup.delete(groupId);
		others.push(...changes);
	}
	// The chunks of a group become one step, which stands for all of them to whatever waits for one.
	const first = new Map(
		[...byGroup.values()].flatMap((changes) =>
			changes.map(({ id }) => [id, changes[0].id] as const),
		),
	);
	const pointed = <S extends ProvisioningStep>(step: S): S => ({
		...step,
		parts: step.parts.map((part) => ({
			...part,
			...(part.needs && {
				needs: part.needs.map((need) => ({ ...need, step: first.get(need.step) ?? need.step })),
			}),
		})),
	});
	const replaced = [...byGroup].map(([groupId, changes]): ProvisioningStep => {
		const add = changes.flatMap((step) => step.add);
		const remove = changes.flatMap((step) => step.remove);
		const removed = new Set(remove.map(({ person }) => person.id));
		const current = access.groups.get(ids.key(groupId));
		const kept = (current?.members ?? []).map(({ id }) => id).filter((id) => !removed.has(id));
		// A service that makes its groups itself takes the members alone (docs/interface.md 1.5).
		const rest = {
			attributes: profile.rolesAreFixed ? {} : otherAttributes(current),
			nested: current?.nested ?? [],
		};
		const members = [...kept, ...add.flatMap(({ person }) => person.id ?? [])];
		return {
			id: changes[0].id,
			kind: 'replaceMembers',
			action: `replace the members of group ${groupId}`,
			parts: changes.flatMap(({ parts }) => parts).map(({ item, subject }) => ({ item, subject })),
			warnings: changes[0].warnings,
			groupId,
			add,
			remove,
			kept,
			rest,
			request: {
				method: 'PUT',
				path: resourcePath(profile.prefix, 'Groups', groupId),
				body: wholeGroup(rest, members),
			},
		};
	});
	return { ...plan, steps: [...others.map(pointed), ...replaced] };
}

/**
 * A PUT replaces the whole group (RFC 7644 section 3.5.1): what it leaves out is refused, as the required displayName,
 * or cleared. So everything beside the members goes back as it was read.
 */
function otherAttributes(group: Group | undefined): Attributes {
	const own = Object.entries(withCanonicalNames(group?.attributes ?? {}));
	return Object.fromEntries(own.filter(([name]) => !NEVER_SENT.has(name)));
}

/** Attributes that the service alone sets, and the members, which are the change. */
const NEVER_SENT = new Set(['schemas', 'id', 'meta', 'members']);

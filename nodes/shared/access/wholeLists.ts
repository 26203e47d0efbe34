import {
	requests,
	versionOf,
	withCanonicalNames,
	type Attributes,
	type Group,
	type GroupMeaning,
	type Traits,
} from '../scim';
import { knowsPeopleIn, peopleIn, type Access } from './access';
import { overwriteWarnings } from './planUsers';
import type { ProvisioningStep } from './step';

type MemberChanges = Extract<ProvisioningStep, { kind: 'changeMembers' }>;

/**
 * The same steps with each group's changes as one PUT of the whole member list (docs/interface.md 1.5: members become
 * exactly the list).
 */
export function asWholeLists(
	steps: readonly ProvisioningStep[],
	access: Access,
	ids: GroupMeaning,
	profile: Traits,
): ProvisioningStep[] {
	const byGroup = new Map<string, MemberChanges[]>();
	const others: ProvisioningStep[] = [];
	const moving = profile.addMovesWithinOrganization ? addsByOrganization(steps) : new Map();
	for (const step of steps) {
		if (step.kind !== 'changeMembers') others.push(step);
		else byGroup.set(step.groupId, [...(byGroup.get(step.groupId) ?? []), step]);
	}
	// Whole lists could wait for each other in a circle, and a list drops whomever it does not name: a group that waits for
	// another one, and a group of which it is not known who is in it, are changed by difference.
	for (const [groupId, changes] of byGroup) {
		const own = new Set(changes.map(({ id }) => id));
		const waits = changes.some(({ parts }) =>
			parts.some(({ needs = [] }) => needs.some(({ step }) => !own.has(step))),
		);
		if (!waits && knowsPeopleIn(access, groupId)) continue;
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
	// Lists of one organization go one after the other: each move is either in the group or out of it by then.
	const before = new Map<string, string[]>();
	for (const step of others) {
		if (step.kind === 'changeMembers') noteStep(before, step.organization, step.id);
	}
	const replaced = [...byGroup].map(([groupId, changes]): ProvisioningStep => {
		const add = changes.flatMap((step) => step.add);
		const remove = changes.flatMap((step) => step.remove);
		const removed = new Set(remove.map(({ person }) => person.id));
		const current = access.groups.get(ids.key(groupId));
		const kept = peopleIn(access, ids.key(groupId)).filter((id) => !removed.has(id));
		// A service that makes its groups itself takes the members alone (docs/interface.md 1.5).
		const version = current && versionOf(current);
		const rest = {
			attributes: profile.rolesAreFixed ? {} : otherAttributes(current),
			nested: current?.nested ?? [],
			...(version !== undefined && { version }),
		};
		const members = [...kept, ...add.flatMap(({ person }) => person.id ?? [])];
		const { organization, siblings, readAt, admins } = changes[0];
		const movers = moving.get(organization) ?? new Set();
		const after = profile.addMovesWithinOrganization
			? noteStep(before, organization, changes[0].id)
			: [];
		return {
			id: changes[0].id,
			kind: 'replaceMembers',
			action: `replace the members of group ${groupId}`,
			parts: changes.flatMap(({ parts }) => parts.map((part) => ({ ...part, needs: undefined }))),
			warnings: [...changes[0].warnings, ...overwriteWarnings(version)],
			groupId,
			add,
			remove,
			kept,
			moving: kept.filter((id) => movers.has(id)),
			rest,
			siblings,
			readAt,
			admins,
			...(organization !== undefined && { organization }),
			...(after.length > 0 && { after }),
			request: requests.replaceMembers(profile, groupId, members, rest),
		};
	});
	return [...others.map(pointed), ...replaced];
}

/** Ids of those who are added to a group, by organization. */
function addsByOrganization(
	steps: readonly ProvisioningStep[],
): Map<string | undefined, Set<string>> {
	const added = new Map<string | undefined, Set<string>>();
	for (const step of steps) {
		if (step.kind !== 'changeMembers' || step.organization === undefined) continue;
		const same = added.get(step.organization) ?? new Set();
		added.set(step.organization, same);
		for (const { person } of step.add) if (person.id !== undefined) same.add(person.id);
	}
	return added;
}

/** @returns the steps of the organization so far, before this one is noted */
function noteStep(
	before: Map<string, string[]>,
	organization: string | undefined,
	stepId: string,
): string[] {
	if (organization === undefined) return [];
	const steps = before.get(organization) ?? [];
	before.set(organization, [...steps, stepId]);
	return steps;
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

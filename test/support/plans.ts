import { readAccess, type Access } from '../../nodes/shared/access/access';
import type { Change, ValueChange } from '../../nodes/shared/access/change';
import { diff } from '../../nodes/shared/access/diff';
import type { Member, ProvisioningPlan, ProvisioningStep } from '../../nodes/shared/access/step';
import { stepsOf } from '../../nodes/shared/access/steps';
import type { AccessRules, Diff, Wish } from '../../nodes/shared/access/wish';
import { groupMeaning } from '../../nodes/shared/scim/protocol/groupMeaning';
import { readGroup, readUser, type User } from '../../nodes/shared/scim/protocol/resource';
import { PROFILES } from '../../nodes/shared/scim/protocol/presets';
import { FRESH } from './fakeTransport';

// Plans without a service: who is where, what is wanted, and the requests that come of it.

export const ACCOUNT = PROFILES.accountOrganizations;
export const ids = groupMeaning(ACCOUNT.groupPattern);

/** Groups with the ids of their members. */
export type Members = Record<string, readonly string[]>;

export const person = (id: string): Member & { id: string } => ({
	key: id,
	id,
	userName: `${id}@example.com`,
});

/** What the service would show of these groups. */
export function accessOf(members: Members, profile = ACCOUNT, meaning = ids): Access {
	const groups = Object.entries(members).flatMap(
		([id, people]) =>
			readGroup({
				id,
				...(people.length > 0 && {
					members: people.map((value) => ({ value, display: `${value}@example.com` })),
				}),
			}) ?? [],
	);
	return readAccess({ groups, isWhole: true, readAt: FRESH }, meaning, profile);
}

export type RulesGiven = Partial<Omit<AccessRules, 'ids'>> & { ids?: typeof ids };

export function rulesOf(members: Members, more: RulesGiven = {}): AccessRules {
	const { profile = ACCOUNT, ids: meaning = ids } = more;
	return {
		...{ ids: meaning, profile, accountOrganization: 'org-acct1', reactivate: false, adopts: true },
		label: (groupId) => {
			const place = meaning.parse(groupId);
			return place ? `${place.role} in ${place.organization}` : groupId;
		},
		isProtected: () => false,
		account: () => undefined,
		access: accessOf(members, profile, meaning),
		...more,
	};
}

/** One item that wants somebody in the groups of `hold`, and out of those of `drop`. */
export const want = (
	item: number,
	id: string,
	hold: readonly string[],
	drop: readonly string[] = [],
	more: Partial<Wish> = {},
): Wish => ({ item, person: person(id), hold, drop, ...more });

/** One item that wants somebody in groups who is to be created first. */
export const wantNew = (
	item: number,
	userName: string,
	hold: readonly string[],
	attributes = {},
): Wish => ({
	...{ item, hold, drop: [], person: { key: userName.toLowerCase(), userName } },
	newcomer: { item, userName, attributes, warnings: [] },
});

/** A diff with its requests, as a plan that nothing blocks. */
export function withSteps<D extends Diff>(
	made: D,
	rules: Parameters<typeof stepsOf>[1] = { ids, profile: ACCOUNT, label: (groupId) => groupId },
): D & ProvisioningPlan {
	return { ...made, steps: stepsOf(made.changes, rules), blockedBy: [] };
}

export function planOf(wishes: readonly Wish[], rules: AccessRules): Diff & ProvisioningPlan {
	return withSteps(diff(wishes, rules), rules);
}

/** The parts of a step as lines: the item, the person, and what the part waits for: `0 ana < create user`. */
export function partsOf({ parts }: Pick<ProvisioningStep, 'parts'>): string[] {
	return parts.map(({ item, subject, needs = [] }) =>
		[`${item} ${subject}`, ...needs.map((need) => `${need.subject} in ${need.step}`)].join(' < '),
	);
}

/** What needs no step, as lines: `0 ana unchanged`. */
export function settledOf({ settled }: Pick<Diff, 'settled'>): string[] {
	return settled.map(({ item, subject, outcome }) => `${item} ${subject} ${outcome.status}`);
}

/** What every change of a plan has. */
export const CHANGE = {
	key: '',
	action: '',
	why: 'row 1',
	parts: [],
	needs: [],
	after: [],
	warnings: [],
};

/** A change that gives somebody a group; with roles before it is a move. */
export const into = (
	groupId: string,
	from: string[] = [],
	who: Member & { id: string } = person('ana'),
): Change => ({
	...{ ...CHANGE, key: `${who.key} ${groupId}`, target: 'membership', person: who, groupId, from },
	...{ kind: from.length > 0 ? 'move' : 'grant', place: ids.parse(groupId) },
});

/** One that takes a group from ana. */
export const outOf = (groupId: string, newRole?: string): Change => ({
	...{ ...CHANGE, target: 'membership', person: person('ana'), kind: 'revoke', groupId },
	...{ place: ids.parse(groupId), mayBeGone: false, hidden: false, skipsOtherRole: false, newRole },
});

/** One that gives ana the role buyer, or takes it. */
export const ofValue = (kind: ValueChange['kind']): Change => ({
	...{ ...CHANGE, target: 'value', person: person('ana'), kind, readAt: FRESH },
	value: { attribute: 'roles', value: 'buyer' },
	user: readUser({ id: 'ana', userName: 'ana' }) as User,
});

import { readAccess, type Access } from '../../nodes/shared/access/facts/access';
import {
	heldValue,
	type AccountChange,
	type Change,
	type Entitlement,
	type EntitlementChange,
	type GroupChange,
	type Person,
} from '../../nodes/shared/access/changes/change';
import { diff } from '../../nodes/shared/access/plans/diff';
import { stepsOf } from '../../nodes/shared/access/send/requests';
import { type ProvisioningPlan, scheduleOf } from '../../nodes/shared/access/send/schedule';
import { type AccessRules, type Diff, type Wish } from '../../nodes/shared/access/changes/wish';
import { readGroup, readUser, type User } from '../../nodes/shared/scim/protocol/resource';
import { PROFILES } from '../../nodes/shared/scim/protocol/service';
import { FRESH } from './fakeTransport';

// Plans without a service: who is where, what is wanted, and the requests that come of it.

export const ACCOUNT = PROFILES.accountOrganizations;
export const ids = ACCOUNT.groups();

/** Groups with the ids of their members. */
export type Members = Record<string, readonly string[]>;

export const person = (id: string): Person & { id: string } => ({
	key: id,
	id,
	userName: `${id}@example.com`,
});

/** A group of others: where there is none, nothing is known. */
const OTHERS = 'others';

/** What the service would show of these groups. */
export function accessOf(members: Members, profile = ACCOUNT, meaning = ids): Access {
	const isNone = Object.keys(members).length === 0;
	const groups = Object.entries(isNone ? { [OTHERS]: ['somebody'] } : members).flatMap(
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
		...{
			ids: meaning,
			profile,
			accountOrganization: 'org-acct1',
			reactivate: false,
			ifExists: 'adopt' as const,
		},
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
	const schedule = scheduleOf(made.changes, rules.profile);
	return { ...made, steps: stepsOf(schedule, rules), blockedBy: [], warnings: [] };
}

export function planOf(wishes: readonly Wish[], rules: AccessRules): Diff & ProvisioningPlan {
	return withSteps(diff(wishes, rules), rules);
}

/** What needs no step, as lines: `0 ana unchanged`. */
export function settledOf({ settled }: Pick<Diff, 'settled'>): string[] {
	return settled.map(({ item, subject, outcome }) => `${item} ${subject} ${outcome.status}`);
}

/** What every change of a plan has. */
export const CHANGE = { key: '', action: '', why: 'row 1', items: [], restsOn: [], warnings: [] };

/** A group as something that somebody has. */
export function held(groupId: string): Entitlement {
	const place = ids.parse(groupId);
	return { key: ids.key(groupId), groupId, displayName: groupId, ...place };
}

/** A change of what somebody has in one place, from some groups to others. */
export const ofGroups = (
	before: readonly string[],
	after: readonly string[],
	who: Person = person('ana'),
): EntitlementChange => ({
	...{ ...CHANGE, about: 'entitlement', person: who },
	key: `${who.key} ${[...after, ...before].join()}`,
	...{ before: before.map(held), after: after.map(held) },
});

/** One that gives ana the role buyer, or takes it. */
export const ofValue = (gives: boolean): EntitlementChange => {
	const value = [heldValue({ attribute: 'roles', value: 'buyer' })];
	const user = readUser({ id: 'ana', userName: 'ana' }) as User;
	return {
		...{ ...CHANGE, about: 'entitlement', person: person('ana') },
		...{ before: gives ? [] : value, after: gives ? value : [] },
		evidence: { user, readAt: FRESH },
	};
};

/** That a group is deleted. */
export const deletionOf = (groupId: string, more: Partial<GroupChange> = {}): GroupChange => ({
	...{ ...CHANGE, about: 'group', subject: groupId, groupId, before: 'there', after: 'absent' },
	...more,
});

/** A change of the account of ana. */
export const ofAccount = (
	before: AccountChange['before'],
	after: AccountChange['after'],
	more: Partial<AccountChange> = {},
): AccountChange => ({
	...{ ...CHANGE, about: 'account', person: person('ana'), before, after },
	key: `${before} ${after} ana`,
	...more,
});

const ACCOUNTS = {
	created: ofAccount('absent', 'active'),
	updated: ofAccount('active', 'active', { attributes: {} }),
	activated: ofAccount('inactive', 'active'),
	deactivated: ofAccount('active', 'inactive'),
	deleted: ofAccount('active', 'absent'),
};

/**
 * `ana -VPN +Staff after ben +VPN` or `ana created`. `=VPN` is kept, `admin` is that role in org-1, and `roles.buyer` is a
 * value on the user.
 */
export function readChange(line: string): Change {
	const [key, rest] = line.split(' after ');
	const [who, ...words] = key.split(' ');
	const restsOn = rest === undefined ? [] : [{ on: 'change' as const, key: rest }];
	const base = { ...CHANGE, key, person: person(who), restsOn };
	const [word] = words;
	if (word in ACCOUNTS) return { ...ACCOUNTS[word as keyof typeof ACCOUNTS], ...base };
	const all = (signs: string) =>
		words.filter(([sign]) => signs.includes(sign)).map((one) => entitlement(one.slice(1)));
	return { ...base, about: 'entitlement', before: all('-='), after: all('+=') };
}

function entitlement(name: string) {
	const [attribute, value] = name.split('.');
	if (value !== undefined) return heldValue({ attribute, value });
	return held(/^[a-z]+$/.test(name) ? `org-1:${name}` : name);
}

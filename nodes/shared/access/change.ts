import type { Part } from '../run';
import {
	type AccessValue,
	type Attributes,
	type MatchAttribute,
	type OrganizationRole,
	type User,
	valueKey,
} from '../scim';
import { madeOnce, type Moment } from '../util';
import type { IfUserExists, KnownAccess, Member, WholeUser } from './step';

/**
 * One difference between what is wanted and what is there. A plan is its changes: losses and gains, steps, the preview,
 * and a plan that is approved are read off them.
 */
export type Change = UserChange | GroupChange | MembershipChange | ValueChange;

interface ChangeBase {
	/** Equal for two wishes of the same change; the id of its step, or of a part of one. */
	key: string;
	/** What it does, in words that finish the sentence "could not …". */
	action: string;
	/** Why, for whoever reads a plan. */
	why: string;
	/** The items that want it. */
	parts: Part[];
	/** Keys of the changes without which it must not be made. */
	needs: string[];
	/** Keys of the changes that come first, whatever happens to them. */
	after: string[];
	warnings: readonly string[];
	/** What the user showed, where it was asked. */
	activeBefore?: boolean;
}

export type UserChange = ChangeBase & { target: 'user'; person: Member } & (
		| {
				kind: 'create';
				userName: string;
				attributes: Attributes;
				ifExists: IfUserExists;
				matchBy?: MatchAttribute;
				/** Why a user who turns out to exist must not be touched, if so. */
				refuses?(user: User): Error | undefined;
		  }
		| {
				kind: 'update';
				attributes: Attributes;
				/** The whole user to send, and when it was read; otherwise the attributes alone are sent. */
				whole?: { readAt: Moment; planned: WholeUser };
				seenBefore: boolean;
				/** Values that it takes, as far as the user was read. */
				lost?: readonly AccessValue[];
		  }
		| { kind: 'activate'; seenBefore: boolean }
		| {
				kind: 'deactivate';
				seenBefore: boolean;
				/** For whoever is deactivated for having nothing else. */
				onlyWith?: KnownAccess;
		  }
		| { kind: 'delete'; wasActive: boolean }
	);

export type GroupChange = ChangeBase & { target: 'group' } & (
		| { kind: 'create'; attributes: Attributes }
		| { kind: 'update'; groupId: string; attributes: Attributes }
		| { kind: 'delete'; groupId: string; members: readonly Member[] }
	);

export type MembershipChange = ChangeBase & {
	target: 'membership';
	person: Member;
	groupId: string;
	/** What the group stands for, where it stands for anything. */
	place?: OrganizationRole;
} & (
		| {
				kind: 'grant' | 'move';
				/** The roles in the same organization that the person has until then. */
				from: readonly string[];
		  }
		| {
				kind: 'revoke';
				/** The role in the same organization that the person has instead. */
				newRole?: string;
				/** Whether a grant that comes first may have taken the person out already. */
				mayBeGone: boolean;
				/** The group showed nobody before, so that nobody in it afterwards proves nothing. */
				hidden: boolean;
				/** Whoever has another role there now is left alone; otherwise that is a failure. */
				skipsOtherRole: boolean;
		  }
	);

/** Of a value on the user that gives access, such as a role. */
export type ValueChange = ChangeBase & {
	target: 'value';
	kind: 'grant' | 'revoke';
	person: Member;
	value: AccessValue;
	/** As read, and when. */
	user: User;
	readAt: Moment;
};

/** Made once, where it is asked for: the items of thousands of people ask for theirs one by one, and Preview for none. */
export const changesByKey = madeOnce(
	(changes: readonly Change[]): ReadonlyMap<string, Change> =>
		new Map(changes.map((change) => [change.key, change])),
);

/** The change that a part is one of. @param plan what is made, and what cannot be */
export function changeOf(
	{ change = '' }: Pick<Part, 'change'>,
	plan: { changes: readonly Change[]; withheld: readonly Change[] },
): Change | undefined {
	return changesByKey(plan.changes).get(change) ?? changesByKey(plan.withheld).get(change);
}

/** The key of a change of the user behind a person. */
export function userKey(kind: UserChange['kind'], person: Pick<Member, 'key'>): string {
	return `${kind} user\n${person.key}`;
}

/** The key of a membership, given or taken: a person is in a group once. */
export function membershipKey(person: Pick<Member, 'key'>, groupKey: string): string {
	return `membership\n${person.key}\n${groupKey}`;
}

/** The key of a value, given or taken. */
export function personValueKey(person: Pick<Member, 'key'>, value: AccessValue): string {
	return `value\n${person.key}\n${valueKey(value)}`;
}

/** The id of a step on the members of a group, the first or a later one. */
export function membersStepId(groupId: string, number: number): string {
	return `members\n${groupId}\n${number}`;
}

/** Somebody who will have less access than before. */
export interface Loss {
	person: Member;
	organization?: string;
	/** Of a value on the user, the value. */
	role?: string;
	groupId?: string;
	/** The role that the person has in that organization afterwards. */
	newRole?: string;
}

/** Somebody who will have a role. */
export interface Gain extends OrganizationRole {
	person: Member;
}

/** What makes somebody unable to use any access. */
export type Ending = 'deactivate' | 'delete';

/** How a change ends the account that it is about; undefined where it does not. */
export function endingOf(change: Change): Ending | undefined {
	if (change.target !== 'user') return undefined;
	if (change.kind === 'deactivate' || change.kind === 'delete') return change.kind;
	return change.kind === 'update' && deactivates(change.attributes) ? 'deactivate' : undefined;
}

export function deactivates({ active }: Attributes): boolean {
	return active === false;
}

/** The person whom a change makes unable to use any access. */
export function endedBy(change: Change): Member | undefined {
	return change.target === 'user' && endingOf(change) !== undefined ? change.person : undefined;
}

/** Everybody whom changes are about, those included who are in a group that is deleted. */
export function peopleOf(changes: readonly Change[]): Member[] {
	const people = changes.flatMap((change) => {
		if (change.target !== 'group') return [change.person];
		return change.kind === 'delete' ? change.members : [];
	});
	return [...new Map(people.map((person) => [person.key, person])).values()];
}

/**
 * What changes take away, with the roles of whoever is deactivated or deleted.
 * @param heldBy the groups of a person, as far as they are known
 */
export function lossesIn(
	changes: readonly Change[],
	heldBy: (person: Member) => ReadonlyArray<Partial<OrganizationRole> & { groupId: string }>,
): Loss[] {
	return changes.flatMap((change): Loss[] => {
		const ended = endedBy(change);
		if (ended !== undefined) {
			const held = heldBy(ended);
			return held.length === 0
				? [{ person: ended }]
				: held.map(({ groupId, organization, role }) => ({
						person: ended,
						groupId,
						...(organization !== undefined && { organization, role }),
					}));
		}
		if (change.target === 'group') {
			const { members, groupId } = change.kind === 'delete' ? change : { members: [], groupId: '' };
			return members.map((person) => ({ person, groupId }));
		}
		if (change.target === 'user') {
			const lost = change.kind === 'update' ? (change.lost ?? []) : [];
			return lost.map(({ value }) => ({ person: change.person, role: value }));
		}
		if (change.target === 'value') {
			const { kind, person, value } = change;
			return kind === 'revoke' ? [{ person, role: value.value }] : [];
		}
		const { person, groupId, place } = change;
		if (change.kind === 'revoke') {
			const { newRole } = change;
			return [{ person, groupId, ...place, ...(newRole !== undefined && { newRole }) }];
		}
		return change.from.map((role) => ({
			person,
			groupId,
			organization: place?.organization,
			role,
			newRole: place?.role,
		}));
	});
}

/** From the lowest; other roles cannot be compared. */
const ROLES = ['viewer', 'member', 'admin'];

/** Whether a role is lower than one of those that the person has until then. */
export function isLower(role: string | undefined, before: readonly string[]): boolean {
	const rank = (one = '') => ROLES.indexOf(one.toLowerCase());
	return rank(role) >= 0 && before.some((other) => rank(other) > rank(role));
}

/** Whether a membership gives more than there was: a lower role does not. */
export function isGain(change: MembershipChange): boolean {
	return change.kind !== 'revoke' && !isLower(change.place?.role, change.from);
}

export function gainsIn(changes: readonly Change[]): Gain[] {
	return changes.flatMap((change) =>
		change.target === 'membership' && change.kind !== 'revoke' && change.place !== undefined
			? [{ person: change.person, ...change.place }]
			: [],
	);
}

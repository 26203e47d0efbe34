import {
	valueKey,
	type AccessValue,
	type Attributes,
	type MatchAttribute,
	type OrganizationRole,
	type User,
	shownActivity,
} from '../../scim';
import { gained, kindOfDifference, lost, type ChangeBase, type WaitsForChange } from '../../run';
import { addTo, cachedPerObject, type Moment, type When, shown } from '../../util';
import type { Membership } from '../facts';

/**
 * One difference between what is wanted and what is there, as plain data. A plan is its changes: what kind each is, losses
 * and gains, order and requests, the preview, and the plan to approve are read off them.
 */
export type Change = AccountChange | EntitlementChange | GroupChange;

/** What a change is called, in code, plans and items. */
export type Kind =
	'created' | 'updated' | 'activated' | 'deactivated' | 'deleted' | 'granted' | 'moved' | 'revoked';

/** The person of a change; the id is missing until an earlier step has created the person. */
export interface Person {
	/** The same for everything that means this person: the id, or `new` and the user name. */
	key: string;
	id?: string;
	userName?: string;
}

/** What a person is called in messages. */
export function nameOf({ userName, id, key }: Person): string {
	return shown(userName ?? id ?? key);
}

/** What else has to be so for a change to be made, beside what its own place shows. */
export type Precondition =
	/** Another change was seen: the access of the new account before that of the old one, the new admin. */
	| WaitsForChange
	| OnlyWith
	/** The list that it was made of shows everybody: no create or rename of the run meets a user who was not shown. */
	| { on: 'wholeList' }
	/** The access that is copied to the person is so still: the other user has just these groups and values, by their keys, and is as active as then. */
	| Source
	/** Of an approved plan: the groups of the person that it is about, by their keys. */
	| { on: 'access'; groups: readonly string[] }
	/** Of an approved plan: the email or external ID by which the person is known. */
	| { on: 'identity'; is: string }
	/** Of an approved Offboard: the person is inactive already. Of a gain: nobody else lets the person in before it is given. */
	| { on: 'inactive' }
	/** The attributes that it sets have these values until then. */
	| { on: 'attributes'; are: Attributes }
	/** Of an approved plan: the row that wants it has not ended yet. */
	| { on: 'until'; until: Until }
	/** Of an undo: that row ends what it takes back, for whoever undoes the undo. */
	| { on: 'untilAgain'; until: Until };

/** The end of what wants a change; its days are those of the zone. */
export type Until = When & { zone: string };

/** All that a person may have, by the keys of groups and of values on the user; looked at again when it is sent. */
export interface OnlyWith {
	on: 'nothingElse';
	groups: readonly string[];
	values?: readonly string[];
}

export interface Source {
	on: 'source';
	id: string;
	userName: string;
	groups: readonly string[];
	values: readonly string[];
	isActive: boolean;
}

/** What is known of an account: `there` where it does not say whether it is active. */
export type Account = 'active' | 'inactive' | 'there' | 'absent' | 'unknown';

/** A whole user as PUT sends it. */
export interface WholeUser {
	body: Attributes;
	/** What `active` has to be afterwards, where it is kept as it was read. */
	activeAfter?: boolean;
	/** The ETag of the user as read, where the service has them. */
	version?: string;
}

/** What a create does about a resource that exists, where it does not change it. */
export type IfExists = 'fail' | 'return';

/**
 * What a create does about a user who exists. Create: `fail` or `return`. Create or Update: `update`. Assign:
 * `adopt` takes the user unless inactive, `adoptAndActivate` always.
 */
export type IfUserExists = IfExists | 'update' | 'adopt' | 'adoptAndActivate';

/** Of the account of a person, its attributes included. */
export interface AccountChange extends ChangeBase<Precondition> {
	about: 'account';
	person: Person;
	before: Account;
	/** The same as before where only attributes change. */
	after: Account;
	/** Those that it sets. */
	attributes?: Attributes;
	/** What they were, as far as the user shows them; for who reads the change. */
	was?: Attributes;
	/** What a create does about a user who exists. */
	ifExists?: IfUserExists;
	matchBy?: MatchAttribute;
	/** Attributes that an update of a user who exists leaves out. */
	onlyWhenNew?: readonly string[];
	/** The whole user to send, and when it was read; otherwise the attributes alone are sent. */
	whole?: { readAt: Moment; planned: WholeUser };
	/** Values that give access and that it takes, as far as the user was read. */
	lost?: readonly AccessValue[];
}

/** What a person may have: a group, with what it stands for, or a value on the user. */
export type Entitlement = Membership | HeldValue;

export interface HeldValue extends AccessValue {
	key: string;
}

/** Of what a person has in one place: a group, an organization where people have one role there, or a value. */
export interface EntitlementChange extends ChangeBase<Precondition> {
	about: 'entitlement';
	person: Person;
	before: readonly Entitlement[];
	after: readonly Entitlement[];
	/** A person with another role by the time of a removal is left alone; otherwise that is a failure. */
	skipsOtherRole?: boolean;
	/** The user as read, and when, where values of it change. */
	evidence?: { user: User; readAt: Moment };
}

export interface GroupChange extends ChangeBase<Precondition> {
	about: 'group';
	subject: string;
	/** Undefined for one that is created. */
	groupId?: string;
	before: 'there' | 'absent';
	after: 'there' | 'absent';
	attributes?: Attributes;
	/** Old values of these, as far as they are known. */
	was?: Attributes;
	/** What a create does about a group that exists. */
	ifExists?: IfExists;
	/** Whether a create could not be told if a group of its name exists. */
	mayExist?: boolean;
	/** Those who lose what a group gives that is deleted. */
	members?: readonly Person[];
}

export { gained, lost };

export const NO_PRECONDITIONS: readonly Precondition[] = [];

/** Sorts changes by kind, in one pass: a plan may have a hundred thousand. */
export function byKind(changes: readonly Change[]): Map<Kind, Change[]> {
	const kinds = new Map<Kind, Change[]>();
	for (const change of changes) addTo(kinds, kindOf(change), change);
	return kinds;
}

/** What kind of change it is, by what is before and after. */
export function kindOf(change: Change): Kind {
	const { before, after } = change;
	if (change.about === 'entitlement') return kindOfDifference(change);
	if (before === 'absent') return 'created';
	if (after === 'absent') return 'deleted';
	if (change.about === 'account' && change.attributes === undefined)
		return after === 'active' ? 'activated' : 'deactivated';
	if (after === 'inactive' && before !== after) return 'deactivated';
	return after === 'active' && before === 'inactive' ? 'activated' : 'updated';
}

export function isValue(entitlement: Entitlement): entitlement is HeldValue {
	return 'attribute' in entitlement;
}

/** A value on the user as something that a person has. */
export function heldValue(value: AccessValue): HeldValue {
	return { ...value, key: `value\n${valueKey(value)}` };
}

/** Whether a change is of a value on the user. */
export function isOfValue({ before, after }: EntitlementChange): boolean {
	const [one = before[0]] = after;
	return isValue(one);
}

/** The role that an entitlement stands for; of a value the value. */
export function roleOf(entitlement: Entitlement): string | undefined {
	return isValue(entitlement) ? entitlement.value : entitlement.role;
}

/** Which of an item's parts a change is. */
export function subjectOf(change: Change): string {
	return change.about === 'group' ? change.subject : (change.subject ?? change.person.key);
}

/** What a user shows of the account. @param isSeen whether this run has seen the person elsewhere */
export function accountOf(user: Pick<User, 'active'> | undefined, isSeen = false): Account {
	if (user === undefined) return isSeen ? 'there' : 'unknown';
	const activity = shownActivity(user);
	return activity === 'not told' ? 'there' : activity;
}

/** Made once, where it is asked for: the items of thousands of people ask for theirs one by one, and Preview for none. */
export const changesByKey = cachedPerObject(
	(changes: readonly Change[]): ReadonlyMap<string, Change> =>
		new Map(changes.map((change) => [change.key, change])),
);

/** The change that a part is one of. @param plan what is made, and what cannot be */
export function changeOf(
	{ change = '' }: { change?: string },
	plan: { changes: readonly Change[]; withheld: readonly Change[] },
): Change | undefined {
	return changesByKey(plan.changes).get(change) ?? changesByKey(plan.withheld).get(change);
}

/** The key of a change of the account of a person. */
export function accountKey(
	verb: 'create' | 'update' | 'activate' | 'deactivate' | 'delete',
	person: Pick<Person, 'key'>,
): string {
	return `${verb} user\n${person.key}`;
}

/** The key of what a person has in one place. */
export function entitlementKey(person: Pick<Person, 'key'>, place: string): string {
	return `access\n${person.key}\n${place}`;
}

/** A person who will have less access than before. */
export interface Loss {
	person: Person;
	organization?: string;
	/** Of a value on the user, the value. */
	role?: string;
	groupId?: string;
	/** The role that the person has in that organization afterwards. */
	newRole?: string;
}

/** A person who will have a role. */
export interface Gain extends OrganizationRole {
	person: Person;
}

/** What makes a person unable to use any access. */
export type Ending = 'deactivate' | 'delete';

/** How a change ends the account that it is about; undefined where it does not. */
export function endingOf(change: Change): Ending | undefined {
	if (change.about !== 'account') return undefined;
	const kind = kindOf(change);
	if (kind === 'deleted') return 'delete';
	return kind === 'deactivated' ? 'deactivate' : undefined;
}

export function deactivates({ active }: Attributes): boolean {
	return active === false;
}

/** The person that a change makes unable to use any access. */
export function personLosingAccount(change: Change): Person | undefined {
	return change.about === 'account' && endingOf(change) !== undefined ? change.person : undefined;
}

/** All people of changes, including those in a group that is deleted. */
export function peopleOf(changes: readonly Change[]): Person[] {
	const people = new Map<string, Person>();
	for (const change of changes) {
		if (change.about !== 'group') people.set(change.person.key, change.person);
		else for (const member of change.members ?? []) people.set(member.key, member);
	}
	return [...people.values()];
}

/**
 * What changes take away, with the roles of users who are deactivated or deleted.
 * @param heldBy the groups of a person, as far as they are known
 */
export function lossesIn(
	changes: readonly Change[],
	heldBy: (person: Person) => ReadonlyArray<Partial<OrganizationRole> & { groupId: string }>,
): Loss[] {
	return changes.flatMap((change): Loss[] => {
		const ended = personLosingAccount(change);
		if (ended !== undefined) {
			const held = heldBy(ended);
			return held.length === 0
				? [{ person: ended }]
				: held.map(({ groupId, organization, role }) => ({
						person: ended,
						groupId,
						organization,
						role,
					}));
		}
		if (change.about === 'group') {
			const { members = [], groupId } = change;
			return members.map((person) => ({ person, groupId }));
		}
		const { person } = change;
		if (change.about === 'account') {
			return (change.lost ?? []).map(({ value }) => ({ person, role: value }));
		}
		const [next] = change.after;
		const newRole = next === undefined ? undefined : roleOf(next);
		return lost(change).map((one): Loss => {
			if (isValue(one)) return { person, role: one.value };
			const { groupId, organization, role } = one;
			return { person, groupId, organization, role, newRole };
		});
	});
}

/** From the lowest; other roles cannot be compared. */
const ROLES = ['viewer', 'member', 'admin'];

/** Whether a role is lower than one of those that the person has until then. */
export function isLower(role: string | undefined, before: ReadonlyArray<string | undefined>) {
	const rank = (one = '') => ROLES.indexOf(one.toLowerCase());
	return rank(role) >= 0 && before.some((other) => rank(other) > rank(role));
}

/** Whether a change gives more than there was: a lower role does not. */
export function isGain(change: EntitlementChange): boolean {
	const before = lost(change).map(roleOf);
	return gained(change).some((one) => !isLower(roleOf(one), before));
}

export function gainsIn(changes: readonly Change[]): Gain[] {
	return changes.flatMap((change) =>
		change.about !== 'entitlement'
			? []
			: gained(change).flatMap((one) => {
					const { organization, role } = isValue(one) ? {} : one;
					return organization === undefined || role === undefined
						? []
						: [{ person: change.person, organization, role }];
				}),
	);
}

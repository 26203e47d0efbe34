import type { AccessValue, Attributes, GroupIds, Traits, User } from '../scim';
import { madeOnce } from '../util';
import { membershipsOf, type Access } from './access';
import {
	changesByKey,
	endingOf,
	type Change,
	type MembershipChange,
	type UserChange,
	type ValueChange,
} from './change';
import type { Member } from './step';

export type ChangeKind =
	'created' | 'updated' | 'activated' | 'deactivated' | 'deleted' | 'granted' | 'moved' | 'revoked';

/** What it is called that was asked for, once it is made. */
export const CHANGE_WORDS: Readonly<Record<Change['kind'], ChangeKind>> = {
	create: 'created',
	update: 'updated',
	activate: 'activated',
	deactivate: 'deactivated',
	delete: 'deleted',
	grant: 'granted',
	move: 'moved',
	revoke: 'revoked',
};

/** What a change is called once it is made: an update may let somebody in or out. */
export function changeWord(change: Change): ChangeKind {
	if (endingOf(change) === 'deactivate') return 'deactivated';
	const { kind } = change;
	const comesBack =
		change.target === 'user' && kind === 'update' && change.attributes.active === true;
	return comesBack && change.activeBefore === false ? 'activated' : CHANGE_WORDS[kind];
}

/** One change of a plan as JSON. What does not apply is null. */
export interface PlannedChange {
	change: ChangeKind;
	/** The person; null for somebody to be created. */
	id: string | null;
	userName: string | null;
	/** The email or external ID of somebody who is there, where people are matched by that. */
	key?: string;
	/** Display name and ID of the group, for memberships; of a move, the new group. */
	group: string | null;
	groupId: string | null;
	organization: string | null;
	organizationName: string | null;
	roleBefore: string | null;
	/** Of a value on the user the value, also where it is taken away. */
	role: string | null;
	/** Of a value on the user. */
	attribute?: string;
	/** What the user showed, where it decides. */
	activeBefore: boolean | null;
	/**
	 * Where a change is about all that the person has: IDs of the groups of it. Null where it is about one membership, and
	 * where they are not known.
	 */
	groupsBefore: string[] | null;
	/** Of a user who is created, or updated, which may also let somebody in or out; without secrets. */
	attributes?: Attributes;
	/** Whose changes come first: IDs, or user names of people to be created. */
	after?: string[];
	why: string;
}

/** What plans have to know beside the changes. */
export interface PlannedContext {
	access?: Access;
	ids: GroupIds;
	profile: Traits;
	/** The name of an organization. */
	nameOf(organization: string): string;
	/** The email or external ID of a person by ID, where people are matched by that. */
	keyOf?(userId: string): string;
	/** What the run has read of a user. */
	userSeen?(userId: string): User | undefined;
	/** Where the changes are about all that people have: whether a group counts. */
	isCompared?(groupId: string): boolean;
}

const ROLES_BETWEEN = ', ';

/** Changes of people and memberships as a plan lists them. The removal of a replaced role is no entry beside its move. */
export function plannedChanges(
	changes: readonly Change[],
	context: PlannedContext,
): PlannedChange[] {
	const planned: PlannedChange[] = [];
	for (const change of changes) {
		if (change.target === 'group') continue;
		const entry = entryOf(change, changes, context);
		if (change.target === 'user') planned.push(userChange(change, entry, context));
		else if (change.target === 'value') {
			planned.push({ ...entry, ...plannedValue(change.kind, change.value) });
		} else {
			const newRole = newRoleKey(change);
			const isPart = newRole !== undefined && rolesGiven(changes).has(newRole);
			if (!isPart) planned.push(membershipChange(change, entry, context));
		}
	}
	return planned;
}

const rolesGiven = madeOnce(
	(changes: readonly Change[]) => new Set(changes.flatMap((change) => roleKey(change) ?? [])),
);

/** The roles of `roleBefore`. */
export function rolesBefore({ roleBefore }: Pick<PlannedChange, 'roleBefore'>): string[] {
	return roleBefore?.split(ROLES_BETWEEN) ?? [];
}

/** The IDs of all groups of a person; undefined where they are not all known. */
export function groupsOfPerson(access: Access, userId: string): string[] | undefined {
	return access.knowsAll(userId)
		? membershipsOf(access, userId).map(({ groupId }) => groupId)
		: undefined;
}

/** Whether a person is active, as far as it shows: where deactivation drops memberships, any of them says so. */
export function isActive(
	userId: string,
	shown: boolean | undefined,
	{ access, profile }: Pick<PlannedContext, 'access' | 'profile'>,
): boolean | undefined {
	const isMember = profile.deactivationDropsMemberships && access?.held.has(userId) === true;
	return shown ?? (isMember ? true : undefined);
}

/** A value on a user as plans and items name it. */
export function plannedValue(
	kind: ValueChange['kind'],
	{ attribute, value }: AccessValue,
): Pick<PlannedChange, 'roleBefore' | 'role'> & { attribute: string } {
	return { roleBefore: kind === 'revoke' ? value : null, role: value, attribute };
}

function roleKey(change: Change): string | undefined {
	return change.target === 'membership' && change.kind !== 'revoke' && change.place
		? keyOf(change, change.place.organization, change.place.role)
		: undefined;
}

function newRoleKey(change: MembershipChange): string | undefined {
	return change.kind === 'revoke' && change.place && change.newRole !== undefined
		? keyOf(change, change.place.organization, change.newRole)
		: undefined;
}

function keyOf({ person }: MembershipChange, organization: string, role: string): string {
	return `${person.key}\n${organization}\n${role}`;
}

/** Nothing of a change but who, and what comes first. */
function entryOf(
	change: UserChange | MembershipChange | ValueChange,
	changes: readonly Change[],
	context: PlannedContext,
): PlannedChange {
	const { person, activeBefore, why } = change;
	const after = change.needs.flatMap((key) => {
		const other = changesByKey(changes).get(key);
		return other === undefined || other.target === 'group' || other.person.key === person.key
			? []
			: [other.person.id ?? other.person.userName ?? other.person.key];
	});
	const shown = activeBefore ?? context.userSeen?.(person.id ?? '')?.active;
	const active = person.id === undefined ? undefined : isActive(person.id, shown, context);
	const key = person.id === undefined ? undefined : context.keyOf?.(person.id);
	const entry: PlannedChange = {
		change: changeWord(change),
		id: person.id ?? null,
		userName: person.userName ?? null,
		group: null,
		groupId: null,
		organization: null,
		organizationName: null,
		roleBefore: null,
		role: null,
		activeBefore: active ?? null,
		groupsBefore: comparedGroups(person, context),
		why,
	};
	if (!key && after.length === 0) return entry;
	// In the order in which they are read.
	const { change: word, id, userName, why: reason, ...others } = entry;
	return {
		...{ change: word, id, userName, ...(key && { key }), ...others },
		...(after.length > 0 && { after: [...new Set(after)] }),
		why: reason,
	};
}

function comparedGroups({ id }: Member, { access, isCompared }: PlannedContext): string[] | null {
	if (id === undefined || access === undefined || isCompared === undefined) return null;
	return groupsOfPerson(access, id)?.filter(isCompared) ?? null;
}

function userChange(
	change: UserChange,
	entry: PlannedChange,
	context: PlannedContext,
): PlannedChange {
	const all = { ...context, isCompared: () => true };
	return {
		...entry,
		...((change.kind === 'create' || change.kind === 'update') && {
			attributes: change.attributes,
		}),
		...(endingOf(change) && { groupsBefore: comparedGroups(change.person, all) }),
	};
}

function membershipChange(
	change: MembershipChange,
	entry: PlannedChange,
	{ access, ids, nameOf }: PlannedContext,
): PlannedChange {
	const { place } = change;
	entry.groupId = change.groupId;
	entry.organization = place?.organization ?? null;
	entry.organizationName = place ? nameOf(place.organization) : null;
	const role = place?.role ?? null;
	if (change.kind !== 'revoke') {
		entry.roleBefore = change.from.join(ROLES_BETWEEN) || null;
		entry.role = role;
	} else {
		const newRole = change.newRole ?? null;
		entry.roleBefore = role;
		entry.role = newRole;
		const newGroup =
			newRole !== null && place ? access?.groupAt({ ...place, role: newRole }) : undefined;
		if (newGroup !== undefined) {
			// The new role is there already, left by a move that was cut off.
			entry.change = 'moved';
			entry.groupId = newGroup;
		}
	}
	entry.group = access?.groups.get(ids.key(entry.groupId))?.displayName ?? null;
	return entry;
}

const SECRET_NAME = /(password|passphrase|passcode|secret|token|private_?key)$/i;

/** The attributes as JSON without secrets, at any depth: plans are stored and sent to chats. */
export function withoutSecrets(attributes: Attributes): Attributes {
	// A boolean such as mustChangePassword is no secret.
	const text = JSON.stringify(attributes, (name, value: unknown) =>
		SECRET_NAME.test(name) && typeof value !== 'boolean' ? undefined : value,
	);
	return JSON.parse(text) as Attributes;
}

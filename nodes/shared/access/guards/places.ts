import {
	findValues,
	holdsOneValue,
	valuesOf,
	type AccessValue,
	type Group,
	type NotTold,
	type User,
} from '../../scim';
import { InputError, cachedPerObject, shown } from '../../util';
import type { Access, Membership } from '../facts';
import {
	isValue,
	nameOf,
	type AccessRules,
	type Entitlement,
	type HeldValue,
	type Person,
} from '../changes';

/** Groups and values as a rule needs them: what is known, and how the service keeps them. */
export type PlaceRules = Pick<AccessRules, 'access' | 'profile'>;

const CHECK = 'Check the service itself.';
const MOST_NAMED = 30;

/**
 * Rule "is this still that group": a group that is not there, has another name now, or stands for something else; or an
 * attribute that gives no access here.
 */
export function groupFault(
	one: Entitlement,
	{ id = '' }: Person,
	{ access, profile }: PlaceRules,
): InputError | undefined {
	if (isValue(one)) {
		if (profile.accessAttributes.includes(one.attribute)) return undefined;
		return new InputError(
			`${one.attribute} is not one of the Access Attributes in the credential`,
			'Nothing was sent for it. Make a new plan and get it approved.',
		);
	}
	const { key, groupId } = one;
	const group = access.groups.get(key);
	if (group === undefined)
		return access.held.get(id)?.has(key) ? undefined : unknownGroup(groupId, { access });
	return otherGroup(one, group, access.placeOf(group.id));
}

/** Says what speaks against a group being the one that was planned. @param place what it stands for now */
export function otherGroup(
	one: Membership,
	group: Pick<Group, 'id' | 'displayName'>,
	place: Partial<Membership> | undefined,
): InputError | undefined {
	const { displayName } = one;
	const isNamed = group.displayName === displayName;
	const [now, before] = [placeText(place), placeText(one)];
	if (isNamed && now === before) return undefined;
	return new InputError(
		isNamed
			? `The group "${shown(group.displayName)}" stands for ${now}, but stood for ${before} when this was planned`
			: `The group ${group.id} is named "${shown(group.displayName)}", but was named "${shown(displayName)}" when this was planned`,
		'Nothing was sent for this group. Make a new plan and get it approved.',
	);
}

function placeText({ organization, role }: Partial<Membership> = {}): string {
	return organization === undefined
		? 'no organization'
		: `${shown(role ?? 'no role')} in ${shown(organization)}`;
}

/** Rule "what a place holds": one role per organization. Where an add does not move, two roles are a move that was cut off. */
export function conflictingRoles(
	person: Person,
	organization: string | undefined,
	there: readonly Entitlement[],
	{ profile }: Pick<AccessRules, 'profile'>,
): InputError | undefined {
	if (organization === undefined || there.length < 2) return undefined;
	if (!profile.oneRolePerOrganization || !profile.addMovesWithinOrganization) return undefined;
	return new InputError(
		`The service returned conflicting roles for ${nameOf(person)} in ${shown(organization)}, so nothing was changed there`,
		'Run again in a moment, or raise Verification Time under Settings > Requests.',
	);
}

/** Rule "what a place holds": an attribute that has one value takes another only where the plan removes the first. */
export function noRoom(
	person: Person,
	value: HeldValue,
	user: User,
	isTaken: (value: AccessValue) => boolean,
	{ profile }: Pick<AccessRules, 'profile'>,
): InputError | undefined {
	if (!holdsOneValue(user, value.attribute)) return undefined;
	const held = valuesOf(user, profile);
	if (findValues(held, value).length > 0) return undefined;
	const other = held.find((one) => one.attribute === value.attribute && !isTaken(one));
	if (other === undefined) return undefined;
	return new InputError(
		`${value.attribute} of ${nameOf(person)} has one value, which is "${other.value}"`,
		'Remove that value in the same item to replace it.',
	);
}

/** Rule "not told is not no": a membership or value that is not shown is removed only where its place is shown whole. */
export function hidden(
	one: Entitlement,
	{ id = '' }: Person,
	user: User | undefined,
	{ access, everyValue }: Partial<Pick<AccessRules, 'access' | 'everyValue'>>,
): InputError | undefined {
	if (!isValue(one)) {
		const told = access?.membership(id, one.groupId);
		return told?.told === 'nothing' ? hiddenMembers(one.groupId, told) : undefined;
	}
	const told = user && everyValue?.(user, one.attribute);
	return told?.told === 'nothing' ? hiddenValues(one, told) : undefined;
}

/** The members of a group are not all shown, so nobody can be removed from it. */
export function hiddenMembers(groupId: string, { why, advice = CHECK }: NotTold): InputError {
	return new InputError(
		`The members of group ${groupId} are unknown: ${why}`,
		`Nothing was removed. ${advice}`,
	);
}

function hiddenValues(
	{ attribute: path }: AccessValue,
	{ why, advice = CHECK }: NotTold,
): InputError {
	return new InputError(
		`What the user has in ${path} is unknown: ${why}`,
		`Nothing was removed. ${advice}`,
	);
}

/** The values of a user could not be read. */
export function unreadValue(person: Person, { attribute: path }: AccessValue): InputError {
	return new InputError(
		`The ${path} of ${nameOf(person)} could not be read`,
		'Nothing was sent for it. Check the user at the service, and run again.',
	);
}

/** Rule "what a place holds": a membership that the service does not take from an inactive person. */
export function fixedMembership({ id, key, userName }: Person, label: string): InputError {
	return new InputError(
		`${shown(userName ?? id ?? key)} is inactive and still ${label}, and this service does not remove inactive users from groups`,
		'Remove the membership at the service. Activating the user to remove it here lets that person in until the next run.',
	);
}

/** No group has this id. */
export function unknownGroup(groupId: string, { access }: Pick<AccessRules, 'access'>): InputError {
	const wanted = access.placeOf(groupId);
	const known = organizationsIn(access);
	if (wanted === undefined || known.length === 0) {
		return new InputError(
			`There is no group ${groupId}`,
			'Check the ID, or choose By Name in Group for a name.',
		);
	}
	const { organization, role } = wanted;
	return known.includes(organization)
		? new InputError(
				`Organization ${shown(organization)} has no role ${shown(role)}`,
				namesOf(known),
			)
		: unknownOrganization(organization, access);
}

/** No group stands for a role in the organization. */
export function unknownOrganization(organization: string, access: Access): InputError {
	return new InputError(
		`There is no organization ${shown(organization)}`,
		namesOf(organizationsIn(access)),
	);
}

/** Thousands of rows may name what is not there. */
const organizationsIn = cachedPerObject(({ groups, placeOf }: Access) => {
	const all = [...groups.values()].flatMap(({ id }) => placeOf(id)?.organization ?? []);
	return [...new Set(all)].sort();
});

function namesOf(organizations: readonly string[]): string {
	return `The account has: ${organizations.slice(0, MOST_NAMED).map(shown).join(', ') || 'none'}.`;
}

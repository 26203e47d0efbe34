import {
	attribute,
	compareUser,
	type MatchAttribute,
	matchingBy,
	type User,
	findValues,
	valueLabel,
	valuesOf,
} from '../../scim';
import { InputError, nameKey, shown } from '../../util';
import { membershipsOf, placeOfOrganization, type Membership } from '../facts';
import {
	accountOf,
	endingOf,
	gained,
	isGain,
	isValue,
	lost,
	nameOf,
	type AccountChange,
	type Entitlement,
	type EntitlementChange,
	type Person,
	existingUser,
	isProof,
	kindOf,
	type AccessRules,
	type Kind,
	externalIdIn,
} from '../changes';
import { nothingElseIn, otherAttributes, valuesBeyond, type HeldNow } from './preconditions';

/** Who is behind an ID or a user name of a plan now. */
export type PresentPerson =
	| { kind: 'found'; person: Person & { id: string }; user?: User }
	| { kind: 'absent' }
	| { kind: 'unknown'; error: unknown };

export interface PlanRules extends AccessRules {
	/** With the user of a person to be activated, where there is one. */
	present(who: Omit<Person, 'key'>): PresentPerson;
	/** Whether a user to be created who is there now, with all that was wanted, is taken to be the one. */
	takesEqual: boolean;
	/** How users are compared with the attributes that a plan gives them. */
	compare: typeof compareUser;
	/** By what people are known. */
	matchBy: MatchAttribute;
	/** Who has an external ID. */
	holderOf(key: string): PresentPerson;
	/** By key, why a change that is not approved is left out. */
	leftOut: ReadonlyMap<string, string>;
	/** Whether a group counts where a change rests on all that a person has. */
	counts(groupId: string): boolean;
}

export type PersonChange = AccountChange | EntitlementChange;

/** All that a plan says of one person, and who that is now. */
export interface PersonOfPlan {
	kind: PresentPerson['kind'];
	person: Person;
	user?: User;
	changes: PersonChange[];
	/** Why it is not known who the person is. */
	fault?: unknown;
}

export const TAKES: ReadonlySet<Kind> = new Set<Kind>(['revoked', 'deactivated', 'deleted']);

export function isOfAccess<C extends PersonChange>(
	change: C,
): change is Extract<C, { about: 'entitlement' }> {
	return change.about === 'entitlement';
}

export function isOfAccount<C extends PersonChange>(
	change: C,
): change is Extract<C, { about: 'account' }> {
	return change.about === 'account';
}

export function gives<C extends PersonChange>(
	change: C,
): change is Extract<C, { about: 'entitlement' }> {
	return isOfAccess(change) && gained(change).length > 0;
}

/** Tells whether a gain is of an undo that lets the person in: the account is then not opened for the gain. */
export function comesAlong(change: PersonChange): boolean {
	return gives(change) && change.restsOn.some(({ on }) => on === 'inactive');
}

/** Whether attributes of an existing user change, `active` included. */
export function isUpdate(change: PersonChange): change is AccountChange {
	return isOfAccount(change) && change.attributes !== undefined && change.before !== 'absent';
}

/** The first external ID that an update gives: where people are matched by it, no other update does. */
export function newKeyOf(change: PersonChange, by: MatchAttribute): string[] {
	if (by !== 'externalId' || !isUpdate(change)) return [];
	const key = attribute(change.attributes, 'externalId');
	return typeof key === 'string' ? [key] : [];
}

/** The user name that an update gives. */
export function newNameOf(change: PersonChange): string[] {
	const name = isUpdate(change) ? change.attributes?.userName : undefined;
	return typeof name === 'string' ? [name] : [];
}

/**
 * Rule "is this still that person": why nothing of a plan can be made for a person; undefined where all is as it was, or as
 * the plan makes it.
 */
export function faultOf(entry: PersonOfPlan, rules: PlanRules): InputError | undefined {
	const { kind, person, user, changes } = entry;
	const created = changes.filter(isOfAccount).find(({ before }) => before === 'absent');
	// A group may keep a member who is no user any more, and who cannot be activated or changed.
	const isGhost =
		user === undefined &&
		changes.some((change) => kindOf(change) === 'activated' || isUpdate(change));
	if (kind === 'absent' || isGhost) {
		if (person.id === undefined && created !== undefined) return undefined;
		if (changes.every((change) => TAKES.has(kindOf(change)))) return undefined;
		return stale(`${nameOf(person)} is no longer there, but was`);
	}
	if (created !== undefined && rules.ifExists === 'fail' && user !== undefined) {
		const wanted = { ...created.attributes, userName: created.person.userName };
		const isIt = rules.takesEqual
			? compareUser(wanted, user, rules.profile).different.length === 0
			: isProof(wanted, user, rules.profile);
		if (!isIt) return existingUser(user.userName, user);
	}
	const difference =
		nameDifference(entry, rules) ??
		identityDifference(entry, rules) ??
		accountDifference(entry) ??
		attributesDifference(entry, rules) ??
		valuesDifference(entry, rules) ??
		rolesDifference(entry, rules) ??
		accessDifference(entry, rules) ??
		keyDifference(entry, rules);
	return difference === undefined
		? (nameTaken(entry, rules) ?? keyTaken(entry, rules))
		: stale(difference);
}

/** Makes the error of what is not as planned. */
export function stale(difference: string): InputError {
	return new InputError(
		`${difference} when this was planned`,
		'Nothing was sent for this person. Make a new plan and get it approved.',
	);
}

function nameDifference(
	{ person, user, changes }: PersonOfPlan,
	{ access, profile }: PlanRules,
): string | undefined {
	const planned = changes.flatMap(({ person: { userName } }) => userName ?? []);
	const allowed = new Set([...planned, ...changes.flatMap(newNameOf)].map(nameKey));
	const isAllowed = (name: string) => allowed.has(nameKey(name));
	// Where people are known by their login, another client may have changed the user name that is shown, and a plan has that
	// name of those whose login no group has shown.
	const isShownName = profile.knowsPeopleByLogin && user !== undefined && isAllowed(user.userName);
	const shown = profile.knowsPeopleByLogin
		? access.names.get(person.id ?? '')
		: (user?.userName ?? person.userName);
	if (shown === undefined || planned.length === 0 || isShownName || isAllowed(shown))
		return undefined;
	return `The user with the ID ${person.id} is ${shown}, but was ${planned[0]}`;
}

/** By email or external ID the user is another person now, unless the plan has made it so. */
function identityDifference(
	{ person, user, changes }: PersonOfPlan,
	{ matchBy }: PlanRules,
): string | undefined {
	const { keyOf, fold, label } = matchingBy(matchBy);
	const rests = changes.flatMap(({ restsOn }) => restsOn);
	const planned = rests.flatMap((rest) => (rest.on === 'identity' ? rest.is : []));
	if (user === undefined || planned.length === 0) return undefined;
	const given = changes.filter(isOfAccount).map(({ attributes = {} }) => {
		return keyOf({ userName: '', attributes });
	});
	const now = keyOf(user);
	const allowed = [...planned, ...given.filter((key) => key !== '')];
	if (allowed.map(fold).includes(fold(now))) return undefined;
	return `${nameOf(person)} has the ${label} ${shown(now) || '(none)'}, and had ${shown(planned[0])}`;
}

/** The account is neither as it was nor as the plan makes it; people who gain access have to be active. */
function accountDifference({ person, user, changes }: PersonOfPlan): string | undefined {
	const now = accountOf(user);
	if (now !== 'active' && now !== 'inactive') return undefined;
	const accounts = changes.filter(isOfAccount);
	// Of people who are left inactive as they were, another client may have activated one.
	const rests = changes.flatMap((change) => (gives(change) ? [] : change.restsOn));
	if (now === 'active' && rests.some(({ on }) => on === 'inactive'))
		return `${nameOf(person)} is active, but was inactive`;
	// Unknown is not stale; that inactive users gain nothing is checked elsewhere.
	if (accounts.some(({ before }) => before === 'there' || before === 'unknown')) return undefined;
	// A user who is deleted is deactivated on the way.
	const known = accounts.flatMap(({ before, after }) =>
		after === 'absent' ? [before, 'inactive' as const] : [before, after],
	);
	const gainsAccess = changes.some((change) => gives(change) && isGain(change));
	const allowed = known.length > 0 ? known : gainsAccess ? ['active'] : [];
	const isTold = allowed.some((one) => one === 'active' || one === 'inactive');
	if (!isTold || allowed.includes(now)) return undefined;
	return `${nameOf(person)} is ${now}, but was ${now === 'active' ? 'inactive' : 'active'}`;
}

/** Somebody has changed attributes since, on whose values a change rests. */
function attributesDifference(
	{ person, user, changes }: PersonOfPlan,
	{ profile }: PlanRules,
): string | undefined {
	if (user === undefined) return undefined;
	const names = changes.flatMap((change) => otherAttributes(change, user, profile));
	return names.length === 0 ? undefined : `${nameOf(person)} has another ${names.join(', ')} than`;
}

/** Of people who are deactivated for having no access: any value. */
function valuesDifference(
	{ person, user, changes }: PersonOfPlan,
	rules: PlanRules,
): string | undefined {
	const rests = changes.flatMap(({ restsOn }) => restsOn);
	const rest = nothingElseIn(rests);
	if (rest === undefined || user === undefined || user.active === false) return undefined;
	const [value] = valuesBeyond(rest, user, rules.profile);
	return value && `${nameOf(person)} has ${value}, but did not have it`;
}

/** Roles other than before and after, where a person has one per organization. */
function rolesDifference({ person, changes }: PersonOfPlan, rules: PlanRules): string | undefined {
	for (const change of changes.filter(isOfAccess)) {
		const organization = organizationOf(change, rules);
		if (organization === undefined) continue;
		const now = heldAt(change, person, rules);
		const known = keysOf([...change.before, ...change.after]);
		const isMove = change.before.length > 0 && change.after.length > 0;
		const isNothing = now.length === 0 && isMove && knowsTaken(change, person, rules);
		const has = keysOf(now);
		// What a removal was to leave is not given back.
		const isLess =
			now.length > 0 &&
			gained(change).length === 0 &&
			change.after.some(({ key }) => !has.has(key));
		if (!isNothing && !isLess && now.every(({ key }) => known.has(key))) continue;
		return `${nameOf(person)} is ${rolesText(now)} in ${shown(organization)}, but was ${rolesText(change.before)}`;
	}
	return undefined;
}

/** The organization that a change is about, where people have one role there. */
export function organizationOf(
	{ before, after }: EntitlementChange,
	{ profile }: PlanRules,
): string | undefined {
	const [one] = [...after, ...before];
	return isValue(one) || !profile.oneRolePerOrganization ? undefined : one.organization;
}

/** Whether it is known that the person has what a change takes, or not. */
export function knowsTaken(
	change: EntitlementChange,
	{ id }: Person,
	{ access }: PlanRules,
): boolean {
	return lost(change).every(
		(one) =>
			isValue(one) || (id !== undefined && access.membership(id, one.groupId).told !== 'nothing'),
	);
}

/** What the person has now in the place of a change. */
export function heldAt(
	change: EntitlementChange,
	{ id = '' }: Person,
	rules: PlanRules,
): readonly Membership[] {
	const { access, ids } = rules;
	const held = access.held.get(id) ?? new Set();
	const organization = organizationOf(change, rules);
	const named = [...keysOf([...change.before, ...change.after])].filter((key) => held.has(key));
	if (organization === undefined) return named.map(access.membershipIn);
	const place = placeOfOrganization(organization, ids);
	// Of a group that no list shows only a user tells: it stands for itself, as in a diff.
	return [...held]
		.map(access.membershipIn)
		.filter(
			({ key, ...one }) =>
				named.includes(key) ||
				(access.groups.has(key) &&
					one.organization !== undefined &&
					placeOfOrganization(one.organization, ids) === place),
		);
}

export function keysOf(entitlements: readonly Entitlement[]): Set<string> {
	return new Set(entitlements.map(({ key }) => key));
}

function rolesText(entitlements: readonly Entitlement[]): string {
	const roles = entitlements.flatMap((one) => (isValue(one) ? [] : (one.role ?? [])));
	return roles.length === 0 ? 'without a role' : roles.join(' and ');
}

/** Of people all of whose access is decided: other groups than before. */
function accessDifference({ person, changes }: PersonOfPlan, rules: PlanRules): string | undefined {
	const { access, ids, label, counts } = rules;
	const rests = changes.flatMap(({ restsOn }) => restsOn);
	const before = rests.flatMap((rest) => (rest.on === 'access' ? [rest.groups] : [])).at(0);
	if (before === undefined) {
		const isUnsaid = rests.some(({ on }) => on === 'nothingElse');
		return isUnsaid ? `The plan does not say in which groups ${nameOf(person)} was` : undefined;
	}
	const { id = '' } = person;
	if (access.everyGroup(id).told !== 'all')
		return `The service no longer shows in which groups ${nameOf(person)} is`;
	const [had, all] = [new Set(before), membershipsOf(access, id)];
	const has = keysOf(all);
	const ofAccess = changes.filter(isOfAccess);
	const given = keysOf(ofAccess.flatMap(gained));
	const taken = keysOf(ofAccess.flatMap(lost));
	// What the plan takes is known: the list that told of the others may have been older.
	const isKnown = (key: string) => had.has(key) || given.has(key) || taken.has(key);
	const more = all.find(({ key, groupId }) => counts(groupId) && !isKnown(key));
	if (more !== undefined) return `${nameOf(person)} is ${label(more.groupId)}, but was not`;
	// A leaver with less access leaves, too.
	if (changes.some((change) => endingOf(change) !== undefined)) return undefined;
	const less = before.find((key) => !has.has(key) && !taken.has(ids.key(key)));
	return less === undefined
		? undefined
		: `${nameOf(person)} is not ${label(access.membershipIn(less).groupId)}, but was`;
}

/** A user who was to get a first external ID has another one. */
function keyDifference(
	{ person, user, changes }: PersonOfPlan,
	rules: PlanRules,
): string | undefined {
	const { keyOf } = matchingBy('externalId');
	const now = user === undefined ? '' : keyOf(user);
	const keys = changes.flatMap((change) => newKeyOf(change, rules.matchBy));
	return now === '' || keys.every((key) => key === now)
		? undefined
		: `${nameOf(person)} has the external ID ${now}, but had none`;
}

/** Another user has the user name that an update gives. */
function nameTaken({ person, changes }: PersonOfPlan, rules: PlanRules): InputError | undefined {
	for (const userName of changes.flatMap(newNameOf)) {
		const other = rules.present({ userName });
		if (other.kind !== 'found' || other.person.id === person.id) continue;
		return new InputError(
			`The user name ${shown(userName)} belongs to another user (ID ${other.person.id})`,
			'Nothing was sent for this person. Make a new plan and get it approved.',
		);
	}
	return undefined;
}

/** Another user has the external ID that an update writes. */
function keyTaken({ person, changes }: PersonOfPlan, rules: PlanRules): InputError | undefined {
	for (const key of changes.flatMap((change) => newKeyOf(change, rules.matchBy))) {
		const other = rules.holderOf(key);
		if (other.kind === 'absent') continue;
		if (other.kind === 'found' && other.person.id === person.id) continue;
		return new InputError(
			other.kind === 'found'
				? `The external ID ${key} belongs to another user (ID ${other.person.id})`
				: `Could not find out who has the external ID ${key}`,
			'Nothing was sent for this person. Make a new plan and get it approved.',
		);
	}
	return undefined;
}

/**
 * Rule "is this still that person", of two accounts: why the one that is to get the access of another may be another person's;
 * undefined where it shows that it is the same person's.
 */
export function strangerAt(
	from: HeldNow,
	to: HeldNow,
	rules: Pick<AccessRules, 'label' | 'profile'>,
): InputError | undefined {
	const [old, existing] = [from.user, to.user];
	const why = differentPerson(old, existing) ?? ownAccess(from, to, rules);
	if (why === undefined) return undefined;
	return new InputError(
		`The email ${shown(existing.userName)} belongs to another account (ID ${existing.id}) that may be somebody else's: ${why}`,
		'If it is the same person, give the new account its access with Assign and end the old one with Offboard. Otherwise enter another email. Nothing was changed.',
	);
}

function differentPerson(old: User, existing: User): string | undefined {
	const [name, otherName] = [old, existing].map(nameIn);
	const [id, otherId] = [old, existing].map(externalIdIn);
	const showName = name !== '' && otherName !== '';
	const showId = id !== '' && otherId !== '';
	if (showName && name !== otherName) return `its name is not that of ${shown(old.userName)}`;
	if (showId && id !== otherId) return `its external ID is not that of ${shown(old.userName)}`;
	return showName || showId
		? undefined
		: 'the two show neither a name nor an external ID to compare';
}

/**
 * What an account has that the old one has not: a run that was cut off has given it nothing else. An old account that is
 * inactive may have lost some by then, as long as the other one has all that is left.
 */
function ownAccess(
	old: HeldNow,
	existing: HeldNow,
	{ label, profile }: Pick<AccessRules, 'label' | 'profile'>,
): string | undefined {
	/** What one account lacks of another: the first group and the first value. */
	const lacks = (one: HeldNow, other: HeldNow) => ({
		group: [...other.groups].find(([key]) => !one.groups.has(key))?.[1],
		value: valuesOf(other.user, profile).find(
			(value) => findValues(valuesOf(one.user, profile), value).length === 0,
		),
	});
	const { userName } = old.user;
	const left = lacks(existing, old);
	const isInactive = old.user.active === false;
	if (isInactive && left.group === undefined && left.value === undefined) return undefined;
	const { group, value } = lacks(old, existing);
	if (group !== undefined) return `it is ${label(group)}, which ${shown(userName)} is not`;
	return value && `it has ${valueLabel(value)}, which ${shown(userName)} does not have`;
}

/** A user's name in one spelling; empty when none is shown. */
function nameIn({ attributes }: User): string {
	const name = attribute(attributes, 'name');
	const parts = ['givenName', 'middleName', 'familyName'].map((part) =>
		plain(attribute(name, part)),
	);
	return parts.some((part) => part !== '') ? parts.join('\n') : plain(attribute(name, 'formatted'));
}

function plain(value: unknown): string {
	return typeof value === 'string' ? nameKey(value.trim()) : '';
}

/**
 * Rule "is this still that person", right before a request leaves: another user name, unless the external ID says that
 * it is the same person, or another external ID.
 * @param before as shown when it was planned
 */
export function otherPersonNow(before: User, now: User): InputError | undefined {
	const [had, has] = [before, now].map(externalIdIn);
	const isUnsaid = before.userName === '' || now.userName === '';
	const isSameName = isUnsaid || nameKey(before.userName) === nameKey(now.userName);
	const isSameId = had === has || had === '' || has === '';
	if (isSameId && (isSameName || (had !== '' && had === has))) return undefined;
	const what = isSameName
		? `has the external ID ${has} now, and had ${had}`
		: `is ${shown(now.userName)} now`;
	return new InputError(
		`The user with the ID ${now.id}, which was ${shown(before.userName)}, ${what}, so the account was left alone`,
		'Someone else changed it in the meantime. Check the person, and run again.',
	);
}

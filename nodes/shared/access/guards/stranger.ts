import { attribute, findValues, valueLabel, valuesOf, type User } from '../../scim';
import { InputError, nameKey, shown } from '../../util';
import { externalIdIn, type AccessRules } from '../changes';
import type { HeldNow } from './preconditions';

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

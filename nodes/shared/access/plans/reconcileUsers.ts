import { failureOf, NO_ITEM } from '../../run';
import {
	mainEmail,
	withMainEmail,
	withWholeLists,
	type Attributes,
	type Matching,
	type ServiceProfile,
	type User,
	shownActivity,
} from '../../scim';
import { InputError, nameKey, shown } from '../../util';
import {
	activationWarnings,
	deactivates,
	deactivationWarnings,
	inactiveWarning,
	nameOf,
	otherOwner,
	ownerWarning,
	whoIs,
	withoutNulls,
	type Person,
	type Settled,
	type Wish,
} from '../changes';
import { userNameRefusal } from './planUsers';
import type { EndedRow } from './reconcileWishes';

/** A person as a row of a whole list of people describes them. */
export interface UserRow {
	item: number;
	/** What to call the row in messages. */
	row: string;
	userName?: string;
	/** The main email; null for none. */
	email?: string | null;
	/** All others; null for one that is to be cleared. */
	attributes: Attributes;
	warnings: string[];
}

export interface UserRules {
	matching: Matching;
	profile: ServiceProfile;
	reactivate: boolean;
	/** Why no user is deactivated, if so. */
	heldBack?: string;
}

/** What a row wants of an account that is there. */
export function wantedAttributes(row: UserRow, user: User, profile: ServiceProfile): Attributes {
	const { email, attributes } = row;
	const userName = row.userName ?? (profile.userNameCanChange ? newLogin(row, user) : undefined);
	// No answer shows a password, so that it would be set again with every run.
	const { active, ...others } = without(attributes, 'password');
	const emails = email === undefined ? undefined : withMainEmail(user.attributes, email);
	// Where a service does not say who is active, everybody is.
	const isActive = active === true && shownActivity(user) === 'not told';
	return {
		...withWholeLists(others, user.attributes),
		...(active !== undefined && !isActive && { active }),
		...(userName !== undefined && !profile.userNamesAreConverted && { userName }),
		...(emails && { emails }),
	};
}

/** The new email of an account whose user name is its main email, where a row gives it another one and no user name. */
export function newLogin(
	{ userName, email, attributes: { emails } }: UserRow,
	user: User,
): string | undefined {
	const [before, after] = [mainEmail(user.attributes), email ?? mainEmail({ emails })];
	if (userName !== undefined || before === '' || after === '') return undefined;
	const isLogin = nameKey(user.userName) === nameKey(before);
	return isLogin && nameKey(after) !== nameKey(before) ? after : undefined;
}

/** Says that a user name stays an email that the person has no more. */
function oldLoginWarning(row: UserRow, user: User, wanted: Attributes): string[] {
	if (wanted.userName !== undefined || newLogin(row, user) === undefined) return [];
	return [
		`The user name stays ${shown(user.userName)}, the email until now: this service does not change user names. Access: Change Email moves the person to a new account.`,
	];
}

/**
 * What a row wants of an account that is there, or why it cannot be.
 * @param wanted of `wantedAttributes`
 */
export function userRowWish(
	row: UserRow,
	user: User,
	wanted: Attributes,
	{ matching, profile, reactivate, heldBack }: UserRules,
): { wishes: Wish[]; settled: Settled[] } {
	const person = personOfUser(user);
	const isInactive = shownActivity(user) === 'inactive';
	const leaves = deactivates(wanted) && !isInactive;
	const comesBack = wanted.active === true && isInactive;
	const isHeld = leaves && heldBack !== undefined;
	const attributes = isHeld ? without(wanted, 'active') : wanted;
	const refused =
		userNameRefusal({ attributes: wanted, user, person }, profile) ??
		(comesBack && !reactivate ? inactive(user.userName) : undefined) ??
		(comesBack ? otherOwner(user, wanted) : undefined) ??
		onlyEmailLeft(row, wanted, user);
	if (refused !== undefined) {
		const outcome = failureOf(`update user ${shown(user.userName)}`, refused);
		const result = { who: whoIs(person), intent: 'updated' as const, source: row.row };
		return { wishes: [], settled: [{ item: row.item, subject: user.id, outcome, result }] };
	}
	const isLinked = matching.by === 'externalId' && matching.keyOf(user) === '';
	const why =
		isLinked && wanted.externalId !== undefined
			? 'a row has the user name, and the external ID is written (Link by User Name)'
			: leaves && !isHeld
				? 'a row says that the person is not active'
				: 'a row has other values';
	const warnings = [
		...row.warnings,
		...inactiveWarning(user, attributes),
		...ownerWarning(user, attributes),
		...oldLoginWarning(row, user, wanted),
		...(leaves && !isHeld ? deactivationWarnings(user, profile) : []),
		...(comesBack ? activationWarnings(profile) : []),
	];
	const wish = { item: row.item, person, user, attributes, warnings, why, hold: [], drop: [] };
	return {
		wishes: [{ ...wish, source: row.row }],
		settled: isHeld ? [stays(row.item, person, heldBack)] : [],
	};
}

/** What a new account has by a row. */
export function ofNewcomer({ email, attributes }: UserRow): Attributes {
	return withoutNulls({
		...withWholeLists(attributes),
		...(email && { emails: [{ value: email, primary: true }] }),
	});
}

/** What a row wants of a person who has no account. */
export function newcomerWish(row: UserRow, userName: string, { by }: Matching): Wish {
	const { item, warnings } = row;
	const person = { key: nameKey(userName), userName };
	const attributes = ofNewcomer(row);
	const why = 'a row names the person, who has no account';
	const matched = by === 'userName' ? {} : { matchBy: by };
	return {
		...{ item, person, source: row.row, hold: [], drop: [], why },
		newcomer: { item, userName, attributes, warnings, why, ...matched },
	};
}

/** A person who is not to be active has no account: nothing is created. */
export function noAccount({ item }: UserRow, userName: string): Settled {
	const person = { key: nameKey(userName), userName };
	const reason = 'there is no such user, and the row says that the person is not active';
	const outcome = {
		status: 'unchanged',
		action: `create user ${shown(userName)}`,
		reason,
	} as const;
	return { item, subject: person.key, outcome, result: { who: whoIs(person) } };
}

/**
 * What is wanted of people in no row: that they are inactive, unless there is a reason against it.
 * @param endedRow the row of a person that has ended
 */
export function absentWishes(
	users: readonly User[],
	reason?: string,
	endedRow: (user: User) => EndedRow | undefined = () => undefined,
): Wish[] {
	return users.map((user) => {
		const row = endedRow(user);
		const ended = row ?? { item: NO_ITEM, why: ABSENT };
		const heldBack = reason === ABSENT ? ended.why : reason;
		return {
			...{ person: personOfUser(user), user, hold: [], drop: [], ...ended },
			...{ account: 'inactive', unlisted: row === undefined },
			...(heldBack !== undefined && { dropsHeldBack: heldBack }),
		};
	});
}

/** Why people in no row are deactivated, or reported. */
export const ABSENT = 'no row names the person';

function personOfUser({ id, userName }: User): Person & { id: string } {
	return { key: id, id, userName };
}

function without(attributes: Attributes, left: string): Attributes {
	return Object.fromEntries(Object.entries(attributes).filter(([name]) => name !== left));
}

/** A person who is not deactivated, and why. */
function stays(item: number, person: Person, reason: string): Settled {
	const action = `deactivate user ${nameOf(person)}`;
	return {
		...{ item, subject: person.key, outcome: { status: 'skipped', action, reason } },
		result: { who: whoIs(person), intent: 'deactivated' },
	};
}

/** Who has no main email keeps none, or several: the only one would be the main one in the next run. */
function onlyEmailLeft({ email }: UserRow, { emails }: Attributes, { userName }: User) {
	const left = email === null ? mainEmail({ emails }) : '';
	return left === ''
		? undefined
		: new InputError(
				`Without the main email ${shown(userName)} has ${left} alone, which would be the main one`,
				'Give all emails as emails instead of email: a list, or null.',
			);
}

function inactive(userName: string): InputError {
	return new InputError(
		`${shown(userName)} is inactive, and Reactivate is off: nothing was changed`,
		'To activate the user, turn on Reactivate under Options.',
	);
}

import { failureOf, NO_ITEM, type Part } from '../run';
import {
	compareWholeLists,
	mainEmail,
	namesOfUnmatched,
	withMainEmail,
	type Attributes,
	type KnowsAttribute,
	type Matching,
	type ServiceProfile,
	type Unmatched,
	type User,
	type UserIndex,
} from '../scim';
import { InputError, nameKey, messageOf } from '../util';
import { deactivates, nameOf, type Member } from './change';
import { findClashes } from './contradictions';
import { protectedPerson } from './diff';
import { whyNotFound, type Found } from './found';
import {
	activationWarnings,
	deactivationWarnings,
	planActive,
	planUpdate,
	planUsers,
	userNameRefusal,
	withoutNulls,
} from './planUsers';
import { whoIs, type Intent, type Settled } from './result';
import type { Diff } from './wish';

/** Somebody as a row of a whole list of people describes them. */
export interface UserRow {
	item: number;
	/** What to call the row in messages. */
	row: string;
	/** The ID of the account; then all else is wanted of it, the key as well. */
	userId?: string;
	userName?: string;
	/** The main email; null for none. */
	email?: string | null;
	/** All others; null for one that is to be cleared. */
	attributes: Attributes;
	warnings: string[];
}

/** A row, and the account that it means. */
export interface MatchedRow {
	row: UserRow;
	user: User;
	/** What the row wants of the account. */
	wanted: Attributes;
	/** Whether the account has no external ID, and gets that of the row. */
	links: boolean;
}

/** Rows by what they mean. */
export interface MatchedRows {
	known: MatchedRow[];
	/** Rows about somebody whom there is not. */
	fresh: Array<{ row: UserRow; userName: string }>;
	unusable: Array<{ row: UserRow; error: unknown }>;
}

export interface MatchRules {
	matching: Matching;
	profile: ServiceProfile;
	/** Whether an account with the user name and without external ID may be taken. */
	links: boolean;
	/** Why there may be more accounts than were seen, if so. */
	incomplete?: string;
	/** What filters have found by user names that no account of the list has. */
	renamed?: ReadonlyMap<string, Found>;
}

/** The key of a row; empty where it has none. An email stands for a user name that is not given. */
export function keyOfRow({ userName, email, attributes }: UserRow, { keyOf }: Matching): string {
	return keyOf({
		userName: userName ?? email ?? '',
		attributes: { ...attributes, ...(email !== undefined && { emails: email }) },
	});
}

/**
 * The account of each row. Exactly one must have the key, or nobody, nor anything else of the person. Two rows about the
 * same person cannot be used. Linear in rows and users.
 */
export function matchRows(
	rows: readonly UserRow[],
	index: UserIndex,
	rules: MatchRules,
): MatchedRows {
	const made: MatchedRows = { known: [], fresh: [], unusable: [] };
	const taken = namesOfUnmatched(index);
	const meant = rows.map((row) => {
		try {
			return { row, account: accountOf(row, index, taken, rules) };
		} catch (error) {
			return { row, error };
		}
	});
	const clashes = clashingRows(meant, rules.matching);
	for (const one of meant) {
		const { row, account } = one;
		const clash = keysOf(one, rules.matching).find((key) => clashes.has(key));
		if (clash !== undefined) made.unusable.push({ row, error: clashes.get(clash) });
		else if (account === undefined) made.unusable.push({ row, error: one.error });
		else if (account.user === undefined) {
			made.fresh.push({ row, userName: account.userName });
		} else {
			const { user, links } = account;
			made.known.push({ row, user, links, wanted: wantedOf(row, user, rules.profile) });
		}
	}
	return made;
}

type Account = { user: User; links: boolean } | { user?: undefined; userName: string };

interface Meant {
	row: UserRow;
	account?: Account;
	error?: unknown;
}

/** Rows that mean the same person, by key, by account or by the user name that they give. */
function clashingRows(meant: readonly Meant[], matching: Matching): Map<string, InputError> {
	return findClashes(
		meant,
		(one) => keysOf(one, matching),
		() => true,
		({ row: first }, { row: other }) =>
			new InputError(
				`Rows ${first.row} and ${other.row} are about the same user (${keyOfRow(other, matching) || other.userId})`,
				'Keep one of them. Neither was applied.',
			),
	);
}

function keysOf({ row, account }: Meant, matching: Matching): string[] {
	const userName = row.userName ?? (account?.user ? undefined : row.email);
	const key = keyOfRow(row, matching);
	return [
		...(key === '' ? [] : [`key\n${matching.fold(key)}`]),
		...(account?.user ? [`id\n${account.user.id}`] : []),
		...(userName ? [`name\n${nameKey(userName)}`] : []),
	];
}

/** @throws InputError where the account cannot be told, and where a new one would be a twin */
function accountOf(
	row: UserRow,
	index: UserIndex,
	taken: ReadonlyMap<string, User>,
	{ matching, links, incomplete, renamed }: MatchRules,
): Account {
	const key = keyOfRow(row, matching);
	if (row.userId !== undefined) {
		return { user: accountWithId(row.userId, row, index, { matching, incomplete }), links: false };
	}
	const found = index.withKey(key);
	if (found.length > 1) throw several(key, found, matching);
	const [user] = found;
	if (incomplete !== undefined && (user === undefined || matching.by !== 'userName')) {
		throw notFoundOut(matching, key, `the list of users is incomplete: ${incomplete}`);
	}
	const userName = row.userName ?? row.email ?? '';
	const named = index.named(userName);
	const other = renamed?.get(userName);
	if (other?.kind === 'found') return { user: other.user, links: false };
	if (other?.kind === 'unknown') throw notFoundOut(matching, key, messageOf(other.error));
	if (user !== undefined) {
		const other = row.userName === undefined ? undefined : named.find(({ id }) => id !== user.id);
		if (other !== undefined) throw nameTaken(userName, other);
		return { user, links: false };
	}
	if (userName === '') {
		throw new InputError(
			`No user has the ${matching.label} ${key}, and the row has no user name for a new one`,
			'Enter userName or email.',
		);
	}
	const [holder] = named;
	if (named.length === 1 && matching.by === 'externalId' && matching.keyOf(holder) === '') {
		if (links) return { user: holder, links: true };
		throw new InputError(
			`User ${userName} (ID ${holder.id}) has no external ID, and Link by User Name is off`,
			`Turn it on under Options to write ${key} to this user.`,
		);
	}
	if (holder !== undefined) throw whyNotFound({ kind: 'taken', users: named }, key, matching);
	const names = [userName, row.email ?? '', key].map(nameKey);
	const twin = names.flatMap((name) => taken.get(name) ?? []).at(0);
	if (twin !== undefined) throw twinOf(twin, userName, matching);
	return { userName };
}

/** @throws InputError where no user has the ID, and where the key or the user name of the row belongs to another one */
function accountWithId(
	userId: string,
	row: UserRow,
	index: UserIndex,
	{ matching, incomplete }: Pick<MatchRules, 'matching' | 'incomplete'>,
): User {
	const user = index.withId(userId);
	if (user === undefined) {
		throw new InputError(
			`No user has the ID ${userId}${incomplete === undefined ? '' : `, and the list of users is incomplete: ${incomplete}`}`,
			'Check the ID. If the user was just created, run again in a moment.',
		);
	}
	const key = keyOfRow(row, matching);
	const isOther = ({ id }: User) => id !== userId;
	const { userName = user.userName } = row;
	const holders = index.withKey(key);
	const other = holders.every(isOther) ? holders.at(0) : undefined;
	const holder = userName === user.userName ? undefined : index.named(userName).find(isOther);
	const otherUser = other ?? holder;
	if (otherUser === undefined) return user;
	throw new InputError(
		`${userId} is ${user.userName}, and ${other ? key : userName} is ${otherUser.userName} (ID ${otherUser.id})`,
		'Correct the row: all its keys must name one person. Nothing was sent for it.',
	);
}

function notFoundOut({ label }: Matching, key: string, why: string): InputError {
	return new InputError(
		`Could not find out who has the ${label} ${key}: ${why}`,
		'The service does not show all users. Nothing was sent for this row.',
	);
}

function several(key: string, users: readonly User[], matching: Matching): unknown {
	return whyNotFound({ kind: 'ambiguous', ids: users.map(({ id }) => id) }, key, matching);
}

/** Another user has the name that somebody is to get. */
export function nameTaken(userName: string, { id }: User): InputError {
	return new InputError(
		`The user name ${userName} belongs to another user (ID ${id})`,
		'Correct the user name, or that user at the service. Nothing was sent for this person.',
	);
}

function twinOf({ id, userName }: User, name: string, { label }: Matching): InputError {
	return new InputError(
		`${name} would be a second account beside ${userName} (ID ${id}), which has the same name or email and which no ${label} identifies`,
		`Set a separate ${label} for that user at the service. Nothing was sent for this row.`,
	);
}

/** What the row wants of an account that is there. */
function wantedOf(
	{ userName, email, attributes }: UserRow,
	user: User,
	{ userNamesAreConverted }: ServiceProfile,
): Attributes {
	// No answer shows a password, so that it would be set again with every run.
	const { active, ...others } = without(attributes, 'password');
	const emails = email === undefined ? undefined : withMainEmail(user.attributes, email);
	// Where a service does not say who is active, everybody is.
	const isActive = active === true && user.active === undefined;
	return {
		...others,
		...(active !== undefined && !isActive && { active }),
		...(userName !== undefined && !userNamesAreConverted && { userName }),
		...(emails && { emails }),
	};
}

export interface UserRules {
	matching: Matching;
	profile: ServiceProfile;
	knows: KnowsAttribute;
	reactivate: boolean;
	isProtected(person: Member): boolean;
	/** Why nobody is deactivated, if so. */
	heldBack?: string;
}

/** What makes the accounts of rows as the rows say: one change for each that differs, or is not there. */
export function planRows({ known, fresh }: MatchedRows, rules: UserRules): Diff {
	const made: Diff = { changes: [], settled: [], warnings: [] };
	for (const one of known) {
		const { changes, settled } = planKnown(one, rules);
		made.changes.push(...changes);
		made.settled.push(...settled);
	}
	for (const { row, userName } of fresh) {
		const { changes, settled } = planFresh(row, userName, rules);
		made.changes.push(...changes);
		made.settled.push(...settled);
	}
	return made;
}

function planKnown({ row, user, wanted, links }: MatchedRow, rules: UserRules): Diff {
	const { matching, profile, knows, reactivate, heldBack } = rules;
	const person = memberOf(user);
	const parts = [{ item: row.item, subject: user.id }];
	const isInactive = user.active === false;
	const leaves = deactivates(wanted) && !isInactive;
	const comesBack = wanted.active === true && isInactive;
	const { by: matchBy } = matching;
	const made: Diff = { changes: [], settled: [], warnings: [] };
	const isHeld = leaves && heldBack !== undefined;
	const attributes = isHeld ? without(wanted, 'active') : wanted;
	planUpdate(
		{ ...{ userName: user.userName, user, attributes, parts }, warnings: row.warnings, matchBy },
		made,
		profile,
		knows,
		compareWholeLists,
	);
	const refused =
		userNameRefusal({ attributes: wanted, current: user, person, label: user.userName }, profile) ??
		(comesBack && !reactivate ? inactive(user.userName) : undefined) ??
		onlyEmailLeft(row, wanted, user) ??
		(made.changes.length > 0 && rules.isProtected(person)
			? protectedPerson(user.userName)
			: undefined);
	if (refused !== undefined) {
		const outcome = failureOf(`update user ${user.userName}`, refused);
		const result = { who: whoIs(person), intent: 'updated' as const, source: row.row };
		return { ...made, changes: [], settled: parts.map((part) => ({ ...part, outcome, result })) };
	}
	const warnings = [
		...(leaves && !isHeld ? deactivationWarnings(user, profile) : []),
		...(comesBack ? activationWarnings(profile) : []),
	];
	const why = links
		? 'a row has the user name, and the external ID is written (Link by User Name)'
		: leaves && !isHeld
			? 'a row says that the person is not active'
			: 'a row has other values';
	return {
		...made,
		changes: made.changes.map((change) => ({
			...change,
			why,
			warnings: [...change.warnings, ...warnings],
		})),
		settled: [...made.settled, ...(isHeld ? [skipped(row, person, heldBack ?? '')] : [])],
	};
}

function planFresh(row: UserRow, userName: string, rules: UserRules): Diff {
	const { item, email, warnings } = row;
	const person = { key: nameKey(userName), userName };
	const part: Part = { item, subject: person.key };
	const settled = (outcome: Settled['outcome'], source?: string): Diff => ({
		changes: [],
		settled: [
			{ ...part, outcome, result: { who: whoIs(person), ...(source !== undefined && { source }) } },
		],
		warnings: [],
	});
	const action = `create user ${userName}`;
	if (deactivates(row.attributes)) {
		const reason = 'there is no such user, and the row says that the person is not active';
		return settled({ status: 'unchanged', action, reason });
	}
	if (rules.isProtected(person))
		return settled(failureOf(action, protectedPerson(userName)), row.row);
	const attributes = withoutNulls({
		...row.attributes,
		...(email && { emails: [{ value: email, primary: true }] }),
	});
	const { by } = rules.matching;
	const matched = by === 'userName' ? {} : { matchBy: by };
	const newcomer = { item, userName, attributes, warnings, ...matched };
	const made = planUsers([newcomer], 'fail', undefined, rules.profile);
	const why = 'a row names the person, who has no account';
	return { ...made, changes: made.changes.map((change) => ({ ...change, why })) };
}

/** What happens to people whom no row names. */
export interface Absent {
	/** Whether they are deactivated, or only reported. */
	deactivates: boolean;
	includes(user: User): boolean;
}

/** The active people in scope whom no row means, without those who are protected or whom no key identifies. */
export function planAbsent(
	users: readonly User[],
	{ known }: Pick<MatchedRows, 'known'>,
	unmatched: readonly Unmatched[],
	absent: Absent,
	{ profile, isProtected, heldBack }: UserRules,
): Diff {
	const meant = new Set([...known, ...unmatched].map(({ user }) => user.id));
	const leaving = users.filter(
		(user) =>
			!meant.has(user.id) &&
			user.active !== false &&
			absent.includes(user) &&
			!isProtected(memberOf(user)),
	);
	const why = 'no row names the person';
	if (!absent.deactivates || heldBack !== undefined) {
		const settled = leaving.map((user) =>
			skipped({ item: NO_ITEM }, memberOf(user), absent.deactivates ? (heldBack ?? why) : why),
		);
		return { changes: [], settled, warnings: [] };
	}
	const made = planActive(
		leaving.map((user) => ({
			...{ item: NO_ITEM, label: user.userName, person: memberOf(user), current: user },
			...{ attributes: {}, warnings: [] },
		})),
		false,
		profile,
	);
	return { ...made, changes: made.changes.map((change) => ({ ...change, why })) };
}

function memberOf({ id, userName }: User): Member & { id: string } {
	return { key: id, id, userName };
}

function without(attributes: Attributes, left: string): Attributes {
	return Object.fromEntries(Object.entries(attributes).filter(([name]) => name !== left));
}

/** Somebody who is not deactivated, and why. */
function skipped({ item }: Pick<UserRow, 'item'>, person: Member, reason: string): Settled {
	const action = `deactivate user ${nameOf(person)}`;
	const intent: Intent = 'deactivated';
	return {
		...{ item, subject: person.key, outcome: { status: 'skipped', action, reason } },
		result: { who: whoIs(person), intent },
	};
}

/** Whoever has no main email keeps none, or several: the only one would be the main one in the next run. */
function onlyEmailLeft({ email }: UserRow, { emails }: Attributes, { userName }: User) {
	const left = email === null ? mainEmail({ emails }) : '';
	return left === ''
		? undefined
		: new InputError(
				`Without the main email ${userName} has ${left} alone, which would be the main one`,
				'Give all emails as emails instead of email: a list, or null.',
			);
}

function inactive(userName: string): InputError {
	return new InputError(
		`${userName} is inactive, and Reactivate is off: nothing was changed`,
		'To activate the user, turn on Reactivate under Options.',
	);
}

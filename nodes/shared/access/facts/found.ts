import { type Attempt, InputError, looksLikeEmail, shown } from '../../util';
import { hasStatus, RequestError } from '../../http';
import { type Facts, type Matching, matchingBy, type User } from '../../scim';

/**
 * What is known of a person by user name, email or external ID. `taken`: no user, but another one has the user name that
 * the person is to have. `foreign`: a user of another account, who cannot be changed. `unknown`: the service
 * could not be asked, or showed only a part of its users; that is never taken for absence. `names`: whoever has one of
 * them as user name or among the emails may be the person (`besideNobody`).
 */
export type Found =
	| { kind: 'found'; user: User }
	/** `isUnsure`: the service shows nobody at all. That lets a create go, which it refuses where there is a user, and ends nobody. */
	| { kind: 'absent'; isUnsure?: true; names?: readonly string[] }
	| { kind: 'taken'; users: readonly User[] }
	| { kind: 'foreign' }
	| { kind: 'ambiguous'; ids: string[] }
	| { kind: 'unknown'; error: unknown };

/** How a person is looked for by email or external ID. */
export interface KeyLookup {
	key: string;
	/** The user name for a new user. */
	newName?: string;
	/** The emails that a new user is to have. */
	emails?: readonly string[];
}

const BY_NAME = matchingBy('userName');

export function unknown(error: unknown): Found {
	return { kind: 'unknown', error };
}

/** Whether a GET by ID showed no user; that alone does not say that the user is gone. */
export function isNotFound(read: Attempt<unknown> | undefined): boolean {
	return read?.ok === false && hasStatus(read.error, 404, 410);
}

/**
 * The user with that key. Of user names the exact match, else the only one in another case; two that differ only in case
 * are refused, and so are any two with one email or external ID.
 */
export function pickUser(same: readonly User[], key: string, matching: Matching): Found {
	const { by, keyOf, fold } = matching;
	// Filters were seen that answer with one user twice.
	const distinct = [...new Map(same.map((user) => [user.id, user])).values()];
	const own = distinct.filter((user) => fold(keyOf(user)) === fold(key));
	const exact = by === 'userName' ? own.filter((user) => user.userName === key) : [];
	const candidates = exact.length > 0 ? exact : own;
	if (candidates.length === 0) return { kind: 'absent' };
	return candidates.length === 1
		? { kind: 'found', user: candidates[0] }
		: { kind: 'ambiguous', ids: candidates.map(({ id }) => id) };
}

/**
 * Rule of evidence, "is this person": who has the wanted email among others, or the wanted user name, in anything that was read,
 * may be the person. So no second account is made beside, and nobody counts as gone; except where another row is about that one.
 * @param isNamed whether another row of the same list is about a user
 */
export function besideNobody<F extends Found | undefined>(
	found: F,
	key: string,
	matching: Matching,
	facts: Facts,
	isNamed: (user: User) => boolean,
): F | Found {
	if (found?.kind !== 'absent') return found;
	const open = facts.sharing(found.names ?? []).filter((user) => !isNamed(user));
	return open.length === 0 ? found : unknown(candidates(open, key, matching));
}

/** IDs of those who were found. */
export function idsFound(found: ReadonlyMap<string, Found>): string[] {
	return [...found.values()].flatMap((one) => (one.kind === 'found' ? one.user.id : []));
}

function candidates(users: readonly User[], key: string, { label, by }: Matching): InputError {
	const ways = by === 'externalId' ? '' : ', or match by External ID';
	const main = by === 'email' ? ' as the main one' : '';
	return new InputError(
		`No user has the ${label} ${shown(key)}${main}, and ${namedUsers(users)} may be the one: the user name or an email is the same`,
		`If it is the same person, enter the ID${ways}. Otherwise correct the email or the user name, here or at the service. Nothing was sent for this person.`,
	);
}

export function namedUsers(users: ReadonlyArray<{ id: string; userName?: string }>): string {
	return users
		.map(({ id, userName }) =>
			userName === undefined ? `the user with ID ${id}` : `${shown(userName)} (ID ${id})`,
		)
		.join(' or ');
}

export function incompleteAccess(what: 'groups' | 'users', why: string): RequestError {
	return new RequestError(
		`The list of ${what} is incomplete: ${why}`,
		`Without all ${what} access is unknown. Check the service.`,
		{ kind: 'incomplete', method: 'GET', mayHaveWorked: false },
	);
}

/**
 * The user, or the reason why there is none to work on.
 * @throws what `whyNotFound` gives
 */
export function foundUser(found: Found | undefined, key: string, matching = BY_NAME): User {
	if (found?.kind === 'found') return found.user;
	throw whyNotFound(found, key, matching);
}

/**
 * Why there is no user to work on: an InputError when more than one has the key, or another one the user name; an
 * AbsentError when no user of this account has it, what went wrong when that could not be found out.
 */
export function whyNotFound(
	found: Exclude<Found, { kind: 'found' }> | undefined,
	key: string,
	matching = BY_NAME,
): unknown {
	const { label } = matching;
	switch (found?.kind) {
		case 'ambiguous':
			return new InputError(
				`More than one user has the ${label} ${shown(key)} (IDs ${found.ids.join(', ')})`,
				matching.by === 'userName'
					? 'Enter the ID of the right user.'
					: `Enter the ID of the user, or correct the ${label} at the service.`,
			);
		case 'taken':
			return takenName(found.users, key, matching);
		case 'unknown':
			return found.error;
		case 'foreign':
			return new AbsentError(
				`${shown(key)} belongs to another account`,
				'This credential has no access to that user, and nothing was sent. Ask the service to release the email, or use another one.',
			);
		default:
			if (found?.isUnsure === true) return nobodyShown(key, matching);
			return new UnknownKeyError(
				`No user has the ${label} ${shown(key)}`,
				matching.by === 'userName' && looksLikeEmail(key)
					? `${CHECK_SPELLING} If user names are not emails here, set Match Users By to Email.`
					: CHECK_SPELLING,
			);
	}
}

const CHECK_SPELLING = 'Check the spelling. If the user was just created, run again in a moment.';

/** A token without rights to users is shown as much as one of a service that has none. */
export function nobodyShown(key: string, { label }: Matching): InputError {
	return new InputError(
		`Could not find out who has the ${label} ${shown(key)}: the service shows nobody at all, neither in its list nor by filter`,
		'Check the rights of the token. Nothing was sent for this person.',
	);
}

/** Text with an @ that is no address may be that of a person who is there, mistyped. */
export function mistypedKey(key: string, { label }: Matching): InputError {
	return new InputError(
		`No user has the ${label} ${shown(key)}, and it is not an email address`,
		'Correct it at the source: one address, such as name@email.com, without mailto:, quotes, brackets, or anything after it. Nothing was sent for it.',
	);
}

/** Another key decides, and who has the name or an email of the person may be the one: no second account is made beside. */
export function candidate({ id, userName }: User, key: string, label: string): InputError {
	return new InputError(
		`No user has the ${label} ${shown(key)} alone, and ${shown(userName)} (ID ${id}) may be the one: the user name or an email is the same`,
		`If this is the same person, correct the ${label} at the service or here, or give the ID.`,
	);
}

/** A filter finds a user who does not show the key: neither the person for sure, nor a sign that there is none. */
export function otherUser({ id, userName }: User, key: string, { label }: Matching): InputError {
	return new InputError(
		`The service finds ${shown(userName)} (ID ${id}) by the ${label} ${shown(key)}, which that user does not show`,
		`If this is the same person, whose ${label} was changed at the service, enter the ID. Nothing was sent for this person.`,
	);
}

/** No user has the key, and another user has the name for the new one: that may be the same person. */
function takenName(users: readonly User[], key: string, { keyOf, label, by }: Matching) {
	const [{ userName }] = users;
	const theirs = keyOf(users[0]);
	const others = theirs === '' ? `has no ${label}` : `has the ${label} ${shown(theirs)}`;
	const ids = users.map(({ id }) => `ID ${id}`).join(', ');
	const canLink = by === 'externalId' && theirs === '' && users.length === 1;
	const link = canLink ? ', which Link by User Name can link' : '';
	return new InputError(
		`No user has the ${label} ${shown(key)}, and the user name ${shown(userName)} is taken by a user who ${others} (${ids})${link}`,
		canLink
			? 'If this is the same person, turn on Link by User Name under Options of User: Create or Update or User: Reconcile.'
			: `Correct the ${label} or the user name, here or at the service.`,
	);
}

/**
 * The user behind an id, or the reason why there is none to work on.
 * @throws AbsentError when no user has the id; what went wrong when it could not be found out
 */
export function userOf(read: Attempt<User | undefined> | undefined, id: string): User {
	if (read?.ok && read.value !== undefined) return read.value;
	if (read?.ok === false && !isNotFound(read)) throw read.error;
	throw absentUser(id);
}

function absentUser(id: string): AbsentError {
	return new AbsentError(
		`No user has the ID ${shown(id)}`,
		'Check the ID, or choose By Email in User for an email. If the user was just created, run again in a moment.',
	);
}

/** What the run knows of an account: as it was read last, or why it could not be; undefined where it was not asked for. */
export function accountIn(facts: Facts, id: string): Attempt<User> | undefined {
	const user = facts.lastRead(id);
	if (user !== undefined) return { ok: true, value: user };
	const read = facts.user(id);
	if (read?.ok === false && !isNotFound(read)) return read;
	return read && { ok: false, error: absentUser(id) };
}

/** No user of this account has the name or ID: the service was asked, and said so. */
export class AbsentError extends InputError {}

/** No user at all has the user name, email or external ID, so that a user could be created with it. */
export class UnknownKeyError extends AbsentError {}

export function incompleteList(key: string, { label }: Matching, why: string): InputError {
	return new InputError(
		`Could not find out who has the ${label} ${shown(key)}: the list of users is incomplete`,
		`The service does not show all users (${why}). Enter the ID of the user instead.`,
	);
}

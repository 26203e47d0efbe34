import {
	matchingBy,
	type User,
	type Activity,
	type Attributes,
	type ServiceProfile,
} from '../../scim';
import { InputError, nameKey, wildcard, type Attempt } from '../../util';
import {
	type Person,
	accountShown,
	nameOf,
	type AccessRules,
	type Wish,
	existingUser,
	isMadeBefore,
	type AccountChange,
} from '../changes';

/**
 * Whether a person must not be touched: matched by ID, by user name and by every email.
 * @param userSeen what is known of a user by ID
 */
export function protection(
	patterns: readonly string[],
	userSeen: (id: string) => User | undefined,
): (person: Person) => boolean {
	// The IDs of all members of a group may be among them.
	const isPattern = (entry: string) => entry.includes('*');
	const exact = new Set(patterns.filter((entry) => !isPattern(entry)).map(nameKey));
	const tests = patterns.filter(isPattern).map(wildcard);
	if (patterns.length === 0) return () => false;
	return ({ id, userName }) => {
		const user = id === undefined ? undefined : userSeen(id);
		const emails = user === undefined ? [] : matchingBy('email').keysOf(user);
		return [id, userName, user?.userName, ...emails].some(
			(text) =>
				text !== undefined && (exact.has(nameKey(text)) || tests.some((matches) => matches(text))),
		);
	};
}

/** What has to be known of all before it can be told who is protected. */
export interface ProtectsBy {
	names: boolean;
	ids: boolean;
	emails: boolean;
}

/** A text without `@` may be an ID as well as a user name; one with it is a user name or an email, and so may be a pattern. */
export function protectsBy(patterns: readonly string[]): ProtectsBy {
	return {
		names: patterns.length > 0,
		ids: patterns.some((pattern) => !pattern.includes('@')),
		emails: patterns.some((pattern) => /[@*]/.test(pattern)),
	};
}

/** The person is one of Protected Users, or in a group of Protect Members Of. */
export function protectedPerson(who: string): InputError {
	return new InputError(
		`${who} is protected: nothing was changed`,
		'If this is intended, change Protected Users or Protect Members Of under Safety Limits.',
	);
}

/**
 * When a change is judged: while a plan is made, when an approved plan is applied, and before its request leaves (late, or
 * once more).
 */
export type Moment = 'plan' | 'apply' | 'send';

/** A person is inactive, and is not to be activated. */
export class InactiveError extends InputError {}

/**
 * What an account that no read has shown comes to: a plan reads it before anything is sent (`decide`), and before a request
 * leaves it was read and is not there.
 */
const UNREAD: Readonly<Record<Moment, 'is read' | 'is gone'>> = {
	plan: 'is read',
	apply: 'is read',
	send: 'is gone',
};

/**
 * Rule "inactive gains nothing", at every moment.
 * @param read the account as last read; undefined without a read
 * @returns why the person may be given nothing; undefined for an account that is active
 */
export function whyNoGain(
	person: Person,
	read: Attempt<User | undefined> | undefined,
	activityOf: (user: User) => Activity,
	moment: Moment,
): unknown {
	if (read?.ok === false) return read.error;
	const user = read?.value;
	if (user === undefined)
		return UNREAD[moment] === 'is gone' ? isOtherNow(person, 'gone') : undefined;
	const activity = activityOf(user);
	if (activity === 'active') return undefined;
	if (activity === 'not told') return untoldActivity(nameOf(person));
	return moment === 'send' ? isOtherNow(person, activity) : inactivePerson(nameOf(person));
}

/** The person has changed since the plan. */
export function isOtherNow(person: Person, now: string): InputError {
	return new InputError(
		`${nameOf(person)} is ${now} now, so no access was given`,
		'Someone else changed it in the meantime. Check the person, and run again.',
	);
}

function inactivePerson(who: string): InactiveError {
	return new InactiveError(
		`${who} is inactive, and Reactivate is off: no access was given`,
		'Turn on Reactivate under Options, or activate the user first.',
	);
}

/** The service shows other users active, this one neither active nor inactive. */
function untoldActivity(who: string): InputError {
	return new InputError(
		`The service does not say whether ${who} is active, and says it of others`,
		'Nothing was given. Check the user at the service; with Reactivate it is activated first.',
	);
}

/** Whether a person is known to be active; an account that was not read counts as active until it is. */
export function activityShown(
	wish: Pick<Wish, 'person' | 'user'>,
	rules: Pick<AccessRules, 'account' | 'activity'>,
): Activity {
	const user = accountShown(wish, rules);
	return user === undefined ? 'active' : activityIn(rules)(user);
}

/** Judges whether a user is active by all that the run has shown, and without that by the user alone. */
export function activityIn({ activity }: Pick<AccessRules, 'activity'>): (user: User) => Activity {
	return activity ?? ((user) => (user.active === false ? 'inactive' : 'active'));
}

/** What a create comes to whose user is there already. */
type Resolution =
	/** An earlier try of the same create has made the user. */
	| { is: 'ours' }
	/** The user is taken for the person; `activate` first. */
	| { is: 'taken'; activate: boolean }
	/** Create or Update: the user gets what differs. */
	| { is: 'updated' }
	| { is: 'exists'; error: InputError }
	| { is: 'refused'; error: unknown };

interface ConflictRules {
	profile: ServiceProfile;
	isProtected(person: Person): boolean;
	activityOf(user: User): Activity;
	/** Whether the user was there before any try of this run. */
	wasThere(user: User): boolean;
}

/**
 * Rule "who is there already": as the operation was asked to go on, a protected user is not taken, nor an inactive one unless
 * it is to be activated.
 * @param wanted what tells whether it is the user of this create
 */
export function resolveConflict(
	{ person, ifExists = 'fail' }: Pick<AccountChange, 'person' | 'ifExists'>,
	user: User,
	wanted: Attributes,
	{ profile, isProtected, activityOf, wasThere }: ConflictRules,
): Resolution {
	const { id, userName } = user;
	const isTaken = ifExists === 'adopt' || ifExists === 'adoptAndActivate';
	if (isTaken && isProtected({ key: id, id, userName }))
		return { is: 'refused', error: protectedPerson(userName) };
	if (ifExists === 'fail') {
		const isOurs = !wasThere(user) && isMadeBefore(wanted, user, profile);
		if (isOurs) return { is: 'ours' };
		return { is: 'exists', error: existingUser(person.userName ?? person.key, user) };
	}
	if (ifExists === 'update') return { is: 'updated' };
	const refusal = isTaken
		? whyNoGain(person, { ok: true, value: user }, activityOf, 'plan')
		: undefined;
	if (refusal === undefined) return { is: 'taken', activate: false };
	return ifExists === 'adoptAndActivate'
		? { is: 'taken', activate: true }
		: { is: 'refused', error: refusal };
}

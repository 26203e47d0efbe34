import type { Activity, User } from '../../scim';
import { type Attempt, InputError } from '../../util';
import { accountShown, nameOf, type AccessRules, type Member, type Wish } from '../changes';

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
	person: Member,
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
export function isOtherNow(person: Member, now: string): InputError {
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

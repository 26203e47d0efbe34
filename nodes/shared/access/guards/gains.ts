import type { Activity, User } from '../../scim';
import { type Attempt, InputError } from '../../util';
import { nameOf, untoldActivity, type Member } from '../changes';

/** Why somebody may be given nothing: nobody is there, is known to be let in, or could be looked at. */
export type NoGain = 'gone' | 'inactive' | 'not told' | { error: unknown };

/**
 * Rule "inactive gains nothing", as it is asked where an approved plan is applied, before a request leaves, and before it leaves again.
 * @param read the account as it was looked at last
 * @returns undefined for who is there and active
 */
export function whyNoGain(
	read: Attempt<User | undefined> | undefined,
	activityOf: (user: User) => Activity,
): NoGain | undefined {
	if (read?.ok === false) return { error: read.error };
	if (read?.value === undefined) return 'gone';
	const activity = activityOf(read.value);
	return activity === 'active' ? undefined : activity;
}

/** What is said of it where a plan was made before. */
export function gainsNothingNow(person: Member, why: NoGain): unknown {
	if (typeof why === 'object') return why.error;
	return why === 'not told' ? untoldActivity(nameOf(person)) : isOtherNow(person, why);
}

/** The person has changed since the plan. */
export function isOtherNow(person: Member, now: string): InputError {
	return new InputError(
		`${nameOf(person)} is ${now} now, so no access was given`,
		'Someone else changed it in the meantime. Check the person, and run again.',
	);
}

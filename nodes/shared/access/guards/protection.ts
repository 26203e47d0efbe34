import { matchingBy, type User } from '../../scim';
import { InputError, nameKey, wildcard } from '../../util';
import type { Member } from '../changes';

/**
 * Whether a person must not be touched: matched by ID, by user name and by every email.
 * @param userSeen what is known of a user by ID
 */
export function protection(
	patterns: readonly string[],
	userSeen: (id: string) => User | undefined,
): (person: Member) => boolean {
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

import type { Activity, Attributes, ServiceProfile, User } from '../../scim';
import type { InputError } from '../../util';
import { existingUser, isMadeBefore, type AccountChange, type Member } from '../changes';
import { whyNoGain } from './gains';
import { protectedPerson } from './protection';

/** What a create comes to whose user is there already. */
export type Resolution =
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
	isProtected(person: Member): boolean;
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

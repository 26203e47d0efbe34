import type { Applied, OutcomeStatus, Settled as SettledOf } from '../../run';
import type { AccessValue, Attributes, Group, User } from '../../scim';
import { shown } from '../../util';
import type { Membership } from '../facts';
import type { Kind, Person } from './change';

/** What was asked for, where no change tells. */
export type Intent = Kind | 'none';

/** The person of a part, and what happened to the user as far as it decides. */
type Who =
	/** As the service showed the user last. `kept`: deactivated, where a deletion was asked for. `deleted`: since then. */
	| { kind: 'user' | 'kept' | 'deleted'; user: User }
	/** The service did not show a user. `gone`: no user has the email or ID, which counts as done. `deleted`: seen to be. */
	| { kind: 'person' | 'gone' | 'deleted'; person: Omit<Person, 'key'> };

/** What is known of the subject of a part afterwards, for its item. */
export interface ProvisioningResult {
	who?: Who;
	group?: Group;
	value?: AccessValue;
	/** What was asked for, where no change tells. */
	intent?: Intent;
	/** What of the item asked for it, such as a row of a list. */
	source?: string;
	/** Whether a created user may have been there before: nothing tells. */
	mayBeOld?: boolean;
	/** The attributes that were sent, where the plan has a place for the ID of a new manager. */
	sent?: Attributes;
	/** A user that Create or Update found only through the service's 409, and what the user is to be. */
	existing?: { user: User; wanted: Attributes };
}

/** What happened to a part. */
export interface AppliedPart extends Applied<ProvisioningResult> {
	/** What is left of a leaver's access, and what was taken. */
	proof?: Proof;
	/** What was seen of it alone, where the outcome says what is left of the person. */
	alone?: OutcomeStatus;
}

/** The user, where the service showed one, or at least the person. */
export function whoIs(person: Omit<Person, 'key'>, user?: User): Who {
	return user === undefined ? { kind: 'person', person } : { kind: 'user', user };
}

/** The user that a result shows. */
export function userIn({ who }: ProvisioningResult = {}): User | undefined {
	return who !== undefined && 'user' in who ? who.user : undefined;
}

/** The ID and user name of the person of a result, as far as they are known. */
export function nameIn({ who }: ProvisioningResult = {}): Omit<Person, 'key'> {
	if (who === undefined) return {};
	return 'user' in who ? who.user : who.person;
}

/** What was seen of a leaver when all was done. */
interface Proof {
	/** As seen then; undefined where there is none, and where groups alone tell. */
	user?: User;
	/** Whether a read showed that there is no such user. */
	isGone: boolean;
	/** Undefined where the service does not tell. */
	removed?: Membership[];
	remaining?: Membership[];
	/** On the user. */
	valuesRemoved: readonly AccessValue[];
	valuesRemaining: readonly AccessValue[];
	/** ISO 8601; missing where what is left may be more than is known. */
	at?: string;
	/** Requests that the whole execution had made by then. */
	requests: number;
}

/** What happened to something that needs no step. */
export type Settled = SettledOf<ProvisioningResult>;

/** What a sentence says was done, and what is said where it was so already; both follow "was". */
export type Words = readonly [done: string, already: string];

/** Of changes that need no place. */
export const WORDS: Readonly<Record<Kind, Words>> = {
	created: ['created', 'already there'],
	updated: ['updated', 'already up to date'],
	activated: ['activated', 'already active'],
	deactivated: ['deactivated', 'already inactive'],
	deleted: ['deleted', 'already gone'],
	granted: ['given access', 'already given access'],
	moved: ['moved', 'already moved'],
	revoked: ['removed', 'not a member'],
};

/** What an item says of access; null for what it does not have. */
export type AccessNames = Partial<
	Record<'group' | 'organizationName' | 'roleBefore' | 'role' | 'attribute', string | null>
>;

/** Of a change of access. */
export function accessWords(kind: Kind, item: AccessNames): Words {
	const { group, organizationName, attribute } = item;
	const [role, roleBefore] = [item.role, item.roleBefore].map((one) => one && shown(one));
	const isTaken = kind === 'revoked';
	if (attribute) {
		const value = `${role} (${attribute})`;
		return isTaken
			? [`stripped of ${value}`, `already without ${value}`]
			: [`given ${value}`, `already given ${value}`];
	}
	const place = shown(organizationName ?? group ?? '');
	if (place === '' || !['granted', 'moved', 'revoked'].includes(kind)) return WORDS[kind];
	if (isTaken) return [`removed from ${place}`, `not in ${place}`];
	const as = role ? ` as ${role}` : '';
	const already = `already in ${place}${as}`;
	return kind === 'moved' && roleBefore
		? [`moved from ${roleBefore} to ${role} in ${place}`, already]
		: [`added to ${place}${as}`, already];
}

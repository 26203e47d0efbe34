import type { Applied, OutcomeStatus, Settled as SettledOf } from '../../run';
import type { AccessValue, Attributes, Group, User } from '../../scim';
import type { Membership } from '../facts';
import type { Kind } from './change';

/** A person whose id is known. */
export interface Person {
	id: string;
	userName?: string;
}

/** What was asked for, where no change tells. */
export type Intent = Kind | 'none';

/** A person, as far as an item or a group says who it is. */
export interface NamedPerson {
	id?: string;
	userName?: string;
}

/** The person of a part, and what happened to the user as far as it decides. */
export type Who =
	/** As the service showed the user last. `kept`: deactivated, where a deletion was asked for. `deleted`: since then. */
	| { kind: 'user' | 'kept' | 'deleted'; user: User }
	/** The service did not show a user. `gone`: no user has the email or ID, which counts as done. `deleted`: seen to be. */
	| { kind: 'person' | 'gone' | 'deleted'; person: NamedPerson };

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
export function whoIs(person: NamedPerson, user?: User): Who {
	return user === undefined ? { kind: 'person', person } : { kind: 'user', user };
}

/** The user that a result shows. */
export function userIn({ who }: ProvisioningResult = {}): User | undefined {
	return who !== undefined && 'user' in who ? who.user : undefined;
}

/** The ID and user name of the person of a result, as far as they are known. */
export function nameIn({ who }: ProvisioningResult = {}): NamedPerson {
	if (who === undefined) return {};
	return 'user' in who ? who.user : who.person;
}

/** What was seen of a leaver when all was done. */
export interface Proof {
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

import { type Applied, type Missing, type Plan, type PlannedRequest, type Step } from '../run';
import type { Moment } from '../util';
import type { FailureFacts } from '../http';
import type {
	AccessValue,
	Attributes,
	Group,
	KeptOfGroup,
	MatchAttribute,
	PatchBody,
	User,
} from '../scim';
import type { Membership } from './access';
import type { IfUserExists, Kind, Member, WholeUser } from './change';

/** A person whose id is known. */
export interface Person {
	id: string;
	userName?: string;
}

/** Somebody to be changed, and whether this run saw the person: then whoever is gone afterwards was there before. */
export interface SeenPerson {
	person: Person;
	seenBefore: boolean;
}

/** One person who is added to or removed from a group. */
export interface MemberChange {
	person: Member;
	/** What it is to the person, in words that finish the sentence "could not …". */
	action: string;
	/** For removals: whether an add before may have taken the person out already, so that it has to be looked at. */
	mayBeGone: boolean;
	/** For removals: the group showed nobody before, so that nobody in it afterwards proves nothing. */
	hidden?: boolean;
	/** For removals: whoever has another role in the organization now is left alone; otherwise that is a failure. */
	skipsOtherRole?: boolean;
	/** For adds: the IDs of the groups of the same organization that the person was in. */
	from?: readonly string[];
	/** For adds: whether it is more access than before, which nobody inactive gets. */
	gains?: boolean;
}

/** One value that a user is given, or loses. */
export interface ValueToChange {
	change: string;
	/** What it is to the person, in words that finish the sentence "could not …". */
	action: string;
	kind: 'grant' | 'revoke';
	value: AccessValue;
}

/** A group with what people call it, such as "member in Marketing". */
export interface NamedGroupOf {
	groupId: string;
	label: string;
}

/** What was asked for, where no change tells. */
export type Intent = Kind | 'none';

/** What a person was seen to have. */
export interface KnownAccess {
	readAt: Moment;
	includes(groupId: string): boolean;
	/** A group as people call it. */
	label(groupId: string): string;
}

/** What writes of members have to know of the group and of when it was read. */
interface MembersRead {
	groupId: string;
	add: MemberChange[];
	remove: MemberChange[];
	/** The organization that the group belongs to, if any. */
	organization?: string;
	/** The other groups of the organization, where a person who is added to one or removed loses the role in another. */
	siblings: readonly NamedGroupOf[];
	readAt: Moment;
	/** Where people stop being admin of it: its admins, and who of them stops by this plan. */
	admins?: { groupId: string; leaving: ReadonlySet<string> };
}

type WithBody<B> = { request: PlannedRequest & { body: B } };

/** The writes of SCIM provisioning. `attributes` are those that were asked for, `request.body` is what is sent. */
export type ProvisioningStep = Step &
	(
		| ({
				kind: 'createUser';
				userName: string;
				attributes: Attributes;
				ifExists: IfUserExists;
				matchBy?: MatchAttribute;
		  } & WithBody<Attributes>)
		| ({
				kind: 'updateUser';
				attributes: Attributes;
		  } & SeenPerson &
				WithBody<PatchBody>)
		| ({
				kind: 'replaceUser';
				person: Person;
				attributes: Attributes;
				readAt: Moment;
		  } & Pick<WholeUser, 'activeAfter' | 'version'> &
				WithBody<Attributes>)
		| ({
				kind: 'setActive';
				active: boolean;
				/** For whoever is deactivated for having nothing else. */
				onlyWith?: KnownAccess;
		  } & SeenPerson &
				WithBody<PatchBody>)
		| { kind: 'deleteUser'; person: Person; wasActive: boolean }
		| ({
				kind: 'changeValues';
				person: Person;
				/** Each with the key of its change. */
				values: readonly ValueToChange[];
				user: User;
				readAt: Moment;
		  } & WithBody<PatchBody>)
		| ({ kind: 'changeMembers' } & MembersRead & WithBody<PatchBody>)
		| ({
				kind: 'replaceMembers';
				/** Ids of the people who stay. */
				kept: string[];
				/** Those of them who get another role in the organization by another step of the plan. */
				moving: string[];
				/** What the group has beside its people, to be sent along. */
				rest: KeptOfGroup;
		  } & MembersRead &
				WithBody<Attributes>)
		| ({ kind: 'createGroup'; attributes: Attributes } & WithBody<Attributes>)
		| ({ kind: 'updateGroup'; groupId: string; attributes: Attributes } & WithBody<PatchBody>)
		| { kind: 'deleteGroup'; groupId: string }
	);

/** A person, as far as an item or a group says who it is. */
export interface NamedPerson {
	id?: string;
	userName?: string;
}

/** Whom a part is about, and what happened to the user as far as it decides. */
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
}

/** What a step leaves to be found out or decided. */
export type Open =
	/** A look has to show it. `refused`: the service refused the request, and what no look shows was not done. */
	| { kind: 'unseen'; check: Check; refused: boolean }
	/** A create that the service refused because there is somebody already: who it is has to be looked up. */
	| {
			kind: 'conflict';
			step: Extract<ProvisioningStep, { kind: 'createUser' }>;
			facts: FailureFacts;
	  }
	/** A user that Create or Update found only through the service's 409, and what it was asked for. */
	| { kind: 'existing'; user: User; wanted: Attributes };

/** A look has to show this before the part counts as done. @param refused whether the service refused the request */
export function lookFor(check: Check, refused = false): Open {
	return { kind: 'unseen', check, refused };
}

/** What happened to a part. */
export interface AppliedPart extends Applied<ProvisioningResult> {
	open?: Open;
	/** What is left of a leaver's access, and what was taken. */
	proof?: Proof;
}

/** The user, where the service showed one, or at least the person. */
export function whoIs(person: NamedPerson, user?: User): Who {
	return user === undefined ? { kind: 'person', person } : { kind: 'user', user };
}

/** The user that a result shows. */
export function userIn({ who }: ProvisioningResult = {}): User | undefined {
	return who !== undefined && 'user' in who ? who.user : undefined;
}

/** The ID and user name of whom a result is about, as far as they are known. */
export function nameIn({ who }: ProvisioningResult = {}): NamedPerson {
	if (who === undefined) return {};
	return 'user' in who ? who.user : who.person;
}

/** What was seen of a leaver when all was done. */
export interface Proof {
	/** As seen then; undefined where there is none, and where groups alone tell. */
	user?: User;
	/** Undefined where the service does not tell. */
	removed?: Membership[];
	remaining?: Membership[];
	/** On the user. */
	valuesRemoved: readonly AccessValue[];
	valuesRemaining: readonly AccessValue[];
	/** ISO 8601. */
	at: string;
	/** Requests that the whole execution had made by then. */
	requests: number;
}

/** Something to be seen at the service. */
export type Check =
	/**
	 * `missing` says what is not so yet; undefined when all is. The user is undefined when there is none. `settled` adds
	 * what else is to be said then. `byId`: only a GET of the user counts, no list.
	 */
	| {
			kind: 'user';
			id: string;
			byId?: boolean;
			missing(user: User | undefined): Missing | undefined;
			settled?(part: AppliedPart, user: User | undefined): AppliedPart;
	  }
	| { kind: 'member'; groupId: string; id: string; present: boolean }
	| {
			kind: 'group';
			id: string;
			missing(group: Group | undefined): Missing | undefined;
			settled?(part: AppliedPart): AppliedPart;
	  };

/** What will be done, decided before anything is sent, and what was decided already. */
export type ProvisioningPlan = Plan<ProvisioningStep, ProvisioningResult>;

/** What happened to something that needs no step. */
export type Settled = ProvisioningPlan['settled'][number];

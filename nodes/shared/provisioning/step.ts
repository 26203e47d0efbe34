import type { Applied } from '../change/apply';
import type { Plan, PlannedRequest, Step } from '../change/plan';
import type { PatchBody } from '../scim/protocol/patch';
import type { Attributes, Group, User } from '../scim/protocol/resource';

/** A person whose id is known. */
export interface Person {
	id: string;
	userName?: string;
}

/** What Create does about a user who exists; `update` is Create or Update. */
export type IfUserExists = 'fail' | 'return' | 'update';

type WithBody<B> = { request: PlannedRequest & { body: B } };

/** The writes of SCIM provisioning. `attributes` are those that were asked for, `request.body` is what is sent. */
export type ProvisioningStep = Step &
	(
		| ({
				kind: 'createUser';
				userName: string;
				attributes: Attributes;
				ifExists: IfUserExists;
		  } & WithBody<Attributes>)
		| ({
				kind: 'updateUser';
				person: Person;
				attributes: Attributes;
				activeAfter?: boolean;
		  } & WithBody<PatchBody>)
		| ({
				kind: 'replaceUser';
				person: Person;
				attributes: Attributes;
				activeAfter?: boolean;
		  } & WithBody<Attributes>)
		| ({ kind: 'setActive'; person: Person; active: boolean } & WithBody<PatchBody>)
		| { kind: 'deleteUser'; person: Person }
		| ({ kind: 'addMembers'; groupId: string; people: Person[] } & WithBody<PatchBody>)
	);

/** What is known of the subject of a part afterwards. */
export interface ProvisioningResult {
	user?: User;
	group?: Group;
	person?: Person;
	deleted?: boolean;
	/** What a read-back has to show before the part counts as done. */
	check?: Check;
	/** A user that Create or Update found only through the service's 409, and what it was asked for. */
	existing?: { user: User; wanted: Attributes };
}

/** Something to be seen at the service. */
export type Check =
	/** `missing` says what is not so yet; undefined when all is. The user is undefined when there is none. */
	| { kind: 'user'; id: string; missing(user: User | undefined): string | undefined }
	| { kind: 'member'; groupId: string; id: string };

export type ProvisioningPlan = Plan<ProvisioningStep, ProvisioningResult>;

export type AppliedPart = Applied<ProvisioningResult>;

import type {
	AccessValue,
	Attributes,
	compareUser,
	GroupMeaning,
	KnowsAttribute,
	MatchAttribute,
	ServiceProfile,
	User,
	Whole,
} from '../../scim';
import type { Attempt, InputError, Moment } from '../../util';
import type { Access, Found } from '../facts';
import type { Change, IfUserExists, Member, OnlyWith, Source } from './change';
import type { Settled } from './result';

/** A user that an item wants to exist. */
export interface WantedUser {
	item: number;
	userName: string;
	attributes: Attributes;
	warnings: string[];
	/** By what the user is known afterwards; missing: by user name. */
	matchBy?: MatchAttribute;
	/** Why it is wanted, for the reader of a plan. */
	why?: string;
}

/** What a person is to have or not: the ID of a group, or a value on the user, which was read then. */
export type NamedEntitlement = string | AccessValue;

/** What one item wants of one person. */
export interface Wish {
	item: number;
	person: Member;
	/** What the service showed of the user, where it was asked. */
	user?: User;
	/** What a new user is created with. */
	newcomer?: WantedUser;
	/** What a new user would be created with: of a person who has an account it tells whether that is the one. */
	identifiedBy?: Attributes;
	/** What attributes of the user are to be, and what is said of them. */
	attributes?: Attributes;
	warnings?: readonly string[];
	/** What the person has to have. */
	hold: readonly NamedEntitlement[];
	/** What the person must not have. */
	drop: readonly NamedEntitlement[];
	/** What the user is to be when all is done; missing: as before. */
	account?: 'active' | 'inactive' | 'gone';
	/** Keys of the people whose grants have to be seen before anything is taken from this one. */
	after?: readonly string[];
	/** Why it is wanted, for the reader of a plan. */
	why?: string;
	/** What of the item wants it, such as a row of a list. */
	source?: string;
	/** True for people that no item names, such as members that are not on a list: protected ones are then left alone. */
	unlisted?: boolean;
	/** A person with another role by the time of a removal is left alone; otherwise that is a failure. */
	skipsOtherRole?: boolean;
	/** Why nothing may be taken away here; grants go on. */
	dropsHeldBack?: string;
	/** Deactivated only while the person has nothing else. */
	onlyWith?: OnlyWith;
	/** Whose access it is that the person is given. */
	copiedFrom?: Source;
}

/** The contradiction that something for a person is part of. */
export type ClashOf = (
	person: Pick<Member, 'key'>,
	entitlement: NamedEntitlement,
) => InputError | undefined;

/** How attributes are set. */
export interface AttributeRules {
	profile: ServiceProfile;
	/** What is sent of that which users do not show; missing: all. */
	knows?: KnowsAttribute;
	/** Users are sent as a whole, by PUT, as they were read then; missing: what is different, by PATCH. */
	replacesAsRead?: Moment;
	compare?: typeof compareUser;
	/** Whether a user was there before any try of this run; missing: nothing tells. */
	wasThere?(user: User): boolean;
}

/** What the diff has to know beside the wishes. */
export interface AccessRules extends AttributeRules {
	access: Access;
	ids: GroupMeaning;
	/** Id of the organization that manages the account; empty when not known. */
	accountOrganization: string;
	/** Whether inactive people who are wanted are activated; otherwise they are refused: access would not let them in. */
	reactivate: boolean;
	/** Whether it is about members of groups, or about values, alone: the person may be inactive. */
	membersOnly?: boolean;
	/** What reads of this run have shown of an account, or why it could not be read; undefined without a read. */
	account(id: string): Attempt<User> | undefined;
	/** Whether a GET by ID has not shown a group; missing: none was asked for. */
	isUnfound?(groupId: string): boolean;
	/** Whether a group was shown by this ID, or why that could not be found out; missing: none was. */
	isGroup?(id: string): Attempt<boolean>;
	/** What is known of whether a user who was read is active; missing: what the user shows. */
	activity?(user: User): 'active' | 'inactive' | 'not told';
	/** Whether a user shows all that there is of an attribute that gives access; missing: each does. */
	everyValue?(user: User, path: string): Whole;
	/** What happens where a user to be created exists: `adopt` takes that one for the person who is wanted. */
	ifExists: Exclude<IfUserExists, 'adoptAndActivate'>;
	/** What is known of those who are to exist, by what they are matched by; missing: without a lookup. */
	found?: ReadonlyMap<string, Found>;
	/** A group as people call it, e.g. "member in Marketing". */
	label(groupId: string): string;
	isProtected(person: Member): boolean;
	/** The contradictions between the wishes, where they are known. */
	clashOf?: ClashOf;
}

/** What has to change, and what happened to every wish that needs no change or cannot have one. */
export interface Diff {
	changes: Change[];
	settled: Settled[];
	/** IDs of people with nothing known but a membership, who have to be active for what is wanted. */
	unread?: readonly string[];
	/** Whom a list is to remove, and who was not shown as a user. */
	strangers?: readonly string[];
}

/** The account that a wish is about, as this run has shown it last. */
export function accountShown(
	{ person, user }: Pick<Wish, 'person' | 'user'>,
	{ account }: Pick<AccessRules, 'account'>,
): User | undefined {
	const shown = account(person.id ?? '');
	return shown?.ok ? shown.value : user;
}

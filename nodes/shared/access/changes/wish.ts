import {
	type AccessValue,
	type Attributes,
	type compareUser,
	type GroupMeaning,
	type KnowsAttribute,
	type MatchAttribute,
	type ServiceProfile,
	type User,
	type Whole,
	holdsOneValue,
	valueAt,
	type Traits,
} from '../../scim';
import { type Attempt, InputError, type Moment, nameKey } from '../../util';
import type { Access, Found } from '../facts';
import {
	type Change,
	type IfUserExists,
	type Person,
	type OnlyWith,
	type Source,
	nameOf,
} from './change';
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
	person: Person;
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
	person: Pick<Person, 'key'>,
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
	isProtected(person: Person): boolean;
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

type Claim = Pick<Wish, 'item' | 'person' | 'hold' | 'source'>;
type Rules = Pick<AccessRules, 'access' | 'profile' | 'label'> & { ids: GroupMeaning };

/**
 * What stands against claims on one thing that want it different: none of them is sent.
 * @param keysOf the things that a claim is about
 * @param errorOf of the first two that differ
 * @returns by key
 */
export function findClashes<C>(
	claims: readonly C[],
	keysOf: (claim: C) => readonly string[],
	differ: (first: C, other: C) => boolean,
	errorOf: (first: C, other: C) => InputError,
): Map<string, InputError> {
	const first = new Map<string, C>();
	const clashes = new Map<string, InputError>();
	for (const claim of claims) {
		for (const key of keysOf(claim)) {
			const before = first.get(key);
			if (before === undefined) first.set(key, claim);
			else if (!clashes.has(key) && differ(before, claim)) clashes.set(key, errorOf(before, claim));
		}
	}
	return clashes;
}

/** Wishes for an attribute as a whole, and for single values of it: nothing of the person is changed then. */
export function findWholeClashes(
	wishes: readonly Wish[],
	{ accessAttributes }: Traits,
): (person: Pick<Person, 'key'>) => InputError | undefined {
	const clashes = new Map<string, InputError>();
	for (const path of wishes.some(({ attributes }) => attributes) ? accessAttributes : []) {
		const isWhole = ({ attributes = {} }: Wish) => valueAt(attributes, path) !== undefined;
		const isSingle = ({ hold, drop }: Wish) =>
			[...hold, ...drop].some((one) => typeof one !== 'string' && one.attribute === path);
		const errors = findClashes(
			wishes.filter((wish) => isWhole(wish) || isSingle(wish)),
			({ person }) => [person.key],
			(one, other) => isWhole(one) !== isWhole(other),
			(one, other) =>
				new InputError(
					`Items ${one.item} and ${other.item} want ${path} of ${nameOf(one.person)} different: one as a whole, the other single values of it`,
					'Choose one. Neither was applied.',
				),
		);
		for (const [key, error] of errors) clashes.set(key, error);
	}
	return ({ key }) => clashes.get(key);
}

/** What wishes want different of one person. */
export function findContradictions(wishes: readonly Wish[], rules: Rules): ClashOf {
	const ofRoles = findRoleClashes(wishes, rules);
	const ofValues = findValueClashes(wishes);
	return (person, one) => (typeof one === 'string' ? ofRoles(person, one) : ofValues(person, one));
}

type ClashOfRoles = (person: Pick<Person, 'key'>, groupId: string) => InputError | undefined;

/** Wishes for two roles of one person in one organization, where one is the rule. */
function findRoleClashes(
	wishes: readonly Claim[],
	{ access, ids, profile, label }: Rules,
): ClashOfRoles {
	const keyOf = ({ key }: Pick<Person, 'key'>, groupId: string) => `${key}\n${ids.key(groupId)}`;
	const claims: Array<{ wish: Claim; groupId: string; scope: string }> = [];
	for (const wish of profile.oneRolePerOrganization ? wishes : []) {
		for (const groupId of wish.hold) {
			if (typeof groupId !== 'string') continue;
			const place = access.placeOf(groupId);
			if (place === undefined) continue;
			claims.push({ wish, groupId, scope: `${wish.person.key}\n${place.organization}` });
		}
	}
	const clashes = findClashes(
		claims,
		({ scope }) => [scope],
		(one, other) => ids.key(one.groupId) !== ids.key(other.groupId),
		(one, other) =>
			new InputError(
				`${whoWant(one.wish, other.wish)} two roles for ${nameOf(one.wish.person)} in one organization: ${label(one.groupId)} and ${label(other.groupId)}`,
				'A person has one role per organization. Choose one. Neither was applied.',
			),
	);
	const errors = new Map(
		(clashes.size === 0 ? [] : claims).flatMap(({ wish, groupId, scope }) => {
			const error = clashes.get(scope);
			return error ? [[keyOf(wish.person, groupId), error] as const] : [];
		}),
	);
	return (person, groupId) => (errors.size === 0 ? undefined : errors.get(keyOf(person, groupId)));
}

/** Wishes to give and to take one value of one person, or to give two where there is room for one. */
function findValueClashes(
	wishes: readonly Wish[],
): (person: Pick<Person, 'key'>, value: AccessValue) => InputError | undefined {
	const claims: Array<{ wish: Wish; value: AccessValue; isWanted: boolean }> = [];
	for (const wish of wishes) {
		const add = (values: readonly NamedEntitlement[], isWanted: boolean) => {
			for (const value of values) {
				if (typeof value !== 'string') claims.push({ wish, value, isWanted });
			}
		};
		add(wish.hold, true);
		add(wish.drop, false);
	}
	const keyOf = ({ key }: Pick<Person, 'key'>, { attribute, value }: AccessValue) =>
		[key, attribute, nameKey(value)].join('\n');
	const room = ({ wish: { person, user }, value, isWanted }: (typeof claims)[number]) =>
		isWanted && user && holdsOneValue(user, value.attribute)
			? [`${person.key}\n${value.attribute}`]
			: [];
	const clashes = findClashes(
		claims,
		(claim) => [keyOf(claim.wish.person, claim.value), ...room(claim)],
		(one, other) => one.isWanted !== other.isWanted || one.value.value !== other.value.value,
		(one, other) =>
			new InputError(
				`${whoWant(one.wish, other.wish)} ${one.value.attribute} of ${nameOf(one.wish.person)} different: "${one.value.value}" ${one.isWanted ? 'added' : 'removed'}, "${other.value.value}" ${other.isWanted ? 'added' : 'removed'}`,
				'Choose one. Neither was applied.',
			),
	);
	return (person, value) =>
		clashes.get(keyOf(person, value)) ?? clashes.get(`${person.key}\n${value.attribute}`);
}

function whoWant(before: Claim, wish: Claim): string {
	if (before.source !== undefined && wish.source !== undefined) {
		return `Rows ${before.source} and ${wish.source} want`;
	}
	return before.item === wish.item
		? `Item ${wish.item} wants`
		: `Items ${before.item} and ${wish.item} want`;
}

import type { INodeProperties } from 'n8n-workflow';

import { InputError, shown, textList } from '../../util';
import { isAttributeName, SCHEMA } from './resource';

export type ScimPrefix = 'everyRequest' | 'collectionsOnly' | 'nowhere';

/** `unknown`: a run has to see it first; `no`: it is not even looked for. */
export type Known = 'yes' | 'no' | 'unknown';

/** A trait as the credential may set it under Override Profile. */
interface Override<T> {
	field: Omit<INodeProperties, 'name'>;
	/** The value behind what was entered; undefined for the default. @throws InputError for text that cannot be used */
	read(entered: unknown): T | undefined;
}

interface Trait<T> {
	/** What is assumed of a service of which nothing is known. */
	otherwise: T;
	override?: Override<T>;
}

const trait = <T>(otherwise: T, override?: Override<T>): Trait<T> => ({
	otherwise,
	...(override && { override }),
});

const YES_NO = [
	{ name: 'Yes', value: 'yes' },
	{ name: 'No', value: 'no' },
] as const;
const KNOWLEDGE = [...YES_NO, { name: 'Unknown', value: 'unknown' }] as const;

function choice<V extends string>(
	displayName: string,
	description: string,
	choices: ReadonlyArray<{ name: string; value: V; description?: string }>,
): Override<V> {
	const options = [{ name: 'Default', value: 'profile' }, ...choices];
	return {
		field: { displayName, type: 'options', options, default: 'profile', description },
		read: (entered) => choices.find(({ value }) => value === entered)?.value,
	};
}

function flag(displayName: string, description: string): Override<boolean> {
	const { field } = choice(displayName, description, YES_NO);
	const read = (entered: unknown) =>
		entered === 'yes' || entered === 'no' ? entered === 'yes' : undefined;
	return { field, read };
}

function wholeNumber(displayName: string, description: string): Override<number> {
	const typeOptions = { minValue: 0, numberPrecision: 0 };
	return {
		field: { displayName, type: 'number', typeOptions, default: 0, description },
		read: (entered) => Number(entered) || undefined,
	};
}

const CORE_PREFIX = `${SCHEMA.user.toLowerCase()}:`;
const NO_ACCESS = /^(?:active|externalid|groups|id|meta|none|password|schemas|username)(?:\.|$)/;

/** Names of attributes of users; `none` for no attribute at all. */
function attributeNames(displayName: string, description: string): Override<readonly string[]> {
	const nameOf = (entry: string) => {
		const name = entry.toLowerCase().startsWith(CORE_PREFIX)
			? entry.slice(CORE_PREFIX.length)
			: entry;
		const lower = name.toLowerCase();
		// An extension as a whole is no attribute.
		if (isAttributeName(name) && !NO_ACCESS.test(lower) && !/^urn:.*:user$/.test(lower))
			return name;
		throw new InputError(
			`${displayName} in the credential has "${shown(entry)}", which is no attribute that holds access`,
			'Use names such as roles, or urn:example:User:appRole for an attribute of an extension, comma-separated; none for no attribute.',
		);
	};
	const read = (entered: unknown) => {
		const entries = textList(entered, displayName);
		if (entries.length === 0) return undefined;
		const names = new Map(entries.map((entry) => [entry.toLowerCase(), entry]));
		return names.size === 1 && names.has('none') ? [] : [...names.values()].map(nameOf);
	};
	const placeholder = 'e.g. roles, entitlements';
	return { field: { displayName, type: 'string', default: '', placeholder, description }, read };
}

/**
 * What may be known of a service beyond the RFCs, one question each, and what is assumed of any service. A new one costs
 * an entry here, and the one place that reads it.
 */
export const TRAITS = {
	/**
	 * Does adding a person to a group take the person out of the organization's other groups? A removal from one of them then
	 * takes whatever role the person has there.
	 */
	addMovesWithinOrganization: trait<boolean>(false),
	/** Can a person have only one role in an organization? */
	oneRolePerOrganization: trait<boolean>(
		false,
		flag('One Role Per Organization', 'Whether a person can have only one role in an organization'),
	),
	/** Does a person who is deactivated keep the memberships, lose them, or lose the account, which never comes back? */
	deactivation: trait<'keeps' | 'drops' | 'removes'>(
		'keeps',
		choice('Deactivation', 'What deactivating a person does to memberships and the account', [
			{ name: 'Keeps Memberships', value: 'keeps' },
			{ name: 'Drops Memberships', value: 'drops' },
			{
				name: 'Removes the User',
				value: 'removes',
				description: 'The user cannot be activated again',
			},
		]),
	),
	/** Does the service refuse to add inactive users to groups and to remove them? */
	inactiveRefusesGroupChanges: trait<boolean>(false),
	/**
	 * How are members removed? `valueList`: one operation with `value: [...]`. `filterPath`: one operation per person,
	 * `members[value eq "id"]`.
	 */
	memberRemoval: trait<'valueList' | 'filterPath'>(
		'filterPath',
		choice('Member Removal', 'How people are removed from a group', [
			{
				name: 'Filter in the Path',
				value: 'filterPath',
				description: 'One operation per person: members[value eq "ID"]',
			},
			{
				name: 'List of Values',
				value: 'valueList',
				description: 'One operation with all people; some servers then remove every member',
			},
		]),
	),
	/** How many members does one request take? */
	membersPerRequest: trait<number>(
		100,
		wholeNumber(
			'Members Per Request',
			'Most people added to a group in one request; 0 for the default of the service profile (100)',
		),
	),
	/** Where does `/scim` go (test/contract/interface.md 1.5)? */
	prefix: trait<ScimPrefix>('nowhere'),
	/**
	 * Do users show all their groups, so that one without `groups` is in none (test/contract/interface.md 1.2)? Where that is
	 * unknown, a run has to see groups of some user first.
	 */
	usersShowGroups: trait<Known>(
		'unknown',
		choice(
			'Users Show Groups',
			'Whether users show all their groups, so that a user without groups is in none',
			KNOWLEDGE,
		),
	),
	/**
	 * Do groups show all their members, so that one without `members` is empty (test/contract/interface.md 1.3)? Where that is
	 * unknown, a run has to see members of some group first.
	 */
	groupsShowMembers: trait<Known>(
		'unknown',
		choice(
			'Groups Show Members',
			'Whether groups show all their members, so that a group without members is empty',
			KNOWLEDGE,
		),
	),
	/**
	 * Are memberships shown only where `attributes` names them (RFC 7643 section 7, `returned: request`)? Elsewhere a run asks
	 * once where it was shown none.
	 */
	membershipsOnRequest: trait<boolean>(false),
	/** Are there groups at all? */
	hasGroups: trait<boolean>(
		true,
		flag('Has Groups', 'Whether the service has groups; otherwise users alone are provisioned'),
	),
	/** Which attributes of users hold access, as groups do: roles, entitlements, or attributes of an extension by their URN? */
	accessAttributes: trait<readonly string[]>(
		['roles', 'entitlements'],
		attributeNames(
			'Access Attributes',
			'Attributes of users that hold access. Empty for the default, "none" for none.',
		),
	),
	/**
	 * Do users always show their access attributes, so that one without any has none? Elsewhere a run has to see one of some user
	 * before it believes that there is nothing to take away.
	 */
	usersShowAccessAttributes: trait<boolean>(
		false,
		flag(
			'Users Show Access Attributes',
			'Whether users show all their access attributes, so that a user without any has none',
		),
	),
	/**
	 * Can a list leave attributes out, and a filter ask for a part of a name (RFC 7644 section 3.4.2)? Elsewhere neither is
	 * even tried, and whole names alone are known (test/contract/interface.md 1.5, 2.1).
	 */
	listsTakeOptions: trait<boolean>(true),
	/** Can a userName change? */
	userNameCanChange: trait<boolean>(
		true,
		flag(
			'User Names Can Change',
			'Whether the user name of a person can change; otherwise Change Email makes a new account',
		),
	),
	/** Does it make user names of its own from those that are given, so that no user is found by a given one? */
	userNamesAreConverted: trait<boolean>(
		false,
		flag(
			'User Names Are Converted',
			'Whether the service changes the user names it is given, so users must be matched by email',
		),
	),
	/** How do long lists go on: by `startIndex`, or by `cursor` alone (RFC 9865)? A cursor in the first page tells, too. */
	paging: trait<'startIndex' | 'cursor'>(
		'startIndex',
		choice('Paging', 'How the service goes on with long lists', [
			{ name: 'Cursor', value: 'cursor', description: 'RFC 9865: every page names the next one' },
			{
				name: 'Start Index',
				value: 'startIndex',
				description: 'RFC 7644; a cursor is used where the first page has one',
			},
		]),
	),
	/** How many entries does one page have at most? */
	entriesPerPage: trait<number>(Number.POSITIVE_INFINITY),
	/** Do filters for memberships work (`groups.value eq` of users, `members eq` of groups)? Elsewhere a run has to see one work. */
	membersByFilter: trait<Known>('unknown'),
	/** Is a deleted person gone permanently, so that the same account never comes back? */
	deletionIsFinal: trait<boolean>(
		false,
		flag('Deletion Cannot Be Undone', 'Whether a deleted user can never be provisioned again'),
	),
	/** Which attributes must a new user have? Undefined: `/Schemas` tells. Sub-attributes with a dot. */
	requiredAttributes: trait<readonly string[] | undefined>(undefined),
	/** Most requests in a minute, as documented; 0 where nothing is. */
	readsPerMinute: trait<number>(0),
	writesPerMinute: trait<number>(0),
};

/** The answers for one service. Pure data, chosen in the credential; plans read it. */
export type Traits = { [K in keyof typeof TRAITS]: (typeof TRAITS)[K]['otherwise'] };

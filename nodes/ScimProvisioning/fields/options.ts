import type { INodeProperties, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { attribute, matchingBy, type Matching, type ServiceProfile } from '../../shared/scim';
import {
	DEFAULT_LIMITS,
	type GuardSettings,
	readVolumeLimits,
	safetyLimitsWith,
} from '../../shared/access/guards';
import { InputError, isEmailAddress, oddCharacter, shown, textList } from '../../shared/util';
import { protectMembersOf } from './groupRows';

export const peopleField: INodeProperties = {
	displayName: 'People',
	name: 'people',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. name@email.com',
	description:
		'Emails, compared with user names, or IDs. Text without @ is an ID. Match Users By changes this.',
	hint: 'Separate several with commas, or use an expression that returns a list',
};

export const matchUsersByOption: INodeProperties = {
	displayName: 'Match Users By',
	name: 'matchUsersBy',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Email',
			value: 'email',
			description: 'The primary email, or the only one',
		},
		{ name: 'External ID', value: 'externalId', description: 'Your own ID, such as the one in HR' },
		{ name: 'User Name', value: 'userName', description: 'An email on most services' },
	],
	default: 'userName',
	description: 'What identifies a user who is not given by ID. Exactly one user must match.',
};

export const linkByUserNameOption: INodeProperties = {
	displayName: 'Link by User Name',
	name: 'linkByUserName',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description:
		'Whether to link by user name if no user has the external ID yet, and write it to that user',
};

/** Reads how people are matched, once, from the first item: Column to Match On of User: Reconcile, elsewhere under Options. */
export function readMatching(context: IExecuteFunctions): Matching {
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	const columns = attribute(context.getNodeParameter('columns', 0, {}), 'matchingColumns');
	return matchingOf(Array.isArray(columns) ? columns.at(0) : options.matchUsersBy);
}

/** Reads how people are matched from a setting; by user name for any other value. */
export function matchingOf(by: unknown): Matching {
	return matchingBy(by === 'email' || by === 'externalId' ? by : 'userName');
}

/** On everything that gives access to people. */
export const reactivateOption: INodeProperties = {
	displayName: 'Reactivate',
	name: 'reactivate',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description: 'Whether to activate users who are inactive; otherwise they get no access',
};

/** Users that no operation may change. */
const protectedUsers: INodeProperties = {
	displayName: 'Protected Users',
	name: 'protectedUsers',
	type: 'string',
	noDataExpression: true,
	default: '',
	placeholder: 'e.g. owner@email.com, *@partner.com',
	description: 'Users to never change',
	hint: 'IDs, user names, emails, or patterns with *. Separate several with commas.',
};

/** Those whom no operation may change. */
export const protections: INodeProperties[] = [protectMembersOf, protectedUsers];

/**
 * Makes the field of the guards, on by default, of every operation that changes people or their access, below what they are
 * while nobody sets them.
 * @param limits those of the operation alone
 */
export function safetyLimitsFields(...limits: INodeProperties[]): INodeProperties[] {
	const creates = limits.includes(maxCreates) ? `; ${String(maxCreates.default)} new users` : '';
	const ends = limits.includes(allowPermanentRemoval) ? '; nothing that cannot be undone' : '';
	return [
		{
			displayName: `While no limit is added: per kind of change ${DEFAULT_LIMITS}${creates}; the last admin stays${ends}`,
			name: 'safetyLimitsNotice',
			type: 'notice',
			default: '',
		},
		safetyLimitsField(...limits),
	];
}

/** Makes the field alone. */
export function safetyLimitsField(...limits: INodeProperties[]): INodeProperties {
	return limitsField(allowRemovingLastAdmin, ...protections, ...limits);
}

/** Makes the field of an operation that takes nothing from anybody. */
export function limitsField(...limits: INodeProperties[]): INodeProperties {
	const field = safetyLimitsWith('per run', limits);
	return {
		...field,
		description: `${field.description}. For an AI agent, add a human review as well.`,
	};
}

const allowRemovingLastAdmin: INodeProperties = {
	displayName: 'Allow Removing Last Admin',
	name: 'allowRemovingLastAdmin',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description: 'Whether to allow removing the last active admin',
};

/** The guard of every operation that can deactivate or delete people. */
export const allowPermanentRemoval: INodeProperties = {
	displayName: 'Allow Permanent Removal',
	name: 'allowPermanentRemoval',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description: 'Whether to deactivate or delete users where the service cannot undo it',
};

/** Among the limits of whatever creates users. */
export const maxCreates: INodeProperties = {
	displayName: 'Max Creates',
	name: 'maxCreates',
	type: 'number',
	noDataExpression: true,
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: 100,
	description: 'Maximum number of users created per run',
};

/**
 * Reads the guards that users set.
 * @param limits the Safety Limits collection, of the first item
 * @throws InputError for a number out of range, for a protected person that no user can be, and as `textList` does
 */
export function readGuards(limits: IDataObject, profile: ServiceProfile): GuardSettings {
	const { protectedUsers, allowPermanentRemoval, allowRemovingLastAdmin } = limits;
	return {
		protectedUsers: textList(protectedUsers, 'Protected Users').map((entry) =>
			checkProtected(entry, profile),
		),
		allowPermanentRemoval: allowPermanentRemoval === true,
		allowRemovingLastAdmin: allowRemovingLastAdmin === true,
		...readVolumeLimits(limits),
	};
}

/** A mistyped entry would protect no user, unnoticed. @throws InputError for one that can match none */
function checkProtected(entry: string, profile: ServiceProfile): string {
	const isMistyped =
		profile.knowsPeopleByLogin &&
		/[@:(){}[\]]/.test(entry) &&
		!entry.includes('*') &&
		!isEmailAddress(entry);
	const odd =
		oddCharacter(entry, profile.knowsPeopleByLogin) ??
		punctuationIn(entry) ??
		(isMistyped ? 'not the form of an email' : undefined);
	if (odd === undefined) return entry;
	throw new InputError(
		`Protected Users: no user can have the ID or user name ${shown(entry)}, which has ${odd}`,
		'Enter the bare ID, user name or pattern. Nothing was sent.',
	);
}

function punctuationIn(entry: string): string | undefined {
	if (/[<>]/.test(entry)) return 'angle brackets';
	// The field takes no expression, so that one in it stands for itself.
	if (/\{\{|\}\}/.test(entry)) return 'double braces';
	const quoted = /["\u201C-\u201F\u00AB\u00BB]|^['`\u2018-\u201B]|['`\u2018-\u201B]$/;
	return quoted.test(entry) ? 'quotes' : undefined;
}

import type { INodeProperties, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { attribute, matchingBy, type Matching } from '../../shared/scim';

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

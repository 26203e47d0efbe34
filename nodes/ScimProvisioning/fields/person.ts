import type {
	IExecuteFunctions,
	INodeParameterResourceLocator,
	INodeProperties,
} from 'n8n-workflow';

import {
	composedName,
	InputError,
	isEmailAddress,
	looksLikeEmail,
	textList,
} from '../../shared/util';
import { parameterText } from '../../shared/run';
import { checkSegment } from '../../shared/http';
import type { ServiceProfile } from '../../shared/scim';

/** A person as a parameter names one. */
export type PersonReference = { by: 'id'; id: string } | { by: 'userName'; userName: string };

/** A person as people called them. */
export function labelOf(reference: PersonReference): string {
	return reference.by === 'id' ? reference.id : reference.userName;
}

/** Picks one user: from the list, by id, or by email. */
export const userField: INodeProperties = {
	displayName: 'User',
	name: 'user',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The user to work on',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a user...',
			typeOptions: { searchListMethod: 'searchUsers', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. user-4f2a9c',
			validation: [
				{
					type: 'regex',
					properties: { regex: '\\s*\\S[\\s\\S]*', errorMessage: 'Enter the ID of a user' },
				},
			],
		},
		{
			displayName: 'By Email',
			name: 'email',
			type: 'string',
			placeholder: 'name@email.com',
			hint: 'The user name, which is an email on most services',
			validation: [
				{
					type: 'regex',
					properties: { regex: '\\s*\\S[\\s\\S]*', errorMessage: 'Enter the email of a user' },
				},
			],
		},
	],
};

/** Reads the User field of an item. @throws InputError when it is empty or a malformed email */
export function readUserField(
	context: IExecuteFunctions,
	item: number,
	profile: ServiceProfile,
): PersonReference {
	const locator = context.getNodeParameter('user', item) as INodeParameterResourceLocator | string;
	const [mode, value] =
		typeof locator === 'object' && locator !== null
			? [locator.mode, parameterText(locator.value)]
			: ['', parameterText(locator)];
	if (value === '') {
		throw new InputError('No user specified', 'Pick one from the list, or give an ID or email.');
	}
	if (mode === 'email') return { by: 'userName', userName: checkUserName(value, profile) };
	// An agent or an expression may give the bare text.
	if (mode === '') return readPerson(value, profile);
	checkSegment(value);
	return { by: 'id', id: value };
}

/** Reads a person from one text: with an @ it is an email, otherwise an id. @throws InputError */
export function readPerson(text: string, profile: ServiceProfile): PersonReference {
	const value = text.trim();
	if (value === '') throw new InputError('A person is empty', 'Give an ID or email.');
	if (looksLikeEmail(value)) return { by: 'userName', userName: checkUserName(value, profile) };
	checkSegment(value);
	return { by: 'id', id: value };
}

/**
 * A userName that may be sent: without blanks around it, composed, and an email address where the service wants one.
 * @throws InputError
 */
export function checkUserName(text: unknown, profile: ServiceProfile): string {
	const userName = parameterText(text);
	if (userName === '') {
		throw new InputError(
			'The user name is missing',
			'Give the email address of the person. Check that the field of the item is not empty.',
		);
	}
	const composed = composedName(userName, profile.userNameIsEmail || looksLikeEmail(userName));
	if (profile.userNameIsEmail && !isEmailAddress(composed)) {
		throw new InputError(
			`"${userName.slice(0, 100)}" is not an email address`,
			'The user name has to be an email address, e.g. name@email.com.',
		);
	}
	return composed;
}

/** Reads a list of people. @throws InputError when it is empty or has a hole (`textList`), or one of them cannot be used */
export function readPeopleField(value: unknown, profile: ServiceProfile): PersonReference[] {
	const people = textList(value, 'People');
	if (people.length === 0) {
		throw new InputError('No users specified', 'Give IDs or emails, separated by commas.');
	}
	return people.map((entry) => readPerson(entry, profile));
}

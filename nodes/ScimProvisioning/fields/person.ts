import type {
	IExecuteFunctions,
	INodeParameterResourceLocator,
	INodeProperties,
	IDataObject,
} from 'n8n-workflow';

import {
	addressIn,
	attemptSync,
	composedName,
	InputError,
	isEmailAddress,
	looksLikeEmail,
	shown,
	isObject,
	listIn,
	textList,
} from '../../shared/util';
import { parameterText, failureOf } from '../../shared/run';
import { checkSegment } from '../../shared/http';
import {
	matchingBy,
	valueAt,
	type Attributes,
	type MatchAttribute,
	type ServiceProfile,
} from '../../shared/scim';
import { type KeyLookup, AbsentError } from '../../shared/access/facts';
import { type WantedUser, whoIs, type Settled } from '../../shared/access/changes';
import type { OperationContext } from '../context';
import type { CollectedAttributes } from './attributes';
import { rowReader, type Column } from './rows';

/** How a person is looked for, as a parameter or a row says. */
export type Lookup =
	/** `orEmail`: what no user has as the ID may be the email of one. */
	(
		| { by: 'id'; id: string; orEmail?: true }
		| { by: 'userName'; userName: string }
		/** `newName`: the user name of the user to be created. */
		| ({ by: Exclude<MatchAttribute, 'userName'> } & KeyLookup)
	) & {
		/** Other keys beside the one that decides: none of them may belong to another user. */
		also?: readonly FurtherKey[];
	};

/** One more key of the person in a row. */
export interface FurtherKey {
	by: 'id' | MatchAttribute;
	key: string;
	/** Whether the row gives it to the person: it may be of somebody else whom another row is about. */
	isGiven?: true;
}

/** What tells how people are named. */
type Naming = Pick<OperationContext, 'matching' | 'client'>;

/** Returns a person as the item names it. */
export function labelOf(reference: Lookup): string {
	if (reference.by === 'id') return reference.id;
	return reference.by === 'userName' ? reference.userName : reference.key;
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
			hint: 'Compared with the user name, unless Match Users By in Options says otherwise',
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
	naming: Naming & Pick<OperationContext, 'takesNames'>,
): Lookup {
	const locator = context.getNodeParameter('user', item) as INodeParameterResourceLocator | string;
	const [mode, value] =
		typeof locator === 'object' && locator !== null
			? [locator.mode, parameterText(locator.value)]
			: ['', parameterText(locator)];
	if (value === '') {
		throw new InputError('No user specified', 'Select one from the list, or enter an ID or email.');
	}
	if (mode === 'email') return readKey(value, naming);
	// An agent or an expression may give the bare text.
	if (mode === '') return readPerson(value, naming);
	const byId = idOf(value);
	return naming.takesNames && looksLikeEmail(value) ? { ...byId, orEmail: true } : byId;
}

/**
 * Reads a person from one text: with an @ it is an email, otherwise an ID; all are external IDs where people are matched
 * by those.
 * @param userName of the user to be created, where another one is given
 * @throws InputError
 */
export function readPerson(text: string, naming: Naming, userName?: string): Lookup {
	const value = text.trim();
	if (value === '') throw new InputError('A person is empty', 'Enter an ID or email.');
	const isKey = naming.matching.by === 'externalId' || looksLikeEmail(value);
	return isKey ? readKey(value, naming, userName) : idOf(value);
}

/** The columns by which any row names a person, beside what people are matched by. */
export const PERSON_COLUMNS = ['userId', 'person', 'userName', 'email'] as const;
/** The columns that name nobody by themselves, and must not name another person. */
export const ALSO_COLUMNS = ['externalId', 'emails'] as const;
type PersonColumn =
	(typeof PERSON_COLUMNS)[number] | (typeof ALSO_COLUMNS)[number] | MatchAttribute;

/**
 * Reads the person of a row, an output item or an entry of a list. `userId` decides, else what people are matched by, else
 * `person`; an email stands for a user name that is not given.
 * @param first columns that decide before those
 * @returns `key`: the column that decides
 */
export function personColumn(
	naming: Naming,
	first: readonly PersonColumn[] = [],
): Column<{ key: PersonColumn; reference: Lookup }> & {
	names: readonly string[];
	keys: readonly string[];
} {
	const { by } = naming.matching;
	const own = [...new Set<PersonColumn>([...PERSON_COLUMNS, by])];
	const names = [...new Set<PersonColumn>([...own, ...ALSO_COLUMNS])];
	const keys: PersonColumn[] = by === 'userName' ? [by, 'email'] : [by];
	const deciding: PersonColumn[] = [...first, 'userId', ...keys, 'person'];
	return {
		...{ names, keys: own },
		read(cells) {
			const key = deciding.find((one) => one in cells);
			if (key === undefined) return undefined;
			const userName = parameterText(cells.userName) || undefined;
			const reference = readPersonCell(key, parameterText(cells[key]), naming, userName);
			const also = names.flatMap((one) =>
				one === key || !(one in cells) ? [] : alsoIn(one, cells[one], naming),
			);
			return { key, reference: also.length === 0 ? reference : { ...reference, also } };
		},
	};
}

/** Whom another cell of a row names. @throws InputError for a value that is not understood: it may mean a person */
function alsoIn(column: PersonColumn, cell: unknown, naming: Naming): FurtherKey[] {
	if (column === 'emails') return mainEmails(cell).map((key) => ({ by: 'email', key }));
	const text = addressIn(parameterText(cell));
	if (text === '') throw neitherTextNorNumber(column);
	if (column === 'userId') return [{ by: 'id', key: text }];
	if (column === 'person') {
		const other = readPerson(text, naming);
		return [{ by: other.by, key: labelOf(other) }];
	}
	// What the service does not keep is no key.
	const isKept = column !== 'externalId' || naming.client.profile.keeps?.(column) !== false;
	return isKept ? [{ by: column, key: text }] : [];
}

/** Returns the main one of a list of emails, or all where none is. Tables keep such a list as text. */
export function mainEmails(given: unknown): string[] {
	const isText = typeof given === 'string';
	const list = attemptSync(() => listIn(given, 'emails'));
	const emails = list ?? (isText ? given.split(/[,;\r\n]/) : given);
	const user = { userName: '', attributes: { emails } };
	const { keyOf, keysOf } = matchingBy('email');
	const main = keyOf(user);
	return (main === '' ? keysOf(user) : [main]).filter(looksLikeEmail);
}

function neitherTextNorNumber(column: PersonColumn): InputError {
	return new InputError(`${column} is neither text nor a number`, 'Enter one person.');
}

/** Returns the person of a row as its cells have it: the first of these columns with a value. */
export function personText(values: unknown, columns: readonly string[]): string {
	for (const column of columns) {
		const text = addressIn(parameterText(valueAt(values, column)));
		if (text !== '') return text;
	}
	return '';
}

function readPersonCell(
	key: PersonColumn,
	text: string,
	naming: Naming,
	userName: string | undefined,
): Lookup {
	if (text === '') throw neitherTextNorNumber(key);
	if (key === 'userId') return idOf(text);
	if (key === 'person') return readPerson(text, naming, userName);
	if (key === 'email' && !looksLikeEmail(text)) {
		throw new InputError(
			`"${shown(text)}" is not an email`,
			'Enter an email, or name the person by a column of IDs, such as userId.',
		);
	}
	return readKey(text, naming, userName);
}

function idOf(value: string): { by: 'id'; id: string } {
	checkSegment(value);
	return { by: 'id', id: value };
}

/**
 * Reads what people are matched by. A user who is created for an email has it as user name too, unless a row gives another.
 * @throws InputError for a malformed email, and for a user name where the service keeps another one
 */
function readKey(
	value: string,
	{ matching: { by }, client: { profile } }: Naming,
	userName?: string,
): Lookup {
	const newName = userName === undefined ? {} : { newName: checkUserName(userName, profile) };
	if (by === 'externalId') return { by, key: value, ...newName };
	if (by === 'userName') {
		requireLastingNames(profile);
		return { by, userName: givenUserName(value, profile) };
	}
	if (!looksLikeEmail(value)) {
		throw new InputError(
			`"${shown(value)}" is not an email`,
			'Enter an email, or set Match Users By under Options to User Name.',
		);
	}
	const key = composedName(addressIn(value), true);
	return { by, key, newName: checkUserName(key, profile), ...newName };
}

/**
 * Refuses to match by user name.
 * @throws InputError where the service changes the user names that it is given
 */
export function requireLastingNames({ userNamesAreConverted }: ServiceProfile): void {
	if (!userNamesAreConverted) return;
	throw new InputError(
		'Users cannot be matched by user name: this service changes the user names it is given',
		'Set Match Users By under Options to Email. Nothing was sent.',
	);
}

/**
 * Adds what the person is matched by from then on to the attributes of the user to be created.
 * @throws InputError when they have another email or external ID than the person was named by
 */
export function withMatch(
	reference: Lookup,
	{ attributes, warnings }: CollectedAttributes,
): CollectedAttributes & Pick<WantedUser, 'matchBy'> {
	if (reference.by === 'id' || reference.by === 'userName') return { attributes, warnings };
	const { by, key } = reference;
	const { keyOf, fold, label } = matchingBy(by);
	const missing: Attributes =
		by === 'email' ? { emails: [{ value: key, primary: true }] } : { externalId: key };
	const whole = { ...missing, ...attributes };
	const given = keyOf({ userName: '', attributes: whole });
	if (fold(given) === fold(key)) return { attributes: whole, warnings, matchBy: by };
	throw new InputError(
		`${key} cannot be created with ${given === '' ? `several emails and no primary one` : `the ${label} ${given}`}`,
		`Enter the same ${label} in both places.`,
	);
}

/**
 * Checks a user name that is to be sent: as given, but composed, so that the service keeps one spelling of it.
 * @throws InputError
 */
export function checkUserName(text: unknown, profile: ServiceProfile): string {
	return givenUserName(text, profile).normalize('NFC');
}

/**
 * Reads a user name to look for, in the spelling that was given: without blanks around it, and an email address where the
 * service wants one.
 * @throws InputError
 */
export function givenUserName(text: unknown, profile: ServiceProfile): string {
	const userName = addressIn(parameterText(text));
	if (userName === '') {
		throw new InputError(
			'The user name is missing',
			'Enter the email address of the person. Check that the field of the item is not empty.',
		);
	}
	const composed = composedName(userName, profile.knowsPeopleByLogin || looksLikeEmail(userName));
	if (profile.knowsPeopleByLogin && !isEmailAddress(composed)) {
		throw new InputError(
			`"${userName.slice(0, 100)}" is not an email address`,
			'The user name has to be an email address, e.g. name@email.com.',
		);
	}
	return userName;
}

/**
 * Reads the list of people of an item: texts, or objects such as the items of another operation.
 * @throws InputError when it is empty or has a hole (`textList`), or one of them cannot be used
 */
export function readPeopleField(
	naming: Naming & Pick<OperationContext, 'context'>,
	item: number,
): Lookup[] {
	const { context, matching } = naming;
	const value = context.getNodeParameter('people', item);
	const list = listIn(value, 'People') ?? [];
	if (list.length > 0 && list.every(isObject)) {
		const missing = (entry: string, values: Attributes) =>
			new InputError(
				`Entry ${entry} of People names no person`,
				`Name a person by userId, person or ${matching.by}. A bare id names no user.${thereAre('It', values)}`,
			);
		const read = rowReader('{"email": "name@email.com"}', {
			person: { ...personColumn(naming), missing },
		});
		return list.map((values, index) => read({ row: `${index + 1}`, values }).person.reference);
	}
	const people = textList(value, 'People');
	if (people.length === 0) {
		const { json = {} } = context.getInputData().at(item) ?? {};
		throw new InputError(
			'No users specified',
			`Enter IDs or emails, separated by commas.${thereAre('The input item', json)}`,
		);
	}
	return people.map((entry) => readPerson(entry, naming));
}

/** Names the columns of what has none that was read: an expression with a wrong one gives nothing. */
function thereAre(what: string, values: object): string {
	const names = Object.keys(values);
	const more = names.length > MOST_COLUMNS ? `, and ${names.length - MOST_COLUMNS} more` : '';
	return names.length === 0
		? ''
		: ` ${what} has the columns ${names.slice(0, MOST_COLUMNS).map(shown).join(', ')}${more}.`;
}

const MOST_COLUMNS = 20;

/** On everything that takes access away. */
export const ifNotFoundOption: INodeProperties = {
	displayName: 'If Not Found',
	name: 'ifNotFound',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Fail', value: 'fail', description: 'The item fails' },
		{
			name: 'Treat as Already Gone',
			value: 'alreadyGone',
			description: 'Returns the item as unchanged, without proof',
		},
	],
	default: 'fail',
	description: 'What to do when no user matches',
	hint: 'With Retry On Fail, or a list that repeats leavers, choose Treat as Already Gone',
};

/** Tells whether a user who is not found counts as gone. @param options the Options collection */
export function treatsAsGone(options: IDataObject): boolean {
	return options.ifNotFound === 'alreadyGone';
}

/**
 * Makes the outcome of a person who could not be found.
 * @param action what was asked for, such as "offboard ana@example.com"
 * @param asGone whether a user who is not found counts as gone; a look-up that went wrong never is
 */
export function notFound(
	item: number,
	reference: Lookup,
	error: unknown,
	action = `find ${shown(labelOf(reference))}`,
	asGone = false,
): Settled {
	const subject = labelOf(reference);
	const { id, userName } = { id: undefined, userName: undefined, ...reference };
	const person = { ...(id !== undefined && { id }), ...(userName !== undefined && { userName }) };
	if (!asGone || !(error instanceof AbsentError)) {
		return { item, subject, outcome: failureOf(action, error), result: { who: whoIs(person) } };
	}
	return {
		item,
		subject,
		outcome: { status: 'unchanged', action, reason: `no user has this email or ID` },
		result: { who: { kind: 'gone', person } },
	};
}

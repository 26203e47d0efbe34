import type { INodeProperties } from 'n8n-workflow';

import { parameterText } from '../../shared/run';
import {
	accessReachedInPart,
	attribute,
	SCHEMA,
	valueAt,
	type Attributes,
	type Matching,
	type ServiceProfile,
} from '../../shared/scim';
import {
	addressIn,
	attemptSync,
	composedName,
	InputError,
	isObject,
	looksLikeEmail,
	cachedPerObject,
	memoized,
	shown,
} from '../../shared/util';
import type { OperationContext } from '../context';
import { readColumnMode, readMappedRow, readTruth } from './userAttributes';
import { columnsIn, likelyColumn, missingColumn } from './columns';
import { datesOf, type RowTime } from './dates';
import {
	isEmptyCell,
	readEmptyCells,
	withoutClearedAccount,
	type EmptyCells,
	type CollectedAttributes,
} from './attributes';
import {
	checkUserName,
	mainEmails,
	PERSON_COLUMNS,
	personColumn,
	personText,
	type FurtherKey,
	type Lookup,
} from './person';
import {
	attributeOfColumn,
	foreignFields,
	isAttributeName,
	isOwnField,
	notSentWarnings,
	pathOfColumn,
	rowAttributes,
} from './rowAttributes';
import {
	isBlankValue,
	isFromList,
	rowListFields,
	rowReader,
	type RawRow,
	type RowList,
	type RowReader,
} from './rows';
import { type UserRow } from '../../shared/access/plans';

/** The rows of who there should be. */
export const USERS: RowList = {
	from: 'usersFrom',
	json: 'usersJson',
	displayName: 'Users',
	example: '{"userName": "name@email.com", "name.givenName": "Ana", "title": "Engineer"}',
};

export const userRowFields: INodeProperties[] = rowListFields(
	USERS,
	'Where the rows come from: each is one person, with attributes',
);

/** A row of such a list, and its person. */
export interface NamedUserRow extends UserRow {
	reference: Lookup;
	time: RowTime;
	/** What people are matched by; empty where an ID alone names the person. */
	key: string;
}

/**
 * The reader of such rows. Empty cells of what names the person, and of `active`, are not given.
 * @returns a function that throws InputError for a row without the key, an empty text in a list, an attribute that is
 * access, and one that cannot be sent
 */
export const userRowReader = cachedPerObject(
	(operation: OperationContext): RowReader<NamedUserRow> => {
		const { matching, client, context } = operation;
		const { profile } = client;
		const emptyCells = readEmptyCells(context);
		const clearsEmail = emptyCells === 'clear' && matching.by !== 'email';
		const { isMapped } = readColumnMode(context);
		if (isMapped && isFromList(context, USERS)) throw notMapped();
		const nameOf = sentColumns(operation);
		const read = rowReader(USERS.example, {
			collected: {
				read(values, row) {
					return readAttributes(sentCells(values, nameOf), row, emptyCells, matching);
				},
			},
			userId: { names: ['userId'], read: ({ userId }) => parameterText(userId) || undefined },
			userName: { names: ['userName'], read: (cells) => checkUserName(cells.userName, profile) },
			email: { read: (values) => readEmail(attribute(values, 'email'), clearsEmail) },
		});
		const { read: readPersonCell } = personColumn(operation);
		const cellsOf = ({ item, values }: Pick<RawRow, 'item' | 'values'>) =>
			isMapped ? readMappedRow(context, item, emptyCells) : values;
		return {
			personIn: (values, item) =>
				attemptSync(() =>
					personText(cellsOf({ item, values }), [matching.by, ...PERSON_COLUMNS]),
				) ?? '',
			read(raw) {
				const { item, row } = raw;
				const values = cellsOf(raw);
				const { collected, email, userId, userName } = read({ row, values });
				const { attributes } = collected;
				// Beside the whole list, an empty cell says nothing more.
				const main = email === null && attributes.emails !== undefined ? undefined : email;
				checkKinds(row, attributes, main, profile);
				const wanted: UserRow = { item, row, ...collected, userName, email: main };
				const key = keyOfRow(wanted, matching);
				const { externalId } = attributes;
				const named = { userId, userName, externalId, [matching.by]: key };
				const cells = Object.entries(named).filter(([, cell]) => !isBlankValue(cell));
				const reference = readPersonCell(Object.fromEntries(cells), row)?.reference;
				if (reference === undefined)
					throw isMapped ? notInRow(row, matching) : namesNobody(row, values, matching);
				const whole = 'key' in reference && main ? { newName: main, ...reference } : reference;
				const time = datesOf(operation).read(isObject(raw.values) ? raw.values : {}, row);
				return { ...wanted, key, time, reference: withGivenEmails(whole, main, attributes) };
			},
		};
	},
);

/** An email that the row gives to its person must not be of somebody whom no row is about. */
function withGivenEmails(
	reference: Lookup,
	main: string | null | undefined,
	{ emails }: Attributes,
): Lookup {
	const given = (main ? [main] : mainEmails(emails)).map((key): FurtherKey => {
		return { by: 'email', key, isGiven: true };
	});
	return given.length === 0
		? reference
		: { ...reference, also: [...(reference.also ?? []), ...given] };
}

function notMapped(): InputError {
	return new InputError(
		'A JSON list is not mapped column by column',
		'Set Mapping Column Mode to Map Automatically, or Users From to Input Items.',
	);
}

/** What a column is sent as: as itself where it is mapped, or has the name of an attribute; undefined where it is not sent. */
const sentColumns = cachedPerObject(({ context }: OperationContext): NameOf => {
	const { isMapped, isOffered } = readColumnMode(context);
	return memoized((name) => {
		const isItself = isMapped || isOwnField(name) || isAttributeName(name) || isOffered(name);
		return isItself ? name : attributeOfColumn(name);
	});
});

/** Returns the cells that are sent, each under the name of its attribute. */
function sentCells(values: Attributes, nameOf: NameOf): Attributes {
	const columns = Object.keys(values);
	const sent: Attributes = {};
	for (const column of columns) {
		const name = nameOf(column);
		if (name === undefined) continue;
		const isMeant = name !== column;
		if (isMeant && (!isPlain(values[column]) || hasOther(columns, column, nameOf))) continue;
		sent[name] = values[column];
	}
	return sent;
}

type NameOf = (column: string) => string | undefined;

/** Whether a cell is no object or list: of such it is not known what it says. */
function isPlain(cell: unknown): boolean {
	return typeof cell !== 'object' || cell === null;
}

/**
 * Whether beside a column that only means an attribute there is another one for it, or for the whole of which it is a part: then
 * that one counts, or of two such columns none.
 */
function hasOther(columns: readonly string[], column: string, nameOf: NameOf): boolean {
	const path = nameOf(column)?.toLowerCase() ?? '';
	const enterprise = SCHEMA.enterpriseUser.toLowerCase();
	const whole = path.startsWith(enterprise) ? enterprise : path.split('.')[0];
	return columns.some((other) => {
		if (other === column) return false;
		// What is in there may be any attribute.
		if (other.toLowerCase() === 'attributes') return true;
		const name = pathOfColumn(nameOf(other) ?? '').toLowerCase();
		return [path, whole].includes(name) || attributeOfColumn(other)?.toLowerCase() === path;
	});
}

/** Makes the warning about columns of which nothing is sent. */
export function unsentColumns(
	rows: ReadonlyArray<{ values: unknown }>,
	operation: OperationContext,
): string[] {
	// Of a table that is mapped one by one, what is left out was left out on purpose.
	if (readColumnMode(operation.context).isMapped) return [];
	const nameOf = sentColumns(operation);
	const columns = columnsIn(rows);
	const isSent = (column: string) => {
		const name = nameOf(column);
		if (name === undefined || name === column) return name === column;
		const isRead = rows.every(({ values }) => !isObject(values) || isPlain(values[column]));
		return isRead && !hasOther(columns, column, nameOf);
	};
	const foreign = new Set(foreignFields(columns));
	// What a row without its person is told to rename has no other name besides.
	const { by } = operation.matching;
	const names = [by, ...PERSON_COLUMNS].map((name) => name.toLowerCase());
	const isNamed = columns.some((name) => names.includes(name.toLowerCase()));
	const renamed = isNamed ? undefined : likelyColumn(columns, ALIKE[by]);
	return notSentWarnings(
		columns.filter(
			(name) =>
				name !== renamed &&
				(!isSent(name) || foreign.has(name)) &&
				!datesOf(operation).includes(name),
		),
		'Rename what is to be sent, or map each column manually.',
	);
}

/** What in the name of another column resembles the one by which users are matched. */
const ALIKE: Record<Matching['by'], RegExp> = {
	email: /mail/,
	externalId: /external|employee|personnel/,
	userName: /user|login|mail|upn/,
};

function namesNobody(row: string, values: unknown, { by, label }: Matching): InputError {
	return missingColumn(row, values as Attributes, {
		...{ what: label, column: by, alike: ALIKE[by] },
		advice: (likely) =>
			`${likely === undefined ? 'Choose another Column to Match On' : `Rename ${likely} to ${by}`}, or map each column manually.`,
	});
}

function notInRow(row: string, { label }: Matching): InputError {
	return new InputError(
		`Row ${row} has no ${label}`,
		'It is empty in this row, or not mapped: use Add column to send, or choose another Column to Match On.',
	);
}

/** The key of a row; empty where it has none. An email stands for a user name that is not given. */
function keyOfRow({ userName, email, attributes }: UserRow, { keyOf }: Matching): string {
	return keyOf({
		userName: userName ?? email ?? '',
		attributes: { ...attributes, ...(email !== undefined && { emails: email }) },
	});
}

function readAttributes(
	values: Attributes,
	row: string,
	emptyCells: EmptyCells,
	{ by }: Matching,
): CollectedAttributes {
	const { attributes: read, warnings } = rowAttributes(values, {}, emptyCells, ['userName']);
	const attributes = withTexts(withoutClearedAccount(read));
	if (attributes.externalId === null && by === 'externalId') delete attributes.externalId;
	if (attributes.active !== undefined) {
		attributes.active = readTruth(`active of row ${row}`, attributes.active);
	}
	const empty = emptyIn(attributes);
	if (empty === undefined) return { attributes, warnings };
	throw new InputError(`${empty} of row ${row} is empty`, 'Leave the entry out of the list.');
}

/** @throws InputError for what is no attribute of a whole list of people */
function checkKinds(
	row: string,
	attributes: Attributes,
	email: unknown,
	profile: ServiceProfile,
): void {
	const access =
		profile.accessAttributes.find((path) => valueAt(attributes, path) !== undefined) ??
		accessReachedInPart(attributes, profile);
	if (access !== undefined) {
		throw new InputError(
			`Row ${row} has ${access}, which is access`,
			'Leave it out, and use Access Values of User: Update.',
		);
	}
	for (const name of Object.keys(attributes)) {
		if (name.includes('[')) {
			throw new InputError(
				`Row ${row} has ${shown(name)}, which cannot be compared`,
				'Enter the attribute as a whole, such as emails as a list.',
			);
		}
	}
	if (email !== undefined && attributes.emails !== undefined) {
		throw new InputError(
			`Row ${row} has email and emails`,
			'Keep one of them: email is the main one, emails are all.',
		);
	}
}

/** Reads an email; null for what is to be cleared. @throws InputError for what is none */
export function readEmail(value: unknown, clears: boolean): string | null | undefined {
	if (isBlankValue(value)) return clears && isEmptyCell(value) ? null : undefined;
	const text = addressIn(parameterText(value));
	if (looksLikeEmail(text)) return composedName(text, true);
	throw new InputError(`"${shown(text)}" is not an email`, 'Enter an address as email.');
}

/** The first attribute with an empty text in it, in the words of the row. */
function emptyIn(value: unknown): string | undefined {
	if (typeof value !== 'object' || value === null) return undefined;
	for (const [name, inner] of Object.entries(value)) {
		if (typeof inner === 'string' && inner.trim() === '') return name;
		const deeper = emptyIn(inner);
		if (deeper !== undefined) return `${name}.${deeper}`;
	}
	return undefined;
}

/** Tables make numbers of texts such as an employee number; only extensions have attributes that are numbers. */
function withTexts(attributes: Attributes): Attributes {
	return Object.fromEntries(
		Object.entries(attributes).map(([name, value]) => {
			const isForeign = /^urn:/i.test(name) && name !== SCHEMA.enterpriseUser;
			return [name, cleaned(value, !isForeign)];
		}),
	);
}

/** Without parts that are undefined. */
function cleaned(value: unknown, asText: boolean): unknown {
	if (Array.isArray(value)) return value.map((entry) => cleaned(entry, asText));
	if (isObject(value)) {
		return Object.fromEntries(
			Object.entries(value).flatMap(([name, inner]) =>
				inner === undefined ? [] : [[name, cleaned(inner, asText)]],
			),
		);
	}
	return typeof value === 'number' && asText ? String(value) : value;
}

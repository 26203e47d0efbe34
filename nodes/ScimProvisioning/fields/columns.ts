import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { parameterText } from '../../shared/run';
import { attribute, valueAt, type Attributes, type MatchAttribute } from '../../shared/scim';
import {
	cachedPerObject,
	InputError,
	isObject,
	shown,
	textList,
	withoutBreaks,
} from '../../shared/util';
import type { OperationContext } from '../context';
import { ALSO_COLUMNS, PERSON_COLUMNS } from './person';
import { foreignFields, isOwnField } from './rowAttributes';
import { isBlankValue, isTableField } from './rows';

/** What the source of a list calls what Reconcile reads. */
export interface AccessColumns {
	person: string;
	/** What the person column names people by; `person`: by ID or email. */
	names: 'person' | 'userId' | MatchAttribute;
	/** Whether that is the usual one, beside which an ID of the user decides. */
	isUsual: boolean;
	group: string;
	organization: string;
	role: string;
	/** Columns that are attributes of new users. */
	attributes: readonly string[];
}

type ColumnName = 'group' | 'organization' | 'person' | 'role';

/** As people see each column, its usual name, and what in a name resembles it. */
const COLUMNS: Record<ColumnName, { displayName: string; usual: string; alike: RegExp }> = {
	person: { displayName: 'Person', usual: 'email', alike: /mail|user|person|login|upn/ },
	group: { displayName: 'Group', usual: 'group', alike: /group|team/ },
	organization: {
		...{ displayName: 'Organization', usual: 'organization' },
		alike: /organi[sz]ation|org|company|team/,
	},
	role: { displayName: 'Role', usual: 'role', alike: /role|level|permission/ },
};

function columnField(name: ColumnName, description: string, accessBy?: string): INodeProperties {
	const { displayName, usual } = COLUMNS[name];
	return {
		...{ displayName, name, type: 'string', requiresDataPath: 'single', default: usual },
		...(accessBy && { displayOptions: { show: { '/accessBy': [accessBy] } } }),
		description,
	};
}

/** The columns of a list of access, each by its name. */
export const columnsField: INodeProperties = {
	displayName: 'Columns',
	name: 'accessColumns',
	type: 'collection',
	placeholder: 'Add Column',
	default: { person: 'email', group: 'group', organization: 'organization', role: 'role' },
	description:
		'Names of the columns in the list, in upper or lower case. Drag them from the input.',
	options: [
		columnField('person', 'Column with the email or ID of the person'),
		columnField('group', 'Column with the name or ID of the group', 'group'),
		columnField('organization', 'Column with the organization', 'organizationAndRole'),
		columnField('role', 'Column with the role in the organization', 'organizationAndRole'),
		{
			displayName: 'Attribute Columns',
			name: 'attributes',
			type: 'string',
			requiresDataPath: 'multiple',
			default: '',
			placeholder: 'e.g. name.givenName, title',
			description: 'Columns that are attributes of new users, each named as in SCIM',
			hint: 'Separate several with commas',
		},
	],
};

/**
 * Read once, from the first item.
 * @throws InputError for a person column of something else than what users are matched by
 */
export const readColumns = cachedPerObject(
	({ context, matching }: OperationContext): AccessColumns => {
		const given = context.getNodeParameter('accessColumns', 0, {}) as IDataObject;
		const nameOf = (name: ColumnName) =>
			withoutBrackets(parameterText(given[name])) || COLUMNS[name].usual;
		const chosen = nameOf('person');
		const isUsual = chosen.toLowerCase() === COLUMNS.person.usual;
		const person = isUsual && matching.by === 'externalId' ? matching.by : chosen;
		const names = NAMING.find((one) => one.toLowerCase() === person.toLowerCase()) ?? 'person';
		if (!isUsual && (names === 'userName' || names === 'externalId') && names !== matching.by) {
			throw new InputError(
				`The column of Person is ${person}, but users are matched by ${matching.label}`,
				`Set Person to a column with the ${matching.label}, or change Match Users By under Options.`,
			);
		}
		return {
			...{ person, names, isUsual },
			...{ group: nameOf('group'), organization: nameOf('organization'), role: nameOf('role') },
			attributes: textList(given.attributes, 'Attribute Columns').map(withoutBrackets),
		};
	},
);

const NAMING = ['userId', 'userName', 'email', 'externalId'] as const;

/** Returns the name of a column; n8n drags one whose name is no word as `["Job Title"]`. */
export function withoutBrackets(name: string): string {
	return withoutBreaks(/^\[(["'])(.+)\1\]$/.exec(name)?.[2] ?? name).trim();
}

/**
 * Returns the filled cells of a row under the names that readers of people and groups know. Items of this package have these
 * names, and need no other.
 */
export function accessCells(
	values: Attributes,
	{ person, names, group, organization, role }: AccessColumns,
): Attributes {
	const isUsual = group.toLowerCase() === COLUMNS.group.usual;
	const isId = group.toLowerCase() === 'groupid';
	const cells: Attributes = {};
	const fill = (name: string, cell: unknown) => {
		if (!isBlankValue(cell)) cells[name] = cell;
	};
	for (const name of ALWAYS_READ) fill(name, attribute(values, name));
	if (isUsual || isId) fill('groupId', attribute(values, 'groupId'));
	fill('group', isId ? attribute(values, 'group') : valueAt(values, group));
	fill('organization', valueAt(values, organization));
	fill('role', valueAt(values, role));
	fill(names, valueAt(values, person));
	return cells;
}

/** Under their own names, whichever columns were chosen. */
const ALWAYS_READ = [...PERSON_COLUMNS, ...ALSO_COLUMNS, 'via'];

/** Cells of the columns that are attributes of new users. */
export function attributeCells(values: Attributes, { attributes }: AccessColumns): Attributes {
	return Object.fromEntries(attributes.map((column) => [column, valueAt(values, column)]));
}

/** Makes the error of a row that has no value in a column. */
export function noColumn(
	name: ColumnName,
	row: string,
	values: Attributes,
	columns: AccessColumns,
): InputError {
	const { displayName, alike } = COLUMNS[name];
	return missingColumn(row, values, {
		...{ what: name, column: columns[name] },
		alike: columns[name] === 'externalId' ? /external|employee|personnel/ : alike,
		advice: (likely) => `Set ${displayName} to ${likely ?? 'one of them'}.`,
	});
}

/**
 * Makes the error of a row of any list that has no value in a column.
 * @param column its name, what it says, what in the name of another one resembles it, and what to do with that one
 */
export function missingColumn(
	row: string,
	values: Attributes,
	column: {
		column: string;
		what: string;
		alike: RegExp;
		advice(likely: string | undefined): string;
	},
): InputError {
	const message = `Row ${row} has no ${column.what}`;
	if (valueAt(values, column.column) !== undefined)
		return new InputError(
			message,
			`Its column ${shown(column.column)} is empty: fill it in, or leave the row out.`,
		);
	const others = Object.keys(values).filter((name) => !isTableField(name));
	const likely = likelyColumn(others, column.alike);
	return new InputError(
		message,
		`Its columns: ${others.map(shown).join(', ')}. ${column.advice(likely && shown(likely))}`,
	);
}

/** Finds the column that probably is the one that is missing. @param alike what resembles it in a name, of letters alone */
export function likelyColumn(columns: readonly string[], alike: RegExp): string | undefined {
	return columns.find((name) => alike.test(name.toLowerCase().replace(/[^a-z]/g, '')));
}

/** Lists the columns that are neither read nor sent. */
export function unusedColumns(
	rows: ReadonlyArray<{ values: unknown }>,
	{ person, group, organization, role, attributes }: AccessColumns,
): string[] {
	const used = [person, group, organization, role, ...attributes].map((name) => name.toLowerCase());
	const columns = columnsIn(rows);
	const foreign = new Set(foreignFields(columns));
	// What a row without its person or its group is told to choose is no attribute besides.
	const has = (name: string) => columns.some((one) => one.toLowerCase() === name.toLowerCase());
	const chosen = [
		...([person, ...PERSON_COLUMNS].some(has) ? [] : [COLUMNS.person]),
		...(has(group) || has(organization) ? [] : [COLUMNS.group]),
	].map(({ alike }) => likelyColumn(columns, alike));
	return columns.filter((column) => {
		const lower = column.toLowerCase();
		const isOwn = isOwnField(column) && !foreign.has(column);
		return (
			!isOwn &&
			!chosen.includes(column) &&
			!used.some((name) => name === lower || name.startsWith(`${lower}.`))
		);
	});
}

/** Lists the columns of a list. */
export function columnsIn(rows: ReadonlyArray<{ values: unknown }>): string[] {
	const all = new Set<string>();
	for (const { values } of rows) if (isObject(values)) for (const column in values) all.add(column);
	return [...all];
}

import type { INodeProperties } from 'n8n-workflow';

import type { GroupReference } from '../../shared/access/facts';
import type { WantedUser } from '../../shared/access/changes';
import { parameterText } from '../../shared/run';
import { attribute, valueAt, withWholeLists, type Attributes } from '../../shared/scim';
import { addressIn, attemptSync, isObject, cachedPerObject } from '../../shared/util';
import type { OperationContext } from '../context';
import { isByGroup, readEntry } from './assignments';
import { accessCells, attributeCells, noColumn, readColumns, type AccessColumns } from './columns';
import type { CollectedAttributes } from './attributes';
import { datesOf, type RowTime } from './dates';
import { createsMissing } from './people';
import {
	PERSON_COLUMNS,
	personColumn,
	personText,
	readPerson,
	withMatch,
	type Lookup,
} from './person';
import { rowAttributes } from './rowAttributes';
import {
	isBlankValue,
	notFields,
	rowListFields,
	type RawRow,
	type RowList,
	type RowReader,
} from './rows';

/** The rows of who should have what. */
export const DESIRED_ACCESS: RowList = {
	from: 'wantedFrom',
	json: 'wantedJson',
	displayName: 'Desired Access',
	example: '{"email": "name@email.com", "group": "Engineering"}',
};

export const rowFields: INodeProperties[] = rowListFields(
	DESIRED_ACCESS,
	'Where the rows come from: each names a person, and a group or an organization and role',
);

/** One row of Desired Access, read. */
export interface WantedRow extends CollectedAttributes, Pick<WantedUser, 'matchBy'> {
	item: number;
	/** What to call the row in messages. */
	row: string;
	reference: Lookup;
	group: GroupReference;
	time: RowTime;
}

/**
 * The reader of such rows. Attributes are read only where users may be created.
 * @returns a reader that throws InputError for a row without a person or without a group, for a malformed email, an
 * unknown organization name, a role that is none, and attributes that cannot be sent
 */
export const wantedRowReader = cachedPerObject(
	(operation: OperationContext): RowReader<WantedRow> => {
		const creates = createsMissing(operation.context);
		const columns = readColumns(operation);
		const { read: readPersonCell } = personColumn(
			operation,
			columns.isUsual ? [] : [columns.names],
		);
		const access = isByGroup(operation.context) ? 'group' : 'organization';
		const naming = [columns.person, ...PERSON_COLUMNS];
		return {
			personIn: (values) => personText(values, naming),
			read({ item, row, values }) {
				if (!isObject(values)) throw notFields(row, DESIRED_ACCESS.example);
				const cells = accessCells(values, columns);
				// Beside a column that was chosen, another one may be of another person, such as a manager.
				const isBlank = !columns.isUsual && isBlankValue(valueAt(values, columns.person));
				const reference = isBlank ? undefined : readPersonCell(cells, row)?.reference;
				if (reference === undefined) throw noColumn('person', row, values, columns);
				const isNamed = ['group', 'groupId', 'organization'].some((name) => name in cells);
				if (!isNamed) throw noColumn(access, row, values, columns);
				if (!('group' in cells || 'groupId' in cells || 'role' in cells))
					throw noColumn('role', row, values, columns);
				const group = readEntry(cells, operation, `Row ${row}`);
				const newcomer = creates
					? withMatch(reference, attributesOf(values, columns))
					: NO_ATTRIBUTES;
				const time = datesOf(operation).read(values, row);
				return { item, row, reference, group, time, ...newcomer };
			},
		};
	},
);

/** Of rows that create nobody. */
const NO_ATTRIBUTES: CollectedAttributes = { attributes: {}, warnings: [] };

/** What a new user is created with. */
function attributesOf(values: Attributes, columns: AccessColumns): CollectedAttributes {
	const email = attribute(attributeCells(values, columns), 'email');
	const { attributes, warnings } = rowAttributes(
		attributeCells(values, columns),
		isBlankValue(email) ? {} : { emails: [{ value: addressIn(parameterText(email)) }] },
		'leave',
		['userName', 'active'],
	);
	return { attributes: withWholeLists(attributes), warnings };
}

/** Returns the group that an unusable row is about, as far as that can be told. */
export function groupOfBadRow(
	{ row, values }: RawRow,
	operation: OperationContext,
): GroupReference | undefined {
	return isObject(values)
		? attemptSync(() => readEntry(accessCells(values, readColumns(operation)), operation, row))
		: undefined;
}

/** Returns the organization that an unusable row is about, where it names no group. */
export function organizationOfBadRow(
	{ values }: RawRow,
	operation: OperationContext,
): string | undefined {
	const cells = isObject(values) ? accessCells(values, readColumns(operation)) : {};
	return 'group' in cells || 'groupId' in cells
		? undefined
		: attemptSync(() => operation.organizations.idOf(parameterText(cells.organization)));
}

/** What stands between a person and something else in one text, such as a line of a table. */
const BETWEEN = /[\s,;|<>()"']+/;

/**
 * Lists all that an unusable row may mean: its person, and every email and known ID in it.
 * @returns undefined when that cannot be told
 */
export function peopleOfBadRow(
	{ values }: RawRow,
	isKnown: (id: string) => boolean,
	operation: OperationContext,
): Lookup[] | undefined {
	const { keys } = personColumn(operation);
	const cells = isObject(values) ? accessCells(values, readColumns(operation)) : {};
	const own = keys.map((name) => parameterText(cells[name])).filter((text) => text !== '');
	const words = textsIn(values).flatMap((text) => [text, ...text.split(BETWEEN)]);
	const known = words.filter(isKnown);
	const emails = words.filter((word) => word.includes('@') && !BETWEEN.test(word));
	const named = [...new Set([...own, ...emails, ...known])];
	// Without a person of its own, a name in another field may be that of another person, such as the manager.
	if (named.length === 0 || (own.length === 0 && isObject(values))) return undefined;
	return attemptSync(() => named.map((text) => readPerson(text, operation)));
}

function textsIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [parameterText(value)];
	return Array.isArray(value) ? value.flatMap(textsIn) : Object.entries(value).flatMap(textsIn);
}

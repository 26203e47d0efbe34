import type { INodeProperties } from 'n8n-workflow';

import type { GroupReference, ScimConnection, WantedUser } from '../../shared/access';
import { parameterText } from '../../shared/run';
import { attribute, type Attributes, type Matching } from '../../shared/scim';
import { attemptSync, InputError, isObject, madeOnce } from '../../shared/util';
import type { OperationContext } from '../context';
import { namesNoGroup, readEntry } from './assignments';
import type { CollectedAttributes } from './jsonAttributes';
import { createsMissing } from './people';
import {
	personColumn,
	personColumns,
	readPerson,
	withMatch,
	type Naming,
	type PersonReference,
} from './person';
import { GROUP_KEYS, rowAttributes } from './rowAttributes';
import { isBlankValue, rowListFields, rowReader, type RawRow, type RowList } from './rows';

/** The rows of who should have what. */
export const DESIRED_ACCESS: RowList = {
	from: 'wantedFrom',
	json: 'wantedJson',
	displayName: 'Desired Access',
	example: '{"email": "name@email.com", "group": "Engineering"}',
};

export const rowFields: INodeProperties[] = rowListFields(DESIRED_ACCESS, {
	description:
		'Where the rows come from: each names a person, and a group or an organization and role',
	hint: 'Keys: userId, person, userName or email; and group, groupId, or organization and role. Others: attributes of new users.',
});

/** One row of Desired Access, read. */
export interface WantedRow extends CollectedAttributes, Pick<WantedUser, 'matchBy'> {
	item: number;
	/** What to call the row in messages. */
	row: string;
	reference: PersonReference;
	group: GroupReference;
}

/**
 * The reader of such rows. Attributes are read only where somebody may be created.
 * @returns a function that throws InputError for a row without a person or without a group, for a malformed email, an
 * unknown organization name, a role that is none, and attributes that cannot be sent
 */
export const wantedRowReader = madeOnce((operation: OperationContext) => {
	const creates = createsMissing(operation.context);
	const read = rowReader(DESIRED_ACCESS.example, {
		person: personColumn(operation, (row, values) => namesNobody(row, values, operation.matching)),
		group: {
			names: [...GROUP_KEYS, 'via'],
			read: (cells, row) => readEntry(cells, operation, `Row ${row}`),
			missing: (row) => namesNoGroup(`Row ${row}`),
		},
		/** Which of it are attributes depends on how the person is named. */
		whole: { read: (values) => values },
	});
	return (raw: RawRow): WantedRow => {
		const { person, group, whole } = read(raw);
		const { key, reference } = person;
		const newcomer = creates
			? withMatch(reference, attributesOf(whole, key))
			: { attributes: {}, warnings: [] };
		return { item: raw.item, row: raw.row, reference, group, ...newcomer };
	};
});

function namesNobody(row: string, values: Attributes, matching: Matching): InputError {
	const hasGroup = GROUP_KEYS.some((key) => !isBlankValue(attribute(values, key)));
	return new InputError(
		hasGroup
			? `Row ${row} names no person`
			: `Row ${row} has values, but none for person and group`,
		`Rename the fields of the source: person, or one of ${namesOf(matching)}; group or groupId, or organization and role.`,
	);
}

function namesOf({ by }: Matching): string {
	return by === 'userName' ? 'userId, userName and email' : `userId and ${by}`;
}

/** What a new user is created with. */
function attributesOf(values: Attributes, key: string): CollectedAttributes {
	const email = key === 'email' ? '' : attribute(values, 'email');
	return rowAttributes(
		values,
		isBlankValue(email) ? {} : { emails: [{ value: parameterText(email) }] },
		'leave',
		['userName', 'active'],
	);
}

/** The group that a row that cannot be read is about, as far as that can be told. */
export function groupOfBadRow(
	{ row, values }: RawRow,
	connection: ScimConnection,
): GroupReference | undefined {
	return isObject(values) ? attemptSync(() => readEntry(values, connection, row)) : undefined;
}

/** The organization that it is about, where it names no group. */
export function organizationOfBadRow(
	{ values }: RawRow,
	{ organizations }: ScimConnection,
): string | undefined {
	const namesGroup = ['group', 'groupId'].some((key) => !isBlankValue(attribute(values, key)));
	return namesGroup
		? undefined
		: attemptSync(() => organizations.idOf(parameterText(attribute(values, 'organization'))));
}

/** What stands between a person and something else in one text, such as a line of a table. */
const BETWEEN = /[\s,;|<>()"']+/;

/**
 * Everybody whom a row that cannot be read may mean: its person, and every email and known id in it.
 * @returns undefined when that cannot be told
 */
export function peopleOfBadRow(
	{ values }: RawRow,
	isKnown: (id: string) => boolean,
	naming: Naming,
): PersonReference[] | undefined {
	const own = personColumns(naming)
		.map((key) => parameterText(attribute(values, key)))
		.filter((text) => text !== '');
	const words = textsIn(values).flatMap((text) => [text, ...text.split(BETWEEN)]);
	const known = words.filter(isKnown);
	const emails = words.filter((word) => word.includes('@') && !BETWEEN.test(word));
	const named = [...new Set([...own, ...emails, ...known])];
	// Without a person of its own, a name in another field may be somebody else's, such as the manager's.
	if (named.length === 0 || (own.length === 0 && isObject(values))) return undefined;
	return attemptSync(() => named.map((text) => readPerson(text, naming)));
}

function textsIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [parameterText(value)];
	return Array.isArray(value) ? value.flatMap(textsIn) : Object.entries(value).flatMap(textsIn);
}

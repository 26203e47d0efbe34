import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Settled } from '../../shared/access/changes';
import type { SummaryInput } from '../../shared/access/plans';
import { failureOf, isFailure, NEEDS_STEP, type Outcome } from '../../shared/run';
import { attribute, type Attributes } from '../../shared/scim';
import {
	checkDepth,
	InputError,
	isDeepEqual,
	isObject,
	listIn,
	messageOf,
	shown,
} from '../../shared/util';
import { InactiveError } from '../../shared/access/guards';
import { isEmptyCell } from './attributes';

/** A whole list that an operation takes from its input items, or from JSON. */
export interface RowList {
	/** Names of the parameters. */
	from: string;
	json: string;
	/** As people see it. */
	displayName: string;
	/** One row as JSON. */
	example: string;
}

/** Makes the fields that say where the rows come from. @param description what a row is for */
export function rowListFields(
	{ from, json, displayName, example }: RowList,
	description: string,
): INodeProperties[] {
	return [
		{
			displayName: `${displayName} From`,
			name: from,
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'Input Items', value: 'items', description: 'Each input item is one row' },
				{
					name: 'JSON',
					value: 'json',
					description: 'A list with all rows. Unlike input items, it can be empty.',
				},
			],
			default: 'items',
			description,
			hint: 'Turn on Always Output Data in the node before, or an empty list runs nothing. Put a Merge (Append) behind several sources, so that all rows are in one run.',
		},
		{
			displayName: `${displayName} (JSON)`,
			name: json,
			type: 'json',
			default: '={{ $json.rows }}',
			displayOptions: { show: { [from]: ['json'] } },
			description: 'All rows as one list',
			hint: `A list, e.g. [${example}]`,
		},
	];
}

/** Makes a field to which rows can be added. @param row what one is called @param values the fields in it */
export function rowsField(
	row: string,
	values: INodeProperties[],
	field: Pick<INodeProperties, 'displayName' | 'name' | 'description'> & Partial<INodeProperties>,
): INodeProperties {
	return {
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: `Add ${row}`,
		default: {},
		options: [{ displayName: row, name: row.toLowerCase(), values }],
		...field,
	};
}

/** Lists the rows of such a field: n8n lets no other value through. @param row name of a row in the field's value */
export function rowsOfField(value: unknown, row: string): unknown[] {
	const rows = attribute(value, row);
	return Array.isArray(rows) ? rows : [];
}

/** A row before it is looked at: the entry of the list, or the input item. */
export interface RawRow {
	item: number;
	/** What to call the row in messages: its number from 1, and its person. */
	row: string;
	values: unknown;
}

/** How the rows of a list are read. */
export interface RowReader<W> {
	/** The person of a row as its cells have it; empty where they name no person. */
	personIn(values: unknown, item: number): string;
	/** @throws InputError for a row that cannot be used */
	read(raw: RawRow): W;
}

/**
 * Returns a row with its columns under their plain names: files put a byte order mark, blanks or a line end around them. Of two
 * that then have one name and say something else, one keeps its own (`checkNames`).
 */
function withPlainNames(values: Attributes): Attributes {
	if (Object.keys(values).every((name) => name === name.trim())) return values;
	const plain: Attributes = {};
	for (const [name, value] of Object.entries(values)) {
		const own = name.trim();
		const other = attribute(plain, own);
		if (isBlankValue(other)) plain[own] = value;
		else if (!isBlankValue(value) && !isDeepEqual(value, other)) plain[`${own} `] = value;
	}
	return plain;
}

/** @throws InputError for a row with two columns of one name that say something else */
function checkNames(values: Attributes, row: string): void {
	const double = Object.keys(values).find((name) => name !== name.trim());
	if (double === undefined) return;
	throw new InputError(
		`Row ${row} has two columns ${shown(double.trim())} with different values`,
		'Blanks around the name of a column do not count: rename or remove one of them.',
	);
}

/** What tables add to every row of their own, also to a blank one: n8n's Data Table, and Google Sheets. */
const TABLE_FIELDS = new Set(['id', 'createdat', 'updatedat', 'row_number']);

/** Tells whether a field is the table's own, and has nothing to do with the person in a row. */
export function isTableField(name: string): boolean {
	return TABLE_FIELDS.has(name.toLowerCase());
}

/** Tells whether the rows come from JSON and not from input items. */
export function isFromList(context: IExecuteFunctions, { from }: RowList): boolean {
	return context.getNodeParameter(from, 0, 'items') === 'json';
}

function isBlankRow(values: Attributes): boolean {
	return Object.keys(values).every((name) => isBlankValue(values[name]) || isTableField(name));
}

/** Tells whether a value is blank. A value that was not understood is not: it may mean a person. */
export function isBlankValue(value: unknown): boolean {
	if (Array.isArray(value)) return value.every(isBlankValue);
	if (isObject(value)) return Object.values(value).every(isBlankValue);
	return value === undefined || isEmptyCell(value);
}

/** A row, read: what it wants, why it cannot be used, or that it says nothing. */
export type Row<W> = RawRow &
	({ kind: 'wanted'; wanted: W } | { kind: 'bad'; error: unknown } | { kind: 'blank' });

export type BadRow = Extract<Row<never>, { kind: 'bad' }>;

/** Reads the rows of an item: the item itself, or the entries of a list. Rows are told by numbers from 1, items as n8n does, from 0. @throws InputError when a list is none */
export function readRows<W>(
	context: IExecuteFunctions,
	item: number,
	list: RowList,
	{ personIn, read }: RowReader<W>,
): Array<Row<W>> {
	const rowOf = (number: string, given: unknown, isBlank: boolean): Row<W> => {
		const values = isObject(given) ? withPlainNames(given) : given;
		const person = isBlank ? '' : shown(personIn(values, item));
		const row = person === '' ? number : `${number} (${person})`;
		if (isBlank) return { item, row, values, kind: 'blank' };
		try {
			if (isObject(values) && values !== given) checkNames(values, row);
			return { item, row, values, kind: 'wanted', wanted: read({ item, row, values }) };
		} catch (error) {
			return { item, row, values, kind: 'bad', error };
		}
	};
	const inputs = context.getInputData();
	if (!isFromList(context, list)) {
		const { json, binary } = inputs[item];
		const row = `${item + 1}`;
		try {
			checkDepth(json, `Row ${row}`);
		} catch (error) {
			return [{ item, row, values: {}, kind: 'bad', error }];
		}
		return [rowOf(row, json, isBlankRow(json) && binary === undefined)];
	}
	const name = `${list.displayName} (JSON)`;
	const given = listIn(context.getNodeParameter(list.json, item), name);
	if (given === undefined) {
		throw new InputError(
			`${name} is not a list`,
			`Provide a list of objects, e.g. [${list.example}].`,
		);
	}
	const ofItem = inputs.length > 1 ? ` of item ${item}` : '';
	return given.map((values, row) =>
		rowOf(`${row + 1}${ofItem}`, values, isObject(values) && isBlankRow(values)),
	);
}

/** What rows say in one column, or in several that belong together, such as the ways to name a person. */
export interface Column<T> {
	/** Names of its cells, whatever their case; without any it is read from the whole row, always. */
	names?: readonly string[];
	/** @param cells the filled ones, by name @throws InputError for a cell that cannot be used */
	read(cells: Attributes, row: string): T | undefined;
	/** Of a column that every row has to have: the error of one that says nothing there. */
	missing?(row: string, values: Attributes): InputError;
}

/** What a row says, by column. */
type Said<T extends Record<string, Column<unknown>>> = {
	[K in keyof T]: T[K] extends Column<infer V>
		? T[K] extends { names: unknown; missing?: undefined }
			? V | undefined
			: V
		: never;
};

/**
 * Makes a reader of rows by a table of columns, which are read in their order.
 * @param example a row, for the error of what is none
 * @returns a function that throws InputError for a row that is no object, one without a column it has to have, and for
 *   cells that cannot be used
 */
export function rowReader<T extends Record<string, Column<unknown>>>(
	example: string,
	columns: T,
): (raw: Pick<RawRow, 'row' | 'values'>) => Said<T> {
	const table = Object.entries(columns);
	return ({ row, values: given }) => {
		if (!isObject(given)) throw notFields(row, example);
		const values = withPlainNames(given);
		if (values !== given) checkNames(values, row);
		const said: Record<string, unknown> = {};
		for (const [name, column] of table) {
			const cells = column.names ? cellsOf(values, column.names) : values;
			said[name] = cells && column.read(cells, row);
			if (said[name] === undefined && column.missing) throw column.missing(row, values);
		}
		return said as Said<T>;
	};
}

/** Makes the error of a row that is no object. @param example a row */
export function notFields(row: string, example: string): InputError {
	return new InputError(
		`Row ${row} is not an object with fields`,
		`Provide rows such as ${example}.`,
	);
}

function cellsOf(values: Attributes, names: readonly string[]): Attributes | undefined {
	let cells: Attributes | undefined;
	for (const name of names) {
		const cell = attribute(values, name);
		if (!isBlankValue(cell)) (cells ??= {})[name] = cell;
	}
	return cells;
}

/** Skips an item without values; in a list such a row has no outcome. */
export function blankRow({ kind, item, row }: Row<unknown>): Settled[] {
	if (kind !== 'blank') return [];
	const outcome = {
		status: 'skipped',
		action: `use row ${row}`,
		reason: 'the row is empty',
	} as const;
	return [{ item, subject: `row ${row}`, outcome }];
}

/** Makes the outcome of a row that cannot be used. */
export function unusableRow({ item, row, error }: Pick<BadRow, 'item' | 'row' | 'error'>): Settled {
	const outcome = failureOf(`use row ${row}`, error);
	return { item, subject: `row ${row}`, outcome, result: { source: row } };
}

const INACTIVE = 'inactive';

/**
 * Skips the parts of inactive people: a nightly list that still names them is no failure.
 * @returns the parts, with those of such people skipped
 */
export function skipInactive<P extends Settled>(parts: readonly P[]): P[] {
	const refusals = new Map(
		parts.flatMap(({ subject, outcome }) =>
			isFailure(outcome) && outcome.error instanceof InactiveError
				? [[subject, outcome.error] as const]
				: [],
		),
	);
	return parts.map((part) => {
		const { subject, outcome } = part;
		const why = isFailure(outcome) ? refusals.get(subject) : undefined;
		return why === undefined || !isOfInactive(outcome)
			? part
			: { ...part, outcome: skippedInactive(outcome.action, why) };
	});
}

/** Whether nothing else stands in the way: the account itself, or that its step was refused. */
function isOfInactive(outcome: Outcome): boolean {
	if (!isFailure(outcome)) return false;
	const { error, reason } = outcome;
	return error instanceof InactiveError || (error === undefined && reason.startsWith(NEEDS_STEP));
}

function skippedInactive(action: string, { message, description }: InactiveError): Outcome {
	return {
		...{ status: 'skipped', action, reason: INACTIVE },
		warnings: [`${message}. ${description}`],
	};
}

/** Lists rows that cannot be used, or followed, for the summary. */
export function unusableOf(settled: readonly Settled[]): SummaryInput['unusable'] {
	return settled.flatMap(({ outcome, result }) => {
		const reason = whyNotFollowed(outcome);
		return reason !== undefined && result?.source !== undefined
			? [rowAndReason(`row ${result.source}`, reason)]
			: [];
	});
}

function whyNotFollowed(outcome: Outcome): string | undefined {
	if (isFailure(outcome)) return outcome.reason;
	const isInactive = outcome.status === 'skipped' && outcome.reason === INACTIVE;
	return isInactive ? outcome.warnings?.at(0) : undefined;
}

/** A row that its reason begins with is named once. */
function rowAndReason(row: string, reason: string): SummaryInput['unusable'][number] {
	const isNamed = reason.toLowerCase().startsWith(`${row.toLowerCase()} `);
	return { row, reason: isNamed ? reason.slice(row.length + 1) : reason };
}

/** Lists items that cannot be used, for the summary. */
export function unreadableItems(refused: ReadonlyMap<number, unknown>): SummaryInput['unusable'] {
	return [...refused].map(([item, error]) => ({
		row: `item ${item}`,
		reason: messageOf(error),
	}));
}

/**
 * Refuses a part of a whole list: what is not in the list counts as unwanted, so n8n has to hand over all of its rows at
 * once.
 * @throws InputError where input items are the rows, and n8n passes one of them, or a part at a time
 */
export function requireWholeInput(context: IExecuteFunctions, list: RowList): void {
	if (isFromList(context, list)) return;
	const { displayName } = list;
	if (context.getNode().executeOnce === true) {
		throw new InputError(
			`Execute Once is on, so n8n passes only the first row of ${displayName}`,
			`Turn off Execute Once in the settings of the node. Nothing was read or sent.`,
		);
	}
	const sources = sourcesOf(context);
	if (sources.length < 2) return;
	throw new InputError(
		`${sources.length} connections lead into this node (${sources.join(', ')}): n8n runs it for each, with a part of ${displayName}`,
		'Put a Merge (Append) between them and this node. Nothing was read or sent.',
	);
}

/**
 * The enabled nodes that lead into this one, as far as the trigger of this execution reaches them. Two outputs of one node
 * are told apart by n8n-workflow 2.11 alone.
 */
function sourcesOf(context: IExecuteFunctions): string[] {
	const { name } = context.getNode();
	const namesBefore = (node: string, depth = -1) =>
		context.getParentNodes(node, { depth }).map((parent) => parent.name);
	const sources = context
		.getParentNodes(name, { depth: 1 })
		.flatMap((parent) => (parent.disabled ? [] : parent.name));
	if (sources.length < 2) return sources;
	const { $ } = context.getWorkflowDataProxy(0);
	const started = namesBefore(name).filter(
		(node) => namesBefore(node, 1).length === 0 && $(node).isExecuted === true,
	);
	const isReached = (node: string) =>
		[node, ...namesBefore(node)].some((one) => started.includes(one));
	return started.length === 0 ? sources : sources.filter(isReached);
}

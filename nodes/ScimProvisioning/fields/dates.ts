import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	gained,
	isValue,
	kindOf,
	type Change,
	type Until,
	type Person,
	type Settled,
} from '../../shared/access/changes';
import type { Most, RiskKind } from '../../shared/access/guards';
import { parameterText } from '../../shared/run';
import { valueAt, type Attributes, matchingBy } from '../../shared/scim';
import {
	attemptSync,
	cachedPerObject,
	clockIn,
	hasBegun,
	InputError,
	isLater,
	isObject,
	isOver,
	isReversed,
	readWhen,
	shown,
	textList,
	whenText,
	type When,
	addTo,
} from '../../shared/util';
import type { EndedRow } from '../../shared/access/plans';
import type { OperationContext } from '../context';
import { readTruth } from './userAttributes';
import { columnsIn, withoutBrackets } from './columns';
import { isBlankValue, type Row } from './rows';
import { labelOf, type Lookup } from './person';

/** When a row counts. */
export type RowTime =
	/** It counts now, and as long as that. */
	| { state: 'counts'; until?: Until; isDated: boolean }
	/** Nothing is given and nothing is taken for it yet; `isHeld`: nor of its person at all, whatever other rows say. */
	| { state: 'waits'; reason: string; isHeld: boolean }
	/** As if it were missing. */
	| { state: 'ended'; reason: string };

/** A row of a list, with when it counts. */
type DatedRow = Row<{ time: RowTime }>;

const STARTS_ON = 'Starts On';
const ENDS_ON = 'Ends On';
const HOLD = 'Hold';
/** What n8n uses where neither workflow nor instance has a time zone. */
const USUAL_ZONE = 'America/New_York';
/** Of a person who is left alone. */
export const ON_HOLD: RowTime = { state: 'waits', reason: 'on hold', isHeld: true };

/** Of a row of a list without dates. */
const ALWAYS: RowTime = { state: 'counts', isDated: false };

export function isOnHold(time: RowTime): boolean {
	return time.state === 'waits' && time.isHeld;
}

/** Somebody on hold has an account: by another name, the person would lose it. */
export function nobodyOnHold(row: string): InputError {
	return new InputError(
		`Row ${row} is on hold, and no user matches it`,
		'Nothing is removed until one does: correct the row, or leave it out.',
	);
}

function columnField(displayName: string, name: string, description: string): INodeProperties {
	return {
		...{ displayName, name, type: 'string', requiresDataPath: 'single', default: '' },
		...{
			description,
			placeholder: `e.g. ${displayName}`,
			hint: 'The name of the column, not its value',
		},
	};
}

/** Columns of a list that say when its rows count. */
export const datesField: INodeProperties = {
	displayName: 'Dates',
	name: 'dates',
	type: 'collection',
	placeholder: 'Add Column',
	default: {},
	description: 'Columns that say when a row counts. Drag them from the input.',
	options: [
		columnField(
			ENDS_ON,
			'endsOn',
			'Column with the last day. A later run treats the row as missing.',
		),
		columnField(
			HOLD,
			'hold',
			'Column that is true while nothing of the person is to be given, taken or changed',
		),
		{
			displayName: 'Not Used as Dates',
			name: 'notUsed',
			type: 'string',
			requiresDataPath: 'multiple',
			default: '',
			placeholder: 'e.g. hireDate',
			description: 'Columns that look like dates of employment and do not decide when a row counts',
			hint: 'Separate several with commas',
		},
		columnField(
			STARTS_ON,
			'startsOn',
			'Column with the first day. Before it a row changes nothing.',
		),
	],
};

/** The whole name of a column that says when somebody works here, without blanks, `_` and `-`. */
const DATE_COLUMN =
	/^((start|end|hire|join|entry|leave|exit|termination|last|contract|valid|effective)(s|d|ed)?){1,2}(working|employed|employment)?(date|day|on|from|until|to|till)$/i;

/** Tells whether the name of a column is that of a date of employment. */
function isDateColumn(name: string): boolean {
	return DATE_COLUMN.test(name.replace(/[\s_-]/g, ''));
}

/** A cell that is not a date. */
class DateError extends InputError {
	column = '';

	cell = '';
}

function notADate(row: string, column: string, cell: string): DateError {
	const error = new DateError(
		`Row ${row} has ${shown(cell)} in ${shown(column)}, which is not a date`,
		'Enter 2026-12-31, 2026-12-31T18:00:00+01:00, or the number of a spreadsheet. An empty cell is no date.',
	);
	return Object.assign(error, { column, cell });
}

/** What the list does with its columns of dates, read once, from the first item. */
interface Dates {
	/** @throws InputError for a cell that is not a date, and a start after the end */
	read(values: Attributes, row: string): RowTime;
	/** Says when a row has ended, also one that cannot be used otherwise; undefined where it has not. */
	endOf(row: DatedRow): string | undefined;
	/** Tells whether a row that cannot be used may be about somebody who is on hold. */
	mayHold(values: unknown): boolean;
	/** Tells whether a column is one of them. */
	includes(column: string): boolean;
	/** Says what is wrong with the list as a whole. */
	blockedBy(rows: readonly DatedRow[]): string[];
	/** Says how the dates were read, in the summary. */
	said(rows: readonly DatedRow[]): string[];
	warnings: string[];
	/** Limits that are lower because the list shows no end of anybody. */
	limits(rows: readonly DatedRow[]): ReadonlyMap<RiskKind, Most> | undefined;
}

export const datesOf = cachedPerObject(({ context }: OperationContext): Dates => {
	const given = context.getNodeParameter('dates', 0, {}) as IDataObject;
	const columnOf = (name: string) => withoutBrackets(parameterText(given[name]));
	const [startsOn, endsOn, hold] = ['startsOn', 'endsOn', 'hold'].map(columnOf);
	const mapped = [
		{ label: STARTS_ON, column: startsOn },
		{ label: ENDS_ON, column: endsOn },
		{ label: HOLD, column: hold },
	].filter(({ column }) => column !== '');
	const notUsed = new Set(
		textList(given.notUsed, 'Not Used as Dates').map((name) => columnKey(withoutBrackets(name))),
	);
	const isDated = startsOn !== '' || endsOn !== '';
	const zone = isDated ? context.getTimezone() : 'UTC';
	const clock = clockIn(zone, Date.now());
	const includes = (name: string) =>
		mapped.some(({ column }) => columnKey(column) === columnKey(name));
	const whenIn = (values: Attributes, column: string, row: string): When | undefined => {
		const cell = column === '' ? undefined : valueAt(values, column);
		if (isBlankValue(cell)) return undefined;
		const when = readWhen(cell, zone);
		if (when === undefined) throw notADate(row, column, parameterText(cell));
		return when;
	};
	const isHeld = (values: Attributes, row: string) => {
		const cell = hold === '' ? undefined : valueAt(values, hold);
		return !isBlankValue(cell) && readTruth(`${shown(hold)} of row ${row}`, cell);
	};
	const isEmptyIn = (column: string, rows: readonly DatedRow[]) =>
		rows.every(({ values }) => isBlankValue(valueAt(values, column)));
	const isLost = (column: string, rows: readonly DatedRow[]) =>
		rows.every(({ values }) => valueAt(values, column) === undefined);
	const isValueIn = (rows: readonly DatedRow[], text: string) =>
		rows.some(
			({ values }) => isObject(values) && Object.values(values).some((one) => one === text),
		);
	const hasNoEnds = (rows: readonly DatedRow[]) =>
		endsOn !== '' && rows.length > 0 && isEmptyIn(endsOn, rows);
	const read = (values: Attributes, row: string): RowTime => {
		if (mapped.length === 0) return ALWAYS;
		if (isHeld(values, row)) return ON_HOLD;
		const [from, until] = [startsOn, endsOn].map((column) => whenIn(values, column, row));
		if (from && until && isReversed(from, until, zone)) {
			throw new InputError(
				`Row ${row} starts on ${whenText(from)}, after its end on ${whenText(until)}`,
				'Correct one of the two dates, or leave the row out.',
			);
		}
		if (until && isOver(until, clock))
			return { state: 'ended', reason: `ended on ${whenText(until)}` };
		if (from && !hasBegun(from, clock))
			return { state: 'waits', reason: `starts on ${whenText(from)}`, isHeld: false };
		return {
			...{ state: 'counts', isDated: (from ?? until) !== undefined },
			...(until && { until: { ...until, zone } }),
		};
	};
	const endOf = (row: DatedRow) => {
		const { values } = row;
		const time =
			row.kind === 'wanted'
				? row.wanted.time
				: attemptSync(() => (isObject(values) ? read(values, row.row) : undefined));
		return time?.state === 'ended' ? time.reason : undefined;
	};
	return {
		...{ includes, read, endOf },
		mayHold(values) {
			const told = attemptSync(() => ({ is: isObject(values) && isHeld(values, '') }));
			return hold !== '' && told?.is !== false;
		},
		blockedBy(rows) {
			const unread = columnsIn(rows).filter(
				(name) => isDateColumn(name) && !includes(name) && !notUsed.has(columnKey(name)),
			);
			const lost = mapped.filter(({ column }) => rows.length > 0 && isLost(column, rows));
			return [
				...(unread.length > 0 ? [unreadColumns(unread)] : []),
				...lost.map(({ label, column }) =>
					isValueIn(rows, column)
						? `${label} is ${shown(column)}, a value. Enter the name of its column under Dates.`
						: `No row has the column ${shown(column)} of ${label}. Check the source, or choose another column under Dates.`,
				),
				...unreadableDates(rows),
			];
		},
		said(rows) {
			if (mapped.length === 0) return [];
			const times = rows.flatMap((row) => (row.kind === 'wanted' ? row.wanted.time : []));
			const held = times.filter((time) => time.state === 'waits' && time.isHeld).length;
			const waiting = times.filter(({ state }) => state === 'waits').length - held;
			const ended = rows.filter((row) => endOf(row) !== undefined).length;
			return [
				...(isDated
					? [
							`Dates are those of ${zone}, where today is ${clock.today}. Rows that have not started: ${waiting}. Rows that have ended: ${ended}.`,
						]
					: []),
				...(hold === '' ? [] : [`Rows on hold: ${held}.`]),
				...(hasNoEnds(rows)
					? [`No row has an end: ${shown(endsOn)} is empty in all of them.`]
					: []),
			];
		},
		warnings:
			isDated && zone === USUAL_ZONE && !hasOwnZone(context.getWorkflowSettings().timezone)
				? [
						`Days begin at midnight in ${zone}, because the workflow has no time zone of its own. Set Timezone in the settings of the workflow.`,
					]
				: [],
		limits(rows) {
			if (!hasNoEnds(rows)) return undefined;
			return new Map([
				[
					'reactivations',
					{ people: 0, words: `the limit of 0 (${shown(endsOn)} is empty in every row)` },
				],
			]);
		},
	};
});

function hasOwnZone(timezone: unknown): boolean {
	return typeof timezone === 'string' && !['', 'DEFAULT'].includes(timezone);
}

function columnKey(name: string): string {
	return name.trim().toLowerCase();
}

function unreadColumns(names: readonly string[]): string {
	const [looks, it] =
		names.length === 1
			? ['this column looks like a date', 'it']
			: ['these look like dates', 'them'];
	return `${names.map(shown).join(', ')}: ${looks} of employment, and a row counts whatever it says there. Choose ${it} under Dates as ${STARTS_ON} or ${ENDS_ON}, or enter ${it} under Not Used as Dates.`;
}

/** How dates are written elsewhere, and what n8n makes of them. */
const FORMATS: ReadonlyArray<readonly [pattern: RegExp, convert: (cell: string) => string]> = [
	[/^\d\d\.\d\d\.\d{4}$/, (cell) => fromFormat(cell, 'dd.MM.yyyy')],
	[/^\d{1,2}\.\d{1,2}\.\d{4}$/, (cell) => fromFormat(cell, 'd.M.yyyy')],
	[/^(1[3-9]|2\d|3[01])\/\d{1,2}\/\d{4}$/, (cell) => fromFormat(cell, 'd/M/yyyy')],
	[/^\d{1,2}\/\d{1,2}\/\d{4}$/, (cell) => fromFormat(cell, 'M/d/yyyy')],
	[/^\d{4}\/\d\d\/\d\d$/, (cell) => fromFormat(cell, 'yyyy/MM/dd')],
	[/^\d{4}-\d\d-\d\dT\d\d:\d\d/, (cell) => `DateTime.fromISO(${cell}).toISO()`],
];

function fromFormat(cell: string, format: string): string {
	return `DateTime.fromFormat(${cell}, '${format}').toISODate()`;
}

/** Says once that no row can be used for the same column of dates, with what converts it. */
function unreadableDates(rows: readonly DatedRow[]): string[] {
	const filled = rows.filter(({ kind }) => kind !== 'blank');
	const errors = filled.flatMap((row) =>
		row.kind === 'bad' && row.error instanceof DateError ? row.error : [],
	);
	const [first] = errors;
	const isSame =
		errors.length === filled.length && errors.every((one) => one.column === first.column);
	if (first === undefined || !isSame) return [];
	const { column } = first;
	const path = /^[a-z_$][\w$]*(\.[a-z_$][\w$]*)*$/i.test(column)
		? `$json.${column}`
		: `$json[${JSON.stringify(column)}]`;
	// A day above 12 tells which way round dates with slashes are.
	const [convert = (cell: string) => fromFormat(cell, 'dd.MM.yyyy'), cell = first.cell] =
		FORMATS.flatMap(([pattern, by]) =>
			errors.filter((one) => pattern.test(one.cell)).map((one) => [by, one.cell] as const),
		).at(0) ?? [];
	return [
		`No row has a date in ${shown(column)} that can be read, such as ${shown(cell)}. Convert the column before this node with {{ ${convert(path)} }}, with the format that it has.`,
	];
}

/**
 * Adds to changes that give something the end of the rows that want them.
 * @param timesOf the rows that want a change
 */
export function withEnds(
	changes: readonly Change[],
	timesOf: (change: Change) => readonly RowTime[],
): Change[] {
	return changes.map((change) => {
		const until = givesSomething(change) ? lastEnd(timesOf(change)) : undefined;
		return until ? { ...change, restsOn: [...change.restsOn, { on: 'until', until }] } : change;
	});
}

function givesSomething(change: Change): boolean {
	if (change.about === 'entitlement') return gained(change).length > 0;
	return kindOf(change) !== 'deactivated' && kindOf(change) !== 'deleted';
}

/** The last of several ends; undefined where one of them has none. */
function lastEnd(times: readonly RowTime[]): Until | undefined {
	const ends = times.flatMap((time) => (time.state === 'counts' ? [time.until] : []));
	return ends.includes(undefined) || ends.length === 0
		? undefined
		: ends.reduce((last, one) => (last && one && isLater(one, last, one.zone) ? one : last));
}

/** Lists the keys of the groups that a change gives. */
export function groupsGiven(change: Change): string[] {
	if (change.about !== 'entitlement') return [];
	return gained(change).flatMap((one) => (isValue(one) ? [] : one.key));
}

interface TimedRow {
	item: number;
	row: string;
	reference: Lookup;
	time: RowTime;
}

/**
 * Finds the rows of a person that have ended, by what is known of the person already: ten years of leavers cost no request.
 */
export function endedRows<R extends TimedRow>(
	rows: readonly R[],
	{ client }: Pick<OperationContext, 'client'>,
): (person: Omit<Person, 'key'>) => R[] {
	const byKey = new Map<string, R[]>();
	for (const row of rows) {
		if (row.time.state !== 'ended') continue;
		const { reference } = row;
		addTo(byKey, keyOf(reference.by, labelOf(reference)), row);
	}
	if (byKey.size === 0) return () => [];
	return ({ id, userName }) => {
		const user = id === undefined ? undefined : client.facts.lastRead(id);
		const keys = [
			...(id === undefined ? [] : [keyOf('id', id)]),
			...[userName, user?.userName].flatMap((name) =>
				name === undefined ? [] : keyOf('userName', name),
			),
			...(['email', 'externalId'] as const).flatMap((by) =>
				(user ? matchingBy(by).keysOf(user) : []).map((key) => keyOf(by, key)),
			),
		];
		return [...new Set(keys)].flatMap((key) => byKey.get(key) ?? []);
	};
}

function keyOf(by: Lookup['by'], label: string): string {
	return `${by}\n${by === 'id' ? label : matchingBy(by).fold(label)}`;
}

/** Says which row has ended, and when, without the person, who is named beside it. */
export function becauseOf({ item, row, time }: TimedRow): EndedRow {
	const number = row.replace(/ \([^]*\)$/, '');
	return { item, source: row, why: `row ${number} ${'reason' in time ? time.reason : ''}`.trim() };
}

/** Says that a row without dates keeps what another one of the person has ended. */
export function keepsWarning(row: string, ended: TimedRow): string {
	return `Row ${row} has no dates, so what row ${ended.row} ended stays.`;
}

/** Drops rows that cannot be used and have ended anyway: they count as missing. */
export function withoutEndedFaults<W extends { time: RowTime }>(
	rows: ReadonlyArray<Row<W>>,
	operation: OperationContext,
): Array<Row<W>> {
	const { endOf } = datesOf(operation);
	return rows.filter((row) => row.kind !== 'bad' || endOf(row) === undefined);
}

/** Skips the input items that ended without anything left to take, which have no other outcome. */
export function endedItems(
	rows: ReadonlyArray<Row<{ time: RowTime }>>,
	changes: readonly Change[],
	settled: readonly Settled[],
	operation: OperationContext,
): Settled[] {
	const { endOf } = datesOf(operation);
	const told = new Set([
		...changes.flatMap(({ items }) => items),
		...settled.map(({ item }) => item),
	]);
	return rows.flatMap((row): Settled[] => {
		const reason = told.has(row.item) ? undefined : endOf(row);
		if (reason === undefined) return [];
		const outcome = { status: 'skipped', action: `use row ${row.row}`, reason } as const;
		return [{ item: row.item, subject: `row ${row.row}`, outcome, result: { source: row.row } }];
	});
}

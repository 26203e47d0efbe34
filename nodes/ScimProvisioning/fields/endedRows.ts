import type { Change, Member, Settled } from '../../shared/access/changes';
import type { EndedRow } from '../../shared/access/plans';
import { matchingBy } from '../../shared/scim';
import { addTo } from '../../shared/util';
import type { OperationContext } from '../context';
import type { RowTime } from './dates';
import { labelOf, type PersonReference } from './person';
import type { Row } from './rows';

interface TimedRow {
	item: number;
	row: string;
	reference: PersonReference;
	time: RowTime;
}

/**
 * Finds the rows of a person that have ended, by what is known of the person already: ten years of leavers cost no request.
 */
export function endedRows<R extends TimedRow>(
	rows: readonly R[],
	{ client }: Pick<OperationContext, 'client'>,
): (person: Pick<Member, 'id' | 'userName'>) => R[] {
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

function keyOf(by: PersonReference['by'], label: string): string {
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

/** Skips the input items that ended without anything left to take, which have no other outcome. */
export function endedItems(
	rows: ReadonlyArray<Row<TimedRow>>,
	changes: readonly Change[],
	settled: readonly Settled[],
): Settled[] {
	const told = new Set([
		...changes.flatMap(({ items }) => items),
		...settled.map(({ item }) => item),
	]);
	return rows.flatMap((row): Settled[] => {
		if (row.kind !== 'wanted' || row.wanted.time.state !== 'ended' || told.has(row.item)) return [];
		const { item, reference, time } = row.wanted;
		const outcome = {
			status: 'skipped',
			action: `use row ${row.row}`,
			reason: time.reason,
		} as const;
		return [{ item, subject: labelOf(reference), outcome, result: { source: row.row } }];
	});
}

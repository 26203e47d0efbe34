import type { IExecuteFunctions } from 'n8n-workflow';

import {
	blankRow,
	isBlankValue,
	isFromList,
	isTableField,
	readRows,
	rowListFields,
	rowReader,
	unreadableItems,
	unusableOf,
	unusableRow,
	type RowList,
} from '../../../../nodes/ScimProvisioning/fields/rows';
import { InputError, listIn } from '../../../../nodes/shared/util';

const LIST: RowList = {
	...{ from: 'rowsFrom', json: 'rowsJson', displayName: 'People', example: '{"userName": "ana"}' },
};

function contextOf(items: object[], json?: unknown): IExecuteFunctions {
	const given: Record<string, unknown> = {
		rowsJson: json,
		...(json !== undefined && { rowsFrom: 'json' }),
	};
	return {
		getInputData: () => items,
		getNodeParameter: (name: string, _: number, fallback: unknown) => given[name] ?? fallback,
	} as unknown as IExecuteFunctions;
}

const nameOf = rowReader(LIST.example, {
	userName: {
		names: ['userName'],
		read: ({ userName }) => String(userName),
		missing: (row: string) => new InputError(`Row ${row} names nobody`, ''),
	},
});

const personIn = (values: unknown) => String((values as { mail?: string } | undefined)?.mail ?? '');

describe('rows, read', () => {
	const read = (context: IExecuteFunctions, item = 0) =>
		readRows(context, item, LIST, { personIn, read: nameOf }).map((one) => {
			if (one.kind === 'wanted') return `${one.item} ${one.row}: ${one.wanted.userName}`;
			return `${one.item} ${one.row}: ${one.kind === 'bad' ? (one.error as Error).message : 'blank'}`;
		});
	const item = (json: object, more = {}) => ({ json, ...more });

	it.each<[string, IExecuteFunctions, number, string[]]>([
		['an item', contextOf([item({}), item({ USERNAME: 'ana' })]), 1, ['1 2: ana']],
		['an empty item', contextOf([item({ id: 3, createdAt: 'now', x: ' ' })]), 0, ['0 1: blank']],
		[
			'an empty item with a file',
			contextOf([item({}, { binary: {} })]),
			0,
			['0 1: Row 1 names nobody'],
		],
		['an item of others', contextOf([item({ mail: 'a' })]), 0, ['0 1 (a): Row 1 (a) names nobody']],
		[
			'a list',
			contextOf([item({})], [{ userName: 'ana' }, {}, 'ben', undefined, { x: 0 }]),
			0,
			[
				'0 1: ana',
				'0 2: blank',
				'0 3: Row 3 is not an object with fields',
				'0 4: Row 4 is not an object with fields',
				'0 5: Row 5 names nobody',
			],
		],
		[
			'a list as text, of one of several items',
			contextOf([item({}), item({})], '[{"userName":"ana"}]'),
			1,
			['1 1 of item 1: ana'],
		],
		['an empty list', contextOf([item({})], '[]'), 0, []],
	])('%s', (_, context, index, rows) => {
		expect(read(context, index)).toEqual(rows);
	});

	it.each([['{}'], ['x'], [{ userName: 'ana' }]])('the list %j is none', (json) => {
		expect(() => read(contextOf([item({})], json))).toThrow('People (JSON) is not a list');
	});

	it('nested too deeply', () => {
		let deep: object = {};
		for (let depth = 0; depth < 60; depth++) deep = { deep };
		const all = read(contextOf([item(deep)]));
		expect(all).toEqual([expect.stringContaining('1: Row 1 has values in values')]);
		expect(() => listIn([deep], 'Groups')).toThrow('Groups has values in values');
	});

	it('come from a list only where that is chosen', () => {
		expect([contextOf([]), contextOf([], [])].map((one) => isFromList(one, LIST))).toEqual([
			false,
			true,
		]);
	});
});

describe('a table of columns', () => {
	const reader = rowReader(LIST.example, {
		whole: { read: (cells: object) => Object.keys(cells).length },
		name: { names: ['first', 'last'], read: (cells: object, row: string) => ({ row, ...cells }) },
		title: { names: ['title'], read: (cells: object) => cells },
	});
	const said = (values: unknown) => reader({ row: '4', values });

	it.each<[string, object, object]>([
		[
			'filled cells alone, by the names of the column',
			{ First: 'Ana', last: ' ', x: 1 },
			{ whole: 3, name: { row: '4', first: 'Ana' } },
		],
		[
			'both cells',
			{ first: 'Ana', last: 'Sy' },
			{ whole: 2, name: { row: '4', first: 'Ana', last: 'Sy' } },
		],
		['a cell that is not there is none', { title: undefined }, { whole: 1 }],
		['a list without a value is none', { title: [] }, { whole: 1 }],
		['a filled cell', { title: 'Boss' }, { whole: 1, title: { title: 'Boss' } }],
	])('%s', (_, values, columns) => {
		expect(said(values)).toEqual(columns);
	});

	it.each([[null], ['ana'], [undefined], [7]])('%j is no row', (values) => {
		expect(() => said(values)).toThrow('Row 4 is not an object with fields');
	});
});

it.each<[unknown, boolean]>([
	[undefined, true],
	[null, true],
	[' ', true],
	[[], true],
	[[null, ' '], true],
	[{ a: { b: '' } }, true],
	[0, false],
	[false, false],
	['x', false],
	[['', 'x'], false],
	[{ a: '', b: { c: 1 } }, false],
])('whether %j is blank: %j', (value, is) => {
	expect(isBlankValue(value)).toBe(is);
});

it('what tables add themselves', () => {
	const names = ['ID', 'createdAt', 'updatedAt', 'row_number', 'userName'];
	expect(names.filter(isTableField)).toEqual(names.slice(0, 4));
});

it.each<[string, unknown, unknown[] | undefined]>([
	['a list', ['a'], ['a']],
	['a sparse one', Object.assign(new Array(2), { 1: 'a' }), [undefined, 'a']],
	['its text', ' ["a"] ', ['a']],
	['a text with a bracket that is no JSON', '[a', undefined],
	['another text', 'a', undefined],
	['the text of an object', '{}', undefined],
	['an object', { length: 1 }, undefined],
])('the entries of %s', (_, value, list) => {
	expect(listIn(value, 'Groups')).toEqual(list);
});

describe('what comes of rows that cannot be used', () => {
	const raw = { item: 2, row: '5', values: {}, isBlank: true };
	const unusable = unusableRow({ ...raw, error: new InputError('no name', '') });

	it('a blank one is skipped, any other is no item', () => {
		expect(blankRow({ ...raw, kind: 'blank' })).toMatchObject([
			{ item: 2, subject: 'row 5', outcome: { status: 'skipped', reason: 'the row is empty' } },
		]);
		expect(blankRow({ ...raw, kind: 'bad', error: '' })).toEqual([]);
	});

	it('a bad one fails, and is in the summary', () => {
		expect(unusable).toMatchObject({ item: 2, subject: 'row 5', outcome: { status: 'failed' } });
		const done = { ...unusable, outcome: { status: 'done', action: '' } as const };
		const ofPerson = { ...unusable, result: undefined };
		const ofNobody = { ...unusable, result: {} };
		const named = unusableRow({ ...raw, error: new InputError('Row 5 has no name', '') });
		expect(unusableOf([unusable, done, ofPerson, ofNobody, named])).toEqual([
			{ row: 'row 5', reason: 'no name' },
			{ row: 'row 5', reason: 'has no name' },
		]);
	});

	it('items that cannot be read', () => {
		const refused = new Map<number, unknown>([
			[0, new Error('no name')],
			[3, 'a text'],
		]);
		expect(unreadableItems(refused)).toEqual([
			{ row: 'item 0', reason: 'no name' },
			{ row: 'item 3', reason: 'a text' },
		]);
	});
});

it('the fields of a list', () => {
	const [from, json] = rowListFields(LIST, 'One person each');
	expect(from).toMatchObject({
		...{ displayName: 'People From', name: 'rowsFrom', noDataExpression: true, default: 'items' },
		description: 'One person each',
		options: [{ value: 'items' }, { value: 'json' }],
	});
	expect(json).toMatchObject({
		...{ displayName: 'People (JSON)', name: 'rowsJson', default: '={{ $json.rows }}' },
		displayOptions: { show: { rowsFrom: ['json'] } },
	});
});

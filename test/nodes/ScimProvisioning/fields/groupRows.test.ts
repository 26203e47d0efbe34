import type { IExecuteFunctions } from 'n8n-workflow';

import {
	groupRowsField,
	readGroupRows,
	readRunRows,
} from '../../../../nodes/ScimProvisioning/fields/groupRows';

const rows = (...group: unknown[]) => ({ group: group.map((one) => ({ group: one })) });

it.each<[string, unknown, string[]]>([
	['rows', rows('VPN', ' app-* ', 7), ['VPN', 'app-*', '7']],
	['a row whose expression gave a list', rows('VPN', ['a, b', 'c']), ['VPN', 'a, b', 'c']],
	['a row whose expression gave the text of a list', rows('["a","b"]'), ['a', 'b']],
	['no rows', {}, []],
	['rows of which there are none', { group: [] }, []],
])('%s', (_, value, groups) => {
	expect(readGroupRows(value, 'Groups')).toEqual(groups);
});

it.each<[string, unknown, string]>([
	['an empty row', rows('VPN', ' '), 'Row 2 of Groups is empty'],
	['an empty list in a row', rows([]), 'Row 1 of Groups is empty'],
	['a list with an empty text', rows(['VPN', '']), 'Row 1 of Groups is empty'],
	['a row without value', rows(null), 'Row 1 of Groups is empty'],
	['a row that is an object', rows({ id: 'VPN' }), 'Row 1 of Groups is empty'],
])('%s is refused', (_, value, message) => {
	expect(() => readGroupRows(value, 'Groups')).toThrow(message);
});

describe('rows that count for the whole run', () => {
	function read(values: unknown[], isOption: boolean) {
		const context = {
			getInputData: () => values.map(() => ({ json: {} })),
			getNodeParameter: (name: string, item: number, fallback: unknown) => {
				const value = values[item];
				if (name === 'options') return value === undefined ? fallback : { managed: value };
				return name === 'managed' ? (value ?? fallback) : undefined;
			},
		} as unknown as IExecuteFunctions;
		return () =>
			readRunRows(context, { name: 'managed', displayName: 'Only These Groups', isOption });
	}

	it.each<[string, unknown[], boolean, string[]]>([
		['of a field', [rows('VPN'), rows(['VPN'])], false, ['VPN']],
		['of an empty field', [{}, undefined], false, []],
		['of an option', [rows('VPN', 'app')], true, ['VPN', 'app']],
		['of an option that was not added', [undefined, undefined], true, []],
		['without any item', [], true, []],
	])('%s', (_, values, isOption, groups) => {
		expect(read(values, isOption)()).toEqual(groups);
	});

	it.each<[string, unknown[], boolean, string]>([
		['an option that n8n emptied', [{}], true, 'Only These Groups is empty'],
		[
			'an option of one item',
			[rows('VPN'), undefined],
			true,
			'is VPN for item 0 and empty for item 1',
		],
		[
			'others in a later item',
			[rows('a'), rows('a'), rows('a', 'b')],
			false,
			'is a for item 0 and a, b for item 2',
		],
	])('%s: refused', (_, values, isOption, message) => {
		expect(read(values, isOption)).toThrow(message);
	});
});

it('a field with one row for each group', () => {
	const { options, ...field } = groupRowsField(
		{
			displayName: 'Only These Groups',
			name: 'managed',
			description: 'What counts',
			default: { group: [] },
		},
		'e.g. app-*',
	);
	expect(field).toEqual({
		...{ displayName: 'Only These Groups', name: 'managed', description: 'What counts' },
		...{ type: 'fixedCollection', noDataExpression: true, placeholder: 'Add Group' },
		...{ typeOptions: { multipleValues: true }, default: { group: [] } },
	});
	expect(options).toMatchObject([
		{ name: 'group', values: [{ name: 'group', type: 'string', placeholder: 'e.g. app-*' }] },
	]);
});

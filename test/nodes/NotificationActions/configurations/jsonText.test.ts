import {
	editText,
	elementsOf,
	memberNamed,
	membersOf,
	wholeOf,
	type Span,
} from '../../../../nodes/NotificationActions/configurations/jsonText';

const cut = (text: string, { start, end }: Span) => text.slice(start, end);
const elements = (text: string) => elementsOf(text, wholeOf(text)).map((span) => cut(text, span));
const members = (text: string) =>
	membersOf(text, wholeOf(text)).map((span) => [span.name, cut(text, span)]);

// That spans hold what JSON.parse finds in any text is in test/property/monitors.

describe('what stands in a text', () => {
	it.each([
		['{}', []],
		[' { } ', []],
		['{"a":1}', [['a', '1']]],
		[
			'\t{ "a" :\n-1.0e5 ,\r"b": true}',
			[
				['a', '-1.0e5'],
				['b', 'true'],
			],
		],
		[
			'{"a":{"b":[1,{}]},"c":[] }',
			[
				['a', '{"b":[1,{}]}'],
				['c', '[]'],
			],
		],
		[
			'{"a\\"}":"]}{[,","\\u0062":"\\\\"}',
			[
				['a"}', '"]}{[,"'],
				['b', '"\\\\"'],
			],
		],
		[
			'{"a":["}\\\\","]\\"]",{}],"a":null}',
			[
				['a', '["}\\\\","]\\"]",{}]'],
				['a', 'null'],
			],
		],
	])('the object %s has its members', (text, found) => {
		expect(members(text)).toEqual(found);
	});

	it.each([
		['[]', []],
		['[ ]', []],
		['\n[ 1 , "a,]" ,{"b":[ ]}, [[2],[3]] ]', ['1', '"a,]"', '{"b":[ ]}', '[[2],[3]]']],
	])('the list %s has its elements', (text, found) => {
		expect(elements(text)).toEqual(found);
	});

	it.each(['7', '"a b"', '{"a":[1]}', '[[],{}]'])('%s has no space around it', (value) => {
		expect(cut(` ${value}\n`, wholeOf(` ${value}\n`))).toBe(value);
	});

	it('a name that comes twice has the last of its values', () => {
		const text = '{ "a": 1, "a": 2, "b": 3 }';
		const found = membersOf(text, wholeOf(text));
		expect(memberNamed(found, 'a')).toEqual({ name: 'a', nameStart: 10, start: 15, end: 16 });
		expect(memberNamed(found, 'b')?.start).toBe(23);
		expect(memberNamed(found, 'c')).toBeUndefined();
	});
});

describe('size', () => {
	it('100,000 deep lists and objects do not exhaust the stack', () => {
		const deep = '[{"a":'.repeat(50_000) + '1' + '}]'.repeat(50_000);
		expect(elements(`[${deep},2]`).map(({ length }) => length)).toEqual([deep.length, 1]);
		expect(members(`{"x":${deep},"y":2}`).map(([name]) => name)).toEqual(['x', 'y']);
	});

	it('a long run of backslashes is gone through once', () => {
		const text = `["${'\\\\'.repeat(500_000)}","${'\\"'.repeat(500_000)}"]`;
		expect(elements(text).map(({ length }) => length)).toEqual([1_000_002, 1_000_002]);
	});
});

describe('editText', () => {
	it('replaces, removes and inserts, in whatever order the edits come', () => {
		const edits = [
			{ start: 7, end: 7, text: '!' },
			{ start: 0, end: 1, text: 'XY' },
			{ start: 3, end: 5, text: '' },
		];
		expect(editText('0123456', edits)).toBe('XY1256!');
		expect(editText('0123456', [...edits].reverse())).toBe('XY1256!');
	});

	it('without edits gives the text', () => {
		expect(editText('{"a": 1.0}', [])).toBe('{"a": 1.0}');
	});
});

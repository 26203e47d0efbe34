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

describe('strings', () => {
	it.each([
		String.raw`"plain"`,
		String.raw`""`,
		String.raw`"a \"quoted\" word"`,
		String.raw`"ends with a backslash \\"`,
		String.raw`"\\\\\""`,
		String.raw`"é \u00e9 \ud83d\ude00 😀 \/ \n"`,
		String.raw`"{[,:]}"`,
		String.raw`"\u0022]"`,
	])('%s ends where it ends', (text) => {
		expect(elements(`[${text},1]`)).toEqual([text, '1']);
		expect(members(`{${text}:${text}}`)).toEqual([[JSON.parse(text), text]]);
		expect(elements(`[{"a":${text}},[${text}]]`)).toEqual([`{"a":${text}}`, `[${text}]`]);
	});
});

describe('blanks', () => {
	it('anywhere belong to no value', () => {
		const text = ' \r\n{ "a" \t:\n [ 1 , 2 ] \n, "b" : { } ,"c":\tnull\n}\n';
		expect(cut(text, wholeOf(text))).toBe(text.trim());
		expect(members(text)).toEqual([
			['a', '[ 1 , 2 ]'],
			['b', '{ }'],
			['c', 'null'],
		]);
		expect(elements('[ 1 , "x" , [ ] ]')).toEqual(['1', '"x"', '[ ]']);
	});

	it('in empty lists and objects are no elements', () => {
		expect(elements('[ \n ]')).toEqual([]);
		expect(members('{\t}')).toEqual([]);
	});
});

describe('numbers', () => {
	it('stay as they are written', () => {
		const numbers = ['1.0', '-0', '1e3', '1E+2', '12345678901234567890'];
		expect(elements(`[${numbers.join(' ,')}]`)).toEqual(numbers);
	});
});

describe('names', () => {
	it('that come twice are both there, and the last counts', () => {
		const text = '{"a":1,"\\u0061":2,"b":3}';
		expect(members(text)).toEqual([
			['a', '1'],
			['a', '2'],
			['b', '3'],
		]);
		const last = memberNamed(membersOf(text, wholeOf(text)), 'a');
		expect(last && cut(text, last)).toBe('2');
		expect(memberNamed(membersOf(text, wholeOf(text)), 'c')).toBeUndefined();
	});

	it('of what every object inherits are names like others', () => {
		expect(members('{"__proto__":1,"constructor":{"toString":2}}')).toEqual([
			['__proto__', '1'],
			['constructor', '{"toString":2}'],
		]);
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

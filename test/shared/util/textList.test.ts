import { InputError } from '../../../nodes/shared/util/errors';
import { textList } from '../../../nodes/shared/util/text';

describe('the list reader reads', () => {
	it.each<[string, unknown, string[]]>([
		['no value', undefined, []],
		['null', null, []],
		['blank text', ' \n ', []],
		['an empty array', [], []],
		['one entry', ' ana@example.com ', ['ana@example.com']],
		['a number', 17, ['17']],
		['commas and semicolons', 'a, b;c', ['a', 'b', 'c']],
		['line breaks of every kind', 'a\nb\r\nc\rd', ['a', 'b', 'c', 'd']],
		['a line break together with a comma or semicolon', 'a,\nb;\r\nc\n,d\n;\ne', [...'abcde']],
		['blank lines', '\n\na\n \n\nb\n\n', ['a', 'b']],
		['a separator at the end', 'a,b,', ['a', 'b']],
		['a separator and blank lines at the end', 'a;\nb;\n\n', ['a', 'b']],
		['an array', ['a ', 2, 'c'], ['a', '2', 'c']],
		['an array of lists', ['a,b', 'c\nd,'], ['a', 'b', 'c', 'd']],
		['the JSON text of an array', ' ["a", 2]', ['a', '2']],
		['text that only begins like JSON', '[a]', ['[a]']],
	])('%s', (_, value, expected) => {
		expect(textList(value, 'People')).toEqual(expected);
	});

	it('very many lines', () => {
		expect(textList('a\n'.repeat(300_000), 'People')).toHaveLength(300_000);
	});
});

describe('a hole is refused with its position:', () => {
	const sparse: unknown[] = ['a'];
	sparse[2] = 'c';

	it.each<[string, unknown, string]>([
		['two commas', 'a,,b', 'Entry 2 of People is empty'],
		['two separators of two kinds', 'a,b; ,c', 'Entry 3 of People is empty'],
		['two commas around a line break', 'a,\n,b', 'Entry 2 of People is empty'],
		['a separator at the beginning', ',a', 'Entry 1 of People is empty'],
		['two separators at the end', 'a,,', 'Entry 2 of People is empty'],
		['separators alone', ' , ; ', 'Entry 1 of People is empty'],
		['lines count as entries', 'a\nb\nc,,d', 'Entry 4 of People is empty'],
		['null in an array', ['a', null, 'b'], 'Entry 2 of People is empty'],
		['undefined in an array', ['a', undefined], 'Entry 2 of People is empty'],
		['nothing in a sparse array', sparse, 'Entry 2 of People is empty'],
		['empty text as the last of an array', ['a', 'b', ''], 'Entry 3 of People is empty'],
		['blank text in an array', [' \t\n', 'b'], 'Entry 1 of People is empty'],
		['a hole in a text in an array', ['a,b', 'c,,d'], 'Entry 2 of People is empty'],
		['an object in an array', ['a', { id: 'b' }], 'Entry 2 of People is neither text nor a number'],
		['a list in an array', [['a'], 'b'], 'Entry 1 of People is neither text nor a number'],
		['an empty list in an array', ['a', []], 'Entry 2 of People is neither text nor a number'],
		['a truth value in an array', [true], 'Entry 1 of People is neither text nor a number'],
		['no number in an array', [Number.NaN], 'Entry 1 of People is neither text nor a number'],
		['an object', { id: 'a' }, 'Entry 1 of People is neither text nor a number'],
		['null in JSON text', '["a", null]', 'Entry 2 of People is empty'],
	])('%s', (_, value, message) => {
		const read = () => textList(value, 'People');
		expect(read).toThrow(message);
		expect(read).toThrow(InputError);
	});
});

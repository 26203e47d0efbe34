import { checkDepth, DEEPEST } from '../../../nodes/shared/util';

const within = (levels: number, list = false): unknown =>
	Array.from({ length: levels }).reduce((inner) => (list ? [inner] : { inner }), 'x');

it.each([
	['a text', 'x'],
	['nothing', undefined],
	['null', null],
	['as many levels as attributes have', within(DEEPEST + 1)],
	['as many lists', within(DEEPEST + 1, true)],
])('takes %s', (_, value) => {
	expect(checkDepth(value, 'Title')).toBe(value);
});

const circle: { self?: unknown } = {};
circle.self = circle;

it.each([
	['one level more', within(DEEPEST + 2)],
	['one list more', within(DEEPEST + 2, true)],
	['what would end in the stack', within(100_000)],
	['a circle', circle],
])('refuses %s, and names the field', (_, value) => {
	expect(() => checkDepth(value, 'Title')).toThrow(
		'Title has values in values, more than 50 levels deep',
	);
});

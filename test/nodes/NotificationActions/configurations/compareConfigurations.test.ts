import {
	compareConfigurations,
	isSame,
	isSameLists,
} from '../../../../nodes/NotificationActions/configurations/configuration';

type Document = Parameters<typeof compareConfigurations>[0];

const NONE = { added: [], changed: [], removed: [] };
const SAME = { monitors: NONE, analyzers: NONE, otherKeys: [] };
const monitors = (...entries: unknown[]): Document => ({ monitors: entries });
const [A, B] = [{ id: 'a', x: 1 }, { id: 'b' }];

it.each<[string, Document, Document, object]>([
	['nothing at all', {}, {}, {}],
	['metadata', { metadata: 1 }, { metadata: 2 }, {}],
	['metadata of an entry', monitors(A), monitors({ ...A, metadata: 7 }), {}],
	['the order of entries and of names', monitors(A, B), monitors(B, { x: 1, id: 'a' }), {}],
	['a list that is empty or missing', monitors(), {}, {}],
	['a list that is none', monitors(), { monitors: null }, {}],
	['an added entry', monitors(A), monitors(A, B), { monitors: { ...NONE, added: ['b'] } }],
	['a removed entry', monitors(A, B), monitors(B), { monitors: { ...NONE, removed: ['a'] } }],
	[
		'a changed entry',
		monitors(A, B),
		monitors({ ...A, x: 2 }, B),
		{ monitors: { ...NONE, changed: ['a'] } },
	],
	[
		'analyzers',
		{ analyzers: [A, B] },
		{ analyzers: [{ id: 'a' }, { id: 'c' }] },
		{ analyzers: { added: ['c'], changed: ['a'], removed: ['b'] } },
	],
	[
		'entries without an ID, by their places',
		monitors(A, 7, { id: 1 }),
		monitors(A, 8, B, null),
		{
			monitors: {
				added: ['b', 'entry 4 (no ID of its own)'],
				changed: ['entry 2 (no ID of its own)'],
				removed: ['entry 3 (no ID of its own)'],
			},
		},
	],
	[
		'an ID that is taken: the last entry counts, the first goes by its place',
		monitors(A),
		monitors(B, { id: 'a', x: 2 }, A),
		{ monitors: { ...NONE, added: ['b', 'entry 2 (no ID of its own)'] } },
	],
	[
		'other keys',
		{ one: 1, two: [1], three: 3 },
		{ one: 1, two: [2], four: null },
		{ otherKeys: ['two', 'three', 'four'] },
	],
])('compares %s', (_, before, after, difference) => {
	expect(compareConfigurations(before, after)).toEqual({ ...SAME, ...difference });
});

it.each([
	['monitors', { ...NONE, added: ['a'] }],
	['monitors', { ...NONE, changed: ['a'] }],
	['monitors', { ...NONE, removed: ['a'] }],
	['monitors', { ...NONE, added: ['a'], removed: ['b'] }],
	['analyzers', { ...NONE, added: ['a'], changed: ['b'] }],
])('%s make a difference: %j', (list, changes) => {
	const difference = { ...SAME, [list]: changes };
	expect([isSame(difference), isSameLists(difference)]).toEqual([false, false]);
});

it('other keys make a difference, though none of the lists', () => {
	const difference = { ...SAME, otherKeys: ['x'] };
	expect([isSame(difference), isSameLists(difference)]).toEqual([false, true]);
	expect([isSame(SAME), isSameLists(SAME)]).toEqual([true, true]);
});

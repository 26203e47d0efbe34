import { roundsOf, type Entry, type Forerunner } from '../../../nodes/shared/run/schedule';

// Which changes share a round, and which requests they wait for; the requests of people and groups are tested in access.

interface Given {
	/** In the order in which they were planned; `*`: it has a second stage, `a2` of `a`. */
	changes: string;
	/** What each change waits for, `!`: that has to have succeeded; equal lists are one. */
	order?: Record<string, string[]>;
	/** What goes in the same request; otherwise each stage goes in its own. */
	targets?: Record<string, string[]>;
}

/** The rounds, each request as `target: stages < requests before it`; the target is left out where it is the stage. */
function play({ changes, order = {}, targets = {} }: Given): string[][] {
	const names = changes.split(' ').map((name) => name.replace('*', ''));
	const lists = new Map<string, Array<Forerunner<string>>>();
	const listOf = (text: string) => {
		const first = text
			.split(' ')
			.map((name) => ({ change: name.replace('!', ''), must: name.endsWith('!') }));
		const list = lists.get(text) ?? first;
		lists.set(text, list);
		return list;
	};
	const waits = Object.entries(order).map(([name, all]) => [name, all.map(listOf)] as const);
	const nameOf = ({ change, isSecondStage }: Entry<string>) =>
		isSecondStage === true ? `${change}2` : change;
	const rounds = roundsOf<string, Entry<string>>(names.filter(Boolean), new Map(waits), {
		entriesOf(change, isSecondStage) {
			const name = nameOf({ change, target: '', isSecondStage });
			return (targets[name] ?? [name]).map((target) => ({ change, target, isSecondStage }));
		},
		hasTwoStages: (change) => changes.includes(`${change}*`),
		requestsFor: (entries) =>
			[...new Set(entries.map(({ target }) => target))].map((id) => ({
				id,
				entries: entries.filter(({ target }) => target === id),
			})),
	});
	return rounds.map((requests) =>
		requests.map(({ id, entries, after }) => {
			const stages = entries.map(nameOf).join(' ');
			const what = stages === id ? id : `${id}: ${stages}`;
			return after.length === 0 ? what : `${what} < ${after.join(' ')}`;
		}),
	);
}

it.each<[string, Given, string[][]]>([
	['nothing is to be done', { changes: '' }, []],
	[
		'what waits for nothing leaves at once',
		{ changes: 'a b c', targets: { a: ['g'], c: ['g'] } },
		[['g: a c', 'b']],
	],
	['a second stage follows the first', { changes: 'a* b' }, [['a', 'b'], ['a2 < a']]],
	[
		'what waits for others follows them',
		{ changes: 'c a b', order: { c: ['a! b'] } },
		[['a', 'b'], ['c < a b']],
	],
	[
		'what waits for several leaves after the last',
		{ changes: 'a b c', order: { b: ['a'], c: ['a b'] } },
		[['a'], ['b < a'], ['c < a b']],
	],
	[
		'the same, for reasons of its own each',
		{ changes: 'a b c d', order: { b: ['a'], c: ['a', 'b', 'd'] } },
		[['a', 'd'], ['b < a'], ['c < a b d']],
	],
	[
		'what is not planned is waited for by nobody',
		{ changes: 'c b a', order: { c: ['x'], b: ['x a'] } },
		[['c', 'a'], ['b < a']],
	],
	[
		'what needs a change follows its first stage, what only comes later both',
		{ changes: 'a* b c d', order: { b: ['a!'], c: ['a! b'], d: ['a b'] } },
		[['a'], ['a2 < a', 'b < a'], ['c < a b', 'd < a a2 b']],
	],
	[
		'a second stage leaves beside what waits',
		{ changes: 'a* b c', order: { c: ['b'] } },
		[
			['a', 'b'],
			['a2 < a', 'c < b'],
		],
	],
	[
		'what could leave at once waits for the second stage that goes in the same request',
		{ changes: 'a* b', targets: { a2: ['g'], b: ['g'] } },
		[['a'], ['g: a2 b < a']],
	],
	[
		'a request waits for all that its changes wait for',
		{ changes: 'a* b c d', order: { c: ['b', 'd'] }, targets: { a2: ['g'], c: ['g'] } },
		[['a', 'b', 'd'], ['g: a2 c < a b d']],
	],
	[
		'a change of two requests waits for both',
		{ changes: 'a b c', order: { b: ['c'] }, targets: { a: ['g', 'h'], b: ['h'] } },
		[['c'], ['g: a', 'h: a b < c']],
	],
	[
		'what waits for each other leaves at once, and its second stages together',
		{ changes: 'a* b*', order: { a: ['b'], b: ['a'] }, targets: { a: ['g'], b2: ['g'] } },
		[
			['g: a', 'b'],
			['a2 < g', 'g: b2 < b'],
		],
	],
])('%s', (_, given, rounds) => {
	expect(play(given)).toEqual(rounds);
});

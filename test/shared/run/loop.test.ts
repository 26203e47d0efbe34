import { carryOut, type Verdict } from '../../../nodes/shared/run/loop';
import type { Outcome } from '../../../nodes/shared/run/plan';
import type { Entry, Forerunner } from '../../../nodes/shared/run/schedule';
import { fakePatience } from '../../support/fakeTransport';

// Rounds against a service of a few lines: what leaves, what is looked at, and what is said of each change.

interface Change {
	action: string;
}

const STOP = { reason: 'it was stopped', why: 'Nothing more was sent: it was stopped.' };

/** What is known of a change: nothing yet, that it has to be sent again, or what has become of it. */
type Known = 'open' | 'again' | 'waits' | 'goes on' | Outcome['status'];

interface Play {
	/** Rounds of requests, each the changes in it; `a2` is the second stage of `a`. */
	rounds: string[][];
	/** What each change waits for; `!`: that has to have succeeded. */
	order?: Record<string, string>;
	/** What the sends of a change show in turn; `done` where nothing is said. An error is thrown. */
	sent?: Record<string, Array<Known | Error>>;
	/** What the answer to a request shows of others, too. */
	tells?: Record<string, Record<string, Known>>;
	/** What the looks at a change show in turn; nothing where nothing is said. */
	looked?: Record<string, Known[]>;
	/** Changes that are sent again, once, when no look has shown them. */
	otherwise?: string[];
	/** How many sends there are until nothing more may leave. */
	stopAfter?: number;
	limitMs?: number;
	concurrency?: number;
	/** Requests that leave alone, one after the other, as long as none of them has shown anything. */
	alone?: string[];
}

async function play({ rounds, order = {}, sent = {}, tells = {}, looked = {}, ...more }: Play) {
	const changes = new Map<string, Change>();
	const change = (name: string) => {
		const known = changes.get(name) ?? { action: name };
		changes.set(name, known);
		return known;
	};
	const known = new Map<string, Known>();
	const next = <T>(turns: Record<string, T[]>, name: string) => turns[name]?.shift();
	const [log, timing]: [string[], ReturnType<typeof fakePatience>] = [
		[],
		fakePatience(more.limitMs ?? 0),
	];
	const otherwise = new Set(more.otherwise);
	let [sends, under, most] = [0, 0, 0];
	const names = (entries: ReadonlyArray<Entry<Change>>) => entries.map(({ target }) => target);
	const verdicts = await carryOut<Change, Entry<Change>, string>(
		rounds.map((requests) =>
			requests.map((id) => {
				const entries = id.split(' ').map((target) => {
					const isSecondStage = target.endsWith('2');
					return { change: change(target.slice(0, 1)), target, isSecondStage };
				});
				return { id, entries, after: [] };
			}),
		),
		new Map(
			Object.entries(order).map(([name, first]) => [
				change(name),
				[
					first.split(' ').map((one): Forerunner<Change> => ({
						change: change(one.slice(0, 1)),
						must: one.endsWith('!'),
					})),
				],
			]),
		),
		{
			concurrency: more.concurrency ?? 5,
			timing: {
				...timing,
				stopped: () => (sends >= (more.stopAfter ?? Infinity) ? STOP : undefined),
			},
			together(requests) {
				const [first, ...others] = requests.filter(({ id }) => more.alone?.includes(id));
				const isOver = more.alone?.some((id) => known.has(id)) !== false;
				return isOver ? requests : requests.filter((one) => !others.includes(one) || one === first);
			},
			async send({ id }, entries) {
				log.push(`send ${names(entries).join(' ')}`);
				[sends, under] = [sends + 1, under + 1];
				most = Math.max(most, under);
				await Promise.resolve();
				under -= 1;
				const errors = names(entries).flatMap((name) => {
					const now = next(sent, name) ?? 'done';
					if (now instanceof Error) return [now];
					known.set(name, now);
					return [];
				});
				for (const [name, now] of Object.entries(tells[id] ?? {})) known.set(name, now);
				if (errors.length > 0) throw errors[0];
			},
			async look(entries) {
				log.push(`look ${names(entries).join(' ')}`);
				for (const name of names(entries)) known.set(name, next(looked, name) ?? 'open');
			},
			verdictOf({ target }): Verdict<string> | 'again' | 'waits' | undefined {
				const now = known.get(target) ?? 'open';
				if (now === 'open') return undefined;
				if (now === 'again' || now === 'waits') return now;
				const status = now === 'goes on' ? 'unverified' : now;
				const goesOn = now === 'goes on';
				const outcome = { status, action: target, reason: 'told', goesOn } as Outcome;
				return { outcome, result: target };
			},
			tryOtherwise: ({ target }) => otherwise.delete(target),
			unseen: ({ target }) => ({
				outcome: { status: 'unverified', action: target, reason: 'not seen' },
			}),
		},
	);
	const said = [...verdicts].map(([{ target }, { outcome }]) => {
		const { status, reason } = outcome;
		return [target, [status, ...(reason === 'told' ? [] : [reason])].join(': ')] as const;
	});
	return { log, most, waits: timing.waits, said: Object.fromEntries(said), verdicts };
}

const needs = (name: string) => `failed: it needs a step that did not succeed: ${name}`;
const DOWN = new Error('the service is down');

it.each<[string, Play, string[], Record<string, string>]>([
	[
		'rounds one after the other, and no look at what the answers show',
		{ rounds: [['a b', 'c'], ['d']], order: { d: 'a! c!' }, sent: { c: ['unchanged'] } },
		['send a b', 'send c', 'send d'],
		{ a: 'done', b: 'done', c: 'unchanged', d: 'done' },
	],
	[
		'what needs a change that failed is left out of its request, and what needs that, too',
		{ rounds: [['a'], ['b x', 'y'], ['c']], order: { b: 'a!', c: 'b!' }, sent: { a: ['failed'] } },
		['send a', 'send x', 'send y'],
		{ a: 'failed', b: needs('a'), x: 'done', y: 'done', c: needs('b') },
	],
	[
		'a request of which nothing is left is not sent',
		{ rounds: [['a'], ['b c']], order: { b: 'a!', c: 'a!' }, sent: { a: ['unverified'] } },
		['send a'],
		{ a: 'unverified', b: needs('a'), c: needs('a') },
	],
	[
		'what needs one of several, of which another failed',
		{ rounds: [['a', 'b'], ['c']], order: { c: 'a! b!' }, sent: { b: ['failed'] } },
		['send a', 'send b'],
		{ a: 'done', b: 'failed', c: needs('b') },
	],
	[
		'what only comes after a failure is sent',
		{ rounds: [['a'], ['b']], order: { b: 'a' }, sent: { a: ['failed'] } },
		['send a', 'send b'],
		{ a: 'failed', b: 'done' },
	],
	[
		'what needs a user with only an attribute not seen is sent',
		{ rounds: [['a'], ['b']], order: { b: 'a!' }, sent: { a: ['goes on'] } },
		['send a', 'send b'],
		{ a: 'unverified', b: 'done' },
	],
	[
		'what needs a change that was never tried is left out',
		{ rounds: [['b'], ['a']], order: { b: 'a!' } },
		['send a'],
		{ a: 'done', b: needs('a') },
	],
	[
		'a second stage waits for its own change alone',
		{ rounds: [['a'], ['a2']], order: { a: 'x' } },
		['send a', 'send a2'],
		{ a: 'done', a2: 'done' },
	],
	[
		'a second stage is left out where its own change failed',
		{ rounds: [['a'], ['a2', 'b']], sent: { a: ['failed'] } },
		['send a', 'send b'],
		{ a: 'failed', a2: needs('a'), b: 'done' },
	],
	[
		'a second stage that failed holds back nothing that needs its change',
		{ rounds: [['a'], ['a2'], ['b']], order: { b: 'a!' }, sent: { a2: ['failed'] } },
		['send a', 'send a2', 'send b'],
		{ a: 'done', a2: 'failed', b: 'done' },
	],
	[
		'nothing leaves any more once it is stopped',
		{ rounds: [['a'], ['b c'], ['d']], stopAfter: 1 },
		['send a'],
		{
			a: 'done',
			b: 'failed: it was stopped',
			c: 'failed: it was stopped',
			d: 'failed: it was stopped',
		},
	],
	[
		'what has to be sent again is not, once it is stopped',
		{ rounds: [['a b']], sent: { a: ['again'] }, stopAfter: 1 },
		['send a b'],
		{ a: 'failed: it was stopped', b: 'done' },
	],
	[
		'what was sent and not seen is not failed where it would leave in another way',
		{ rounds: [['a', 'b']], otherwise: ['a', 'b'], sent: { a: ['open'] }, stopAfter: 2 },
		['send a', 'send b', 'look a'],
		{ a: 'unverified: not seen', b: 'done' },
	],
	[
		'a request that threw fails what it has not shown before',
		{
			rounds: [
				['a b', 'c'],
				['d', 'e'],
			],
			order: { d: 'a!', e: 'b!' },
			sent: { b: [DOWN] },
		},
		['send a b', 'send c', 'send d'],
		{ a: 'done', b: `failed: ${DOWN.message}`, c: 'done', d: 'done', e: needs('b') },
	],
	[
		'what no look has shown is sent again, where there is another way',
		{
			...{ rounds: [['a', 'b', 'c']], sent: { a: ['open'], b: ['open', 'open'] }, looked: {} },
			...{ otherwise: ['a', 'b'] },
		},
		['send a', 'send b', 'send c', 'look a b', 'send a', 'send b', 'look b'],
		{ a: 'done', b: 'unverified: not seen', c: 'done' },
	],
	[
		'only what has to be sent again is',
		{ rounds: [['a b', 'c']], sent: { a: ['again', 'again'] } },
		['send a b', 'send c', 'send a', 'send a'],
		{ a: 'done', b: 'done', c: 'done' },
	],
	[
		'nothing is sent more than three times',
		{
			rounds: [['a'], ['b']],
			order: { b: 'a!' },
			sent: { a: ['again', 'again', 'again', 'done'] },
		},
		['send a', 'send a', 'send a'],
		{ a: 'unverified: not seen', b: needs('a') },
	],
	[
		'what waits for another one is not sent meanwhile',
		{
			rounds: [['a', 'b']],
			...{ sent: { a: ['again', 'again'], b: ['again', 'waits', 'waits', 'again'] } },
		},
		['send a', 'send b', 'send a', 'send b', 'send a', 'send b', 'send b', 'send b'],
		{ a: 'done', b: 'done' },
	],
	[
		'what waits for nobody is not sent any more',
		{ rounds: [['a', 'b']], sent: { a: ['again', 'waits'], b: ['again', 'waits'] } },
		['send a', 'send b', 'send a', 'send b'],
		{ a: 'unverified: not seen', b: 'unverified: not seen' },
	],
	[
		'what a look shows to have been lost is sent again',
		{ rounds: [['a']], sent: { a: ['open'] }, looked: { a: ['again'] } },
		['send a', 'look a', 'send a'],
		{ a: 'done' },
	],
	[
		'what no look shows is not sent again beside what is',
		{ rounds: [['a b']], sent: { a: ['again'], b: ['open'] } },
		['send a b', 'look b', 'send a'],
		{ a: 'done', b: 'unverified: not seen' },
	],
	[
		'what is open at the last send is looked for, too',
		{ rounds: [['a']], sent: { a: ['again', 'again', 'open'] }, looked: { a: ['done'] } },
		['send a', 'send a', 'send a', 'look a'],
		{ a: 'done' },
	],
	[
		'the answer to one request may show another change',
		{ rounds: [['a', 'b']], sent: { a: ['open'] }, tells: { b: { a: 'done' } } },
		['send a', 'send b'],
		{ a: 'done', b: 'done' },
	],
	[
		'what was judged stays so, whatever another answer shows',
		{ rounds: [['a', 'b']], tells: { b: { a: 'failed' } }, concurrency: 1 },
		['send a', 'send b'],
		{ a: 'done', b: 'done' },
	],
	[
		'another way is kept for when no look has shown it',
		{ rounds: [['a']], sent: { a: ['again', 'open'] }, otherwise: ['a'] },
		['send a', 'send a', 'look a', 'send a'],
		{ a: 'done' },
	],
	[
		'looks are for what is open, before anything that needs it',
		{
			...{ rounds: [['a b', 'c'], ['d']], order: { d: 'c!' }, limitMs: 1_000 },
			sent: { a: ['open'], c: ['open'] },
			looked: { a: ['done'], c: ['open', 'done'] },
		},
		['send a b', 'send c', 'look a c', 'look c', 'send d'],
		{ a: 'done', b: 'done', c: 'done', d: 'done' },
	],
	[
		'what may not leave together follows once the others were judged',
		{
			rounds: [['a', 'b', 'c']],
			alone: ['a', 'b'],
			sent: { a: ['open'] },
			looked: { a: ['done'] },
		},
		['send a', 'send c', 'look a', 'send b'],
		{ a: 'done', b: 'done', c: 'done' },
	],
	['nothing to do', { rounds: [] }, [], {}],
])('%s', async (_, given, log, said) => {
	const played = await play(given);
	expect(played.log).toEqual(log);
	expect(played.said).toEqual(said);
});

it('waits longer between looks, and no longer than it is to', async () => {
	const { log, waits, said } = await play({
		...{ rounds: [['a'], ['b']], order: { b: 'a!' }, sent: { a: ['open'] }, limitMs: 1_000 },
	});
	expect(waits).toEqual([250, 500, 250]);
	expect(log).toEqual(['send a', ...Array.from({ length: 4 }, () => 'look a')]);
	expect(said).toEqual({ a: 'unverified: not seen', b: needs('a') });
});

it('sends as many requests of a round at a time as it may', async () => {
	expect((await play({ rounds: [['a', 'b', 'c', 'd']], concurrency: 2 })).most).toBe(2);
});

it('says the whole of why it was stopped once', async () => {
	const { verdicts } = await play({ rounds: [['a'], ['b', 'c']], stopAfter: 1 });
	expect([...verdicts.values()].map(({ outcome }) => outcome.warnings)).toEqual([
		...[undefined, [STOP.why], undefined],
	]);
});

it('gives each entry what it was judged to be, with its result', async () => {
	const { verdicts } = await play({ rounds: [['a']] });
	expect([...verdicts.values()]).toMatchObject([{ outcome: { status: 'done' }, result: 'a' }]);
});

import { listAll, ListHabits, type ListQuery } from '../../../../nodes/shared/scim/client/listing';
import { PROFILES } from '../../../../nodes/shared/scim/protocol/service';
import { readUser } from '../../../../nodes/shared/scim/protocol/resource';
import {
	fakeTransport,
	LIST_LIMITS,
	listBody,
	paging,
	scimError,
	sendOver,
	user,
	type Reply,
} from '../../../support/fakeTransport';

// Pages of a list by index, read side by side: what comes out is what the pages one after the other show. Each person is a letter,
// a page is two of them, and five requests leave at once.

const SIDE_BY_SIDE = 5;

/** An answer comes once everything that leaves at once has left. */
const TURNS = 100;

interface Page {
	start: number;
	count: number;
	/** How often this page was asked for, and how many requests came. */
	time: number;
	nth: number;
	/** How many others are under way. */
	others: number;
	/** The page of a service that behaves. */
	usual: ReturnType<typeof listOf>;
}

const listOf = (all: string, start: number, count: number) =>
	listBody(
		[...all].map((id) => user(id)),
		start,
		count,
	);

type Oddity = (page: Page) => Reply | object | undefined;

const alphabet = 'abcdefghijklmnopqrstuvwxyz';
const SIX_PAGES = alphabet.slice(0, 12);

interface Reading {
	all?: string;
	query?: ListQuery;
	readsAhead?: boolean;
	habits?: ListHabits;
}

async function read(
	odd: Oddity,
	{ all = SIX_PAGES, query = { count: 2 }, readsAhead = true, habits }: Reading = {},
) {
	const [times, under] = [new Map<number, number>(), { way: 0, most: 0 }];
	const transport = fakeTransport(async (request, nth) => {
		const { startIndex = 1, count = 100 } = paging(request);
		const time = (times.get(startIndex) ?? 0) + 1;
		times.set(startIndex, time);
		const usual = listOf(all, startIndex, count);
		const page = { start: startIndex, count, time, nth, others: under.way, usual };
		const answer = odd(page) ?? usual;
		under.way += 1;
		under.most = Math.max(under.most, under.way);
		for (let turn = 0; turn < TURNS; turn++) await Promise.resolve();
		under.way -= 1;
		return 'totalResults' in answer || 'Resources' in answer ? { json: answer } : answer;
	});
	const send = sendOver(transport, { mostBytes: 20_000_000 });
	const limits = { ...LIST_LIMITS, readsAhead };
	const listing = await listAll(
		...([send, PROFILES.generic, 'Users', readUser, limits] as const),
		...([query, habits] as const),
	).catch((error: Error) => ({ resources: [], incomplete: error.message, pages: 0 }));
	const { incomplete, pages, resources } = listing;
	const sent = transport.sent.map((line) => Number(/startIndex=(\d+)/.exec(line)?.[1]));
	const left = under.way;
	const { waits } = transport;
	const ids = resources
		.map(({ id }) => id)
		.sort()
		.join('');
	return { said: { incomplete, pages, ids }, sent, most: under.most, left, waits };
}

const regular: Oddity = () => undefined;

describe('a list whose pages are regular', () => {
	it('is read side by side from its third page on, with the same requests in the same order', async () => {
		const { said, sent, most } = await read(regular);
		expect(said).toEqual({ incomplete: undefined, pages: 6, ids: SIX_PAGES });
		expect(sent).toEqual([1, 3, 5, 7, 9, 11]);
		expect(most).toBe(4);
	});

	it('has no more under way than requests leave side by side', async () => {
		const { said, most } = await read(regular, { all: alphabet });
		expect(said.ids).toBe(alphabet);
		expect(most).toBe(SIDE_BY_SIDE);
	});

	it.each<[string, Reading, number[]]>([
		['not where nothing says so', { readsAhead: false }, [1, 3, 5, 7, 9, 11]],
		['not beyond a limit', { query: { count: 2, limit: 5 } }, [1, 3, 5]],
		['not where one page is wanted', { query: { count: 2, limit: 2 } }, [1]],
		['from where it is told to begin', { query: { count: 2, startIndex: 5 } }, [5, 7, 9, 11]],
	])('%s', async (_, reading, starts) => {
		const { sent } = await read(regular, reading);
		expect(sent).toEqual(starts);
		if (reading.readsAhead === false) expect((await read(regular, reading)).most).toBe(1);
	});

	it('shares the requests that leave side by side with other lists of the run', async () => {
		const habits = new ListHabits(2);
		habits.pagesAhead = SIDE_BY_SIDE - 1;
		expect((await read(regular, { habits })).most).toBe(1);
		expect(habits.pagesAhead).toBe(SIDE_BY_SIDE - 1);
	});

	it('is read in turn where its pages are too large to be held beside the run', async () => {
		const large = ({ usual }: Page) => ({ text: JSON.stringify(usual).padEnd(11_000_000) });
		const { said, most } = await read(large);
		expect([said.ids, most]).toEqual([SIX_PAGES, 1]);
	});
});

/** From the third page on. */
const later = (answer: (page: Page) => object | undefined): Oddity => {
	return (page) => (page.start < 5 ? undefined : answer(page));
};
const on =
	(start: number, answer: (page: Page) => object | undefined): Oddity =>
	(page) =>
		page.start === start ? answer(page) : undefined;
const shorter = ({ usual }: Page) => ({ ...usual, Resources: usual.Resources.slice(0, 1) });

describe('a list with something odd: what comes out is what pages in turn show, and no more than five requests are lost', () => {
	it.each<[string, Oddity, number[], Reading?]>([
		['a page is short', on(5, shorter), [1, 3, 5, 7, 9, 11, 5, 6, 8, 10, 12]],
		[
			'it is short once',
			on(5, (page) => (page.time === 1 ? shorter(page) : undefined)),
			[1, 3, 5, 7, 9, 11, 5, 7, 9, 11],
		],
		[
			'a user is deleted meanwhile: one more pass, in turn',
			({ nth, start, count }) => (nth > 2 ? listOf(SIX_PAGES.slice(1), start, count) : undefined),
			[1, 3, 5, 7, 9, 11, 5, 7, 9, 11, 1, 3, 5, 7, 9, 11],
		],
		[
			'its total drops on one page, and nothing else',
			on(7, ({ usual }) => ({ ...usual, totalResults: 11 })),
			[1, 3, 5, 7, 9, 11, 7, 9, 11, 1, 3, 5, 7, 9, 11],
		],
		[
			'pages say that they begin elsewhere',
			later(({ usual }) => ({ ...usual, startIndex: 1 })),
			[1, 3, 5, 7, 9, 11, 5, 7, 9, 11],
		],
		[
			'all of them do: nothing is read ahead',
			({ usual }) => ({ ...usual, startIndex: 1 }),
			[1, 3, 5, 7, 9, 11],
		],
		[
			'a page shows those of another',
			on(7, ({ count }) => listOf(SIX_PAGES, 5, count)),
			[1, 3, 5, 7, 9, 11, 7],
		],
		[
			'a page begins one too early, once',
			on(7, ({ time, count }) => (time === 1 ? listOf(SIX_PAGES, 6, count) : undefined)),
			[1, 3, 5, 7, 9, 11, 7, 9, 11],
		],
		[
			'a page shows one twice',
			on(7, ({ usual }) => ({
				...usual,
				Resources: usual.Resources.slice(0, 1).flatMap((a) => [a, a]),
			})),
			[1, 3, 5, 7, 9, 11, 7, 8, 10, 12],
		],
		[
			'500 for a page, and then the page',
			on(5, ({ time }) => (time === 1 ? scimError(500, 'oops') : undefined)),
			[1, 3, 5, 7, 9, 11, 5, 7, 9, 11],
		],
		['500 for a page', on(7, () => scimError(500, 'oops')), [1, 3, 5, 7, 9, 11, 7, 7, 7, 7, 7]],
		[
			'429 for a page, and then the page: it alone is asked for again',
			on(7, ({ time }) => (time === 1 ? scimError(429, 'slowly') : undefined)),
			[1, 3, 5, 7, 9, 11, 7],
		],
		[
			'a service that answers one request at a time',
			({ others }) => (others > 0 ? scimError(503, 'busy') : undefined),
			[1, 3, 5, 7, 9, 11, 7, 9, 11],
		],
		['400 for a page', on(9, () => scimError(400, 'too far')), [1, 3, 5, 7, 9, 11, 9]],
		[
			'a total above what comes',
			({ usual }) => ({ ...usual, totalResults: 18 }),
			[1, 3, 5, 7, 9, 11, 13, 15, 17, 13],
		],
		[
			'a total for the page alone',
			({ usual }) => ({ ...usual, totalResults: usual.Resources.length }),
			[1, 3, 5, 7, 9, 11, 13, 2],
		],
		['no total', ({ usual: { Resources } }) => ({ Resources }), [1, 3, 5, 7, 9, 11, 13, 2]],
		[
			'the first page again and again',
			({ count }) => listOf(SIX_PAGES, 1, count),
			[1, 3, 1, 1, 1, 1],
		],
		['fewer than asked for on each page', shorter, [1, 2, 3, 4, 5, 6], { all: 'abcdef' }],
		[
			'an entry without ID',
			on(5, ({ usual }) => ({
				...usual,
				Resources: [user('e'), { userName: 'ghost@example.com' }],
			})),
			[1, 3, 5, 7, 9, 11, 5, 7, 9, 11, 13],
		],
	])('%s', async (...[, odd, sent, reading]) => {
		const [ahead, inTurn] = [
			await read(odd, reading),
			await read(odd, { ...reading, readsAhead: false }),
		];
		expect(ahead.sent).toEqual(sent);
		const { ids, incomplete } = ahead.said;
		expect({ ids, incomplete }).toEqual({
			ids: inTurn.said.ids,
			incomplete: inTurn.said.incomplete,
		});
		expect(ahead.sent.length - inTurn.sent.length).toBeLessThanOrEqual(SIDE_BY_SIDE);
		expect(ahead.left).toBe(0);
	});

	it('reads nothing ahead any more in the run', async () => {
		const habits = new ListHabits(2);
		await read(on(5, shorter), { habits });
		const { said, most } = await read(regular, { habits });
		expect([said.ids, most]).toEqual([SIX_PAGES, 1]);
	});
});

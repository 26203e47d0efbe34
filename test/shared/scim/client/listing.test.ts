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
	type Answerer,
	type FakeUser,
} from '../../../support/fakeTransport';

// How a list is read, where no operation shows it: what test/behavior/paging.test.js does not hold.

type Profile = 'accountOrganizations' | 'generic' | 'awsIdentityCenter';

/** The list of this service, of which each person is a letter. */
async function read(
	profile: Profile,
	answer: Answerer,
	query: ListQuery = { count: 2 },
	{ limits = LIST_LIMITS, habits }: { limits?: typeof LIST_LIMITS; habits?: ListHabits } = {},
) {
	const transport = fakeTransport((request, nth) => {
		if (nth > 50) throw new Error('asks for ever');
		return answer(request, nth);
	});
	const send = sendOver(transport, { maxWaitMs: 0 });
	const own = PROFILES[profile];
	const listing = await listAll(send, own, 'Users', readUser, limits, query, habits);
	const { incomplete, pages, resources } = listing;
	return { incomplete, pages, ids: resources.map(({ id }) => id).join(''), sent: transport.sent };
}

const people = (ids: string): FakeUser[] => [...ids].map((id) => user(id));
const A_TO_E = people('abcde');

type Page = (startIndex: number, count: number | undefined, nth: number) => object;
const byIndex =
	(page: Page): Answerer =>
	(request, nth) => {
		const { startIndex, count } = paging(request);
		return { json: page(startIndex, count, nth) };
	};
const pagesOf = (all: readonly unknown[]) => byIndex((start, count) => listBody(all, start, count));
/** Pages of people, of which one is there less with each that is named. */
const left = (...ids: string[]) =>
	byIndex((start, count, nth) => listBody(people(ids[nth - 1] ?? ids.at(-1) ?? ''), start, count));
const at = (...starts: number[]) => starts.map((start) => `GET /Users?startIndex=${start}&count=2`);

interface Case {
	answer: Answerer;
	query?: ListQuery;
	profile?: Profile;
	ids?: string;
	incomplete?: string;
	pages?: number;
	/** How many requests leave, or which. */
	sent?: number | string[];
}

function table(cases: Record<string, Case>, usual: Profile = 'generic') {
	it.each(Object.entries(cases))('%s', async (_, { answer, query, profile = usual, ...said }) => {
		const seen = await read(profile, answer, query);
		expect(seen.incomplete).toEqual(said.incomplete);
		if (said.ids !== undefined) expect(seen.ids).toBe(said.ids);
		if (said.pages !== undefined) expect(seen.pages).toBe(said.pages);
		if (typeof said.sent === 'number') expect(seen.sent).toHaveLength(said.sent);
		else if (said.sent) expect(seen.sent).toEqual(said.sent);
	});
}

describe('by index', () => {
	const odd = { userName: { toString: 1 }, displayName: [] };
	const ghost = { userName: 'ghost@example.com' };
	const ten = people('abcdefghij');

	table({
		'a user is deleted between two pages: one more pass': {
			...{ answer: left('abcde', 'bcde'), ids: 'bcde', sent: at(1, 3, 1, 3), pages: 4 },
		},
		'somebody is deleted in both passes: it is not known to be whole': {
			answer: left('abcde', 'bcde', 'bcde', 'cde'),
			...{ incomplete: 'entries were removed while it was read', sent: 4 },
		},
		'all come each time: that is all of them': {
			...{ answer: byIndex(() => listBody(A_TO_E)), ids: 'abcde', sent: at(1, 6) },
		},
		'it ends before its total': {
			answer: byIndex((...given) => ({
				...listBody(people('abc'), given[0], 2),
				totalResults: 10,
			})),
			...{ ids: 'abc', incomplete: 'the service showed 3 of 10 entries' },
		},
		'the first page comes again in another order': {
			answer: byIndex((start) => ({
				...{ totalResults: 4, Resources: people(start === 1 ? 'ab' : 'ba') },
			})),
			query: { count: 3 },
			...{ ids: 'ab', incomplete: 'the service showed 2 of 4 entries' },
		},
		'some come twice, all on one page that is not full: nothing tells them from lost ones': {
			answer: pagesOf(people('aabccd')),
			...{ query: { count: 10 }, ids: 'abcd', incomplete: 'the service showed 4 of 6 entries' },
		},
		'some come twice, over two pages': {
			answer: pagesOf(people('aabccd')),
			...{ query: { count: 4 }, ids: 'abcd', incomplete: 'the service showed 4 of 6 entries' },
		},
		'each comes twice, and all twice: a join': {
			answer: pagesOf(people('aabbccdd')),
			...{ query: { count: 3 }, ids: 'abcd' },
		},
		'without a page size the first request says nothing of paging': {
			...{ answer: pagesOf(A_TO_E), query: {}, profile: 'accountOrganizations' },
			...{ ids: 'abcde', sent: ['GET /scim/Users'] },
		},
		'it begins where it is told to': {
			...{
				answer: pagesOf(A_TO_E),
				query: { count: 2, startIndex: 3 },
				ids: 'cde',
				sent: at(3, 5),
			},
		},
		'a limit ends it, and nothing beyond it is asked for': {
			...{ answer: pagesOf(A_TO_E), query: { count: 2, limit: 3 }, ids: 'abc' },
			sent: [...at(1), 'GET /Users?startIndex=3&count=1'],
		},
		'a page larger than the limit is cut, whatever is cut off': {
			answer: byIndex(() => listBody([...people('ab'), ghost])),
			...{ query: { count: 2, limit: 2 }, ids: 'ab' },
		},
		'an entry without ID is named, and the others are there': {
			answer: pagesOf([user('a'), ghost, user('b')]),
			...{ ids: 'ab', incomplete: 'it has an entry without ID (ghost@example.com)' },
		},
		'an entry without ID whose name is no text': {
			answer: pagesOf([user('a'), odd, user('b')]),
			incomplete: 'it has an entry without ID (no name)',
		},
		'more pages than allowed, by the total': {
			...{ answer: pagesOf(ten), query: { count: 2, mostPages: 3 }, sent: 1 },
			incomplete: 'it has more than 3 pages',
		},
		'more pages than allowed, by reading them': {
			answer: byIndex((start) => ({ Resources: ten.slice(start - 1, start + 1) })),
			...{ query: { count: 2, mostPages: 3 }, sent: at(1, 3, 5) },
			incomplete: 'it has more than 3 pages',
		},
	});

	it('what is no list is an error', async () => {
		await expect(read('generic', () => ({ json: { hello: 'world' } }))).rejects.toThrow(
			'Could not list users: the service answered with something that is not a SCIM list',
		);
	});

	it.each([
		[{ mostPages: 4, mostResources: 100 }, 4, 'it has more than 4 pages'],
		[{ mostPages: 100, mostResources: 5 }, 3, 'it has more than 5 entries'],
	])('a list without end is left: %j', async (limits, sent, incomplete) => {
		const endless: Answerer = (_, nth) => ({ json: listBody([user(`a${nth}`), user(`b${nth}`)]) });
		const seen = await read('generic', endless, undefined, { limits });
		expect([seen.sent.length, seen.incomplete]).toEqual([sent, incomplete]);
	});

	it('a total of what was shown so far is none of the list, in no list of the run', async () => {
		const soFar = byIndex((start) => {
			const page = A_TO_E.slice(start - 1, start + 1);
			return { ...listBody(page), totalResults: start - 1 + page.length };
		});
		const habits = new ListHabits(2);
		for (let nth = 1; nth <= 2; nth++)
			expect((await read('generic', soFar, {}, { habits })).ids).toBe('abcde');
	});
});

describe('by cursor (RFC 9865)', () => {
	/** Pages by cursor: each is named by its text, and names the next. */
	const book =
		(pages: Record<string, [ids: string, nextCursor?: unknown]>, more: object = {}): Answerer =>
		({ query }) => {
			const [ids, nextCursor] = pages[query.get('cursor') ?? ''];
			return { json: { Resources: people(ids), nextCursor, ...more } };
		};
	const PAGES = book({ '': ['ab', 'x+/='], 'x+/=': ['', 'y'], y: ['bcd'] });
	const circle = book({ '': ['ab', 'x'], x: ['cd', 'y'], y: ['ef', 'x'] });
	const same: Answerer = (_, nth) => ({
		json: { Resources: people('ab'), nextCursor: `fresh${nth}` },
	});
	const endless: Answerer = (_, nth) => ({
		json: { Resources: [user(`a${nth}`), user(`b${nth}`)], nextCursor: `c${nth}` },
	});
	/** So many empty pages behind the first, and then the last. */
	const empties =
		(most: number): Answerer =>
		({ query }) => {
			const page = Number(query.get('cursor'));
			const Resources = page === 0 ? people('ab') : page > most ? people('cd') : [];
			return { json: { Resources, ...(page <= most && { nextCursor: page + 1 }) } };
		};
	const first =
		(count: number, answer: Answerer, then = PAGES): Answerer =>
		(request, nth) =>
			(nth <= count ? answer : then)(request, nth);
	const short = book({ '': ['ab', 'x'], x: ['bc'] }, { totalResults: 4 });
	const SAME = 'the service shows the same entries on another page';

	table(
		{
			'goes on to the page that names none, over an empty one, each person once': {
				...{ answer: PAGES, ids: 'abcd' },
				sent: ['', 'x+/=', 'y'].map((cursor) => `GET /Users?cursor=${cursor}&count=2`),
			},
			'null names no page': { answer: book({ '': ['ab', null] }), ids: 'ab', sent: 1 },
			'a cursor that comes twice: once more from the beginning': {
				...{ answer: circle, sent: 6, incomplete: 'the service names the same next page twice' },
			},
			'the same, and better then': { answer: first(3, circle), ids: 'abcd' },
			'fresh ones that bring the same entries: once more from the beginning': {
				...{ answer: same, sent: 4, incomplete: SAME },
			},
			'the same, and better then, too': { answer: first(2, same), ids: 'abcd' },
			'one that is ignored, on a last page': {
				...{ answer: book({ '': ['ab', 'x'], x: ['ab'] }), incomplete: SAME },
			},
			'some empty pages in a row': { answer: empties(9), ids: 'abcd' },
			'no end of empty pages': {
				...{ answer: empties(Infinity), sent: 24 },
				incomplete: 'the service names another page after 11 empty ones',
			},
			'a total that the last page does not reach': {
				...{ answer: short, incomplete: 'the service showed 3 of 4 entries' },
			},
			'the same, where no more was asked for': {
				...{ answer: short, query: { count: 2, limit: 3 }, ids: 'abc' },
			},
			'an entry without ID': {
				answer: () => ({ json: { Resources: [{ userName: 'ghost' }] } }),
				incomplete: 'it has an entry without ID (ghost)',
			},
			'a start in the middle is counted from the first': {
				...{ answer: PAGES, query: { count: 2, startIndex: 2, limit: 2 }, ids: 'bc' },
			},
			'more pages than allowed, by reading them': {
				...{ answer: endless, query: { count: 2, mostPages: 3 }, sent: 3 },
				incomplete: 'it has more than 3 pages',
			},
			'more pages than allowed, by the total': {
				answer: book({ '': ['ab', 'x'] }, { totalResults: 10 }),
				...{ query: { count: 2, mostPages: 3 }, sent: 1, incomplete: 'it has more than 3 pages' },
			},
			'a service that knows none, and says where its page begins: by index': {
				...{ answer: pagesOf(A_TO_E), ids: 'abcde' },
				sent: ['GET /Users?cursor=&count=2', ...at(3), ...at(5)],
			},
			'a service that knows none and does not say so: short of its own total': {
				answer: () => ({ json: { totalResults: 5, Resources: people('ab') } }),
				incomplete: 'the service showed 2 of 5 entries',
			},
		},
		'awsIdentityCenter',
	);

	it.each([
		['invalidCursor', 400],
		['expiredCursor', 400],
		[undefined, 404],
	])(
		'one that is refused as %s with %i: once more from the beginning',
		async (scimType, status) => {
			const refusal = scimError(status, 'No such cursor', { scimType });
			const once: Answerer = (request, nth) => (nth === 3 ? refusal : PAGES(request, nth));
			const seen = await read('awsIdentityCenter', once);
			expect([seen.ids, seen.incomplete, seen.sent.length]).toEqual(['abcd', undefined, 6]);
		},
	);

	it('any other failure ends all of it', async () => {
		const answer: Answerer = (request, nth) =>
			nth === 2 ? scimError(403, 'no more') : PAGES(request, nth);
		await expect(read('awsIdentityCenter', answer)).rejects.toThrow('answered 403, no more');
	});
});

import {
	listAll,
	ListHabits,
	type ListQuery,
	type Listing,
} from '../../../../nodes/shared/scim/client/listing';
import { PROFILES } from '../../../../nodes/shared/scim/protocol/presets';
import { readUser, type User } from '../../../../nodes/shared/scim/protocol/resource';
import {
	fakeTransport,
	LIST_LIMITS,
	listBody,
	paging,
	scimError,
	sendOver,
	user,
	type Answerer,
	type FakeTransport,
	type FakeUser,
} from '../../../support/fakeTransport';

// Rows of the Paging table of what real servers do to a client; each is read with both profiles.

type Page = (startIndex: number, count: number | undefined, nth: number) => object;

interface Read {
	ids: string[];
	listing: Listing<User>;
	/** `startIndex` of every request; undefined where it said nothing of paging. */
	starts: Array<number | undefined>;
	transport: FakeTransport;
}

async function read(
	profile: ProfileName,
	page: Page,
	query: ListQuery = { count: 2 },
): Promise<Read> {
	const answer: Answerer = (request, nth) => {
		if (nth > 50) throw new Error('asks for ever');
		const { startIndex, count } = paging(request);
		return { json: page(startIndex, count, nth) };
	};
	const transport = fakeTransport(answer);
	const listing = await listAll(
		sendOver(transport, { maxWaitMs: 0 }),
		PROFILES[profile],
		'Users',
		readUser,
		LIST_LIMITS,
		query,
	);
	return {
		ids: listing.resources.map(({ id }) => id),
		listing,
		starts: transport.received.map(({ query: asked }) =>
			asked.has('startIndex') ? Number(asked.get('startIndex')) : undefined,
		),
		transport,
	};
}

type ProfileName = 'accountOrganizations' | 'generic';

const people = (ids: string): FakeUser[] => [...ids].map((id) => user(id));
const A_TO_E = people('abcde');

/** Expects the whole list, in so many requests per profile. */
async function expectWhole(
	page: Page,
	wanted: { ids: string; starts: Record<ProfileName, number[]> },
	query?: ListQuery,
) {
	for (const profile of ['accountOrganizations', 'generic'] as const) {
		const { ids, listing, starts } = await read(profile, page, query);
		expect({ profile, ids: ids.join(''), incomplete: listing.incomplete, starts }).toEqual({
			profile,
			ids: wanted.ids,
			incomplete: undefined,
			starts: wanted.starts[profile],
		});
		expect(listing.pages).toBe(starts.length);
	}
}

const both = (starts: number[]) => ({ accountOrganizations: starts, generic: starts });
/** Where totals are known to be of whole lists, the last empty page is not asked for. */
const lastLess = (starts: number[]) => ({
	accountOrganizations: starts.slice(0, -1),
	generic: starts,
});

describe('paging: totalResults', () => {
	it('as RFC 7644 has it', async () => {
		await expectWhole((start, count) => listBody(A_TO_E, start, count), {
			ids: 'abcde',
			starts: both([1, 3, 5]),
		});
	});

	it('is the size of this page', async () => {
		await expectWhole(
			(start, count) => {
				const body = listBody(A_TO_E, start, count);
				return { ...body, totalResults: body.Resources.length };
			},
			{ ids: 'abcde', starts: lastLess([1, 3, 5, 6]) },
		);
	});

	it('is missing', async () => {
		await expectWhole((start, count) => ({ Resources: listBody(A_TO_E, start, count).Resources }), {
			ids: 'abcde',
			starts: both([1, 3, 5, 6]),
		});
	});

	it('is a string', async () => {
		await expectWhole(
			(start, count) => ({ ...listBody(A_TO_E, start, count), totalResults: '5' }),
			{ ids: 'abcde', starts: both([1, 3, 5]) },
		);
	});

	it('is inflated by duplicates', async () => {
		const twice = people('abbcd');
		await expectWhole((start, count) => listBody(twice, start, count), {
			ids: 'abcd',
			// One page more, since overlapping pages look the same.
			starts: both([1, 3, 5, 6]),
		});
	});

	it('is right, and an entry comes twice on its page', async () => {
		await expectWhole(
			(start, count) => {
				const body = listBody(people('abcd'), start, count);
				return { ...body, Resources: [...body.Resources.slice(0, 1), ...body.Resources] };
			},
			{ ids: 'abcd', starts: both([1, 3]) },
		);
	});

	it('is 0 past the end', async () => {
		await expectWhole(
			(start, count) => {
				const body = listBody(A_TO_E, start, count);
				return body.Resources.length === 0 ? { ...body, totalResults: 0 } : body;
			},
			{ ids: 'abcde', starts: both([1, 3, 5]) },
		);
	});

	it('is a whole page and there are more: the next page is asked for', async () => {
		await expectWhole(
			(start, count) => ({ ...listBody(people('abcd'), start, count), totalResults: 2 }),
			{ ids: 'abcd', starts: both([1, 3, 5]) },
		);
	});
});

describe('paging: startIndex and count', () => {
	it('a startIndex past the end answers page one again', async () => {
		await expectWhole((start, count) => listBody(people('abc'), start > 3 ? 1 : start, count), {
			ids: 'abc',
			starts: both([1, 3]),
		});
	});

	it('a startIndex past the end answers page one again, and no total says so', async () => {
		await expectWhole(
			(start, count) => ({
				Resources: listBody(people('abc'), start > 3 ? 1 : start, count).Resources,
			}),
			{ ids: 'abc', starts: both([1, 3, 4]) },
		);
	});

	it.each(['abc', 'abcd', 'abcde'])(
		'startIndex ignored, %s: ends, and says that the list is incomplete',
		async (all) => {
			for (const profile of ['accountOrganizations', 'generic'] as const) {
				const { ids, listing, starts } = await read(profile, (_, count) =>
					listBody(people(all), 1, count),
				);
				expect(ids).toEqual(['a', 'b']);
				expect(starts).toEqual([1, 3]);
				expect(listing.incomplete).toBe(`the service showed 2 of ${all.length} entries`);
			}
		},
	);

	it('startIndex ignored and no total: ends, and says that the list may be incomplete', async () => {
		const { ids, listing, starts } = await read('generic', (_, count) => ({
			Resources: listBody(A_TO_E, 1, count).Resources,
		}));
		expect(ids).toEqual(['a', 'b']);
		expect(starts).toEqual([1, 3]);
		expect(listing.incomplete).toBe('the service repeats its first 2 entries');
	});

	it('count capped', async () => {
		await expectWhole(
			(start) => listBody(A_TO_E, start, 2),
			{ ids: 'abcde', starts: both([1, 3, 5]) },
			{ count: 4 },
		);
	});

	it('count ignored: everything at once', async () => {
		await expectWhole((start) => listBody(A_TO_E, start), {
			ids: 'abcde',
			starts: both([1, 6]),
		});
	});

	it('count and startIndex ignored: everything each time', async () => {
		await expectWhole(() => listBody(A_TO_E), { ids: 'abcde', starts: both([1, 6]) });
	});

	it('count and startIndex ignored, and no total: more than asked for is everything', async () => {
		await expectWhole(() => ({ Resources: A_TO_E }), { ids: 'abcde', starts: both([1, 6]) });
	});

	it('a bare list', async () => {
		await expectWhole((start) => (start === 1 ? people('a') : []), {
			ids: 'a',
			starts: both([1, 2]),
		});
	});

	it('without a page size the first request says nothing of paging', async () => {
		const { ids, starts, transport } = await read(
			'accountOrganizations',
			() => listBody(A_TO_E),
			{},
		);
		expect(ids).toHaveLength(5);
		expect(starts).toEqual([undefined]);
		expect(transport.sent).toEqual(['GET /scim/Users']);
	});
});

describe('paging: pages', () => {
	it.each([
		['empty', { totalResults: 0, Resources: [] }],
		['Resources absent', { schemas: ['x'], totalResults: 0 }],
		['Resources null', { totalResults: 0, Resources: null }],
	])('%s at zero hits: an empty list, not an exception', async (_, body) => {
		await expectWhole(() => body, { ids: '', starts: both([1]) });
	});

	it('short pages although more follow: goes on by the number received', async () => {
		const sizes = [1, 2, 1, 1];
		await expectWhole((start, _, nth) => listBody(A_TO_E, start, sizes[nth - 1] ?? 2), {
			ids: 'abcde',
			starts: both([1, 2, 4, 5]),
		});
	});

	it('short pages although more follow, and no total', async () => {
		const sizes = [1, 2, 1, 1];
		await expectWhole(
			(start, _, nth) => ({ Resources: listBody(A_TO_E, start, sizes[nth - 1] ?? 2).Resources }),
			{ ids: 'abcde', starts: both([1, 2, 4, 5, 6]) },
		);
	});

	it('pages that overlap', async () => {
		// From the second page on the first entry was there before.
		await expectWhole(
			(start, count) => {
				const from = start === 1 ? 1 : start - Math.floor(start / 2);
				return { ...listBody(people('abcd'), from, count), totalResults: 4 };
			},
			{ ids: 'abcd', starts: both([1, 3, 5]) },
		);
	});

	it('an item deleted between pages shifts one out of view: one more pass', async () => {
		for (const [profile, starts] of [
			['accountOrganizations', [1, 3, 1, 3]],
			['generic', [1, 3, 1, 3]],
		] as const) {
			const answer: Page = (start, count, nth) =>
				listBody(nth === 1 ? A_TO_E : people('bcde'), start, count);
			const result = await read(profile, answer);
			expect(result.starts).toEqual(starts);
			expect(result.ids).toEqual(expect.arrayContaining(['b', 'c', 'd', 'e']));
			expect(result.listing.incomplete).toBeUndefined();
			expect(result.listing.pages).toBe(starts.length);
		}
	});

	it('who was deleted between pages is not in the list', async () => {
		const { ids } = await read('accountOrganizations', (start, count, nth) =>
			listBody(nth === 1 ? A_TO_E : people('bcde'), start, count),
		);
		expect(ids.sort()).toEqual(['b', 'c', 'd', 'e']);
	});

	it('items deleted in both passes: says that the list is incomplete', async () => {
		const left = ['abcde', 'bcde', 'bcde', 'cde'];
		const { listing, starts } = await read('accountOrganizations', (start, count, nth) =>
			listBody(people(left[nth - 1] ?? 'cde'), start, count),
		);
		expect(starts).toHaveLength(4);
		expect(listing.incomplete).toMatch(/removed while it was read/);
	});

	it('an end before the total: says how many were shown', async () => {
		for (const profile of ['accountOrganizations', 'generic'] as const) {
			const { ids, listing } = await read(profile, (start, count) => ({
				...listBody(people('abc'), start, count),
				totalResults: 10,
			}));
			expect(ids).toEqual(['a', 'b', 'c']);
			expect(listing.incomplete).toBe('the service showed 3 of 10 entries');
		}
	});

	it('nothing shown of many', async () => {
		const { listing } = await read('generic', () => ({ totalResults: 7, Resources: [] }));
		expect(listing).toEqual({
			resources: [],
			pages: 1,
			incomplete: 'the service showed 0 of 7 entries',
		});
	});

	it('an entry without ID: the others are there, and the list is told to be incomplete', async () => {
		const { ids, listing } = await read('accountOrganizations', (start, count) =>
			listBody([user('a'), { userName: 'ghost@example.com' }, user('b')], start, count),
		);
		expect(ids).toEqual(['a', 'b']);
		expect(listing.incomplete).toBe('it has an entry without ID (ghost@example.com)');
	});

	it('an entry without ID whose name is no text', async () => {
		const { listing } = await read('accountOrganizations', (start, count) =>
			listBody([user('a'), { userName: { toString: 1 }, displayName: [] }], start, count),
		);
		expect(listing.incomplete).toBe('it has an entry without ID (no name)');
	});
});

describe('paging: as much as was asked for', () => {
	it('a limit ends it, and nothing beyond it is asked for', async () => {
		const { ids, transport, listing } = await read(
			'generic',
			(start, count) => listBody(A_TO_E, start, count),
			{ count: 2, limit: 3 },
		);
		expect(ids).toEqual(['a', 'b', 'c']);
		expect(transport.sent).toEqual([
			'GET /Users?startIndex=1&count=2',
			'GET /Users?startIndex=3&count=1',
		]);
		expect(listing.incomplete).toBeUndefined();
	});

	it('a page larger than the limit is cut', async () => {
		const entries = [...people('ab'), { userName: 'ghost@example.com' }];
		const { ids, listing } = await read('generic', () => listBody(entries), { count: 2, limit: 2 });
		expect(ids).toEqual(['a', 'b']);
		// What is cut off may be as it will.
		expect(listing.incomplete).toBeUndefined();
	});

	it('begins where it is told to', async () => {
		const { ids, starts } = await read(
			'accountOrganizations',
			(start, count) => listBody(A_TO_E, start, count),
			{ count: 2, startIndex: 3 },
		);
		expect(ids).toEqual(['c', 'd', 'e']);
		expect(starts).toEqual([3, 5]);
	});

	it('keeps filter and attributes on every page', async () => {
		const { transport } = await read(
			'accountOrganizations',
			(start, count) => listBody(people('abc'), start, count),
			{ count: 2, filter: 'active eq true', attributes: 'userName' },
		);
		expect(transport.received.map(({ query }) => Object.fromEntries(query))).toEqual([
			{ filter: 'active eq true', attributes: 'userName', startIndex: '1', count: '2' },
			{ filter: 'active eq true', attributes: 'userName', startIndex: '3', count: '2' },
		]);
	});

	it('leaves a list that would take too many requests after its first page', async () => {
		const { listing, starts } = await read(
			'accountOrganizations',
			(start, count) => listBody(people('abcdefghij'), start, count),
			{ count: 2, mostPages: 3 },
		);
		expect(starts).toEqual([1]);
		expect(listing.incomplete).toBe('it has more than 3 pages');
		expect(listing.pages).toBe(1);
	});

	it('leaves a list of unknown length after that many requests', async () => {
		const { listing, starts } = await read(
			'generic',
			(start, count) => ({ Resources: listBody(people('abcdefghij'), start, count).Resources }),
			{ count: 2, mostPages: 3 },
		);
		expect(starts).toEqual([1, 3, 5]);
		expect(listing.incomplete).toBe('it has more than 3 pages');
	});
});

describe('paging: errors', () => {
	it('something that is no list', async () => {
		await expect(read('generic', () => ({ hello: 'world' }))).rejects.toThrow(
			'Could not list users: the service answered with something that is not a SCIM list',
		);
	});

	it('a page that cannot be read ends all of it', async () => {
		const transport = fakeTransport((_, nth) =>
			nth === 1 ? { json: listBody(A_TO_E, 1, 2) } : scimError(403, 'no more'),
		);
		const listing = listAll(sendOver(transport), PROFILES.generic, 'Users', readUser, LIST_LIMITS, {
			count: 2,
		});
		await expect(listing).rejects.toThrow('the service answered 403, no more');
		expect(transport.sent).toHaveLength(2);
	});
});

describe('limits', () => {
	const endless = (nth: number) =>
		listBody([{ id: `a${nth}` }, { id: `b${nth}` }] as typeof A_TO_E, 1, 2);
	const readWith = async (limits: { mostPages: number; mostResources: number }) => {
		const transport = fakeTransport((_, nth) => ({ json: endless(nth) }));
		const send = sendOver(transport);
		const listing = await listAll(send, PROFILES.generic, 'Users', readUser, limits, { count: 2 });
		return { listing, transport };
	};

	it('pages: a list without end is left, and said to be incomplete', async () => {
		const { listing, transport } = await readWith({ mostPages: 4, mostResources: 100 });
		expect(transport.sent).toHaveLength(4);
		expect(listing.incomplete).toBe('it has more than 4 pages');
	});

	it('resources: the same', async () => {
		const { listing, transport } = await readWith({ mostPages: 100, mostResources: 5 });
		expect(transport.sent).toHaveLength(3);
		expect(listing.incomplete).toBe('it has more than 5 entries');
	});
});

describe('paging: cursors (RFC 9865)', () => {
	/** Pages by cursor: each is named by its text, `.` an empty one, and names the next. */
	const book =
		(pages: Record<string, [ids: string, nextCursor?: unknown]>, more: object = {}): Answerer =>
		({ query }) => {
			const [ids, nextCursor] = pages[query.get('cursor') ?? ''] ?? [];
			if (ids === undefined) return scimError(400, 'No such cursor', { scimType: 'invalidCursor' });
			return { json: { Resources: people(ids), nextCursor, ...more } };
		};
	const PAGES = book({ '': ['ab', 'x+/='], 'x+/=': ['', 'y'], y: ['bcd'] });

	async function readBy(
		answer: Answerer,
		query: ListQuery = { count: 2 },
		profile: 'awsIdentityCenter' | 'generic' = 'awsIdentityCenter',
	) {
		const transport = fakeTransport((request, nth) => {
			if (nth > 50) throw new Error('asks for ever');
			return answer(request, nth);
		});
		const send = sendOver(transport, { maxWaitMs: 0 });
		const listing = await listAll(send, PROFILES[profile], 'Users', readUser, LIST_LIMITS, query);
		return { ids: listing.resources.map(({ id }) => id).join(''), listing, sent: transport.sent };
	}

	it('go on to the page that names none, over an empty one, each person once', async () => {
		const { ids, listing, sent } = await readBy(PAGES, { count: 2, filter: 'active eq true' });
		expect(ids).toBe('abcd');
		expect(listing).toMatchObject({ pages: 3 });
		expect(listing.incomplete).toBeUndefined();
		expect(sent).toEqual(
			['', 'x+/=', 'y'].map(
				(cursor) => `GET /Users?filter=active eq true&cursor=${cursor}&count=2`,
			),
		);
	});

	it('a first page by startIndex that names one: without startIndex from then on', async () => {
		const { ids, listing, sent } = await readBy(PAGES, { count: 2 }, 'generic');
		expect([ids, listing.incomplete]).toEqual(['abcd', undefined]);
		expect(sent).toEqual([
			'GET /Users?startIndex=1&count=2',
			'GET /Users?cursor=x+/=&count=2',
			'GET /Users?cursor=y&count=2',
		]);
	});

	it.each([null, '', undefined])('%j names no page', async (nextCursor) => {
		const { ids, sent } = await readBy(book({ '': ['ab', nextCursor] }));
		expect(ids).toBe('ab');
		expect(sent).toHaveLength(1);
	});

	it('never asks for a larger page than the service gives', async () => {
		const { sent } = await readBy(PAGES, { count: 500 });
		expect(sent[0]).toBe('GET /Users?cursor=&count=100');
	});

	it.each([
		['is refused', 400, 'invalidCursor'],
		['has expired', 400, 'expiredCursor'],
		['is refused without a type', 400, undefined],
		['is gone', 404, undefined],
	])('one that %s: once more from the beginning', async (_, status, scimType) => {
		const refusal = scimError(status, 'No such cursor', { scimType });
		const once = await readBy((request, nth) => (nth === 3 ? refusal : PAGES(request, nth)));
		expect([once.ids, once.listing.incomplete]).toEqual(['abcd', undefined]);
		expect(once.sent).toHaveLength(6);

		const always = await readBy((request, nth) =>
			request.query.get('cursor') === 'y' ? refusal : PAGES(request, nth),
		);
		expect(always.listing.incomplete).toMatch(
			/^the service does not accept its own cursor\. .*No such cursor/,
		);
		expect(always.sent).toHaveLength(6);
	});

	it('one that comes twice: once more from the beginning', async () => {
		const circle = book({ '': ['ab', 'x'], x: ['cd', 'y'], y: ['ef', 'x'] });
		const { listing, sent } = await readBy(circle);
		expect(listing.incomplete).toBe('the service names the same next page twice');
		expect(sent).toHaveLength(6);

		const once = await readBy((request, nth) => (nth <= 3 ? circle : PAGES)(request, nth));
		expect([once.ids, once.listing.incomplete]).toEqual(['abcd', undefined]);
	});

	it('fresh ones that bring the same entries: once more from the beginning', async () => {
		const same: Answerer = (_, nth) => ({
			json: { Resources: people('ab'), nextCursor: `fresh${nth}` },
		});
		const { listing, sent } = await readBy(same);
		expect(listing.incomplete).toBe('the service shows the same entries on another page');
		expect(sent).toHaveLength(4);

		const once = await readBy((request, nth) => (nth <= 2 ? same : PAGES)(request, nth));
		expect([once.ids, once.listing.incomplete]).toEqual(['abcd', undefined]);
	});

	it('one that is ignored, on a last page too: once more from the beginning', async () => {
		const { listing } = await readBy(book({ '': ['ab', 'x'], x: ['ab'] }));
		expect(listing.incomplete).toBe('the service shows the same entries on another page');
	});

	it('over some empty pages in a row, but not for ever', async () => {
		const empties =
			(most: number): Answerer =>
			({ query }) => {
				const page = Number(query.get('cursor'));
				const Resources = page === 0 ? people('ab') : page > most ? people('cd') : [];
				return { json: { Resources, ...(page <= most && { nextCursor: page + 1 }) } };
			};
		const some = await readBy(empties(9));
		expect([some.ids, some.listing.incomplete]).toEqual(['abcd', undefined]);

		const { listing, sent } = await readBy(empties(Number.POSITIVE_INFINITY));
		expect(listing.incomplete).toBe('the service names another page after 11 empty ones');
		expect(sent).toHaveLength(24);
	});

	it('a total that the last page does not reach', async () => {
		const short = book({ '': ['ab', 'x'], x: ['bc'] }, { totalResults: 4 });
		const { listing } = await readBy(short);
		expect(listing.incomplete).toBe('the service showed 3 of 4 entries');
		const reached = await readBy(short, { count: 2, limit: 3 });
		expect([reached.ids, reached.listing.incomplete]).toEqual(['abc', undefined]);
	});

	it('a total that drops, because somebody was removed meanwhile, is the last one told', async () => {
		const { ids, listing } = await readBy((request, nth) => {
			const { json } = PAGES(request, nth) as { json: object };
			return { json: { ...json, totalResults: nth === 1 ? 5 : 4 } };
		});
		expect([ids, listing.incomplete]).toEqual(['abcd', undefined]);
	});

	it('an entry without ID: the list is told to be incomplete', async () => {
		const { listing } = await readBy(() => ({ json: { Resources: [{ userName: 'ghost' }] } }));
		expect(listing.incomplete).toBe('it has an entry without ID (ghost)');
	});

	it('any other failure ends all of it', async () => {
		const answer: Answerer = (request, nth) =>
			nth === 2 ? scimError(403, 'no more') : PAGES(request, nth);
		await expect(readBy(answer)).rejects.toThrow('the service answered 403, no more');
	});

	it('a limit ends it, with pages of one size', async () => {
		const { ids, sent } = await readBy(book({ '': ['ab', 'x'], x: ['cd', 'y'] }), {
			count: 2,
			limit: 3,
		});
		expect(ids).toBe('abc');
		expect(sent).toEqual(['GET /Users?cursor=&count=2', 'GET /Users?cursor=x&count=2']);
	});

	it('a start in the middle is counted from the first', async () => {
		const { ids, sent } = await readBy(PAGES, { count: 2, startIndex: 2, limit: 2 });
		expect(ids).toBe('bc');
		expect(sent[0]).toBe('GET /Users?cursor=&count=2');
	});

	it('more pages than allowed: known from the total, or by reading them', async () => {
		const endless: Answerer = (_, nth) => ({
			json: { Resources: people('ab').map(({ id }) => user(`${id}${nth}`)), nextCursor: `c${nth}` },
		});
		const read3 = await readBy(endless, { count: 2, mostPages: 3 });
		expect(read3.listing.incomplete).toBe('it has more than 3 pages');
		expect(read3.sent).toHaveLength(3);

		const told = await readBy(book({ '': ['ab', 'x'] }, { totalResults: 10 }), {
			count: 2,
			mostPages: 3,
		});
		expect(told.listing.incomplete).toBe('it has more than 3 pages');
		expect(told.sent).toHaveLength(1);
	});

	it('a service that knows none, and says where its page begins: by startIndex', async () => {
		const { ids, listing, sent } = await readBy((request) => {
			const { startIndex, count } = paging(request);
			return { json: listBody(A_TO_E, startIndex, count) };
		});
		expect([ids, listing.incomplete]).toEqual(['abcde', undefined]);
		expect(sent.slice(0, 2)).toEqual([
			'GET /Users?cursor=&count=2',
			'GET /Users?startIndex=3&count=2',
		]);
	});

	it('a service that knows none and does not say so: short of its own total', async () => {
		const { listing } = await readBy(() => ({
			json: { totalResults: 5, Resources: people('ab') },
		}));
		expect(listing.incomplete).toBe('the service showed 2 of 5 entries');
	});
});

test('a total of what was shown so far is none of the list, in no list of the run', async () => {
	const users = Array.from({ length: 5 }, (_, index) => user(`u${index}`));
	const soFar: Answerer = (request) => {
		const { startIndex = 1 } = paging(request);
		const page = users.slice(startIndex - 1, startIndex + 1);
		return { json: { ...listBody(page), totalResults: startIndex - 1 + page.length } };
	};
	const habits = new ListHabits(2);
	const read = async () => {
		const send = sendOver(fakeTransport(soFar), { maxWaitMs: 0 });
		const { generic } = PROFILES;
		return await listAll(send, generic, 'Users', readUser, LIST_LIMITS, {}, habits);
	};
	expect((await read()).resources).toHaveLength(5);
	expect((await read()).resources).toHaveLength(5);
});

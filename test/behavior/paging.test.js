'use strict';

// What services do to a client that reads their lists: a page is two entries here, and there are five people.

const { dialectOf } = require('../../demo/service/scim/dialects');
const constants = require('../../dist/nodes/shared/run/settings');
const { openList, scrollList } = require('../support/lists');
const { inPagesOf } = require('../support/pages');
const { triggerAt } = require('../support/triggerPlay');
const { Groups, email, emails, locator, play, table } = require('../support/behavior');

const PROFILES = {
	generic: { overrideProfile: true, deletionIsFinal: 'no' },
	accountOrganizations: { serviceProfile: 'accountOrganizations', scimPrefix: 'nowhere' },
};
const ROLES = { groupsStandFor: 'organizationAndRole', groupPattern: '{organization}:{role}' };

const names = (count) => Array.from({ length: count }, (_, at) => `p${at + 1}`);
const idOf = (name) => new Groups({ [name]: '' }).user(name).value;
const peopled = (count, more) =>
	new Groups(Object.fromEntries(names(count).map((name) => [name, ''])), more);
const groupsOf = (...ids) => ids.map((id) => ({ id, displayName: id }));
const messageOf = ({ error }) => String(error);
const listsOf = ({ service }) => service.requests.map(({ query }) => Number(query.count));

beforeEach(() => inPagesOf(2));

async function list(w, resource = 'user') {
	const items = await play(w, [resource, 'getAll'], { returnAll: true });
	expect(w.service.written()).toStrictEqual([]);
	const errors = items.flatMap(({ error }) => error ?? []);
	const found = items.map(({ userId, id }) => w.names.get(userId) ?? id);
	return { found: errors.length > 0 ? [] : found, errors, counts: listsOf(w) };
}

const REPEATS = { ignoresStart: true, total: 'page' };

describe('pages by index', () => {
	/** Out: how many requests were under way at once, at the most. */
	const watch = ({ service }) => {
		const seen = { underWay: 0, most: 0 };
		const exchange = service.exchange.bind(service);
		service.exchange = async (request) => {
			seen.underWay += 1;
			seen.most = Math.max(seen.most, seen.underWay);
			await new Promise(setImmediate);
			seen.underWay -= 1;
			return await exchange(request);
		};
		return seen;
	};
	const SIX_PAGES = 12;

	test('are read side by side from the third on', async () => {
		const w = peopled(SIX_PAGES, { credential: PROFILES.generic });
		const seen = watch(w);
		expect((await list(w)).found).toEqual(names(SIX_PAGES));
		const starts = w.service.requests.map(({ query }) => Number(query.startIndex));
		expect(starts.slice(0, 2)).toEqual([1, 3]);
		expect(starts.slice(2).sort((a, b) => a - b)).toEqual([5, 7, 9, 11]);
		expect(seen.most).toBe(4);
	});

	test('are read one after the other by the trigger', async () => {
		const { service } = peopled(SIX_PAGES);
		const seen = watch({ service });
		const credential = { serviceProfile: 'generic' };
		await triggerAt(service, {
			events: ['userCreated'],
			options: { confirmAfter: 0 },
			credential,
		})();
		expect(seen.most).toBe(1);
		expect(service.requests.length).toBeGreaterThanOrEqual(6);
	});
});

describe.each(Object.entries(PROFILES))('profile %s', (profile, credential) => {
	const on = (switches, count = 5) => peopled(count, { credential, ...switches });
	// Account organizations count all pages: there a short page together with its own size is the end.
	const pageTotal = profile === 'generic' ? ['page'] : [];

	test.each([
		...['page', 'missing', 'string'].map((total) => [{ total }]),
		[{ listsTwice: true }],
		...['true', 'missing'].map((total) => [{ pastTheEnd: 'firstPage', total }, 4]),
		[{ pageCap: 1 }],
		[{ ignoresCount: true }, 2],
		[{ ignoresCount: true, ignoresStart: true }],
		[{ ignoresCount: true, ignoresStart: true, total: 'missing' }],
		...['list', 'absent', 'null'].map((noHits) => [{ noHits, total: 'missing' }]),
		...['true', 'missing', ...pageTotal].map((total) => [{ shortBy: 1, total }]),
		[{ overlap: 1 }, undefined, 7, 3],
		...['true', 'missing'].map((total) => [{ ignoresStart: true, total }]),
	])('everybody comes, and once: %j', async (...given) => {
		const [switches, most = Infinity, count = 5, page = 2] = given;
		inPagesOf(page);
		const { found, counts } = await list(on(switches, count));
		expect(found).toEqual(names(count));
		expect(counts.length).toBeLessThanOrEqual(most);
	});

	test('whom a page has in place of another, another pass shows', async () => {
		inPagesOf(2);
		expect(new Set((await list(on({ unordered: 1 }))).found)).toEqual(new Set(names(5)));
	});

	test.each([
		[{ ignoresStart: true, pageCap: 2 }, '2 of 5 entries'],
		[{ unordered: Infinity }, '3 of 5 entries'],
		[{ ignoresStart: true, pageCap: 2, total: 'missing' }, 'first 2 entries'],
	])('a list that may not be whole is an error: %j', async (switches, why) => {
		const { found, errors } = await list(on(switches));
		expect(found).toStrictEqual([]);
		expect(errors).toEqual([expect.stringMatching(`^The list of users is incomplete: .*${why}`)]);
	});

	test.each(
		['list', 'absent', 'null'].flatMap((noHits) =>
			['true', 'missing'].map((total) => ({ noHits, total })),
		),
	)('nobody is there: %j', async (switches) => {
		expect(await list(on(switches, 0))).toMatchObject({ found: [], errors: [] });
		// An account always has groups: there none is a failed read.
		expect((await list(on(switches, 0), 'group')).errors).toEqual(
			profile === 'generic' ? [] : ['Could not list groups: the service showed no group, 4 times'],
		);
		const user = locator('email', email('nobody'));
		const [item] = await play(on(switches, 0), ['user', 'get'], { user });
		expect(messageOf(item)).toBe(
			'Could not find out who has the user name nobody@example.com: the service shows nobody at all, neither in its list nor by filter',
		);
	});

	test('who is deleted between two pages shifts nobody out of view', async () => {
		const onList = (nth, scim) => nth === 2 && scim.users.delete(idOf('p1'));
		expect((await list(on({ onList }))).found).toEqual(names(5).slice(1));
	});

	test('a group that is deleted between two pages: nobody is taken for not having access', async () => {
		const w = new Groups(
			{ p1: 'org-1:viewer' },
			{
				groups: groupsOf(
					'org-1:admin',
					'org-1:member',
					'org-1:viewer',
					'org-2:admin',
					'org-2:member',
				),
				onList: (nth, scim) => nth === 2 && scim.groups.delete('org-1:admin'),
				credential: { ...credential, ...ROLES },
			},
		);
		const [item] = await play(w, ['access', 'get'], { user: w.user('p1') });
		expect(item).toMatchObject({ assignments: [{ organization: 'org-1', role: 'viewer' }] });
	});

	describe('who is not on the part of a list that comes is not "not found"', () => {
		const cut = () => on({ ignoresStart: true, pageCap: 2, filter: 403 });
		const [first, last] = ['p2', 'p5'].map((name) => locator('email', email(name)));

		test.each([
			['user', 'get', { user: last }],
			['user', 'deactivate', { user: last }],
			['user', 'delete', { user: last }],
			['user', 'upsert', { userName: email('p5') }],
		])('%s %s', async (resource, operation, fields) => {
			const w = cut();
			const [item] = await play(w, [resource, operation], fields);
			expect(messageOf(item)).toContain('the list of users is incomplete');
			expect(w.service.written()).toStrictEqual([]);
			expect(w.service.named(email('p5'))).toHaveLength(1);
		});

		test('who is on it is found', async () => {
			expect(await play(cut(), ['user', 'get'], { user: first })).toMatchObject([
				{ userId: idOf('p2') },
			]);
		});
	});
});

table('access', 'assign', [
	{
		it: 'no access is taken or given where the list of groups is cut off',
		on: () =>
			peopled(2, {
				groups: groupsOf('org-1:admin', 'org-1:member', 'org-1:viewer'),
				...{ ignoresStart: true, pageCap: 2, credential: ROLES },
			}),
		wish: () => ({
			...{ people: email('p1'), accessBy: 'organizationAndRole' },
			roles: { role: [{ organization: locator('id', 'org-1'), role: 'member' }] },
		}),
		fails: [/^The list of groups is incomplete: /],
	},
]);

describe('cursors (RFC 9865), as AWS IAM Identity Center documents them', () => {
	const AWS = { ...dialectOf('aws').switches, pageCap: 2 };
	const aws = { credential: { serviceProfile: 'awsIdentityCenter' } };

	test('everybody, and no discovery', async () => {
		const w = peopled(5, { ...AWS, ...aws });
		expect((await list(w)).found).toEqual(names(5));
		const asked = w.service.requests.map(({ path, query }) => [path, 'startIndex' in query]);
		expect(asked).toEqual(Array(3).fill(['/Users', false]));
		const groups = groupsOf('g1', 'g2', 'g3');
		expect((await list(peopled(0, { ...AWS, ...aws, groups }), 'group')).found).toHaveLength(3);
	});

	test.each([
		[
			'Paging: Cursor under Override Profile',
			{ credential: { overrideProfile: true, paging: 'cursor' } },
		],
		['a first page that names one without it', { paging: 'cursor', refusesQuery: [] }],
	])('%s', async (_, more) => {
		expect((await list(peopled(5, { ...AWS, ...more }))).found).toEqual(names(5));
	});

	test.each(['page', 'missing'])('a cursor that expires at once, totals %s', async (total) => {
		const onList = (nth, { switches }) => {
			switches.cursorMs = nth % 2 === 1 ? Infinity : -1;
		};
		const { errors, counts } = await list(peopled(5, { ...AWS, ...aws, onList, total }));
		expect(errors).toEqual([
			expect.stringMatching(/^The list of users is incomplete: .*own cursor/),
		]);
		expect(counts).toHaveLength(4);
	});

	test.each([
		['p4', { userId: idOf('p4') }],
		['nobody', { error: 'No user has the user name nobody@example.com' }],
	])('%s by name, among more than a page', async (name, found) => {
		const w = peopled(5, { ...AWS, ...aws });
		const user = locator('email', email(name));
		expect(await play(w, ['user', 'get'], { user })).toMatchObject([found]);
	});
});

describe('a first page that may be the whole list, of a service that says in `totalResults` how long the page is', () => {
	beforeEach(() => inPagesOf(100));
	const groups = ['team', 'Team', 'Other'].map((displayName) => ({
		id: `g-${displayName}`,
		displayName,
	}));
	const by = { accessBy: 'group', groups: { group: [{ group: 'Team' }] } };
	const on =
		(people, pageCap = 3) =>
		() =>
			new Groups(
				{ p1: '', p2: '', p3: '', p4: '', ...people },
				{ groups, total: 'page', pageCap, filter: 'off' },
			);
	const reads = (type, { service }) =>
		service.requests.filter(({ method, path }) => method === 'GET' && path === `/${type}`).length;
	const given = (...people) => Object.fromEntries(people.map((name) => [name, 'g-Team']));

	test.each([
		['is enough for people whom it shows', emails('p1 p2 p3'), 3, given('p1', 'p2', 'p3'), 1],
		['is not where a user is on the next one', emails('p1 p2 p4'), 3, given('p1', 'p2', 'p4')],
		['is not where it shows a group in another spelling', emails('p1'), 1, given('p1')],
		[
			'is not where it shows a person in another spelling',
			emails('p1 p2 p3').toUpperCase(),
			3,
			given('p1', 'p2', 'p3'),
			3,
		],
	])('%s', async (...row) => {
		const [, people, pageCap, ends, users] = row;
		const w = on({}, pageCap)();
		const items = await play(w, ['access', 'assign'], { people, ...by });
		expect(new Set(items.map(({ status }) => status))).toEqual(new Set(['done']));
		expect(w.shape()).toEqual({ ...w.before, ...ends });
		if (users) expect(reads('Users', w)).toBe(users);
	});

	test('is not for a group: another one of its name may follow', async () => {
		const w = on(given('p3', 'p4'))();
		await play(w, ['access', 'revoke'], { people: emails('p3 p1 p2'), revokeIn: 'one', ...by });
		expect(w.shape()).toEqual({ ...w.before, p3: '' });
		expect(reads('Groups', w)).toBe(2);
	});
});

describe('a service that answers every page with its first one, and gives the size of the page as the total', () => {
	const repeating = (count, more) => peopled(count, { ...REPEATS, ...more });
	/** Pages of this size, which become whole after two. */
	const growing = (pageCap) => ({
		pageCap,
		onList: (nth, { switches }) => {
			if (nth > 2) switches.pageCap = Infinity;
		},
	});

	test.each([
		['after a full page', 7, 2, [2, 2, 4, 8, 16]],
		...[50, 100, 200].map((cap) => [
			`after a page of ${cap}, whatever was asked for`,
			cap + 30,
			500,
			[500, 500, 1000, 2000],
			growing(cap),
		]),
		['as many, and fewer than asked', 3, 3, [3, 3, 6]],
		['of one that pages well, once more', 50, 50, [50, 50, 50], { ignoresStart: false }],
	])('is asked for more: %s', async (...given) => {
		const [, count, page, counts, switches] = given;
		inPagesOf(page);
		expect(await list(repeating(count, switches))).toEqual({
			found: names(count),
			errors: [],
			counts,
		});
	});

	test.each([
		[50, 20],
		[100, 100],
		[200, 500],
	])('%s for two larger counts is an error, with page size %s', async (pageCap, page) => {
		inPagesOf(page);
		const { errors } = await list(repeating(450, { pageCap }));
		expect(errors).toEqual([
			`The list of users is incomplete: the service repeats its first ${pageCap} entries`,
		]);
	});

	test('is asked for no more than a list may have', async () => {
		jest.replaceProperty(constants, 'MAX_RESOURCES_PER_LIST', 9);
		const { errors, counts } = await list(repeating(40));
		expect(errors).toEqual([expect.stringContaining('The list of users is incomplete')]);
		expect(Math.max(...counts)).toBe(9);
	});

	test('has all its groups, and users of later pages', async () => {
		const groups = groupsOf('g1', 'g2', 'g3', 'g4', 'g5');
		expect((await list(repeating(0, { groups }), 'group')).found).toHaveLength(5);
		const w = repeating(7, { filter: 403 });
		await play(w, ['user', 'deactivate'], { user: locator('email', email('p7')) });
		expect(w.shape()).toEqual({ ...w.before, p7: 'inactive' });
	});

	test('tells the trigger of who comes after the first page, or that the list is cut off', async () => {
		const { service } = repeating(5);
		const trigger = {
			events: ['userCreated'],
			options: { confirmAfter: 0 },
			credential: { serviceProfile: 'generic' },
		};
		const look = triggerAt(service, trigger);
		await look();
		service.create(email('p6'));
		expect(await look()).toMatchObject([{ event: 'userCreated', userName: email('p6') }]);
		await expect(triggerAt(repeating(70, { pageCap: 50 }).service, trigger)()).rejects.toThrow(
			'The list of users is incomplete: the service repeats its first 50 entries',
		);
	});

	describe('in the lists of the editor', () => {
		beforeEach(() => inPagesOf(100));

		/** Scrolls to the end. @returns the names on each page */
		const scroll = async (w, filter) =>
			(await scrollList(w, { filter })).map((ids) => ids.map((id) => w.names.get(id)));

		test.each(['page', 'true', 'missing'])(
			'everybody is shown once, totalResults %s',
			async (total) => {
				const pages = await scroll(repeating(330, { total }));
				expect(pages.flat()).toEqual(names(330));
				expect(pages.length).toBeLessThan(6);
			},
		);

		test('who is behind the first page is found by a part of a name', async () => {
			expect((await scroll(repeating(330, { filter: 403 }), 'p33')).flat()).toEqual([
				'p33',
				'p330',
			]);
		});

		test('pages that the service has filtered are not repeated', async () => {
			expect((await scroll(repeating(130, { filter: 'ignored' }), 'p')).flat()).toEqual(names(130));
		});

		test('a list that is cut off is an error, not the same people again', async () => {
			const w = repeating(330, { pageCap: 100 });
			const { results, paginationToken } = await openList(w);
			expect(results).toHaveLength(100);
			await expect(openList(w, { token: paginationToken })).rejects.toThrow(
				'The list of users is incomplete: the service repeats its first 100 entries',
			);
		});

		test('a page of 50 may not be all either', async () => {
			const w = repeating(70, { pageCap: 50 });
			const { paginationToken } = await openList(w);
			w.service.switches.pageCap = Infinity;
			const { results } = await openList(w, { token: paginationToken });
			expect(results.map(({ value }) => w.names.get(value))).toEqual(names(70).slice(50));
		});

		test('organizations of an incomplete list of groups are an error', async () => {
			const groups = groupsOf(...Array.from({ length: 130 }, (_, at) => `org-${at}:admin`));
			const w = repeating(0, { groups });
			const all = async () =>
				await openList(w, { method: 'searchOrganizations', credential: ROLES });
			expect((await all()).results).toHaveLength(130);
			w.service.switches.pageCap = 100;
			await expect(all()).rejects.toThrow('The list of groups is incomplete');
		});
	});
});

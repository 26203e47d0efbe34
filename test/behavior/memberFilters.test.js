'use strict';

// Groups show no members: filters tell who is in them. A filter is believed only after it finds no one for an unknown ID,
// since some services ignore filters.

const { Groups, SHOWN, email, emails, errorsIn } = require('../support/behavior');
const { listed, play, rows, table, wanted } = require('../support/behavior');

const names = (count) => Array.from({ length: count }, (_, at) => `p${at}`);
const groupsFor = (at, sizes) => sizes.flatMap((size, group) => (at < size ? [`g${group}`] : []));
/** AWS as documented, with `count` people; the first ones are in each group. */
const aws =
	(count, sizes, switches = {}) =>
	() => {
		const people = names(count).map((name, at) => [name, groupsFor(at, sizes).join(' ')]);
		const groups = sizes.map((_, group) => `g${group}`);
		return new Groups(Object.fromEntries(people), { ...SHOWN['by filter'], groups, ...switches });
	};
/** Membership filters as sent, with names for IDs, and `nobody` for unknown IDs. */
function asked({ service, names: known }) {
	const word = (id) => known.get(id) ?? (service.groups.has(id) ? id : 'nobody');
	return service.requests
		.map(({ query: { filter = '' } }) => filter.replace(/"([^"]*)"/g, (_, id) => word(id)))
		.filter((filter) => /members|groups\.value/.test(filter));
}
const run = async (world, operation, people, more) =>
	await play(world, ['access', operation], { people: emails(people), ...more });
const assign = async (world, people, ...groups) =>
	await run(world, 'assign', people, listed(...groups));

test('one person: one request for each group, and one that finds nobody', async () => {
	const world = aws(30, [25, 25])();
	await assign(world, 'p27', 'g0', 'g1');
	const each = ['g0', 'g1'].map((group) => `id eq ${group} and members eq p27`);
	expect(asked(world).sort()).toEqual(['id eq g0 and members eq nobody', ...each, ...each].sort());
});

test('several people: the pages of the group', async () => {
	const world = aws(30, [9])();
	await assign(world, 'p1 p2 p27', 'g0');
	expect(asked(world)).toEqual(['nobody', 'g0', 'g0'].map((one) => `groups.value eq ${one}`));
});

test('several people in a group of more pages than people: each is asked for', async () => {
	// AWS tells no total, so it is known after as many pages.
	const world = aws(600, [550])();
	await assign(world, 'p1 p2 p570', 'g0');
	const filters = asked(world);
	expect(filters.filter((one) => one === 'groups.value eq g0')).toHaveLength(3);
	expect(filters.filter((one) => one.includes('members eq'))).toHaveLength(1 + 3 + 1);
	expect(world.shape().p570).toBe('g0');
});

test('removals from groups of more members than a page has are seen, each by a filter that finds others', async () => {
	const world = aws(101, [101, 101])();
	const wants = names(101).flatMap((name, at) =>
		[0, 1].flatMap((group) => (at === group ? [] : { email: email(name), group: `g${group}` })),
	);
	const items = await play(world, ['access', 'reconcile'], {
		...{ ...wanted(wants), scopeGroups: rows('g0', 'g1'), preview: false },
		options: { maxShareAffected: 100, maxPeopleAffected: 1000 },
	});
	expect(errorsIn(items)).toEqual([]);
	const { p0, p1, p2 } = world.shape();
	expect([p0, p1, p2]).toEqual(['g1', 'g0', 'g0 g1']);
});

test('Get Matrix takes the pages of users, of groups and of their members', async () => {
	const world = aws(1000, [350, 250, 0])();
	await play(world, ['access', 'getMatrix'], {});
	const [users, groups, probe, members] = [10, 1, 1, 4 + 3 + 1];
	expect(world.service.requests).toHaveLength(users + groups + probe + members);
});

test('a list of members that ends too early is no list', async () => {
	const world = aws(300, [250])();
	world.service.given.onRequest = (_, { query }) => {
		if (query.cursor && query.filter) world.service.switches.cursorMs = -1;
	};
	const [item] = await play(world, ['access', 'getMatrix'], {});
	expect(item.error).toBeDefined();
});

test('short IDs, all of which are taken: the ID that nobody has is another one', async () => {
	const ids = [...'abcdefghijklmnopqrstuvwxyz'].flatMap((letter) =>
		[...'0123456789'].map((digit) => `${letter}-${digit}`),
	);
	const world = new Groups({ ana: ids.join(' ') }, SHOWN['by filter']);
	const [item] = await play(world, ['access', 'getMatrix'], {});
	expect(Object.values(item.access)).toEqual(ids.map(() => 'member'));
});

test('IDs that are short numbers do not stand for nobody', async () => {
	const on = { ...SHOWN.nowhere, membershipFilter: 'on' };
	for (let time = 0; time < 10; time++) {
		const people = [...'012345'].map((id) => [id, { id, has: id }]);
		const world = new Groups(Object.fromEntries(people), on);
		const [item] = await play(world, ['access', 'get'], { user: world.group('1') });
		expect(item.assignments).toHaveLength(1);
	}
});

test('a deleted user costs no list of every group', async () => {
	const world = aws(400, [350, 350, 350])();
	const [item] = await run(world, 'offboard', 'p1', {
		...{ method: 'delete', options: { allowPermanentRemoval: true } },
	});
	expect(item).toMatchObject({ status: 'done', accessRemaining: [] });
	expect(asked(world).filter((one) => one.includes('groups.value')).length).toBeLessThan(3);
});

describe('a filter that proves nothing', () => {
	/**
	 * Filters by `members eq` find no one, here and on each further page that `more` promises.
	 * @param ofMembers whether only filters that would find a group do
	 */
	const findNobody =
		(more, switches, ofMembers = false) =>
		() => {
			const world = aws(300, [250, 3], switches)();
			const { service } = world;
			const answer = service.answer.bind(service);
			service.answer = (request) => {
				const real = answer(request);
				if (!request.url.includes('members%20eq')) return real;
				if (ofMembers && !JSON.parse(real.text).Resources?.length) return real;
				return { ...real, text: JSON.stringify({ Resources: [], ...more }) };
			};
			return world;
		};
	const left = { ends: { p1: 'inactive g0 g1' }, sends: ['PATCH p1'] };
	const row = (it, on, wish, more) => ({
		...{ it, on, wish: () => ({ people: emails('p1'), ...wish }) },
		...more,
	});
	describe.each([
		['finds no one for any ID', aws(30, [25, 3], { membershipFilter: 'nobody' })],
		['finds nobody, while another form finds everybody', findNobody()],
		['has no end', findNobody({ nextCursor: 'more' }, { membershipFilter: 'nobody' })],
	])('%s', (_, on) => {
		const unverified = { items: [{ status: 'unverified', accessRemaining: null }], fails: [/./] };
		table('access', 'offboard', [row('Offboard', on, {}, { ...left, ...unverified })]);
		table('access', 'revoke', [row('Revoke', on, listed('g0'), { fails: [/./] })]);
	});
	const part = findNobody({ totalResults: 2 }, {}, true);
	const seen = { items: ['revoked p1 g0 done'], sends: ['PATCH g0'], ends: { p1: 'g1' } };
	table('access', 'revoke', [row('a part of an answer: the list tells', part, listed('g0'), seen)]);
});

table('access', 'revoke', {
	it: 'a service that empties a group is found out by another member',
	on: aws(5, [4], { removesEverybody: ['valueList'] }),
	wish: () => ({ people: emails('p1'), ...listed('g0') }),
	fails: [/lost 3 more than this run removed/],
	...{ sends: ['PATCH g0'], ends: { p0: '', p1: '', p2: '', p3: '' } },
});

describe('a group that was renamed or deleted is looked at, not remembered', () => {
	const inG0 = (w) => ({ chooseGroupBy: 'group', group: w.group('g0') });
	table('group', 'update', {
		it: 'renamed',
		on: aws(10, [3]),
		wish: (w) => ({ ...inG0(w), updateFields: { displayName: 'Other' } }),
		...{ sends: ['PATCH g0'], once: true },
	});
	table('group', 'delete', {
		it: 'deleted',
		on: aws(10, [3]),
		wish: (w) => ({ ...inG0(w), options: { maxPeopleAffected: 1000 } }),
		...{ sends: ['DELETE g0'], ends: { p0: '', p1: '', p2: '' }, once: true },
	});
});

test('a service that shows members is asked by no filter', async () => {
	const world = new Groups({ ana: 'g0', ben: 'g0' });
	await run(world, 'offboard', 'ana');
	expect(asked(world)).toStrictEqual([]);
});

test('a service of which nothing is known: filters that work are believed', async () => {
	const on = { ...SHOWN.nowhere, membershipFilter: 'on' };
	const world = new Groups({ ana: 'g0 g1', ben: 'g0' }, on);
	const [got] = await play(world, ['access', 'get'], { user: world.user('ana') });
	expect(got.assignments.map(({ group }) => group)).toEqual(['g0', 'g1']);
	const [left] = await run(world, 'offboard', 'ana');
	expect(left).toMatchObject({ status: 'done', accessRemaining: [] });
	expect(world.shape()).toEqual({ ana: 'inactive', ben: 'g0' });
});

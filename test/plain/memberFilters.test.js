'use strict';

require('../support/noWaiting');
const { DIALECTS } = require('../../demo/service/scim/dialects');
const { MemoryService } = require('../support/memoryService');
const {
	ID,
	email,
	emails,
	errorsIn,
	idOf,
	listed,
	locator,
	membersIn,
	play,
	rows,
	serviceWith,
	statuses,
} = require('../support/modelGroupsPlay');

// Groups show no members: filters tell who is in them. They are believed only after the same filter has found nobody for
// an ID that nobody has, since some services ignore filters and answer with everybody.

const AWS = { serviceProfile: 'awsIdentityCenter' };
const UUID = (kind, number) => `${kind}c9d0b7e-11aa-4f00-8000-${String(number).padStart(12, '0')}`;
const groupId = (number) => UUID('9', number);
const userId = (number) => UUID('1', number);

/** AWS as it is documented, with so many people, of whom the first ones are in each group. */
function aws(people, sizes, switches = {}) {
	const users = Array.from({ length: people }, (_, number) => ({
		id: userId(number),
		userName: `person${number}@example.com`,
		displayName: `Person ${number}`,
		name: { givenName: 'Person', familyName: String(number) },
		groups: sizes.flatMap((size, group) => (number < size ? [groupId(group)] : [])),
	}));
	const groups = sizes.map((_, number) => ({
		id: groupId(number),
		displayName: `Group ${number}`,
	}));
	return new MemoryService({ people: users, groups }, { ...DIALECTS.aws.switches, ...switches });
}

/** Requests as `METHOD path?filter`, IDs by their numbers, and the IDs that nobody has as `nobody`. */
function sentTo(service) {
	const known = new Set([...service.users.keys(), ...service.groups.keys()]);
	const short = (id) => (known.has(id) ? id.slice(-12).replace(/^0*(?=.)/, '') : 'nobody');
	return service.requests.map(({ method, path, query: { filter = '' } }) => {
		const shown = `${path} ${filter}`.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, short);
		return `${method} ${shown.trim()}`;
	});
}

const run = async (service, operation, parameters, more) =>
	await play(service, operation, parameters, [{}], { credential: AWS, ...more });
const people = (...numbers) => numbers.map(userId).join(', ');

describe('AWS IAM Identity Center', () => {
	const group = (number) => ({
		...{ accessBy: 'group', ...listed(locator('id', groupId(number))) },
	});
	const inGroups = (...numbers) => listed(...numbers.map((number) => `Group ${number}`));

	test('one person in two groups: one request for each group, and one that finds nobody', async () => {
		const service = aws(300, [250, 250]);
		const items = await run(service, 'assign', { people: people(270), ...inGroups(0, 1) });
		expect(statuses(items).map(([, group, status]) => [group, status])).toEqual([
			['Group 0', 'done'],
			['Group 1', 'done'],
		]);
		const asked = [
			'GET /Groups id eq "0" and members eq "270"',
			'GET /Groups id eq "1" and members eq "270"',
		];
		const probe = 'GET /Groups id eq "0" and members eq "nobody"';
		const sent = sentTo(service);
		expect(sent.filter((one) => one.includes('members eq')).sort()).toEqual(
			[probe, ...asked, ...asked].sort(),
		);
		expect(sent.filter((one) => one.includes('groups.value'))).toStrictEqual([]);
	});

	test('several people: the pages of the group, unless there are more of them than people', async () => {
		const small = aws(300, [90]);
		await run(small, 'assign', { people: people(1, 2, 270), ...inGroups(0) });
		expect(sentTo(small).filter((one) => /groups.value|members eq/.test(one))).toEqual([
			'GET /Users groups.value eq "nobody"',
			'GET /Users groups.value eq "0"',
			'GET /Users groups.value eq "0"',
		]);
		const big = aws(600, [550]);
		const items = await run(big, 'assign', { people: people(1, 2, 570), ...inGroups(0) });
		expect(statuses(items).map(([, , status]) => status)).toEqual([
			'unchanged',
			'unchanged',
			'done',
		]);
		const sent = sentTo(big);
		// AWS tells no total, so that there are more pages than people is known after as many.
		const listed = sent.filter((one) => one.includes('groups.value eq "0"'));
		expect(listed).toHaveLength(3);
		const asked = sent.filter((one) => one.includes('members eq'));
		expect(asked).toHaveLength(1 + 3 + 1);
	});

	test('short IDs, all of which are taken: the ID that nobody has is another one', async () => {
		const ids = [...'abcdefghijklmnopqrstuvwxyz'].flatMap((letter) =>
			[...'0123456789'].map((digit) => `${letter}-${digit}`),
		);
		const person = { id: userId(0), userName: 'ana@example.com', groups: ids };
		const groups = ids.map((id) => ({ id, displayName: `Group ${id}` }));
		const service = new MemoryService({ people: [person], groups }, DIALECTS.aws.switches);
		const [item] = await run(service, 'getMatrix', {});
		expect(Object.keys(item.access)).toHaveLength(ids.length);
	});

	test('a person is taken out, and it is proven', async () => {
		const service = aws(300, [250, 3, 0]);
		const [item] = await run(service, 'offboard', { people: people(1) });
		expect(errorsIn([item])).toStrictEqual([]);
		expect(item).toMatchObject({
			status: 'done',
			accessRemoved: [{ group: 'Group 0' }, { group: 'Group 1' }],
			accessRemaining: [],
		});
		expect(service.groups.get(groupId(0))).not.toContain(userId(1));
		expect(service.groups.get(groupId(0))).toHaveLength(249);
	});

	test('the matrix takes the pages of users, of groups and of their members', async () => {
		const service = aws(10_000, [350, 250, 0]);
		const items = await run(service, 'getMatrix', { output: 'items' });
		expect(errorsIn(items)).toStrictEqual([]);
		const [users, groups, probe, members] = [100, 1, 1, 4 + 3 + 1];
		expect(service.requests).toHaveLength(users + groups + probe + members);
	});

	test.each([
		['finds nobody whomever it is asked for', { membershipFilter: 'nobody' }],
		['finds nobody, while another form finds everybody', { asksFindNobody: true }],
		['has no end', { membershipFilter: 'nobody', emptyFirstPage: true }],
	])(
		'a filter that %s proves nothing',
		async (_, { emptyFirstPage, asksFindNobody, ...switches }) => {
			const service = aws(300, [250, 3], switches);
			if (emptyFirstPage || asksFindNobody) {
				const answer = service.answer.bind(service);
				service.answer = (request) => {
					const real = answer(request);
					if (!request.url.includes('members%20eq')) return real;
					return {
						...real,
						text: JSON.stringify({
							Resources: [],
							...(emptyFirstPage && { nextCursor: 'more' }),
						}),
					};
				};
			}
			const [left] = await run(service, 'offboard', { people: people(1) });
			expect(left).toMatchObject({ status: 'unverified', accessRemaining: null });
			const [revoked] = await run(service, 'revoke', {
				people: people(1),
				...group(0),
				revokeIn: 'one',
			});
			expect(revoked.status).not.toBe('unchanged');
			expect(service.groups.get(groupId(0))).toContain(userId(1));
		},
	);

	test('a service that empties a group by a removal is found out by somebody else who was in it', async () => {
		const service = aws(300, [20], { removesEverybody: ['valueList'] });
		const items = await run(service, 'revoke', { people: people(1), ...group(0), revokeIn: 'one' });
		expect(errorsIn(items).join()).toContain('lost 19 more than this run removed');
	});

	test('somebody who was deleted costs no list of every group', async () => {
		const service = aws(1_000, [350, 350, 350]);
		const [item] = await run(service, 'offboard', { people: people(1), method: 'delete' });
		expect(item).toMatchObject({ status: 'done', accessRemaining: [] });
		const lists = sentTo(service).filter((one) => one.includes('groups.value'));
		expect(lists.length).toBeLessThan(3);
	});

	test('a group that was deleted or renamed is looked at, not remembered', async () => {
		const service = aws(10, [3]);
		const byId = { chooseGroupBy: 'group', group: locator('id', groupId(0)) };
		const own = { resource: 'group' };
		const renamed = { ...byId, updateFields: { displayName: 'Other' } };
		expect(errorsIn(await run(service, 'update', renamed, own))).toStrictEqual([]);
		const limits = { maxPeopleAffected: 1000 };
		expect(errorsIn(await run(service, 'delete', { ...byId, options: limits }, own))).toStrictEqual(
			[],
		);
		expect(service.groups.size).toBe(0);
	});

	test('a list of members that ends too early is no list', async () => {
		const service = aws(300, [250]);
		service.given.onRequest = (nth, { query }) => {
			if (query.cursor && query.filter) service.switches.cursorMs = -1;
		};
		const items = await run(service, 'getMatrix', { output: 'items' });
		expect(errorsIn(items)).toHaveLength(1);
	});
});

const range = (count) => Array.from({ length: count }, (_, index) => index);
const numbered6 = (number) => ({
	id: String(number),
	userName: email(`p${number}`),
	groups: [String(number)],
});

describe('a service of which nothing is known', () => {
	const hidden = (membershipFilter) => serviceWith({ membersShownOn: 'nowhere', membershipFilter });

	test('filters that find members, and nobody for an ID that nobody has, are believed', async () => {
		const service = hidden('on');
		const [access] = await play(service, 'get', { user: locator('id', idOf('ben')) });
		expect(access.assignments.map(({ group }) => group).sort()).toEqual([
			'Everyone',
			'Sales, EMEA',
			'VPN',
		]);
		const [left] = await play(service, 'offboard', { people: email('ben') });
		expect(left).toMatchObject({ status: 'done', accessRemaining: [] });
		expect(Object.values(membersIn(service)).flat()).not.toContain('ben');
	});

	test.each(['ignored', 'nobody', 'off'])(
		'filters are %s: access is unknown, and nothing is taken away',
		async (membershipFilter) => {
			const service = hidden(membershipFilter);
			const before = membersIn(service);
			const items = await play(service, 'set', {
				people: emails('ben'),
				...listed('VPN'),
				managedGroups: rows('VPN', 'Everyone'),
			});
			expect(items.map(({ status }) => status)).not.toContain('unchanged');
			expect(membersIn(service)).toEqual({ ...before, vpn: expect.arrayContaining(['ben']) });
			const [left] = await play(service, 'offboard', { people: email('ben') });
			expect(left).toMatchObject({ status: 'unverified', accessRemaining: null });
		},
	);

	test('IDs that are short numbers do not stand for nobody', async () => {
		for (let time = 0; time < 10; time++) {
			const numbered = {
				people: range(6).map(numbered6),
				groups: range(6)
					.map(String)
					.map((id) => ({ id, displayName: `G${id}` })),
			};
			const service = serviceWith({
				...numbered,
				membersShownOn: 'nowhere',
				membershipFilter: 'on',
			});
			const [item] = await play(service, 'get', { user: locator('id', '1') });
			expect(item.assignments).toHaveLength(1);
		}
	});

	test('a service that shows members is asked by no filter', async () => {
		const service = serviceWith();
		await play(service, 'offboard', { people: email('ben') });
		expect(service.requests.filter(({ query }) => 'filter' in query)).toHaveLength(1);
		expect(membersIn(service)).not.toHaveProperty(ID.vpn);
	});
});

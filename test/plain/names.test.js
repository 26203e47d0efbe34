'use strict';

require('../support/noWaiting');
const {
	GROUPS,
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
} = require('../support/modelGroupsPlay');

const DAN = { people: email('dan') };
const assign = async (service, parameters) =>
	await play(service, 'assign', { ...DAN, ...parameters });

/** Ways to name one group; each has to give the same. */
const one = (mode, value) => listed(locator(mode, value));
const json = (value) => ({ groups: value });
const WAYS = {
	'one, by name': (name) => one('name', name),
	'a row': (name) => listed(name),
	'a row that holds the JSON of a list': (name) => listed(JSON.stringify([name])),
	'a row that holds a list': (name) => listed([name]),
	'a JSON text': (name) => json(JSON.stringify([name])),
	'a JSON object': (name) => json([{ group: name }]),
};

describe.each(Object.keys(WAYS))('named by %s', (way) => {
	const naming = WAYS[way];

	test.each([
		['Engineering', 'eng'],
		['engineering', 'ENG'],
		['vpn', 'vpn'],
		['EVERYONE', 'everyone'],
		['Sales, EMEA', 'sales'],
	])('%s is one group, an exact match first and else any case', async (name, word) => {
		const service = serviceWith();
		expect(await assign(service, naming(name))).toMatchObject([
			{
				change: 'granted',
				status: 'done',
				userId: idOf('dan'),
				userName: email('dan'),
				group: GROUPS[word].displayName,
				groupId: ID[word],
				role: null,
			},
		]);
		expect(membersIn(service)[word]).toContain('dan');
		expect(service.written()).toEqual([`PATCH /Groups/${ID[word]}`]);
	});

	test.each([
		['ENGINEERING', 'eng', 'ENG'],
		['Support', 'support1', 'support2'],
	])('%s is the name of two, and both ids are named', async (name, first, second) => {
		const service = serviceWith();
		const [error] = errorsIn(await assign(service, naming(name)));
		expect(error).toContain(ID[first]);
		expect(error).toContain(ID[second]);
		expect(service.written()).toStrictEqual([]);
	});

	test('an unknown name is an error that says it', async () => {
		const service = serviceWith();
		const [error] = errorsIn(await assign(service, naming('Marketing')));
		expect(error).toContain('Marketing');
		expect(service.written()).toStrictEqual([]);
	});
});

describe.each([
	['a row', (text) => listed(text)],
	['JSON text', (text) => json(JSON.stringify([text]))],
])('%s may hold a name or an ID', (_way, naming) => {
	test('an ID counts where it is no name', async () => {
		const service = serviceWith();
		expect(await assign(service, naming(ID.sales))).toMatchObject([
			{ change: 'granted', status: 'done', groupId: ID.sales },
		]);
	});

	test('the ID of one that is the name of another is an error naming both ids', async () => {
		const service = serviceWith();
		const [error] = errorsIn(await assign(service, naming(ID.vpn)));
		expect(error).toContain(ID.vpn);
		expect(error).toContain(ID.vpnToo);
		expect(service.written()).toStrictEqual([]);
	});
});

test.each([
	['the ID of a locator', one('id', ID.vpn)],
	['a groupId', json([{ groupId: ID.vpn }])],
	['a groupId beside another name', json([{ groupId: ID.vpn, group: 'Everyone' }])],
])('%s is an ID and nothing else', async (_way, parameters) => {
	const service = serviceWith();
	expect(await assign(service, parameters)).toMatchObject([
		{ change: 'granted', status: 'done', group: 'VPN', groupId: ID.vpn },
	]);
	expect(membersIn(service).vpnToo).toBeUndefined();
});

test('one group by ID is read alone, and nothing else of the groups', async () => {
	const service = serviceWith();
	await assign(service, one('id', ID.eng));
	const reads = service.requests.filter(
		({ method, path }) => method === 'GET' && /Groups/.test(path),
	);
	expect(new Set(reads.map(({ path }) => path))).toEqual(new Set([`/Groups/${ID.eng}`]));
});

describe.each(['on', 'exactCase', 'ignored', 'off'])('a filter is %s', (groupFilter) => {
	describe.each([true, false])('lists leave out members: %s', (excludesAttributes) => {
		test('groups are found by name all the same', async () => {
			const service = serviceWith({ groupFilter, excludesAttributes });
			expect(await assign(service, one('name', 'vpn'))).toMatchObject([
				{ status: 'done', groupId: ID.vpn },
			]);
			expect(await assign(service, one('name', 'engineering'))).toMatchObject([
				{ status: 'done', groupId: ID.ENG },
			]);
			const [error] = errorsIn(await assign(service, one('name', 'Support')));
			expect(error).toContain(ID.support1);
			expect(error).toContain(ID.support2);
		});
	});
});

test('JSON objects may name an organization and role only where groups spell them', async () => {
	const service = serviceWith();
	const items = await assign(service, json([{ organization: 'org-1', role: 'admin' }]));
	expect(errorsIn(items)).toHaveLength(1);
	expect(service.written()).toStrictEqual([]);
});

describe('Managed Groups', () => {
	const set = async (service, managed, ...wanted) =>
		await play(service, 'set', {
			people: email('ana'),
			...listed(...wanted),
			managedGroups: rows(...managed),
		});

	test.each([['Marketing'], ['g-0000ffff']])(
		'%s matches no group: nothing is sent',
		async (text) => {
			const service = serviceWith();
			const items = await set(service, ['Engineering', 'VPN', text], 'VPN');
			expect(errorsIn(items).join()).toContain(text);
			expect(items.every(({ error }) => error !== undefined)).toBe(true);
			expect(service.written()).toStrictEqual([]);
		},
	);

	test('a pattern that matches none is a warning', async () => {
		const service = serviceWith();
		const items = await set(service, ['Engineering', 'VPN', 'Market*'], 'VPN');
		expect(errorsIn(items)).toStrictEqual([]);
		expect(JSON.stringify(items.map(({ warnings }) => warnings))).toContain('Market*');
		expect(membersIn(service)).toMatchObject({ vpn: ['ana', 'ben', 'eve'] });
		expect(membersIn(service).eng).toBeUndefined();
	});

	test('groups outside are left alone', async () => {
		const service = serviceWith();
		await set(service, ['Engineering', 'VPN'], 'VPN');
		expect(membersIn(service).everyone).toContain('ana');
	});

	test('* is all groups', async () => {
		const service = serviceWith();
		await set(service, ['*'], 'VPN');
		expect(membersIn(service)).toEqual({
			vpn: ['ana', 'ben', 'eve'],
			sales: ['ben'],
			everyone: ['ben', 'cleo', 'eve'],
		});
	});

	test('an entry that is the ID of one and the name of another names both ids', async () => {
		const service = serviceWith();
		const error = errorsIn(await set(service, [ID.vpn], 'Engineering')).join();
		expect(error).toContain(ID.vpnToo);
		expect(error).toContain('VPN');
		expect(service.written()).toStrictEqual([]);
	});

	test.each([
		['unknown', 'Marketing'],
		['outside Managed Groups', 'Sales, EMEA'],
	])('a wanted group that is %s stops that person alone', async (_why, wanted) => {
		const service = serviceWith();
		const items = await play(service, 'set', { managedGroups: rows('Engineering', 'VPN') }, [
			{ people: email('ana'), ...listed('VPN', wanted) },
			{ people: email('cleo'), ...listed('VPN') },
		]);
		expect(items.filter(({ userName }) => userName === email('cleo'))).toMatchObject([
			{ change: 'granted', status: 'done', groupId: ID.vpn },
		]);
		expect(errorsIn(items).join()).toContain(wanted);
		expect(membersIn(service)).toMatchObject({ eng: ['ana'], vpn: ['ben', 'cleo', 'eve'] });
		expect(service.written()).toHaveLength(1);
	});

	test('Set by groups without Managed Groups sends nothing', async () => {
		const service = serviceWith();
		const failed = await play(service, 'set', { people: email('ana'), ...listed('VPN') }).catch(
			(error) => [{ error: error.message }],
		);
		expect(errorsIn(failed).join()).toContain('Managed Groups');
		expect(service.written()).toStrictEqual([]);
	});
});

describe('groups that stand for one role in one organization, by their IDs', () => {
	const [OLD, NEW] = ['app-sales-Admin', 'app-sales-admin'];
	const credential = {
		...{ serviceProfile: 'generic', groupsStandFor: 'organizationAndRole' },
		...{ groupPattern: 'app-{organization}-{role}', groupPatternOn: 'id' },
	};
	const service = () =>
		serviceWith({
			groups: [OLD, NEW].map((id) => ({ id, displayName: id })),
			people: [
				{ userName: email('ana'), groups: [OLD] },
				{ userName: email('ben'), groups: [NEW] },
			],
		});

	test.each([
		['assign', { people: email('ana'), ...listed(NEW) }],
		['revoke', { people: email('ben'), revokeIn: 'one', ...listed(OLD) }],
		['offboard', { people: email('ana') }],
		['getMatrix', {}],
	])('%s: two of them are an error, and nothing is sent', async (operation, parameters) => {
		const model = service();
		const items = await play(model, operation, parameters, [{}], { credential });
		expect(errorsIn(items).join()).toContain('Two groups stand for');
		expect(errorsIn(items).join()).toContain(`(IDs ${OLD}, ${NEW})`);
		expect(model.written()).toStrictEqual([]);
	});
});

describe('an ID that no group has', () => {
	const groups = ['app-sales-viewer', 'app-hr-viewer'].map((id) => ({ id, displayName: id }));
	const people = ['ana', 'cleo', 'dan'].map((name) => ({
		...{ userName: email(name), groups: name === 'dan' ? [] : ['app-hr-viewer'] },
	}));
	const pattern = (groupPatternOn) => ({
		...{ serviceProfile: 'generic', groupsStandFor: 'organizationAndRole', groupPatternOn },
		groupPattern: 'app-{organization}-{role}',
	});
	const SERVICES = {
		'plain groups': [{}, {}, [ID.eng, ID.sales]],
		'a pattern on names': [{ groups, people }, pattern('displayName')],
		'a pattern on IDs': [{ groups, people }, pattern('id')],
	};
	const known = (name) => SERVICES[name][2] ?? groups.map(({ id }) => id);
	const run = async (name, operation, parameters, items) => {
		const [own, credential] = SERVICES[name];
		const service = serviceWith(own);
		const more = Object.keys(credential).length > 0 ? { credential } : {};
		return { service, items: await play(service, operation, parameters, items, more) };
	};
	const wants = (...ids) => ({ groups: ids.map((groupId) => ({ groupId })) });

	describe.each(Object.keys(SERVICES))('%s', (name) => {
		const [one, other] = known(name);

		test.each([
			['assign', {}],
			['revoke', { revokeIn: 'one' }],
			['set', { managedGroups: rows('*') }],
		])('beside one that is there: %s sends nothing for the person', async (operation, own) => {
			const { service, items } = await run(name, operation, { ...DAN, ...own }, [
				wants(one, 'app-nope'),
				{ people: email('cleo'), ...wants(one) },
			]);
			const [item, ...others] = items;
			expect(item).toMatchObject({ groupId: 'app-nope', userName: email('dan'), status: 'failed' });
			expect(String(item.error)).toMatch(/There is no (group|organization) "?(app-)?nope/);
			expect(errorsIn(others)).toStrictEqual([]);
			expect(JSON.stringify(membersIn(service))).not.toContain('dan');
			expect(service.requests.map(({ body = '' }) => body).join()).not.toContain(idOf('dan'));
		});

		test('in another item of the person: nothing is sent either', async () => {
			const { service, items } = await run(name, 'assign', DAN, [
				wants(one),
				wants('app-nope'),
				{ people: idOf('dan'), ...wants(other) },
				{ people: email('cleo'), ...wants(one) },
			]);
			expect(items.map(({ groupId, status }) => [groupId, status])).toEqual([
				[one, 'failed'],
				['app-nope', 'failed'],
				[other, 'failed'],
				[one, 'done'],
			]);
			expect(items[0].error).toContain('item 1 is about the same person');
			expect(JSON.stringify(membersIn(service))).not.toContain('dan');
		});
	});

	test('a role that an organization does not have is an error that says it', async () => {
		const { service, items } = await run(
			'a pattern on IDs',
			'assign',
			{ accessBy: 'organizationAndRole', ...DAN },
			[
				{
					roles: [
						{ organization: 'sales', role: 'viewer' },
						{ organization: 'sales', role: 'admin' },
						{ organization: 'hr', role: 'viewer' },
					],
				},
			],
		);
		expect(items).toMatchObject([
			{ groupId: 'app-sales-admin', organization: 'sales', role: 'admin', status: 'failed' },
		]);
		expect(items[0].error).toContain('Organization sales has no role admin');
		expect(service.written()).toStrictEqual([]);
	});
});

test('two items that name one group in two ways are one change', async () => {
	const service = serviceWith();
	const items = await play(service, 'assign', DAN, [
		listed('VPN'),
		{ groups: [{ groupId: ID.vpn }] },
	]);
	expect(errorsIn(items)).toStrictEqual([]);
	expect(service.adds).toHaveLength(1);
});

test('several people and groups are one item each', async () => {
	const service = serviceWith();
	const items = await play(service, 'assign', {
		people: emails('cleo', 'dan'),
		...listed('VPN', 'Engineering'),
	});
	expect(items.map(({ userName, groupId, status }) => [userName, groupId, status]).sort()).toEqual(
		['cleo', 'dan']
			.flatMap((name) => [ID.vpn, ID.eng].map((id) => [email(name), id, 'done']))
			.sort(),
	);
	expect(service.written().sort()).toEqual(
		[ID.vpn, ID.eng].map((id) => `PATCH /Groups/${id}`).sort(),
	);
});

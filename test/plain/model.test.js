'use strict';

require('../support/noWaiting');
const {
	ID,
	email,
	emails,
	idOf,
	locator,
	membersIn,
	play,
	serviceWith,
} = require('../support/modelGroupsPlay');

// What the Group and User resources do with groups that stand for themselves, each on one way of a service.

const inGroup = (word) => ({ chooseGroupBy: 'group', group: locator('id', ID[word]) });
const group = async (service, operation, parameters) =>
	await play(service, operation, parameters, [{}], { resource: 'group' });

describe.each(['both', 'groups'])('members are shown on %s', (membersShownOn) => {
	test('Add Members and Remove Members touch nobody else', async () => {
		const service = serviceWith({ membersShownOn });
		await group(service, 'addMembers', { ...inGroup('eng'), people: emails('cleo', 'dan') });
		await group(service, 'removeMembers', { ...inGroup('vpn'), people: emails('ben') });
		expect(membersIn(service)).toMatchObject({
			eng: ['ana', 'cleo', 'dan'],
			vpn: ['eve'],
			sales: ['ben'],
			everyone: ['ana', 'ben', 'cleo', 'eve'],
		});
	});
});

test('what is refused for one is no change for anybody else', async () => {
	const service = serviceWith({ refusesRemovalFrom: [ID.everyone] });
	const before = membersIn(service);
	const items = await group(service, 'removeMembers', {
		...inGroup('everyone'),
		people: emails('ana'),
	});
	expect(JSON.stringify(items)).toContain('cannot be removed');
	expect(membersIn(service)).toEqual(before);
});

test('a user name changes where it can, and not where it cannot or is taken', async () => {
	const patch = async (service, path, value) =>
		await service.exchange({
			method: 'PATCH',
			url: `http://scim.test/Users/${idOf('ana')}`,
			body: JSON.stringify({ Operations: [{ op: 'replace', path, value }] }),
		});
	const service = serviceWith();
	const { status } = await patch(service, 'userName', 'ana.new@example.com');
	const entry = await patch(
		service,
		'emails[value eq "ana@example.com"].value',
		'ana.new@example.com',
	);
	expect([status, entry.status]).toEqual([200, 200]);
	expect(JSON.parse(entry.text)).toMatchObject({
		id: idOf('ana'),
		userName: 'ana.new@example.com',
		emails: [{ value: 'ana.new@example.com', type: 'work', primary: true }],
	});
	expect((await patch(service, 'userName', email('ben').toUpperCase())).status).toBe(409);
	expect((await patch(serviceWith({ userNames: 'refused' }), 'userName', 'x')).status).toBe(400);
});

test('lists leave out members, and filter names, as the service does', async () => {
	const list = async (switches, query) => {
		const { status, text } = await serviceWith(switches).exchange({
			method: 'GET',
			url: `http://scim.test/Groups?${new URLSearchParams(query)}`,
		});
		return status === 200 ? JSON.parse(text).Resources : status;
	};
	const bare = await list({}, { excludedAttributes: 'members' });
	expect(bare.filter(({ members }) => members)).toStrictEqual([]);
	const whole = await list({ excludesAttributes: false }, { excludedAttributes: 'members' });
	expect(whole.every(({ members }) => Array.isArray(members))).toBe(true);
	const filter = 'displayName eq "ENGINEERING"';
	expect(await list({}, { filter })).toHaveLength(2);
	expect(await list({ groupFilter: 'exactCase' }, { filter })).toStrictEqual([]);
	expect(await list({ groupFilter: 'ignored' }, { filter })).toHaveLength(8);
	expect(await list({ groupFilter: 'off' }, { filter })).toBe(400);
});

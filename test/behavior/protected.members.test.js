'use strict';

const {
	SHOWN,
	Groups,
	UNDOABLE,
	email,
	emails,
	errorsIn,
	listed,
	locator,
	play,
	rows,
	table,
	wanted,
} = require('../support/behavior');

// Protect Members Of: nobody in a group such as that of break-glass accounts is changed, whatever is done to others.

const PEOPLE = { ana: 'eng vault vpn', ben: 'eng vpn', cid: '', zoe: 'eng vpn' };
const start = (more) => new Groups(PEOPLE, { credential: UNDOABLE, groups: ['sales'], ...more });
const protecting = (...groups) => ({ protectMembersOf: rows(...groups), maxPeopleAffected: 9 });
const ofBoth = { people: emails('ana ben') };
const inEng = { chooseGroupBy: 'group', group: locator('id', 'eng') };
const titles = ['ana', 'ben'].map((name) => ({ userName: email(name), active: false, title: 'X' }));

/** What each does to both, and what Ben has then. */
const WAYS = {
	'access assign': [() => ({ ...ofBoth, ...listed('sales') }), 'eng sales vpn'],
	'access set': [() => ({ ...ofBoth, ...listed('sales'), managedGroups: rows('*') }), 'sales'],
	'access revoke': [() => ({ ...ofBoth, ...listed('eng') }), 'vpn'],
	'access reconcile': [
		() => ({ scopeGroups: rows('eng'), ...wanted([{ email: email('zoe'), group: 'eng' }]) }),
		'vpn',
	],
	'access offboard': [() => ofBoth, 'inactive'],
	'group addMembers': [
		() => ({ ...ofBoth, chooseGroupBy: 'group', group: locator('id', 'sales') }),
		'eng sales vpn',
	],
	'group removeMembers': [() => ({ ...inEng, ...ofBoth }), 'vpn'],
	'group setMembers': [() => ({ ...inEng, people: emails('zoe') }), 'vpn'],
	'user reconcile': [
		() => ({ usersFrom: 'json', usersJson: JSON.stringify(titles) }),
		'inactive eng vpn',
	],
};
const told = (items) => {
	const skipped = items.filter(({ status }) => status === 'skipped').map(({ reason }) => reason);
	return [...errorsIn(items), ...skipped].join();
};

describe.each(Object.keys(WAYS))('%s', (way) => {
	const [wish, ben] = WAYS[way];
	const what = way.split(' ');
	const ends = { ana: PEOPLE.ana, ben };

	test.each([
		['by name', ['vault']],
		['by a pattern, beside another group', ['va*', 'sales']],
	])('leaves members alone, %s', async (_, groups) => {
		const world = start();
		const fields = { ...wish(), preview: false, options: protecting(...groups) };
		const items = await play(world, what, fields);
		expect(told(items)).toMatch(/^(.*ana@example.com|user-\w+) is protected/);
		expect(world.shape()).toMatchObject(ends);
	});

	test('a plan that protects them leaves alone who has joined since, too', async () => {
		const world = start();
		world.put({ ana: 'eng vpn', zoe: 'eng vault vpn' });
		const preview = { ...wish(), preview: true, options: protecting('vault') };
		const [{ plan }] = await play(world, what, preview);
		world.put({ ana: 'eng vault vpn' });
		const options = { maxPeopleAffected: 9 };
		const items = await play(world, ['access', 'applyPlan'], { changes: 'all', plan, options });
		// What rests on all that a person has is stale by then.
		expect(told(items)).toMatch(/is protected|but was not when this was planned/);
		expect(world.shape()).toMatchObject(ends);
	});

	test('Apply Plan protects the members of its own groups as well', async () => {
		const world = start();
		const preview = { ...wish(), preview: true, options: { maxPeopleAffected: 9 } };
		const [{ plan }] = await play(world, what, preview);
		const items = await play(world, ['access', 'applyPlan'], {
			...{ changes: 'all', plan, options: protecting('vault') },
		});
		expect(told(items)).toContain('ana@example.com is protected');
		expect(world.shape()).toMatchObject(ends);
	});
});

const user = (name) => (w) => ({ user: w.user(name), options: protecting('vault') });
const refused = { on: () => start(), fails: ['ana@example.com is protected'] };
for (const operation of ['deactivate', 'delete'])
	table('user', operation, { ...refused, it: `User: ${operation}`, wish: user('ana') });
table('user', 'activate', {
	...refused,
	it: 'User: activate',
	on: () => new Groups({ ...PEOPLE, ana: 'inactive eng vault vpn' }),
	wish: user('ana'),
});

describe('members', () => {
	const revoke = { people: emails('ana ben'), ...listed('eng') };
	test('of a group in the group are protected as well', async () => {
		const world = start({ groups: ['safe'] });
		world.service.groups.get('safe').push('vault');
		const items = await play(world, ['access', 'revoke'], {
			...revoke,
			options: protecting('safe'),
		});
		expect(told(items)).toContain('ana@example.com is protected');
		expect(world.shape()).toMatchObject({ ana: PEOPLE.ana, ben: 'vpn' });
	});

	test.each(Object.keys(SHOWN))('that are shown %s', async (how) => {
		const { credential, ...switches } = SHOWN[how];
		const world = start({ ...switches, credential: { ...UNDOABLE, ...credential } });
		const items = await play(world, ['access', 'revoke'], {
			...revoke,
			options: protecting('vault'),
		});
		expect(world.shape().ana).toBe(PEOPLE.ana);
		const isTold = how !== 'nowhere';
		expect(told(items)).toContain(
			isTold ? 'ana@example.com is protected' : 'The members of group vault are unknown',
		);
		if (!isTold) expect(world.service.written()).toStrictEqual([]);
	});

	test('of whom a group may show a part: an error, and nothing is sent', async () => {
		const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`p${at}`, 'vault']));
		const world = new Groups(
			{ ...many, ana: 'eng', ben: 'eng' },
			{ ...SHOWN['on groups'], membershipFilter: 'nobody' },
		);
		const items = await play(world, ['access', 'revoke'], {
			...revoke,
			options: protecting('vault'),
		});
		expect(told(items)).toContain('The members of group vault are unknown');
		expect(world.service.written()).toStrictEqual([]);
	});

	test.each([
		['a group that there is not', rows('valt'), /no group.*valt/i],
		['a pattern that matches none', rows('x-*'), /no group.*x-\*/i],
		['no group at all', {}, /Protect Members Of is empty/],
	])('of %s: an error, and nothing is sent', async (_, protectMembersOf, message) => {
		const world = start();
		const items = await play(world, ['access', 'revoke'], {
			...revoke,
			options: { protectMembersOf },
		});
		expect(told(items)).toMatch(message);
		expect(world.service.written()).toStrictEqual([]);
	});
});

'use strict';

// What an answer says has to be about what was asked, and has to be understood, or it says nothing.

const { Account, Groups, email, emails, locator, table, userIdOf } = {
	...require('../support/behavior'),
	...require('../support/memoryService'),
};

const PEOPLE = { ana: 'eng', ben: 'vpn', cleo: '' };
const [ANA, BEN] = ['ana', 'ben'].map((name) => userIdOf(email(name)));
const LOOK = { options: { maxWait: 0 } };
/** Answers to a request that are about another resource, as from a cache or a gateway that mixed up two connections. */
const other = (request, body, more) => ({
	faults: [{ on: request, kind: 'status', status: 200, body, ...more }],
});
const on =
	(switches, people = PEOPLE) =>
	() =>
		new Groups(people, switches);
const VPN = { id: 'vpn', displayName: 'vpn', members: [{ value: BEN }] };
const BEN_SHOWN = { id: BEN, userName: email('ben'), active: true, groups: [{ value: 'vpn' }] };
const another = (what, id) =>
	new RegExp(`^Could not get ${what}: the service answered with another one \\(ID ${id}\\)`);

describe('the ID that is shown is the one that was asked for', () => {
	table('group', 'addMembers', [
		{
			it: 'a group that is read as another one is not written',
			on: on(other('GET /Groups/eng', VPN)),
			wish: (w) => ({ group: w.group('eng'), people: emails('cleo'), ...LOOK }),
			fails: [another('group eng', 'vpn')],
		},
		{
			it: 'the answer to a write about another group proves nothing: looked at',
			on: on(other('PATCH /Groups/eng', { ...VPN, members: [{ value: userIdOf(email('cleo')) }] })),
			wish: (w) => ({ group: w.group('eng'), people: emails('cleo'), ...LOOK }),
			fails: [/Could not confirm/],
			sends: ['PATCH eng'],
		},
	]);
	table('user', 'deactivate', [
		{
			it: 'a user who is read as another one is left alone, and so is that one',
			on: on(other(`GET /Users/${ANA}`, BEN_SHOWN)),
			wish: (w) => ({ user: w.user('ana'), ...LOOK }),
			fails: [another(`user ${ANA}`, BEN)],
		},
		{
			it: 'the answer to a write about another user proves nothing',
			on: on(other(`PATCH /Users/${ANA}`, { ...BEN_SHOWN, active: false })),
			wish: (w) => ({ user: w.user('ana'), ...LOOK }),
			fails: [/Could not confirm/],
			sends: ['PATCH ana', 'PATCH ana'],
		},
	]);
	table('user', 'get', [
		{
			it: 'an ID in another case is named',
			on: on(other('GET /Users/7OF9', { id: '7of9', userName: email('seven') })),
			wish: () => ({ user: locator('id', '7OF9') }),
			fails: [another('user 7OF9', '7of9')],
		},
	]);
	table('group', 'get', [
		{
			it: 'the prefix that answers of the account carry is none',
			on: () => new Account({ ana: 'a:admin' }),
			wish: () => ({ group: locator('id', 'org-a:ADMIN') }),
			items: [{ id: 'whylabs-org-a:admin' }],
		},
	]);
});

describe('IDs that come as JSON numbers beyond 2^53 (langwatch 6982, Databricks)', () => {
	const LONG = { ana: '9007199254740993', ben: '9007199254740992' };
	const numeric = () => {
		const world = new Groups({
			ana: { has: 'eng', id: LONG.ana },
			ben: { has: 'eng', id: LONG.ben },
		});
		const exchange = world.service.exchange.bind(world.service);
		world.service.exchange = async (request) => {
			const answer = await exchange(request);
			return { ...answer, text: answer.text.replace(/"(900719925474099\d)"/g, '$1') };
		};
		return world;
	};
	table('user', 'deactivate', [
		{
			it: 'keep their digits: the one who was named is deactivated',
			on: numeric,
			wish: () => ({ user: locator('email', email('ana')) }),
			items: [{ userId: LONG.ana, status: 'done' }],
			ends: { ana: 'inactive eng' },
		},
	]);
	table('group', 'removeMembers', [
		{
			it: 'are two members',
			on: numeric,
			wish: (w) => ({ group: w.group('eng'), people: emails('ana') }),
			ends: { ana: '' },
		},
	]);
});

describe.each(['number', 'word'])('`active` as a %s', (active) => {
	table('access', 'assign', [
		{
			it: 'who is inactive gains nothing',
			on: on({ active }, { ana: 'eng', eve: 'inactive' }),
			wish: (w) => ({ people: emails('eve'), ...w.groups('eng') }),
			fails: [/is inactive/],
		},
	]);
	table('access', 'offboard', [
		{
			it: 'a deactivation is seen',
			on: on({ active }, { ana: 'eng', ben: 'vpn' }),
			wish: () => ({ people: emails('ana') }),
			items: [{ active: false, status: 'done' }],
			ends: { ana: 'inactive' },
		},
	]);
});

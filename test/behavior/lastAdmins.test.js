'use strict';

// An organization keeps an active admin, whatever leaves together, waits, or is refused. One removal of one admin: limits.

const {
	Account,
	email,
	emails,
	errorsIn,
	locator,
	play,
	put,
	putLate,
	table,
	wanted,
} = require('../support/behavior');
const { mapped } = require('../support/node');
const { meanwhile } = require('../support/secondWriter');

const CREDENTIAL = { accountOrganizationId: 'org-acct' };
const PEOPLE = { ana: 'a:admin', bob: 'a:admin', cid: 'a:viewer', dan: '' };
const account = (people, more) => () =>
	new Account(
		Object.fromEntries(
			// The account keeps no display name when it is written.
			Object.entries({ ...PEOPLE, ...people })
				.filter(([, has]) => has !== undefined)
				.map(([name, has]) => [name, { has, displayName: undefined }]),
		),
		{ groups: ['b'], credential: CREDENTIAL, ...more },
	);
const WITHOUT = /org-a would be left without an active admin/;
const NEEDS = 'it needs a step that did not succeed';
const WIDE = { maxPercentAffected: 100 };

const inA = { accessBy: 'organizationAndRole', organization: locator('id', 'org-a') };
/** Each person is to have exactly these roles: `{ ana: 'a:viewer' }`. */
const each = (all) => (w) => ({
	...{ accessBy: 'organizationAndRole', createMissing: false },
	items: Object.entries(all).map(([name, words]) => ({ people: email(name), ...w.roles(words) })),
});
/** Rows of org-a: `{ ana: 'viewer' }`. */
const rowsOf = (all, options) => () => ({
	...{ accessBy: 'organizationAndRole', scopeOrganizations: 'org-a', preview: false },
	...wanted(
		Object.entries(all).map(([name, role]) => ({
			...{ email: email(name), organization: 'org-a', role },
		})),
	),
	options: { ...WIDE, ...options },
});
const leaving = (names) => () => ({ people: emails(names), options: WIDE });
const ofUsers = (names, more) => (w) => ({
	...{ ...more, options: WIDE },
	items: names.split(' ').map((name) => ({ user: w.user(name) })),
});

const revoking = (names) => () => ({
	...{ ...inA, people: emails(names), revokeIn: 'one', roleHeld: 'any', options: WIDE },
});
const removing = (names) => (w) => ({
	...{ people: emails(names), chooseGroupBy: 'group', group: w.group('a:admin'), options: WIDE },
});

/** By operation and what becomes of an admin: how Ana goes, how Ana and Bob do, and what Ana has then. */
const WAYS = {
	'access set, another role': [
		each({ ana: 'a:viewer' }),
		each({ ana: 'a:viewer', bob: 'a:member' }),
		'a:viewer',
	],
	'access set, another organization': [
		each({ ana: 'b:member' }),
		each({ ana: 'b:member', bob: 'b:member' }),
		'b:member',
	],
	'access assign, a lower role': [
		each({ ana: 'a:viewer' }),
		each({ ana: 'a:viewer', bob: 'a:member' }),
		'a:viewer',
	],
	'access revoke, no role': [revoking('ana'), revoking('ana bob'), ''],
	'access reconcile, no row': [
		rowsOf({ cid: 'viewer', bob: 'admin' }),
		rowsOf({ cid: 'viewer' }),
		'',
	],
	'access reconcile, no account, and another role of the other': [
		rowsOf({ cid: 'viewer', bob: 'admin' }, { deactivatesEmpty: true }),
		rowsOf({ cid: 'viewer', bob: 'viewer' }, { deactivatesEmpty: true }),
		'inactive',
	],
	'access offboard, no account': [leaving('ana'), leaving('ana bob'), 'inactive'],
	'group removeMembers, no role': [removing('ana'), removing('ana bob'), ''],
	'user deactivate, no account': [ofUsers('ana'), ofUsers('ana bob'), 'inactive'],
	'user delete, no account': [ofUsers('ana'), ofUsers('ana bob'), undefined],
	'user update, inactive': [
		ofUsers('ana', { ...mapped({ active: false }) }),
		ofUsers('ana bob', { ...mapped({ active: false }) }),
		'inactive',
	],
};
const operationIn = (way) => way.split(',')[0].split(' ');

describe('both admins of an organization in one plan', () => {
	for (const [way, [one, both, ana]] of Object.entries(WAYS)) {
		const blocked = { fails: expect.arrayContaining([expect.stringMatching(WITHOUT)]), sends: [] };
		table(...operationIn(way), [
			{ it: `${way}: nothing is sent`, on: account(), wish: both, ...blocked },
			{ it: `${way}: one of them goes`, on: account(), wish: one, ends: { ana } },
		]);
	}
});

table('user', 'update', {
	it: 'both admins of an organization, and a change of somebody else: nothing is sent',
	on: account(),
	wish: (w) => ({
		options: WIDE,
		items: [
			{ user: w.user('cid'), ...mapped({ title: 'Dev' }) },
			...['ana', 'bob'].map((name) => ({ user: w.user(name), ...mapped({ active: false }) })),
		],
	}),
	...{ fails: expect.arrayContaining([expect.stringMatching(WITHOUT)]), sends: [] },
});

describe('one admin goes, and another client has ended the other one after that was planned', () => {
	const ACTS = {
		'lost the role': [put({ bob: '' }), { bob: '' }],
		'has a lower role': [put({ bob: 'a:viewer' }), { bob: 'a:viewer' }],
		// Interface 2.2: memberships go with the account; here they stay, so that only the account tells.
		'is inactive': [
			(scim, w) => scim.setActive(w.userId('bob'), false),
			{ bob: 'inactive a:admin' },
		],
		'is gone': [(scim, w) => scim.delete(w.userId('bob')), { bob: undefined }],
	};
	const onWhere = (what) => account({}, { deactivationDrops: what !== 'is inactive' });
	for (const [way, [wish, , ana]] of Object.entries(WAYS)) {
		// What is given instead is there by then.
		const stays = ana === 'b:member' ? { ana: 'a:admin b:member' } : {};
		for (const moment of ['late', 'again']) {
			table(...operationIn(way), [
				{
					it: `${way}, ${moment}: nothing has changed`,
					on: account(),
					wish,
					[moment]: () => {},
					ends: { ana },
				},
				...Object.entries(ACTS).map(([what, [act, ends]]) => ({
					it: `${way}, ${moment}: the other one ${what}`,
					...{
						on: onWhere(what),
						wish,
						[moment]: act,
						fails: [WITHOUT],
						ends: { ...stays, ...ends },
					},
				})),
			]);
		}
	}

	const planned = Object.keys(WAYS).filter((way) => !way.startsWith('user'));
	test.each(planned.flatMap((way) => Object.keys(ACTS).map((what) => [way, what])))(
		'%s, by a plan that was made before: the other one %s',
		async (way, what) => {
			const world = onWhere(what)();
			const fields = { ...WAYS[way][0](world), preview: true };
			const { items, ...parameters } = fields;
			const [{ plan }] = await play(world, operationIn(way), parameters, items);
			const [act, ends] = ACTS[what];
			act(world.service, world);
			world.service.requests.length = 0;
			const applied = await play(world, ['access', 'applyPlan'], { changes: 'all', plan });
			expect(errorsIn(applied)[0]).toMatch(WITHOUT);
			expect(world.service.written()).toStrictEqual([]);
			expect(world.shape()).toMatchObject({ ana: 'a:admin', ...(ends.bob && ends) });
		},
	);

	test('many go in a few requests at a time, and the one who was to stay is lost in between: some stay', async () => {
		const names = Array.from({ length: 8 }, (_, at) => `p${at}`);
		const people = Object.fromEntries([...names, 'dan'].map((name) => [name, 'a:admin']));
		const world = account({ ana: '', bob: '', ...people })();
		meanwhile(world.service, /^PATCH/, () => putLate({ dan: '' })(world.service, world), {
			nth: 2,
		});
		const wish = { people: emails(names.join(' ')), options: { ...WIDE, maxPeopleAffected: 9 } };
		const items = await play(world, ['access', 'offboard'], wish);
		const stay = names.filter((name) => world.shape()[name] === 'a:admin');
		expect(stay.length).toBeGreaterThan(0);
		const failed = items.filter(({ status }) => status === 'failed');
		expect(failed.map(({ userName }) => userName)).toEqual(stay.map(email));
		for (const { error } of failed) expect(error).toMatch(WITHOUT);
	});
	table('access', 'revoke', {
		it: 'two of three go, and the third one lost the role: none of them goes',
		on: account({ dan: 'a:admin' }),
		...{ wish: revoking('ana bob'), late: put({ dan: '' }) },
		...{ fails: [WITHOUT, WITHOUT], ends: { dan: '' } },
	});
});

describe.each([
	['the new one comes first', 'cid', 'eva', {}],
	// Interface 2.3: an organization takes the domains that it allows, and answers 400 to others.
	[
		...['none goes where the new one is refused', 'cid@partner.org', 'eva@partner.org'],
		{ domains: { a: ['example.com'] } },
	],
])('both go for a new admin of the same plan: %s', (_, cid, eva, switches) => {
	const isRefused = switches.domains !== undefined;
	const set = each({ ana: 'a:viewer', bob: 'a:member', [cid]: 'a:admin' });
	const moves = { ana: 'a:viewer', bob: 'a:member', [cid]: 'a:admin' };
	const goes = { ana: '', bob: '', [cid]: 'a:admin' };
	const MOVES = ['PATCH a:admin', 'PATCH a:viewer', 'PATCH a:member'];
	const created = { ana: '', bob: '', [eva]: 'a:admin' };
	const WAYS = [
		['set', 'other roles', set, MOVES, moves],
		['assign', 'other roles', set, MOVES, moves],
		['reconcile', 'no rows', rowsOf({ [cid]: 'admin' }), Array(2).fill('PATCH a:admin'), goes],
		[
			...['reconcile', 'other roles'],
			rowsOf({ ana: 'viewer', bob: 'member', [cid]: 'admin' }),
			...[MOVES, moves],
		],
		[
			...['reconcile', 'no accounts'],
			rowsOf({ [cid]: 'admin' }, { deactivatesEmpty: true }),
			...[
				['PATCH a:admin', 'PATCH ana', 'PATCH bob'],
				{ ...goes, ana: 'inactive', bob: 'inactive' },
			],
		],
		[
			...['reconcile', 'no rows, and the new one is created'],
			() => ({ ...rowsOf({ [eva]: 'admin' })(), createMissing: true }),
			...[['POST Users', 'PATCH a:admin', 'PATCH a:admin'], created],
		],
	];
	for (const [operation, what, wish, sends, ends] of WAYS) {
		table('access', operation, {
			it: `${operation}, ${what}`,
			on: account({ cid: undefined, [cid]: '' }, switches),
			wish,
			...(isRefused
				? {
						fails: expect.arrayContaining([expect.stringContaining(NEEDS)]),
						ends: ends === created ? { [eva]: '' } : {},
					}
				: { sends, inOrder: true, ends }),
		});
	}
});

describe('an admin goes for one who is let back in by the same plan', () => {
	const wish = rowsOf({ ana: 'viewer', bob: 'admin' }, { reactivate: true });
	const on = (switches) =>
		account({ bob: 'inactive a:admin' }, { deactivationDrops: false, ...switches });
	table('access', 'reconcile', [
		{
			...{ it: 'that one comes first', on: on(), wish, sends: ['PATCH bob', 'PATCH a:viewer'] },
			...{ inOrder: true, ends: { ana: 'a:viewer', bob: 'a:admin', cid: '' } },
		},
		{
			it: 'and is refused: the admin stays',
			on: on({ faults: [{ method: 'PATCH', path: /Users/, kind: 'status', status: 400 }] }),
			...{ wish, fails: [NEEDS, /400/, NEEDS], ends: { cid: '' } },
		},
	]);
});

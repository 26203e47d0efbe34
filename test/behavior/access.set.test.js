'use strict';

const {
	Account,
	Groups,
	emails,
	expression,
	locator,
	play,
	table,
} = require('../support/behavior');

const PEOPLE = { ana: 'a:viewer acct:admin b:member', bob: 'a:admin acct:admin b:admin c:admin' };
const on =
	(more, people = PEOPLE) =>
	() =>
		new Account(people, {
			...more,
			credential: { accountOrganizationId: 'org-acct', ...more?.credential },
		});
const roles = (given) => ({ accessBy: 'organizationAndRole', roles: { role: given } });
const UNKNOWN = { credential: { accountOrganizationId: '', accountApiToken: 'key' } };
const TO_C = [{ organization: 'org-c', role: 'viewer' }];
const ana = (words) => (w) => ({ people: emails('ana'), ...w.roles(words) });

table('access', 'set', [
	{
		it: 'exactly this access; the account organization is left alone',
		on: on(),
		wish: ana('a:member c:viewer'),
		items: [
			'moved ana a viewer>member done',
			'granted ana c:viewer done',
			'revoked ana b:member done',
		],
		ends: { ana: 'a:member acct:admin c:viewer' },
	},
	{
		it: 'the account organization counts once the list names it',
		on: on(),
		wish: ana('a:viewer acct:member'),
		sends: ['PATCH acct:member', 'PATCH b:member'],
		ends: { ana: 'a:viewer acct:member' },
	},
	{
		it: 'nothing is taken where the account organization is unknown',
		on: on(UNKNOWN),
		wish: ana('a:viewer'),
		fails: ['The account organization is unknown'],
	},
	{
		it: 'roles change and are given where it is unknown',
		on: on(UNKNOWN),
		wish: ana('a:member acct:admin b:member c:viewer'),
		ends: { ana: 'a:member acct:admin b:member c:viewer' },
	},
	{
		it: 'an empty list is refused',
		on: on(),
		wish: () => ({ people: emails('ana'), ...roles([]) }),
		fails: ['would remove all access'],
	},
	{
		it: 'an empty list is taken with Allow Empty',
		on: on(),
		wish: () => ({ people: emails('ana'), ...roles([]), options: { allowEmpty: true } }),
		ends: { ana: 'acct:admin' },
	},
	{
		it: 'a role that is refused: the old ones stay',
		on: on({ faults: [{ method: 'PATCH', path: /org-c:viewer/, kind: 'status', status: 400 }] }),
		wish: ana('c:viewer'),
		sends: ['PATCH c:viewer'],
		fails: [/does not accept/, /needs a step/, /needs a step/],
	},
	{
		it: 'two lists for one person',
		on: on(),
		wish: (w) => ({ people: emails('ana'), items: [w.roles('a:viewer'), w.roles('b:member')] }),
		fails: Array(2).fill('Items 0 and 1 want different access for ana@example.com'),
	},
	{
		it: 'an item that names nobody holds removals back, and grants go on',
		on: on(),
		wish: (w) => ({ ...w.roles('c:viewer'), items: [{ people: emails('ana') }, { people: '' }] }),
		items: [...Array(3).fill({}), { status: 'failed' }],
		fails: ['No users specified'],
		ends: { ana: 'a:viewer acct:admin b:member c:viewer' },
	},
	{
		it: 'an item with an unknown role, for a person who is not found, holds them back, too',
		on: on(),
		wish: (w) => ({
			accessBy: 'organizationAndRole',
			items: [
				{ people: emails('ana'), ...w.roles('c:viewer') },
				{ people: emails('typo'), ...w.roles('b:boss') },
			],
		}),
		fails: ['boss'],
		ends: { ana: 'a:viewer acct:admin b:member c:viewer' },
	},
	...[
		['ana@example.com,,bob@example.com', TO_C, 'Entry 2 of People is empty'],
		[['ana@example.com', null], TO_C, 'Entry 2 of People is empty'],
		['ana@example.com', [...TO_C, { organization: ' ' }], 'Row 2 of Roles names no group'],
		[
			'ana@example.com',
			[{ organization: expression({ id: 'org-c' }), role: 'viewer' }],
			'Row 1 of Roles names no group',
		],
		['ana@example.com', TO_C, 'Entry 2 of Protected Users is empty', 'bob,,owner'],
	].map(([people, wanted, message, protectedUsers]) => ({
		it: `a hole in a list: ${JSON.stringify([people, wanted])}`,
		on: on(),
		wish: () => ({
			people,
			...roles(wanted),
			options: { ...(protectedUsers && { protectedUsers }) },
		}),
		fails: [message],
		reads: 0,
	})),
]);

table('access', 'reconcile', {
	it: 'a hole in Organizations in Scope',
	on: on(),
	wish: () => ({ ...roles(), scopeOrganizations: 'org-a,;org-b' }),
	fails: ['Entry 2 of Organizations in Scope is empty'],
	reads: 0,
});

// ---- Guards ----

describe('protected people', () => {
	const WORK = { has: 'a:member', emails: [{ value: 'ceo@partner.com', type: 'work' }] };
	const world = (more) => on(more, { ana: WORK, bob: 'a:member', eve: 'a:admin b:admin' });
	const member = (w) => ({ chooseGroupBy: 'group', group: w.group('a:member') });
	const without = (more) => ({
		...{ accessBy: 'organizationAndRole', preview: false, wantedFrom: 'json' },
		...{ scopeOrganizations: 'org-a', ...more },
		wantedJson: [
			{ email: emails('bob'), organization: 'org-a', role: 'member' },
			{ email: emails('eve'), organization: 'org-a', role: 'admin' },
		],
	});
	const ID = 'the ID';
	describe.each([ID, 'ANA@example.com', 'ana@*', 'CEO@partner.com'])('by %s', (given) => {
		const protect = (wish) => (w) => {
			const { options, ...fields } = wish(w);
			const protectedUsers = given === ID ? w.user('ana').value : given;
			return { people: emails('ana'), ...fields, options: { ...options, protectedUsers } };
		};
		const row = (it, wish, more) => ({
			...{ it, on: world(), wish: protect(wish), fails: [/is protected/], ...more },
		});
		table('access', 'assign', [row('Assign', (w) => w.roles('a:viewer'))]);
		table('access', 'set', [row('Set', (w) => w.roles('b:viewer'), { fails: [/is protected/] })]);
		table('access', 'revoke', [
			row('Revoke', () => ({ ...roles(), organization: locator('id', 'org-a') })),
		]);
		table('access', 'offboard', [row('Offboard', () => ({}))]);
		table('access', 'reconcile', [
			row('Reconcile', () => without(), { fails: [], items: [{ status: 'skipped' }] }),
			row('with deactivation', () => without({ options: { deactivatesEmpty: true } }), {
				fails: [],
			}),
		]);
		table('group', 'removeMembers', [row('Remove Members', member)]);
		table('group', 'setMembers', [
			row('Set Members', (w) => ({ ...member(w), people: emails('bob') }), { fails: [] }),
		]);
		table('user', 'deactivate', [row('Deactivate', (w) => ({ user: w.user('ana') }))]);
	});

	test('by Apply Plan, where the plan protected nobody', async () => {
		const own = world()();
		const preview = { ...without(), preview: true };
		const [{ plan }] = await play(own, ['access', 'reconcile'], preview);
		expect(plan.changes).toHaveLength(1);
		const options = { protectedUsers: 'CEO@partner.com' };
		const [item] = await play(own, ['access', 'applyPlan'], { changes: 'all', plan, options });
		expect(item.error).toContain('ana@example.com is protected');
		expect(own.service.written()).toStrictEqual([]);
	});

	table('access', 'reconcile', [
		{
			it: 'users who cannot be read might be protected: nothing is sent',
			on: world({ faults: [{ method: 'GET', path: /Users/, kind: 'status', status: 403 }] }),
			wish: () => without({ options: { protectedUsers: 'CEO@partner.com' } }),
			fails: [/Could not (get|list) user/],
		},
		...[
			['an email: changed users are read', { protectedUsers: 'boss@example.com' }, ['GET Users']],
			[
				'an ID: only who keeps something is',
				{ protectedUsers: 'user-1234' },
				['GET bob', 'GET eve'],
			],
			['nothing: only who keeps something is', {}, ['GET bob', 'GET eve']],
		].map(([it, options, gets]) => ({
			it,
			on: world(),
			wish: () => without({ options }),
			ends: { ana: '' },
			gets: ['GET Groups', ...gets],
		})),
	]);
});

describe('limits', () => {
	const twelve = Array.from({ length: 12 }, (_, at) => `p${at}`);
	const people = Object.fromEntries(twelve.map((name) => [name, 'vpn']));
	table('access', 'revoke', {
		it: 'more people lose access than the limit allows: nothing is sent, and every item says so',
		on: () => new Groups(people),
		wish: () => ({
			...{ accessBy: 'group', revokeIn: 'all' },
			items: twelve.map((name) => ({ people: emails(name) })),
		}),
		fails: twelve.map(() => /12 people would lose access, more than the limit of \d+/),
	});
	table('access', 'offboard', {
		it: 'a preview shows what blocks, and sends nothing',
		on: () => new Account({ ana: 'a:admin' }),
		wish: () => ({ people: emails('ana'), preview: true }),
		items: [
			{
				blockedBy: [expect.stringContaining('without an active admin')],
				requests: [expect.anything()],
			},
		],
		reads: ['GET Groups', 'GET ana'],
	});
});

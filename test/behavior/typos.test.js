'use strict';

const {
	Account,
	Groups,
	email,
	emails,
	play,
	rows,
	table,
	wanted,
} = require('../support/behavior');

const SAYS = `${email('ana.sliva')} may be a typo of ${email('ana.silva')}, which another user has`;
const NEW = { ends: { 'ana.sliva': '' }, once: true };
const people = (more) => ({ bob: 'eng', 'ana.silva': 'vpn', ...more });
const service = (more) => () => new Groups(people(more));
const list = (...all) => ({
	...{ preview: false, usersFrom: 'json' },
	usersJson: JSON.stringify(
		all.map((one) => (typeof one === 'string' ? { userName: email(one) } : one)),
	),
});
const row = (name, groupId) => ({ email: email(name), groupId });
const ANA = email('ana.sliva');
/** So many are looked for that the users are listed. */
const LISTED = 'bob cid dan';

describe('A create beside a user whose address differs by a typo is made, with a warning', () => {
	table('user', 'reconcile', [
		{
			...{
				it: 'of a whole list',
				on: service(),
				wish: list('bob', 'ana.sliva'),
				warns: [SAYS],
				...NEW,
			},
			items: ['created ana.sliva done'],
		},
		{
			it: 'in capital letters',
			...{ on: service(), wish: list('bob', { userName: ANA.toUpperCase() }), once: true },
			...{
				warns: [SAYS],
				ends: { [ANA.toUpperCase()]: '' },
			},
		},
		{
			it: 'not where the list has both: they are two people',
			...{ on: service(), wish: list('bob', 'ana.silva', 'ana.sliva'), warns: [], ...NEW },
		},
		{
			it: 'of another email',
			on: service({ 'ana.silva': { has: 'vpn', userName: 'asilva' } }),
			wish: list('bob', { userName: 'asliva', email: ANA }),
			...{ warns: [SAYS], ends: { asliva: '' }, once: true },
		},
		{
			it: 'also of one who leaves in the same run',
			on: service(),
			wish: {
				...list('bob', 'ana.sliva'),
				...{ absentUsers: 'deactivate', scopeBy: 'userNames', scopeUserNames: '*' },
				options: { maxPeopleAffected: 100 },
			},
			items: ['created ana.sliva done', 'deactivated ana.silva done'],
			...{ warns: [SAYS], ends: { 'ana.silva': 'inactive vpn', 'ana.sliva': '' }, once: true },
		},
	]);
	table('user', 'upsert', [
		{
			it: 'Create or Update, where the users are listed',
			on: service(),
			wish: { items: [...LISTED.split(' '), 'ana.sliva'].map((one) => ({ userName: email(one) })) },
			...{ warns: [SAYS], once: true, ends: { cid: '', dan: '', 'ana.sliva': '' } },
		},
		{
			it: 'nothing is read for it',
			...{
				on: service(),
				wish: { userName: ANA },
				warns: [],
				gets: ['GET Schemas 404', 'GET Users'],
				...NEW,
			},
		},
	]);
	table('user', 'create', [
		{
			...{
				it: 'a create reads nobody',
				on: service(),
				wish: { userName: ANA },
				warns: [],
				gets: ['GET Schemas 404'],
			},
			...NEW,
		},
	]);
	const assign = (names) => (w) => ({
		people: emails(names),
		createMissing: true,
		...w.groups('eng'),
	});
	table('access', 'assign', [
		{
			...{
				it: 'Assign',
				on: service(),
				wish: assign(`${LISTED} ana.sliva`),
				warns: [SAYS],
				once: true,
			},
			ends: { cid: 'eng', dan: 'eng', 'ana.sliva': 'eng' },
		},
		{
			it: 'numbers in names are no typos',
			on: () => new Groups({ user1: 'eng', user12: 'eng', user21: 'eng' }),
			...{ wish: assign('user2 user11 user112'), warns: [], once: true },
			ends: { user2: 'eng', user11: 'eng', user112: 'eng' },
		},
		{
			it: 'a login that a group alone has shown',
			on: () => new Account({ bob: 'a:admin', 'ana.silva': 'a:member' }),
			wish: (w) => ({ people: ANA, createMissing: true, ...w.roles('a:member') }),
			...{ warns: [SAYS], ends: { 'ana.sliva': 'a:member' }, once: true },
		},
	]);
	table('access', 'reconcile', [
		{
			it: 'Reconcile, beside one who loses everything',
			on: service(),
			wish: {
				...{
					preview: false,
					createMissing: true,
					unwanted: 'revoke',
					scopeGroups: rows('eng', 'vpn'),
				},
				...wanted([row('bob', 'eng'), row('ana.sliva', 'vpn')]),
				options: { maxPeopleAffected: 100 },
			},
			...{ warns: [SAYS], ends: { 'ana.silva': '', 'ana.sliva': 'vpn' }, once: true },
		},
	]);
});

test('Preview says it, and the plan keeps it', async () => {
	const world = new Groups(people());
	const rows = list('bob', 'ana.sliva');
	const [plan] = await play(world, ['user', 'reconcile'], { ...rows, preview: true });
	expect(JSON.stringify(plan)).toContain(SAYS);
	const [made] = await play(world, ['access', 'applyPlan'], {
		...{ changes: 'all', plan: JSON.stringify(plan) },
	});
	expect(made).toMatchObject({ change: 'created', warnings: [expect.stringContaining(SAYS)] });
});

'use strict';

// Who may be the person although the key says otherwise: an account with the email among others, or with another external ID.

const { Groups, email, emails, play, table, wanted } = require('../support/behavior');
const { matchOn } = require('../support/columns');

const mails = (...names) => ({
	emails: names.map((name, at) => ({ value: email(name), ...(at === 0 && { primary: true }) })),
});
/** User names that are no emails; `mail` is the main one. */
const person = (userName, names, more = {}) => ({ has: '', userName, ...mails(...names), ...more });
const ANA = person('asilva', ['ana', 'ana.lund'], { has: 'vpn' });
const BEN = person('bokafor', ['ben']);
const on =
	(people = { ANA, BEN }, more) =>
	() =>
		new Groups(people, { groups: ['vpn'], ...more });
const idOf = (userName) => new Groups({ one: person(userName, ['x']) }).userId(userName);
const by = (matchUsersBy, more) => ({ options: { matchUsersBy, ...more } });
const vpn = (people, more) => (w) => ({ people, ...w.groups('vpn'), ...more });
const users = (rows, { column = 'email', options, ...more } = {}) => ({
	...{ preview: false, usersFrom: 'json', usersJson: JSON.stringify(rows), ...matchOn(column) },
	...more,
	options: { maxPeopleAffected: 1000, ...options },
});
const ALL = { absentUsers: 'deactivate', scopeBy: 'userNames', scopeUserNames: '*' };
const access = (rows, key, more) => ({
	...{ ...wanted(rows), preview: false, accessBy: 'group', createMissing: true },
	...{ scopeGroups: { group: [{ group: 'vpn' }] } },
	options: { matchUsersBy: key, maxPeopleAffected: 1000, ...more },
});
/** The error names both: what is wanted, and the account with its ID. */
const asks = (wish, userName) =>
	new RegExp(`(?=[^]*${wish})(?=[^]*${userName} \\(ID ${idOf(userName)}\\) may be the one)`);
const LUND = [asks(email('ana.lund'), 'asilva')];

describe.each(['on', 'off', 'ignored'])(
	'an account has the email among others, filter %s',
	(filter) => {
		const ours = on(undefined, { filter });
		table('access', 'assign', [
			{
				it: 'no second account is made',
				...{ on: ours, wish: vpn(email('ana.lund'), by('email')), fails: LUND },
			},
			{
				it: 'nor beside one who has the email of a new user with another user name',
				on: ours,
				wish: vpn([{ userName: 'alund', email: email('ana.lund') }], by('userName')),
				fails: LUND,
			},
		]);
		table('access', 'reconcile', {
			it: 'no second account is made, and the first one keeps its access',
			on: ours,
			wish: access([{ email: email('ana.lund'), group: 'vpn' }], 'email', {
				deactivatesEmpty: true,
			}),
			fails: LUND,
		});
		table('user', 'reconcile', [
			{
				it: 'no second account is made, and nobody is deactivated',
				on: ours,
				wish: users([{ email: email('ana.lund') }, { email: email('ben') }], ALL),
				fails: LUND,
			},
			{
				it: 'by user name: the email of a new person is that of another',
				on: ours,
				wish: users([{ userName: 'alund', email: email('ana.lund') }, { userName: 'bokafor' }], {
					...{ column: 'userName', ...ALL },
				}),
				fails: LUND,
			},
			{
				it: 'by external ID, the same',
				on: ours,
				wish: users([{ userName: 'alund', email: email('ana.lund'), externalId: 'HR-9' }], {
					...{ column: 'externalId' },
				}),
				fails: LUND,
			},
		]);
		for (const operation of ['create', 'upsert']) {
			table('user', operation, [
				{
					it: `${operation}: no second account is made`,
					on: ours,
					wish: {
						userName: 'alund',
						additionalFields: { attributesJson: mails('ana.lund') },
						...by('email'),
					},
					fails: LUND,
				},
				{
					it: `${operation} by external ID: no second account is made`,
					on: ours,
					wish: {
						userName: 'alund',
						additionalFields: { attributesJson: { externalId: 'HR-9', ...mails('ana.lund') } },
						...by('externalId'),
					},
					fails: [asks('HR-9', 'asilva')],
				},
			]);
		}
		for (const operation of ['offboard', 'revoke']) {
			table('access', operation, {
				it: `${operation}: nobody is gone`,
				on: ours,
				wish: vpn(email('ana.lund'), by('email', { ifNotFound: 'alreadyGone' })),
				fails: LUND,
			});
		}
		table('access', 'offboard', {
			it: 'nobody is gone who was renamed, and has the old user name as an email',
			on: ours,
			wish: { people: email('ana.lund'), options: { ifNotFound: 'alreadyGone' } },
			fails: LUND,
		});
		table('user', 'deactivate', {
			it: 'deactivate: nobody is gone',
			on: ours,
			wish: {
				user: { __rl: true, mode: 'email', value: email('ana.lund') },
				...by('email', { ifNotFound: 'alreadyGone' }),
			},
			fails: LUND,
		});

		describe('and what is as it should be goes on', () => {
			const shared = {
				ANA: person('asilva', ['ana', 'info'], { has: 'vpn' }),
				BEN: person('bokafor', ['ben', 'info'], { has: 'vpn' }),
			};
			const one = on(shared, { filter });
			const rows = [{ email: email('ana') }, { email: email('ben') }];
			table('user', 'reconcile', [
				{
					it: 'a second email that two people share hinders no third one',
					on: one,
					wish: users(
						[...rows.map((row) => ({ ...row })), { emails: mails('cyd', 'info').emails }],
						ALL,
					),
					ends: { 'cyd@example.com': undefined, cyd: '' },
				},
				{
					it: 'a second email of somebody in the list is the main one of a new person',
					on: ours,
					wish: users([{ email: email('ana') }, { email: email('ana.lund') }]),
					ends: { 'ana.lund': '' },
				},
				{
					it: 'a user name that is a second email of somebody in the list',
					on: ours,
					wish: users([{ userName: 'asilva' }, { userName: email('ana.lund') }], {
						column: 'userName',
					}),
					ends: { 'ana.lund': '' },
				},
				{
					it: 'emails are swapped inside the list',
					on: on(
						{
							ANA: person('asilva', ['ana', 'ben'], { externalId: 'HR-1' }),
							BEN: person('bokafor', ['ben', 'ana'], { externalId: 'HR-2' }),
						},
						{ filter },
					),
					wish: users(
						[
							{ externalId: 'HR-1', email: email('ben') },
							{ externalId: 'HR-2', email: email('ana') },
						],
						{ column: 'externalId', ...ALL },
					),
					items: ['updated asilva done', 'updated bokafor done'],
					sets: { asilva: mails('ben'), bokafor: mails('ana') },
				},
				{
					it: 'a person is renamed',
					on: on(
						{ ANA: person('asilva', ['ana', 'ana.lund'], { externalId: 'HR-1' }) },
						{ filter },
					),
					wish: users([{ externalId: 'HR-1', userName: 'alund', email: email('ana.lund') }], {
						...{ column: 'externalId', ...ALL },
					}),
					items: ['updated alund done'],
					...{ ends: { asilva: undefined, alund: '' }, sets: { alund: mails('ana.lund') } },
				},
				{
					it: 'people without emails',
					on: on({ ANA: { has: '', emails: undefined, userName: 'asilva' } }, { filter }),
					wish: users([{ userName: 'asilva' }, { userName: 'cyd' }], {
						column: 'userName',
						...ALL,
					}),
					ends: { cyd: '' },
				},
			]);
			table('access', 'reconcile', {
				it: 'a second email of somebody in the list is that of a new person',
				on: ours,
				wish: access(
					[
						{ email: email('ana'), group: 'vpn' },
						{ email: email('ana.lund'), group: 'vpn' },
					],
					'email',
				),
				items: expect.arrayContaining([expect.objectContaining({ change: 'created' })]),
				ends: { 'ana.lund': 'vpn' },
			});
			table('access', 'assign', [
				{
					it: 'the same, by Assign',
					...{ on: ours, wish: vpn(emails('ana ana.lund'), by('email')) },
					...{ ends: { 'ana.lund': 'vpn' } },
				},
				{
					it: 'a person whose second email is asked for by ID',
					...{ on: ours, wish: vpn(`${idOf('asilva')}, ${email('ben')}`, by('email')) },
					ends: { bokafor: 'vpn' },
				},
			]);
		});
	},
);

describe('by user name, and the list was read for others', () => {
	const crowd = Object.fromEntries(
		['BEN', 'CYD', 'DAN', 'EVE'].map((name) => [name, person(name.toLowerCase(), [`${name}1`])]),
	);
	const many = (more) => on({ ANA, ...crowd }, more);
	const KEPT = { credential: { overrideProfile: true, userNameCanChange: 'no' } };
	const ids = ['ben', 'cyd', 'dan', 'eve'].map(idOf);
	table('access', 'assign', [
		{
			it: 'nobody is created who has the name as an email, and the others are added',
			on: many(),
			wish: vpn([...ids, email('ana.lund')].join(), { createMissing: true }),
			...{ fails: LUND, sends: ['PATCH vpn'] },
			ends: { ben: 'vpn', cyd: 'vpn', dan: 'vpn', eve: 'vpn' },
		},
	]);
	table('user', 'upsert', {
		it: 'nor by Create or Update',
		on: many(),
		wish: {
			items: ['ben', 'cyd', 'dan', email('ana.lund')].map((userName) => ({ userName })),
		},
		fails: LUND,
	});
	const others = ['cyd', 'dan', 'eve'];
	const wish = {
		items: [...others.map((name) => [name, `${name}2`]), ['ben', 'ana.lund']].map(([old, now]) => ({
			...{ user: { __rl: true, mode: 'id', value: idOf(old) }, newEmail: email(now) },
		})),
	};
	const gone = (has) => Object.fromEntries(others.map((name) => [name, has]));
	const come = Object.fromEntries(others.map((name) => [`${name}2`, '']));
	table('access', 'changeEmail', [
		{
			it: 'nobody gets the email of another, and the others get theirs',
			...{ on: many(), wish, fails: LUND, ends: { ...gone(undefined), ...come } },
			sets: Object.fromEntries(others.map((name) => [`${name}2`, {}])),
		},
		{
			it: 'the same by new accounts',
			...{ on: many(KEPT), wish, fails: LUND, ends: { ...gone('inactive'), ...come } },
		},
		{
			it: 'an email that is a second one of the person is no reason',
			on: many(KEPT),
			wish: {
				items: [
					{
						user: { __rl: true, mode: 'id', value: idOf('asilva') },
						newEmail: email('ana.lund'),
					},
				],
			},
			ends: { asilva: 'inactive', 'ana.lund': 'vpn' },
			once: true,
		},
	]);
});

test('what a plan has said of a new user, beside somebody in the list, is applied', async () => {
	const world = on()();
	const rows = [{ email: email('ana') }, { email: email('ana.lund') }];
	const [plan] = await play(world, ['user', 'reconcile'], users(rows, { preview: true }));
	const [made] = await play(world, ['access', 'applyPlan'], { changes: 'all', plan });
	expect(made).toMatchObject({ change: 'created', status: 'done' });
});

test('and so is a new user name that is an email of the same person', async () => {
	const world = on()();
	const rows = [{ email: email('ana'), userName: email('ana.lund') }];
	const [plan] = await play(world, ['user', 'reconcile'], users(rows, { preview: true }));
	const [made] = await play(world, ['access', 'applyPlan'], { changes: 'all', plan });
	expect(made).toMatchObject({ change: 'updated', status: 'done' });
});

table('access', 'assign', [
	{
		it: 'a service that shows emails as one object: who has it is found',
		on: on({ ANA: { has: '', userName: 'asilva', emails: { value: email('ana') } } }),
		...{ wish: vpn(email('ana'), by('email')), ends: { asilva: 'vpn' } },
	},
	{
		it: 'a service that shows emails as one object: another one is new',
		on: on({ ANA: { has: '', userName: 'asilva', emails: { value: email('ana') } } }),
		...{ wish: vpn(email('ana.lund'), by('email')), ends: { 'ana.lund': 'vpn' } },
	},
]);

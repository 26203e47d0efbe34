'use strict';

// Services of which nothing is wrong: what a rule against odd answers has to let through, and where no answer tells, the
// field of the credential that does. Rows have the number of their reads, so that caution costs nobody who needs none.

const { email, emails, locator, table } = require('../support/behavior');
const { matchOn } = require('../support/columns');
const {
	PROVEN,
	WIDE,
	asks,
	each,
	leaves,
	members,
	on,
	range,
	reconciled,
	setting,
	takes,
} = require('../support/honest');
const { mapped } = require('../support/node');

const GONE = { options: { ifNotFound: 'alreadyGone' } };
const users = (list, { options, ...more } = {}) => ({
	...{ preview: false, usersFrom: 'json', usersJson: JSON.stringify(list), ...more },
	options: { ...WIDE, ...options },
});
const ALL = { absentUsers: 'deactivate', scopeBy: 'userNames', scopeUserNames: '*' };

describe('nobody shows `active`', () => {
	const mute = { active: 'absent' };
	table('access', 'assign', [
		{
			it: 'it hinders no gain, once a witness was asked for',
			on: on({ ana: '', bob: 'eng' }, mute),
			...{ wish: takes('ana', 'eng'), items: ['granted ana eng done'], ends: { ana: 'eng' } },
			...{ sends: ['PATCH eng'], reads: asks(/^GET ana/) },
		},
	]);
	table('access', 'offboard', [
		{
			it: 'access goes; the deactivation is not seen',
			on: on({ ana: 'eng', bob: 'eng' }, mute),
			...{ wish: leaves('ana'), items: [{ status: 'unverified', provenAt: null }] },
			fails: [/Could not confirm: deactivate/],
			...{ sends: ['PATCH ana', 'PATCH eng'], reads: 6, ends: { ana: 'inactive' } },
		},
	]);
	table('user', 'activate', [
		{
			it: 'it is sent, and not seen',
			on: on({ ana: 'inactive', bob: 'eng' }, mute),
			wish: () => ({ user: locator('email', email('ana')) }),
			...{ items: [{ status: 'unverified' }], fails: [/Could not confirm.*active/] },
			...{ sends: ['PATCH ana'], ends: { ana: '' } },
		},
	]);
});

describe('`active` is shown where it is false alone', () => {
	const shows = ({ active, ...one }) => ({ ...one, ...(active === false && { active }) });
	table('access', 'assign', [
		{
			it: 'who shows none is active',
			on: on({ ...each(['ana', 'bob', 'cyd'], ''), old: 'inactive eng' }, { shows }),
			wish: takes('ana bob cyd', 'eng'),
			items: ['ana', 'bob', 'cyd'].map((name) => `granted ${name} eng done`),
			...{ ends: each(['ana', 'bob', 'cyd'], 'eng'), sends: ['PATCH eng'], reads: 3 },
		},
		{
			it: 'who shows it is not',
			on: on({ ana: '', old: 'inactive', bob: 'eng' }, { shows }),
			...{ wish: takes('old', 'eng'), fails: [/is inactive/], sends: [], reads: 2 },
		},
	]);
	table('access', 'offboard', [
		{
			it: 'the deactivation is seen',
			on: on({ ana: 'eng', bob: 'eng', old: 'inactive' }, { shows }),
			wish: leaves('ana'),
			items: PROVEN,
			...{ sends: ['PATCH ana', 'PATCH eng'], reads: 5, ends: { ana: 'inactive' } },
		},
	]);
});

describe('a directory that is new', () => {
	const empty = on({});
	const ana = { userName: email('ana') };
	table('user', 'create', [
		{
			...{ it: 'gets its first user', on: empty, wish: ana, items: ['created ana done'] },
			...{ sends: ['POST Users'], reads: ['GET Schemas 404'], ends: { ana: '' }, once: true },
		},
	]);
	table('user', 'reconcile', [
		{
			it: 'gets its first two from a list',
			...{ on: empty, wish: users([ana, { userName: email('bob') }]) },
			items: ['created ana done', 'created bob done'],
			...{ sends: ['POST Users', 'POST Users'], reads: 4, ends: { ana: '', bob: '' } },
		},
	]);
	table('access', 'assign', [
		{
			it: 'gets one by email, with access',
			on: on({}, { groups: ['vpn'] }),
			wish: (w) => ({
				...{ people: emails('ana'), ...w.groups('vpn'), createMissing: true },
				options: { matchUsersBy: 'email' },
			}),
			items: ['created ana done', 'granted ana vpn done'],
			...{ sends: ['POST Users', 'PATCH vpn'], reads: 6, ends: { ana: 'vpn' } },
		},
	]);
	table('access', 'offboard', [
		{
			...{ it: 'is no proof that somebody is gone', on: empty, wish: leaves('ana', GONE) },
			...{ fails: [/shows nobody at all/], sends: [], reads: 3 },
		},
	]);
});

describe('a service that has no group', () => {
	const PEOPLE = { ana: '', bob: '' };
	const NONE = setting({ hasGroups: 'no' });
	const types = { types: ['Users'] };
	const ResourceTypes = { totalResults: 1, Resources: [{ name: 'User', endpoint: '/Users' }] };
	const gone = {
		...{ wish: leaves('ana'), sends: ['PATCH ana'], ends: { ana: 'inactive' } },
		items: PROVEN,
	};
	table('access', 'offboard', [
		{
			it: 'an empty list of groups tells nothing: what to set is said',
			...{ on: on(PEOPLE), ...gone, items: [{ status: 'unverified', provenAt: null }] },
			fails: [/Has Groups/],
		},
		{
			it: 'Has Groups: No',
			on: on(PEOPLE, NONE),
			...gone,
			reads: ['GET Users by userName', 'GET ana', 'GET ana'],
		},
		{
			...{ it: 'Has Groups: No, and no such endpoint', on: on(PEOPLE, { ...types, ...NONE }) },
			...{ ...gone, reads: ['GET Users by userName', 'GET ana', 'GET ana'] },
		},
		...[
			['no such endpoint', types],
			['an endpoint that is not implemented', { without: ['GET Groups'], withoutAnswers: 501 }],
		].map(([it, more]) => ({
			...{ ...gone, it: `${it}, and no such resource type` },
			on: on(PEOPLE, { ...more, discovery: { ResourceTypes } }),
			reads: asks(/^GET ResourceTypes$/),
		})),
	]);
	const gives = (it, more, fails) => ({
		...{ it, on: on(PEOPLE, more), fails, sends: [], reads: 3 },
		wish: (w) => ({ people: emails('ana new'), ...w.groups('vpn'), createMissing: true }),
	});
	table('access', 'assign', [
		gives('Assign makes nobody for a group that is not there', {}, [
			/no group "vpn"/,
			/no group "vpn"/,
		]),
		gives('the same with Has Groups: No', { ...types, ...NONE }, [/no group/, /no group/]),
	]);
	table('user', 'update', [
		{
			it: 'access without groups is a value of the user',
			on: on({ ana: { has: '', roles: [{ value: 'reader' }] }, bob: '' }, { ...types, ...NONE }),
			wish: (w) => ({
				user: w.user('ana'),
				accessValues: { value: [{ action: 'add', attribute: 'roles', value: 'writer' }] },
			}),
			...{ items: [{ status: 'done' }], sends: ['PATCH ana'], reads: 2 },
			sets: { ana: { roles: [{ value: 'reader' }, { value: 'writer' }] } },
		},
	]);
});

describe("a leaver's address is an alias of the manager", () => {
	const mails = (...names) =>
		names.map((name, at) => ({ value: email(name), ...(at === 0 && { primary: true }) }));
	const both = on({ ana: 'eng', boss: { has: 'eng', emails: mails('boss', 'ana') } });
	table(
		'access',
		'offboard',
		[
			['userName', 5],
			['email', 6],
		].map(([matchUsersBy, reads]) => ({
			...{ it: `the leaver alone goes, by ${matchUsersBy}`, on: both },
			wish: leaves('ana', { options: { matchUsersBy, ...GONE.options } }),
			items: [{ userName: email('ana'), status: 'done', active: false }],
			...{ sends: ['PATCH ana', 'PATCH eng'], reads, ends: { ana: 'inactive' } },
		})),
	);
});

describe('a local part that is not ASCII (RFC 6531)', () => {
	const JOERG = 'jörg@example.com';
	const there = on({ jörg: 'eng', bob: 'eng' });
	table('user', 'create', [
		{
			it: 'is created',
			...{ on: on({ bob: '' }), wish: { userName: JOERG }, items: ['created jörg done'] },
			...{ sends: ['POST Users'], reads: 3, ends: { jörg: '' }, once: true },
		},
	]);
	table('access', 'reconcile', [
		{
			it: 'is a row like any, and keeps no removal from being made',
			on: there,
			...{ wish: reconciled('eng', ['jörg']), items: ['revoked bob eng done'] },
			...{ sends: ['PATCH eng'], reads: 6, ends: { bob: '' } },
		},
	]);
	table('access', 'offboard', [
		{
			...{ it: 'leaves', on: there, wish: leaves('jörg') },
			items: [{ userName: JOERG, status: 'done', active: false }],
			...{ sends: ['PATCH jörg', 'PATCH eng'], reads: 5, ends: { jörg: 'inactive' } },
		},
	]);
});

describe.each([1, 2, 5])('reads that show the state before a write %s times', (lagReads) => {
	const late = (people) => on(people, { lagReads, patchAnswers: '204' });
	const PEOPLE = { ana: 'eng', bob: 'eng', cyd: '' };
	const PATIENT = { options: { verifyTime: 30 } };
	const patient = (wish) => (w) => ({ ...wish(w), ...PATIENT });
	const eng = { on: late(PEOPLE), sends: ['PATCH eng'], reads: 3 + lagReads };
	table('access', 'assign', [
		{
			...{ it: 'Assign', ...eng, wish: patient(takes('cyd', 'eng')), ends: { cyd: 'eng' } },
			items: ['granted cyd eng done'],
		},
	]);
	table('access', 'revoke', [
		{
			...{ it: 'Revoke', ...eng, wish: patient(takes('ana', 'eng')), ends: { ana: '' } },
			items: ['revoked ana eng done'],
		},
	]);
	table('group', 'setMembers', [
		{
			it: 'Set Members',
			...{ ...eng, wish: patient(members('eng', 'ana bob cyd')), ends: { cyd: 'eng' } },
			items: ['none ana eng unchanged', 'none bob eng unchanged', 'granted cyd eng done'],
		},
	]);
	table('access', 'offboard', [
		{
			...{ it: 'Offboard', on: late(PEOPLE), wish: patient(leaves('ana')) },
			items: [{ status: 'done', active: false, accessRemaining: [] }],
			...{ sends: ['PATCH ana', 'PATCH eng'], reads: 8 + 2 * lagReads, ends: { ana: 'inactive' } },
		},
	]);
	table('user', 'update', [
		{
			...{ it: 'User: Update', on: late(PEOPLE), sends: ['PATCH ana'], reads: 3 + lagReads },
			wish: (w) => ({ user: w.user('ana'), ...mapped({ title: 'Boss' }), ...PATIENT }),
			...{ items: ['updated ana done'], sets: { ana: { title: 'Boss' } } },
		},
	]);
});

describe.each([-60_000, 60_000])('a clock that is off by %s ms', (off) => {
	const created = (one) =>
		one.meta?.created
			? { ...one, meta: { ...one.meta, created: new Date(Date.now() + off).toISOString() } }
			: one;
	const made = { sends: ['POST Users'], ends: { new: '' }, warns: [], once: true };
	table('user', 'create', [
		...[
			['the whole service', { now: () => Date.now() + off }],
			['what stamps users alone', { shows: created }],
		].map(([it, more]) => ({
			...{ it, on: on({ bob: '' }, { showsCreated: true, ...more }) },
			...{ wish: { userName: email('new') }, items: ['created new done'], ...made, reads: 1 },
		})),
	]);
});

describe('lists that go on by cursor, without a total', () => {
	const NAMES = range(5);
	const cursors = on(each(NAMES, ''), {
		...{ paging: 'cursor', pageCap: 2, filter: 'off' },
		answers: ({ totalResults, ...body }) => body,
	});
	table('user', 'getAll', [
		{
			...{ it: 'come whole', on: cursors, wish: { returnAll: true }, sends: [] },
			...{
				items: NAMES.map((name) => ({ userName: email(name) })),
				reads: Array(3).fill('GET Users'),
			},
		},
	]);
	table('access', 'offboard', [
		{
			it: 'who is on no page is gone already',
			...{ on: cursors, wish: leaves('gone', GONE), items: [{ status: 'unchanged' }], sends: [] },
			reads: 5,
		},
	]);
	table('user', 'reconcile', [
		{
			it: 'who is on a page and in no row is deactivated',
			on: cursors,
			wish: users(
				NAMES.slice(1).map((name) => ({ userName: email(name) })),
				ALL,
			),
			...{
				items: ['deactivated p1 done'],
				sends: ['PATCH p1'],
				ends: { p1: 'inactive' },
				reads: 4,
			},
		},
	]);
});

describe('lists that do not come to their total', () => {
	table('user', 'reconcile', [
		{
			it: '12 of 15, as others are counted: nobody is missed, and it is said',
			on: on(each(range(12), ''), {
				answers: (body, { url }) =>
					body.Resources && !url.includes('filter') ? { ...body, totalResults: 15 } : body,
			}),
			wish: users(
				range(12).map((name) => ({ userName: email(name) })),
				ALL,
			),
			...{ items: [{ status: 'unchanged' }], warns: [/12 of 15/], sends: [], reads: 2 },
		},
	]);
	table('user', 'getAll', [
		{
			it: 'some twice, as in a join over groups: incomplete, as nothing tells them from lost ones',
			on: on(each(range(6), ''), {
				answers: (body, { url }) => {
					if (url.includes('filter')) return body;
					const twice = body.Resources?.flatMap((one, at) => (at % 2 ? [one, one] : [one]));
					return twice ? { ...body, Resources: twice, totalResults: 9, itemsPerPage: 9 } : body;
				},
			}),
			...{ wish: { returnAll: true }, fails: [/^The list of users is incomplete/], sends: [] },
		},
	]);
});

describe('HR gives everybody new external IDs', () => {
	const PEOPLE = { ana: { has: '', externalId: 'old-1' }, bob: { has: '', externalId: 'old-2' } };
	const list = ['ana', 'bob'].map((name, at) => ({
		...{ userName: email(name), externalId: `new-${at}` },
	}));
	table('user', 'reconcile', [
		{
			it: 'users who are found by their names get them, with a warning',
			...{ on: on(PEOPLE), wish: users(list, matchOn('userName')) },
			...{ items: ['updated ana done', 'updated bob done'], warns: [/old-1/, /old-2/] },
			...{ sends: ['PATCH ana', 'PATCH bob'], reads: 3 },
			sets: { ana: { externalId: 'new-0' }, bob: { externalId: 'new-1' } },
		},
	]);
});

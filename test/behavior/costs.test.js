'use strict';

// What each operation costs in requests: its floor, one batch more, one page more. This is the one table that counts them.
// Elsewhere rows say what comes out, and `sends` stands only where the promise is which request leaves.
//
// `GET Users 2, PATCH eng` is so many requests of each kind, in the order of the first of each; `p` is any of many people.

const {
	Account,
	Groups,
	SHOWN,
	UNDOABLE,
	email,
	emails,
	errorsIn,
	locator,
	play,
	rows,
} = require('../support/behavior');
const alerts = { ...require('../support/alertBehavior'), ...require('../support/configurations') };
const { mapped } = require('../support/node');

const MANAGER = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.value';
const range = (count) => Array.from({ length: count }, (_, index) => index);
const names = (count) => range(count).map((number) => `p${number}`);
/** So many people, each of whom has the same. */
const crowd = (count, has = '') => Object.fromEntries(names(count).map((name) => [name, has]));
const list = (count) => emails(names(count).join(' '));

const account = (people) => () =>
	new Account(
		{ bob: 'a:admin b:admin', ...people },
		{ credential: { accountOrganizationId: 'org-acct' } },
	);
/** Groups and users show who is in a group. */
const plain = (people, more) => () =>
	new Groups({ bob: 'eng', ...people }, { credential: UNDOABLE, ...more });
/** Of a service that tells less: only groups show it, and one by one. */
const bare = (people) => plain(people, SHOWN['on request']);

const WIDE = { options: { maxPeopleAffected: 1_000, maxShareAffected: 100 } };
const CREATES = { createMissing: true };

/** Requests by kind, as one line. */
function costOf(world) {
	const counts = new Map();
	for (const request of world.requests ?? world.service.requests) {
		const line = world.lineOf(request).replace(/\bp\d+\b/, 'p');
		counts.set(line, (counts.get(line) ?? 0) + 1);
	}
	return [...counts].map(([line, count]) => (count > 1 ? `${line} ${count}` : line)).join(', ');
}

/**
 * @param {string} operation such as `access assign`
 * @param {Array<[string, () => Groups, object | Function, string, string[]?]>} rows what is done, the service, the fields (`items` of
 *   them differ by item), what it costs, and what errors say
 */
const costs = (operation, rows) =>
	test.each(rows)(`${operation}: %s`, async (_, on, wish, cost, errors = []) => {
		const world = on();
		const { items, ...fields } = typeof wish === 'function' ? wish(world) : wish;
		const output = await play(world, operation.split(' '), fields, items);
		expect(errorsIn(output)).toEqual(errors.map((words) => expect.stringContaining(words)));
		expect(costOf(world)).toBe(cost);
	});

describe('access', () => {
	costs('access assign', [
		[
			'one role',
			account({ ana: 'a:viewer' }),
			(w) => ({ people: email('ana'), ...w.roles('a:member') }),
			'GET Groups, GET ana, PATCH a:member',
		],
		[
			'100 people, a batch',
			account(crowd(100, 'a:viewer')),
			(w) => ({ people: list(100), ...w.roles('a:member'), ...WIDE }),
			'GET Groups, GET Users 2, PATCH a:member',
		],
		[
			'101 people, a batch more',
			account(crowd(101, 'a:viewer')),
			(w) => ({ people: list(101), ...w.roles('a:member'), ...WIDE }),
			'GET Groups, GET Users 2, PATCH a:member 2',
		],
		[
			'nothing to do',
			account({ ana: 'a:viewer' }),
			(w) => ({ people: email('ana'), ...w.roles('a:viewer') }),
			'GET Groups, GET ana',
		],
		[
			'two new people, two roles',
			account(),
			(w) => ({ people: emails('ana ben'), ...CREATES, ...w.roles('a:member b:viewer') }),
			'GET Groups, POST Users 2, PATCH a:member, PATCH b:viewer',
		],
		[
			'elsewhere: one group',
			plain({ ana: '' }),
			(w) => ({ people: email('ana'), ...w.groups('eng') }),
			'GET eng 2, GET Users, PATCH eng',
		],
		[
			'elsewhere: two people, two groups',
			plain({ ana: 'vpn', ben: '' }),
			(w) => ({ people: emails('ana ben'), ...w.groups('eng vpn') }),
			'GET vpn, GET eng 2, GET Users 2, PATCH eng, PATCH vpn',
		],
		[
			'elsewhere: 101 people',
			plain(crowd(101)),
			(w) => ({ people: list(101), ...w.groups('eng'), ...WIDE }),
			'GET eng 2, GET Users 2, PATCH eng 2',
		],
		[
			'groups alone show members: one group',
			bare({ ana: '' }),
			(w) => ({ people: email('ana'), ...w.groups('eng') }),
			'GET eng 3, GET Users, GET ana, PATCH eng',
		],
	]);
	costs('access assign', [
		[
			'three in a batch, of whom one is refused: a look, and each alone',
			() =>
				new Account(
					{ bob: 'a:admin', p0: '', p1: '', 'p2@other.example': '' },
					{ domains: { a: ['example.com'] } },
				),
			(w) => ({ people: `${list(2)}, p2@other.example`, ...w.roles('a:member') }),
			'GET Groups, POST Users 409 3, GET Users, PATCH a:member 400 2, GET a:member 2, GET a:admin, GET a:viewer',
			['does not accept p2@other.example'],
		],
	]);
	costs('access revoke', [
		[
			'one role',
			account({ ana: 'a:viewer' }),
			{ people: email('ana'), accessBy: 'organizationAndRole', revokeIn: 'all' },
			'GET Groups, PATCH a:viewer',
		],
		[
			'elsewhere: one group',
			plain({ ana: 'eng' }),
			(w) => ({ people: email('ana'), ...w.groups('eng') }),
			'GET eng 2, GET Users, PATCH eng',
		],
		[
			'elsewhere: 101 people',
			plain(crowd(101, 'eng')),
			(w) => ({ people: list(101), ...w.groups('eng'), ...WIDE }),
			'GET eng 2, GET Users 2, PATCH eng 2',
		],
	]);
	costs('access set', [
		[
			'one person',
			account({ ana: 'a:viewer b:viewer' }),
			(w) => ({ people: email('ana'), ...w.roles('a:member') }),
			'GET Groups, GET ana, PATCH a:member, PATCH b:viewer',
		],
		[
			'elsewhere: one person',
			plain({ ana: 'vpn' }),
			(w) => ({ people: email('ana'), ...w.groups('eng'), managedGroups: rows('*') }),
			'GET eng 2, GET Users, GET vpn 2, PATCH eng, PATCH vpn',
		],
	]);
	costs('access offboard', [
		[
			'one person',
			account({ ana: 'a:viewer' }),
			{ people: email('ana') },
			'GET Groups 2, PATCH ana',
		],
		[
			'ten people',
			account(crowd(10, 'a:viewer')),
			{ people: list(10), ...WIDE },
			'GET Groups 2, PATCH p 10',
		],
		[
			'a page more of users',
			account(crowd(150, 'a:viewer')),
			{ people: email('p3') },
			'GET Groups 2, PATCH p',
		],
		[
			'elsewhere: one person',
			plain({ ana: 'eng vpn' }),
			{ people: email('ana') },
			'GET Users, GET ana 2, GET vpn 2, GET eng 3, PATCH ana, PATCH eng, PATCH vpn',
		],
		[
			'elsewhere: deleted',
			plain({ ana: 'eng' }),
			{ people: email('ana'), method: 'delete' },
			'GET Users 2, GET ana, GET eng 2, PATCH ana, PATCH eng, DELETE ana, GET ana 404 2',
		],
	]);
	costs('access changeEmail', [
		[
			'one person',
			account({ ana: 'a:viewer' }),
			(w) => ({ user: w.user('ana'), newEmail: email('ana.silva') }),
			'GET Groups, GET Users, GET ana, POST Users, PATCH a:viewer, PATCH ana',
		],
		[
			'elsewhere: one person',
			plain({ ana: 'eng' }),
			(w) => ({ user: w.user('ana'), newEmail: email('ana.silva') }),
			'GET Users, GET ana 2, PATCH ana',
		],
	]);
	const wanted = (people) =>
		JSON.stringify(people.map((name) => ({ email: email(name), group: 'eng' })));
	const reconciles = (people, more) => ({
		...{ preview: false, unwanted: 'revoke', wantedFrom: 'json', wantedJson: wanted(people) },
		scopeGroups: rows('eng'),
		...more,
		options: { ...WIDE.options, ...more?.options },
	});
	costs('access reconcile', [
		[
			'nothing to do',
			plain({ ana: 'eng' }),
			reconciles(['ana', 'bob']),
			'GET Groups 2, GET eng, GET Users 2',
		],
		[
			'one comes, one goes',
			plain({ ana: '', ben: 'eng' }),
			reconciles(['ana', 'bob']),
			'GET Groups 2, GET eng 2, GET Users 2, GET ben, PATCH eng',
		],
		[
			'101 come',
			plain(crowd(101)),
			reconciles(['bob', ...names(101)]),
			'GET Groups 2, GET eng 2, GET Users 2, PATCH eng 2',
		],
		[
			'101 come, and nobody is there yet',
			() => new Groups({}, { groups: ['eng'], credential: UNDOABLE }),
			reconciles(names(101), { ...CREATES, options: { maxCreates: 200 } }),
			'GET Groups 2, GET Users 13, GET Schemas 404, POST Users 101, PATCH eng 2, GET eng',
		],
	]);
	costs('access planReview', [
		[
			'a group',
			plain({ ana: 'eng' }),
			(w) => ({ reviewOf: 'group', group: w.group('eng') }),
			'GET eng, GET bob, GET ana',
		],
		[
			'a user',
			plain({ ana: 'eng vpn' }),
			(w) => ({ reviewOf: 'user', user: w.user('ana') }),
			'GET ana, GET eng, GET vpn',
		],
	]);
	costs('access get', [
		[
			'one person',
			account({ ana: 'a:viewer' }),
			(w) => ({ user: locator('email', email('ana')) }),
			'GET Groups, GET ana',
		],
		[
			'elsewhere: one group',
			plain({ ana: 'eng' }),
			(w) => ({ user: w.user('ana') }),
			'GET ana, GET eng',
		],
		[
			'elsewhere: two groups',
			plain({ ana: 'eng vpn' }),
			(w) => ({ user: w.user('ana') }),
			'GET ana, GET eng, GET vpn',
		],
	]);
	costs('access getMatrix', [
		['account', account({ ana: 'a:viewer' }), {}, 'GET Users, GET Groups'],
		['a page more of users', account(crowd(150, 'a:viewer')), {}, 'GET Users 2, GET Groups'],
		['elsewhere', plain({ ana: 'eng' }), {}, 'GET Users 2, GET Groups 2, GET eng'],
	]);
});

describe('group', () => {
	const group = (w) => ({ group: w.group('eng') });
	costs('group addMembers', [
		[
			'one person',
			plain({ ana: '' }),
			(w) => ({ ...group(w), people: email('ana') }),
			'GET eng 2, GET Users, PATCH eng',
		],
		[
			'100 people',
			plain(crowd(100)),
			(w) => ({ ...group(w), people: list(100), ...WIDE }),
			'GET eng 2, GET Users 2, PATCH eng',
		],
		[
			'101 people',
			plain(crowd(101)),
			(w) => ({ ...group(w), people: list(101), ...WIDE }),
			'GET eng 2, GET Users 2, PATCH eng 2',
		],
	]);
	costs('group removeMembers', [
		[
			'one person',
			plain({ ana: 'eng' }),
			(w) => ({ ...group(w), people: email('ana') }),
			'GET eng 2, GET Users, PATCH eng',
		],
		[
			'101 people',
			plain(crowd(101, 'eng')),
			(w) => ({ ...group(w), people: list(101), ...WIDE }),
			'GET eng 2, GET Users 2, PATCH eng 2',
		],
	]);
	costs('group setMembers', [
		[
			'nothing differs',
			plain(),
			(w) => ({ ...group(w), people: email('bob') }),
			'GET eng, GET Users',
		],
		[
			'one comes, one goes',
			plain({ ana: 'eng', ben: '' }),
			(w) => ({ ...group(w), people: emails('bob ben') }),
			// Who is to go and was not shown as a user may be a group.
			'GET eng 2, GET Users 2, GET ana, PATCH eng',
		],
		[
			'the whole list',
			plain({ ana: 'eng', ben: '' }),
			(w) => ({ ...group(w), people: emails('bob ben'), options: { replaceWith: 'wholeList' } }),
			'GET eng 2, GET Users 2, GET ana, PUT eng',
		],
	]);
	costs('group create', [['one', plain(), { displayName: 'ops' }, 'GET Groups 3, POST Groups']]);
	costs('group update', [
		[
			'a name',
			plain(),
			(w) => ({ ...group(w), updateFields: { displayName: 'ops' } }),
			'GET eng 2, PATCH eng',
		],
	]);
	costs('group delete', [
		[
			'one',
			plain({}, { groups: ['ops'] }),
			(w) => ({ group: w.group('ops') }),
			'GET ops, DELETE ops, GET ops 404',
		],
	]);
	costs('group get', [['one', plain(), group, 'GET eng']]);
	costs('group getAll', [
		['50 of 120', plain({}, { groups: range(120).map((n) => `g${n}`) }), {}, 'GET Groups'],
		[
			'all of 120',
			plain({}, { groups: range(120).map((n) => `g${n}`) }),
			{ returnAll: true },
			'GET Groups 2',
		],
	]);
});

describe('user', () => {
	const ana = (w) => ({ user: w.user('ana') });
	const title = mapped({ title: 'Boss' });
	const managedBy = (name) => mapped({ [MANAGER]: email(name) });
	costs('user create', [
		['one', plain(), { userName: email('ana') }, 'GET Schemas 404, POST Users'],
		[
			'20',
			plain(),
			{ items: names(20).map((name) => ({ userName: email(name) })) },
			'GET Schemas 404, POST Users 20',
		],
		[
			'20 with one manager: two filters more, since another user may have that email',
			plain(),
			{ items: range(20).map((at) => ({ userName: email(`new${at}`), ...managedBy('bob') })) },
			'GET Schemas 404, GET Users 2, POST Users 20',
		],
		[
			'20 with a manager each: the pages of a list that show them, and all of it for the emails of others',
			plain(crowd(20)),
			{ items: range(20).map((at) => ({ userName: email(`new${at}`), ...managedBy(`p${at}`) })) },
			'GET Schemas 404, GET Users 3, POST Users 20',
		],
		[
			'20 in a chain of new managers: the one above them, who is nobody, is asked for by user name and by email, and a list more',
			plain(),
			{ items: range(20).map((at) => ({ userName: email(`n${at}`), ...managedBy(`n${at + 1}`) })) },
			'GET Schemas 404, GET Users 4, POST Users 20',
		],
	]);
	costs('user update', [
		// The answer to one is believed once a read has shown the same.
		['one', plain({ ana: 'eng' }), (w) => ({ ...ana(w), ...title }), 'GET ana 2, PATCH ana'],
		[
			'two',
			plain({ p0: 'eng', p1: '' }),
			(w) => ({ items: names(2).map((name) => ({ user: w.user(name), ...title })) }),
			'GET p 3, PATCH p 2',
		],
	]);
	costs('user upsert', [
		[
			'there already',
			plain({ ana: 'eng' }),
			{ userName: email('ana'), ...title },
			'GET Users, GET Schemas 404, PATCH ana, GET ana',
		],
		[
			'new',
			plain(),
			{ userName: email('ana'), ...title },
			'GET Users, GET Schemas 404, POST Users',
		],
		[
			'100 are new, and nobody is there yet',
			() => new Groups({}),
			{ items: names(100).map((name) => ({ userName: email(name), ...title })) },
			'GET Users 11, GET Schemas 404, POST Users 100',
		],
	]);
	costs('user deactivate', [
		['one', plain({ ana: 'eng' }), ana, 'GET ana 2, PATCH ana'],
		[
			'three',
			plain(crowd(3)),
			(w) => ({ items: names(3).map((name) => ({ user: w.user(name) })) }),
			'GET Users 4, PATCH p 3',
		],
	]);
	costs('user activate', [['one', plain({ ana: 'inactive' }), ana, 'GET ana 2, PATCH ana']]);
	costs('user delete', [
		['one', plain({ ana: '' }), ana, 'GET ana, DELETE ana, GET ana 404'],
		[
			'three',
			plain(crowd(3)),
			(w) => ({ items: names(3).map((name) => ({ user: w.user(name) })) }),
			'GET Users 4, DELETE p 3, GET p 404 3',
		],
	]);
	costs('user get', [['one', plain({ ana: '' }), ana, 'GET ana']]);
	costs('user getAll', [
		['50 of 121', plain(crowd(120)), {}, 'GET Users'],
		['all of 121', plain(crowd(120)), { returnAll: true }, 'GET Users 2'],
	]);
	const reconciles = (people) => ({
		...{ preview: false, usersFrom: 'json' },
		usersJson: JSON.stringify(people.map((name) => ({ userName: email(name), title: 'Boss' }))),
		...WIDE,
	});
	costs('user reconcile', [
		[
			'one differs',
			plain({ ana: { has: '', title: 'Boss' }, ben: '' }),
			reconciles(['ana', 'ben']),
			'GET Users 2, GET Schemas 404, PATCH ben, GET ben',
		],
		[
			'managers in the list cost nothing',
			plain({ ana: { has: '', title: 'Boss' }, ben: '' }),
			{
				...reconciles([]),
				usersJson: JSON.stringify(
					['ana', 'ben'].map((name) => ({ userName: email(name), [MANAGER]: email('bob') })),
				),
			},
			'GET Users 2, GET Schemas 404, PATCH ana, PATCH ben, GET ana',
		],
		[
			'a page more of users',
			plain(crowd(120, { has: '', title: 'Clerk' })),
			reconciles(['p0', 'p1']),
			'GET Users 2, PATCH p 2, GET p',
		],
	]);
});

describe('alerting', () => {
	const { Alerting } = alerts;
	const [m, hook] = [alerts.locator('m'), alerts.locator('hook')];
	const costsOf = (operation, rows) =>
		test.each(rows)(`${operation}: %s`, async (_, wish, cost, models = undefined) => {
			const world = new Alerting(models);
			const { items, ...fields } = wish;
			const output = await alerts.play(world, operation.split(' '), fields, items);
			expect(output.flatMap(({ error }) => error?.message ?? error ?? [])).toStrictEqual([]);
			expect(costOf(world)).toBe(cost);
		});
	const ALL = { model: m, monitors: 'all' };
	const TWO = { m: { drift: 'email' }, n: { churn: '' } };
	const both = { models: 'ids', modelIds: 'm, n', monitors: 'all', action: hook };
	costsOf('monitor attach', [
		['three monitors', { ...ALL, action: hook }, 'GET actions, GET m 2, PATCH m'],
		[
			'nothing to do',
			{ ...ALL, action: alerts.locator('email') },
			'GET actions, GET m',
			{ m: { drift: 'email' } },
		],
		['two models', both, 'GET actions, GET m 2, GET n 2, PATCH m, PATCH n', TWO],
	]);
	costsOf('monitor detach', [
		['three monitors', { ...ALL, action: alerts.locator('pager') }, 'GET m 2, PATCH m'],
	]);
	costsOf('monitor setActions', [
		['three monitors', { ...ALL, actionIds: 'chat' }, 'GET actions, GET m 2, PATCH m'],
	]);
	costsOf('monitor replaceAction', [
		[
			'three monitors',
			{ ...ALL, action: alerts.locator('pager'), replaceBy: hook },
			'GET actions, GET m 2, PATCH m',
		],
	]);
	costsOf('monitor getAll', [['one model', ALL, 'GET m']]);
	costsOf('action upsert', [
		[
			'one',
			{ actionId: 'new', kind: 'email', email: 'ops@example.com' },
			'GET actions 2, PUT EMAIL new',
		],
	]);
	costsOf('action delete', [
		['one', { action: alerts.locator('mail') }, 'GET actions 2, DELETE mail'],
	]);
	costsOf('action disable', [
		['one', { action: alerts.locator('mail') }, 'GET actions 2, PUT mail disable'],
	]);
	costsOf('action enable', [['one', { action: hook }, 'GET actions 2, PUT hook enable']]);
	costsOf('action get', [['one', { action: hook }, 'GET actions']]);
	costsOf('action getAll', [['all', {}, 'GET actions']]);
	costsOf('action sendTest', [['one', { action: hook }, 'GET actions, POST hook test']]);
	costsOf('monitorConfiguration get', [['one', { model: m }, 'GET m']]);
	const changed = alerts.document(
		Object.keys(TWO.m).map((word) => alerts.monitor(alerts.idOf(word), ['chat'])),
	);
	costsOf('monitorConfiguration update', [
		['one', { model: m, configuration: changed }, 'GET m 2, PUT m', { m: { drift: 'email' } }],
	]);
});

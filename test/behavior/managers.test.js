'use strict';

// A manager is the ID of another user (RFC 7643 section 4.3). HR knows an email, a user name or a number: it is looked up, and where that
// leads to nobody, or to two, everything else is done.

const {
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
const { matchOn } = require('../support/columns');
const { mapped } = require('../support/node');
const { USER_SCHEMAS, discovered } = require('../support/schemas');

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const VALUE = `${ENTERPRISE}:manager.value`;
const CORE_ALONE = { discovery: discovered(USER_SCHEMAS.slice(0, 1)) };
/** Who is there by default. */
const PEOPLE = {
	ana: { has: '', externalId: 'HR-1' },
	bob: { has: 'eng', externalId: 'HR-2', id: 'id-bob' },
	eve: { has: 'inactive', externalId: 'HR-3', id: 'id-eve' },
};
const on =
	(people = {}, more = {}) =>
	() =>
		new Groups({ ...PEOPLE, ...people }, more);
const manager = (id) => ({ [ENTERPRISE]: { manager: { value: id } } });
const list = (all, { options, ...more } = {}) => ({
	...{ preview: false, usersFrom: 'json', usersJson: JSON.stringify(all), ...more },
	options: { maxPeopleAffected: 100, ...options },
});
const row = (name, text, more) => ({ userName: email(name), [VALUE]: text, ...more });
const RECONCILE = ['user', 'reconcile'];
const BOB = { sets: { ana: manager('id-bob') } };
/** Said on every item of a list. */
const NOTE = 'No user matches the manager of row 1 (ana@example.com): the manager stays as it is.';
const NOBODY = /^No user matches the manager /;

describe('a list of users', () => {
	table(...RECONCILE, [
		...[
			['an ID', 'id-bob'],
			['the user name', email('bob')],
			['the same in another case', email('BOB').toUpperCase()],
		].map(([what, text]) => ({
			it: `${what}, which the list shows at no cost`,
			...{ on: on(), wish: list([row('ana', text)]), ...BOB },
			...{ gets: ['GET Schemas 404', 'GET Users', 'GET ana'], sends: ['PATCH ana'], warns: [] },
			ops: [{ op: 'replace', path: `${ENTERPRISE}:manager`, value: { value: 'id-bob' } }],
		})),
		{
			it: 'what users are matched by',
			on: on(),
			wish: list([{ externalId: 'HR-1', [VALUE]: 'HR-2' }], matchOn('externalId')),
			...{ ...BOB, gets: ['GET Schemas 404', 'GET Users', 'GET ana'] },
		},
		{
			it: 'an email, where the user name is another one',
			on: on({ bob: { ...PEOPLE.bob, emails: [{ value: 'robert@home.test', primary: true }] } }),
			...{ wish: list([row('ana', 'Robert@HOME.test')]), ...BOB },
		},
		...[
			[
				'with more about that user',
				{ value: 'id-bob', displayName: 'Bob', $ref: '../Users/id-bob' },
			],
			['as the ID alone', 'id-bob'],
		].map(([what, shown]) => ({
			it: `it is so already, shown ${what}`,
			on: on({ ana: { ...PEOPLE.ana, [ENTERPRISE]: { manager: shown } } }),
			wish: list([row('ana', email('bob'))]),
		})),
		...[{ value: 'id-eve', displayName: 'Eve', $ref: '../Users/id-eve' }, 'id-eve'].map(
			(shown) => ({
				it: `it was another one, shown as ${JSON.stringify(shown)}`,
				on: on({ ana: { ...PEOPLE.ana, [ENTERPRISE]: { manager: shown } } }),
				...{ wish: list([row('ana', email('bob'))]), sends: ['PATCH ana'] },
				sets: {
					ana: { [ENTERPRISE]: { manager: expect.objectContaining({ value: 'id-bob' }) } },
				},
			}),
		),
		{
			it: 'the URN of the extension alone, with a text or an object',
			on: on(),
			wish: list([{ userName: email('ana'), [`${ENTERPRISE}:manager`]: email('bob') }]),
			...BOB,
		},
		{
			it: 'nobody is a warning, and the manager stays',
			on: on({ ana: { ...PEOPLE.ana, ...manager('id-bob') } }),
			wish: list([row('ana', 'ghost@example.com', { title: 'Boss' })]),
			warns: [
				NOTE,
				'No user matches the manager ghost@example.com, so the manager stays as it is.',
			],
			sets: { ana: { title: 'Boss' } },
		},
		{
			it: 'nobody, and nothing else to do: nothing is sent',
			...{ on: on(), wish: list([row('ana', 'Bob Miller')]), warns: [NOTE] },
			gets: ['GET Users'],
		},
		{
			it: 'one who is inactive is set, with a warning',
			...{ on: on(), wish: list([row('ana', email('eve'))]), sets: { ana: manager('id-eve') } },
			warns: ['The manager eve@example.com is inactive.'],
		},
		{
			it: 'two with one email: the manager alone fails, and the row is named',
			on: on({
				twin1: { has: '', emails: [{ value: 'twin@home.test', primary: true }] },
				twin2: { has: '', emails: [{ value: 'TWIN@home.test', primary: true }] },
			}),
			wish: list([row('bob', undefined), row('ana', 'twin@home.test', { title: 'Boss' })]),
			fails: [/^The manager of row 2 \(ana@example\.com\) was not set: .*twin1.*twin2|twin/],
			sets: { ana: { title: 'Boss' } },
		},
		{
			it: 'two keys of two people are ambiguous: the ID of one, and the external ID of another',
			on: on({ eve: { has: '', externalId: 'id-bob', id: 'id-eve' } }),
			wish: list([{ externalId: 'HR-1', [VALUE]: 'id-bob', title: 'Boss' }], matchOn('externalId')),
			fails: [/was not set: id-bob may be bob@example\.com \(ID id-bob\) or eve@example\.com/],
			sets: { ana: { title: 'Boss' } },
		},
		{
			it: 'two keys of two people are ambiguous: the user name of one, and the email of another',
			on: on({ eve: { has: '', emails: [{ value: email('bob'), primary: true }] } }),
			wish: list([row('ana', email('bob'), { title: 'Boss' })]),
			...{ fails: [/was not set/], sets: { ana: { title: 'Boss' } } },
		},
		{
			it: 'an extension that /Schemas does not list: what the service shows of it counts',
			on: on({ ana: { ...PEOPLE.ana, ...manager('id-eve') } }, CORE_ALONE),
			...{ wish: list([row('ana', email('bob'))]), ...BOB },
		},
		{
			it: 'an extension that /Schemas does not list, and nobody shows: a warning, and nothing each night',
			...{ on: on({}, CORE_ALONE), wish: list([row('ana', email('bob'))]) },
			warns: ['The service does not keep manager.'],
		},
		{
			it: 'an empty cell clears it, with Empty Cells set to Clear',
			on: on({ ana: { ...PEOPLE.ana, ...manager('id-bob') } }),
			wish: list([row('ana', '')], { options: { emptyCells: 'clear' } }),
			ops: [{ op: 'remove', path: `${ENTERPRISE}:manager` }],
			sets: { ana: { [ENTERPRISE]: {} } },
		},
	]);
});

describe('managers who are new, too', () => {
	const NEW = { ends: { cai: '', dan: '' } };
	const idOf = (name) => new Groups({}).userId(name);
	const has = (name) => expect.objectContaining(manager(idOf(name)));
	table(...RECONCILE, [
		{
			it: 'are created first, and are in the body of the others',
			on: on(),
			wish: list([row('dan', email('cai')), row('cai', email('bob')), row('ana', email('DAN'))]),
			...{ sends: ['POST Users', 'POST Users', 'PATCH ana'], inOrder: true, ...NEW },
			sets: { cai: manager('id-bob'), dan: manager(idOf('cai')), ana: manager(idOf('dan')) },
			bodies: [
				expect.objectContaining({ userName: email('cai') }),
				expect.objectContaining({ userName: email('dan'), ...manager(idOf('cai')) }),
				expect.anything(),
			],
		},
		{
			it: 'who name each other are set in a second pass',
			on: on(),
			wish: list([row('dan', email('cai')), row('cai', email('dan'))]),
			...{ sends: ['POST Users', 'POST Users', 'PATCH cai'], ...NEW },
			sets: { cai: has('dan'), dan: has('cai') },
		},
		{
			it: 'who name themselves likewise',
			...{ on: on(), wish: list([row('cai', email('cai'))]), ends: { cai: '' } },
			...{ sends: ['POST Users', 'PATCH cai'], sets: { cai: has('cai') } },
		},
		{
			it: 'by an email or external ID of the row',
			on: on(),
			wish: list(
				[
					{ externalId: 'HR-8', userName: email('dan'), [VALUE]: 'HR-9' },
					{ externalId: 'HR-9', userName: email('cai') },
				],
				matchOn('externalId'),
			),
			...{ ...NEW, sets: { dan: has('cai') } },
		},
		{
			it: 'one who is refused: the others are created without, and it is said',
			on: on({}, { faults: [{ method: 'POST', nth: 1, kind: 'status', status: 400 }] }),
			wish: list([row('dan', email('cai')), row('ana', email('cai')), row('cai', email('bob'))]),
			fails: expect.arrayContaining([
				expect.stringContaining('cai@example.com'),
				expect.stringContaining('The manager was not created'),
			]),
			...{ warns: [/^The manager cai@example\.com was not created/], ends: { dan: '' } },
		},
		{
			it: 'one who is not to be active is not created, and so is nobody',
			on: on(),
			wish: list([row('ana', email('cai')), { userName: email('cai'), active: false }]),
			...{ items: ['none unchanged'], warns: [NOTE] },
		},
		{
			it: 'a second pass that fails is the failure of that person',
			on: on({}, { faults: [{ method: 'PATCH', nth: 1, kind: 'status', status: 400 }] }),
			wish: list([row('cai', email('cai'))]),
			...{ fails: [/Could not update user .*400/], ends: { cai: '' } },
		},
		{
			it: 'a service that shows no new user in lists for a while',
			on: on({}, { indexLagMs: 60_000 }),
			wish: list([row('dan', email('cai')), row('cai', email('dan'))]),
			...{ ...NEW, sets: { cai: has('dan'), dan: has('cai') }, once: true },
		},
	]);

	test('an approved plan creates them first, finds who was created since, and leaves out who was not approved', async () => {
		const wish = list([
			row('dan', email('cai')),
			row('cai', email('bob')),
			row('ana', email('cai')),
		]);
		const planned = async (world) => (await play(world, RECONCILE, { ...wish, preview: true }))[0];
		const apply = async (world, plan) =>
			await play(world, ['access', 'applyPlan'], { changes: 'all', plan });
		const [whole, since] = [on()(), on()()];
		const { plan, requests } = await planned(whole);
		expect(requests.map(({ body }) => JSON.stringify(body)).join()).toContain(
			'{id of cai@example.com}',
		);
		expect(errorsIn(await apply(whole, plan))).toStrictEqual([]);
		const first = await planned(since);
		since.service.store({
			...{ id: 'id-cai', userName: email('cai'), email: email('cai'), active: true },
			attributes: {},
		});
		expect(errorsIn(await apply(since, first.plan))).toStrictEqual([]);
		for (const [world, id] of [
			[whole, idOf('cai')],
			[since, 'id-cai'],
		])
			expect(world.attributes()).toMatchObject({ ana: manager(id), dan: manager(id) });
	});
});

describe('one user', () => {
	const text = (given) => mapped({ [VALUE]: given });
	table('user', 'update', [
		{
			it: 'by ID: one read',
			on: on(),
			wish: (w) => ({ user: w.user('ana'), ...text('id-bob') }),
			...{ ...BOB, gets: ['GET ana', 'GET bob', 'GET ana'] },
		},
		{
			it: 'by email: one filter',
			on: on(),
			wish: { user: locator('email', email('ana')), ...text(email('bob')) },
			...BOB,
		},
		{
			it: 'on a service that lists users by filter alone',
			on: on({}, { listsByFilterOnly: true }),
			wish: (w) => ({ user: w.user('ana'), ...text(email('bob')) }),
			...BOB,
		},
		{
			it: 'by email, where the service has no filter by email: nothing is listed for other owners of it',
			on: on({}, { filterBy: { Users: ['userName'] } }),
			wish: (w) => ({ user: w.user('ana'), ...text(email('bob')) }),
			...{ ...BOB, reads: 4 },
		},
		{
			it: 'nobody: nothing is sent',
			...{ on: on(), wish: (w) => ({ user: w.user('ana'), ...text('id-ghost') }), warns: [NOBODY] },
			items: [{ status: 'unchanged' }],
		},
		{
			it: 'a read that fails says nothing: the manager fails',
			on: on({}, { faults: [{ method: 'GET', path: /id-bob/, kind: '500-html', times: 9 }] }),
			wish: (w) => ({ user: w.user('ana'), ...mapped({ [VALUE]: 'id-bob', title: 'Boss' }) }),
			...{ fails: [/The manager of .* was not set: .*500/], sets: { ana: { title: 'Boss' } } },
		},
	]);
	table('user', 'create', [
		{
			it: 'Create by email',
			on: on(),
			wish: { userName: email('new'), ...text(email('bob')) },
			...{ ends: { new: '' }, sets: { new: manager('id-bob') }, once: true },
		},
		{
			it: 'Create of two, of whom one is the manager of the other',
			on: on(),
			wish: {
				items: [
					{ userName: email('dan'), ...text(email('cai')) },
					{ userName: email('cai'), ...text('id-bob') },
				],
			},
			...{ ends: { cai: '', dan: '' }, once: true, sends: ['POST Users', 'POST Users'] },
			sets: { cai: manager('id-bob'), dan: manager(new Groups({}).userId('cai')) },
		},
		{
			it: 'a manager who was there already: Create finds out by the 409',
			on: on(),
			wish: {
				items: [
					{ userName: email('dan'), ...text(email('bob')) },
					{ userName: email('bob'), ...mapped({ title: 'Boss' }) },
				],
			},
			...{ fails: [/bob@example\.com exists already/], ends: { dan: '' }, once: true },
			sets: { dan: manager('id-bob') },
		},
	]);
	table('user', 'upsert', {
		it: 'Create or Update of one who is there',
		on: on(),
		wish: { userName: email('ana'), ...text(email('bob').toUpperCase()) },
		...BOB,
	});
});

describe('people who are given access', () => {
	const given = (managerId) => ({ createMissing: true, newUserFields: { managerId } });
	table('access', 'assign', [
		{
			it: 'Manager of a new user',
			on: on(),
			wish: { people: emails('new'), ...listed('eng'), ...given(email('bob')) },
			...{ ends: { new: 'eng' }, sets: { new: manager('id-bob') } },
		},
		{
			it: 'nobody looks for that of a user who is there',
			on: on(),
			wish: { people: emails('ana'), ...listed('eng'), ...given('ghost@example.com') },
			...{ ends: { ana: 'eng' }, warns: [] },
		},
	]);
	table('access', 'reconcile', [
		{
			it: 'a manager whom the same run deactivates is set, with a warning',
			on: on({}, { credential: UNDOABLE }),
			wish: {
				...{ preview: false, createMissing: true, scopeGroups: rows('eng') },
				...{ accessColumns: { attributes: 'Manager' } },
				...wanted([{ email: email('dan'), group: 'eng', manager: email('bob') }]),
				options: { deactivatesEmpty: true, maxPeopleAffected: 100 },
			},
			...{ ends: { bob: 'inactive', dan: 'eng' }, sets: { dan: manager('id-bob') } },
			...{
				warns: [/^This run deactivates bob@example.com, the manager of \S+@example.com\.$/],
				once: true,
			},
		},
		{
			it: 'an attribute column',
			on: on(),
			wish: {
				...{ preview: false, createMissing: true, scopeGroups: rows('eng') },
				accessColumns: { attributes: 'Manager' },
				...wanted([
					{ email: email('bob'), group: 'eng' },
					{ email: email('dan'), group: 'eng', manager: email('cai') },
					{ email: email('cai'), group: 'eng', manager: 'ghost@example.com' },
				]),
			},
			...{ ends: { cai: 'eng', dan: 'eng' }, warns: [NOBODY] },
			sets: { dan: manager(new Groups({}).userId('cai')) },
		},
	]);
});

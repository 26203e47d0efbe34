'use strict';

const {
	Account,
	Groups,
	email,
	emails,
	errorsIn,
	locator,
	play,
	rows,
	table,
	wanted,
} = require('../support/behavior');
const { sealed } = require('../support/modelGroupsPlay');
const { ONE_AT_A_TIME } = require('../support/options');
const { later } = require('../support/secondWriter');

// Deactivate Users Without Access: who has got access since the groups were read stays active.

afterEach(() => jest.restoreAllMocks());

const idOf = (world, name) => world.service.byName(email(name)).id;
const writesTo = (world, name) =>
	world.service.written().filter((line) => line.endsWith(`/Users/${idOf(world, name)}`)).length;
const reconcile = (more) => ({
	...{ preview: false, accessBy: 'organizationAndRole', scopeOrganizations: 'org-a' },
	...{ ...wanted([{ email: email('bob'), organization: 'org-a', role: 'admin' }]), ...more },
	options: { deactivatesEmpty: true, maxWait: 60 },
});
const apply = async (world, plan) =>
	await play(world, ['access', 'applyPlan'], { changes: 'all', plan, options: { maxWait: 60 } });

/** Operations that deactivate users left without access. */
const WAYS = {
	Reconcile: async (world, begin) => {
		begin();
		return await play(world, ['access', 'reconcile'], reconcile());
	},
	'Apply Plan': async (world, begin) => {
		const [{ plan }] = await play(world, ['access', 'reconcile'], reconcile({ preview: true }));
		world.service.requests.length = 0;
		begin();
		return await apply(world, plan);
	},
};

describe.each(Object.keys(WAYS))('%s', (way) => {
	const giveCid = (scim, world) => scim.setRole(idOf(world, 'cid'), 'org-c', 'viewer');
	const USER = { method: 'PATCH', path: /\/Users\//, times: 1 };
	const late = () => later(5_500);

	/** By fault, by the PATCH before which cid gets access, and how often cid is tried. */
	test.each([
		['came while it waited after a 429', { ...USER, nth: 2, kind: '429', retryAfter: 1 }, 2, 1],
		['came while it waited after a lost answer', { ...USER, nth: 2, kind: 'reset-before' }, 2, 1],
		['came while another step waited', { ...USER, kind: '429' }, 1, 0],
		['came more than 5 seconds after the groups were read', undefined, 1, 0, late],
		['did not come, and an answer was lost', { ...USER, kind: 'reset-after' }, undefined, 1],
	])('access %s', async (_, fault, nth, tries, act = () => {}) => {
		const people = { ana: 'a:member', bob: 'a:admin', cid: 'a:viewer' };
		const world = new Account(people, { groups: ['c'], credential: ONE_AT_A_TIME });
		const items = await WAYS[way](world, () => {
			let patches = 0;
			if (fault) world.service.faults.add(fault);
			world.service.given.onRequest = (__, { method }, scim) => {
				if (method !== 'PATCH' || ++patches !== nth) return;
				act();
				giveCid(scim, world);
			};
		});
		const stays = 'cid@example.com is viewer in org-c now, so the user was not deactivated';
		expect(errorsIn(items)).toEqual(nth ? [expect.stringContaining(stays)] : []);
		expect(world.shape()).toEqual({
			...{ ana: 'inactive', bob: 'a:admin', cid: nth ? 'a:viewer c:viewer' : 'inactive' },
		});
		expect(writesTo(world, 'cid')).toBe(tries);
		// A look shows that the lost one had worked.
		if (!nth) expect(writesTo(world, 'ana')).toBe(1);
	});
});

describe('a generic service with organizations', () => {
	const credential = {
		...{ serviceProfile: 'generic', overrideProfile: true, groupsStandFor: 'organizationAndRole' },
		...{ groupPattern: '{organization}:{role}', oneRolePerOrganization: 'yes' },
	};
	const on =
		(people, more) =>
		(...gone) => {
			const world = new Groups(people, { groups: ['org-c:member'], credential, ...more });
			world.service.groups.set('org-a:member', [
				...(world.service.groups.get('org-a:member') ?? []),
				...gone,
			]);
			return world;
		};
	const both = { bob: 'org-a:admin', cid: 'org-a:member' };
	const alone = { bob: 'org-a:admin' };
	// A fault is answered before the write, so another client writes unseen.
	const faults = (more) => [{ on: 'PATCH /Users', times: 1, kind: 'status', ...more }];
	const NEEDS = 'it needs a step that did not succeed';
	const membersOf = (world) => world.service.groups.get('org-a:member');
	table('access', 'reconcile', [
		...['all', 'absent'].map((usersShowGroups) => ({
			it: `access that came while it waited is seen, users show their groups: ${usersShowGroups}`,
			on: on(both, { usersShowGroups, faults: faults({ status: 429 }) }),
			wish: () => reconcile(),
			meanwhile: ['PATCH cid', (scim, w) => scim.add('org-c:member', idOf(w, 'cid'))],
			fails: ['cid@example.com is member in org-c now, so the user was not deactivated', NEEDS],
			ends: { cid: 'org-a:member org-c:member' },
		})),
		{
			it: 'a user the service does not deactivate is no member who is gone',
			on: on(both, { faults: faults({ status: 404 }) }),
			...{ wish: () => reconcile(), fails: ['404', NEEDS], sends: ['PATCH cid'] },
		},
	]);

	test('a member who is no user any more: the membership goes, and a second run sends nothing', async () => {
		const world = on({ ...alone, eve: 'org-c:member' }, { groups: ['org-a:member'] })('gone');
		const run = async () => await play(world, ['access', 'reconcile'], reconcile());
		const items = await run();
		expect(errorsIn(items)).toStrictEqual([]);
		expect(membersOf(world)).toStrictEqual([]);
		expect(items.filter(({ userId }) => userId === 'gone')).toMatchObject([
			{ change: 'revoked', status: 'done' },
		]);
		world.service.requests.length = 0;
		expect(errorsIn(await run())).toStrictEqual([]);
		expect(world.service.written()).toStrictEqual([]);
	});

	test('likewise when the plan is approved first', async () => {
		const world = on(both)('gone');
		const [{ plan }] = await play(world, ['access', 'reconcile'], reconcile({ preview: true }));
		expect(errorsIn(await apply(world, plan))).toStrictEqual([]);
		expect(membersOf(world)).toStrictEqual([]);
		expect(world.shape().cid).toBe('inactive');
	});
});

// Roles and entitlements count as access.
describe('roles and entitlements of a user', () => {
	const values = (...texts) => texts.map((value) => ({ value }));
	const of = (attribute, ...texts) => texts.map((value) => ({ attribute, value }));
	const HELD = { roles: values('editor', 'billing'), entitlements: ['lab'] };
	const on = (held, more) => () => new Groups({ ana: { has: 'eng', ...held }, ben: 'vpn' }, more);
	const byGroup = (more) => () => ({
		...{ ...wanted([{ email: email('ben'), group: 'vpn' }]), preview: false, accessBy: 'group' },
		...{ scopeGroups: rows('vpn', 'eng'), ...more },
		options: { deactivatesEmpty: true, allowEmptyGroups: true },
	});
	const credential = { overrideProfile: true, deactivation: 'keeps' };
	table('access', 'reconcile', [
		{
			it: 'who has one keeps the account, and the reason says which',
			on: on({ entitlements: values('lab') }, { credential }),
			wish: byGroup(),
			items: [
				{ status: 'skipped', reason: 'the person has entitlements "lab"' },
				'revoked ana eng done',
			],
			ends: { ana: '' },
		},
		{
			it: 'who has none is deactivated',
			on: on({ roles: [], entitlements: null }, { credential }),
			...{ wish: byGroup(), ends: { ana: 'inactive' } },
		},
	]);

	test('who has got one since the plan was made is left alone', async () => {
		const world = on({}, { credential })();
		const [{ plan }] = await play(world, ['access', 'reconcile'], byGroup({ preview: true })());
		const ana = world.service.byName(email('ana'));
		const attributes = { ...ana.attributes, roles: values('editor') };
		world.service.store({ ...ana, attributes });
		const errors = errorsIn(await apply(world, plan)).join();
		expect(errors).toContain('has roles "editor", but did not have it');
		expect(world.shape().ana).not.toContain('inactive');
	});

	test('nobody is ended by a plan that does not say in which groups the person was', async () => {
		const world = on({}, { credential })();
		const [{ plan }] = await play(world, ['access', 'reconcile'], byGroup({ preview: true })());
		const changes = plan.changes.map((change) => ({
			...change,
			restsOn: change.restsOn.filter((rest) => rest.on !== 'access'),
		}));
		const errors = errorsIn(await apply(world, sealed({ ...plan, changes }))).join();
		expect(errors).toContain('The plan does not say in which groups ana@example.com was');
		expect(world.shape().ana).toBe('eng');
	});

	test('Get lists them as the service shows them', async () => {
		const editor = { value: 'editor', display: 'Editor', primary: true };
		const roles = [editor, { value: 'editor' }, 7, null, ''];
		const world = on({ roles, entitlements: { value: 'lab' } })();
		const [item] = await play(world, ['access', 'get'], { user: locator('email', email('ana')) });
		expect(item.values).toEqual([
			{ attribute: 'roles', value: 'editor', display: 'Editor' },
			...[...of('roles', '7'), ...of('entitlements', 'lab')],
		]);
	});

	test.each([
		['on groups', {}, true],
		['nowhere', { showsMembers: 'absent', usersShowGroups: 'absent' }, false],
	])(
		'the matrix has a column for each attribute; members are shown %s',
		async (_, more, isKnown) => {
			const items = await play(on(HELD, more)(), ['access', 'getMatrix'], {});
			const accessOf = (name) => items.find(({ userName }) => userName === email(name)).access;
			expect(accessOf('ana')).toMatchObject({ roles: 'editor, billing', entitlements: 'lab' });
			expect(accessOf('ben')).toMatchObject({ roles: '' });
			expect('vpn' in items[0].access).toBe(isKnown);
			expect(items[0].warnings === undefined).toBe(isKnown);
		},
	);

	const people = () => ({ accessBy: 'group', people: emails('ana') });
	table('access', 'revoke', [
		{
			it: 'Revoke leaves them',
			on: on(HELD),
			wish: () => ({ ...people(), revokeIn: 'all' }),
			...{ sends: ['PATCH eng'], ends: { ana: '' } },
		},
		{
			it: 'Revoke takes the groups that are named alone',
			on: () => new Groups({ ana: 'eng sales', ben: 'vpn' }),
			wish: (w) => ({ ...people(), ...w.groups('eng vpn'), revokeIn: 'one' }),
			items: ['none ana vpn unchanged', 'revoked ana eng done'],
			ends: { ana: 'sales' },
		},
		{
			it: 'Revoke takes all groups, within Only These Groups',
			on: () => new Groups({ ana: 'eng sales vpn', ben: 'vpn all' }),
			wish: () => ({
				...{ ...people(), revokeIn: 'all' },
				options: { managedGroups: rows('vpn', 'sales*', 'all') },
			}),
			items: ['revoked ana sales done', 'revoked ana vpn done'],
			ends: { ana: 'eng' },
		},
	]);
	table('access', 'set', [
		{
			it: 'Set leaves them',
			on: on(HELD),
			wish: (w) => ({ ...people(), ...w.groups('vpn'), managedGroups: rows('*') }),
			...{ sends: ['PATCH eng', 'PATCH vpn'], ends: { ana: 'vpn' } },
		},
	]);
});

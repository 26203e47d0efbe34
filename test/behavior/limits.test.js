'use strict';

const { sealPlan } = require('../../dist/nodes/shared/access/plans');
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
	put,
	rows,
	table,
	wanted,
} = require('../support/behavior');
const { mapped } = require('../support/node');
const { TOKEN, runOnModel } = require('../support/modelNode');

const ROLES = { groupsStandFor: 'organizationAndRole', groupPattern: '{organization}:{role}' };
const members = (w, word, names) => ({
	...{ people: emails(names), chooseGroupBy: 'group', group: w.group(word) },
});
const byId = (name) => (w) => ({ user: w.user(name) });
const numbered = (from, to) =>
	Array.from({ length: to - from }, (_, index) => `p${from + index}`).join(' ');
const each = (names, own) => names.split(' ').map(own);

// Where deactivating removes the account (Weights & Biases, Sentry), or deleting cannot be undone (GitHub).
describe('Allow Permanent Removal', () => {
	const FINAL = { ...UNDOABLE, deactivation: 'removes', deletionIsFinal: 'yes' };
	const SAYS = 'Allow Permanent Removal';
	const keepName = { userNameCanChange: 'no' };
	const start = (more) =>
		new Groups({ ana: 'eng', ben: 'vpn', cleo: 'eng' }, { credential: { ...FINAL, ...more } });
	const ENDINGS = {
		'user deactivate': byId('ana'),
		'user delete': byId('ana'),
		'user update': (w) => ({ ...byId('ana')(w), ...mapped({ active: false }) }),
		'user upsert': () => ({ userName: email('ana'), additionalFields: { active: false } }),
		'access offboard': () => ({ people: email('ana') }),
		'access offboard deleting': () => ({ people: email('ana'), method: 'delete' }),
		'access changeEmail': (w) => ({ ...byId('ana')(w), newEmail: email('ana.neu') }),
		'access reconcile': () => ({
			...{ preview: false, accessBy: 'group', scopeGroups: rows('vpn', 'eng') },
			...wanted([
				{ email: email('ben'), group: 'vpn' },
				{ email: email('cleo'), group: 'eng' },
			]),
			options: { deactivatesEmpty: true },
		}),
	};
	const isPlanned = (name) => /offboard|changeEmail|reconcile/.test(name);

	test.each(Object.keys(ENDINGS))('%s', async (name) => {
		const run = async (world, options, more) => {
			const fields = ENDINGS[name](world);
			const all = { ...fields, ...more, options: { ...fields.options, ...options } };
			return await play(world, name.split(' ').slice(0, 2), all);
		};
		const apply = async (world, plan, options) =>
			await play(world, ['access', 'applyPlan'], { changes: 'all', plan, options });
		const world = start(keepName);
		const { requests } = world.service;
		const isGone = (one) => (one.shape().ana ?? 'inactive').startsWith('inactive');

		expect(errorsIn(await run(world)).join()).toContain(SAYS);
		expect(requests).toStrictEqual([]);
		const [{ blockedBy }] = await run(world, {}, { preview: true });
		expect(blockedBy.join()).toContain(SAYS);
		if (isPlanned(name)) {
			// A plan that was made so allows it, and no other.
			const [{ plan }] = await run(world, { allowPermanentRemoval: true }, { preview: true });
			requests.length = 0;
			const strict = { ...plan, guards: { ...plan.guards, allowPermanentRemoval: false } };
			const items = await apply(world, plan, { allowPermanentRemoval: false });
			expect(errorsIn(items).join()).toContain(SAYS);
			expect(errorsIn(await apply(world, sealPlan(strict, TOKEN))).join()).toContain(SAYS);
			expect(requests).toStrictEqual([]);
			const other = start(keepName);
			expect(errorsIn(await apply(other, plan))).toStrictEqual([]);
			expect(isGone(other)).toBe(true);
		}
		expect(isGone(world)).toBe(false);
		expect(errorsIn(await run(world, { allowPermanentRemoval: true }))).toStrictEqual([]);
		expect(isGone(world)).toBe(true);
	});

	const needed = [
		['Generic SCIM 2.0, of which nothing is known', {}, true],
		['the same where the credential says No', { overrideProfile: true, deletionIsFinal: 'no' }],
		['GitHub', { serviceProfile: 'github' }, true],
		['AWS IAM Identity Center', { serviceProfile: 'awsIdentityCenter' }],
	];
	table('user', 'delete', [
		...needed.map(([what, credential, isNeeded]) => ({
			it: `${what}: a delete ${isNeeded ? 'needs' : 'does not need'} it`,
			on: () => new Groups({ ana: '', ben: 'eng' }, { credential }),
			wish: (w) => ({ ...byId('ana')(w), options: { ifNotFound: 'alreadyGone' } }),
			...(isNeeded ? { fails: [SAYS], reads: 0 } : { ends: { ana: undefined } }),
		})),
	]);
	table('user', 'update', [
		{
			it: 'an update that deactivates nobody is no removal',
			on: () => start(),
			wish: (w) => ({ ...byId('ana')(w), ...mapped({ active: true }) }),
		},
	]);
});

describe('Accept Unverified', () => {
	const accept = { options: { acceptUnverified: true } };
	const once = { options: { ...accept.options, maxWait: 0 } };
	const add = (more) => (w) => ({ ...members(w, 'vpn', 'dan'), ...more });
	const on = (switches) => () => new Groups({ ana: 'vpn', dan: '' }, switches);
	const made = { ends: { dan: 'vpn' } };
	table('group', 'addMembers', [
		{ it: 'without it', on: on(SHOWN.nowhere), wish: add(), ...made, fails: [/./] },
		{
			it: 'what the service never shows is unverified, and no error',
			on: on(SHOWN.nowhere),
			...{ wish: add(accept), items: ['granted dan vpn unverified'], ...made, once: true },
		},
		{
			it: 'what the service shows otherwise is an error still',
			on: () => {
				const world = on()();
				world.service.switches.neverAdds = [world.user('dan').value];
				return world;
			},
			wish: add(accept),
			...{ items: ['granted dan vpn unverified'], fails: [/./], sends: ['PATCH vpn'] },
		},
		{
			it: 'an answer that was lost is an error still',
			on: on({ ...SHOWN.nowhere, faults: [{ method: 'PATCH', kind: 'reset-after' }] }),
			...{ wish: add(once), fails: [/./], ...made },
		},
	]);
});

describe('Protected Users', () => {
	const on = (more) => () =>
		new Groups(
			{ breakglass: { has: 'staff', userName: 'breakglass' }, ben: 'staff', cleo: 'staff' },
			{ credential: UNDOABLE, ...more },
		);
	const options = { protectedUsers: 'BreakGlass', maxPeopleAffected: 9, allowEmptyGroups: true };
	const glass = (w) => locator('id', w.service.byName('breakglass').id);
	const staff = (w) => ({ chooseGroupBy: 'group', group: w.group('staff') });
	const user = (more) => (w) => ({ user: glass(w), ...more, options });
	const REFUSED = {
		'user update': user({ ...mapped({ active: false }) }),
		'user deactivate': user(),
		'user delete': user(),
		'group removeMembers': (w) => ({ ...staff(w), people: glass(w).value, options }),
		'group delete': (w) => ({ ...staff(w), options }),
	};
	// The display of a member need not be the user name, so only the user says who is protected.
	for (const [name, wish] of Object.entries(REFUSED)) {
		const what = name.split(' ');
		table(...what, [
			{
				it: `${name}: a user name without @, given by ID`,
				on: on(),
				wish,
				fails: ['is protected'],
			},
		]);
		test(`${name}: so says Preview`, async () => {
			const world = on()();
			const items = await play(world, what, { ...wish(world), preview: true });
			expect(JSON.stringify(items)).toContain('is protected');
		});
	}
	table('group', 'setMembers', [
		{
			it: 'Set Members leaves the user in the group',
			on: on(),
			wish: (w) => ({ ...staff(w), people: emails('ben'), options }),
			...{ sends: ['PATCH staff'], ends: { cleo: '' } },
		},
	]);
	table('user', 'delete', [
		{
			it: 'who cannot be read might be protected',
			on: on({
				filter: 'ignored',
				faults: [{ method: 'GET', on: 'GET /Users/', kind: 'status', status: 403 }],
			}),
			...{ wish: user(), fails: [/./] },
		},
	]);

	const odd = {
		generic: [
			...['"eve@example.com"', "'eve@example.com'", 'Eve Miller <eve@example.com>'],
			'={{ $json.owner }}',
		],
		accountOrganizations: [
			...['\u201Ceve@example.com\u201D', 'Eve Miller', 'eve\u200B@example.com'],
			...['[ana@example.com, bob@example.com]', '(bob@example.com)', 'mailto:bob@example.com'],
			...['bob@example.com.', 'bob@example'],
		],
	};
	table('user', 'deactivate', [
		...Object.entries(odd).flatMap(([serviceProfile, entries]) =>
			entries.map((protectedUsers) => ({
				it: `${serviceProfile}: ${protectedUsers}, which can match nobody, stops the run`,
				on: on({ credential: { ...UNDOABLE, serviceProfile } }),
				wish: (w) => ({ ...byId('ben')(w), options: { protectedUsers } }),
				...{ fails: [/^Protected Users: /], reads: 0 },
			})),
		),
		{
			it: 'a blank inside is fine where user names may have one',
			on: () => new Groups({ eve: { has: '', userName: 'Eve Miller' } }, { credential: UNDOABLE }),
			wish: (w) => ({
				user: locator('id', w.service.byName('Eve Miller').id),
				options: { protectedUsers: "eve miller, o'neil@example.com" },
			}),
			fails: ['is protected'],
		},
	]);

	const so = (more) => () => ({
		...{ userName: email('ana'), ...more },
		options: { protectedUsers: email('ana'), ...more?.options },
	});
	const account = () => new Account({ ana: 'a:viewer', bob: 'a:admin' });
	const same = { items: ['none ana unchanged'] };
	table('user', 'upsert', [
		{ it: 'Create or Update of what is so already', on: account, wish: so(), ...same },
		{
			it: 'Create or Update of what would change',
			on: account,
			...{ wish: so({ additionalFields: { active: false } }), fails: ['protected'] },
		},
	]);
	table('user', 'create', [
		{
			it: 'Create of who is there',
			...{ on: account, wish: so({ options: { ifUserExists: 'return' } }), ...same },
			...{ sends: ['POST Users 409'], once: true },
		},
	]);

	describe('by ID, of a user who turns up only with the 409 of a create', () => {
		const hidden = () =>
			new Groups(
				{
					p1: 'org1:member',
					...Object.fromEntries(
						numbered(2, 61)
							.split(' ')
							.map((p) => [p, '']),
					),
				},
				{
					...{ pageCap: 1, filterMisses: (value) => value === email('p6') },
					credential: { ...UNDOABLE, ...ROLES },
				},
			);
		const role = { organization: 'org1', role: 'member' };
		const left = (wish) => [
			{
				...{ it: 'the person is left alone', on: hidden, sends: ['POST Users 409'] },
				wish: (w) => ({
					...{ ...wish, createMissing: true, accessBy: 'organizationAndRole' },
					options: { protectedUsers: w.user('p6').value },
				}),
				fails: ['is protected', 'it needs a step that did not succeed'],
			},
		];
		const row = { organization: locator('id', 'org1'), role: 'member' };
		table('access', 'assign', left({ people: email('p6'), roles: { role: [row] } }));
		table(
			...['access', 'reconcile'],
			left({
				...{ preview: false, unwanted: 'keep', scopeOrganizations: 'org1' },
				...wanted([{ email: email('p6'), ...role }]),
			}),
		);
	});
});

describe('the last admin', () => {
	const ana = { it: 'ana', wish: () => ({ people: emails('ana') }) };
	const on = (people, more) => () => new Account(people, more);
	const both = { ana: 'a:admin b:admin', bob: 'b:admin' };
	table('access', 'offboard', [
		{
			...ana,
			it: 'Offboard: refused before anything is sent, naming the organization',
			on: on(both),
			fails: [/^(?=.*org-a would be left without an active admin)(?!.*org-b)/],
		},
		{
			it: 'allowed',
			on: on({ ...both, ana: { has: both.ana, displayName: undefined } }),
			wish: () => ({ ...ana.wish(), options: { allowRemovingLastAdmin: true } }),
			ends: { ana: 'inactive' },
		},
	]);
	table('user', 'deactivate', [
		{
			it: 'an inactive admin does not count as the one who stays',
			on: on(
				{ ana: 'a:admin', bob: 'inactive a:admin' },
				{
					credential: {
						organizationNames: { organization: [{ name: 'Sales', id: 'org-a' }] },
					},
				},
			),
			wish: byId('ana'),
			fails: ['Sales would be left without an active admin'],
		},
	]);

	const second = { ana: 'a:admin', bob: 'a:admin' };
	const OF_A = { accessBy: 'organizationAndRole', organization: locator('id', 'org-a') };
	const busy = { faults: [{ method: 'PATCH', nth: 1, kind: '429' }], deactivationDrops: false };
	table(
		...['access', 'revoke'],
		[
			['', put({ bob: '' })],
			['inactive a:admin', (scim, w) => scim.setActive(w.user('bob').value, false)],
		].map(([bob, act]) => ({
			it: `the other one has "${bob}" by the time that the service takes requests again`,
			...{ on: on(second, busy), meanwhile: ['PATCH a:admin', act] },
			wish: () => ({ ...ana.wish(), ...OF_A, revokeIn: 'one', roleHeld: 'any' }),
			fails: ['org-a would be left without an active admin'],
			ends: { bob },
		})),
	);

	describe.each(['on groups and users', 'on groups', 'on users'])('of groups, %s', (shown) => {
		const credential = {
			...{ ...UNDOABLE, groupsStandFor: 'organizationAndRole', groupPatternOn: 'id' },
			groupPattern: 'app-{organization}-{role}',
		};
		const people = Object.fromEntries(['ana', 'ben', 'cleo'].map((name) => [name, 'app-x-admin']));
		const three = () => new Groups(people, { ...SHOWN[shown], credential });
		const revoke = (names) => (w) => ({ people: emails(names), ...w.groups('app-x-admin') });
		table('access', 'revoke', [
			{
				it: 'one of several goes',
				on: three,
				wish: revoke('ana'),
				ends: { ana: '' },
			},
			{
				it: 'the last ones stay',
				on: three,
				wish: revoke('ana ben cleo'),
				fails: ['without an active admin'],
			},
		]);
	});
});

describe('how many people may lose access', () => {
	const limit = (number, are) => `the greater of 5 people and 10 % of the ${number} ${are})`;
	const of = (from, to, word) =>
		numbered(from, to)
			.split(' ')
			.map((name) => [name, word]);
	/** 100 people: 0 to 29 in a (10 of them viewers), all of them in b. */
	const account = () =>
		new Account(
			Object.fromEntries([
				...of(0, 20, 'a:member b:member'),
				...of(20, 30, 'a:viewer b:member'),
				...of(30, 100, 'b:member'),
				...of(100, 110, ''),
			]),
			{ credential: { accountOrganizationId: 'org-acct' } },
		);
	const inA = { organization: locator('id', 'org-a'), roleHeld: 'any', revokeIn: 'one' };
	const roleOf = (names) => ({
		...{ accessBy: 'organizationAndRole', people: emails(names) },
	});
	const reconcile = {
		...{ scopeOrganizations: 'org-a', scopeRoles: 'member', accessBy: 'organizationAndRole' },
		...wanted(
			each(numbered(0, 14), (p) => ({ email: email(p), organization: 'org-a', role: 'member' })),
		),
	};
	/** Six of them, or eleven, would lose it. */
	const BLOCKED = [
		[
			'access reconcile',
			() => ({ preview: false, ...reconcile }),
			20,
			'people with access in scope',
			3,
		],
		[
			'access revoke',
			() => ({ ...roleOf(numbered(0, 6)), ...inA }),
			...[30, 'people with access in the named organization', 1],
		],
		[
			'group removeMembers',
			(w) => members(w, 'a:member', numbered(0, 6)),
			...[20, 'members of the named groups', 1],
		],
		[
			'group setMembers',
			(w) => members(w, 'a:member', numbered(6, 20)),
			...[20, 'members of the named groups', 1],
		],
		[
			'access revoke',
			() => ({ ...roleOf(numbered(0, 11)), revokeIn: 'all' }),
			...[100, 'people with access', 1],
		],
		['access offboard', () => ({ people: emails(numbered(0, 11)) }), 100, 'people with access', 1],
		[
			'access set',
			() => ({
				...{ ...roleOf(numbered(0, 11)), options: { allowEmpty: true } },
				roles: { role: [{ organization: locator('id', []), role: 'member' }] },
			}),
			...[100, 'people with access', 1],
		],
		...[
			['delete', {}],
			['deactivate', {}],
			['update', { ...mapped({ active: false }) }],
		].map(([operation, fields]) => [
			`user ${operation}`,
			(w) => ({ ...fields, items: each(numbered(0, 11), (p) => byId(p)(w)) }),
			...[100, 'people with access', undefined],
		]),
	];
	test.each(BLOCKED)('%s: %#', async (name, wish, number, are, reads) => {
		const world = account();
		const { items, ...fields } = wish(world);
		const errors = errorsIn(await play(world, name.split(' '), fields, items));
		expect(errors.length).toBeGreaterThan(0);
		for (const error of errors) expect(error).toContain(limit(number, are));
		const { requests } = world.service;
		expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET']));
		if (reads !== undefined) expect(requests).toHaveLength(reads);
	});

	table('access', 'revoke', [
		{
			it: 'ten of a hundred may go, where ten of thirty may not',
			on: account,
			wish: () => ({ ...roleOf(numbered(0, 10)), ...inA, organization: locator('id', 'org-b') }),
			ends: Object.fromEntries(of(0, 10, 'a:member')),
		},
	]);

	test('Apply Plan with a stricter limit: 10 % of those with access when it was planned', async () => {
		const world = account();
		const planned = { ...reconcile, preview: true, options: { maxPeopleAffected: 6 } };
		const [{ plan }] = await play(world, ['access', 'reconcile'], planned);
		expect(plan.excess).toStrictEqual([]);
		world.service.requests.length = 0;
		const strict = { changes: 'all', plan, options: { maxPeopleAffected: 5 } };
		const [error] = errorsIn(await play(world, ['access', 'applyPlan'], strict));
		expect(error).toContain(limit(20, 'people with access in scope'));
		expect(world.service.requests.map(({ method }) => method)).toEqual(['GET']);
	});

	const groups = (more) => () =>
		new Groups(
			Object.fromEntries([...of(0, 20, 'staff team'), ...of(20, 70, 'staff'), ...of(70, 100, '')]),
			{ credential: UNDOABLE, ...more },
		);
	const users = (count) => (w) => ({ items: each(numbered(0, count), (p) => byId(p)(w)) });
	const readsGroups = ({ service }) =>
		service.requests.some(({ path }) => path.startsWith('/Groups'));
	const deletes = async (world, count) =>
		errorsIn(await play(world, ['user', 'delete'], {}, users(count)(world).items));
	table('group', 'removeMembers', [
		{
			it: 'Remove Members of groups that stand for themselves',
			on: groups(),
			wish: (w) => members(w, 'team', numbered(0, 6)),
			fails: [limit(20, 'members of the named groups')],
		},
	]);
	table('user', 'deactivate', [
		{
			it: 'nobody knows who has access: only the number counts',
			on: groups(SHOWN.nowhere),
			wish: users(6),
			fails: Array(6).fill(/limit of 5 people \(.*the number of people with access is unknown/),
		},
	]);
	test('Delete counts who has access when the number alone does not allow it', async () => {
		const world = groups()();
		expect((await deletes(world, 8))[0]).toContain(
			'8 people would lose access, more than the limit of 7 (the greater of 5 people and 10 % of the 70 people with access)',
		);
		expect(world.service.written()).toStrictEqual([]);
		expect(readsGroups(world)).toBe(true);
		world.service.requests.length = 0;
		expect(await deletes(world, 5)).toStrictEqual([]);
		expect(readsGroups(world)).toBe(false);
	});

	test('people found only by the 409 of a create count with the others', async () => {
		const world = new Account(Object.fromEntries(of(0, 5, 'a:member')));
		let isFirst = true;
		world.service.given.onRequest = (_, { method }, scim) => {
			if (method !== 'POST' || !isFirst) return;
			isFirst = false;
			for (const [name] of of(5, 10, ''))
				scim.setRole(scim.create(email(name)).id, 'org-a', 'member');
		};
		const items = each(numbered(0, 10), (p) => ({ userName: email(p) }));
		await play(world, ['user', 'upsert'], { additionalFields: { active: false } }, items);
		const inactive = Object.values(world.shape()).filter((has) => has.startsWith('inactive'));
		expect(inactive.length).toBeLessThanOrEqual(5);
	});

	test('the reason that blocks a run is said once of all items, with their numbers', async () => {
		const { service, credential } = account();
		const { thrown } = await runOnModel(service, {
			...{ resource: 'access', operation: 'revoke', credential, continueOnFail: false },
			parameters: { accessBy: 'organizationAndRole', ...inA, options: {} },
			items: each(numbered(0, 23), (p) => ({ people: email(p) })),
		});
		const { message, description } = thrown;
		expect(message).toMatch(
			/^23 of 23 items failed: Nothing was sent: 23 people would lose access/,
		);
		expect(description.split('23 people would lose access')).toHaveLength(2);
		expect(description).toMatch(/Failed: items 0, 1, .*, 19, and 3 more for the same reason \(/);
		expect(service.written()).toStrictEqual([]);
	});
});

describe('Members Added', () => {
	const SAYS =
		/^(?=.*people would be added to groups that more than double, more than the limit of 5)(?=.*preview, and approve Members Added)/i;
	const people = (count, has) => Object.fromEntries(each(numbered(0, count), (p) => [p, has]));
	/** So many are in the group, of 200 who are in all. */
	const on = (inside, more) => () =>
		new Groups({ ...people(200, 'all'), ...people(inside, 'all team') }, more);
	const add = (from, to) => (w) => members(w, 'team', numbered(from, to));
	const assign = (from, to) => (w) => ({ people: emails(numbered(from, to)), ...w.groups('team') });
	const inTeam = (from, to) => Object.fromEntries(each(numbered(from, to), (p) => [p, 'all team']));
	const blocked = { fails: expect.arrayContaining([expect.stringMatching(SAYS)]) };
	const refused = (it, inside, wish, more) => ({ it, on: on(inside, more), wish, ...blocked });
	const taken = (it, inside, from, to, wish = add) => ({
		...{ it, on: on(inside), wish: wish(from, to) },
		ends: inTeam(from, to),
	});
	table('group', 'addMembers', [
		refused('eleven into a group of eight, whatever share of all they are', 8, add(8, 19)),
		refused('eleven into a group of one', 1, add(1, 12)),
		refused('the percentage does not raise it', 8, (w) => ({
			...add(8, 100)(w),
			options: { maxPercentAffected: 100 },
		})),
		taken('ten into a group of one', 1, 1, 11),
		taken('eleven into a group of eleven', 11, 11, 22),
		{
			it: 'a group without members is new',
			on: () => new Groups(people(50, 'all'), { groups: ['team'] }),
			...{ wish: add(0, 50), ends: inTeam(0, 50) },
		},
		taken('Max People Affected raises it', 8, 8, 19, (from, to) => (w) => ({
			...add(from, to)(w),
			options: { maxPeopleAffected: 11 },
		})),
	]);
	table('access', 'assign', [
		refused('Assign', 8, assign(8, 19)),
		refused('where users show their groups', 8, assign(8, 19), SHOWN['on users']),
		{
			it: 'people whom it creates count as created',
			on: on(8),
			wish: (w) => ({
				...{ people: emails(each(numbered(0, 11), (p) => `new-${p}`).join(' ')) },
				...{ ...w.groups('team'), createMissing: true },
			}),
			ends: Object.fromEntries(each(numbered(0, 11), (p) => [`new-${p}`, 'team'])),
		},
		{
			it: 'a group whose members nobody shows is not judged, and the items say so',
			on: on(8, SHOWN.nowhere),
			wish: (w) => ({ ...assign(8, 19)(w), options: { acceptUnverified: true } }),
			...{ ends: inTeam(8, 19), once: true },
			warns: Array(11).fill('Members Added does not limit it: member of group team'),
		},
	]);
	const viewers = (count) => () => ({
		...{ preview: false, accessBy: 'organizationAndRole', unwanted: 'keep' },
		...{ scopeOrganizations: 'org-a, org-b' },
		...wanted(
			each(numbered(0, 2 * count), (p) => ({
				...{ email: email(p), role: 'viewer' },
				organization: Number(p.slice(1)) < count ? 'org-a' : 'org-b',
			})),
		),
	});
	const two = () => new Account({ ...people(40, 'c:member'), ana: 'a:viewer', bob: 'b:viewer' });
	table(
		'access',
		'reconcile',
		[
			refused('a role of an organization is a group', 1, viewers(11), {}),
			{
				it: 'each organization is judged by itself',
				...{ on: two, wish: viewers(10) },
				ends: Object.fromEntries(
					each(numbered(0, 20), (p, at) => [p, `${at < 10 ? 'a' : 'b'}:viewer c:member`]),
				),
			},
		].map((row) => ({ ...row, on: two })),
	);

	test('Preview says it, a plan needs the approval, and is judged again by the group of then', async () => {
		const world = on(8)();
		const [made] = await play(world, ['group', 'addMembers'], {
			...add(8, 30)(world),
			preview: true,
		});
		expect(made.blockedBy).toStrictEqual([]);
		expect(made.plan.excess).toEqual([{ kind: 'membersAdded', people: 22, limit: 5 }]);
		expect(made.summaryText).toContain('Members Added under Allow More Than the Limit For');
		const apply = async (plan, more) =>
			errorsIn(await play(world, ['access', 'applyPlan'], { changes: 'all', plan, ...more }));
		expect((await apply(made.plan))[0]).toContain(
			'tick Members Added under Allow More Than the Limit For',
		);
		expect(world.service.written()).toStrictEqual([]);
		expect(await apply(made.plan, { approvedExcess: ['membersAdded'] })).toStrictEqual([]);
		expect(world.shape()).toMatchObject(inTeam(8, 30));

		const [late] = await play(world, ['group', 'addMembers'], {
			...add(30, 50)(world),
			preview: true,
		});
		expect(late.plan.excess).toStrictEqual([]);
		put(Object.fromEntries(each(numbered(1, 30), (p) => [p, 'all'])))(undefined, world);
		world.service.requests.length = 0;
		expect((await apply(late.plan))[0]).toContain('Make a new plan, and approve Members Added');
		expect(world.service.written()).toStrictEqual([]);
	});

	test('where the group is known, its size costs no request', async () => {
		const world = on(11)();
		await play(world, ['group', 'addMembers'], add(11, 22)(world));
		const plain = on(11)();
		await play(plain, ['group', 'addMembers'], add(11, 21)(plain));
		expect(world.service.requests).toHaveLength(plain.service.requests.length);
	});
});

'use strict';

const {
	Account,
	Groups,
	SHOWN,
	UNDOABLE,
	email,
	emails,
	play,
	rows,
	table,
} = require('../support/behavior');
const { CUTS } = require('../world/hazards');
const { fromExpression } = require('../support/accessRows');

const DROPS = { ...UNDOABLE, deactivation: 'drops' };
const REFUSES = { serviceProfile: 'launchDarkly', overrideProfile: true, deletionIsFinal: 'no' };
const OFFBOARD = ['access', 'offboard'];
const BEN = { ana: 'eng', ben: 'eng vpn' };
const KEYS = [
	...['change', 'status', 'reason', 'userName', 'group', 'text', 'at'],
	...['userId', 'active', 'accessRemoved', 'accessRemaining', 'provenAt', 'requests'],
	...['valuesRemoved', 'valuesRemaining'],
];

/** On a service; the people are these two unless it says others. */
const on =
	(switches = {}, people = BEN) =>
	() =>
		new Groups(people, { credential: UNDOABLE, ...switches });
const leave = (names, more) => () => ({ people: emails(names), ...more });
const keep = (...given) => ({ options: { keepMembershipsIn: rows(...given) } });
const at = (words) =>
	words
		.split(' ')
		.filter(Boolean)
		.map((id) => ({ group: id, groupId: id, via: null }));
const of = (attribute, ...texts) => texts.map((value) => ({ attribute, value }));
const refused = (request, more) => ({
	faults: [{ on: request, kind: 'status', status: 403, body: 'managed elsewhere', ...more }],
});
const inactive = { ben: 'inactive' };
const ALL = ['PATCH ben', 'PATCH eng', 'PATCH vpn'];
const NOTHING = { sends: [], ends: {} };
/** Ben leaves, unless a row says otherwise, and has nothing in the end. */
const offboards = (cases) =>
	table('access', 'offboard', cases, {
		...{ on: on(), wish: leave('ben'), sends: ALL, ends: inactive },
	});
const DELETE = { method: 'delete', options: { ifNotFound: 'alreadyGone' } };

describe.each(Object.entries(SHOWN).filter(([name]) => name !== 'nowhere'))(
	'members are shown %s',
	(where, switches) => {
		// A deleted user shows nothing.
		const ofDeleted = where === 'on users' ? null : [];
		const here = (more, people) => on({ ...switches, ...more }, people);

		offboards([
			{
				it: 'deactivated, then out of every group, and proven',
				on: here(),
				items: [
					{
						...{ change: 'deactivated', status: 'done', reason: null, active: false },
						...{
							userName: email('ben'),
							group: null,
							text: 'ben (ben@example.com) was offboarded.',
						},
						...{ accessRemoved: at('eng vpn'), accessRemaining: [] },
						...{ valuesRemoved: [], valuesRemaining: [], provenAt: expect.any(String) },
					},
				],
				inOrder: true,
			},
			{
				it: 'let in again by another client before the proof: not gone',
				on: here(),
				meanwhile: ['PATCH vpn', (scim, w) => scim.setActive(w.user('ben').value, true)],
				items: [{ status: 'unverified', active: true, accessRemaining: [] }],
				...{ fails: ['the user is still active'], ends: { ben: '' } },
			},
			{
				it: 'Delete: deleted after all that',
				on: here(),
				wish: leave('ben', DELETE),
				items: [
					{
						...{ change: 'deleted', status: 'done', active: null, deleted: true },
						...{ accessRemoved: at('eng vpn'), accessRemaining: [] },
					},
				],
				inOrder: true,
				sends: [...ALL, 'DELETE ben'],
				ends: { ben: undefined },
			},
			{
				it: 'who is inactive already loses the memberships that are left',
				on: here({}, { ana: 'eng', ben: 'inactive eng vpn' }),
				items: [{ change: 'revoked', status: 'done', active: false, accessRemaining: [] }],
				sends: ['PATCH eng', 'PATCH vpn'],
			},
			{
				it: 'who is inactive, and was deleted by another client meanwhile, is not said to be inactive',
				on: here({}, { ana: 'eng', ben: 'inactive eng' }),
				meanwhile: ['PATCH eng', (scim, w) => scim.users.delete(w.userId('ben'))],
				items: [{ status: 'done', active: null, accessRemaining: ofDeleted }],
				sends: ['PATCH eng'],
				ends: { ben: undefined },
			},
			{
				it: 'a refused removal stops nothing else, and fails the proof',
				on: here(refused('PATCH /Groups/vpn')),
				items: [
					{
						...{ status: 'failed', active: false, provenAt: null },
						...{ accessRemoved: at('eng'), accessRemaining: at('vpn') },
					},
				],
				fails: [/403/],
				ends: { ben: 'inactive vpn' },
			},
		]);
	},
);

test('the item of a success and of an error have the same keys', async () => {
	const [done] = await play(on()(), OFFBOARD, { people: email('ben') });
	expect(Object.keys(done)).toEqual(KEYS);
	const failing = on(refused('PATCH /Groups/vpn'))();
	const [item] = await play(failing, OFFBOARD, { people: email('ben') });
	expect(Object.keys(item).sort()).toEqual([...KEYS, 'error'].sort());
	expect(item.requests).toBe(failing.service.requests.length);
	const valueless = on({ credential: { ...UNDOABLE, accessAttributes: 'none' } })();
	const [other] = await play(valueless, OFFBOARD, { people: email('ben') });
	expect(Object.keys(other)).toEqual(KEYS.slice(0, -2));
});

describe('a write that is refused', () => {
	const stuck = { refusesRemovalFrom: ['vpn'] };
	offboards([
		{
			it: 'a removal: the user is deleted all the same, and what went with the account is done',
			on: on(refused('PATCH /Groups/vpn')),
			wish: leave('ben', DELETE),
			items: [{ deleted: true, accessRemaining: [], status: 'done' }],
			sends: [...ALL, 'DELETE ben'],
			ends: { ben: undefined },
		},
		{
			it: 'a removal, where the membership outlives the account: the proof names it',
			on: on({ ...stuck, deletedStay: true }),
			wish: leave('ben', DELETE),
			items: [{ status: 'failed', accessRemaining: at('vpn') }],
			fails: [/vpn/],
			sends: ['PATCH ben', 'PATCH eng', 'PATCH vpn 400', 'DELETE ben'],
			ends: { ben: undefined },
		},
		{
			it: 'a removal that the service only pretends',
			on: on({ faults: [{ on: 'PATCH /Groups/vpn', kind: 'dropped' }] }),
			items: [{ status: 'unverified', accessRemoved: at('eng'), accessRemaining: at('vpn') }],
			fails: ['the person is still member of group vpn'],
			ends: { ben: 'inactive vpn' },
		},
		{
			it: 'the deactivation: removals go on',
			on: on(refused('PATCH /Users')),
			items: [{ status: 'failed', accessRemaining: [] }],
			fails: [/403/],
			ends: { ben: '' },
		},
		{
			it: 'the deactivation: the deletion makes up for it',
			on: on(refused('PATCH /Users')),
			wish: leave('ben', DELETE),
			items: [{ deleted: true, status: 'done' }],
			sends: [...ALL, 'DELETE ben'],
			ends: { ben: undefined },
		},
	]);
});

describe('Keep Memberships In', () => {
	const kept = [
		['a name', rows('Staff'), 'g-1'],
		['a name in other case', rows('STAFF'), 'g-1'],
		['an ID', rows('vpn'), 'vpn'],
		['patterns', rows('Sta*', 'V*'), 'g-1 vpn'],
		['a list', rows('["g-1", "vpn"]'), 'g-1 vpn'],
		['all', rows('*'), 'g-1 vpn'],
	];
	const groups = [{ id: 'g-1', displayName: 'Staff' }];
	offboards([
		...kept.flatMap(([what, keepMembershipsIn, stay]) => {
			const goes = ['g-1', 'vpn'].filter((id) => !stay.includes(id)).map((id) => `PATCH ${id}`);
			const people = { ana: 'g-1', ben: 'g-1 vpn' };
			const stuck = { refusesRemovalFrom: stay.split(' '), groups };
			const remain = stay
				.split(' ')
				.map((id) => ({ groupId: id, group: id === 'g-1' ? 'Staff' : id, via: null }));
			const wish = leave('ben', { options: { keepMembershipsIn } });
			const items = [{ status: 'done', active: false, accessRemaining: remain }];
			return [
				{
					it: `${what}: memberships that the service does not take stay, and fail nothing`,
					on: on(stuck, people),
					...{ wish, items, sends: ['PATCH ben', ...goes], ends: { ben: `inactive ${stay}` } },
				},
				{
					it: `${what}: of an account that is deleted`,
					on: on({ ...stuck, deletedStay: true }, people),
					wish: leave('ben', {
						...{ method: 'delete', options: { ifNotFound: 'alreadyGone', keepMembershipsIn } },
					}),
					items: [{ status: 'done', deleted: true, accessRemaining: remain }],
					// Nothing has to be taken before, so that the account need not be inactive for it.
					sends: [...(goes.length > 0 ? ['PATCH ben', ...goes] : []), 'DELETE ben'],
					ends: { ben: undefined },
				},
			];
		}),
		{
			it: 'a pattern that matches nothing: a warning',
			wish: leave('ben', keep('nothing-*')),
			items: [{ status: 'done', warnings: ['No group matches nothing-* in Keep Memberships In.'] }],
		},
		{
			it: 'a name that two groups have: an error that names both',
			on: on({ groups: ['g-1', 'g-2'].map((id) => ({ id, displayName: 'Staff' })) }),
			wish: leave('ben', keep('Staff')),
			fails: ['(IDs g-1, g-2)'],
			...NOTHING,
		},
	]);

	test.each([
		['delete', {}, 'may lose'],
		['delete', { deactivationDrops: true }, 'loses'],
		['deactivate', { deactivationDrops: true }, 'loses'],
		['deactivate', { deactivationDrops: true, lagReads: 3 }, 'loses'],
		['deactivate', {}, undefined],
	])('%s where %j: who %s kept memberships is warned', async (method, switches, loses) => {
		const credential = switches.deactivationDrops ? DROPS : UNDOABLE;
		const world = on({ ...switches, credential }, { ben: 'all vpn', dan: 'eng' })();
		const { options } = keep('vpn', 'all');
		const [item] = await play(world, OFFBOARD, {
			...{ people: emails('ben dan'), method },
			options: { ...options, verifyTime: 5 },
		});
		expect(item.accessRemoved).toEqual(loses ? at('all vpn') : []);
		const warning = `${email('ben')} ${loses} kept memberships, too: they go with the account.`;
		const said = item.warnings?.filter((one) => one.includes('kept memberships'));
		expect(said).toEqual(loses ? [warning] : undefined);
	});
});

describe('how the service is', () => {
	const drops = { credential: DROPS, deactivationDrops: true };
	const keysAdmin = { organization: 'acme', organizationName: 'acme', role: 'user' };
	const pattern = {
		...{ groupsStandFor: 'organizationAndRole', groupPatternOn: 'id' },
		groupPattern: 'app-{organization}-{role}',
	};
	offboards([
		{
			it: 'a deactivation that drops memberships is all that is sent',
			on: on(drops),
			items: [{ status: 'done', accessRemoved: at('eng vpn'), accessRemaining: [] }],
			sends: ['PATCH ben'],
		},
		{
			it: 'one that keeps them, although the credential says that it drops them, is found out',
			on: on({ credential: DROPS }),
			items: [{ status: 'unverified', accessRemaining: at('eng vpn') }],
			fails: ['the person is still member of group eng, member of group vpn'],
			...{ sends: ['PATCH ben'], ends: { ben: 'inactive eng vpn' } },
		},
		{
			it: 'memberships first where inactive users refuse changes',
			on: on({ credential: REFUSES, inactiveRefuses: true }),
			items: [{ status: 'done', accessRemaining: [] }],
			...{ inOrder: true, sends: ['PATCH eng', 'PATCH vpn', 'PATCH ben'], ends: inactive },
		},
		{
			it: 'memberships, account, deletion there',
			on: on({ credential: REFUSES, inactiveRefuses: true }),
			wish: leave('ben', DELETE),
			...{ inOrder: true, sends: ['PATCH eng', 'PATCH vpn', 'PATCH ben', 'DELETE ben'] },
			ends: { ben: undefined },
		},
		{
			it: 'who is inactive there already fails, naming the memberships left',
			on: on(
				{ credential: REFUSES, inactiveRefuses: true },
				{ ana: 'eng', ben: 'inactive eng vpn' },
			),
			items: [
				{
					...{ status: 'failed', accessRemoved: [], accessRemaining: at('eng vpn') },
					reason: expect.stringMatching(/member of group eng.*member of group vpn/),
				},
			],
			fails: ['is inactive and still member of group eng'],
			...NOTHING,
		},
		{
			it: 'a group of an organization and one that stands for itself: both go',
			on: on(
				{ credential: { ...UNDOABLE, ...pattern } },
				{ ana: 'app-acme-user', ben: 'app-acme-user other' },
			),
			items: [
				{
					accessRemoved: [
						{ ...at('other')[0], organization: null, organizationName: null, role: null },
						{ ...at('app-acme-user')[0], ...keysAdmin },
					],
				},
			],
			sends: ['PATCH ben', 'PATCH app-acme-user', 'PATCH other'],
		},
		{
			it: 'several people: one item each, and a protected one fails alone',
			on: on({}, { ana: 'eng', ben: 'vpn' }),
			wish: leave('ben ana nobody', { options: { protectedUsers: 'ana@*' } }),
			items: [
				{ userName: email('nobody'), userId: null, status: 'failed', accessRemaining: null },
				{ userName: email('ana'), status: 'failed', accessRemaining: null },
				{ userName: email('ben'), status: 'done' },
			],
			fails: [/nobody@example\.com/, /^ana@example\.com is protected/],
			sends: ['PATCH ben', 'PATCH vpn'],
		},
		{
			it: 'who is not found is an error',
			wish: leave('nobody'),
			fails: ['No user has the user name nobody@example.com'],
			...NOTHING,
		},
		{
			it: 'or gone already',
			wish: leave('nobody', { options: { ifNotFound: 'alreadyGone' } }),
			items: [
				{
					...{ userId: null, userName: email('nobody'), status: 'unchanged' },
					reason: 'no user has this email or ID',
				},
			],
			...NOTHING,
		},
	]);
});

describe('where memberships are shown nowhere', () => {
	const EMPTY = { showsMembers: 'absent', groups: ['eng', 'vpn'] };
	const traits = { ...UNDOABLE, usersShowGroups: 'yes' };
	offboards([
		{
			it: 'deactivated, and access is unknown: unverified',
			on: on(SHOWN.nowhere),
			items: [
				{
					...{ active: false, status: 'unverified', provenAt: null },
					...{ accessRemoved: null, accessRemaining: null },
				},
			],
			fails: ['neither groups nor users of the service show memberships'],
			...{ sends: ['PATCH ben'], ends: { ben: 'inactive eng vpn' } },
		},
		{
			it: 'which is no error with Accept Unverified',
			on: on(SHOWN.nowhere),
			wish: leave('ben', { options: { acceptUnverified: true } }),
			items: [{ status: 'unverified' }],
			...{ sends: ['PATCH ben'], ends: { ben: 'inactive eng vpn' } },
		},
		{
			it: 'an empty list that every user shows says nothing',
			on: on(EMPTY, { ana: '', ben: '' }),
			fails: ['neither groups nor users of the service show memberships'],
			sends: ['PATCH ben'],
		},
		{
			it: 'unless a trait says that users show groups',
			on: on({ ...EMPTY, credential: traits }, { ana: '', ben: '' }),
			items: [{ accessRemoved: [], accessRemaining: [], status: 'done' }],
			sends: ['PATCH ben'],
		},
	]);
});

describe('roles and entitlements of a user', () => {
	const values = (...texts) => texts.map((value) => ({ value }));
	const HELD = { roles: values('editor', 'billing'), entitlements: ['lab'] };
	const none = { ana: { roles: [], entitlements: [] } };
	const holds = (held, switches) => on(switches, { ana: { has: 'eng', ...held }, ben: 'vpn' });
	const give = (attributes) => (service) => {
		const user = service.byName(email('ana'));
		service.store({ ...user, attributes: { ...user.attributes, ...attributes } });
	};
	const both = { sends: ['PATCH ana', 'PATCH ana', 'PATCH eng'], ends: { ana: 'inactive' } };
	const gone = [...of('roles', 'editor', 'billing'), ...of('entitlements', 'lab')];
	const shows = (name, membersShown) => ({
		it: `also where groups stand for organizations, and members are shown ${name}`,
		on: () =>
			new Groups(
				{ ana: { has: 'app-acme-user', ...HELD }, ben: 'vpn' },
				{
					...{ ...membersShown, deactivationDrops: true },
					credential: {
						...{ ...DROPS, groupsStandFor: 'organizationAndRole', groupPatternOn: 'id' },
						groupPattern: 'app-{organization}-{role}',
					},
				},
			),
		wish: leave('ana', { accessBy: 'organizationAndRole' }),
		items: [{ status: 'done', valuesRemaining: [] }],
		...{ sends: ['PATCH ana', 'PATCH ana'], ends: { ana: 'inactive' }, sets: none },
	});
	table(
		'access',
		'offboard',
		[
			{
				it: 'go with the groups, and that is proven',
				on: holds(HELD),
				items: [{ status: 'done', valuesRemoved: gone, valuesRemaining: [] }],
				sets: none,
			},
			shows('on groups and users', {}),
			shows('on groups', SHOWN['on groups']),
			{
				it: 'of who is inactive already',
				on: on({}, { ana: { has: 'inactive eng', ...HELD }, ben: 'vpn' }),
				items: [{ status: 'done', valuesRemaining: [] }],
				...{ sends: ['PATCH ana', 'PATCH eng'], sets: none },
			},
			...[
				['value null', { value: null, display: 'admin' }],
				['texts further in', { name: { a: ['admin'] } }],
			].map(([what, role]) => ({
				it: `an entry with ${what} is one`,
				on: holds({ roles: [role] }),
				items: [
					{ status: 'done', valuesRemoved: [expect.objectContaining(of('roles', 'admin')[0])] },
				],
				sets: { ana: { roles: [] } },
			})),
			...[
				['refuses it', { patchTakes: ['active'] }, ['PATCH ana 400', 'PATCH ana 400']],
				[
					'drops it',
					{ faults: [{ on: 'PATCH /Users', from: 2, kind: 'dropped' }] },
					['PATCH ana', 'PATCH ana'],
				],
			].map(([what, switches, tries]) => ({
				it: `one that stays where the service ${what} is named`,
				on: holds({ roles: values('editor') }, switches),
				items: [
					{
						...{ status: 'unverified', active: false, accessRemaining: [] },
						...{ valuesRemoved: [], valuesRemaining: of('roles', 'editor') },
					},
				],
				fails: ['roles "editor"'],
				sends: ['PATCH ana', ...tries, 'PATCH eng'],
			})),
			{
				it: 'one that came meanwhile is left, and named',
				on: holds({ roles: values('editor') }),
				meanwhile: ['PATCH eng', give({ entitlements: values('late') })],
				items: [{ valuesRemaining: of('entitlements', 'late') }],
				fails: ['still has entitlements "late"'],
				sets: { ana: { roles: [], entitlements: values('late') } },
			},
			{
				it: 'go with a user whose deactivation is a deletion',
				on: holds(HELD, { deactivationDeletes: true }),
				wish: leave('ana', { options: { ifNotFound: 'alreadyGone' } }),
				items: [{ status: 'done', valuesRemoved: gone, valuesRemaining: [] }],
				...{ sends: ['PATCH ana', 'PATCH ana 404', 'PATCH eng'], ends: { ana: undefined } },
			},
			{
				it: 'go with a user who is deleted',
				on: holds(HELD),
				wish: leave('ana', DELETE),
				items: [{ status: 'done', valuesRemoved: gone, valuesRemaining: [] }],
				...{ sends: [...both.sends, 'DELETE ana'], ends: { ana: undefined } },
			},
			{
				it: 'go where the service deactivates instead of deleting',
				on: holds(HELD, { deletesSoftly: true }),
				wish: leave('ana', DELETE),
				items: [{ valuesRemaining: [] }],
				fails: [/./],
				...{ sends: [...both.sends, 'DELETE ana'], ends: { ana: 'inactive' }, sets: none },
			},
			{
				it: 'stay with a protected user',
				on: holds(HELD),
				wish: leave('ana', { options: { protectedUsers: email('ana') } }),
				...{ fails: ['is protected'], sends: [], ends: {} },
			},
			{
				it: 'are nothing to a service where users hold no access',
				on: holds(HELD, { credential: { ...UNDOABLE, accessAttributes: 'none' } }),
				items: [{ status: 'done' }],
				...{ sends: ['PATCH ana', 'PATCH eng'], ends: { ana: 'inactive' } },
			},
		],
		{ wish: leave('ana'), ...both },
	);
});

test.each(Object.keys(CUTS))('%s at any request: a run again takes roles, too', async (cut) => {
	const held = { roles: [{ value: 'editor' }], entitlements: ['lab'] };
	const start = (more) => on(more, { ana: { has: 'eng', ...held }, ben: 'vpn' })();
	const run = async (world) => (await play(world, OFFBOARD, { people: email('ana') }))[0].status;
	const whole = start();
	await run(whole);
	for (let nth = 1; nth <= whole.service.requests.length; nth++) {
		const world = start({ faults: CUTS[cut](nth) });
		const isDone = (await run(world)) === 'done';
		const left = () => ['roles', 'entitlements'].flatMap((name) => world.attributes().ana[name]);
		if (isDone) expect(left()).toStrictEqual([]);
		world.service = world.service.again();
		expect([nth, await run(world)]).toEqual([nth, expect.stringMatching(/^(done|unchanged)$/)]);
		expect(left()).toStrictEqual([]);
	}
});

table('access', 'offboard', {
	it: 'the last users, whom one page of the list has shown: the empty list proves it',
	on: on({ credential: { ...UNDOABLE, usersShowGroups: 'yes' } }, { ana: '', ben: '', cid: '' }),
	wish: leave('ana ben cid', { ...DELETE, options: { maxPeopleAffected: 100 } }),
	items: Array(3).fill({ deleted: true, status: 'done' }),
	sends: ['DELETE ana', 'DELETE ben', 'DELETE cid'],
	ends: { ana: undefined, ben: undefined, cid: undefined },
});

describe('on the account', () => {
	table('access', 'offboard', [
		{
			it: 'ten by email without a filter: groups and users are read once, and each is one write',
			on: () =>
				new Account(
					Object.fromEntries(
						[...Array(40)].map((_, n) => [
							`u${n}`,
							{ has: n % 4 ? 'a:viewer' : 'a:admin', displayName: undefined },
						]),
					),
					{ filter: 'off' },
				),
			wish: leave('u1 u2 u3 u5 u6 u7 u9 u10 u11 u13', { options: { maxPeopleAffected: 10 } }),
			reads: 2,
			sends: [1, 2, 3, 5, 6, 7, 9, 10, 11, 13].map((n) => `PATCH u${n}`),
			ends: Object.fromEntries([1, 2, 3, 5, 6, 7, 9, 10, 11, 13].map((n) => [`u${n}`, 'inactive'])),
		},
		{
			it: 'a user who is inactive already: nothing is sent',
			on: () => new Account({ ana: 'inactive', bob: 'a:admin' }),
			wish: leave('ana'),
			items: [{ active: false, status: 'unchanged', change: 'none' }],
		},
		{
			it: 'deleted, and proven',
			on: () => new Account({ ana: 'a:viewer', bob: 'a:admin' }),
			wish: leave('ana', DELETE),
			items: [{ deleted: true, accessRemaining: [], status: 'done' }],
			...{ sends: ['DELETE ana'], ends: { ana: undefined } },
		},
	]);
});

test.each([
	['groups', on()],
	['an account', () => new Account({ ben: 'a:viewer b:member', eve: 'a:admin' })],
])('what was removed is given back by Assign: %s', async (_, start) => {
	const world = start();
	const [{ accessRemoved }] = await play(world, OFFBOARD, { people: email('ben') });
	expect(world.shape()).toMatchObject(inactive);
	await play(world, ['access', 'assign'], {
		...{ people: email('ben'), ...fromExpression(accessRemoved), options: { reactivate: true } },
		...(world instanceof Account ? {} : { accessBy: 'group' }),
	});
	expect(world.shape()).toEqual(world.before);
});

describe('Rehire', () => {
	const eve = (more) => on(more, { ben: 'vpn', eve: 'inactive vpn' });
	const back = { options: { reactivate: true } };
	const inVpn = (more) => (w) => ({ people: emails('eve'), ...w.groups('vpn'), ...more });
	table('access', 'assign', [
		{
			it: 'who is inactive and has the membership is failed, naming Reactivate',
			on: eve(),
			wish: inVpn(),
			items: ['granted eve vpn failed'],
			fails: ['Reactivate'],
		},
		{
			it: 'with Reactivate the person is active',
			on: eve(),
			wish: inVpn(back),
			items: ['none eve vpn unchanged', 'activated eve done'],
			...{ sends: ['PATCH eve'], ends: { eve: 'vpn' } },
		},
		{
			it: 'where a deactivation drops memberships, they are given again',
			on: on({ credential: DROPS, deactivationDrops: true }, { ben: 'vpn', eve: 'inactive' }),
			wish: inVpn(back),
			...{ sends: ['PATCH eve', 'PATCH vpn'], ends: { eve: 'vpn' } },
		},
	]);
	table('access', 'set', [
		{
			it: 'Set says the same of who is inactive',
			on: eve(),
			wish: inVpn({ managedGroups: rows('vpn') }),
			fails: ['Reactivate'],
		},
	]);
});

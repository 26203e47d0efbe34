'use strict';

const {
	Account,
	Groups,
	SHOWN,
	UNDOABLE,
	email,
	emails,
	locator,
	play,
	put,
	table,
} = require('../support/behavior');
const { later } = require('../support/secondWriter');

// A new account where user names cannot change, otherwise another user name. An account with the new email may be a
// colleague's.

const NEW = email('ana.silva');
const NAME = { givenName: 'Ana', familyName: 'Silva' };
const FIXED = { ...UNDOABLE, userNameCanChange: 'no' };
const NEEDS = 'it needs a step that did not succeed';
const byId = (more) => (w) => ({ user: w.user('ana'), newEmail: NEW, ...more });
const byEmail = (more) => () => ({ user: locator('email', email('ana')), newEmail: NEW, ...more });
/** A user with these attributes, and no others that would identify the person. */
const person = (has, attributes) => ({
	...{ has, name: undefined, displayName: undefined },
	...attributes,
});
const HELD = 'a:member b:viewer';
const moved = { ana: 'inactive', 'ana.silva': HELD };

describe('on the account', () => {
	const on = (ana, other, more) => () =>
		new Account(
			{ ana, ...(other && { 'ana.silva': other }), eve: 'a:viewer', root: 'a:admin' },
			more,
		);
	const named = person(HELD, { name: NAME });
	const refused = (why) => [new RegExp(`^The email ${NEW} belongs to another account.*${why}`)];
	const differs = [
		['another name', { name: { ...NAME, givenName: 'Anabel' } }, '', 'its name is not that of'],
		['another external ID', { externalId: 'hr-2' }, '', 'its external ID is not that of'],
		['nothing to compare', {}, '', 'neither a name nor an external ID'],
		['the same name, another external ID', { name: NAME, externalId: 'hr-2' }, '', 'external ID'],
		['access of its own', { name: NAME }, 'a:admin', 'it is admin in org-a'],
	];
	const same = [
		['name', { name: NAME }, { name: { familyName: 'SILVA ', givenName: 'ana' } }],
		['external ID', { externalId: 'hr-1' }, { externalId: 'hr-1', name: NAME }],
	];
	const clashes = [
		['the old account of one is the new one of another', ['eve', NEW], ['ana', email('eve')]],
		['two become one', ['eve', NEW], ['ana', NEW.toUpperCase()]],
		['one becomes two', ['ana', NEW], ['ana', email('ana.two')]],
	];
	const clash = 'Items 0 and 1 want different things of the same account';
	table('access', 'changeEmail', [
		...differs.map(([what, attributes, has, why]) => ({
			it: `an account with ${what} may be a colleague's, and is refused`,
			on: on(person(HELD, { name: NAME, externalId: 'hr-1' }), person(has, attributes)),
			...{ wish: byEmail(), fails: refused(why) },
		})),
		{
			it: 'also where the old account is inactive without access',
			on: on(person('inactive'), person('')),
			...{ wish: byEmail(), fails: refused('neither a name nor an external ID') },
		},
		...same.map(([what, old, other]) => ({
			it: `the same person's by ${what}, with a part of the access: the run is completed`,
			on: on(person(HELD, old), person('a:member', other)),
			wish: byEmail(),
			...{ sends: ['PATCH b:viewer', 'PATCH ana'], inOrder: true, ends: moved },
		})),
		{
			it: 'with access of its own, when the old one is inactive without access: done already',
			on: on(person('inactive', { name: NAME }), person(HELD, { name: NAME })),
			...{ wish: byEmail(), items: [{ status: 'unchanged' }] },
		},
		{
			it: 'a new account takes name and external ID with it',
			on: on(person(HELD, { name: NAME, externalId: 'hr-1' })),
			wish: byEmail(),
			ends: moved,
			sets: { 'ana.silva': { name: NAME, externalId: 'hr-1' } },
		},
		{
			it: 'an account that appears between look-up and create is not taken',
			on: on(named),
			wish: byEmail(),
			meanwhile: ['POST Users', (scim) => scim.create(NEW)],
			fails: [`User ${NEW} exists already`, NEEDS, NEEDS, NEEDS],
			...{ sends: ['POST Users 409'], ends: { 'ana.silva': '' } },
		},
		{
			it: 'an inactive account is not taken',
			on: on(named, person('inactive', { name: NAME })),
			...{ wish: byEmail(), fails: ['inactive'] },
		},
		{
			it: 'nor a protected one',
			on: on(named, person('', { name: NAME })),
			...{ wish: byEmail({ options: { protectedUsers: NEW } }), fails: ['is protected'] },
		},
		...clashes.map(([what, ...wishes]) => ({
			it: `${what}: neither is sent`,
			on: on(named),
			wish: () => ({
				items: wishes.map(([from, newEmail]) => ({
					...{ user: locator('email', email(from)), newEmail },
				})),
			}),
			fails: [clash, clash],
		})),
	]);
});

const groupsOn =
	(switches = {}, ana = {}) =>
	() =>
		new Groups(
			{
				ana: { has: 'eng vpn', name: NAME, title: 'Engineer', ...ana },
				ben: 'eng sales',
			},
			{ credential: UNDOABLE, ...switches },
		);

describe.each(Object.entries(SHOWN))('members are shown %s', (shown, switches) => {
	const emails = [
		{ value: email('ana'), type: 'work', primary: true },
		{ value: 'ana@home.example', type: 'home' },
	];
	const ways = [
		['by ID', byId(), { reads: 3 }],
		['by email', byEmail(), { reads: 3, once: true }],
		['an answer without a body', byId(), {}, { patchAnswers: '204', groupPatchAnswers: '204' }],
	];
	const renamed = { ana: undefined, 'ana.silva': 'eng vpn' };
	table('access', 'changeEmail', [
		...ways.map(([what, wish, more, answers]) => ({
			it: `where a user name can change: one PATCH; ${what}`,
			on: groupsOn({ ...switches, mostEntries: Infinity, ...answers }, { emails }),
			wish,
			items: [{ change: 'updated', userName: NEW, group: null, status: 'done', reason: null }],
			...{ sends: ['PATCH ana'], ends: renamed, ...more },
			sets: { 'ana.silva': { emails: [{ ...emails[0], value: NEW }, emails[1]] } },
		})),
		...(shown === 'nowhere'
			? [
					{
						it: 'where it cannot: nothing is moved, as the access is unknown',
						on: groupsOn({ ...switches, credential: FIXED }),
						...{ wish: byEmail(), fails: [`${email('ana')} are unknown`] },
					},
				]
			: [
					{
						it: 'where it cannot: a new account gets everything, then the old one ends',
						on: groupsOn({ ...switches, credential: { ...FIXED, ...switches.credential } }),
						wish: byEmail(),
						ends: { ana: 'inactive', 'ana.silva': 'eng vpn' },
						sets: { 'ana.silva': { name: NAME, title: 'Engineer' } },
					},
				]),
	]);
});

describe('where a user name can change', () => {
	const shows = { id: 'x', userName: NEW };
	const dropped = { faults: ['PATCH', 'PUT'].map((method) => ({ method, kind: 'dropped' })) };
	const shown = { faults: [{ method: 'PATCH', kind: 'status', status: 200, body: shows }] };
	const failed = [{ change: 'updated', userName: email('ana'), status: 'failed' }];
	table('access', 'changeEmail', [
		{
			it: 'taken and not kept: unverified, and no new account',
			on: groupsOn(dropped),
			...{ wish: byId(), fails: ['Could not confirm: change the email of'] },
			sends: ['PATCH ana', 'PUT ana'],
		},
		{
			it: 'shown by the answer alone: no success',
			on: groupsOn(shown),
			...{ wish: byId(), fails: ['Could not confirm'], sends: ['PATCH ana'] },
		},
		{
			it: 'not seen afterwards: unverified',
			on: groupsOn({ lagReads: 50 }),
			wish: byId(),
			items: [{ status: 'unverified' }],
			...{ fails: [/./], ends: { ana: undefined, 'ana.silva': 'eng vpn' } },
			sets: { 'ana.silva': {} },
		},
		{
			it: 'refused: nothing else is tried',
			on: groupsOn({ userNames: 'refused' }),
			...{ wish: byId(), items: failed, fails: ['400'], sends: ['PATCH ana 400', 'PATCH ana 400'] },
		},
		{
			it: 'two items that want the same are one PATCH',
			on: groupsOn(),
			wish: byId({ items: [{}, {}] }),
			items: [{ status: 'done' }, { status: 'done' }],
			...{ sends: ['PATCH ana'], ends: { ana: undefined, 'ana.silva': 'eng vpn' } },
		},
		{
			it: 'a colleague has the new email',
			on: groupsOn(),
			wish: byEmail({ newEmail: email('ben') }),
			fails: [
				/^The email ben@example\.com belongs to another account \(ID .*\), and this service does not merge/,
			],
		},
		{
			it: 'the old email is unknown and the new one known: the ID is asked for',
			on: groupsOn(),
			wish: () => ({ user: locator('email', email('gone')), newEmail: email('ben') }),
			fails: [
				/^No user has the user name gone@example\.com, but ben@example\.com is there already \(ID /,
			],
		},
		{
			it: 'neither email is known',
			on: groupsOn(),
			wish: byEmail({ user: locator('email', email('nobody')) }),
			fails: [/^No user has the user name nobody@example\.com$/],
		},
		...[
			['no email', 'ana.s', email('ana')],
			['another email', email('a.silva'), email('ana')],
			['the new email', NEW, email('ana')],
		].map(([what, userName, value]) => ({
			it: `the email changes where the user name is ${what}`,
			on: groupsOn({}, { userName, emails: [{ value, primary: true }] }),
			wish: (w) => ({ user: locator('id', w.service.byName(userName).id), newEmail: NEW }),
			items: [{ change: 'updated', status: 'done' }],
			ends: { [userName.replace('@example.com', '')]: undefined, 'ana.silva': 'eng vpn' },
			sets: { 'ana.silva': { emails: [{ value: NEW, primary: true }] } },
		})),
		{
			it: 'an email that the service does not keep is no success',
			on: () => {
				const world = groupsOn({}, { userName: 'ana.s' })();
				const { service } = world;
				const { emails: kept } = service.byName('ana.s').attributes;
				const { store } = service;
				service.store = ({ attributes, ...user }) =>
					store.call(service, { ...user, attributes: { ...attributes, emails: kept } });
				return world;
			},
			wish: (w) => ({ user: locator('id', w.service.byName('ana.s').id), newEmail: NEW }),
			items: [{ change: 'updated', status: 'unverified' }],
			fails: ['the service does not show the wanted emails'],
			ends: { 'ana.s': undefined, 'ana.silva': 'eng vpn' },
			sets: { 'ana.silva': {} },
		},
		{
			it: 'this ID has the new user name',
			on: groupsOn(),
			wish: byId({ newEmail: email('ana') }),
			items: [{ change: 'none', status: 'unchanged' }],
		},
	]);
});

describe('where it cannot', () => {
	const on = (switches, ana) => groupsOn({ ...switches, credential: FIXED }, ana);
	const values = (...texts) => texts.map((value) => ({ value }));
	const VALUES = { roles: values('editor', 'billing'), entitlements: ['lab'] };
	const none = { roles: [], entitlements: [] };
	/** Ana, and a user with the new name who may be the same person. */
	const two =
		(theirs, held = VALUES) =>
		() =>
			new Groups(
				{
					ana: { has: 'eng', name: NAME, ...held },
					...(theirs && { 'ana.silva': { has: '', name: NAME, ...theirs } }),
					ben: 'eng',
				},
				{ credential: FIXED },
			);
	const sorted = (list = []) => list.map((one) => one.value ?? one).sort();
	table('access', 'changeEmail', [
		{
			it: 'an old account that is inactive loses what it has like any leaver',
			on: on({}, { has: 'inactive eng' }),
			wish: byEmail(),
			ends: { ana: 'inactive', 'ana.silva': 'eng' },
		},
		{
			it: 'a membership that cannot be given: the old account stays as it is',
			on: on({ refusesAddsTo: ['vpn'] }),
			wish: byEmail(),
			items: [
				...[{ change: 'created' }, 'granted ana.silva eng done', 'granted ana.silva vpn failed'],
				...['deactivated ana failed', 'revoked ana eng failed', 'revoked ana vpn failed'],
			],
			fails: ['does not accept', NEEDS, NEEDS, NEEDS],
			sends: ['POST Users', 'PATCH eng', 'PATCH vpn 400'],
			ends: { 'ana.silva': 'eng' },
		},
		{
			it: 'the new account has the new email, also where the user name was another one',
			on: on({}, { emails: [{ value: email('a.silva'), type: 'work', primary: true }] }),
			...{ wish: byEmail(), ends: { ana: 'inactive', 'ana.silva': 'eng vpn' } },
			sets: { 'ana.silva': { emails: [{ value: NEW, type: 'work', primary: true }] } },
		},
		{
			it: 'the user name is right already, and the email is not',
			on: on({}, { emails: [{ value: email('a.silva'), primary: true }] }),
			wish: byId({ newEmail: email('ana') }),
			fails: ['ana@example.com is the user name already, and the email is a.silva@example.com'],
		},
		{
			it: 'an account with another role may be a colleague’s',
			on: two({ roles: values('owner') }),
			...{ wish: byEmail(), fails: ['it has roles "owner"'] },
		},
		{
			it: 'a role that cannot be given: the old account keeps everything',
			on: () =>
				new Groups(
					{
						...{ ana: { has: '', name: NAME, ...VALUES }, 'ana.silva': { has: '', name: NAME } },
						ben: 'eng',
					},
					{ credential: FIXED, patchTakes: ['active'] },
				),
			wish: byEmail(),
			fails: [/400/, /400/, /400/, NEEDS, NEEDS, NEEDS, NEEDS],
			sends: ['PATCH ana.silva 400'],
		},
	]);

	test.each([
		['a new one', undefined],
		['one that is there', {}],
		['one that a run that was cut off has given something', { roles: values('billing') }],
	])('%s gets roles and entitlements, and the old one keeps none', async (_, theirs) => {
		const world = two(theirs)();
		const change = async () => await play(world, ['access', 'changeEmail'], byEmail()());
		expect((await change()).map(({ error }) => error)).not.toContainEqual(expect.anything());
		const { ana, 'ana.silva': other } = world.attributes();
		expect(sorted(other.roles)).toEqual(['billing', 'editor']);
		expect(sorted(other.entitlements)).toEqual(['lab']);
		expect(ana).toMatchObject(none);
		expect(world.shape()).toMatchObject({ ana: 'inactive', 'ana.silva': 'eng' });
		expect((await change()).map(({ status }) => status)).toEqual(['unchanged']);
	});

	test.each([
		['a new one', undefined, 0],
		['a new one, but for the first', undefined, 1],
		['one that is there', {}, 0],
	])('%s that takes only some of them: the old one keeps everything', async (_, theirs, kept) => {
		const held = { roles: values('editor'), entitlements: values('lab', 'beta') };
		const world = two(theirs, held)();
		const { store } = world.service;
		world.service.store = ({ attributes, ...user }) => {
			const entitlements = attributes.entitlements?.slice(0, kept);
			const own = user.userName === NEW ? { ...attributes, entitlements } : attributes;
			return store.call(world.service, { ...user, attributes: own });
		};
		const items = await play(world, ['access', 'changeEmail'], byEmail()());
		const errors = items.map(({ error }) => error).join();
		expect(errors).toContain('the service does not show entitlements');
		expect(world.attributes().ana).toMatchObject(held);
		expect(world.shape().ana).toBe('eng');
	});
});

// The account with the new email exists: each sign that it is a colleague's is enough, and nothing is changed.
describe.each(Object.entries(SHOWN).filter(([shown]) => shown !== 'nowhere'))(
	'a stranger has the new email, members are shown %s',
	(_, { credential, ...switches }) => {
		const HR = 'hr-1';
		const stranger = (why) =>
			new RegExp(
				`^The email ${NEW} belongs to another account \\(ID \\S+\\) that may be somebody else's: ${why}$`,
			);
		const isOther = (what) => stranger(`its ${what} is not that of ${email('ana')}`);
		const ANA = { name: NAME, externalId: HR };
		const INACTIVE = `${NEW} is inactive, and Reactivate is off: no access was given`;
		const rowsOf = [
			['another external ID', ANA, '', { externalId: 'hr-2' }, isOther('external ID')],
			[
				'the same name and another external ID',
				ANA,
				'',
				{ ...ANA, externalId: 'hr-2' },
				isOther('external ID'),
			],
			[
				'an external ID that differs in case alone',
				ANA,
				'',
				{ externalId: 'HR-1' },
				isOther('external ID'),
			],
			['another given name', ANA, '', { name: { ...NAME, givenName: 'Anabel' } }, isOther('name')],
			[
				'another name and the same external ID',
				ANA,
				'',
				{ ...ANA, name: { ...NAME, familyName: 'Costa' } },
				isOther('name'),
			],
			['the family name alone', ANA, '', { name: { familyName: 'Silva' } }, isOther('name')],
			[
				'a group of its own',
				ANA,
				'sales',
				ANA,
				stranger(`it is member of group sales, which ${email('ana')} is not`),
			],
			[
				'neither',
				ANA,
				'',
				{},
				stranger('the two show neither a name nor an external ID to compare'),
			],
			[
				'a name, where the old one shows an external ID alone',
				{ externalId: HR },
				'',
				{ name: NAME },
				stranger('the two show neither a name nor an external ID to compare'),
			],
			[
				'an empty name and external ID',
				ANA,
				'',
				{ name: { givenName: ' ' }, externalId: '' },
				stranger('the two show neither a name nor an external ID to compare'),
			],
			['no access, and is inactive', ANA, 'inactive', ANA, INACTIVE],
			['a part of the access, and is inactive', ANA, 'inactive eng', ANA, INACTIVE],
			[
				'another name, and is inactive',
				ANA,
				'inactive',
				{ name: { ...NAME, givenName: 'Anabel' } },
				INACTIVE,
			],
		];
		const on = (old, has, other) => () =>
			new Groups(
				{
					ana: person('eng vpn', old),
					'ana.silva': person(has, other),
					ben: 'eng sales',
				},
				{ ...switches, credential: { ...FIXED, ...credential } },
			);
		table('access', 'changeEmail', [
			...rowsOf.map(([what, old, has, other, message]) => ({
				it: `who has ${what}`,
				...{ on: on(old, has, other), wish: byEmail(), fails: [message], sends: [] },
			})),
			...[
				['by email', () => NEW],
				['by ID', (w) => w.userId('ana.silva')],
				['by pattern', () => 'ana.s*'],
				['of whom the old one is', () => email('ana')],
			].map(([what, protectedUsers]) => ({
				it: `who is the same person and protected, ${what}`,
				on: on(ANA, '', ANA),
				wish: (w) => byEmail({ options: { protectedUsers: protectedUsers(w) } })(w),
				...{ fails: [/is protected/], sends: [] },
			})),
			{
				it: 'who is the same person, with a part of the access',
				...{ on: on(ANA, 'eng', { name: NAME }), wish: byEmail() },
				ends: { ana: 'inactive', 'ana.silva': 'eng vpn' },
			},
		]);
	},
);

// What is copied of the old account is given only as long as that one has it, however late or often the request leaves.
describe('the old account is another one by the time that its access is copied', () => {
	const ROLES = { roles: [{ value: 'editor' }, { value: 'lab' }] };
	const store = (attributes) => (scim, w) => {
		const user = scim.users.get(w.userId('ana'));
		scim.store({ ...user, attributes: { ...user.attributes, ...attributes } });
	};
	const shutOut = (scim, w) => scim.setActive(w.userId('ana'), false);
	const remove = (scim, w) => scim.delete(w.userId('ana'));
	const OTHER = /ana@example.com does not have the same access any more, so no access was copied/;
	const GONE = /ana@example.com is gone, so no access was copied/;
	const INACTIVE = /ana@example.com is inactive now, so no access was copied/;
	const OF_GROUPS = {
		'has lost the group': [put({ ana: '' }), OTHER, { ana: '' }],
		'has another group as well': [put({ ana: 'eng sales' }), OTHER, { ana: 'eng sales' }],
		'is inactive': [shutOut, INACTIVE, { ana: 'inactive eng' }],
		'is gone': [remove, GONE, { ana: undefined }],
	};
	const OF_VALUES = {
		'has lost one': [
			store({ roles: [{ value: 'editor' }] }),
			...[OTHER, {}, { roles: [{ value: 'editor' }] }],
		],
		'has another one as well': [
			store({ roles: [...ROLES.roles, { value: 'x' }] }),
			...[OTHER, {}, { roles: [...ROLES.roles, { value: 'x' }] }],
		],
		'is inactive': [shutOut, INACTIVE, { ana: 'inactive' }],
		'is gone': [remove, GONE, { ana: undefined }],
	};
	const on =
		(ana, theirs, faults = []) =>
		() =>
			new Groups(
				{
					ana: { name: NAME, ...ana },
					...(theirs && { 'ana.silva': { has: '', name: NAME } }),
					ben: 'eng sales',
				},
				{ credential: FIXED, faults },
			);
	const afterLong = (act) => (scim, w) => {
		later(6_000);
		act(scim, w);
	};
	const busy = [{ method: 'PATCH', nth: 1, kind: 'status', status: 503 }];
	/** Of a new account (whether it is there already, or by then), how the request leaves when another client has acted. */
	const MOMENTS = {
		'a new account, late': ['no', (act) => ({ late: act })],
		'a new account, whose create leaves again': ['no', (act) => ({ again: act })],
		'a new account, after a slow create': [
			'made',
			(act) => ({ meanwhile: ['POST Users', afterLong(act)] }),
		],
		'a new account, whose add leaves again': [
			'made',
			(act) => ({ meanwhile: ['PATCH eng', act] }),
			busy,
		],
		'one that is there, late': ['there', (act) => ({ late: act })],
		'one that is there, again': ['there', (act) => ({ again: act })],
	};
	for (const [moment, [is, when, faults]] of Object.entries(MOMENTS)) {
		const isThere = is === 'there';
		const isNew = is === 'made' ? { 'ana.silva': '' } : {};
		const more = is === 'no' ? [NEEDS] : [];
		table('access', 'changeEmail', [
			{
				it: `${moment}: nothing has changed`,
				...{ on: on({ has: 'eng' }, isThere, faults), wish: byEmail(), ...when(() => {}) },
				ends: { ana: 'inactive', 'ana.silva': 'eng' },
			},
			...Object.entries(OF_GROUPS).map(([what, [act, says, ends]]) => ({
				it: `${moment}: it ${what}`,
				...{ on: on({ has: 'eng' }, isThere, faults), wish: byEmail(), ...when(act) },
				...{ fails: [says, NEEDS, NEEDS, ...more], ends: { ...isNew, ...ends } },
			})),
			...(isThere ? Object.entries(OF_VALUES) : []).map(([what, [act, says, ends, ana]]) => ({
				it: `${moment}, of its roles: it ${what}`,
				...{ on: on({ has: '', ...ROLES }, true), wish: byEmail(), ...when(act) },
				...{ fails: [says, says, NEEDS, NEEDS, NEEDS], ends, ...(ana && { sets: { ana } }) },
			})),
		]);
	}
});

describe('the account that is there is given nothing, and the old one keeps everything', () => {
	const id = (w) => w.userId('ana.silva');
	const on = () =>
		new Groups(
			{ ana: { has: 'eng', name: NAME }, 'ana.silva': { has: '', name: NAME }, ben: 'eng' },
			{ credential: FIXED },
		);
	const ACTS = {
		inactive: [
			(scim, w) => scim.setActive(id(w), false),
			'inactive',
			/ana.silva@example.com is inactive/,
		],
		gone: [
			(scim, w) => scim.delete(id(w)),
			undefined,
			/ana.silva@example.com is (gone now|no longer there)/,
		],
	};
	for (const moment of ['late', 'again']) {
		table(
			...['access', 'changeEmail'],
			Object.entries(ACTS).map(([what, [act, has, says]]) => ({
				it: `it is ${what}, ${moment}`,
				...{ on, wish: byEmail(), [moment]: act, fails: [says, NEEDS, NEEDS] },
				ends: { 'ana.silva': has },
			})),
		);
	}
	test.each([
		...Object.entries(ACTS).map(([what, [act, , says]]) => [what, act, says, {}]),
		['protected', () => {}, /is protected/, { protectedUsers: NEW }],
	])('it is %s when the plan is applied', async (_, act, says, options) => {
		const world = on();
		const fields = { ...byEmail()(world), preview: true };
		const [{ plan }] = await play(world, ['access', 'changeEmail'], fields);
		act(world.service, world);
		const before = world.shape();
		const apply = { changes: 'all', plan, options };
		const items = await play(world, ['access', 'applyPlan'], apply);
		expect(items.map(({ status }) => status).sort()).toEqual(['failed', 'skipped', 'skipped']);
		expect(items.find(({ status }) => status === 'failed').error).toMatch(says);
		expect(world.service.written()).toStrictEqual([]);
		expect(world.shape()).toEqual(before);
	});
});

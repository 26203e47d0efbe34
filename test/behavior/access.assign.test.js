'use strict';

const {
	Account,
	Groups,
	SHOWN,
	email,
	emails,
	expression,
	listed,
	locator,

	play,
	table,
	tablesOn,
} = require('../support/behavior');
const { userIdOf } = require('../support/memoryService');
const { defaultsOf } = require('../support/modelGroupsPlay');
const { runOnModel } = require('../support/modelNode');

describe.each(Object.entries(SHOWN).filter(([name]) => name !== 'nowhere'))(
	'members are shown %s',
	(_, switches) => {
		const on = (people, more) => () => new Groups(people, { ...switches, ...more });

		table('access', 'assign', [
			{
				it: 'two people get two groups, and who has one already keeps it',
				on: on({ ana: 'eng', ben: 'vpn', cleo: 'eng vpn' }),
				wish: (w) => ({ people: emails('ana ben'), ...w.groups('eng vpn') }),
				items: [
					'none ana eng unchanged',
					'none ben vpn unchanged',
					'granted ana vpn done',
					'granted ben eng done',
				],
				ends: { ana: 'eng vpn', ben: 'eng vpn' },
			},
			{
				it: 'an inactive user gets nothing',
				on: on({ ana: 'eng', eve: 'inactive' }),
				wish: (w) => ({ people: emails('eve'), ...w.groups('eng') }),
				fails: [/is inactive/],
			},
			{
				it: 'an inactive user comes back first with Reactivate',
				on: on({ ana: 'eng', eve: 'inactive' }),
				wish: (w) => ({ people: emails('eve'), ...w.groups('eng'), options: { reactivate: true } }),
				sends: ['PATCH eve', 'PATCH eng'],
				ends: { eve: 'eng' },
			},
			{
				it: 'access a user has already is of no use where they cannot come back',
				on: on(
					{ ana: 'eng', eve: 'inactive eng' },
					{ faults: [{ method: 'PATCH', kind: 'html-403' }] },
				),
				wish: (w) => ({ people: emails('eve'), ...w.groups('eng'), options: { reactivate: true } }),
				items: ['granted eve eng failed', 'activated eve failed'],
				fails: [/needs a step that did not succeed/, /answered 403/],
				sends: ['PATCH eve'],
				once: true,
			},
		]);
	},
);

describe('on the account', () => {
	table('access', 'assign', [
		{
			it: 'a move is one write, and never a removal',
			on: () => new Account({ ana: 'a:viewer', bob: 'a:admin' }),
			wish: (w) => ({ people: 'ANA@example.com', ...w.roles('a:member') }),
			items: ['moved ANA a viewer>member done'],
			sends: ['PATCH a:member'],
			reads: 2,
			ends: { ana: 'a:member' },
		},
		{
			it: 'a role goes by its group, too',
			on: () => new Account({ ana: 'a:viewer', bob: 'a:admin' }),
			wish: (w) => ({ people: emails('ana'), ...w.groups('a:member') }),
			items: ['moved ana a viewer>member done'],
			ends: { ana: 'a:member' },
		},
		{
			it: 'who is created elsewhere meanwhile is not created again',
			on: () => new Account({ bob: 'a:admin' }),
			wish: (w) => ({ people: emails('ana'), createMissing: true, ...w.roles('a:member') }),
			meanwhile: ['POST Users', (scim) => scim.create('ana@example.com')],
			sends: ['POST Users 409', 'PATCH a:member'],
			ends: { ana: 'a:member' },
		},
	]);
});

// Nothing is created before it is known who is meant, whether the access exists, and whether the items agree.
describe('before an account is created', () => {
	const on = () => new Account({ ana: '', bob: 'a:admin b:admin' });
	/** An item for each wish: who, and the roles, which an expression gives. */
	const each =
		(...wishes) =>
		(w) => ({
			...{ accessBy: 'organizationAndRole', createMissing: true },
			items: wishes.map(([who, roles]) => {
				const list = roles.split(' ').map((word) => {
					const [organization, role] = w.placeOf(word);
					return { organization, role };
				});
				return {
					people: who ?? w.user('ana').value,
					roles: { role: [{ organization: expression(list), role: 'member' }] },
				};
			}),
		});
	const ID = undefined;
	const ANA = 'ANA@example.com';
	const NEW = email('new');
	const twoRoles = (first, second) => `Items ${first} and ${second} want two roles for`;
	tablesOn(on)(
		'access',
		'assign',
		{
			it: 'two roles of one person, the ID first',
			wish: each([ID, 'a:admin'], [ANA, 'a:viewer']),
			fails: Array(2).fill(twoRoles(0, 1)),
		},
		{
			it: 'two roles of one person, the email first',
			wish: each([ANA, 'a:admin'], [ID, 'a:viewer']),
			fails: Array(2).fill(twoRoles(0, 1)),
		},
		{
			it: 'one person by ID and by email: no create, and one add for both',
			wish: each([ID, 'a:viewer'], [ANA, 'a:viewer'], [ANA, 'b:member']),
			sends: ['PATCH a:viewer', 'PATCH b:member'],
			ends: { ana: 'a:viewer b:member' },
		},
		{
			it: 'an organization that there is not, for that person alone',
			wish: each([NEW, 'x:member'], [email('newer'), 'a:member x:member'], [email('newest'), 'a']),
			fails: Array(2).fill('There is no organization org-x'),
			ends: { newest: 'a:member' },
		},
		{
			it: 'two roles of a new user: what else is wanted for the person is done',
			wish: each(
				...['a:admin', 'a:viewer'].map((role) => [NEW, role]),
				...['b:admin', 'b:viewer', 'a:viewer'].map((role) => [email('newer'), role]),
			),
			fails: [twoRoles(0, 1), twoRoles(0, 1), twoRoles(2, 3), twoRoles(2, 3)],
			ends: { newer: 'a:viewer' },
		},
		{
			it: 'Create Missing Users is off: the error names it',
			wish: (w) => ({ people: NEW, createMissing: false, ...w.roles('a:member') }),
			fails: [`No user has the user name ${NEW}, and Create Missing Users is off`],
		},
		{
			it: 'Create Missing Users is on otherwise',
			wish: (w) => ({ people: NEW, ...w.roles('a:member') }),
			items: ['created new done', 'granted new a:member done'],
			ends: { new: 'a:member' },
		},
		{
			it: 'a preview of a user without a role creates no one',
			wish: (w) => ({ people: ANA, preview: true, ...w.roles('a:member') }),
			items: [{ requests: [expect.objectContaining({ method: 'PATCH' })] }],
		},
		{
			it: 'a preview names what there is not',
			wish: (w) => ({ people: NEW, preview: true, ...w.roles('x:member') }),
			items: [{ requests: [], summary: expect.stringContaining('There is no organization org-x') }],
		},
		{
			it: 'an item that names nobody says so, also where the others are blocked',
			wish: each([email('bob'), 'a:member'], ['', 'a:member']),
			fails: ['org-a would be left without an active admin', 'No users specified'],
		},
		{
			it: 'one cannot be created: the others get their roles',
			on: () => {
				const world = on();
				world.service.foreign = new Set([email('taken')]);
				return world;
			},
			wish: each([email('one'), 'a:member'], [email('taken'), 'a:member'], [email('two'), 'a']),
			fails: [/taken@example.com belongs to another account/, /needs a step that did not succeed/],
			sends: ['POST Users', 'POST Users', 'POST Users 409', 'PATCH a:member'],
			ends: { one: 'a:member', two: 'a:member' },
		},
	);
});

test('40 hires into the same 3 groups, 20 exist without a role: their 409s are one listing', async () => {
	const names = Array.from({ length: 40 }, (_, index) => `p${index}`);
	const there = Object.fromEntries(names.slice(20).map((name) => [name, '']));
	const world = new Account({ ...there, bob: 'a:admin b:admin c:admin' });
	const items = await play(
		world,
		['access', 'assign'],
		{ ...world.roles('a:member b:viewer c:admin'), options: { maxPeopleAffected: 100 } },
		names.map((name) => ({ people: email(name) })),
	);
	expect(items.map((item) => world.itemOf(item))).toEqual(
		names.flatMap((name, index) => [
			index < 20 ? `created ${name} done` : `none ${name} unchanged`,
			...['a:member', 'b:viewer', 'c:admin'].map((role) => `granted ${name} ${role} done`),
		]),
	);
	const sent = world.service.requests.map(({ method }) => method);
	// The groups, and one list of all users.
	expect(
		['GET', 'POST', 'PATCH'].map((one) => sent.filter((method) => method === one).length),
	).toEqual([2, 40, 3]);
});

describe('one role in each organization', () => {
	const roles = (on, wishes, more) => ({
		on,
		wish: (w) => ({
			...{ accessBy: 'organizationAndRole', createMissing: false },
			items: wishes.map(([who, role]) => ({ people: email(who), ...w.roles(role) })),
		}),
		...more,
	});
	const account = (people, more) => () => new Account(people, more);
	const ACCT = { accountOrganizationId: ' whylabs-org-acct ' };
	const UNKNOWING = {
		...{ serviceProfile: 'generic', scimPrefix: 'everyRequest', overrideProfile: true },
		...{ oneRolePerOrganization: 'yes', memberRemoval: 'valueList' },
		...{ groupsStandFor: 'organizationAndRole', groupPattern: '{organization}:{role}' },
	};
	const lastAdmin = /without an active admin/;
	table('access', 'assign', [
		{
			it: 'an admin who becomes something else needs another admin first',
			...roles(account({ ana: 'a:admin', bob: 'a:viewer' }), [['ana', 'a:member']]),
			fails: [lastAdmin],
		},
		{
			it: 'the new admin comes first',
			...roles(account({ ana: 'a:admin', bob: 'a:viewer' }), [
				['ana', 'a:member'],
				['bob', 'a:admin'],
			]),
			...{ sends: ['PATCH a:admin', 'PATCH a:member'], inOrder: true },
			ends: { ana: 'a:member', bob: 'a:admin' },
		},
		{
			it: 'a member of the account organization alone: a warning',
			...roles(account({ ana: '', bob: 'acct:admin' }, { credential: ACCT }), [
				['ana', 'acct:member'],
			]),
			items: [{ warnings: [expect.stringContaining('account management only')] }],
			ends: { ana: 'acct:member' },
		},
		{
			it: 'a profile that does not know that adds move: the removal does not take the new role',
			on: account({ cid: 'b:member', bob: 'b:admin' }, { credential: UNKNOWING }),
			wish: () => ({
				...{ people: email('cid'), accessBy: 'organizationAndRole', createMissing: false },
				roles: { role: [{ organization: 'org-b', role: 'viewer' }] },
			}),
			items: ['moved cid b member>viewer done'],
			ends: { cid: 'b:viewer' },
		},
		{
			it: 'reads lag behind: right in the end',
			on: account({ ana: 'a:viewer', bob: 'a:admin' }, { lagReads: 2, patchAnswers: 'stale' }),
			wish: (w) => ({ people: email('ana'), ...w.roles('a:member'), options: { verifyTime: 60 } }),
			...{ ends: { ana: 'a:member' }, once: true },
		},
	]);
});

// Add, verify, remove from the old group, verify.
describe('a move where an add moves nobody', () => {
	const PEOPLE = { ana: 'a:member', bob: 'a:member', eve: 'a:viewer', admin: 'a:admin' };
	const CREDENTIAL = {
		...{ overrideProfile: true, oneRolePerOrganization: 'yes' },
		...{ groupsStandFor: 'organizationAndRole', groupPattern: '{organization}:{role}' },
	};
	const on =
		({ credential, ...switches } = {}, people = PEOPLE) =>
		() =>
			new Groups(people, { ...switches, credential: { ...CREDENTIAL, ...credential } });
	const role = (organization, word) => ({
		accessBy: 'organizationAndRole',
		roles: { role: [{ organization: locator('id', organization), role: word }] },
	});
	const toViewer = { wish: () => ({ people: email('ana'), ...role('a', 'viewer') }) };
	const BOTH = ['PATCH a:viewer', 'PATCH a:member'];
	const moved = { ...toViewer, ends: { ana: 'a:viewer' }, inOrder: true };
	const faulty = (path, kind, more) => ({
		faults: [{ method: 'PATCH', path: `/Groups/a:${path}`, kind, ...more }],
	});
	table('access', 'assign', [
		{ ...moved, it: 'the answers prove it', on: on(), sends: BOTH },
		{
			...{ ...moved, it: 'answers that show nothing are read back' },
			...{ on: on({ patchAnswers: '204' }), sends: BOTH, reads: 7 },
		},
		{
			...{ ...moved, it: 'the answer to the add is lost' },
			...{ on: on(faulty('viewer', 'reset-after', { nth: 1 })), sends: BOTH },
		},
		{
			...{
				...moved,
				it: 'a service that moves by itself: no removal, as it would take the new role',
			},
			...{ on: on({ addMoves: true }), sends: ['PATCH a:viewer'] },
		},
		{
			...{ ...moved, it: 'a second role that was left over goes' },
			on: on({}, { ...PEOPLE, ana: 'a:member a:viewer' }),
			items: [{ change: 'revoked', roleBefore: 'member', role: 'viewer', status: 'done' }],
			sends: ['PATCH a:member'],
		},
		...[
			['adds nobody', 1, { neverAdds: [userIdOf(email('ana'))] }],
			[
				'adds nobody, and answers 204',
				1,
				{ neverAdds: [userIdOf(email('ana'))], patchAnswers: '204' },
			],
			['refuses', 1, faulty('viewer', 'html-403')],
			['breaks off', 5, faulty('viewer', 'reset-before')],
			['fails', 5, faulty('viewer', '500-html')],
		].map(([it, tries, switches]) => ({
			...{ ...toViewer, it: `the service ${it}: the old role stays`, on: on(switches) },
			...{ sends: Array(tries).fill('PATCH a:viewer'), fails: [/failed: |confirm/] },
		})),
		{
			...{ ...toViewer, it: 'the removal changes nothing: not claimed' },
			...{ on: on(faulty('member', 'dropped')), sends: BOTH, ends: { ana: 'a:member a:viewer' } },
			fails: ['Could not confirm: remove ana@example.com from member'],
		},
		{
			...{ ...toViewer, it: 'the removal takes others along: said' },
			on: on({ removesEverybody: ['filterPath'] }),
			...{ ends: { ana: 'a:viewer', bob: '' } },
			fails: ['Group a:member lost 1 more than this run removed'],
		},
		{
			it: 'one look at the admins tells who still is one, and that another is left',
			on: on(),
			wish: () => ({
				accessBy: 'organizationAndRole',
				items: [
					{ people: email('admin'), ...role('a', 'member') },
					{ people: email('eve'), ...role('a', 'admin') },
				],
			}),
			sends: ['PATCH a:admin', 'PATCH a:member', 'PATCH a:viewer', 'PATCH a:admin'],
			...{ inOrder: true, reads: 11 },
			ends: { admin: 'a:member', eve: 'a:admin' },
		},
		{
			it: 'without one role for each organization nobody is moved',
			on: on({ credential: { oneRolePerOrganization: 'profile' } }),
			...{ ...toViewer, ends: { ana: 'a:member a:viewer' } },
		},
		{
			it: 'without it two roles are no contradiction',
			on: on({ credential: { oneRolePerOrganization: 'profile' } }),
			wish: () => ({ people: email('ana'), ...listed('a:member', 'a:viewer') }),
			ends: { ana: 'a:member a:viewer' },
		},
	]);

	test('a plan of which the add was made meanwhile is the removal alone', async () => {
		const world = on()();
		const fields = { ...toViewer.wish(), preview: true };
		const [{ plan }] = await play(world, ['access', 'assign'], fields);
		world.put({ ana: 'a:member a:viewer' });
		const items = await play(world, ['access', 'applyPlan'], { changes: 'all', plan });
		expect(items).toMatchObject([{ roleBefore: 'member', role: 'viewer', status: 'done' }]);
		const writes = world.service.requests.filter(({ method }) => method !== 'GET');
		expect(writes.map((one) => world.lineOf(one))).toEqual(['PATCH a:member']);
		expect(world.shape()).toEqual({ ...PEOPLE, ana: 'a:viewer' });
	});

	test.each([
		['a move of a person who has left', 'a:member', '', 'without a role in a, but was member'],
		[
			'a removal of one of two roles, of a person who has lost the other',
			...['a:member a:viewer', 'a:member', 'member in a, but was member and viewer'],
		],
	])('a plan gives nothing back: %s', async (_, had, has, says) => {
		const world = on({}, { ...PEOPLE, ana: had })();
		const fields = { ...toViewer.wish(), preview: true };
		const [{ plan }] = await play(world, ['access', 'assign'], fields);
		world.put({ ana: has });
		const items = await play(world, ['access', 'applyPlan'], { changes: 'all', plan });
		const error = `ana@example.com is ${says} when this was planned`;
		expect(items).toMatchObject([{ status: 'failed', error }]);
		expect(world.service.written()).toStrictEqual([]);
	});

	describe('an organization that its groups spell in different cases is one', () => {
		const GROUPS = ['Acme Corp-Admin', 'Acme Corp-Member', 'acme corp-viewer'];
		const credential = { groupPattern: '{organization}-{role}', groupPatternOn: 'displayName' };
		const acme = on(
			{ credential, groups: GROUPS.map((displayName, at) => ({ id: `g${at}`, displayName })) },
			{ ana: 'g2', eve: 'g0' },
		);
		table('access', 'assign', [
			{
				it: 'a new role takes the place of the old one',
				on: acme,
				wish: () => ({ people: email('ana'), ...role('Acme Corp', 'member') }),
				items: [{ change: 'moved', roleBefore: 'viewer', role: 'Member' }],
				ends: { ana: 'g1' },
			},
			{
				it: 'two roles in it contradict each other',
				on: acme,
				wish: () => ({
					...{ people: email('ana'), accessBy: 'organizationAndRole' },
					items: [role('Acme Corp', 'admin'), role('acme corp', 'viewer')],
				}),
				fails: [/two roles for/, /two roles for/],
			},
		]);
	});
});

describe('People of a wrong column', () => {
	const assign = async (people, json = {}) => {
		const { credential, service } = new Groups({ ana: '' }, { groups: ['vpn'] });
		const groups = { groups: { group: [{ group: locator('id', 'vpn') }] } };
		const { thrown } = await runOnModel(service, {
			...{ resource: 'access', operation: 'assign', credential, continueOnFail: false },
			parameters: { ...defaultsOf('access', 'assign'), accessBy: 'group', people, ...groups },
			items: [{ json }],
		});
		expect(service.requests).toStrictEqual([]);
		return thrown;
	};

	test('is an error that lists the columns of the input item', async () => {
		expect(await assign('', { Mail: email('ana'), 'First Name': 'Ana' })).toMatchObject({
			message: 'No users specified',
			description: expect.stringMatching(
				/commas\. The input item has the columns Mail, First Name\.$/,
			),
		});
		expect((await assign('')).description).toMatch(/commas\.$/);
	});

	test('is an error that lists the columns of an entry', async () => {
		const people = [{ email: email('ana') }, { Mail: email('ben'), Team: 'vpn' }];
		expect(await assign(people)).toMatchObject({
			message: 'Entry 2 of People names no person',
			description: expect.stringMatching(/userName\..* It has the columns Mail, Team\.$/),
		});
	});

	test('names 20 of many', async () => {
		const many = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`c${at}`, at]));
		expect((await assign('', many)).description).toMatch(/c18, c19, and 5 more\.$/);
	});
});

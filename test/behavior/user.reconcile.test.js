'use strict';

const { Groups, email, play, table } = require('../support/behavior');
const { matchOn } = require('../support/columns');
const { CORE, USER_SCHEMAS, discovered } = require('../support/schemas');

/** People of HR, whose external IDs are their numbers there; the robot and the two twins have none of their own. */
const hr = (has, externalId, more = {}) => ({
	...{ has, externalId, title: 'Clerk', displayName: undefined, name: undefined, ...more },
});
const MAILS = [
	{ value: email('ana'), type: 'work', primary: true },
	{ value: 'ana@home.test', type: 'home' },
];
const NAME = { givenName: 'Ana', familyName: 'Silva' };
const PEOPLE = {
	ana: hr('eng', 'HR-1', { emails: MAILS, name: NAME }),
	ben: hr('eng', 'HR-2'),
	cleo: hr('vpn', 'HR-3'),
	eve: hr('inactive eng', 'HR-4'),
	twin1: hr('eng', 'HR-9'),
	twin2: hr('', 'HR-9'),
	robot: {
		...hr('eng', undefined, { title: undefined }),
		emails: [{ value: 'ops@example.com' }, { value: 'it@example.com' }],
	},
};
const on =
	(more, people = PEOPLE) =>
	() =>
		new Groups(people, more);
const row = (name, more) => ({ userName: email(name), ...more });
const list = (rows, { options, ...more } = {}) => ({
	...{ preview: false, usersFrom: 'json', usersJson: JSON.stringify(rows), ...more },
	options: { maxPeopleAffected: 100, ...options },
});
const idOf = (name) => new Groups(PEOPLE).userId(name);
const inGroups = (...groups) => ({ group: groups.map((group) => ({ group })) });
const scoped = { absentUsers: 'deactivate' };
const all = { ...scoped, scopeBy: 'userNames', scopeUserNames: '*' };
const engineers = { ...scoped, scopeBy: 'groups', scopeGroups: inGroups('eng') };
const by = (column, options = {}) => ({ ...matchOn(column), options });
const LINK = by('externalId', { linkByUserName: true });
const CLEAR = { options: { emptyCells: 'clear' } };
const boss = { title: 'Boss' };
const is = (title) => ({ sets: { ana: { title } } });
const RECONCILE = ['user', 'reconcile'];
const preview = async (world, rows, more) =>
	(await play(world, RECONCILE, list(rows, { ...more, preview: true })))[0];
const apply = async (world, plan) =>
	await play(world, ['access', 'applyPlan'], { changes: 'all', plan: JSON.stringify(plan) });
/** What is sent for a new user. */
const created = (values) => ({
	...{ schemas: [expect.any(String)], userName: email('new'), active: true, ...values },
});
const errorsOf = (items) => items.flatMap(({ error }) => error ?? []).join();
const giveKey = ({ service }, name, externalId) => {
	const user = service.byName(email(name));
	service.store({ ...user, attributes: { ...user.attributes, externalId } });
};

describe('Rows', () => {
	const BADGE = 'urn:example:params:2.0:Badge';
	const OWN = 'urn:custom:params:scim:schemas:extension:hr:2.0:User';
	const EXTENDED = {
		...PEOPLE.ana,
		...{ [OWN]: { badge: 'B1', desk: 'D1' }, [BADGE]: { level: 'L1', color: 'C1' } },
	};
	table(...RECONCILE, [
		{
			it: 'one change for each account that differs',
			on: on(),
			wish: list([
				row('ana', { ...boss, 'name.givenName': 'Anna' }),
				{ userName: email('BEN').toUpperCase(), title: 'Clerk' },
				row('new', { displayName: 'New', title: null }),
			]),
			...{ items: ['updated ana done', 'created new done'], sends: ['PATCH ana', 'POST Users'] },
			bodies: expect.arrayContaining([created({ displayName: 'New' })]),
			ends: { new: '' },
			sets: { ana: { ...boss, name: { ...NAME, givenName: 'Anna' } }, new: { displayName: 'New' } },
		},
		{
			it: 'empty cells leave an attribute, or clear it alone',
			...{ on: on(), wish: list([row('ana', { title: null, 'name.familyName': null })], CLEAR) },
			sets: { ana: { title: undefined, name: { givenName: 'Ana' } } },
		},
		{
			it: 'email replaces the main one alone',
			on: on(),
			wish: list([row('ana', { email: 'as@example.com' }), { email: email('ben') }]),
			sets: { ana: { emails: [{ ...MAILS[0], value: 'as@example.com' }, MAILS[1]] } },
		},
		{
			it: 'null beside all emails is no email of its own',
			on: on(),
			wish: list(
				[
					row('ana', { email: null, emails: [MAILS[1]] }),
					row('ben', { email: null, emails: null }),
				],
				CLEAR,
			),
			items: ['updated ana done', 'updated ben done'],
			sets: { ana: { emails: [{ ...MAILS[1], primary: true }] }, ben: { emails: undefined } },
		},
		...[
			['a shorter list', { emails: [{ value: email('ana') }] }, { emails: [MAILS[0]] }],
			['an extension', { [OWN]: null }, { [OWN]: {} }],
			['an attribute of one', { [`${OWN}:badge`]: null }, { [OWN]: { desk: 'D1' } }],
			['an extension of another name', { [BADGE]: null }, { [BADGE]: {} }],
			['the same in another case', { [BADGE.toUpperCase()]: null }, { [BADGE]: {} }],
			['an attribute of that', { [`${BADGE}:level`]: null }, { [BADGE]: { color: 'C1' } }],
		].map(([what, given, left]) => ({
			it: `take away what is there: ${what}`,
			...{ on: on({}, { ana: EXTENDED }), wish: list([row('ana', given)], CLEAR) },
			...{ items: ['updated ana done'], sets: { ana: left } },
		})),
		{
			it: 'an empty email says which others stay',
			...{ on: on(), wish: list([row('ana', { email: null })], CLEAR), fails: ['ana@home.test'] },
		},
		{
			it: 'numbers for texts are the same',
			...{ on: on({}, { ana: hr('', '1042') }), wish: list([row('ana', { externalId: 1042 })]) },
			items: ['none unchanged'],
		},
		...[
			[
				row('ana', { phoneNumbers: [{ type: 'work', value: ' ' }] }),
				'phoneNumbers.0.value of row 2 (ana@example.com) is empty',
			],
			[{ id: 'user-1', title: 'x' }, 'no user name'],
			[row('ana', { roles: [{ value: 'x' }] }), 'access'],
			[row('ana', { email: 'ana' }), 'not an email'],
			[row('ana', { email: email('a'), emails: [] }), 'email and emails'],
			[row('ana', { 'emails[type eq "x"].value': 'y' }), 'compared'],
			['ana', 'not an object'],
			[row('ana', { active: 'maybe' }), 'maybe'],
		].map(([bad, says]) => ({
			it: `${JSON.stringify(bad)} cannot be used, and nobody is deactivated`,
			...{ on: on(), wish: list([row('ben', boss), bad], all) },
			fails: expect.arrayContaining([expect.stringContaining(says)]),
			sets: { ben: boss },
		})),
		{
			it: 'about the same person cannot be used, and name each other',
			on: on(),
			wish: list(
				[row('ana', { title: 'x' }), { userName: email('ana').toUpperCase() }, row('ben')],
				all,
			),
			fails: [0, 1].map(
				() => 'Rows 1 (ana@example.com) and 2 (ANA@EXAMPLE.COM) are about the same user',
			),
		},
		{
			it: 'come as items; blank ones say nothing',
			on: on(),
			wish: {
				...list([], { usersFrom: 'items' }),
				items: [{ json: row('ana', boss) }, { json: { userName: '', row_number: 3 } }],
			},
			...{ items: [{ status: 'done' }, { status: 'skipped' }], sends: ['PATCH ana'] },
			...is('Boss'),
		},
		...[[], [{ title: 'x' }]].map((rows) => ({
			it: `none that can be used is an error: ${JSON.stringify(rows)}`,
			...{ on: on(), wish: list(rows, all) },
			fails: expect.arrayContaining([expect.stringContaining('Nothing was sent')]),
		})),
		{
			it: 'who lacks what the service requires is in the summary, which does not say that all is well',
			on: on({ discovery: discovered(USER_SCHEMAS) }),
			wish: list([row('zoe')], { preview: true }),
			items: [{ summary: expect.stringMatching(/^(?![^]*match what is wanted)[^]*requires name/) }],
		},
	]);

	test('a preview of no row that can be used is blocked', async () => {
		expect((await preview(on()(), [{ title: 'x' }], all)).blockedBy).toHaveLength(1);
	});

	test('what is taken away is taken by Apply Plan, too', async () => {
		const world = on({}, { ana: EXTENDED })();
		const { plan } = await preview(world, [row('ana', { [OWN]: null })], CLEAR);
		await apply(world, plan);
		expect(world.attributes().ana[OWN]).toEqual({});
	});
});

describe('a row with keys of two people', () => {
	const two = (it, cells, more) => ({
		...{ it, on: on(), wish: list([row('ana', cells)], more) },
		fails: [/ is .*, and .* is ben@example\.com \(ID /],
	});
	table(...RECONCILE, [
		two('the external ID of another one', { externalId: 'HR-2' }),
		two('the email of another one', { email: email('ben') }),
		two('the emails of another one', { emails: [{ value: email('ben'), primary: true }] }),
		two('the same of a new user', { userName: email('new'), externalId: 'HR-2' }),
		two('another user name', { externalId: 'HR-1', userName: email('ben') }, by('externalId')),
		{
			it: 'an email of another one who has a row, too: the list gives it to this one',
			on: on(),
			wish: list([
				row('ana', { email: email('ben'), ...boss }),
				row('ben', { email: 'ben@new.test' }),
			]),
			sets: {
				ana: {
					emails: expect.arrayContaining([expect.objectContaining({ value: email('ben') })]),
					...boss,
				},
				ben: { emails: [{ value: 'ben@new.test', primary: true }] },
			},
		},
		{
			it: 'a new external ID is given',
			on: on(),
			wish: list([row('ana', { externalId: 'HR-77' })]),
			sets: { ana: { externalId: 'HR-77' } },
		},
	]);
});

describe('Columns', () => {
	const columns = (value, schema = []) => ({
		columns: { mappingMode: 'defineBelow', matchingColumns: ['email'], value, schema },
	});
	const NOT_SENT =
		'Columns that are not sent: phone: did you mean phoneNumbers.value?; Full Name: did you mean displayName?; shoeSize. Rename what is to be sent, or map each column manually.';
	const ODD = [
		row('ana', { phone: '1', ...boss }),
		row('new', { 'Full Name': 'N', shoeSize: 7, change: 'none', id: 4 }),
	];
	const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
	const logins = ['ana', 'ben'].map((name) => ({ Login: email(name), ...boss }));
	table(...RECONCILE, [
		{
			it: 'mapped one by one make users of any table',
			on: on(),
			wish: {
				...list([], { usersFrom: 'items', options: {} }),
				items: [
					{ Mail: email('ana'), First: 'Anna', Nr: 17, notes: 'x' },
					{ Mail: email('new'), First: 'Nia', Nr: 18 },
					{ Mail: '', First: '', Nr: null },
				].map((json) => ({
					json,
					...columns({
						...{ email: json.Mail, 'name.givenName': json.First, title: json.Nr, nickName: null },
					}),
				})),
			},
			items: ['updated ana done', 'created new done', 'none skipped'],
			bodies: expect.not.arrayContaining([expect.objectContaining({ notes: 'x' })]),
			ends: { new: '' },
			sets: { ana: { title: '17', name: { ...NAME, givenName: 'Anna' } }, new: { title: '18' } },
		},
		{
			it: 'without the one that identifies a user: what to map',
			on: on(),
			wish: {
				...list([], { usersFrom: 'items', options: {}, preview: true }),
				items: [{ json: { Mail: 'x' }, ...columns({ department: 'Sales' }) }],
			},
			warns: [/^Row 1 has no email\. .* not mapped: use Add column to send/],
		},
		{
			it: 'with a choice for Active: an empty one says nothing, and texts of tables are true or false',
			on: on(),
			wish: {
				...list([], { usersFrom: 'items', options: { emptyCells: 'clear' } }),
				items: [null, '', 'FALSE', true].map((active, at) => ({
					json: { Active: active },
					...columns({ email: email(['ana', 'ben', 'cleo', 'twin1'][at]), active }, [
						{ id: 'active', type: 'options', options: [{ value: true }, { value: false }] },
					]),
				})),
			},
			once: true,
			...{ sends: ['PATCH cleo'], ends: { cleo: 'inactive vpn' } },
		},
		{
			it: 'that name no attribute are not sent, and one warning says what they probably mean',
			...{ on: on(), wish: list(ODD), warns: [NOT_SENT, NOT_SENT] },
			sends: ['PATCH ana', 'POST Users'],
			bodies: expect.arrayContaining([created({})]),
			...{ ends: { new: '' }, sets: { ana: boss } },
		},
		{
			it: 'likewise in the preview',
			...{ on: on(), wish: list(ODD, { preview: true }) },
			warns: [NOT_SENT, 'New users without an email: 1.'],
		},
		{
			it: 'named as in HR systems are sent as what they mean',
			on: on(),
			wish: list([
				row('ana', { 'First Name': 'Anna', Department: 'Sales', job_title: 'Boss' }),
				row('new', { forename: 'Nia', lastName: 'New', department: 'HR', employeeNumber: 7 }),
			]),
			items: ['updated ana done', 'created new done'],
			sets: {
				ana: {
					...{ title: 'Boss', name: { ...NAME, givenName: 'Anna' } },
					[ENTERPRISE]: { department: 'Sales' },
				},
				new: {
					name: { givenName: 'Nia', familyName: 'New' },
					[ENTERPRISE]: { department: 'HR', employeeNumber: '7' },
				},
			},
			ends: { new: '' },
		},
		{
			it: 'named so beside the attribute itself, or another such column, are not sent',
			on: on(),
			wish: list([
				row('ana', { firstName: 'Wrong', 'Name.givenName': 'Anna', lastName: 'A', surname: 'B' }),
				row('ben', { Department: 'Wrong', [ENTERPRISE]: { costCenter: '7' } }),
				row('cleo', { 'First Name': 'Wrong', givenName: 'Cleo' }),
				row('twin1', { 'Job Title': 'Wrong', attributes: { title: 'Twin' } }),
				row('twin2', { Department: { value: 'Wrong' }, 'Old Department': 'Wrong', ...boss }),
			]),
			warns: Array(5).fill(
				/^Columns that are not sent: firstName: .*; lastName: .*; surname: .*; Department: .*; First Name: .*; Job Title: .*; Old Department/,
			),
			sets: {
				ana: { name: { ...NAME, givenName: 'Anna' } },
				ben: { [ENTERPRISE]: { costCenter: '7' } },
				cleo: { name: { givenName: 'Cleo' } },
				twin1: { title: 'Twin' },
				twin2: boss,
			},
		},
		...[['Sales'], { value: 'Sales' }].map((Department) => ({
			it: `named so are not sent where a cell is ${JSON.stringify(Department)}, and a warning says so`,
			on: on(),
			wish: list([row('ana', { Department, ...boss })]),
			warns: [/^Columns that are not sent: Department: /],
			sets: { ana: boss },
		})),
		{
			it: 'named so that the service does not describe are told by their names',
			on: on({
				discovery: discovered([
					{ id: CORE, attributes: [{ name: 'title' }, { name: 'userName' }] },
				]),
			}),
			wish: list([row('ana', { Department: 'Sales', 'Cost Center': '7', ...boss })]),
			warns: ['The service does not keep department, costCenter.'],
			sets: { ana: boss },
		},
		{
			it: 'that the editor has shown are sent, whatever they are called',
			on: on(),
			wish: list([row('new', { Badge: 'B-1' })], {
				columns: { ...matchOn('userName').columns, schema: [{ id: 'badge' }] },
			}),
			bodies: [expect.objectContaining({ Badge: 'B-1' })],
			ends: { new: '' },
		},
		{
			it: 'cannot be mapped in a list that is one JSON',
			...{ on: on(), wish: list([row('ana')], columns({ email: 'x' })) },
			fails: ['A JSON list is not mapped column by column'],
		},
		{
			it: 'of which one is told to be renamed has no second name: Preview',
			...{ on: on(), wish: list([{ Mail: email('ana'), language: 'A' }], { preview: true }) },
			warns: [
				/^Columns that are not sent: language: did you mean preferredLanguage\?/,
				'Row 1 has no user name. Its columns: Mail, language. Rename Mail to userName, or map each column manually.',
			],
		},
		{
			it: 'of which none identifies a user: Preview says so once',
			...{ on: on(), wish: list(logins, { preview: true }) },
			warns: [
				'Row 1 has no user name. Its columns: Login, title. Rename Login to userName, or map each column manually. The same is true of 1 more.',
			],
		},
	]);
});

describe('Active', () => {
	const rows = [
		row('ana', { active: false, title: 'Gone' }),
		row('eve', { active: true }),
		row('old', { active: false }),
	];
	const off = { ends: { ana: 'inactive eng' }, ...is('Gone') };
	table(...RECONCILE, [
		{
			it: 'off is a deactivation, on needs Reactivate, and nobody is created inactive',
			...{ on: on(), wish: list(rows) },
			items: expect.arrayContaining([
				expect.objectContaining({ userName: email('ana'), change: 'deactivated' }),
			]),
			fails: expect.arrayContaining([expect.stringContaining('Reactivate')]),
			...{ sends: ['PATCH ana'], ...off },
		},
		{
			it: 'not named leaves an inactive user inactive, with a warning',
			...{ on: on(), wish: list([row('eve', boss)]), items: ['updated eve done'] },
			...{ warns: ['inactive'], sends: ['PATCH eve'], sets: { eve: boss } },
		},
		{
			it: 'off waits while a row cannot be used',
			...{ on: on(), wish: list([rows[0], { title: 'x' }]) },
			items: expect.arrayContaining([expect.objectContaining({ status: 'skipped' })]),
			fails: expect.arrayContaining([expect.stringContaining('no user name')]),
			...{ sends: ['PATCH ana'], ...is('Gone') },
		},
		{
			it: 'off counts against the limits',
			on: on(),
			wish: list(
				['ana', 'ben', 'cleo'].map((name) => row(name, { active: false })),
				{ preview: true, options: { maxPeopleAffected: 2 } },
			),
			items: [
				{
					plan: expect.objectContaining({
						excess: [{ kind: 'deactivations', people: 3, limit: 2 }],
					}),
				},
			],
		},
	]);

	test('on brings back with Reactivate, by Apply Plan', async () => {
		const world = on()();
		const { plan } = await preview(world, rows, { options: { reactivate: true } });
		const done = (await apply(world, plan)).map((one) => world.itemOf(one));
		expect(done).toEqual(['deactivated ana done', 'activated eve done']);
		expect(world.shape()).toMatchObject({ ana: 'inactive eng', eve: 'eng' });
		world.service.requests.length = 0;
		expect(errorsOf(await apply(world, plan))).toBe('');
		expect(world.service.written()).toStrictEqual([]);
	});
});

describe('Absent users', () => {
	const GONE = { ends: { ben: 'inactive eng', twin1: 'inactive eng', robot: 'inactive eng' } };
	const gone = ['ben', 'twin1', 'robot'];
	const sends = gone.map((name) => `PATCH ${name}`);
	const inScope = (more, says, way) => ({
		it: `scope or service: ${says}`,
		...{ on: on(way), wish: list([row('ana', { title: 'x' })], more) },
		fails: expect.arrayContaining([expect.stringContaining(says)]),
	});
	const INCOMPLETE = { pageCap: 3, ignoresStart: true };
	table(...RECONCILE, [
		...[
			['leave', ['none unchanged'], {}],
			['report', gone.map((name) => `none ${name} skipped`), {}],
			['deactivate', gone.map((name) => `deactivated ${name} done`), { sends, ...GONE }],
		].map(([absentUsers, items, comes]) => ({
			it: absentUsers,
			...{ on: on(), wish: list([row('ana')], { ...engineers, absentUsers }) },
			...{ items, ...comes },
		})),
		{
			it: 'are never protected, inactive, unmatched, or out of scope',
			on: on(),
			wish: list([{ externalId: 'HR-3' }], {
				...{ ...all, ...matchOn('externalId') },
				options: { protectedUsers: email('ana') },
			}),
			...{ sends: ['PATCH ben'], ends: { ben: 'inactive eng' } },
		},
		{
			it: 'are known by patterns of user names',
			...{ on: on(), wish: list([row('cleo')], { ...all, scopeUserNames: 'a*, t*1@*' }) },
			ends: { ana: 'inactive eng', twin1: 'inactive eng' },
		},
		{
			it: 'by external ID, an incomplete list of users changes nobody: another one may have the key',
			on: on(INCOMPLETE),
			wish: list([{ externalId: 'HR-1', ...boss }], { ...all, ...matchOn('externalId') }),
			fails: expect.arrayContaining([expect.stringContaining('incomplete')]),
		},
		{
			it: 'are left where the list of users is incomplete, and nobody is created',
			...{ on: on(INCOMPLETE), wish: list([row('ana', boss), row('new')], all) },
			fails: expect.arrayContaining([expect.stringContaining('incomplete')]),
			...{ sends: ['PATCH ana'], ...is('Boss') },
		},
		inScope({ ...engineers, scopeGroups: {} }, 'Nobody is in scope'),
		inScope({ ...all, scopeUserNames: ' ' }, 'Nobody is in scope'),
		inScope({ ...engineers, scopeGroups: inGroups('Nobody') }, 'no group "Nobody"'),
		inScope({ ...engineers, scopeGroups: inGroups('x-*') }, 'no group "x-*"'),
		inScope(engineers, 'The members of group', {
			...{ showsMembers: 'absent', usersShowGroups: 'absent', membershipFilter: 'off' },
		}),
		inScope({ ...all, options: { maxPeopleAffected: 3 } }, 'active people in scope'),
		{
			...inScope(all, 'Allow Permanent Removal', {
				credential: { serviceProfile: 'weightsAndBiases' },
			}),
			reads: 0,
		},
		{
			it: 'do not hold back, nor are held back by, who is protected',
			on: on(),
			wish: list([row('ana', boss)], { ...engineers, options: { protectedUsers: idOf('ana') } }),
			...{ fails: expect.arrayContaining([expect.stringContaining('protected')]), sends, ...GONE },
		},
	]);
});

describe('Matching', () => {
	const cleo = row('cleo', { email: email('cleo'), externalId: 'HR-3' });
	const KEY = { externalId: 'HR-77' };
	const HR_1 = { externalId: 'HR-1' };
	const NEW = 'new@example.com';
	const OPS = { emails: [{ value: 'OPS@example.com', primary: true }] };
	table(...RECONCILE, [
		{
			it: 'by email takes the main one, and may give another user name',
			on: on(),
			wish: list(
				[{ email: email('ana').toUpperCase(), userName: email('silva'), ...boss }],
				by('email'),
			),
			...{ ends: { ana: undefined, silva: 'eng' }, sets: { silva: boss } },
		},
		{
			it: 'by email creates who has a list of emails alone under the main one',
			on: on(),
			wish: list(
				[{ emails: [{ value: 'Home@example.com' }, { value: email('new'), primary: true }] }],
				by('email'),
			),
			ends: { new: '' },
			sets: {
				new: { emails: [{ value: 'Home@example.com' }, { value: email('new'), primary: true }] },
			},
		},
		{
			it: 'by email refuses two rows that would create one user name',
			on: on(),
			wish: list(
				[
					{ emails: [{ value: email('new') }] },
					{ userName: email('new').toUpperCase(), email: 'other@example.com' },
				],
				by('email'),
			),
			fails: ['Rows 1 and 2 (other@example.com) are about the same user'],
		},
		{
			it: 'lists in Preview users no row can mean, and never takes them for absent',
			on: on(),
			wish: list([{ externalId: 'HR-1' }], { ...by('externalId'), ...all, preview: true }),
			items: [
				{
					summary: expect.stringContaining('Cannot be matched'),
					settled: expect.arrayContaining(
						[
							['twin1', `the same external ID as another one (ID ${idOf('twin2')})`],
							['twin2', `the same external ID as another one (ID ${idOf('twin1')})`],
							['robot', 'no external ID to be matched by'],
						].map(([name, reason]) =>
							expect.objectContaining({
								...{ item: -1, status: 'skipped', action: `match user ${email(name)}` },
								reason: `the user has ${reason}`,
							}),
						),
					),
					plan: expect.objectContaining({
						changes: ['ben', 'cleo'].map((name) =>
							expect.objectContaining({ person: expect.objectContaining({ id: idOf(name) }) }),
						),
					}),
				},
			],
		},
		...[
			['more than one account', 'externalId', { externalId: 'HR-9' }, ['twin1', 'twin2']],
			['a user name of another key', 'externalId', row('ben', KEY), ['ben'], email('ben'), 'HR-2'],
			['a user name of no email key', 'email', row('robot', { email: NEW }), ['robot']],
			['an email that is one of several', 'email', { email: 'ops@example.com' }, ['robot']],
			['one of several emails, with another user name', 'email', row('new', OPS), ['robot']],
			['a new user name that is taken', 'externalId', row('ben', HR_1), ['ben'], email('ben')],
			[
				...['an email of an account without external ID', 'externalId'],
				...[row('new', { ...KEY, email: 'OPS@example.com' }), ['robot'], 'may be the one'],
			],
			[
				...['an ID, and the key of another account', 'externalId'],
				...[{ userId: idOf('ana'), externalId: 'HR-2' }, ['ben'], email('ana')],
			],
			['nobody, and no user name', 'externalId', KEY, [], 'no user name'],
			[
				...['an account without external ID', 'externalId'],
				...[{ ...KEY, email: email('robot') }, ['robot'], 'Link by User Name'],
			],
		].map(([what, column, given, names, ...words]) => ({
			it: `${what} is an error that names it, and nobody is deactivated`,
			...{ on: on(), wish: list([given, cleo], { ...by(column), ...all }) },
			fails: expect.arrayContaining([
				expect.stringMatching(
					`^(?![^]*exists already)${[...words, ...names.map(idOf)].map((one) => `(?=[^]*${one})`).join('')}`,
				),
			]),
		})),
		{
			it: 'Link by User Name shows the key first',
			on: on(),
			wish: list([row('robot', KEY)], { ...LINK, preview: true }),
			items: [
				{
					summary: expect.stringMatching(
						/^(?![^]*Cannot be matched\*\*[^*]*robot)[^]*Link by User Name/,
					),
					plan: expect.objectContaining({
						changes: [
							expect.objectContaining({ change: 'updated', attributes: { externalId: 'HR-77' } }),
						],
					}),
				},
			],
		},
		{
			it: 'and writes it to exactly that account',
			...{ on: on(), wish: list([row('robot', KEY)], LINK) },
			sets: { robot: { externalId: 'HR-77' } },
		},
	]);

	const RENEWED = 'has the external ID HR-20, and had HR-2';
	test.each([
		['robot', 'HR-5', [row('robot', KEY)], LINK, 'robot', 'HR-5'],
		['cleo', 'HR-77', [row('robot', KEY)], LINK, 'robot', 'HR-77'],
		// Two users have the key now.
		['cleo ana', 'HR-77', [row('robot', KEY)], LINK, 'robot', 'Could not find out who has'],
		[
			'ben',
			'HR-20',
			[{ externalId: 'HR-1' }],
			{ ...engineers, ...by('externalId') },
			'ben',
			RENEWED,
		],
		['ben', 'HR-20', [{ externalId: 'HR-2', active: false }], by('externalId'), 'ben', RENEWED],
		['ben', 'HR-20', [{ externalId: 'HR-2', ...boss }], by('externalId'), 'ben', RENEWED],
		['robot', 'HR-77', [row('new', KEY)], by('externalId'), 'Users', 'robot'],
	])(
		'a plan leaves out a user whose key has changed since: %s has %s',
		async (names, key, rows, way, subject, says) => {
			for (const isLater of [true, false]) {
				const world = on()();
				const { plan } = await preview(world, rows, way);
				for (const name of isLater ? names.split(' ') : []) giveKey(world, name, key);
				const errors = errorsOf(await apply(world, plan));
				const wrote = world.service.requests.map((one) => world.lineOf(one));
				const written = expect.arrayContaining([expect.stringMatching(`^(PATCH|POST) ${subject}`)]);
				if (isLater) expect(errors).toContain(says === 'robot' ? idOf('robot') : says);
				else expect(errors).toBe('');
				if (isLater) expect(wrote).not.toEqual(written);
				else expect(wrote).toEqual(written);
			}
		},
	);
});

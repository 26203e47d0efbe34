'use strict';

const {
	Account,
	Groups,
	email,
	emails,
	play,
	rows,
	table,
	wanted,
	warningsIn,
} = require('../support/behavior');
const { CORE, discovered } = require('../support/schemas');
const { mapped } = require('../support/node');

const NEW = email('new');
const OWN = [{ value: NEW, type: 'work', primary: true }];
const HOME = [{ value: 'n@home.example', type: 'home', primary: true }];
const must = (name) => ({ name, required: true });
const SCHEMAS = discovered([
	{ id: CORE, attributes: [must('userName'), must('EMails'), { name: 'title' }] },
]);
const REQUIRING = { discovery: SCHEMAS, requires: ['emails'] };
const service = (more) => () => new Groups({ bob: 'eng' }, more);
const json = (attributes) => ({ additionalFields: { attributesJson: JSON.stringify(attributes) } });
const assign = (more) => (w) => ({ people: NEW, createMissing: true, ...w.groups('eng'), ...more });
const made = { ends: { new: '' }, once: true };
const list = (...all) => ({
	...{ preview: false, usersFrom: 'json', usersJson: JSON.stringify(all) },
});

describe.each([
	['the profile', { credential: { serviceProfile: 'github' } }],
	['/Schemas', REQUIRING],
])('where %s requires an email', (_, switches) => {
	const on = service(switches);
	const HR = { externalId: 'HR-1' };
	const sent = { sets: { new: { emails: OWN } } };
	table('user', 'create', [
		{
			it: 'Create sends the user name',
			on,
			wish: { userName: NEW, ...json(HR) },
			...made,
			...sent,
		},
		{
			it: 'another one of the item wins',
			...{ on, wish: { userName: NEW, ...json({ ...HR, emails: HOME }) }, ...made },
			sets: { new: { emails: HOME } },
		},
		{
			...{ it: 'a user name that is no email is none', on, wish: { userName: 'new', ...json(HR) } },
			fails: [/^new cannot be created: the service requires emails/i],
		},
	]);
	table('user', 'upsert', [
		{ it: 'Create or Update', on, wish: { userName: NEW, ...json(HR) }, ...made, ...sent },
		{
			...{ it: 'who is there keeps the emails', on, wish: { userName: email('bob') } },
			items: ['none bob unchanged'],
		},
	]);
	table('user', 'reconcile', [
		{
			...{
				it: 'User: Reconcile',
				on,
				wish: list({ userName: NEW, ...HR }, { userName: email('bob') }),
			},
			...{ ...made, ...sent },
		},
	]);
	table('access', 'assign', [
		{
			...{ it: 'Assign', on, wish: assign({ newUserFields: HR }), ...sent },
			...{ ends: { new: 'eng' }, once: true },
		},
	]);
});

table('access', 'reconcile', [
	{
		it: 'Access: Reconcile',
		on: service(REQUIRING),
		wish: {
			...{ preview: false, createMissing: true, unwanted: 'keep', scopeGroups: rows('eng') },
			...wanted([{ email: NEW, groupId: 'eng' }]),
		},
		...{ sets: { new: { emails: OWN } }, ends: { new: 'eng' }, once: true },
	},
]);

describe('Create has fields of its own for the name and the main email', () => {
	const NAMED = { givenName: 'Ana', familyName: 'Silva' };
	const on = service();
	table('user', 'create', [
		{
			...{ it: 'they are sent', on, wish: { userName: NEW, ...NAMED, email: NEW }, ...made },
			bodies: [{ schemas: [CORE], userName: NEW, active: true, name: NAMED, emails: OWN }],
		},
		{
			it: 'empty ones are not',
			...{ on, wish: { userName: NEW, givenName: ' ', familyName: '', email: '' }, ...made },
			bodies: [{ schemas: [CORE], userName: NEW, active: true }],
		},
		{
			it: 'they win, and other emails stay',
			on,
			wish: {
				...{ userName: NEW, familyName: 'Silva', email: NEW },
				...json({ emails: HOME, name: { familyName: 'S', middleName: 'M' } }),
			},
			...made,
			sets: {
				new: {
					emails: [{ value: NEW, type: 'home', primary: true }],
					name: { familyName: 'Silva', middleName: 'M' },
				},
			},
		},
		{
			it: 'a composed name is an email, and none other is',
			...{ on, wish: { userName: NEW, email: 'Ana <Ana@Example.com>' }, ...made },
			sets: { new: { emails: [{ ...OWN[0], value: 'Ana@Example.com' }] } },
		},
		{
			it: 'what is no email',
			...{ on, wish: { userName: NEW, email: 'ana' }, fails: ['"ana" is not an email'] },
		},
		{
			it: 'a list is no name',
			...{ on, wish: { userName: NEW, givenName: ['Ana'] }, fails: ['givenName is "'] },
		},
		{
			it: 'it is matched by',
			...{ on, wish: { userName: 'new', email: NEW, options: { matchUsersBy: 'email' } } },
			...{ ends: { new: '' }, fails: [], once: true },
			sends: ['POST Users'],
		},
	]);
});

table('user', 'upsert', [
	{
		it: 'a user whom only the 409 tells of keeps the own emails',
		on: () =>
			new Groups(
				{ bob: { has: 'eng', emails: HOME } },
				{ ...REQUIRING, filterMisses: () => true, pageCap: 1 },
			),
		wish: { userName: email('bob'), ...mapped({ title: 'Boss' }) },
		...{ sets: { bob: { title: 'Boss' } }, once: true },
	},
]);

table('user', 'create', [
	{
		it: 'where no email is required none is sent',
		...{ on: service(), wish: { userName: NEW }, ...made },
		bodies: [{ schemas: [CORE], userName: NEW, active: true }],
	},
	{
		it: 'an empty list says that there is none',
		on: service(REQUIRING),
		...{
			wish: { userName: NEW, ...json({ emails: [] }) },
			fails: [/the service requires emails/i],
		},
	},
]);

describe('Preview says once how many would have no email', () => {
	const SAYS = (count) =>
		`New users without an email: ${count}. Match Users By: Email would not find them.`;
	const TWO = `${NEW}, ${email('newer')}`;
	const none = expect.not.arrayContaining([expect.stringContaining('without an email')]);
	test.each([
		['of two', service(), { people: TWO }, [SAYS(2)]],
		['of one', service(), { people: `${TWO}, ${email('bob')}` }, [SAYS(2)]],
		['not of who is there', service(), { people: emails('bob') }, none],
		['not where it is sent', service(REQUIRING), { people: TWO }, none],
		[
			'not where the item has one',
			service(),
			{ people: NEW, newUserFields: { emails: { email: [{ value: NEW }] } } },
			none,
		],
		[
			'not where people are matched by it',
			service(),
			{ people: TWO, options: { matchUsersBy: 'email' } },
			none,
		],
		[
			'not where the login is the email',
			() => new Account({ bob: 'a:admin' }),
			{ people: TWO },
			none,
		],
	])('%s', async (_, on, wish, says) => {
		const world = on();
		const access = world instanceof Account ? world.roles('a:member') : world.groups('eng');
		const [plan] = await play(world, ['access', 'assign'], {
			...{ createMissing: true, ...access, ...wish, preview: true },
		});
		expect(warningsIn(plan)).toEqual(says);
	});
	test('a run does not', async () => {
		const items = await play(service()(), ['user', 'create'], { userName: NEW });
		expect(items.flatMap(({ warnings = [] }) => warnings)).toStrictEqual([]);
	});
});

describe('the email that a service requires', () => {
	const LONG = `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(30)}.example.com`;
	const REST = mapped({
		...{ externalId: 'e1', displayName: 'x', 'name.givenName': 'a', 'name.familyName': 'b' },
	});
	const credential = { serviceProfile: 'github' };

	test('is the whole user name', async () => {
		const world = new Groups({ ana: '' }, { credential });
		await play(world, ['user', 'create'], { userName: LONG, ...REST });
		expect(world.service.byName(LONG).attributes.emails).toMatchObject([{ value: LONG }]);
	});
});

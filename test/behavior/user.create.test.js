'use strict';

const {
	Account,
	Groups,
	UNDOABLE,
	email,
	errorsIn,
	play,
	rows,
	table,
	wanted,
} = require('../support/behavior');
const { CORE, ENTERPRISE, discovered } = require('../support/schemas');
const { DIALECTS } = require('../../demo/service/scim/dialects');
const { mapped } = require('../support/node');

const BADGE = 'urn:example:params:2.0:Badge';
const account = (more) => () => new Account({ bob: 'a:admin' }, more);
const service = (more) => () => new Groups({ bob: 'eng' }, more);
const json = (attributes) => ({
	additionalFields: {
		attributesJson: typeof attributes === 'string' ? attributes : JSON.stringify(attributes),
	},
});
const BOB = service()().userId('bob');
const NEW = { userName: email('new') };
const EXISTING = { options: { ifUserExists: 'return' } };
const made = { ends: { new: '' }, once: true };
const fault = (kind, more) => ({ faults: [{ method: 'POST', kind, times: 1, ...more }] });
const MAILS = [
	{ primary: true, type: 'work', value: email('new') },
	{ type: 'home', value: 'new@home.example' },
];

describe('what is sent', () => {
	table('user', 'create', [
		{
			it: 'the user name, and nothing more',
			...{ on: account(), wish: NEW },
			items: [
				{
					...{ change: 'created', status: 'done', reason: null, groups: [], active: true, ...NEW },
					...{ userId: expect.any(String), text: `${NEW.userName} was created.` },
				},
			],
			...{ reads: 0, bodies: [{ schemas: [CORE], ...NEW, active: true }], warns: [], ...made },
		},
		{
			it: 'every field; the JSON comes first, and fields win',
			on: service(),
			wish: {
				...NEW,
				...mapped({
					...{ displayName: 'New', emails: MAILS, externalId: 'HR-1' },
					...{ 'name.familyName': 'Silva', 'name.givenName': 'Ana' },
				}),
				additionalFields: {
					active: false,
					attributesJson: '{"title": "Engineer", "name": {"middleName": "M", "givenName": "An"}}',
				},
			},
			bodies: [
				{
					...{ schemas: [CORE], ...NEW, active: false, displayName: 'New', emails: MAILS },
					...{ externalId: 'HR-1', title: 'Engineer' },
					name: { familyName: 'Silva', givenName: 'Ana', middleName: 'M' },
				},
			],
			...{ warns: [], ...made, ends: { new: 'inactive' } },
		},
		{
			it: 'neither what the service alone sets nor what has a field, in any case',
			on: account(),
			wish: {
				...NEW,
				additionalFields: {
					active: false,
					attributesJson:
						'{"schemas": ["x"], "id": "user-9", "Groups": [], "meta": {}, "USERNAME": "eve@example.com", "Active": true, "title": "Engineer"}',
				},
			},
			bodies: [{ schemas: [CORE], ...NEW, active: false, title: 'Engineer' }],
			warns: [
				'Left out of Other Attributes: schemas, id, Groups, meta, USERNAME.',
				'The service does not keep title.',
			],
			...{ ...made, ends: { new: 'inactive' } },
		},
		{
			it: 'one request for each of 20 people',
			on: account(),
			wish: { items: Array.from({ length: 20 }, (_, at) => ({ userName: email(`hire${at}`) })) },
			...{ reads: 0, sends: Array(20).fill('POST Users') },
			ends: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`hire${at}`, ''])),
			once: true,
		},
		{
			it: 'who is refused is the only one who fails',
			on: service({ mostEntries: 1 }),
			wish: {
				items: [
					{ userName: email('ana') },
					{ userName: email('ben'), ...json({ emails: MAILS }) },
					{ userName: email('cai') },
				],
			},
			items: [{ userName: email('ana') }, { status: 'failed' }, { userName: email('cai') }],
			fails: [`Could not create user ${email('ben')}: the service answered 400`],
			...{ sends: ['POST Users', 'POST Users', 'POST Users 400'], ends: { ana: '', cai: '' } },
		},
		...[
			['usual', ENTERPRISE],
			['upper', ENTERPRISE.toUpperCase()],
			['lower', ENTERPRISE.toLowerCase()],
		].map(([names, urn]) => ({
			it: `enterprise attributes, shown in ${names} case`,
			on: service({ names }),
			wish: {
				...NEW,
				...mapped({
					...{ [`${ENTERPRISE}:costCenter`]: '4130', [`${ENTERPRISE}:organization`]: 'Holding' },
					[`${ENTERPRISE}:manager.value`]: BOB,
				}),
			},
			items: [{ status: 'done', reason: null, costCenter: '4130', managerId: BOB }],
			...{ bodies: [expect.objectContaining({ schemas: [CORE, ENTERPRISE] })], warns: [], ...made },
			sets: {
				new: {
					[ENTERPRISE]: {
						costCenter: '4130',
						organization: 'Holding',
						manager: { value: BOB },
					},
				},
			},
		})),
		{
			it: 'an extension whose URN stands in the JSON in another case is the same one',
			on: service(),
			wish: {
				...NEW,
				...mapped({ [`${ENTERPRISE}:department`]: 'Marketing' }),
				...json({ [ENTERPRISE.toUpperCase()]: { division: 'Europe' }, [BADGE]: { doors: ['a'] } }),
			},
			bodies: [
				{
					...{ schemas: [CORE, ENTERPRISE.toUpperCase(), BADGE], ...NEW, active: true },
					[ENTERPRISE.toUpperCase()]: { division: 'Europe', department: 'Marketing' },
					[BADGE]: { doors: ['a'] },
				},
			],
			...{ items: [{ doors: ['a'], division: 'Europe', department: 'Marketing' }], ...made },
		},
	]);

	test('a password, also by its URN, is masked in a preview', async () => {
		const wish = { ...NEW, ...json({ [`${CORE}:Password`]: 'hunter2-secret' }), preview: true };
		const [preview] = await play(account()(), ['user', 'create'], wish);
		expect(preview.requests[0].body).toMatchObject({ password: '***' });
		expect(JSON.stringify(preview)).not.toContain('hunter2');
	});
});

describe('emails', () => {
	const mails = (...emails) => [expect.objectContaining({ emails })];
	table('user', 'create', [
		{
			it: 'one given as text is the primary one, for work',
			...{ on: service(), wish: { ...NEW, ...json({ emails: 'a@example.com' }) } },
			...{ bodies: mails({ value: 'a@example.com', type: 'work', primary: true }), ...made },
		},
		{
			it: 'of two, none is made the primary one, and a type stays',
			on: service(),
			wish: {
				...NEW,
				...json({ emails: [{ value: 'a@b.co', type: 'home' }, { value: 'c@b.co' }] }),
			},
			...{ bodies: mails({ value: 'a@b.co', type: 'home' }, { value: 'c@b.co' }), ...made },
		},
		{
			it: 'several in one text are refused',
			...{ on: service(), wish: { ...NEW, ...json({ emails: 'a@example.com, b@example.com' }) } },
			fails: [/^Email "a@example.com, b@example.com" has/],
		},
	]);
	const assign = (value) => (w) => ({
		...{ people: email('new'), ...w.groups('eng'), createMissing: true },
		newUserFields: { emails: { email: value } },
	});
	table('access', 'assign', [
		{
			it: 'Assign: one alone is the primary one, for work',
			...{ on: service(), wish: assign([{ value: 'a@b.co', type: '' }]) },
			bodies: [...mails({ value: 'a@b.co', type: 'work', primary: true }), expect.anything()],
			ends: { new: 'eng' },
		},
		...[
			['externalId', { externalId: 'hr-1' }],
			['emails', { emails: { email: [{ value: 'a@example.com' }] } }],
			['externalId', { attributesJson: '{"ExternalId": "hr-1"}' }],
		].map(([name, newUserFields]) => ({
			it: `Assign: ${name} of several new people: nobody is created`,
			on: service(),
			wish: (w) => ({
				...{ people: `${email('new')}, ${email('newer')}`, createMissing: true },
				...{ ...w.groups('eng'), newUserFields },
			}),
			fails: [`${name} would be the same for 2 people`],
		})),
	]);
});

describe('what cannot be used is not sent', () => {
	table(
		'user',
		'create',
		[
			['', 'The user name is missing'],
			[null, 'The user name is missing'],
			['ana', '"ana" is not an email address'],
			['a@x.org, b@x.org', 'has a blank (U+0020) at position 9'],
			['ana@localhost', 'is not an email address'],
			[NEW.userName, 'Other Attributes is not valid JSON', { attributesJson: '{"title": ' }],
			[NEW.userName, 'Other Attributes is not a JSON object', { attributesJson: '[1]' }],
			[NEW.userName, 'Active is "no"', { active: 'no' }],
		].map(([userName, says, additionalFields = {}]) => ({
			it: `${userName} ${JSON.stringify(additionalFields)}: ${says}`,
			...{ on: account(), wish: { userName, additionalFields }, fails: [says], reads: 0 },
		})),
	);
});

describe('who is there already', () => {
	const bob = { userName: email('bob') };
	const EXISTS = /^User bob@example.com exists already \(ID user-\w+\)/;
	const DEACTIVATED = {
		faults: [
			{ method: 'POST', kind: 'status', status: 409, body: { detail: 'user is deactivated' } },
		],
	};
	let tick = 0;
	/** Another client creates the user; lists and filters show it later. */
	const unlisted = (until) => (scim) => {
		scim.create(NEW.userName);
		scim.indexedAt.set([...scim.users.keys()].at(-1), until);
	};
	table('user', 'create', [
		{
			it: 'is an error',
			...{ on: account(), wish: bob },
			fails: [EXISTS],
			sends: ['POST Users 409'],
		},
		...[account, service].map((kind) => ({
			it: `is an error with what the service says of it: ${kind.name}`,
			on: kind(DEACTIVATED),
			...{
				wish: bob,
				fails: [/^User bob@example.com exists already \(ID \S+\): user is deactivated$/],
			},
			sends: ['POST Users'],
		})),
		{
			it: 'comes back unchanged with If User Exists',
			...{ on: account(), wish: { ...bob, ...EXISTING }, items: ['none bob unchanged'] },
			...{ sends: ['POST Users 409'], once: true },
		},
		{
			it: 'several are looked for together',
			on: () => new Account({ a: '', b: '', c: '', d: '' }, { filter: 'off' }),
			wish: { items: ['a', 'b', 'c', 'd'].map((name) => ({ userName: email(name) })), ...EXISTING },
			items: ['a', 'b', 'c', 'd'].map((name) => `none ${name} unchanged`),
			...{ sends: Array(4).fill('POST Users 409'), reads: 1, once: true },
		},
		...['statusNumber', 'withoutStatus', 'withoutType', 'text', 'html'].map((errors) => ({
			it: `is known by 409 alone, where errors are ${errors}`,
			...{ on: service({ errors }), wish: { ...bob, ...EXISTING }, items: ['none bob unchanged'] },
			...{ sends: ['POST Users 409'], once: true },
		})),
		{
			it: 'and is looked for where lists show it late',
			on: account({ now: () => ++tick }),
			wish: { ...NEW, options: { ...EXISTING.options, verifyTime: 10 } },
			meanwhile: ['POST Users', (scim) => unlisted(tick + 4)(scim)],
			...{ items: ['none new unchanged'], sends: ['POST Users 409'], ends: { new: '' } },
		},
		{
			it: 'and belongs to another account where no list shows it',
			...{ on: account({ now: () => 1 }), wish: { ...NEW, ...EXISTING } },
			...{ meanwhile: ['POST Users', unlisted(2)], fails: ['belongs to another account'] },
			...{ sends: ['POST Users 409'], ends: { new: '' } },
		},
		{
			it: 'is in the preview, as an error',
			...{ on: account(), wish: { ...bob, preview: true } },
			items: [
				{
					requests: [],
					settled: [
						expect.objectContaining({ status: 'failed', reason: expect.stringMatching(EXISTS) }),
					],
				},
			],
		},
		{
			it: 'is in the preview, unchanged',
			...{ on: account(), wish: { ...bob, ...EXISTING, preview: true } },
			items: [{ requests: [], settled: [expect.objectContaining({ status: 'unchanged' })] }],
		},
	]);
});

// RFC 7643 section 4.1.1 makes user names unique, and section 3.1 says when a user was created.
describe('who was there before the run', () => {
	const HR = { externalId: 'HR-1' };
	const there =
		(switches, bob = {}) =>
		() =>
			new Groups(
				{ bob: { id: 'id-bob', has: '', ...HR, ...bob }, ana: { id: 'id-ana', has: 'eng' } },
				{ ids: 'numbered', ...switches },
			);
	const created = { showsCreated: true };
	const bob = { userName: email('bob'), ...mapped(HR) };
	const EXISTS = /^User bob@example.com exists already \(ID /;
	const MET = 'answered the create with a user who was there before';
	const refused = { fails: [EXISTS], sends: ['POST Users 409'] };
	const answered = { takenNames: 'answered' };
	const oneName = (uniqueness) => ({
		takenNames: 'stored',
		discovery: discovered([
			{ id: CORE, attributes: [{ name: 'userName', type: 'string', uniqueness }] },
		]),
	});
	table('user', 'create', [
		{ it: '409, created long ago: no earlier try', on: there(created), wish: bob, ...refused },
		{ it: '409, in a group', on: there({}, { has: 'eng' }), wish: bob, ...refused },
		{
			it: '409, created a moment ago: an earlier try',
			on: () => {
				const world = there(created)();
				const { service } = world;
				service.indexedAt.set(service.byName(email('bob')).id, Date.now() - 60_000);
				return world;
			},
			...{ wish: bob, items: ['none bob unchanged'], sends: ['POST Users 409'], once: true },
		},
		...[
			['created long ago', there({ ...created, ...answered })],
			['in a group', there(answered, { has: 'eng' })],
		].flatMap(([what, on]) => [
			{
				...{ it: `201 with a user ${what}: Fail fails`, on, wish: bob, sends: ['POST Users'] },
				fails: [EXISTS],
			},
			{
				it: `201 with a user ${what}: returned, and said`,
				...{ on, wish: { ...bob, ...EXISTING }, items: ['none bob unchanged'] },
				...{ sends: ['POST Users'], warns: [MET], once: true },
			},
		]),
		{
			it: '201 with a new user, who is in no group',
			on: there({ ...created, ...answered }),
			...{ wish: NEW, items: ['created new done'], warns: [], ...made },
		},
		{
			it: 'names that need not be unique are looked for first: Fail fails',
			...{
				on: there(oneName('none')),
				wish: { userName: email('bob') },
				fails: [EXISTS],
				sends: [],
			},
		},
		{
			it: 'names that need not be unique: no second user is made',
			on: there(oneName('none')),
			...{ wish: { ...bob, ...EXISTING }, items: ['none bob unchanged'] },
		},
		{
			it: 'names that need not be unique: who is new is created',
			on: there(oneName('none')),
			...{ wish: NEW, items: ['created new done'], ...made },
		},
		{
			it: 'once two users of one name were seen, the others are looked for first, too',
			on: () => {
				const twin = (id) => ({ id, has: '', userName: email('ana') });
				const people = { bob: { id: 'id-bob', has: '' }, a: twin('id-1'), b: twin('id-2') };
				return new Groups(people, { takenNames: 'stored', ids: 'numbered' });
			},
			wish: { items: ['ANA', 'bob'].map((name) => ({ userName: email(name) })), ...EXISTING },
			...{ items: [{ status: 'failed' }, 'none bob unchanged'], fails: [/./] },
		},
		{
			it: 'elsewhere no request more',
			on: there(oneName('server')),
			...{ wish: NEW, items: ['created new done'], gets: ['GET Schemas'], ...made },
		},
	]);
	const hidden = { ...answered, ...created, filterMisses: () => true, listsByFilterOnly: true };
	table('user', 'upsert', [
		{
			it: 'Create or Update goes on with the user who was there',
			on: there({ ...answered, ...created, filterMisses: () => true, pageCap: 1 }),
			wish: { userName: email('bob'), ...mapped({ title: 'Boss' }) },
			items: [{ status: 'done', change: 'updated' }],
			...{ sets: { bob: { title: 'Boss' } }, once: true },
		},
	]);
	table('access', 'assign', [
		{
			it: 'Assign gives the user who was there the access, and says so',
			on: there(hidden),
			wish: (w) => ({ people: email('bob'), ...w.groups('eng'), createMissing: true }),
			items: [{ status: 'unchanged' }, 'granted bob eng done'],
			...{ ends: { bob: 'eng' }, once: true },
		},
		{
			it: 'Assign gives nothing to one who was there, inactive',
			on: there(hidden, { has: 'inactive' }),
			wish: (w) => ({ people: email('bob'), ...w.groups('eng'), createMissing: true }),
			...{ fails: ['is inactive', 'needs a step'], sends: ['POST Users'] },
		},
	]);
	const scoped = {
		preview: false,
		createMissing: true,
		unwanted: 'keep',
		scopeGroups: rows('eng'),
	};
	table('access', 'reconcile', [
		{
			it: 'Reconcile gives the user who was there the access',
			on: there(hidden),
			wish: { ...scoped, ...wanted([{ email: email('bob'), group: 'eng' }]) },
			...{
				items: ['none bob unchanged', 'granted bob eng done'],
				ends: { bob: 'eng' },
				once: true,
			},
			...{ sends: ['POST Users', 'PATCH eng'], warns: ['with a user who was there before'] },
		},
	]);
	const fixed = {
		credential: { overrideProfile: true, deletionIsFinal: 'no', userNameCanChange: 'no' },
	};
	const toBob = (w) => ({ user: w.user('ana'), newEmail: email('bob') });
	const NEEDS = 'needs a step';
	table('access', 'changeEmail', [
		{
			it: 'Change Email takes the user who was there for no new account, and the old one keeps everything',
			...{ on: there({ ...hidden, ...fixed }), wish: toBob, sends: ['POST Users'] },
			fails: [EXISTS, NEEDS, NEEDS, NEEDS],
		},
	]);

	test.each([
		['assign', (w) => ({ people: email('bob'), ...w.groups('eng'), createMissing: true }), 0],
		['changeEmail', toBob, 4],
	])('by a plan of %s, before which nobody was there', async (operation, wish, failures) => {
		const world = there({ ...hidden, ...fixed })();
		const { users } = world.service;
		const bobby = users.get('id-bob');
		users.delete('id-bob');
		const fields = { ...wish(world), preview: true };
		const [{ plan }] = await play(world, ['access', operation], fields);
		users.set('id-bob', bobby);
		const items = await play(world, ['access', 'applyPlan'], { changes: 'all', plan });
		expect(errorsIn(items)).toHaveLength(failures);
		expect(world.service.written()[0]).toBe('POST /Users');
		if (failures > 0) expect(errorsIn(items)[0]).toMatch(EXISTS);
		else
			expect(items.flatMap(({ warnings }) => warnings ?? [])).toEqual([
				expect.stringContaining(MET),
			]);
		expect(world.shape()).toEqual({ bob: failures > 0 ? '' : 'eng', ana: 'eng' });
	});
});

// Services have a group that everybody joins, and some do not show when a user was created.
describe('a new user whom the service puts in a group of its own', () => {
	const joins = (people = {}) => {
		const world = new Groups({ bob: 'eng', ...people });
		const { service: scim } = world;
		const create = scim.create.bind(scim);
		scim.create = (...given) => {
			const user = create(...given);
			scim.add('eng', user.id);
			return user;
		};
		return world;
	};
	const IN_GROUPS = ['is in groups already'];
	const isMade = {
		on: () => joins(),
		sends: ['POST Users'],
		ends: { new: 'eng' },
		warns: IN_GROUPS,
	};
	table('user', 'upsert', [
		{
			it: 'was created: a filter found nobody before',
			...{ wish: NEW, items: ['created new done'], ...isMade },
		},
	]);
	table('user', 'reconcile', [
		{
			it: 'was created: the list lacked the user',
			wish: {
				usersFrom: 'json',
				usersJson: JSON.stringify([NEW, { userName: email('bob') }]),
				preview: false,
			},
			...{ items: ['created new done'], ...isMade },
		},
		{
			it: 'nothing is said where the list shows inactive users',
			wish: {
				usersFrom: 'json',
				usersJson: JSON.stringify([
					NEW,
					{ userName: email('bob') },
					{ userName: email('cid'), active: false },
				]),
				preview: false,
			},
			...{
				items: ['created new done'],
				...isMade,
				on: () => joins({ cid: 'inactive' }),
				warns: [],
			},
		},
	]);
	table('access', 'assign', [
		{
			it: 'was created, and gets the rest',
			on: () => joins(),
			wish: (w) => ({ people: email('new'), ...w.groups('eng'), createMissing: true }),
			...{ items: ['created new done', { status: 'done' }], ends: { new: 'eng' } },
			warns: IN_GROUPS,
		},
	]);
});

describe('answers that prove nothing', () => {
	const SCIM_ERROR = {
		...{ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '400' },
		...{ detail: 'No such thing', scimType: 'invalidValue' },
	};
	const lost = fault('reset-after');
	const given = (values) => ({ ...NEW, ...mapped(values) });
	/** By the first read, the user has another external ID. */
	const theirs = (scim) => {
		const user = scim.byName(NEW.userName);
		if (user) scim.store({ ...user, attributes: { externalId: 'theirs' } });
	};
	table('user', 'create', [
		{
			it: 'lost: a user name alone is no proof',
			...{ on: account(lost), wish: NEW },
			fails: [
				`Could not confirm: create user ${NEW.userName}: the answer was lost; a user of this name is there`,
			],
			...made,
		},
		...[{ 'name.givenName': 'New' }, { externalId: 'HR-9' }].flatMap((values) => [
			{
				it: `lost: ${JSON.stringify(values)} that is shown is proof`,
				...{ on: account(lost), wish: given(values), items: ['created new done'], ...made },
			},
			{
				it: `500 although the user was stored: ${JSON.stringify(values)} is proof`,
				...{ on: account(fault('500-after')), wish: given(values), items: ['created new done'] },
				...made,
			},
		]),
		{
			it: 'lost: a user with another external ID is not ours',
			...{ on: account(lost), wish: given({ externalId: 'ours', 'name.givenName': 'New' }) },
			...{ meanwhile: ['GET Users', theirs], fails: ['Could not confirm'], ...made },
		},
		{
			it: 'a connection that breaks before the write: sent again, once nobody was found',
			...{ on: account(fault('reset-before')), wish: NEW, items: ['created new done'] },
			...{ ...made, sends: ['POST Users', 'POST Users'], reads: 1 },
		},
		{
			it: 'lost or refused now and then: nobody is created twice, nobody left out',
			on: account({
				faults: [
					{ method: 'POST', every: 3, kind: 'reset-before' },
					{ method: 'POST', every: 5, kind: '429' },
				],
			}),
			wish: { items: [1, 2, 3, 4].map((at) => ({ userName: email(`new${at}`) })) },
			items: [1, 2, 3, 4].map((at) => `created new${at} done`),
			...{ sends: Array(7).fill('POST Users'), ends: { new1: '', new2: '', new3: '', new4: '' } },
			once: true,
		},
		{
			it: '500 with a web page: its title, without tags',
			on: account({ faults: [{ method: 'POST', kind: '500-html' }] }),
			wish: { ...NEW, requests: { maxWait: 0 } },
			fails: [
				`Could not confirm: create user ${NEW.userName}: the service did not show it (Could not create user ${NEW.userName}: the service answered 500, 500 Internal Server Error)`,
			],
			sends: ['POST Users'],
		},
		...['withoutId', 'empty'].map((createAnswer) => ({
			it: `201 ${createAnswer}: looked up until it shows`,
			...{ on: service({ createAnswer, lagReads: 2 }), wish: NEW },
			...{ items: [{ status: 'done', userId: expect.any(String) }], ...made },
		})),
		{
			it: '200 {} to what was done: done',
			...{ on: service({ ...fault('status', { status: 200, body: {}, write: true }) }), wish: NEW },
			...{ items: ['created new done'], ...made },
		},
		{
			it: 'a SCIM Error within a 200 is one',
			...{ on: service(fault('status', { status: 200, body: SCIM_ERROR })), wish: NEW },
			fails: [/: the service answered 400, No such thing \(invalidValue\)$/],
			sends: ['POST Users'],
		},
		{
			it: '200 {} to what was not done: an error, and not sent again',
			...{ on: service({ ...fault('status', { status: 200, body: {} }) }), wish: NEW },
			...{ fails: ['Could not confirm: create user'], sends: ['POST Users'] },
		},
		...['undefined', 'absent'].map((active) => ({
			it: `\`active\` as "${active}" after create is no error`,
			...{ on: service({ active }), wish: NEW },
			...{ items: [expect.not.objectContaining({ active: expect.anything() })], ...made },
		})),
		...[
			[{ active: 'absent' }, 'inactive'],
			[{ onWrite: ({ body }) => void (body.active = true) }, ''],
		].map(([switches, has]) => ({
			it: `inactive that is not seen so is more than a warning: ${Object.keys(switches)}`,
			...{ on: service(switches), wish: { ...NEW, additionalFields: { active: false } } },
			...{ fails: [/Could not confirm.*active/], ...made, ends: { new: has } },
		})),
		{
			it: 'what is only repeated by the answer is not kept, and that is said',
			...{ on: account(), wish: given({ displayName: 'New' }) },
			...{ warns: ['The service does not keep displayName.'], ...made },
		},
		{
			it: 'an extension that the service does not keep is not done',
			on: service({ onWrite: ({ body }) => void delete body[ENTERPRISE] }),
			wish: given({ [`${ENTERPRISE}:department`]: 'Marketing' }),
			...{ fails: [`does not show the wanted ${ENTERPRISE}`], ...made },
		},
	]);
});

// A service says what new users must have: by its profile (AWS), or in /Schemas. Nothing is sent of those who lack it.
describe('what the service requires', () => {
	const must = (name, more) => ({ name, required: true, ...more });
	const readOnly = { mutability: 'readOnly' };
	const name = [must('givenName'), must('familyName'), { name: 'formatted', required: false }];
	const attributes = [
		...[must('id', readOnly), must('userName'), must('displayName'), must('groups', readOnly)],
		must('name', { subAttributes: name }),
		{ name: 'photos', multiValued: true, subAttributes: [must('value')] },
	];
	const BY_SCHEMAS = {
		...{
			requires: DIALECTS.aws.switches.requires,
			discovery: discovered([{ id: CORE, attributes }]),
		},
		credential: { overrideProfile: true, userNameCanChange: 'no' },
	};
	const BY_PROFILE = {
		...{ ...DIALECTS.aws.switches, credential: { serviceProfile: 'awsIdentityCenter' } },
	};
	const nameless = () => new Groups({ bob: { has: 'eng', displayName: '' } }, BY_SCHEMAS);
	const FIELDS = { displayName: 'New', givenName: 'Ana', familyName: 'Silva' };
	const PATHS = { displayName: 'New', 'name.givenName': 'Ana', 'name.familyName': 'Silva' };
	const LACK = `${email('poor')} cannot be created: the service requires name.givenName, name.familyName`;
	const both = [
		{ ...NEW, ...mapped(PATHS) },
		{ userName: email('poor'), ...mapped({ displayName: 'Poor' }) },
	];

	describe.each([
		['as its profile says', BY_PROFILE],
		['as /Schemas says', BY_SCHEMAS],
	])('%s', (_, switches) => {
		const users = {
			...{ it: 'the one goes, the other is not sent', on: service(switches), fails: [LACK] },
		};
		const created = { ends: { new: '' } };
		const granted = {
			...{ fails: [LACK, LACK], ends: { new: 'eng' } },
		};
		table('user', 'create', [{ ...users, wish: { items: both }, ...created }]);
		table('user', 'upsert', [{ ...users, wish: { items: both }, ...created }]);
		table('access', 'assign', [
			{
				...users,
				it: 'Assign: likewise, and no membership of the other',
				wish: (w) => ({
					...{ ...w.groups('eng'), createMissing: true },
					items: [
						{ people: NEW.userName, newUserFields: FIELDS },
						{ people: email('poor'), newUserFields: { displayName: 'Poor' } },
					],
				}),
				...granted,
			},
		]);
		table('access', 'reconcile', [
			{
				...users,
				it: 'Reconcile: likewise',
				wish: () => ({
					...{ preview: false, accessBy: 'group', wantedFrom: 'json', createMissing: true },
					...{ scopeGroups: { group: [{ group: 'eng' }] }, unwanted: 'keep' },
					wantedJson: [
						{
							...{ email: NEW.userName, group: 'eng', displayName: 'New' },
							name: { givenName: 'Ana', familyName: 'Silva' },
						},
						{ email: email('poor'), group: 'eng', displayName: 'Poor' },
					],
					accessColumns: { attributes: 'displayName, name' },
				}),
				...granted,
			},
		]);
	});

	table('access', 'changeEmail', [
		{
			it: 'Change Email: no new account that lacks something, and the old one stays',
			...{ on: nameless, wish: (w) => ({ user: w.user('bob'), newEmail: email('bob.neu') }) },
			fails: Array(4).fill('the service requires displayName'),
		},
	]);
	table('user', 'create', [
		{
			it: 'not of who exists, with If User Exists',
			on: nameless,
			...{ wish: { userName: email('bob'), ...EXISTING }, items: ['none bob unchanged'] },
		},
		...[[{ type: 'work' }], [''], []].map((emails) => ({
			it: `emails ${JSON.stringify(emails)} are none`,
			on: service({ credential: { serviceProfile: 'github' } }),
			wish: { ...NEW, ...json({ externalId: 'e-1', emails }) },
			fails: ['the service requires emails'],
		})),
		...[
			['an extension of all users is required', true, [], false],
			['of an extension of some, the rest is required', false, ['color'], false],
			['an extension of all users, given', true, ['level'], true],
			['an extension of some, given as a whole', false, ['level', 'color'], true],
			['an extension of some is not required', false, [], true],
		].map(([it, required, values, goes]) => ({
			it,
			on: service({
				discovery: {
					...discovered([
						{ id: CORE, attributes: [must('userName')] },
						{ id: BADGE, attributes: [must('level'), { name: 'color' }] },
					]),
					ResourceTypes: {
						Resources: [{ schema: CORE, schemaExtensions: [{ schema: BADGE, required }] }],
					},
				},
			}),
			wish: {
				...NEW,
				...mapped(Object.fromEntries(values.map((one) => [`${BADGE}:${one}`, 'A']))),
			},
			...(goes
				? made
				: { fails: [`${NEW.userName} cannot be created: the service requires ${BADGE}:level`] }),
		})),
	]);
});

describe('the 201 of a create with a user who was there, in a group', () => {
	const there = (switches) => () =>
		new Groups(
			{ bob: { id: 'id-bob', has: 'vpn', externalId: 'HR-1' }, ana: { id: 'id-ana', has: 'eng' } },
			{
				...{
					ids: 'numbered',
					takenNames: 'answered',
					credential: { ...UNDOABLE, userNameCanChange: 'no' },
				},
				...{ filterMisses: () => true, listsByFilterOnly: true, ...switches },
			},
		);
	table('access', 'changeEmail', {
		it: 'Change Email: no new account, and the old one keeps everything',
		on: there(),
		wish: (w) => ({ user: w.user('ana'), newEmail: email('bob') }),
		...{
			fails: [/exists already/, 'needs a step', 'needs a step', 'needs a step'],
			sends: ['POST Users'],
		},
	});
	table('access', 'assign', {
		it: 'Assign: a warning',
		on: there(),
		wish: (w) => ({ people: email('bob'), ...w.groups('eng'), createMissing: true }),
		...{
			items: [{ status: 'unchanged' }, 'granted bob eng done'],
			ends: { bob: 'eng vpn' },
			once: true,
		},
		warns: ['answered the create with a user who was there before'],
	});
});

'use strict';

const { Account, Groups, email, play, table } = require('../support/behavior');
const { CORE, ENTERPRISE, discovered } = require('../support/schemas');
const { mapped } = require('../support/node');

const BADGE = 'urn:example:params:2.0:Badge';
const WORK = { value: email('ana'), type: 'work', primary: true };
const HOME = { value: 'ana@home.test', type: 'Home' };
const replaced = (values) =>
	Object.entries(values).map(([path, value]) => ({ op: 'replace', path, value }));
const text = (attributes) => ({ attributesJson: JSON.stringify(attributes) });
const patched = { sends: ['PATCH ana'] };

/** What is given to Update, and to Create or Update, by the operation. */
const GIVEN = {
	update:
		({ attributesJson, ...more }, attributes = {}) =>
		(w) => ({
			...{ user: w.user('ana'), ...mapped({ ...attributes, ...more }) },
			options: attributesJson === undefined ? {} : { attributesJson },
		}),
	upsert: (more, attributes = {}) => ({
		...{ userName: email('ana'), additionalFields: more, ...mapped(attributes) },
	}),
};
const { update, upsert } = GIVEN;
const by = (way, more, attributes) => (w) => {
	const { options, ...fields } = update(more, attributes)(w);
	return { ...fields, options: { ...options, updateWith: way } };
};
const service =
	(ana = {}, more = {}) =>
	() =>
		new Groups({ ana: { has: 'eng', ...ana }, bob: 'eng' }, more);
const BOB = service()().userId('bob');
/** Ana is there without attributes: those that the account keeps are her name, emails and external ID. */
const account = (more) => () =>
	new Account(
		{
			bob: 'a:admin',
			ana: { has: 'a:viewer', name: undefined, emails: [WORK], displayName: undefined },
		},
		more,
	);

describe.each(Object.entries(GIVEN))('%s clears', (operation, given) => {
	const start = (more) =>
		service({ emails: [WORK, HOME], [BADGE]: { level: 'L1', color: 'C1' } }, more);
	table('user', operation, [
		...[
			['emails[type eq "work"]', { emails: [HOME] }],
			['emails[type eq "home"]', { emails: [WORK] }],
			['emails[primary eq true]', { emails: [HOME] }],
			['emails[type eq "work"].primary', { emails: [{ ...WORK, primary: undefined }, HOME] }],
			['name.givenName', { name: { familyName: 'X' } }],
			[`${BADGE}:level`, { [BADGE]: { color: 'C1' } }],
		].map(([path, after]) => ({
			it: path,
			...{ on: start(), wish: given(text({ [path]: null })) },
			...{ items: [{ status: 'done', reason: null }], ...patched, ops: [{ op: 'remove', path }] },
			sets: { ana: after },
		})),
		{
			it: 'an extension by its attributes, since no path leads to it',
			...{ on: start(), wish: given(text({ [BADGE]: null })), items: [{ status: 'done' }] },
			...patched,
			ops: ['level', 'color'].map((name) => ({ op: 'remove', path: `${BADGE}:${name}` })),
			sets: { ana: { [BADGE]: {} } },
		},
		{
			it: 'nothing of what is not there',
			on: start(),
			wish: given(
				text({
					...{ 'emails[type eq "other"]': null, nickName: null, 'name.middleName': null },
					[`${BADGE}:x`]: null,
				}),
			),
			items: [{ status: 'unchanged' }],
		},
		...[
			'emails[type ne "work"]',
			'emails[type eq "a" or type eq "b"]',
			'emails[type eq "\\q"]',
		].map((path) => ({
			it: `nothing that cannot be seen gone: ${path}`,
			...{ on: start(), wish: given(text({ [path]: null, title: 'Boss' })) },
			fails: [`${path} cannot be cleared`],
		})),
		{
			it: 'and a removal that the service passes over is no success',
			on: start({ skipsRemove: true }),
			wish: given(text({ 'emails[type eq "work"]': null })),
			...{ items: [{ status: 'unverified' }], fails: [/^Could not confirm/], ...patched },
		},
	]);
});

// An attribute is the same with and without the URN of its schema, in any case (RFC 7644 section 3.10).
describe('names of attributes', () => {
	const OF_ACTIVE = [
		...['active', 'Active', 'ACTIVE', ' active ', `${CORE}:active`, `${CORE}:ACTIVE`],
		...[`${CORE.toUpperCase()}:Active`, `${CORE}:${CORE}:active`, `${CORE} : active`],
		`${CORE}::active`,
	];
	const NEVER = [
		...[`${CORE}:groups`, `${CORE.toUpperCase()}:GROUPS`, 'groups[type eq "direct"]'],
		...['groups.value', `${CORE}:id`, `${CORE}:meta`, `${CORE}:schemas`, CORE],
		...['active[value eq "x"]', 'active.value'],
	];
	const admin = () => new Account({ ana: { has: 'a:admin', displayName: undefined } });
	for (const [operation, given] of Object.entries(GIVEN)) {
		table('user', operation, [
			...OF_ACTIVE.map((name) => ({
				it: `${operation}: ${name} is guarded`,
				...{ on: admin, wish: given(text({ [name]: false })), fails: ['without an active admin'] },
			})),
			{
				it: `${operation}: never sent, which is said: ${NEVER.join(', ')}`,
				on: admin,
				wish: given(
					text({ ...Object.fromEntries(NEVER.map((name) => [name, []])), externalId: 'H' }),
				),
				...{ warns: [`Left out of Other Attributes: ${NEVER.join(', ')}.`], ...patched },
				...{ ops: replaced({ externalId: 'H' }), sets: { ana: { externalId: 'H' } } },
			},
		]);
	}
	table('user', 'create', [
		{
			it: `create: never sent, which is said: ${NEVER.join(', ')}`,
			on: admin,
			wish: {
				userName: email('new'),
				additionalFields: text(Object.fromEntries(NEVER.map((name) => [name, []]))),
			},
			...{ warns: [`Left out of Other Attributes: ${NEVER.join(', ')}.`], sends: ['POST Users'] },
			bodies: [{ schemas: [CORE], userName: email('new'), active: true }],
			...{ ends: { new: '' }, once: true },
		},
	]);
	table('user', 'update', [
		{
			it: 'active by its URN is set where no guard forbids it',
			...{ on: account(), wish: update(text({ [`${CORE}:active`]: false })), ...patched },
			ends: { ana: 'inactive' },
		},
		{
			it: 'a user name by its URN is refused like the user name',
			...{ on: account(), wish: update(text({ [`${CORE}:userName`]: 'other@example.com' })) },
			fails: ['cannot be changed to other@example.com'],
		},
	]);
});

/** A PATCH or PUT that leaves the user active. */
function staysActive(body) {
	if (body.Operations) body.Operations[0].value = true;
	else body.active = true;
}

describe('Update', () => {
	const EMAILS = [{ value: 'ana@home.example', primary: true, type: 'home' }];
	table('user', 'update', [
		{
			it: 'sends what is given, part by part, and nothing else',
			on: account(),
			wish: update(
				{ active: false, attributesJson: '{"groups": [], "id": "user-9"}' },
				{ displayName: 'Ana', emails: EMAILS, 'name.givenName': 'Ana' },
			),
			...patched,
			bodies: [
				{
					schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
					Operations: replaced({
						...{ active: false, emails: EMAILS, displayName: 'Ana', 'name.givenName': 'Ana' },
					}),
				},
			],
			warns: [
				'Left out of Other Attributes: groups, id.',
				'The service does not keep displayName.',
			],
			...{ reads: ['GET ana', 'GET Groups'], ends: { ana: 'inactive' } },
			sets: {
				ana: { emails: [{ ...WORK, primary: undefined }, ...EMAILS], name: { givenName: 'Ana' } },
			},
			once: true,
		},
		...[{}, text({ name: {} }), text({}), text({ groups: [], schemas: [] })].map((fields) => ({
			it: `of nothing is an error: ${JSON.stringify(fields)}`,
			...{ on: account(), wish: update(fields), fails: [/^There is nothing to update$/], reads: 0 },
		})),
		{
			it: 'sends an empty text as it is',
			...{ on: service({ title: 'Boss' }), wish: update(text({ title: '' })), ...patched },
			...{ ops: replaced({ title: '' }), sets: { ana: { title: '' } } },
		},
		{
			it: 'sends no value by a filter that is so already',
			on: service({ emails: [WORK] }),
			wish: update(text({ 'emails[type eq "work"].value': email('ANA') })),
			items: [{ status: 'unchanged' }],
		},
		...['patch', 'put'].map((way) => ({
			it: `by ${way} keeps the type of an email`,
			on: service({ emails: [{ value: 'a@example.com', type: 'home', primary: true }] }),
			wish: by(way, text({ emails: 'b@example.com' })),
			sets: { ana: { emails: [{ value: 'b@example.com', type: 'home', primary: true }] } },
			once: way === 'put',
		})),
		...['usual', 'upper', 'lower'].map((names) => ({
			it: `one operation for each attribute of an extension, shown in ${names} case`,
			on: service({ [ENTERPRISE]: { department: 'Sales', costCenter: '1' } }, { names }),
			wish: update(
				{},
				{ [`${ENTERPRISE}:department`]: 'Law', [`${ENTERPRISE}:manager.value`]: BOB },
			),
			...patched,
			ops: replaced({
				[`${ENTERPRISE}:department`]: 'Law',
				[`${ENTERPRISE}:manager`]: { value: BOB },
			}),
			sets: {
				ana: { [ENTERPRISE]: { department: 'Law', costCenter: '1', manager: { value: BOB } } },
			},
		})),
		...['patch', 'put'].map((way) => ({
			it: `by ${way} of one extension leaves the others, and its other attributes`,
			on: service({ [BADGE]: { badge: 'B-1', floor: 3 }, [ENTERPRISE]: { division: 'EU' } }),
			wish: by(way, text({ [BADGE]: { badge: 'B-17', doors: ['a'] } })),
			sends: [`${way.toUpperCase()} ana`],
			sets: { ana: { [BADGE]: { badge: 'B-17', floor: 3, doors: ['a'] } } },
			once: way === 'put',
		})),
		{
			it: 'that changes nothing of an extension is not claimed',
			on: service(
				{ [ENTERPRISE]: { department: 'Sales' } },
				{ faults: ['PATCH', 'PUT'].map((method) => ({ method, kind: 'dropped' })) },
			),
			wish: update({}, { [`${ENTERPRISE}:department`]: 'Law' }),
			...{ fails: [`does not show the wanted ${ENTERPRISE}`], sends: ['PATCH ana', 'PUT ana'] },
		},
		...[
			[{ active: 'absent' }, 'inactive eng'],
			[{ onWrite: ({ body }) => staysActive(body) }, 'eng'],
		].map(([switches, has]) => ({
			it: `to inactive that is not seen is more than a warning: ${Object.keys(switches)}`,
			...{ on: service({}, switches), wish: update({ active: false }) },
			fails: [/Could not confirm.*active/],
			ends: { ana: has },
		})),
		...['patch', 'put'].map((way) => ({
			it: `on the account by ${way} says nothing of what is shown`,
			on: account(),
			wish: by(
				way,
				{},
				{ ...{ 'name.givenName': 'A', externalId: 'H' }, emails: [{ value: 'h@b.co' }] },
			),
			items: [{ status: 'done', givenName: 'A', externalId: 'H' }],
			...{ warns: way === 'put' ? ['ETag'] : [], sends: [`${way.toUpperCase()} ana`] },
			...(way === 'put' && {
				bodies: [
					{
						...{ schemas: [CORE], userName: email('ana'), active: true, externalId: 'H' },
						name: { givenName: 'A' },
						emails: [{ value: 'h@b.co', primary: true, type: 'work' }],
					},
				],
			}),
			sets: { ana: { name: { givenName: 'A' }, externalId: 'H', emails: expect.any(Array) } },
			once: true,
		})),
	]);
});

describe('Update With Whole User', () => {
	const shown = {
		...{
			nickName: null,
			colour: 'green',
			profileUrl: '',
			photos: [{ value: '' }, { value: null }],
		},
		...{ name: { givenName: 'Ana', familyName: null, middleName: 'M' } },
		addresses: [{ country: null, locality: 'Riga' }, null],
	};
	const put = { sends: ['PUT ana'], once: true };
	table('user', 'update', [
		{
			it: 'sends it without meta, groups and nulls, keeps the rest, and active as a boolean',
			on: service({ ...shown, has: 'inactive eng' }, { active: 'text', emails: 'list' }),
			wish: by('put', {}, { displayName: 'Ana S.', 'name.givenName': 'Anna' }),
			...{ items: [{ active: false, status: 'done' }], ...put, reads: ['GET ana', 'GET ana'] },
			bodies: [
				{
					...{ schemas: [CORE], id: expect.any(String), userName: email('ana'), active: false },
					displayName: 'Ana S.',
					...{ colour: 'green', profileUrl: '', emails: [{ value: email('ana'), primary: true }] },
					...{ name: { givenName: 'Anna', middleName: 'M' }, photos: [{ value: '' }] },
					addresses: [{ locality: 'Riga' }],
				},
			],
			sets: {
				ana: {
					...{ displayName: 'Ana S.', nickName: undefined, photos: [{ value: '' }] },
					...{ name: { givenName: 'Anna', middleName: 'M' }, addresses: [{ locality: 'Riga' }] },
				},
			},
		},
		{
			it: 'that switched the user on is not passed over',
			on: service({ has: 'inactive eng' }, { onWrite: ({ body }) => void (body.active = true) }),
			wish: by('put', {}, { displayName: 'Ana S.' }),
			...{ fails: ['the service shows active true'], ...put, ends: { ana: 'eng' } },
			sets: { ana: { displayName: 'Ana S.' } },
		},
		{
			it: 'that changed nothing is not claimed',
			on: service({}, { faults: [{ method: 'PUT', kind: 'dropped' }] }),
			wish: by('put', { active: false }),
			...{ fails: [/^Could not confirm: replace user ana@example.com/], ...put },
		},
		...[
			['usual', 'costCenter'],
			['upper', 'COSTCENTER'],
			['lower', 'costcenter'],
		].map(([names, cost]) => ({
			it: `has each extension once, shown in ${names} case`,
			on: service(
				{
					...{ emails: undefined, name: undefined },
					[ENTERPRISE]: { department: 'Sales', costCenter: '1' },
				},
				{ names },
			),
			...{ wish: by('put', {}, { [`${ENTERPRISE}:department`]: 'Law' }), ...put },
			bodies: [
				{
					...{ schemas: [expect.stringMatching(/core/i), expect.stringMatching(/enterprise/i)] },
					...{ id: expect.any(String), userName: email('ana'), active: true, displayName: 'ana' },
					[ENTERPRISE]: { [cost]: '1', department: 'Law' },
				},
			],
			...{ once: true, sets: { ana: { [ENTERPRISE]: { [cost]: '1', department: 'Law' } } } },
		})),
		...[null, 'x@example.com'].map((value) => ({
			it: `takes no path with a filter: ${value}`,
			...{ on: service(), wish: by('put', text({ 'emails[type eq "work"].value': value })) },
			fails: ['chooses among values'],
		})),
	]);
});

describe('Create or Update', () => {
	const SILVA = { 'name.givenName': 'Ana', 'name.familyName': 'Silva', externalId: 'HR-1' };
	const KEPT = { name: { givenName: 'Ana', familyName: 'Silva' }, externalId: 'HR-1' };
	const displayName = 'The service does not keep displayName.';
	table('user', 'upsert', [
		{
			it: 'writes what is different, and says what the account does not keep, each time',
			...{ on: account(), wish: upsert({}, { ...SILVA, displayName: 'Ana S.' }) },
			items: [{ status: 'done', givenName: 'Ana', familyName: 'Silva', externalId: 'HR-1' }],
			...{ warns: [displayName], ...patched, sets: { ana: KEPT } },
		},
		{
			it: 'without a filter: one listing for all, and the writes',
			on: account({ filter: 'off' }),
			wish: { items: ['ana', 'bob', 'x1', 'x2', 'x3'].map((name) => ({ userName: email(name) })) },
			...{ reads: 1, ends: { x1: '', x2: '', x3: '' } },
		},
		{
			it: 'what the account does not keep is not sent for an existing user',
			...{ on: account(), wish: upsert({}, { displayName: 'Ana S.' }) },
			...{ items: [{ status: 'unchanged' }], warns: [displayName] },
			reads: ['GET Users', 'GET ana'],
		},
		{
			it: 'an answer older than the write is no sign of a service that keeps nothing',
			...{ on: account({ patchAnswers: 'stale' }), wish: upsert({}, SILVA) },
			...{ items: [{ status: 'done', familyName: 'Silva' }], warns: [], ...patched },
			sets: { ana: KEPT },
		},
		{
			it: 'what the service keeps of users and not of this one is not done',
			on: account({ faults: [{ method: 'PATCH', kind: 'dropped' }] }),
			...{ wish: upsert({}, SILVA), fails: [/^Could not confirm: update user .*name/], ...patched },
		},
		...[[], [{ value: 'Ana@example.com' }], [{ value: email('ana'), type: 'home' }]].map(
			(emails) => ({
				it: `the login email that is shown is no difference to ${JSON.stringify(emails)}`,
				...{ on: account(), wish: upsert({}, { emails }), items: [{ status: 'unchanged' }] },
			}),
		),
		{
			it: 'another email beside the login email is written once',
			on: account(),
			wish: upsert({}, { emails: [{ value: 'h@b.co', type: 'home', primary: false }] }),
			...{ items: [{ status: 'done' }], ...patched },
			sets: { ana: { emails: [WORK, { value: 'h@b.co', type: 'home', primary: false }] } },
		},
		{
			it: 'one email alone is no difference where no flag is kept',
			on: service({ emails: [{ value: 'a@example.com' }] }),
			wish: upsert({}, { emails: [{ value: 'a@example.com' }] }),
			items: [{ status: 'unchanged' }],
		},
		...[false, true].map((drops) => ({
			it: `the type of an email is work${drops ? ', also where it is dropped' : ''}`,
			on: () =>
				new Groups(
					{ bob: 'eng' },
					{ onWrite: ({ body }) => void (drops && body.emails.forEach((one) => delete one.type)) },
				),
			wish: { userName: email('ana'), additionalFields: text({ emails: 'a@example.com' }) },
			...{ items: [{ status: 'done' }], ends: { ana: '' } },
			sets: {
				ana: {
					emails: [{ value: 'a@example.com', ...(!drops && { type: 'work' }), primary: true }],
				},
			},
		})),
		{
			it: 'goes on with a user who came while the answer to the create was lost',
			on: () =>
				new Account(
					{ bob: 'a:admin' },
					{ faults: [{ method: 'POST', kind: 'reset-after', times: 1 }] },
				),
			wish: upsert({}, { externalId: 'ours' }),
			meanwhile: [
				'GET Users',
				(scim) => {
					const user = scim.byName(email('ana'));
					if (user) scim.store({ ...user, attributes: { externalId: 'theirs' } });
				},
				2,
			],
			items: [{ status: 'done', externalId: 'ours' }],
			...{ ends: { ana: '' }, sets: { ana: { externalId: 'ours' } } },
		},
		...['usual', 'upper', 'lower'].map((names) => ({
			it: `what is so already of an extension is left alone, shown in ${names} case`,
			on: service({ [ENTERPRISE]: { department: 'Law', manager: { value: BOB } } }, { names }),
			wish: upsert(
				{},
				{ [`${ENTERPRISE}:department`]: 'Law', [`${ENTERPRISE}:manager.value`]: BOB },
			),
			items: [{ status: 'unchanged' }],
		})),
	]);
});

describe('Create or Update of what is not shown', () => {
	const wish = upsert(text({ nickName: 'An' }), {
		...{ externalId: 'HR-1', [`${ENTERPRISE}:department`]: 'Sales', title: 'Boss' },
	});
	/** Of which no text can be made. */
	const ODD = { toString: 1 };
	const schemas = (...names) => ({
		discovery: discovered([
			{ id: ODD },
			{ id: CORE, attributes: [...names, ODD].map((name) => ({ name })) },
		]),
	});
	const HR = { externalId: 'HR-1' };
	const withoutTitle = ({ body }) => {
		for (const one of body.Operations) if (one.path === 'title') one.path = 'elsewhere';
	};
	table('user', 'upsert', [
		{
			it: 'it is sent where the service does not describe itself',
			on: service(HR, { onWrite: withoutTitle }),
			wish: { ...wish, requests: { verifyTime: 0 } },
			...{ fails: [/^Could not confirm: .* the wanted title$/], ...patched },
			ops: expect.arrayContaining(
				replaced({ title: 'Boss', nickName: 'An', [`${ENTERPRISE}:department`]: 'Sales' }),
			),
			reads: ['GET Users', 'GET Schemas 404', 'GET ana'],
			sets: { ana: { nickName: 'An', [ENTERPRISE]: { department: 'Sales' }, elsewhere: 'Boss' } },
		},
		{
			it: 'except what its schemas leave out, which is said',
			...{ on: service(HR, schemas('userName', 'NickName')), wish },
			...{ warns: [/does not keep department, title\./], ...patched },
			...{ ops: replaced({ nickName: 'An' }), sets: { ana: { nickName: 'An' } } },
		},
		{
			it: 'external ID and active are sent, although no schema has them',
			on: service({}, { active: 'absent', ...schemas('userName') }),
			...{ wish: upsert({ active: false }, HR), fails: [/active/], ...patched },
			ops: expect.arrayContaining(replaced({ active: false, ...HR })),
			...{ ends: { ana: 'inactive eng' }, sets: { ana: HR } },
		},
		...[
			[{ additionalFields: { active: true } }, 0],
			[mapped({ nickName: 'Somebody' }), 1],
		].map(([fields, schemaReads]) => ({
			it: `the schemas are read once for all, and only where a user lacks something: ${schemaReads}`,
			on: service({}, schemas('userName')),
			wish: { ...fields, items: ['ana', 'bob'].map((name) => ({ userName: email(name) })) },
			items: ['none ana unchanged', 'none bob unchanged'],
			reads: ['GET Users', 'GET Users', ...Array(schemaReads).fill('GET Schemas')],
		})),
	]);
});

describe('warnings of many name their users', () => {
	const HAS = { title: 'Clerk', has: 'inactive' };
	const world = (switches) =>
		new Groups({ ana: HAS, ben: HAS, cid: { title: 'Clerk', has: '' } }, switches);
	const run = async (operation, w, more) => {
		const items = ['ana', 'ben', 'cid'].map((name) => ({
			user: w.user(name),
			userName: email(name),
		}));
		return await play(w, ['user', operation], { ...mapped({ title: 'Lead' }), ...more }, items);
	};
	const ofBoth = (words) => [`${email('ana')} ${words}`, `${email('ben')} ${words}`];

	test('in a plan', async () => {
		const [{ warnings }] = await run('upsert', world(), { preview: true });
		expect(warnings).toEqual(
			ofBoth('is inactive and cannot sign in. Activate the user, or set Active.'),
		);
	});

	test('of what the service has made of a value', async () => {
		const onWrite = ({ body }) => {
			for (const one of body.Operations) if (one.path === 'title') one.value = 'Chief';
		};
		const items = await run('update', world({ onWrite }));
		expect(items.map(({ warnings }) => warnings.at(-1))).toEqual(
			['ana', 'ben', 'cid'].map(
				(name) => `The service shows title "Chief" instead of "Lead" for ${email(name)}.`,
			),
		);
	});
});

describe('what a saved workflow has where it was before', () => {
	const saved = (updateFields, shown = {}) => ({ updateFields, ...shown });
	test.each([
		['counts', saved(text({ title: 'Lead' })), { title: 'Lead' }, true],
		[
			'loses to JSON',
			saved(text({ title: 'Old' }), { options: text({ title: 'T' }) }),
			{ title: 'T' },
			true,
		],
		['switches off', saved({ active: false }, mapped({ title: 'T' })), { title: 'T' }, false],
		[
			'loses to Active',
			saved({ active: false }, mapped({ title: 'T', active: true })),
			{ title: 'T' },
			true,
		],
	])('%s, and is told', async (_, wish, attributes, isActive) => {
		const w = new Groups({ ana: '' });
		const [item] = await play(w, ['user', 'update'], { user: w.user('ana'), ...wish });
		expect(item).toMatchObject({
			status: 'done',
			warnings: [expect.stringContaining('saved with')],
		});
		expect(w.service.byName(email('ana'))).toMatchObject({ active: isActive, attributes });
	});

	test('is nothing where it is null', async () => {
		const w = new Groups({ ana: '' });
		const wish = { user: w.user('ana'), ...mapped({ title: 'T' }), updateFields: null };
		const [item] = await play(w, ['user', 'update'], wish);
		expect(item).toMatchObject({ status: 'done', userName: email('ana') });
		expect(item.warnings).toBeUndefined();
	});
});

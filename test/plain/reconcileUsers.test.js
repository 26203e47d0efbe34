'use strict';

require('../support/noWaiting');
const { matchOn } = require('../support/columns');
const { USER_SCHEMAS, discovered } = require('../support/schemas');
const {
	ID,
	email,
	errorsIn,
	idOf,
	person,
	play,
	rows: groupRows,
	serviceWith,
} = require('../support/modelGroupsPlay');

/** People of HR, whose external IDs are their numbers there; the robot and the two twins have none of their own. */
const hr = (name, number, more = {}) =>
	person(name, [], { externalId: number, title: 'Clerk', ...more });
const PEOPLE = [
	hr('ana', 'HR-1', {
		groups: [ID.eng],
		emails: [
			{ value: email('ana'), type: 'work', primary: true },
			{ value: 'ana@home.test', type: 'home' },
		],
		name: { givenName: 'Ana', familyName: 'Silva' },
	}),
	hr('ben', 'HR-2', { groups: [ID.eng] }),
	hr('cleo', 'HR-3', { groups: [ID.vpn] }),
	hr('eve', 'HR-4', { groups: [ID.eng], active: false }),
	hr('twin1', 'HR-9', { groups: [ID.eng] }),
	hr('twin2', 'HR-9'),
	person('robot', ['eng'], {
		emails: [{ value: 'ops@example.com' }, { value: 'it@example.com' }],
	}),
];
const start = (switches) => serviceWith({ people: PEOPLE, ...switches });

/** @param more parameters beside the rows */
async function reconcile(service, rows, { options, ...more } = {}, preview = false) {
	return await play(
		service,
		'reconcile',
		{
			...{ preview, usersFrom: 'json', usersJson: JSON.stringify(rows), ...more },
			options: { maxPeopleAffected: 100, ...options },
		},
		[{}],
		{ resource: 'user' },
	);
}

const CLEAR = { options: { emptyCells: 'clear' } };
const preview = async (...given) => (await reconcile(...given, true))[0];
const apply = async (service, plan) =>
	await play(service, 'applyPlan', { plan: JSON.stringify(plan), options: {} });
const attributesOf = (service, name) => service.users.get(idOf(name)).attributes;
/** Somebody else gives an account an external ID. */
const giveKey = (service, name, externalId) => {
	const user = service.users.get(idOf(name));
	service.store({ ...user, attributes: { ...user.attributes, externalId } });
};
const activeOf = (service) =>
	Object.fromEntries(
		[...service.users.values()].map(({ userName, active }) => [userName.split('@')[0], active]),
	);
const changesIn = (items) => items.map(({ userName, change }) => [userName?.split('@')[0], change]);
const patches = (service) =>
	service.requests.flatMap(({ method, body }) =>
		method === 'PATCH' ? [JSON.parse(body).Operations] : [],
	);
const everybody = (...left) =>
	PEOPLE.flatMap(({ userName }) =>
		left.some((name) => userName === email(name)) ? [] : [{ userName }],
	);

const all = { absentUsers: 'deactivate', scopeBy: 'userNames', scopeUserNames: '*' };
const engineers = { absentUsers: 'deactivate', scopeBy: 'groups', scopeGroups: groupRows(ID.eng) };

test('who lacks what the service requires is in the summary, which does not say that all is well', async () => {
	const service = start({ discovery: discovered(USER_SCHEMAS) });
	const [preview] = await reconcile(service, [{ userName: email('zoe') }], { preview: true });
	expect(preview.summary).toContain('requires name');
	expect(preview.summary).not.toContain('match what is wanted');
});

describe('Rows', () => {
	test('make one change for each account that differs, and the next run makes none', async () => {
		const service = start();
		const rows = [
			{ userName: email('ana'), title: 'Boss', 'name.givenName': 'Anna' },
			{ userName: email('BEN').toUpperCase(), title: 'Clerk' },
			{ userName: email('new'), displayName: 'New', title: null },
		];
		expect(changesIn(await reconcile(service, rows))).toEqual([
			['ana', 'updated'],
			['new', 'created'],
		]);
		expect(service.written().sort()).toEqual([`PATCH /Users/${idOf('ana')}`, 'POST /Users']);
		expect(attributesOf(service, 'ana')).toMatchObject({
			...{ title: 'Boss', externalId: 'HR-1' },
			name: { givenName: 'Anna', familyName: 'Silva' },
		});
		expect(attributesOf(service, 'new')).not.toHaveProperty('title');
		const again = service.again();
		expect(await reconcile(again, rows)).toMatchObject([{ change: 'none', status: 'unchanged' }]);
		expect(again.written()).toStrictEqual([]);
	});

	test('clear what is empty, alone, and leave what they do not name', async () => {
		const service = start();
		const rows = [{ userName: email('ana'), title: null, 'name.familyName': null }];
		await reconcile(service, rows, CLEAR);
		expect(patches(service)).toHaveLength(1);
		const { title, name, externalId } = attributesOf(service, 'ana');
		expect([title ?? null, name.familyName ?? null]).toEqual([null, null]);
		expect([name.givenName, externalId]).toEqual(['Ana', 'HR-1']);
		const again = service.again();
		await reconcile(again, rows, CLEAR);
		expect(again.written()).toStrictEqual([]);
	});

	test('replace the main email alone', async () => {
		const service = start();
		await reconcile(service, [{ userName: email('ana'), email: 'ana.silva@example.com' }]);
		expect(attributesOf(service, 'ana').emails).toEqual([
			{ value: 'ana.silva@example.com', type: 'work', primary: true },
			{ value: 'ana@home.test', type: 'home' },
		]);
		expect(await reconcile(service.again(), [{ email: email('ben') }])).toMatchObject([
			{ status: 'unchanged' },
		]);
	});

	test('take null beside all emails for no email of its own', async () => {
		const service = start();
		const emails = [{ value: 'ana@home.test', type: 'home' }];
		const rows = [
			{ userName: email('ana'), email: null, emails },
			{ userName: email('ben'), email: null, emails: null },
		];
		expect(changesIn(await reconcile(service, rows, CLEAR))).toEqual([
			['ana', 'updated'],
			['ben', 'updated'],
		]);
		expect(attributesOf(service, 'ana').emails).toMatchObject(emails);
		expect(attributesOf(service, 'ben').emails ?? []).toStrictEqual([]);
		const again = service.again();
		await reconcile(again, rows, CLEAR);
		expect(again.written()).toStrictEqual([]);
	});

	const CUSTOM = 'urn:custom:params:scim:schemas:extension:hr:2.0:User';
	const BADGE = 'urn:example:params:2.0:Badge';
	test.each([
		['a shorter list', { emails: [{ value: email('ana') }] }, ['ana@home.test']],
		['an extension', { [CUSTOM]: null }, ['B1', 'D1']],
		['an attribute of one', { [`${CUSTOM}:badge`]: null }, ['B1']],
		['an extension of another name', { [BADGE]: null }, ['L1', 'C1']],
		['the same in another case', { [BADGE.toUpperCase()]: null }, ['L1', 'C1']],
		['an attribute of that', { [`${BADGE}:level`]: null }, ['L1']],
	])('take away what is there: %s', async (_, row, gone) => {
		const people = [
			{
				...PEOPLE[0],
				[CUSTOM]: { badge: 'B1', desk: 'D1' },
				[BADGE]: { level: 'L1', color: 'C1' },
			},
		];
		const rows = [{ userName: email('ana'), ...row }];
		const service = start({ people });
		const planned = start({ people });
		expect(changesIn(await reconcile(service, rows, CLEAR))).toEqual([['ana', 'updated']]);
		await apply(planned, (await preview(planned, rows, CLEAR)).plan);
		for (const one of [service, planned]) {
			const left = JSON.stringify(attributesOf(one, 'ana'));
			const all = ['ana@home.test', 'B1', 'D1', 'L1', 'C1'];
			expect(all.filter((text) => !left.includes(text))).toEqual(gone);
		}
		expect(await reconcile(service.again(), rows, CLEAR)).toMatchObject([{ status: 'unchanged' }]);
	});

	test('without a main email say which others stay', async () => {
		const service = start();
		const items = await reconcile(service, [{ userName: email('ana'), email: null }], CLEAR);
		expect(errorsIn(items).join()).toContain('ana@home.test');
		expect(service.written()).toStrictEqual([]);
	});

	test('with numbers for texts are the same', async () => {
		const people = [person('ana', [], { externalId: '1042' })];
		const service = start({ people });
		await reconcile(service, [{ userName: email('ana'), externalId: 1042 }]);
		expect(service.written()).toStrictEqual([]);
	});

	test.each([
		[
			'an empty entry',
			{ userName: email('ana'), phoneNumbers: [{ type: 'work', value: ' ' }] },
			'phoneNumbers.0.value of row 2 (ana@example.com) is empty',
		],
		['a bare id for a key', { id: idOf('ana'), title: 'x' }, 'no user name'],
		['roles', { userName: email('ana'), roles: [{ value: 'x' }] }, 'access'],
		['an email that is none', { userName: email('ana'), email: 'ana' }, 'not an email'],
		[
			'email and emails',
			{ userName: email('ana'), email: email('a'), emails: [] },
			'email and emails',
		],
		['a filter', { userName: email('ana'), 'emails[type eq "x"].value': 'y' }, 'compared'],
		['no row at all', 'ana', 'not an object'],
		['active as text', { userName: email('ana'), active: 'maybe' }, 'maybe'],
	])('%s cannot be used, and nobody is deactivated', async (_name, row, words) => {
		const service = start();
		const items = await reconcile(service, [{ userName: email('ben'), title: 'Boss' }, row], all);
		expect(errorsIn(items).join()).toContain(words);
		expect(service.written()).toEqual([`PATCH /Users/${idOf('ben')}`]);
	});

	test('about the same person cannot be used, and name each other', async () => {
		const service = start();
		const items = await reconcile(
			service,
			[
				{ userName: email('ana'), title: 'x' },
				{ userName: email('ana').toUpperCase(), title: 'x' },
				{ userName: email('ben') },
			],
			all,
		);
		expect(errorsIn(items)).toHaveLength(2);
		for (const error of errorsIn(items))
			expect(error).toContain(
				'Rows 1 (ana@example.com) and 2 (ANA@EXAMPLE.COM) are about the same user',
			);
		expect(service.written()).toStrictEqual([]);
	});

	test('come as items; blank ones say nothing', async () => {
		const service = start();
		const rows = [
			{ userName: email('ana'), title: 'Boss' },
			{ userName: '', row_number: 3 },
		];
		const items = rows.map((json) => ({ json }));
		const result = await play(service, 'reconcile', { preview: false, usersFrom: 'items' }, items, {
			resource: 'user',
		});
		expect(result.map(({ status }) => status)).toEqual(['done', 'skipped']);
	});

	test.each([
		['no row', []],
		['no row that can be used', [{ title: 'x' }]],
	])('%s is an error', async (_name, rows) => {
		const service = start();
		expect(errorsIn(await reconcile(service, rows, all)).join()).toContain('Nothing was sent');
		expect((await preview(service, rows, all)).blockedBy).toHaveLength(1);
		expect(service.written()).toStrictEqual([]);
	});
});

describe('Columns', () => {
	const mapped = (value, schema = []) => ({
		columns: { mappingMode: 'defineBelow', matchingColumns: ['email'], value, schema },
	});
	const asItems = async (service, items, more) =>
		await play(
			service,
			'reconcile',
			{ preview: false, usersFrom: 'items', options: {} },
			items.map((json) => ({ json, ...more(json) })),
			{ resource: 'user' },
		);

	test('mapped one by one make users of any table', async () => {
		const service = start();
		const table = [
			{ Mail: email('ana'), First: 'Anna', Nr: 17, notes: 'x' },
			{ Mail: email('new'), First: 'Nia', Nr: 18 },
			{ Mail: '', First: '', Nr: null },
		];
		const items = await asItems(service, table, (row) =>
			mapped({
				...{ email: row.Mail, 'name.givenName': row.First, title: row.Nr, nickName: null },
			}),
		);
		expect(items.map(({ change, status }) => [change, status])).toEqual([
			['updated', 'done'],
			['created', 'done'],
			['none', 'skipped'],
		]);
		expect(attributesOf(service, 'ana')).toMatchObject({
			...{ title: '17', name: { givenName: 'Anna', familyName: 'Silva' } },
		});
		expect(attributesOf(service, 'new')).toMatchObject({ title: '18' });
		expect(JSON.stringify(service.requests)).not.toContain('notes');
	});

	test('that name no attribute are not sent, and one warning says what they probably mean', async () => {
		const service = start();
		const rows = [
			{ userName: email('ana'), firstName: 'Anna', title: 'Boss' },
			{ userName: email('new'), Department: 'Sales', shoeSize: 7, change: 'none', id: 4 },
		];
		const items = await reconcile(service, rows);
		const said =
			'Columns that are not sent: firstName: did you mean name.givenName?; Department: did you mean urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department?; shoeSize. Rename what is to be sent, or map each column manually.';
		for (const { warnings } of items) expect(warnings).toEqual([said]);
		expect((await preview(start(), rows, {})).warnings).toEqual([said]);
		expect(attributesOf(service, 'ana')).toMatchObject({
			title: 'Boss',
			name: { givenName: 'Ana' },
		});
		expect(JSON.stringify(service.requests)).not.toMatch(/shoeSize|firstName|Department/);
	});

	test('that the editor has shown are sent, whatever they are called', async () => {
		const service = start();
		const schema = [{ id: 'badge' }];
		const { columns } = matchOn('userName');
		await reconcile(service, [{ userName: email('new'), Badge: 'B-1' }], {
			columns: { ...columns, schema },
		});
		expect(JSON.stringify(service.requests)).toContain('B-1');
	});

	test('cannot be mapped in a list that is one JSON', async () => {
		const service = start();
		const items = await reconcile(service, [{ userName: email('ana') }], mapped({ email: 'x' }));
		expect(errorsIn(items).join()).toContain('A JSON list is not mapped column by column');
		expect(service.written()).toStrictEqual([]);
	});

	test('of which none identifies a user: each row says so, and Preview once', async () => {
		const rows = [
			{ Login: email('ana'), title: 'Boss' },
			{ Login: email('ben'), title: 'Boss' },
		];
		expect((await preview(start(), rows, {})).warnings).toContain(
			'Row 1 has no user name. Its columns: Login, title. Rename Login to userName, or map each column manually. The same is true of 1 more.',
		);
	});
});

describe('Active', () => {
	const rows = [
		{ userName: email('ana'), active: false, title: 'Gone' },
		{ userName: email('eve'), active: true },
		{ userName: email('old'), active: false },
	];

	test('off is a deactivation, on needs Reactivate, and nobody is created inactive', async () => {
		const service = start();
		const items = await reconcile(service, rows);
		expect(errorsIn(items).join()).toContain('Reactivate');
		expect(changesIn(items)).toContainEqual(['ana', 'deactivated']);
		expect(activeOf(service)).toMatchObject({ ana: false, eve: false });
		expect(service.written()).toHaveLength(1);
		expect(attributesOf(service, 'ana').title).toBe('Gone');
	});

	test('on brings back with Reactivate', async () => {
		const service = start();
		const { plan } = await preview(service, rows, { options: { reactivate: true } });
		expect(plan.changes.map(({ change }) => change)).toEqual(['deactivated', 'activated']);
		expect(changesIn(await apply(service, plan))).toEqual([
			['ana', 'deactivated'],
			['eve', 'activated'],
		]);
		expect(activeOf(service)).toMatchObject({ ana: false, eve: true });
		const again = service.again();
		expect(errorsIn(await apply(again, plan))).toStrictEqual([]);
		expect(again.written()).toStrictEqual([]);
	});

	test('not named leaves an inactive user inactive, with a warning', async () => {
		const service = start();
		const [item] = await reconcile(service, [{ userName: email('eve'), title: 'Boss' }]);
		expect(item).toMatchObject({ change: 'updated', status: 'done' });
		expect(item.warnings.join()).toContain('inactive');
		expect(activeOf(service).eve).toBe(false);
	});

	test('off waits while a row cannot be used', async () => {
		const service = start();
		const items = await reconcile(service, [...rows.slice(0, 1), { title: 'x' }]);
		expect(activeOf(service).ana).toBe(true);
		expect(attributesOf(service, 'ana').title).toBe('Gone');
		expect(items.map(({ status }) => status)).toContain('skipped');
	});

	test('off counts against the limits', async () => {
		const people = Array.from({ length: 8 }, (_, at) => person(`p${at}`, []));
		const service = start({ people });
		const off = people.map(({ userName }) => ({ userName, active: false }));
		const { plan } = await preview(service, off, { options: { maxPeopleAffected: 7 } });
		expect(plan.excess).toEqual([{ kind: 'deactivations', people: 8, limit: 7 }]);
	});
});

describe('Absent users', () => {
	test.each([
		['leave', true, []],
		['report', true, ['skipped', 'skipped', 'skipped']],
		['deactivate', false, ['done', 'done', 'done']],
	])('%s', async (absentUsers, stay, statuses) => {
		const service = start();
		const scope = { ...engineers, absentUsers };
		const items = await reconcile(service, [{ userName: email('ana') }], scope);
		expect(activeOf(service)).toEqual({
			...{ ana: true, cleo: true, eve: false, twin2: true },
			...{ ben: stay, twin1: stay, robot: stay },
		});
		const others = items.filter(({ userName }) => userName !== null);
		expect(others.map(({ status }) => status)).toEqual(statuses);
	});

	test('are never protected, inactive, unmatched, or out of scope', async () => {
		const service = start();
		const rows = [{ externalId: 'HR-3' }];
		const items = await reconcile(service, rows, {
			...all,
			...matchOn('externalId'),
			options: { protectedUsers: email('ana') },
		});
		expect(changesIn(items)).toEqual([['ben', 'deactivated']]);
		expect(service.written()).toHaveLength(1);
	});

	test('are known by patterns of user names', async () => {
		const service = start();
		await reconcile(service, [{ userName: email('cleo') }], {
			...all,
			scopeUserNames: 'a*, t*1@*',
		});
		expect(service.written().sort()).toEqual(
			[idOf('ana'), idOf('twin1')].map((id) => `PATCH /Users/${id}`).sort(),
		);
	});

	test('by external ID, a list of users that is not whole changes nobody: another one may have the key', async () => {
		const service = start({ pageCap: 3, ignoresStart: true });
		const rows = [{ externalId: 'HR-1', title: 'Boss' }];
		const items = await reconcile(service, rows, { ...all, ...matchOn('externalId') });
		expect(errorsIn(items).join()).toContain('incomplete');
		expect(service.written()).toStrictEqual([]);
	});

	test('are left where the list of users is incomplete, and nobody is created', async () => {
		const service = start({ pageCap: 3, ignoresStart: true });
		const rows = [{ userName: email('ana'), title: 'Boss' }, { userName: email('new') }];
		const items = await reconcile(service, rows, all);
		expect(service.written()).toEqual([`PATCH /Users/${idOf('ana')}`]);
		expect(errorsIn(items).join()).toContain('incomplete');
	});

	test.each([
		['no group', { ...engineers, scopeGroups: {} }, 'Nobody is in scope'],
		['no pattern', { ...all, scopeUserNames: ' ' }, 'Nobody is in scope'],
		[
			'a group that is not there',
			{ ...engineers, scopeGroups: groupRows('Nobody') },
			'no group "Nobody"',
		],
		[
			'a pattern without a group',
			{ ...engineers, scopeGroups: groupRows('x-*') },
			'no group "x-*"',
		],
	])('with %s in scope are an error', async (_name, scope, words) => {
		const service = start();
		const items = await reconcile(service, [{ userName: email('ana'), title: 'x' }], scope);
		expect(errorsIn(items).join()).toContain(words);
		expect(service.written()).toStrictEqual([]);
	});

	test('of groups that show nobody are an error', async () => {
		const service = start({ membersShownOn: 'nowhere', membershipFilter: 'off' });
		const items = await reconcile(service, [{ userName: email('ana'), title: 'x' }], engineers);
		expect(errorsIn(items).join()).toContain('The members of group');
		expect(service.written()).toStrictEqual([]);
	});

	test('are too many where the limit says so', async () => {
		const service = start();
		const items = await reconcile(service, [{ userName: email('ana') }], {
			...all,
			options: { maxPeopleAffected: 3 },
		});
		expect(errorsIn(items).join()).toContain('5 people would be deactivated');
		expect(errorsIn(items).join()).toContain('active people in scope');
	});

	test('are not deactivated where that cannot be undone', async () => {
		const service = start();
		const credential = { serviceProfile: 'weightsAndBiases' };
		const { error } = (
			await play(
				service,
				'reconcile',
				{ preview: false, usersFrom: 'json', usersJson: [{ userName: email('ana') }], ...all },
				[{}],
				{ resource: 'user', credential },
			)
		)[0];
		expect(error).toContain('Allow Permanent Removal');
		expect(service.requests).toStrictEqual([]);
	});
});

describe('Matching', () => {
	const by = (column, options = {}) => ({ ...matchOn(column), options });

	test('by email takes the main one, and may give another user name', async () => {
		const service = start();
		const rows = [{ email: email('ana').toUpperCase(), userName: email('silva'), title: 'Boss' }];
		expect(errorsIn(await reconcile(service, rows, by('email')))).toStrictEqual([]);
		expect(service.users.get(idOf('ana'))).toMatchObject({ userName: email('silva') });
		expect(service.written()).toHaveLength(1);
	});

	test('by email creates who has a list of emails alone under the main one', async () => {
		const service = start();
		const emails = [{ value: 'Home@example.com' }, { value: email('new'), primary: true }];
		expect(errorsIn(await reconcile(service, [{ emails }], by('email')))).toStrictEqual([]);
		const created = [...service.users.values()].find(({ userName }) => userName === email('new'));
		expect(created.attributes.emails).toMatchObject(emails);
		expect(service.written()).toEqual(['POST /Users']);
	});

	test('by email refuses two rows that would create one user name', async () => {
		const service = start();
		const rows = [
			{ emails: [{ value: email('new') }] },
			{ userName: email('new').toUpperCase(), email: 'other@example.com' },
		];
		const [error] = errorsIn(await reconcile(service, rows, by('email')));
		expect(error).toContain('Rows 1 and 2 (other@example.com) are about the same user');
		expect(service.written()).toStrictEqual([]);
	});

	test('lists in Preview whom no row can mean, and never takes them for absent', async () => {
		const service = start();
		const rows = [{ externalId: 'HR-1' }];
		const { settled, summary, plan } = await preview(service, rows, {
			...by('externalId'),
			...all,
		});
		expect(settled.filter(({ action }) => action.startsWith('match user'))).toEqual(
			[
				['twin1', `the user has the same external ID as another one (ID ${idOf('twin2')})`],
				['twin2', `the user has the same external ID as another one (ID ${idOf('twin1')})`],
				['robot', 'the user has no external ID to be matched by'],
			].map(([name, reason]) => ({
				...{ item: -1, status: 'skipped', action: `match user ${email(name)}`, reason },
			})),
		);
		expect(summary).toContain('Cannot be matched');
		expect(plan.changes.map(({ person }) => person.id)).toEqual([idOf('ben'), idOf('cleo')]);
	});

	test.each([
		[
			'more than one account',
			by('externalId'),
			{ externalId: 'HR-9' },
			[idOf('twin1'), idOf('twin2')],
		],
		[
			'a user name of another key',
			by('externalId'),
			{ externalId: 'HR-77', userName: email('ben') },
			[email('ben'), idOf('ben'), 'HR-2'],
		],
		[
			'a user name of an account without email key',
			by('email'),
			{ email: 'new@example.com', userName: email('robot') },
			[idOf('robot')],
		],
		['an email that is one of several', by('email'), { email: 'ops@example.com' }, [idOf('robot')]],
		[
			'one of several emails, with another user name',
			by('email'),
			{ userName: email('new'), emails: [{ value: 'OPS@example.com', primary: true }] },
			[idOf('robot')],
		],
		[
			'a new user name that somebody else has',
			by('externalId'),
			{ externalId: 'HR-1', userName: email('ben') },
			[email('ben'), idOf('ben')],
		],
		[
			'an email of an account without external ID',
			by('externalId'),
			{ externalId: 'HR-77', userName: email('new'), email: 'OPS@example.com' },
			['second account', idOf('robot')],
		],
		[
			'an ID, and the key of another account',
			by('externalId'),
			{ userId: idOf('ana'), externalId: 'HR-2' },
			[email('ana'), idOf('ben')],
		],
		['nobody, and no user name', by('externalId'), { externalId: 'HR-77' }, ['no user name']],
		[
			'an account without external ID',
			by('externalId'),
			{ externalId: 'HR-77', email: email('robot') },
			['Link by User Name', idOf('robot')],
		],
	])(
		'by %s is an error that names it, and nobody is deactivated',
		async (_name, more, row, words) => {
			const service = start();
			const items = await reconcile(
				service,
				[row, { userName: email('cleo'), email: email('cleo'), externalId: 'HR-3' }],
				{ ...more, ...all },
			);
			const [error] = errorsIn(items);
			for (const word of words) expect(error).toContain(word);
			expect(error).not.toContain('exists already');
			expect(service.written()).toStrictEqual([]);
		},
	);

	describe('with Link by User Name', () => {
		const rows = [{ externalId: 'HR-77', userName: email('robot') }];
		const linking = by('externalId', { linkByUserName: true });

		test('writes the key to exactly that account, and shows it first', async () => {
			const service = start();
			const { plan, summary } = await preview(service, rows, linking);
			expect(plan.changes).toMatchObject([
				{ change: 'updated', person: { id: idOf('robot') }, attributes: { externalId: 'HR-77' } },
			]);
			expect(summary).toContain('Link by User Name');
			expect(/Cannot be matched\*\*[^*]*/.exec(summary)?.[0]).not.toContain('robot');
			await apply(service, plan);
			expect(attributesOf(service, 'robot').externalId).toBe('HR-77');
			const again = service.again();
			expect(await reconcile(again, rows, by('externalId'))).toMatchObject([
				{ status: 'unchanged' },
			]);
			expect(errorsIn(await apply(again, plan))).toStrictEqual([]);
			expect(again.written()).toStrictEqual([]);
		});

		test('a plan is not applied once the account has another key, or somebody else that one', async () => {
			const service = start();
			const { plan } = await preview(service, rows, linking);
			for (const [name, externalId] of [
				['robot', 'HR-5'],
				['cleo', 'HR-77'],
			]) {
				const later = service.again();
				giveKey(later, name, externalId);
				expect(errorsIn(await apply(later, plan)).join()).toContain(externalId);
				expect(later.written()).toStrictEqual([]);
			}
		});
	});

	test.each([
		['who is absent', [{ externalId: 'HR-1' }], engineers],
		['whom a row turns off', [{ externalId: 'HR-2', active: false }], {}],
		['whom a row changes', [{ externalId: 'HR-2', title: 'Boss' }], {}],
	])('a plan leaves out somebody who has another key since: %s', async (_, rows, more) => {
		const service = start();
		const { plan } = await preview(service, rows, { ...by('externalId'), ...more });
		expect(plan.changes.map(({ person }) => person.id)).toContain(idOf('ben'));
		const later = service.again();
		giveKey(later, 'ben', 'HR-20');
		const items = await apply(later, plan);
		expect(errorsIn(items).join()).toContain('has the external ID HR-20, and had HR-2');
		expect(later.written()).not.toContain(`PATCH /Users/${idOf('ben')}`);
		const same = service.again();
		expect(errorsIn(await apply(same, plan))).toStrictEqual([]);
		expect(same.written()).toContain(`PATCH /Users/${idOf('ben')}`);
	});

	test('a plan creates no twin of somebody who came since', async () => {
		const service = start();
		const rows = [{ externalId: 'HR-77', userName: email('new') }];
		const { plan } = await preview(service, rows, by('externalId'));
		const later = service.again();
		giveKey(later, 'robot', 'HR-77');
		expect(errorsIn(await apply(later, plan)).join()).toContain(idOf('robot'));
		expect(later.written()).toStrictEqual([]);
		const applied = service.again();
		expect(changesIn(await apply(applied, plan))).toEqual([['new', 'created']]);
		expect(errorsIn(await apply(applied.again(), plan))).toStrictEqual([]);
	});
});

test('Protected users stay as they are, and do not hold back others', async () => {
	const service = start();
	const rows = everybody('ben').map((row) => ({ ...row, title: 'Boss' }));
	const items = await reconcile(service, rows.slice(0, 1), {
		...engineers,
		options: { protectedUsers: idOf('ana') },
	});
	expect(errorsIn(items).join()).toContain('protected');
	expect(service.written()).not.toContain(`PATCH /Users/${idOf('ana')}`);
	expect(activeOf(service)).toMatchObject({ ana: true, ben: false });
});

'use strict';

require('../support/noWaiting');
const { inPagesOf } = require('../support/pages');
const {
	ID,
	email,
	errorsIn,
	idOf,
	membersIn,
	person,
	play,
	rows,
	serviceWith,
} = require('../support/modelGroupsPlay');

/** Reconciles a list with these groups in scope, and everything that no row wants removed. */
const reconcile = async (service, wanted, scope, options = {}, more = {}) =>
	await play(service, 'reconcile', {
		preview: false,
		wantedFrom: 'json',
		wantedJson: wanted,
		scopeGroups: rows(...scope),
		unwanted: 'revoke',
		...more,
		options: { allowEmptyGroups: true, maxPeopleAffected: 1000, ...options },
	});

const activeOf = (service, name) => service.users.get(idOf(name)).active;

afterEach(() => jest.restoreAllMocks());

test('everybody in scope has what the rows say, and nobody else is touched', async () => {
	const service = serviceWith();
	const items = await reconcile(
		service,
		[
			{ email: email('dan'), group: 'Engineering' },
			{ userId: idOf('ana'), groupId: ID.vpn },
			{ userName: email('cleo'), group: 'VPN' },
		],
		['Engineering', 'VPN'],
	);
	expect(membersIn(service)).toEqual({
		eng: ['dan'],
		vpn: ['ana', 'cleo'],
		sales: ['ben'],
		everyone: ['ana', 'ben', 'cleo', 'eve'],
	});
	expect(errorsIn(items)).toStrictEqual([]);
	const changes = items.map(({ change, userName, groupId }) => [change, userName, groupId]).sort();
	expect(changes).toEqual(
		[
			['granted', email('dan'), ID.eng],
			['granted', email('ana'), ID.vpn],
			['granted', email('cleo'), ID.vpn],
			['revoked', email('ana'), ID.eng],
			['revoked', email('ben'), ID.vpn],
			['revoked', email('eve'), ID.vpn],
		].sort(),
	);
});

test('a list that is so already gives one item, unchanged', async () => {
	const service = serviceWith();
	const items = await reconcile(
		service,
		[{ email: email('ana'), group: 'Engineering' }],
		['Engineering'],
	);
	expect(items).toMatchObject([{ change: 'none', status: 'unchanged' }]);
	expect(service.written()).toStrictEqual([]);
});

test.each([
	['keys of two people', { userId: idOf('ana'), userName: email('ben'), group: 'VPN' }],
	['none', { group: 'VPN' }],
	['no group', { email: email('ana') }],
	['an unknown group', { email: email('ana'), group: 'Marketing' }],
	['a group outside the scope', { email: email('ana'), group: 'Sales, EMEA' }],
])('a row with %s is an error of its own, and grants of others go on', async (_what, row) => {
	const service = serviceWith();
	const items = await reconcile(
		service,
		[row, { email: email('dan'), group: 'Engineering' }],
		['Engineering', 'VPN'],
	);
	expect(errorsIn(items).length).toBeGreaterThan(0);
	expect(membersIn(service).eng).toContain('dan');
});

test('columns of attributes are those of who is created, and others are not sent', async () => {
	const service = serviceWith();
	const wanted = [
		{
			...{ email: 'gil@example.com', group: 'VPN', 'name.givenName': 'Gil', title: 'Engineer' },
			...{ lastName: 'Rey', nickName: 'G', row_number: 2 },
		},
	];
	const accessColumns = { attributes: 'name.givenName, Title' };
	const more = { createMissing: true, unwanted: 'keep', accessColumns };
	const items = await reconcile(service, wanted, ['VPN'], {}, more);
	expect(errorsIn(items)).toStrictEqual([]);
	const gil = service.users.get(idOf('gil'));
	expect(gil).toMatchObject({
		active: true,
		attributes: { name: { givenName: 'Gil' }, title: 'Engineer' },
	});
	expect(gil.attributes).not.toHaveProperty('nickName');
	for (const { warnings } of items)
		expect(warnings).toEqual([
			'Columns that are not sent: lastName: did you mean name.familyName?; nickName. Attribute Columns names those that new users get.',
		]);
	expect(membersIn(service).vpn).toContain('gil');
});

test('the only one who shows a group comes late in the list of users', async () => {
	const service = serviceWith({
		...{ membersShownOn: 'users', omitsEmptyGroups: true },
		people: [...['ana', 'cleo', 'dan'].map((name) => person(name, [])), person('zoe', ['vpn'])],
	});
	inPagesOf(2);
	const requests = { maxWait: 0, verifyTime: 0 };
	const wanted = [{ email: email('ana'), group: 'VPN' }];
	const items = await reconcile(service, wanted, ['VPN'], requests);
	expect(items.map(({ change, userId, status }) => [change, userId, status]).sort()).toEqual([
		['granted', idOf('ana'), 'done'],
		['revoked', idOf('zoe'), 'done'],
	]);
	expect(membersIn(service)).toEqual({ vpn: ['ana'] });
});

describe('Deactivate Users Without Access', () => {
	const deactivates = { deactivatesEmpty: true };

	test('a group outside the scope counts as access', async () => {
		const service = serviceWith();
		await reconcile(
			service,
			[{ email: email('dan'), group: 'VPN' }],
			['Engineering', 'VPN'],
			deactivates,
		);
		expect(membersIn(service).eng).toBeUndefined();
		expect(activeOf(service, 'ana')).toBe(true);
	});

	test('groups of Ignore Groups do not count as access', async () => {
		const service = serviceWith();
		const items = await reconcile(
			service,
			[{ email: email('dan'), group: 'VPN' }],
			['Engineering', 'VPN'],
			{ ...deactivates, ignoreGroups: rows('Every*') },
		);
		expect(activeOf(service, 'ana')).toBe(false);
		// Ben is still in Sales; Cleo had nothing in scope, so nothing was taken from Cleo.
		expect(activeOf(service, 'ben')).toBe(true);
		expect(activeOf(service, 'cleo')).toBe(true);
		expect(items).toContainEqual(
			expect.objectContaining({ change: 'deactivated', status: 'done', userId: idOf('ana') }),
		);
	});

	test('whoever had nothing before is never deactivated', async () => {
		const service = serviceWith();
		await reconcile(service, [{ email: email('ana'), group: 'Engineering' }], ['*'], deactivates);
		expect(activeOf(service, 'dan')).toBe(true);
		expect(activeOf(service, 'ben')).toBe(false);
		expect(membersIn(service)).toEqual({ eng: ['ana'] });
	});
});

test('Preview sends nothing, and Apply Plan ends like Apply', async () => {
	const wanted = [
		{ email: email('dan'), group: 'Engineering' },
		{ email: email('ben'), group: 'Engineering' },
	];
	const scope = ['Engineering', 'VPN'];
	const service = serviceWith();
	const [item, ...others] = await reconcile(service, wanted, scope, {}, { preview: true });
	expect(others).toStrictEqual([]);
	expect(item).toMatchObject({ preview: true, blockedBy: [] });
	expect(service.written()).toStrictEqual([]);
	const applied = service.again();
	const items = await play(applied, 'applyPlan', { plan: JSON.parse(JSON.stringify(item)) });
	expect(errorsIn(items)).toStrictEqual([]);
	const direct = service.again();
	await reconcile(direct, wanted, scope);
	expect(membersIn(applied)).toEqual(membersIn(direct));
	expect(membersIn(applied)).toMatchObject({ eng: ['ben', 'dan'] });
});

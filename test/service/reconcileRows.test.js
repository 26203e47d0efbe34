'use strict';

require('../support/noWaiting');

const { countsOf, rolesOf, withService } = require('../support/service');

const person = (name, roles) => ({ name, roles });
const PEOPLE = [
	person('ana', { 'org-a': 'viewer' }),
	person('bob', { 'org-a': 'admin', 'org-b': 'admin' }),
	person('cid', { 'org-b': 'member' }),
	person('dan', {}),
];

const seed = {
	account: 'org-acct',
	organizations: ['org-acct', 'org-a', 'org-b', 'org-c'].map((id) => ({ id, name: id })),
	users: PEOPLE.map(({ name }) => ({ userName: `${name}@example.com`, active: true })),
	memberships: PEOPLE.flatMap(({ name, roles }) =>
		Object.entries(roles).map(([organization, role]) => ({
			userName: `${name}@example.com`,
			organization,
			role,
		})),
	),
};

const row = (name, organization, role) => ({ email: `${name}@example.com`, organization, role });
const BOB = [row('bob', 'org-a', 'admin'), row('bob', 'org-b', 'admin')];
const ANA = row('ana', 'org-a', 'viewer');
const CID = row('cid', 'org-b', 'member');

const inJson = (rows) => ({ wantedFrom: 'json', wantedJson: JSON.stringify(rows) });
const scope = { scopeOrganizations: 'org-a, org-b' };
const quietly = { onError: 'continueErrorOutput' };

const isActive = (service, name) =>
	service.state.table().people.find(({ userName }) => userName === `${name}@example.com`).active;

/** A summary without the signs that keep chats from making links of names. */
const plainly = (summary) => summary.replaceAll('\u200B', '');

/** Runs Reconcile with these rows, as items or as a list, and gives what came out. */
const reconcileWith = async (scim, from, rows, { preview = false, options } = {}) =>
	from === 'items'
		? await scim('access', 'reconcile', { ...scope, preview, options }, { items: rows, ...quietly })
		: await scim('access', 'reconcile', { ...scope, preview, options, ...inJson(rows) }, quietly);

const OTHER_NAMES = { mail: 'cid@example.com', team: 'org-b', level: 'member' };
const ONLY_A_NOTE = { email: '', organization: '', role: '', note: 'ask Cid' };

describe.each(['items', 'json'])('rows from %s', (from) => {
	test.each([
		['other field names', OTHER_NAMES, 'Row 3 has no person'],
		['three empty fields beside a value', ONLY_A_NOTE, 'Row 3 has no person'],
		['a value that is no text', { email: '', organization: null, role: [], left: 0 }, 'no person'],
		['no person', { ...CID, email: ' ' }, 'Row 3 has no person'],
	])('%s: unusable, and nobody loses anything', async (_name, bad, reason) => {
		await withService({ seed }, async (service, scim) => {
			const { errorJson } = await reconcileWith(scim, from, [...BOB, bad]);
			expect(errorJson[0].error).toContain(reason);
			expect(rolesOf(service, 'cid@example.com')).toEqual({ 'org-b': 'member' });
			if (bad.organization !== 'org-b')
				expect(rolesOf(service, 'ana@example.com')).toEqual({ 'org-a': 'viewer' });
		});
	});

	test.each([
		['no fields', {}],
		['empty fields', { email: '', organization: null, role: ' ' }],
		['nothing but the number of its line', { row_number: 7, email: '', other: '', tags: [] }],
	])('%s: blank, and holds nothing back', async (_name, blank) => {
		await withService({ seed }, async (service, scim) => {
			const { errorJson } = await reconcileWith(scim, from, [...BOB, CID, blank]);
			expect(errorJson).toStrictEqual([]);
			expect(rolesOf(service, 'ana@example.com')).toEqual({});
		});
	});
});

test.each([
	['a text', 'cid@example.com,org-b,member'],
	['a list', ['cid@example.com', 'org-b', 'member']],
	['an empty list', []],
	['a number', 7],
	['an empty text', ''],
	['null', null],
])('an entry of the list that is %s is unusable, and nobody loses anything', async (_name, bad) => {
	await withService({ seed }, async (service, scim) => {
		const { errorJson } = await reconcileWith(scim, 'json', [...BOB, bad]);
		expect(errorJson[0].error).toContain('Row 3 is not an object with fields');
		expect(rolesOf(service, 'ana@example.com')).toEqual({ 'org-a': 'viewer' });
		expect(rolesOf(service, 'cid@example.com')).toEqual({ 'org-b': 'member' });
	});
});

test('a row about an organization that is not there: what it is about cannot be told', async () => {
	await withService({ seed }, async (service, scim) => {
		const rows = [...BOB, row('cid', 'org-bb', 'member')];
		const { errorJson } = await reconcileWith(scim, 'items', rows);
		expect(errorJson[0].error).toContain('There is no organization org-bb');
		expect(rolesOf(service, 'ana@example.com')).toEqual({ 'org-a': 'viewer' });
		expect(rolesOf(service, 'cid@example.com')).toEqual({ 'org-b': 'member' });
	});
});

describe('a row for a user of another account, whom only a filter finds', () => {
	const FOREIGN = 'sam.taken@example.net';
	const foreign = { email: FOREIGN, organization: 'org-a', role: 'member' };

	test.each([false, true])(
		'cannot be used, and nobody loses anything; Create Missing Users: %s',
		async (createMissing) => {
			await withService({ seed: { ...seed, foreignUsers: [FOREIGN] } }, async (service, scim) => {
				const run = async (preview) =>
					await scim(
						'access',
						'reconcile',
						{ ...scope, preview, createMissing, ...inJson([...BOB, foreign]) },
						quietly,
					);
				const { json } = await run(true);
				expect(json[0].summary).toContain('row 3 (');
				expect(json[0].summary).toContain('belongs to another account');
				expect(json[0].requests).toStrictEqual([]);
				if (createMissing) return;
				const { errorJson } = await run(false);
				expect(errorJson[0].error).toContain('belongs to another account');
				expect(rolesOf(service, 'ana@example.com')).toEqual({ 'org-a': 'viewer' });
				expect(rolesOf(service, 'cid@example.com')).toEqual({ 'org-b': 'member' });
			});
		},
	);

	test('may mean anybody: nobody is deactivated', async () => {
		await withService({ seed: { ...seed, foreignUsers: [FOREIGN] } }, async (service, scim) => {
			const rows = [...BOB, { ...foreign, organization: 'org-c' }];
			await reconcileWith(scim, 'json', rows, { options: { deactivatesEmpty: true } });
			expect(rolesOf(service, 'cid@example.com')).toEqual({});
			expect(isActive(service, 'cid')).toBe(true);
		});
	});
});

describe('Deactivate Users Without Access and a row that cannot be used', () => {
	const options = { deactivatesEmpty: true };
	/** Holds back removals in org-c alone, so that ana and cid lose all they have. */
	const badIn = (more) => ({ organization: 'org-c', role: 'owner', ...more });

	test.each([
		['its email', { email: 'CID@example.com' }],
		['another field', { email: 'ana@example.com', note: 'instead of Cid <cid@example.com>' }],
	])('whoever it names stays active: %s', async (_name, fields) => {
		await withService({ seed }, async (service, scim) => {
			await reconcileWith(scim, 'json', [...BOB, badIn(fields)], { options });
			expect(rolesOf(service, 'cid@example.com')).toEqual({});
			expect(isActive(service, 'cid')).toBe(true);
			expect(rolesOf(service, 'ana@example.com')).toEqual({});
			expect(isActive(service, 'ana')).toBe(fields.email === 'ana@example.com');
		});
	});

	test.each(['userId', 'person'])(
		'whoever it names by %s stays active, and comes out so',
		async (key) => {
			await withService({ seed }, async (service, scim) => {
				const { id } = service.state.userByName('cid@example.com');
				const { json } = await reconcileWith(scim, 'json', [...BOB, badIn({ [key]: id })], {
					options,
				});
				expect(isActive(service, 'cid')).toBe(true);
				expect(isActive(service, 'ana')).toBe(false);
				expect(json).toContainEqual(
					expect.objectContaining({
						change: 'none',
						userName: 'cid@example.com',
						status: 'skipped',
						reason: `row 3 (${id}) cannot be used, and may mean the person`,
					}),
				);
			});
		},
	);

	test('somebody without access: the others are deactivated', async () => {
		await withService({ seed }, async (service, scim) => {
			await reconcileWith(scim, 'json', [...BOB, badIn({ email: 'dan@example.com' })], { options });
			expect(isActive(service, 'cid')).toBe(false);
			expect(isActive(service, 'dan')).toBe(true);
		});
	});

	test.each([
		['nobody has the email', { email: 'cyd@example.com' }],
		['nobody has one of the emails', { email: 'ana@example.com', mail: 'cyd@example.com' }],
		['nobody has the ID', { userId: 'user-0' }],
		['an ID stands where the email belongs', { email: 'user-0' }],
		['nobody is named', { email: '' }],
		['the email is none', { email: 'cid@' }],
	])('nobody is deactivated when it cannot be told whom it means: %s', async (_name, fields) => {
		await withService({ seed }, async (service, scim) => {
			await reconcileWith(scim, 'json', [...BOB, badIn(fields)], { options });
			expect(rolesOf(service, 'cid@example.com')).toEqual({});
			expect(isActive(service, 'ana')).toBe(true);
			expect(isActive(service, 'cid')).toBe(true);
		});
	});

	test('a row for somebody who cannot be found, outside of the scope: likewise', async () => {
		await withService({ seed }, async (service, scim) => {
			await reconcileWith(scim, 'json', [...BOB, row('cyd', 'org-c', 'member')], { options });
			expect(rolesOf(service, 'cid@example.com')).toEqual({});
			expect(isActive(service, 'cid')).toBe(true);
		});
	});
});

describe('the summary', () => {
	const previewOf = async (scim, rows, options) => {
		const { json } = await reconcileWith(scim, 'json', rows, { preview: true, options });
		return json[0];
	};

	test.each([
		['a row that cannot be read', OTHER_NAMES, 'has no person'],
		['somebody whom nobody knows', row('cyd', 'org-b', 'member'), 'No user has the user name'],
		[
			'two roles',
			row('cid', 'org-b', 'viewer'),
			'Rows 4 (cid@example.com) and 5 (cid@example.com) want two roles',
		],
		['a role outside of the scope', row('bob', 'org-c', 'admin'), 'admin in org-c is not in scope'],
	])('names the row, and does not say that access is as wanted: %s', async (_name, bad, reason) => {
		await withService({ seed }, async (service, scim) => {
			const { requests, summary: text } = await previewOf(scim, [...BOB, ANA, CID, bad]);
			const summary = plainly(text);
			expect(summary).not.toContain('Access matches');
			expect(summary).toContain('row 5');
			expect(summary).toContain(reason);
			expect(requests).toStrictEqual([]);
			expect(countsOf(service).PATCH).toBeUndefined();
		});
	});

	test('somebody inactive whom no row may reactivate: likewise', async () => {
		const users = seed.users.map((user) =>
			user.userName === 'dan@example.com' ? { ...user, active: false } : user,
		);
		await withService({ seed: { ...seed, users } }, async (_service, scim) => {
			const rows = [...BOB, ANA, CID, row('dan', 'org-b', 'viewer')];
			const { summary } = await previewOf(scim, rows);
			expect(summary).not.toContain('Access matches');
			expect(plainly(summary)).toContain('row 5 (dan@example.com): dan@example.com is inactive');
		});
	});

	test('a blank row changes nothing: access is as wanted', async () => {
		await withService({ seed }, async (service, scim) => {
			const { summary } = await previewOf(scim, [...BOB, ANA, CID, {}]);
			expect(summary).toContain('Access matches what is wanted.');
			expect(summary).not.toContain('cannot be used');
		});
	});

	test.each([
		['no row', []],
		['only blank rows', [{}, {}]],
		['only rows that cannot be used', [OTHER_NAMES]],
	])('nothing was compared: %s', async (_name, rows) => {
		await withService({ seed }, async (_service, scim) => {
			const { json } = await scim('access', 'reconcile', {
				...scope,
				preview: true,
				unwanted: 'keep',
				...inJson(rows),
			});
			expect(json[0].summary).not.toContain('Access matches');
			expect(json[0].summary).toContain('Nothing was compared');
		});
	});

	test('a list that is none is named too', async () => {
		await withService({ seed }, async (_service, scim) => {
			const { json } = await scim(
				'access',
				'reconcile',
				{
					...scope,
					preview: true,
					unwanted: 'keep',
					wantedFrom: 'json',
					wantedJson: '={{ $json.rows }}',
				},
				{ items: [{ rows: [...BOB, ANA, CID] }, { rows: 'none' }] },
			);
			expect(json[0].summary).not.toContain('Access matches');
			expect(json[0].summary).toContain('Desired Access (JSON) is not a list');
		});
	});

	test('with several lists, a row is named with its item', async () => {
		await withService({ seed }, async (service, scim) => {
			const parameters = {
				...scope,
				preview: true,
				wantedFrom: 'json',
				wantedJson: '={{ $json.rows }}',
			};
			const items = [{ rows: BOB }, { rows: [ANA, 'cid'] }];
			const { json } = await scim('access', 'reconcile', parameters, { items });
			expect(json[0].summary).toContain('row 2 of item 1 cannot be used');
		});
	});
});

describe('what only Apply could find out before', () => {
	const foreign = { ...seed, foreignUsers: ['foreign@example.com'] };
	const options = { deactivatesEmpty: true, maxPeopleAffected: 9 };
	const run = async (scim, preview) =>
		await scim(
			'access',
			'reconcile',
			{
				...scope,
				...{ preview, options, createMissing: true },
				...inJson([...BOB, row('foreign', 'org-a', 'member')]),
			},
			quietly,
		);

	test('a row with a user of another account holds removals back in both', async () => {
		await withService({ seed: foreign }, async (service, scim) => {
			const { json } = await run(scim, true);
			expect(json[0].requests).toStrictEqual([]);
			const { errorJson } = await run(scim, false);
			expect(errorJson[0].error).toContain('belongs to another account');
			for (const { name, roles } of PEOPLE) {
				expect(rolesOf(service, `${name}@example.com`)).toEqual(roles);
				expect(isActive(service, name)).toBe(true);
			}
		});
	});

	test('an email in another field of a row without a person may be anybody, so nobody is deactivated', async () => {
		await withService({ seed }, async (service, scim) => {
			const bad = { email: '', organization: 'org-a', role: 'member', manager: 'bob@example.com' };
			await reconcileWith(scim, 'json', [...BOB, bad], { options });
			for (const { name } of PEOPLE) expect(isActive(service, name)).toBe(true);
		});
	});

	test('a row that only protection keeps from being carried out is named', async () => {
		await withService({ seed }, async (service, scim) => {
			const rows = [...BOB, ANA, CID, row('dan', 'org-a', 'member')];
			const protects = { protectedUsers: 'dan@example.com' };
			const { json } = await reconcileWith(scim, 'json', rows, {
				preview: true,
				options: protects,
			});
			expect(plainly(json[0].summary)).toContain(
				'row 5 (dan@example.com): dan@example.com is protected',
			);
		});
	});

	test('blank rows alone are no comparison', async () => {
		await withService({ seed }, async (service, scim) => {
			const { json } = await scim('access', 'reconcile', {
				...scope,
				...{ preview: true, unwanted: 'keep', options: { allowEmptyOrganizations: true } },
				...inJson([{}, { email: '' }]),
			});
			expect(json[0].summary).not.toContain('Access matches');
		});
	});
});

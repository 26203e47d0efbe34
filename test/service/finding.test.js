'use strict';

require('../support/noWaiting');

const { byEmail, byId, mapped } = require('../support/node');
const { countsOf, requestsOf, rolesOf, withService } = require('../support/service');
const { fromExpression, oneRole } = require('../support/accessRows');

const FOREIGN = 'sam.taken@example.net';
const BELONGS = `${FOREIGN} belongs to another account`;

const organizations = ['org-acct', 'org-a', 'org-b'].map((id) => ({ id, name: id }));
const person = (name, more = {}) => ({ userName: `${name}@example.com`, ...more });
const member = (name, organization, role = 'member') => ({
	userName: `${name}@example.com`,
	organization,
	role,
});
const seed = (users, memberships = []) => ({
	account: 'org-acct',
	organizations,
	users,
	memberships: [member('eve', 'org-a', 'admin'), ...memberships],
	foreignUsers: [FOREIGN],
});
const EVE = person('eve');
const inA = { chooseGroupBy: 'organizationAndRole', organization: byId('org-a'), role: 'member' };
const roleInA = oneRole(byId('org-a'), 'member');
const idOf = (service, name) => service.state.directory.byName(`${name}@example.com`).id;
const writes = (service) => requestsOf(service).filter((request) => !request.startsWith('GET'));

const reconcileRow = {
	preview: false,
	wantedFrom: 'json',
	wantedJson: '={{ $json.rows }}',
	scopeOrganizations: 'org-a',
};

describe('a user of another account, whom a filter finds', () => {
	const person = byEmail(FOREIGN);
	const OPERATIONS = [
		['user', 'get', { user: person }],
		['user', 'update', { user: person, ...mapped({ externalId: 'x' }) }],
		['user', 'activate', { user: person }],
		['user', 'deactivate', { user: person }],
		['user', 'delete', { user: person }],
		['user', 'upsert', { userName: FOREIGN }],
		['access', 'assign', { people: FOREIGN, createMissing: false, ...roleInA }],
		['access', 'revoke', { people: FOREIGN, revokeIn: 'all' }],
		['access', 'set', { people: FOREIGN, ...roleInA }],
		['access', 'offboard', { people: FOREIGN }],
		['access', 'changeEmail', { user: person, newEmail: 'new@example.com' }],
		['access', 'changeEmail', { user: byEmail('eve@example.com'), newEmail: FOREIGN }],
		['access', 'get', { user: person }],
		['group', 'addMembers', { ...inA, people: FOREIGN }],
		['group', 'removeMembers', { ...inA, people: FOREIGN }],
		['group', 'setMembers', { ...inA, people: FOREIGN }],
	];

	test.each(OPERATIONS)('%s %s: said, and nothing is sent', async (resource, operation, fields) => {
		await withService({ seed: seed([EVE]) }, async (service, scim) => {
			const { error, json } = await scim(resource, operation, fields);
			expect(json).toStrictEqual([]);
			expect(error.message).toContain(BELONGS);
			expect(error.description).toContain('Ask the service to release the email');
			expect(writes(service)).toStrictEqual([]);
			expect(service.state.directory.byName('eve@example.com').active).toBe(true);
		});
	});

	test('Reconcile: the row fails, the others are followed', async () => {
		await withService(
			{ seed: seed([EVE, { userName: 'bob@example.com' }]) },
			async (service, scim) => {
				const rows = [
					{ email: FOREIGN, organization: 'org-a', role: 'member' },
					{ email: 'bob@example.com', organization: 'org-a', role: 'member' },
					{ email: 'eve@example.com', organization: 'org-a', role: 'admin' },
				];
				const { error } = await scim('access', 'reconcile', reconcileRow, { items: [{ rows }] });
				expect(error.message).toContain(BELONGS);
				expect(writes(service)).toHaveLength(1);
				expect(rolesOf(service, 'bob@example.com')).toEqual({ 'org-a': 'member' });
			},
		);
	});

	test.each(['fail', 'return'])(
		'Create, %s if the user exists: belongs to another account',
		async (ifUserExists) => {
			await withService({ seed: seed([EVE]) }, async (service, scim) => {
				const options = { ifUserExists, verifyTime: 0 };
				const { error } = await scim('user', 'create', { userName: FOREIGN, options });
				expect(error.message).toContain(BELONGS);
				expect(writes(service)).toEqual(['POST /scim/Users 409']);
			});
		},
	);

	test.each([
		['offboard', 'access', { people: FOREIGN }],
		['delete', 'user', { user: person }],
	])('for If Not Found of %s it counts as not found', async (operation, resource, fields) => {
		await withService({ seed: seed([EVE]) }, async (service, scim) => {
			const { json } = await scim(resource, operation, {
				...fields,
				options: { ifNotFound: 'alreadyGone' },
			});
			expect(json).toMatchObject([{ userId: null, userName: FOREIGN, status: 'unchanged' }]);
			expect(writes(service)).toStrictEqual([]);
		});
	});

	test('whoever is in a group needs no look of the own, a person found by filter alone one', async () => {
		const bob = { userName: 'bob@example.com' };
		await withService({ seed: seed([EVE, bob]) }, async (service, scim) => {
			await scim('access', 'get', { user: byEmail('bob@example.com') });
			expect(countsOf(service)).toEqual({ GET: 3 });
			service.log.clear();
			await scim('access', 'changeEmail', {
				user: byEmail('eve@example.com'),
				newEmail: 'eve2@example.com',
				preview: true,
			});
			expect(requestsOf(service).filter((request) => request.includes('/Users/'))).toStrictEqual(
				[],
			);
		});
	});

	test('a look that fails for a reason that may pass is made again', async () => {
		const bob = { userName: 'bob@example.com' };
		await withService({ seed: seed([EVE, bob]) }, async (service, scim) => {
			service.faults.add({
				method: 'GET',
				path: `/scim/Users/${idOf(service, 'bob')}`,
				kind: '500-html',
				times: 1,
			});
			const { json } = await scim('user', 'deactivate', { user: byEmail('bob@example.com') });
			expect(json).toMatchObject([{ active: false, status: 'done' }]);
		});
	});
});

describe('an ID that nothing shows', () => {
	const NOBODY = 'user-nobody';
	const SAID = `No user has the ID ${NOBODY}`;

	test.each([
		['user', 'update', { user: byId(NOBODY), updateFields: { active: false } }],
		['user', 'activate', { user: byId(NOBODY) }],
		['user', 'deactivate', { user: byId(NOBODY) }],
		['user', 'delete', { user: byId(NOBODY) }],
		['access', 'assign', { people: NOBODY, ...roleInA }],
		[
			'access',
			'revoke',
			{ people: NOBODY, revokeIn: 'one', organization: byId('org-a'), roleHeld: 'any' },
		],
		['access', 'set', { people: NOBODY, ...roleInA }],
		['access', 'offboard', { people: NOBODY }],
		['access', 'changeEmail', { user: byId(NOBODY), newEmail: 'new@example.com' }],
		['group', 'addMembers', { ...inA, people: NOBODY }],
		['group', 'removeMembers', { ...inA, people: NOBODY }],
		['group', 'setMembers', { ...inA, people: NOBODY }],
	])(
		'%s %s: asked for before anything is written, and an error',
		async (resource, operation, fields) => {
			await withService({ seed: seed([EVE]) }, async (service, scim) => {
				const { error, json } = await scim(resource, operation, fields, {
					onError: 'stopWorkflow',
				});
				expect(json).toStrictEqual([]);
				expect(error.message).toContain(SAID);
				expect(requestsOf(service)).toContain(`GET /scim/Users/${NOBODY} 404`);
				expect(writes(service).filter((request) => request.includes(NOBODY))).toStrictEqual([]);
			});
		},
	);

	test('Offboard of a name without @ is no proof that anybody has left', async () => {
		await withService({ seed: seed([EVE]) }, async (service, scim) => {
			const { error } = await scim('access', 'offboard', { people: 'Bob Miller' });
			expect(error.message).toContain('No user has the ID Bob Miller');
		});
	});

	const REASON = 'no user has this email or ID';
	const GONE = [
		['access', 'offboard', (who) => ({ people: who })],
		['access', 'revoke', (who) => ({ people: who, revokeIn: 'all', roleHeld: 'any' })],
		['group', 'removeMembers', (who) => ({ ...inA, people: who })],
		['user', 'deactivate', (who) => ({ user: who.includes('@') ? byEmail(who) : byId(who) })],
		['user', 'delete', (who) => ({ user: who.includes('@') ? byEmail(who) : byId(who) })],
	];
	test.each(
		GONE.flatMap(([resource, operation, fields]) => [
			[resource, operation, NOBODY, fields(NOBODY), { userId: NOBODY }],
			[
				resource,
				operation,
				'nobody@example.com',
				fields('nobody@example.com'),
				{ userId: null, userName: 'nobody@example.com' },
			],
		]),
	)(
		'%s %s of %s, treated as gone: unchanged, without proof',
		async (resource, operation, _who, fields, shown) => {
			await withService({ seed: seed([EVE]) }, async (service, scim) => {
				const { json, error } = await scim(resource, operation, {
					...fields,
					options: { ifNotFound: 'alreadyGone' },
				});
				expect(error).toBeUndefined();
				const [row] = json;
				expect(row).toMatchObject({ ...shown, status: 'unchanged', reason: REASON });
				expect(row.deleted ?? false).toBe(false);
				for (const proof of ['provenAt', 'active', 'accessRemoved', 'accessRemaining']) {
					expect(row[proof] ?? null).toBeNull();
				}
				expect(writes(service)).toStrictEqual([]);
			});
		},
	);

	test('a look-up that goes wrong is never taken for gone', async () => {
		await withService({ seed: seed([EVE]) }, async (service, scim) => {
			service.faults.add({
				method: 'GET',
				path: `/scim/Users/${NOBODY}`,
				kind: 'html-403',
			});
			const { error } = await scim('access', 'offboard', {
				people: NOBODY,
				options: { ifNotFound: 'alreadyGone' },
			});
			expect(error.message).toContain('403');
		});
	});
});

test('Offboard: the row of a person says the worst of what was done, not the last', async () => {
	const memberships = [member('bob', 'org-a'), member('bob', 'org-b')];
	await withService({ seed: seed([EVE, person('bob')], memberships) }, async (service, scim) => {
		// The service drops the roles with the deactivation all the same, so there is less left to do for them.
		const { json } = await scim(
			'access',
			'offboard',
			{ people: 'bob@example.com' },
			{ credential: { overrideProfile: true, deactivation: 'keeps' } },
		);
		expect(json).toMatchObject([{ active: false, status: 'done' }]);
	});
});

test('a look-up that fails is the error of that person alone, named by email and by ID', async () => {
	const users = [EVE, person('dan'), person('ana')];
	await withService({ seed: seed(users) }, async (service, scim) => {
		const id = idOf(service, 'dan');
		service.faults.add({ method: 'GET', path: new RegExp(`Users/${id}`), kind: 'html-403' });
		const { json, errorJson } = await scim(
			'group',
			'addMembers',
			{ ...inA, people: '={{ $json.who }}' },
			{
				items: ['dan@example.com', id, 'ana@example.com'].map((who) => ({ who })),
				onError: 'continueErrorOutput',
			},
		);
		expect(errorJson).toHaveLength(2);
		expect(json).toHaveLength(1);
		expect(rolesOf(service, 'ana@example.com')).toEqual({ 'org-a': 'member' });
	});
});

test('Set: an item that cannot be used and names nobody to be found holds every removal back', async () => {
	const users = [EVE, person('cid')];
	await withService({ seed: seed(users, [member('cid', 'org-b')]) }, async (service, scim) => {
		const rows = [
			{ who: 'cid@example.com', list: [{ organization: 'org-a', role: 'member' }] },
			{ who: 'cid@exmaple.com', list: [{ organization: 'org-b', role: 'boss' }] },
		];
		await scim(
			'access',
			'set',
			{ people: '={{ $json.who }}', ...fromExpression('={{ $json.list }}') },
			{ items: rows, onError: 'continueErrorOutput' },
		);
		expect(rolesOf(service, 'cid@example.com')).toEqual({ 'org-a': 'member', 'org-b': 'member' });
	});
});

test('whether a user is ours is asked again when the answer is neither yes nor no', async () => {
	await withService({ seed: seed([EVE, person('dan')]) }, async (service, scim) => {
		const path = new RegExp(`Users/${idOf(service, 'dan')}`);
		service.faults.add({ method: 'GET', path, kind: 'html-403', times: 2 });
		const { error } = await scim('user', 'get', { user: byEmail('dan@example.com') });
		expect(error).toBeUndefined();
	});
});

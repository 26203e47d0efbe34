'use strict';

require('../support/noWaiting');
const { ONE_AT_A_TIME } = require('../support/options');
const { withServer } = require('../wild/play');
const { requestsOf, rolesOf, withService } = require('../support/service');

// Deactivate Users Without Access: whoever has got access since the groups were read stays active.

const seed = {
	account: 'org-acct',
	organizations: ['org-acct', 'org-a', 'org-c'].map((id) => ({ id, name: id })),
	users: ['ana', 'bob', 'cid'].map((name) => ({ userName: `${name}@example.com`, active: true })),
	memberships: [
		{ userName: 'ana@example.com', organization: 'org-a', role: 'member' },
		{ userName: 'bob@example.com', organization: 'org-a', role: 'admin' },
		{ userName: 'cid@example.com', organization: 'org-a', role: 'viewer' },
	],
};

const BOB = { email: 'bob@example.com', organization: 'org-a', role: 'admin' };
const wanted = {
	scopeOrganizations: 'org-a',
	wantedFrom: 'json',
	wantedJson: JSON.stringify([BOB]),
};
const options = { deactivatesEmpty: true };
const SAYS = 'cid@example.com is viewer in org-c now, so the user was not deactivated';

const USER = /^\/scim\/Users\//;

const isActive = (service, name) =>
	service.state.table().people.find(({ userName }) => userName === `${name}@example.com`).active;
const idOf = (service, name) => service.state.userByName(`${name}@example.com`).id;
const writesTo = (service, name) =>
	requestsOf(service).filter((request) =>
		request.startsWith(`PATCH /scim/Users/${idOf(service, name)} `),
	);

/** The ways in which somebody is deactivated for having nothing else. */
const WAYS = {
	Reconcile: async (scim, begin) => {
		begin();
		return await scim(
			'access',
			'reconcile',
			{ ...wanted, preview: false, options },
			{ credential: ONE_AT_A_TIME, onError: 'continueErrorOutput' },
		);
	},
	'Apply Plan': async (scim, begin) => {
		const { json } = await scim('access', 'reconcile', { ...wanted, preview: true, options });
		begin();
		return await scim(
			'access',
			'applyPlan',
			{},
			{ credential: ONE_AT_A_TIME, items: json, onError: 'continueErrorOutput' },
		);
	},
};

const errorsOf = ({ errorJson }) => errorJson.map(({ error }) => error).join('\n');

describe.each(Object.keys(WAYS))('%s', (way) => {
	const tryOn = async (faults, meddle, work) =>
		await withService({ seed, faults }, async (service, scim) => {
			let isOn = false;
			service.options.onRequest = (entry) => {
				if (isOn) meddle(entry, service);
			};
			const result = await WAYS[way](scim, () => {
				isOn = true;
			});
			await work(service, result);
		});
	const giveCid = (service) =>
		service.state.directory.setRole(idOf(service, 'cid'), 'org-c', 'viewer');

	test.each([
		['a 429', { kind: '429', retryAfter: 1 }],
		['a lost answer', { kind: 'reset-before' }],
	])('access that came while it waited after %s', async (_name, fault) => {
		const faults = [{ method: 'PATCH', path: USER, times: 1, nth: 2, ...fault }];
		let patches = 0;
		const meddle = ({ method }, service) => {
			if (method === 'PATCH') patches += 1;
			if (method === 'PATCH' && patches === 2) giveCid(service);
		};
		await tryOn(faults, meddle, (service, result) => {
			expect(errorsOf(result)).toContain(SAYS);
			expect(isActive(service, 'cid')).toBe(true);
			expect(rolesOf(service, 'cid@example.com')).toEqual({ 'org-a': 'viewer', 'org-c': 'viewer' });
			expect(writesTo(service, 'cid')).toHaveLength(1);
			expect(isActive(service, 'ana')).toBe(false);
		});
	});

	test('access that came while another step waited', async () => {
		const faults = [{ method: 'PATCH', path: USER, times: 1, kind: '429' }];
		const meddle = ({ method }, service) => {
			if (method === 'PATCH') giveCid(service);
		};
		await tryOn(faults, meddle, (service, result) => {
			expect(errorsOf(result)).toContain(SAYS);
			expect(isActive(service, 'cid')).toBe(true);
			expect(writesTo(service, 'cid')).toStrictEqual([]);
			expect(isActive(service, 'ana')).toBe(false);
		});
	});

	test('access that came more than 5 seconds after the groups were read', async () => {
		const { now } = Date;
		let ahead = 0;
		jest.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
		const meddle = ({ method }, service) => {
			if (method !== 'PATCH') return;
			ahead = 5_500;
			giveCid(service);
		};
		try {
			await tryOn([], meddle, (service, result) => {
				expect(errorsOf(result)).toContain(SAYS);
				expect(isActive(service, 'cid')).toBe(true);
				expect(isActive(service, 'ana')).toBe(false);
			});
		} finally {
			jest.restoreAllMocks();
		}
	});

	test('nothing came: deactivated after the look, also when the answer was lost', async () => {
		const faults = [{ method: 'PATCH', path: USER, times: 1, kind: 'reset-after' }];
		await tryOn(
			faults,
			() => {},
			(service, result) => {
				expect(errorsOf(result)).toBe('');
				expect(isActive(service, 'ana')).toBe(false);
				expect(isActive(service, 'cid')).toBe(false);
				// The look shows that it had worked.
				expect(writesTo(service, 'ana')).toHaveLength(1);
			},
		);
	});
});

describe('a generic service with organizations', () => {
	const credential = {
		overrideProfile: true,
		groupsStandFor: 'organizationAndRole',
		groupPattern: '{organization}:{role}',
		oneRolePerOrganization: 'yes',
	};
	const users = ['user-1', 'user-2'].map((id) => ({ id, userName: `${id}@example.com` }));
	const state = (members) => ({
		users,
		groups: [
			{ id: 'org-a:admin', members: ['user-1'] },
			{ id: 'org-a:member', members },
			{ id: 'org-c:member' },
		],
	});
	const rows = [{ person: 'user-1', organization: 'org-a', role: 'admin' }];
	const parameters = {
		scopeOrganizations: 'org-a',
		wantedFrom: 'json',
		wantedJson: JSON.stringify(rows),
		preview: false,
	};
	const run = async (scim, preview = false) =>
		await scim('access', 'reconcile', { ...parameters, preview }, { credential, options });

	test.each(['all', 'absent'])(
		'access that came while it waited is seen, users show their groups: %s',
		async (usersShowGroups) => {
			const faults = [{ on: 'PATCH /Users/user-2', times: 1, status: 429 }];
			// A fault is answered before the write comes, so somebody else writes behind the back of the node.
			const onRequest = ({ method }, { directory }) => {
				if (method === 'PATCH') directory.groups.set('org-c:member', ['user-2']);
			};
			await withServer(
				{ ...state(['user-2']), usersShowGroups, faults, onRequest },
				async (server, scim) => {
					const { error } = await run(scim);
					expect(error.message).toContain(
						'user-2@example.com is member in org-c now, so the user was not deactivated',
					);
					expect(server.users.get('user-2').active).toBe(true);
					expect(server.membersOf('org-a:member')).toEqual(['user-2']);
					expect(server.came('PATCH')).toEqual(['PATCH /Users/user-2 429']);
				},
			);
		},
	);

	test('a member who is no user any more: the membership goes, and the second run sends nothing', async () => {
		await withServer(state(['user-gone']), async (server, scim) => {
			const { error, json } = await run(scim);
			expect(error).toBeUndefined();
			expect(server.membersOf('org-a:member')).toStrictEqual([]);
			const gone = json.filter(({ userId }) => userId === 'user-gone');
			expect(gone.map(({ change, status }) => [change, status])).toEqual([['revoked', 'done']]);

			server.requests.length = 0;
			expect((await run(scim)).error).toBeUndefined();
			expect(server.written()).toStrictEqual([]);
		});
	});

	test('likewise when the plan is approved first', async () => {
		await withServer(state(['user-gone', 'user-2']), async (server, scim) => {
			const { json } = await run(scim, true);
			const { error } = await scim('access', 'applyPlan', {}, { credential, items: json });
			expect(error).toBeUndefined();
			expect(server.membersOf('org-a:member')).toStrictEqual([]);
			expect(server.users.get('user-2').active).toBe(false);
		});
	});

	test('a user whom the service does not deactivate is no such member', async () => {
		const faults = [{ on: 'PATCH /Users/user-2', status: 404 }];
		await withServer({ ...state(['user-2']), faults }, async (server, scim) => {
			const { error } = await run(scim);
			expect(error.message).toContain('404');
			expect(server.membersOf('org-a:member')).toEqual(['user-2']);
		});
	});
});

'use strict';

require('../support/noWaiting');
const { dialectOf } = require('../../demo/service/scim/dialects');
const { byEmail, byId } = require('../support/node');
const { inPagesOf } = require('../support/pages');
const { PROFILES, idsOf, inGroup, people, withServer } = require('./play');
const { oneRole } = require('../support/accessRows');

// Rows of "Paging" of what real SCIM servers do to a client. A page is two entries here, and there are five people.

const ALL = { returnAll: true };

beforeEach(() => inPagesOf(2));
afterEach(() => jest.restoreAllMocks());

/** Reads the whole list as a user would, and expects everybody once. */
async function expectEverybody(profile, switches, check = () => {}) {
	await withServer({ users: people(5), ...switches }, async (server, scim) => {
		const { json, error } = await scim('user', 'getAll', ALL, { profile });
		expect(error).toBeUndefined();
		expect(json.map(({ userId }) => userId)).toEqual(idsOf(5));
		expect(server.written()).toStrictEqual([]);
		check(server);
	});
}

/** A list of which it cannot be told whether it is whole is never given out as if it were. */
async function expectIncomplete(profile, switches, why) {
	await withServer({ users: people(5), ...switches }, async (_, scim) => {
		const { json, error } = await scim('user', 'getAll', ALL, { profile });
		expect(json).toStrictEqual([]);
		expect(error.message).toMatch(/^The list of users is incomplete: /);
		expect(error.message).toMatch(why);
	});
}

describe.each(PROFILES)('paging, profile %s', (profile) => {
	describe('`totalResults` = size of this page; missing; a string; inflated by duplicates: never end on it alone', () => {
		test.each(['page', 'missing', 'string'])('%s', async (total) => {
			await expectEverybody(profile, { total });
		});

		test('inflated by duplicates', async () => {
			await expectEverybody(profile, { listsTwice: true });
		});
	});

	describe('a `startIndex` past the end answers page one again; `startIndex` ignored; `count` capped or ignored: stop when a page brings no new id', () => {
		test.each(['true', 'missing'])(
			'page one again past the end, totalResults %s',
			async (total) => {
				await expectEverybody(profile, { pastTheEnd: 'firstPage', total }, (server) => {
					expect(server.lists).toBeLessThanOrEqual(4);
				});
			},
		);

		test('startIndex ignored', async () => {
			await expectIncomplete(profile, { ignoresStart: true }, /2 of 5 entries/);
			await expectIncomplete(profile, { ignoresStart: true, total: 'missing' }, /first 2 entries/);
		});

		test('count capped', async () => {
			await expectEverybody(profile, { pageCap: 1 });
		});

		test('count ignored', async () => {
			await expectEverybody(profile, { ignoresCount: true }, (server) => {
				expect(server.lists).toBeLessThanOrEqual(2);
			});
		});

		test('both ignored', async () => {
			await expectEverybody(profile, { ignoresCount: true, ignoresStart: true });
			await expectEverybody(profile, { ignoresCount: true, ignoresStart: true, total: 'missing' });
		});
	});

	describe('empty page, `Resources` absent or null at zero hits: an empty list, not an exception', () => {
		test.each(['list', 'absent', 'null'])('Resources %s', async (noHits) => {
			for (const total of ['true', 'missing']) {
				await withServer({ noHits, total }, async (_, scim) => {
					const all = await scim('user', 'getAll', ALL, { profile });
					expect([all.error, all.json]).toEqual([undefined, []]);
					// An account always has groups: there none is a failed read.
					const groups = await scim('group', 'getAll', ALL, { profile });
					const said = groups.error?.message;
					expect(groups.json).toStrictEqual([]);
					expect(said).toBe(
						profile === 'generic'
							? undefined
							: 'Could not list groups: the service showed no group, 4 times',
					);
					const one = await scim(
						'user',
						'get',
						{ user: byEmail('nobody@example.com') },
						{ profile },
					);
					expect(one.error.message).toBe('No user has the user name nobody@example.com');
				});
			}
		});

		test.each(['list', 'absent', 'null'])('Resources %s behind the last page', async (noHits) => {
			await expectEverybody(profile, { noHits, total: 'missing' });
		});
	});

	describe('short page although more follow; pages that overlap; an item deleted between pages shifts one out of view: go on by the number of items received, de-duplicate by id, one more pass when the total dropped', () => {
		// Account organizations count all pages: there a short page together with its own size is the end.
		const totals = profile === 'generic' ? ['true', 'missing', 'page'] : ['true', 'missing'];
		test.each(totals)('short pages, totalResults %s', async (total) => {
			await expectEverybody(profile, { shortBy: 1, total });
		});

		test('pages that overlap', async () => {
			await withServer({ users: people(7), overlap: 1 }, async (_, scim) => {
				inPagesOf(3);
				const { json } = await scim('user', 'getAll', ALL, { profile });
				expect(json.map(({ userId }) => userId)).toEqual(idsOf(7));
			});
		});

		test('an item deleted between pages', async () => {
			const onList = (nth, server) => {
				if (nth === 2) server.scim.users.delete('user-1');
			};
			await withServer({ users: people(5), onList }, async (_, scim) => {
				const { json } = await scim('user', 'getAll', ALL, { profile });
				expect(json.map(({ userId }) => userId)).toEqual(idsOf(5).slice(1));
			});
		});

		test('an item deleted between pages of groups: nobody is taken for not having access', async () => {
			const groups = ['org-1:admin', 'org-1:member', 'org-1:viewer', 'org-2:admin', 'org-2:member'];
			const onList = (nth, server) => {
				if (nth === 2) server.scim.groups.delete('org-1:admin');
			};
			const switches = {
				users: people(1),
				groups: groups.map((id) => ({ id, members: id === 'org-1:viewer' ? ['user-1'] : [] })),
				onList,
			};
			await withServer(switches, async (_, scim) => {
				const { json } = await scim(
					'access',
					'get',
					{ user: byId('user-1') },
					{
						profile,
						credential: {
							groupsStandFor: 'organizationAndRole',
							groupPattern: '{organization}:{role}',
						},
					},
				);
				expect(json).toMatchObject([{ assignments: [{ organization: 'org-1', role: 'viewer' }] }]);
			});
		});
	});

	describe('list known to be incomplete: say "the list is incomplete", never "user not found"', () => {
		const INCOMPLETE = { ignoresStart: true, filter: 403 };

		test('Get by email', async () => {
			await withServer({ users: people(5), ...INCOMPLETE }, async (_, scim) => {
				const user = byEmail('person5@example.com');
				const { error } = await scim('user', 'get', { user }, { profile });
				expect(error.message).toBe(
					'Could not find out who has the user name person5@example.com: the list of users is incomplete',
				);
				expect(error.description).toContain('2 of 5 entries');
				const known = byEmail('person2@example.com');
				const seen = await scim('user', 'get', { user: known }, { profile });
				expect(seen.json).toMatchObject([{ userId: 'user-2' }]);
			});
		});

		test.each(['deactivate', 'delete'])('%s by email: nothing is written', async (operation) => {
			await withServer({ users: people(5), ...INCOMPLETE }, async (server, scim) => {
				const user = byEmail('person5@example.com');
				const { error } = await scim('user', operation, { user }, { profile });
				expect(error.message).toContain('the list of users is incomplete');
				expect(server.written()).toStrictEqual([]);
			});
		});

		test('Create or Update: the create decides, and a 409 does not become "not there"', async () => {
			await withServer({ users: people(5), ...INCOMPLETE }, async (server, scim) => {
				const { error } = await scim(
					'user',
					'upsert',
					{ userName: 'person5@example.com' },
					{ profile },
				);
				expect(error.message).toContain('the list of users is incomplete');
				expect(server.named('person5@example.com')).toHaveLength(1);
			});
		});

		test('groups: no access is taken or given on such a ground', async () => {
			const groups = ['org-1:admin', 'org-1:member', 'org-1:viewer'].map((id) => ({ id }));
			await withServer({ users: people(2), groups, ignoresStart: true }, async (server, scim) => {
				const { error } = await scim(
					'access',
					'assign',
					{ people: 'user-1', ...oneRole('org-1', 'member') },
					{
						profile: 'generic',
						credential: {
							groupsStandFor: 'organizationAndRole',
							groupPattern: '{organization}:{role}',
						},
					},
				);
				expect(error.message).toMatch(/^The list of groups is incomplete: /);
				expect(server.written()).toStrictEqual([]);
			});
		});
	});
});

test('`members` of a group that a page shows twice are read once', async () => {
	const groups = [{ id: 'g1', members: ['user-1', 'user-1', 'user-2'] }];
	await withServer({ users: people(2), groups }, async (_, scim) => {
		const { json } = await scim('group', 'get', inGroup('g1'));
		expect(json[0].members.map(({ userId }) => userId)).toEqual(['user-1', 'user-2']);
	});
});

describe('cursors (RFC 9865), as AWS IAM Identity Center documents them', () => {
	const AWS = { ...dialectOf('aws').switches, pageCap: 2, prefix: '' };
	const aws = { serviceProfile: 'awsIdentityCenter' };
	const readAll = async (switches, credential, check, resource = 'user') =>
		await withServer({ ...AWS, users: people(5), ...switches }, async (server, scim) => {
			const more = { credential };
			check(await scim(resource, 'getAll', ALL, more), server);
		});

	test('everybody, and no discovery', async () => {
		await readAll({}, aws, ({ json, error }, server) => {
			expect(error).toBeUndefined();
			expect(json.map(({ userId }) => userId)).toEqual(idsOf(5));
			expect(server.requests.map(({ query }) => 'startIndex' in query)).toEqual([
				false,
				false,
				false,
			]);
			expect(server.requests.every(({ path }) => path === '/Users')).toBe(true);
		});
	});

	test('groups likewise', async () => {
		const groups = ['g1', 'g2', 'g3'].map((id) => ({ id, members: [] }));
		const check = ({ json }) => expect(json.map(({ id }) => id)).toEqual(['g1', 'g2', 'g3']);
		await readAll({ groups }, aws, check, 'group');
	});

	test('Paging: Cursor under Override Profile; a first page that names one without it', async () => {
		const check = ({ json }) => expect(json.map(({ userId }) => userId)).toEqual(idsOf(5));
		await readAll({}, { overrideProfile: true, paging: 'cursor' }, check);
		await readAll({ paging: 'cursor', refusesQuery: [] }, {}, check);
	});

	test.each(['page', 'missing'])('a cursor that expires at once, totals %s', async (total) => {
		const onList = (nth, { is }) => Object.assign(is, { cursorMs: nth % 2 === 1 ? Infinity : -1 });
		await readAll({ onList, total }, aws, ({ json, error }, server) => {
			expect(json).toStrictEqual([]);
			expect(error.message).toMatch(/^The list of users is incomplete: .*own cursor/);
			expect(server.lists).toBe(4);
		});
	});

	test('one person by name, among more than a page', async () => {
		await withServer({ ...AWS, users: people(5) }, async (server, scim) => {
			const found = await scim(
				'user',
				'get',
				{ user: byEmail('person4@example.com') },
				{ credential: aws },
			);
			expect(found.json).toMatchObject([{ userId: 'user-4' }]);
			const absent = await scim(
				'user',
				'get',
				{ user: byEmail('nobody@example.com') },
				{ credential: aws },
			);
			expect(absent.error.message).toBe('No user has the user name nobody@example.com');
		});
	});
});

describe('a first page that may be the whole list, of a service that says in `totalResults` how long the page is', () => {
	beforeEach(() => inPagesOf(100));

	const groupsWith = (members) =>
		['team', 'Team', 'Other'].map((displayName, at) => ({
			...{ id: `g-${at}`, displayName },
			...(displayName === 'Team' && { members }),
		}));
	const listed = (server, type) =>
		server.requests.filter(({ method, path }) => method === 'GET' && path.endsWith(type)).length;
	const emails = (...numbers) => numbers.map((n) => `person${n}@example.com`).join(', ');
	/** What it is done with, and the lists of groups and of users that it took. */
	async function play(operation, { names, group, seen = {}, pageCap = 3, members = [] }) {
		const groups = groupsWith(members);
		let took;
		await withServer(
			{ users: people(4), groups, total: 'page', pageCap, filter: 'off' },
			async (server, scim) => {
				const given = {
					...{ people: names, createMissing: false, accessBy: 'group' },
					...{ revokeIn: 'one', groups: { group: [{ group }] } },
				};
				const { json, errorJson } = await scim('access', operation, given, {
					onError: 'continueErrorOutput',
				});
				expect(errorJson).toStrictEqual([]);
				took = {
					statuses: [...new Set(json.map(({ status }) => status))],
					groups: listed(server, '/Groups'),
					users: listed(server, '/Users'),
					members: server.membersOf('g-1'),
				};
			},
		);
		expect(took).toMatchObject(seen);
	}

	test('is enough for people whom it shows', async () => {
		const seen = { statuses: ['done'], users: 1, members: idsOf(3) };
		await play('assign', { names: emails(1, 2, 3), group: 'Team', seen });
	});

	test('is not where somebody is on the next one', async () => {
		const members = ['user-1', 'user-2', 'user-4'];
		await play('assign', { names: emails(1, 2, 4), group: 'Team', seen: { members } });
	});

	test('is not where it shows a group or a person in another spelling', async () => {
		const members = ['user-1'];
		await play('assign', { names: emails(1), group: 'Team', pageCap: 1, seen: { members } });
		const users = 3;
		await play('assign', {
			...{ names: emails(1, 2, 3).toUpperCase(), group: 'Team' },
			seen: { users, members: idsOf(3) },
		});
	});

	test('is not for a group: another one of its name may follow', async () => {
		const seen = { statuses: ['unchanged', 'done'], groups: 2, members: ['user-4'] };
		const members = ['user-3', 'user-4'];
		await play('revoke', { names: emails(3, 1, 2), group: 'Team', members, seen });
	});
});

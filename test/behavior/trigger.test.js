'use strict';

require('../support/noWaiting');

// The polling trigger, over real sockets. Pauses pass at once, and are written down.
const mockPauses = [];
let mockDuringPause = () => {};
jest.mock('n8n-workflow', () => ({
	...jest.requireActual('n8n-workflow'),
	sleep: async (ms) => {
		mockPauses.push(ms);
		await mockDuringPause();
	},
}));

const { seedOf, startService } = require('../../demo/service');
const { pollNode } = require('../harness');
const { inCollections } = require('../support/options');
const { ScimProvisioningApi, ScimProvisioningTrigger } = require('../support/built');
const { TOKEN } = require('../support/node');
const { requestsOf } = require('../support/service');
const { startServer } = require('../support/scimServer');

const ACCESS = ['accessGranted', 'accessRevoked', 'roleChanged'];
const USERS = ['userActivated', 'userCreated', 'userDeactivated', 'userDeleted'];
const ALL = [...ACCESS, ...USERS];
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User:';
const SEEN_AT = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
/** The fields of an organization, for a group that stands for none where others do. */
const NO_ORGANIZATION = { organization: null, organizationName: null };
/** What an item says of an event that has none of it. */
const NO_MORE = {
	...{ active: null, group: null, groupId: null, roleBefore: null, role: null },
	changedAttributes: null,
};
/** The same of a service with access attributes. */
const NO_VALUE = { ...NO_MORE, attribute: null };
const names = {
	organization: [
		{ name: 'Marketing', id: 'org-3454' },
		{ name: 'Operations', id: 'org-9120' },
	],
};

let service;
let staticData;
/** What n8n has saved: static data as it was when the workflow started last, or was activated. */
let saved;

beforeEach(() => {
	mockPauses.length = 0;
	mockDuringPause = () => {};
	staticData = {};
	saved = undefined;
});
afterEach(async () => {
	await service?.close();
	service = undefined;
});

async function start(options = {}) {
	service = await startService(options);
}

const copy = (value) => JSON.parse(JSON.stringify(value));

/** n8n is stopped and started again. */
const restart = () => {
	staticData = copy(saved);
};

/** One look. n8n keeps static data as JSON between two. */
async function look({ events = ALL, options = {}, watched, credential = {}, ...more } = {}) {
	const attributes = watched !== undefined && { watchedAttributes: watched };
	const items = await pollNode(new ScimProvisioningTrigger(), {
		parameters: inCollections({ events, options, ...attributes }),
		credentials: {
			scimProvisioningApi: {
				baseUrl: service?.url,
				accountApiToken: service?.accountToken ?? TOKEN,
				serviceProfile: 'accountOrganizations',
				organizationNames: names,
				...credential,
			},
		},
		credentialTypes: [new ScimProvisioningApi()],
		staticData,
		...more,
	});
	staticData = copy(staticData);
	if (items !== undefined || saved === undefined) saved = copy(staticData);
	return items;
}

const directory = () => service.state.directory;
const idOf = (userName) => directory().byName(userName).id;
const GET_GROUPS = 'GET /scim/Groups 200';
const GET_USERS = 'GET /scim/Users 200';

describe('what has happened', () => {
	test('the first look only remembers', async () => {
		await start();
		expect(await look()).toBeUndefined();
		expect(await look()).toBeUndefined();
		// Twice to begin with, once to see that nothing has changed.
		const read = [GET_GROUPS, GET_USERS];
		expect(requestsOf(service)).toEqual([...read, ...read, ...read]);
		expect(mockPauses.reduce((sum, ms) => sum + ms, 0)).toBe(10_000);
	});

	test('each kind of event, once', async () => {
		await start();
		await look();
		const { id: newcomer } = directory().create('new@example.com');
		const idle = idOf('farah.rahimi@example.com');
		directory().setRole(idle, 'org-3454', 'viewer');
		const mover = idOf('julia.van.der.berg@example.com');
		directory().setRole(mover, 'org-3454', 'admin');
		const out = idOf('dmitri.volkov@example.com');
		directory().removeRole(out, 'org-7788');
		const leaver = idOf('kwame.boateng@example.com');
		directory().setActive(leaver, false);
		const back = idOf('anders.berg@example.com');
		directory().setActive(back, true);
		const gone = idOf('emil.novak@example.com');
		directory().delete(gone);

		const marketing = { organization: 'org-3454', organizationName: 'Marketing' };
		const group = (id) => ({ group: id, groupId: id });
		const person = (event, userId, userName, more) => ({
			...{ ...NO_MORE, ...NO_ORGANIZATION, event, userId, userName, seenAt: SEEN_AT },
			...more,
		});
		const items = await look();
		expect(items).toHaveLength(8);
		expect(items).toEqual(
			expect.arrayContaining([
				person('userCreated', newcomer, 'new@example.com', { active: true }),
				person('userDeactivated', leaver, 'kwame.boateng@example.com', { active: false }),
				person('accessRevoked', leaver, 'kwame.boateng@example.com', {
					...{ active: false, organization: 'org-9120', organizationName: 'Operations' },
					...group('whylabs-org-9120:member'),
					...{ roleBefore: 'member', role: null },
				}),
				person('userActivated', back, 'anders.berg@example.com', { active: true }),
				person('userDeleted', gone, 'emil.novak@example.com'),
				person('accessGranted', idle, 'farah.rahimi@example.com', {
					...marketing,
					...group('whylabs-org-3454:viewer'),
					...{ active: true, roleBefore: null, role: 'viewer' },
				}),
				person('roleChanged', mover, 'julia.van.der.berg@example.com', {
					...marketing,
					...group('whylabs-org-3454:admin'),
					...{ active: true, roleBefore: 'member', role: 'admin' },
				}),
				person('accessRevoked', out, 'dmitri.volkov@example.com', {
					...{ active: true, organization: 'org-7788', organizationName: 'org-7788' },
					...group('whylabs-org-7788:member'),
					...{ roleBefore: 'member', role: null },
				}),
			]),
		);
		expect(await look()).toBeUndefined();
	});

	test('Any Access Change: each change once, of whatever kind, also beside the kind itself', async () => {
		await start();
		const events = ['anyAccessChange', 'accessGranted'];
		await look({ events });
		expect(requestsOf(service)).toEqual([GET_GROUPS, GET_GROUPS]);
		directory().create('new@example.com');
		directory().setRole(idOf('farah.rahimi@example.com'), 'org-3454', 'viewer');
		directory().setRole(idOf('julia.van.der.berg@example.com'), 'org-3454', 'admin');
		directory().removeRole(idOf('dmitri.volkov@example.com'), 'org-7788');
		const items = await look({ events });
		expect(items.map(({ event, userName }) => `${event} ${userName}`).sort()).toEqual([
			'accessGranted farah.rahimi@example.com',
			'accessRevoked dmitri.volkov@example.com',
			'roleChanged julia.van.der.berg@example.com',
		]);
		expect(await look({ events })).toBeUndefined();
	});

	test('an event that there is not: an error', async () => {
		await start();
		await expect(look({ events: ['accessChanged'] })).rejects.toThrow(
			'Trigger On has an unknown event "accessChanged"',
		);
	});

	test('what another version of the node has remembered begins anew, with a warning', async () => {
		await start();
		await look();
		const { format, ...older } = JSON.parse(staticData.seen);
		expect(format).toEqual(expect.any(Number));
		staticData.seen = JSON.stringify(older);
		directory().create('new@example.com');
		const warnings = [];
		expect(await look({ logger: { warn: (text) => warnings.push(text) } })).toBeUndefined();
		expect(warnings).toEqual([expect.stringContaining('starts over')]);
		directory().create('newer@example.com');
		expect((await look()).map(({ userName }) => userName)).toEqual(['newer@example.com']);
	});

	test('only what was chosen is read, and reported', async () => {
		await start();
		await look({ events: ['accessRevoked'] });
		expect(requestsOf(service)).toEqual([GET_GROUPS, GET_GROUPS]);
		directory().create('new@example.com');
		directory().removeRole(idOf('dmitri.volkov@example.com'), 'org-7788');
		directory().setRole(idOf('farah.rahimi@example.com'), 'org-3454', 'viewer');
		const items = await look({ events: ['accessRevoked'] });
		expect(items.map(({ event, userName }) => [event, userName])).toEqual([
			['accessRevoked', 'dmitri.volkov@example.com'],
		]);

		service.log.clear();
		staticData = {};
		await look({ events: ['userDeleted'] });
		expect(requestsOf(service)).toEqual([GET_USERS, GET_USERS]);
	});

	test('in chosen organizations only; what happened elsewhere is not made up for later', async () => {
		await start();
		const options = { organizations: 'Operations' };
		await look({ events: ACCESS, options });
		directory().setRole(idOf('farah.rahimi@example.com'), 'org-3454', 'viewer');
		directory().setRole(idOf('farah.rahimi@example.com'), 'org-9120', 'viewer');
		const items = await look({ events: ACCESS, options });
		expect(items.map(({ organizationName }) => organizationName)).toEqual(['Operations']);
		expect(await look({ events: ACCESS })).toBeUndefined();
	});

	test('events that are chosen later begin with what is there then', async () => {
		await start();
		await look({ events: ACCESS });
		directory().create('new@example.com');
		directory().setRole(idOf('farah.rahimi@example.com'), 'org-3454', 'viewer');
		const items = await look();
		expect(items.map(({ event }) => event)).toEqual(['accessGranted']);
		directory().create('newer@example.com');
		expect((await look()).map(({ event }) => event)).toEqual(['userCreated']);
	});

	test('people go by their newest name', async () => {
		await withPeople({ groups: [groupOf('g-1', 'ben', 'cid', 'dan')] }, async (see, { scim }) => {
			await see({ events: ALL });
			scim.store({ ...scim.byName('ana'), userName: 'ana.married', active: false });
			expect(short(await see({ events: ALL }))).toEqual(['userDeactivated ana.married']);
		});
	});

	test('another account at the same address begins anew', async () => {
		await start();
		await look();
		directory().create('new@example.com');
		expect(await look({ credential: { accountOrganizationId: 'org-other' } })).toBeUndefined();
	});

	test('two roles that are over in a moment are waited for', async () => {
		const groups = [groupOf('org-1:admin', 'dan'), groupOf('org-1:member', 'ana', 'ben')];
		const profile = { serviceProfile: 'accountOrganizations', scimPrefix: 'nowhere' };
		await withPeople({ groups, profile }, async (see, { scim }) => {
			await see();
			scim.add('org-1:admin', 'u-ana');
			mockDuringPause = () => scim.drop('org-1:member', 'u-ana');
			expect(short(await see())).toEqual(['roleChanged ana org-1 member admin']);
		});
	});

	test('another service begins anew, whatever was remembered', async () => {
		await start();
		await look();
		await service.close();
		await start({ seed: seedOf({ users: 3 }) });
		expect(await look()).toBeUndefined();
		directory().create('new@example.com');
		expect(await look()).toHaveLength(1);
	});
});

describe('what is not so', () => {
	test('only what two looks show alike is reported', async () => {
		await start();
		await look();
		const person = idOf('dmitri.volkov@example.com');
		directory().removeRole(person, 'org-7788');
		directory().setRole(idOf('farah.rahimi@example.com'), 'org-3454', 'viewer');
		// By the second look it is as it was: the first one was an old read, or somebody thought better of it.
		mockDuringPause = () => directory().setRole(person, 'org-7788', 'member');
		mockPauses.length = 0;
		const items = await look({ options: { confirmAfter: 7 } });
		expect(items.map(({ event }) => event)).toEqual(['accessGranted']);
		expect(mockPauses.reduce((sum, ms) => sum + ms, 0)).toBe(7_000);
		expect(await look()).toBeUndefined();
	});

	test('a change between the two looks comes with the next one', async () => {
		await start();
		await look();
		const person = idOf('farah.rahimi@example.com');
		directory().setRole(person, 'org-3454', 'viewer');
		mockDuringPause = () => directory().setRole(person, 'org-3454', 'member');
		expect(await look()).toBeUndefined();
		mockDuringPause = () => {};
		expect(await look()).toMatchObject([{ event: 'accessGranted', role: 'member' }]);
	});

	test('one old read is remembered of nothing, chosen or not', async () => {
		await start();
		const events = ['accessRevoked'];
		await look({ events });
		const person = idOf('dmitri.volkov@example.com');
		directory().removeRole(person, 'org-7788');
		expect(await look({ events })).toHaveLength(1);
		// An old read shows the role again, for one look.
		directory().setRole(person, 'org-7788', 'member');
		mockDuringPause = () => directory().removeRole(person, 'org-7788');
		expect(await look({ events })).toBeUndefined();
		mockDuringPause = () => {};
		expect(await look({ events })).toBeUndefined();
	});

	test('somebody whom one list lacks is not new in the next', async () => {
		await withPeople({}, async (see, { scim }) => {
			await see({ events: ['userCreated'] });
			hide(scim, 'ben');
			mockDuringPause = () => scim.indexedAt.clear();
			expect(await see({ events: ['userCreated'] })).toBeUndefined();
			mockDuringPause = () => {};
			expect(await see({ events: ['userCreated'] })).toBeUndefined();
		});
	});

	test('somebody whom lists lack and whose own address answers is not deleted', async () => {
		await withPeople({}, async (see, { scim, requests }) => {
			await see({ events: USERS });
			hide(scim, 'ben');
			expect(await see({ events: USERS })).toBeUndefined();
			expect(requests.at(-1).path).toBe('/Users/u-ben');
			scim.delete('u-ben');
			expect(short(await see({ events: USERS }))).toEqual(['userDeleted ben']);
		});
	});

	test('a list that leaves inactive people out: they are deactivated, not deleted', async () => {
		await withPeople({}, async (see, { scim }) => {
			await see({ events: USERS });
			scim.setActive('u-ben', false);
			hide(scim, 'ben');
			expect(short(await see({ events: USERS }))).toEqual(['userDeactivated ben']);
			expect(await see({ events: USERS })).toBeUndefined();
			scim.indexedAt.clear();
			scim.setActive('u-ben', true);
			expect(short(await see({ events: USERS }))).toEqual(['userActivated ben']);
		});
	});

	test('where nobody is found at an own address, nobody is deleted', async () => {
		const faults = [{ path: /^\/Users\//, status: 404, body: '<h1>Not here</h1>' }];
		await withPeople({ faults }, async (see, { scim }) => {
			await see({ events: USERS });
			const { seen } = staticData;
			scim.delete('u-dan');
			await expect(see({ events: USERS })).rejects.toThrow(
				'Users of the list cannot be read by ID',
			);
			expect(staticData.seen).toBe(seen);
		});
	});

	test('a list by cursor that cannot be read to its end is an error, and nothing is forgotten', async () => {
		await start({ dialect: 'aws', pageCap: 2, total: 'missing' });
		const credential = { baseUrl: service.url, serviceProfile: 'awsIdentityCenter' };
		const see = async () => await look({ events: USERS, credential });
		await see();
		const { seen } = staticData;
		const { options } = service;
		options.onList = (nth) => Object.assign(options, { cursorMs: nth % 2 === 1 ? Infinity : -1 });
		await expect(see()).rejects.toThrow('The list of users is incomplete');
		expect(staticData.seen).toEqual(seen);
		Object.assign(options, { onList: undefined, cursorMs: Infinity });
		directory().delete(idOf('emil.novak@example.com'));
		expect((await see()).map(({ event }) => event)).toEqual(['userDeleted']);
	});

	test('a check that is due while another one is under way is left out', async () => {
		await start();
		await look();
		directory().setActive(idOf('emil.novak@example.com'), false);
		const alone = service.log.requests.length;
		const both = await look({ events: USERS, together: 2 });
		expect(both.map((items) => items?.map(({ event }) => event))).toEqual([
			['userDeactivated'],
			undefined,
		]);
		expect(service.log.requests.length - alone).toBeLessThanOrEqual(3);
	});

	test('somebody whom the list of groups lacks and the group itself has is still in', async () => {
		const groups = [groupOf('g-1', 'ana', 'ben'), groupOf('g-2', 'cid')];
		await withPeople({ groups }, async (see, { scim, requests, is }) => {
			await see();
			is.onRequest = ({ path }) => {
				scim.drop('g-1', 'u-ben');
				if (path === '/Groups/g-1') scim.add('g-1', 'u-ben');
			};
			expect(await see()).toBeUndefined();
			expect(requests.at(-1).path).toBe('/Groups/g-1');
			is.onRequest = undefined;
			expect(await see()).toBeUndefined();
			scim.drop('g-1', 'u-ben');
			expect(short(await see())).toEqual(['accessRevoked ben g-1']);
		});
	});

	test('the only one who has access is not lost to an empty list', async () => {
		const groups = [groupOf('g-1', 'ana'), groupOf('g-2')];
		await withPeople({ groups }, async (see, { scim }) => {
			await see();
			const { seen } = staticData;
			scim.groups.delete('g-1');
			scim.add('g-2', 'u-ben');
			await expect(see()).rejects.toThrow('1 people seem to have lost access');
			expect(staticData.seen).toBe(seen);
			const options = { maxPercentAffected: 100 };
			expect(short(await see({ options }))).toEqual([
				'accessRevoked ana g-1',
				'accessGranted ben g-2',
			]);
		});
	});

	test('lists that are empty are no beginning', async () => {
		await withPeople({ users: [] }, async (see, { scim }) => {
			await expect(see({ events: USERS })).rejects.toThrow('The service shows no users');
			expect(staticData).toEqual({});
			scim.create('ana');
			expect(await see({ events: USERS })).toBeUndefined();
			expect(await see({ events: USERS })).toBeUndefined();
		});
	});

	test('two looks that differ are no beginning', async () => {
		await start();
		mockDuringPause = () => directory().create('new@example.com');
		await expect(look()).rejects.toThrow("so the trigger can't set a starting point");
		expect(staticData).toEqual({});
		mockDuringPause = () => {};
		expect(await look()).toBeUndefined();
	});

	test('an empty list is a loss, whatever was chosen', async () => {
		await withPeople({}, async (see, { scim }) => {
			await see({ events: ['userCreated'] });
			const { users } = scim;
			scim.users = new Map();
			await expect(see({ events: ['userCreated'] })).rejects.toThrow(
				'4 people seem to have lost access since the last check, more than Max Percent Affected allows: it is everyone',
			);
			scim.users = users;
			expect(await see({ events: ['userCreated'] })).toBeUndefined();
			scim.users = new Map();
			const options = { maxPercentAffected: 100 };
			expect(await see({ events: USERS, options })).toHaveLength(4);
		});
	});

	test('the limit is of those who are watched', async () => {
		const seed = seedOf({ users: 60, organizations: 4 });
		await start({ seed });
		const options = { organizations: 'org-1001' };
		await look({ events: ACCESS, options });
		const { groups } = directory();
		const inside = ['admin', 'member', 'viewer'].flatMap((role) => groups.get(`org-1001:${role}`));
		expect(inside).toHaveLength(20);
		for (const id of inside.slice(0, 6)) directory().removeRole(id, 'org-1001');
		await expect(look({ events: ACCESS, options })).rejects.toThrow(
			'6 people seem to have lost access since the last check, more than the limit of 5 (the greater of 5 people and 10 % of the 20 people with access in the organizations that are watched)',
		);
	});

	test('n8n started again knows what it saved last: nothing is reported twice', async () => {
		await start();
		await look();
		directory().create('new@example.com');
		expect(await look()).toHaveLength(1);
		restart();
		expect(await look()).toBeUndefined();
		directory().create('newer@example.com');
		restart();
		expect((await look()).map(({ userName }) => userName)).toEqual(['newer@example.com']);
	});

	test('a look that took too long puts nothing back', async () => {
		await start();
		await look();
		directory().create('new@example.com');
		const old = structuredClone(staticData);
		let reported;
		mockDuringPause = async () => {
			mockDuringPause = () => {};
			reported = await look();
		};
		expect(await look()).toBeUndefined();
		expect(reported.map(({ event }) => event)).toEqual(['userCreated']);
		expect(staticData.seen).not.toBe(old.seen);
		expect(await look()).toBeUndefined();
	});

	test('more who lose access than the limit: nothing is reported until somebody has looked', async () => {
		await start();
		await look({ events: USERS });
		for (const { id } of [...directory().users.values()].slice(10, 20)) directory().delete(id);
		const failed = await look({ events: USERS }).catch((error) => error);
		expect(failed).toMatchObject({
			name: 'NodeOperationError',
			message:
				'10 people seem to have lost access since the last check, more than the limit of 5 (the greater of 5 people and 10 % of the 40 users). Nothing was reported',
			description: expect.stringContaining('raise the limit under Safety Limits'),
		});
		const options = { maxPeopleAffected: 10 };
		expect(await look({ events: USERS, options })).toHaveLength(10);
	});

	test.each([
		['an empty list', { Resources: [], totalResults: 0, schemas: [] }, /40 people seem to/],
		[
			'a part of the list',
			{ Resources: [{ id: 'u', userName: 'u' }], totalResults: 40 },
			/incomplete/,
		],
		['a web page', '<html><title>Gateway</title></html>', /not JSON/],
	])('%s: no event, and all is remembered', async (_what, body, message) => {
		await start();
		await look({ events: USERS });
		const remembered = staticData.seen;
		service.faults.add({ path: /Users\/./, kind: 'missing' });
		service.faults.add({ path: '/scim/Users', kind: 'status', status: 200, body });
		await expect(look({ events: USERS })).rejects.toThrow(message);
		expect(staticData.seen).toBe(remembered);
		service.faults.clear();
		expect(await look({ events: USERS })).toBeUndefined();
	});

	test('a token that is refused: an error that says what to do, without the token', async () => {
		await start();
		const failed = await look({ credential: { accountApiToken: TOKEN } }).catch((error) => error);
		expect(failed).toMatchObject({
			httpCode: expect.stringMatching(/40[13]/),
			description: expect.stringContaining('account token'),
		});
		expect(JSON.stringify(failed)).not.toContain(TOKEN);
		expect(staticData).toEqual({});
	});

	test.each(['init', 'leadershipChange'])(
		'when n8n starts by itself (%s) an error is recorded, so that it goes on looking',
		async (activation) => {
			await start();
			await look();
			const errors = [];
			const recordError = (error) => errors.push(error.message);
			service.faults.add({ kind: '500-html' });
			const options = { maxWait: 0 };
			expect(await look({ options, activation, recordError })).toBeUndefined();
			expect(errors).toEqual([expect.stringContaining('the service answered 500')]);
			await expect(look({ options })).rejects.toThrow('the service answered 500');
		},
	);

	test('nothing chosen: an error', async () => {
		await start();
		await expect(look({ events: [] })).rejects.toThrow('Trigger On is empty');
	});
});

describe('users who were updated', () => {
	const events = ['userUpdated'];
	const ana = {
		userName: 'ana@example.com',
		name: { givenName: 'Ana', familyName: 'Silva' },
		emails: [
			{ value: 'ana@example.com', type: 'work', primary: true },
			{ value: 'ana@home.example', type: 'home' },
		],
		title: 'Nurse',
		nickName: 'An',
		[ENTERPRISE]: { department: 'Ward', manager: { value: 'm-1' } },
	};
	const others = ['ben', 'cid'].map((name) => ({ userName: `${name}@example.com` }));

	/** Three people at a service; `change` gives Ana other attributes. */
	async function withAna(work, switches = {}) {
		const users = [{ ...ana, id: 'u-ana' }, ...others];
		const server = await startServer({ users, groups: [], ...switches });
		const credential = { baseUrl: server.url, serviceProfile: 'generic' };
		const change = (attributes) => {
			const stored = server.scim.users.get('u-ana');
			const { userName = stored.userName, ...rest } = attributes;
			server.scim.store({ ...stored, userName, attributes: { ...stored.attributes, ...rest } });
		};
		const see = async (more = {}) => await look({ events, credential, ...more });
		try {
			await work({ see, change, server });
		} finally {
			await server.close();
		}
	}
	const updated = (changedAttributes, userName = ana.userName) => ({
		...{ ...NO_VALUE, event: 'userUpdated', userId: 'u-ana', userName, active: true },
		...{ changedAttributes, seenAt: SEEN_AT },
	});

	test('one item, once, without more requests than the list of users takes', async () => {
		await withAna(async ({ see, change, server }) => {
			expect(await see()).toBeUndefined();
			expect(await see()).toBeUndefined();
			change({ title: 'Head Nurse' });
			expect(await see()).toEqual([updated(['title'])]);
			expect(await see()).toBeUndefined();
			// Two looks to begin with, one without a change, two with one, one without: each a page, and none after it.
			const pages = ['GET /Users 1', 'GET /Users 4'];
			expect(
				server.requests.map(({ method, path, query }) => `${method} ${path} ${query.startIndex}`),
			).toEqual(Array.from({ length: 6 }, () => pages).flat());
			change({ userName: 'ana.married@example.com' });
			expect(await see()).toEqual([updated(['userName'], 'ana.married@example.com')]);
			expect(staticData.seen).not.toMatch(/Nurse|Silva|home\.example/);
		});
	});

	test.each([
		['the same in another order', { emails: [...ana.emails].reverse() }],
		['names in another case', { NAME: undefined, name: { FAMILYNAME: 'Silva', givenName: 'Ana' } }],
		['nothing, said', { externalId: null, name: { ...ana.name, middleName: '' } }],
		['attributes that are not watched', { nickName: 'Anita', [ENTERPRISE]: { department: 'ER' } }],
	])('%s: no event', async (_what, attributes) => {
		await withAna(async ({ see, change }) => {
			await see();
			change(attributes);
			expect(await see()).toBeUndefined();
			change({ title: 'Head Nurse' });
			expect(await see()).toHaveLength(1);
		});
	});

	test('who is new, gone, added to a group or deactivated is not updated', async () => {
		const groups = [{ id: 'g-1', displayName: 'Ward', members: [] }];
		await withAna(
			async ({ see, server: { scim } }) => {
				await see();
				scim.create('dan@example.com');
				scim.delete(scim.byName('ben@example.com').id);
				scim.setActive('u-ana', false);
				scim.add('g-1', 'u-ana');
				expect(await see()).toBeUndefined();
				expect(await see()).toBeUndefined();
			},
			{ groups },
		);
	});

	test('attributes, sub-attributes and those of extensions that are named; items name what changed', async () => {
		const watched = `emails.value, Title, ${ENTERPRISE}:manager.value, ${CORE}nickName`;
		await withAna(async ({ see, change }) => {
			const look = async () => await see({ watched });
			await look();
			change({ name: { givenName: 'Anna' }, emails: ana.emails.map(({ value }) => ({ value })) });
			expect(await look()).toBeUndefined();
			change({ title: undefined, [ENTERPRISE]: { department: 'Ward', manager: { value: 'm-2' } } });
			expect(await look()).toEqual([updated(['Title', `${ENTERPRISE}:manager.value`])]);
			change({ nickName: 'Nan', emails: ana.emails.slice(1) });
			expect(await look()).toEqual([updated(['emails.value', `${CORE}nickName`])]);
		});
	});

	test.each([['other attributes', { watched: 'title, nickName' }]])(
		'%s from now on: begin anew, without an event',
		async (_what, more) => {
			await withAna(async ({ see, change }) => {
				await see();
				change({ title: 'Head Nurse' });
				expect(await see(more)).toBeUndefined();
				change({ title: 'Matron' });
				expect(await see(more)).toHaveLength(1);
			});
		},
	);

	test('the same attributes in another order and case go on', async () => {
		await withAna(async ({ see, change }) => {
			await see({ watched: 'title, userName' });
			change({ title: 'Head Nurse' });
			expect(await see({ watched: 'username\nTitle' })).toEqual([updated(['Title'])]);
		});
	});

	test('chosen later: begins with what is there then, and the other events go on', async () => {
		await withAna(async ({ see, change, server: { scim } }) => {
			await see({ events: ['userCreated'] });
			change({ title: 'Head Nurse' });
			scim.create('dan@example.com');
			const both = { events: ['userCreated', 'userUpdated'] };
			expect((await see(both)).map(({ event }) => event)).toEqual(['userCreated']);
			change({ title: 'Matron' });
			expect(await see(both)).toEqual([updated(['title'])]);
		});
	});

	test('what one look shows alone is no event, and is none later', async () => {
		await withAna(async ({ see, change, server: { scim } }) => {
			await see();
			change({ title: 'Old' });
			mockDuringPause = () => change({ title: 'Nurse' });
			expect(await see()).toBeUndefined();
			// Of somebody new as well, whose first look was an old one.
			scim.create('dan@example.com', { title: 'Old' });
			const { id } = scim.byName('dan@example.com');
			const retitle = (title) => scim.store({ ...scim.users.get(id), attributes: { title } });
			mockDuringPause = () => retitle('New');
			expect(await see()).toBeUndefined();
			retitle('Old');
			expect(await see()).toBeUndefined();
			mockDuringPause = () => {};
			retitle('New');
			expect(await see()).toBeUndefined();
			retitle('Newest');
			expect(await see()).toMatchObject([{ event: 'userUpdated', userId: id }]);
		});
	});

	test('a change between the two looks comes with the next one, and keeps no trigger from beginning', async () => {
		await withAna(async ({ see, change }) => {
			mockDuringPause = () => change({ title: 'Doctor' });
			expect(await see()).toBeUndefined();
			mockDuringPause = () => {};
			expect(await see()).toBeUndefined();
			change({ title: 'Matron' });
			mockDuringPause = () => change({ title: 'Head Nurse' });
			expect(await see()).toBeUndefined();
			mockDuringPause = () => {};
			expect(await see()).toEqual([updated(['title'])]);
		});
	});

	test('whoever a list leaves out for a while is compared with what was known', async () => {
		await withAna(async ({ see, change, server: { scim } }) => {
			await see();
			scim.indexedAt.set('u-ana', Infinity);
			expect(await see()).toBeUndefined();
			scim.indexedAt.clear();
			expect(await see()).toBeUndefined();
			scim.indexedAt.set('u-ana', Infinity);
			change({ title: 'Head Nurse' });
			expect(await see()).toBeUndefined();
			scim.indexedAt.clear();
			expect(await see()).toEqual([updated(['title'])]);
		});
	});

	test('all at once are no loss', async () => {
		await withAna(async ({ see, server: { scim } }) => {
			const options = { maxPeopleAffected: 1, maxPercentAffected: 1 };
			await see({ options });
			for (const user of scim.users.values()) scim.store({ ...user, attributes: { title: 'All' } });
			expect(await see({ options })).toHaveLength(3);
		});
	});

	test('a test in the editor shows an item, and remembers nothing', async () => {
		await withAna(async ({ see }) => {
			const items = await see({ mode: 'manual' });
			expect(items).toHaveLength(3);
			const changed = ['userName', 'name', 'emails', 'title'];
			expect(items[0]).toEqual({ ...updated(changed), isSample: true });
			expect(staticData).toEqual({});
		});
	});

	test.each([
		['', 'Watched Attributes is empty'],
		['title, Meta', '"Meta", which cannot be watched'],
		['meta.lastModified', 'which cannot be watched'],
		[`${CORE}groups`, 'which cannot be watched'],
		['active', 'which cannot be watched'],
		['schemas', 'which cannot be watched'],
		['id', 'which cannot be watched'],
		['password', 'which cannot be watched'],
		['emails[type eq "work"]', 'which is not an attribute name'],
		['name.given.first', 'which is not an attribute name'],
	])('Watched Attributes %j: %s', async (watched, message) => {
		await withAna(async ({ see, server }) => {
			await expect(see({ watched })).rejects.toThrow(message);
			expect(server.requests).toStrictEqual([]);
			// Nobody asks where the event is not chosen.
			await see({ watched, events: ['userCreated'] });
		});
	});
});

describe('a test in the editor', () => {
	test('shows what is there as if it were new, and remembers nothing', async () => {
		await start();
		const items = await look({ mode: 'manual', events: [...ALL, 'anyAccessChange'] });
		expect(items.filter(({ event }) => event === 'accessGranted')).toHaveLength(5);
		const kinds = items.map(({ event }) => event);
		expect([...new Set(kinds)].sort()).toEqual(['accessGranted', 'userCreated']);
		expect(items.filter(({ event }) => event === 'userCreated')).toHaveLength(5);
		expect(items.map(({ isSample }) => isSample)).toEqual(items.map(() => true));
		expect(staticData).toEqual({});
	});

	test('never makes up that somebody lost something', async () => {
		await start();
		await expect(
			look({ events: ['accessRevoked', 'userDeactivated', 'userDeleted'], mode: 'manual' }),
		).rejects.toThrow('There is no test event for the chosen events');
	});
});

const groupOf = (id, ...names) => ({ id, members: names.map((name) => `u-${name}`) });
/** A service with these people, and a look at it that takes what `look` takes. */
async function withPeople({ profile = {}, ...switches }, work) {
	const users = ['ana', 'ben', 'cid', 'dan'].map((name) => ({ id: `u-${name}`, userName: name }));
	const server = await startServer({ users, usersShowGroups: 'absent', ...switches });
	const credential = { baseUrl: server.url, serviceProfile: 'generic', ...profile };
	try {
		await work(async (more = {}) => await look({ events: ACCESS, credential, ...more }), server);
	} finally {
		await server.close();
	}
}
/** The list leaves somebody out who is there all the same. */
const hide = (scim, name) => scim.indexedAt.set(`u-${name}`, Infinity);
/** Somebody is in groups by the time when they are asked for, as no list has shown. */
const joinsWhenAsked = ({ is, scim }, name, ...groups) => {
	is.onRequest = ({ path }) => {
		if (path === `/Users/u-${name}`) for (const id of groups) scim.add(id, `u-${name}`);
	};
};
const short = (items) =>
	items?.map(({ event, userName, organization, groupId, roleBefore, role }) =>
		[event, userName, organization ?? groupId, roleBefore, role].filter(Boolean).join(' '),
	);

describe('before somebody is reported to have lost a role', () => {
	const profile = { serviceProfile: 'accountOrganizations', scimPrefix: 'nowhere' };
	const groups = [
		groupOf('org-1:member', 'ana', 'ben', 'cid'),
		groupOf('org-1:admin', 'dan'),
		groupOf('org-1:viewer'),
		groupOf('org-2:admin'),
	];
	/** Ana is member of org-1; `now` is what she is in once the lists leave her out. */
	async function leftOut(now, check, usersShowGroups = 'all') {
		await withPeople({ groups, profile, usersShowGroups }, async (see, server) => {
			await see();
			server.scim.drop('org-1:member', 'u-ana');
			joinsWhenAsked(server, 'ana', ...now);
			await check(see);
		});
	}

	test.each([
		['the groups of the person', 'all'],
		['where users do not show them, the groups of the organization', 'absent'],
	])('%s are looked at: a role that changed meanwhile is a change', async (_, shown) => {
		const check = async (see) => {
			expect(short(await see())).toEqual(['roleChanged ana org-1 member admin']);
			// The lists have caught up.
			expect(await see()).toBeUndefined();
		};
		await leftOut(['org-1:admin'], check, shown);
	});

	test('who has no role there any more has lost it', async () => {
		await leftOut(['org-2:admin'], async (see) => {
			expect(short(await see())).toEqual(['accessRevoked ana org-1 member']);
		});
	});

	test('who says to have two roles there is left for the next look', async () => {
		await leftOut(['org-1:admin', 'org-1:viewer'], async (see) => {
			expect(await see()).toBeUndefined();
		});
	});
});

describe('a service whose groups stand for themselves', () => {
	const groups = [
		{ ...groupOf('8f14e45f', 'ana', 'ben'), displayName: 'Engineering' },
		{ ...groupOf('c9f0f895', 'ana', 'cid', 'dan'), displayName: 'Engineering' },
		{ ...groupOf('45c48cce'), displayName: 'VPN' },
	];
	const inGroup = ({ event, userName, group, groupId }) => [event, userName, group, groupId];

	test('where users alone show who is in which group', async () => {
		const shown = { showsMembers: 'absent', usersShowGroups: 'whenAny' };
		await withPeople({ groups, ...shown }, async (see, { scim, is }) => {
			await see();
			scim.add('45c48cce', 'u-dan');
			scim.drop('8f14e45f', 'u-ben');
			expect((await see()).map(inGroup)).toEqual([
				['accessRevoked', 'ben', 'Engineering', '8f14e45f'],
				['accessGranted', 'dan', 'VPN', '45c48cce'],
			]);
			// No user shows groups any more: nothing is known, and nothing was revoked.
			const before = staticData.seen;
			is.usersShowGroups = 'absent';
			await expect(see()).rejects.toThrow('The service does not show who is in which group');
			expect(staticData.seen).toBe(before);
		});
	});

	test('where groups alone show it, an empty one without members included', async () => {
		await withPeople({ groups, showsMembers: 'whenAny' }, async (see, { scim }) => {
			await see();
			scim.add('45c48cce', 'u-dan');
			for (const id of ['u-ana', 'u-ben']) scim.drop('8f14e45f', id);
			expect((await see({ options: { maxPercentAffected: 100 } })).map(inGroup)).toEqual([
				['accessRevoked', 'ana', 'Engineering', '8f14e45f'],
				['accessRevoked', 'ben', 'Engineering', '8f14e45f'],
				['accessGranted', 'dan', 'VPN', '45c48cce'],
			]);
		});
	});

	test('a service that stops showing members at all has taken nothing', async () => {
		await withPeople({ groups }, async (see, { is }) => {
			await see();
			const before = staticData.seen;
			is.showsMembers = 'absent';
			const options = { maxPercentAffected: 100 };
			await expect(see({ options })).rejects.toThrow('does not show who is in which group');
			expect(staticData.seen).toBe(before);
			is.showsMembers = 'all';
			expect(await see()).toBeUndefined();
		});
	});

	describe('values on users', () => {
		const SEE = { events: ['anyAccessChange'] };
		const hold = (scim, name, roles) => {
			const user = scim.users.get(`u-${name}`);
			scim.store({ ...user, attributes: { ...user.attributes, roles } });
		};
		const event = (kind, name, value) => ({
			...{ ...NO_VALUE, event: kind, userId: `u-${name}`, userName: name, seenAt: SEEN_AT },
			roleBefore: kind === 'accessRevoked' ? value : null,
			...{ role: value, attribute: 'roles' },
		});

		test('one gained and one lost are events, once', async () => {
			await withPeople({ groups }, async (see, { scim }) => {
				for (const name of ['ana', 'ben', 'dan']) hold(scim, name, [{ value: 'editor' }]);
				expect(await see(SEE)).toBeUndefined();
				hold(scim, 'ana', []);
				hold(scim, 'dan', [{ value: 'editor' }, { value: 'Engineering' }]);
				expect(await see(SEE)).toEqual([
					event('accessRevoked', 'ana', 'editor'),
					event('accessGranted', 'dan', 'Engineering'),
				]);
				expect(await see(SEE)).toBeUndefined();
			});
		});

		test('values that were not known before start no event', async () => {
			await withPeople({ groups }, async (see, { scim, url }) => {
				const credential = { baseUrl: url, serviceProfile: 'generic', overrideProfile: true };
				const without = { ...SEE, credential: { ...credential, accessAttributes: 'none' } };
				expect(await see(without)).toBeUndefined();
				expect(JSON.parse(staticData.seen)).not.toHaveProperty('attributes');
				hold(scim, 'ana', [{ value: 'editor' }]);
				expect(await see(SEE)).toBeUndefined();
				hold(scim, 'ben', [{ value: 'editor' }]);
				expect(await see(SEE)).toEqual([event('accessGranted', 'ben', 'editor')]);
				// And no loss, where they are not read any more.
				expect(await see(without)).toBeUndefined();
			});
		});

		test('a list of users that leaves one out for a while takes nothing away', async () => {
			await withPeople({ groups }, async (see, { scim }) => {
				for (const name of ['ana', 'ben', 'dan']) hold(scim, name, [{ value: 'editor' }]);
				await see(SEE);
				hide(scim, 'ana');
				expect(await see(SEE)).toBeUndefined();
			});
		});

		test('each is a short number for each user', async () => {
			await withPeople({ groups }, async (see, { scim }) => {
				for (const name of ['ana', 'ben', 'dan']) hold(scim, name, [{ value: 'a'.repeat(500) }]);
				await see(SEE);
				expect(staticData.seen.split('a'.repeat(500))).toHaveLength(2);
			});
		});
	});

	test('a group that was renamed is nothing; what happens in it goes by the new name', async () => {
		await withPeople({ groups }, async (see, { scim }) => {
			await see();
			scim.about.set('8f14e45f', { displayName: 'Research' });
			expect(await see()).toBeUndefined();
			scim.add('8f14e45f', 'u-dan');
			expect((await see()).map(inGroup)).toEqual([
				['accessGranted', 'dan', 'Research', '8f14e45f'],
			]);
		});
	});

	test('a group that is gone is named in the events of those who were in it', async () => {
		await withPeople({ groups }, async (see, { scim }) => {
			await see();
			scim.groups.delete('8f14e45f');
			expect((await see()).map(inGroup)).toEqual([
				['accessRevoked', 'ana', 'Engineering', '8f14e45f'],
				['accessRevoked', 'ben', 'Engineering', '8f14e45f'],
			]);
		});
	});

	test('reports who came into a group and who left it, by name', async () => {
		await withPeople({ groups }, async (see, server) => {
			await see();
			server.scim.drop('c9f0f895', 'u-ana');
			server.scim.add('c9f0f895', 'u-ben');
			const group = { group: 'Engineering', groupId: 'c9f0f895' };
			const more = { ...NO_VALUE, ...group, seenAt: SEEN_AT };
			expect(await see()).toEqual([
				{ event: 'accessRevoked', userId: 'u-ana', userName: 'ana', ...more },
				{ event: 'accessGranted', userId: 'u-ben', userName: 'ben', ...more },
			]);
			expect(server.written()).toStrictEqual([]);
		});
	});

	test('groups in groups are nobody', async () => {
		await withPeople({ groups }, async (see, { scim }) => {
			await see();
			scim.add('45c48cce', '8f14e45f');
			expect(await see()).toBeUndefined();
		});
	});

	test('that shows nobody anywhere: an error, since nothing could ever be reported', async () => {
		await withPeople({ groups, showsMembers: 'absent' }, async (see) => {
			await expect(see()).rejects.toThrow('The service does not show who is in which group');
		});
	});

	test('whose groups are empty for a while, while users show theirs: the two are not compared', async () => {
		const seen = [groupOf('g-1', 'ana', 'ben'), groupOf('g-all', 'ana', 'ben', 'cid', 'dan')];
		const shown = { usersShowGroups: 'all', unlistedGroups: ['g-all'] };
		await withPeople({ groups: seen, ...shown }, async (see, { scim, is }) => {
			await see();
			is.showsMembers = 'empty';
			await expect(see()).rejects.toThrow('Groups no longer show members');
			is.showsMembers = 'all';
			scim.add('g-1', 'u-cid');
			// The same at the second of two looks.
			mockDuringPause = () => {
				is.showsMembers = 'empty';
			};
			await expect(see()).rejects.toThrow('Groups no longer show members');
			mockDuringPause = () => {};
			is.showsMembers = 'all';
			expect(short(await see())).toEqual(['accessGranted cid g-1']);
		});
	});

	test('has no organizations to choose from', async () => {
		await withPeople({ groups }, async (see) => {
			await expect(see({ options: { organizations: 'Designers' } })).rejects.toMatchObject({
				message: 'No group belongs to the organization Designers',
				description: expect.stringContaining('Leave Organizations empty'),
			});
		});
	});
});

describe('a service with a group pattern', () => {
	const profile = {
		overrideProfile: true,
		groupsStandFor: 'organizationAndRole',
		groupPattern: '{organization}:{role}',
	};
	const oneRole = { ...profile, oneRolePerOrganization: 'yes' };
	const groups = [
		groupOf('eng:admin', 'dan'),
		groupOf('eng:member', 'ana', 'ben', 'cid'),
		groupOf('ops:member', 'ana'),
	];

	test.each([
		['one role each', oneRole],
		['many', profile],
	])('a move is a change (%s)', async (_what, own) => {
		await withPeople({ groups, profile: own }, async (see, { scim }) => {
			await see();
			scim.add('eng:admin', 'u-ana');
			scim.drop('eng:member', 'u-ana');
			expect(short(await see())).toEqual(['roleChanged ana eng member admin']);
		});
	});

	test('several roles come together', async () => {
		await withPeople({ groups, profile }, async (see, { scim }) => {
			await see();
			scim.add('eng:admin', 'u-ana');
			expect(short(await see())).toEqual(['roleChanged ana eng member admin, member']);
			scim.drop('eng:member', 'u-ana');
			expect(short(await see())).toEqual(['roleChanged ana eng admin, member admin']);
		});
	});

	test('two roles where there is one keep nothing else from being reported', async () => {
		await withPeople({ groups, profile: oneRole }, async (see, { scim }) => {
			await see();
			scim.add('eng:admin', 'u-ana');
			scim.drop('eng:member', 'u-ben');
			expect(short(await see())).toEqual(['accessRevoked ben eng member']);
			expect(await see()).toBeUndefined();
			scim.drop('eng:member', 'u-ana');
			expect(short(await see())).toEqual(['roleChanged ana eng member admin']);
		});
	});

	test('two roles where there is one are nothing to begin with', async () => {
		const both = [...groups, groupOf('eng:viewer', 'ana')];
		await withPeople({ groups: both, profile: oneRole }, async (see) => {
			await expect(see()).rejects.toThrow("so the trigger can't set a starting point");
		});
	});

	test('an organization that is none is said, with those there are', async () => {
		await withPeople({ groups, profile }, async (see) => {
			await expect(see({ options: { organizations: 'eng, enx' } })).rejects.toMatchObject({
				message: 'No group belongs to the organization enx',
				description: expect.stringContaining('Known organizations: eng, ops.'),
			});
		});
	});

	test('an organization whose last group is gone keeps nothing else from being reported', async () => {
		await withPeople({ groups, profile }, async (see, { scim }) => {
			const options = { organizations: 'eng, ops', maxPercentAffected: 100 };
			await see({ options });
			scim.groups.delete('ops:member');
			scim.drop('eng:member', 'u-cid');
			expect(short(await see({ options }))).toEqual([
				'accessRevoked ana ops member',
				'accessRevoked cid eng member',
			]);
		});
	});

	test.each([
		['another pattern', { profile: { groupPattern: '{role}:{organization}' } }],
		['another rule of roles', { profile: oneRole }],
		['another credential', { id: 'that-of-another-account' }],
	])('%s: begins anew, and reports nothing', async (_what, { profile: other, id }) => {
		await withPeople({ groups, profile }, async (see, { scim, url: baseUrl }) => {
			await see();
			scim.drop('eng:member', 'u-ana');
			const credential = { baseUrl, serviceProfile: 'generic', ...profile, ...other };
			const node = id && {
				credentials: { scimProvisioningApi: { id, name: 'scimProvisioningApi' } },
			};
			expect(await see({ credential, node })).toBeUndefined();
			expect(await see({ credential, node })).toBeUndefined();
			scim.add('ops:member', 'u-dan');
			expect(await see({ credential, node })).toHaveLength(1);
		});
	});
});

describe('a service whose display names spell organization and role', () => {
	const profile = {
		groupsStandFor: 'organizationAndRole',
		groupPattern: 'app-{organization}-{role}',
		groupPatternOn: 'displayName',
	};
	const named = (id, displayName, ...names) => ({ ...groupOf(id, ...names), displayName });
	const groups = [
		named('8f14e45f', 'app-Sales-admin', 'dan'),
		named('c9f0f895', 'app-Sales-member', 'ana', 'ben', 'cid'),
		named('45c48cce', 'VPN', 'ana', 'ben', 'cid', 'dan'),
	];

	test('a move is a change of role, a plain group stays one', async () => {
		await withPeople({ groups, profile }, async (see, { scim }) => {
			await see();
			scim.add('8f14e45f', 'u-ana');
			scim.drop('c9f0f895', 'u-ana');
			scim.drop('45c48cce', 'u-dan');
			const person = (event, name) => ({
				...{ ...NO_VALUE, ...NO_ORGANIZATION, event, userId: `u-${name}` },
				...{ userName: name, seenAt: SEEN_AT },
			});
			expect(await see()).toEqual([
				{ ...person('accessRevoked', 'dan'), group: 'VPN', groupId: '45c48cce' },
				{
					...person('roleChanged', 'ana'),
					...{ group: 'app-Sales-admin', groupId: '8f14e45f' },
					...{ organization: 'Sales', organizationName: 'Sales' },
					...{ roleBefore: 'member', role: 'admin' },
				},
			]);
		});
	});

	test('Organizations in any case; plain groups are none of them', async () => {
		await withPeople({ groups, profile }, async (see, { scim }) => {
			const options = { organizations: 'SALES' };
			await see({ options });
			scim.add('8f14e45f', 'u-ana');
			scim.drop('45c48cce', 'u-dan');
			expect(short(await see({ options }))).toEqual(['roleChanged ana Sales member admin, member']);
		});
	});

	test('a group with another name for its role is no event', async () => {
		await withPeople({ groups, profile }, async (see, { scim }) => {
			await see();
			scim.about.set('c9f0f895', { displayName: 'app-Sales-viewer' });
			expect(await see()).toBeUndefined();
			scim.drop('c9f0f895', 'u-cid');
			expect(short(await see())).toEqual(['accessRevoked cid Sales viewer']);
		});
	});

	test('a name that can be read in two ways is a plain group, said once in the log', async () => {
		const twoWays = [...groups.slice(0, 2), { ...groups[2], displayName: 'app-sales-read-only' }];
		const warn = jest.fn();
		const logger = { warn };
		await withPeople({ groups: twoWays, profile }, async (see, { scim }) => {
			await see({ logger });
			scim.drop('45c48cce', 'u-dan');
			expect(await see({ logger })).toEqual([
				expect.objectContaining({ groupId: '45c48cce', ...NO_ORGANIZATION }),
			]);
			expect(warn.mock.calls).toEqual([
				[expect.stringContaining('read-only in sales or only in sales-read')],
			]);
		});
	});

	test('a role that only shows at the last moment is a change, not a loss', async () => {
		await withPeople({ groups, profile, usersShowGroups: 'all' }, async (see, server) => {
			await see();
			server.scim.drop('c9f0f895', 'u-ana');
			joinsWhenAsked(server, 'ana', '8f14e45f');
			expect(short(await see())).toEqual(['roleChanged ana Sales member admin']);
		});
	});
});

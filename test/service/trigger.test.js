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
const { asInOptions } = require('../support/options');
const { ScimProvisioningApi, ScimProvisioningTrigger } = require('../support/built');
const { TOKEN } = require('../support/node');
const { requestsOf } = require('../support/service');
const { withPlainService } = require('../support/plainService');

const ACCESS = ['accessGranted', 'accessRevoked', 'roleChanged'];
const USERS = ['userActivated', 'userCreated', 'userDeactivated', 'userDeleted'];
const ALL = [...ACCESS, ...USERS];
const SEEN_AT = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
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
async function look({ events = ALL, options = {}, credential = {}, ...more } = {}) {
	const items = await pollNode(new ScimProvisioningTrigger(), {
		parameters: asInOptions({ events, options }),
		credentials: {
			scimProvisioningApi: {
				baseUrl: service?.url,
				accountApiToken: service?.accountToken ?? TOKEN,
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
		const person = (event, id, userName, more) => ({
			...{ event, id, userName, seenAt: SEEN_AT },
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
		const users = people('ana', 'ben', 'cid', 'dan');
		await withLists({ groups: [groupOf('g-1', 'ben', 'cid', 'dan')], users }, async (see) => {
			await see({ events: ALL });
			users[0].userName = 'ana.married';
			users[0].active = false;
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
		await withLists({ groups, users: people('ana', 'ben', 'dan'), profile }, async (see) => {
			await see();
			groups[0].members.push({ value: 'u-ana' });
			mockDuringPause = () => {
				groups[1].members = groupOf('', 'ben').members;
			};
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
		const hidden = new Set();
		const users = people('ana', 'ben', 'cid');
		await withLists({ groups: [], users, hidden }, async (see) => {
			await see({ events: ['userCreated'] });
			hidden.add('u-ben');
			mockDuringPause = () => hidden.clear();
			expect(await see({ events: ['userCreated'] })).toBeUndefined();
			mockDuringPause = () => {};
			expect(await see({ events: ['userCreated'] })).toBeUndefined();
		});
	});

	test('somebody whom lists lack and whose own address answers is not deleted', async () => {
		const hidden = new Set();
		const users = people('ana', 'ben', 'cid');
		await withLists({ groups: [], users, hidden }, async (see, requests) => {
			await see({ events: USERS });
			hidden.add('u-ben');
			expect(await see({ events: USERS })).toBeUndefined();
			expect(requests.at(-1).path).toBe('/Users/u-ben');
			users.splice(1, 1);
			expect(short(await see({ events: USERS }))).toEqual(['userDeleted ben']);
		});
	});

	test('a list that leaves inactive people out: they are deactivated, not deleted', async () => {
		const hidden = new Set();
		const users = people('ana', 'ben', 'cid');
		await withLists({ groups: [], users, hidden }, async (see) => {
			await see({ events: USERS });
			users[1].active = false;
			hidden.add('u-ben');
			expect(short(await see({ events: USERS }))).toEqual(['userDeactivated ben']);
			expect(await see({ events: USERS })).toBeUndefined();
			hidden.clear();
			users[1].active = true;
			expect(short(await see({ events: USERS }))).toEqual(['userActivated ben']);
		});
	});

	test('where nobody is found at an own address, nobody is deleted', async () => {
		const users = people('ana', 'ben', 'cid');
		const lists = listsOf([], users);
		const answer = (request) =>
			request.path.startsWith('/Users/') ? [404, '<h1>Not here</h1>'] : lists(request);
		await withPlainService(answer, async (baseUrl) => {
			const see = async () =>
				await look({ events: USERS, credential: { baseUrl, serviceProfile: 'generic' } });
			await see();
			const { seen } = staticData;
			users.pop();
			await expect(see()).rejects.toThrow('Users of the list cannot be read by ID');
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

	test('a look that is known not to fit into Max Run Time is not begun, and nothing is forgotten', async () => {
		await start();
		await look();
		const { seen } = staticData;
		const requests = service.log.requests.length;
		const slow = { credential: { readsPerMinute: 1 }, options: { pageSize: 1 } };
		await expect(look({ events: USERS, ...slow })).rejects.toThrow(
			/^The check was not begun: \d+ requests take at least \d+ min with Reads per Minute 1, and/,
		);
		expect(service.log.requests).toHaveLength(requests);
		expect(staticData.seen).toEqual(seen);
	});

	test('somebody whom the list of groups lacks and the group itself has is still in', async () => {
		const groups = [groupOf('g-1', 'ana', 'ben'), groupOf('g-2', 'cid')];
		const lists = listsOf(groups, people('ana', 'ben', 'cid'));
		let old = false;
		const answer = (request) => {
			if (!old || !/^\/Groups(\?|$)/.test(request.path)) return lists(request);
			const shown = [groupOf('g-1', 'ana'), groups[1]];
			return [200, { Resources: shown, totalResults: 2, schemas: [] }];
		};
		await withPlainService(answer, async (baseUrl, requests) => {
			const see = async () =>
				await look({ events: ACCESS, credential: { baseUrl, serviceProfile: 'generic' } });
			await see();
			old = true;
			expect(await see()).toBeUndefined();
			expect(requests.at(-1).path).toBe('/Groups/g-1');
			old = false;
			expect(await see()).toBeUndefined();
			groups[0].members.pop();
			expect(short(await see())).toEqual(['accessRevoked ben g-1']);
		});
	});

	test('the only one who has access is not lost to an empty list', async () => {
		const groups = [groupOf('g-1', 'ana'), groupOf('g-2')];
		await withLists({ groups, users: people('ana', 'ben') }, async (see) => {
			await see();
			const { seen } = staticData;
			groups.splice(0, 1);
			groups[0].members = [{ value: 'u-ben' }];
			await expect(see()).rejects.toThrow('1 people seem to have lost access');
			expect(staticData.seen).toBe(seen);
			const options = { maxPercentLosingAccess: 100 };
			expect(short(await see({ options }))).toEqual([
				'accessRevoked ana g-1',
				'accessGranted ben g-2',
			]);
		});
	});

	test('lists that are empty are no beginning', async () => {
		const users = [];
		await withLists({ groups: [], users }, async (see) => {
			await expect(see({ events: USERS })).rejects.toThrow('The service shows no users');
			expect(staticData).toEqual({});
			users.push(...people('ana', 'ben'));
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
		const users = people('ana', 'ben', 'cid');
		const lists = { groups: [], users: [...users] };
		await withLists(lists, async (see) => {
			await see({ events: ['userCreated'] });
			lists.users.length = 0;
			await expect(see({ events: ['userCreated'] })).rejects.toThrow(
				'3 people seem to have lost access since the last check, more than Max Percent Losing Access allows: it is everyone',
			);
			lists.users.push(...users);
			expect(await see({ events: ['userCreated'] })).toBeUndefined();
			lists.users.length = 0;
			const options = { maxPercentLosingAccess: 100 };
			expect(await see({ events: USERS, options })).toHaveLength(3);
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
			description: expect.stringContaining('raise the limit under Options'),
		});
		const options = { maxUsersLosingAccess: 10 };
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
		await withPlainService(
			({ path }) => (path.includes('/Users/') ? [404, {}] : [200, body]),
			async (baseUrl) => {
				// The same service, as far as the node can tell.
				staticData = { seen: remembered.replaceAll(service.url, baseUrl) };
				await expect(look({ events: USERS, credential: { baseUrl } })).rejects.toThrow(message);
				expect(staticData.seen).toBe(remembered.replaceAll(service.url, baseUrl));
			},
		);
		staticData = { seen: remembered };
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

describe('a test in the editor', () => {
	test('shows what is there as if it were new, and remembers nothing', async () => {
		await start();
		const items = await look({ mode: 'manual', events: [...ALL, 'anyAccessChange'] });
		expect(items.filter(({ event }) => event === 'accessGranted')).toHaveLength(5);
		const kinds = items.map(({ event }) => event);
		expect([...new Set(kinds)].sort()).toEqual(['accessGranted', 'userCreated']);
		expect(items.filter(({ event }) => event === 'userCreated')).toHaveLength(5);
		expect(staticData).toEqual({});
	});

	test('never makes up that somebody lost something', async () => {
		await start();
		await expect(
			look({ events: ['accessRevoked', 'userDeactivated', 'userDeleted'], mode: 'manual' }),
		).rejects.toThrow('There is no test event for the chosen events');
	});
});

/** A service of lists that a test changes as it likes; `hidden` are users whom the list leaves out. */
function listsOf(groups, users, hidden = new Set()) {
	const page = (Resources) => ({ Resources, totalResults: Resources.length, schemas: [] });
	return ({ path }) => {
		const [, type, id] = /^\/(Users|Groups)(?:\/([^?]+))?/.exec(path);
		const all = type === 'Groups' ? groups : users;
		if (id === undefined) return [200, page(all.filter((one) => !hidden.has(one.id)))];
		const found = all.find((one) => one.id === decodeURIComponent(id));
		return found ? [200, found] : [404, { status: '404', detail: 'not found' }];
	};
}

const people = (...names) =>
	names.map((name) => ({ id: `u-${name}`, userName: name, active: true }));
const groupOf = (id, ...names) => ({
	id,
	displayName: id,
	members: names.map((name) => ({ value: `u-${name}` })),
});
/** A service with these lists, and a look at it that takes what `look` takes. */
async function withLists({ groups, users, hidden, profile = {}, onRequest = () => {} }, work) {
	const answer = listsOf(groups, users, hidden);
	const meddling = (request) => {
		onRequest(request);
		return answer(request);
	};
	await withPlainService(meddling, async (baseUrl, requests) => {
		const credential = { baseUrl, serviceProfile: 'generic', ...profile };
		await work(async (more = {}) => await look({ events: ACCESS, credential, ...more }), requests);
	});
}
const short = (items) =>
	items?.map(({ event, userName, organization, groupId, roleBefore, role }) =>
		[event, userName, organization ?? groupId, roleBefore, role].filter(Boolean).join(' '),
	);

describe('before somebody is reported to have lost a role', () => {
	const profile = { serviceProfile: 'accountOrganizations', scimPrefix: 'nowhere' };
	/** Ana is member of org-1; `now` is what her own `groups` say once the lists leave her out. */
	async function leftOut(now, check) {
		const groups = [groupOf('org-1:member', 'ana', 'ben', 'cid'), groupOf('org-1:admin', 'dan')];
		const users = people('ana', 'ben', 'cid', 'dan');
		await withLists({ groups, users, profile }, async (see, requests) => {
			await see();
			groups[0].members.shift();
			users[0].groups = now.map((value) => ({ value }));
			requests.splice(0);
			await check(see, requests, groups);
		});
	}

	test('the groups of the person are looked at: a role that changed meanwhile is a change', async () => {
		await leftOut(['org-1:admin'], async (see, requests, groups) => {
			expect(short(await see())).toEqual(['roleChanged ana org-1 member admin']);
			expect(requests.filter(({ path }) => path === '/Users/u-ana').length).toBeGreaterThan(0);
			// The lists have caught up.
			groups[1].members.push({ value: 'u-ana' });
			expect(await see()).toBeUndefined();
		});
	});

	test('the same where users do not show their groups: the groups of the organization are looked at', async () => {
		const groups = [groupOf('org-1:member', 'ana', 'ben', 'cid'), groupOf('org-1:admin', 'dan')];
		const users = people('ana', 'ben', 'cid', 'dan');
		// The person is in the other group by the time when the person is asked for.
		const onRequest = ({ path }) => {
			if (path === '/Users/u-ana') groups[1].members = [{ value: 'u-dan' }, { value: 'u-ana' }];
		};
		await withLists({ groups, users, profile, onRequest }, async (see) => {
			await see();
			groups[0].members.shift();
			expect(short(await see())).toEqual(['roleChanged ana org-1 member admin']);
		});
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

/** The fields of a role, for a group that stands for none. */
const NO_ROLE = { organization: null, organizationName: null, roleBefore: null, role: null };

describe('a service whose groups stand for themselves', () => {
	const start = () => ({
		groups: [
			{ ...groupOf('8f14e45f', 'ana', 'ben'), displayName: 'Engineering' },
			{ ...groupOf('c9f0f895', 'ana', 'cid', 'dan'), displayName: 'Engineering' },
			{ ...groupOf('45c48cce'), displayName: 'VPN' },
		],
		users: people('ana', 'ben', 'cid', 'dan'),
	});
	const inGroup = ({ event, userName, group, groupId }) => [event, userName, group, groupId];

	test('where users alone show who is in which group', async () => {
		const { groups, users } = start();
		const own = (...ids) => ids.map((value) => ({ value }));
		const silent = groups.map(({ id, displayName }) => ({ id, displayName }));
		for (const [user, ...ids] of [
			[users[0], '8f14e45f', 'c9f0f895'],
			[users[1], '8f14e45f'],
			[users[2], 'c9f0f895'],
		]) {
			user.groups = own(...ids);
		}
		await withLists({ groups: silent, users }, async (see) => {
			await see();
			users[3].groups = own('45c48cce');
			users[1].groups = [];
			expect((await see()).map(inGroup)).toEqual([
				['accessRevoked', 'ben', 'Engineering', '8f14e45f'],
				['accessGranted', 'dan', 'VPN', '45c48cce'],
			]);
			// No user shows groups any more: nothing is known, and nothing was revoked.
			const before = staticData.seen;
			for (const user of users) delete user.groups;
			await expect(see()).rejects.toThrow('The service does not show who is in which group');
			expect(staticData.seen).toBe(before);
		});
	});

	test('where groups alone show it, an empty one without members included', async () => {
		const { groups, users } = start();
		delete groups[2].members;
		await withLists({ groups, users }, async (see) => {
			await see();
			groups[2].members = [{ value: 'u-dan' }];
			delete groups[0].members;
			expect((await see({ options: { maxPercentLosingAccess: 100 } })).map(inGroup)).toEqual([
				['accessRevoked', 'ana', 'Engineering', '8f14e45f'],
				['accessRevoked', 'ben', 'Engineering', '8f14e45f'],
				['accessGranted', 'dan', 'VPN', '45c48cce'],
			]);
		});
	});

	test('a service that stops showing members at all has taken nothing', async () => {
		const { groups, users } = start();
		await withLists({ groups, users }, async (see) => {
			await see();
			const before = staticData.seen;
			const shown = groups.map(({ members }) => members);
			for (const group of groups) delete group.members;
			const options = { maxPercentLosingAccess: 100 };
			await expect(see({ options })).rejects.toThrow('does not show who is in which group');
			expect(staticData.seen).toBe(before);
			groups.forEach((group, index) => {
				group.members = shown[index];
			});
			expect(await see()).toBeUndefined();
		});
	});

	test('a group that was renamed is nothing; what happens in it goes by the new name', async () => {
		const { groups, users } = start();
		await withLists({ groups, users }, async (see) => {
			await see();
			groups[0].displayName = 'Research';
			expect(await see()).toBeUndefined();
			groups[0].members.push({ value: 'u-dan' });
			expect((await see()).map(inGroup)).toEqual([
				['accessGranted', 'dan', 'Research', '8f14e45f'],
			]);
		});
	});

	test('a group that is gone is named in the events of those who were in it', async () => {
		const { groups, users } = start();
		await withLists({ groups, users }, async (see) => {
			await see();
			groups.shift();
			expect((await see()).map(inGroup)).toEqual([
				['accessRevoked', 'ana', 'Engineering', '8f14e45f'],
				['accessRevoked', 'ben', 'Engineering', '8f14e45f'],
			]);
		});
	});

	test('reports who came into a group and who left it, by name', async () => {
		const groups = [{ ...groupOf('g-1', 'ana', 'cid', 'dan'), displayName: 'Engineering' }];
		await withLists(
			{ groups, users: people('ana', 'ben', 'cid', 'dan') },
			async (see, requests) => {
				await see();
				groups[0].members = groupOf('g-1', 'ben', 'cid', 'dan').members;
				const more = { ...{ group: 'Engineering', groupId: 'g-1', seenAt: SEEN_AT }, ...NO_ROLE };
				expect(await see()).toEqual([
					{ event: 'accessRevoked', id: 'u-ana', userName: 'ana', ...more },
					{ event: 'accessGranted', id: 'u-ben', userName: 'ben', ...more },
				]);
				expect(requests.every(({ method }) => method === 'GET')).toBe(true);
			},
		);
	});

	test('groups in groups are nobody', async () => {
		const groups = [groupOf('g-1', 'ana'), groupOf('g-2', 'ben')];
		await withLists({ groups, users: people('ana', 'ben') }, async (see) => {
			await see();
			groups[0].members.push({ value: 'g-2', type: 'Group' });
			expect(await see()).toBeUndefined();
		});
	});

	test('that shows nobody anywhere: an error, since nothing could ever be reported', async () => {
		const groups = [{ id: 'g-1', displayName: 'Designers' }];
		await withLists({ groups, users: people('ana') }, async (see) => {
			await expect(see()).rejects.toThrow('The service does not show who is in which group');
		});
	});

	test('whose groups are empty for a while, while users show theirs: the two are not compared', async () => {
		const groups = [groupOf('g-1', 'ana', 'ben')];
		const users = people('ana', 'ben', 'cid').map((user) => ({
			...user,
			groups: [{ value: 'g-1' }, { value: 'g-all', type: 'indirect' }],
		}));
		await withLists({ groups, users }, async (see) => {
			await see();
			const { members } = groups[0];
			groups[0].members = [];
			await expect(see()).rejects.toThrow('Groups no longer show members');
			groups[0].members = [...members, { value: 'u-cid' }];
			// The same at the second of two looks.
			mockDuringPause = () => {
				groups[0].members = [];
			};
			await expect(see()).rejects.toThrow('Groups no longer show members');
			mockDuringPause = () => {};
			groups[0].members = [...members, { value: 'u-cid' }];
			expect(short(await see())).toEqual(['accessGranted cid g-1']);
		});
	});

	test('has no organizations to choose from', async () => {
		await withLists({ groups: [groupOf('g-1', 'ana')], users: people('ana') }, async (see) => {
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
	const start = () => ({
		groups: [
			groupOf('eng:admin', 'dan'),
			groupOf('eng:member', 'ana', 'ben', 'cid'),
			groupOf('ops:member', 'ana'),
		],
		users: people('ana', 'ben', 'cid', 'dan'),
	});

	test.each([
		['one role each', oneRole],
		['many', profile],
	])('a move is a change (%s)', async (_what, own) => {
		const lists = start();
		await withLists({ ...lists, profile: own }, async (see) => {
			await see();
			lists.groups[0].members.push({ value: 'u-ana' });
			lists.groups[1].members = groupOf('', 'ben', 'cid').members;
			expect(short(await see())).toEqual(['roleChanged ana eng member admin']);
		});
	});

	test('several roles come together', async () => {
		const lists = start();
		await withLists({ ...lists, profile }, async (see) => {
			await see();
			lists.groups[0].members.push({ value: 'u-ana' });
			expect(short(await see())).toEqual(['roleChanged ana eng member admin, member']);
			lists.groups[1].members = groupOf('', 'ben', 'cid').members;
			expect(short(await see())).toEqual(['roleChanged ana eng admin, member admin']);
		});
	});

	test('two roles where there is one keep nothing else from being reported', async () => {
		const lists = start();
		await withLists({ ...lists, profile: oneRole }, async (see) => {
			await see();
			lists.groups[0].members.push({ value: 'u-ana' });
			lists.groups[1].members = groupOf('', 'ana', 'cid').members;
			expect(short(await see())).toEqual(['accessRevoked ben eng member']);
			expect(await see()).toBeUndefined();
			lists.groups[1].members = groupOf('', 'cid').members;
			expect(short(await see())).toEqual(['roleChanged ana eng member admin']);
		});
	});

	test('two roles where there is one are nothing to begin with', async () => {
		const lists = start();
		lists.groups[0].members.push({ value: 'u-ana' });
		await withLists({ ...lists, profile: oneRole }, async (see) => {
			await expect(see()).rejects.toThrow("so the trigger can't set a starting point");
		});
	});

	test('an organization that is none is said, with those there are', async () => {
		await withLists({ ...start(), profile }, async (see) => {
			await expect(see({ options: { organizations: 'eng, enx' } })).rejects.toMatchObject({
				message: 'No group belongs to the organization enx',
				description: expect.stringContaining('Known organizations: eng, ops.'),
			});
		});
	});

	test('an organization whose last group is gone keeps nothing else from being reported', async () => {
		const lists = start();
		await withLists({ ...lists, profile }, async (see) => {
			const options = { organizations: 'eng, ops', maxPercentLosingAccess: 100 };
			await see({ options });
			lists.groups.pop();
			lists.groups[1].members.pop();
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
		const lists = start();
		await withLists({ ...lists, profile }, async (see) => {
			const credentialOf = (baseUrl) => ({ baseUrl, serviceProfile: 'generic', ...profile });
			await see();
			const [, baseUrl] = JSON.parse(staticData.seen).source.split('\n');
			lists.groups[1].members = groupOf('', 'ben', 'cid').members;
			const credential = { ...credentialOf(baseUrl), ...other };
			const node = id && {
				credentials: { scimProvisioningApi: { id, name: 'scimProvisioningApi' } },
			};
			expect(await see({ credential, node })).toBeUndefined();
			expect(await see({ credential, node })).toBeUndefined();
			lists.groups[2].members = groupOf('', 'ana', 'dan').members;
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
	const start = () => ({
		groups: [
			named('8f14e45f', 'app-Sales-admin', 'dan'),
			named('c9f0f895', 'app-Sales-member', 'ana', 'ben', 'cid'),
			named('45c48cce', 'VPN', 'ana', 'ben', 'cid', 'dan'),
		],
		users: people('ana', 'ben', 'cid', 'dan'),
	});

	test('a move is a change of role, a plain group stays one', async () => {
		const { groups, users } = start();
		await withLists({ groups, users, profile }, async (see) => {
			await see();
			groups[0].members.push({ value: 'u-ana' });
			groups[1].members = groupOf('', 'ben', 'cid').members;
			groups[2].members.pop();
			const person = (event, name) => ({
				...{ event, id: `u-${name}`, userName: name, seenAt: SEEN_AT },
			});
			expect(await see()).toEqual([
				{ ...person('accessRevoked', 'dan'), group: 'VPN', groupId: '45c48cce', ...NO_ROLE },
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
		const { groups, users } = start();
		await withLists({ groups, users, profile }, async (see) => {
			const options = { organizations: 'SALES' };
			await see({ options });
			groups[0].members.push({ value: 'u-ana' });
			groups[2].members.pop();
			expect(short(await see({ options }))).toEqual(['roleChanged ana Sales member admin, member']);
		});
	});

	test('a group with another name for its role is no event', async () => {
		const { groups, users } = start();
		await withLists({ groups, users, profile }, async (see) => {
			await see();
			groups[1].displayName = 'app-Sales-viewer';
			expect(await see()).toBeUndefined();
			groups[1].members.pop();
			expect(short(await see())).toEqual(['accessRevoked cid Sales viewer']);
		});
	});

	test('a name that can be read in two ways is a plain group, said once in the log', async () => {
		const { groups, users } = start();
		groups[2].displayName = 'app-sales-read-only';
		const warn = jest.fn();
		const logger = { warn };
		await withLists({ groups, users, profile }, async (see) => {
			await see({ logger });
			groups[2].members.pop();
			expect(await see({ logger })).toMatchObject([{ groupId: '45c48cce', ...NO_ROLE }]);
			expect(warn.mock.calls).toEqual([
				[expect.stringContaining('read-only in sales or only in sales-read')],
			]);
		});
	});

	test('a role that only shows at the last moment is a change, not a loss', async () => {
		const { groups, users } = start();
		await withLists({ groups, users, profile }, async (see) => {
			await see();
			groups[1].members = groupOf('', 'ben', 'cid').members;
			users[0].groups = [{ value: '8f14e45f' }, { value: '45c48cce' }];
			expect(short(await see())).toEqual(['roleChanged ana Sales member admin']);
		});
	});
});

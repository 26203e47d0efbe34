'use strict';

require('../support/noWaiting');
const { DIALECTS } = require('../../demo/service/scim/dialects');
const { DEFAULTS } = require('../../demo/service/scim/switches');
const { PRESETS } = require('../../dist/nodes/shared/scim');
const { ACCOUNT, MemoryService, deadFrom, shapeOf } = require('../support/memoryService');
const { TOKEN, runOnModel } = require('../support/modelNode');

// Service: Check, against each dialect: what it sees, what it leaves, and what it never touches.

const ANA = { id: 'id-ana', userName: 'ana@example.com', groups: ['g-1'] };
const BOB = { id: 'id-bob', userName: 'bob@example.com', groups: ['g-1', 'g-2'] };

/** Switches by dialect, with its Service Profile; `generic` is well-behaved. */
const WAYS = {
	generic: { preset: 'generic', switches: {} },
	...DIALECTS,
};

/** A service of a dialect with two people in groups, or the account with organizations. */
function serviceOf(dialect, switches = {}) {
	const quick = { lagMs: 0, keepsStates: true };
	if (dialect === 'account') {
		const people = [{ userName: 'ana@example.com', roles: { 'org-1': 'admin' } }];
		return new MemoryService(
			{ organizations: ['org-1', 'org-2'], people },
			{ ...ACCOUNT, ...quick, ...switches },
		);
	}
	const { rateLimit, ...own } = WAYS[dialect].switches;
	const people = [ANA, BOB];
	return new MemoryService(
		{
			people,
			groups: [
				{ id: 'g-1', displayName: 'One' },
				{ id: 'g-2', displayName: 'Two' },
			],
		},
		{ ids: 'numbered', ...own, scheme: 'Bearer', ...quick, ...switches },
	);
}

const check = async (dialect, service, parameters = {}, more = {}) =>
	await runOnModel(service, {
		...more,
		resource: 'service',
		operation: 'check',
		continueOnFail: false,
		parameters: { allowTestObjects: true, ...parameters },
		credential: {
			serviceProfile: dialect === 'account' ? 'accountOrganizations' : WAYS[dialect].preset,
		},
	});

/** Everybody and every group that was there before has to be as it was, at each moment. */
function expectUntouched(service) {
	const [before] = service.states;
	for (const { users, groups } of [...service.states, service.now()]) {
		for (const [id, user] of before.users) expect(users.get(id)).toBe(user);
		for (const [id, members] of before.groups) expect(groups.get(id)).toBe(members);
	}
}

/** Users and groups that were not there before. */
function leftIn(service) {
	const [before] = service.states;
	const { users, groups } = service.now();
	return [
		...[...users.keys()].filter((id) => !before.users.has(id)),
		...[...groups.keys()].filter((id) => !before.groups.has(id)),
	];
}

const nameOf = (service, id) =>
	String(service.users.get(id)?.userName ?? service.about.get(id)?.displayName).toLowerCase();

/** Whatever is left is named, by its ID or its name. */
function expectNamed(service, { json, thrown }) {
	const told = [thrown?.message, thrown?.description, ...(json[0]?.warnings ?? [])].join('\n');
	for (const id of leftIn(service)) {
		const [name] = nameOf(service, id).split('@');
		expect([id, told.includes(id) || told.includes(name) ? '' : told]).toEqual([id, '']);
	}
}

const seenOf = ({ json: [{ traits }] }) =>
	Object.fromEntries(
		traits.filter(({ evidence }) => evidence === 'seen').map(({ trait, value }) => [trait, value]),
	);
const stepsOf = ({ json: [{ steps }] }) =>
	Object.fromEntries(steps.map(({ step, saw }) => [step, saw]));
const settingsOf = ({ json: [{ settings }] }) =>
	Object.fromEntries(settings.map(({ field, value }) => [field, value]));

/** What has to be seen of a service with these switches, where it has groups that can be made. */
function expected(given) {
	const is = { ...DEFAULTS, ids: 'numbered', ...given };
	const works = (form) =>
		![...is.ignoresRemovals, ...is.removesEverybody].includes(form) &&
		!(form === 'filterPath' && is.refusesFilterPath);
	const patches = !is.without.includes('PATCH Groups');
	const removal = works('filterPath')
		? 'Filter in the Path'
		: works('valueList')
			? 'List of Values'
			: undefined;
	const shows = (one, list = 'all') => {
		if (/^(all|whenAny)$/.test(one) && /^(all|whenAny)$/.test(list)) return 'Yes';
		return /^(empty|absent)$/.test(one) ? 'No' : undefined;
	};
	const yesNo = (whether) => (whether ? 'Yes' : 'No');
	const isEnded = is.deactivationDeletes;
	const known = {
		'Has Groups': 'Yes',
		Paging:
			is.paging === 'startIndex'
				? is.ignoresStart || is.ignoresCount
					? undefined
					: 'Start Index'
				: 'Cursor',
		...(patches && { 'Member Removal': removal }),
		'Groups Show Members': shows(is.showsMembers, is.listsMembers),
		'Users Show Groups': shows(is.usersShowGroups),
		'User Names Are Converted': yesNo(is.nameLength !== undefined),
		Deactivation: isEnded
			? 'Removes the User'
			: is.deactivationDrops
				? 'Drops Memberships'
				: 'Keeps Memberships',
		...(!isEnded && {
			'Inactive users refuse group changes': is.neverAddsInactive
				? undefined
				: yesNo(is.inactiveRefuses),
			'Deletion Cannot Be Undone': yesNo(!is.deletesSoftly),
		}),
	};
	return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}

const WITH_GROUPS = Object.keys(WAYS).filter(
	(dialect) =>
		WAYS[dialect].switches.types?.includes('Groups') !== false &&
		WAYS[dialect].switches.fixedGroups !== true,
);

describe('what is seen is how the service is', () => {
	test.each(WITH_GROUPS)('%s', async (dialect) => {
		const { switches } = WAYS[dialect];
		const service = serviceOf(dialect);
		const result = await check(dialect, service);
		expect(result.thrown).toBeUndefined();
		expect(result.json).toHaveLength(1);
		const wanted = expected(switches);
		const seen = seenOf(result);
		expect(Object.fromEntries(Object.keys(wanted).map((name) => [name, seen[name]]))).toEqual(
			wanted,
		);
		for (const name of ['Member Removal', 'Groups Show Members', 'Users Show Groups', 'Paging'])
			expect([name, name in seen]).toEqual([name, name in wanted]);
		const steps = stepsOf(result);
		expect(steps['Create user with the same user name']).toBe('refused (409)');
		const emails = { list: 'kept', primary: 'not kept', byType: 'not kept', object: 'not kept' };
		expect(steps['Second email of a user']).toBe(
			switches.mostEntries === 1 ? 'refused' : emails[switches.emails ?? 'list'],
		);
		expectUntouched(service);
		expectNamed(service, result);
		// Services that keep deleted users keep the test users, too.
		expect(leftIn(service)).toHaveLength(switches.deletesSoftly ? 2 : 0);
	});

	test.each([
		[{ removesEverybody: ['filterPath'] }],
		[{ removesEverybody: ['filterPath', 'valueList'] }],
		[{ deactivationDrops: true }],
		[{ inactiveRefuses: true }],
		[{ neverAddsInactive: true }],
		[{ usersShowGroups: 'absent', showsMembers: 'whenAny' }],
		[{ showsMembers: 'absent', membershipFilter: 'off' }],
		[{ createAnswer: 'empty' }],
		[{ createAnswer: 'withoutId' }],
		[{ patchAnswers: 'stale' }],
		[{ filter: 'ignored' }],
		[{ filter: 'off' }],
		[{ names: 'upper' }],
		[{ ignoresCount: true }],
		[{ otherForms: 'refused' }],
		[{ lagReads: 2 }],
	])('a service that behaves but for %j', async (switches) => {
		const service = serviceOf('generic', switches);
		const result = await check('generic', service);
		expect(result.thrown).toBeUndefined();
		expect(seenOf(result)).toMatchObject(expected(switches));
		expectUntouched(service);
		expect(leftIn(service)).toStrictEqual([]);
	});

	test('members removed along with another are noticed', async () => {
		const service = serviceOf('wso2');
		const result = await check('wso2', service);
		const steps = stepsOf(result);
		expect(steps['Remove member by list of values']).toBe('removed everybody');
		expect(steps['Remove member by filter path']).toBe('removed');
		expect(steps['Add members']).toBe('PATCH with display');
		expect(settingsOf(result)).not.toHaveProperty('Member Removal');
	});

	test.each([
		['taken', 'accepted'],
		['refused', 'refused as a whole'],
		['refusedAfter', 'refused, the others are added'],
	])('an add of an unknown user: %s', async (unknownMembers, saw) => {
		const result = await check('generic', serviceOf('generic', { unknownMembers }));
		expect(stepsOf(result)['Add members, one of whom does not exist']).toBe(saw);
	});

	test('a user name that is only shown is none that changed', async () => {
		const result = await check('account', serviceOf('account'));
		expect(seenOf(result)['User Names Can Change']).toBe('No');
	});

	test('each write has its delay', async () => {
		const { json } = await check('generic', serviceOf('generic', { lagReads: 2 }));
		const timed = ['Create user', 'Add members', 'Deactivate user', 'Change user name'];
		for (const { step, delayMs } of json[0].steps)
			if (timed.includes(step) && step !== 'Add members') expect(delayMs).toBeGreaterThanOrEqual(0);
	});
});

describe('settings are what was seen or is documented', () => {
	test.each([
		['djangoScim2', { 'Member Removal': 'List of Values' }],
		['infisical', { 'Users Show Groups': 'No', 'Groups Show Members': 'Yes' }],
	])('%s', async (dialect, wanted) => {
		const settings = settingsOf(await check(dialect, serviceOf(dialect)));
		expect(settings).toMatchObject({ 'Service Profile': 'Generic SCIM 2.0', ...wanted });
	});

	test('of a service whose profile is known, nothing of the profile', async () => {
		const result = await check('aws', serviceOf('aws'));
		const settings = settingsOf(result);
		expect(settings['Service Profile']).toBe(PRESETS.awsIdentityCenter.name);
		for (const name of ['Member Removal', 'Groups Show Members', 'Memberships by Filter', 'Paging'])
			expect(settings).not.toHaveProperty([name]);
		const evidence = Object.fromEntries(
			result.json[0].traits.map(({ trait, evidence: one }) => [trait, one]),
		);
		expect(evidence).toMatchObject({
			'Member Removal': 'seen',
			'Longest page': 'documented',
			'Members Per Request': 'assumed',
		});
	});

	test('each is a field of the credential, with a value that it offers', async () => {
		const {
			ScimProvisioningApi,
		} = require('../../dist/credentials/ScimProvisioningApi.credentials.js');
		const { properties } = new ScimProvisioningApi();
		for (const dialect of ['djangoScim2', 'wso2', 'slack', 'langfuse', 'wandb']) {
			const given = dialect === 'wso2' ? { prefix: '/scim' } : {};
			const settings = settingsOf(await check(dialect, serviceOf(dialect, given)));
			for (const [field, value] of Object.entries(settings)) {
				const property = properties.find(({ displayName }) => displayName === field);
				expect([field, property?.displayName]).toEqual([field, field]);
				if (property.type !== 'options') continue;
				expect(property.options.map(({ name }) => name)).toContain(value);
			}
		}
	});
});

describe('groups that nobody makes', () => {
	test.each([
		['account', {}, 'the service makes them with its organizations', 0],
		['generic', { fixedGroups: true }, 'the service does not create groups', 1],
		['generic', { without: ['POST Groups'] }, 'the service does not create groups', 1],
		[
			'generic',
			{ without: ['POST Groups'], withoutAnswers: 501 },
			'the service does not create groups',
			1,
		],
		[
			'generic',
			{ without: ['POST Groups'], withoutAnswers: 403 },
			'the service does not create groups',
			1,
		],
		['langfuse', {}, 'the service has none', 0],
	])('%s %j', async (dialect, switches, why, posts) => {
		const service = serviceOf(dialect, switches);
		const result = await check(dialect, service);
		expect(result.thrown).toBeUndefined();
		expect(result.json[0].warnings).toEqual([`Groups were not tried: ${why}.`]);
		const writes = service.written().filter((request) => request.includes('/Groups'));
		expect(writes).toHaveLength(posts);
		expectUntouched(service);
		expect(leftIn(service)).toStrictEqual([]);
	});
});

test('an account on the profile Generic: groups are seen to be organizations, and left alone', async () => {
	const service = serviceOf('account');
	const { json } = await runOnModel(service, {
		...{ resource: 'service', operation: 'check', continueOnFail: false },
		parameters: { allowTestObjects: true },
		credential: { serviceProfile: 'generic' },
	});
	expect(settingsOf({ json })).toMatchObject({ 'Service Profile': 'Account with Organizations' });
	expect(service.written().filter((request) => request.includes('/Groups'))).toStrictEqual([]);
	expectUntouched(service);
});

test.each(['generic', 'account'])(
	'without Allow Test Objects nothing is sent, %s',
	async (dialect) => {
		const service = serviceOf(dialect);
		const { thrown } = await check(dialect, service, { allowTestObjects: false });
		expect(thrown.message).toContain('two users and two groups named n8n-check-');
		expect(thrown.description).toContain('Turn on Allow Test Objects');
		expect(service.written()).toStrictEqual([]);
	},
);

test('one item, however many start it', async () => {
	const service = serviceOf('generic');
	const { json } = await runOnModel(service, {
		...{ resource: 'service', operation: 'check', items: [{}, {}, {}] },
		parameters: { allowTestObjects: true },
		credential: { serviceProfile: 'generic' },
	});
	expect(json).toHaveLength(1);
	expect(service.written().filter((request) => request === 'POST /Groups')).toHaveLength(2);
});

test('no secret and nobody else stands in the item', async () => {
	const said = { status: 400, kind: 'status', body: `wrong: Bearer ${TOKEN} and ${TOKEN}` };
	const faults = [
		{ ...said, method: 'PATCH', nth: 1 },
		{
			kind: 'status',
			status: 200,
			method: 'GET',
			path: /Groups\/group/,
			nth: 3,
			body: {
				id: 'group-1',
				token: TOKEN,
				members: [{ value: 'id-ana', display: 'ana@example.com' }],
			},
		},
	];
	const extra = { 'urn:x': { owner: 'ana' } };
	for (const ways of [
		{},
		{ filter: 'ignored' },
		{ ignoresCount: true },
		{ without: ['PATCH Users', 'PATCH Groups'] },
	]) {
		const service = serviceOf('generic', { faults, extra, ...ways });
		const { json } = await check('generic', service);
		const text = JSON.stringify(json);
		expect(text).not.toContain(TOKEN);
		expect(text).not.toMatch(/ana|bob|"One"|"Two"/);
		expect(json[0].report).toContain('| Field | Value | Because of |');
		expect(json[0].report).toMatch(/Groups Show Members \| Yes \| seen/);
	}
});

describe('cut off at a request, nothing is left that is not named', () => {
	const CUTS = {
		'the connection dies, the request was carried out': (nth) => deadFrom(nth, true),
		'the connection dies, the request was lost': (nth) => deadFrom(nth, false),
		'one answer is lost': (nth) => [{ nth, kind: 'reset-after' }],
		'one request is lost': (nth) => [{ nth, kind: 'reset-before' }],
		'one answer is 500, and it was carried out': (nth) => [{ nth, kind: '500-after' }],
		'one request is refused': (nth) => [{ nth, kind: 429 }],
		'one answer is empty': (nth) => [{ nth, kind: 'empty-200' }],
		'the execution is cancelled': () => [],
	};
	/** A lost read is as good as another. */
	const EVERY_READ = 9;

	test.each([
		...Object.keys(CUTS).map((cut) => ['generic', cut]),
		['account', 'the connection dies, the request was carried out'],
		['account', 'one answer is lost'],
		['account', 'the execution is cancelled'],
		['zitadel', 'one answer is lost'],
		['zitadel', 'one request is lost'],
	])(
		'%s: %s',
		async (dialect, cut) => {
			const whole = serviceOf(dialect);
			await check(dialect, whole);
			expect(shapeOf(whole.now())).toEqual(shapeOf(whole.states[0]));
			for (const { nth, method } of whole.requests) {
				if (method === 'GET' && nth % EVERY_READ > 0) continue;
				const controller = new AbortController();
				const isCancelled = cut.endsWith('cancelled');
				const service = serviceOf(dialect, {
					faults: CUTS[cut](nth),
					onRequest: (at) => isCancelled && at === nth && controller.abort(),
				});
				const result = await check(dialect, service, {}, { signal: controller.signal });
				try {
					expectUntouched(service);
					expectNamed(service, result);
					if (!cut.startsWith('the connection')) expect(leftIn(service)).toStrictEqual([]);
				} catch (error) {
					error.message = `${method}, request ${nth}: ${error.message}`;
					throw error;
				}
			}
		},
		60_000,
	);
});

test('by the Service Profile of an account no group is made, whatever is there', async () => {
	const service = serviceOf('generic');
	const { json } = await check('account', service);
	expect(json[0].warnings).toEqual([
		'Groups were not tried: by the Service Profile the service makes them with its organizations.',
	]);
	expect(settingsOf({ json })['Service Profile']).toBe('Generic SCIM 2.0');
	expect(service.written().filter((request) => request.includes('/Groups'))).toStrictEqual([]);
});

test('what cannot be removed is named', async () => {
	const service = serviceOf('generic', { without: ['DELETE Users', 'DELETE Groups'] });
	const result = await check('generic', service);
	expect(leftIn(service)).toHaveLength(4);
	expect(result.json[0].warnings).toHaveLength(4);
	expectNamed(service, result);
	expect(result.json[0].report).toContain('Left at the service');
	expect(seenOf(result)).not.toHaveProperty(['Deletion Cannot Be Undone']);
});

test('where no user can be created, the error has the answer', async () => {
	const { thrown } = await check('generic', serviceOf('generic', { requires: ['title'] }));
	expect(thrown.message).toContain('Could not create a test user: the service answered 400');
	expect(thrown.message).toContain('Required: title');
});

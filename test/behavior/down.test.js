'use strict';

// A service that goes down in the middle of a run: Max Wait is how long a run may go without one accepted request. Time passes
// in pauses alone.

const { pass, seconds, setClockBy } = require('../support/passingTime');
const { Groups, UNDOABLE, emails, errorsIn, play } = require('../support/behavior');
const { Alerting, locator, play: playAlerting } = require('../support/alertBehavior');
const { mapped } = require('../support/node');
const { ONE_AT_A_TIME } = require('../support/options');
const { triggerAt } = require('../support/triggerPlay');

beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));

const COUNT = 30;
const names = Array.from({ length: COUNT }, (_, nth) => `p${nth}`);
const of = (text) => Object.fromEntries(names.map((name) => [name, text]));
const WAIT = { maxWait: 10, verifyTime: 10 };

/** Two runs of 30 writes, each of them five side by side: what they are played on, and what is stored of the writes in the end. */
const RUNS = {
	'SCIM Provisioning': {
		on: (faults, credential) => new Groups(of(''), { faults, credential }),
		play: async (w, options) =>
			await play(
				...[w, ['user', 'update'], { ...mapped({ displayName: 'New' }), options }],
				names.map((name) => ({ user: w.user(name) })),
			),
		write: 'PATCH',
		stored: (w) => Object.values(w.attributes()).filter((one) => one?.displayName === 'New').length,
	},
	'Notification Actions': {
		on: (faults) => new Alerting({}, { actions: {}, faults }),
		play: async (w, options) =>
			await playAlerting(
				...[w, ['action', 'upsert'], { kind: 'email', email: 'ops@example.com', options }],
				names.map((name) => ({ actionId: name })),
			),
		write: 'PUT',
		stored: (w) => Object.keys(w.stored()).length,
	},
};

const requestsOf = (w) => (w.service ?? w).requests;
const isWrite = ({ method }) => method !== 'GET';

/** How many items have come to what; of an item that was not sent, why. */
function tally(items) {
	const counts = {};
	for (const { status, reason } of items) {
		const [, why] = /not sent: (.*)/.exec(reason) ?? [];
		const word = why === undefined ? status : `${status}: ${why}`;
		counts[word] = (counts[word] ?? 0) + 1;
	}
	return counts;
}

const LEFT = 'failed: the service accepts no writes';
const is = (status, headers) => ({ kind: 'status', status, body: 'down', headers });

describe.each(Object.entries(RUNS))('%s', (name, { on, play: run, write, stored }) => {
	/** What a row has of both nodes: side by side, requests overtake each other in other ways. */
	const own = (value) => (Array.isArray(value) ? value[Object.keys(RUNS).indexOf(name)] : value);

	/** A service whose writes are refused as `decide` says, of how many were accepted and the time: a fault, or nothing. */
	function refusing(decide) {
		const w = on([]);
		let accepted = 0;
		(w.service ?? w).faults.pick = (request) => {
			const fault = request.method === write ? decide(accepted, seconds(), request) : undefined;
			if (request.method === write && fault === undefined) accepted += 1;
			return fault;
		};
		return w;
	}

	const counted = (w) => {
		const writes = requestsOf(w).filter(isWrite).length;
		return { writes, reads: requestsOf(w).length - writes, seconds: seconds() };
	};

	/** Of 30 writes 15 are accepted. Afterwards the 30 users were read for the plan, and all is looked at once: in one list, and by ID. */
	const LOOKED = { reads: [33, 2] };

	test.each([
		['503', is(503), { unverified: 6, [LEFT]: 9 }, { writes: 46, seconds: 8 }],
		['429 without a time', is(429), { unverified: 6, [LEFT]: 9 }, { writes: 46, seconds: 8 }],
		[
			'a wait that fits, twice',
			is(503, { 'Retry-After': '4' }),
			{ unverified: 6, [LEFT]: 9 },
			{ writes: 31, seconds: 8 },
		],
		[
			'a wait that is longer than Max Wait, which two have to hear',
			is(429, { 'Retry-After': '300' }),
			{
				unverified: [7, 6],
				'failed: the service asks to wait': [8, 9],
			},
			{ writes: [22, 21], seconds: 0 },
		],
		[
			'no Max Wait',
			is(503),
			{
				unverified: [7, 6],
				[LEFT]: [8, 9],
			},
			{ writes: [22, 21], seconds: 0 },
			{ maxWait: 0 },
		],
		[
			'a fault, which is not waited for as long as a busy service',
			is(500),
			{ unverified: 11, [LEFT]: 4 },
			{ writes: 56, seconds: 5 },
			{ maxWait: 5 },
		],
		[
			'401 that stays, of those that were under way',
			is(401),
			{ failed: [4, 5], 'failed: the service does not accept the credential': [11, 10] },
			{ writes: [19, 20], reads: [31, 2], seconds: 0 },
		],
	])('goes down halfway: %s', async (...row) => {
		const [, fault, left, requests, options] = row;
		const w = refusing((accepted) => (accepted >= 15 ? fault : undefined));
		const items = await run(w, { ...WAIT, ...options });
		const expected = Object.entries({ done: 15, ...left }).map(([what, count]) => [
			what,
			own(count),
		]);
		expect(tally(items)).toEqual(Object.fromEntries(expected));
		expect(stored(w)).toBe(15);
		// In a few words on each, and the whole of it once.
		const [reason] = Object.keys(left).flatMap((what) => what.split('failed: ')[1] ?? []);
		const said = items.flatMap(({ warnings }) => warnings ?? []);
		expect(said).toEqual([expect.stringContaining(`Nothing more was sent: ${reason}`)]);
		expect(counted(w)).toEqual(
			Object.fromEntries(
				Object.entries({ ...LOOKED, ...requests }).map(([what, count]) => [what, own(count)]),
			),
		);
	});

	test('what was stored before it went down, and not answered, is seen', async () => {
		const w = refusing((accepted) => (accepted >= 15 ? { ...is(503), write: true } : undefined));
		const items = await run(w, WAIT);
		const sent = stored(w);
		expect(tally(items)).toEqual({ done: sent, [LEFT]: COUNT - sent });
		expect(sent).toBeLessThan(COUNT);
	});

	test.each([
		['', 0],
		[', also with the clock set back', -3_600_000],
		[', also with the clock set forward', 3_600_000],
	])('a throttled run is whole, however long it takes%s', async (_, ms) => {
		const refused = new Set();
		const w = refusing((accepted, __, { path }) => {
			if (refused.has(path)) return undefined;
			if (accepted === 15 && refused.size === 15) setClockBy(ms);
			refused.add(path);
			return is(429, { RateLimit: '"second";r=9;t=1, "minute";r=0;t=8' });
		});
		expect(tally(await run(w, WAIT))).toEqual({ done: COUNT });
		expect(stored(w)).toBe(COUNT);
		// Five side by side.
		expect(seconds()).toBe(8 * (COUNT / 5));
	});

	test('a service that takes writes and says nothing: a few of them are waited for', async () => {
		const w = refusing((accepted) => {
			if (accepted < 15) return undefined;
			pass(4_000);
			return { kind: 'timeout-after', write: false };
		});
		expect(tally(await run(w, WAIT))).toEqual({ done: 15, unverified: 6, [LEFT]: 9 });
		expect(requestsOf(w).filter(isWrite)).toHaveLength(21);
	});

	test('one that is never accepted holds up nobody else', async () => {
		let first;
		const w = refusing((_, __, { path, body }) => {
			first ??= path;
			return path === first && body !== undefined ? is(503) : undefined;
		});
		expect(tally(await run(w, WAIT))).toEqual({ done: COUNT - 1, unverified: 1 });
	});

	test.each([
		['refused', is(503), { maxWait: 0 }],
		['asked to wait for longer than Max Wait', is(503, { 'Retry-After': '300' }), {}],
	])('one alone that is %s ends nothing', async (_, fault, options) => {
		let times = 0;
		const w = refusing((accepted) => (accepted === 15 && times++ === 0 ? fault : undefined));
		expect(tally(await run(w, { ...WAIT, ...options }))).toEqual({
			...{ done: COUNT - 1, unverified: 1 },
		});
	});

	test('where reads are refused and writes are not, what was sent is unverified', async () => {
		const w = on([]);
		let wrote = 0;
		(w.service ?? w).faults.pick = ({ method }) => {
			if (method === write) wrote += 1;
			return method === 'GET' && wrote > 0 ? is(503) : undefined;
		};
		const items = await run(w, WAIT);
		expect(items.map(({ status }) => status)).toEqual(Array(COUNT).fill('unverified'));
		expect(stored(w)).toBe(COUNT);
		expect(counted(w)).toEqual({ writes: COUNT, reads: own([40, 7]), seconds: own([10, 8]) });
	});

	test('with no Max Wait a fault ends nothing: the next run would not come further', async () => {
		const bad = new Set();
		const w = refusing((_, __, { path }) => {
			if (bad.size < 6) bad.add(path);
			return bad.has(path) ? is(500) : undefined;
		});
		const items = await run(w, { ...WAIT, maxWait: 0 });
		expect(tally(items)).toEqual({ done: COUNT - 6, unverified: 6 });
	});

	test('what was left is done by the next run', async () => {
		const w = refusing((accepted, now) => (accepted >= 15 && now < 9 ? is(503) : undefined));
		expect(stored(w)).toBe(0);
		await run(w, WAIT);
		expect(stored(w)).toBe(15);
		(w.service ?? w).faults.pick = () => undefined;
		const again = await run(w, WAIT);
		expect(errorsIn(again)).toStrictEqual([]);
		expect(stored(w)).toBe(COUNT);
	});
});

/** Faults from the nth request of a method on. */
const from = (method, nth, more) => [{ method, from: nth, ...is(503), ...more }];
const linesOf = (w) => requestsOf(w).map((request) => w.lineOf(request));
const NO_READ = 'not sent: the service accepts no reads';

test('reads: what was left is not sent', async () => {
	const w = new Groups(of(''), { faults: from('GET', 11) });
	const users = names.map((name) => ({ user: w.user(name) }));
	const items = await play(w, ['user', 'get'], { options: WAIT }, users);
	const said = items.map(({ error = 'read' }) => error.replace(/^Could not get user \S+: /, ''));
	expect(said).toEqual([
		...Array(10).fill('read'),
		...Array(6).fill('the service answered 503, down'),
		...Array(14).fill(NO_READ),
	]);
	expect(w.service.requests).toHaveLength(41);
});

test('creates: those that were answered with a fault are looked for, and none is made twice', async () => {
	const made = from('POST', 11, { write: true, times: 2 });
	const w = new Groups({}, { faults: [...made, ...from('POST', 11)] });
	const users = names.map((externalId) => ({
		...{ userName: `${externalId}@example.com`, ...mapped({ externalId }) },
	}));
	const items = await play(w, ['user', 'create'], { options: WAIT }, users);
	expect(tally(items)).toEqual({ done: 12, unverified: 5, [LEFT]: 13 });
	expect(requestsOf(w).filter(isWrite)).toHaveLength(39);
	expect(w.service.users.size).toBe(12);
});

test('at a pace: those that wait for their place are not sent any more', async () => {
	const w = new Groups(of(''), { credential: { writesPerMinute: 30 }, faults: from('PATCH', 6) });
	const users = names.map((name) => ({ user: w.user(name) }));
	const fields = { ...mapped({ displayName: 'New' }), options: { ...WAIT, maxWait: 4 } };
	const items = await play(w, ['user', 'update'], fields, users);
	expect(tally(items)).toEqual({
		...{ done: 5, unverified: 4 },
		[LEFT]: 21,
	});
	expect(requestsOf(w).filter(isWrite)).toHaveLength(9);
});

test('batches of one group: what is not sent takes no look', async () => {
	const w = new Groups(
		{ ...of(''), zoe: 'eng' },
		{ credential: { overrideProfile: true, membersPerRequest: 3 }, faults: from('PATCH', 3) },
	);
	const people = names.map((name) => w.user(name).value);
	const options = { ...WAIT, maxWait: 0, maxPeopleAffected: 99 };
	const fields = { group: w.group('eng'), people, options };
	const items = await play(w, ['group', 'addMembers'], fields);
	expect(tally(items)).toEqual({ done: 6, unverified: 9, [LEFT]: 15 });
	// Two are accepted, and three were under way: a look at the group for each of these, and then at all.
	expect(linesOf(w)).toEqual([
		...['GET eng', 'GET Users', 'GET Users', ...Array(5).fill('PATCH eng')],
		...[...Array(3).fill('GET eng'), ...Array(4).fill('GET Users'), 'GET eng'],
	]);
});

test('members that are sent alone after a refusal: those left take no look', async () => {
	const refused = { method: 'PATCH', nth: 1, ...is(400) };
	const w = new Groups({ ...of(''), zoe: 'eng' }, { faults: [refused, ...from('PATCH', 2)] });
	const people = names.map((name) => w.user(name).value);
	const fields = { group: w.group('eng'), people, options: { ...WAIT, maxPeopleAffected: 99 } };
	const items = await play(w, ['group', 'addMembers'], fields);
	expect(tally(items)).toEqual({ unverified: 2, [LEFT]: 28 });
	expect(requestsOf(w).filter(isWrite)).toHaveLength(11);
	// The look before the repeat that was left, and the one at all.
	expect(linesOf(w).slice(-3)).toEqual(['PATCH eng', 'GET eng', 'GET eng']);
});

test.each([
	['refused for its credential', is(401)],
	['not sent any more', is(503)],
])(
	'what was taken and is not seen is unverified, also where its other form is %s',
	async (...given) => {
		const w = new Groups({ ana: '', ben: '', cleo: '' });
		w.service.faults.pick = ({ method }) => ({ PATCH: { kind: 'dropped' }, PUT: given[1] })[method];
		const users = ['ana', 'ben', 'cleo'].map((name) => ({ user: w.user(name) }));
		const fields = { ...mapped({ displayName: 'New' }), options: { ...WAIT, maxWait: 0 } };
		const items = await play(w, ['user', 'update'], fields, users);
		expect(items.map(({ status }) => status)).toEqual(Array(3).fill('unverified'));
		expect(linesOf(w)).toContain('PUT ana');
	},
);

test('an offboarding: what was done of it is said, and whom nothing was sent for keeps all', async () => {
	const w = new Groups(of('eng'), { faults: from('PATCH', 3) });
	const people = emails(names.slice(0, 12).join(' '));
	const fields = { people, safetyLimits: { maxPeopleAffected: 99 }, options: WAIT };
	const items = await play(w, ['access', 'offboard'], fields);
	const [unseen, unsent] = [
		/^2 of 2 failed: Could not confirm: deac/,
		/deactivate user \S+ not sent: /,
	];
	expect(errorsIn(items)).toEqual([
		...Array(8).fill(expect.stringMatching(unseen)),
		...Array(4).fill(expect.stringMatching(unsent)),
	]);
	expect(Object.values(w.shape()).filter((one) => one.includes('inactive'))).toHaveLength(2);
	expect(linesOf(w).slice(-5)).toEqual([
		'GET Users',
		'GET Users',
		'GET Users',
		'GET Users',
		'GET eng',
	]);
});

test('the trigger: a check is over after Max Wait, and the next one begins anew', async () => {
	const w = new Groups(of('eng'));
	const look = triggerAt(w.service, { credential: w.credential, options: { maxWait: 10 } });
	await look();
	w.service.requests.length = 0;
	const begin = seconds();
	for (const rule of from('GET', 1)) w.service.faults.add(rule);
	for (const times of [1, 2]) {
		await expect(look()).rejects.toThrow('the service answered 503, down');
		expect(w.service.requests).toHaveLength(6 * times);
		expect(seconds() - begin).toBe(8 * times);
	}
	w.service.faults.clear();
	expect(await look()).toStrictEqual([]);
});

test('monitors: what was left of them is not sent', async () => {
	const models = Object.fromEntries(names.map((model) => [model, { drift: 'email' }]));
	const w = new Alerting(models, { faults: from('PATCH', 4) });
	const fields = { models: 'all', monitors: 'all', action: locator('chat') };
	const items = await playAlerting(w, ['monitor', 'attach'], {
		...fields,
		options: { ...WAIT, maxWait: 5 },
	});
	expect(tally(items)).toEqual({
		...{ done: 3, unverified: 10 },
		[LEFT]: 17,
	});
	expect(linesOf(w).filter((line) => line.startsWith('PATCH'))).toHaveLength(43);
	expect(seconds()).toBe(5);
});

test.each([
	['update', { attributes: { mappingMode: 'defineBelow', value: { displayName: 'New' } } }],
	['deactivate', {}],
	['delete', {}],
])(
	'%s: a 401 after a try that may have worked does not say that it has failed',
	async (operation, wish) => {
		const world = new Groups({ ana: '', ben: 'eng' }, { lagReads: 9, credential: UNDOABLE });
		let tries = 0;
		world.service.faults.pick = ({ method }) => {
			if (method === 'GET') return undefined;
			tries += 1;
			return tries === 1 ? { kind: '500-after' } : { kind: 'status', status: 401 };
		};
		const items = await play(world, ['user', operation], { user: world.user('ana'), ...wish });
		expect(items).toMatchObject([{ status: 'unverified' }]);
	},
);

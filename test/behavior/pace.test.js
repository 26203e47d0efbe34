'use strict';

// Reads per Minute and Writes per Minute of the credential: waits pass at once, and move the clock.

const { seconds, setClockBy } = require('../support/passingTime');
const { Groups, email, locator, play } = require('../support/behavior');
const { defaultsOf } = require('../support/modelGroupsPlay');
const { runOnModel } = require('../support/modelNode');
const { mapped } = require('../support/node');

/** A service that says what left when, in seconds from the beginning, as `[line, second]`. */
function paced(people, pace, switches) {
	const w = new Groups(people, { credential: pace, ...switches });
	w.left = [];
	w.service.given.onRequest = (_, request) => w.left.push([w.lineOf(request), seconds()]);
	return w;
}

/** Runs an operation in a workflow that times out after so many seconds. */
async function runWithin(seconds, w, [resource, operation], parameters, items) {
	const { json, thrown } = await runOnModel(w.service, {
		...{ resource, operation, items, credential: w.credential, continueOnFail: false },
		parameters: { ...defaultsOf(resource, operation), ...parameters },
		settings: { executionTimeout: seconds },
	});
	return { json, message: thrown?.message };
}

const NEWCOMERS = ['gil', 'hal', 'ida'].map((name) => ({ userName: email(name) }));
const BEN = `/Users/${new Groups({ ben: '' }).user('ben').value}`;
const CREATE = ['user', 'create'];
const QUICK = { maxWait: 120, verifyTime: 10 };

test('writes are evenly spaced, and so are the reads', async () => {
	const w = paced({ ana: '', ben: '', cleo: '' }, { readsPerMinute: 6, writesPerMinute: 2 });
	const users = ['ana', 'ben', 'cleo'].map((name) => ({ user: w.user(name) }));
	await play(w, ['user', 'get'], {}, users);
	expect(w.left.map(([, at]) => at)).toEqual([0, 10, 20]);
	await play(w, CREATE, { options: QUICK }, NEWCOMERS);
	expect(w.shape()).toEqual({ ...w.before, gil: '', hal: '', ida: '' });
	const times = w.left.flatMap(([line, at]) => (line.startsWith('POST') ? at : []));
	expect(times.slice(1).every((time, at) => time - times[at] >= 30)).toBe(true);
});

describe.each([
	['back', -3_600_000],
	['forward', 3_600_000],
])('a clock that is set %s by an hour in the run', (_, ms) => {
	const setAt = (w, nth) => {
		const { onRequest } = w.service.given;
		w.service.given.onRequest = (number, ...given) => {
			onRequest(number, ...given);
			if (number === nth) setClockBy(ms);
		};
	};
	test('changes no pace, and ends no run before its time', async () => {
		// The sixth takes its place once the first is answered.
		const names = ['ana', 'ben', 'cleo', 'dan', 'eve', 'fay', 'gus'];
		const people = Object.fromEntries(names.map((name) => [name, '']));
		const w = paced(people, { readsPerMinute: 60 });
		setAt(w, 1);
		const users = names.map((name) => ({ user: w.user(name) }));
		const { message } = await runWithin(3_000, w, ['user', 'get'], {}, users);
		expect(message).toBeUndefined();
		expect(w.left.map(([, at]) => at)).toEqual([0, 1, 2, 3, 4, 5, 6]);
	});

	test('makes no read of before older or newer than it is', async () => {
		const w = paced({ ana: 'g1 g2', ben: 'g1 g2' }, { writesPerMinute: 6 });
		setAt(w, 2);
		const items = ['g1', 'g2'].map((id) => ({ group: locator('id', id) }));
		await play(w, ['group', 'removeMembers'], { people: w.user('ana').value }, items);
		expect(w.left.map((one) => one.join(' '))).toEqual([
			...['GET g2 0', 'GET g1 0', 'PATCH g1 0', 'GET g1 0', 'GET g2 10', 'PATCH g2 10'],
		]);
		expect(w.shape()).toEqual({ ana: '', ben: 'g1 g2' });
	});
});

test.each([
	[
		'says how many requests there are, and how many minutes they take at least',
		{ writesPerMinute: 2 },
		{ requests: 3, minutes: 1 },
	],
	['estimates nothing without a pace', {}, undefined],
	[
		'knows the pace that the service profile documents',
		{ serviceProfile: 'slack' },
		{ requests: 3, minutes: 0.1 },
	],
])('Preview %s', async (_, pace, estimate) => {
	const emailsOf = ({ userName }) => ({ ...mapped({ emails: [{ value: userName }] }), userName });
	const fields = { preview: true, options: { matchUsersBy: 'email' } };
	const [item] = await play(paced({}, pace), CREATE, fields, NEWCOMERS.map(emailsOf));
	expect(item.estimate).toEqual(estimate);
	expect(item.blockedBy).toStrictEqual([]);
});

describe('what cannot all leave before the workflow times out does not begin to', () => {
	test('writes', async () => {
		const w = paced({}, { writesPerMinute: 1 });
		const { message } = await runWithin(60, w, CREATE, {}, NEWCOMERS);
		expect(message).toBe(
			'3 of 3 items failed: Nothing was sent: 3 requests take at least 2 min with Writes per Minute 1, and Timeout Workflow leaves 1 min. Raise it in the settings of the workflow, or send fewer items.',
		);
		expect(w.service.written()).toStrictEqual([]);
		const { json } = await runWithin(60, w, CREATE, { preview: true }, NEWCOMERS);
		expect(json).toMatchObject([
			{
				estimate: { requests: 3, minutes: 2 },
				blockedBy: [expect.stringContaining('3 requests take at least 2 min')],
			},
		]);
	});

	test('nor where the looks that they need cannot: nobody is offboarded by half', async () => {
		const leavers = { ana: 'g1 g2 g3', ben: 'g1 g2 g3', cleo: 'g1 g2 g3', dan: 'g1 g2 g3' };
		const w = paced(leavers, { readsPerMinute: 2 });
		const offboard = async (seconds, fields) =>
			await runWithin(
				seconds,
				w,
				['access', 'offboard'],
				{
					people: Object.keys(leavers).map((name) => w.user(name).value),
					options: { maxPeopleAffected: 4 },
					...fields,
				},
				[{}, {}],
			);
		const {
			json: [preview],
		} = await offboard(240, { preview: true });
		const read = w.service.requests.length;
		// 7 writes, a look at each group and one at the people before the removals, and the proof: 2 pages of users and 3 groups.
		expect(preview.estimate.requests).toBe(17);
		expect(preview.blockedBy).toEqual([
			expect.stringMatching(/requests take at least .* with Reads per Minute 2/),
		]);
		expect((await offboard(240)).message).toContain('Nothing was sent');
		expect(w.service.written()).toStrictEqual([]);
		const before = w.service.requests.length;
		expect((await offboard(-1)).message).toBeUndefined();
		expect(w.service.requests.length - before).toBe(read + 17);
	});
});

test('a look and the removal that needs it leave together', async () => {
	const groups = ['g1', 'g2', 'g3'];
	const w = paced({ ana: 'g1 g2 g3', ben: 'g1 g2 g3' }, { readsPerMinute: 12, writesPerMinute: 4 });
	const items = groups.map((id) => ({ group: locator('id', id) }));
	await play(w, ['group', 'removeMembers'], { people: w.user('ana').value, options: QUICK }, items);
	expect(w.left.map((one) => one.join(' '))).toEqual([
		...['GET g1 0', 'GET g2 5', 'GET g3 10', 'GET g1 15', 'PATCH g1 15'],
		...['GET g1 20', 'GET g2 25', 'PATCH g2 25', 'GET g3 40', 'PATCH g3 40'],
	]);
});

test.each([
	['when its place comes late', 'PUT ana', { writesPerMinute: 1 }, []],
	[
		'before it is sent again',
		'PUT ben',
		{},
		[{ method: 'PUT', path: BEN, times: 1, kind: 429, retryAfter: 60 }],
	],
])(
	'a whole user is read anew %s, so that nobody is let in again who was deactivated meanwhile',
	async (_, when, pace, faults) => {
		const w = paced({ ana: '', ben: '' }, pace, { faults });
		const { onRequest } = w.service.given;
		w.service.given.onRequest = (nth, request, scim) => {
			onRequest(nth, request);
			if (w.left.at(-1)[0] === when) scim.setActive(w.user('ben').value, false);
		};
		const items = ['ana', 'ben'].map((name) => ({ user: w.user(name) }));
		const fields = { ...mapped({ displayName: 'New' }), options: { ...QUICK, updateWith: 'put' } };
		const [, ben] = await play(w, ['user', 'update'], fields, items);
		// The last one is the look after the first PUT.
		expect(w.left.slice(-3).map(([line]) => line)).toEqual(['GET ben', 'PUT ben', 'GET ana']);
		expect(ben).toMatchObject({ active: false, displayName: 'New', status: 'done' });
		expect(w.shape().ben).toBe('inactive');
		expect(w.attributes().ben).toMatchObject({ displayName: 'New' });
	},
);

test('whose account is removed is looked at once its place has come, and only then', async () => {
	const names = ['ana', 'ben', 'cleo', 'dan', 'eve', 'fay'];
	const people = Object.fromEntries([...names, 'ida'].map((name) => [name, '']));
	const w = paced(people, { writesPerMinute: 10 });
	await play(
		w,
		['user', 'delete'],
		{ safetyLimits: { allowPermanentRemoval: true, maxPeopleAffected: 10 } },
		names.map((name) => ({ user: w.user(name) })),
	);
	expect(w.shape()).toEqual({ ida: '' });
	const lines = w.left.map((one) => one.join(' '));
	const deleted = lines.flatMap((line, at) => (line.startsWith('DELETE') ? at : []));
	expect(deleted.slice(1).map((at) => lines[at - 1])).toEqual(
		deleted.slice(1).map((at) => lines[at].replace('DELETE', 'GET')),
	);
	expect(deleted.at(-1) - deleted[0]).toBe(2 * (names.length - 1));
});

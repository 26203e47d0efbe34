'use strict';

// What happens to monitors when others write at the same time, and when answers get lost: what is said of it, and what
// is sent. Random runs of the same are in test/property/monitorWriters.

const { waited, waiting } = require('../support/noWaiting');
const {
	Alerting,
	errorsIn,
	global,
	idOf,
	locator,
	play,
	run,
	table,
	writesOf,
} = require('../support/alertBehavior');
const { later } = require('../support/secondWriter');

const PLAIN = { drift: 'email', volume: '', schema: '' };
const on =
	(more, models = { m: PLAIN }) =>
	() =>
		new Alerting(models, more);
const ALL = { model: locator('m'), monitors: 'all', action: locator('hook') };
const only = (...words) => ({ ...ALL, monitors: 'ids', monitorIds: words.map(idOf).join(', ') });
const [DRIFT, VOLUME, SCHEMA] = ['drift', 'volume', 'schema'].map(idOf);
const OURS = { 'm:drift': 'email hook' };
const ENDS = { ...OURS, 'm:volume': 'hook', 'm:schema': 'hook' };
const OTHERS =
	'Someone else wrote this configuration at the same time: check whether that change is';
const SAME = `Someone else wrote monitor ${DRIFT} at the same time: check it`;
const find = ({ monitors }, word) => monitors.find(({ id }) => id === idOf(word));
const merged = (times) => Array(times).fill('PATCH m');
/** That the service does not merge is known as soon as it has answered to the whole. */
const whole = (times, isRefused = false) =>
	Array.from({ length: times }, (_, at) =>
		at === 0 || isRefused ? ['PATCH m 404', 'PUT m'] : ['PUT m'],
	).flat();

describe('another client', () => {
	const tag = (word) => ({
		act: (w) => w.write('m', word, { tags: ['theirs'] }),
		sets: { m: (now) => void (find(now, word).tags = ['theirs']) },
	});
	const remove = (word) => ({
		act: (w) => w.write('m', word),
		sets: { m: (now) => void (now.monitors = now.monitors.filter(({ id }) => id !== idOf(word))) },
		ends: { [`m:${word}`]: undefined },
	});
	const has = (...targets) => ({
		act: (w) => w.write('m', 'drift', { actions: global(...targets) }),
	});
	const row = (it, form, when, { act, sets, ends }, times, more = {}) => {
		const line =
			when === 'between' ? 'after GET m' : `${when} ${form === 'merged' ? 'PATCH' : 'PUT'} m`;
		return {
			...{
				it: `${it} (${form}, ${when})`,
				on: on({ merges: form === 'merged' }),
				wish: only('drift'),
			},
			...{ meanwhile: [line, act], sends: form === 'merged' ? merged(times) : whole(times) },
			...{ sets, ...more, ends: { ...OURS, ...ends, ...more.ends } },
		};
	};
	table('monitor', 'attach', [
		row('writes another monitor', 'merged', 'between', tag('volume'), 1, { warns: [OTHERS] }),
		row('writes another monitor', 'merged', 'during', tag('volume'), 2),
		row('writes another monitor', 'whole', 'during', tag('volume'), 2),
		row('writes another monitor', 'whole', 'between', tag('volume'), 1, {
			...{ warns: [OTHERS], sets: {} },
		}),
		row('writes ours', 'merged', 'between', tag('drift'), 1, { warns: [OTHERS, SAME], sets: {} }),
		row('attaches another to ours', 'merged', 'during', has('email', 'pager'), 2, {
			ends: { 'm:drift': 'email pager hook' },
		}),
		row('attaches the same to ours', 'merged', 'during', has('email', 'hook'), 1),
		row('takes ours away again', 'merged', 'after', has(), 2, {
			...{ warns: [OTHERS, SAME], ends: { 'm:drift': 'hook' } },
		}),
		row('removes another monitor', 'merged', 'during', remove('volume'), 2),
		row('removes another monitor', 'merged', 'between', remove('volume'), 1, { warns: [OTHERS] }),
		row('removes ours, which is not put back', 'merged', 'during', remove('drift'), 1, {
			fails: [
				`Could not attach hook to monitor ${DRIFT} of model m: monitor ${DRIFT} is no longer there`,
			],
			ends: { 'm:drift': undefined },
		}),
	]);

	const NEW = { id: idOf('new'), actions: [] };
	const addNew = {
		act: (w) => w.edit('m', ({ monitors }) => void monitors.push({ ...monitors[1], ...NEW })),
		sets: { m: ({ monitors }) => void monitors.splice(1, 0, { ...monitors[1], id: NEW.id }) },
		ends: { 'm:new': '' },
	};
	const dropDrift = {
		...remove('drift'),
		act: (w) => w.edit('m', ({ monitors }) => void monitors.splice(0, 1)),
	};
	const emptyDrift = {
		...tag('drift'),
		act: (w) =>
			w.edit(
				'm',
				(now) => void Object.assign(find(now, 'drift'), { actions: [], tags: ['theirs'] }),
			),
	};
	table(
		...['monitor', 'attach'],
		['merged', 'whole'].flatMap((form) => {
			const all = (it, when, deed, times, more) => ({
				...row(it, form, when, deed, times, {
					...more,
					ends: { ...ENDS, ...deed.ends, ...more?.ends },
				}),
				wish: ALL,
			});
			return [
				all('adds a monitor, which is that of the next run', 'during', addNew, 2),
				all('removes a monitor, which stays away, and fails alone', 'during', dropDrift, 2, {
					fails: [`monitor ${DRIFT} is no longer there`],
				}),
				all('edits a monitor: theirs stays, with ours in it', 'during', emptyDrift, 2, {
					ends: { 'm:drift': 'hook' },
				}),
				all('edits a monitor: ours wins', 'between', emptyDrift, 1, { sets: {} }),
				all('adds a monitor, which a merge leaves alone', 'between', addNew, 1, {
					...(form === 'whole' && { sets: {}, ends: { 'm:new': undefined } }),
				}),
				// A merge adds a monitor that it does not find.
				all('removes a monitor, which comes back', 'between', dropDrift, 1, {
					sets: {},
					ends: ENDS,
				}),
			];
		}),
	);

	// The worst case: writes wait until those of all who still write are there, so one wins and all others are dropped.
	test('is 4 runs of our own on different monitors, merged: nothing is lost', async () => {
		const words = ['one', 'two', 'three', 'four'];
		const world = new Alerting({ m: Object.fromEntries(words.map((word) => [word, ''])) });
		const send = world.carryOut.bind(world);
		const exchange = world.exchange.bind(world);
		let [writing, held] = [words.length, []];
		const letGo = () => {
			if (held.length < writing) return;
			for (const go of held.splice(0)) go();
		};
		world.exchange = async (request) => {
			if (request.method === 'PATCH') {
				const { tick } = world.state.alerting;
				await new Promise((go) => {
					held.push(go);
					letGo();
				});
				world.carryOut = (given, fault) => send({ ...given, tick }, fault);
			}
			return await exchange(request);
		};
		const results = await Promise.all(
			words.map(async (word) => {
				const items = await play(world, ['monitor', 'attach'], only(word));
				writing -= 1;
				letGo();
				return items;
			}),
		);
		expect(errorsIn(results.flat())).toStrictEqual([]);
		expect(Object.values(world.shape())).toEqual(Array(4).fill('hook'));
		expect(writesOf(world)).toEqual(merged(4 + 3 + 2 + 1));
	});
});

describe('answers that are no use', () => {
	table(
		...['monitor', 'attach'],
		[
			['reset-after', 1],
			['500-after', 1],
			['truncated', 1],
			['dropped', 4, 3],
			['empty-200', 5, 4],
			['html-200', 5, 4],
			['reset-before', 3, 2, true],
			['500-html', 3, 2, true],
			['429', 3, 2, true],
		].flatMap(([kind, writes, times = 1, isRefused]) =>
			[merged, whole].map((form) => ({
				it: `${kind} of the write (${form.name}): read back first, and never doubled`,
				on: on({
					merges: form === merged,
					faults: [{ method: form === merged ? 'PATCH' : 'PUT', kind, times }],
				}),
				...{ wish: ALL, sends: form(writes, isRefused), ends: ENDS },
			})),
		),
	);

	// Writers that collide and try again at the same moment would collide forever.
	test.each([
		['dropped', 3, 1, 3 * 400],
		['429', 1, 250, 1_000],
	])('%s: waits a moment before it tries again', async (kind, times, least, most) => {
		const faults = [{ method: 'PATCH', kind, times }];
		await play(on({ faults })(), ['monitor', 'attach'], ALL);
		expect(waited()).toBeGreaterThanOrEqual(least);
		expect(waited()).toBeLessThanOrEqual(most);
		expect(waiting.pauses.length).toBeGreaterThanOrEqual(times);
	});

	const UNVERIFIED = `Could not confirm: attach hook to monitor ${DRIFT} of model m: `;
	const UNSEEN = `${UNVERIFIED}the service did not show it when it was read back`;
	const SAVING = `${UNVERIFIED}Could not save monitors of model m: `;
	const REFUSED = 'Could not save monitors of model m: the service answered 403, 403 Forbidden';
	const BUSY = `${SAVING}the service answered 429, Too Many Requests`;
	const toTheEnd = (kind, message, writes, more) => ({
		...{ it: `${kind} to the end, ${JSON.stringify(more ?? {})}`, wish: only('drift'), ...more },
		...{ on: on({ faults: [{ method: 'PATCH', kind, ...more?.fault }] }), fails: [message] },
		// Looked for after the last try, too.
		...{ sends: merged(writes), reads: 2 + (kind === 'html-403' ? 0 : writes) },
	});
	const wait = (maxWait) => ({ wish: { ...only('drift'), options: { maxWait } } });
	const asks = (seconds, maxWait, waits) => ({
		...{ ...wait(maxWait), waits, fault: { retryAfter: seconds } },
		advises: [`The service asks to wait ${seconds} second`],
	});
	table('monitor', 'attach', [
		toTheEnd('dropped', UNSEEN, 5),
		toTheEnd('html-200', UNSEEN, 5),
		toTheEnd('429', BUSY, 5),
		toTheEnd('429', BUSY, 1, { ...wait(0), waits: 0 }),
		toTheEnd('429', BUSY, 1, asks(30, 20, 0)),
		toTheEnd('429', BUSY, 4, asks(1, 3, 3_000)),
		toTheEnd('reset-before', `${SAVING}the connection broke off`, 5),
		toTheEnd('500-html', `${SAVING}the service answered 500, 500 Internal Server Error`, 5),
		toTheEnd('html-403', REFUSED, 1, { advises: ['access-token settings'] }),
		{ ...toTheEnd('500-after', '', 1), fails: [], ends: OURS },
		{
			it: 'the read-back fails: unverified, though it is there',
			on: on({ faults: [{ method: 'GET', path: /config/, from: 2, kind: '500-html' }] }),
			...{ wish: only('drift'), fails: [/^Could not confirm: attach.*500 Internal Server Error/] },
			...{ sends: merged(1), ends: OURS },
		},
		{
			...{ it: 'a read is late: outlasted', on: on({ lagReads: 1 }), wish: only('drift') },
			...{ sends: merged(2), ends: OURS, once: true },
		},
		{
			...{ it: 'reads stay late: unverified', on: on({ lagReads: 99 }), wish: only('drift') },
			...{ sends: merged(5), ends: OURS, fails: [UNSEEN] },
		},
	]);

	test.each([
		['dropped', 'Could not confirm: attach hook to monitor', 5],
		['html-403', 'Could not save monitors', 1],
	])('of one model (%s): the other is done, and a second run does the rest', async (...given) => {
		const [kind, failed, writes] = given;
		const world = new Alerting(
			{ m: PLAIN, n: { churn: '' } },
			{ faults: [{ method: 'PATCH', path: /models\/m\//, kind }] },
		);
		const wish = { ...only('drift', 'volume', 'churn'), models: 'ids', modelIds: 'n, m' };
		const more = { continueOnFail: false };
		const stop = run(world, ['monitor', 'attach'], wish, [{}], more);
		const { message, description } = await stop.catch((error) => error);
		expect(message).toContain(`2 of 3 changes failed: ${failed}`);
		expect(description).toContain('\nDone: attach hook to monitor churn-monitor of model n');
		if (kind === 'dropped') expect(description).toContain('completed changes are not repeated');
		expect(writesOf(world)).toEqual(['PATCH n', ...merged(writes)]);
		world.faults.clear();
		const items = await play(world, ['monitor', 'attach'], wish);
		expect(items.map((item) => world.itemOf(item))).toEqual([
			...['n:churn unchanged', 'm:drift done', 'm:volume done'],
		]);
	});

	test('cancelled after a write that was dropped: no more is sent', async () => {
		const cancellation = new AbortController();
		const world = new Alerting(
			{ m: PLAIN, n: { churn: '' } },
			{ faults: [{ method: 'PATCH', kind: 'dropped' }] },
		);
		world.onAnswer = ({ method }) => method === 'PATCH' && cancellation.abort();
		const { signal } = cancellation;
		await play(world, ['monitor', 'attach'], { ...ALL, models: 'all' }, [{}], { signal });
		expect(writesOf(world)).toEqual(['PATCH m']);
	});
});

describe('a service that takes a merge for the whole', () => {
	const LOST =
		'The service has dropped 2 monitors and analyzers that were not part of the change: ';
	const left = ({ monitors }, words) => monitors.filter(({ id }) => words.map(idOf).includes(id));
	const lost = {
		...{ wish: only('drift', 'volume'), sends: merged(1) },
		ends: { ...OURS, 'm:volume': 'hook', 'm:schema': undefined },
		fails: Array(2).fill(`${LOST}${SCHEMA}, drift-analyzer`),
		sets: {
			m: (now) => Object.assign(now, { analyzers: [], monitors: left(now, ['drift', 'volume']) }),
		},
	};
	const bare = JSON.stringify({
		allowPartialTargetBatches: true,
		analyzers: [{ id: 'drift-analyzer' }],
		monitors: [DRIFT, VOLUME, SCHEMA].map((id) => ({
			...{ id, actions: id === DRIFT ? global('email') : [] },
		})),
	});
	const replacing = (more, models) => on({ patchReplaces: true, ...more }, models);
	table('monitor', 'attach', [
		{ ...lost, it: 'is found out after a 200', on: replacing() },
		{
			...{ ...lost, it: 'is found out after a lost answer' },
			on: replacing({ faults: [{ method: 'PATCH', nth: 1, kind: 'reset-after' }] }),
		},
		{
			...{ ...lost, it: 'is found out without versions' },
			on: replacing({ keepsText: true }, { m: bare }),
		},
		{
			...{ it: 'does it to one model only', on: replacing({}, { m: PLAIN, n: PLAIN }) },
			wish: { ...only('drift'), models: 'ids', modelIds: 'm, n' },
			sends: ['PATCH m', 'PUT n'],
			ends: { ...OURS, 'm:volume': undefined, 'm:schema': undefined, 'n:drift': 'email hook' },
			fails: ['The service has dropped 3 monitors and analyzers'],
			sets: { m: (now) => Object.assign(now, { analyzers: [], monitors: left(now, ['drift']) }) },
		},
	]);
});

describe('a configuration that was read a while ago', () => {
	afterEach(() => jest.restoreAllMocks());
	/** Another client acts when the second model is read, and a second and more goes by. */
	const late = (act) => [
		'after GET n',
		async (w) => {
			// Until the first one is read, however busy the machine is.
			for (let turn = 0; turn < 100; turn += 1) await new Promise((passed) => setImmediate(passed));
			later(1_500);
			act(w);
		},
	];
	const READ = ['GET actions', 'GET m', 'GET n', 'GET m'];
	const WRITTEN = [...READ, 'GET m', 'GET n'];
	const row = (it, act, more) => ({
		...{ it, on: on({}, { m: PLAIN, n: { churn: '' } }), meanwhile: late(act) },
		...{ wish: { ...ALL, models: 'ids', modelIds: 'm, n' }, sends: ['PATCH m', 'PATCH n'] },
		...{ reads: WRITTEN, ...more, ends: { ...ENDS, 'n:churn': 'hook', ...more.ends } },
	});
	const UNTOUCHED = { 'm:drift': 'email', 'm:volume': '', 'm:schema': '' };
	const unsent = (more) => ({ sends: ['PATCH n'], reads: [...READ, 'GET n'], ...more });
	table('monitor', 'attach', [
		row('is read again before it is written', (w) => w.write('m', 'volume', { tags: ['theirs'] }), {
			sets: { m: (now) => void (find(now, 'volume').tags = ['theirs']) },
		}),
		row(
			'and is as wanted by now is not written',
			(w) =>
				w.edit('m', ({ monitors }) => {
					for (const one of monitors) one.actions = global('hook');
				}),
			unsent({ ends: { 'm:drift': 'hook' } }),
		),
		row(
			'and cannot be read again is not written',
			({ faults }) => faults.add({ method: 'GET', path: /models\/m\//, kind: 'html-403' }),
			unsent({
				ends: UNTOUCHED,
				fails: Array(3).fill('Could not read the monitor configuration of model m'),
			}),
		),
		row(
			'and has a number by now that would become another is not written',
			(w) => {
				const text = w.text('m').replace('"monitors":[{', '"monitors":[{"x":9007199254740993,');
				w.edit('m', () => text);
			},
			unsent({
				...{ ends: UNTOUCHED, fails: Array(3).fill('9007199254740993 at monitors[0].x would be') },
				sets: { m: ({ monitors }) => void (monitors[0].x = 2 ** 53) },
			}),
		),
		row(
			'and is answered with that of another model is not written',
			({ faults }) =>
				faults.add({
					...{ method: 'GET', path: /models\/m\//, kind: 'status', status: 200 },
					body: '{"datasetId":"n","monitors":[],"analyzers":[]}',
				}),
			unsent({ ends: UNTOUCHED, fails: Array(3).fill('its datasetId is n, not m') }),
		),
		row('and has lost a monitor: that one fails alone', (w) => w.write('m', 'drift'), {
			...{ ends: { 'm:drift': undefined }, fails: [`monitor ${DRIFT} is no longer there`] },
			sets: { m: ({ monitors }) => void monitors.shift() },
		}),
		row(
			'and has strange actions by now: that monitor fails alone',
			(w) => {
				w.switches.keepsText = true;
				w.edit('m', (now) => void (find(now, 'drift').actions = {}));
			},
			{
				ends: { 'm:drift': 'strange' },
				fails: [`The actions of monitor ${DRIFT} are not a list`],
			},
		),
	]);

	table('monitorConfiguration', 'update', [
		{
			it: 'is not put in the place of what another client has written by now',
			on: on({}, { m: PLAIN, n: { churn: '' } }),
			wish: (w) => ({
				items: ['m', 'n'].map((model) => {
					const configuration = w.document(model);
					configuration.monitors[0].disabled = true;
					return { model: locator(model), configuration };
				}),
			}),
			meanwhile: late((w) => w.write('m', 'volume', { tags: ['theirs'] })),
			...{ sends: ['PUT n'], reads: ['GET m', 'GET n', 'GET m', 'GET n'] },
			fails: ['Someone else has changed the configuration of model m meanwhile'],
			sets: {
				m: (now) => void (find(now, 'volume').tags = ['theirs']),
				n: (now) => void (find(now, 'churn').disabled = true),
			},
		},
	]);
});

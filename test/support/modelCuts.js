'use strict';

// Runs that are cut off at each of their requests, and what has to come of them when the same is run again.

const { deadFrom, shapeOf } = require('./memoryService');
const { runOnModel } = require('./modelNode');
const { checkItems, checkMoments, errorsOf, writesOf } = require('./modelChecks');

/** How a run is cut at a request: what becomes of the request itself, and of those after it. */
const CUTS = {
	'the connection dies, the request was carried out': (nth) => deadFrom(nth, true),
	'the connection dies, the request was lost': (nth) => deadFrom(nth, false),
	'cancelled, the request was answered': () => [],
	'cancelled, the answer was lost': (nth) => [{ nth, kind: 'reset-after' }],
	'cancelled, the request was lost': (nth) => [{ nth, kind: 'reset-before' }],
};

/** `npm run fuzz` plays every way in which changes are answered, `npm test` the first. */
const PLAYS_ALL_WAYS = process.env.FUZZ === 'long';

/**
 * Cuts a run at each request, looks at every moment of it and of the same run again, which has to complete it and
 * leaves nothing to write.
 * @param {keyof typeof CUTS} cut
 * @param {(answers: string) => Promise<{ methods: string[], run: object, task: object, serviceWith(switches: object): object, refused?: unknown[] }>} prepare
 *   what is run, on a service made by `serviceWith`, and the methods of the requests that it sends when nothing goes wrong; `task` says
 *   what has to come out, `refused` which errors there are in any case
 * @param ways how changes are answered
 */
async function cutAtEach(cut, prepare, ways = ['body', '204', 'stale']) {
	// Where the answer is lost anyway, one way says all.
	const isOne = cut.startsWith('cancelled') || !PLAYS_ALL_WAYS;
	for (const answers of isOne ? ways.slice(0, 1) : ways) {
		const what = { ...(await prepare(answers)), settled: new Set() };
		for (let nth = 1; nth <= what.methods.length; nth++) {
			// Whether a read or its answer was lost is one to everybody.
			if (cut.endsWith('the request was lost') && what.methods[nth - 1] === 'GET') continue;
			try {
				await cutAndRunAgain(what, answers, cut, nth);
			} catch (error) {
				error.message = `cut at request ${nth} of ${what.methods.length}, answers ${answers}: ${error.message}`;
				throw error;
			}
		}
	}
}

async function cutAndRunAgain(what, answers, cut, nth) {
	const { run, task, serviceWith, settled, refused = [] } = what;
	const controller = new AbortController();
	const isCancelled = cut.startsWith('cancelled');
	const service = serviceWith({
		patchAnswers: answers,
		faults: CUTS[cut](nth),
		onRequest: (at) => isCancelled && at === nth && controller.abort(),
	});
	const first = await runOnModel(service, { ...run, signal: controller.signal });
	expect(first.thrown).toBeUndefined();
	checkMoments(service, task, { settings: {} });
	checkItems(first, service, run);
	// Who says that all went well has to have done all.
	const isFine = errorsOf(first).join() === refused.join();
	if (isFine) expect(shapeOf(service.now())).toEqual(task.end);

	const next = service.again();
	const second = await runOnModel(next, run);
	expect(errorsOf(second)).toEqual(refused);
	checkMoments(next, task, { settings: {} });
	checkItems(second, next, run);
	expect(shapeOf(next.now())).toEqual(task.end);

	// From one state, the same run does the same.
	const state = JSON.stringify([...next.users, ...next.groups]);
	if (settled.has(state)) return;
	const last = next.again();
	expect(errorsOf(await runOnModel(last, run))).toEqual(refused);
	expect(writesOf(last)).toStrictEqual([]);
	settled.add(state);
}

module.exports = { CUTS, cutAtEach };

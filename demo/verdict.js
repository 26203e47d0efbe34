'use strict';

/** Plays a demo once, shows what happened and judges it by what the service holds afterwards. */

const { say } = require('./progress');
const { requestLines } = require('./requests');
const { changedPeople, differences, readSnapshot } = require('./snapshot');
const { accessTable, WIDTH } = require('./table');

/**
 * In: a demo (see joiner.js) and the service. Out: whether everything is exactly as wanted.
 * Throws: when the demo could not be played.
 */
async function playAndJudge(demo, service) {
	await demo.prepare();

	heading(`Asked: ${demo.title}`);
	lines(demo.asked());

	const before = await readSnapshot(service);
	const wanted = demo.wanted(before);
	service.log.clear();
	const answer = await demo.play();
	const requests = [...service.log.requests];
	const after = await readSnapshot(service);

	for (const [title, list] of demo.meanwhile?.(answer) ?? []) {
		heading(title);
		lines(list);
	}
	heading('Requests that reached the service');
	lines(requestLines(requests, namesIn(after, service), demo.events?.(answer)));

	const userNames = [...new Set([...demo.concerned(before), ...changedPeople(before, after)])];
	heading('Access before');
	lines(accessTable({ shown: before, userNames }));
	heading('Access after (* changed)');
	lines(accessTable({ shown: after, userNames, compared: before }));

	heading('The answer of the workflow');
	lines(demo.answered(answer));

	const again = await playAgain(demo, service, after);
	const afterwards = await demo.afterwards?.(after);
	if (afterwards) {
		heading(afterwards.title);
		lines(afterwards.lines);
		again.push(...differences(after, await readSnapshot(service)));
	}
	return judge([
		['The service holds exactly what was asked for', differences(wanted, after)],
		...demo.checks(answer, before),
		['The same list once more changes nothing and sends no write', again],
		...(afterwards?.checks ?? []),
	]);
}

/** People read e-mails, requests carry ids. */
function namesIn({ people }, { state }) {
	const names = new Map([...people.keys()].map((name) => [state.userByName(name)?.id, name]));
	return (id) => names.get(id) ?? id;
}

/** Senders repeat themselves: the second time there must be nothing left to do. */
async function playAgain(demo, service, after) {
	service.log.clear();
	await demo.play();
	const writes = service.log.requests.filter(({ method }) => method !== 'GET');
	return [
		...differences(after, await readSnapshot(service)),
		...writes.map(({ method, path }) => `It sent ${method} ${path}.`),
	];
}

function judge(checks) {
	heading('Verdict');
	for (const [promise, complaints] of checks) {
		say(`  ${complaints.length === 0 ? 'ok    ' : 'WRONG '} ${promise}`);
		for (const complaint of complaints) say(`           ${complaint}`);
	}
	return checks.every(([, complaints]) => complaints.length === 0);
}

function heading(text) {
	say(`\n${text}\n${'='.repeat(Math.min(text.length, WIDTH))}`);
}

function lines(list) {
	for (const line of list) say(line);
}

module.exports = { playAndJudge };

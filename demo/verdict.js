'use strict';

/** Plays a demo once, shows what happened and judges it by what the service holds afterwards. */

const { say } = require('./progress');
const { requestLines } = require('./requests');
const { changedPeople, differences, readSnapshot } = require('./snapshot');
const { accessTable, WIDTH } = require('./table');

/**
 * In: a demo (see joiner.js) and the service. Out: whether everything is exactly as wanted.
 * A demo that is not about access has a `view` of its own (see alerts.js).
 * Throws: when the demo could not be played.
 */
async function playAndJudge(demo, service) {
	const view = demo.view ?? accessView(demo, service);
	await demo.prepare();

	heading(`Asked: ${demo.title}`);
	lines(demo.asked());

	const before = await view.read();
	const wanted = demo.wanted(before);
	service.log.clear();
	const answer = await demo.play();
	const requests = [...service.log.requests];
	const after = await view.read();

	for (const [title, list] of demo.meanwhile?.(answer) ?? []) {
		heading(title);
		lines(list);
	}
	heading('Requests that reached the service');
	lines(requestLines(requests, view.nameOf?.(after), demo.events?.(answer)));

	for (const [title, table] of view.tables(before, after)) {
		heading(title);
		lines(table);
	}

	heading('The answer of the workflow');
	lines(demo.answered(answer));

	const again = await playAgain(demo, view, service, after);
	const afterwards = await demo.afterwards?.(after);
	if (afterwards) {
		heading(afterwards.title);
		lines(afterwards.lines);
		again.push(...view.differences(after, await view.read()));
	}
	return judge([
		['The service holds exactly what was asked for', view.differences(wanted, after)],
		...demo.checks(answer, before, after),
		['The same once more changes nothing and sends no write', again],
		...(afterwards?.checks ?? []),
	]);
}

/** Who has what where: what is read, compared and shown for every demo about access. */
function accessView(demo, service) {
	return {
		read: () => readSnapshot(service),
		differences,
		tables(before, after) {
			const userNames = [...new Set([...demo.concerned(before), ...changedPeople(before, after)])];
			return [
				['Access before', accessTable({ shown: before, userNames })],
				['Access after (* changed)', accessTable({ shown: after, userNames, compared: before })],
			];
		},
		nameOf: (after) => namesIn(after, service),
	};
}

/** People read emails, requests carry ids. */
function namesIn({ people }, { state }) {
	const names = new Map([...people.keys()].map((name) => [state.userByName(name)?.id, name]));
	return (id) => names.get(id) ?? id;
}

/** Senders repeat themselves: the second time there must be nothing left to do. */
async function playAgain(demo, view, service, after) {
	service.log.clear();
	await demo.play();
	const writes = service.log.requests.filter(({ method }) => method !== 'GET');
	return [
		...view.differences(after, await view.read()),
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

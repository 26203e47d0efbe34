'use strict';

/** Plays a demo once, shows what happened and judges it by what the service holds afterwards. */

const { formLines } = require('./plays/approval');
const { say } = require('./progress');
const { requestLines } = require('./requests');
const { changedPeople, differences, readSnapshot } = require('./snapshot');
const { accessTable, shortened } = require('./table');

const SHOWN = 10;

/**
 * In: a play (see plays/joiner.js) and the service. Out: what was checked, as `[promise, complaints]`.
 * A play that is not about access has a `view` of its own (see plays/alerts.js).
 * Throws: when it could not be played.
 */
async function playAndJudge(play, service) {
	const view = play.view ?? accessView(play, service);
	await play.prepare();

	part(`Asked: ${play.title}`, play.asked());

	const before = await view.read();
	const wanted = play.wanted(before);
	service.log.clear();
	const plan = await play.plan?.();
	const sentByPlan = [...service.log.requests];
	if (plan) part('Planned, with Preview', formLines(plan), SHOWN);

	service.log.clear();
	const answer = await play.play();
	const requests = [...service.log.requests];
	const after = await view.read();

	if (answer.form) part('Planned, and approved in this form', formLines(answer.form), SHOWN);
	part('Sent', requestLines(requests, view.nameOf?.(after)));
	part(...view.table(before, after));
	if (play.answered) part('The answer of the workflow', play.answered(answer));

	const again = await playAgain(play, view, service, after);
	const sendsNothing = play.sendsAgain ? '' : ' and sends no write';
	const afterwards = await play.afterwards?.(after);
	if (afterwards) {
		part(afterwards.title, afterwards.lines);
		again.push(...view.differences(after, await view.read()));
	}
	return judge([
		...(plan ? [['The preview sent no write', writesIn(sentByPlan)]] : []),
		['The service holds exactly what was asked for', view.differences(wanted, after)],
		...play.checks(answer, before, after),
		[`The same once more changes nothing${sendsNothing}`, again],
		...(afterwards?.checks ?? []),
	]);
}

/** Who has what where: what is read, compared and shown for every play about access. */
function accessView(play, service) {
	return {
		read: () => readSnapshot(service),
		differences,
		table(before, after) {
			const userNames = [...new Set([...play.concerned(before), ...changedPeople(before, after)])];
			return ['Who has what, before → after', accessTable({ before, after, userNames })];
		},
		nameOf: (after) => namesIn(after, service),
	};
}

/** People read emails, requests carry ids. */
function namesIn({ people }, { state }) {
	const names = new Map([...people.keys()].map((name) => [state.userByName(name)?.id, name]));
	return (id) => names.get(id) ?? id;
}

/** Senders repeat themselves: the second time there must be nothing left to do, but for what is undone in the same run. */
async function playAgain(play, view, service, after) {
	service.log.clear();
	await play.play();
	const sent = play.sendsAgain ? [] : writesIn(service.log.requests);
	return [...view.differences(after, await view.read()), ...sent];
}

const writesIn = (requests) =>
	requests
		.filter(({ method }) => method !== 'GET')
		.map(({ method, path }) => `It sent ${method} ${path}.`);

function judge(checks) {
	part("Judged by the service's own state", []);
	for (const [promise, complaints] of checks) {
		say(`  ${complaints.length === 0 ? 'ok    ' : 'WRONG '} ${promise}`);
		for (const complaint of complaints) say(`           ${complaint}`);
	}
	return checks;
}

function part(title, lines, shown = Infinity) {
	say(`\n${title}`);
	for (const line of shortened(lines, shown)) say(line);
}

module.exports = { playAndJudge };

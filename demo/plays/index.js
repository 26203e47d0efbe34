'use strict';

/** The plays, one for each workflow of examples/, and how they are played in a row. */

const { parseArgs } = require('node:util');
const { say } = require('../progress');
const { grid, WIDTH } = require('../table');
const { playAndJudge } = require('../verdict');
const { alerts } = require('./alerts');
const { alertStart } = require('./alertStart');
const { bamboohr } = require('./bamboohr');
const { events } = require('./events');
const { groups } = require('./groups');
const { joiner } = require('./joiner');
const { leaver } = require('./leaver');
const { mover } = require('./mover');
const { people } = require('./people');
const { reconcile } = require('./reconcile');
const { request } = require('./request');
const { retention } = require('./retention');
const { review } = require('./review');
const { rules } = require('./rules');
const { sheetsSlack } = require('./sheetsSlack');
const { trial } = require('./trial');
const { watch } = require('./watch');

const PLAYS = {
	joiner: { play: joiner, example: 'joiner.json' },
	mover: { play: mover, example: 'mover.json' },
	leaver: { play: leaver, example: 'leaver.json' },
	reconcile: { play: reconcile, example: 'nightly-reconcile.json' },
	bamboohr: { play: bamboohr, example: 'leaver-bamboohr.json' },
	sheets: { play: sheetsSlack, example: 'nightly-reconcile-sheets-slack.json' },
	people: { play: people, example: 'people-sync.json' },
	groups: { play: groups, example: 'generic-groups.json' },
	events: { play: events, example: 'hr-events.json' },
	rules: { play: rules, example: 'rules.json' },
	retention: { play: retention, example: 'retention.json' },
	trial: { play: trial, example: 'try-a-service.json' },
	request: { play: request, example: 'access-request.json' },
	review: { play: review, example: 'access-review.json' },
	watch: { play: watch, example: 'access-watch.json' },
	alerts: { play: alerts, example: 'alert-wiring.json' },
	'alert-start': { play: alertStart, example: 'alert-to-n8n.json' },
};

/**
 * Plays what the command line names.
 *
 * In: `{ command, known, usual, setStage }`: what was typed, the names that can be played and those that are without
 * any, a function that gives the stage.
 * Out: the exit code; 0 only when the service holds exactly what was asked for, every time.
 */
async function playNamed({ command, known = Object.keys(PLAYS), usual = known, setStage }) {
	const { values, positionals } = parseArgs({
		options: { help: { type: 'boolean' } },
		allowPositionals: true,
	});
	const names = positionals.length > 0 ? positionals : usual;
	if (values.help || !names.every((name) => known.includes(name))) {
		say(`${command} -- [names]\n\n  names: ${known.join(', ')}\n  without: ${usual.join(', ')}`);
		return values.help ? 0 : 2;
	}

	const stage = await setStage();
	const played = [];
	for (const [index, name] of names.entries()) {
		banner(`${index + 1} of ${names.length}: ${name} (examples/${PLAYS[name].example})`);
		played.push([name, await playOn(stage, name)]);
	}
	const wrong = played.filter(([, checks]) => countWrong(checks) > 0).map(([name]) => name);
	banner(wrong.length > 0 ? `WRONG: ${wrong.join(', ')}` : 'All right');
	for (const line of grid(['Played', 'Workflow', 'Held', 'Wrong'], played.map(rowOf))) say(line);
	return wrong.length > 0 ? 1 : 0;
}

const countWrong = (checks) => checks.filter(([, complaints]) => complaints.length > 0).length;

function rowOf([name, checks]) {
	const wrong = countWrong(checks);
	return [name, `examples/${PLAYS[name].example}`, String(checks.length - wrong), String(wrong)];
}

/** Out: what was checked, as `[promise, complaints]`. */
async function playOn(stage, name) {
	const log = () => (stage.n8n ? `\nThe end of n8n's log:\n${stage.n8n.logTail()}` : '');
	const play = PLAYS[name].play(stage);
	const service = play.service ?? stage.service;
	// Each play starts from the same account.
	const restore = service.state.remember();
	try {
		const checks = await playAndJudge(play, service);
		if (countWrong(checks) > 0) say(log());
		return checks;
	} catch (problem) {
		problem.message += log();
		throw problem;
	} finally {
		restore();
	}
}

function banner(text) {
	say(`\n${`=== ${text} `.padEnd(WIDTH, '=')}`);
}

module.exports = { playNamed };

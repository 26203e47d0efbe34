#!/usr/bin/env node
'use strict';

/** `npm run demo`: a real n8n with this package provisions people and wires alerts at a local service. */

const { resolve } = require('node:path');
const { parseArgs } = require('node:util');
const { alerts } = require('./alerts');
const { alertStart } = require('./alertStart');
const { runMain } = require('./cleanup');
const { groups } = require('./groups');
const { joiner } = require('./joiner');
const { leaver } = require('./leaver');
const { mover } = require('./mover');
const { people } = require('./people');
const { say } = require('./progress');
const { reconcile } = require('./reconcile');
const { review } = require('./review');
const { setStage } = require('./stage');
const { WIDTH } = require('./table');
const { playAndJudge } = require('./verdict');
const { watch } = require('./watch');

const DEMOS = {
	...{ joiner, mover, leaver, reconcile, people },
	...{ groups, review, watch, alerts, 'alert-start': alertStart },
};

const USAGE = `npm run demo -- [names] [switches]

  names            of ${Object.keys(DEMOS).join(', ')}; all of them in a row when left out
  --ui             keeps n8n and the service running and tells how to log in, until Ctrl-C
  --tarball FILE   this package, packed already: saves building it
`;

const SWITCHES = {
	ui: { type: 'boolean' },
	tarball: { type: 'string' },
	help: { type: 'boolean' },
};

/** Out: the exit code; 0 only when the service holds exactly what was asked for, every time. */
async function main() {
	const { values, positionals } = parseArgs({ options: SWITCHES, allowPositionals: true });
	const names = positionals.length > 0 ? positionals : Object.keys(DEMOS);
	if (values.help || !names.every((name) => Object.hasOwn(DEMOS, name))) {
		say(USAGE);
		return values.help ? 0 : 2;
	}

	const tarball = values.tarball && resolve(values.tarball);
	const stage = await setStage({ tarball });
	const wrong = [];
	for (const [index, name] of names.entries()) {
		banner(`${index + 1} of ${names.length}: ${name}`);
		if (!(await playWithLog(DEMOS[name](stage), stage))) wrong.push(name);
	}
	banner(wrong.length > 0 ? `WRONG: ${wrong.join(', ')}` : `All right: ${names.join(', ')}`);
	if (values.ui) await keepOpen(stage);
	return wrong.length > 0 ? 1 : 0;
}

function banner(text) {
	const line = '#'.repeat(WIDTH);
	say(`\n${line}\n# ${text}\n${line}`);
}

async function playWithLog(demo, { service, n8n }) {
	const log = () => `\nThe end of n8n's log:\n${n8n.logTail()}`;
	try {
		const right = await playAndJudge(demo, demo.service ?? service);
		if (!right) say(log());
		return right;
	} catch (problem) {
		problem.message += log();
		throw problem;
	}
}

async function keepOpen({ service, n8n }) {
	say('\nOpen in a browser, until Ctrl-C:');
	say(`  n8n       ${n8n.url}`);
	say(`  email     ${n8n.owner.email}`);
	say(`  password  ${n8n.owner.password}`);
	say(`  service   ${service.url}/__table and /__log`);
	await new Promise(() => {});
}

void runMain(main);

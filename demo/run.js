#!/usr/bin/env node
'use strict';

/** `npm run demo`: a real n8n with this package provisions people at a local service. */

const { resolve } = require('node:path');
const { parseArgs } = require('node:util');
const { runMain } = require('./cleanup');
const { joiner } = require('./joiner');
const { say } = require('./progress');
const { setStage } = require('./stage');
const { playAndJudge } = require('./verdict');

const DEMOS = { joiner };

const USAGE = `npm run demo -- [name] [switches]

  name             ${Object.keys(DEMOS).join(', ')} (joiner when left out)
  --ui             keeps n8n and the service running and tells how to log in, until Ctrl-C
  --tarball FILE   this package, packed already: saves building it
`;

const SWITCHES = {
	ui: { type: 'boolean' },
	tarball: { type: 'string' },
	help: { type: 'boolean' },
};

/** Out: the exit code; 0 only when the service holds exactly what was asked for. */
async function main() {
	const { values, positionals } = parseArgs({ options: SWITCHES, allowPositionals: true });
	const name = positionals[0] ?? 'joiner';
	if (values.help || !DEMOS[name]) {
		say(USAGE);
		return values.help ? 0 : 2;
	}

	const tarball = values.tarball && resolve(values.tarball);
	const stage = await setStage({ tarball });
	const right = await playWithLog(DEMOS[name](stage), stage);
	if (values.ui) await keepOpen(stage);
	return right ? 0 : 1;
}

async function playWithLog(demo, { service, n8n }) {
	const log = () => `\nThe end of n8n's log:\n${n8n.logTail()}`;
	try {
		const right = await playAndJudge(demo, service);
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
	say(`  e-mail    ${n8n.owner.email}`);
	say(`  password  ${n8n.owner.password}`);
	say(`  service   ${service.url}/__table and /__log`);
	await new Promise(() => {});
}

void runMain(main);

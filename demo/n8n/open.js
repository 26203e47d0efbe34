#!/usr/bin/env node
'use strict';

/** `npm run n8n`: a whole n8n with this package, local services, credentials and the examples, to try them in. */

const { readdirSync } = require('node:fs');
const { onCleanup, runMain } = require('../cleanup');
const { headersOf } = require('../credentials');
const { fillIn } = require('../plays/approval');
const { EXAMPLES, readExample } = require('../plays/hr');
const { say } = require('../progress');
const { n8nStage } = require('./stage');

/** What stands in the node that a user replaces or fills in, so that *Execute workflow* has something to do. */
const FILLED_IN = {
	'leaver.json': () => ({ people: readExample('leavers.json') }),
	'nightly-reconcile.json': () => ({ rows: readExample('wanted-access.json') }),
	'alert-wiring.json': () => ({ body: readExample('new-project.json') }),
};

/** What HR may send: examples/ by its workflow. */
const SENT = { 'joiner.json': 'new-hires.json', 'mover.json': 'movers.json' };

void runMain(async () => {
	const stage = await n8nStage();
	const { n8n, service, hr } = stage;
	const [[header, secret]] = Object.entries(headersOf(hr));
	const commands = [];
	for (const file of readdirSync(EXAMPLES)) {
		const workflow = readExample(file);
		if (!workflow.nodes) continue;
		if (FILLED_IN[file]) fillIn(workflow, FILLED_IN[file]());
		await stage.add(workflow);
		if (!SENT[file]) continue;
		await n8n.activate(workflow.id);
		const { path } = workflow.nodes.find(({ type }) => type.endsWith('.webhook')).parameters;
		commands.push(
			`curl -H 'Content-Type: application/json' -H '${header}: ${secret}' \\`,
			`    --data @examples/${SENT[file]} ${n8n.url}/webhook/${path}`,
		);
	}
	say(`
Open in a browser, until Ctrl-C:
  n8n       ${n8n.url}
  email     ${n8n.owner.email}
  password  ${n8n.owner.password}
  service   ${service.url}/__table (who has what), ${service.url}/__log (requests)

The examples are under Workflows, with their credentials. What HR would send:
  ${commands.join('\n  ')}`);
	// A process without anything to do would end.
	const alive = setInterval(() => {}, 60_000);
	onCleanup(() => clearInterval(alive));
	await new Promise(() => {});
});

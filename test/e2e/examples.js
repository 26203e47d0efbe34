'use strict';

/**
 * `npm run test:examples`: the first *Execute workflow* of every example in a real n8n, as it comes from the file, with
 * the credentials of the local service. Each ends well, or waits for an answer.
 */

const { readdirSync } = require('node:fs');
const { runMain } = require('../../demo/cleanup');
const { n8nStage } = require('../../demo/n8n/stage');
const { EXAMPLES, readExample } = require('../../demo/plays/hr');
const { fillTables } = require('../../demo/plays/tables');
const { say } = require('../../demo/progress');
const { judge } = require('./support/judge');

/** A chat starts with a message. */
const CHAT = {
	'When Chat Message Received': [
		{
			json: {
				...{ sessionId: 'first', action: 'sendMessage' },
				chatInput: 'Which groups is ana.example@example.com in?',
			},
		},
	],
};
/** Others change so many people that its plan is beyond a limit, which a button cannot approve. */
const FIRST = ['nightly-reconcile-sheets-slack.json'];
/** The node that has run last, or waits. */
const ENDS = {
	'access-agent.json': 'Access Agent',
	'access-request.json': 'Take Back What Ended',
	'access-review.json': 'Start a Review',
	'access-watch.json': 'Tell Security (Replace Me)',
	'alert-to-n8n.json': 'Preview Action',
	'alert-wiring.json': 'Something Failed?',
	'generic-groups.json': 'Assign',
	'hr-events.json': 'Reconcile',
	'joiner.json': 'Answer to HR',
	'leaver-bamboohr.json': 'Ask for Approval',
	'leaver.json': 'Wait for Approval',
	'mover.json': 'Answer to HR',
	'nightly-reconcile-sheets-slack.json': 'Ask in Slack',
	'nightly-reconcile.json': 'Wait for Approval',
	'people-sync.json': 'Wait for Approval',
	'retention.json': 'Wait for Approval',
	'rules.json': 'Reconcile',
	'try-a-service.json': 'Report',
};

async function main() {
	const { check, verdict } = judge();
	const stage = await n8nStage();
	await fillTables(stage);
	const files = readdirSync(EXAMPLES).filter((name) => name.endsWith('.json'));
	for (const file of new Set([...FIRST, ...files])) {
		const example = readExample(file);
		if (file === 'access-agent.json') example.pinData = CHAT;
		await stage.add(example);
		const { id, status } = await stage.run(example);
		const { data } = await stage.n8n.rest.execution(id);
		const { lastNodeExecuted, error } = data.resultData;
		const isWell = status === 'success' || status === 'waiting';
		check(`${file}: ${status} at ${lastNodeExecuted}`, [
			...(isWell ? [] : [`${error?.message} ${error?.description ?? ''}`]),
			...(lastNodeExecuted === ENDS[file] ? [] : [`It had to come to ${ENDS[file]}`]),
		]);
	}
	return verdict();
}

void runMain(main);
say('The first run of every example');

#!/usr/bin/env node
'use strict';

/** `npm run n8n`: a whole n8n with this package, local services, credentials and the examples, to try them in. */

const { readdirSync } = require('node:fs');
const { onCleanup, runMain } = require('../cleanup');
const { EXAMPLES, readExample } = require('../plays/hr');
const { fillTables } = require('../plays/tables');
const { say } = require('../progress');
const { n8nStage } = require('./stage');
const { tunnel } = require('./vendors');

const POLL_MS = 500;

/** A mail with a form: where that is. */
function showMail({ to, text }) {
	const [, address] = /href="([^"]*waiting[^"]*)"/.exec(text) ?? [];
	say(`\nA mail to ${to.join(', ')}: ${address?.replaceAll('&amp;', '&') ?? text}`);
}

function showMessage({ channel, buttons }) {
	const addresses = Object.entries(buttons).map(([label, address]) => `\n  ${label}  ${address}`);
	say(`\nA Slack message to ${channel}:${addresses.join('')}`);
}

void runMain(async () => {
	const stage = await n8nStage(tunnel);
	const { n8n, service, plain, vendors } = stage;
	await fillTables(stage);
	for (const file of readdirSync(EXAMPLES).filter((name) => name.endsWith('.json'))) {
		await stage.add(readExample(file));
	}
	say(`
Open in a browser, until Ctrl-C:
  n8n       ${n8n.url}
  email     ${n8n.owner.email}
  password  ${n8n.owner.password}
  service   ${service.page} (who has what, and the requests)
            ${plain.page} (the same of Generic SCIM account)

The examples are under Workflows, with their credentials and sample rows. Mails and Slack messages are shown here;
stand-ins answer for the agent's model, Google Sheets and BambooHR.`);
	const { mails } = stage.mailbox;
	const alive = setInterval(() => {
		mails.splice(0).forEach(showMail);
		vendors.messages.splice(0).forEach(showMessage);
	}, POLL_MS);
	onCleanup(() => clearInterval(alive));
	await new Promise(() => {});
});

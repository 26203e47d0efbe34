'use strict';

/**
 * The process that `serviceProcess.js` starts: the local service, which has on disk whatever it has answered,
 * and goes on from there when it is started again.
 *
 * Messages in: `{ start }`, `{ latencyMs }`, `{ watch: { when, slowMs, dies } }`; out: `{ started }`,
 * `{ reached }`.
 */

const { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { startService } = require('../../../demo/service');
const { MOMENTS } = require('./moments');
const { keptIn, logIn } = require('./serviceFiles');

let service;
let folder;
let mailsBefore = [];
let watched;

async function start({ seed, folder: given, ...options }) {
	folder = given;
	const kept = existsSync(keptIn(folder)) && JSON.parse(readFileSync(keptIn(folder), 'utf8'));
	mailsBefore = kept ? kept.mailsSent : [];
	service = await startService({ ...options, seed: kept ? kept.seed : seed, onRequest, onAnswer });
	keep(service.state);
	const { url, port, accountToken } = service;
	process.send({ started: { url, port, accountToken } });
}

/** It is the moment just before the request is carried out. */
function onRequest(entry) {
	if (!watched?.is(entry) || ++watched.seen !== watched.nth) return;
	watched.entry = entry;
	service.options.latencyMs = watched.slowMs;
	if (watched.dies === 'before it is carried out') die();
	process.send({ reached: true });
}

/** It is carried out, and nobody knows yet. */
function onAnswer(entry, state) {
	if (entry.method !== 'GET') keep(state);
	appendFileSync(logIn(folder), `${JSON.stringify(entry)}\n`);
	if (entry === watched?.entry && watched.dies === 'before it is answered') die();
}

function keep({ account, organizations, directory }) {
	const { users } = directory;
	const seed = {
		account,
		organizations,
		users: [...users.values()].map(({ userName, active, attributes }) => ({
			...attributes,
			userName,
			active,
		})),
		memberships: [...users.values()].flatMap(({ id, userName }) =>
			directory.rolesOf(id).map(([organization, role]) => ({ userName, organization, role })),
		),
	};
	const mailsSent = [...mailsBefore, ...directory.mailsSent];
	// In one step: a kill must not leave half of it.
	const unfinished = `${keptIn(folder)}.new`;
	writeFileSync(unfinished, JSON.stringify({ seed, mailsSent }));
	renameSync(unfinished, keptIn(folder));
}

const die = () => process.kill(process.pid, 'SIGKILL');

process.on('message', ({ start: asked, latencyMs, watch }) => {
	if (asked) void start(asked);
	if (latencyMs !== undefined) service.options.latencyMs = latencyMs;
	if (watch) watched = { ...watch, ...MOMENTS[watch.when], seen: 0 };
});
process.once('disconnect', () => process.exit());

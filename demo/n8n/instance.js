'use strict';

/** Runs a real n8n with this package installed as a community package. */

const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { onCleanup, temporaryFolder, removeFolder } = require('../cleanup');
const { npm } = require('../npm');
const { excerptOf, startProcess, tailOf } = require('../processes');
const { withProgress } = require('../progress');
const { n8nEnvironment, freePorts } = require('./environment');
const { newOwner, restClient } = require('./rest');

const READY_WITHIN_MS = 180_000;
const REGISTERED_WITHIN_MS = 30_000;
const WEBHOOK_TIME_LIMIT_MS = 180_000;
const POLL_MS = 250;
// What every start of n8n logs, a hundred lines of it, and would hide what went wrong.
const LOG_NOISE =
	/migration|license|deprecat|^\s*- N8N_|Python task runner|is not registered|^\s+at .*node_modules/i;
const PACKAGE_NODE = /^n8n-nodes-scim-provisioning\./;

/**
 * Starts n8n and waits until it is ready, its owner exists and the package's nodes are loaded.
 *
 * In: `install` (from `installN8n`), `tarball`, and for tests that need more: `env` (goes over the
 * demo's own), `userFolder` (kept afterwards; a second start there has all that the first one saved)
 * and the `owner` who was made there; or `isNew`, which leaves making the `owner` to the caller.
 * Out: `{ url, pid, owner, rest, login(), importCredentials(list), importWorkflow(json),
 * activate(id), webhook(path, body, headers), executions(), logFile, logTail(), stop() }`.
 * Throws: when n8n does not get ready, with the tail of its log.
 */
async function startN8n({ install, tarball, env = {}, userFolder, owner, isNew = false }) {
	const folder = userFolder ?? temporaryFolder('scim-provisioning-n8n');
	mkdirSync(join(folder, 'tmp'), { recursive: true });
	if (tarball) await installNodes(folder, tarball);

	const [port, brokerPort] = await freePorts(2);
	const url = `http://127.0.0.1:${port}`;
	const logFile = join(folder, 'n8n.log');
	const secrets = new Set();
	const logTail = (lines) => hide(secrets, tailOf(logFile, { lines, noise: LOG_NOISE }));

	const server = startProcess(install.node, [install.cli, 'start'], {
		cwd: folder,
		env: {
			...n8nEnvironment({ node: install.node, userFolder: folder, port, brokerPort }),
			...env,
		},
		logFile,
	});
	const stop = onCleanup(async () => {
		await server.stop();
		if (!userFolder) removeFolder(folder);
	});

	const rest = restClient(url, install.folder);
	const login = owner ?? newOwner();
	secrets.add(login.password);

	try {
		await withProgress(`Starting n8n ${install.version}`, () => untilReady(url, server));
		if (!isNew) {
			await (owner ? rest.login(login) : rest.setUpOwner(login));
			await checkNodesAreLoaded(rest, logFile);
		}
	} catch (problem) {
		throw new Error(`${problem.message}\nThe end of n8n's log:\n${logTail()}`);
	}

	return {
		url,
		pid: server.pid,
		owner: login,
		rest,
		logFile,
		logTail,
		stop,
		login: () => rest.login(login),
		executions: () => rest.executions(),

		/** In: credentials as `{ name, type, data }`. Out: their ids, in the same order. */
		async importCredentials(list) {
			const ids = [];
			for (const credential of list) {
				for (const secret of secretsOf(credential.data)) secrets.add(secret);
				ids.push((await rest.createCredential(credential)).id);
			}
			return ids;
		},

		/** In: a workflow as exported by n8n. Out: its id. */
		async importWorkflow(workflow) {
			return (await rest.createWorkflow(workflow)).id;
		},

		activate: (id) => rest.activate(id),

		/** Out: `{ status, body }` of the production webhook; `body` is parsed when it is JSON. */
		webhook: (path, body, headers) => postToWebhook(`${url}/webhook/${path}`, body, headers),
	};
}

/** As the installation from n8n's settings page does it. */
async function installNodes(folder, tarball) {
	const nodes = join(folder, '.n8n', 'nodes');
	mkdirSync(nodes, { recursive: true });
	writeFileSync(join(nodes, 'package.json'), '{"name":"installed-nodes","private":true}\n');
	await npm(
		['install', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', tarball],
		{ cwd: nodes, logFile: join(folder, 'nodes.log'), what: 'Installing the package into n8n' },
	);
}

/** The log says "ready" too early, before n8n has made its tables: the settings tell. */
async function untilReady(url, server) {
	let ended;
	server.exited.then(
		({ code, signal }) => (ended = `n8n ended by itself (${signal ?? `exit code ${code}`}).`),
		(problem) => (ended = problem.message),
	);
	const giveUpAt = Date.now() + READY_WITHIN_MS;
	while (Date.now() < giveUpAt) {
		if (ended) throw new Error(ended);
		try {
			const response = await fetch(`${url}/rest/settings`, { signal: AbortSignal.timeout(5000) });
			if ((await response.text()).startsWith('{"data"')) return;
		} catch {
			// Not listening yet.
		}
		await pause(POLL_MS);
	}
	throw new Error(`n8n was not ready after ${READY_WITHIN_MS / 1000} s.`);
}

/** A package that n8n could not load is only a line in its log, and shows up much later. */
async function checkNodesAreLoaded(rest, logFile) {
	const types = await rest.nodeTypes();
	if (types.some((name) => PACKAGE_NODE.test(name))) return;
	const why = excerptOf(logFile, /Failed to load package/, 8);
	throw new Error(`n8n started, but did not load the package's nodes.\n${why}`);
}

/** n8n registers the webhook of a newly activated workflow a moment after it has said yes. */
async function postToWebhook(address, body, headers = {}) {
	const giveUpAt = Date.now() + REGISTERED_WITHIN_MS;
	for (;;) {
		const response = await fetch(address, {
			method: 'POST',
			headers: { 'content-type': 'application/json', ...headers },
			body: JSON.stringify(body),
			signal: AbortSignal.timeout(WEBHOOK_TIME_LIMIT_MS),
		});
		const text = await response.text();
		const unknown = response.status === 404 && text.includes('not registered');
		if (!unknown || Date.now() > giveUpAt) {
			return { status: response.status, body: parsed(text) };
		}
		await pause(POLL_MS);
	}
}

function parsed(text) {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

function secretsOf(values) {
	return Object.entries(values)
		.filter(([name, value]) => /token|key|password|value/i.test(name) && isLongText(value))
		.map(([, value]) => value);
}

function isLongText(value) {
	return typeof value === 'string' && value.length >= 6;
}

function hide(secrets, text) {
	return [...secrets].reduce((hidden, secret) => hidden.replaceAll(secret, '***'), text);
}

function pause(ms) {
	return new Promise((done) => setTimeout(done, ms));
}

module.exports = { startN8n, installNodes };

'use strict';

const { execFileSync } = require('node:child_process');
const { randomBytes } = require('node:crypto');
const { chmodSync, chownSync, writeFileSync } = require('node:fs');
const net = require('node:net');
const { join } = require('node:path');
const { temporaryFolder } = require('../../../demo/cleanup');
const { freePorts } = require('../../../demo/n8n/environment');
const { runToEnd, startProcess } = require('../../../demo/processes');
const { withProgress } = require('../../../demo/progress');
const { untilTrue } = require('./untilTrue');

const READY_WITHIN_MS = 60_000;
const USER = 'n8n';

/**
 * Makes a cluster of its own in a temporary folder and starts PostgreSQL on it; both go at the end.
 *
 * In: the paths of `initdb` and `postgres`. Out: `{ host, port, user, password, database }`.
 * Throws: when one of them fails, with the end of its log.
 */
async function startPostgres({ initdb, postgres }) {
	const folder = temporaryFolder('scim-provisioning-postgres');
	const owner = whoRunsIt();
	if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
	const data = join(folder, 'data');
	const password = randomBytes(18).toString('hex');
	const passwordFile = join(folder, 'password');
	writeFileSync(passwordFile, `${password}\n`);
	if (owner.uid !== undefined) chownSync(passwordFile, owner.uid, owner.gid);
	chmodSync(passwordFile, 0o600);

	const options = { cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' }, owner };
	const identity = ['-U', USER, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
	await withProgress('Making a PostgreSQL cluster', () =>
		runToEnd(initdb, ['-D', data, ...identity, '--encoding=UTF8', '--locale=C'], {
			...options,
			logFile: join(folder, 'initdb.log'),
			failure: 'PostgreSQL could not make a cluster',
		}),
	);

	const [port] = await freePorts(1);
	const logFile = join(folder, 'postgres.log');
	// No socket file: it would lie in a folder that belongs to the machine's own PostgreSQL.
	const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories='];
	const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
	startProcess(postgres, args, { ...options, logFile, graceMs: 5_000 });
	await untilTrue('PostgreSQL', () => acceptsConnections(port), READY_WITHIN_MS, logFile);
	// initdb makes this one.
	return { host: '127.0.0.1', port, user: USER, password, database: 'postgres' };
}

/** PostgreSQL refuses to run as root. Out: `{ uid, gid }` of its own user for root, else nothing. */
function whoRunsIt() {
	if (process.getuid() !== 0) return {};
	const number = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
	try {
		return { uid: number('-u'), gid: number('-g') };
	} catch {
		throw new Error(
			'PostgreSQL does not run as root, and there is no user "postgres" to run it as.',
		);
	}
}

/** Answers the request for an encrypted connection (one letter) as soon as it is up. */
function acceptsConnections(port) {
	return new Promise((resolve, reject) => {
		const socket = net.connect(port, '127.0.0.1', () =>
			socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])),
		);
		socket.once('error', reject);
		socket.once('close', () => resolve(false));
		socket.once('data', (data) => {
			socket.destroy();
			resolve(/^[NS]/.test(String(data)));
		});
	});
}

module.exports = { startPostgres };

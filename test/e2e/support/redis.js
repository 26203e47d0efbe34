'use strict';

const net = require('node:net');
const { join } = require('node:path');
const { temporaryFolder } = require('../../../demo/cleanup');
const { freePorts } = require('../../../demo/n8n/environment');
const { startProcess } = require('../../../demo/processes');
const { untilTrue } = require('./untilTrue');

const READY_WITHIN_MS = 20_000;

/** In: the path of redis-server. Out: `{ port }` of one that keeps nothing and ends with this process. */
async function startRedis(program) {
	const folder = temporaryFolder('scim-provisioning-redis');
	const [port] = await freePorts(1);
	const logFile = join(folder, 'redis.log');
	const settings = {
		port: String(port),
		bind: '127.0.0.1',
		dir: folder,
		save: '',
		appendonly: 'no',
	};
	const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
	startProcess(program, args, { cwd: folder, env: {}, logFile, graceMs: 3_000 });
	await untilTrue('Redis', () => answersPing(port), READY_WITHIN_MS, logFile);
	return { port };
}

function answersPing(port) {
	return new Promise((resolve, reject) => {
		const socket = net.connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
		socket.once('error', reject);
		socket.once('data', (data) => {
			socket.destroy();
			resolve(String(data).startsWith('+PONG'));
		});
	});
}

module.exports = { startRedis };

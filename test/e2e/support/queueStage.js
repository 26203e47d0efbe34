'use strict';

/** n8n in queue mode as it is run for real: Redis, PostgreSQL, one main instance, workers beside it. */

const { randomBytes } = require('node:crypto');
const { installN8n } = require('../../../demo/n8n/install');
const { startN8n } = require('../../../demo/n8n/instance');
const { packPackage } = require('../../../demo/package');
const { findPrograms } = require('./programs');
const { startPostgres } = require('./postgres');
const { startRedis } = require('./redis');
const { startWorker } = require('./worker');

/**
 * In: what goes over n8n's own settings, on main and workers.
 * Out: `{ n8n, workers, newWorker() }`, running until the clean-up, this package installed in each.
 * Throws: when a program is missing or something does not start, with the reason.
 */
async function setQueueStage(more = {}) {
	// First: what is missing should be said before minutes go by.
	const programs = findPrograms(['redis-server', 'initdb', 'postgres']);
	const tarball = await packPackage();
	const install = await installN8n();
	const redis = await startRedis(programs['redis-server']);
	const postgres = await startPostgres(programs);
	const env = {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: postgres.host,
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_USER: postgres.user,
		DB_POSTGRESDB_PASSWORD: postgres.password,
		DB_POSTGRESDB_DATABASE: postgres.database,
		// The credentials that main encrypts are decrypted in the workers.
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
		...more,
	};
	const n8n = await startN8n({ install, tarball, env });
	let count = 0;
	const newWorker = () => startWorker({ name: `worker-${++count}`, install, tarball, env });
	return { n8n, workers: [await newWorker(), await newWorker()], newWorker };
}

module.exports = { setQueueStage };

'use strict';

/** The SCIM Provisioning node against a service whose groups stand for nothing but themselves. */

const { startServer } = require('../../test/support/scimServer');
const scimNode = require('./scimNode');

const TOKEN = 'token-of-the-bench';

/** Out: what `startService` of the local service gives, as far as the jobs use it. */
async function start(switches) {
	const server = await startServer({ token: TOKEN, ...switches });
	return {
		url: server.url,
		accountToken: TOKEN,
		log: server,
		state: { table: () => ({ people: [...server.users.values()] }), server },
		close: () => server.close(),
	};
}

/** Throws: when the node failed, so that no figure is ever that of a job that was not done. */
async function run(job, service) {
	return await scimNode.run(job, service, { serviceProfile: 'generic', ...job.credential });
}

module.exports = { ...scimNode, run, start };

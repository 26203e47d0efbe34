'use strict';

const { onCleanup } = require('../../../demo/cleanup');
const { installN8n } = require('../../../demo/n8n/install');
const { startN8n } = require('../../../demo/n8n/instance');
const { packPackage } = require('../../../demo/package');
const { startService } = require('../../../demo/service');

/** The local service, until the clean-up. */
async function startLocalService(options) {
	const service = await startService(options);
	onCleanup(() => service.close());
	return service;
}

/** A real n8n with this package as npm would pack it. In: as of `startN8n`. Out: `{ n8n, install }`. */
async function startPackedN8n(options) {
	const tarball = await packPackage();
	const install = await installN8n();
	return { install, n8n: await startN8n({ install, tarball, ...options }) };
}

module.exports = { startLocalService, startPackedN8n };

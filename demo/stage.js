'use strict';

/** Sets up what every demo plays on: the local service and a real n8n with this package in it. */

const { onCleanup } = require('./cleanup');
const {
	alertingCredential,
	hrCredential,
	projectsCredential,
	scimCredential,
} = require('./credentials');
const { installN8n } = require('./n8n/install');
const { startN8n } = require('./n8n/instance');
const { packPackage } = require('./package');

/**
 * In: `{ tarball?, service? }`: a package that is packed already; options of the service.
 * Out: `{ service, n8n, organization, hr, projects }`: both running until the clean-up, n8n with the
 * credentials that the example workflows name; `organization` is the one whose monitors can be wired;
 * `hr` and `projects` are what the systems that send something prove themselves with.
 * Throws: when one of the steps fails, with what can be known about the reason.
 */
async function setStage({ tarball, service: options } = {}) {
	const packed = tarball ?? (await packPackage());
	const install = await installN8n();
	// Only now: its dependencies may have just been installed.
	const service = await require('./service').startService(options);
	onCleanup(() => service.close());
	const n8n = await startN8n({ install, tarball: packed });
	const hr = hrCredential();
	const projects = projectsCredential();
	const organization = managedOrganization(service);
	await n8n.importCredentials([
		scimCredential(service),
		alertingCredential(service, organization),
		hr,
		projects,
	]);
	return { service, n8n, organization, hr, projects };
}

/** The first one that is not the account itself. */
function managedOrganization({ state }) {
	return state.organizations.find(({ id }) => id !== state.account).id;
}

module.exports = { setStage };

'use strict';

/** Sets up what every demo plays on: the local service and a real n8n with this package in it. */

const { onCleanup } = require('./cleanup');
const {
	alertingCredential,
	alertsCredential,
	genericCredential,
	hrCredential,
	projectsCredential,
	scimCredential,
} = require('./credentials');
const { installN8n } = require('./n8n/install');
const { startN8n } = require('./n8n/instance');
const { packPackage } = require('./package');

/** Who is on the plain server of examples/generic-groups.json before it runs. */
const PLAIN = {
	organizations: [],
	users: [
		{ userName: 'ana.example@example.com', id: '7' },
		{ userName: 'olga.other@example.com', id: '8' },
	],
	groups: [
		{ id: '21', displayName: 'Engineering', members: ['8'] },
		{ id: '22', displayName: 'VPN', members: ['7'] },
		{ id: '23', displayName: 'Finance', members: ['7', '8'] },
	],
};

/**
 * In: `{ tarball?, service? }`: a package that is packed already; options of the service.
 * Out: `{ service, plain, n8n, organization, hr, projects, alerts }`: all running until the clean-up, n8n with the
 * credentials that the example workflows name; `plain` is a SCIM server that knows users and groups only;
 * `organization` is the one whose monitors can be wired; `hr`, `projects` and `alerts` are what the systems that send
 * something prove themselves with.
 * Throws: when one of the steps fails, with what can be known about the reason.
 */
async function setStage({ tarball, service: options } = {}) {
	const packed = tarball ?? (await packPackage());
	const install = await installN8n();
	// Only now: its dependencies may have just been installed.
	const { startService } = require('./service');
	const service = await startService(options);
	onCleanup(() => service.close());
	const plain = await startService({ dialect: 'databricks', seed: PLAIN });
	onCleanup(() => plain.close());
	const n8n = await startN8n({ install, tarball: packed });
	const hr = hrCredential();
	const projects = projectsCredential();
	const alerts = alertsCredential();
	const organization = managedOrganization(service);
	await n8n.importCredentials([
		scimCredential(service),
		genericCredential(plain),
		alertingCredential(service, organization),
		hr,
		projects,
		alerts,
	]);
	return { service, plain, n8n, organization, hr, projects, alerts };
}

/** The first one that is not the account itself. */
function managedOrganization({ state }) {
	return state.organizations.find(({ id }) => id !== state.account).id;
}

module.exports = { setStage };

'use strict';

/** The local services that the plays work on, and the credentials that the example workflows name. */

const { onCleanup } = require('./cleanup');
const {
	alertingCredential,
	genericCredential,
	mailCredential,
	modelCredential,
	scimCredential,
	senderCredential,
	vendorCredentials,
} = require('./credentials');
const { startMailbox } = require('./mailbox');
const { lookUp, startModel } = require('./model');

/** Who is on the plain server before an example runs that works on any. */
const PLAIN = {
	organizations: [],
	users: [
		{ userName: 'ana.example@example.com', id: '7' },
		{ userName: 'olga.other@example.com', id: '8' },
		...['leo.left', 'mia.left', 'pia.pause', 'rob.recent', 'tom.typo'].map((name, at) => ({
			...{ userName: `${name}@example.com`, id: String(9 + at), active: false },
		})),
	],
	groups: [
		{ id: '21', displayName: 'Engineering', members: ['8'] },
		{ id: '22', displayName: 'VPN', members: ['7'] },
		{ id: '23', displayName: 'Finance', members: ['7', '8'] },
	],
};

/**
 * Out: `{ service, plain, mailbox, organization, hr, projects, alerts, credentials }`, running until the clean-up; `plain` is a
 * SCIM server that knows users and groups only; `mailbox` gets every mail; `organization` is the one whose monitors can be wired; `hr`, `projects`
 * and `alerts` are what the systems that send something prove themselves with; `credentials` are all of them.
 */
async function startServices() {
	// Only now: its dependencies may have just been installed.
	const { startService } = require('./service');
	const service = await startService();
	onCleanup(() => service.close());
	const plain = await startService({ dialect: 'databricks', seed: PLAIN });
	onCleanup(() => plain.close());
	const mailbox = await startMailbox();
	onCleanup(() => mailbox.close());
	const organization = managedOrganization(service);
	const hr = senderCredential('HR system', 'X-HR-Secret');
	const projects = senderCredential('Project system', 'X-Project-Secret');
	const alerts = senderCredential('Alerting service', 'X-Alert-Key');
	const credentials = [
		scimCredential(service),
		genericCredential(plain),
		alertingCredential(service, organization),
		...[hr, projects, alerts, mailCredential(mailbox), modelCredential(await startModel(lookUp))],
		...vendorCredentials(),
	];
	return { service, plain, mailbox, organization, hr, projects, alerts, credentials };
}

/** The first one that is not the account itself. */
function managedOrganization({ state }) {
	return state.organizations.find(({ id }) => id !== state.account).id;
}

module.exports = { startServices };

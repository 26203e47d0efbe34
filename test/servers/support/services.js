'use strict';

/** The table of services in docs/credentials-and-services.md, out of what was seen. */

const BEGIN = '<!-- services: npm run servers -->';
const END = '<!-- end of services -->';

/** What a column sums up: the steps of the script for servers, and of that for dialects. */
const COLUMNS = {
	Joiner: ['User: Create', 'Access: Assign, by group', 'Joiner: Create', 'Joiner: Assign'],
	Mover: ['Access: Set, by group', 'Access: Revoke, by group', 'Mover: Set', 'Revoke'],
	Leaver: ['Access: Offboard, from groups', 'Leaver: Offboard', 'Leaver: proof'],
	'Access list': ['Access: Reconcile, by group', 'Reconcile'],
	'People list': ['User: Reconcile'],
	'Change Email': ['Access: Change Email', 'Change Email'],
};

/** How each is called, and what to know of it; two versions of one server are two rows. */
const SERVICES = {
	account: ['Account with Organizations', 'Groups cannot be created or deleted'],
	scimmy: ['SCIMMY', ''],
	'better-auth': ['Better Auth', ''],
	jackson: ['SAML Jackson', 'Shows no memberships'],
	aws: ['AWS IAM Identity Center', ''],
	slack: ['Slack', 'Match by email'],
	github: ['GitHub', 'A deleted user cannot be restored'],
	gitlab: ['GitLab', 'No groups, and no list of users without a filter'],
	gitlabInstance: ['GitLab, self-managed', 'No list of users without a filter'],
	wandb: ['Weights & Biases', 'Deactivating removes the user'],
	langfuse: ['Langfuse', 'Set _Has Groups_ to No'],
	databricks: ['Databricks', ''],
	sentry: ['Sentry', 'Attributes of users cannot be updated'],
	activepieces: ['Activepieces', ''],
	miro: ['Miro', ''],
	keycloak: ['Keycloak 26.8', 'A subgroup is not found by name'],
	wso2: ['WSO2', ''],
	scimitar: ['scimitar', ''],
	authentik: ['authentik', 'Set _Member Removal_ to _List of Values_'],
	authentik2024: ['authentik before 2025', ''],
	zitadel: ['Zitadel', 'The first member of an empty group is not shown'],
	djangoScim2: ['django-scim2', 'Set _Member Removal_ to _List of Values_'],
	pranems: ['pranems/SCIMServer', ''],
	infisical: ['Infisical', ''],
	infisical2026: ['Infisical in May 2026', ''],
	nodeScim: ['node-scim', 'A removal from a group takes everybody or is refused'],
	keystone: ['keystone-scim', 'Users are updated by PUT, more slowly'],
	fusionAuth: ['FusionAuth up to 1.51', 'A group keeps 100 members after a change'],
	snipeIt: ['Snipe-IT', ''],
};

const isGood = (outcome) => !/\b(error|unverified): |^(error|unverified)/.test(outcome);

function cellOf(outcomes, steps) {
	const seen = steps.flatMap((step) => outcomes.get(step) ?? []);
	const good = seen.filter(isGood).length;
	return seen.length === 0 ? '' : good === seen.length ? 'yes' : good === 0 ? 'no' : 'partly';
}

/** @throws {Error} for a service without a name */
function tableOfServices(all) {
	const row = (cells) => `| ${cells.join(' | ')} |`;
	const heads = ['Service', ...Object.keys(COLUMNS), 'To know'];
	return [
		row(heads),
		row(heads.map(() => '---')),
		...all
			.filter(({ name }) => name !== 'scimmy by role')
			.map(({ name, outcomes }) => {
				if (!(name in SERVICES)) throw new Error(`${name} has no name in the table of services`);
				const [called, toKnow] = SERVICES[name];
				const cells = Object.values(COLUMNS).map((steps) => cellOf(outcomes, steps));
				return row([called, ...cells, toKnow]);
			}),
	].join('\n');
}

/** @returns the page with the table in its place */
function withServices(page, all) {
	const [before, rest] = page.split(BEGIN);
	return `${before}${BEGIN}\n\n${tableOfServices(all)}\n\n${END}${rest.split(END)[1]}`;
}

module.exports = { withServices };

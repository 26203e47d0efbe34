const { readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { TEST_REFUSALS } = require('../dist/nodes/shared/access');
const { n8n } = require('../package.json');
const { errorMessages } = require('./support/errorMessages');

const PAGE = path.join(__dirname, '../docs/errors.md');

/** Headings, and the files below nodes/ whose messages stand there; the first that fits. */
const GROUPS = [
	['Credential', /http\/(url|auth|header|oauth)|connection\.ts|groupMeaning|traits/],
	['Any node', /shared\/(http|run|util)\//],
	['SCIM Provisioning: requests', /shared\/scim\//],
	['SCIM Provisioning: fields and rows', /ScimProvisioning\/(fields|operations)\//],
	['SCIM Provisioning: users, groups and access', /shared\/access\/|nodes\/ScimProvisioning\//],
	['SCIM Provisioning Trigger', /ScimProvisioningTrigger\//],
	['Notification Actions', /NotificationActions\//],
];

/** The credentials that a table is about. */
const CREDENTIALS = {
	CLIENT_ADVICE: ', OAuth2',
	ADVICE_OF_ACCOUNTS: ', Account with Organizations',
};

/** What n8n itself says in the dialog of a credential for OAuth2 or for alerts; the third one says it in words. */
const OF_N8N = [
	[
		'ECONNREFUSED',
		'Nothing listens at the host and port of the Base URL.',
		'Check the Base URL. Where n8n runs in a container, localhost is the container itself: use the name or address of the host.',
	],
	[
		'ENOTFOUND',
		'There is no host of this name.',
		'Check the spelling, and that the machine of n8n can look up the name.',
	],
	[
		'EPROTO',
		'The service does not speak https on this port.',
		'Check the port of the Base URL. If the service has no https there, enter the Base URL with http://.',
	],
	[
		'ERR_INVALID_URL',
		'The Base URL is empty or is no URL.',
		'Enter it with http:// or https://, e.g. https://example.com/scim/v2.',
	],
	[
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'The certificate of the service is self-signed.',
		'Turn on Ignore SSL Issues in the credential, or give n8n the certificate (NODE_EXTRA_CA_CERTS).',
	],
];

const code = (text) => `\`${text.replaceAll('|', '\\|')}\``;
const plain = (text) => text.replace(/[|<>*_[\]]/g, (sign) => `\\${sign}`);
const row = (cells) => `| ${cells.join(' | ')} |`;
const tableOf = (heads, rows) => [
	row(heads),
	row(heads.map(() => '---')),
	...[...new Set(rows.map(row))],
	'',
];

/** What the tests of credentials say: what happened, and behind the first sentence what to do. */
function credentialTests() {
	const types = n8n.credentials.map((file) => {
		const [Type] = Object.values(require(`../${file}`));
		return new Type();
	});
	const rules = types.flatMap(({ test }) =>
		(test?.rules ?? []).map(({ properties: { value, message } }) => [value, message]),
	);
	const said = new Map(
		[...Object.entries(TEST_REFUSALS), ...rules].map(([value, message]) => [message, value]),
	);
	return [...said].map(([message, value]) => {
		const [, happened, remedy] = /^(.*?\.) (.*)$/.exec(message);
		return [code(happened), `The service answered ${value}.`, plain(remedy)];
	});
}

function pageOf(messages) {
	const own = messages.filter(({ table }) => table === undefined);
	const tables = messages.filter(({ table }) => table !== undefined && table !== 'NETWORK_WORDS');
	const network = messages.filter(({ table }) => table === 'NETWORK_WORDS');
	const nodeOf = (file) =>
		/NotificationActions/.test(file)
			? 'Notification Actions'
			: /scim|access/.test(file)
				? 'SCIM Provisioning'
				: 'Any other';
	const groupOf = ({ file }) => GROUPS.find(([, files]) => files.test(file))[0];
	return [
		'# Messages of errors',
		'',
		'Written by `npm run errors` from the code. … stands for what differs: a name, an ID, a number, the words of the service.',
		'The message names what happened; n8n shows what to do below it, of which / separates cases. The limits that stop a run are in [guards.md](guards.md).',
		'',
		'## When a credential is tested',
		'',
		...tableOf(
			['Message', 'Cause', 'What to do'],
			[
				...credentialTests(),
				...OF_N8N.map(([message, ...cells]) => [code(message), ...cells.map(plain)]),
			],
		),
		'## Answers of the service',
		'',
		`The message is ${code('Could not …: the service answered …')}, with the status, what the service says, and its scimType.`,
		'',
		...tableOf(
			['Node', 'Status or scimType', 'What to do'],
			tables.map(({ file, table, message, remedy }) => [
				nodeOf(file) + (CREDENTIALS[table] ?? ''),
				code(message),
				plain(remedy),
			]),
		),
		'## Broken connections',
		'',
		'Check the Base URL, and that the service is up. A request may still have worked: run again, completed changes are not repeated.',
		'',
		...tableOf(
			['Message', 'Cause'],
			network.map(({ message, remedy }) => [code(`Could not …: ${remedy}`), code(message)]),
		),
		...GROUPS.flatMap(([heading]) => {
			const rows = own
				.filter((entry) => groupOf(entry) === heading)
				.map(({ message, remedy }) => [
					code(message),
					plain(remedy || 'Depends on the case; n8n shows it below the message.'),
				]);
			return rows.length === 0
				? []
				: [`## ${heading}`, '', ...tableOf(['Message', 'What to do'], rows)];
		}),
	]
		.join('\n')
		.trimEnd()
		.concat('\n');
}

test('docs/errors.md has the messages of the code', () => {
	const page = pageOf(errorMessages());
	if (process.env.ERRORS === 'write') writeFileSync(PAGE, page);
	// Otherwise: npm run errors.
	expect(readFileSync(PAGE, 'utf8')).toBe(page);
}, 60_000);

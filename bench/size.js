'use strict';

/**
 * Time and memory of a whole Reconcile Preview, through the node in n8n-core: rows of a wanted list, two for each
 * person, half of the people with another role than wanted. Each size runs in a process of its own, because the peak
 * of a process never comes down again; the service runs in another. Beside the node, what n8n itself takes to hand
 * the same items to a node that reads three fields of each and does nothing.
 */

const { execFileSync } = require('node:child_process');
const { seedOf } = require('../demo/service');
const { table, timed } = require('./support/figures');

const MEGABYTE = 2 ** 20;
const ROLES_PER_PERSON = 2;

const CASES = [
	{ name: '', rows: 1_000, organizations: 101 },
	{ name: '', rows: 10_000, organizations: 101 },
	// 100 organizations are 300 groups.
	{ name: '10,000 people, 300 groups', rows: 20_000, organizations: 100 },
	{ name: '', rows: 100_000, organizations: 101 },
];

/** How the rows come in; `only` where one size is enough. */
const WAYS = {
	'one JSON list': { wantedFrom: 'json' },
	items: { wantedFrom: 'items' },
	'items, n8n alone': { wantedFrom: 'items', nodeDoesNothing: true, only: 10_000 },
};

/** One size in this process. Out: `{ ms, megabytes, retained, changes }`. */
async function measure({ rows, organizations }, { wantedFrom, nodeDoesNothing }) {
	const { runNode } = require('../test/harness');
	const scimNode = require('./support/scimNode');
	const { serviceProcess } = require('./support/serviceProcess');
	const seed = seedOf({
		users: rows / ROLES_PER_PERSON,
		organizations,
		rolesPerUser: ROLES_PER_PERSON,
	});
	const scope = seed.organizations.map(({ id }) => id).join(',');
	const wanted = wantedRows(seed);
	const job = {
		parameters: {
			resource: 'access',
			operation: 'reconcile',
			preview: true,
			wantedFrom,
			scopeOrganizations: scope,
			...(wantedFrom === 'json' && { wantedJson: JSON.stringify(wanted) }),
		},
		items: wantedFrom === 'json' ? [{}] : wanted,
	};
	const work = nodeDoesNothing
		? () => runNode(fieldReader, { items: job.items })
		: (service) => scimNode.run(job, service);

	const service = serviceProcess();
	const address = await service.start({ seed });
	globalThis.gc();
	const before = process.memoryUsage();
	let result;
	const ms = await timed(async () => {
		result = await work(address);
	});
	// In kilobytes, and never less than what it was at its highest.
	const peak = process.resourceUsage().maxRSS * 1024;
	globalThis.gc();
	const retained = process.memoryUsage().heapUsed - before.heapUsed;
	await service.stop();
	return {
		ms,
		megabytes: (peak - before.rss) / MEGABYTE,
		retained: retained / MEGABYTE,
		changes: result.json[0]?.plan?.changes.length ?? 0,
	};
}

/** What is there; for each second person member instead of viewer and viewer instead of member. */
function wantedRows({ memberships }) {
	const other = { member: 'viewer', viewer: 'member' };
	const isOther = new Map();
	return memberships.map(({ userName, organization, role }) => {
		if (!isOther.has(userName)) isOther.set(userName, isOther.size % 4 < 2);
		const wantedRole = isOther.get(userName) ? (other[role] ?? role) : role;
		return { email: userName, organization, role: wantedRole };
	});
}

/** What fields with an expression cost per item. */
const fieldReader = {
	description: {
		displayName: 'Field Reader',
		name: 'fieldReader',
		group: ['transform'],
		version: 1,
		description: 'Reads three fields of each item',
		defaults: { name: 'Field Reader' },
		inputs: ['main'],
		outputs: ['main'],
		properties: ['email', 'organization', 'role'].map((name) => ({
			displayName: name,
			name,
			type: 'string',
			default: `={{ $json.${name} }}`,
		})),
	},
	async execute() {
		this.getInputData().forEach((_, item) => {
			for (const name of ['email', 'organization', 'role']) this.getNodeParameter(name, item);
		});
		return [[]];
	},
};

function measureInOwnProcess(size, way) {
	const args = [
		'--expose-gc',
		'--max-old-space-size=4096',
		__filename,
		JSON.stringify({ size, way }),
	];
	return JSON.parse(execFileSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] }));
}

function row(size, way) {
	const { ms, megabytes, retained, changes } = measureInOwnProcess(size, way);
	return [
		way,
		String(size.rows),
		size.name,
		String(changes),
		ms.toFixed(0),
		((ms * 1000) / size.rows).toFixed(0),
		megabytes.toFixed(0),
		((megabytes * MEGABYTE) / size.rows / 1024).toFixed(1),
		((retained * MEGABYTE) / size.rows / 1024).toFixed(1),
	];
}

async function main([own]) {
	if (own !== undefined) {
		const { size, way } = JSON.parse(own);
		process.stdout.write(JSON.stringify(await measure(size, WAYS[way])));
		return;
	}
	const rows = Object.entries(WAYS).flatMap(([way, { only }]) =>
		CASES.filter((size) => only === undefined || size.rows === only).map((size) => row(size, way)),
	);
	const titles = 'rows come as|rows||changes|ms|us/row|peak MB|peak KB/row|kept KB/row';
	console.log(
		'Reconcile Preview of the whole node; peak is over what the process had before, kept is what is left of it\n' +
			'while the output is held. Linear means that us/row and KB/row stay about the same.\n',
	);
	console.log(table(titles.split('|'), rows));
}

main(process.argv.slice(2)).then(
	() => process.exit(0),
	(problem) => {
		console.error(problem);
		process.exit(1);
	},
);

'use strict';

const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { NodeHelpers } = require('n8n-workflow');
const {
	NotificationActions,
	ScimProvisioning,
	ScimProvisioningTrigger,
} = require('../support/built');

const PACKAGE = 'n8n-nodes-scim-provisioning.';
const EXAMPLES = join(__dirname, '../../examples');
/** The field that n8n gives every trigger that looks from time to time. */
const POLL_TIMES = {
	displayName: 'Poll Times',
	name: 'pollTimes',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: { item: [{ mode: 'everyMinute' }] },
	options: NodeHelpers.cronNodeOptions,
};
const DESCRIPTIONS = Object.fromEntries(
	[new NotificationActions(), new ScimProvisioning(), new ScimProvisioningTrigger()].map(
		({ description }) => [
			`${PACKAGE}${description.name}`,
			{
				...description,
				properties: [...(description.polling ? [POLL_TIMES] : []), ...description.properties],
			},
		],
	),
);

const workflows = readdirSync(EXAMPLES)
	.map((file) => [file, JSON.parse(readFileSync(join(EXAMPLES, file), 'utf8'))])
	.filter(([, { nodes }]) => nodes !== undefined);

const ownNodes = workflows.flatMap(([file, { nodes }]) =>
	nodes.filter(({ type }) => type.startsWith(PACKAGE)).map((node) => [file, node.name, node]),
);

/** Names of parameters that n8n drops because the node has or shows no such field. */
function dropped(given, kept, path = '') {
	return Object.entries(given).flatMap(([name, value]) => {
		if (kept?.[name] === undefined) return [`${path}${name}`];
		const isNested = typeof value === 'object' && value !== null && !Array.isArray(value);
		return isNested ? dropped(value, kept[name], `${path}${name}.`) : [];
	});
}

describe('Example workflows', () => {
	test.each(ownNodes)('%s: "%s" has fields of the node only', (_, __, node) => {
		const description = DESCRIPTIONS[node.type];
		const kept = NodeHelpers.getNodeParameters(
			description.properties,
			node.parameters,
			true,
			false,
			node,
			description,
		);
		expect(dropped(node.parameters, kept)).toEqual([]);
	});

	test.each(ownNodes)('%s: "%s" lacks nothing that the editor warns about', (_, __, node) => {
		const { properties } = DESCRIPTIONS[node.type];
		const description = DESCRIPTIONS[node.type];
		expect(NodeHelpers.getNodeParametersIssues(properties, node, description)).toBeNull();
	});

	test.each(workflows)('%s: every node is connected, every name and id is there once', (_, one) => {
		const names = one.nodes.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		expect(new Set(one.nodes.map(({ id }) => id)).size).toBe(names.length);
		const targets = Object.values(one.connections).flatMap(({ main }) =>
			main.flat().map(({ node }) => node),
		);
		const connected = new Set([...Object.keys(one.connections), ...targets]);
		const steps = one.nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
		expect([...connected].sort()).toEqual(steps.map(({ name }) => name).sort());
	});
});

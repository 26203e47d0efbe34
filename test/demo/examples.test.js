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
const NOTE = 'n8n-nodes-base.stickyNote';
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

/** What n8n makes of a node that is a tool, as far as its fields go. */
const { description: scim } = new ScimProvisioning();
DESCRIPTIONS[`${PACKAGE}${scim.name}Tool`] = {
	...scim,
	name: `${scim.name}Tool`,
	properties: [
		...['descriptionType', 'toolDescription'].map((name) => ({
			...{ displayName: name, name, type: 'string', default: '' },
		})),
		...scim.properties,
	],
};

const workflows = readdirSync(EXAMPLES)
	.filter((file) => file.endsWith('.json'))
	.map((file) => [file, JSON.parse(readFileSync(join(EXAMPLES, file), 'utf8'))]);

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

const HOSTILE = '<img/src="https://example.org/x"onerror="alert(1)">&lt;b&gt;';
const FORM = ({ formDescription }) => formDescription;
/** What gives the rows, the node that asks, and where that has its text. */
const APPROVED = [
	['leaver.json', 'People From HR (Replace Me)', 'Wait for Approval', FORM],
	['nightly-reconcile.json', 'Desired Access', 'Wait for Approval', FORM],
	['people-sync.json', 'Contractors From HR (Replace Me)', 'Wait for Approval', FORM],
	[
		...['leaver-bamboohr.json', 'Employees', 'Ask for Approval'],
		({ options }) => options.responseFormDescription,
	],
	['nightly-reconcile-sheets-slack.json', 'Desired Access', 'Ask in Slack', () => undefined],
].map(([file, source, asks, textIn]) => {
	const [, { nodes }] = workflows.find(([name]) => name === file);
	const named = (node) => nodes.find(({ name }) => name === node);
	const parametersOf = (node) => named(node).parameters;
	return [file, named(source), parametersOf, textIn(parametersOf(asks))];
});
const WITH_FORM = APPROVED.filter(([, , , text]) => text !== undefined);
const WAITING = WITH_FORM.filter(([file]) => file !== 'leaver-bamboohr.json');

/** The text of an expression of a node, where the node that previews returned a plan, and *Apply Plan* has run or not. */
function textOf(expression, $json, isExecuted = false) {
	const all = () => [{ json: { workEmail: HOSTILE } }];
	const $ = () => ({ isExecuted, first: () => ({ json: $json }), all });
	const valueOf = (_, code) => new Function('$json', '$', `return ${code}`)($json, $);
	return expression.slice(1).replace(/{{(.*?)}}/gs, valueOf);
}

describe.each(APPROVED)('%s', (_, source, parametersOf) => {
	test('returns an item where its source has no rows', () => {
		expect(source.alwaysOutputData).toBe(true);
	});

	test('applies what is approved', () => {
		const applies = { changes: 'approved', approvedChanges: '={{ $json }}' };
		expect(parametersOf('Apply Plan')).toMatchObject(applies);
	});

	test.each([
		['Nothing was changed. Could not be planned: offboard a: protected.', false],
		['The approved changes were made. Could not be planned: offboard a: protected.', true],
	])('ends with "%s"', (text, isExecuted) => {
		const plan = {
			settled: [{ status: 'failed', action: 'offboard a', reason: 'protected' }],
			...{ blockedBy: [], requests: [], invalid: [{ item: 0, reason: 'no email' }] },
		};
		const said = textOf(parametersOf('Stop').errorMessage, plan, isExecuted);
		expect([said.slice(0, text.length), said]).toEqual([text, expect.stringContaining('no email')]);
	});
});

describe.each(WITH_FORM)('%s', (_, source, parametersOf, text) => {
	test('keeps what the service says text in the form', () => {
		const html = textOf(text, {
			summaryHtml: '<b>Changes</b>',
			settled: [{ status: 'unchanged', action: `offboard ${HOSTILE}`, reason: 'no such user' }],
			invalid: [{ item: 0 }],
		});
		expect(html.match(/<[^>]*>/g)).toEqual(['<b>', '</b>']);
		expect(html).not.toContain('>&lt;b');
	});
});

describe.each(WAITING)('%s', (_, source, parametersOf) => {
	test('asks in its form, where nothing is chosen', () => {
		const { formFields, resumeAmount } = parametersOf('Wait for Approval');
		const [question, { fieldOptions, ...excess }] = formFields.values;
		const { properties } = DESCRIPTIONS[`${PACKAGE}scimProvisioning`];
		const kinds = properties.find(({ name }) => name === 'approvedExcess').options;
		expect([question, excess, resumeAmount]).toEqual([
			{
				...{ fieldLabel: 'Approve these changes?', fieldType: 'dropdown', requiredField: true },
				fieldOptions: { values: [{ option: 'Yes' }, { option: 'No' }] },
			},
			{ fieldLabel: 'Allow More Than the Limit For', fieldType: 'dropdown', multiselect: true },
			12,
		]);
		expect(kinds.map(({ name }) => ({ option: name }))).toEqual(
			expect.arrayContaining(fieldOptions.values),
		);
	});
});

/** As n8n draws a node: the box with the name below it, and the heights of its inputs and outputs. */
function boxOf({ name, type, position: [left, top], parameters }, connections) {
	const { width, height, numberInputs = type.endsWith('.merge') ? 2 : 1 } = parameters;
	if (type === NOTE) return { left, top, right: left + width, bottom: top + height };
	const outputs = connections[name]?.main?.length ?? 1;
	const tall = 96 + 32 * Math.max(0, numberInputs - 2, outputs - 2);
	const heights = (count) => (index) => top + (tall * (index + 1)) / (count + 1);
	const ends = { inAt: heights(numberInputs), outAt: heights(outputs) };
	return { name, left, top, right: left + 96, bottom: top + tall + 40, ...ends };
}

const STEPS = Array.from({ length: 51 }, (_, step) => step / 50);
const curve = ([x, y], [toX, toY]) =>
	STEPS.map((t) => [
		x + (1.5 * t * (1 - t) + t ** 3) * (toX - x),
		y + t * t * (3 - 2 * t) * (toY - y),
	]);

/** Points of a connection as n8n draws it: a curve, or on its way back below the nodes. */
function wire([x, y], [toX, toY]) {
	const [right, below, left] = [x + 40, y + 130, toX - 40];
	const back = [
		[right, y],
		[right, below],
		[left, below],
		[left, toY],
	];
	const corners = [[x, y], ...(x - 20 > toX ? back : []), [toX, toY]];
	return corners.slice(1).flatMap((corner, index) => curve(corners[index], corner));
}

describe.each(workflows)('%s on the canvas', (_, { nodes, connections }) => {
	const boxes = nodes.map((node) => boxOf(node, connections));
	const named = (name) => boxes.find((box) => box.name === name);

	test('has at most ten nodes', () => {
		expect(nodes.filter(({ type }) => type !== NOTE).length).toBeLessThanOrEqual(10);
	});

	test('has no node upon another', () => {
		const isUpon = (one, other) =>
			one.left < other.right &&
			other.left < one.right &&
			one.top < other.bottom &&
			other.top < one.bottom;
		expect(
			boxes.filter((one) => boxes.some((other) => one !== other && isUpon(one, other))),
		).toStrictEqual([]);
	});

	test('has no connection behind a node', () => {
		const wires = Object.entries(connections).flatMap(([from, { main = [] }]) =>
			main.flatMap((targets, output) =>
				targets.map(({ node: to, index }) => {
					const [start, end] = [named(from), named(to)];
					const points = wire([start.right, start.outAt(output)], [end.left, end.inAt(index)]);
					return { from, to, points };
				}),
			),
		);
		const behind = wires.flatMap(({ from, to, points }) =>
			boxes.filter(
				({ name, left, right, top, bottom }) =>
					![from, to].includes(name) &&
					points.some(([x, y]) => x > left && x < right && y > top && y < bottom),
			),
		);
		expect(behind).toStrictEqual([]);
	});
});

test.each(workflows)('%s: has no regular expression', (_, { nodes }) => {
	const texts = JSON.stringify(nodes.map(({ parameters }) => parameters));
	expect(texts).not.toMatch(/[(,=] *\/[^/*]|RegExp/);
});

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
		expect(dropped(node.parameters, kept)).toStrictEqual([]);
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
		const targets = Object.values(one.connections).flatMap((outputs) =>
			Object.values(outputs)
				.flat(2)
				.map(({ node }) => node),
		);
		const connected = new Set([...Object.keys(one.connections), ...targets]);
		const steps = one.nodes.filter(({ type }) => type !== NOTE);
		expect([...connected].sort()).toEqual(steps.map(({ name }) => name).sort());
	});
});

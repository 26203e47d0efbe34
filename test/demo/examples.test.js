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

const QUESTION = 'Approve these changes?';
const EXCESS = 'Approved Excess';
const APPROVED = ['leaver.json', 'nightly-reconcile.json', 'people-sync.json'].map((file) => {
	const [, { nodes }] = workflows.find(([name]) => name === file);
	const [, , source] = nodes;
	return [file, source, (name) => nodes.find((node) => node.name === name).parameters];
});

/** The text of an expression of a node, where the node that previews returned an item, and *Apply Plan* has run or not. */
function textOf(expression, $json, { plan = $json, isExecuted = false } = {}) {
	const $ = () => ({
		isExecuted,
		first: () => ({ json: plan }),
		all: () => [{ json: { lastDay: HOSTILE } }],
	});
	const valueOf = (_, code) => new Function('$json', '$', `return ${code}`)($json, $);
	return expression.slice(1).replace(/{{(.*?)}}/gs, valueOf);
}

const HOSTILE = '<img/src="https://example.org/x"onerror="alert(1)">&lt;b&gt;';

describe.each(APPROVED)('%s', (_, source, parametersOf) => {
	test('returns an item where its source has no rows', () => {
		expect(source.alwaysOutputData).toBe(true);
	});

	test('applies what its form approves; nothing is chosen there', () => {
		const { formFields, resumeAmount } = parametersOf('Wait for Approval');
		const [question, excess] = formFields.values;
		expect(question).toMatchObject({ fieldLabel: QUESTION, requiredField: true });
		expect(excess).toMatchObject({ fieldLabel: EXCESS, multiselect: true });
		for (const field of formFields.values) {
			expect(field.fieldType).toBe('dropdown');
			expect(Object.keys(field)).not.toContain('defaultValue');
		}
		const { properties } = DESCRIPTIONS[`${PACKAGE}scimProvisioning`];
		const kinds = properties.find(({ name }) => name === 'approvedExcess').options;
		expect(kinds.map(({ name }) => name)).toEqual(
			expect.arrayContaining(excess.fieldOptions.values.map(({ option }) => option)),
		);
		expect(parametersOf('Apply Plan')).toMatchObject({
			...{ changes: 'approved', approvedChanges: '={{ $json }}' },
		});
		expect(resumeAmount).toBe(12);
	});

	test('keeps what the service says text in the form', () => {
		const plan = {
			summaryHtml: '<b>Changes</b>',
			settled: [{ status: 'unchanged', action: `offboard ${HOSTILE}`, reason: 'no such user' }],
			invalid: [{ item: 0 }],
		};
		const html = textOf(parametersOf('Wait for Approval').formDescription, {}, { plan });
		expect(html.match(/<[^>]*>/g)).toEqual(['<b>', '</b>']);
		expect(html).not.toContain('>&lt;b');
	});

	test('ends with an error that says what was changed, and what was not', () => {
		const plan = {
			blockedBy: [],
			settled: [{ status: 'failed', action: 'offboard user a@example.com', reason: 'protected' }],
			invalid: [{ item: 0, reason: 'Row 2 has no email' }],
		};
		const { errorMessage } = parametersOf('Stop');
		expect(textOf(errorMessage, plan)).toMatch(
			/^Nothing was changed\. Could not be planned: offboard user a@example\.com: protected\. .*Row 2 has no email/,
		);
		expect(textOf(errorMessage, plan, { isExecuted: true })).toMatch(
			/^The approved changes were made\. Could not be planned: offboard user/,
		);
		expect(textOf(errorMessage, { error: 'Boom' })).toMatch(/^Apply Plan: Boom\. /);
	});
});

/** As n8n draws a node: its place, its name below it, and where connections leave and arrive. */
function boxOf({ name, type, position: [left, top], parameters }, connections) {
	if (type === NOTE)
		return { left, top, right: left + parameters.width, bottom: top + parameters.height };
	const [ins, outs] = [parameters.numberInputs ?? 1, connections[name]?.main?.length ?? 1];
	const height = 96 + 32 * Math.max(0, ins - 2, outs - 2);
	const at = (count, index) => top + (height * (index + 1)) / (count + 1);
	const [inAt, outAt] = [(index) => at(ins, index), (index) => at(outs, index)];
	return { name, left, top, right: left + 96, bottom: top + height + 40, inAt, outAt };
}

/** Points of a connection as n8n draws it: a curve, or on its way back under the nodes. */
function wire(from, output, to, input) {
	const [x, y, toX, toY] = [from.right, from.outAt(output), to.left, to.inAt(input)];
	const corners = [
		[x, y],
		[x + 40, y],
		[x + 40, y + 130],
		[toX - 40, y + 130],
		[toX - 40, toY],
		[toX, toY],
	];
	const steps = Array.from({ length: 51 }, (_, step) => step / 50);
	if (x - 20 > toX) {
		return corners.slice(1).flatMap(([endX, endY], index) => {
			const [startX, startY] = corners[index];
			return steps.map((t) => [startX + t * (endX - startX), startY + t * (endY - startY)]);
		});
	}
	return steps.map((t) => {
		const half = 1.5 * t * (1 - t);
		return [x + (half + t ** 3) * (toX - x), y + t * t * (3 - 2 * t) * (toY - y)];
	});
}

const isIn =
	({ left, right, top, bottom }) =>
	([x, y]) =>
		x > left && x < right && y > top && y < bottom;

describe.each(workflows)('%s on the canvas', (_, { nodes, connections }) => {
	const boxes = nodes.map((node) => boxOf(node, connections));
	const named = (name) => boxes.find((box) => box.name === name);

	test('has at most eight nodes', () => {
		expect(nodes.filter(({ type }) => type !== NOTE).length).toBeLessThanOrEqual(8);
	});

	test('has no node upon another', () => {
		const upon = boxes.filter((one) =>
			boxes.some(
				(other) =>
					other !== one &&
					one.left < other.right &&
					other.left < one.right &&
					one.top < other.bottom &&
					other.top < one.bottom,
			),
		);
		expect(upon).toStrictEqual([]);
	});

	test('has no connection behind a node', () => {
		const behind = Object.entries(connections).flatMap(([from, { main = [] }]) =>
			main.flatMap((targets, output) =>
				targets.flatMap(({ node: to, index }) => {
					const points = wire(named(from), output, named(to), index);
					return boxes
						.filter(({ name }) => name !== from && name !== to)
						.filter((box) => points.some(isIn(box)))
						.map(({ name }) => `${from} to ${to}, behind ${name}`);
				}),
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

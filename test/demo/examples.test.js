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

/** The value of an expression of a node, of which only the fields of the item and what has run are known. */
const valueOf = (expression, $json, executed = []) =>
	new Function('$json', '$', `return ${/^={{(.*)}}$/s.exec(expression)[1]}`)($json, (name) => ({
		isExecuted: executed.includes(name),
	}));

const QUESTION = 'Approve these changes?';
const EXCESS = 'Approved Excess';
const APPROVED = ['leaver.json', 'nightly-reconcile.json', 'people-sync.json'].map((file) => {
	const { nodes } = JSON.parse(readFileSync(join(EXAMPLES, file), 'utf8'));
	return [file, nodes, (name) => nodes.find((node) => node.name === name)];
});

describe('Example workflows with an approval', () => {
	test.each(APPROVED)('%s: has at most twelve nodes, notes included', (_, nodes) => {
		expect(nodes.length).toBeLessThanOrEqual(12);
	});

	test.each(APPROVED)('%s: only an explicit yes approves, of either form', (_, __, named) => {
		const [{ leftValue }] = named('Approved?').parameters.conditions.conditions;
		const plan = { summary: 'Yes', plan: {}, requests: [{}], settled: [] };
		const answers = [
			[{ [QUESTION]: 'Yes', submittedAt: '2026-01-01' }, true],
			[{ data: { [QUESTION]: 'Yes', respondedAt: '2026-01-01' } }, true],
			[{ [QUESTION]: 'No' }, false],
			[{ data: { [QUESTION]: 'No' } }, false],
			[{ [QUESTION]: null }, false],
			[{ data: { approved: true } }, false],
			// What both nodes return when nobody has answered in time.
			[plan, false],
		];
		expect(answers.map(([json]) => valueOf(leftValue, json))).toEqual(
			answers.map(([, yes]) => yes),
		);
	});

	test.each(APPROVED)('%s: both forms ask the same, and nothing is chosen', (_, __, named) => {
		const [wait, email] = [named('Wait for Approval').parameters, named('Send Email').parameters];
		expect(email.formFields).toEqual(wait.formFields);
		const fields = wait.formFields.values;
		expect(fields.map(({ fieldLabel }) => fieldLabel)).toEqual([QUESTION, EXCESS]);
		expect(fields.map(({ fieldType }) => fieldType)).toEqual(['dropdown', 'dropdown']);
		expect(fields.every(({ defaultValue }) => defaultValue === undefined)).toBe(true);
		expect([named('Send Email').disabled, wait.resumeAmount]).toEqual([true, 12]);
	});

	test.each(APPROVED)(
		'%s: what is ticked of the excess is approved, by default nothing',
		(_, __, named) => {
			const [, { fieldOptions, requiredField }] =
				named('Wait for Approval').parameters.formFields.values;
			const { properties } = DESCRIPTIONS[`${PACKAGE}scimProvisioning`];
			const kinds = properties.find(({ name }) => name === 'approvedExcess').options;
			const names = kinds.map(({ name }) => name);
			for (const { option } of fieldOptions.values) expect(names).toContain(option);
			expect(requiredField).toBeUndefined();
			const { approvedExcess } = named('Apply Plan').parameters;
			const ticked = ['Deactivations'];
			const answers = [
				{ [EXCESS]: ticked },
				{ data: { [EXCESS]: ticked } },
				{ [EXCESS]: null },
				{},
			];
			expect(answers.map((json) => valueOf(approvedExcess, json))).toEqual([
				ticked,
				ticked,
				[],
				[],
			]);
		},
	);

	test.each(APPROVED)('%s: what the service says stays text in both forms', (_, __, named) => {
		const hostile = '<img/src="https://example.org/x"onerror="alert(1)">&lt;b&gt;';
		const json = {
			summaryHtml: '<b>Changes</b>',
			settled: [
				{ status: 'unchanged', action: `offboard ${hostile}` },
				{ status: 'unchanged', action: `offboard ${hostile}`, reason: 'no such user' },
			],
		};
		const { formDescription } = named('Wait for Approval').parameters;
		expect(named('Send Email').parameters.options.responseFormDescription).toBe(formDescription);
		const html = valueOf(formDescription, json);
		expect(html.match(/<[^>]*>/g)).toEqual(['<b>', '</b>']);
		expect(html.includes('&lt;img/src=')).toBe(html.includes('Gone already'));
		expect(html).not.toContain('>&lt;b');
	});

	test.each(APPROVED)('%s: the error says what was changed, and what was not', (_, __, named) => {
		const { options } = named('Anything to Approve?').parameters;
		expect(options.allMatchingOutputs).toBe(true);
		// n8n runs what is further up first: Stop comes after the report.
		expect(named('Stop').position[1]).toBeGreaterThan(named('Wait for Approval').position[1]);
		const plan = {
			blockedBy: [],
			settled: [{ status: 'failed', action: 'offboard user a@example.com', reason: 'protected' }],
			invalid: [{ reason: 'Row 2 has no email' }],
		};
		const left = 'offboard user a@example.com: protected. Row 2 has no email.';
		const said = (...given) => valueOf(named('Stop').parameters.errorMessage, ...given);
		expect(said(plan)).toBe(`Nothing was changed. ${left}`);
		expect(said(plan, ['Approved?'])).toMatch(/^Nothing was changed: the answer was no/);
		expect(said({ error: 'Boom' }, ['Approved?', 'Report'])).toMatch(/^Not every .*: Boom\. /);
		expect(said(plan, ['Approved?', 'Report'])).toBe(
			`The approved changes were made (see Report). Could not be planned: ${left}`,
		);
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
		const steps = one.nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
		expect([...connected].sort()).toEqual(steps.map(({ name }) => name).sort());
	});
});

'use strict';

const { Workflow } = require('n8n-workflow');
const { withExpressions } = require('../harness/workflow');
const { NotificationActions, ScimProvisioning } = require('../support/built');

// The second line of a node on the canvas, as n8n makes it of the node's parameters.

const scim = new ScimProvisioning();
const alerts = new NotificationActions();

test.each([
	[scim, 'access', 'applyPlan', 'Apply Plan: access'],
	[scim, 'user', 'create', 'Create: user'],
	[alerts, 'monitor', 'setActions', 'Set Actions: monitor'],
])('an operation is said in words: %#', async ({ description }, resource, operation, words) => {
	const type = description.name;
	const node = {
		...{ id: '1', name: 'Node', type, typeVersion: 1, position: [0, 0] },
		parameters: { resource, operation },
	};
	const nodeTypes = {
		getByName: () => ({ description }),
		getByNameAndVersion: () => ({ description }),
	};
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const said = await withExpressions(workflow, () =>
		workflow.expression.getSimpleParameterValue(node, description.subtitle, 'internal', {}),
	);
	expect(said).toBe(words);
});

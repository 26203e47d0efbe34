'use strict';

const { ExecutionLifecycleHooks, WorkflowExecute } = require('./core');
const { TestCredentialsHelper } = require('./credentials-helper');
const { createAdditionalData } = require('./workflow');

/**
 * n8n-core's own engine for one execution of a workflow.
 * @param options `data` is what an execution that waits has kept
 * @returns `{ engine, hooks, start(nodeName), resume() }`; both give n8n's run, which can be cancelled
 */
function engineFor(workflow, { credentials, credentialTypes, mode = 'trigger', data } = {}) {
	const { id, name } = workflow;
	const hooks = new ExecutionLifecycleHooks(mode, '1', { id, name, nodes: [], connections: {} });
	const credentialsHelper = new TestCredentialsHelper(credentialTypes, credentials);
	const engine = new WorkflowExecute(
		createAdditionalData({ credentialsHelper, hooks }),
		mode,
		data,
	);
	return {
		engine,
		hooks,
		start: (nodeName) => run(engine, workflow, workflow.getNode(nodeName)),
		resume: () => engine.processRunExecutionData(workflow),
	};
}

/** n8n 1 takes one thing after the other. */
function run(engine, workflow, startNode) {
	return engine.run.length > 1
		? engine.run(workflow, startNode)
		: engine.run({ workflow, startNode });
}

module.exports = { engineFor };

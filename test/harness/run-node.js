'use strict';

const { NodeConnectionTypes, deepCopy } = require('n8n-workflow');
const { engineFor } = require('./engine');
const { NODE_NAME, createWorkflow, helperDescription, helperNode, nodeFor } = require('./workflow');

const START_NAME = 'Start';
const END_NAME = 'End';
const START_TYPE = 'testHarness.start';
const BETWEEN_TYPE = 'testHarness.between';
const END_TYPE = 'testHarness.end';

/**
 * Start -> node under test -> End, through n8n-core's own engine.
 * Without a node behind it, n8n-core 2.11 calls the run of a node that failed and went on a failed one.
 * @param options as of `nodeFor`; `items`, JSON objects or whole items; `between`, the same of each node between
 *   Start and the node under test; `earlier`, `parameters` and `onError` of nodes of its kind that come before those, as often as
 *   `times` says; `credentialTypes` of all `credentials`; `cancelAfterMs` counts from the start of the node; `cancelSignal`, `executionTimeout`, `timezone`
 * @returns see `toResult`; rejects where n8n would not start the workflow, or the test itself is wrong
 */
async function runNode(nodeType, options = {}) {
	const { between = [], earlier = [], times = 1 } = options;
	const { credentials, credentialTypes, executionTimeout, timezone } = options;
	const names = between.map((_, index) => `Between ${index + 1}`);
	const sooner = earlier.map((own, index) => ({
		...nodeFor(nodeType, { credentials, ...own }),
		...{ id: `earlier-${index}`, name: `Earlier ${index + 1}` },
	}));
	const row = [START_NAME, ...sooner.map(({ name }) => name), ...names, NODE_NAME];
	const node = nodeFor(nodeType, options);
	const observed = observe(nodeType);
	const workflow = createWorkflow({
		nodes: [
			helperNode(START_NAME, START_TYPE),
			...sooner,
			...names.map((name, index) => helperNode(name, BETWEEN_TYPE + index)),
			node,
			helperNode(END_NAME, END_TYPE),
		],
		nodeTypes: {
			[START_TYPE]: sourceType(options.items, []),
			...Object.fromEntries(
				between.map((items, index) => [
					BETWEEN_TYPE + index,
					sourceType(items, [NodeConnectionTypes.Main]),
				]),
			),
			[node.type]: observed.nodeType,
			[END_TYPE]: endType(),
		},
		connections: {
			...Object.fromEntries(row.slice(1).map((name, index) => [row[index], { main: [to(name)] }])),
			[START_NAME]: { main: [Array(times).fill(to(row[1])).flat()] },
			[NODE_NAME]: { main: [to(END_NAME), to(END_NAME)] },
		},
		...(executionTimeout !== undefined && { executionTimeout }),
		...(timezone !== undefined && { timezone }),
	});

	const { engine, hooks, start } = engineFor(workflow, { credentials, credentialTypes });
	refuseIncompleteNode(engine, workflow);
	const execution = start(START_NAME);
	const stopListening = cancelOnDemand(execution, hooks, options);
	try {
		return toResult(await execution, observed);
	} finally {
		stopListening();
	}
}

/** n8n refuses such a workflow too, but says only that it "has issues". */
function refuseIncompleteNode(engine, workflow) {
	const issues = issuesIn(engine, workflow);
	if (!issues) return;
	const details = Object.values(issues[NODE_NAME].parameters ?? {}).flat();
	throw new Error(`n8n would not start this workflow: ${details.join(' ')}`);
}

/** n8n gives its regular expressions a time by the clock, which a busy machine may take once. */
function issuesIn(engine, workflow) {
	const check = () => engine.checkReadyForExecution(workflow, { startNode: START_NAME });
	try {
		return check();
	} catch (error) {
		if (error.message !== 'Regular expression execution timed out') throw error;
		return check();
	}
}

/** The engine stores copies of what a node throws, and cuts items with an error down to it; this keeps both as they were. */
function observe(original) {
	const observed = { nodeType: original, thrown: undefined, returned: [] };
	if (!original.execute) return observed;
	observed.nodeType = Object.create(original, {
		execute: {
			async value(...args) {
				try {
					const self = this === observed.nodeType ? original : this;
					const outputs = await original.execute.apply(self, args);
					observed.returned = (outputs ?? []).flat().map(({ json }) => json);
					return outputs;
				} catch (error) {
					observed.thrown = error;
					throw error;
				}
			},
		},
	});
	return observed;
}

function cancelOnDemand(execution, hooks, { cancelAfterMs, cancelSignal }) {
	const cancel = () => execution.cancel();
	let timer;
	if (cancelAfterMs !== undefined) {
		hooks.addHandler('nodeExecuteBefore', (nodeName) => {
			if (nodeName === NODE_NAME) timer = setTimeout(cancel, cancelAfterMs);
		});
	}
	if (cancelSignal?.aborted) cancel();
	cancelSignal?.addEventListener('abort', cancel);
	return () => {
		clearTimeout(timer);
		cancelSignal?.removeEventListener('abort', cancel);
	};
}

function toResult(run, observed) {
	const { runData, error: workflowError } = run.data.resultData;
	const task = runData[NODE_NAME]?.[0];
	const [output, errorOutput] = [0, 1].map((index) => task?.data?.main?.[index] ?? []);
	const failed = task?.error !== undefined;
	return {
		output,
		errorOutput,
		json: output.map((item) => item.json),
		errorJson: errorOutput.map((item) => item.json),
		// What the node itself gave: n8n may keep only the message of items with an error.
		returned: observed.returned,
		pairedItems: output.map(sourcesOf),
		errorPairedItems: errorOutput.map(sourcesOf),
		// The very object that was thrown on the last try, whatever `onError` says, and the copy that n8n stores.
		error: failed ? (observed.thrown ?? task.error) : undefined,
		storedError: task?.error,
		status: run.status,
		workflowError,
		executed: task !== undefined,
		input: runData[START_NAME]?.[0]?.data?.main?.[0] ?? [],
	};
}

/** Which input items an output item comes from. */
function sourcesOf({ pairedItem }) {
	if (pairedItem === undefined) return [];
	return [pairedItem].flat().map((source) => (typeof source === 'number' ? source : source.item));
}

function to(nodeName) {
	return [{ node: nodeName, type: NodeConnectionTypes.Main, index: 0 }];
}

function sourceType(items = [{}], inputs) {
	const output = deepCopy(items).map((item) => (isExecutionItem(item) ? item : { json: item }));
	return { description: helperDescription(START_NAME, inputs), execute: async () => [output] };
}

function endType() {
	return {
		description: helperDescription(END_NAME, [NodeConnectionTypes.Main]),
		execute: async () => [[]],
	};
}

function isExecutionItem({ json }) {
	return typeof json === 'object' && json !== null && !Array.isArray(json);
}

module.exports = { runNode };

'use strict';

/** The plays of demo/plays on n8n's own execution engine, in this process. */

const { basename, join } = require('node:path');
const { setUpCore } = require('../test/harness/settings');
const { temporaryFolder } = require('./cleanup');
const { APPROVER, outputOf, QUESTION, textOfForm, WAIT } = require('./plays/approval');
const { rowsIn } = require('./plays/hr');
const { startServices } = require('./services');
const { standInFor } = require('./standIns');

const ROOT = join(__dirname, '..');
const PACKAGE = 'n8n-nodes-scim-provisioning.';
const WEBHOOK = /\.webhook$/;
const TRIGGER = /\.((schedule|manual)Trigger|webhook)$/;

/** Out: what `n8nStage` (n8n/stage.js) gives, but for what only a whole n8n can do. */
async function engineStage() {
	const { createWorkflow, engineFor, types, credentialTypes } = loadEngine();
	const services = await startServices();
	const dataOf = new Map(services.credentials.map(({ name, data }) => [name, data]));
	const tables = new Map();

	/** In: a workflow of examples/; what came to its webhook; what an execution of it kept while it waited. */
	function executionOf({ nodes, connections }, request, kept) {
		/** What passes between an execution and the outside: `{ tables, request, form, answer }`. */
		const seen = { tables, request };
		const ofType = (type) => nodes.filter((node) => node.type === type);
		const workflow = createWorkflow({
			nodes: structuredClone(nodes),
			connections,
			nodeTypes: Object.fromEntries(
				nodes.map(({ type }) => [type, types.get(type) ?? standInFor(ofType(type), seen)]),
			),
			timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
		});
		const credentials = Object.fromEntries(
			nodes
				.filter(({ type }) => types.has(type))
				.flatMap((node) => Object.entries(node.credentials))
				.map(([type, { name }]) => [type, dataOf.get(name)]),
		);
		return { seen, ...engineFor(workflow, { credentials, credentialTypes, data: kept }) };
	}

	async function start(workflow, trigger, request) {
		const { name } = workflow.nodes.find(({ type }) => trigger.test(type));
		const { seen, start } = executionOf(workflow, request);
		return { ...(await start(name)), seen, workflow };
	}

	return {
		...services,
		async add() {},
		async fillTable(name, csv) {
			tables.set(name, rowsIn(csv));
		},
		run: (workflow) => start(workflow, TRIGGER, Object.values(workflow.pinData)[0]?.[0].json),
		form: async ({ seen }) => ({ text: textOfForm(seen.form) }),

		/** n8n stores an execution that waits, and goes on with what it has stored. */
		async answer({ workflow, data }, form, decision) {
			const kept = structuredClone(data);
			const { formFields } = workflow.nodes.find(({ name }) => name === WAIT).parameters;
			const texts = formFields.values.filter(({ fieldType }) => fieldType === undefined);
			const json = {
				...Object.fromEntries(texts.map(({ fieldLabel }) => [fieldLabel, APPROVER])),
				...{ [QUESTION]: decision, submittedAt: new Date().toISOString() },
			};
			kept.executionData.nodeExecutionStack[0].data.main = [[{ json }]];
			return await executionOf(workflow, undefined, kept).resume();
		},

		async post(workflow, body, headers) {
			const execution = await start(workflow, WEBHOOK, { body, headers });
			const { seen, data, status } = execution;
			if (seen.answer) return { ...seen.answer, execution };
			const { lastNodeExecuted, error } = data.resultData;
			if (status !== 'success') return { status: 500, body: error?.message, execution };
			return { status: 200, body: outputOf(execution, lastNodeExecuted), execution };
		},
	};
}

/** Only now: there is nothing to load before the package is built. */
function loadEngine() {
	setUpCore(temporaryFolder('scim-provisioning-engine'));
	const { engineFor } = require('../test/harness/engine');
	const { blockNetwork } = require('../test/harness/network');
	const { createWorkflow } = require('../test/harness/workflow');
	blockNetwork();
	const [nodes, credentials] = [builtOf('nodes'), builtOf('credentials')];
	return {
		...{ engineFor, createWorkflow, credentialTypes: credentials },
		types: new Map(nodes.map((node) => [PACKAGE + node.description.name, node])),
	};
}

/** Out: instances of the classes that n8n would load. */
function builtOf(kind) {
	return require('../package.json').n8n[kind].map((file) => {
		const { [basename(file).split('.')[0]]: Class } = require(join(ROOT, file));
		return new Class();
	});
}

module.exports = { engineStage };

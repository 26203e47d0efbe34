'use strict';

const { ScimProvisioning } = require('../../dist/nodes/ScimProvisioning/ScimProvisioning.node.js');
const { unrouted } = require('./errorItems');
const { inCollections } = require('./options');

const TOKEN = 'key:org';

/** The same tests in n8n-core's own engine, which takes longer: `npm run test:compat`. */
const IN_ENGINE = process.env.BEHAVIOR === 'engine';

/** See `runInEngine`. */
const inEngine = async (...given) => await require('./engineNode').runInEngine(...given);

const NODE = {
	id: 'node',
	name: 'SCIM Provisioning',
	type: 'scimProvisioning',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** A parameter as it stands in the editor: `typed` of a locator is the expression that gave its value. */
const typedIn = (given) =>
	JSON.parse(JSON.stringify(given ?? null), (_, one) =>
		one?.typed === undefined ? one : { ...one, value: one.typed },
	);

/** What is no object needs no copy, which takes long for hundreds of thousands of parameters. */
const copyOf = (value) => (typeof value === 'object' ? structuredClone(value) : value);

/**
 * The context that n8n gives to a node, as far as these nodes use it.
 * @param items the parameters that differ by item; `json` of one is its JSON
 * @param send the requests of the node, answered as n8n's helper answers
 * @param settings those of the workflow
 * @param zone the time zone where the workflow has none of its own
 * @param isTool whether an agent runs the node
 */
function contextOf(given) {
	const {
		items,
		parameters,
		credential,
		continueOnFail,
		signal,
		send,
		settings = {},
		zone = 'Europe/Berlin',
		isTool,
	} = given;
	const byItem = [];
	const own = (item) => (byItem[item] ??= inCollections({ ...parameters, ...items[item] }));
	return {
		getNode: () => ({
			...{ ...NODE, ...(isTool && { type: `${NODE.type}Tool` }) },
			onError: continueOnFail ? 'continueErrorOutput' : 'stopWorkflow',
		}),
		getParentNodes: () => [],
		getInputData: () =>
			items.map(({ json = {} }, item) => ({ json: structuredClone(json), pairedItem: { item } })),
		continueOnFail: () => continueOnFail,
		getNodeParameter(name, item, fallback, { rawExpressions = false } = {}) {
			const values = own(item);
			if (Object.hasOwn(values, name))
				return copyOf(rawExpressions ? typedIn(values[name]) : values[name]);
			if (fallback === undefined) throw new Error(`Could not get parameter ${name}`);
			return fallback;
		},
		getCurrentNodeParameter(path) {
			return path.split('.').reduce((value, name) => value?.[name], own(0));
		},
		getCredentials: async () => structuredClone(credential),
		getWorkflowSettings: () => settings,
		getTimezone: () => settings.timezone ?? zone,
		getExecutionCancelSignal: () => signal,
		addExecutionHints: () => undefined,
		helpers: {
			httpRequestWithAuthentication: async (_type, request) => await send(request),
			prepareBinaryData: async (data, fileName, mimeType) => ({
				data: data.toString('base64'),
				fileName,
				mimeType,
			}),
		},
	};
}

/**
 * The context of a check of the trigger.
 * @param poll as of contextOf; `memory` is what n8n keeps, `warn` and `record` get warnings and recorded errors
 */
function pollContextOf({ memory, mode, activation, id = '1', warn, record, ...poll }) {
	const context = contextOf({ ...poll, items: [{}] });
	const parameters = inCollections(poll.parameters);
	return {
		...context,
		getNode: () => ({
			...context.getNode(),
			credentials: { scimProvisioningApi: { id, name: 'scimProvisioningApi' } },
		}),
		getMode: () => mode,
		getActivationMode: () => activation,
		getNodeParameter: (name, fallback) => structuredClone(parameters[name] ?? fallback),
		getWorkflowStaticData: () => memory,
		logger: { warn },
		__emitError: record,
	};
}

/** How the node sends to a service in memory. */
const sendTo = (service) => async (request) => {
	const { status, headers, text } = await service.exchange(request);
	return { statusCode: status, headers, body: text };
};

/** The items, those of the error output like the others. */
function shown(items) {
	const output = items.map(unrouted);
	return { json: output.map(({ json }) => json), output };
}

/**
 * Runs an operation of the built node against a model of a service, without engine and sockets: hundreds of runs per
 * second. Everything of the package takes part, from the parameters to the output items.
 * @param {import('./memoryService').MemoryService} service
 * @param {{ resource: string, operation: string, parameters?: object, items?: object[], credential?: object, continueOnFail?: boolean, signal?: AbortSignal, settings?: object, zone?: string, isTool?: boolean }} run
 *   `items` as of contextOf
 * @returns the output items, and what was thrown
 */
async function runOnModel(service, run) {
	const { resource, operation, items = [{}], continueOnFail = true } = run;
	const given = {
		...{ items, continueOnFail, isTool: run.isTool, signal: run.signal },
		...{ settings: run.settings, zone: run.zone },
		parameters: { resource, operation, ...run.parameters },
		credential: {
			baseUrl: 'http://scim.test',
			accountApiToken: TOKEN,
			serviceProfile: 'accountOrganizations',
			...run.credential,
		},
		send: sendTo(service),
	};
	if (IN_ENGINE && !run.isTool) {
		if (run.zone === undefined) given.settings = { timezone: 'Europe/Berlin', ...run.settings };
		const { output, thrown } = await inEngine('scimProvisioning', given);
		return { ...shown(output), thrown };
	}
	const context = contextOf(given);
	// The time limit of a request is an AbortSignal, which Node.js keeps until the event loop has turned.
	await new Promise(setImmediate);
	try {
		return shown((await ScimProvisioning.prototype.execute.call(context)).flat());
	} catch (error) {
		return { json: [], output: [], thrown: error };
	}
}

module.exports = { IN_ENGINE, TOKEN, contextOf, inEngine, pollContextOf, runOnModel, sendTo };

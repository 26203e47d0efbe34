'use strict';

const { operations } = require('../../dist/nodes/ScimProvisioning/operations');
const { asInOptions } = require('./options');

const NODE = {
	id: 'node',
	name: 'SCIM Provisioning',
	type: 'scimProvisioning',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/**
 * Runs an operation of the built node against a model of a service, without engine and sockets: hundreds of runs per
 * second. Everything of the package takes part, from the parameters to the output items.
 * @param {import('./memoryService').MemoryService} service
 * @param {{ resource: string, operation: string, parameters?: object, items?: object[], credential?: object, continueOnFail?: boolean, signal?: AbortSignal }} run
 *   `items` are the parameters that differ by item; `json` of one is its JSON
 * @returns the output items, and what was thrown
 */
async function runOnModel(service, run) {
	const { resource, operation, parameters = {}, items = [{}], continueOnFail = true } = run;
	const context = {
		getNode: () => NODE,
		getInputData: () => items.map(({ json = {} }, item) => ({ json, pairedItem: { item } })),
		continueOnFail: () => continueOnFail,
		getNodeParameter(name, item, fallback) {
			const own = asInOptions({ ...parameters, ...items[item] });
			if (!(name in own) && fallback === undefined) throw new Error(`no parameter ${name}`);
			return own[name] ?? fallback;
		},
		getCredentials: async () => ({
			baseUrl: 'http://scim.test',
			accountApiToken: 'key:org',
			serviceProfile: 'accountOrganizations',
			...run.credential,
		}),
		getExecutionCancelSignal: () => run.signal,
		helpers: {
			async httpRequestWithAuthentication(_type, request) {
				const { status, headers, text } = await service.exchange(request);
				return { statusCode: status, headers, body: text };
			},
		},
	};
	// The time limit of a request is an AbortSignal, which Node.js keeps until the event loop has turned.
	await new Promise(setImmediate);
	try {
		const output = await operations[resource][operation].execute(context);
		return { json: output.map(({ json }) => json), output };
	} catch (error) {
		return { json: [], output: [], thrown: error };
	}
}

module.exports = { runOnModel };

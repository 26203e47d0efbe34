'use strict';

const { ScimProvisioningTrigger } = require('./built');
const { contextOf } = require('./modelNode');

/**
 * The trigger at a service in the process of the test. Each call is one check, and remembers like n8n.
 * @param {import('./memoryService').MemoryService} service
 * @param {{ events?: string[], options?: object, credential?: object }} more
 * @returns the JSON of the items
 */
function triggerAt(service, { events = ['anyAccessChange'], options = {}, credential = {} } = {}) {
	const parameters = { events, options };
	const staticData = {};
	const context = {
		...contextOf({
			items: [{}],
			parameters,
			credential: {
				...{ baseUrl: 'http://scim.test', accountApiToken: 'key:org' },
				...{ serviceProfile: 'accountOrganizations', ...credential },
			},
			async send(request) {
				const { status, headers, text } = await service.exchange(request);
				return { statusCode: status, headers, body: text };
			},
		}),
		getMode: () => 'trigger',
		getActivationMode: () => 'activate',
		getNodeParameter: (name, fallback) => structuredClone(parameters[name] ?? fallback),
		getWorkflowStaticData: () => staticData,
		logger: { warn: () => undefined },
	};
	return async () => {
		const output = await new ScimProvisioningTrigger().poll.call(context);
		return (output?.[0] ?? []).map(({ json }) => json);
	};
}

module.exports = { triggerAt };

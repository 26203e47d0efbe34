'use strict';

const {
	NotificationActions,
} = require('../../../dist/nodes/NotificationActions/NotificationActions.node');
const { ScimProvisioning } = require('../../../dist/nodes/ScimProvisioning/ScimProvisioning.node');
const {
	ScimProvisioningTrigger,
} = require('../../../dist/nodes/ScimProvisioningTrigger/ScimProvisioningTrigger.node');
const { contextOf } = require('../../support/modelNode');
const { inCollections } = require('../../support/options');

const NODES = { scim: new ScimProvisioning(), alerting: new NotificationActions() };
const TRIGGER = new ScimProvisioningTrigger();

const RealDate = Date;
const realRandom = Math.random;
const realTimeout = AbortSignal.timeout;

let current;

/** What `sleep` of n8n-workflow is to be: it passes at once, and the clock goes on. */
async function sleep(ms) {
	if (current === undefined) return;
	current.now += ms;
	current.slept += 1;
	if (current.slept > 100_000) {
		current.faults.push('waits without end');
		throw new Error('the fuzz has waited enough');
	}
}

/** The time, chance and limits of requests are the world's while a run lasts, so that it can be repeated. */
function enter(world) {
	current = world;
	world.slept = 0;
	let state = 1;
	globalThis.Date = class extends RealDate {
		constructor(...given) {
			super(...(given.length === 0 ? [world.now] : given));
		}

		static now() {
			return world.now;
		}
	};
	Math.random = () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
	AbortSignal.timeout = () => {
		const controller = new AbortController();
		// The request that it is for leaves before anything else happens.
		world.limit = controller;
		return controller.signal;
	};
}

function leave() {
	current = undefined;
	globalThis.Date = RealDate;
	Math.random = realRandom;
	AbortSignal.timeout = realTimeout;
}

/**
 * Runs an operation, or a list search of the editor, against a world; beside a second run of ours, where there is one.
 * @returns the output items, and what was thrown
 */
async function runOnWorld(world, run) {
	const node = NODES[run.node];
	enter(world);
	try {
		const send = async (request) => await world.exchange(request);
		const besides = async (request) => await world.exchange(request, true);
		const { signal } = new AbortController();
		const context = contextOf({ ...run, signal, send });
		if (run.resource === 'search') {
			const { filter, token } = run.items[0];
			const found = await node.methods.listSearch[run.operation].call(context, filter, token);
			return { output: [], found };
		}
		const beside = run.second && contextOf({ ...run, items: [run.second], signal, send: besides });
		const [[output]] = await Promise.all([
			node.execute.call(context),
			// What it says is judged where it is the first.
			beside && node.execute.call(beside).catch(() => undefined),
		]);
		return { output };
	} catch (thrown) {
		return { output: [], thrown, threw: true };
	} finally {
		leave();
	}
}

/**
 * One poll of the trigger against a world.
 * @param poll `memory` is what n8n keeps for the node, and is changed; `mode` is `manual` for a test in the editor
 * @returns the items, what was thrown or recorded instead, and what went into the log
 */
async function pollOnWorld(world, { parameters, credential, memory, mode, activation }) {
	const own = inCollections(parameters);
	const logged = [];
	let recorded;
	const log = (...words) => logged.push(words);
	const context = {
		getNode: () => ({
			id: 'trigger',
			name: 'Trigger',
			type: 'scimProvisioningTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
			credentials: { scimProvisioningApi: { id: '1', name: 'SCIM' } },
		}),
		getMode: () => mode,
		getActivationMode: () => activation,
		getNodeParameter: (name, fallback) => structuredClone(own[name] ?? fallback),
		getCredentials: async () => structuredClone(credential),
		getWorkflowStaticData: () => memory,
		logger: { debug: log, info: log, warn: log, error: log },
		__emitError: (error) => (recorded = error),
		helpers: {
			httpRequestWithAuthentication: async (_type, options) => await world.exchange(options),
		},
	};
	enter(world);
	try {
		const items = (await TRIGGER.poll.call(context))?.[0] ?? [];
		return { output: items, thrown: recorded, threw: recorded !== undefined, found: logged };
	} catch (thrown) {
		return { output: [], thrown, threw: true, found: logged };
	} finally {
		leave();
	}
}

module.exports = { NODES, TRIGGER, pollOnWorld, runOnWorld, sleep };

'use strict';

const {
	NotificationActions,
} = require('../../../dist/nodes/NotificationActions/NotificationActions.node');
const { ScimProvisioning } = require('../../../dist/nodes/ScimProvisioning/ScimProvisioning.node');
const {
	ScimProvisioningTrigger,
} = require('../../../dist/nodes/ScimProvisioningTrigger/ScimProvisioningTrigger.node');
const { unrouted } = require('../../support/errorItems');
const { contextOf, pollContextOf } = require('../../support/modelNode');

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
	// By this one the package measures how old a read is.
	performance.now = () => world.now;
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
	delete performance.now;
	Math.random = realRandom;
	AbortSignal.timeout = realTimeout;
}

/** @returns what comes of something that is done in a world, or what it throws */
async function within(world, act) {
	enter(world);
	try {
		return await act();
	} catch (thrown) {
		return { thrown, threw: true };
	} finally {
		leave();
	}
}

/**
 * Runs an operation, or a list search of the editor, against a world; beside a second run of ours, where there is one.
 * @returns the output items, and what was thrown
 */
async function runOnWorld(world, run) {
	const node = NODES[run.node];
	const contextFor = (isSecond, more) => {
		const send = async (request) => await world.exchange(request, isSecond);
		return contextOf({ ...run, signal: new AbortController().signal, send, ...more });
	};
	const play = async () => {
		const context = contextFor(false);
		if (run.resource === 'search') {
			const { filter, token } = run.items[0];
			return { found: await node.methods.listSearch[run.operation].call(context, filter, token) };
		}
		const beside = run.second && contextFor(true, { items: [run.second] });
		const [[output]] = await Promise.all([
			node.execute.call(context),
			// What it says is judged where it is the first.
			beside && node.execute.call(beside).catch(() => undefined),
		]);
		return { output: output.map(unrouted) };
	};
	return { output: [], ...(await within(world, play)) };
}

/**
 * One poll of the trigger against a world.
 * @param poll `memory` is what n8n keeps for the node, and is changed; `mode` is `manual` for a test in the editor
 * @returns the items, what was thrown or recorded instead, and what went into the log
 */
async function pollOnWorld(world, poll) {
	const logged = [];
	let recorded;
	const context = pollContextOf({
		...poll,
		send: async (request) => await world.exchange(request),
		warn: (...words) => logged.push(words),
		record: (error) => (recorded = error),
	});
	const came = await within(world, async () => {
		const [output = []] = (await TRIGGER.poll.call(context)) ?? [];
		return { output, thrown: recorded, threw: recorded !== undefined };
	});
	return { output: [], found: logged, ...came };
}

module.exports = { NODES, TRIGGER, pollOnWorld, runOnWorld, sleep };

'use strict';

const { alertingService } = require('../../demo/service/notification/service');
const { answerUnder, carriesOut, cuts } = require('../../demo/service/faults');
const { defaultSeed } = require('../../demo/service/state/seed');
const { State } = require('../../demo/service/state/state');
const { ORG: ORGANIZATION } = require('./configurations');

const KEY = `key-of-marketing.secret-part:${ORGANIZATION}`;

/** The alerting service of the demo without sockets, seen by whoever has the key of one organization. */
class AlertingInMemory {
	/**
	 * @param {object} [switches] of the alerting service
	 * @param {() => number} [now] the clock
	 * @param {import('../../demo/service/state/seed').Seed} [seed]
	 */
	constructor(switches = {}, now = Date.now, seed = defaultSeed()) {
		this.switches = switches;
		const { lagMs = 0, lagReads = 0 } = switches;
		this.state = new State(seed, { lagMs, lagReads, now });
		const apiKeys = { [ORGANIZATION]: KEY };
		this.answer = alertingService({ state: this.state, options: switches, apiKeys });
	}

	/**
	 * @param {{ method: string, url: URL, body?: string, tick?: number }} request below the path `/api` of its host, or below none
	 * @param {object} [fault] a rule of demo/service/faults.js that strikes
	 * @returns {import('../../demo/service/answer').Answer | undefined} undefined: the connection breaks
	 */
	carryOut({ method, url, body, tick }, fault) {
		const path = url.pathname.replace(/^\/api(?=\/)/, '');
		const request = { method, path, text: body, key: KEY, tick };
		if (fault === undefined) return this.answer(request);
		const undo = fault.kind === 'dropped' ? this.state.remember() : undefined;
		const real = carriesOut(fault, request) ? this.answer(request) : undefined;
		undo?.();
		return cuts(fault) ? undefined : answerUnder(fault, real, '', request);
	}

	models() {
		return [...this.state.alerting.models.get(ORGANIZATION).keys()];
	}

	/** @returns {object | undefined} the configuration of a model; undefined: there is no such model */
	document(model) {
		if (!this.models().includes(model)) return undefined;
		const text = this.state.configurationText(ORGANIZATION, model);
		return text === undefined ? { monitors: [], analyzers: [] } : JSON.parse(text);
	}

	/** @returns {string[] | undefined} the targets of a monitor */
	targets(model, monitor) {
		const found = this.document(model)?.monitors.find(({ id }) => id === monitor);
		return found && (found.actions ?? []).map(({ target }) => target);
	}

	action(id) {
		return this.state.alerting.action(ORGANIZATION, id);
	}
}

module.exports = { AlertingInMemory, KEY, ORGANIZATION };

'use strict';

const { parseExact, stringifyExact } = require('../exactJson');
const { Lag } = require('../lag');

const keyOf = (...parts) => JSON.stringify(parts);

/** Actions, models and monitor configurations of every organization. */
class Alerting {
	/** @param {{ lagMs: number, lagReads: number, now: () => number }} switches the clock, and how late reads of configurations are */
	constructor(switches) {
		this.now = switches.now;
		this.lag = new Lag(switches);
		/** organization id -> action id -> action */
		this.actions = new Map();
		/** ids that were deleted and can never be used again (test/contract/interface.md 2.4) */
		this.usedUp = new Set();
		/** organization id -> model id -> model */
		this.models = new Map();
		/** [organization id, model id] -> { text, committedAt } */
		this.configurations = new Map();
		this.testsSent = [];
		/** Goes up with every write of a configuration: tells a writer that came too late. */
		this.tick = 0;
	}

	/** Makes room for an organization. */
	addOrganization(organizationId) {
		this.actions.set(organizationId, new Map());
		this.models.set(organizationId, new Map());
	}

	/** @returns {object | undefined} */
	action(organizationId, actionId) {
		return this.actions.get(organizationId)?.get(actionId);
	}

	/** Creates or changes an action; what is not given stays. */
	putAction(organizationId, { id, type, payload, enabled }) {
		const at = this.now();
		const before = this.action(organizationId, id);
		this.actions.get(organizationId).set(id, {
			id,
			type,
			enabled: enabled ?? before?.enabled ?? true,
			payload,
			creationTime: before?.creationTime ?? at,
			lastUpdate: at,
		});
	}

	deleteAction(organizationId, actionId) {
		this.actions.get(organizationId).delete(actionId);
		this.usedUp.add(keyOf(organizationId, actionId));
	}

	isUsedUp(organizationId, actionId) {
		return this.usedUp.has(keyOf(organizationId, actionId));
	}

	/**
	 * @returns {Array<{ datasetId: string, itemId: string, itemDisplayName?: string, type: 'MONITOR' }>}
	 *   the monitors that name the action (test/contract/interface.md 2.4)
	 */
	references(organizationId, actionId) {
		const found = [];
		for (const datasetId of this.models.get(organizationId).keys()) {
			const configuration = this.configuration(organizationId, datasetId);
			for (const monitor of configuration?.get('monitors') ?? []) {
				const actions = monitor.get('actions');
				if (Array.isArray(actions) && actions.some((one) => one.get?.('target') === actionId)) {
					found.push({
						datasetId,
						itemId: monitor.get('id'),
						itemDisplayName: monitor.get('displayName'),
						type: 'MONITOR',
					});
				}
			}
		}
		return found;
	}

	/** @returns {string | undefined} the stored text, every literal as it was written; none: never configured */
	configurationText(organizationId, modelId) {
		return this.configurations.get(keyOf(organizationId, modelId))?.text;
	}

	/** @returns {Map<string, unknown> | undefined} a copy of its own, as exactJson reads it */
	configuration(organizationId, modelId) {
		const text = this.configurationText(organizationId, modelId);
		return text === undefined ? undefined : parseExact(text);
	}

	/**
	 * Stores a configuration as it is: no check, no metadata. Tests use it as the other writer.
	 * @param {string} organizationId
	 * @param {string} modelId
	 * @param {string | object} document JSON text, or what exactJson can write
	 */
	storeConfiguration(organizationId, modelId, document) {
		const text = typeof document === 'string' ? document : stringifyExact(document);
		this.tick++;
		this.configurations.set(keyOf(organizationId, modelId), { text, committedAt: this.tick });
	}

	/** Stores what a client wrote: reads may be late to show it (test/contract/interface.md 2.1). */
	write(organizationId, modelId, document) {
		if (this.lag.isOn) this.lag.hide(new Map(this.configurations));
		this.storeConfiguration(organizationId, modelId, document);
	}

	/** @returns {string | undefined} the text that a reader sees; counts as one read */
	shownText(organizationId, modelId) {
		const shown = this.lag.read(this.configurations);
		return shown.get(keyOf(organizationId, modelId))?.text;
	}

	/** @returns {number} the tick of the last write of this configuration */
	committedAt(organizationId, modelId) {
		return this.configurations.get(keyOf(organizationId, modelId))?.committedAt ?? 0;
	}

	/** @returns {() => void} puts everything back as it is now */
	remember() {
		const actions = new Map([...this.actions].map(([id, list]) => [id, new Map(list)]));
		const usedUp = new Set(this.usedUp);
		const configurations = new Map(this.configurations);
		return () => Object.assign(this, { actions, usedUp, configurations });
	}
}

module.exports = { Alerting };

'use strict';

const { empty, json } = require('../answer');
const { invalid, notFound, refusal } = require('./messages');

// test/contract/interface.md 2.4: kind -> [the field that matters, what the others are when they are not sent].
const KINDS = {
	EMAIL: ['email', {}],
	SLACK: ['slackWebhook', {}],
	PAGER_DUTY: ['pagerDutyKey', {}],
	TEAMS: ['webhook', {}],
	WEBHOOK: ['url', { method: 'POST', headers: {}, body: undefined }],
};
const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

/**
 * Notification actions (test/contract/interface.md 1.6, 2.4). Each method takes a request and gives an Answer,
 * or throws a Refusal.
 * @param {object} service
 */
function actions({ state, options }) {
	const { alerting } = state;

	function existing(req) {
		const { org, id } = req.params;
		const action = alerting.action(org, id);
		if (!action) throw notFound(`Action ${id}`);
		return action;
	}

	function show(organizationId, action) {
		const { id, type, payload } = action;
		if (options.documentedOnly) return { id, type, payload };
		return { ...action, references: alerting.references(organizationId, id) };
	}

	/** test/contract/interface.md 2.4: a missing field is stored as PLACEHOLDER, with 200, except for EMAIL. */
	function payloadOf(kind, body) {
		if (!isObject(body)) throw invalid('The payload is not an object', 'action');
		const [field, others] = KINDS[kind];
		const payload = { [field]: 'PLACEHOLDER', ...others, ...body };
		if (payload.body === null) delete payload.body;
		for (const [name, value] of Object.entries(payload)) {
			if (typeof value === 'number') payload[name] = String(value);
			if (name !== field && !Object.hasOwn(others, name)) {
				throw invalid(`Unknown field ${name}`, name);
			}
			if (!fits(name, payload[name])) throw invalid(`${name} has no valid value`, name);
		}
		if (payload[field].trim() === '') throw invalid(`${field} is empty`, field);
		if (kind === 'EMAIL' && !EMAIL.test(payload.email)) throw invalid('No valid email', 'email');
		return payload;
	}

	/** What a request wants of an action. What cannot be stored is refused before the id is looked up. */
	function wanted(req) {
		const { kind, id } = req.params;
		if (!Object.hasOwn(KINDS, kind)) throw invalid(`Unknown action type ${kind}`, 'type');
		if (!/^[0-9a-zA-Z_-]+$/.test(id)) throw invalid('The action id is not valid', 'actionId');
		return { id, type: kind, payload: payloadOf(kind, req.value) };
	}

	function setEnabled(enabled) {
		return (req) => {
			alerting.putAction(req.params.org, { ...existing(req), enabled });
			return empty(200);
		};
	}

	return {
		list(req) {
			const { org } = req.params;
			return json(
				200,
				[...alerting.actions.get(org).values()].map((action) => show(org, action)),
			);
		},

		/** Creates or changes; another kind changes the kind without a word (test/contract/interface.md 2.4). */
		put(req) {
			const { org, id } = req.params;
			const action = wanted(req);
			if (alerting.isUsedUp(org, id)) throw notFound(`Action ${id}`);
			alerting.putAction(org, action);
			return empty(200);
		},

		delete(req) {
			const { org, id } = req.params;
			existing(req);
			if (alerting.references(org, id).length > 0) {
				throw refusal(404, 'ResourceConstraint', `Action ${id} is used by a monitor`);
			}
			alerting.deleteAction(org, id);
			return empty(200);
		},

		enable: setEnabled(true),

		disable: setEnabled(false),

		/** Nothing leaves this machine: the test is only written down. */
		test(req) {
			const { id } = existing(req);
			alerting.testsSent.push({ organizationId: req.params.org, actionId: id, at: alerting.now() });
			return empty(200);
		},
	};
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value) => typeof value === 'string';

/** Whether a payload may have the value: `headers` are texts by name, the rest is text, `body` may be absent. */
function fits(name, value) {
	if (name === 'headers') return isObject(value) && Object.values(value).every(isText);
	return isText(value) || (name === 'body' && value === undefined);
}

module.exports = { actions };

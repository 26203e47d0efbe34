'use strict';

const { empty, json } = require('../answer');
const { invalid, notFound, refusal } = require('./messages');

// docs/interface.md 2.4: kind -> [the field that matters, the others].
const KINDS = {
	EMAIL: ['email', []],
	SLACK: ['slackWebhook', []],
	PAGER_DUTY: ['pagerDutyKey', []],
	TEAMS: ['webhook', []],
	WEBHOOK: ['url', ['method', 'headers', 'body']],
};

/**
 * Notification actions (docs/interface.md 1.6, 2.4). Each method takes a request and gives an Answer,
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

	/** docs/interface.md 2.4: a missing field is stored as PLACEHOLDER, with 200, except for EMAIL. */
	function payloadOf(kind, body) {
		const [field, others] = KINDS[kind];
		const payload = { [field]: body?.[field] };
		if (payload[field] === undefined || payload[field] === null) {
			if (kind === 'EMAIL') throw invalid('email is required', 'email');
			payload[field] = 'PLACEHOLDER';
		}
		for (const other of others) if (body?.[other] !== undefined) payload[other] = body[other];
		return payload;
	}

	function store(req) {
		const { org, kind, id } = req.params;
		if (!Object.hasOwn(KINDS, kind)) throw invalid(`Unknown action type ${kind}`, 'type');
		if (!/^[0-9a-zA-Z_-]+$/.test(id)) throw invalid('The action id is not valid', 'actionId');
		alerting.putAction(org, { id, type: kind, payload: payloadOf(kind, req.exchange.value) });
		return empty(200);
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

		get: (req) => json(200, show(req.params.org, existing(req))),

		/** Creates or changes; another kind changes the kind without a word (docs/interface.md 2.4). */
		put(req) {
			const { org, id } = req.params;
			if (alerting.isUsedUp(org, id)) throw notFound(`Action ${id}`);
			return store(req);
		},

		post(req) {
			const { org, id } = req.params;
			if (alerting.isUsedUp(org, id) || alerting.action(org, id)) {
				throw refusal(409, 'ResourceAlreadyExists', `Action ${id} already exists`, 'actionId');
			}
			return store(req);
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

module.exports = { actions };

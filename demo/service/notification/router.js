'use strict';

const express = require('express');
const { json, plain, Refusal } = require('../answer');
const { actions } = require('./actions');
const { monitorConfig } = require('./monitorConfig');
const { refusal } = require('./messages');

const KEY = /^(.+):(org-[^:]+)$/;

/**
 * The notification and monitor side of the service.
 * @param {object} service
 * @param {(handler: Function) => Function} carry makes an express handler of one that gives an Answer
 * @returns {express.Router} to be mounted at /
 */
function notificationRouter(service, carry) {
	const { state, options, apiKeys } = service;

	/**
	 * docs/interface.md 1.7, 2.4: a key is good in its own organization only.
	 * @returns {string} the organization of the key
	 */
	function organizationOf(req) {
		const key = req.headers['x-api-key'];
		if (key === undefined) throw refusal(401, 'Unauthorized', 'API key is missing');
		const organization = KEY.exec(key)?.[2];
		if (!organization || apiKeys[organization] !== key) {
			throw refusal(403, 'Forbidden', 'API key is not valid');
		}
		return organization;
	}

	function guarded(handler) {
		return carry((req) => {
			const organization = organizationOf(req);
			const { org } = req.params;
			if (org !== undefined && org !== organization) {
				throw refusal(403, 'Forbidden', 'API key is not valid for this organization');
			}
			return handler(req);
		});
	}

	function withBody(handler) {
		return guarded((req) => {
			if (req.exchange.unparsable) throw new Refusal(plain(400, 'Bad Request: invalid JSON'));
			return handler(req);
		});
	}

	const router = express.Router({ strict: true, caseSensitive: true });
	const action = actions(service);
	const config = monitorConfig(service);
	const all = '/v0/notification-settings/:org/actions';
	const model = '/v0/organizations/:org/models/:model/monitor-config';

	if (!options.documentedOnly) {
		router.route(`${all}/:id`).get(guarded(action.get)).delete(guarded(action.delete));
		router.put(`${all}/:id/enable`, guarded(action.enable));
		router.put(`${all}/:id/disable`, guarded(action.disable));
		router.post(`${all}/:id/test`, guarded(action.test));
		router.post(`${all}/:kind/:id`, withBody(action.post));
		router.patch(`${model}/v3`, withBody(config.patch));
		router.put(`${model}/v3/validate`, withBody(config.validate));
		router
			.route(`${model}/monitor/:id`)
			.get(guarded(config.getMonitor))
			.put(withBody(config.putMonitor))
			.delete(guarded(config.deleteMonitor));
		router.get('/v0/organizations/:org/models', guarded(config.models));
		router.get(
			'/v1/api-key/validate',
			guarded((req) => json(200, { orgId: organizationOf(req), valid: true })),
		);
	}
	const missing = carry(() => json(404, { message: 'Not Found' }));
	if (options.documentedOnly) {
		// Or they would be taken for an action of the kind that is really an id.
		router.put([`${all}/:id/enable`, `${all}/:id/disable`], missing);
	}
	router.get(all, guarded(action.list));
	router.put(`${all}/:kind/:id`, withBody(action.put));
	router.route(`${model}/v3`).get(guarded(config.get)).put(withBody(config.put));
	router.use(missing);
	return router;
}

module.exports = { notificationRouter };

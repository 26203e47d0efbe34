'use strict';

const { json, plain, Refusal } = require('../answer');
const { actions } = require('./actions');
const { monitorConfig } = require('./monitorConfig');
const { refusal } = require('./messages');

const KEY = /^(.+):(org-[^:]+)$/;
const ALL = '/v0/notification-settings/:org/actions';
const MODELS = '/v0/organizations/:org/models';
const CONFIG = `${MODELS}/:model/monitor-config`;

/**
 * A request as it arrives.
 * @typedef {object} Request
 * @property {string} method
 * @property {string} path as it left, encoded, without the query
 * @property {string} [key] the API key
 * @property {string} [text] the body
 * @property {number} [tick] what Alerting.tick was on arrival; left out: what it is now
 */

/**
 * The notification and monitor side of the service, without sockets (test/contract/interface.md 1.6, 2.4, 2.5).
 * @param {{ state: import('../state/state').State, apiKeys: Record<string, string>, options: object }} service of
 *   `options` count:
 *   `documentedOnly`  the routes of 1.6 alone
 *   `merges: false`   no PATCH (2.5: it is beside the documented routes)
 *   `patchReplaces`   a PATCH is taken for a PUT; it was never seen, but a client that is wrong there deletes monitors
 *   `keepsText`       the text of a PUT is kept sign for sign, without checks and metadata, and what a PATCH replaces at
 *                     its place: 1.6 promises none of these
 * @returns {(request: Request) => import('../answer').Answer}
 */
function alertingService(service) {
	const { state, options, apiKeys } = service;

	/**
	 * test/contract/interface.md 1.7, 2.4: a key is good in its own organization only.
	 * @returns {string} the organization of the key
	 */
	function organizationOf(key) {
		if (key === undefined) throw refusal(401, 'Unauthorized', 'API key is missing');
		const organization = KEY.exec(key)?.[2];
		if (!organization || apiKeys[organization] !== key) {
			throw refusal(403, 'Forbidden', 'API key is not valid');
		}
		return organization;
	}

	const guarded = (handler) => (req) => {
		const organization = organizationOf(req.key);
		if ((req.params.org ?? organization) !== organization) {
			throw refusal(403, 'Forbidden', 'API key is not valid for this organization');
		}
		return handler(req);
	};

	const withBody = (handler) =>
		guarded((req) => {
			const value = parsed(req.text);
			if (value === undefined) throw new Refusal(plain(400, 'Bad Request: invalid JSON'));
			return handler({ ...req, value });
		});

	const action = actions(service);
	const config = monitorConfig(service);
	const documented = [
		['GET', ALL, guarded(action.list)],
		['PUT', `${ALL}/:kind/:id`, withBody(action.put)],
		['GET', `${CONFIG}/v3`, guarded(config.get)],
		['PUT', `${CONFIG}/v3`, withBody(config.put)],
	];
	const merge = [
		'PATCH',
		`${CONFIG}/v3`,
		withBody(options.patchReplaces ? config.put : config.patch),
	];
	const beside = [
		['DELETE', `${ALL}/:id`, guarded(action.delete)],
		['PUT', `${ALL}/:id/enable`, guarded(action.enable)],
		['PUT', `${ALL}/:id/disable`, guarded(action.disable)],
		['POST', `${ALL}/:id/test`, guarded(action.test)],
		['PUT', `${CONFIG}/monitor/:id`, withBody(config.putMonitor)],
		['DELETE', `${CONFIG}/monitor/:id`, guarded(config.deleteMonitor)],
		['GET', MODELS, guarded(config.models)],
		...(options.merges === false ? [] : [merge]),
	];
	const missing = () => json(404, { message: 'Not Found' });
	const routes = [
		// Those that are not offered come first, too: an id must not be taken for the kind of an action.
		...beside.map(([method, path, handle]) => [
			method,
			path,
			options.documentedOnly ? missing : handle,
		]),
		...documented,
	].map(([method, path, handle]) => [
		method,
		new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
		handle,
	]);

	return function answer({ method, path, key, text = '', tick = state.alerting.tick }) {
		try {
			for (const [own, pattern, handle] of routes) {
				const found = own === method ? pattern.exec(path) : null;
				if (found) return handle({ params: decoded(found.groups), key, text, tick });
			}
			return missing();
		} catch (error) {
			if (!(error instanceof Refusal)) throw error;
			return error.answer;
		}
	};
}

function decoded(params = {}) {
	try {
		return Object.fromEntries(
			Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]),
		);
	} catch {
		throw new Refusal(plain(400, 'Bad Request'));
	}
}

function parsed(text) {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

module.exports = { alertingService };

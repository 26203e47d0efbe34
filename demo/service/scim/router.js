'use strict';

const express = require('express');
const { json, plain, Refusal } = require('../answer');
const { discovery } = require('./discovery');
const { groups } = require('./groups');
const { refusal, SCIM_JSON } = require('./messages');
const { users } = require('./users');

const denied = (status) => new Refusal(json(status, { error: 'Access denied' }));

const bearerOf = (req) => /^Bearer (.+)$/i.exec(req.headers.authorization ?? '')?.[1];

/**
 * The SCIM side of the service.
 * @param {object} service
 * @param {(handler: Function) => Function} carry makes an express handler of one that gives an Answer
 * @returns {{ prefixed: express.Router, bare: express.Router }} to be mounted at /scim and at /
 */
function scimRouters(service, carry) {
	const { state, options, accountToken } = service;
	const { visibility, directory } = state;

	/** docs/interface.md 1.7, 2.1: 401 without a token; 403 for one that is wrong or of another scope. */
	function guarded(handler) {
		return carry((req) => {
			const token = bearerOf(req);
			if (token === undefined) throw denied(401);
			if (token !== accountToken) throw denied(403);
			return handler(req);
		});
	}

	function writing(handler) {
		return guarded((req) => {
			const { contentType, unparsable } = req.exchange;
			const hasBody = req.method !== 'DELETE';
			if (hasBody && ![SCIM_JSON, 'application/json'].includes(contentType)) {
				throw new Refusal(plain(415, 'Unsupported Media Type'));
			}
			if (hasBody && unparsable) throw new Refusal(plain(400, 'Bad Request: invalid JSON'));
			if (!visibility.lags) return handler(req);
			const before = directory.tables.copy();
			try {
				return handler(req);
			} finally {
				visibility.wrote(before);
			}
		});
	}

	function items(router) {
		const user = users(service);
		const group = groups(service);
		router
			.route('/Users/:id')
			.get(guarded(user.get))
			.put(writing(user.replace))
			.patch(writing(user.patch))
			.delete(writing(user.delete));
		router
			.route('/Groups/:id')
			.get(guarded(group.get))
			.put(writing(group.replace))
			.patch(writing(group.patch))
			.post(guarded(group.refuse))
			.delete(guarded(group.refuse));
		return { user, group };
	}

	const settings = { strict: true, caseSensitive: true };
	const prefixed = express.Router(settings);
	const broken = carry(() => plain(500, 'Internal Server Error'));
	// docs/interface.md 2.1: a trailing slash breaks the service.
	prefixed.use((req, res, next) =>
		req.path.length > 1 && req.path.endsWith('/') ? broken(req, res) : next(),
	);

	if (!options.documentedOnly) {
		const documents = discovery();
		const open = (handler) =>
			carry((req) => {
				if (bearerOf(req) === undefined) throw denied(401);
				return handler(req);
			});
		prefixed.get('/ServiceProviderConfig', open(documents.serviceProviderConfig));
		prefixed.get('/Schemas', open(documents.schemas));
		prefixed.get('/ResourceTypes', open(documents.resourceTypes));
	}

	const { user, group } = items(prefixed);
	prefixed.route('/Users').get(guarded(user.list)).post(writing(user.create));
	prefixed
		.route('/Groups')
		.get(guarded(group.list))
		.post(guarded(group.refuse))
		.delete(guarded(group.refuse));
	prefixed.use(
		guarded((req) => {
			throw refusal(404, `No such endpoint: ${req.method} ${req.originalUrl}`);
		}),
	);

	const bare = express.Router(settings);
	if (options.barePaths) items(bare);
	return { prefixed, bare };
}

module.exports = { scimRouters };

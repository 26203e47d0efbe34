'use strict';

const { json, plain, Refusal } = require('../answer');
const { discovery } = require('./discovery');
const { groups } = require('./groups');
const { broken, plainRefusal, SCIM_JSON } = require('./messages');
const { users } = require('./users');

const PATH =
	/^(?:\/scim)?\/(Users|Groups|ServiceProviderConfigs?|Schemas|ResourceTypes?)(?:\/([^/]+))?\/?$/i;
const READ_AS_JSON = ['application/json', SCIM_JSON, 'text/plain'];
const METHODS = ['HEAD', 'OPTIONS', 'GET', 'PUT', 'PATCH', 'POST', 'DELETE'];

const denied = (status, type) => new Refusal(json(status, { error: 'Access denied' }, { type }));

/**
 * The SCIM side of the service, in the order of the gateway: the body is read, the header looked at, the
 * route found; the key is checked by whatever is done with it.
 * @param {object} service
 * @param {(handler: Function) => Function} carry makes an express handler of one that gives an Answer
 * @returns {import('express').RequestHandler} hands on what is no path of SCIM
 */
function scimRouter(service, carry) {
	const { state, options, accountToken } = service;
	const { visibility, directory } = state;

	/** docs/interface.md 1.7, 2.1: 403 for a key that is wrong or of another scope. */
	function checkKey(req) {
		if (keyIn(req) !== accountToken) throw denied(403, SCIM_JSON);
	}

	/** What a write was before is what late reads go on to see. */
	const writing = (handler) => (req) => {
		if (!visibility.lags) return handler(req);
		const before = directory.tables.copy();
		try {
			return handler(req);
		} finally {
			visibility.wrote(before);
		}
	};

	const group = groups(service, checkKey);
	const user = users(service, checkKey, group);
	const resource = (one) => ({
		collection: { GET: one.list, POST: writing(one.create) },
		item: {
			GET: one.get,
			PUT: writing(one.replace),
			PATCH: writing(one.patch),
			DELETE: writing(one.delete),
		},
	});
	const documents = options.documentedOnly ? {} : discovery(service);
	const routes = { users: resource(user), groups: resource(group), ...documents };

	function answer(req) {
		checkBody(req);
		checkHeader(req);
		checkContentType(req);
		const [, name, id] = PATH.exec(req.path) ?? [];
		const route = routes[name?.toLowerCase()]?.[id === undefined ? 'collection' : 'item'];
		if (!route) throw plainRefusal(404, 'Not Found');
		const handler = route[req.method === 'HEAD' ? 'GET' : req.method];
		if (!handler) return methodAnswer(req, route);
		if (/^(users|groups)$/i.test(name)) checkName(req, id);
		req.params.id = id && decodeURIComponent(id);
		return handler(req);
	}

	const carried = carry(answer);
	return (req, res, next) =>
		PATH.test(req.path) || /^\/scim(\/|$)/.test(req.path) ? carried(req, res) : next();
}

/** @returns {string | undefined} whatever stands after the scheme, whichever that is */
const keyIn = (req) => (req.headers.authorization ?? '').split(' ')[1];

function checkBody({ exchange: { text, contentType, value, unparsable } }) {
	if (text === '' || !READ_AS_JSON.includes(contentType)) return;
	if (unparsable || typeof value !== 'object' || value === null) {
		throw plainRefusal(400, 'Bad Request: invalid JSON');
	}
}

/** docs/interface.md 2.1: 401 without a token. */
function checkHeader(req) {
	const key = keyIn(req);
	const isBasic = /^Basic /.test(req.headers.authorization);
	const isPair = /^[^:]+:[^:]/.test(Buffer.from(key ?? '', 'base64').toString());
	if (!key || (isBasic && !isPair)) throw denied(401);
}

function checkContentType({ exchange: { text, contentType } }) {
	if (text === '' || ['application/json', SCIM_JSON].includes(contentType)) return;
	throw plainRefusal(415, 'Unsupported Media Type');
}

/**
 * The gateway takes the name of the resource from what stands around the last slash, and knows it in
 * title case and in lower case: a trailing slash breaks it (docs/interface.md 2.1).
 */
function checkName(req, id) {
	const parts = req.originalUrl.split('/');
	const name = id === undefined ? parts.at(-1).split('?')[0] : parts.at(-2);
	if (['Users', 'users', 'Groups', 'groups'].includes(name)) return;
	if (req.method === 'PUT') throw broken('No such resource');
	throw plainRefusal(500, 'Internal Server Error');
}

function methodAnswer(req, route) {
	const headers = { Allow: ['HEAD', ...Object.keys(route)].join(', ') };
	if (req.method === 'OPTIONS') return plain(200, '', { headers });
	if (!METHODS.includes(req.method)) return plain(501, 'Not Implemented', { headers });
	return plain(405, 'Method Not Allowed', { headers });
}

module.exports = { scimRouter };

'use strict';

const { json, plain, Refusal } = require('../../answer');
const { discovery } = require('./discovery');
const { groups } = require('./groups');
const { broken, plainRefusal, refusal, SCIM_JSON } = require('./messages');
const { users } = require('./users');

const PATH =
	/^(?:\/scim)?\/(Users|Groups|ServiceProviderConfigs?|Schemas|ResourceTypes?)(?:\/([^/]+))?\/?$/i;
const READ_AS_JSON = ['application/json', SCIM_JSON, 'text/plain'];

const denied = (status, type) => new Refusal(json(status, { error: 'Access denied' }, { type }));

/**
 * Speaks as the recorded service does, in the order of its gateway: the body is read, the header looked at, the route
 * found; the key is checked by whatever is done with it.
 */
class Gateway {
	/** @param {import('../service').ScimService} service */
	constructor(service) {
		const { switches } = service;
		/** test/contract/interface.md 1.7, 2.1: 403 for a key that is wrong or of another scope. */
		const checkKey = (request) => {
			const { token } = switches;
			if (token !== undefined && keyIn(request) !== token) throw denied(403, SCIM_JSON);
		};
		const group = groups(service, checkKey);
		const user = users(service, checkKey, group);
		const documents = switches.documentedOnly ? {} : discovery(service);
		this.switches = switches;
		this.routes = { users: resource(user), groups: resource(group), ...documents };
	}

	refusal(status, detail, scimType) {
		return refusal(status, detail, { scimType });
	}

	/**
	 * @param {import('../service').ScimRequest} request
	 * @returns {import('../../answer').Answer}
	 * @throws {Refusal}
	 */
	answer(request) {
		checkBody(request);
		if (this.switches.token !== undefined) checkHeader(request);
		checkContentType(request);
		const [, name, id] = PATH.exec(request.path) ?? [];
		const route = this.routes[name?.toLowerCase()]?.[id === undefined ? 'collection' : 'item'];
		if (!route) throw plainRefusal(404, 'Not Found');
		const handler = route[request.method];
		if (!handler) throw plainRefusal(405, 'Method Not Allowed');
		if (/^(users|groups)$/i.test(name)) checkName(request, id);
		return handler({ ...request, id: id && decodeURIComponent(id) });
	}

	/** Whether a path is one of SCIM. */
	speaksOf(path) {
		return PATH.test(path) || /^\/scim(\/|$)/.test(path);
	}
}

const resource = (one) => ({
	collection: { GET: one.list, POST: one.create },
	item: { GET: one.get, PUT: one.replace, PATCH: one.patch, DELETE: one.delete },
});

/** @returns {string | undefined} whatever stands after the scheme, whichever that is */
const keyIn = ({ headers }) => (headers.authorization ?? '').split(' ')[1];

function checkBody({ text, contentType, body }) {
	if (text === '' || !READ_AS_JSON.includes(contentType)) return;
	if (typeof body !== 'object' || body === null) {
		throw plainRefusal(400, 'Bad Request: invalid JSON');
	}
}

/** test/contract/interface.md 2.1: 401 without a token. */
function checkHeader(request) {
	const key = keyIn(request);
	const isBasic = /^Basic /.test(request.headers.authorization);
	const isPair = /^[^:]+:[^:]/.test(Buffer.from(key ?? '', 'base64').toString());
	if (!key || (isBasic && !isPair)) throw denied(401);
}

function checkContentType({ text, contentType }) {
	if (text === '' || ['application/json', SCIM_JSON].includes(contentType)) return;
	throw plainRefusal(415, 'Unsupported Media Type');
}

/**
 * The gateway takes the name of the resource from what stands around the last slash, and knows it in
 * title case and in lower case: a trailing slash breaks it (test/contract/interface.md 2.1).
 */
function checkName({ method, url }, id) {
	const parts = url.split('/');
	const name = id === undefined ? parts.at(-1).split('?')[0] : parts.at(-2);
	if (['Users', 'users', 'Groups', 'groups'].includes(name)) return;
	if (method === 'PUT') throw broken('No such resource');
	throw plainRefusal(500, 'Internal Server Error');
}

module.exports = { Gateway };

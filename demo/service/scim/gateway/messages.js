'use strict';

const { Messages, Schemas } = require('scimmy');
const { json, plain, Refusal } = require('../../answer');

const SCIM_JSON = 'application/scim+json';
const USER = Schemas.User.definition.id;
const GROUP = Schemas.Group.definition.id;

/**
 * @param {number} status
 * @param {unknown} resource
 * @param {Record<string, string>} [headers]
 * @returns {import('../../answer').Answer}
 */
function scim(status, resource, headers) {
	return json(status, resource, { type: SCIM_JSON, headers });
}

/**
 * test/contract/interface.md 2.1: `invalidSyntax` is the catch-all, and `status` is a number where the gateway
 * refuses and a string where the plugin behind it does.
 * @param {number} status
 * @param {string} detail
 * @param {{ scimType?: string, numeric?: boolean }} [more]
 * @returns {Refusal} to be thrown
 */
function refusal(status, detail, { scimType = 'invalidSyntax', numeric = false } = {}) {
	const shown = numeric ? status : String(status);
	return new Refusal(
		scim(status, { schemas: [Messages.ErrorResponse.id], detail, status: shown, scimType }),
	);
}

const notFound = (id) => refusal(404, `Resource ${id} not found`, { numeric: true });

/** What the gateway cannot take: 500, as a SCIM error. */
const broken = (detail) => refusal(500, detail, { numeric: true });

/** What the frame around the gateway refuses: in plain text (test/contract/interface.md 2.1). */
const plainRefusal = (status, text) => new Refusal(plain(status, text));

const numberIn = (text) => (text ? parseInt(text, 10) : undefined);

// test/contract/interface.md 2.1: `startIndex` alone means 200 items.
const DEFAULT_COUNT = 200;

/**
 * @param {import('../service').ScimService} service
 * @param {import('../service').ScimRequest} request
 * @param {object} shown the resource after a write
 * @returns {import('../../answer').Answer}
 */
const written = (service, { path }, shown) => scim(200, shown, { Location: service.url + path });

/**
 * One page in the list envelope. test/contract/interface.md 2.1: no maximum, and everything without either
 * parameter; what is no number, zero or negative is calculated with as it is. `pageCap` is a limit that
 * the client is not told of.
 * @template T
 * @param {import('../service').ScimService} service
 * @param {import('../service').ScimRequest} request
 * @param {T[]} found
 * @param {(item: T) => object} show
 * @returns {import('../../answer').Answer}
 */
function listAnswer({ switches: { pageCap }, url }, { query, path }, found, show) {
	const isLocated = !query.attributes && !query.excludedAttributes?.includes('meta');
	const asked = numberIn(query.startIndex);
	let from = asked;
	let count = numberIn(query.count);
	if (from && !count) count = DEFAULT_COUNT;
	if (count && !from) from = 1;
	const first = (from ?? 1) - 1;
	const startIndex = asked || 1;
	const page =
		startIndex > found.length
			? []
			: found.slice(first, first + (count ?? found.length)).slice(0, pageCap);
	return scim(200, {
		schemas: [Messages.ListResponse.id],
		totalResults: found.length,
		itemsPerPage: page.length,
		startIndex,
		Resources: page.map((item) => {
			const shown = show(item);
			if (isLocated && shown.id) shown.meta.location = `${url}${path}/${shown.id}`;
			return shown;
		}),
	});
}

/**
 * The body of a write.
 * @param {import('../service').ScimRequest} request
 * @returns {object | Array<unknown>}
 * @throws {Refusal} 500 when it is empty
 */
function bodyOf({ body = {} }) {
	if (JSON.stringify(body) === '{}') throw broken('The request body is empty');
	return body;
}

module.exports = {
	scim,
	refusal,
	notFound,
	broken,
	plainRefusal,
	listAnswer,
	written,
	bodyOf,
	USER,
	GROUP,
	SCIM_JSON,
};

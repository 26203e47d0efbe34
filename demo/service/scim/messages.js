'use strict';

const { Messages, Schemas } = require('scimmy');
const { json, Refusal } = require('../answer');

const SCIM_JSON = 'application/scim+json';
const USER = Schemas.User.definition.id;
const GROUP = Schemas.Group.definition.id;
const PATCH_OP = Messages.PatchOp.id;

/**
 * @param {number} status
 * @param {unknown} resource
 * @param {Record<string, string>} [headers]
 * @returns {import('../answer').Answer}
 */
function scim(status, resource, headers) {
	return json(status, resource, { type: SCIM_JSON, headers });
}

/**
 * docs/interface.md 2.1: `invalidSyntax` is the catch-all, and `status` is a string where the resource
 * refuses and a number where the frame around it does.
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

const notFound = (id) => refusal(404, `Resource ${id} not found`);

/**
 * A whole number in a query.
 * @returns {number | undefined} nothing when it is not there
 * @throws {Refusal} 400 when it is something else
 */
function wholeNumber(query, name) {
	const text = query[name];
	if (text === undefined) return undefined;
	if (!/^-?\d+$/.test(text)) throw refusal(400, `${name} is not a number`, { numeric: true });
	return Number(text);
}

// docs/interface.md 2.1: `startIndex` alone means 200 items.
const DEFAULT_COUNT = 200;

/**
 * One page in the list envelope. docs/interface.md 2.1: no maximum, and everything without either
 * parameter; `pageCap` is a limit that the client is not told of.
 * @template T
 * @param {T[]} found
 * @param {Record<string, string>} query
 * @param {number | undefined} pageCap
 * @param {(item: T) => object} show
 * @returns {import('../answer').Answer}
 * @throws {Refusal} 400
 */
function listAnswer(found, query, pageCap, show) {
	const from = wholeNumber(query, 'startIndex');
	const wanted = wholeNumber(query, 'count');
	const startIndex = Math.max(from ?? 1, 1);
	const unlimited = from === undefined && wanted === undefined;
	const count = unlimited ? Infinity : Math.max(wanted ?? DEFAULT_COUNT, 0);
	const page = found.slice(startIndex - 1, startIndex - 1 + Math.min(count, pageCap ?? Infinity));
	return scim(200, {
		schemas: [Messages.ListResponse.id],
		totalResults: found.length,
		itemsPerPage: page.length,
		startIndex,
		Resources: page.map(show),
	});
}

/**
 * The body of a write.
 * @param {import('express').Request} req
 * @param {string} urn the schema that it must name
 * @returns {object}
 * @throws {Refusal} 400 when it is no object or names another schema
 */
function bodyOf(req, urn) {
	const { value } = req.exchange;
	if (value === null || typeof value !== 'object' || Array.isArray(value)) {
		throw refusal(400, 'The request body is not an object', { numeric: true });
	}
	if (![].concat(value.schemas ?? []).includes(urn)) {
		throw refusal(400, `schemas must contain ${urn}`, { numeric: true });
	}
	return value;
}

/**
 * The operations of a patch, `op` in lower case.
 * @param {import('express').Request} req
 * @returns {Array<{ op: string, path?: string, value?: unknown }>}
 * @throws {Refusal} 400 when the envelope is not that of docs/interface.md 1.4
 */
function operationsOf(req) {
	const { Operations: operations } = bodyOf(req, PATCH_OP);
	if (!Array.isArray(operations)) {
		throw refusal(400, 'Operations is not an array', { numeric: true });
	}
	return operations.map((operation) => {
		const op = String(operation?.op).toLowerCase();
		if (!['add', 'remove', 'replace'].includes(op)) {
			throw refusal(400, `Unknown operation ${operation?.op}`, { numeric: true });
		}
		return { ...operation, op };
	});
}

module.exports = {
	scim,
	refusal,
	notFound,
	listAnswer,
	bodyOf,
	operationsOf,
	USER,
	GROUP,
	SCIM_JSON,
};

'use strict';

const { randomUUID } = require('node:crypto');
const { json, Refusal } = require('../answer');

/**
 * test/contract/interface.md 2.4: `{message, requestId, type[, parameter]}`.
 * @param {number} status
 * @param {string} type
 * @param {string} message
 * @param {string} [parameter]
 * @returns {Refusal} to be thrown
 */
function refusal(status, type, message, parameter) {
	return new Refusal(json(status, { message, requestId: randomUUID(), type, parameter }));
}

const notFound = (what) => refusal(404, 'ResourceNotFound', `${what} not found`);

const invalid = (message, parameter) => refusal(400, 'IllegalArgument', message, parameter);

/** test/contract/interface.md 2.5: what a write of a configuration answers. */
const requestId = () => json(200, { requestId: randomUUID() });

module.exports = { refusal, notFound, invalid, requestId };

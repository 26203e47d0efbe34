'use strict';

/**
 * What a handler gives back. Handlers never touch the response themselves, so that a fault can still
 * change, cut or withhold an answer whose write has already been done.
 * @typedef {{ status: number, type?: string, text?: string, headers?: Record<string, string> }} Answer
 */

/**
 * @param {number} status
 * @param {unknown} value anything JSON can carry
 * @param {{ type?: string, headers?: Record<string, string> }} [more]
 * @returns {Answer}
 */
function json(status, value, { type = 'application/json', headers } = {}) {
	return { status, type, text: JSON.stringify(value), headers };
}

/**
 * @param {number} status
 * @param {string} text
 * @param {{ type?: string, headers?: Record<string, string> }} [more]
 * @returns {Answer}
 */
function plain(status, text, { type = 'text/plain; charset=utf-8', headers } = {}) {
	return { status, type, text, headers };
}

/**
 * @param {number} status
 * @returns {Answer}
 */
function empty(status) {
	return { status };
}

/** Thrown by a handler that refuses: carries the answer to send. */
class Refusal extends Error {
	/** @param {Answer} answer */
	constructor(answer) {
		super(`refused with ${answer.status}`);
		this.answer = answer;
	}
}

module.exports = { json, plain, empty, Refusal };

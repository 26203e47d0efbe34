'use strict';

const { setTimeout: sleep } = require('node:timers/promises');
const express = require('express');
const { plain, Refusal } = require('./answer');
const { answerUnder, carriesOut, cuts } = require('./faults');
const { FORMS } = require('./wire');

/**
 * What is known of one request while it is handled, at `req.exchange`.
 * @typedef {object} Exchange
 * @property {object} entry its line in the log
 * @property {number} tick what Alerting.tick was on arrival
 * @property {string} contentType without parameters, in lower case
 * @property {string} text the body as it came
 * @property {unknown} value the body parsed; undefined when it is not JSON
 * @property {boolean} unparsable
 * @property {object} [fault] the rule that strikes this request
 */

/**
 * The way of every request: written down, read, held up, carried out, answered. Faults strike here and
 * nowhere else.
 * @param {object} service
 */
function exchanges(service) {
	const { log, state, options, faults, rateLimit } = service;

	const readBody = express.text({
		type: () => true,
		limit: options.bodyLimit,
		defaultCharset: 'utf-8',
	});

	function arrive(req, res, next) {
		const [contentType] = (req.headers['content-type'] ?? '').split(';');
		req.exchange = {
			entry: log.open(req),
			tick: state.alerting.tick,
			contentType: contentType.trim().toLowerCase(),
			text: '',
			value: undefined,
			unparsable: true,
		};
		next();
	}

	function parse(req, res, next) {
		const { exchange } = req;
		exchange.text = typeof req.body === 'string' ? req.body : '';
		// For tests that look at every sign; not enumerable, so that /__log does not say everything twice.
		Object.defineProperty(exchange.entry, 'text', { value: exchange.text });
		try {
			exchange.value = JSON.parse(exchange.text);
			exchange.unparsable = false;
		} catch {
			// Said by the handler, which knows whether a body is needed.
		}
		exchange.entry.body = exchange.unparsable ? exchange.text || undefined : exchange.value;
		next();
	}

	async function hold(req, res, next) {
		const { exchange } = req;
		const { entry } = exchange;
		const fault = faults.pick(entry);
		if (fault) {
			exchange.fault = fault;
			entry.fault = fault.kind;
		}
		const wait = options.latencyMs + (fault?.delayMs ?? 0);
		if (wait > 0) await sleep(wait);
		await options.onRequest?.(entry, state);
		if (fault && !carriesOut(fault, entry)) return send(req, res, undefined);
		const refused = rateLimit.take(organizationOf(req), entry);
		if (refused) return send(req, res, refused);
		next();
	}

	/** Makes an express handler of a handler that gives an Answer or throws a Refusal. */
	function carry(handler) {
		return (req, res) => {
			const undo = req.exchange.fault?.kind === 'dropped' ? state.remember() : undefined;
			let answer;
			try {
				answer = handler(req);
			} catch (error) {
				if (!(error instanceof Refusal)) throw error;
				answer = error.answer;
			}
			undo?.();
			send(req, res, answer);
		};
	}

	function send(req, res, real) {
		const { fault, entry } = req.exchange;
		if (fault && cuts(fault)) return req.socket.resetAndDestroy();
		const elsewhere = `http://localhost:${service.port}${req.originalUrl}`;
		const answer = fault ? answerUnder(fault, real, elsewhere, entry) : real;
		if (!answer) return undefined;
		entry.status = answer.status;
		options.onAnswer?.(entry, state);
		res.status(answer.status).set(answer.headers ?? {});
		if (answer.text !== undefined) res.set('Content-Type', answer.type);
		return (FORMS[fault?.kind] ?? FORMS.usual)(res, answer.text ?? '', entry);
	}

	/** What the frame around the service refuses: in plain text (test/contract/interface.md 2.1). */
	function failed(error, req, res, next) {
		if (res.headersSent) return next(error);
		const status = error.status ?? 500;
		if (status === 500) log.failures.push(error);
		const text =
			status === 413 ? 'Payload Too Large' : status < 500 ? 'Bad Request' : String(error.stack);
		return send(req, res, plain(status, text));
	}

	return { before: [arrive, readBody, parse, hold], carry, failed };
}

/** Whose rate-limit bucket pays: named by the part of the token that is no secret. */
function organizationOf({ headers }) {
	return /:(org-[^:]+)$/.exec(headers['x-api-key'] ?? headers.authorization ?? '')?.[1] ?? '';
}

module.exports = { exchanges };

'use strict';

const { json, plain } = require('./answer');
const { matches } = require('./match');
const { seededRandom } = require('./random');
const { FORMS } = require('./wire');

const SCIM_ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';
const html = (status, title) =>
	plain(
		status,
		`<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`,
		{
			type: 'text/html; charset=utf-8',
		},
	);

const scimError = (status, shown = status) =>
	json(
		status,
		{
			schemas: [SCIM_ERROR],
			scimType: 'invalidSyntax',
			detail: 'Request failed with status code 503',
			status: shown,
		},
		{ type: 'application/scim+json' },
	);

/** An answer as a test lays it out; a body may repeat what came. */
function given({ status, body: laid = '', headers }, request) {
	const body = typeof laid === 'function' ? laid(request) : laid;
	if (body === '') return { status, headers };
	if (typeof body !== 'string')
		return json(status, body, { type: 'application/scim+json', headers });
	return plain(status, body, { type: /^\s*</.test(body) ? 'text/html' : 'text/plain', headers });
}

/** What the plugin makes of it when the organizations cannot be listed (test/contract/interface.md 2.1). */
function behindAnswer({ method, path, query }, real) {
	const [, id] = /\/Groups(?:\/([^/]+))?$/i.exec(path) ?? [];
	if (method === 'PUT' && id !== undefined) return scimError(500);
	const listsMembership = query.filter?.startsWith('members');
	if (method !== 'GET' || real.status !== 200 || listsMembership) return real;
	if (id === undefined) return /\/Groups$/i.test(path) ? scimError(400) : real;
	return JSON.parse(real.text).members ? real : scimError(404);
}

/**
 * Each kind: whether the request is carried out first (`write`), and what is sent instead of its
 * answer. `undefined` from `answer` means: nothing at all (`cut` closes the connection).
 */
const KINDS = {
	'reset-before': { write: false, cut: true },
	'reset-after': { write: true, cut: true },
	429: {
		write: false,
		answer: (rule) =>
			plain(429, 'Too Many Requests', {
				headers:
					rule.retryAfter === undefined ? undefined : { 'Retry-After': String(rule.retryAfter) },
			}),
	},
	// The plugin reads back what it wrote, and that read is what was refused.
	'429-after': { write: true, answer: () => scimError(429, '429') },
	'behind-plugin': {
		write: ({ method, path }) => method !== 'PUT' || !/\/Groups\/[^/]+$/i.test(path),
		answer: (rule, real, elsewhere, request) => behindAnswer(request, real),
	},
	'500-html': { write: false, answer: () => html(500, '500 Internal Server Error') },
	'500-after': { write: true, answer: () => plain(500, 'upstream request timeout') },
	'timeout-after': { write: true },
	'html-200': { write: false, answer: () => html(200, 'Sign in') },
	// A route or a kind that this deployment does not know (test/contract/interface.md 2.4, 2.5); `status` for another answer.
	missing: {
		write: false,
		answer: (rule) => json(rule.status ?? 404, { message: 'Not Found' }),
	},
	'html-403': { write: false, answer: () => html(403, '403 Forbidden') },
	truncated: {
		write: true,
		answer: (rule, real) => ({
			...real,
			text: (real.text ?? '').slice(0, (real.text ?? '').length / 2),
		}),
	},
	'error-in-200': {
		write: false,
		answer: () =>
			json(
				200,
				{
					schemas: [SCIM_ERROR],
					status: '500',
					detail: 'Internal error while handling the request',
				},
				{ type: 'application/scim+json' },
			),
	},
	'empty-200': { write: false, answer: () => json(200, {}) },
	redirect: {
		write: false,
		answer: (rule, real, elsewhere) =>
			plain(rule.status ?? 302, '', { headers: { Location: rule.location ?? elsewhere } }),
	},
	status: {
		write: false,
		answer: (rule, real, elsewhere, request) => given(rule, request),
	},
	// Not a fault of the wire: the service says 200 and has kept nothing (test/contract/interface.md 2.5).
	dropped: { write: true, answer: (rule, real) => real },
	// The answer itself, in another form.
	...Object.fromEntries(
		Object.keys(FORMS).map((form) => [form, { write: true, answer: (rule, real) => real }]),
	),
};

/**
 * Decides which request meets which fault. The first rule that matches and is due wins; a rule counts
 * only the requests that match it, and all of those.
 */
class Faults {
	/**
	 * @param {Array<object>} rules `{ on?, method?, path?, nth?, from?, every?, rate?, times?, kind, write?, retryAfter?, location?, status?, body?, headers?, delayMs? }`
	 * @param {number} randomSeed
	 * @throws {Error} on a kind that does not exist
	 */
	constructor(rules, randomSeed) {
		const random = seededRandom(randomSeed);
		this.rules = [];
		this.random = random;
		for (const rule of rules) this.add(rule);
	}

	/**
	 * Adds a rule while the service runs.
	 * @param {object} rule
	 */
	add(rule) {
		if (!KINDS[rule.kind]) throw new Error(`Unknown fault kind '${rule.kind}'`);
		this.rules.push({ rule, seen: 0, fired: 0 });
	}

	/** Takes every rule away. */
	clear() {
		this.rules.length = 0;
	}

	/**
	 * @param {{ method: string, path: string }} request
	 * @returns {object | undefined} the rule that strikes
	 */
	pick(request) {
		const matching = this.rules.filter(({ rule }) => matches(request, rule));
		for (const counter of matching) counter.seen++;
		for (const counter of matching) {
			const { rule } = counter;
			if (counter.fired >= (rule.times ?? Infinity) || !this.due(counter)) continue;
			counter.fired++;
			return rule;
		}
		return undefined;
	}

	due({ rule, seen }) {
		if (rule.nth !== undefined) return [].concat(rule.nth).includes(seen);
		if (rule.from !== undefined) return seen >= rule.from;
		if (rule.every !== undefined) return seen % rule.every === 0;
		if (rule.rate !== undefined) return this.random() < rule.rate;
		return true;
	}
}

/** Those that need nothing more said. */
const FAULT_KINDS = Object.keys(KINDS).filter((kind) => !['status', 'usual'].includes(kind));

/** @returns {boolean} whether the request is carried out in spite of the fault */
function carriesOut(rule, request) {
	const write = rule.write ?? KINDS[rule.kind].write;
	return typeof write === 'function' ? write(request) : write;
}

/** @returns {boolean} whether the connection is cut instead of answered */
const cuts = (rule) => KINDS[rule.kind].cut === true;

/**
 * @param {object} rule
 * @param {import('./answer').Answer | undefined} real the answer of the request, when it was carried out
 * @param {string} elsewhere where a redirect without a location of its own points to
 * @param {object} request its line in the log
 * @returns {import('./answer').Answer | undefined} what is sent; nothing means that no answer ever comes
 */
const answerUnder = (rule, real, elsewhere, request) =>
	KINDS[rule.kind].answer?.(rule, real, elsewhere, request);

module.exports = { Faults, carriesOut, cuts, answerUnder, FAULT_KINDS };

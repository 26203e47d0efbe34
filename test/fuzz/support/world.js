'use strict';

const { answerUnder, carriesOut } = require('../../../demo/service/faults');
const { changesBetween } = require('../../world/truth');
const { carryOut } = require('../../world/writers');
const {
	CODES,
	FAILURES,
	GARBAGE,
	GONE,
	LIES,
	LOCATIONS,
	PAUSES,
	REDIRECTS,
	STRANGE,
	SUCCESSES,
	TYPES,
	changed,
	failureText,
	inOtherCase,
	isScimList,
	withExtras,
} = require('./spoil');
const { take } = require('./choices');

/** More requests than any run of these cases may need. */
const MOST_REQUESTS = 3_000;
/** Bytes that the endless answer comes in. */
const PIECE = Buffer.alloc(64 * 1024, 0x20);
const UNWANTED = /[\u0000-\u001f\u007f]/;

/** Statuses and texts instead of an answer. */
const SAID = {
	failure: ({ a, ...more }, echo) => [take(FAILURES, a), failureText(more, echo)],
	gone: ({ a, ...more }, echo) => [take(GONE, a), failureText(more, echo)],
	garbage: ({ a, b }) => [take(SUCCESSES, b), take(GARBAGE, a)],
	lie: ({ a, b }) => [take(SUCCESSES, b), take(LIES, a)],
	strange: ({ a, b }) => [take(STRANGE, a), take([...GARBAGE, ...LIES], b)],
};

const ALTERED = { extras: withExtras, change: changed };

/**
 * A service that keeps the truth and may say something else. It replaces n8n's HTTP helper and the clock.
 */
class World {
	/**
	 * @param {{ truth: object, script: object, others: object[], hasSecond?: boolean, secret: string, base: string, isScim: boolean, mostBytes: number }} given
	 */
	constructor({ others, hasSecond = false, ...given }) {
		Object.assign(this, given);
		this.others = [...others];
		this.meddles = others.length > 0 || hasSecond;
		this.refusals = 0;
		/** What was carried out, in order; and what another client did meanwhile, as `{ other }`. */
		this.log = [];
		this.requests = [];
		/** Those of a second run of ours. */
		this.besides = [];
		/** How many there were, by `METHOD Type`. */
		this.named = {};
		this.answers = [];
		/** What must never happen, in words. */
		this.faults = [];
		this.now = Date.UTC(2026, 10, 21);
		this.seen = { reads: 0, writes: 0 };
		/** Answers that have come: without one, and without a pause, a run decides nothing. */
		this.delivered = 0;
	}

	/** What n8n's helper does: resolves for every status, rejects for the network. */
	async exchange(options, isSecond = false) {
		const { limit } = this;
		this.check(options);
		const { method, url, headers, body } = options;
		const request = { method, url: new URL(url), headers, body, isSecond };
		(isSecond ? this.besides : this.requests).push(
			`${method} ${request.url.pathname}${request.url.search}`,
		);
		const [, type] = /\/(Users|Groups)\b/.exec(url) ?? [];
		this.named[`${method} ${type}`] = (this.named[`${method} ${type}`] ?? 0) + 1;
		this.now += 5;
		request.sent = this.moment();
		await this.pause();
		if (this.requests.length + this.besides.length > MOST_REQUESTS) {
			this.faults.push(`more than ${MOST_REQUESTS} requests`);
			throw new Error('the fuzz has enough');
		}
		const kind = method === 'GET' ? 'reads' : 'writes';
		this.seen[kind] += 1;
		const { first, rest } = this.script[kind];
		const said = first[this.seen[kind] - 1] ?? rest;
		if (said.kind !== 'truth') this.refusals += 1;
		let answer;
		try {
			answer = this.answer(request, said, limit);
		} finally {
			this.meddle(method === 'GET' && /\/Groups\/./.test(url));
		}
		await this.pause();
		this.delivered += 1;
		return await answer;
	}

	moment() {
		return { now: this.now, slept: this.slept, delivered: this.delivered };
	}

	/** Lets other clients act meanwhile. @param isLook a look takes no extra time */
	meddle(isLook) {
		const counts = { requests: this.requests.length, refusals: this.refusals, ...this.named };
		const due = this.others.filter(({ after, at }) => counts[after] > at);
		this.others = this.others.filter((other) => !due.includes(other));
		for (const other of due) {
			const isDone = this.isScim && carryOut(this.truth, other).length > 0;
			if (isDone) this.log.push({ other, sent: this.moment() });
			if (!isLook) this.now += other.lateMs;
		}
	}

	/** Lets requests under way overtake each other. */
	async pause() {
		for (let turns = (this.requests.length * 7) % 5; turns > 0; turns--) await undefined;
	}

	/** Nothing but what the credential's service is may be asked, and nothing may be followed. */
	check({ url, method, headers, body, ...options }) {
		const wrong = (words) => this.faults.push(`${method} ${String(url).slice(0, 200)}: ${words}`);
		const base = new URL(this.base);
		const target = new URL(url);
		if (target.origin !== base.origin) wrong('another host');
		if (!target.pathname.startsWith(`${base.pathname.replace(/\/$/, '')}/`)) wrong('another path');
		if (target.href !== url && !UNWANTED.test(url)) {
			if (target.pathname.split('/').length !== url.split('?')[0].split('/').length - 2)
				wrong('the path is not what it seems');
		}
		if (options.disableFollowRedirect !== true) wrong('redirects would be followed');
		if (options.sendCredentialsOnCrossOriginRedirect !== false) wrong('would send the token along');
		if (options.allowedDomains !== base.hostname) wrong('is not pinned to its host');
		if (options.skipSslCertificateValidation !== false) wrong('would take any certificate');
		if (JSON.stringify(headers).includes(this.secret)) wrong('shows the token in its headers');
		if (body !== undefined && typeof body !== 'string') wrong('its body is no text');
		if (String(url).includes(this.secret.split(':')[0])) wrong('shows the token');
	}

	/** A service refuses what is too deep for itself. */
	truly(request) {
		try {
			if (!this.isScim) return this.truth.carryOut(request);
			return this.truth.answer({ ...request, url: request.url.href });
		} catch (error) {
			if (error.name === 'RangeError') return { status: 400, text: '{"message":"too deep"}' };
			this.faults.push(`the service itself fails: ${error.stack}`);
			return { status: 500, text: 'broken' };
		}
	}

	/** @param kind how it is answered: a read shows what is so where that is the truth */
	carryOut(request, kind) {
		const { method, url, body } = request;
		if (request.isSecond) return this.carryOutBesides(request);
		const isJudged = this.meddles && this.isScim && method !== 'GET';
		const before = isJudged ? new Map(this.truth.groups) : undefined;
		const answer = this.truly(request);
		const path = decoded(url.pathname);
		const groups = before && { before, after: new Map(this.truth.groups) };
		this.log.push({ method, path, body, kind, ...groups, sent: request.sent });
		if (request.method === 'GET' && answer.status === 200) this.answers.push(answer.text);
		return answer;
	}

	/** To the first run, a second run is another client. */
	carryOutBesides(request) {
		const before = this.truth.now();
		const answer = this.truly(request);
		for (const { id, key, to } of changesBetween(before, this.truth.now())) {
			const [organization, role] = key.split(':');
			const other = { id, organization, role: to === true ? role : '' };
			this.log.push({ other, sent: this.moment() });
		}
		if (request.method === 'GET' && answer.status === 200) this.answers.push(answer.text);
		return answer;
	}

	answer(request, said, limit) {
		const { a, b, c, kind } = said;
		// What never arrived was not carried out; everything else may have been.
		const code = take(CODES, a);
		const arrives =
			said.write && !(kind === 'broken' && /REFUSED|NOTFOUND|EAI|UNREACH|CERT/.test(code));
		const isRead = request.method === 'GET';
		const headers = { 'content-type': take(TYPES, 0) };
		const plain = (status, text) => this.raw(status, text, headers, said);
		const unseen = () => {
			if (!isRead && arrives) this.carryOut(request, kind);
		};
		if (kind in SAID) {
			unseen();
			if (kind === 'failure') headers['retry-after'] = take(PAUSES, c);
			return plain(...SAID[kind](said, { secret: this.secret, body: request.body }));
		}
		switch (kind) {
			case 'dropped': {
				// Taken with a 2xx, and not kept: what is there still is as it was.
				if (isRead || request.method === 'POST') break;
				const { text } = this.truly({ method: 'GET', url: request.url });
				return plain(200, take([text, '', '{"requestId":"1"}'], a) ?? '');
			}
			case 'redirect':
				unseen();
				headers.location = take([...LOCATIONS, `https://elsewhere.test/?t=${this.secret}`], b);
				return plain(take(REDIRECTS, a), take(GARBAGE, c));
			case 'broken':
				unseen();
				throw this.broken(code, b);
			case 'hang':
				unseen();
				limit.abort(new DOMException('The operation timed out.', 'TimeoutError'));
				return new Promise(() => {});
			case 'endless':
				unseen();
				return { statusCode: take([200, 500], a), headers, body: this.endless() };
			default:
		}
		const isBusy = kind.startsWith('429');
		if (isBusy || (kind === 'behind-plugin' && this.truth.switches.speaks === 'gateway')) {
			const entry = { method: request.method, path: request.url.pathname };
			entry.query = Object.fromEntries(request.url.searchParams);
			const real = carriesOut({ kind }, entry) ? this.carryOut(request, kind) : undefined;
			const { status, text = '' } = answerUnder({ kind }, real, '', entry);
			headers['retry-after'] = status === 429 ? '1' : undefined;
			return plain(status, text);
		}
		const { status, text = '' } = this.carryOut(request, kind);
		const value = parsed(text);
		const isOne = status === 200 && typeof value === 'object' && value !== null;
		if (kind === 'cutOff' && text !== '') return plain(status, text.slice(0, a % text.length));
		if (kind === 'torn') return { statusCode: status, headers, body: torn(text, a) };
		if (kind === 'otherType') {
			headers['content-type'] = take(TYPES, a);
			return plain(status, `\uFEFF${text}`);
		}
		if (kind === 'status') return plain(take([...SUCCESSES, ...GONE, ...FAILURES], a), text);
		if (kind === 'otherSuccess' && status >= 200 && status < 300)
			return plain(take(SUCCESSES, a), text);
		if (!isOne) return plain(status, text);
		if (kind === 'another') return plain(200, take([...this.answers, text], a));
		if (kind in ALTERED) return plain(200, ALTERED[kind](value, said));
		if (kind === 'otherCase' && this.isScim)
			return plain(200, JSON.stringify(inOtherCase(value, a)));
		if (!this.isScim || !isScimList(value)) return plain(200, text);
		const list = (Resources, totalResults = value.totalResults) =>
			plain(200, JSON.stringify({ ...value, Resources, totalResults }));
		switch (kind) {
			case 'noIds':
				return list(
					value.Resources.map((entry, at) =>
						(at + a) % 3 === 0 ? { ...entry, id: take([undefined, '', null, {}], b) } : entry,
					),
				);
			case 'twice':
				return list(
					value.Resources.flatMap((entry, at) => ((at + a) % 3 === 0 ? [entry, entry] : [entry])),
				);
			case 'moreInTotal':
				return list(value.Resources, value.totalResults + 1 + (c % 50));
			case 'samePage': {
				const again = new URL(request.url);
				again.searchParams.delete('startIndex');
				return plain(200, this.truly({ ...request, url: again }).text);
			}
			default:
				return plain(200, text);
		}
	}

	/** As n8n gives it: a stream of pieces, which may cut a letter in two. */
	raw(status, text, headers, { c }) {
		const bytes = Buffer.from(text, 'utf8');
		const size = take([bytes.length || 1, 7, 4096, 1 + (c % 300)], c);
		const pieces = async function* () {
			const step = Math.max(size, Math.ceil(bytes.length / 50));
			for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step);
		};
		return { statusCode: status, headers, body: pieces() };
	}

	async *endless() {
		for (let sent = 0; ; sent += PIECE.length) {
			if (sent > this.mostBytes + PIECE.length) {
				this.faults.push('reads on where an answer is too large');
				return;
			}
			yield PIECE;
		}
	}

	broken(code, way) {
		const text = `request to ${this.base} with ${this.secret} failed`;
		const config = { headers: { Authorization: `Bearer ${this.secret}` } };
		return take(
			[
				Object.assign(new Error(text), { code, config }),
				Object.assign(new Error(text), { httpCode: code, cause: { code, config } }),
				new Error(text),
				Object.assign(new Error(''), { code: 7 }),
				text,
				undefined,
				null,
				{ code, message: text },
			],
			way,
		);
	}
}

/** Breaks off in the middle. */
async function* torn(text, number) {
	const bytes = Buffer.from(text, 'utf8');
	yield bytes.subarray(0, bytes.length === 0 ? 0 : number % bytes.length);
	throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
}

function decoded(path) {
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}

function parsed(text) {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

module.exports = { MOST_REQUESTS, World };

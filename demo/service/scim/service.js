'use strict';

const { empty, plain, Refusal } = require('../answer');
const { Directory } = require('./directory');
const { Gateway } = require('./gateway/gateway');
const { Rfc } = require('./rfc');
const { switchesOf } = require('./switches');

const SPEAKERS = { gateway: Gateway, rfc: Rfc };
const READS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * What came, taken apart.
 * @typedef {object} ScimRequest
 * @property {string} method
 * @property {string} path as it was sent; dot segments are not resolved, as a router sees them
 * @property {string} url path and query
 * @property {Record<string, string>} query
 * @property {Record<string, string>} headers names in lower case
 * @property {string} contentType without parameters, in lower case
 * @property {string} text the body as it came
 * @property {any} body the body parsed; undefined when it is not JSON
 */

/** A SCIM service without sockets: see switches.js for its ways and directory.js for what it keeps. */
class ScimService extends Directory {
	/**
	 * @param {object} seed see Directory
	 * @param {Partial<typeof import('./switches').DEFAULTS>} [switches] may be changed while it runs
	 */
	constructor(seed, switches = {}) {
		super(seed, switchesOf(switches));
		/** Where it stands, for `location`. */
		this.url = 'http://scim.test';
		this.writes = 0;
		this.speaker = new SPEAKERS[this.switches.speaks](this);
	}

	/**
	 * @param {{ method: string, url: string, headers?: object, body?: string }} request
	 * @param {{ keeps?: boolean }} [how] `keeps` false: answers as if all was well, and keeps nothing of it
	 * @returns {import('../answer').Answer}
	 */
	answer(given, { keeps = true } = {}) {
		const request = requestOf(given);
		const isWrite = !READS.includes(request.method);
		if (isWrite) {
			this.writes += 1;
			this.switches.onWrite?.(request, this);
		}
		const undo = keeps ? undefined : this.remember();
		const tellsBefore = !keeps || this.switches.patchAnswers === 'stale';
		// A copy of all that there is takes longer than the write.
		const before = isWrite && (tellsBefore || this.lag.isOn) ? this.now() : undefined;
		/** What answers to writes show; what is not kept shows what stays. */
		this.told = tellsBefore ? before : this;
		try {
			this.checkShown(request);
			return this.speaker.answer(request);
		} catch (error) {
			if (!(error instanceof Refusal)) throw error;
			return error.answer;
		} finally {
			undo?.();
			if (isWrite) this.record(`${request.method} ${request.path}`);
			if (before !== undefined && this.lag.isOn) this.lag.hide(before);
		}
	}

	/**
	 * Adds and removes members, step by step (test/contract/interface.md 2.3). An unknown user is passed over, and refused in the
	 * end; an email domain that the organization does not take, and a removal of who is no member, stop everything where
	 * they are met.
	 * @param {string} groupId
	 * @param {Array<{ op: 'add' | 'remove', ids: Iterable<string> }>} steps
	 * @param {{ isList?: boolean }} [how] whether this is a whole list, which names those too who are members
	 * @throws {Refusal}
	 */
	modify(groupId, steps, { isList = false } = {}) {
		const { unknownMembers, inactiveRefuses, refusesStrangers, neverAdds, neverAddsInactive } =
			this.switches;
		const refused = [];
		for (const { op, ids } of steps) {
			for (const id of ids) {
				if (op === 'remove') {
					if (this.take(groupId, id) || !refusesStrangers) continue;
					throw this.speaker.refusal(404, `User ${id} is not a member of ${groupId}`);
				}
				const user = this.users.get(id);
				const isUnknown = user === undefined && unknownMembers !== 'taken';
				const isOut = inactiveRefuses && user?.active === false;
				if (neverAdds.includes(id) || (neverAddsInactive && user?.active === false)) continue;
				if (isUnknown || (isOut && !this.groups.get(groupId).includes(id))) refused.push(id);
				else if (this.takes(groupId, id)) this.add(groupId, id, !isList);
				else throw this.invalid(`An email domain is not allowed in ${groupId}`);
			}
			this.record(`${op} in ${groupId}`);
		}
		if (refused.length > 0) throw this.invalid(`Some users did not exist ${refused.join(', ')}`);
	}

	/** @throws {Refusal} for an ID that is hidden, or that the server before it refuses */
	checkShown({ method, path }) {
		const { hidesById, refusesEncodedSlash, silentForUnknown } = this.switches;
		if (refusesEncodedSlash && /%2f/i.test(path))
			throw new Refusal(plain(404, '<h1>Not Found</h1>', { type: 'text/html' }));
		if (!hidesById.some((id) => path.endsWith(`/${encodeURIComponent(id)}`))) return;
		const isSilent = silentForUnknown && ['PATCH', 'DELETE'].includes(method);
		throw isSilent ? new Refusal(empty(204)) : this.speaker.refusal(404, 'No such resource');
	}

	/** @returns {Refusal} 400 for a value that cannot be taken */
	invalid(detail) {
		return this.speaker.refusal(400, detail, 'invalidValue');
	}
}

function requestOf({ method, url, headers = {}, body: text = '' }) {
	const [, path, search = ''] = /^(?:https?:\/\/[^/]+)?([^?#]*)(?:\?([^#]*))?/.exec(url);
	const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
	const { 'content-type': type = '' } = Object.fromEntries(lower);
	let body;
	try {
		if (text !== '') body = JSON.parse(text);
	} catch {
		// Said by what needs a body.
	}
	return {
		method,
		path,
		url: search === '' ? path : `${path}?${search}`,
		query: Object.fromEntries(new URLSearchParams(search)),
		headers: Object.fromEntries(lower),
		contentType: type.split(';')[0].trim().toLowerCase(),
		text,
		body,
	};
}

module.exports = { ScimService };

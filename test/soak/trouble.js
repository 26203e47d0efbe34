'use strict';

const { carryOut } = require('../world/writers');
const { NAMES } = require('./truth');

/**
 * Kinds of demo/service/faults.js that any service may meet, more often those that are usual. An answer to PATCH shows
 * that it was dropped, or nothing; one to POST would claim that the user exists.
 */
const FAULTS = [
	...[429, 429, '500-html', '500-html', 'reset-before', 'reset-after', 'reset-after', '500-after'],
	...['429-after', 'html-200', 'html-403', 'truncated', 'error-in-200', 'empty-200', 'redirect'],
	'dropped',
];
const SCIM_ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** How services say when a limit begins anew. */
const LIMIT_HEADERS = [
	(seconds) => ({ ratelimit: `"day";r=900;t=80000, "default";r=0;t=${seconds}` }),
	(seconds) => ({ ratelimit: `limit=100, remaining=0, reset=${seconds}` }),
	(seconds) => ({ 'ratelimit-remaining': '0', 'ratelimit-reset': `${seconds}` }),
	(seconds, now) => ({
		...{ 'x-rate-limit-remaining': '0' },
		'x-rate-limit-reset': `${Math.ceil(now / 1000) + seconds}`,
	}),
];

/** A limit of so many requests in each window. */
class Limit {
	constructor(most, windowMs, headersOf) {
		Object.assign(this, { most, windowMs, headersOf, window: -1, used: 0, times: 0 });
	}

	/** Counts a request. @returns the headers of its refusal; undefined where it is accepted */
	refusal(now) {
		const window = Math.floor(now / this.windowMs);
		if (window !== this.window) Object.assign(this, { window, used: 0 });
		this.used += 1;
		if (this.used <= this.most) return undefined;
		this.times += 1;
		const seconds = Math.ceil(((window + 1) * this.windowMs - now) / 1000);
		return this.headersOf(seconds, now);
	}
}

/** What is answered from some request of the night on, to the end of the night. */
const DOWN = [
	{ kind: 'status', status: 503, body: 'down' },
	{ kind: 'status', status: 503, body: 'down', headers: { 'Retry-After': '3600' } },
	{ kind: '500-html' },
	{ kind: 'reset-before' },
	{ kind: 'status', status: 401, body: 'The token was revoked' },
];

/** Two nights of trouble, two clean ones. */
const isClean = (night) => night % 4 >= 2;

/** Faults, late reads and refusals of a night. @returns words for it */
function brew(night, service, truth, chance) {
	service.faults.clear();
	delete service.limit;
	const calm = { lagMs: 0, torn: false, indexLagMs: 0, patchAnswers: 'body' };
	Object.assign(service.switches, calm);
	if (isClean(night)) return 'clean';
	const words = [];
	if (chance.isHit(0.8)) {
		for (let count = 1 + chance.below(4); count > 0; count--) {
			const kind = chance.pick(FAULTS);
			const methods =
				kind === 'dropped' ? ['PATCH'] : [undefined, undefined, 'GET', 'POST', 'PATCH'];
			const method = chance.pick(methods);
			// Without the list of users, each of thousands is looked for alone.
			const rate = chance.pick(/^P/.test(method) ? [0.02, 0.1, 0.4] : [0.01, 0.03]);
			service.faults.add({
				...{ kind, rate, ...(method && { method }) },
				...(kind === 'redirect' && { location: 'http://elsewhere.test/' }),
				...(kind === 429 && { retryAfter: chance.pick([undefined, 3, 30]) }),
			});
			words.push(`${kind}${method ? ` of ${method}` : ''} at ${rate}`);
		}
	}
	if (chance.isHit(0.25)) {
		const method = chance.pick([undefined, undefined, 'PATCH', 'GET']);
		const down = { ...chance.pick(DOWN), from: 1 + chance.below(20), isDown: true };
		service.faults.add({ ...down, ...(method && { method }) });
		words.push(`${method ?? 'all'} ${down.status ?? down.kind} from request ${down.from} on`);
	}
	if (chance.isHit(0.25)) {
		service.limit = new Limit(8, 10_000, chance.pick(LIMIT_HEADERS));
		words.push('8 requests in 10 seconds');
	}
	if (chance.isHit(0.4)) {
		const lagMs = chance.pick([300, 2_000, 20_000]);
		const indexLagMs = chance.pick([0, 3_000, 60_000]);
		Object.assign(service.switches, { lagMs, indexLagMs, torn: chance.isHit(0.5) });
		words.push(`reads ${lagMs} ms late`);
	}
	service.switches.patchAnswers = chance.pick(['body', '204', 'both', 'stale']);
	if (chance.isHit(0.6)) {
		const places = chance.some(truth.places, 5).map(([group]) => group.split(':')[0]);
		const refused = chance.pick([
			{ method: 'PATCH', path: new RegExp(`/Groups/.*(${places.join('|')})(:|$)`) },
			{ method: 'POST', path: /\/Users$/ },
			{ method: 'PATCH', path: /\/Users\//, rate: 0.5 },
		]);
		const status = chance.pick([400, 403, 409]);
		const body = { schemas: [SCIM_ERROR], status: `${status}`, detail: 'Not tonight' };
		service.faults.add({ kind: 'status', status, body, ...refused });
		words.push(`${refused.method} of ${refused.path} is ${status}`);
	}
	return [...words, service.switches.patchAnswers].join(', ');
}

/** What another client does by hand; undefined where it cannot be done. */
const BY_HAND = {
	grant: ({ truth, chance }) => ({ kind: 'add', key: chance.pick(chance.pick(truth.places)) }),
	revoke: () => ({ kind: 'dropAll' }),
	/** Inactive people can be added to groups, too (test/contract/interface.md 2.2); no run takes anything outside from them. */
	outside({ service, truth, chance, someone }) {
		if (someone.active === false && service.switches.deactivationDrops) return undefined;
		return { kind: 'add', key: chance.pick(truth.outside) };
	},
	deactivate: () => ({ kind: 'deactivate' }),
	activate: () => ({ kind: 'activate' }),
	rename: ({ chance, someone: { attributes } }) => ({
		...{ kind: 'set', attributes: { ...attributes, name: { givenName: chance.pick(NAMES) } } },
	}),
	/** The login stays what it was (test/contract/interface.md 2.2). */
	show({ service, chance, someone: { email } }) {
		if (service.switches.userNames !== 'shown' || !email.endsWith('@example.com')) return undefined;
		const userName = chance.isHit(0.3) ? email : `shown.${chance.below(1e6)}@example.com`;
		return { kind: 'set', userName };
	},
	create: ({ chance }) => ({
		...{ kind: 'create', email: `stranger-${chance.below(50)}@example.com` },
	}),
	delete: () => ({ kind: 'delete' }),
};

/** While a run lasts: a row with a user name that was changed meanwhile is an error, and holds back what the night is to do. */
const AT_NIGHT = Object.keys(BY_HAND).filter((kind) => kind !== 'show');

/**
 * @param today people of HR's day, the target of every other change
 * @returns what has changed by it, as of changesBetween
 */
function meddle(
	{ service, truth, chances: { hand: chance } },
	today,
	kinds = Object.keys(BY_HAND),
) {
	const people = chance.isHit(0.5) ? today : [...service.users.values()];
	const someone = service.users.get(chance.pick(people).id);
	const deed = someone && BY_HAND[chance.pick(kinds)]({ service, truth, chance, someone });
	return deed === undefined ? [] : carryOut(service, { ...deed, id: someone.id });
}

module.exports = { AT_NIGHT, brew, isClean, meddle };

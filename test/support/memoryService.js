'use strict';

const { Faults, answerUnder, carriesOut, cuts } = require('../../demo/service/faults');
const { seededRandom } = require('../../demo/service/random');
const { ROLES, shapeOf, userIdOf } = require('../../demo/service/scim/directory');
const { ScimService } = require('../../demo/service/scim/service');
const { ACCOUNT } = require('../../demo/service/scim/switches');

/** Beside the switches of the service (demo/service/scim/switches.js). */
const DEFAULTS = {
	/** Rules of demo/service/faults.js. */
	faults: [],
	/** Called with the number of each request, from 1, the request and the service, before it is carried out. */
	onRequest: undefined,
	/** Order in which requests that are under way at the same time are carried out. */
	seed: 1,
};

/** The local service's SCIM side in the process of a test: without sockets, hundreds of runs per second. */
class MemoryService extends ScimService {
	/**
	 * @param {object} seed see Directory; or `people` with `roles` by organization, or with ids of `groups`
	 * @param {object} [switches]
	 */
	constructor({ people = [], groups = [], ...seed }, switches = {}) {
		const given = { ...DEFAULTS, ...switches };
		const { faults, onRequest, seed: order, ...ways } = given;
		const { memberships = [], users = [], ...more } = seed;
		const isIn = (id) => (person) => person.groups?.includes(id);
		super(
			{
				...more,
				users: [...users, ...people.map(({ roles, groups: _, ...user }) => user)],
				memberships: [...memberships, ...people.flatMap(membershipsOf)],
				groups: groups.map((group) => ({
					members: people
						.filter(isIn(group.id))
						.map(({ id, userName }) => id ?? userIdOf(userName)),
					...group,
				})),
			},
			{ keepsStates: true, ...ways },
		);
		this.given = given;
		this.faults = new Faults(faults, order);
		this.random = seededRandom(order);
		this.requests = [];
	}

	/** A new service that is in the state of this one, with other switches and nothing on record. */
	again(switches = {}) {
		const fresh = { faults: [], onRequest: undefined, ...switches };
		const next = new MemoryService(
			{ organizations: this.organizations },
			{ ...this.given, ...fresh },
		);
		const { users, groups } = this.now();
		Object.assign(next, { users, groups, about: new Map(this.about), states: [] });
		next.record('the beginning');
		return next;
	}

	/** Answers as n8n's helper does. @throws an error with a `code` where the connection breaks */
	async exchange({ method, url, headers, body }) {
		await this.pause();
		const { pathname, searchParams } = new URL(url);
		const nth = this.requests.length + 1;
		const path = decodeURIComponent(pathname);
		const entry = { nth, method, path, query: Object.fromEntries(searchParams), body };
		this.requests.push(entry);
		this.given.onRequest?.(nth, entry, this);
		const fault = this.faults.pick(entry);
		const isDone = fault === undefined || carriesOut(fault, entry);
		const keeps = fault?.kind !== 'dropped';
		const real = isDone ? this.truly({ method, url, headers, body }, { keeps }) : undefined;
		entry.status = real?.status;
		if (isDone) await this.pause();
		if (fault && cuts(fault)) {
			throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
		}
		const answer = fault ? answerUnder(fault, real, '', entry) : real;
		if (answer === undefined) {
			throw Object.assign(new Error('timeout exceeded'), { code: 'ECONNABORTED' });
		}
		const { status, text = '', type, headers: others = {} } = answer;
		const lower = Object.entries(others).map(([name, value]) => [name.toLowerCase(), value]);
		return {
			status,
			headers: { ...Object.fromEntries(lower), ...(type && { 'content-type': type }) },
			text,
		};
	}

	/** A mistake of the service fails the test, or it would pass for a broken connection. */
	truly(request, how) {
		try {
			return this.answer(request, how);
		} catch (error) {
			process.nextTick(() => {
				throw error;
			});
			throw error;
		}
	}

	/**
	 * Lets requests under way overtake each other, in an order that the seed decides. Each turn is one of the event loop, as
	 * with a socket: whatever an answer sets off is done before the next answer comes.
	 */
	async pause() {
		for (let turns = Math.floor(this.random() * 3); turns >= 0; turns--) await nextTurn();
	}

	/** What was sent and was no GET, as `METHOD path`. */
	written() {
		return this.requests.flatMap(({ method, path }) =>
			method === 'GET' ? [] : [`${method} ${path}`],
		);
	}
}

const nextTurn = async () => await new Promise(setImmediate);

const membershipsOf = ({ userName, roles = {} }) =>
	Object.entries(roles).flatMap(([organization, held]) =>
		[held].flat().map((role) => ({ userName, organization, role })),
	);

/** Faults of a connection that is gone for good from a request on; `lastIsDone` says whether that one is carried out. */
const deadFrom = (nth, lastIsDone) => [
	...(lastIsDone ? [{ kind: 'reset-after', nth }] : []),
	{ kind: 'reset-before', from: lastIsDone ? nth + 1 : nth },
];

module.exports = { ACCOUNT, MemoryService, ROLES, deadFrom, shapeOf, userIdOf };

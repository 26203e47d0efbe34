'use strict';

// A service in memory for property tests: it speaks SCIM 2.0 as docs/interface.md tells it, has the hazards of real
// services as switches, and keeps every state that it went through, so that a test can look at each moment.

const { userIdOf } = require('../../demo/service/state/directory');

const URN = {
	user: 'urn:ietf:params:scim:schemas:core:2.0:User',
	group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
	list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
	error: 'urn:ietf:params:scim:api:messages:2.0:Error',
};

const ROLES = ['admin', 'member', 'viewer'];

const DEFAULTS = {
	/** `/scim`, or nothing. */
	prefix: '/scim',
	/** An add takes the person out of the organization's other groups. */
	addMoves: true,
	/** A removal takes whatever role the person has in the organization. */
	roleBlindRemoval: true,
	/** A removal of somebody who is no member is refused, after what came before it was done. */
	refusesStrangers: true,
	deactivationDrops: true,
	/** A group without members has no `members`; otherwise an empty list. */
	omitsEmptyMembers: true,
	/** `display` of members is the userName. */
	showsNames: true,
	/** Users tell their groups. */
	usersShowGroups: true,
	/** PATCH and DELETE of a user who is not there answer 204. */
	silentForUnknown: true,
	filter: true,
	/** Answers to PATCH and PUT: `body`, `204` or `stale` (the state from before). */
	answers: 'body',
	/** Every write is seen only by the reads after the next so many. */
	lagReads: 0,
	/** With lag: groups whose turn is odd show new writes at once, so reads are torn. */
	torn: false,
	/** POST answers without `id` while reads lag. */
	createHidesId: false,
	/** Nobody with such an e-mail can be added to this organization: `{ organization: text in the e-mail }`. */
	refuses: {},
	/** So many groups or users per page at most. */
	pageCap: undefined,
	/** Faults by number of the request, from 1: `{ nth, kind }` with resetBefore, resetAfter, 500After, 429. */
	faults: [],
	/** The connection is gone for good from this request on; `lastIsDone` says whether that one is carried out. */
	deadFrom: undefined,
	lastIsDone: false,
	/** Called with the number of each request before it is carried out. */
	onRequest: undefined,
	/** Order in which requests that are under way at the same time are carried out. */
	seed: 1,
};

/** A small generator of numbers, so that runs can be repeated. */
function numbers(seed) {
	let state = (seed >>> 0) + 1;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
}

class ModelService {
	/**
	 * @param {{ people: Array<{ userName: string, active?: boolean, roles?: Record<string, string | string[]> }>, organizations: string[] }} directory
	 * @param {Partial<typeof DEFAULTS>} switches
	 */
	constructor({ people, organizations }, switches = {}) {
		this.switches = { ...DEFAULTS, ...switches };
		this.organizations = organizations;
		this.users = new Map();
		this.groups = new Map(
			organizations.flatMap((organization) =>
				ROLES.map((role) => [`${organization}:${role}`, new Set()]),
			),
		);
		for (const { userName, active = true, roles = {}, ...attributes } of people) {
			const id = userIdOf(userName);
			this.users.set(id, { id, userName, active, attributes });
			for (const [organization, held] of Object.entries(roles)) {
				for (const role of [held].flat()) this.groups.get(`${organization}:${role}`).add(id);
			}
		}
		this.requests = [];
		/** Members that were asked to be added: `{ groupId, id, was, mailed }`. */
		this.adds = [];
		this.reads = 0;
		this.hidden = [];
		this.random = numbers(this.switches.seed);
		this.states = [];
		this.record('the beginning');
	}

	/** Everything as it is now; records are replaced and never changed, so a copy of the maps is enough. */
	now() {
		return { users: new Map(this.users), groups: new Map(this.groups) };
	}

	record(after) {
		this.states.push({ after, ...this.now() });
	}

	/** A new service that is in the state of this one, with other switches and nothing on record. */
	again(switches = {}) {
		const next = new ModelService(
			{ people: [], organizations: this.organizations },
			{ ...this.switches, faults: [], deadFrom: undefined, onRequest: undefined, ...switches },
		);
		next.users = new Map(this.users);
		next.groups = new Map(this.groups);
		next.states = [];
		next.record('the beginning');
		return next;
	}

	/** Answers a request as HTTP would. @throws an error with a `code` where the connection breaks */
	async exchange({ method, url, body }) {
		await this.pause();
		const { pathname, searchParams } = new URL(url);
		const { faults, deadFrom, lastIsDone, onRequest } = this.switches;
		const nth = this.requests.length + 1;
		const entry = { nth, method, path: decodeURIComponent(pathname), body };
		this.requests.push(entry);
		onRequest?.(nth, entry);
		if (nth > deadFrom || (nth === deadFrom && !lastIsDone)) throw broken();
		const kind = faults.find((fault) => fault.nth === nth)?.kind;
		if (kind === 'resetBefore') throw broken();
		if (kind === '429') return { status: 429, headers: {}, text: 'Too many requests' };
		const answer = this.answer(method, pathname, searchParams, body && JSON.parse(body), entry);
		entry.status = answer.status;
		await this.pause();
		if (nth === deadFrom || kind === 'resetAfter') throw broken();
		if (kind === '500After') return { status: 500, headers: {}, text: 'upstream gave up' };
		return {
			status: answer.status,
			headers: {},
			text: answer.body === undefined ? '' : JSON.stringify(answer.body),
		};
	}

	/** Lets requests under way overtake each other, in an order that the seed decides. */
	async pause() {
		for (let turns = Math.floor(this.random() * 6); turns > 0; turns--) await undefined;
	}

	answer(method, pathname, query, body, entry) {
		const { prefix } = this.switches;
		if (!pathname.startsWith(`${prefix}/`)) return refusal(404, `no such path ${pathname}`);
		const [type, id] = pathname
			.slice(prefix.length + 1)
			.split('/')
			.map(decodeURIComponent);
		const before = this.now();
		if (method === 'GET') this.reads += 1;
		try {
			if (type === 'Users') return this.ofUsers(method, id, query, body, before, entry);
			if (type === 'Groups') return this.ofGroups(method, id, query, body, before, entry);
			return refusal(404, `no such resource ${type}`);
		} finally {
			const changed = this.states.at(-1);
			if (method !== 'GET' && this.switches.lagReads > 0 && !sameState(before, changed)) {
				this.hidden.push({ before, until: this.reads + this.switches.lagReads });
			}
		}
	}

	/** What a reader sees: while a write is hidden, the state from before it. */
	seen() {
		this.hidden = this.hidden.filter(({ until }) => this.reads <= until);
		if (this.hidden.length === 0) return this.now();
		const old = this.hidden[0].before;
		if (!this.switches.torn) return old;
		const turn = (key) => (key.length + key.charCodeAt(key.length - 2) + this.reads) % 2 === 1;
		return {
			users: old.users,
			groups: new Map(
				[...this.groups].map(([key, members]) => [key, turn(key) ? members : old.groups.get(key)]),
			),
		};
	}

	ofUsers(method, id, query, body, before, entry) {
		if (id === undefined) {
			if (method === 'POST') return this.create(body, entry);
			const seen = this.seen();
			const users = [...seen.users.values()];
			const filter = query.get('filter');
			if (filter !== null && !this.switches.filter) return refusal(400, 'no filters here');
			const wanted = filter === null ? undefined : /^userName eq (".*")$/i.exec(filter);
			if (wanted === null) return refusal(400, 'invalidFilter');
			const name = wanted && JSON.parse(wanted[1]).toLowerCase();
			const found = name ? users.filter(({ userName }) => userName.toLowerCase() === name) : users;
			return this.list(
				found.map((user) => this.showUser(user, seen)),
				query,
			);
		}
		const shown = (state) => {
			const user = state.users.get(id);
			return user === undefined
				? refusal(404, `no user ${id}`)
				: { status: 200, body: this.showUser(user, state) };
		};
		if (method === 'GET') return shown(this.seen());
		const user = this.users.get(id);
		const { silentForUnknown, answers } = this.switches;
		if (user === undefined) {
			return silentForUnknown && method !== 'PUT' ? { status: 204 } : refusal(404, `no user ${id}`);
		}
		if (method === 'DELETE') {
			this.dropAll(id);
			this.users.delete(id);
			this.record(words(entry));
			return { status: 204 };
		}
		for (const { op, path, value } of body.Operations ?? []) {
			if (op !== 'replace') continue;
			const { active } = this.users.get(id);
			if (path === 'active') {
				this.users.set(id, { ...user, active: value });
				if (value === false && this.switches.deactivationDrops) this.dropAll(id);
				if (active !== value || value === false) this.record(words(entry));
			}
		}
		if (answers === '204') return { status: 204 };
		return shown(answers === 'stale' ? before : this.now());
	}

	create({ userName, active = true, ...attributes }, entry) {
		const id = userIdOf(userName);
		if (this.users.has(id)) return refusal(409, `User ${userName} already exists`);
		this.users.set(id, { id, userName, active, attributes });
		this.record(words(entry));
		const shown = this.showUser(this.users.get(id), this.now());
		if (this.switches.createHidesId) delete shown.id;
		return { status: 201, body: shown };
	}

	ofGroups(method, id, query, body, before, entry) {
		if (id === undefined) {
			if (method !== 'GET') return refusal(400, 'groups are fixed', 'mutability');
			const seen = this.seen();
			return this.list(
				[...seen.groups.keys()].map((key) => this.showGroup(key, seen)),
				query,
			);
		}
		const key = id.replace(/^whylabs-/, '');
		if (!this.groups.has(key)) return refusal(404, `no group ${id}`);
		if (method === 'GET') return { status: 200, body: this.showGroup(key, this.seen()) };
		const refused =
			method === 'PUT' ? this.setMembers(key, body, entry) : this.patch(key, body, entry);
		if (refused !== undefined) return refused;
		if (this.switches.answers === '204' && method === 'PATCH') return { status: 204 };
		const shown = this.switches.answers === 'stale' ? before : this.now();
		return { status: 200, body: this.showGroup(key, shown) };
	}

	setMembers(key, { members = [] }, entry) {
		const wanted = members.map(({ value }) => value);
		const refused = this.add(key, wanted, entry, false);
		if (refused !== undefined) return refused;
		for (const id of this.groups.get(key)) if (!wanted.includes(id)) this.take(key, id);
		this.record(words(entry));
		return undefined;
	}

	patch(key, { Operations }, entry) {
		for (const { op, path, value } of Operations) {
			const one = /^members\[value eq (".*")\]$/.exec(path);
			const ids = one ? [JSON.parse(one[1])] : (value ?? []).map((member) => member.value);
			if (op === 'add') {
				const refused = this.add(key, ids, entry);
				if (refused !== undefined) return refused;
			}
			if (op !== 'remove') continue;
			for (const id of ids) {
				const gone = this.take(key, id);
				if (!gone && this.switches.refusesStrangers) {
					this.record(`${words(entry)}, up to the removal of ${id}`);
					return refusal(404, `${id} is not a member of ${key}`);
				}
			}
			this.record(words(entry));
		}
		return undefined;
	}

	/** Whoever can be added is added; then the request is refused when one cannot. */
	add(key, ids, entry, records = true) {
		const [organization] = key.split(':');
		const refusedText = this.switches.refuses[organization];
		const refused = [];
		for (const id of ids) {
			const user = this.users.get(id);
			if (user === undefined || (refusedText && user.userName.includes(refusedText))) {
				refused.push(id);
				continue;
			}
			const had = this.rolesIn(organization, id);
			const was = this.groups.get(key).has(id);
			// A whole list names everybody; only a PATCH asks for somebody to be added.
			if (!was || records) {
				this.adds.push({ request: entry.nth, groupId: key, id, was, mailed: had.length === 0 });
			}
			if (this.switches.addMoves) for (const role of had) this.drop(role, id);
			this.groups.set(key, new Set([...this.groups.get(key), id]));
		}
		if (records || refused.length > 0) this.record(words(entry));
		return refused.length > 0
			? refusal(400, 'One or more members cannot be added', 'invalidValue')
			: undefined;
	}

	/** @returns whether there was anything to take */
	take(key, id) {
		const held = this.switches.roleBlindRemoval
			? this.rolesIn(key.split(':')[0], id)
			: [key].filter((group) => this.groups.get(group).has(id));
		for (const group of held) this.drop(group, id);
		return held.length > 0;
	}

	drop(key, id) {
		this.groups.set(key, new Set([...this.groups.get(key)].filter((member) => member !== id)));
	}

	dropAll(id) {
		for (const [key, members] of this.groups) if (members.has(id)) this.drop(key, id);
	}

	rolesIn(organization, id) {
		return ROLES.map((role) => `${organization}:${role}`).filter((key) =>
			this.groups.get(key).has(id),
		);
	}

	showUser({ id, userName, active, attributes }, { groups }) {
		const held = [...groups].filter(([, members]) => members.has(id)).map(([key]) => key);
		return {
			schemas: [URN.user],
			...attributes,
			id,
			userName,
			active,
			...(this.switches.usersShowGroups &&
				held.length > 0 && {
					groups: held.map((key) => ({ value: this.shownId(key), type: 'direct' })),
				}),
		};
	}

	showGroup(key, { users, groups }) {
		const { omitsEmptyMembers, showsNames } = this.switches;
		const members = [...groups.get(key)].map((id) => ({
			value: id,
			...(showsNames && { display: (users.get(id) ?? this.users.get(id))?.userName }),
		}));
		return {
			schemas: [URN.group],
			id: this.shownId(key),
			displayName: this.shownId(key),
			...((members.length > 0 || !omitsEmptyMembers) && { members }),
		};
	}

	shownId(key) {
		return this.switches.prefix === '' ? key : `whylabs-${key}`;
	}

	list(resources, query) {
		const start = Math.max(1, Number(query.get('startIndex') ?? 1));
		const { pageCap = Number.POSITIVE_INFINITY } = this.switches;
		const count = Math.min(pageCap, Number(query.get('count') ?? Number.POSITIVE_INFINITY));
		const page = resources.slice(start - 1, start - 1 + count);
		return {
			status: 200,
			body: {
				schemas: [URN.list],
				totalResults: resources.length,
				itemsPerPage: page.length,
				startIndex: start,
				Resources: page,
			},
		};
	}
}

const words = ({ nth, method, path }) => `request ${nth}, ${method} ${path}`;

const refusal = (status, detail, scimType) => ({
	status,
	body: { schemas: [URN.error], detail, status: String(status), ...(scimType && { scimType }) },
});

const broken = () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

/** Groups and users of a state in a form that can be compared. */
function shapeOf({ users, groups }) {
	return {
		active: Object.fromEntries([...users].sort().map(([id, { active }]) => [id, active])),
		members: Object.fromEntries([...groups].sort().map(([key, ids]) => [key, [...ids].sort()])),
	};
}

const namesIn = ({ users }) => [...users.values()].map(({ id, userName }) => `${id} ${userName}`);

const sameState = (a, b) =>
	JSON.stringify([shapeOf(a), namesIn(a)]) === JSON.stringify([shapeOf(b), namesIn(b)]);

module.exports = { ModelService, ROLES, shapeOf, userIdOf };

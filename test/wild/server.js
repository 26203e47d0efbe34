'use strict';

// A SCIM 2.0 server on loopback that can do every wrong that real ones were seen to do. Plain `http`, so that it can
// also break connections, drip, cut answers off, and redirect.

const http = require('http');
const zlib = require('zlib');

const SCHEMA = {
	user: 'urn:ietf:params:scim:schemas:core:2.0:User',
	group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
	list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
	error: 'urn:ietf:params:scim:api:messages:2.0:Error',
};

/** Everything well-behaved; a test turns on what it is about. */
const WELL_BEHAVED = {
	/** Bearer token that is asked for. */
	token: undefined,
	/** Where collections stand, and where single resources do when that is elsewhere. */
	prefix: '',
	itemPrefix: undefined,
	/** Bodies of ServiceProviderConfig, ResourceTypes and Schemas; without any, all three are 404. */
	discovery: {},

	// Paging
	/** What totalResults is: `true`, `page` (the size of this page), `missing`, `string`. */
	total: 'true',
	/** Every entry stands twice in the list, and the total counts both. */
	listsTwice: false,
	pastTheEnd: 'empty', // or `firstPage`
	ignoresStart: false,
	ignoresCount: false,
	pageCap: Infinity,
	/** What stands for Resources when there are none: `list`, `absent`, `null`. */
	noHits: 'list',
	/** Pages have so many entries fewer than asked for. */
	shortBy: 0,
	/** Pages begin so many entries too early. */
	overlap: 0,
	/** Called before each list answer with its number, to change the state between pages. */
	onList: () => {},
	/** Makes resources for ever: page after page of new ones, a billion by its total. */
	endlessList: false,

	// Finding
	/** `works`, `exactCase`, `ignored`, or the status that refuses it. */
	filter: 'works',
	/** Values that a filter never finds. */
	filterMisses: () => false,
	/** Whether names in other case are another person. */
	namesMayDifferInCase: false,
	createAnswer: 'whole', // `withoutId`, `empty`
	/** So many reads after a create do not show the user yet. */
	visibleAfter: 0,

	// Writing
	/** Called when a write comes, before it is carried out, to let somebody else do something. */
	onWrite: () => {},
	/** Forms of removal that empty the whole group: `valueList`, `filterPath`, `put`. */
	removesEverybody: [],
	/** The same, but only these people go beside the one who was meant. */
	alsoRemoves: [],
	/** The status that answers a removal by filter path, if it is refused: 400 or 501. */
	refusesFilterPath: false,
	/** A removal takes the person out of every group of the organization (docs/interface.md 2.3). */
	removalIsRoleBlind: false,
	/** Groups that refuse every add with 400. */
	refusesAddsTo: [],
	storesTwice: false,
	/** Ids that cannot be added, without a word. */
	neverAdds: [],
	/** An add with somebody who is no user is refused as a whole. */
	refusesUnknown: false,
	/** What groups show of their members: `all`, `empty`, `absent`, or `whenAny`: an empty group leaves them out. */
	showsMembers: 'all',
	/** The same for answers to writes only. */
	answersMembers: 'all',
	usersShowGroups: true,
	patchAnswer: 200, // 204, or `both` in turn
	deleteAnswer: 204, // or 200, with a body
	/** A DELETE of a user leaves the user there, inactive. */
	deletesSoftly: false,
	/** Operations have to be an array, with a plain path each: other forms are `refused` or `ignored`. */
	otherForms: 'taken',
	mostMembers: Infinity,
	mostBytes: Infinity,
	/** An add takes the person out of the other groups of the same organization (`org:role`). */
	addMoves: false,

	// Values
	/** How `active` is shown: `boolean`, `text`, `undefined`, `absent`. */
	active: 'boolean',
	/** How names are written: `usual`, `upper`, `lower`; URNs too. */
	names: 'usual',
	/** What stands on every resource beside its own. */
	extra: {},
	location: 'absolute', // `missing`, `relative`, `otherPrefix`
	errors: 'scim', // `statusNumber`, `withoutStatus`, `withoutType`, `text`, `html`
	needsUserAgent: false,

	/**
	 * Faults in the order in which they are tried: the first whose `on` begins `METHOD /path` is taken, `times` times.
	 * `stored` carries the request out all the same. Then one of: `reset`, `hang`, `status` with `body` and `headers`,
	 * `nothing` (answers as if all was well and changes nothing), `wire` (`truncated`, `cutOff`, `gzip`, `halfGzip`, `bom`,
	 * `drip`, `endless`: the usual answer in that form), `delayMs`.
	 */
	faults: [],
};

/**
 * Starts the server.
 * @param options `users` and `groups` (with `members` as ids) to begin with, and switches
 */
async function startServer({ users = [], groups = [], ...switches } = {}) {
	const server = new WildServer(switches);
	for (const user of users) server.users.set(user.id, structuredClone({ active: true, ...user }));
	for (const { members = [], ...group } of groups) {
		server.groups.set(group.id, { displayName: group.id, ...group, members: [...members] });
	}
	await server.listen();
	return server;
}

class WildServer {
	users = new Map();

	groups = new Map();

	/** Everything that came, in order; `status` once it was answered. */
	requests = [];

	reads = 0;

	lists = 0;

	writes = 0;

	constructor(switches) {
		const unknown = Object.keys(switches).filter((name) => !(name in WELL_BEHAVED));
		if (unknown.length > 0) throw new Error(`The server has no switch ${unknown.join(', ')}`);
		this.is = { ...WELL_BEHAVED, ...switches };
		this.faults = this.is.faults.map((fault) => ({ times: Infinity, ...fault }));
		this.server = http.createServer((request, response) => {
			this.meet(request, response).catch((error) => {
				this.broken = error;
				response.destroy();
			});
		});
	}

	async listen() {
		await new Promise((listening) => this.server.listen(0, '127.0.0.1', listening));
		this.url = `http://127.0.0.1:${this.server.address().port}`;
	}

	async close() {
		this.closing = true;
		this.server.closeAllConnections();
		await new Promise((closed) => this.server.close(closed));
		if (this.broken) throw this.broken;
	}

	/** The members of a group as stored, in order. */
	membersOf(id) {
		return this.groups.get(id)?.members;
	}

	/** Users of that name, in any case. */
	named(userName) {
		const wanted = userName.toLowerCase();
		return [...this.users.values()].filter((user) => user.userName.toLowerCase() === wanted);
	}

	/** What came, as `METHOD path status`, without the query. */
	came(...methods) {
		return this.requests
			.filter(({ method }) => methods.length === 0 || methods.includes(method))
			.map(({ method, path, status }) => `${method} ${path} ${status}`);
	}

	/** What came and was no GET. */
	written() {
		return this.came('POST', 'PUT', 'PATCH', 'DELETE');
	}

	async meet(request, response) {
		const pieces = [];
		for await (const piece of request) pieces.push(piece);
		const [path, search = ''] = request.url.split('?');
		const text = Buffer.concat(pieces).toString('utf8');
		const entry = {
			method: request.method,
			path,
			query: Object.fromEntries(new URLSearchParams(search)),
			rawQuery: search,
			headers: request.headers,
			text,
			body: text === '' ? undefined : JSON.parse(text),
			at: Date.now(),
		};
		this.requests.push(entry);
		const route = `${entry.method} ${path}`;
		const fault = this.faults.find(({ on, times }) => times > 0 && route.startsWith(on));
		if (fault !== undefined) fault.times -= 1;
		const carriedOut = fault === undefined || fault.stored || fault.wire || fault.delayMs;
		if (fault?.delayMs) await new Promise((later) => setTimeout(later, fault.delayMs));
		const usual = carriedOut ? this.answer(entry) : fault.nothing ? this.pretend(entry) : undefined;
		if (fault?.reset) {
			entry.status = 'reset';
			request.socket.destroy();
			return;
		}
		if (fault?.hang) {
			entry.status = 'hung';
			return;
		}
		const answer =
			fault?.status === undefined
				? usual
				: { status: fault.status, body: fault.body ?? '', headers: fault.headers };
		entry.status = answer.status;
		await this.send(response, answer, fault?.wire);
	}

	async send(response, { status, body, headers = {} }, wire) {
		const isText = typeof body === 'string';
		const type = isText
			? /^\s*</.test(body)
				? 'text/html'
				: 'text/plain'
			: 'application/scim+json';
		const text = body === undefined ? '' : isText ? body : JSON.stringify(body);
		response.writeHead(status, {
			...(text !== '' && { 'Content-Type': type }),
			...(/gzip/i.test(wire) && { 'Content-Encoding': 'gzip' }),
			...(wire === 'cutOff' && { 'Content-Length': Buffer.byteLength(text) }),
			...headers,
		});
		switch (wire) {
			case 'truncated':
				response.end(text.slice(0, Math.floor(text.length / 2)));
				return;
			case 'gzip':
				response.end(zlib.gzipSync(text));
				return;
			case 'halfGzip': {
				const whole = zlib.gzipSync(text);
				response.end(whole.subarray(0, Math.floor(whole.length / 2)));
				return;
			}
			case 'cutOff':
				response.write(text.slice(0, Math.floor(text.length / 2)), () => response.destroy());
				return;
			case 'bom':
				response.end(`\uFEFF${text}`);
				return;
			case 'drip':
				for (const letter of text) {
					if (this.closing || response.destroyed) return;
					response.write(letter);
					await new Promise((later) => setTimeout(later, 50));
				}
				response.end();
				return;
			case 'endless': {
				const piece = ' '.repeat(65_536);
				while (!this.closing && !response.destroyed) {
					this.endlessBytes = (this.endlessBytes ?? 0) + piece.length;
					if (response.write(piece)) await new Promise(setImmediate);
					else {
						await new Promise((ready) => {
							const go = () => {
								response.off('drain', go).off('close', go);
								ready();
							};
							response.on('drain', go).on('close', go);
						});
					}
				}
				return;
			}
			default:
				response.end(text);
		}
	}

	/** The answer that a request usually gets when it is done; nothing is done. */
	pretend({ method, path }) {
		const { type, id } = this.route(path) ?? {};
		const resource = this[type === 'Users' ? 'users' : 'groups'].get(id);
		if (method === 'DELETE' || resource === undefined) return { status: 204 };
		return { status: 200, body: this.shape(type, resource, 'read') };
	}

	/** The type and the id that a path names. Dot segments are not resolved, as a router sees them. */
	route(path) {
		const { prefix, itemPrefix = prefix } = this.is;
		for (const [before, items] of [
			[prefix, false],
			[itemPrefix, true],
		]) {
			if (!path.startsWith(`${before}/`)) continue;
			const segments = path.slice(before.length + 1).split('/');
			if (segments.length !== (items ? 2 : 1)) continue;
			const [type, id] = segments;
			if (items && type !== 'Users' && type !== 'Groups') continue;
			return { type, ...(items && { id: decodeURIComponent(id) }) };
		}
		return undefined;
	}

	answer(request) {
		const { method, path, headers, body, text } = request;
		if (this.is.needsUserAgent && !headers['user-agent']) {
			return { status: 403, body: '<html><head><title>403 Forbidden</title></head></html>' };
		}
		if (this.is.token !== undefined && headers.authorization !== `Bearer ${this.is.token}`) {
			return this.error(401, 'Unauthorized');
		}
		const { type, id } = this.route(path) ?? {};
		if (id === undefined && this.is.discovery[type] && method === 'GET') {
			return { status: 200, body: this.is.discovery[type] };
		}
		if (type !== 'Users' && type !== 'Groups') return this.error(404, 'No such endpoint');
		if (method !== 'GET') {
			this.writes += 1;
			this.is.onWrite(request, this);
		}
		if (text.length > this.is.mostBytes) return this.error(413, 'Request entity too large');
		const table = type === 'Users' ? this.users : this.groups;
		if (id === undefined) {
			if (method === 'GET') return this.list(type, request.query);
			return method === 'POST' ? this.create(type, body) : this.error(405, 'Not allowed');
		}
		if (method === 'GET') this.reads += 1;
		const resource = table.get(id);
		if (resource === undefined || this.hides(resource)) return this.error(404, `No resource ${id}`);
		switch (method) {
			case 'GET':
				return { status: 200, body: this.shape(type, resource, 'read') };
			case 'PUT':
				return this.replace(type, resource, body);
			case 'PATCH':
				return this.patch(type, resource, body);
			default:
				if (this.is.deletesSoftly && type === 'Users') resource.active = false;
				else table.delete(id);
				for (const group of this.groups.values()) {
					group.members = group.members.filter((member) => member !== id);
				}
				return this.is.deleteAnswer === 200
					? { status: 200, body: { message: 'deleted' } }
					: { status: 204 };
		}
	}

	/** A user who was just created and is not shown yet. */
	hides({ visibleFrom = 0 }) {
		return this.reads < visibleFrom;
	}

	list(type, query) {
		this.reads += 1;
		this.lists += 1;
		this.is.onList(this.lists, this);
		const count = Math.min(
			this.is.ignoresCount || query.count === undefined ? Infinity : Number(query.count),
			this.is.pageCap,
		);
		const start = this.is.ignoresStart ? 1 : Number(query.startIndex ?? 1);
		if (this.is.endlessList) {
			const page = Array.from({ length: Math.min(count, 1000) }, (_, index) => {
				const id = `${type}-${start + index}`;
				return { id, userName: `${id}@example.com`, displayName: id };
			});
			const said = this.is.total === 'missing' ? {} : { totalResults: 1e9 };
			return { status: 200, body: { schemas: [SCHEMA.list], ...said, Resources: page } };
		}
		const table = type === 'Users' ? this.users : this.groups;
		let all = [...table.values()].filter((resource) => !this.hides(resource));
		if (query.filter !== undefined && this.is.filter !== 'ignored') {
			if (typeof this.is.filter === 'number') {
				return this.error(this.is.filter, 'Filters are not supported', 'invalidFilter');
			}
			all = this.filtered(all, query.filter);
		}
		if (this.is.listsTwice) all = all.flatMap((resource) => [resource, resource]);
		let from = start === 1 ? 0 : Math.max(0, start - 1 - this.is.overlap);
		if (from >= all.length && this.is.pastTheEnd === 'firstPage') from = 0;
		const more = all.length > from + count;
		const size = more ? Math.max(1, count - this.is.shortBy) : count;
		const page = all.slice(from, from + size).map((resource) => this.shape(type, resource, 'read'));
		const total = {
			true: { totalResults: all.length },
			page: { totalResults: page.length },
			missing: {},
			string: { totalResults: String(all.length) },
		}[this.is.total];
		const none = { list: { Resources: [] }, absent: {}, null: { Resources: null } };
		return {
			status: 200,
			body: this.inCase({
				schemas: [SCHEMA.list],
				...total,
				startIndex: start,
				...(page.length > 0 ? { Resources: page } : none[this.is.noHits]),
			}),
		};
	}

	filtered(all, filter) {
		const [, name, quoted] = /^(\w+) eq ("(?:[^"\\]|\\.)*")$/.exec(filter) ?? [];
		const value = JSON.parse(quoted);
		if (this.is.filterMisses(value)) return [];
		const key = (text) => (this.is.filter === 'exactCase' ? text : String(text).toLowerCase());
		return all.filter((resource) => key(resource[name]) === key(value));
	}

	create(type, body) {
		if (type === 'Groups') {
			const group = { ...body, id: `group-${this.groups.size + 1}`, members: [] };
			this.groups.set(group.id, group);
			return { status: 201, body: this.shape(type, group, 'write') };
		}
		const same = this.named(body.userName).filter(
			({ userName }) => !this.is.namesMayDifferInCase || userName === body.userName,
		);
		if (same.length > 0) return this.error(409, 'User exists already', 'uniqueness');
		const user = {
			...body,
			id: `user-${this.users.size + 1}`,
			visibleFrom: this.reads + this.is.visibleAfter + (this.is.visibleAfter > 0 ? 1 : 0),
		};
		this.users.set(user.id, user);
		const shown = this.shape(type, user, 'write');
		const { id: _, ID: __, ...withoutId } = shown;
		const answers = { whole: shown, withoutId, empty: undefined };
		return { status: 201, body: answers[this.is.createAnswer] };
	}

	replace(type, resource, body) {
		const { id } = resource;
		if (type === 'Users') {
			this.users.set(id, { ...body, id });
			return this.written200(type, this.users.get(id));
		}
		const ids = (body.members ?? []).map(({ value }) => value);
		const emptied = this.is.removesEverybody.includes('put');
		resource.members = emptied ? [] : this.addable(ids).filter((member) => this.stays(member));
		return this.written200(type, resource);
	}

	patch(type, resource, body) {
		const refused = this.formFault(body);
		if (refused === 'refused') return this.error(400, 'Malformed operation', 'invalidSyntax');
		if (refused === 'ignored') return this.written200(type, resource);
		const operations = [body.Operations].flat();
		if (type === 'Users') {
			for (const { path, value } of operations) setPath(resource, path, value);
			return this.written200(type, resource);
		}
		const members = operations.reduce((sum, { value }) => sum + [value ?? 1].flat().length, 0);
		if (members > this.is.mostMembers) {
			return this.error(400, `At most ${this.is.mostMembers} members`, 'tooMany');
		}
		for (const operation of operations) {
			const refusal = this.changeMembers(resource, operation);
			if (refusal !== undefined) return refusal;
		}
		return this.written200(type, resource);
	}

	formFault({ Operations }) {
		if (this.is.otherForms === 'taken') return undefined;
		const plain =
			Array.isArray(Operations) &&
			Operations.every(({ path }) => typeof path === 'string' && !path.startsWith(SCHEMA.user));
		return plain ? undefined : this.is.otherForms;
	}

	/** One operation of a PATCH on a group; anything but members is set as it is. */
	changeMembers(group, { op, path, value }) {
		const one = /^members\[value eq ("(?:[^"\\]|\\.)*")\]$/.exec(path);
		if (one !== null && this.is.refusesFilterPath) {
			const status = this.is.refusesFilterPath;
			return this.error(status === true ? 400 : status, 'Bad path', 'invalidPath');
		}
		if (path !== 'members' && one === null) {
			setPath(group, path, value);
			return undefined;
		}
		if (op === 'add' && this.is.refusesAddsTo.includes(group.id)) {
			return this.error(400, 'Not allowed', 'invalidValue');
		}
		if (op === 'add') {
			const ids = this.addable(value.map((entry) => entry.value));
			if (this.is.refusesUnknown && !ids.every((id) => this.users.has(id))) {
				return this.error(400, 'No such user', 'invalidValue');
			}
			const fresh = ids.filter((id) => this.is.storesTwice || !group.members.includes(id));
			if (this.is.addMoves) this.moveOut(group, fresh);
			group.members.push(...fresh);
			return undefined;
		}
		const form = one === null ? 'valueList' : 'filterPath';
		const gone = one === null ? value.map((entry) => entry.value) : [JSON.parse(one[1])];
		const emptied = this.is.removesEverybody.includes(form);
		if (this.is.removalIsRoleBlind) this.moveOut(group, gone);
		group.members = group.members.filter((id) => !emptied && !gone.includes(id) && this.stays(id));
		return undefined;
	}

	addable(ids) {
		return ids.filter((id) => !this.is.neverAdds.includes(id));
	}

	stays(id) {
		return !this.is.alsoRemoves.includes(id);
	}

	moveOut({ id: groupId }, ids) {
		const [organization] = groupId.split(':');
		for (const [id, group] of this.groups) {
			if (id === groupId || !id.startsWith(`${organization}:`)) continue;
			group.members = group.members.filter((member) => !ids.includes(member));
		}
	}

	/** The answer to a PATCH or PUT: 200 with the resource, 204, or the one and the other in turn. */
	written200(type, resource) {
		const { patchAnswer } = this.is;
		const empty = patchAnswer === 204 || (patchAnswer === 'both' && this.writes % 2 === 0);
		return empty ? { status: 204 } : { status: 200, body: this.shape(type, resource, 'write') };
	}

	/** A resource as it is shown. */
	shape(type, { visibleFrom: _, members, active, ...attributes }, occasion) {
		const { id } = attributes;
		const schema = type === 'Users' ? SCHEMA.user : SCHEMA.group;
		return this.inCase({
			schemas: [schema],
			...attributes,
			...(type === 'Users' ? this.shapeUser(id, active) : this.shapeGroup(members, occasion)),
			...this.is.extra,
			meta: { resourceType: type.slice(0, -1), ...this.locationOf(type, id) },
		});
	}

	shapeUser(id, active) {
		const shown = {
			boolean: { active },
			text: { active: active ? 'True' : 'False' },
			undefined: { active: 'undefined' },
			absent: {},
		}[this.is.active];
		const groups = [...this.groups.values()].filter(({ members }) => members.includes(id));
		return {
			...shown,
			...(this.is.usersShowGroups && { groups: groups.map((group) => ({ value: group.id })) }),
		};
	}

	shapeGroup(members, occasion) {
		const how = occasion === 'write' ? this.is.answersMembers : this.is.showsMembers;
		if (how === 'absent' || (occasion === 'write' && this.is.showsMembers === 'absent')) return {};
		if (how === 'whenAny' && members.length === 0) return {};
		if (how === 'empty' || this.is.showsMembers === 'empty') return { members: [] };
		return {
			members: members.map((value) => ({ value, display: this.users.get(value)?.userName })),
		};
	}

	locationOf(type, id) {
		const path = `${this.is.prefix}/${type}/${encodeURIComponent(id)}`;
		return {
			absolute: { location: `${this.url}${path}` },
			missing: {},
			relative: { location: path },
			otherPrefix: { location: `${this.url}/elsewhere/v9${path}` },
		}[this.is.location];
	}

	/** The same with attribute names and URNs in other case, all the way down. */
	inCase(value) {
		if (this.is.names === 'usual') return value;
		const turn = (text) => (this.is.names === 'upper' ? text.toUpperCase() : text.toLowerCase());
		if (Array.isArray(value)) return value.map((entry) => this.inCase(entry));
		if (typeof value !== 'object' || value === null) {
			return typeof value === 'string' && value.startsWith('urn:') ? turn(value) : value;
		}
		return Object.fromEntries(
			Object.entries(value).map(([name, inner]) => [turn(name), this.inCase(inner)]),
		);
	}

	error(status, detail, scimType) {
		const type = scimType === undefined ? {} : { scimType };
		const body = {
			scim: { schemas: [SCHEMA.error], status: String(status), detail, ...type },
			statusNumber: { schemas: [SCHEMA.error], status, detail, ...type },
			withoutStatus: { schemas: [SCHEMA.error], detail, ...type },
			withoutType: { schemas: [SCHEMA.error], status: String(status), detail },
			text: detail,
			html: `<html><head><title>${status} ${detail}</title><style>b{}</style></head><body><h1>Oops</h1></body></html>`,
		}[this.is.errors];
		return { status, body };
	}
}

/** Sets an attribute by its path: a name, a part of one, or either below the URN of an extension. */
function setPath(resource, path, value) {
	const [, urn, rest] = /^(urn:.*):([^:]+)$/i.exec(path) ?? [undefined, undefined, path];
	const holder = urn === undefined ? resource : child(resource, urn);
	const names = rest.split('.');
	const last = names.pop();
	const owner = names.reduce(child, holder);
	owner[keyIn(owner, last)] = value;
}

function child(object, name) {
	const key = keyIn(object, name);
	object[key] ??= {};
	return object[key];
}

function keyIn(object, name) {
	return Object.keys(object).find((key) => key.toLowerCase() === name.toLowerCase()) ?? name;
}

/** Another host: keeps what it gets, which has to be nothing. */
async function startSink() {
	const got = [];
	const server = http.createServer((request, response) => {
		got.push({ url: request.url, method: request.method, headers: request.headers });
		response.end('{}');
	});
	await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
	return {
		got,
		url: `http://127.0.0.1:${server.address().port}`,
		async close() {
			server.closeAllConnections();
			await new Promise((closed) => server.close(closed));
		},
	};
}

module.exports = { startServer, startSink };

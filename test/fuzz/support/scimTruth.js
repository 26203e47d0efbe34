'use strict';

const { Refusal } = require('../../../demo/service/answer');
const { scimRouter } = require('../../../demo/service/scim/router');
const { State } = require('../../../demo/service/state/state');
const { ModelService, ROLES } = require('../../support/modelService');

const URN = {
	group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
	error: 'urn:ietf:params:scim:api:messages:2.0:Error',
};

const refusal = (status, detail, scimType) => ({
	status,
	body: { schemas: [URN.error], detail, status: String(status), ...(scimType && { scimType }) },
});

const SAID = {
	ServiceProviderConfig: {
		schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
		patch: { supported: true },
		bulk: { supported: false },
		filter: { supported: true, maxResults: 100 },
		etag: { supported: false },
	},
	ResourceTypes: { totalResults: 1, Resources: [{ id: 'User', name: 'User', endpoint: '/Users' }] },
	Schemas: { totalResults: 1, Resources: [{ id: 'urn:ietf:params:scim:schemas:core:2.0:User' }] },
};

/** The model of the property tests, with attributes of users, groups that clients make, and discovery. */
class ScimTruth extends ModelService {
	constructor(directory, switches) {
		super(directory, switches);
		/** Attributes of groups beside their members, by key. */
		this.named = new Map();
		this.made = 0;
	}

	/** What the service does with a request, and what it truly answers. */
	carryOut({ method, url, body }) {
		const { pathname, searchParams } = url;
		const nth = this.requests.length + 1;
		const entry = { nth, method, path: pathname };
		this.requests.push(entry);
		const answer = this.answer(method, pathname, searchParams, body && JSON.parse(body), entry);
		return {
			status: answer.status,
			...(answer.body !== undefined && { text: JSON.stringify(answer.body) }),
		};
	}

	answer(method, pathname, query, body, entry) {
		const said = SAID[pathname.split('/').at(-1)];
		if (said !== undefined && method === 'GET') return { status: 200, body: said };
		return super.answer(method, pathname, query, body, entry);
	}

	ofUsers(method, id, query, body, before, entry) {
		const user = id === undefined ? undefined : this.users.get(id);
		if (user === undefined || !['PATCH', 'PUT'].includes(method))
			return super.ofUsers(method, id, query, body, before, entry);
		const next = method === 'PUT' ? replaced(user, body) : patched(user, body.Operations ?? []);
		this.users.set(id, next);
		if (next.active === false && this.switches.deactivationDrops) this.dropAll(id);
		this.record(`${method} ${id}`);
		if (this.switches.answers === '204' && method === 'PATCH') return { status: 204 };
		return { status: 200, body: this.showUser(next, this.now()) };
	}

	showUser(user, state) {
		const { showsAttributes = true } = this.switches;
		return super.showUser(showsAttributes ? user : { ...user, attributes: {} }, state);
	}

	ofGroups(method, id, query, body, before, entry) {
		const { fixedGroups = true } = this.switches;
		if (!fixedGroups && id === undefined && method === 'POST') {
			this.made += 1;
			const key = `made-${this.made}`;
			const { members = [], ...attributes } = body;
			this.named.set(key, attributes);
			this.groups.set(key, new Set());
			this.add(
				key,
				members.map(({ value }) => value),
				entry,
			);
			return { status: 201, body: this.showGroup(key, this.now()) };
		}
		const key = id?.replace(/^whylabs-/, '');
		if (method === 'DELETE' && this.groups.has(key)) {
			if (fixedGroups) return refusal(400, 'groups are fixed', 'mutability');
			this.groups.delete(key);
			this.record(`DELETE ${key}`);
			return { status: 204 };
		}
		return super.ofGroups(method, id, query, body, before, entry);
	}

	patch(key, { Operations }, entry) {
		const named = Operations.filter(({ op, path }) => op === 'replace' && path !== 'members');
		if (named.length > 0) {
			const { fixedGroups = true } = this.switches;
			if (fixedGroups) return refusal(400, 'groups are fixed', 'mutability');
			const { attributes } = patched({ attributes: this.named.get(key) ?? {} }, named);
			this.named.set(key, attributes);
		}
		return super.patch(
			key,
			{ Operations: Operations.filter((operation) => !named.includes(operation)) },
			entry,
		);
	}

	showGroup(key, state) {
		return {
			...super.showGroup(key, { ...state, groups: knownIn(state.groups, key) }),
			...this.named.get(key),
		};
	}

	/** What somebody else does meanwhile: gives this role, or takes whichever there is. */
	meanwhile({ id, organization, role }) {
		const isThere = ROLES.every((name) => this.groups.has(`${organization}:${name}`));
		if (!isThere || !this.users.get(id)?.active) return false;
		if ((this.rolesIn(organization, id).join() || `${organization}:`) === `${organization}:${role}`)
			return false;
		for (const key of this.rolesIn(organization, id)) this.drop(key, id);
		const key = `${organization}:${role}`;
		if (role !== '') this.groups.set(key, new Set([...this.groups.get(key), id]));
		this.record('somebody else');
		return true;
	}

	rolesIn(organization, id) {
		return ROLES.map((role) => `${organization}:${role}`).filter((key) =>
			this.groups.get(key)?.has(id),
		);
	}
}

/** The SCIM side of the demo's service, without sockets: it answers as the real one was recorded. */
class RecordedTruth {
	constructor({ organizations, people, ...seed }, { answers, ...switches }, now) {
		this.switches = { deactivationDrops: true, ...switches };
		this.state = new State(
			{
				...seed,
				organizations,
				users: people.map(({ userName, active }) => ({ userName, active })),
				memberships: people.flatMap(({ userName, roles }) =>
					Object.entries(roles).flatMap(([organization, held]) =>
						held.map((role) => ({ userName, organization, role })),
					),
				),
			},
			{ ...switches, now },
		);
		const options = { ...switches, patchAnswers: answers, filter: switches.filter ? 'on' : 'off' };
		const service = {
			state: this.state,
			options,
			accountToken: 'x',
			url: () => 'http://scim.test',
		};
		this.handle = scimRouter(service, (handler) => handler);
		this.states = [this.now()];
	}

	get users() {
		return this.state.directory.tables.users;
	}

	get groups() {
		const { memberships } = this.state.directory.tables;
		return new Map(
			[...memberships].flatMap(([organization, roles]) =>
				ROLES.map((role) => [
					`${organization}:${role}`,
					new Set([...roles].flatMap(([id, held]) => (held === role ? [id] : []))),
				]),
			),
		);
	}

	now() {
		return { users: new Map(this.users), groups: this.groups };
	}

	carryOut({ method, url, body = '' }) {
		const { pathname: path, search, searchParams } = url;
		const headers = { authorization: 'Bearer x' };
		const contentType = 'application/scim+json';
		const exchange = { text: body, contentType, value: body && JSON.parse(body) };
		const query = Object.fromEntries(searchParams);
		const req = { method, path, originalUrl: path + search, headers, query, params: {}, exchange };
		try {
			return this.handle(req, undefined, () => ({ status: 404, text: 'Not Found' }));
		} catch (error) {
			return error instanceof Refusal ? error.answer : { status: 500, text: 'broken' };
		} finally {
			if (method !== 'GET') this.states.push(this.now());
		}
	}

	/** What somebody else does meanwhile: gives this role, or takes whichever there is. */
	meanwhile({ id, organization, role }) {
		if (!this.state.organization(organization) || !this.users.get(id)?.active) return false;
		const { directory } = this.state;
		if ((directory.roleOf(id, organization) ?? '') === role) return false;
		if (role === '') directory.removeRole(id, organization);
		else directory.setRole(id, organization, role);
		this.states.push(this.now());
		return true;
	}
}

/** While reads lag, a group that was just made has no members yet. */
const knownIn = (groups, key) => (groups.has(key) ? groups : new Map([[key, new Set()]]));

function replaced(
	{ id, userName: before },
	{ schemas, id: _, userName = before, active = true, groups, meta, ...attributes },
) {
	return { id, userName, active, attributes };
}

/** Paths as the package sends them: `name`, `name.part`, `urn:…:part`. */
function patched(user, operations) {
	let { userName, active, attributes } = structuredClone({ attributes: {}, ...user });
	for (const { op, path, value } of operations) {
		if (op !== 'replace' || typeof path !== 'string') continue;
		if (path === 'active') active = value;
		else if (path.toLowerCase() === 'username') userName = value;
		else {
			const at = path.startsWith('urn:') ? path.lastIndexOf(':') : path.indexOf('.');
			const [outer, inner] = at > 0 ? [path.slice(0, at), path.slice(at + 1)] : [path];
			const own = Object.hasOwn(attributes, outer) ? attributes[outer] : {};
			const next = inner === undefined ? value : { ...own, [inner]: value };
			attributes = Object.fromEntries([...Object.entries(attributes), [outer, next]]);
		}
	}
	return { ...user, ...(userName !== undefined && { userName, active }), attributes };
}

module.exports = { RecordedTruth, ScimTruth };

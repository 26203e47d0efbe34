'use strict';

// A service in memory whose groups stand for themselves: opaque ids, display names that say nothing, and the ways of
// real services as switches. Rows are of ../shared/scim-in-the-wild.md (wild) and ../shared/vendors.md (vendors).

const { ModelService, shapeOf, userIdOf } = require('./modelService');

/** Beside those of ModelService. */
const WAYS = {
	/**
	 * Who tells of memberships: `both`, `groups` (better-auth shows no groups on users), `users` (AWS, vendors: groups
	 * always show `members: []`), `nowhere` (jackson, Logfire in vendors).
	 */
	membersShownOn: 'both',
	/** Ids of groups that the list leaves out and that are not found by ID; whoever is in one shows it. */
	unlistedGroups: [],
	/** Users show `groups: []` whatever they are in (wild, "groups that never show members", the other way round). */
	emptyUserGroups: false,
	/** Whoever is in no group shows no `groups`, as services do that leave empty lists out (RFC 7643 section 2.5). */
	omitsEmptyGroups: false,
	/** Without any member `members` is left out (scimmy), else it is an empty list. */
	omitsEmptyMembers: false,
	/** A list leaves out what `excludedAttributes` names (RFC 7644 section 3.4.2.5); AWS takes none (vendors). */
	excludesAttributes: true,
	/**
	 * `displayName eq`: `anyCase` (RFC 7643 section 4.2: displayName is not caseExact), `exactCase` (wild, "filter finds
	 * nothing for other case"), `ignored` with all groups, or `refused` with 400 (wild, "no filter at all").
	 */
	groupFilter: 'anyCase',
	/** Inactive users stay in their groups (vendors: GitHub, AWS) or leave them (vendors: PostHog, Figma). */
	deactivationDrops: false,
	/** LaunchDarkly (vendors): "deactivated users refuse other changes". */
	inactiveRefuses: false,
	/** Whoever is deleted stays a member in the store (docs/servers.md, jackson). */
	deletedStay: false,
	/** Groups that nobody can be taken out of, such as Everyone: 400 mutability (RFC 7644 section 3.12). */
	refusesRemovalFrom: [],
	/** `userName` is readWrite (RFC 7643 section 4.1.1), or refused as immutable (RFC 7644 section 3.12). */
	userNameChanges: true,
	prefix: '',
	addMoves: false,
	roleBlindRemoval: false,
	refusesStrangers: false,
	silentForUnknown: false,
	showsNames: false,
};

class ModelGroups extends ModelService {
	/**
	 * @param {{ people: Array<{ id?: string, userName: string, active?: boolean, groups?: string[] }>, groups: Array<{ id: string, displayName: string }> }} directory
	 *   `groups` of a person are ids; every other key is an attribute
	 * @param {Partial<typeof WAYS>} switches
	 */
	constructor({ people, groups }, switches = {}) {
		super({ people: [], organizations: [] }, { ...WAYS, ...switches });
		this.names = new Map(groups.map(({ id, displayName }) => [id, displayName]));
		this.groups = new Map(groups.map(({ id }) => [id, new Set()]));
		for (const { userName, id = userIdOf(userName), active = true, ...more } of people) {
			const { groups: held = [], ...attributes } = more;
			this.users.set(id, { id, userName, active, attributes });
			for (const group of held) this.groups.get(group).add(id);
		}
		this.states = [];
		this.record('the beginning');
	}

	again(switches = {}) {
		const groups = [...this.names].map(([id, displayName]) => ({ id, displayName }));
		const next = new ModelGroups(
			{ people: [], groups },
			{ ...this.switches, faults: [], deadFrom: undefined, onRequest: undefined, ...switches },
		);
		Object.assign(next, { users: new Map(this.users), groups: new Map(this.groups), states: [] });
		next.record('the beginning');
		return next;
	}

	/** Ids of the members of a group. */
	membersOf(id) {
		return [...this.groups.get(id)].sort();
	}

	/** What was sent and was no GET, as `METHOD path`. */
	written() {
		return this.requests.flatMap(({ method, path }) =>
			method === 'GET' ? [] : [`${method} ${path}`],
		);
	}

	ofUsers(method, id, query, body, before, entry) {
		const user = id === undefined ? undefined : this.users.get(id);
		if (method === 'DELETE' && user && this.switches.deletedStay) {
			this.users.delete(id);
			this.record(`request ${entry.nth}, DELETE ${entry.path}`);
			return { status: 204 };
		}
		if (user === undefined || method !== 'PATCH')
			return super.ofUsers(method, id, query, body, before, entry);
		const next = changed(user, body.Operations);
		const isRenamed = next.userName !== user.userName;
		if (isRenamed && !this.switches.userNameChanges)
			return refusal(400, 'userName is immutable', 'mutability');
		if (isRenamed && this.named(next.userName).some((other) => other.id !== id))
			return refusal(409, `userName ${next.userName} is taken`, 'uniqueness');
		this.users.set(id, next);
		if (!next.active && this.switches.deactivationDrops) this.dropAll(id);
		this.record(`request ${entry.nth}, PATCH ${entry.path}`);
		const { answers } = this.switches;
		if (answers === '204') return { status: 204 };
		const state = answers === 'stale' ? before : this.now();
		return { status: 200, body: this.showUser(state.users.get(id), state) };
	}

	create({ schemas: _, ...user }, entry) {
		const { userName } = user;
		if (this.named(userName).length > 0)
			return refusal(409, `User ${userName} already exists`, 'uniqueness');
		return super.create(user, entry);
	}

	/** Users of that name, in any case. */
	named(userName) {
		return [...this.users.values()].filter(
			(user) => user.userName.toLowerCase() === String(userName).toLowerCase(),
		);
	}

	ofGroups(method, id, query, body, before, entry) {
		const { groupFilter, excludesAttributes, unlistedGroups } = this.switches;
		if (unlistedGroups.includes(id)) return refusal(404, `no group ${id}`);
		if (id !== undefined || method !== 'GET')
			return super.ofGroups(method, id, query, body, before, entry);
		const filter = query.get('filter');
		if (filter !== null && groupFilter === 'refused')
			return refusal(400, 'no filters here', 'invalidFilter');
		const seen = this.seen();
		let groups = [...seen.groups.keys()]
			.filter((key) => !unlistedGroups.includes(key))
			.map((key) => this.showGroup(key, seen));
		if (filter !== null && groupFilter !== 'ignored') {
			const [, quoted] = /^displayName eq (".*")$/i.exec(filter) ?? [];
			if (quoted === undefined) return refusal(400, 'invalidFilter', 'invalidFilter');
			const key = (text) => (groupFilter === 'exactCase' ? text : text.toLowerCase());
			groups = groups.filter(({ displayName }) => key(displayName) === key(JSON.parse(quoted)));
		}
		const excluded = query.get('excludedAttributes')?.split(',') ?? [];
		if (excludesAttributes && excluded.includes('members'))
			groups = groups.map(({ members: __, ...group }) => group);
		return this.list(groups, query);
	}

	/** Whoever can be added is added; then the request is refused when one cannot. */
	add(key, ids, entry, records = true) {
		const refused = [];
		for (const id of ids) {
			const user = this.users.get(id);
			const was = this.groups.get(key).has(id);
			if (user === undefined || (this.switches.inactiveRefuses && !user.active && !was)) {
				refused.push(id);
				continue;
			}
			if (!was || records) this.adds.push({ request: entry.nth, groupId: key, id, was });
			this.groups.set(key, new Set([...this.groups.get(key), id]));
		}
		if (records || refused.length > 0) this.record(`request ${entry.nth}, add to ${key}`);
		return refused.length > 0
			? refusal(400, `Cannot be added: ${refused}`, 'invalidValue')
			: undefined;
	}

	/** A removal that cannot be made is refused as a whole. */
	patch(key, body, entry) {
		const gone = removed(body.Operations);
		return this.refusedRemoval(key, gone) ?? super.patch(key, body, entry);
	}

	setMembers(key, body, entry) {
		const kept = (body.members ?? []).map(({ value }) => value);
		const gone = [...this.groups.get(key)].filter((id) => !kept.includes(id));
		return this.refusedRemoval(key, gone) ?? super.setMembers(key, body, entry);
	}

	refusedRemoval(key, ids) {
		const { refusesRemovalFrom, inactiveRefuses } = this.switches;
		const held = ids.filter((id) => this.groups.get(key).has(id));
		if (held.length > 0 && refusesRemovalFrom.includes(key))
			return refusal(400, `Members of ${this.names.get(key)} cannot be removed`, 'mutability');
		if (inactiveRefuses && held.some((id) => this.users.get(id)?.active === false))
			return refusal(400, 'The user is deactivated', 'mutability');
		return undefined;
	}

	take(key, id) {
		const had = this.groups.get(key).has(id);
		if (had) this.drop(key, id);
		return had;
	}

	showUser(user, state) {
		const { membersShownOn, emptyUserGroups, omitsEmptyGroups } = this.switches;
		const { groups: _, ...shown } = super.showUser(user, state);
		if (emptyUserGroups) return { ...shown, groups: [] };
		if (membersShownOn !== 'both' && membersShownOn !== 'users') return shown;
		const held = [...state.groups].flatMap(([key, members]) => (members.has(user.id) ? [key] : []));
		if (held.length === 0 && omitsEmptyGroups) return shown;
		return {
			...shown,
			groups: held.map((value) => ({ value, display: this.names.get(value), type: 'direct' })),
		};
	}

	showGroup(key, state) {
		const { membersShownOn } = this.switches;
		const shows = membersShownOn === 'both' || membersShownOn === 'groups';
		return {
			...super.showGroup(key, state),
			id: key,
			displayName: this.names.get(key),
			...(!shows && { members: [] }),
		};
	}
}

const refusal = (status, detail, scimType) => ({
	status,
	body: {
		schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
		detail,
		status: String(status),
		scimType,
	},
});

/** Ids that operations of a PATCH remove. */
const removed = (operations) =>
	operations.flatMap(({ op, path, value = [] }) => {
		if (op !== 'remove') return [];
		const one = /^members\[value eq (".*")\]$/.exec(path);
		return one ? [JSON.parse(one[1])] : value.map((member) => member.value);
	});

/** A user after the operations of a PATCH: plain names, parts of them, and one entry of `emails` by a filter. */
function changed({ attributes, ...user }, operations) {
	const next = { ...user, attributes: structuredClone(attributes) };
	for (const { path, value } of operations) {
		const entry = /^emails\[(\w+) eq "([^"]*)"\](?:\.value)?$/.exec(path);
		if (path === 'active' || path === 'userName') next[path] = value;
		else if (entry !== null) {
			next.attributes.emails = (next.attributes.emails ?? []).map((email) =>
				String(email[entry[1]]).toLowerCase() === entry[2].toLowerCase()
					? { ...email, ...(typeof value === 'object' ? value : { value }) }
					: email,
			);
		} else next.attributes[path] = value;
	}
	return next;
}

module.exports = { ModelGroups, shapeOf, userIdOf };

'use strict';

const { createHash } = require('node:crypto');
const { empty, json, plain, Refusal } = require('../answer');
const { heldByOne, heldIn } = require('./directory');
const { patched } = require('./patched');

const URN = {
	user: 'urn:ietf:params:scim:schemas:core:2.0:User',
	group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
	list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
	error: 'urn:ietf:params:scim:api:messages:2.0:Error',
};

const TERM = /^([\w.]+) eq ("(?:[^"\\]|\\.)*"|true|false)(?: and (?=.)|$)/i;

/** Speaks as RFC 7644 says, but for what the switches say. */
class Rfc {
	/** @param {import('./service').ScimService} service */
	constructor(service) {
		this.service = service;
		this.lists = 0;
		this.unordered = 0;
		this.readById = [];
		this.made = 0;
	}

	get is() {
		return this.service.switches;
	}

	/**
	 * @param {import('./service').ScimRequest} request
	 * @returns {import('../answer').Answer}
	 * @throws {Refusal}
	 */
	answer(request) {
		const { method, path, headers, text, body } = request;
		const { needsUserAgent, token, scheme, discovery, mostBytes, without, withoutAnswers } =
			this.is;
		if (needsUserAgent && !headers['user-agent']) {
			const page = '<html><head><title>403 Forbidden</title></head></html>';
			return plain(403, page, { type: 'text/html' });
		}
		const secret = scheme === 'Basic' ? Buffer.from(String(token)).toString('base64') : token;
		if (token !== undefined && headers.authorization !== `${scheme} ${secret}`)
			throw this.refusal(401, 'Unauthorized');
		const { mediaType, types } = this.is;
		if (text !== '' && mediaType !== undefined && request.contentType !== mediaType)
			throw this.refusal(415, `The body has to be ${mediaType}`);
		const { type, id } = this.route(path) ?? {};
		if (id === undefined && discovery[type] && method === 'GET')
			return this.scim(200, discovery[type]);
		const of = types.includes(type) ? { Users: this.users, Groups: this.groups }[type] : undefined;
		if (of === undefined) throw this.refusal(404, 'No such endpoint');
		if (text.length > mostBytes) throw this.refusal(413, 'Request entity too large');
		if (text !== '' && (typeof body !== 'object' || body === null))
			throw this.refusal(400, 'The body is no JSON object', 'invalidSyntax');
		const verb = id === undefined ? { GET: 'list', POST: 'create' }[method] : method;
		if (of[verb] === undefined) throw this.refusal(405, 'Not allowed');
		if (without.includes(`${method} ${type}`)) throw this.refusal(withoutAnswers, 'Not allowed');
		if (method === 'PUT') this.checkPut(type, body ?? {});
		return of[verb]({ ...request, id, body: body ?? {} });
	}

	/** It has its address to itself. */
	speaksOf() {
		return true;
	}

	/** The type and the id that a path names. */
	route(path) {
		const { prefix, itemPrefix = prefix } = this.is;
		const within = (before) =>
			path.startsWith(`${before}/`) ? path.slice(before.length + 1).split('/') : [];
		const [type, ...more] = within(prefix);
		if (type !== undefined && more.length === 0) return { type };
		const [itemType, id, ...rest] = within(itemPrefix);
		if (id === undefined || rest.length > 0) return undefined;
		const given = decodeURIComponent(id);
		const [read] = (this.is.readsNumbers && /^\d+/.exec(given)) || [given];
		return { type: itemType, id: read };
	}

	// Answers

	scim(status, value) {
		const tag = value.meta && this.tagOf(value);
		const headers = {
			...(tag !== undefined && this.is.etags !== 'unsendable' && { ETag: tag }),
			...(this.is.showsCreated && { Date: new Date(this.is.now()).toUTCString() }),
		};
		return json(status, this.inCase(value), { type: 'application/scim+json', headers });
	}

	/** The tag of a resource as it is shown; none where there are no ETags. */
	tagOf({ meta, ...resource }) {
		const { etags } = this.is;
		if (etags === 'off' || meta?.version !== undefined) return meta?.version;
		this.tags = (this.tags ?? 0) + 1;
		const hash = createHash('sha256').update(JSON.stringify(resource)).digest('hex').slice(0, 12);
		const odd = { weak: `W/"${hash}"`, changing: `"${this.tags}"`, unsendable: `"${hash}\n✓"` };
		return odd[etags] ?? `"${hash}"`;
	}

	/** A resource with its `meta`. */
	withMeta(resource, meta) {
		const version = this.is.etags === 'header' ? undefined : this.tagOf(resource);
		return { ...resource, meta: { ...meta, ...(version !== undefined && { version }) } };
	}

	/** @throws {Refusal} 412 where the resource is not as it was; a weak tag never says that it is (RFC 9110) */
	checkMatch({ headers }, shown) {
		const wanted = headers['if-match'];
		if (this.is.etags === 'off' || wanted === undefined) return;
		if (wanted !== this.tagOf(shown) || wanted.startsWith('W/'))
			throw this.refusal(412, 'The resource has changed');
	}

	/** @returns {Refusal} in the form that the service has for errors */
	refusal(status, detail, scimType) {
		const schemas = [URN.error];
		const page = `<html><head><title>${status} ${detail}</title><style>b{}</style></head><body><h1>Oops</h1></body></html>`;
		const answers = {
			scim: () => this.scim(status, { schemas, status: String(status), detail, scimType }),
			statusNumber: () => this.scim(status, { schemas, status, detail, scimType }),
			withoutStatus: () => this.scim(status, { schemas, detail, scimType }),
			withoutType: () => this.scim(status, { schemas, status: String(status), detail }),
			text: () => plain(status, detail, { type: 'text/plain' }),
			html: () => plain(status, page, { type: 'text/html' }),
		};
		return new Refusal(answers[this.is.errors]());
	}

	/** The same with attribute names and URNs in other case, all the way down. */
	inCase(value) {
		const { names } = this.is;
		if (names === 'usual') return value;
		const turn = (text) => (names === 'upper' ? text.toUpperCase() : text.toLowerCase());
		if (Array.isArray(value)) return value.map((entry) => this.inCase(entry));
		if (typeof value !== 'object' || value === null)
			return typeof value === 'string' && value.startsWith('urn:') ? turn(value) : value;
		return Object.fromEntries(
			Object.entries(value).map(([name, inner]) => [turn(name), this.inCase(inner)]),
		);
	}

	/** The answer to a PATCH or PUT: with the resource, without, or the one and the other in turn. */
	written(show, patchAnswers = this.is.patchAnswers) {
		const isEmpty =
			String(patchAnswers) === '204' || (patchAnswers === 'both' && this.service.writes % 2 === 0);
		if (isEmpty) return empty(204);
		return this.scim(200, show(this.service.told));
	}

	// Lists

	list(type, query, found, show) {
		const { is } = this;
		this.lists += 1;
		is.onList?.(this.lists, this.service);
		const refused = is.refusesQuery.filter((name) => name in query);
		if (refused.length > 0) throw this.refusal(400, `${refused} is not supported`, 'invalidValue');
		if (query.count > is.mostCount)
			throw this.refusal(400, `count is at most ${is.mostCount}`, 'invalidCount');
		if (is.paging === 'cursor' || (is.paging === 'cursorAsked' && 'cursor' in query))
			return this.listByCursor(query, found, show);
		const most = is.ignoresCount || query.count === undefined ? Infinity : Number(query.count);
		const count = Math.min(most, is.pageCap ?? Infinity);
		const start = is.ignoresStart ? 1 : Math.max(1, Number(query.startIndex ?? 1));
		if (is.endlessList) return this.endless(type, start, count);
		let all = found();
		if (is.listsTwice) all = all.flatMap((one) => Array(this.timesOf(type, one)).fill(one));
		let from = start === 1 ? 0 : Math.max(0, start - 1 - is.overlap);
		if (is.startCounts === 'pages' && count < Infinity) from = (start - 1) * count;
		if (from >= all.length && is.pastTheEnd === 'firstPage') from = 0;
		if (from > 0 && from < all.length && this.unordered < is.unordered) {
			this.unordered += 1;
			all = all.with(from, all[from - 1]);
		}
		const size = all.length > from + count ? Math.max(1, count - is.shortBy) : count;
		const page = all
			.slice(0, is.endsAfter[type])
			.slice(from, from + size)
			.map(show);
		const total = {
			true: { totalResults: all.length },
			page: { totalResults: page.length },
			missing: {},
			string: { totalResults: String(all.length) },
		}[is.total];
		const none = { list: { Resources: [] }, absent: {}, null: { Resources: null } }[is.noHits];
		return this.scim(200, {
			schemas: [URN.list],
			...total,
			itemsPerPage: page.length,
			startIndex: start,
			...(page.length > 0 ? { Resources: page } : none),
		});
	}

	/** How often one stands in a list that has some several times. */
	timesOf(type, { id }) {
		if (this.is.listsTwice !== 'perGroup') return 2;
		return type === 'Users' ? Math.max(1, this.service.heldBy(id).length) : 1;
	}

	/** RFC 9865: a cursor is good for the same filter, for a while. What was asked for with one has no total at AWS. */
	listByCursor({ cursor, count, filter = '' }, found, show) {
		const { cursorMs, now, pageCap, shortBy, paging } = this.is;
		const [from, filterThen, since] = cursor ? cursorIn(cursor) : [0, filter, now()];
		if (filterThen !== filter) throw this.refusal(400, 'No such cursor', 'invalidCursor');
		if (now() - since > cursorMs) throw this.refusal(400, 'The cursor is too old', 'expiredCursor');
		const all = found();
		const most = Math.min(count ?? Infinity, pageCap ?? Infinity);
		const isLast = all.length <= from + most;
		const next = isLast ? all.length : from + Math.max(1, most - shortBy);
		const page = all.slice(from, next).map(show);
		const cursorAt = (start) => cursorOf([start, filter, now()]);
		return this.scim(200, {
			schemas: [URN.list],
			...(paging === 'cursor' && { totalResults: all.length }),
			itemsPerPage: page.length,
			...(paging === 'cursor' &&
				from > 0 && { previousCursor: cursorAt(Math.max(0, from - most)) }),
			...(!isLast && { nextCursor: cursorAt(next) }),
			Resources: page,
		});
	}

	endless(type, start, count) {
		const page = Array.from({ length: Math.min(count, 1000) }, (_, index) => {
			const id = `${type}-${start + index}`;
			return { id, userName: `${id}@example.com`, displayName: id };
		});
		const said = this.is.total === 'missing' ? {} : { totalResults: 1e9 };
		return this.scim(200, { schemas: [URN.list], ...said, Resources: page });
	}

	/** A service that hides memberships hides them from filters, too, where the switch does not say otherwise. */
	get membershipFilter() {
		const { membershipFilter, showsMembers, usersShowGroups } = this.is;
		const isShown = [showsMembers, usersShowGroups].some((how) =>
			/^(all|whenAny|asked)$/.test(how),
		);
		return membershipFilter ?? (isShown ? 'on' : 'ignored');
	}

	/**
	 * @param {'on' | 'off' | 'exactCase' | 'ignored' | 'ofPage' | number} mode
	 * @param {(one: any) => object} resourceOf with everything that can be filtered by
	 */
	filtered(type, every, { filter, count }, mode, resourceOf) {
		if (type === 'Users' && this.is.showsNobody) return [];
		if (filter === undefined && type === 'Users' && this.is.listsByFilterOnly) return [];
		if (filter === undefined || mode === 'ignored') return every;
		const all = mode === 'ofPage' ? every.slice(0, count) : every;
		const terms = termsIn(filter);
		const names = terms.map(({ name }) => name).sort();
		const ofMembers = names.some((name) => /^(groups|members)(\.value)?$/.test(name))
			? this.membershipFilter
			: 'on';
		if (ofMembers === 'ignored') return every;
		if (ofMembers === 'nobody') return [];
		if (ofMembers === 'off') throw this.refusal(400, 'No such attribute', 'invalidFilter');
		if (names.length * 2 - 1 > this.is.mostFilterNodes)
			throw this.refusal(400, 'The filter is too long', 'invalidFilter');
		const isKnown = this.is.filterBy[type]?.includes(names.join(' ')) ?? true;
		if (mode === 'off' || typeof mode === 'number' || terms.length === 0 || !isKnown)
			throw this.refusal(mode > 0 ? mode : 400, 'Filters are not supported', 'invalidFilter');
		if (terms.some(({ value }) => this.is.filterMisses?.(value))) return [];
		const key = (text) => (mode === 'exactCase' ? text : String(text).toLowerCase());
		const holds = (one) => (term) =>
			valuesAt(one, term.name).some((is) => key(is) === key(term.value));
		return all.filter((one) => terms.every(holds(resourceOf(one))));
	}

	// Users

	users = {
		list: ({ query }) => {
			const seen = this.service.seen();
			const heldBy = heldIn(seen);
			const found = () =>
				this.filtered(
					'Users',
					this.service.indexed([...seen.users.values()]),
					query,
					this.is.filter,
					({ attributes, ...user }) => ({
						...attributes,
						...user,
						...(this.is.userNames === 'shown' && { userName: user.email }),
						groups: entriesOf(heldBy(user.id)),
					}),
				);
			return this.list('Users', query, found, ({ id }) =>
				this.asked(query, this.showUser(id, seen, heldBy, query)),
			);
		},

		GET: ({ id, query }) => {
			const seen = this.service.seen();
			if (!seen.users.has(id)) throw this.refusal(404, `No resource ${id}`);
			const shown = this.answeredWith(id, seen.users);
			return this.scim(200, this.asked(query, this.showUser(shown, seen, undefined, query)));
		},

		create: ({ body }) => {
			const { service } = this;
			const { active, attributes, ...given } = userIn(body);
			const userName = this.nameOf(given.userName);
			this.checkUser(body, this.is.requires);
			this.checkEntries(body);
			if (typeof userName !== 'string')
				throw this.refusal(400, 'userName is required', 'invalidValue');
			if (service.isTaken(userName) && this.is.takenNames !== 'stored') {
				if (this.is.takenNames === 'refused')
					throw this.refusal(409, `User ${userName} already exists`, 'uniqueness');
				return this.scim(201, this.showUser(service.byName(userName).id, service));
			}
			const ownId = this.is.ids === 'externalId' ? attributes.externalId : undefined;
			const { id } = service.create(userName, this.keptOf(attributes), active, ownId);
			const now = this.is.now();
			service.indexedAt.set(id, now + this.is.indexLagMs);
			const { createAnswer } = this.is;
			const { id: _, ...withoutId } = this.showUser(id, service);
			if (createAnswer === 'empty') return empty(201);
			return this.scim(201, createAnswer === 'whole' ? { id, ...withoutId } : withoutId);
		},

		PUT: ({ id, body, headers }) => {
			const user = this.existingUser(id, false);
			this.checkMatch({ headers }, this.showUser(id, this.service));
			this.checkUser(body, this.is.requires);
			this.checkEntries(body);
			if (this.is.mergesBodies) return this.storeUser(user, merged(user, body));
			return this.storeUser(user, { ...user, ...userIn({ userName: user.userName, ...body }) });
		},

		PATCH: ({ id, body }) => {
			const user = this.existingUser(id, this.is.silentForUnknown);
			const operations = this.operationsIn(body);
			if (this.is.mergesBodies) return this.storeUser(user, merged(user, body));
			const { patchTakes } = this.is;
			const isTaken = ({ path, value }) =>
				(path === undefined ? Object.keys(Object(value)) : [path]).every((one) =>
					patchTakes.includes(one),
				);
			if (patchTakes !== undefined && !operations.every(isTaken))
				throw this.refusal(400, `PATCH takes ${patchTakes} alone`, 'invalidPath');
			const { pathsTakeTextAlone, dottedPathsAreNames } = this.is;
			const isOther = ({ path, value }) => path !== undefined && typeof value !== 'string';
			if (pathsTakeTextAlone && operations.some(isOther))
				throw this.refusal(501, 'Not implemented', 'invalidValue');
			const values = this.valuesIn(operations);
			const { id: _, email: __, ...next } = patched(user, values, dottedPathsAreNames);
			return this.storeUser(user, { ...user, ...next });
		},

		DELETE: ({ id }) => {
			const { service } = this;
			const user = this.existingUser(id, this.is.silentForUnknown);
			this.checkOwner(user);
			service.delete(id);
			if (this.is.deletesSoftly) service.store({ ...user, active: false });
			if (this.is.deleteAnswer === 200) return this.scim(200, { message: 'deleted' });
			return empty(204);
		},
	};

	/** Operations on users as the service takes removals. @throws {Refusal} for a filter in a path, where there is none */
	valuesIn(operations) {
		const { refusesFilterPath, removesEverybody, skipsRemove } = this.is;
		return operations.flatMap((operation) => {
			const isRemoval = operation.op?.toLowerCase() === 'remove';
			const [list, filter] = String(operation.path).split('[');
			if (filter !== undefined && refusesFilterPath)
				throw this.refusal(refusesFilterPath, 'Bad path', 'invalidPath');
			if (isRemoval && skipsRemove) return [];
			const isWhole = isRemoval && filter && removesEverybody.includes('filterPath');
			return [isWhole ? { ...operation, path: list } : operation];
		});
	}

	/** @throws {Refusal} 404, or an answer that does not tell */
	existingUser(id, isSilent) {
		const user = this.service.users.get(id);
		if (user !== undefined) return user;
		throw isSilent ? new Refusal(empty(204)) : this.refusal(404, `No resource ${id}`);
	}

	/** @throws {Refusal} for what is missing */
	checkPut(type, body) {
		const required = this.is.putRequires[type] ?? [];
		const missing = required.filter((path) => !valuesAt(body, path).some(Boolean));
		if (missing.length > 0) throw this.service.invalid(`Required: ${missing.join(', ')}`);
	}

	/** @throws {Refusal} for what is missing or too much */
	checkUser(user, required = []) {
		const missing = required.filter((path) => !valuesAt(user, path).some(Boolean));
		if (missing.length > 0) throw this.service.invalid(`Required: ${missing.join(', ')}`);
		const isLong = (list) => Array.isArray(list) && list.length > this.is.mostEntries;
		const [tooMany] = Object.entries(user).find(([, value]) => isLong(value)) ?? [];
		if (tooMany) throw this.service.invalid(`At most ${this.is.mostEntries} ${tooMany}`);
	}

	/** @throws {Refusal} for an entry of a list without a value, where it has to have one */
	checkEntries({ schemas, ...user }) {
		const isEmpty = (list) => Array.isArray(list) && list.some((entry) => !entry?.value);
		const [empty] = Object.entries(user).find(([, list]) => isEmpty(list)) ?? [];
		if (this.is.entriesNeedValues && empty)
			throw this.service.invalid(`${empty}: value is required`);
	}

	/** @throws {Refusal} when there is no other owner */
	checkOwner({ id }) {
		const { ownerIn } = this.is;
		const isOwner = ({ active, attributes }) =>
			active && valuesAt(attributes, ownerIn).some((role) => /^owner$/i.test(role));
		const owners = ownerIn === undefined ? [] : [...this.service.users.values()].filter(isOwner);
		if (owners.length === 1 && owners[0].id === id)
			throw this.refusal(403, 'The last owner cannot be removed');
	}

	/** The name that is stored for the one that came. */
	nameOf(userName) {
		const { nameLength } = this.is;
		if (nameLength === undefined || typeof userName !== 'string') return userName;
		const [name] = userName.split('@');
		if (name.length > nameLength) throw this.service.invalid('long_username');
		return name;
	}

	/** The attributes of a user as they are kept. @param before what was kept */
	keptOf(all, before = {}) {
		const { keepsAlone } = this.is;
		const isKept = ([name]) => keepsAlone?.includes(name) ?? true;
		const attributes = Object.fromEntries(Object.entries(all).filter(isKept));
		const given = [attributes.emails ?? []].flat();
		const { value = before.emails?.[0]?.value ?? null } =
			given.find((one) => one?.type === 'work') ?? {};
		const primary = given.find((one) => one?.primary) ?? given[0];
		const kept = {
			byType: [{ value, type: 'work', primary: true }],
			primary: primary && [{ value: primary.value, primary: true }],
		}[this.is.emails];
		return kept ? { ...attributes, emails: kept } : attributes;
	}

	storeUser(before, given) {
		const { service } = this;
		const next = { ...given, attributes: this.keptOf(given.attributes, before.attributes) };
		this.checkUser(next.attributes);
		if (next.active === false && before.active) {
			this.checkOwner(before);
			if (this.is.deactivationDeletes) {
				const left = { users: new Map([[next.id, next]]), groups: service.groups };
				service.delete(next.id);
				return this.written(() => this.showUser(next.id, left));
			}
		}
		if (next.userName !== before.userName) {
			next.userName = this.nameOf(next.userName);
			if (this.is.userNames === 'refused')
				throw this.refusal(400, 'userName is immutable', 'mutability');
			if (service.named(next.userName).some(({ id }) => id !== next.id))
				throw this.refusal(409, `userName ${next.userName} is taken`, 'uniqueness');
		}
		service.store(next);
		const came = { users: new Map([[next.id, given]]), groups: service.groups };
		return this.written((state) => this.showUser(next.id, this.is.keepsAlone ? came : state));
	}

	/** The ID of the resource that a read by ID gets. */
	answeredWith(id, known) {
		const before = this.readById.findLast((one) => known.has(one)) ?? id;
		this.readById.push(id);
		return this.readById.length % this.is.answersAnother === 0 ? before : id;
	}

	/** What a read asks for of a resource, where that is all that is shown. */
	asked({ attributes }, resource) {
		if (!this.is.showsAskedAlone || attributes === undefined) return resource;
		const names = ['schemas', 'id', 'meta', ...attributes.toLowerCase().split(',')];
		const isAsked = ([name]) => names.includes(name.toLowerCase());
		return Object.fromEntries(Object.entries(resource).filter(isAsked));
	}

	showUser(id, state, heldBy, query = {}) {
		const { userName, active, attributes } = state.users.get(id);
		const shownActive = {
			boolean: { active },
			text: { active: active ? 'True' : 'False' },
			number: { active: active ? 1 : 0 },
			word: { active: active ? 'active' : 'inactive' },
			disabled: { active: active ? 'active' : 'disabled' },
			lower: { active: String(active) },
			undefined: { active: 'undefined' },
			whenTrue: active ? { active } : {},
			absent: {},
		}[this.is.active];
		const { about } = this.service;
		const held = () => {
			const direct = (heldBy ?? heldByOne(state))(id);
			const above = direct.map((value) => about.get(value)?.parent);
			const indirect = new Set(above.filter((value) => value && !direct.includes(value)));
			return [...direct, ...indirect].map((value, at) => ({
				value,
				display: about.get(value)?.displayName,
				type: at < direct.length ? 'direct' : 'indirect',
			}));
		};
		const shown = {
			schemas: [URN.user, ...Object.keys(attributes).filter((name) => /^urn:/i.test(name))],
			...this.is.userDefaults,
			...attributes,
			...this.emailsOf(attributes),
			id,
			userName,
			...shownActive,
			...shownAs(this.is.usersShowGroups, 'groups', held, query),
			...this.is.extra,
		};
		return this.withMeta(shown, {
			...{ resourceType: 'User', ...this.locationOf('Users', id) },
			...(this.is.showsCreated && { created: this.createdAt(id) }),
		});
	}

	/** Users of the beginning are from long before. */
	createdAt(id) {
		const at = this.service.indexedAt.get(id);
		return new Date(at === undefined ? 0 : at - this.is.indexLagMs).toISOString();
	}

	emailsOf({ emails }) {
		if (this.is.emails !== 'object' || !emails?.length) return {};
		const [{ value, primary = true }] = emails;
		return { emails: { Value: value, Display: '', Type: '', Primary: primary } };
	}

	// Groups

	groups = {
		list: ({ query }) => {
			const { groupFilter = this.is.filter, excludesAttributes, unlistedGroups } = this.is;
			const { listsTopLevelAlone, listsMembers } = this.is;
			const isListed = (id) =>
				!unlistedGroups.includes(id) &&
				!(listsTopLevelAlone && this.service.about.get(id)?.parent !== undefined);
			const seen = this.service.seen();
			const found = () =>
				this.filtered(
					'Groups',
					[...seen.groups.keys()].filter(isListed),
					query,
					groupFilter,
					(id) => ({ ...this.service.about.get(id), id, members: entriesOf(seen.groups.get(id)) }),
				);
			const asksFor = termsIn(query.filter).find(({ name }) => /^members(\.value)?$/.test(name));
			if (this.is.filterForNobody === 404 && asksFor && !seen.users.has(asksFor.value))
				throw this.refusal(404, 'No such member');
			const excluded = excludesAttributes ? (query.excludedAttributes?.split(',') ?? []) : [];
			const how = excluded.includes('members') ? 'absent' : listsMembers;
			return this.list('Groups', query, found, (id) =>
				this.asked(query, this.showGroup(id, seen, how, query)),
			);
		},

		GET: ({ id, query }) => {
			const seen = this.service.seen();
			this.existingGroup(id);
			const shown = this.answeredWith(id, seen.groups);
			return this.scim(200, this.asked(query, this.showGroup(shown, seen, 'all', query)));
		},

		create: ({ body: { schemas, id: _, meta, members = [], ...attributes } }) => {
			this.checkNotFixed();
			this.checkCount(members.length);
			this.checkMembers('POST', members);
			this.made += 1;
			const id = `group-${this.made}`;
			this.service.plantGroup({ ...attributes, id });
			const ids = members.map(({ value }) => value);
			this.service.modify(id, [{ op: 'add', ids }]);
			return this.scim(201, this.showGroup(id, this.service, this.is.answersMembers));
		},

		PUT: ({ id, body: { schemas, id: _, meta, members = [], ...attributes }, headers }) => {
			const before = this.existingGroup(id);
			this.checkMatch({ headers }, this.showGroup(id, this.service));
			const { removesEverybody, ignoresChanges, membersByPatchAlone } = this.is;
			this.checkMembers('PUT', members);
			const { about } = this.service;
			const { displayName, parent } = about.get(id);
			const ids = removesEverybody.includes('put') ? [] : members.map(({ value }) => value);
			const stay =
				ignoresChanges.includes('put') || (ids.length === 0 && ignoresChanges.includes('emptyPut'));
			const gone = before.filter((member) => !stay && !ids.includes(member));
			const steps = [
				{ op: 'add', ids },
				{ op: 'remove', ids: gone },
			];
			if (!membersByPatchAlone) this.change(id, steps, { isList: true });
			// RFC 7644 section 3.5.1: what is not sent is cleared, but for what is required and what is read-only.
			if (!this.is.fixedGroups)
				about.set(id, { displayName, ...attributes, ...(parent && { parent }) });
			return this.groupWritten(id);
		},

		PATCH: ({ id, body }) => {
			const members = this.existingGroup(id);
			const { removesEverybody, refusesFilterPath, refusesWholeLists } = this.is;
			const { ignoresRemovals, ignoresChanges } = this.is;
			const operations = this.operationsIn(body);
			const count = operations.reduce((sum, { value = 1 }) => sum + [value].flat().length, 0);
			this.checkCount(count);
			const isWhole = ({ op, path, value }) =>
				path === 'members' && (op === 'replace' || (op === 'remove' && !value?.length));
			if (refusesWholeLists && operations.some(isWhole))
				throw this.service.invalid('Not all members at once');
			const steps = operations.flatMap((operation) => {
				const { op, path, value } = operation;
				const [, quoted] = /^members\[value eq ("(?:[^"\\]|\\.)*")\]$/.exec(path) ?? [];
				if (quoted !== undefined && refusesFilterPath)
					throw this.refusal(refusesFilterPath, 'Bad path', 'invalidPath');
				if (path !== 'members' && quoted === undefined) {
					this.checkNotFixed();
					const about = { attributes: this.service.about.get(id) };
					this.service.about.set(id, patched(about, [operation]).attributes);
					const isEmptied = this.is.emptiesWithoutPath && path === undefined;
					return isEmptied ? [{ op: 'remove', ids: members }] : [];
				}
				const ids = quoted ? [JSON.parse(quoted)] : (value ?? []).map((entry) => entry.value);
				const form = quoted ? 'filterPath' : 'valueList';
				if (op === 'remove' && ignoresRemovals.includes(form)) return [];
				if (op === 'remove') return [{ op, ids: removesEverybody.includes(form) ? members : ids }];
				if (op === 'replace' && ignoresChanges.includes('replace')) return [];
				this.checkMembers('PATCH', value ?? []);
				const others = members.filter((member) => op === 'replace' && !ids.includes(member));
				return [
					{ op: 'add', ids },
					{ op: 'remove', ids: others },
				];
			});
			this.change(id, steps);
			const { groups } = this.service;
			if (this.is.losesUnshown) groups.set(id, groups.get(id).slice(0, this.is.mostShownMembers));
			return this.groupWritten(id);
		},

		DELETE: ({ id }) => {
			this.existingGroup(id);
			this.checkNotFixed();
			this.service.groups.delete(id);
			return empty(204);
		},
	};

	existingGroup(id) {
		const members = this.service.groups.get(id);
		if (members === undefined || this.is.unlistedGroups.includes(id))
			throw this.refusal(404, `No resource ${id}`);
		return members;
	}

	groupWritten(id) {
		const { groupPatchAnswers, answersMembers } = this.is;
		return this.written((state) => this.showGroup(id, state, answersMembers), groupPatchAnswers);
	}

	checkCount(members) {
		const { mostMembers, tooManyMembers } = this.is;
		if (members > mostMembers)
			throw this.refusal(tooManyMembers, `At most ${mostMembers} members`, 'tooMany');
	}

	/** @throws {Refusal} for members where none are taken, or without the `display` that they have to have */
	checkMembers(method, members) {
		const { membersByPatchAlone, membersNeedDisplay } = this.is;
		if (membersByPatchAlone && method !== 'PATCH' && members.length > 0)
			throw this.refusal(400, 'Members are changed by PATCH', 'invalidSyntax');
		const needed = membersNeedDisplay[method];
		const isRight = ({ value, display }) =>
			needed === 'any' ? display : display === this.service.users.get(value)?.userName;
		if (needed !== undefined && !members.every(isRight))
			throw this.refusal(400, 'members.display', 'invalidSyntax');
	}

	checkNotFixed() {
		if (this.is.fixedGroups)
			throw this.refusal(400, 'Groups cannot be created or deleted', 'mutability');
	}

	/** Adds and removes members; what cannot be done at all is refused before anything is. */
	change(id, steps, how) {
		const { service, is } = this;
		const members = service.groups.get(id);
		const idsOf = (op) => steps.flatMap((step) => (step.op === op ? step.ids : []));
		const [added, gone] = [idsOf('add'), idsOf('remove').filter((one) => members.includes(one))];
		if (gone.length > 0 && is.refusesRemovalFrom.includes(id)) {
			const { displayName } = service.about.get(id);
			throw this.refusal(400, `Members of ${displayName} cannot be removed`, 'mutability');
		}
		if (is.inactiveRefuses && gone.some((one) => service.users.get(one)?.active === false))
			throw this.refusal(400, 'The user is deactivated', 'mutability');
		if (added.length > 0 && is.refusesAddsTo.includes(id)) throw service.invalid('Not allowed');
		if (is.unknownMembers === 'refused' && !added.every((one) => service.users.has(one)))
			throw service.invalid('No such user');
		const along = gone.length > 0 ? is.alsoRemoves.filter((one) => members.includes(one)) : [];
		service.modify(id, [...steps, { op: 'remove', ids: along }], how);
	}

	/** The operations of a PATCH. @throws {Refusal} for forms that are not taken */
	operationsIn({ Operations = [] }) {
		const { otherForms, mostOperations } = this.is;
		if (Operations.length > mostOperations)
			throw this.refusal(400, `At most ${mostOperations} operations`, 'tooMany');
		const isPlain =
			Array.isArray(Operations) &&
			Operations.every(({ path }) => typeof path === 'string' && !path.startsWith(URN.user));
		const isText = ({ path, value }) => path !== undefined && typeof value === 'string';
		if (this.is.failsAtTextPaths && [Operations].flat().some(isText))
			throw this.refusal(500, 'Internal error');
		if (isPlain || otherForms === 'taken') return [Operations].flat();
		if (otherForms === 'ignored') return [];
		throw this.refusal(400, 'Malformed operation', 'invalidSyntax');
	}

	showGroup(id, { users, groups }, how = 'all', query = {}) {
		const { showsNames, showsMembers, mostShownMembers, memberRefs, extra } = this.is;
		const { schemas, parent, ...attributes } = this.service.about.get(id) ?? {};
		// While reads lag, a group that was just made has no members yet.
		const members = () =>
			(groups.get(id) ?? []).slice(0, mostShownMembers).map((value) => {
				const person = users.get(value) ?? this.service.users.get(value);
				// A group in a group (RFC 7643 section 4.2).
				const nested = person ? undefined : this.service.about.get(value);
				const display = nested?.displayName ?? person?.userName;
				const $ref = `../${nested ? 'Groups' : 'Users'}/${encodeURIComponent(value)}`;
				return {
					...(memberRefs !== 'alone' && { value }),
					...(memberRefs !== 'absent' && { $ref }),
					...(nested && { type: 'Group' }),
					...(showsNames && { display }),
				};
			});
		const shown = {
			schemas: [URN.group],
			...attributes,
			id,
			...shownAs(how === 'all' ? showsMembers : how, 'members', members, query),
			...extra,
		};
		return this.withMeta(shown, { resourceType: 'Group', ...this.locationOf('Groups', id) });
	}

	locationOf(type, id) {
		const path = `${this.is.prefix}/${type}/${encodeURIComponent(id)}`;
		return {
			absolute: { location: `${this.service.url}${path}` },
			missing: {},
			relative: { location: path },
			otherPrefix: { location: `${this.service.url}/elsewhere/v9${path}` },
		}[this.is.location];
	}
}

/** A list under its name: `all`, `whenAny`, `empty`, `absent`, or `asked` for by a read. */
function shownAs(how, name, entries, { attributes = '' }) {
	const isAsked = attributes.toLowerCase().split(',').includes(name);
	if (how === 'absent' || (how === 'asked' && !isAsked)) return {};
	const list = how === 'empty' ? [] : entries();
	return /^(whenAny|asked)$/.test(how) && list.length === 0 ? {} : { [name]: list };
}

/** The comparisons of a filter, which all have to hold; none for a filter of any other form. */
function termsIn(filter = '') {
	const terms = [];
	for (let rest = filter; rest !== '';) {
		const [all, name, quoted] = TERM.exec(rest) ?? [];
		if (all === undefined) return [];
		terms.push({ name, value: JSON.parse(quoted[0] === '"' ? quoted : quoted.toLowerCase()) });
		rest = rest.slice(all.length);
	}
	return terms;
}

/** Whatever is at a path such as `name.givenName` or `emails.value`; an entry of a list is its `value`. */
function valuesAt(resource, path) {
	const [name, ...inner] = path.split('.');
	const found = [Object(resource)[name] ?? []].flat();
	if (inner.length === 0) return found.map((entry) => entry?.value ?? entry);
	return found.flatMap((entry) => valuesAt(entry, inner.join('.')));
}

const entriesOf = (ids) => ids.map((value) => ({ value }));

const cursorOf = (place) => Buffer.from(JSON.stringify(place)).toString('base64url');

/** The place that a cursor names; none for one that was never given out. */
function cursorIn(cursor) {
	try {
		const [...place] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
		return place;
	} catch {
		return [];
	}
}

/** What a user is to be, of the body of a POST or PUT. */
function userIn({ schemas, id, meta, groups, userName, active = true, ...attributes }) {
	return { userName, active, attributes };
}

/** A user with all that came laid over it. */
function merged(user, { id, userName = user.userName, active = user.active, ...rest }) {
	return { ...user, userName, active, attributes: { ...user.attributes, ...rest } };
}

module.exports = { Rfc };

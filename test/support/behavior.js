'use strict';

// A table of what an operation does to a service: a row is a service, a wish, and what comes of it. What a row does not
// name has to stay as it was, and no error may come. Where nothing changes nothing may be sent.

require('./noWaiting');
const { DIALECTS } = require('../../demo/service/scim/dialects');
const { groupRows: rows, locator } = require('./accessRows');
const { MemoryService, ACCOUNT, userIdOf } = require('./memoryService');
const { defaultsOf } = require('./modelGroupsPlay');
const { runOnModel } = require('./modelNode');
const { later } = require('./secondWriter');
const { errorsIn, expectItems, says, wordsIn } = require('./tableRows');

/** How services show who is in which group. */
const SHOWN = {
	'on groups and users': {},
	'on groups': { usersShowGroups: 'absent' },
	'on groups and users, left out where there are none': {
		...{ showsMembers: 'whenAny', usersShowGroups: 'whenAny' },
	},
	'on users': { showsMembers: 'absent' },
	'on request': { showsMembers: 'asked', usersShowGroups: 'absent' },
	'by filter': {
		...{ ...DIALECTS.aws.switches, credential: { serviceProfile: 'awsIdentityCenter' } },
	},
	nowhere: { showsMembers: 'absent', usersShowGroups: 'absent', membershipFilter: 'nobody' },
};

/** The credential of a service on which nobody has to allow a removal. */
const UNDOABLE = { serviceProfile: 'generic', overrideProfile: true, deletionIsFinal: 'no' };

const DOMAIN = '@example.com';
const email = (name) => (name.includes('@') ? name : `${name}${DOMAIN}`);
const emails = (names) => wordsIn(names).map(email).join(', ');
const nameOf = (userName) => userName?.replace(new RegExp(`${DOMAIN}$`), '');
/** What an expression in a row gave: n8n sets By ID for every one. */
const expression = (value) => ({ ...locator('id', value), typed: '={{ $json.value }}' });
/** The same as the access that is chosen. */
const listed = (...given) => ({ accessBy: 'group', groups: rows(...given) });
/** Rows of Reconcile, as JSON. */
const wanted = (all) => ({ wantedFrom: 'json', wantedJson: JSON.stringify(all) });

/** A service whose groups stand for themselves, and words for what is in it: a group goes by its ID. */
class Groups {
	/**
	 * @param people what each has: `{ ana: 'eng vpn', eve: 'inactive eng', bob: { has: 'eng', title: 'x' } }`
	 * @param more `groups` that nobody is in, as words or resources; `credential`; `isTool`: an agent runs the node; and
	 *   switches of the service
	 */
	constructor(people, { groups = [], credential, isTool, ...switches } = {}) {
		this.isTool = isTool;
		const users = Object.entries(people).map(([name, given]) => {
			const { has, ...attributes } = typeof given === 'string' ? { has: given } : given;
			const held = wordsIn(has);
			return {
				...{ userName: email(name), emails: [{ value: email(name), primary: true }] },
				...{ displayName: name, name: { givenName: name, familyName: 'X' } },
				active: !held.includes('inactive'),
				held: held.filter((word) => word !== 'inactive'),
				...attributes,
			};
		});
		const words = new Set(users.flatMap(({ held }) => held));
		this.credential = { serviceProfile: 'generic', ...credential };
		this.service = this.serve(users, words, groups, switches);
		this.before = this.shape();
		this.attributesBefore = this.attributes();
		this.names = new Map([...this.service.users].map(([id, user]) => [id, nameOf(user.userName)]));
	}

	serve(users, words, groups, switches) {
		const resources = [...groups, ...words].map((one) =>
			typeof one === 'string' ? { id: one, displayName: one } : one,
		);
		const all = new Map(resources.map((one) => [one.id, one]).reverse());
		const members = (id) =>
			users
				.filter(({ held }) => held.includes(id))
				.map((user) => user.id ?? userIdOf(user.userName));
		return new MemoryService(
			{
				users: users.map(({ held, ...user }) => user),
				groups: [...all.values()].reverse().map((one) => ({ ...one, members: members(one.id) })),
			},
			switches,
		);
	}

	idOf(word) {
		return word;
	}

	wordOf(groupId) {
		return groupId;
	}

	/** One group. */
	group(word) {
		return locator('id', this.idOf(word));
	}

	/** Rows of groups. */
	groups(words) {
		const group = wordsIn(words).map((word) => ({ group: this.group(word) }));
		return { accessBy: 'group', groups: { group } };
	}

	user(name) {
		return locator('id', this.userId(name));
	}

	userId(name) {
		const [id] = [...this.names].find(([, own]) => own === name) ?? [userIdOf(email(name))];
		return id;
	}

	/** Where the service keeps it. */
	keyOf(word) {
		return word;
	}

	/** Lets each have exactly this: `{ ana: 'eng vpn', ben: '' }`. */
	put(words) {
		for (const [name, held] of Object.entries(words)) {
			const { value: id } = this.user(name);
			this.service.dropAll(id);
			for (const word of wordsIn(held)) this.service.add(this.keyOf(word), id);
		}
	}

	/** Who has what, in the words in which it was given. */
	shape() {
		const { users, groups } = this.service.now();
		return Object.fromEntries(
			[...users.values()].map(({ id, userName, active }) => {
				const held = [...groups].filter(([, ids]) => ids.includes(id)).map(([key]) => key);
				const words = held.map((key) => this.wordOf(key)).sort();
				return [nameOf(userName), [...(active ? [] : ['inactive']), ...words].join(' ')];
			}),
		);
	}

	/** The attributes of each user. */
	attributes() {
		const users = [...this.service.now().users.values()];
		return Object.fromEntries(
			users.map(({ userName, attributes }) => [nameOf(userName), attributes]),
		);
	}

	/** A request as `PATCH eng`, `PATCH ana`, or `POST Users`; one that was refused with its status. */
	lineOf({ method, path, status }) {
		const [, type, id] = /(\w+)(?:\/([^/]*))?$/.exec(path.replace(/^\/scim/, ''));
		// Also of who is gone by now.
		const name = this.names.get(id) ?? nameOf(this.service.users.get(id)?.userName);
		const subject = id === undefined ? type : (name ?? this.wordOf(id));
		return `${method} ${subject}${status >= 400 ? ` ${status}` : ''}`;
	}

	/** An item as `granted ana eng done`; of a move `moved ana a viewer>member done`. */
	itemOf({ change, userName, userId, groupId, roleBefore, role, status }) {
		const place = groupId ? this.wordOf(groupId) : undefined;
		const isMove = change === 'moved' && roleBefore && role;
		const where = isMove ? `${place.split(':')[0]} ${roleBefore}>${role}` : place;
		return [change, nameOf(userName) ?? userId, where, status].filter(Boolean).join(' ');
	}
}

/**
 * The account with organizations: the word `a:viewer` is a role in organization `org-a`. Option `domains` says which emails
 * an organization takes: `{ a: ['example.com'] }`.
 */
class Account extends Groups {
	constructor(people, { credential, ...more } = {}) {
		super(people, {
			credential: { serviceProfile: 'accountOrganizations', ...credential },
			...more,
		});
	}

	serve(users, words, groups, { domains = {}, ...switches }) {
		const places = new Set([...groups, ...words].map((word) => this.placeOf(word)[0]));
		const organizations = [...places].map((id) => ({
			...{ id, name: id },
			allowedDomains: domains[id.replace(/^org-/, '')],
		}));
		const people = users.map(({ held, ...user }) => ({
			...user,
			roles: held.reduce((roles, word) => {
				const [organization, role] = this.placeOf(word);
				return { ...roles, [organization]: [...(roles[organization] ?? []), role] };
			}, {}),
		}));
		return new MemoryService({ people, organizations }, { ...ACCOUNT, ...switches });
	}

	placeOf(word) {
		const [organization, role = 'member'] = word.split(':');
		return [`org-${organization}`, role];
	}

	keyOf(word) {
		return this.placeOf(word).join(':');
	}

	idOf(word) {
		return `whylabs-${this.keyOf(word)}`;
	}

	wordOf(groupId) {
		return groupId.replace(/^(whylabs-)?org-/, '');
	}

	/** Rows of a role in an organization. */
	roles(words) {
		const role = wordsIn(words).map((word) => {
			const [organization, held] = this.placeOf(word);
			return { organization: locator('id', organization), role: held };
		});
		return { accessBy: 'organizationAndRole', roles: { role } };
	}
}

/** What another client does meanwhile: lets each have exactly this. */
const put = (words) => (_, world) => world.put(words);
/** The same, so late that what was read before is too old to go by. */
const putLate = (words) => (_, world) => {
	later(6_000);
	world.put(words);
};
afterEach(() => jest.restoreAllMocks());

/** Runs an operation. Out: its items, errors among them. */
async function play(world, what, parameters, items) {
	return (await playWhole(world, what, parameters, items)).map(({ json }) => json);
}

/** The same with what each item came from. */
async function playWhole(world, [resource, operation], parameters, items = [{}]) {
	const { service, credential, isTool, settings } = world;
	const { output, thrown } = await runOnModel(service, {
		...{ resource, operation, items, credential, isTool, settings },
		parameters: {
			...{ ...defaultsOf(resource, operation), ...parameters },
			// Looks take their pauses at once, and would go on for ten seconds.
			options: { verifyTime: 0, ...parameters.options },
		},
	});
	if (thrown !== undefined) throw thrown;
	return output;
}

/**
 * @typedef {object} Row
 * @property {string} it what it is a case of
 * @property {() => Groups} on the service
 * @property {object | ((world: Groups) => object)} wish the fields; `items` of it are those that differ by item
 * @property {Array<string | object>} [items] each a line of `itemOf`, or what the item has; not looked at without
 * @property {Array<number | number[]>} [from] the input items that each came from; not looked at without
 * @property {Array<RegExp | string>} [fails] what each error says
 * @property {string[]} [sends] lines of the writes, without the status of a fault, in any order (`inOrder`: in this one),
 *   where the promise is which request leaves. Without, a row whose end is the beginning sends nothing
 * @property {boolean} [inOrder]
 * @property {object[]} [bodies] of the writes, in order
 * @property {object[]} [ops] the operations of all PATCHes, in order
 * @property {number | string[]} [reads] how many, or their lines in order
 * @property {Array<RegExp | string>} [warns] what each warning says; not looked at without
 * @property {string[]} [gets] the lines of the reads, in any order, a list once however many pages it has
 * @property {object} [ends] what people (not groups) have in the end, of those of whom that changes; undefined for who is gone
 * @property {object} [sets] the attributes that users have in the end, as far as they change
 * @property {[string, (scim: object, world: Groups) => void, number?]} [meanwhile] what another client does before the
 *   first (or nth) request of a line, such as `PATCH eng`, is carried out
 * @property {(scim: object, world: Groups) => void} [late] what another client does after the last read of a plan, six seconds
 *   before its first write would leave
 * @property {(scim: object, world: Groups) => void} [again] what another client does when the first write comes, which is
 *   answered with 503, not carried out, and has to be sent again
 * @property {boolean} [once] whether a second run does something again; otherwise it is played, and sends nothing
 */

/** Tests of an operation: one for each row. @param {Row | Row[]} rows @param {Partial<Row>} [common] what they share */
function table(resource, operation, rows, common = {}) {
	test.each([rows].flat().map((row) => [row.it, { ...common, ...row }]))('%s', async (_, row) => {
		await playRow([resource, operation], row);
	});
}

/** The same of one service, a row or more for each operation. @param {() => Groups} on */
const tablesOn =
	(on) =>
	(resource, operation, ...rows) =>
		table(resource, operation, rows, { on });

async function playRow(what, row) {
	const world = row.on();
	const { service } = world;
	const { items: perItem, ...wish } = typeof row.wish === 'function' ? row.wish(world) : row.wish;
	if (row.meanwhile) letAct(world, row.meanwhile);
	if (row.late) await letActLate(world, what, row);
	if (row.again) letActAtRefusal(world, row.again);
	const output = await playWhole(world, what, wish, perItem);
	checkItems(
		world,
		output.map(({ json }) => json),
		row,
	);
	if (row.from) expect(output.map(cameFrom)).toEqual(row.from);
	checkRequests(world, row);
	checkEnd(world, row);
	const { once, fails = [] } = row;
	const isDisturbed = row.meanwhile ?? row.late ?? row.again;
	if (once || isDisturbed || fails.asymmetricMatch || fails.length > 0) return;
	service.requests.length = 0;
	const again = await play(world, what, wish, perItem);
	expect(again.filter(({ status }) => status === 'done')).toStrictEqual([]);
	expect(service.written()).toStrictEqual([]);
}

function cameFrom({ pairedItem }) {
	const [item, ...more] = [pairedItem].flat().map((one) => one.item);
	return more.length === 0 ? item : [item, ...more];
}

function letAct(world, [line, act, nth = 1]) {
	let met = 0;
	world.service.given.onRequest = (_, request, scim) => {
		if (world.lineOf(request) === line && ++met === nth) act(scim, world);
	};
}

/** `late` of a row. A run on which nobody acts tells how many reads its plan is made of. */
async function letActLate(world, what, { on, wish, late }) {
	const rehearsal = on();
	const { items, ...fields } = typeof wish === 'function' ? wish(rehearsal) : wish;
	await playWhole(rehearsal, what, fields, items);
	let left = rehearsal.service.requests.findIndex(({ method }) => method !== 'GET');
	if (left < 1) throw new Error('The run has to read before it writes');
	const { service } = world;
	const exchange = service.exchange.bind(service);
	service.exchange = async (request) => {
		const answer = await exchange(request);
		if (--left === 0) {
			later(6_000);
			late(service, world);
		}
		return answer;
	};
}

function letActAtRefusal(world, again) {
	const { service } = world;
	let isMet = false;
	service.given.onRequest = (_, { method }) => {
		if (method === 'GET' || isMet) return;
		isMet = true;
		service.faults.add({ method, nth: 1, kind: 'status', status: 503 });
		again(service, world);
	};
}

/** All that an item warns of: a preview with a summary has what is said of changes there alone. */
function warningsIn({ warnings = [], summaryText = '' }) {
	const [, after = ''] = summaryText.split('\nWarnings\n\n');
	const [section] = after.replaceAll('\u200B', '').split('\n\n');
	const lines = section === '' ? [] : section.split('\n');
	const said = lines.map((line) => line.replace(/^- /, '').replaceAll('∗', '*'));
	return [...new Set([...said, ...(warnings ?? [])])];
}

function checkItems(world, items, { items: wanted, fails = [], warns }) {
	const errors = errorsIn(items);
	expect(errors).toEqual(fails.asymmetricMatch ? fails : fails.map(says));
	const warnings = items.flatMap(warningsIn);
	if (warns !== undefined) expect(warnings).toEqual(warns.map(says));
	if (wanted === undefined) return;
	if (wanted.asymmetricMatch) {
		expect(items).toEqual(wanted);
		return;
	}
	expectItems(items, wanted, (item) => world.itemOf(item));
}

function checkRequests(world, { ends, sets, sends, inOrder, reads, gets, bodies, ops }) {
	const { requests } = world.service;
	const isRead = ({ method }) => method === 'GET';
	const writes = requests.filter((one) => !isRead(one)).map((one) => world.lineOf(one));
	const lines = sends ?? (ends === undefined && sets === undefined ? [] : writes);
	if (inOrder) expect(writes).toEqual(lines);
	else expect(writes.sort()).toEqual([...lines].sort());
	const read = requests.filter(isRead).map((one) => world.lineOf(one));
	if (typeof reads === 'number') expect(read).toHaveLength(reads);
	else if (reads !== undefined) expect(read).toEqual(reads);
	const sent = requests.flatMap(({ body }) => (body === undefined ? [] : [JSON.parse(body)]));
	if (bodies !== undefined) expect(sent).toEqual(bodies);
	if (ops !== undefined) expect(sent.flatMap(({ Operations = [] }) => Operations)).toEqual(ops);
	if (gets === undefined) return;
	const isFirst = ({ query }) => (query.startIndex ?? '1') === '1';
	const first = requests.filter((one) => isRead(one) && isFirst(one));
	expect(first.map((one) => world.lineOf(one)).sort()).toEqual([...gets].sort());
}

function checkEnd(world, { ends = {}, sets = {} }) {
	const there = Object.entries({ ...world.before, ...ends }).filter(([, has]) => has !== undefined);
	expect(world.shape()).toEqual(Object.fromEntries(there));
	const attributes = world.attributes();
	for (const [name] of there) {
		const before = world.attributesBefore[name];
		if (before === undefined) expect(attributes[name]).toMatchObject(sets[name] ?? {});
		else expect(attributes[name]).toEqual({ ...before, ...sets[name] });
	}
}

module.exports = {
	Account,
	Groups,
	SHOWN,
	UNDOABLE,
	email,
	emails,
	errorsIn,
	expression,
	letActLate,
	listed,
	locator,
	play,
	playWhole,
	put,
	putLate,
	rows,
	table,
	tablesOn,
	wanted,
	warningsIn,
};

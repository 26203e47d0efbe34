'use strict';

// What may happen to a run: a service that answers late, in another form or not at all, and other clients that write.

const fc = require('fast-check');
const { deadFrom } = require('../support/memoryService');

const fault = (most, ...kinds) =>
	fc.record({ nth: fc.integer({ min: 1, max: most }), kind: fc.constantFrom(...kinds) });
const order = { seed: fc.nat(1000) };

/** Nothing but the order in which requests arrive. */
const unhurt = fc.record({ ...order, showsNames: fc.constant(true) });

/** Ways of a service that cost requests but no access. */
const hurt = fc.record({
	...order,
	patchAnswers: fc.constantFrom('body', '204', 'stale'),
	lagReads: fc.integer({ min: 0, max: 3 }),
	torn: fc.boolean(),
	createAnswer: fc.constantFrom('whole', 'withoutId'),
	showsNames: fc.boolean(),
	filter: fc.constantFrom('on', 'off'),
	pageCap: fc.option(fc.integer({ min: 3, max: 20 }), { nil: undefined }),
	faults: fc.array(fault(15, 'reset-before', 'reset-after', '500-after', '429'), { maxLength: 2 }),
});

/** The same, and one organization refuses some people. */
const refusing = fc
	.record({ ways: hurt, organization: fc.constantFrom('org-1', 'org-2') })
	.map(({ ways, organization }) => ({ ...ways, faults: [], refusing: organization }));

/** What a run meets beside another one. */
const beside = fc.record({
	...order,
	patchAnswers: fc.constantFrom('body', '204'),
	showsNames: fc.constant(true),
	faults: fc.array(fault(12, '429', 'reset-after'), { maxLength: 1 }),
});

/** How a run is cut at a request: what becomes of the request itself, and of those after it. */
const CUTS = {
	'the connection dies, the request was carried out': (nth) => deadFrom(nth, true),
	'the connection dies, the request was lost': (nth) => deadFrom(nth, false),
	'cancelled, the request was answered': () => [],
	'cancelled, the answer was lost': (nth) => [{ nth, kind: 'reset-after' }],
	'cancelled, the request was lost': (nth) => [{ nth, kind: 'reset-before' }],
};

/** What another client does, before the request of that number is carried out; who and where are taken modulo. */
const deeds = fc.array(
	fc.record({
		at: fc.integer({ min: 1, max: 25 }),
		kind: fc.constantFrom('add', 'drop', 'deactivate', 'activate'),
		who: fc.nat(40),
		group: fc.nat(20),
	}),
	{ minLength: 1, maxLength: 4 },
);

/** Puts in what is otherwise there, from the beginning. */
function plant(service, work) {
	work(service);
	service.states = [];
	service.record('the beginning');
}

const small = fc.integer({ min: 2, max: 6 });

/** Others who come first in the list, and with `isIn` in every group. */
const crowd = (isIn) => (service) => {
	const users = new Map(service.users);
	service.users.clear();
	const ids = Array.from({ length: 100 }, (_, at) => service.create(`other${at}@example.com`).id);
	for (const [id, user] of users) service.users.set(id, user);
	if (!isIn) return;
	for (const [key, members] of service.groups) service.groups.set(key, [...ids, ...members]);
};

/** Another client deleted somebody whom groups still show. */
function haunt({ groups }) {
	for (const [key, members] of groups) groups.set(key, ['user-ghost', ...members]);
}

/** Everybody has the address of somebody else, too, or the one that somebody new is to get. */
function alias({ users }) {
	const all = [...users.values()];
	all.forEach((user, at) => {
		const { userName } = all[(at + 1) % all.length];
		const value = at % 2 === 0 ? `new${at % 5}@example.com` : userName;
		const emails = [{ value: user.userName, primary: true }, { value }];
		users.set(user.id, { ...user, attributes: { ...user.attributes, emails } });
	});
}

/** Accounts that were made beside one whose address it is, and whom no row is about, after a list had shown it. */
function twinsIn({ users, requests }, { run }) {
	const said = JSON.stringify(run).toLowerCase();
	const isOther = ({ id, userName }) => !said.includes(id) && !said.includes(userName);
	const owned = [...users.values()]
		.filter(isOther)
		.flatMap(({ attributes: { emails = [] } }) => emails);
	const isList = ({ method, path, query }) =>
		method === 'GET' && path === '/Users' && query.filter === undefined;
	const first = requests.findIndex(isList);
	return requests.flatMap(({ method, status, body }, at) => {
		if (method !== 'POST' || status !== 201 || first < 0 || at < first) return [];
		const { userName } = JSON.parse(body);
		return owned.some(({ value }) => value === userName)
			? [`${userName} is somebody's address`]
			: [];
	});
}

/**
 * Services that answer oddly in one way: `switches`; `change`: what is otherwise there; `wrongIn`: what besides may not be;
 * `isUntold`: the credential does not say who shows memberships, because it would be believed. Of what is done without
 * the oddity, of what gives and of what takes access, at least `share` has to be done with it, or an error for everything
 * would do; `why` says what the share leaves out.
 */
const ODDITIES = {
	doubled: {
		switches: fc.constant({ listsTwice: true }),
		share: { gives: 1, takes: 1 },
		why: 'nothing: each entry stands equally often, so the list is whole',
	},
	joined: {
		switches: fc.constant({ listsTwice: 'perGroup' }),
		share: { gives: 0.8, takes: 0.8 },
		why: 'whatever needs the list of users, which entries that stand unequally often leave open',
	},
	cutUsers: {
		switches: fc.record({ endsAfter: fc.record({ Users: small }) }),
		share: { gives: 0.8, takes: 0.8 },
		why: 'whatever needs the list of users',
	},
	cutGroups: {
		switches: fc.record({ endsAfter: fc.record({ Groups: small }) }),
		share: { gives: 0.5, takes: 0.7 },
		why: 'whatever needs the list of groups: those that are named by a name, and all groups of somebody',
	},
	sameAgain: {
		switches: fc.record({ pageCap: small, ignoresStart: fc.constant(true) }),
		share: { gives: 0.45, takes: 0.65 },
		why: 'whatever needs a whole list, of users or of groups',
	},
	another: {
		switches: fc.record({ answersAnother: fc.integer({ min: 2, max: 4 }) }),
		share: { gives: 0.55, takes: 0.6 },
		why: 'whatever needs one of the reads that get another resource',
	},
	refs: {
		switches: fc.constant({ memberRefs: 'relative' }),
		share: { gives: 1, takes: 1 },
		why: 'nothing: the last segment but one is a type',
	},
	nobody: {
		switches: fc.constant({ showsNobody: true }),
		share: { gives: 0.45, takes: 0.25 },
		why: 'whoever is named by email, and lists of people',
	},
	echoes: {
		switches: fc.record({
			faults: fc.nat(2).map((at) => [{ kind: 'dropped', method: 'PATCH', nth: at + 1 }]),
		}),
		share: { gives: 0.8, takes: 0.7 },
		why: 'what was not kept',
	},
	pages: {
		switches: fc.constant({ startCounts: 'pages', total: 'page' }),
		change: crowd(false),
		share: { gives: 0.8, takes: 0.8 },
		why: 'whatever needs the list of users',
	},
	words: {
		switches: fc.record({ active: fc.constantFrom('lower', 'word', 'disabled', 'number') }),
		share: { gives: 1, takes: 1 },
		why: 'nothing: all of them are understood',
	},
	cutMembers: {
		switches: fc.constant({ mostShownMembers: 100 }),
		change: crowd(true),
		isUntold: true,
		share: { gives: 0.65, takes: 0.6 },
		why: 'what only the rest of the list would tell, where neither users nor a filter do',
	},
	refsAlone: {
		switches: fc.constant({ memberRefs: 'alone' }),
		share: { gives: 0.6, takes: 0.6 },
		why: 'what a group would tell of whom it does not show, where neither users nor a filter do',
	},
	ghosts: {
		switches: fc.constant({ deletedStay: true }),
		change: haunt,
		share: { gives: 1, takes: 0.9 },
		why: 'groups of which a deleted user cannot be taken out',
	},
	aliases: {
		switches: fc.constant({}),
		change: alias,
		wrongIn: twinsIn,
		share: { gives: 0.7, takes: 0.85 },
		why: "people whose address is somebody else's, too",
	},
};

module.exports = { CUTS, ODDITIES, beside, deeds, hurt, plant, refusing, unhurt };

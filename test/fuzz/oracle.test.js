'use strict';

const { ACCOUNT, MemoryService, userIdOf } = require('../support/memoryService');
const { untrue } = require('./support/checks');
const { BASES } = require('./support/parameters');
const { SECRETS, TRUTH } = require('./support/spoil');
const { World } = require('./support/world');

// What the fuzz holds against a run that takes from somebody what another client gave them meanwhile.

const ANA = userIdOf('ana@example.com');
const VIEWERS = `${BASES.scim}/Groups/whylabs-org-2:viewer`;
const TRUE = { first: [], rest: TRUTH };
const SENT = {
	disableFollowRedirect: true,
	sendCredentialsOnCrossOriginRedirect: false,
	allowedDomains: new URL(BASES.scim).hostname,
	skipSslCertificateValidation: false,
	headers: { 'content-type': 'application/scim+json', authorization: `Bearer ${SECRETS.scim}` },
};
const change = (operation) => ({
	...{ ...SENT, method: 'PATCH', url: VIEWERS },
	body: JSON.stringify({
		schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
		Operations: [operation],
	}),
});
const LOOK = { ...SENT, method: 'GET', url: `${BASES.scim}/Users/${ANA}` };
/** The removal is one that is repeated, so that a look has to come before it. */
const REMOVAL = [
	change({ op: 'add', path: 'members', value: [{ value: ANA }] }),
	change({ op: 'remove', path: `members[value eq "${ANA}"]` }),
];

function worldOf(truth, others) {
	const world = new World({
		...{ truth, script: { reads: TRUE, writes: TRUE }, others, hasSecond: true },
		...{ secret: SECRETS.scim, base: BASES.scim, isScim: true, mostBytes: 1_000_000 },
	});
	world.slept = 0;
	return world;
}

/** Another client makes ana a viewer once so many requests have left. */
async function wrongAfter(play, given) {
	const truth = new MemoryService(
		{ organizations: ['org-2'], people: [{ userName: 'ana@example.com' }] },
		ACCOUNT,
	);
	const run = { node: 'scim', resource: 'access', operation: 'revoke', items: [{}] };
	const deed = { kind: 'role', id: ANA, organization: 'org-2', role: 'viewer', lateMs: 0 };
	const world = worldOf(truth, [{ ...deed, ...given }]);
	await play(world);
	expect(truth.rolesOf(ANA)).toStrictEqual([]);
	expect(world.log.filter(({ other }) => other)).toHaveLength(1);
	const start = { members: {}, active: { [ANA]: true } };
	return untrue({ world, result: { output: [], threw: false }, run, start });
}

test('what was given before the request left is a finding', async () => {
	const wrong = await wrongAfter(
		async (world) => {
			for (const one of [LOOK, ...REMOVAL]) await world.exchange(one);
		},
		{ after: 'requests', at: 0 },
	);
	expect(wrong).toEqual([expect.stringMatching(/took org-2:viewer from .* had just given$/)]);
});

test('what was given while the request was on its way is none', async () => {
	const wrong = await wrongAfter(
		// The look leaves last, and arrives first: so many turns each of them takes.
		async (world) =>
			await Promise.all([...REMOVAL, LOOK].map(async (one) => await world.exchange(one))),
		{ after: 'requests', at: 2 },
	);
	expect(wrong).toStrictEqual([]);
});

describe('somebody of whom it is said that nobody is there, and whom a second run creates', () => {
	const LIST = { ...SENT, method: 'GET', url: `${BASES.scim}/Users` };
	const GROUPS = { ...SENT, method: 'GET', url: `${BASES.scim}/Groups` };
	const CREATE = {
		...{ ...SENT, method: 'POST', url: `${BASES.scim}/Users` },
		body: JSON.stringify({
			schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
			...{ active: true, userName: 'new@example.com' },
		}),
	};
	const OFFBOARDED = {
		...{ change: 'none', status: 'unchanged', reason: 'no user has this email or ID' },
		...{ userName: 'new@example.com', userId: null, group: null, accessRemoved: null },
		...{ accessRemaining: null, provenAt: null, text: 'new@example.com was already offboarded.' },
	};

	test.each([
		['before the last look at users is a finding', [CREATE, LIST, GROUPS], 1],
		['after it is none', [LIST, CREATE, GROUPS], 0],
		['without any look at users is a finding', [CREATE, GROUPS], 1],
	])('%s', async (_, requests, count) => {
		const truth = new MemoryService({ organizations: ['org-2'] }, ACCOUNT);
		const world = worldOf(truth, []);
		for (const one of requests) await world.exchange(one, one === CREATE);
		const items = [{ people: ['new@example.com'], options: { ifNotFound: 'alreadyGone' } }];
		const run = { node: 'scim', resource: 'access', operation: 'offboard', items };
		const output = [{ json: OFFBOARDED, pairedItem: { item: 0 } }];
		const start = { members: {}, active: {} };
		const wrong = untrue({ world, result: { output, threw: false }, run, start });
		expect(wrong).toEqual(Array(count).fill(expect.stringContaining('but is active')));
	});
});

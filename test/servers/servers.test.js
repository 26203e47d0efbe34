'use strict';

require('../support/noWaiting');
const { readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { pollNode } = require('../harness');
const { ScimProvisioningApi, ScimProvisioningTrigger } = require('../support/built');
const { byId, run } = require('../support/node');
const { inCollections } = require('../support/options');
const { DIALECTS, start: startDialect } = require('./dialects');
const { pageOf } = require('./support/page');
const { plainRequire } = require('./support/plainRequire');
const { withServices } = require('./support/services');
const { DIALECT_STEPS } = require('./support/dialectScript');
const { STEPS, claims, disagreement, outcomeOf, quick, shapeOf } = require('./support/script');

const PAGE = path.join(__dirname, 'results.md');
const SERVICES = path.join(__dirname, '../../docs/credentials-and-services.md');

/** Name, and how it starts. */
const SERVERS = [
	['account', () => plainRequire('../account').start()],
	['scimmy', () => plainRequire('../scimmy').start()],
	['scimmy by role', () => plainRequire('../scimmy').start({ idsAreNames: true })],
	['better-auth', () => plainRequire('../betterAuth').start()],
	['jackson', () => plainRequire('../jackson').start()],
];

/** What was seen of servers, and of dialects. */
const seen = [];
const seenOfDialects = [];

const PLAYED = [
	...SERVERS.map(([name, start]) => [name, start, STEPS, seen]),
	...Object.keys(DIALECTS).map((name) => [
		name,
		() => startDialect(name),
		DIALECT_STEPS,
		seenOfDialects,
	]),
];

describe.each(PLAYED)('%s', (name, start, steps, seen) => {
	let server;
	let current;
	let last;
	const names = new Map();
	const staticData = {};
	const outcomes = new Map();

	beforeAll(async () => {
		server = await start();
		const quirks = server.quirks.map(({ says }) => says);
		seen.push({ ...server, name, quirks, outcomes, nameOfId: new Map() });
	}, 60_000);

	afterAll(async () => await server?.close());

	/** The store as it is, in the words of the script. */
	async function look() {
		current = await server.state();
		const { nameOfId } = seen.at(-1);
		for (const group of current.groups) nameOfId.set(group.id, group.name);
		const shape = shapeOf(current, names);
		for (const [id, who] of names) nameOfId.set(id, who);
		return shape;
	}

	const idOf = (who) => [...names].find(([, name]) => name === who)?.[0];
	const groupId = (group) => current.groups.find((entry) => entry.name === group).id;
	const play = () => ({
		...server,
		last,
		current,
		idOf,
		groupId,
		group: (group) => ({ chooseGroupBy: 'group', group: byId(groupId(group)) }),
		stored: (who) => current.users.find(({ id }) => id === idOf(who)),
		storedIds: () => current.users.map(({ id }) => id).sort(),
		scim: async (resource, operation, parameters) => {
			const { items, options = quick, ...fields } = parameters;
			return await run(
				resource,
				operation,
				{ options: { ...options, ...server.options }, ...fields },
				{ credential: server.credential, onError: 'continueErrorOutput', ...(items && { items }) },
			);
		},
		poll: async () =>
			await pollNode(new ScimProvisioningTrigger(), {
				parameters: inCollections({
					events: ['accessGranted', 'accessRevoked'],
					options: { confirmAfter: 0 },
				}),
				credentials: { scimProvisioningApi: server.credential },
				credentialTypes: [new ScimProvisioningApi()],
				staticData,
			}),
	});

	for (const step of steps) {
		test(step.name, async () => {
			const before = await look();
			server.heard.length = 0;
			const result = await step.run(play());
			const after = await look();
			last = result;
			const outcome = (step.outcomeOf ?? outcomeOf)(result, play());
			outcomes.set(step.name, outcome);

			const wanted = JSON.parse(JSON.stringify(before));
			step.wanted?.(wanted, server);
			expect({ outcome, wrong: disagreement(outcome, before, wanted, after) }).toEqual({
				outcome,
				wrong: '',
			});
			// What was so already is not sent again.
			const writes = server.heard.filter(({ method }) => method !== 'GET');
			if (step.isAgain && claims(outcome)) expect(writes).toStrictEqual([]);
			expect(claims(outcome) && server.lacks?.[step.name] !== undefined).toBe(false);
			const limit = server.cannot[step.name];
			expect(outcome).toMatch(limit ?? step.outcome ?? /^done$/);
			if (limit === undefined) await step.see?.(result, play());
		});
	}

	test.each([true, false])('Get Capabilities names its profile, chosen: %s', async (isChosen) => {
		const { serviceProfile } = server.credential;
		const credential = { ...server.credential, ...(!isChosen && { serviceProfile: 'generic' }) };
		const { json, error } = await run('service', 'getCapabilities', {}, { credential });
		expect(error).toBeUndefined();
		expect(json[0].recommended.serviceProfile).toBe(server.seenAs ?? serviceProfile);
	});

	test('its quirks are still so', async () => {
		const ask = async (method, target, body) => {
			const answer = await fetch(server.credential.baseUrl + target, {
				method,
				headers: {
					authorization: `Bearer ${server.credential.accountApiToken}`,
					'content-type': 'application/scim+json',
				},
				...(body && { body: JSON.stringify(body) }),
			});
			const text = await answer.text();
			return { status: answer.status, ...(text.startsWith('{') && { body: JSON.parse(text) }) };
		};
		for (const { says, holds } of server.quirks) {
			expect({ says, holds: await holds(ask, server) }).toEqual({ says, holds: true });
		}
	});
});

describe('test/servers/results.md', () => {
	test('says what was seen', () => {
		const [steps, dialectSteps] = [STEPS, DIALECT_STEPS].map((all) => all.map(({ name }) => name));
		const page = pageOf(steps, seen, dialectSteps, seenOfDialects);
		if (process.env.SERVERS === 'write') writeFileSync(PAGE, page);
		expect(readFileSync(PAGE, 'utf8')).toBe(page);
	});

	test('the table of services in the docs is that of what was seen', () => {
		const now = readFileSync(SERVICES, 'utf8');
		const page = withServices(now, [...seen, ...seenOfDialects]);
		if (process.env.SERVERS === 'write') writeFileSync(SERVICES, page);
		expect(readFileSync(SERVICES, 'utf8')).toBe(page);
	});
});

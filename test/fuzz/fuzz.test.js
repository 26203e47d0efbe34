'use strict';

const { waiting } = require('../support/noWaiting');
const fc = require('fast-check');
const limits = require('../../dist/nodes/shared/run/settings');
const pageSizes = require('../../dist/nodes/shared/scim/client/listing');
const { AlertingInMemory, ORGANIZATION } = require('../support/alertingInMemory');
const { answerOf } = require('../support/form');
const { MemoryService, ROLES, shapeOf, userIdOf } = require('../support/memoryService');
const { defaultsOf } = require('../support/modelGroupsPlay');
const { rename } = require('../world/kinds');
const { carryOut } = require('../world/writers');
const { saidIn, untrue, wrongAnyway } = require('./support/checks');
const { take } = require('./support/choices');
const {
	BASES,
	ORGANIZATIONS,
	PROFILES,
	cases,
	directoryOf,
	everyOperation,
} = require('./support/parameters');
const { pollOnWorld, runOnWorld, sleep } = require('./support/runOnWorld');
const { SECRETS, TRUTH, changed, decisions } = require('./support/spoil');
const { isAsBefore, untrueEvents, wrongNames } = require('./support/watching');
const { World } = require('./support/world');

const { MAX_ANSWER_MB, MAX_PAGES_PER_LIST, MAX_RESOURCES_PER_LIST } = limits;
const { FIRST_PAGE, LARGE_PAGE } = pageSizes;
afterAll(() => {
	Object.assign(limits, { MAX_ANSWER_MB, MAX_PAGES_PER_LIST, MAX_RESOURCES_PER_LIST });
	Object.assign(pageSizes, { FIRST_PAGE, LARGE_PAGE });
});

// The pauses of the package pass at once, on a clock of their own.
beforeEach(() => {
	waiting.during = sleep;
});

// The same cases on every run, so that nothing lands or fails by chance; FUZZ_SEED=random looks for new ones, and a
// finding says how to repeat it.
const isLong = process.env.FUZZ === 'long';
const { FUZZ_RUNS = isLong ? '10000' : '580' } = process.env;
// Of the few runs of every day, these come to what each operation is for.
const { FUZZ_SEED = isLong ? '20261127' : '20261128' } = process.env;
const RUNS = Number(FUZZ_RUNS);
const SEED = FUZZ_SEED === 'random' ? Date.now() % 1_000_000_000 : Number(FUZZ_SEED);
const MODES = ['honest', 'chaos'];
const OPERATIONS = everyOperation();
/** Longest time for one run, in milliseconds. */
const MOST_MS = 20_000;

function credentialOf({ given, account, baseUrl, badCredential, membersPerRequest }, names) {
	if (given.node === 'alerting') {
		return { baseUrl, apiKey: SECRETS.alerting, organizationId: ORGANIZATION, ...badCredential };
	}
	const own = PROFILES[account.profile].credential;
	return {
		baseUrl,
		accountApiToken: SECRETS.scim,
		...own,
		organizationNames: {
			organization: Object.entries(names).map(([name, id]) => ({ name, id })),
		},
		...(own.overrideProfile && { membersPerRequest }),
		...badCredential,
	};
}

function truthOf({ given, account, alerting, oddity }, now) {
	const { lagReads } = account.switches;
	if (given.node === 'alerting') return new AlertingInMemory({ ...alerting, lagReads }, now);
	const { switches } = PROFILES[account.profile];
	const { renamed, ...directory } = directoryOf(account);
	const ways = { ...account.switches, ...switches, ...oddity };
	const truth = new MemoryService(directory, { ...ways, now });
	if (truth.switches.userNames === 'shown') rename(truth, renamed);
	return truth;
}

function startOf({ given }, truth) {
	if (given.node === 'scim') return shapeOf(truth.now());
	return Object.fromEntries(truth.models().map((model) => [model, truth.document(model)]));
}

const TRUE = { first: [], rest: TRUTH };
const TRUTHFUL = { script: { reads: TRUE, writes: TRUE }, others: [] };

/** What an operation of Access gives on the service as it is. */
async function outputOf(parameters, run, truth) {
	const { operation } = parameters;
	const item = { resource: 'access', ...defaultsOf('access', operation), ...parameters };
	const { output } = await runOnWorld(worldOf(run.given.node, truth, TRUTHFUL), {
		...{ node: 'scim', continueOnFail: true, items: [item] },
		credential: { ...run.credential, ...run.badCredential, baseUrl: BASES.scim },
	});
	return output.map(({ json }) => json);
}

/** Where the plan of an item stands for one that Reconcile makes: this. */
async function withPlan({ plan, ...item }, run, truth) {
	if (plan?.wantedOf !== undefined) {
		const wish = {
			wantedFrom: 'json',
			wantedJson: plan.wantedOf,
			scopeOrganizations: 'org-2,org-3',
		};
		const [made = {}] = await outputOf({ operation: 'reconcile', ...wish, ...PLANS }, run, truth);
		const text = plan.spoilt ? changed(made, plan.spoilt) : JSON.stringify(made);
		return { ...item, plan: plan.asText || plan.spoilt ? text : made };
	}
	return { ...item, ...(plan !== undefined && { plan }) };
}

/** How Reconcile plans. */
const PLANS = {
	...{ preview: true, createMissing: true, accessBy: 'organizationAndRole', unwanted: 'revoke' },
	scopeRoles: ROLES,
	options: {
		...{ allowRemovingLastAdmin: true, allowEmptyOrganizations: true, reactivate: true },
		...{ maxPercentAffected: 100, maxPeopleAffected: 50, maxCreates: 50 },
	},
};

const worldOf = (node, truth, { script, others, second }, isSearch = false) =>
	new World({
		truth,
		script,
		others,
		hasSecond: second !== undefined,
		secret: SECRETS[node],
		base: BASES[node],
		isScim: node === 'scim',
		// Searches of the editor have a limit of their own.
		mostBytes: isSearch ? 20_000_000 : 1_000_000,
	});

/** Runs a case. @returns what went wrong, in words, and what came of it */
async function runCase(given, mode) {
	const { node } = given.given;
	const names = given.account.named ? { Marketing: ORGANIZATIONS[1] } : {};
	const run = { ...given.given, ...given, names, credential: credentialOf(given, names) };
	let world;
	const truth = truthOf(given, () => world?.now ?? Date.UTC(2026, 10, 21));
	const start = startOf(given, truth);
	run.items = await Promise.all(given.items.map((item) => withPlan(item, run, truth)));
	world = worldOf(node, truth, given, run.resource === 'search');
	Object.assign(limits, given.constants);
	Object.assign(pageSizes, given.pageSizes);
	const began = performance.now();
	const result = await runOnWorld(world, run);
	const ms = performance.now() - began;
	const wrong = wrongAnyway({ world, result, run });
	if (ms > MOST_MS) wrong.push(`takes ${Math.round(ms)} ms`);
	if (mode === 'honest') wrong.push(...untrue({ world, result, run, start }));
	return { wrong, result, run, world, ms };
}

/** Time between two polls. */
const MINUTE = 60_000;

/** Polls of one trigger, one after the other, with what others do meanwhile and in between. */
async function runPolls(given, mode) {
	const { account, watch } = given;
	const names = given.account.named ? { Marketing: ORGANIZATIONS[1] } : {};
	const credential = credentialOf(given, names);
	let world;
	const truth = truthOf(given, () => world?.now ?? Date.UTC(2026, 10, 21));
	const { lagReads, indexLagMs } = account.switches;
	const { events, options, safetyLimits } = watch;
	const wish = { events, options, names, isPlain: !/^(account|generic)$/.test(account.profile) };
	// Lists are read in small pages, which is not to be the end of every one.
	Object.assign(limits, given.constants, { MAX_PAGES_PER_LIST: 20 });
	Object.assign(pageSizes, given.pageSizes);
	const memory = structuredClone(watch.memory);
	const wrong = [];
	const output = [];
	const requests = [];
	let remembered;
	const began = performance.now();
	for (const { deeds, mode: asked, spoils, script, others } of watch.rounds) {
		for (const deed of deeds) carryOut(truth, { ...deed, id: userIdOf(deed.email) });
		const from = truth.states.length - 1;
		const { now = Date.UTC(2026, 10, 21) } = world ?? {};
		world = worldOf('scim', truth, { script: spoils ? script : TRUTHFUL.script, others });
		world.now = now + MINUTE;
		const before = structuredClone(memory);
		const poll = {
			...watch,
			parameters: { events, options, safetyLimits, requests: watch.requests },
			credential,
			memory,
			mode: asked,
		};
		const result = await pollOnWorld(world, poll);
		const run = { ...given.given, items: [{}], script: spoils ? script : TRUTHFUL.script };
		wrong.push(
			...wrongAnyway({ world, result: { ...result, found: [result.found, memory] }, run }),
		);
		if (asked === 'manual' || result.threw) {
			if (!isAsBefore(memory, before)) wrong.push('remembers what it could not report');
		}
		const items = result.output.map(({ json }) => json);
		const states = truth.states.map(shapeOf);
		const window = states.slice(from);
		// What is shown oddly may be seen by nobody.
		const isOdd = Object.keys(given.oddity).length > 0;
		const isWell = world.refusals === 0 && !result.threw && !isOdd;
		const lags = lagReads > 0 || indexLagMs > 0;
		if (mode === 'honest') {
			const poll = { items, window, history: states, remembered, isWell, lags, mode: asked };
			wrong.push(...untrueEvents({ ...poll, watch: wish }), ...wrongNames(items, truth.states));
		}
		output.push(...result.output, ...(result.threw ? [{ json: {}, error: result.thrown }] : []));
		requests.push(...world.requests, `-- ${result.threw ? result.thrown?.message : items.length}`);
		if (asked === 'manual' || result.threw) continue;
		remembered = isWell && !lags && window.length === 1 ? window[0] : undefined;
	}
	const ms = performance.now() - began;
	if (ms > MOST_MS) wrong.push(`takes ${Math.round(ms)} ms`);
	return { wrong, result: { output, threw: false }, world: { requests }, ms };
}

/** How often each operation was run, and what came of it. */
const summary = new Map();
const STATUSES = ['done', 'unchanged', 'skipped', 'failed', 'unverified'];

function note(what, { result, run = what, world, ms }) {
	const { node, resource, operation } = what;
	const key = `${node} ${resource} ${operation}`;
	const own = summary.get(key) ?? {};
	// The one item of a run holds its changes.
	const changes = result.output.flatMap(({ json, ...one }) =>
		(json.changes ?? [json]).map((change) => ({ json: change, ...one })),
	);
	const said = saidIn(changes, run);
	const count = (test, all) => all.filter(test).length;
	const counts = {
		...{ runs: 1, threw: result.threw ? 1 : 0, items: result.output.length },
		errors: count(({ error }) => error !== undefined, result.output),
		...Object.fromEntries(
			STATUSES.map((one) => [one, count(({ status }) => status === one, said)]),
		),
		...{ requests: world.requests.length, most: world.requests.length, mostMs: Math.round(ms) },
	};
	const both = Object.entries(counts).map(([name, value]) => [name, sumOf(name, own[name], value)]);
	summary.set(key, Object.fromEntries(both));
}

const sumOf = (name, one = 0, other = 0) =>
	name.startsWith('most') ? Math.max(one, other) : one + other;

function headline(seconds) {
	const runs = [...summary.values()].reduce((sum, own) => sum + own.runs, 0);
	return `fuzz: seed ${SEED}, ${runs} runs, ${seconds.toFixed(0)} s\n`;
}

function table(seconds) {
	const rows = [...summary].map(([operation, counts]) => ({ operation, ...counts }));
	const total = { operation: 'all' };
	for (const { operation, ...counts } of rows)
		for (const [name, value] of Object.entries(counts))
			total[name] = sumOf(name, total[name], value);
	const all = [...rows, total];
	const names = Object.keys(total);
	const width = (name) => Math.max(name.length, ...all.map((row) => String(row[name]).length));
	const line = (row) =>
		names
			.map((name, at) => String(row[name])[at === 0 ? 'padEnd' : 'padStart'](width(name)))
			.join('  ');
	const head = line(Object.fromEntries(names.map((name) => [name, name])));
	return `${[headline(seconds), head, ...all.map(line)].join('\n')}\n`;
}

const began = performance.now();

afterAll(() => {
	const seconds = (performance.now() - began) / 1000;
	process.stdout.write(isLong ? table(seconds) : headline(seconds));
});

/** What was found, as short as it may be to be understood. */
function finding({ counterexample, counterexamplePath, errorInstance, numShrinks }) {
	const [{ items, ...others }] = counterexample;
	return [
		`FUZZ_SEED=${SEED}, path ${counterexamplePath}, made smaller ${numShrinks} times`,
		errorInstance.message,
		JSON.stringify(items).slice(0, 3_000),
		JSON.stringify(others),
	].join('\n');
}

// Each operation gets its share, so that none is left out.
describe.each(OPERATIONS)('$node: $resource $operation', (operation) => {
	test.each(MODES)(
		'%s answers',
		async (mode) => {
			const share = Math.ceil(RUNS / OPERATIONS.length / MODES.length);
			const at = OPERATIONS.indexOf(operation) * MODES.length + MODES.indexOf(mode);
			let shrinks = false;
			const property = fc.asyncProperty(cases(operation, decisions(mode)), async (given) => {
				const came = await (given.watch ? runPolls : runCase)(given, mode);
				if (!shrinks) note(operation, came);
				if (came.wrong.length === 0) return;
				shrinks = true;
				throw new Error([...came.wrong, ...came.world.requests.slice(0, 60)].join('\n'));
			});
			// Otherwise all of them would be given the same.
			const details = await fc.check(property, { numRuns: share, seed: SEED + at });
			if (details.failed) throw new Error(finding(details));
		},
		3_600_000,
	);
});

/** Whether no run of an operation came to what it is for. */
const isIdle = ([, { runs, threw, items, errors, done, unchanged, skipped, unverified }]) =>
	done + unchanged + skipped + unverified > 0
		? done === 0
		: items > 0
			? items === errors
			: runs === threw;

test('every operation of both nodes was run, and did what it is for', () => {
	expect([...summary.keys()].sort()).toEqual(
		OPERATIONS.map(({ node, resource, operation }) => `${node} ${resource} ${operation}`).sort(),
	);
	// A field that no item can have any more would leave an operation with nothing but errors.
	if (RUNS >= 500) expect([...summary].filter(isIdle)).toStrictEqual([]);
});

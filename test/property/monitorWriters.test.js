'use strict';

const fc = require('fast-check');

const {
	carryOutPlan,
	createAlertingClient,
} = require('../../dist/nodes/NotificationActions/actions');
const { planMonitors } = require('../../dist/nodes/NotificationActions/configurations');
const { createSend, parseBaseUrl, WaitBudget } = require('../../dist/nodes/shared/http');
const { AlertingInMemory, ORGANIZATION } = require('../support/alertingInMemory');
const { alertingSeed, document, monitor } = require('../support/configurations');
const { runs } = require('../support/seed');

const RUNS = runs(25);

// Monitors while answers get lost, writes are dropped and others write: whatever happens, nothing is called done that
// is not there, nothing failed that is, and no client's change is lost unseen.

const MODELS = ['model-1', 'model-2'];
/** As often as a save is begun. */
const MOST_TRIES = 5;
const MONITORS = ['first-monitor', 'second-monitor', 'third-monitor'];
const ACTIONS = ['chat', 'pager', 'teams'];
const CHAT = { type: 'global', target: 'chat' };
const seed = () => {
	const [first, second, third] = MONITORS;
	const own = document([monitor(first, ['email']), monitor(second), monitor(third, ['pager'])]);
	return alertingSeed(Object.fromEntries(MODELS.map((model) => [model, own])), ACTIONS);
};

const ENDPOINT = {
	base: parseBaseUrl('http://scim.test'),
	mediaType: 'application/json',
	secrets: [],
	advise: () => undefined,
	errorTypeField: 'type',
};
const LIMITS = { timeoutMs: 30_000, maxWaitMs: 60_000, mostBytes: 1_000_000, operationMs: 600_000 };

const oneOf = fc.constantFrom;
const deed = fc.record({
	/** `during`: done sooner than ours, though it came later, so that the service drops ours with 200. */
	when: oneOf('before', 'during', 'after'),
	kind: oneOf('tag', 'tag', 'detachAll', 'attach', 'remove'),
	monitor: oneOf(...MONITORS),
});
/** The result of one write, and what another client does just before or after it. */
const fate = fc.record({
	fault: fc.option(
		oneOf(
			'dropped',
			'reset-before',
			'reset-after',
			'429',
			'500-html',
			'500-after',
			'html-403',
			'empty-200',
			'html-200',
		),
		{ freq: 2 },
	),
	deed: fc.option(deed, { freq: 2 }),
	cancels: fc
		.boolean()
		.chain((may) => (may ? oneOf(true, false, false, false) : fc.constant(false))),
});
const wish = fc.record({
	change: fc.oneof(
		fc.record({
			kind: oneOf('attach', 'detach', 'set'),
			targets: fc.subarray(ACTIONS, { minLength: 1 }),
		}),
		fc.constant({ kind: 'replace', from: 'pager', to: 'chat' }),
	),
	ids: fc.subarray(MONITORS, { minLength: 1 }),
	modelIds: fc.subarray(MODELS, { minLength: 1 }),
});
const run = fc.record({
	wishes: fc.array(wish, { minLength: 1, maxLength: 3 }),
	fates: fc.array(fate, { maxLength: 6 }),
	/** What becomes of all later writes. */
	rest: oneOf(...Array(9).fill(undefined), 'dropped', 'reset-before', '429', 'html-403'),
	/** What another client does after the plan, which is stale then. */
	first: fc.option(deed, { freq: 2 }),
	switches: fc.record({
		merges: fc.boolean(),
		patchReplaces: oneOf(false, false, false, true),
		keepsText: oneOf(false, false, false, true),
		lagReads: oneOf(0, 0, 1, 3),
	}),
	maxWaitMs: oneOf(0, 60_000),
});

/**
 * Another client writes one monitor, which raises its version and that of the document.
 * @returns whether it was there
 */
function meddle(service, model, { kind, monitor: id }, nth) {
	const url = new URL(
		`http://x/v0/organizations/${ORGANIZATION}/models/${model}/monitor-config/monitor/${id}`,
	);
	const found = service.document(model).monitors.find((one) => one.id === id);
	if (found === undefined) return false;
	if (kind === 'remove') return service.carryOut({ method: 'DELETE', url }).status === 200;
	const more = {
		tag: { tags: [`tag-${nth}`] },
		detachAll: { actions: [] },
		attach: { actions: [...found.actions.filter(({ target }) => target !== 'chat'), CHAT] },
	}[kind];
	const body = JSON.stringify({ ...found, ...more });
	return service.carryOut({ method: 'PUT', url, body }).status === 200;
}

async function carryOut({ wishes, fates, rest, first, switches, maxWaitMs }) {
	const service = new AlertingInMemory(switches, Date.now, seed());
	const writes = [];
	/** Monitors that another client changed, by model, with their expected state. */
	const foreign = new Map();
	let isCancelled = false;
	const late = [];
	const others = (model, own, nth) => {
		// With stale reads, a change that is undone meanwhile cannot be told from the current state.
		if (own == null || switches.lagReads > 0) return;
		if (!meddle(service, model, own, nth)) return;
		foreign.set(`${model} ${own.monitor}`, own.kind === 'tag' ? `tag-${nth}` : own.kind);
	};
	const transport = {
		cancelled: () => isCancelled,
		wait: async () => {},
		async exchange({ method, url, body }) {
			const request = { method, url: new URL(url), body };
			if (method === 'GET') return received(service.carryOut(request));
			if (isCancelled) late.push(method);
			const [, model] = /models\/([^/]+)/.exec(url);
			const nth = writes.push({ model, method });
			const { fault = rest, deed: own, cancels = false } = fates[nth - 1] ?? {};
			// Who cancels does not see what such a service drops.
			isCancelled = cancels && !switches.patchReplaces;
			// A refusal is not looked at again.
			const isRefused = ['html-403', '429'].includes(fault);
			if (own?.when === 'before' && !isRefused) others(model, own, nth);
			const { tick } = service.state.alerting;
			if (own?.when === 'during' && !isRefused) others(model, own, nth);
			const answer = service.carryOut(
				{ ...request, tick },
				fault == null ? undefined : { kind: fault },
			);
			if (own?.when === 'after') others(model, own, nth);
			return received(answer);
		},
	};
	const budget = new WaitBudget(maxWaitMs, transport.cancelled);
	const send = createSend(ENDPOINT, LIMITS, transport, budget);
	const timing = { wait: transport.wait, stopped: () => budget.stopped(), limitMs: 1_000 };
	const client = createAlertingClient(send, ORGANIZATION, timing, budget);
	const reads = await Promise.all(
		MODELS.map(async (model) => [
			model,
			{
				ok: true,
				value: {
					configuration: await client.readConfiguration(model),
					readAt: first === null ? performance.now() : -Infinity,
				},
			},
		]),
	);
	const plan = planMonitors(
		wishes.map(({ change: edit, ids, modelIds }, item) => ({
			item,
			modelIds,
			selection: { by: 'id', ids },
			edit,
			mayMatchNone: false,
		})),
		{
			organizationId: ORGANIZATION,
			configurations: new Map(reads),
			actionIds: new Set(ACTIONS),
			merges: true,
		},
	);
	for (const model of MODELS) others(model, first, 0);
	const parts = await carryOutPlan(
		{ changes: plan.changes, settled: [] },
		{
			client,
			snapshotOf: async (model) => new Map(reads).get(model).value,
		},
	);
	return { service, parts, writes, foreign, isCancelled, late };
}

const received = (answer) => {
	if (answer === undefined) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
	return { status: answer.status, headers: answer.headers ?? {}, text: answer.text ?? '' };
};

function isAsWanted(targets, { kind, targets: wanted, from, to }) {
	const has = (target) => targets.filter((one) => one === target).length === 1;
	if (kind === 'attach') return wanted.every(has);
	if (kind === 'detach') return !wanted.some((target) => targets.includes(target));
	if (kind === 'replace') return !targets.includes(from) && (!targets.includes('pager') || has(to));
	return targets.length === wanted.length && wanted.every(has);
}

test('saving monitors says what is so', async () => {
	const seen = { done: 0, unverified: 0, failed: 0, unchanged: 0 };
	await fc.assert(
		fc.asyncProperty(run, async (given) => {
			const { service, parts, writes, foreign, isCancelled, late } = await carryOut(given);
			const { switches, wishes } = given;
			expect(late).toStrictEqual([]);
			for (const { item, subject, outcome } of parts) {
				seen[outcome.status] += 1;
				const [model, id] = subject.split('\n');
				const targets = service.targets(model, id);
				const where = `${subject} ${outcome.status} ${targets}`;
				if (['done', 'unchanged'].includes(outcome.status)) {
					expect([where, isAsWanted(targets ?? [], wishes[item].change)]).toEqual([where, true]);
				}
			}
			for (const model of MODELS) {
				const own = parts.filter(({ subject }) => subject.startsWith(model));
				const warned = own.some(({ outcome }) =>
					outcome.warnings?.join().includes('Someone else wrote'),
				);
				// Where something is not done, or another client wrote, a person is told to look.
				const isAllDone = own.every(({ outcome }) =>
					['done', 'unchanged'].includes(outcome.status),
				);
				const mayLose = switches.patchReplaces && (warned || !isAllDone);
				const isProbe = ({ method }) => method === 'PATCH' && !switches.merges;
				const tries = writes.filter((write) => write.model === model && !isProbe(write));
				expect(tries.length).toBeLessThanOrEqual(MOST_TRIES);
				const { monitors, analyzers } = service.document(model);
				for (const id of MONITORS) {
					const found = monitors.find((one) => one.id === id);
					const expected = foreign.get(`${model} ${id}`);
					if (expected === 'remove' || mayLose) continue;
					expect([model, id, found !== undefined]).toEqual([model, id, true]);
					// Without versions or without a last look, the change cannot be seen.
					const isSeen = !switches.keepsText && !isCancelled;
					const isTag = expected?.startsWith('tag') && isSeen;
					if (isTag && found.tags?.[0] !== expected)
						expect([model, id, warned]).toEqual([model, id, true]);
				}
				if (!mayLose) expect(analyzers).toHaveLength(1);
				// No other client wrote, so none is blamed.
				if (![...foreign.keys()].some((key) => key.startsWith(model))) expect(warned).toBe(false);
			}
			if (switches.merges && !switches.patchReplaces) {
				expect(writes.every(({ method }) => method === 'PATCH')).toBe(true);
			}
		}),
		// Nothing leaves here, so more can be tried than where a socket is in play.
		{ numRuns: RUNS * 5 },
	);
	for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
});

import { attempt } from '../../../../nodes/shared/util/attempt';
import { applySteps, stoppedByCancel } from '../../../../nodes/shared/run/apply';
import type { Action } from '../../../../nodes/NotificationActions/actions/action';
import type { ActionChange } from '../../../../nodes/NotificationActions/configurations/editActions';
import type { ActionUsage } from '../../../../nodes/NotificationActions/actions/actionUsage';
import { performer, verifyActions } from '../../../../nodes/NotificationActions/actions/perform';
import {
	planActions,
	planDeletes,
	planWrites,
} from '../../../../nodes/NotificationActions/actions/planActions';
import { planConfigurations } from '../../../../nodes/NotificationActions/configurations/planConfigurations';
import {
	planMonitors,
	type MonitorRules,
} from '../../../../nodes/NotificationActions/configurations/planMonitors';
import type { SaveSettings } from '../../../../nodes/NotificationActions/configurations/saveConfiguration';
import type {
	AlertingPart,
	AlertingPlan,
} from '../../../../nodes/NotificationActions/actions/step';
import {
	document,
	failure,
	fakeAlerting,
	monitor,
	targetsIn,
	type FakeAlerting,
	type Fate,
	type Hazards,
} from '../../../support/fakeAlerting';

const SAVING: SaveSettings = {
	saveWith: 'automatic',
	maxTries: 4,
	maxWaitMs: 60_000,
};
const [ONE, TWO] = ['model-1', 'model-2'];

const attach = (...targets: string[]): ActionChange => ({ kind: 'attach', targets });
const detach = (...targets: string[]): ActionChange => ({ kind: 'detach', targets });

/** Two models with three monitors each. */
const documents = () => {
	const monitors = [
		monitor('first-monitor', ['email']),
		monitor('second-monitor'),
		monitor('third-monitor', ['pager']),
	];
	return { [ONE]: document(monitors), [TWO]: document(monitors) };
};

interface Wish {
	change: ActionChange;
	models?: string[];
	monitors?: string[];
}

async function rulesOf(fake: FakeAlerting, readAt: number): Promise<MonitorRules> {
	const configurations: MonitorRules['configurations'] = new Map(
		await Promise.all(
			[ONE, TWO].map(async (modelId) => {
				const read = await attempt(async () => ({
					configuration: await fake.client.readConfiguration(modelId),
					readAt,
				}));
				return [modelId, read] as const;
			}),
		),
	);
	return { organizationId: 'org-1', configurations, actionIds: new Set(['chat']), merges: true };
}

async function carryOut(
	fake: FakeAlerting,
	plan: AlertingPlan,
	saving: Partial<SaveSettings> = {},
	usage: ActionUsage = new Map(),
): Promise<AlertingPart[]> {
	const perform = performer(fake.client, { ...SAVING, ...saving }, async (id) => usage.get(id));
	const stopped = () => stoppedByCancel(fake.client.patience.cancelled);
	return await applySteps(plan.steps, 1, stopped, perform, async (parts) => {
		return await verifyActions(parts, plan.steps, fake.client);
	});
}

/** One item for each wish. */
async function change(
	wishes: Wish[],
	hazards: Hazards = {},
	saving: Partial<SaveSettings> = {},
	readAt = Date.now(),
	prepare: (fake: FakeAlerting) => void = () => undefined,
) {
	const fake = fakeAlerting(documents(), hazards);
	const rules = await rulesOf(fake, readAt);
	const plan = planMonitors(
		wishes.map(({ change: wanted, models = [ONE], monitors }, item) => ({
			item,
			modelIds: models,
			selection: monitors === undefined ? { by: 'all' } : { by: 'id', ids: monitors },
			change: wanted,
			mayMatchNone: false,
		})),
		rules,
	);
	prepare(fake);
	fake.sent.length = 0;
	const parts = await carryOut(fake, plan, saving);
	// Whatever else happens: nothing is called done that is not there.
	for (const { item, subject, outcome } of parts) {
		if (outcome.status !== 'done') continue;
		const [model, id] = subject.split('\n');
		const there = targetsIn(fake.document(model))[id] ?? [];
		const wanted = wishes[item].change;
		if (wanted.kind === 'attach')
			expect(there).toEqual(expect.arrayContaining([...wanted.targets]));
		if (wanted.kind === 'detach') {
			for (const target of wanted.targets) expect(there).not.toContain(target);
		}
	}
	return { fake, parts, plan };
}

const statuses = (parts: readonly AlertingPart[]) =>
	parts.map(({ subject, outcome }) => `${subject.replace('\n', ' ')}: ${outcome.status}`);
const warningsOf = (parts: readonly AlertingPart[]) => [
	...new Set(parts.flatMap(({ outcome }) => outcome.warnings ?? [])),
];

const TWO_DONE = ['model-1 first-monitor: done', 'model-1 second-monitor: done'];
const TWO_UNVERIFIED = ['model-1 first-monitor: unverified', 'model-1 second-monitor: unverified'];
const TWO_NOT_DONE = ['model-1 first-monitor: failed', 'model-1 second-monitor: failed'];
const firstTwo: Wish = { change: attach('chat'), monitors: ['first-monitor', 'second-monitor'] };

describe('monitors of a model', () => {
	it('are saved with one merge and looked at once; the others and the flag stay', async () => {
		const { fake, parts } = await change([firstTwo]);
		expect(statuses(parts)).toEqual(TWO_DONE);
		expect(fake.sent).toEqual(['PATCH model-1', 'GET model-1']);
		expect(targetsIn(fake.document(ONE))).toEqual({
			'first-monitor': ['email', 'chat'],
			'second-monitor': ['chat'],
			'third-monitor': ['pager'],
		});
		expect(fake.document(ONE).allowPartialTargetBatches).toBe(true);
		expect(warningsOf(parts)).toEqual([]);
		expect(parts[0].result).toEqual({
			monitor: { model: ONE, id: 'first-monitor', actions: ['email', 'chat'] },
		});
	});

	it('are saved once, whatever many items want of them; each item is told its own', async () => {
		const { fake, parts } = await change([
			firstTwo,
			{ change: detach('email'), monitors: ['first-monitor'] },
			{ change: { kind: 'replace', from: 'pager', to: 'chat' } },
		]);
		expect(fake.writes()).toEqual(['PATCH model-1']);
		expect(parts.map(({ item, outcome }) => [item, outcome.status, outcome.action])).toEqual([
			[0, 'done', 'attach chat to monitor first-monitor of model model-1'],
			[1, 'done', 'detach email from monitor first-monitor of model model-1'],
			[0, 'done', 'attach chat to monitor second-monitor of model model-1'],
			[2, 'done', 'replace pager with chat on monitor third-monitor of model model-1'],
		]);
		expect(targetsIn(fake.document(ONE))).toEqual({
			'first-monitor': ['chat'],
			'second-monitor': ['chat'],
			'third-monitor': ['chat'],
		});
	});

	it('go as a whole document where there is no merging; that is found out once for all models', async () => {
		const { fake, parts } = await change([{ ...firstTwo, models: [ONE, TWO] }], { noPatch: true });
		expect(fake.writes()).toEqual(['PATCH model-1', 'PUT model-1', 'PUT model-2']);
		expect(parts.every(({ outcome }) => outcome.status === 'done')).toBe(true);
		expect(fake.document(ONE).analyzers).toHaveLength(1);
		expect(targetsIn(fake.document(TWO))['third-monitor']).toEqual(['pager']);
	});

	it('are not saved as a whole document where merging was asked for', async () => {
		const { fake, parts } = await change([firstTwo], { noPatch: true }, { saveWith: 'merge' });
		expect(fake.writes()).toEqual(['PATCH model-1']);
		expect(statuses(parts)).toEqual(TWO_NOT_DONE);
		expect(parts[0].outcome.reason).toContain('cannot merge monitors');
	});

	it('go as a whole document at once where that was asked for', async () => {
		const { fake, parts } = await change([firstTwo], {}, { saveWith: 'whole' });
		expect(fake.writes()).toEqual(['PUT model-1']);
		expect(statuses(parts)).toEqual(TWO_DONE);
	});

	it('are read again before the write when the plan is old', async () => {
		const { fake, parts } = await change([firstTwo], {}, {}, 0, ({ write }) =>
			write(ONE, ({ monitors }) => (monitors[1].actions = [{ type: 'global', target: 'teams' }])),
		);
		expect(fake.sent).toEqual(['GET model-1', 'PATCH model-1', 'GET model-1']);
		expect(statuses(parts)).toEqual(TWO_DONE);
		expect(targetsIn(fake.document(ONE))['second-monitor']).toEqual(['teams', 'chat']);
		expect(warningsOf(parts)).toEqual([]);
	});

	it('that somebody else has made as wanted meanwhile are not written', async () => {
		const { fake, parts } = await change([firstTwo], {}, {}, 0, ({ write }) =>
			write(ONE, ({ monitors }) => {
				for (const each of monitors) each.actions = [{ type: 'global', target: 'chat' }];
			}),
		);
		expect(fake.writes()).toEqual([]);
		expect(statuses(parts)).toEqual([
			'model-1 first-monitor: unchanged',
			'model-1 second-monitor: unchanged',
		]);
	});

	it('that cannot be read again are not done, and nothing is sent', async () => {
		const { fake, parts } = await change(
			[firstTwo],
			{
				beforeRead(_, nth) {
					if (nth > 2) throw failure({ status: 403 });
				},
			},
			{},
			0,
		);
		expect(fake.writes()).toEqual([]);
		expect(statuses(parts)).toEqual(TWO_NOT_DONE);
		expect(parts[0].outcome.reason).toBe('The service answered 403');
	});

	it('that are gone or can no longer be edited fail alone', async () => {
		const { parts } = await change([{ change: attach('chat') }], {}, {}, 0, ({ write }) =>
			write(ONE, (now) => {
				now.monitors.splice(0, 1);
				now.monitors[0].actions = 'none';
			}),
		);
		expect(statuses(parts)).toEqual([
			'model-1 first-monitor: failed',
			'model-1 second-monitor: failed',
			'model-1 third-monitor: done',
		]);
		expect(parts.map(({ outcome }) => outcome.reason)).toEqual([
			'monitor first-monitor is no longer there',
			'The actions of monitor second-monitor are not a list',
			undefined,
		]);
	});
});

describe('a write that the service drops with 200', () => {
	it('is made anew', async () => {
		const { fake, parts } = await change([firstTwo], {
			fate: (_way, _model, nth) => (nth < 3 ? 'dropped' : 'stored'),
		});
		expect(statuses(parts)).toEqual(TWO_DONE);
		expect(fake.writes()).toHaveLength(3);
	});

	it('every time is never called done, and is given up', async () => {
		const { fake, parts } = await change([firstTwo], { fate: () => 'dropped' });
		expect(statuses(parts)).toEqual(TWO_UNVERIFIED);
		expect(fake.writes()).toHaveLength(SAVING.maxTries);
	});

	it('is made anew into what somebody else has written: both changes are there', async () => {
		const { fake, parts } = await change(
			[firstTwo],
			{
				fate(_way, modelId, nth) {
					if (nth > 1) return 'stored';
					fake0?.write(modelId, ({ monitors }) => (monitors[1].displayName = 'Renamed'));
					return 'dropped';
				},
			},
			{ saveWith: 'whole' },
			Date.now(),
			(made) => (fake0 = made),
		);
		expect(statuses(parts)).toEqual(TWO_DONE);
		expect(fake.document(ONE).monitors[1]).toMatchObject({ displayName: 'Renamed' });
	});
	let fake0: FakeAlerting | undefined;
});

describe('somebody else who writes between our read and our write', () => {
	const withForeigner = async (saveWith: SaveSettings['saveWith'], at: number) => {
		let service: FakeAlerting | undefined;
		return await change(
			[firstTwo],
			{
				fate(_way, modelId) {
					service?.write(modelId, ({ monitors }) => (monitors[at].severity = 1));
					return 'stored';
				},
			},
			{ saveWith },
			Date.now(),
			(made) => (service = made),
		);
	};

	it('keeps the change to another monitor when we merge, and is mentioned', async () => {
		const { fake, parts } = await withForeigner('merge', 2);
		expect(statuses(parts)).toEqual(TWO_DONE);
		expect(fake.document(ONE).monitors[2].severity).toBe(1);
		expect(warningsOf(parts)).toEqual([expect.stringContaining('Someone else wrote')]);
	});

	it('may lose the change to the same monitor, and the warning names it', async () => {
		const { fake, parts } = await withForeigner('merge', 1);
		expect(fake.document(ONE).monitors[1].severity).toBeUndefined();
		expect(warningsOf(parts)).toContain(
			'Someone else wrote monitor second-monitor at the same time: check it',
		);
	});

	it('may lose the change when the whole document is put back: that is never silent', async () => {
		const { fake, parts } = await withForeigner('whole', 2);
		expect(fake.document(ONE).monitors[2].severity).toBeUndefined();
		expect(warningsOf(parts)).toContainEqual(expect.stringContaining('Someone else wrote'));
	});

	it('and writes over ours after it was stored makes us write anew', async () => {
		let service: FakeAlerting | undefined;
		const { fake, parts } = await change(
			[firstTwo],
			{
				afterWrite(modelId, nth) {
					if (nth > 1) return;
					service?.write(modelId, ({ monitors }) => (monitors[0].actions = []));
				},
			},
			{},
			Date.now(),
			(made) => (service = made),
		);
		expect(statuses(parts)).toEqual(TWO_DONE);
		expect(fake.writes()).toHaveLength(2);
		expect(targetsIn(fake.document(ONE))['first-monitor']).toEqual(['chat']);
	});
});

describe('a write without a good answer', () => {
	const answers = (nths: number, stored: boolean, status?: number): Hazards => ({
		fate: (_way, _model, nth) =>
			nth <= nths ? { error: failure(status === undefined ? {} : { status }), stored } : 'stored',
	});

	it.each([429, 500, 503, undefined])('%s before it was stored: sent again', async (status) => {
		const { fake, parts } = await change([firstTwo], answers(2, false, status));
		expect(statuses(parts)).toEqual(TWO_DONE);
		expect(fake.writes()).toHaveLength(3);
		expect(warningsOf(parts)).toEqual([]);
		expect(fake.patience.waits.length).toBeGreaterThanOrEqual(2);
	});

	it.each([500, 503, undefined])(
		'%s after it was stored: seen, not sent again, blamed on nobody',
		async (status) => {
			const { fake, parts } = await change([firstTwo], answers(1, true, status));
			expect(statuses(parts)).toEqual(TWO_DONE);
			expect(fake.writes()).toHaveLength(1);
			expect(warningsOf(parts)).toEqual([]);
		},
	);

	it('429 to the end: not done, for nothing was taken', async () => {
		const { fake, parts } = await change([firstTwo], answers(99, false, 429));
		expect(statuses(parts)).toEqual(TWO_NOT_DONE);
		expect(fake.writes()).toHaveLength(SAVING.maxTries);
		expect(parts[0].outcome.reason).toBe('The service answered 429');
	});

	it('a timeout to the end: unverified, for it may be there', async () => {
		const { fake, parts } = await change([firstTwo], answers(99, false));
		expect(statuses(parts)).toEqual(TWO_UNVERIFIED);
		expect(targetsIn(fake.document(ONE))['second-monitor']).toEqual([]);
	});

	it('is not waited for longer than is allowed', async () => {
		const { fake, parts } = await change([firstTwo], answers(99, false, 429), { maxWaitMs: 0 });
		expect(statuses(parts)).toEqual(TWO_NOT_DONE);
		expect(fake.writes()).toHaveLength(1);
		expect(fake.patience.waits).toEqual([]);
	});

	it.each([400, 403])('%s is final: not sent again, other models go on', async (status) => {
		const { fake, parts } = await change([{ ...firstTwo, models: [ONE, TWO] }], {
			fate: (_way, model) =>
				model === ONE ? { error: failure({ status }), stored: false } : 'stored',
		});
		expect(fake.writes()).toEqual(['PATCH model-1', 'PATCH model-2']);
		expect(statuses(parts)).toEqual([
			...TWO_NOT_DONE,
			'model-2 first-monitor: done',
			'model-2 second-monitor: done',
		]);
	});

	it('is looked for after the last try, too: done where it is there', async () => {
		for (const [stored, wanted] of [
			[true, TWO_DONE],
			[false, TWO_UNVERIFIED],
		] as const) {
			const { fake, parts } = await change(
				[firstTwo],
				{ fate: () => ({ error: failure({ status: 504 }), stored }) },
				{ maxTries: 1 },
			);
			expect(statuses(parts)).toEqual(wanted);
			expect(fake.sent).toEqual(['PATCH model-1', 'GET model-1']);
		}
	});

	it('whose look fails is unverified, although it was answered with 200', async () => {
		const { parts } = await change([firstTwo], {
			beforeRead(_, nth) {
				if (nth > 2) throw failure({ status: 500 });
			},
		});
		expect(statuses(parts)).toEqual(TWO_UNVERIFIED);
		expect(parts[0].outcome.reason).toBe('The service answered 500');
	});
});

describe('a service that drops what was not sent', () => {
	it.each([
		['after a 200', {}],
		['after a timeout', { fate: () => ({ error: failure({}), stored: true }) }],
		['without versions', { noVersions: true }],
	] satisfies Array<[string, Hazards]>)('is found out %s', async (_, hazards) => {
		const { fake, parts } = await change([firstTwo], { patchIsPut: true, ...hazards });
		expect(Object.keys(targetsIn(fake.document(ONE)))).toHaveLength(2);
		expect(statuses(parts)).toEqual(TWO_UNVERIFIED);
		expect(parts[0].outcome.reason).toContain('third-monitor, drift-analyzer');
		expect(fake.writes()).toHaveLength(1);
	});

	it('does it to one model only', async () => {
		const wish = { ...firstTwo, models: [ONE, TWO] };
		const { fake, parts } = await change([wish], { patchIsPut: true });
		expect(fake.writes()).toEqual(['PATCH model-1', 'PUT model-2']);
		expect(statuses(parts)).toEqual([
			...TWO_UNVERIFIED,
			'model-2 first-monitor: done',
			'model-2 second-monitor: done',
		]);
		expect(Object.keys(targetsIn(fake.document(TWO)))).toHaveLength(3);

		const merging = await change([wish], { patchIsPut: true }, { saveWith: 'merge' });
		expect(merging.fake.writes()).toEqual(['PATCH model-1']);
		expect(statuses(merging.parts).slice(2)).toEqual([
			'model-2 first-monitor: failed',
			'model-2 second-monitor: failed',
		]);
	});

	it('is not accused when somebody else removed a monitor', async () => {
		let service: FakeAlerting | undefined;
		const { parts } = await change(
			[firstTwo],
			{
				fate(_way, modelId) {
					service?.write(modelId, ({ monitors }) => monitors.splice(2, 1));
					return 'stored';
				},
			},
			{},
			Date.now(),
			(made) => (service = made),
		);
		expect(statuses(parts)).toEqual(TWO_DONE);
		expect(warningsOf(parts)).toEqual([expect.stringContaining('Someone else wrote')]);
	});
});

describe('time', () => {
	it('reads that lag a little are outlasted', async () => {
		const { fake, parts } = await change([firstTwo], { lag: 1 }, { maxTries: 2 });
		// The second write is answered by a read that lags as well, and shows the first.
		expect(statuses(parts)).toEqual(TWO_DONE);
		expect(targetsIn(fake.document(ONE))['first-monitor']).toEqual(['email', 'chat']);
	});

	it('reads that lag for good: written, never seen, unverified, and there once only', async () => {
		const { fake, parts } = await change([firstTwo], { lag: 99 });
		expect(statuses(parts)).toEqual(TWO_UNVERIFIED);
		expect(targetsIn(fake.document(ONE))['first-monitor']).toEqual(['email', 'chat']);
	});

	it('cancelled after a write that was dropped: no more is sent, nothing is called done', async () => {
		let service: FakeAlerting | undefined;
		const { fake, parts } = await change(
			[{ ...firstTwo, models: [ONE, TWO] }],
			{
				fate() {
					service?.cancel();
					return 'dropped';
				},
			},
			{},
			Date.now(),
			(made) => (service = made),
		);
		expect(fake.writes()).toEqual(['PATCH model-1']);
		expect(statuses(parts)).toEqual([
			...TWO_UNVERIFIED,
			'model-2 first-monitor: failed',
			'model-2 second-monitor: failed',
		]);
	});

	it('cancelled after a 429: not done, for nothing was taken', async () => {
		let service: FakeAlerting | undefined;
		const { parts } = await change(
			[firstTwo],
			{
				fate() {
					service?.cancel();
					return { error: failure({ status: 429 }), stored: false };
				},
			},
			{},
			Date.now(),
			(made) => (service = made),
		);
		expect(statuses(parts)).toEqual(TWO_NOT_DONE);
	});
});

describe('a whole configuration', () => {
	const wantedText = () => {
		const { [ONE]: wanted } = documents();
		wanted.monitors.pop();
		wanted.monitors[0].severity = 2;
		return JSON.stringify(wanted);
	};
	const replace = async (
		hazards: Hazards = {},
		saving: Partial<SaveSettings> = {},
		readAt = Date.now(),
		prepare: (fake: FakeAlerting) => void = () => undefined,
		text = wantedText(),
	) => {
		const fake = fakeAlerting(documents(), hazards);
		const { configurations } = await rulesOf(fake, readAt);
		const plan = planConfigurations([{ item: 0, modelId: ONE, text }], {
			organizationId: 'org-1',
			configurations,
			maxRemovals: 5,
			allowsRemovals: false,
			overwritesNewer: false,
		});
		prepare(fake);
		fake.sent.length = 0;
		const [part] = await carryOut(fake, plan, saving);
		if (part.outcome.status === 'done') {
			expect(targetsIn(fake.document(ONE))).toEqual(targetsIn(JSON.parse(text)));
		}
		return { fake, outcome: part.outcome, part };
	};

	it('is put once and seen', async () => {
		const { fake, outcome, part } = await replace();
		expect(outcome).toEqual({
			status: 'done',
			action: 'update the monitor configuration of model model-1',
		});
		expect(fake.sent).toEqual(['PUT model-1', 'GET model-1']);
		expect(part.result).toMatchObject({
			configuration: { monitors: [{ id: 'first-monitor' }, { id: 'second-monitor' }] },
		});
	});

	it('that was dropped with 200 is put again, and given up in the end', async () => {
		const again = await replace({ fate: (_way, _model, nth) => (nth < 2 ? 'dropped' : 'stored') });
		expect([again.outcome.status, again.fake.writes().length]).toEqual(['done', 2]);
		const never = await replace({ fate: () => 'dropped' });
		expect([never.outcome.status, never.fake.writes().length]).toEqual(['unverified', 4]);
	});

	it('does not overwrite what somebody else wrote after the plan', async () => {
		const { fake, outcome } = await replace({}, {}, 0, ({ write }) =>
			write(ONE, ({ monitors }) => (monitors[2].severity = 5)),
		);
		expect(outcome).toMatchObject({
			status: 'failed',
			reason: 'Someone else has changed the configuration of model model-1 meanwhile',
		});
		expect(fake.writes()).toEqual([]);
	});

	it('does not overwrite what somebody else wrote while ours was dropped', async () => {
		let service: FakeAlerting | undefined;
		const { fake, outcome } = await replace(
			{
				fate(_way, modelId) {
					service?.write(modelId, ({ monitors }) => (monitors[2].severity = 5));
					return 'dropped';
				},
			},
			{},
			Date.now(),
			(made) => (service = made),
		);
		expect(outcome.status).toBe('unverified');
		expect(outcome.reason).toContain('Someone else has changed');
		expect(fake.writes()).toHaveLength(1);
		expect(fake.document(ONE).monitors[2].severity).toBe(5);
	});

	it('that overwrote somebody else says so', async () => {
		let service: FakeAlerting | undefined;
		const { outcome } = await replace(
			{
				fate(_way, modelId) {
					service?.write(modelId, ({ monitors }) => (monitors[2].severity = 5));
					return 'stored';
				},
			},
			{},
			Date.now(),
			(made) => (service = made),
		);
		expect(outcome.status).toBe('done');
		expect(outcome.warnings).toEqual([
			'Someone else wrote this configuration at the same time: check whether that change is still there',
		]);
	});

	it('of which the service ignores a key says so', async () => {
		const { [ONE]: wanted } = documents();
		wanted.monitors[0].severity = 2;
		const text = JSON.stringify({ ...wanted, weightConfig: { 'a/b': 1 } });
		const { outcome } = await replace({}, {}, Date.now(), undefined, text);
		expect(outcome.warnings).toEqual(['The service ignores what was changed in weightConfig']);
	});

	const otherKeyOnly = () => JSON.stringify({ ...documents()[ONE], weightConfig: { a: 1 } });

	it.each([
		['dropped with 200', 'dropped', 'unverified'],
		['refused by a busy service', { error: failure({ status: 429 }), stored: false }, 'failed'],
		['answered with 503', { error: failure({ status: 503 }), stored: false }, 'unverified'],
	] satisfies Array<[string, Fate, string]>)(
		'whose lists were right before is not done when it is %s',
		async (_, fate, status) => {
			const { fake, outcome } = await replace(
				{ fate: () => fate },
				{},
				Date.now(),
				undefined,
				otherKeyOnly(),
			);
			expect([outcome.status, fake.writes().length]).toEqual([status, 4]);
			expect(outcome.warnings).toBeUndefined();
		},
	);

	it('of which the service ignores everything is not done, though its version moved', async () => {
		const { fake, outcome } = await replace({}, {}, Date.now(), undefined, otherKeyOnly());
		expect([outcome.status, fake.writes().length]).toEqual(['failed', 1]);
		expect(outcome.reason).toBe('The service ignores what was changed in weightConfig');
	});

	it('is looked for after the last try, too', async () => {
		const { fake, outcome } = await replace(
			{ fate: () => ({ error: failure({ status: 504 }), stored: true }) },
			{ maxTries: 1 },
		);
		expect([outcome.status, fake.sent]).toEqual(['done', ['PUT model-1', 'GET model-1']]);
	});

	it('waits a little before it puts again what was dropped', async () => {
		const { fake } = await replace({
			fate: (_way, _model, nth) => (nth < 2 ? 'dropped' : 'stored'),
		});
		expect(fake.patience.waits).toHaveLength(1);
	});

	it.each([
		['429', { status: 429 }, false, 'done', 2],
		['500 before it was stored', { status: 500 }, false, 'done', 2],
		['a timeout after it was stored', {}, true, 'done', 1],
		['400', { status: 400 }, false, 'failed', 1],
	])('answered once by %s', async (_, facts, stored, status, writes) => {
		const { fake, outcome } = await replace({
			fate: (_way, _model, nth) => (nth === 1 ? { error: failure(facts), stored } : 'stored'),
		});
		expect([outcome.status, fake.writes().length]).toEqual([status, writes]);
	});

	it('that times out to the end is unverified', async () => {
		const { outcome } = await replace({ fate: () => ({ error: failure({}), stored: false }) });
		expect(outcome.status).toBe('unverified');
	});

	it('is not put again once the execution was cancelled', async () => {
		let service: FakeAlerting | undefined;
		const { fake, outcome } = await replace(
			{
				fate() {
					service?.cancel();
					return 'dropped';
				},
			},
			{},
			Date.now(),
			(made) => (service = made),
		);
		expect([outcome.status, fake.writes().length]).toEqual(['unverified', 1]);
	});
});

describe('actions', () => {
	const chat = (more: Partial<Action> = {}): Action => ({
		id: 'chat',
		type: 'SLACK',
		payload: { slackWebhook: 'https://hooks.example.com/secret' },
		enabled: true,
		...more,
	});
	const want = (webhook: string) => [
		{
			item: 0,
			id: 'chat',
			type: 'SLACK',
			payload: { slackWebhook: webhook },
			allowsChangingKind: false,
			warnings: [],
		},
	];
	const NEW = 'https://hooks.example.com/new';
	const rules = (...actions: Action[]) => ({ organizationId: 'org-1', actions });
	const run = async (
		plan: AlertingPlan,
		actions: Action[],
		onActions?: Hazards['onActions'],
		usage?: ActionUsage,
	) => {
		const fake = fakeAlerting({}, onActions === undefined ? {} : { onActions }, actions);
		const [{ outcome, result }] = await carryOut(fake, plan, {}, usage);
		return { fake, outcome, result };
	};
	const onPut =
		(status: number | undefined, stored: boolean): Hazards['onActions'] =>
		(request) =>
			request.startsWith('GET')
				? 'stored'
				: { error: failure(status === undefined ? {} : { status }), stored };

	it('that were saved are looked for in the list', async () => {
		const { fake, outcome, result } = await run(planActions(want(NEW), rules()), []);
		expect(fake.sent).toEqual(['PUT SLACK/chat', 'GET actions']);
		expect(outcome).toEqual({ status: 'done', action: 'create action chat' });
		expect(result).toMatchObject({ action: { payload: { slackWebhook: NEW } } });
	});

	it('that the list does not show are unverified, though answered with 200', async () => {
		const { fake, outcome } = await run(
			planActions(want(NEW), rules(chat())),
			[chat()],
			(request) => (request.startsWith('PUT') ? 'dropped' : 'stored'),
		);
		expect(outcome).toMatchObject({
			status: 'unverified',
			reason: 'the list of actions does not show it',
		});
		expect(fake.writes()).toHaveLength(1);
	});

	it('that timed out are done when the list shows them, unverified when not', async () => {
		const plan = planActions(want(NEW), rules());
		expect((await run(plan, [], onPut(undefined, true))).outcome.status).toBe('done');
		expect((await run(plan, [], onPut(undefined, false))).outcome.status).toBe('unverified');
	});

	it.each([404, 409])(
		'whose id was deleted before (%s) are not done, and told why',
		async (status) => {
			const { outcome } = await run(planActions(want(NEW), rules()), [], onPut(status, false));
			expect(outcome.status).toBe('failed');
			expect(outcome.reason).toContain('deleted before');
		},
	);

	it('are unverified when the list cannot be read', async () => {
		const { outcome } = await run(planActions(want(NEW), rules()), [], (request) =>
			request.startsWith('GET') ? { error: failure({ status: 500 }), stored: false } : 'stored',
		);
		expect(outcome.status).toBe('unverified');
	});

	it('are deleted, and the list is looked at', async () => {
		const plan = planDeletes([{ item: 0, id: 'chat' }], new Map(), rules(chat()), undefined);
		const { fake, outcome } = await run(plan, [chat()]);
		expect(outcome).toEqual({ status: 'done', action: 'delete action chat' });
		expect(fake.actions.size).toBe(0);
		const kept = await run(plan, [chat()], (request) =>
			request.startsWith('DELETE') ? 'dropped' : 'stored',
		);
		expect(kept.outcome.status).toBe('unverified');
	});

	it('that are in use are not deleted; the monitors are named', async () => {
		const plan = planDeletes([{ item: 0, id: 'chat' }], new Map(), rules(chat()), undefined);
		const { fake, outcome } = await run(
			plan,
			[chat()],
			(request) =>
				request.startsWith('DELETE')
					? { error: failure({ status: 404, scimType: 'ResourceConstraint' }), stored: false }
					: 'stored',
			new Map([['chat', [{ model: ONE, monitor: 'first-monitor' }]]]),
		);
		expect(outcome.status).toBe('failed');
		expect(outcome.reason).toBe('Action chat is used by a monitor: first-monitor (model model-1)');
		expect(fake.actions.size).toBe(1);
	});

	it.each([404, 405])('a service without DELETE (%s) is said not to offer it', async (status) => {
		const plan = planDeletes([{ item: 0, id: 'chat' }], new Map(), rules(chat()), undefined);
		const { outcome } = await run(plan, [chat()], onPut(status, false));
		expect(outcome.status).toBe('failed');
		expect(outcome.reason).toBe('This service cannot delete action chat');
	});

	it('that somebody else has deleted first are done', async () => {
		const plan = planDeletes([{ item: 0, id: 'chat' }], new Map(), rules(chat()), undefined);
		expect((await run(plan, [])).outcome.status).toBe('done');
	});

	it('are disabled, and seen so', async () => {
		const plan = planWrites('disable', [{ item: 0, id: 'chat' }], rules(chat()));
		expect((await run(plan, [chat()])).outcome.status).toBe('done');
		expect((await run(plan, [chat()], onPut(404, false))).outcome.reason).toContain(
			'This service cannot disable',
		);
		const dropped = await run(plan, [chat()], (request) =>
			request.startsWith('PUT') ? 'dropped' : 'stored',
		);
		expect(dropped.outcome.status).toBe('unverified');
	});

	it('are tested once only, even after a timeout', async () => {
		const plan = planWrites('test', [{ item: 0, id: 'chat' }], rules(chat()));
		const sent = await run(plan, [chat()]);
		expect(sent.outcome.status).toBe('done');
		const lost = await run(plan, [chat()], onPut(undefined, true));
		expect([lost.outcome.status, lost.fake.writes()]).toEqual(['unverified', ['POST chat/test']]);
		const missing = await run(plan, [chat()], onPut(404, false));
		expect(missing.outcome.reason).toBe('This service cannot send tests');
	});

	it('that are detached first are deleted only when that was seen', async () => {
		const usage: ActionUsage = new Map([['pager', [{ model: ONE, monitor: 'third-monitor' }]]]);
		const pager = chat({ id: 'pager' });
		for (const fate of ['stored', 'dropped'] as const) {
			const fake = fakeAlerting(documents(), { fate: () => fate }, [pager]);
			const detaching = await rulesOf(fake, Date.now());
			const plan = planDeletes([{ item: 0, id: 'pager' }], usage, rules(pager), detaching);
			const parts = await carryOut(fake, plan);
			const done = fate === 'stored';
			expect(statuses(parts)).toEqual([
				`model-1 third-monitor: ${done ? 'done' : 'unverified'}`,
				`pager: ${done ? 'done' : 'failed'}`,
			]);
			expect(fake.sent.includes('DELETE pager')).toBe(done);
			expect(fake.actions.has('pager')).toBe(!done);
		}
	});
});

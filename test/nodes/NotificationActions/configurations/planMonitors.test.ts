import type { Attempt } from '../../../../nodes/shared/util/attempt';
import {
	readConfiguration,
	type Configuration,
} from '../../../../nodes/NotificationActions/configurations/configuration';
import type { ActionChange } from '../../../../nodes/NotificationActions/configurations/editActions';
import { editText } from '../../../../nodes/NotificationActions/configurations/jsonText';
import {
	planMonitors,
	type MonitorRules,
	type MonitorWish,
} from '../../../../nodes/NotificationActions/configurations/planMonitors';
import type { Snapshot } from '../../../../nodes/NotificationActions/configurations/saveConfiguration';
import type { ConfigurationPlan } from '../../../../nodes/NotificationActions/configurations/step';
import { document, monitor, targetsIn, type Document } from '../../../support/configurations';

const attach = (...targets: string[]): ActionChange => ({ kind: 'attach', targets });
const detach = (...targets: string[]): ActionChange => ({ kind: 'detach', targets });
const set = (...targets: string[]): ActionChange => ({ kind: 'set', targets });
const replace = (from: string, to: string): ActionChange => ({ kind: 'replace', from, to });

const read = (value: Document): Attempt<Snapshot> => ({
	ok: true,
	value: { configuration: readConfiguration(JSON.stringify(value)), readAt: 0 },
});
const THREE = document([
	monitor('first-monitor', ['email']),
	monitor('second-monitor', ['chat'], { displayName: 'Second' }),
	monitor('third-monitor'),
]);
const rules = (more: Partial<MonitorRules> = {}): MonitorRules => ({
	organizationId: 'org-1',
	configurations: new Map([
		['model-1', read(THREE)],
		['model-3', { ok: false, error: new Error('the service answered 403') }],
	]),
	actionIds: new Set(['chat', 'pager', 'teams']),
	merges: true,
	...more,
});
const want = (change: ActionChange, more: Partial<MonitorWish> = {}): MonitorWish => ({
	item: 0,
	modelIds: ['model-1'],
	selection: { by: 'all' },
	change,
	mayMatchNone: false,
	...more,
});
const byId = (...ids: string[]): Partial<MonitorWish> => ({ selection: { by: 'id', ids } });
const settled = (plan: ConfigurationPlan) =>
	plan.settled.map(({ item, subject, outcome }) => [
		item,
		subject.replace('\n', ' '),
		outcome.status,
		outcome.reason,
	]);

describe('a plan', () => {
	it('leaves out what is so already, and a model where all is so altogether', () => {
		const plan = planMonitors([want(attach('chat'), { modelIds: ['model-1'] })], rules());
		expect(settled(plan)).toEqual([[0, 'model-1 second-monitor', 'unchanged', undefined]]);
		expect(plan.settled[0].result).toMatchObject({ monitor: { actions: ['chat'] } });
		expect(plan.steps[0].parts).toHaveLength(2);

		const nothing = planMonitors([want(detach('pager'))], rules());
		expect(nothing.steps).toEqual([]);
		expect(nothing.configurations).toEqual([]);
		expect(nothing.settled.map(({ outcome }) => outcome.status)).toEqual(
			Array(3).fill('unchanged'),
		);
	});
});

describe('what cannot be done', () => {
	it.each([
		[set('gone'), true],
		[replace('chat', 'gone'), true],
		[replace('gone', 'chat'), false],
		[detach('gone'), false],
		[attach('email'), false],
	])('%j needs to know its actions: %s', (change, isRefused) => {
		const reasons = planMonitors([want(change)], rules()).settled.map(
			({ outcome }) => outcome.reason,
		);
		expect(reasons.includes('There is no action gone')).toBe(isRefused);
	});

	it('a model that could not be read fails alone, and no monitor is called missing for it', () => {
		const plan = planMonitors(
			[
				want(attach('pager'), {
					modelIds: ['model-3', 'model-1'],
					...byId('first-monitor', 'fourth'),
				}),
			],
			rules(),
		);
		expect(settled(plan)).toEqual([[0, 'model-3', 'failed', 'the service answered 403']]);
		expect(plan.steps.map(({ id }) => id)).toEqual(['save:model-1']);
	});
});

describe('items that want something of one monitor', () => {
	const REFUSED = 'Items want different actions on monitor second-monitor';
	const both = (one: ActionChange, other: ActionChange) =>
		planMonitors(
			[
				want(one, byId('second-monitor')),
				want(other, { item: 1, ...byId('second-monitor') }),
				want(attach('teams'), { item: 2, ...byId('third-monitor') }),
			],
			rules(),
		);

	// The monitor has: chat.
	it.each([
		[attach('pager'), detach('pager')],
		[attach('chat'), detach('chat')],
		[set('pager'), set('pager', 'teams')],
		[set('pager'), attach('teams')],
		[set('pager', 'chat'), detach('pager')],
		[replace('chat', 'pager'), replace('chat', 'teams')],
		[replace('chat', 'pager'), replace('pager', 'teams')],
		[replace('chat', 'pager'), attach('chat')],
		[replace('chat', 'pager'), detach('pager')],
		[replace('chat', 'pager'), set('chat')],
	])('%j and %j contradict, in any order; other monitors go on', (one, other) => {
		for (const plan of [both(one, other), both(other, one)]) {
			expect(settled(plan)).toEqual([
				[0, 'model-1 second-monitor', 'failed', REFUSED],
				[1, 'model-1 second-monitor', 'failed', REFUSED],
			]);
			expect(plan.steps[0].parts.map(({ subject }) => subject)).toEqual(['model-1\nthird-monitor']);
		}
	});

	it.each([
		[attach('pager'), attach('pager', 'teams')],
		[attach('pager'), detach('chat')],
		[set('pager', 'teams'), set('teams', 'pager')],
		[set('pager'), detach('chat')],
		[replace('chat', 'pager'), attach('pager')],
		[replace('chat', 'pager'), attach('teams')],
	])('%j and %j agree, in any order', (one, other) => {
		for (const plan of [both(one, other), both(other, one)]) {
			expect(plan.settled.filter(({ outcome }) => outcome.status === 'failed')).toEqual([]);
			const [step] = plan.steps;
			const edit = (now: Configuration) => step.change.edit(now, 'no').pieces;
			const { configuration } = step.read;
			const after = editText(
				configuration.text,
				edit(configuration).flatMap(({ edits }) => edits),
			);
			expect(edit(readConfiguration(after))).toEqual([]);
			expect(targetsIn(JSON.parse(after) as Document)['first-monitor']).toEqual(['email']);
		}
	});
});

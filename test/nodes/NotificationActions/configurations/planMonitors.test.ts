import { InputError } from '../../../../nodes/shared/util';
import type { Attempt } from '../../../../nodes/shared/util/attempt';
import {
	readConfiguration,
	type Configuration,
} from '../../../../nodes/NotificationActions/configurations/configuration';
import type { ActionEdit } from '../../../../nodes/NotificationActions/configurations/editActions';
import { editFor } from '../../../../nodes/NotificationActions/configurations/judge';
import { editText } from '../../../../nodes/NotificationActions/configurations/jsonText';
import {
	planMonitors,
	type MonitorRules,
	type MonitorWish,
} from '../../../../nodes/NotificationActions/configurations/planMonitors';
import type { Snapshot } from '../../../../nodes/NotificationActions/configurations/saveConfiguration';
import type { ConfigurationPlan } from '../../../../nodes/NotificationActions/configurations/change';
import { document, monitor, targetsIn, type Document } from '../../../support/configurations';

const attach = (...targets: string[]): ActionEdit => ({ kind: 'attach', targets });
const detach = (...targets: string[]): ActionEdit => ({ kind: 'detach', targets });
const set = (...targets: string[]): ActionEdit => ({ kind: 'set', targets });
const replace = (from: string, to: string): ActionEdit => ({ kind: 'replace', from, to });

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
	configurations: new Map([
		['model-1', read(THREE)],
		['model-3', { ok: false, error: new Error('the service answered 403') }],
	]),
	actionIds: new Set(['chat', 'pager', 'teams']),
	...more,
});
const want = (edit: ActionEdit, more: Partial<MonitorWish> = {}): MonitorWish => ({
	item: 0,
	modelIds: ['model-1'],
	selection: { by: 'all' },
	edit,
	mayMatchNone: false,
	...more,
});
const byId = (...ids: string[]): Partial<MonitorWish> => ({ selection: { by: 'id', ids } });
const settled = (plan: ConfigurationPlan) =>
	plan.settled.map(({ item, subject, outcome }) => [
		item,
		subject.replace('\n', ' ').trim(),
		outcome.status,
		outcome.reason,
	]);
const advices = (plan: ConfigurationPlan) =>
	plan.settled.map(
		({ outcome }) =>
			'error' in outcome && outcome.error instanceof InputError && outcome.error.description,
	);

describe('a plan', () => {
	it('leaves out what is so already, and a model where all is so altogether', () => {
		const plan = planMonitors([want(attach('chat'), { modelIds: ['model-1'] })], rules());
		expect(settled(plan)).toEqual([[0, 'model-1 second-monitor', 'unchanged', undefined]]);
		expect(plan.settled[0].result).toMatchObject({ monitor: { id: 'second-monitor' } });
		expect(plan.changes).toHaveLength(2);

		const nothing = planMonitors([want(detach('pager'))], rules());
		expect(nothing.changes).toStrictEqual([]);
		expect(nothing.configurations).toStrictEqual([]);
		expect(nothing.settled.map(({ outcome }) => outcome.status)).toEqual(
			Array(3).fill('unchanged'),
		);
	});

	it('tells what it touches in each model', () => {
		const configurations = new Map([
			['model-1', read(THREE)],
			['model-2', read(document([monitor('first-monitor', ['chat'])]))],
		]);
		const plan = planMonitors(
			[
				want(replace('chat', 'pager'), { modelIds: ['model-2', 'model-1'] }),
				want(attach('teams'), { item: 1, ...byId('second-monitor') }),
			],
			rules({ configurations }),
		);
		const model = (id: string, ...monitors: object[]) => ({ model: id, touched: { monitors } });
		expect(plan.configurations).toStrictEqual([
			model('model-2', { id: 'first-monitor', attach: ['pager'], detach: ['chat'] }),
			model('model-1', {
				...{ id: 'second-monitor', displayName: 'Second' },
				...{ attach: ['pager', 'teams'], detach: ['chat'] },
			}),
		]);
		expect(plan.changes).toMatchObject([
			{ model: 'model-2', monitor: 'first-monitor', items: [0] },
			{
				...{ subject: 'model-1\nsecond-monitor', items: [0] },
				action: 'replace chat with pager on monitor second-monitor of model model-1',
			},
			{ items: [1], action: 'attach teams to monitor second-monitor of model model-1' },
		]);
		expect(settled(plan).map(([item, subject, status]) => [item, subject, status])).toEqual([
			[0, 'model-1 first-monitor', 'unchanged'],
			[0, 'model-1 third-monitor', 'unchanged'],
		]);
	});

	it('tells of one monitor only what it gains or loses there', () => {
		const touched = (change: ActionEdit) =>
			planMonitors([want(change, byId('first-monitor'))], rules()).configurations[0].touched;
		const id = 'first-monitor';
		expect(touched(attach('chat'))).toStrictEqual({ monitors: [{ id, attach: ['chat'] }] });
		expect(touched(set())).toStrictEqual({ monitors: [{ id, detach: ['email'] }] });
	});

	it('has nothing to do for an item beside another that changes the monitor', () => {
		const wishes = [want(attach('chat'), byId('second-monitor'))];
		wishes.push(want(attach('pager'), { item: 1, ...byId('second-monitor') }));
		const plan = planMonitors(wishes, rules());
		expect(settled(plan)).toEqual([[0, 'model-1 second-monitor', 'unchanged', undefined]]);
		expect(plan.changes.map(({ items }) => items)).toEqual([[1]]);
	});

	it('has one change for all items that want the same of a monitor', () => {
		const wishes = [0, 1].map((item) => want(attach('pager'), { item, ...byId('first-monitor') }));
		expect(planMonitors(wishes, rules()).changes).toMatchObject([{ items: [0, 1] }]);
	});

	it.each([
		[attach('chat', 'pager'), 'attach chat, pager to monitor x'],
		[detach('chat', 'pager'), 'detach chat, pager from monitor x'],
		[set('chat', 'pager'), 'set the actions of monitor x to chat, pager'],
		[set(), 'set the actions of monitor x to none'],
		[replace('chat', 'pager'), 'replace chat with pager on monitor x'],
	])('says what %j does', (change, words) => {
		const [{ outcome }] = planMonitors([want(change, byId('x'))], rules()).settled;
		expect(outcome.action).toBe(words);
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

	it('an action that does not exist, and the actions there are', () => {
		const actionIds = new Set(Array.from({ length: 20 }, (_, at) => `a${at + 1}`));
		const told = (change: ActionEdit, more?: Partial<MonitorRules>) =>
			planMonitors([want(change, { item: 4 })], rules(more));
		const plan = told(attach('chat', 'gone', 'lost'));
		expect(plan.changes).toStrictEqual([]);
		expect(settled(plan)).toEqual([[4, '', 'failed', 'There is no action gone, lost']]);
		expect(advices(plan)).toEqual([
			'Create it first. The organization has: chat, pager, teams, email.',
		]);
		expect(advices(told(attach('gone'), { actionIds }))[0]).toMatch(/: a1, .*, a20 and 1 more\.$/);
		actionIds.delete('a1');
		expect(advices(told(attach('gone'), { actionIds }))[0]).toMatch(/, a20, email\.$/);
	});

	describe('for want of a monitor', () => {
		const configurations = new Map([
			['model-1', read(THREE)],
			['model-2', read(document([monitor('other')]))],
			['bare', read(document([]))],
		]);
		const plan = (more: Partial<MonitorWish>) =>
			planMonitors([want(attach('pager'), { item: 4, ...more })], rules({ configurations }));
		const named: Partial<MonitorWish> = { selection: { by: 'name', pattern: 'none' } };
		const HAS = 'It has: first-monitor, second-monitor, third-monitor';

		it.each([
			['model-1', byId('x', 'y'), 'There is no monitor x, y in model model-1', `${HAS}.`],
			['model-1,model-2', byId('x'), 'There is no monitor x in model model-1, m', `${HAS}, other.`],
			['bare', byId('x'), 'There is no monitor x in model bare', 'The model has no monitors.'],
			['', byId('x'), 'The organization has no models', 'Check the Organization ID'],
			['', named, 'The organization has no models', 'Check the Organization ID'],
			['model-1,bare', named, 'No monitor of model model-1, bare matches', 'Select Monitors By'],
		])('of the models %p: %j', (models, more, reason, advice) => {
			const made = plan({ modelIds: models.split(',').filter(Boolean), ...more });
			expect(settled(made)).toEqual([[4, '', 'failed', expect.stringContaining(reason)]]);
			expect(advices(made)).toEqual([expect.stringContaining(advice)]);
		});

		it('names the first 20 of the models where nothing matches', () => {
			const modelIds = Array.from({ length: 21 }, (_, at) => `m${at + 1}`);
			const many = new Map(modelIds.map((id) => [id, read(document([]))]));
			const [{ outcome }] = planMonitors(
				[want(attach('pager'), { modelIds })],
				rules({ configurations: many }),
			).settled;
			expect(outcome.reason).toMatch(/ m1, .*, m20 matches$/);
		});

		it.each([named, byId('x')])('is skipped where the item allows it: %j', (more) => {
			expect(settled(plan({ ...more, mayMatchNone: true }))).toEqual([
				[4, '', 'skipped', 'no monitor matches'],
			]);
		});

		it('changes the monitors that are there, and tells of those that are not', () => {
			const ids = byId('first-monitor', 'x', 'other');
			const made = plan({ modelIds: ['model-1', 'model-2'], ...ids, mayMatchNone: true });
			expect(settled(made).map(([, , status, reason]) => [status, reason])).toEqual([
				['failed', 'There is no monitor x in model model-1, model-2'],
			]);
			expect(made.changes.map(({ model }) => model)).toEqual(['model-1', 'model-2']);
		});
	});

	it('a monitor whose actions are no list fails alone', () => {
		const odd = read(document([monitor('odd', [], { actions: 'x' }), monitor('fine')]));
		const plan = planMonitors(
			[want(attach('pager'))],
			rules({ configurations: new Map([['model-1', odd]]) }),
		);
		expect(settled(plan)).toEqual([
			[0, 'model-1 odd', 'failed', 'The actions of monitor odd are not a list'],
		]);
		expect(plan.configurations[0].touched).toEqual({
			monitors: [{ id: 'fine', attach: ['pager'] }],
		});
	});

	it('a model that could not be read fails alone, and no monitor is called missing for it', () => {
		const plan = planMonitors(
			[
				want(attach('pager'), {
					modelIds: ['model-3', 'model-1', 'model-9'],
					...byId('first-monitor', 'fourth'),
				}),
			],
			rules(),
		);
		expect(settled(plan)).toEqual([
			[0, 'model-3', 'failed', 'the service answered 403'],
			[0, 'model-9', 'failed', expect.anything()],
		]);
		expect(plan.changes.map(({ model }) => model)).toEqual(['model-1']);
	});
});

describe('items that want something of one monitor', () => {
	const REFUSED = 'Items want different actions on monitor second-monitor';
	const both = (one: ActionEdit, other: ActionEdit) =>
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
		[attach('pager', 'teams'), detach('teams', 'chat')],
		[set('pager', 'teams'), replace('pager', 'chat')],
		[replace('teams', 'pager'), attach('teams')],
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
			expect(plan.changes.map(({ subject }) => subject)).toEqual(['model-1\nthird-monitor']);
		}
	});

	it.each([
		[attach('pager'), attach('pager', 'teams')],
		[attach('pager'), detach('chat')],
		[set('pager', 'teams'), set('teams', 'pager')],
		[set('pager'), detach('chat')],
		[replace('chat', 'pager'), attach('pager')],
		[replace('chat', 'pager'), attach('teams')],
		[replace('teams', 'pager'), detach('pager')],
		[replace('chat', 'pager'), detach('chat')],
	])('%j and %j agree, in any order', (one, other) => {
		for (const plan of [both(one, other), both(other, one)]) {
			expect(plan.settled.filter(({ outcome }) => outcome.status === 'failed')).toStrictEqual([]);
			const configuration = readConfiguration(JSON.stringify(THREE));
			const edit = (now: Configuration) =>
				editFor(plan.changes, configuration).edit(now, 'no').pieces;
			const after = editText(
				configuration.text,
				edit(configuration).flatMap(({ edits }) => edits),
			);
			expect(edit(readConfiguration(after))).toStrictEqual([]);
			expect(targetsIn(JSON.parse(after) as Document)['first-monitor']).toEqual(['email']);
		}
	});
});

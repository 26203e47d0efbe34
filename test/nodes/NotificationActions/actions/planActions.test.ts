import type { Action } from '../../../../nodes/NotificationActions/actions/action';
import { readConfiguration } from '../../../../nodes/NotificationActions/configurations/configuration';
import {
	planActions,
	planDeletes,
	planWrites,
	type ActionWish,
} from '../../../../nodes/NotificationActions/actions/planActions';
import type { MonitorRules } from '../../../../nodes/NotificationActions/configurations/planMonitors';
import type { ActionUsage } from '../../../../nodes/NotificationActions/actions/actionUsage';
import type { AlertingPlan } from '../../../../nodes/NotificationActions/actions/step';
import { document, monitor } from '../../../support/fakeAlerting';

const URL_1 = 'https://hooks.example.com/T1/secret';
const chat: Action = { id: 'chat', type: 'SLACK', payload: { slackWebhook: URL_1 }, enabled: true };
const pager: Action = { id: 'pager', type: 'PAGER_DUTY', payload: { pagerDutyKey: 'k-123456' } };
const rules = (...actions: Action[]) => ({ organizationId: 'org-1', actions });
const want = (item: number, more: Partial<ActionWish> = {}): ActionWish => ({
	item,
	id: 'chat',
	type: 'SLACK',
	payload: { slackWebhook: URL_1 },
	allowsChangingKind: false,
	warnings: [],
	...more,
});
const named = (...ids: string[]) => ids.map((id, item) => ({ item, id }));
const settled = ({ settled: all }: AlertingPlan) =>
	all.map(({ item, outcome }) => [item, outcome.status, outcome.reason]);
const steps = (plan: AlertingPlan) =>
	plan.steps.map(({ action, parts }) => [action, parts.map(({ item }) => item)]);

describe('create or update', () => {
	it('creates what is not there, and shows no secret in the preview', () => {
		const plan = planActions([want(0, { warnings: ['mind the port'] })], rules(pager));
		expect(plan.steps).toMatchObject([
			{
				action: 'create action chat',
				warnings: ['mind the port'],
				request: {
					method: 'PUT',
					path: ['v0', 'notification-settings', 'org-1', 'actions', 'SLACK', 'chat'],
					body: { slackWebhook: URL_1 },
					shown: { slackWebhook: 'https://hooks.example.com/***' },
				},
			},
		]);
		expect(JSON.stringify(plan.steps[0].request.shown)).not.toContain('secret');
	});

	it('does nothing for an action that is as wanted, and still warns', () => {
		const plan = planActions([want(0, { warnings: ['mind the port'] })], rules(chat));
		expect(plan.steps).toEqual([]);
		expect(plan.settled[0]).toMatchObject({
			outcome: { status: 'unchanged', warnings: ['mind the port'] },
			result: { action: chat },
		});
	});

	it('updates what differs in any field', () => {
		expect(steps(planActions([want(0, { payload: { slackWebhook: 'x' } })], rules(chat)))).toEqual([
			['update action chat', [0]],
		]);
		expect(
			steps(planActions([want(0)], rules({ ...chat, payload: { ...chat.payload, more: 1 } }))),
		).toEqual([['update action chat', [0]]]);
	});

	it('changes the kind only when it may', () => {
		const email = { type: 'EMAIL', payload: { email: 'a@example.com' } };
		const plan = planActions([want(0, email)], rules(chat));
		expect(plan.steps).toEqual([]);
		expect(settled(plan)).toEqual([[0, 'failed', 'Action chat is of kind SLACK, not EMAIL']]);
		const allowed = planActions([want(0, { ...email, allowsChangingKind: true })], rules(chat));
		expect(steps(allowed)).toEqual([['update action chat', [0]]]);
	});

	it('takes equal items for one, and refuses the second of two that differ, in any order', () => {
		expect(steps(planActions([want(0), want(1)], rules()))).toEqual([
			['create action chat', [0, 1]],
		]);
		const other = { payload: { slackWebhook: 'https://other.example.com/x' } };
		const REFUSED = [1, 'failed', 'Items 0 and 1 want different things of action chat'];
		const inOrder = planActions([want(0, other), want(1)], rules(chat));
		expect([steps(inOrder), settled(inOrder)]).toEqual([[['update action chat', [0]]], [REFUSED]]);
		const reversed = planActions([want(0), want(1, other)], rules(chat));
		expect([steps(reversed), settled(reversed)]).toEqual([
			[],
			[[0, 'unchanged', undefined], REFUSED],
		]);
	});
});

describe('enable, disable and test', () => {
	it('one step for each action, however many items name it; what is so is left out', () => {
		expect(steps(planWrites('disable', named('chat', 'chat'), rules(chat)))).toEqual([
			['disable action chat', [0, 1]],
		]);
		expect(settled(planWrites('enable', named('chat'), rules(chat)))).toEqual([
			[0, 'unchanged', undefined],
		]);
		expect(steps(planWrites('test', named('chat', 'pager', 'chat'), rules(chat, pager)))).toEqual([
			['send a test to action chat', [0, 2]],
			['send a test to action pager', [1]],
		]);
	});

	it('are not sent to a service that does not tell what is enabled: it would create an action', () => {
		const plan = planWrites('enable', named('pager'), rules(pager));
		expect(plan.steps).toEqual([]);
		expect(settled(plan)).toEqual([[0, 'failed', 'This service cannot enable actions']]);
	});

	it('of an unknown action names those that exist', () => {
		const [{ outcome }] = planWrites('test', named('gone'), rules(chat, pager)).settled;
		expect(outcome).toMatchObject({
			reason: 'There is no action gone',
			error: { description: 'The organization has: chat, pager.' },
		});
	});
});

describe('delete', () => {
	const USED: ActionUsage = new Map([
		[
			'chat',
			[
				{ model: 'model-1', monitor: 'first-monitor' },
				{ model: 'model-1', monitor: 'second-monitor' },
			],
		],
	]);
	const detaching = (readable = true): MonitorRules => ({
		organizationId: 'org-1',
		configurations: new Map([
			[
				'model-1',
				readable
					? {
							ok: true,
							value: {
								configuration: readConfiguration(
									JSON.stringify(
										document([
											monitor('first-monitor', ['chat']),
											monitor('second-monitor', ['pager', 'chat']),
										]),
									),
								),
								readAt: 0,
							},
						}
					: { ok: false, error: new Error('the service answered 403') },
			],
		]),
		actionIds: new Set(),
		merges: true,
	});

	it('deletes what nothing uses, once; what is gone is so already', () => {
		const plan = planDeletes(named('pager', 'gone', 'pager'), USED, rules(chat, pager), undefined);
		expect(steps(plan)).toEqual([['delete action pager', [0, 2]]]);
		expect(settled(plan)).toEqual([[1, 'unchanged', 'there is no such action']]);
	});

	it('refuses what is in use, naming the monitors', () => {
		const plan = planDeletes(named('chat', 'pager'), USED, rules(chat, pager), undefined);
		expect(steps(plan)).toEqual([['delete action pager', [1]]]);
		expect(settled(plan)).toEqual([
			[
				0,
				'failed',
				'Action chat is used by 2 monitors: first-monitor (model model-1), second-monitor (model model-1)',
			],
		]);
	});

	it('detaches first: the deletion needs every monitor of that', () => {
		const plan = planDeletes(named('chat'), USED, rules(chat), detaching());
		expect(steps(plan)).toEqual([
			['save the monitors of model model-1', [0, 0]],
			['delete action chat', [0]],
		]);
		expect(plan.steps[1].parts[0].needs).toEqual([
			{ step: 'save:model-1', subject: 'model-1\nfirst-monitor' },
			{ step: 'save:model-1', subject: 'model-1\nsecond-monitor' },
		]);
		expect(plan.configurations[0].touched).toEqual({
			monitors: [
				{ id: 'first-monitor', detach: ['chat'] },
				{ id: 'second-monitor', detach: ['chat'] },
			],
		});
	});

	it('does not delete what cannot be detached everywhere', () => {
		const plan = planDeletes(named('chat'), USED, rules(chat), detaching(false));
		expect(plan.steps).toEqual([]);
		expect(settled(plan)).toEqual([
			[0, 'failed', 'the service answered 403'],
			[0, 'failed', 'it could not be detached from all monitors first'],
		]);
	});
});

import type { Action } from '../../../../nodes/NotificationActions/actions/action';
import {
	planActions,
	planDeletes,
	planWrites,
	type ActionWish,
} from '../../../../nodes/NotificationActions/actions/planActions';
import type { AlertingPlan } from '../../../../nodes/NotificationActions/actions/change';

const URL_1 = 'https://hooks.example.com/T1/secret';
const chat: Action = { id: 'chat', type: 'SLACK', payload: { slackWebhook: URL_1 }, enabled: true };
const pager: Action = { id: 'pager', type: 'PAGER_DUTY', payload: { pagerDutyKey: 'k-123456' } };
const rules = (...actions: Action[]) => actions;
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
const changes = (plan: AlertingPlan) => plan.changes.map(({ action, items }) => [action, items]);

describe('create or update', () => {
	it('takes equal items for one, and refuses the second of two that differ, in any order', () => {
		expect(changes(planActions([want(0), want(1)], rules()))).toEqual([
			['create action chat', [0, 1]],
		]);
		const other = { payload: { slackWebhook: 'https://other.example.com/x' } };
		const REFUSED = [1, 'failed', 'Items 0 and 1 want different things of action chat'];
		const inOrder = planActions([want(0, other), want(1)], rules(chat));
		expect([changes(inOrder), settled(inOrder)]).toEqual([
			[['update action chat', [0]]],
			[REFUSED],
		]);
		const reversed = planActions([want(0), want(1, other)], rules(chat));
		expect([changes(reversed), settled(reversed)]).toEqual([
			[],
			[[0, 'unchanged', undefined], REFUSED],
		]);
	});
});

describe('enable, disable, test and delete', () => {
	it('one change for each action, however many items name it; what is so is left out', () => {
		expect(changes(planWrites('disable', named('chat', 'chat'), rules(chat)))).toEqual([
			['disable action chat', [0, 1]],
		]);
		expect(settled(planWrites('enable', named('chat'), rules(chat)))).toEqual([
			[0, 'unchanged', undefined],
		]);
		expect(changes(planWrites('test', named('chat', 'pager', 'chat'), rules(chat, pager)))).toEqual(
			[
				['send a test to action chat', [0, 2]],
				['send a test to action pager', [1]],
			],
		);
		const rest = rules(chat, pager);
		expect(
			changes(planDeletes(named('pager', 'gone', 'pager'), new Map(), rest, undefined)),
		).toEqual([['delete action pager', [0, 2]]]);
	});
});

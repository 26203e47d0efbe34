import type { Attempt } from '../../../../nodes/shared/util/errors';
import { readConfiguration } from '../../../../nodes/NotificationActions/configurations/configuration';
import {
	type ActionEdit,
	editFor,
} from '../../../../nodes/NotificationActions/configurations/change';
import {
	planMonitors,
	type MonitorRules,
	type MonitorWish,
} from '../../../../nodes/NotificationActions/configurations/plan';
import type { Snapshot } from '../../../../nodes/NotificationActions/configurations/saveConfiguration';
import {
	document,
	monitor,
	ORG,
	targetsIn,
	type Document,
	type Entry,
} from '../../../support/configurations';

const attach = (...targets: string[]): ActionEdit => ({ kind: 'attach', targets });
const detach = (...targets: string[]): ActionEdit => ({ kind: 'detach', targets });
const set = (...targets: string[]): ActionEdit => ({ kind: 'set', targets });
const replace = (from: string, to: string): ActionEdit => ({ kind: 'replace', from, to });

const OWNER = { model: 'm2', organization: ORG };
/** @param more a member in the text */
const read = (value: Document, more = '"x":1'): Attempt<Snapshot> => ({
	...{ ok: true },
	value: {
		configuration: readConfiguration(JSON.stringify(value).replace('{', `{${more},`), OWNER),
		readAt: 0,
	},
});
const THREE = document([
	monitor('a', ['email']),
	monitor('b', ['chat'], { displayName: 'B' }),
	monitor('c'),
]);
const rules: MonitorRules = {
	configurations: new Map([
		['m1', read(THREE)],
		['m2', read(document([monitor('a', ['chat']), monitor('d')]))],
		['m3', { ok: false, error: new Error('the service answered 403') }],
		['odd', read(document([monitor('odd', [], { actions: 'x' }), monitor('fine')]))],
		['bare', read(document([]))],
		['lossy', read(document([monitor('a', ['chat']), monitor('b')]), '"x":1e400')],
		['foreign', read(document([monitor('a'), monitor('f')], { datasetId: 'm1' }))],
	]),
	actionIds: new Set(['chat', 'pager', 'teams']),
};
const want = (edit: ActionEdit, more: Partial<MonitorWish> = {}): MonitorWish => ({
	...{ item: 0, modelIds: ['m1'], selection: { by: 'all' }, edit, mayMatchNone: false },
	...more,
});
const byId = (...ids: string[]): Partial<MonitorWish> => ({ selection: { by: 'id', ids } });
const named: Partial<MonitorWish> = { selection: { by: 'name', pattern: 'none' } };
const [A, B, second, any] = [byId('a'), byId('b'), { item: 1 }, { mayMatchNone: true }];

/** What becomes of each item that has no change, the changes with their items, and what is told of each monitor. */
function play(...wishes: MonitorWish[]): string[] {
	const { settled, changes, configurations } = planMonitors(wishes, rules);
	const words = (...parts: unknown[]) => parts.filter((part) => part ?? '').join(' ');
	return [
		...settled.map(({ item, subject, outcome: { status, reason } }) =>
			words(`${item}`, ...subject.split('\n'), status, reason),
		),
		...changes.map(({ subject, items }) =>
			words(items.join('+'), subject.replace('\n', ' '), 'changes'),
		),
		...configurations.map(({ model, touched }) => `${model}: ${JSON.stringify(touched.monitors)}`),
	];
}

it.each<[string, MonitorWish[], string[]]>([
	[
		'leaves out what is so already',
		[want(attach('chat'))],
		[
			...['0 m1 b unchanged', '0 m1 a changes', '0 m1 c changes'],
			'm1: [{"id":"a","attach":["chat"]},{"id":"c","attach":["chat"]}]',
		],
	],
	[
		'leaves out a model where all is so already',
		[want(detach('pager'))],
		['0 m1 a unchanged', '0 m1 b unchanged', '0 m1 c unchanged'],
	],
	[
		'tells of all models what items do there together',
		[
			want(replace('chat', 'pager'), { modelIds: ['m2', 'm1'] }),
			want(attach('teams'), { ...second, ...B }),
		],
		[
			...['0 m2 d unchanged', '0 m1 a unchanged', '0 m1 c unchanged'],
			...['0 m2 a changes', '0 m1 b changes', '1 m1 b changes'],
			'm2: [{"id":"a","attach":["pager"],"detach":["chat"]}]',
			'm1: [{"id":"b","displayName":"B","attach":["pager","teams"],"detach":["chat"]}]',
		],
	],
	[
		'tells of a loss alone',
		[want(set(), A)],
		['0 m1 a changes', 'm1: [{"id":"a","detach":["email"]}]'],
	],
	[
		'has nothing to do for an item beside another that changes the monitor',
		[want(attach('email'), A), want(attach('pager'), { ...second, ...A })],
		['0 m1 a unchanged', '1 m1 a changes', 'm1: [{"id":"a","attach":["pager"]}]'],
	],
	[
		'has one change for all items that want the same of a monitor',
		[want(attach('pager'), A), want(attach('pager'), { ...second, ...A })],
		['0+1 m1 a changes', 'm1: [{"id":"a","attach":["pager"]}]'],
	],
	[
		'changes the monitors that are there, and tells of those that are not',
		[want(attach('teams'), { modelIds: ['m1', 'm2'], ...byId('x', 'd'), ...any })],
		[
			'0 failed There is no monitor x in model m1, m2',
			'0 m2 d changes',
			'm2: [{"id":"d","attach":["teams"]}]',
		],
	],
	[
		'fails for a monitor alone whose actions are no list',
		[want(attach('pager'), { modelIds: ['odd'] })],
		[
			'0 odd odd failed The actions of monitor odd are not a list',
			...['0 odd fine changes', 'odd: [{"id":"fine","attach":["pager"]}]'],
		],
	],
	[
		'makes no change in a document that would lose a value, and says what is so already',
		[want(attach('chat'), { modelIds: ['lossy'] })],
		[
			'0 lossy a unchanged',
			'0 lossy b failed The number 1e400 at x would be written as null, so the configuration is not written',
		],
	],
	[
		'takes the configuration of another model for none, and calls no monitor missing for it',
		[want(attach('pager'), { modelIds: ['foreign', 'm2'], ...byId('d', 'f') })],
		[
			'0 foreign failed The configuration is for another model: its datasetId is m1, not m2',
			...['0 m2 d changes', 'm2: [{"id":"d","attach":["pager"]}]'],
		],
	],
	[
		'fails for a model alone that could not be read, and calls no monitor missing for it',
		[want(attach('pager'), { modelIds: ['m3', 'm1', 'm9'], ...byId('a', 'x') })],
		[
			...['0 m3 failed the service answered 403', '0 m9 failed undefined'],
			...['0 m1 a changes', 'm1: [{"id":"a","attach":["pager"]}]'],
		],
	],
	[
		'skips what matches none, by name',
		[want(attach('pager'), { ...named, ...any })],
		['0 skipped no monitor matches'],
	],
	[
		'skips what matches none, by ID',
		[want(attach('pager'), { ...byId('x'), ...any })],
		['0 skipped no monitor matches'],
	],
	[
		'fails for an action that does not exist',
		[want(set('gone'))],
		['0 failed There is no action gone'],
	],
	[
		'fails for an action that is to come',
		[want(replace('chat', 'gone'))],
		['0 failed There is no action gone'],
	],
	[
		'needs no action that goes, and not the one of the settings',
		[want(replace('gone', 'email'), A), want(detach('gone'), A), want(attach('email'), A)],
		['0 m1 a unchanged', '0 m1 a unchanged', '0 m1 a unchanged'],
	],
])('a plan %s', (_, wishes, said) => {
	expect(play(...wishes)).toStrictEqual(said);
});

it.each([
	[attach('chat', 'pager'), 'attach chat, pager to monitor a of model m1'],
	[detach('email', 'pager'), 'detach email, pager from monitor a of model m1'],
	[set('chat', 'pager'), 'set the actions of monitor a of model m1 to chat, pager'],
	[set(), 'set the actions of monitor a of model m1 to none'],
	[replace('email', 'pager'), 'replace email with pager on monitor a of model m1'],
])('a change says whose it is, and what %j does', (edit, action) => {
	const wishes = [want(edit, A), want(detach('x'), A)];
	const { changes, settled, configurations } = planMonitors(wishes, rules);
	expect(configurations).not.toHaveProperty([0, 'touched', 'monitors', 0, 'displayName']);
	expect(changes).toMatchObject([{ about: 'monitor', model: 'm1', monitor: 'a', edit, action }]);
	expect(settled).toMatchObject([{ result: { monitor: { id: 'a' } } }]);
});

const counted = (name: string, count: number) =>
	Array.from({ length: count }, (_, at) => `${name}${at + 1}`);
const MANY = counted('n', 21);

it.each<[string[], Partial<MonitorWish>, string, string]>([
	[
		['m1'],
		byId('x', 'y'),
		'attach pager to monitor x, y: There is no monitor x, y in model m1',
		'It has: a, b, c.',
	],
	[['m1', 'm2'], byId('x'), 'There is no monitor x in model m1, m2', 'It has: a, b, c, a, d.'],
	[['bare'], byId('x'), 'There is no monitor x in model bare', 'The model has no monitors.'],
	[[], byId('x'), 'The organization has no models', 'Check the Organization ID'],
	[[], named, 'The organization has no models', 'Check the Organization ID'],
	[['m1', 'bare'], named, 'No monitor of model m1, bare matches', 'Select Monitors By'],
	[MANY, named, `No monitor of model ${counted('n', 20).join(', ')} matches`, 'Select'],
	[
		['m1'],
		{ edit: set('gone', 'x') },
		'There is no action gone, x',
		'has: chat, pager, teams, email.',
	],
])('of the models %j, %j fails: %s (%s)', (modelIds, more, reason, advice) => {
	const bare = MANY.map((id) => [id, read(document([]))] as const);
	const configurations = new Map([...rules.configurations, ...bare]);
	const wish = want(attach('pager'), { modelIds, ...more });
	const [{ outcome }] = planMonitors([wish], { ...rules, configurations }).settled;
	expect(`${outcome.action}: ${outcome.reason}`).toContain(reason);
	expect(outcome).toMatchObject({ error: { description: expect.stringContaining(advice) } });
});

it.each([
	[19, /: a1, .*, a19, email\.$/],
	[20, /: a1, .*, a20 and 1 more\.$/],
])('of the actions that there are, %i and email, 20 are named', (count, advice) => {
	const actionIds = new Set(counted('a', count));
	const [{ outcome }] = planMonitors([want(attach('gone'))], { ...rules, actionIds }).settled;
	expect(outcome).toMatchObject({ error: { description: expect.stringMatching(advice) } });
});

describe('items that want something of one monitor', () => {
	const both = (one: ActionEdit, other: ActionEdit) => [
		...[want(one, B), want(other, { ...second, ...B })],
		want(attach('teams'), { item: 2, ...byId('c') }),
	];

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
		for (const wishes of [both(one, other), both(other, one)]) {
			expect(play(...wishes)).toEqual([
				...[0, 1].map((item) => `${item} m1 b failed Items want different actions on monitor b`),
				...['2 m1 c changes', 'm1: [{"id":"c","attach":["teams"]}]'],
			]);
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
		for (const wishes of [both(one, other), both(other, one)]) {
			const plan = planMonitors(wishes, rules);
			expect(plan.settled.filter(({ outcome }) => outcome.status === 'failed')).toStrictEqual([]);
			const configuration = readConfiguration(JSON.stringify(THREE));
			const edit = (now: Document) =>
				editFor(plan.changes, configuration).edit(readConfiguration(JSON.stringify(now)), 'no')
					.pieces;
			const made = new Map(edit(THREE).map(({ id, after }) => [id, after as Entry]));
			const monitors = THREE.monitors.map((entry) => made.get(entry.id) ?? entry);
			const after = { ...THREE, monitors };
			expect(edit(after)).toStrictEqual([]);
			const others = { a: ['email'], c: ['teams'] };
			expect(targetsIn(after)).toMatchObject(others);
		}
	});
});

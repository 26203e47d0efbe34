import { readConfiguration } from '../../../../nodes/NotificationActions/configurations/configuration';
import {
	checkDocument,
	planConfigurations,
	type ConfigurationRules,
} from '../../../../nodes/NotificationActions/configurations/planConfigurations';
import type { Snapshot } from '../../../../nodes/NotificationActions/configurations/saveConfiguration';
import type { Attempt } from '../../../../nodes/shared/util/attempt';
import { document, monitor, type Document } from '../../../support/configurations';

const CURRENT = document([monitor('first-monitor', ['chat']), monitor('second-monitor')]);

const read = (text: string): Attempt<Snapshot> => ({
	...{ ok: true, value: { configuration: readConfiguration(text), readAt: 0 } },
});
const rules: ConfigurationRules = {
	configurations: new Map([['model-1', read(JSON.stringify(CURRENT))]]),
	...{ maxRemovals: 1, allowsRemovals: false, overwritesNewer: false },
};
const changed = (change: (wanted: Document) => unknown): string => {
	const wanted = JSON.parse(JSON.stringify(CURRENT)) as Document;
	change(wanted);
	return JSON.stringify(wanted);
};
const plan = (text: string, more: Partial<ConfigurationRules> = {}) =>
	planConfigurations([{ item: 0, modelId: 'model-1', text }], { ...rules, ...more });

describe('checkDocument', () => {
	it('gives a text back sign by sign, and an object as text', () => {
		const text = '{ "monitors": [], "analyzers" :[], "x": 1.0 }';
		expect(checkDocument(text)).toBe(text);
		expect(checkDocument({ monitors: [], analyzers: [] })).toBe('{"monitors":[],"analyzers":[]}');
	});

	it.each(['', '{', '[]', 'null', '7', null, [], undefined, 7])('refuses %j', (value) => {
		expect(() => checkDocument(value)).toThrow('The configuration is not a JSON object');
	});

	it('refuses an object without end', () => {
		let value: unknown = 1;
		for (let depth = 0; depth < 100_000; depth++) value = { value };
		expect(() => checkDocument(value)).toThrow(
			'The configuration has values in values, more than 50 levels deep',
		);
	});

	it.each([
		['monitors', '{"analyzers":[]}'],
		['monitors', '{"analyzers":[],"monitors":null}'],
		['analyzers', '{"monitors":[],"analyzers":{}}'],
		['analyzers', '{"monitors":[],"analyzers":[],"analyzers":null}'],
	])('refuses a document that would delete all %s: %s', (name, text) => {
		expect(() => checkDocument(text)).toThrow(`The configuration has no list of ${name}`);
	});
});

const severer = ({ monitors }: Document) => Object.assign(monitors[0], { severity: 2 });
const ACTION = 'update the monitor configuration of model model-1';
const NONE = { added: [], changed: [], removed: [] };

it('a plan puts the document in the place of the one that is there', () => {
	const text = changed(severer);
	const touched = { monitors: { ...NONE, changed: ['first-monitor'] }, analyzers: NONE };
	expect(plan(text)).toStrictEqual({
		...{ settled: [], blockedBy: [] },
		changes: [
			{
				...{ about: 'document', key: ACTION, action: ACTION, subject: 'model-1\n', items: [0] },
				...{ model: 'model-1', text, restsOn: [], warnings: [] },
			},
		],
		configurations: [{ model: 'model-1', touched: { ...touched, otherKeys: [] } }],
	});
});

it('a plan leaves out a document that is there, and shows it', () => {
	const { changes, settled } = plan(changed((wanted) => delete wanted.metadata));
	const result = { configuration: { version: 10 } };
	expect(changes).toStrictEqual([]);
	expect(settled).toMatchObject([
		{ item: 0, subject: 'model-1\n', outcome: { status: 'unchanged', action: ACTION }, result },
	]);
});

const [ALLOWED, OVERWRITES] = [{ allowsRemovals: true }, { overwritesNewer: true }];
const REMOVED =
	'blocked: 2 monitors and analyzers of model model-1 would be removed, more than Max Removals (1)';
const OLDER =
	'failed: Someone has changed the configuration since: it has version 10, the provided one was made from version 9';
const UNKNOWN =
	'failed: The provided configuration has no version, so it may be older than version 10';
const without = (monitors: number, analyzers: number) => (wanted: Document) => {
	wanted.monitors.splice(0, monitors);
	wanted.analyzers.splice(0, analyzers);
};
const from = (metadata: unknown) => (wanted: Document) => [
	severer(wanted),
	Object.assign(wanted, { metadata }),
];

it.each<[string, (wanted: Document) => unknown, Partial<ConfigurationRules>, string[]]>([
	['removes as much as may go', without(1, 0), {}, ['sent']],
	['removes a monitor more', without(2, 0), {}, ['sent', REMOVED]],
	['removes a monitor more, which is allowed', without(2, 0), ALLOWED, ['sent']],
	['removes an analyzer more', without(1, 1), {}, ['sent', REMOVED]],
	['is of an older version', from({ version: 9 }), {}, [OLDER]],
	['is of an older version and may overwrite', from({ version: 9 }), OVERWRITES, ['sent']],
	['is of the same version', from({ version: 10 }), {}, ['sent']],
	['is of a newer version', from({ version: 11 }), {}, ['sent']],
	['has no metadata', from(undefined), {}, [UNKNOWN]],
	['has metadata without a version', from({}), {}, [UNKNOWN]],
	['has a text for a version', from({ version: '10' }), {}, [UNKNOWN]],
	['has no version and may overwrite', from({}), OVERWRITES, ['sent']],
	[
		'has a new monitor without an id',
		({ monitors }) => monitors.push({ x: 1 } as never),
		{},
		['sent'],
	],
	[
		'has a monitor with an id that is taken',
		({ monitors }) => monitors.push(monitors[1]),
		{},
		['sent'],
	],
	[
		'has keys that the service may ignore',
		(wanted) => Object.assign(wanted, { a: 1, b: 2 }),
		{},
		['sent', 'The service replaces analyzers and monitors; whether it accepts a, b is checked'],
	],
])('a document that %s', (_, change, more, said) => {
	const { settled, changes, blockedBy } = plan(changed(change), more);
	expect([
		...settled.map(({ outcome }) => `${outcome.status}: ${outcome.reason}`),
		...changes.flatMap(({ warnings }) => ['sent', ...warnings]),
		...blockedBy.map((reason) => `blocked: ${reason}`),
	]).toEqual(said.map((text) => expect.stringContaining(text)));
});

it('where the service shows no version, any document may be sent', () => {
	const text = JSON.stringify({ ...CURRENT, metadata: undefined });
	const configurations = new Map([['model-1', read(text)]]);
	expect(plan(changed(severer), { configurations }).changes).toHaveLength(1);
});

it('each model has one document; what cannot be done fails alone', () => {
	const configurations = new Map(rules.configurations);
	configurations.set('model-2', { ok: false, error: new Error('the service answered 403') });
	const models = ['model-2', 'model-1', 'model-3', 'model-1', 'model-1'];
	const text = changed(severer);
	const wishes = models.map((modelId, item) => ({ item, modelId, text }));
	const { changes, settled } = planConfigurations(wishes, { ...rules, configurations });
	expect(changes.map(({ items }) => items)).toEqual([[1]]);
	expect(settled.map(({ item, outcome: { status, reason } }) => [item, status, reason])).toEqual([
		[0, 'failed', 'the service answered 403'],
		[2, 'failed', expect.anything()],
		[3, 'failed', 'Items 1 and 3 both provide the configuration of model model-1'],
		[4, 'failed', 'Items 1 and 4 both provide the configuration of model model-1'],
	]);
	expect(settled[0]).not.toHaveProperty('result');
});

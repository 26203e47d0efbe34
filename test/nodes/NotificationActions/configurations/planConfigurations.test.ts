import { readConfiguration } from '../../../../nodes/NotificationActions/configurations/configuration';
import {
	checkDocument,
	planConfigurations,
	type ConfigurationRules,
} from '../../../../nodes/NotificationActions/configurations/plan';
import type { Snapshot } from '../../../../nodes/NotificationActions/configurations/saveConfiguration';
import type { Attempt } from '../../../../nodes/shared/util/errors';
import { document, monitor, ORG, type Document } from '../../../support/configurations';

const CURRENT = document([monitor('first-monitor', ['chat']), monitor('second-monitor')]);

const OWNER = { model: 'model-1', organization: ORG };
const read = (text: string): Attempt<Snapshot> => ({
	...{ ok: true, value: { configuration: readConfiguration(text, OWNER), readAt: 0 } },
});
const rules: ConfigurationRules = {
	configurations: new Map([['model-1', read(JSON.stringify(CURRENT))]]),
	organizationId: ORG,
	...{ maxRemovals: 1, allowsRemovals: false, overwritesNewer: false },
};
const changed = (change: (wanted: Document) => unknown): Document => {
	const wanted = JSON.parse(JSON.stringify(CURRENT)) as Document;
	change(wanted);
	return JSON.parse(JSON.stringify(wanted)) as Document;
};
const plan = (wanted: Document, more: Partial<ConfigurationRules> = {}) =>
	planConfigurations([{ item: 0, modelId: 'model-1', document: wanted }], { ...rules, ...more });

describe('checkDocument', () => {
	const NONE_OF_IT = '"monitors":[],"analyzers":[]';

	it('takes a text and an object', () => {
		const text = '{ "monitors": [], "analyzers" :[], "x": 1.0, "y": 1e20 }';
		expect(checkDocument(text)).toEqual({ monitors: [], analyzers: [], x: 1, y: 1e20 });
		expect(checkDocument({ monitors: [], analyzers: [] })).toEqual({ monitors: [], analyzers: [] });
	});

	it.each([
		['"x":{"y":9007199254740993}', 'The number 9007199254740993 at x.y would be written as'],
		['"x":1,"x":1', 'The key x at x is there twice'],
		['"x":[{"__proto__":1}]', 'The key __proto__ at x[0].__proto__ cannot be kept'],
		[`"x":${'['.repeat(60)}${']'.repeat(60)}`, 'more than 50 levels deep'],
	])('refuses a text with %s', (member, message) => {
		expect(() => checkDocument(`{${NONE_OF_IT},${member}}`)).toThrow(message);
	});

	it.each([
		...[9007199254740992, 1e20, -1e20, Number.NaN, Number.POSITIVE_INFINITY].map((x) => ({ x })),
		{ x: 9007199254740993n },
	])('refuses an object whose number may be another than the one that was written: %p', (x) => {
		const given = { monitors: [x], analyzers: [] };
		expect(() => checkDocument(given)).toThrow(
			`The number ${x.x} at monitors[0].x may not be the one that was written`,
		);
	});

	it.each([9007199254740991, -1, 0.1, 1e-7])('takes an object with %p', (x) => {
		expect(checkDocument({ monitors: [], analyzers: [], x })).toHaveProperty('x', x);
	});

	it('refuses an object with an own member named __proto__', () => {
		const given: unknown = JSON.parse(`{${NONE_OF_IT},"__proto__":{"monitors":1}}`);
		expect(() => checkDocument(given)).toThrow('The key __proto__');
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
	const wanted = changed(severer);
	const touched = { monitors: { ...NONE, changed: ['first-monitor'] }, analyzers: NONE };
	expect(plan(wanted)).toStrictEqual({
		...{ settled: [], blockedBy: [] },
		changes: [
			{
				...{ about: 'document', key: ACTION, action: ACTION, subject: 'model-1\n', items: [0] },
				...{ model: 'model-1', document: wanted, restsOn: [], warnings: [] },
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

const named = (datasetId: string, orgId: string) => (wanted: Document) => [
	severer(wanted),
	Object.assign(wanted, { datasetId, orgId }),
];
const OTHER = 'failed: The configuration is for another';
const otherModel = (what: string) => expect.stringMatching(`^${OTHER} .*: its ${what}, not`);
const OTHER_KEYS = 'The service replaces analyzers and monitors; whether it accepts datasetId';

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
	['names its model and organization', named('MODEL-1', ORG), {}, ['sent', OTHER_KEYS]],
	['names another model', named('model-2', ORG), {}, [otherModel('datasetId is model-2')]],
	['names another model and may overwrite', named('model-2', ORG), OVERWRITES, [OTHER]],
	['names another organization', named('model-1', 'org-2'), {}, [otherModel('orgId is org-2')]],
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
	]).toEqual(said.map((text) => (typeof text === 'string' ? expect.stringContaining(text) : text)));
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
	const wanted = changed(severer);
	const wishes = models.map((modelId, item) => ({ item, modelId, document: wanted }));
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

it.each<[string, unknown, string | undefined]>([
	['an integer', 12345678901234567000, '12345678901234567890'],
	['a fraction', 0.12345678901234568, '0.12345678901234567890'],
	['another number', 7, undefined],
	['text', '12345678901234567890', undefined],
	['nothing', undefined, undefined],
])(
	'of a number that has been rounded on the way, %s is sent only when it is another',
	(_, x, was) => {
		const member = `"deep":[{"x":${was ?? '12345678901234567890'}}]`;
		const text = JSON.stringify(CURRENT).replace('{"id":"second', `{${member},"id":"second`);
		const wanted = changed(({ monitors }) => {
			Object.assign(monitors[1], { severity: 2, deep: [{ x }] });
			monitors.reverse();
		});
		const configurations = new Map([['model-1', read(text)]]);
		const { changes, settled } = plan(wanted, { configurations, overwritesNewer: true });
		expect(changes).toHaveLength(was === undefined ? 1 : 0);
		expect(settled.map(({ outcome }) => outcome.reason)).toEqual(
			was === undefined
				? []
				: [expect.stringContaining(`at monitors[0].deep[0].x is ${was} in the service`)],
		);
	},
);

it('what is there is not judged by the configuration of another model, unless it may be overwritten', () => {
	const other = JSON.stringify({ ...CURRENT, datasetId: 'model-2' });
	const configurations = new Map([['model-1', read(other)]]);
	for (const wanted of [changed(severer), CURRENT]) {
		const { changes, settled } = plan(wanted, { configurations });
		expect(changes).toStrictEqual([]);
		expect(settled).toMatchObject([
			{ outcome: { status: 'failed', reason: expect.stringContaining('datasetId is model-2') } },
		]);
	}
	const allowed = plan(changed(severer), { configurations, overwritesNewer: true });
	expect(allowed.changes).toHaveLength(1);
});

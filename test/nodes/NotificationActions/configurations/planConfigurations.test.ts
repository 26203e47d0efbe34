import { readConfiguration } from '../../../../nodes/NotificationActions/configurations/configuration';
import {
	checkDocument,
	planConfigurations,
	type ConfigurationRules,
} from '../../../../nodes/NotificationActions/configurations/planConfigurations';
import type { ConfigurationPlan } from '../../../../nodes/NotificationActions/configurations/change';
import { document, monitor, type Document } from '../../../support/configurations';

const CURRENT = document([monitor('first-monitor', ['chat']), monitor('second-monitor')]);

const rules: ConfigurationRules = {
	configurations: new Map([
		[
			'model-1',
			{
				ok: true,
				value: { configuration: readConfiguration(JSON.stringify(CURRENT)), readAt: 0 },
			},
		],
	]),
	maxRemovals: 1,
	allowsRemovals: false,
	overwritesNewer: false,
};
const changed = (change: (wanted: Document) => void): string => {
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

describe('a plan', () => {
	const severer = changed(({ monitors }) => (monitors[0].severity = 2));
	const outcomesOf = ({ settled }: ConfigurationPlan) =>
		settled.map(({ item, subject, outcome }) => [
			item,
			subject.trim(),
			outcome.status,
			outcome.reason,
		]);

	it('puts the document in the place of the one that is there', () => {
		const { changes, settled, configurations, blockedBy } = plan(severer);
		expect([settled, blockedBy]).toEqual([[], []]);
		const action = 'update the monitor configuration of model model-1';
		expect(changes).toMatchObject([
			{ about: 'document', action, model: 'model-1', text: severer, items: [0], warnings: [] },
		]);
		const none = { added: [], changed: [], removed: [] };
		const monitors = { ...none, changed: ['first-monitor'] };
		const touched = { monitors, analyzers: none, otherKeys: [] };
		expect(configurations).toEqual([{ model: 'model-1', touched }]);
	});

	it('leaves out a document that is there, and shows it', () => {
		const { changes, settled } = plan(changed((wanted) => delete wanted.metadata));
		expect(changes).toStrictEqual([]);
		expect(settled).toMatchObject([
			{
				...{ item: 0, subject: 'model-1\n', outcome: { status: 'unchanged' } },
				result: { configuration: { version: 10 } },
			},
		]);
	});

	it('warns of keys that the service may ignore', () => {
		const [change] = plan(changed((wanted) => Object.assign(wanted, { a: 1, b: 2 }))).changes;
		expect(change.warnings).toEqual([
			expect.stringContaining('whether it accepts a, b is checked'),
		]);
	});

	it('takes the first document for a model, and refuses every other', () => {
		const wishes = [severer, severer, 'more'].map((text, item) => ({ item, text }));
		const made = planConfigurations(
			wishes.map((wish) => ({ ...wish, modelId: 'model-1' })),
			rules,
		);
		expect(made.changes.map(({ items }) => items)).toEqual([[0]]);
		expect(outcomesOf(made)).toEqual([
			[1, 'model-1', 'failed', 'Items 0 and 1 both provide the configuration of model model-1'],
			[2, 'model-1', 'failed', 'Items 0 and 2 both provide the configuration of model model-1'],
		]);
	});

	it('fails for a model that could not be read, and goes on with others', () => {
		const configurations = new Map(rules.configurations);
		configurations.set('model-2', { ok: false, error: new Error('the service answered 403') });
		const wishes = ['model-2', 'model-1', 'model-3'].map((modelId, item) => ({ item, modelId }));
		const made = planConfigurations(
			wishes.map((wish) => ({ ...wish, text: severer })),
			{ ...rules, configurations },
		);
		expect(outcomesOf(made)).toMatchObject([
			[0, 'model-2', 'failed', 'the service answered 403'],
			[2, 'model-3', 'failed', expect.anything()],
		]);
		expect(made.settled[0]).not.toHaveProperty('result');
		expect(made.changes.map(({ model }) => model)).toEqual(['model-1']);
	});

	it.each([
		['as much as may go', 1, 0, false, false],
		['a monitor more', 2, 0, false, true],
		['a monitor more, which is allowed', 2, 0, true, false],
		['an analyzer more', 1, 1, false, true],
	])('that removes %s', (_, monitors, analyzers, allowsRemovals, isBlocked) => {
		const text = changed((wanted) => {
			wanted.monitors.splice(0, monitors);
			wanted.analyzers.splice(0, analyzers);
		});
		const { blockedBy, changes } = plan(text, { allowsRemovals });
		expect(blockedBy).toEqual(
			isBlocked
				? [expect.stringMatching(/^2 monitors and analyzers of model model-1 .*Max Removals \(1\)/)]
				: [],
		);
		expect(changes).toHaveLength(1);
	});

	it.each([
		[9, false, 'it has version 10, the provided one was made from version 9'],
		[9, true, undefined],
		[10, false, undefined],
		[11, false, undefined],
	])('from version %d that may overwrite newer ones: %s', (version, overwritesNewer, words) => {
		const text = changed((wanted) => Object.assign(wanted, { x: 1, metadata: { version } }));
		const { settled, changes } = plan(text, { overwritesNewer });
		expect(settled.map(({ outcome }) => outcome.reason)).toEqual(
			words === undefined ? [] : [expect.stringContaining(words)],
		);
		expect(changes).toHaveLength(words === undefined ? 1 : 0);
	});

	it('takes any document where the service shows no version', () => {
		const text = JSON.stringify({ ...CURRENT, metadata: undefined });
		const value = { configuration: readConfiguration(text), readAt: 0 };
		const configurations = new Map([['model-1', { ok: true as const, value }]]);
		expect(plan(severer, { configurations }).changes).toHaveLength(1);
	});

	it('does not overlook a new monitor whose id was forgotten, nor one with an id that is taken', () => {
		const nameless = changed(({ monitors }) => {
			const rest: Partial<Document['monitors'][number]> = monitor('x');
			delete rest.id;
			monitors.push(rest as Document['monitors'][number]);
		});
		expect(plan(nameless).changes).toHaveLength(1);
		expect(plan(nameless).configurations[0].touched.monitors).toEqual({
			added: ['entry 3 (no ID of its own)'],
			changed: [],
			removed: [],
		});
		const double = changed(({ monitors }) => monitors.push(monitors[1]));
		expect(plan(double).changes).toHaveLength(1);
	});

	it.each([undefined, {}, { version: '10' }])(
		'refuses a document whose metadata %j has no version, unless it may overwrite',
		(metadata) => {
			const text = changed((wanted) => {
				wanted.monitors[0].severity = 2;
				wanted.metadata = metadata as Document['metadata'];
			});
			const { changes, settled } = plan(text);
			expect(changes).toStrictEqual([]);
			expect(settled[0].outcome).toMatchObject({
				status: 'failed',
				reason: expect.stringContaining('The provided configuration has no version'),
			});
			expect(plan(text, { overwritesNewer: true }).changes).toHaveLength(1);
		},
	);
});

import type { Attempt } from '../../../../nodes/shared/util/attempt';
import { readConfiguration } from '../../../../nodes/NotificationActions/configurations/configuration';
import { editText } from '../../../../nodes/NotificationActions/configurations/jsonText';
import {
	checkDocument,
	planConfigurations,
	type ConfigurationRules,
} from '../../../../nodes/NotificationActions/configurations/planConfigurations';
import type { Snapshot } from '../../../../nodes/NotificationActions/configurations/saveConfiguration';
import { document, monitor, type Document } from '../../../support/fakeAlerting';

const CURRENT = document([monitor('first-monitor', ['chat']), monitor('second-monitor')], {
	'a/b': 1,
});

const rules = (more: Partial<ConfigurationRules> = {}): ConfigurationRules => ({
	organizationId: 'org-1',
	configurations: new Map<string, Attempt<Snapshot>>([
		[
			'model-1',
			{
				ok: true,
				value: { configuration: readConfiguration(JSON.stringify(CURRENT)), readAt: 0 },
			},
		],
		['model-2', { ok: false, error: new Error('the service answered 403') }],
	]),
	maxRemovals: 1,
	allowsRemovals: false,
	overwritesNewer: false,
	...more,
});
const changed = (change: (wanted: Document) => void): string => {
	const wanted = JSON.parse(JSON.stringify(CURRENT)) as Document;
	change(wanted);
	return JSON.stringify(wanted);
};
const plan = (text: string, more: Partial<ConfigurationRules> = {}, modelId = 'model-1') =>
	planConfigurations([{ item: 0, modelId, text }], rules(more));

describe('checkDocument', () => {
	it('gives a text back sign by sign, and an object as text', () => {
		const text = '{ "monitors": [], "analyzers" :[], "x": 1.0 }';
		expect(checkDocument(text)).toBe(text);
		expect(checkDocument({ monitors: [], analyzers: [] })).toBe('{"monitors":[],"analyzers":[]}');
	});

	it.each(['', '{', '[]', 'null', '7', null, [], undefined, 7])('refuses %j', (value) => {
		expect(() => checkDocument(value)).toThrow('The configuration is not a JSON object');
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
	it('has one step, with the exact text, and tells what changes', () => {
		const text = changed((wanted) => {
			wanted.monitors.splice(0, 1);
			wanted.monitors[0].severity = 2;
			wanted.monitors.push(monitor('third-monitor'));
		});
		const { steps, configurations, settled, blockedBy } = plan(text);
		expect(steps).toMatchObject([{ kind: 'saveConfiguration', warnings: [] }]);
		const [{ change, read }] = steps;
		const { pieces } = change.edit(read.configuration, 'no');
		expect(pieces.map(({ edits }) => editText(read.configuration.text, edits))).toEqual([text]);
		expect(configurations[0].touched).toEqual({
			monitors: {
				added: ['third-monitor'],
				changed: ['second-monitor'],
				removed: ['first-monitor'],
			},
			analyzers: { added: [], changed: [], removed: [] },
			otherKeys: [],
		});
		expect([settled, blockedBy]).toEqual([[], []]);
	});

	it('is nothing for another order, and for other metadata', () => {
		const text = changed((wanted) => {
			wanted.monitors.reverse();
			wanted.metadata = { version: 99 };
			wanted.monitors[0].metadata = { version: 99 };
		});
		const { steps, settled } = plan(text);
		expect(steps).toEqual([]);
		expect(settled.map(({ outcome }) => outcome.status)).toEqual(['unchanged']);
	});

	it('does not overlook a new monitor whose id was forgotten, nor one with an id that is taken', () => {
		const nameless = changed(({ monitors }) => {
			const rest: Partial<Document['monitors'][number]> = monitor('x');
			delete rest.id;
			monitors.push(rest as Document['monitors'][number]);
		});
		expect(plan(nameless).steps).toHaveLength(1);
		expect(plan(nameless).configurations[0].touched.monitors).toEqual({
			added: ['entry 3 (no ID of its own)'],
			changed: [],
			removed: [],
		});
		const double = changed(({ monitors }) => monitors.push(monitors[1]));
		expect(plan(double).steps).toHaveLength(1);
	});

	it('warns of keys that the service may not take, and names them', () => {
		const { steps, configurations } = plan(changed((wanted) => delete wanted['a/b']));
		expect(steps[0].warnings).toEqual([expect.stringContaining('whether it accepts a/b')]);
		expect(configurations[0].touched.otherKeys).toEqual(['a/b']);
	});

	it('is blocked when more would be removed than is allowed', () => {
		const text = changed((wanted) => {
			wanted.monitors.pop();
			wanted.analyzers = [];
		});
		expect(plan(text).blockedBy).toEqual([
			expect.stringContaining('2 monitors and analyzers of model model-1 would be removed'),
		]);
		expect(plan(text, { allowsRemovals: true }).blockedBy).toEqual([]);
		expect(plan(text, { maxRemovals: 2 }).blockedBy).toEqual([]);
	});

	it('refuses a document that was made from an older one, unless it may', () => {
		const text = changed((wanted) => {
			wanted.monitors[0].severity = 2;
			wanted.metadata = { version: 9 };
		});
		const { steps, settled } = plan(text);
		expect(steps).toEqual([]);
		expect(settled[0].outcome.reason).toContain(
			'it has version 10, the provided one was made from version 9',
		);
		expect(plan(text, { overwritesNewer: true }).steps).toHaveLength(1);
	});

	it.each([undefined, {}, { version: '10' }])(
		'refuses a document whose metadata %j has no version, unless it may overwrite',
		(metadata) => {
			const text = changed((wanted) => {
				wanted.monitors[0].severity = 2;
				wanted.metadata = metadata as Document['metadata'];
			});
			const { steps, settled } = plan(text);
			expect(steps).toEqual([]);
			expect(settled[0].outcome).toMatchObject({
				status: 'failed',
				reason: expect.stringContaining('The provided configuration has no version'),
			});
			expect(plan(text, { overwritesNewer: true }).steps).toHaveLength(1);
		},
	);

	it('takes a document without version where the stored one has none', () => {
		const { steps } = plan('{"monitors":[{"id":"new-monitor"}],"analyzers":[]}', {
			configurations: new Map([
				[
					'model-1',
					{
						ok: true,
						value: { configuration: readConfiguration('{"monitors":[]}'), readAt: 0 },
					},
				],
			]),
		});
		expect(steps).toHaveLength(1);
	});

	it('fails for a model that could not be read, and for the second item on one model', () => {
		const text = changed(({ monitors }) => (monitors[0].severity = 2));
		expect(plan(text, {}, 'model-2').settled[0].outcome.reason).toBe('the service answered 403');
		const twice = planConfigurations(
			[0, 1].map((item) => ({ item, modelId: 'model-1', text })),
			rules(),
		);
		expect(twice.steps[0].parts).toMatchObject([{ item: 0, subject: 'model-1' }]);
		expect(twice.settled.map(({ item, outcome }) => [item, outcome.reason])).toEqual([
			[1, 'Items 0 and 1 both provide the configuration of model model-1'],
		]);
	});
});

import { readConfiguration } from '../../../../nodes/NotificationActions/configurations/configuration';
import {
	checkDocument,
	planConfigurations,
	type ConfigurationRules,
} from '../../../../nodes/NotificationActions/configurations/planConfigurations';
import { document, monitor, type Document } from '../../../support/configurations';

const CURRENT = document([monitor('first-monitor', ['chat']), monitor('second-monitor')]);

const rules: ConfigurationRules = {
	organizationId: 'org-1',
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
});

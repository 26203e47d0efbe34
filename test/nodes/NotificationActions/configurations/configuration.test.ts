import {
	nameOf,
	readConfiguration,
	targetsOf,
	whyForeign,
	type Monitor,
} from '../../../../nodes/NotificationActions/configurations/configuration';
import { monitorConfigurations } from '../../../support/files';

const texts = monitorConfigurations();
const only = (monitor: string): Monitor =>
	readConfiguration(`{"monitors":[${monitor}]}`).monitors[0];
const NO_VERSION = ['[]', 'null', '7', '{}', '{"version":"2"}'].map((odd) => `"metadata":${odd}`);

describe('a configuration', () => {
	it('tells its version, its analyzers and all of it', () => {
		const { version, analyzerIds, document, loss } = readConfiguration(texts.withMetadata);
		expect([version, loss]).toEqual([17, undefined]);
		expect(analyzerIds).toEqual(['empty-cells-analyzer', 'quiet-teal-otter-analyzer']);
		expect(document).toEqual(JSON.parse(texts.withMetadata));
	});

	it('tells of monitors what people choose them by', () => {
		const { monitors } = readConfiguration(texts.withMetadata);
		const told = monitors.map((one) => [
			...[nameOf(one), one.severity, one.disabled, one.tags, one.version, targetsOf(one)],
		]);
		expect(told).toEqual([
			['empty-cells-monitor', undefined, false, [], 2, []],
			['Words against the reference "spring"', 3, false, [], 5, ['email']],
			['Late data by hand', 2, true, ['creation:custom_json_editor', 'Team:Data'], 1, []],
			['monitor-with-null-actions', undefined, false, [], undefined, []],
		]);
	});

	it('names each target once, and only those of global actions', () => {
		const [mixed] = readConfiguration(texts.onOneLine).monitors;
		expect(mixed.raw.actions).toHaveLength(4);
		expect(targetsOf(mixed)).toEqual(['pager']);
	});

	it.each(['', 'no', '[]', 'null', '"x"', '<html>', '{"a":1,}'])('is not %j', (text) => {
		expect(() => readConfiguration(text)).toThrow('The monitor configuration is not a JSON object');
	});

	it.each(['monitors', 'analyzers'])('has %s in a list or not at all', (name) => {
		for (const value of ['{}', 'null', '"x"']) {
			expect(() => readConfiguration(`{"${name}":${value}}`)).toThrow(
				`${name} in the monitor configuration is not a list`,
			);
		}
	});

	it('may hold what is no monitor and no analyzer', () => {
		const list = '[1,"id",null,[],{},{"id":7},{"id":"a"}]';
		const { monitors, analyzerIds } = readConfiguration(`{"monitors":${list},"analyzers":${list}}`);
		expect([monitors.map(({ id }) => id), analyzerIds]).toEqual([['a'], ['a']]);
	});

	it.each<[string, object]>([
		[texts.neverConfigured, {}],
		['{}', {}],
		['{"x":1e400,"y":-1e400}', { loss: expect.objectContaining({ name: 'InputError' }) }],
		...NO_VERSION.map((metadata): [string, object] => [`{${metadata}}`, {}]),
	])('%s has no monitors, and of the rest what is there', (text, more) => {
		const nothing = { text, document: JSON.parse(text), monitors: [], analyzerIds: [] };
		expect(readConfiguration(text)).toStrictEqual({ ...nothing, ...more });
	});

	it.each<[string, object]>([
		['"x":1', {}],
		['"displayName":"","severity":"2","disabled":"true"', {}],
		['"displayName":7,"tags":"x"', {}],
		['"tags":["x",1,null]', { tags: ['x'] }],
		...NO_VERSION.map((metadata): [string, object] => [metadata, {}]),
		['"actions":null', {}],
		['"actions":"none"', {}],
	])('of a monitor with %s tells %j, and nothing else', (members, more) => {
		const text = `{"id":"a",${members}}`;
		const bare = { id: 'a', disabled: false, tags: [], raw: JSON.parse(text) };
		expect(only(text)).toStrictEqual({ ...bare, ...more });
	});

	it.each([
		'"x"',
		'null',
		'["x"]',
		'{}',
		'{"type":"global"}',
		'{"target":"x"}',
		'{"type":"global","target":7}',
		'{"type":"email","target":"x"}',
	])('the entry %s has no action of the service', (entry) => {
		expect(targetsOf(only(`{"id":"a","actions":[${entry}]}`))).toStrictEqual([]);
	});

	it('of 5 MB with 1,000 monitors and 100,000 deep members is read', () => {
		const deep = '['.repeat(100_000) + ']'.repeat(100_000);
		const note = 'x"\\é'.repeat(750);
		const monitors = Array.from({ length: 1_000 }, (_, at) => ({
			id: `monitor-number-${at}`,
			note,
			actions: [{ type: 'global', target: 'chat' }],
		}));
		const text = `{"deep":${deep},"monitors":${JSON.stringify(monitors)}}`;
		expect(Buffer.byteLength(text)).toBeGreaterThan(5_000_000);
		const read = readConfiguration(text);
		expect(read.monitors).toHaveLength(1_000);
		expect(read.monitors.every((monitor) => targetsOf(monitor)[0] === 'chat')).toBe(true);
		expect(read.monitors[999].raw).toEqual(monitors[999]);
	});

	const OWNER = { model: 'model-1', organization: 'org-1' };

	it.each([
		[{ datasetId: 'model-2' }, 'datasetId is model-2, not model-1'],
		[{ datasetId: 7 }, 'datasetId is 7, not model-1'],
		[{ orgId: 'org-2', datasetId: 'model-1' }, 'orgId is org-2, not org-1'],
		[{ datasetId: 'model-1 and more' }, 'datasetId is model-1 and more, not model-1'],
	])('%j is for another model or organization', (document, why) => {
		const error = readConfiguration(JSON.stringify(document), OWNER).foreign;
		expect(error?.message).toContain(why);
		expect(error?.description).toMatch(/not written to model model-1.* change its .*, or remove/);
	});

	it.each([
		...[{}, { datasetId: 'model-1', orgId: 'org-1' }, { datasetId: ' MODEL-1', orgId: 'ORG-1 ' }],
		...[
			{ datasetId: '', orgId: ' ' },
			{ datasetId: null, orgId: null },
		],
		{ analyzers: [{ datasetId: 'model-2' }], monitors: [{ orgId: 'org-2' }] },
	])('%j is for any model, or for this one', (document) => {
		expect(whyForeign(document, OWNER)).toBeUndefined();
		expect(readConfiguration(JSON.stringify(document), OWNER)).not.toHaveProperty('foreign');
	});

	it('of a model whose ID is a number is its own', () => {
		expect(whyForeign({ datasetId: 7 }, { ...OWNER, model: '7' })).toBeUndefined();
	});
});

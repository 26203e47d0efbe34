import {
	nameOf,
	readConfiguration,
	targetsOf,
	type Monitor,
} from '../../../../nodes/NotificationActions/configurations/configuration';
import type { Span } from '../../../../nodes/NotificationActions/configurations/jsonText';
import { monitorConfigurations } from '../../../support/files';

const texts = monitorConfigurations();
const only = (monitor: string): Monitor =>
	readConfiguration(`{"monitors":[${monitor}]}`).monitors[0];
const NO_VERSION = ['[]', 'null', '7', '{}', '{"version":"2"}'].map((odd) => `"metadata":${odd}`);

describe('a configuration', () => {
	it('tells its version, its analyzers and the flag that a merge would delete', () => {
		const { version, analyzerIds, allowPartialTargetBatches } = readConfiguration(
			texts.withMetadata,
		);
		expect(version).toBe(17);
		expect(analyzerIds).toEqual(['empty-cells-analyzer', 'quiet-teal-otter-analyzer']);
		expect(allowPartialTargetBatches).toBe('true');
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
		expect(mixed.actions).toHaveLength(4);
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
		['{"allowPartialTargetBatches" : null }', { allowPartialTargetBatches: 'null' }],
		...NO_VERSION.map((metadata): [string, object] => [`{${metadata}}`, {}]),
	])('%s has no monitors, and of the rest what is there', (text, more) => {
		const nothing = { text, monitors: [], analyzerIds: [] };
		expect(readConfiguration(text)).toStrictEqual({ ...nothing, ...more });
	});

	it('tells where a bare monitor stands', () => {
		const place = { start: 13, end: 24, lastMemberEnd: 23, indent: ' ' };
		expect(only('{ "id":"a"}')).toMatchObject(place);
	});

	it.each<[string, object]>([
		['"x":1', {}],
		['"displayName":"","severity":"2","disabled":"true"', {}],
		['"displayName":7,"tags":"x"', {}],
		['"tags":["x",1,null]', { tags: ['x'] }],
		...NO_VERSION.map((metadata): [string, object] => [metadata, {}]),
		['"actions":null', {}],
		['"actions":{}', { hasStrangeActions: true }],
		['"actions":"none"', { hasStrangeActions: true }],
		['"actions":[]', { actions: [] }],
	])('of a monitor with %s tells %j, and nothing else', (members, more) => {
		const shown: Partial<Monitor> = only(`{"id":"a",${members}}`);
		for (const place of ['start', 'end', 'lastMemberEnd', 'indent', 'actionsSpan'] as const)
			delete shown[place];
		const bare = { id: 'a', disabled: false, tags: [], hasStrangeActions: false };
		expect(shown).toStrictEqual({ ...bare, ...more });
	});

	it('tells where the parts of a monitor stand', () => {
		const written = '{\n\t"id": "a", "actions": [ {"target": "x" ,"type":"global"} ], "x": [1] }';
		const text = `{"monitors": [ ${written} ]}`;
		const [found] = readConfiguration(text).monitors;
		const cut = (span?: Span) => text.slice(span?.start, span?.end);
		expect(cut(found)).toBe(written);
		expect(cut(found.actionsSpan)).toBe('[ {"target": "x" ,"type":"global"} ]');
		expect(found.actions?.map(cut)).toEqual(['{"target": "x" ,"type":"global"}']);
		expect(cut(found.actions?.[0].targetSpan)).toBe('"x"');
		expect(text.slice(0, found.lastMemberEnd)).toMatch(/"x": \[1\]$/);
		expect(found.indent).toBe('\n\t');
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
		const [found] = only(`{"id":"a","actions":[${entry}]}`).actions ?? [];
		expect(found).toStrictEqual({ start: 34, end: 34 + entry.length });
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
		const { start, end } = read.monitors[999];
		expect(JSON.parse(text.slice(start, end))).toEqual(monitors[999]);
	});
});

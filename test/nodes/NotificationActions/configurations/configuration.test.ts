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

describe('a configuration', () => {
	it('of a model that was never configured has nothing', () => {
		expect(readConfiguration(texts.neverConfigured)).toEqual({
			text: texts.neverConfigured,
			monitors: [],
			analyzerIds: [],
		});
		expect(readConfiguration('{}')).toEqual({ text: '{}', monitors: [], analyzerIds: [] });
	});

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
		expect(
			monitors.map((monitor) => [
				nameOf(monitor),
				monitor.severity,
				monitor.disabled,
				monitor.tags,
			]),
		).toEqual([
			['empty-cells-monitor', undefined, false, []],
			['Words against the reference "spring"', 3, false, []],
			['Late data by hand', 2, true, ['creation:custom_json_editor', 'Team:Data']],
			['monitor-with-null-actions', undefined, false, []],
		]);
		expect(monitors.map(({ version }) => version)).toEqual([2, 5, 1, undefined]);
		expect(monitors.map(targetsOf)).toEqual([[], ['email'], [], []]);
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

	it('may hold what is no monitor', () => {
		const { monitors } = readConfiguration('{"monitors":[1,{"id":7},null,{"id":"a-monitor"},{}]}');
		expect(monitors.map(({ id }) => id)).toEqual(['a-monitor']);
	});

	it('with odd members is read all the same', () => {
		const odd = only(
			'{"id":"a","displayName":"","tags":["x",1,null],"severity":"2","disabled":"true","metadata":[]}',
		);
		expect(odd).toMatchObject({ id: 'a', tags: ['x'], disabled: false });
		expect(nameOf(odd)).toBe('a');
		expect(odd.severity).toBeUndefined();
		expect(only('{"id":"a","displayName":7,"tags":"x"}')).toMatchObject({ id: 'a', tags: [] });
		expect(nameOf(only('{"id":"a","displayName":7}'))).toBe('a');
	});

	it.each(['[]', 'null', '7', '{}', '{"version":"2"}'])(
		'with metadata %s has no version',
		(odd) => {
			const text = `{"metadata":${odd},"monitors":[{"id":"a","metadata":${odd}}]}`;
			const { version, monitors } = readConfiguration(text);
			expect([version, monitors[0].version]).toEqual([undefined, undefined]);
		},
	);

	it('may hold what is no analyzer', () => {
		const text = '{"analyzers":[1,"id",null,[],{},{"id":7},{"id":"a"}]}';
		expect(readConfiguration(text).analyzerIds).toEqual(['a']);
	});

	it('has a flag only where the service shows it, in its own words', () => {
		expect(readConfiguration('{"allowPartialTargetBatches" : null }')).toStrictEqual({
			text: '{"allowPartialTargetBatches" : null }',
			...{ monitors: [], analyzerIds: [], allowPartialTargetBatches: 'null' },
		});
		expect(readConfiguration('{}')).toStrictEqual({ text: '{}', monitors: [], analyzerIds: [] });
	});

	it('tells of a bare monitor what there is, and nothing else', () => {
		expect(only('{ "id":"a"}')).toStrictEqual({
			...{ start: 13, end: 24, lastMemberEnd: 23, indent: ' ' },
			...{ id: 'a', disabled: false, tags: [], hasStrangeActions: false },
		});
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

	it.each([
		['"actions":null', false],
		['"actions":{}', true],
		['"actions":"none"', true],
		['"actions":[]', false],
	])('with %s has strange actions: %s', (actions, isStrange) => {
		expect(only(`{"id":"a",${actions}}`).hasStrangeActions).toBe(isStrange);
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

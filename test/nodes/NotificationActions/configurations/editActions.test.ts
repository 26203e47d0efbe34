import { readConfiguration } from '../../../../nodes/NotificationActions/configurations/configuration';
import {
	editMonitor,
	type ActionEdit,
} from '../../../../nodes/NotificationActions/configurations/editActions';
import { editText } from '../../../../nodes/NotificationActions/configurations/jsonText';

// What each change does to any list is in test/property/monitors.

/** The whole text after the changes of its first monitor. */
function edited(text: string, ...changes: ActionEdit[]) {
	const configuration = readConfiguration(text);
	const edit = editMonitor(configuration, configuration.monitors[0], changes);
	return { ...edit, text: editText(text, edit.edits) };
}
const monitor = (actions: string) => `{ "monitors": [{"id": "a", ${actions}"x": 1.0}] }`;
const attach = (...targets: string[]): ActionEdit => ({ kind: 'attach', targets });
const detach = (...targets: string[]): ActionEdit => ({ kind: 'detach', targets });
const set = (...targets: string[]): ActionEdit => ({ kind: 'set', targets });
const replace = (from: string, to: string): ActionEdit => ({ kind: 'replace', from, to });
const MAIL = '{"type":"email","target":"a"}';
const entry = (target: string) => `{"type":"global","target":"${target}"}`;
const [A, B, C, D] = ['a', 'b', 'c', 'd'].map(entry);
const SPACED = '{"type": "global", "target": "a"}';
const targets = (count: number) => Array.from({ length: count }, (_, at) => `t-${at}`);

it.each([
	[attach('a'), '[]', `[${A}]`],
	[attach('a'), 'null', `[${A}]`],
	[attach('a', 'b'), 'null', `[${A},${B}]`],
	[attach('b', 'c'), `[ ${A} ]`, `[ ${A}, ${B}, ${C} ]`],
	[attach('a', 'b'), `[\n\t${SPACED}\n]`, `[\n\t${SPACED},\n\t${B}\n]`],
	[attach('a'), `[${MAIL}]`, `[${MAIL},${A}]`],
	[attach('a'), `[ ${A}]`, `[ ${A}]`],
	[attach(), 'null', 'null'],
	[detach('a'), `[ ${A}, ${B}, ${C} ]`, `[ ${B}, ${C} ]`],
	[detach('b'), `[${A}, ${B},  ${C}]`, `[${A}, ${C}]`],
	[detach('c'), `[${A}, ${B},  ${C} ]`, `[${A}, ${B} ]`],
	[detach('a', 'c'), `[${A},${B},${C},${D}]`, `[${B},${D}]`],
	[detach('a'), `[${A}, ${A},${MAIL},${A}]`, `[${MAIL}]`],
	[detach('a'), `[ ${A} ]`, '[  ]'],
	[detach('x'), `[${A}]`, `[${A}]`],
	[detach('x'), 'null', 'null'],
	[set('b', 'd'), `[${A}, ${MAIL}, ${B}, ${B}]`, `[${MAIL}, ${B},${D}]`],
	[set('b', 'a'), `[${A},${B}]`, `[${A},${B}]`],
	[set('c'), `[ ${A},${B} ]`, `[ ${C} ]`],
	[set('c', 'd'), `[ ${A},${B} ]`, `[ ${C}, ${D} ]`],
	[set(), `[${A},${MAIL}]`, `[${MAIL}]`],
	[replace('a', 'c'), `[${A}, ${B},${A}]`, `[${C}, ${B}]`],
	[replace('a', 'b'), `[${A}, ${MAIL}, ${B}]`, `[${MAIL}, ${B}]`],
	[
		replace('a', 'd'),
		`[${MAIL}, {"x":1.0,"target" : "a","type":"global"}]`,
		`[${MAIL}, {"x":1.0,"target" : "d","type":"global"}]`,
	],
	[replace('x', 'd'), `[${A}]`, `[${A}]`],
])('%j makes %s %s', (change, before, after) => {
	expect(edited(monitor(`"actions": ${before},`), change).text).toBe(
		monitor(`"actions": ${after},`),
	);
});

it('a change of a monitor without actions puts them behind its last member, set apart like the first', () => {
	const text = (more: string) => `{"monitors": [{\n  "id": "a", "x": [1]${more}\n}]}`;
	expect(edited(text(''), attach('a', 'b')).text).toBe(text(`,\n  "actions":[${A},${B}]`));
	expect(edited(text(''), detach('a'))).toEqual({
		...{ text: text(''), edits: [], attached: [], detached: [] },
	});
});

it('a change tells what is attached and detached in the end, each once', () => {
	const list = monitor(`"actions": [${A},${A},${B},${MAIL}],`);
	const told = (...changes: ActionEdit[]) => {
		const { attached, detached, edits } = edited(list, ...changes);
		return { attached, detached, edits: edits.length };
	};
	expect(told(set('b', 'd'))).toEqual({ attached: ['d'], detached: ['a'], edits: 3 });
	expect(told()).toEqual({ attached: [], detached: [], edits: 0 });
});

it.each<[string, number, ActionEdit[], number | string]>([
	['99 and one', 99, [attach('new')], 100],
	['100 and one', 100, [attach('new')], 'would have 101 actions'],
	['100 with another in the place of one', 100, [detach('t-1'), attach('new')], 100],
	['more already, and one less', 110, [detach('t-5')], 109],
	['more already, and another in the place of one', 110, [replace('t-5', 'new')], 110],
	['more already, and one', 110, [attach('new')], 'would have 111 actions'],
	['no list, and 100', 0, [attach(...targets(100))], 100],
	['no list, and 101', 0, [attach(...targets(101))], 'would have 101 actions'],
])('a monitor has at most 100 actions: %s', (_, count, edits, comes) => {
	const list = JSON.stringify(targets(count).map((target) => ({ type: 'global', target })));
	const made = () => edited(monitor(count === 0 ? '' : `"actions":${list},`), ...edits).text;
	if (typeof comes === 'string') expect(made).toThrow(`Monitor a ${comes}`);
	else expect(made().match(/"target"/g)).toHaveLength(comes);
});

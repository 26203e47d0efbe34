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
const many = (count: number) =>
	JSON.stringify(Array.from({ length: count }, (_, at) => ({ type: 'global', target: `t-${at}` })));

describe('attach', () => {
	it('puts new entries behind the last, set apart like those that are there', () => {
		const list = '[\n\t{"type": "global", "target": "chat"}\n]';
		const { text, attached } = edited(monitor(`"actions": ${list},`), attach('chat', 'pager'));
		expect(text).toBe(
			monitor(
				'"actions": [\n\t{"type": "global", "target": "chat"},\n\t{"type":"global","target":"pager"}\n],',
			),
		);
		expect(attached).toEqual(['pager']);
	});
});

describe('a change', () => {
	it.each([
		[attach('a'), '[]', `[${A}]`],
		[attach('a'), 'null', `[${A}]`],
		[attach('a', 'b'), 'null', `[${A},${B}]`],
		[attach('b', 'c'), `[ ${A} ]`, `[ ${A}, ${B}, ${C} ]`],
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

	it('of a monitor without actions puts them behind its last member, set apart like the first', () => {
		const text = (more: string) => `{"monitors": [{\n  "id": "a", "x": [1]${more}\n}]}`;
		expect(edited(text(''), attach('a', 'b')).text).toBe(text(`,\n  "actions":[${A},${B}]`));
		expect(edited(text(''), detach('a'))).toEqual({
			...{ text: text(''), edits: [], attached: [], detached: [] },
		});
	});

	it('tells what is attached and detached in the end, each once', () => {
		const list = monitor(`"actions": [${A},${A},${B},${MAIL}],`);
		const told = (...changes: ActionEdit[]) => {
			const { attached, detached, edits } = edited(list, ...changes);
			return { attached, detached, edits: edits.length };
		};
		expect(told(set('b', 'd'))).toEqual({ attached: ['d'], detached: ['a'], edits: 3 });
		expect(told()).toEqual({ attached: [], detached: [], edits: 0 });
	});

	it('of actions that are no list is refused', () => {
		expect(() => edited(monitor('"actions": "none",'), attach('a'))).toThrow(
			'The actions of monitor a are not a list',
		);
	});
});

describe('limits', () => {
	const LIMIT = 'Monitor a would have 101 actions';

	it('more than 100 actions are refused, 100 are not', () => {
		expect(edited(monitor(`"actions":${many(99)},`), attach('new')).attached).toEqual(['new']);
		expect(() => edited(monitor(`"actions":${many(100)},`), attach('new'))).toThrow(LIMIT);
		expect(edited(monitor(`"actions":${many(100)},`), detach('t-1'), attach('new')).text).toContain(
			'"new"',
		);
		const hundred = Array.from({ length: 100 }, (_, at) => `t-${at}`);
		expect(edited(monitor(''), attach(...hundred)).attached).toEqual(hundred);
		expect(() => edited(monitor(''), attach(...hundred, 'new'))).toThrow(LIMIT);
	});

	it('a monitor that has more already can be made smaller, or have others in their place', () => {
		expect(edited(monitor(`"actions":${many(110)},`), detach('t-5')).detached).toEqual(['t-5']);
		const { attached } = edited(monitor(`"actions":${many(110)},`), replace('t-5', 'new'));
		expect(attached).toEqual(['new']);
		expect(() => edited(monitor(`"actions":${many(110)},`), attach('new'))).toThrow('111 actions');
	});
});

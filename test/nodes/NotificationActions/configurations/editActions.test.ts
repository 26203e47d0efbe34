import { readConfiguration } from '../../../../nodes/NotificationActions/configurations/configuration';
import {
	editMonitor,
	type ActionEdit,
} from '../../../../nodes/NotificationActions/configurations/change';

// What each change does to any list is in test/property/monitors.

/** The actions of a monitor after the changes, and what is told of them. */
function edited(actions: string, ...changes: ActionEdit[]) {
	const text = `{"monitors":[{"id":"a",${actions}"x":1}]}`;
	const { monitor, ...told } = editMonitor(readConfiguration(text).monitors[0], changes);
	if (monitor !== undefined) expect(monitor).toEqual({ ...monitor, id: 'a', x: 1 });
	return { ...told, actions: monitor === undefined ? 'as before' : monitor.actions };
}
const list = (...entries: string[]) => `"actions":[${entries.join(',')}],`;
const attach = (...targets: string[]): ActionEdit => ({ kind: 'attach', targets });
const detach = (...targets: string[]): ActionEdit => ({ kind: 'detach', targets });
const set = (...targets: string[]): ActionEdit => ({ kind: 'set', targets });
const replace = (from: string, to: string): ActionEdit => ({ kind: 'replace', from, to });
const MAIL = '{"type":"email","target":"a"}';
const entry = (target: string) => `{"type":"global","target":"${target}"}`;
const [A, B, C, D] = ['a', 'b', 'c', 'd'].map(entry);
const NOTED = '{"x":1,"target":"a","type":"global"}';
const targets = (count: number) => Array.from({ length: count }, (_, at) => `t-${at}`);

it.each<[ActionEdit, string, string[] | 'as before']>([
	[attach('a'), list(), [A]],
	[attach('a'), '"actions":null,', [A]],
	[attach('a', 'b'), '', [A, B]],
	[attach('b', 'c'), list(A), [A, B, C]],
	[attach('a', 'b'), list(NOTED), [NOTED, B]],
	[attach('a'), list(MAIL), [MAIL, A]],
	[attach('a'), list(A), 'as before'],
	[attach(), '"actions":null,', 'as before'],
	[detach('a'), list(A, B, C), [B, C]],
	[detach('a', 'c'), list(A, B, C, D), [B, D]],
	[detach('a'), list(A, A, MAIL, A), [MAIL]],
	[detach('a'), list(A), []],
	[detach('x'), list(A), 'as before'],
	[detach('x'), '"actions":null,', 'as before'],
	[detach('x'), '', 'as before'],
	[set('b', 'd'), list(A, MAIL, B, B), [MAIL, B, D]],
	[set('b', 'a'), list(A, B), 'as before'],
	[set('c', 'd'), list(A, B), [C, D]],
	[set(), list(A, MAIL), [MAIL]],
	[replace('a', 'c'), list(A, B, A), [C, B]],
	[replace('a', 'b'), list(A, MAIL, B), [MAIL, B]],
	[replace('a', 'd'), list(MAIL, NOTED), [MAIL, NOTED.replace('"a"', '"d"')]],
	[replace('x', 'd'), list(A), 'as before'],
])('%j makes of %s %j', (change, before, after) => {
	const wanted = typeof after === 'string' ? after : JSON.parse(`[${after.join(',')}]`);
	expect(edited(before, change).actions).toEqual(wanted);
});

it.each(['{}', '"none"', '7', 'false'])('actions that are %s are no list', (actions) => {
	expect(() => edited(`"actions":${actions},`, detach('a'))).toThrow(
		'The actions of monitor a are not a list',
	);
});

it('a change tells what is attached and detached in the end, each once', () => {
	const before = list(A, A, B, MAIL);
	const told = { attached: ['d'], detached: ['a'] };
	expect(edited(before, set('b', 'd'))).toMatchObject(told);
	expect(edited(before)).toEqual({ attached: [], detached: [], actions: 'as before' });
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
	const made = () => edited(count === 0 ? '' : list(...targets(count).map(entry)), ...edits);
	if (typeof comes === 'string') expect(made).toThrow(`Monitor a ${comes}`);
	else expect(made().actions).toHaveLength(comes);
});

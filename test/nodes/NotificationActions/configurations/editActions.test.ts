import { readConfiguration } from '../../../../nodes/NotificationActions/configurations/configuration';
import {
	editMonitor,
	type ActionChange,
} from '../../../../nodes/NotificationActions/configurations/editActions';
import { editText } from '../../../../nodes/NotificationActions/configurations/jsonText';

// What each change does to any list is in test/property/monitors.

/** The whole text after the changes of its first monitor. */
function edited(text: string, ...changes: ActionChange[]) {
	const configuration = readConfiguration(text);
	const edit = editMonitor(configuration, configuration.monitors[0], changes);
	return { ...edit, text: editText(text, edit.edits) };
}
const monitor = (actions: string) => `{ "monitors": [{"id": "a", ${actions}"x": 1.0}] }`;
const attach = (...targets: string[]): ActionChange => ({ kind: 'attach', targets });
const detach = (...targets: string[]): ActionChange => ({ kind: 'detach', targets });
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

describe('limits', () => {
	const LIMIT = 'Monitor a would have 101 actions';

	it('more than 100 actions are refused, 100 are not', () => {
		expect(edited(monitor(`"actions":${many(99)},`), attach('new')).attached).toEqual(['new']);
		expect(() => edited(monitor(`"actions":${many(100)},`), attach('new'))).toThrow(LIMIT);
		expect(edited(monitor(`"actions":${many(100)},`), detach('t-1'), attach('new')).text).toContain(
			'"new"',
		);
	});

	it('a monitor that has more already can be made smaller', () => {
		expect(edited(monitor(`"actions":${many(110)},`), detach('t-5')).detached).toEqual(['t-5']);
		expect(() => edited(monitor(`"actions":${many(110)},`), attach('new'))).toThrow('111 actions');
	});
});

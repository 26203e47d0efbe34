import { readConfiguration } from '../../../../nodes/NotificationActions/configurations/configuration';
import {
	editMonitor,
	type ActionChange,
} from '../../../../nodes/NotificationActions/configurations/editActions';
import { editText } from '../../../../nodes/NotificationActions/configurations/jsonText';

/** The whole text after the changes of its first monitor. */
function edited(text: string, ...changes: ActionChange[]) {
	const configuration = readConfiguration(text);
	const edit = editMonitor(configuration, configuration.monitors[0], changes);
	return { ...edit, text: editText(text, edit.edits) };
}
const monitor = (actions: string) => `{ "monitors": [{"id": "a", ${actions}"x": 1.0}] }`;
const attach = (...targets: string[]): ActionChange => ({ kind: 'attach', targets });
const detach = (...targets: string[]): ActionChange => ({ kind: 'detach', targets });
const set = (...targets: string[]): ActionChange => ({ kind: 'set', targets });
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

	it('adds the list where there is none, and puts it in the place of null', () => {
		const list = '[{"type":"global","target":"chat"}]';
		expect(edited('{"monitors":[{\n  "id": "a"\n}]}', attach('chat')).text).toBe(
			`{"monitors":[{\n  "id": "a",\n  "actions":${list}\n}]}`,
		);
		expect(edited(monitor('"actions": null,'), attach('chat')).text).toBe(
			monitor(`"actions": ${list},`),
		);
	});

	it('of nothing adds no list', () => {
		expect(edited(monitor(''), attach()).edits).toEqual([]);
	});

	it('counts an action of another type with the same target for another one', () => {
		const other = '"actions":[{"type":"email","target":"chat"}],';
		expect(edited(monitor(other), attach('chat')).attached).toEqual(['chat']);
	});
});

describe('detach', () => {
	it('removes every entry with the target; others stay as they are written', () => {
		const entries = [
			'{"type":"global","target":"chat"}',
			'{"target" : "pager", "type":"global", "n": 1.0}',
			'{"type":"global","target":"\\u0063hat"}',
		];
		const { text, detached } = edited(
			monitor(`"actions":[ ${entries.join(' , ')} ],`),
			detach('chat'),
		);
		expect(text).toBe(monitor(`"actions":[ ${entries[1]} ],`));
		expect(detached).toEqual(['chat']);
	});

	it('of the last leaves an empty list, and of what is not there nothing at all', () => {
		const one = monitor('"actions":[{"type":"global","target":"chat"}],');
		expect(edited(one, detach('chat')).text).toBe(monitor('"actions":[],'));
		expect(edited(one, detach('email')).edits).toEqual([]);
		expect(edited(monitor(''), detach('chat')).edits).toEqual([]);
	});
});

describe('set', () => {
	it('keeps order and entries of other types, and leaves each target once', () => {
		const { text } = edited(
			monitor(
				'"actions":[{"type":"global","target":"b"},{"type":"raw"},{"type":"global","target":"a"},{"type":"global","target":"b"}],',
			),
			set('c', 'b'),
		);
		expect(text).toBe(
			monitor(
				'"actions":[{"type":"global","target":"b"},{"type":"raw"},{"type":"global","target":"c"}],',
			),
		);
	});

	it('to nothing empties the list', () => {
		expect(edited(monitor(`"actions":${many(2)},`), set()).text).toBe(monitor('"actions":[],'));
	});
});

describe('replace', () => {
	it('changes the target where it stands, with all else in the entry', () => {
		const entry = (target: string) => `{"n":1e3, "target" :"${target}","type":"global"}`;
		const change: ActionChange = { kind: 'replace', from: 'chat', to: 'teams' };
		expect(edited(monitor(`"actions":[${entry('chat')}],`), change).text).toBe(
			monitor(`"actions":[${entry('teams')}],`),
		);
	});

	it('removes where the other is there already, and does nothing where the one is not', () => {
		const change: ActionChange = { kind: 'replace', from: 't-0', to: 't-1' };
		const { text, attached, detached } = edited(monitor(`"actions":${many(2)},`), change);
		expect(text).toBe(monitor('"actions":[{"type":"global","target":"t-1"}],'));
		expect([attached, detached]).toEqual([[], ['t-0']]);
		expect(edited(text, change).edits).toEqual([]);
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

	it('actions that are no list are not touched', () => {
		expect(() => edited(monitor('"actions":{"a":1},'), detach('x'))).toThrow(
			'The actions of monitor a are not a list',
		);
	});
});

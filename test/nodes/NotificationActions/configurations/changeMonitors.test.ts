import {
	changeMonitors,
	type ActionEdit,
} from '../../../../nodes/NotificationActions/configurations/change';
import { readConfiguration } from '../../../../nodes/NotificationActions/configurations/configuration';
import { document, global, monitor } from '../../../support/configurations';

const attach = (...targets: string[]): ActionEdit => ({ kind: 'attach', targets });
const detach = (...targets: string[]): ActionEdit => ({ kind: 'detach', targets });
const set = (...targets: string[]): ActionEdit => ({ kind: 'set', targets });

const now = readConfiguration(
	JSON.stringify(
		document([
			monitor('a', ['chat']),
			monitor('b', ['chat']),
			monitor('c', ['chat']),
			monitor('odd', [], { actions: 'none' }),
		]),
	),
);
const edit = (changes: Record<string, ActionEdit[]>) =>
	changeMonitors(new Map(Object.entries(changes))).edit(now, 'no');

it('changes touch the monitors that are not as requested, and no others', () => {
	const { pieces, refused } = edit({
		c: [detach('chat')],
		a: [attach('pager')],
		b: [set('chat')],
	});
	expect(pieces.map(({ id }) => id)).toEqual(['a', 'c']);
	const [a, , c] = now.monitors.map(({ raw }) => raw);
	expect(pieces).toEqual([
		{ id: 'a', before: a, after: { ...a, actions: global('chat', 'pager') } },
		{ id: 'c', before: c, after: { ...c, actions: [] } },
	]);
	expect(pieces.map(({ before }) => before === a || before === c)).toEqual([true, true]);
	expect([...refused]).toStrictEqual([]);
});

it('changes are refused for monitors that have gone, that are strange, or of which different is wanted', () => {
	const changes = { gone: [attach('x')], odd: [attach('x')], a: [set('x'), set('y')] };
	const { pieces, refused } = edit({ ...changes, b: [attach('x')] });
	expect(pieces.map(({ id }) => id)).toEqual(['b']);
	expect([...refused].map(([id, error]) => [id, String(error)])).toEqual([
		['gone', 'monitor gone is no longer there'],
		['a', expect.stringContaining('Items want different actions on monitor a')],
		['odd', expect.stringContaining('The actions of monitor odd are not a list')],
	]);
});

it('changes are refused in a document that would lose a value, where there is one to make', () => {
	const lossy = readConfiguration(now.text.replace('"version":10', '"version":10,"x":1e400'));
	const changes = new Map([
		['a', [attach('pager')]],
		['b', [attach('chat')]],
	]);
	const { pieces, refused } = changeMonitors(changes).edit(lossy, 'no');
	expect(pieces).toStrictEqual([]);
	expect([...refused]).toEqual([['a', lossy.loss]]);
	expect(String(lossy.loss)).toContain('The number 1e400 at metadata.x');
});

it('changes leave the rest to others', () => {
	expect(changeMonitors(new Map()).keepsRest).toBe(true);
	expect(edit({})).toEqual({ pieces: [], refused: new Map() });
});

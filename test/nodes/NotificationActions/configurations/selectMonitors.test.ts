import { readConfiguration } from '../../../../nodes/NotificationActions/configurations/configuration';
import {
	selectMonitors,
	type MonitorSelection,
} from '../../../../nodes/NotificationActions/configurations/selectMonitors';

const configuration = readConfiguration(
	JSON.stringify({
		monitors: [
			{ id: 'drift-1', displayName: 'Drift of inputs', severity: 1, tags: ['Team:Data'] },
			{ id: 'drift-2', severity: 3 },
			{ id: 'nulls-1', displayName: 'Nulls (a+b) [x]', tags: ['team:web', 'late'] },
			{ id: 'drift-of-inputs', displayName: 'Other', severity: 3 },
		],
	}),
);
const chosen = (selection: MonitorSelection) =>
	selectMonitors(configuration, selection).map(({ id }) => id);
const named = (pattern: string) => chosen({ by: 'name', pattern });

it('all, in the order of the configuration', () => {
	expect(chosen({ by: 'all' })).toEqual(['drift-1', 'drift-2', 'nulls-1', 'drift-of-inputs']);
});

it('by id: exactly those, in the order of the configuration', () => {
	expect(chosen({ by: 'id', ids: ['nulls-1', 'drift-1', 'none', 'DRIFT-2', 'drift*'] })).toEqual([
		'drift-1',
		'nulls-1',
	]);
	expect(chosen({ by: 'id', ids: [] })).toStrictEqual([]);
});

describe('by name', () => {
	it('finds display names in any case, and ids only of monitors without one', () => {
		expect(named('drift OF inputs')).toEqual(['drift-1']);
		expect(named('drift-2')).toEqual(['drift-2']);
		expect(named('drift-1')).toStrictEqual([]);
	});

	it('takes * for any characters, and nothing else for anything but itself', () => {
		expect(named('drift*')).toEqual(['drift-1', 'drift-2']);
		expect(named('*of*')).toEqual(['drift-1']);
		expect(named('*')).toHaveLength(4);
		expect(named('nulls (a+b) [x]')).toEqual(['nulls-1']);
		expect(named('drift.2')).toStrictEqual([]);
		expect(named('rift')).toStrictEqual([]);
		expect(named('')).toStrictEqual([]);
	});
});

it('by tag: any of them, in any case, the whole tag', () => {
	expect(chosen({ by: 'tag', tags: ['TEAM:data', 'late'] })).toEqual(['drift-1', 'nulls-1']);
	expect(chosen({ by: 'tag', tags: ['team'] })).toStrictEqual([]);
});

it('by severity: a monitor without one is not chosen', () => {
	expect(chosen({ by: 'severity', severities: [3] })).toEqual(['drift-2', 'drift-of-inputs']);
	expect(chosen({ by: 'severity', severities: [0, 2, 4] })).toStrictEqual([]);
});

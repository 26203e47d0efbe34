import { readConfiguration } from '../../../../nodes/NotificationActions/configurations/configuration';
import {
	selectMonitors,
	type MonitorSelection,
} from '../../../../nodes/NotificationActions/configurations/plan';

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
const named = (pattern: string): MonitorSelection => ({ by: 'name', pattern });
const ALL = ['drift-1', 'drift-2', 'nulls-1', 'drift-of-inputs'];

it.each<[MonitorSelection, string[]]>([
	[{ by: 'all' }, ALL],
	// Exactly those, in the order of the configuration.
	[{ by: 'id', ids: ['nulls-1', 'drift-1', 'none', 'DRIFT-2', 'drift*'] }, ['drift-1', 'nulls-1']],
	[{ by: 'id', ids: [] }, []],
	// Display names in any case, and IDs only of monitors without one.
	[named('drift OF inputs'), ['drift-1']],
	[named('drift-2'), ['drift-2']],
	[named('drift-1'), []],
	// Nothing but * stands for anything else than itself.
	[named('drift*'), ['drift-1', 'drift-2']],
	[named('*of*'), ['drift-1']],
	[named('*'), ALL],
	[named('nulls (a+b) [x]'), ['nulls-1']],
	[named('drift.2'), []],
	[named('rift'), []],
	[named(''), []],
	// Any of the tags, in any case, the whole tag.
	[{ by: 'tag', tags: ['TEAM:data', 'late'] }, ['drift-1', 'nulls-1']],
	[{ by: 'tag', tags: ['team'] }, []],
	[{ by: 'severity', severities: [3] }, ['drift-2', 'drift-of-inputs']],
	[{ by: 'severity', severities: [0, 2, 4] }, []],
])('%j', (selection, ids) => {
	expect(selectMonitors(configuration, selection).map(({ id }) => id)).toEqual(ids);
});

import {
	monitorOf,
	monitorSubject,
	type ConfigurationChange,
	editFor,
	judgeSaved,
} from '../../../../nodes/NotificationActions/configurations/change';
import { readConfiguration } from '../../../../nodes/NotificationActions/configurations/configuration';
import type { SaveResult } from '../../../../nodes/NotificationActions/configurations/saveConfiguration';
import { document, monitor } from '../../../support/configurations';

const configuration = readConfiguration(JSON.stringify(document([monitor('b'), monitor('a')])));
const BASE = { key: '', action: 'do it', subject: '', items: [0], restsOn: [], warnings: [] };
const ofMonitor = (id: string): ConfigurationChange => ({
	...{ ...BASE, about: 'monitor', model: 'm', monitor: id, edit: { kind: 'attach', targets: [] } },
});
const DOCUMENT: ConfigurationChange = { ...BASE, about: 'document', model: 'm', document: {} };
const DOWN = new Error('down');
const NOT_SENT = { status: 'failed', reason: 'it was not sent' };
const UNSEEN = 'the service did not show it when it was read back';

it.each<[string, string, Partial<SaveResult>, object]>([
	['was sent and seen', 'sent', {}, { status: 'done' }],
	['is as wanted without a write', '', {}, { status: 'unchanged' }],
	['was sent and not seen', 'sent open', {}, { status: 'unverified', reason: UNSEEN }],
	[
		'was sent and not looked for',
		'sent open',
		{ error: DOWN, warnings: ['mind'] },
		{ status: 'unverified', reason: 'down', error: DOWN, warnings: ['mind'] },
	],
	['was not sent', 'open', {}, { ...NOT_SENT, error: NOT_SENT.reason }],
	['could not be sent', 'open', { error: DOWN }, { status: 'failed', reason: 'down', error: DOWN }],
	['was refused', 'refused sent open', {}, { status: 'failed', reason: 'no', error: 'no' }],
])('what %s', (_, states, more, outcome) => {
	for (const [change, piece, result] of [
		[ofMonitor('a'), 'a', { monitor: configuration.monitors[1] }],
		[ofMonitor('gone'), 'gone', undefined],
		[DOCUMENT, 'm', { configuration }],
	] as const) {
		const piecesOf = (state: string) => (states.split(' ').includes(state) ? [piece] : []);
		const refused = new Map(piecesOf('refused').map((id) => [id, 'no']));
		const [open, sent] = [new Set(piecesOf('open')), new Set(piecesOf('sent'))];
		const saved = { configuration, warnings: [], open, sent, refused, ...more };
		const verdict = judgeSaved(change, saved);
		expect(verdict.outcome).toStrictEqual({ action: 'do it', ...outcome });
		expect(verdict.result).toEqual(result);
	}
});

it('a whole document is all that a save does for a model', () => {
	expect(editFor([ofMonitor('a'), DOCUMENT], configuration).keepsRest).toBe(false);
});

it('a subject names a monitor, or a model alone', () => {
	const subjects = [monitorSubject('m', 'a'), monitorSubject('m'), 'no monitor'];
	expect(subjects.map(monitorOf)).toEqual([
		{ model: 'm', id: 'a' },
		{ model: 'm', id: '' },
		undefined,
	]);
});

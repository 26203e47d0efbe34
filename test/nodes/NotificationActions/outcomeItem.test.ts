import { outcomeFields } from '../../../nodes/NotificationActions/fields/outcomeItem';
import type { Outcome } from '../../../nodes/shared/run';

const action = 'set the actions of monitor x to none';

it.each<[Outcome, string]>([
	[{ status: 'done', action }, 'Set the actions of monitor x to none.'],
	[{ status: 'done', action: 'enable action x' }, 'Enabled action x.'],
	[{ status: 'done', action: 'disable action x' }, 'Disabled action x.'],
	[{ status: 'done', action: 'detach x from monitor y' }, 'Detached x from monitor y.'],
	[{ status: 'done', action: 'replace x with z on monitor y' }, 'Replaced x with z on monitor y.'],
	[{ status: 'unchanged', action }, `No need to ${action}: it is so already.`],
	[
		{ status: 'unchanged', action, reason: 'there is none' },
		`No need to ${action}: there is none.`,
	],
	[{ status: 'failed', action, reason: '403' }, `Could not ${action}: 403.`],
	[{ status: 'unverified', action, reason: 'not seen' }, `Could not confirm: ${action}: not seen.`],
])('an item says of %j: %s', (outcome, text) => {
	const { status, reason = null } = outcome;
	const at = '2026-11-27T09:00:00.000Z';
	const seen = /done|unchanged/.test(status) ? at : null;
	expect(outcomeFields({ ...outcome, at })).toEqual({ status, reason, text, at: seen });
});

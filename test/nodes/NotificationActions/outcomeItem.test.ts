import { outcomeItem } from '../../../nodes/NotificationActions/runWrite';
import type { Outcome } from '../../../nodes/shared/run';

const action = 'set the actions of monitor x to none';

it.each<[Outcome, string, string]>([
	[{ status: 'done', action }, 'Set the actions of monitor x to none.', 'set'],
	[{ status: 'done', action: 'enable action x' }, 'Enabled action x.', 'enabled'],
	[{ status: 'done', action: 'disable action x' }, 'Disabled action x.', 'disabled'],
	[{ status: 'done', action: 'detach x from monitor y' }, 'Detached x from monitor y.', 'detached'],
	[
		{ status: 'done', action: 'replace x with z on monitor y' },
		'Replaced x with z on monitor y.',
		'replaced',
	],
	[{ status: 'unchanged', action }, `No need to ${action}: it is so already.`, 'none'],
	[
		{ status: 'unchanged', action, reason: 'there is none' },
		`No need to ${action}: there is none.`,
		'none',
	],
	[{ status: 'failed', action, reason: '403' }, `Could not ${action}: 403.`, 'set'],
	[
		{ status: 'unverified', action, reason: 'not seen' },
		`Could not confirm: ${action}: not seen.`,
		'set',
	],
])('an item says of %j: %s', (outcome, text, made) => {
	const { status, reason = null } = outcome;
	const at = '2026-11-27T09:00:00.000Z';
	const seen = /done|unchanged/.test(status) ? at : null;
	const item = outcomeItem({ ...outcome, at }, { id: 'x' });
	expect(item).toEqual({ change: made, status, reason, id: 'x', text, at: seen });
	expect(Object.keys(item)).toEqual(['change', 'status', 'reason', 'id', 'text', 'at']);
});

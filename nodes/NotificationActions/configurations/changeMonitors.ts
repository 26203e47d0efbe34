import { type Attempt, InputError } from '../../shared/util';
import { type Configuration, type Monitor, targetsOf } from './configuration';
import { type ActionEdit, editMonitor, type MonitorEdit } from './editActions';
import type { ConfigurationEdit, Piece } from './saveConfiguration';

/** The change that makes monitors as requested. @param changes by id of the monitor, what the items want, in their order */
export function changeMonitors(
	changes: ReadonlyMap<string, readonly ActionEdit[]>,
): ConfigurationEdit {
	return {
		keepsRest: true,
		edit(now) {
			const pieces: Piece[] = [];
			const refused = new Map<string, unknown>(
				[...changes.keys()].map((id) => [id, `monitor ${id} is no longer there`]),
			);
			for (const monitor of now.monitors) {
				const { id, start, end } = monitor;
				const own = changes.get(id);
				if (own === undefined) continue;
				refused.delete(id);
				const tried = tryEdit(now, monitor, own);
				if (!tried.ok) refused.set(id, tried.error);
				else if (tried.value.edits.length > 0)
					pieces.push({ id, start, end, edits: tried.value.edits });
			}
			return { pieces, refused };
		},
	};
}

/** What all changes make of a monitor; fails when it cannot be edited, or when the changes exclude each other. */
export function tryEdit(
	configuration: Configuration,
	monitor: Monitor,
	changes: readonly ActionEdit[],
): Attempt<MonitorEdit> {
	try {
		// What is detached may be replaced as well, whichever item comes first.
		const order = ({ kind }: ActionEdit) => (kind === 'replace' ? 0 : 1);
		const ordered = [...changes].sort((one, other) => order(one) - order(other));
		const edit = editMonitor(configuration, monitor, ordered);
		checkAgreement(changes, monitor, edit);
		return { ok: true, value: edit };
	} catch (error) {
		return { ok: false, error };
	}
}

/** @throws InputError when one of the changes would not be fulfilled in the end */
function checkAgreement(
	changes: readonly ActionEdit[],
	monitor: Monitor,
	{ attached, detached }: MonitorEdit,
): void {
	const before = new Set(targetsOf(monitor));
	const after = new Set([
		...[...before].filter((target) => !detached.includes(target)),
		...attached,
	]);
	if (changes.every((change) => isFulfilled(change, before, after))) return;
	throw new InputError(
		`Items want different actions on monitor ${monitor.id}`,
		'Set the actions of the monitor in one item only.',
	);
}

function isFulfilled(
	change: ActionEdit,
	before: ReadonlySet<string>,
	after: ReadonlySet<string>,
): boolean {
	switch (change.kind) {
		case 'attach':
			return change.targets.every((target) => after.has(target));
		case 'detach':
			return !change.targets.some((target) => after.has(target));
		case 'set':
			return (
				after.size === new Set(change.targets).size &&
				change.targets.every((target) => after.has(target))
			);
		case 'replace':
			return !after.has(change.from) && (!before.has(change.from) || after.has(change.to));
	}
}

import type { Attempt } from '../../shared/util';
import type { Configuration, Monitor } from './configuration';
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

/** What all edits make of a monitor, or why they cannot be made. */
export function tryEdit(
	configuration: Configuration,
	monitor: Monitor,
	edits: readonly ActionEdit[],
): Attempt<MonitorEdit> {
	try {
		return { ok: true, value: editMonitor(configuration, monitor, edits) };
	} catch (error) {
		return { ok: false, error };
	}
}

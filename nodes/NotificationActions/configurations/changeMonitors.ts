import type { Attempt } from '../../shared/util';
import type { Monitor } from './configuration';
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
			const there = new Set(now.monitors.map(({ id }) => id));
			const gone = [...changes.keys()].filter((id) => !there.has(id));
			const refused = new Map<string, unknown>(
				gone.map((id) => [id, `monitor ${id} is no longer there`]),
			);
			for (const monitor of now.monitors) {
				const { id, raw } = monitor;
				const own = changes.get(id);
				if (own === undefined) continue;
				const tried = tryEdit(monitor, own);
				if (!tried.ok) refused.set(id, tried.error);
				else if (tried.value.monitor === undefined) continue;
				else if (now.loss !== undefined) refused.set(id, now.loss);
				else pieces.push({ id, before: raw, after: tried.value.monitor });
			}
			return { pieces, refused };
		},
	};
}

/** What all edits make of a monitor, or why they cannot be made. */
export function tryEdit(monitor: Monitor, edits: readonly ActionEdit[]): Attempt<MonitorEdit> {
	try {
		return { ok: true, value: editMonitor(monitor, edits) };
	} catch (error) {
		return { ok: false, error };
	}
}

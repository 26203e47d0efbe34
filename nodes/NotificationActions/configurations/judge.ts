import { failureOf, type Outcome, type Verdict } from '../../shared/run';
import type { ConfigurationChange, ConfigurationResult } from './change';
import { changeMonitors } from './changeMonitors';
import type { Configuration } from './configuration';
import type { ActionEdit } from './editActions';
import { replaceDocument } from './replaceDocument';
import type { ConfigurationEdit, SaveResult } from './saveConfiguration';

/** What one save does for all changes of a model. @param read the configuration that they were planned from */
export function editFor(
	changes: readonly ConfigurationChange[],
	read: Configuration,
): ConfigurationEdit {
	const edits = new Map<string, ActionEdit[]>();
	for (const change of changes) {
		if (change.about === 'document') return replaceDocument(change.model, read, change.document);
		edits.set(change.monitor, [...(edits.get(change.monitor) ?? []), change.edit]);
	}
	return changeMonitors(edits);
}

/** What a save has come to for one of its changes: by what its last look showed. */
export function judgeSaved(
	change: ConfigurationChange,
	saved: SaveResult,
): Verdict<ConfigurationResult> {
	const { configuration, warnings } = saved;
	const outcome = outcomeOf(change, saved);
	const verdict = { outcome: { ...outcome, ...(warnings.length > 0 && { warnings }) } };
	if (change.about === 'document') return { ...verdict, result: { configuration } };
	const monitor = configuration.monitors.find(({ id }) => id === change.monitor);
	return { ...verdict, ...(monitor !== undefined && { result: { monitor } }) };
}

function outcomeOf(
	change: ConfigurationChange,
	{ open, refused, sent, error }: SaveResult,
): Outcome {
	const { action } = change;
	const piece = change.about === 'document' ? change.model : change.monitor;
	if (refused.has(piece)) return failureOf(action, refused.get(piece));
	if (!open.has(piece)) {
		// Another writer may have made the change before anything was sent.
		return { status: sent.has(piece) ? 'done' : 'unchanged', action };
	}
	return sent.has(piece)
		? unverified(action, error)
		: failureOf(action, error ?? 'it was not sent');
}

/** What was sent and not seen. @param error what kept it from being seen, if that is known */
export function unverified(action: string, error: unknown): Outcome {
	const reason =
		error instanceof Error ? error.message : 'the service did not show it when it was read back';
	return { status: 'unverified', action, reason, ...(error !== undefined && { error }) };
}

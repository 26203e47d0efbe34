import {
	type ChangeBase,
	type WaitsForChange,
	type Settled,
	failureOf,
	type Outcome,
	type Verdict,
} from '../../shared/run';
import type { Configuration, JsonObject, Monitor } from './configuration';
import { type ActionEdit, changeMonitors } from './monitorEdits';
import { replaceDocument, type ConfigurationEdit, type SaveResult } from './saveConfiguration';

/** What every change here is, as plain data; no guard asks why it is made. */
export type AlertingChangeBase = Omit<ChangeBase<WaitsForChange>, 'why'> & { subject: string };

/** Of the actions of one monitor. */
export interface MonitorChange extends AlertingChangeBase {
	about: 'monitor';
	model: string;
	monitor: string;
	edit: ActionEdit;
}

/** Of a whole configuration. */
interface DocumentChange extends AlertingChangeBase {
	about: 'document';
	model: string;
	document: JsonObject;
}

export type ConfigurationChange = MonitorChange | DocumentChange;

/** What is known of the subject of a part. */
export type ConfigurationResult = { monitor: Monitor } | { configuration: Configuration };

/** What would be changed in the configuration of a model. */
export interface TouchedConfiguration {
	model: string;
	/** Names of what is touched, in words of the operation. */
	touched: Record<string, unknown>;
}

/** What will be done, and what was decided already. */
export interface PlanOf<C, R> {
	changes: C[];
	settled: Array<Settled<R>>;
	/** Reasons of the guards; a plan with any is not applied. */
	blockedBy: string[];
	configurations: TouchedConfiguration[];
}

export type ConfigurationPlan = PlanOf<ConfigurationChange, ConfigurationResult>;

/** Makes a plan without changes. */
export function emptyPlan<C, R>(): PlanOf<C, R> {
	return { changes: [], settled: [], blockedBy: [], configurations: [] };
}

/** Adds a change to those that are known by their keys: items that want the same share one. */
export function addChange<C extends AlertingChangeBase>(known: Map<string, C>, change: C): void {
	const same = known.get(change.key);
	if (same === undefined) known.set(change.key, change);
	else same.items.push(...change.items);
}

/** Returns the subject of a part about a monitor, or about a model alone. */
export function monitorSubject(model: string, id = ''): string {
	return `${model}\n${id}`;
}

/** Returns the monitor that a part is about, as far as it is about one. */
export function monitorOf(subject: string): { model: string; id: string } | undefined {
	const [model, id] = subject.split('\n');
	return id === undefined ? undefined : { model, id };
}

/** Makes the one edit that a save does for all changes of a model. @param read the configuration that they were planned from */
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

/** Tells the outcome of a save for one of its changes, by what its last look showed. */
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

/** Makes the outcome of a change that was sent and not seen. @param error what kept it from being seen, if that is known */
export function unverified(action: string, error: unknown): Outcome {
	const reason =
		error instanceof Error ? error.message : 'the service did not show it when it was read back';
	return { status: 'unverified', action, reason, ...(error !== undefined && { error }) };
}

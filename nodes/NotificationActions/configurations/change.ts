import {
	type ChangeBase,
	type WaitsForChange,
	type Settled,
	failureOf,
	type Outcome,
	type Verdict,
} from '../../shared/run';
import { InputError, type Attempt, shown } from '../../shared/util';
import { type Configuration, type JsonObject, type Monitor, targetOf } from './configuration';
import {
	replaceDocument,
	type ConfigurationEdit,
	type SaveResult,
	type Piece,
} from './saveConfiguration';

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

/** test/contract/interface.md 2.5. */
export const MOST_ACTIONS_PER_MONITOR = 100;

/**
 * The target that stands for the address in the organization's settings (test/contract/interface.md 1.6). Where the list shows an
 * action of that name, it is one like any other (2.4).
 */
export const DEFAULT_EMAIL_TARGET = 'email';

/** What is wanted of the actions of a monitor. Targets are ids of actions, each once. */
export type ActionEdit =
	| { kind: 'attach'; targets: readonly string[] }
	| { kind: 'detach'; targets: readonly string[] }
	| { kind: 'set'; targets: readonly string[] }
	| { kind: 'replace'; from: string; to: string };

/** What the edits make of a monitor. */
interface MonitorEdit {
	/** The monitor as it is to be; undefined when it is as requested already. */
	monitor?: JsonObject;
	attached: string[];
	detached: string[];
}

/**
 * Makes the edits in the actions of a monitor: their order, entries of other types and all else of the monitor stay. No
 * target is added twice.
 * @throws InputError when `actions` is not a list, would have more than 100 entries, or the edits exclude each other
 */
export function editMonitor({ id, raw }: Monitor, edits: readonly ActionEdit[]): MonitorEdit {
	const entries = raw.actions ?? [];
	if (!Array.isArray(entries)) {
		throw new InputError(
			`The actions of monitor ${shown(id)} are not a list`,
			'Correct the monitor in the service first.',
		);
	}
	// What is detached may be replaced as well, whichever item comes first.
	const order = ({ kind }: ActionEdit) => (kind === 'replace' ? 0 : 1);
	const wanted = [...edits]
		.sort((one, other) => order(one) - order(other))
		.reduce<unknown[]>(entriesAfter, entries);
	if (wanted.length > MOST_ACTIONS_PER_MONITOR && wanted.length > entries.length) {
		throw new InputError(
			`Monitor ${shown(id)} would have ${wanted.length} actions`,
			`A monitor has at most ${MOST_ACTIONS_PER_MONITOR} actions. Detach some first.`,
		);
	}
	const before = targetSet(entries);
	const after = targetSet(wanted);
	const isMade = (edit: ActionEdit) =>
		isSameList(entriesAfter(wanted, edit), wanted) &&
		(edit.kind !== 'replace' || !before.has(edit.from) || after.has(edit.to));
	if (!edits.every(isMade)) {
		throw new InputError(
			`Items want different actions on monitor ${shown(id)}`,
			'Set the actions of the monitor in one item only.',
		);
	}
	return {
		...(!isSameList(wanted, entries) && { monitor: { ...raw, actions: wanted } }),
		attached: [...after].filter((target) => !before.has(target)),
		detached: [...before].filter((target) => !after.has(target)),
	};
}

function entriesAfter(entries: unknown[], edit: ActionEdit): unknown[] {
	const present = targetSet(entries);
	switch (edit.kind) {
		case 'attach':
			return [...entries, ...missing(edit.targets, present)];
		case 'detach':
			return entries.filter((entry) => {
				const target = targetOf(entry);
				return target === undefined || !edit.targets.includes(target);
			});
		case 'set': {
			const seen = new Set<string>();
			const kept = entries.filter((entry) => {
				const target = targetOf(entry);
				if (target === undefined) return true;
				if (seen.has(target) || !edit.targets.includes(target)) return false;
				seen.add(target);
				return true;
			});
			return [...kept, ...missing(edit.targets, seen)];
		}
		case 'replace': {
			const { from, to } = edit;
			let isThere = present.has(to);
			return entries.flatMap((entry) => {
				if (targetOf(entry) !== from) return [entry];
				if (isThere) return [];
				isThere = true;
				return [{ ...(entry as JsonObject), target: to }];
			});
		}
	}
}

/** Entries that stay are the same objects. */
function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
	return one.length === other.length && one.every((entry, at) => entry === other[at]);
}

function missing(targets: readonly string[], present: ReadonlySet<string>): object[] {
	return targets
		.filter((target) => !present.has(target))
		.map((target) => ({ type: 'global', target }));
}

function targetSet(entries: readonly unknown[]): Set<string> {
	return new Set(entries.flatMap((entry) => targetOf(entry) ?? []));
}

/**
 * Makes the change that brings monitors to what is requested.
 * @param changes by id of the monitor, what the items want, in their order
 */
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
				gone.map((id) => [id, `monitor ${shown(id)} is no longer there`]),
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

/** Makes all edits in a monitor, or returns the error that keeps them from being made. */
export function tryEdit(monitor: Monitor, edits: readonly ActionEdit[]): Attempt<MonitorEdit> {
	try {
		return { ok: true, value: editMonitor(monitor, edits) };
	} catch (error) {
		return { ok: false, error };
	}
}

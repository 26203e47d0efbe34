import type { ChangeBase, RestOnChange, Settled } from '../../shared/run';
import type { Configuration, JsonObject, Monitor } from './configuration';
import type { ActionEdit } from './editActions';

/** What every change here is, as plain data; no guard asks why it is made. */
export type AlertingChangeBase = Omit<ChangeBase<RestOnChange>, 'why'> & { subject: string };

/** Of the actions of one monitor. */
export interface MonitorChange extends AlertingChangeBase {
	about: 'monitor';
	model: string;
	monitor: string;
	edit: ActionEdit;
}

/** Of a whole configuration. */
export interface DocumentChange extends AlertingChangeBase {
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

export function emptyPlan<C, R>(): PlanOf<C, R> {
	return { changes: [], settled: [], blockedBy: [], configurations: [] };
}

/** Adds a change to those that are known by their keys: items that want the same share one. */
export function addChange<C extends AlertingChangeBase>(known: Map<string, C>, change: C): void {
	const same = known.get(change.key);
	if (same === undefined) known.set(change.key, change);
	else same.items.push(...change.items);
}

/** The subject of a part about a monitor, or about a model alone. */
export function monitorSubject(model: string, id = ''): string {
	return `${model}\n${id}`;
}

/** The monitor that a part is about, as far as it is about one. */
export function monitorOf(subject: string): { model: string; id: string } | undefined {
	const [model, id] = subject.split('\n');
	return id === undefined ? undefined : { model, id };
}

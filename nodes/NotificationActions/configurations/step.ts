import { emptyPlan, type Part, type Plan, type Step } from '../../shared/run';
import { type Configuration, type Monitor, targetsOf } from './configuration';
import type { ConfigurationChange, Snapshot } from './saveConfiguration';

/** A monitor as it was seen. */
export interface MonitorState {
	model: string;
	id: string;
	displayName?: string;
	actions: string[];
}

/** What is known of the subject of a part. */
export type ConfigurationResult = { monitor: MonitorState } | { configuration: Configuration };

export interface ConfigurationPart extends Part {
	/** What the item asks for, in words that finish the sentence "could not …". */
	action: string;
}

/** One change of the configuration of a model. */
export interface ConfigurationStep extends Step {
	kind: 'saveConfiguration';
	modelId: string;
	read: Snapshot;
	change: ConfigurationChange;
	parts: ConfigurationPart[];
}

/** What would be changed in the configuration of a model. */
export interface TouchedConfiguration {
	model: string;
	/** Names of what is touched, in words of the operation. */
	touched: Record<string, unknown>;
}

export interface ConfigurationPlan extends Plan<ConfigurationStep, ConfigurationResult> {
	configurations: TouchedConfiguration[];
}

export function emptyConfigurationPlan(): ConfigurationPlan {
	return { ...emptyPlan<ConfigurationStep, ConfigurationResult>(), configurations: [] };
}

/** The id of a step. @param subject what it writes */
export function stepId(kind: string, subject: string): string {
	return `${kind}:${subject}`;
}

/** The subject of a part about a monitor. */
export function monitorSubject(model: string, id: string): string {
	return `${model}\n${id}`;
}

/** The monitor that a part is about; undefined for any other part. */
export function monitorOf(subject: string): { model: string; id: string } | undefined {
	const [model, id] = subject.split('\n');
	return id === undefined ? undefined : { model, id };
}

export function stateOf(model: string, monitor: Monitor): MonitorState {
	const { id, displayName } = monitor;
	return {
		model,
		id,
		...(displayName !== undefined && { displayName }),
		actions: targetsOf(monitor),
	};
}

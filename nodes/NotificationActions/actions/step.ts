import { type Applied, emptyPlan, type Part, type Plan, type Step } from '../../shared/run';
import type { Action } from './action';
import type { ActionChange, PatchOperation, ReadConfiguration } from '../configurations';

/** One write to the alerting interface. */
export type AlertingStep = Step &
	(
		| {
				kind: 'putAction';
				actionId: string;
				/** Whether the list did not have it before. */
				isNew: boolean;
				segment: string;
				payload: Readonly<Record<string, unknown>>;
		  }
		| { kind: 'deleteAction'; actionId: string }
		| { kind: 'setEnabled'; actionId: string; enabled: boolean }
		| { kind: 'sendTest'; actionId: string }
		| {
				kind: 'editMonitors';
				modelId: string;
				read: ReadConfiguration;
				/** By id of the monitor, what the items want of it, in their order. */
				changes: ReadonlyMap<string, readonly ActionChange[]>;
				/** By part (see `partKey`), what it asks for, in words. */
				words: ReadonlyMap<string, string>;
		  }
		| { kind: 'putConfiguration'; modelId: string; read: ReadConfiguration; text: string }
	);

/** A monitor as it was seen, and what was changed. */
export interface MonitorState {
	model: string;
	id: string;
	displayName?: string;
	actions: string[];
}

/** What is known of the subject of a part. */
export interface AlertingResult {
	action?: Action;
	monitor?: MonitorState;
	configuration?: ReadConfiguration['configuration'];
}

/** Tells the parts of a step apart. */
export function partKey({ item, subject }: Pick<Part, 'item' | 'subject'>): string {
	return `${item}\n${subject}`;
}

export type AlertingPart = Applied<AlertingResult>;

/** What would be changed in the configuration of a model. */
export interface ConfigurationChange {
	model: string;
	/** Names of what is touched, in words of the operation. */
	touched: Record<string, unknown>;
	/** RFC 6902. */
	patch: PatchOperation[];
}

export interface AlertingPlan extends Plan<AlertingStep, AlertingResult> {
	configurations: ConfigurationChange[];
}

export function emptyAlertingPlan(): AlertingPlan {
	return { ...emptyPlan<AlertingStep, AlertingResult>(), configurations: [] };
}

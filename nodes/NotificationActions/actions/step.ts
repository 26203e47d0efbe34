import type { Applied, Part, Plan, Step } from '../../shared/run';
import {
	type ConfigurationResult,
	type ConfigurationStep,
	stepId,
	type TouchedConfiguration,
} from '../configurations';
import type { Action } from './action';
import { type ActionWrite, requestOf, wordsFor } from './alertingClient';

/** One write of an action. */
export interface ActionStep extends Step {
	kind: 'writeAction';
	write: ActionWrite;
}

/** One write to the alerting interface. */
export type AlertingStep = ActionStep | ConfigurationStep;

/** What is known of the subject of a part. */
export type AlertingResult = ConfigurationResult | { action: Action };

export type AlertingPart = Applied<AlertingResult>;

export interface AlertingPlan extends Plan<AlertingStep, AlertingResult> {
	configurations: TouchedConfiguration[];
}

/** The step that sends a write. */
export function actionStep(
	organizationId: string,
	write: ActionWrite,
	part: Part,
	warnings: readonly string[] = [],
): ActionStep {
	return {
		id: stepId(write.kind, write.id),
		action: wordsFor(write),
		kind: 'writeAction',
		write,
		parts: [part],
		warnings: [...warnings],
		request: requestOf(organizationId, write),
	};
}

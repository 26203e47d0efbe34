export { type Action, maskPayload } from './action';
export {
	type ActionKind,
	checkActionId,
	checkEmail,
	checkHttpsUrl,
	checkKindName,
	checkServiceKey,
	KINDS,
	webhookWarnings,
} from './actionKinds';
export { actionUsage, type ConfigurationReader } from './actionUsage';
export { type AlertingClient, createAlertingClient } from './alertingClient';
export { performer, verifyActions } from './perform';
export {
	type ActionChoice,
	type ActionRules,
	type ActionWish,
	findAction,
	planActions,
	planDeletes,
	planWrites,
} from './planActions';
export type { AlertingPart, AlertingPlan, AlertingResult, AlertingStep } from './step';

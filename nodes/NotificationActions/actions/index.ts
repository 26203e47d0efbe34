export { type Action, maskPayload } from './action';
export {
	type ActionKind,
	checkActionId,
	checkEmail,
	checkHttpsUrl,
	checkKindSegment,
	checkServiceKey,
	DEFAULT_EMAIL_TARGET,
	KINDS,
	webhookWarnings,
} from './actionKinds';
export { usersOf } from './actionUsage';
export {
	type AlertingClient,
	configurationPath,
	createAlertingClient,
	isMissingRoute,
} from './alertingClient';
export { performer, verifyActions } from './perform';
export {
	actionNamed,
	type ActionRules,
	type NamedAction,
	planActions,
	planDeletes,
	planEnabled,
	planTests,
	type WantedAction,
} from './planActions';
export {
	type AlertingPart,
	type AlertingPlan,
	type AlertingResult,
	type AlertingStep,
	emptyAlertingPlan,
	type MonitorState,
	partKey,
} from './step';

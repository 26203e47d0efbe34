export { type Action, maskPayload } from './action';
export { checkActionId, checkKindName, KINDS } from './actionKinds';
export { actionUsage, type AlertingReader } from './actionUsage';
export { type AlertingClient, createAlertingClient } from './alertingClient';
export { carryOutPlan } from './carryOut';
export { type AlertingPart, type AlertingPlan, type Change, scheduleOf, stepsOf } from './change';
export {
	type ActionChoice,
	type ActionWish,
	findAction,
	planActions,
	planDeletes,
	planWrites,
} from './planActions';

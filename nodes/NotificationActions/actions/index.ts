export { type Action, maskPayload, checkActionId, checkKindName, KINDS } from './action';
export {
	actionUsage,
	type AlertingReader,
	type ActionChoice,
	type ActionWish,
	findAction,
	planActions,
	planDeletes,
	planWrites,
} from './planActions';
export { type AlertingClient, createAlertingClient } from './alertingClient';
export { carryOutPlan } from './carryOut';
export { type AlertingPart, type AlertingPlan, type Change, scheduleOf, stepsOf } from './change';

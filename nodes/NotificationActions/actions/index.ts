export {
	type Action,
	maskPayload,
	checkActionId,
	checkKindName,
	KINDS,
	type AlertingClient,
	createAlertingClient,
} from './action';
export {
	actionUsage,
	type AlertingReader,
	type ActionChoice,
	type ActionWish,
	findAction,
	planActions,
	planDeletes,
	planWrites,
	type AlertingPart,
	type AlertingPlan,
	type Change,
	scheduleOf,
	stepsOf,
} from './planActions';
export { carryOutPlan } from './carryOut';

export {
	type ChangeBase,
	gained,
	kindOfDifference,
	lost,
	type WaitsForChange,
	type Applied,
	NO_ITEM,
	partKey,
	type Part,
	type Plan,
	type PlannedRequest,
	type Settled,
	type Step,
	type Failure,
	holdsBack,
	isFailure,
	failureOf,
	type Missing,
	type Outcome,
	type OutcomeStatus,
	seenAt,
	STATUS_WORDS,
	worstOf,
} from './plan';
export { dispatch, type Removed, type Read, readItems, type Output, runWrite } from './runItems';
export { estimateOf, tooLong, warningsIn } from './preview';
export { formJson, type Question } from './form';
export {
	limitField,
	readLimit,
	returnAllField,
	simplifyField,
	type Offer,
	type Operation,
	operationProperties,
	type Operations,
	optionsField,
	previewField,
	previewFirstField,
	inOrder,
	locatorValue,
	optionNumber,
	parameterJson,
	parameterText,
	wholeNumber,
} from './operation';
export { carryOut, type LoopWorld, NEEDS_STEP, type Verdict } from './loop';
export {
	orderBy,
	type Rule,
	type Entry,
	type Forerunner,
	type Order,
	type Request,
	roundsOf,
} from './schedule';
export { fieldsOf, isRouted, report, toListError, toNodeError, withSameKeys } from './report';
export {
	EDITOR_LIMITS,
	readSettings,
	workflowTimeout,
	acceptUnverified,
	requestsField,
	type Settings,
} from './settings';

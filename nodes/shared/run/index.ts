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
} from './plan';
export { dispatch, type Removed } from './dispatch';
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
} from './operation';
export {
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
} from './outcome';
export { locatorValue, optionNumber, parameterJson, parameterText, wholeNumber } from './parameter';
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
export { type Read, readItems, type Output, runWrite } from './runItems';
export { fieldsOf, isRouted, report, toListError, toNodeError, withSameKeys } from './report';
export {
	EDITOR_LIMITS,
	readSettings,
	workflowTimeout,
	acceptUnverified,
	requestsField,
	type Settings,
} from './settings';

export { type ChangeBase, gained, kindOfDifference, lost, type RestOnChange } from './change';
export { dispatch, type Removed } from './dispatch';
export { estimateOf, tooLong } from './estimate';
export { formJson, type Question } from './form';
export { limitField, readLimit, returnAllField, simplifyField } from './listFields';
export {
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
	worstOf,
} from './outcome';
export { locatorValue, optionNumber, parameterJson, parameterText, wholeNumber } from './parameter';
export {
	type Applied,
	NO_ITEM,
	partKey,
	type Part,
	type Plan,
	type PlannedRequest,
	type Settled,
	type Step,
} from './plan';
export { carryOut, type LoopWorld, NEEDS_STEP, stoppedByCancel, type Verdict } from './loop';
export { orderBy, type Rule } from './order';
export { warningsIn } from './preview';
export { type Read, readItems } from './read';
export { report, toListError, toNodeError, withSameKeys } from './report';
export { type Output, runWrite } from './runWrite';
export { type Entry, type Forerunner, type Order, type Request, roundsOf } from './schedule';
export {
	EDITOR_LIMITS,
	readSettings,
	workflowTimeout,
	acceptUnverified,
	requestsField,
	type Settings,
} from './settings';

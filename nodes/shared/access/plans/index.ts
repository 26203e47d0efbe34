export { type Answer, readAnswer, requireAnswer } from './answer';
export { approvalForm, type Approved, approvedBy, leftOut, notByItsForm } from './approvalForm';
export { declined, openChanges } from './openChanges';
export {
	canonicalJson,
	checkPlan,
	checkSeal,
	isReview,
	type Plan,
	type PlanGuards,
	type PlannedChange,
	type PlanTraits,
	readPlan,
	sealPlan,
	stricterGuards,
} from './sealedPlan';
export { newKeyOf, newNameOf, type PresentPerson } from './stale';
export { summarize, type SummaryInput, type Unusable } from './summary';

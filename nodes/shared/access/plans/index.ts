export { approvalForm, type Approved, isApproval, leftOut, readApproved } from './approvalForm';
export { openChanges } from './openChanges';
export {
	canonicalJson,
	checkPlan,
	type Plan,
	type PlanGuards,
	type PlannedChange,
	type PlanTraits,
	readPlan,
	sealPlan,
	stricterGuards,
} from './sealedPlan';
export { newKeyOf, newNameOf, type PresentPerson } from './stale';
export { formText, summarize, type SummaryInput, type Unusable } from './summary';

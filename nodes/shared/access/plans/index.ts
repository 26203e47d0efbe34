export {
	type Answer,
	readAnswer,
	requireAnswer,
	approvalForm,
	type Approved,
	approvedBy,
	leftOut,
	notByItsForm,
} from './approval';
export { diff } from './diff';
export {
	declined,
	openChanges,
	canonicalJson,
	checkPlan,
	checkSeal,
	isReview,
	type Plan,
	placeOfPlan,
	planIdOf,
	type PlanGuards,
	type PlannedChange,
	type PlanTraits,
	readPlan,
	sealPlan,
	stricterGuards,
} from './sealedPlan';
export {
	planGroupCreations,
	planGroupDeletions,
	planGroupUpdates,
	type WantedGroup,
} from './planGroups';
export { planUpdates } from './planUsers';
export {
	ABSENT,
	absentWishes,
	newcomerWish,
	ofNewcomer,
	newLogin,
	noAccount,
	type UserRow,
	userRowWish,
	wantedAttributes,
} from './reconcileUsers';
export {
	type EndedRow,
	heldBackPlace,
	type ReconcileRules,
	reconcileWishes,
	rowWish,
	type RowWish,
	type Scope,
	scopeOf,
	type ShownLeaver,
	surplusIn,
	type Waits,
	type WantedByPerson,
	withoutAccess,
} from './reconcileWishes';
export {
	type ChangeOfRun,
	MOST_WARNINGS,
	summarize,
	summarizeRun,
	type SummaryInput,
	type Unusable,
} from './summary';
export { JOINT, pathsLacking, UNDO, undoOf, type UndoRules } from './undo';
export { renamed, takenOver, type TwoAccounts, whyNotRenamed, whyNotReplaced } from './twoAccounts';

export { type Access, type Assignment, assignmentsOf, countPeople } from './access';
export { accessReviewPage, type ReviewRow } from './accessReview';
export { type Alarm, watchBystanders } from './bystanders';
export { connect, CREDENTIAL, type ScimConnection } from './connection';
export { AbsentError, Directory, type Found, foundUser, userOf } from './directory';
export {
	adminQuestions,
	exceededLimit,
	guard,
	type GuardSettings,
	leaver,
	losingPeople,
	type LossBase,
	lossesOf,
	type LossLimits,
	newAdminsFirst,
	protection,
	protectsBy,
	type ProtectsBy,
	withinNumber,
} from './guards';
export { readLossLimits, safetyLimitsIn, safetyLimitsWith } from './lossLimits';
export { performStep } from './perform';
export type { Learned } from './performCommon';
export { putBackReplaced } from './performMembers';
export { meetExistingUsers } from './performUsers';
export {
	type AccessRules,
	hiddenMembers,
	planAccess,
	protectedPerson,
	unknownGroup,
	type WantedAccess,
} from './planAccess';
export { clashingChanges, type EmailChange, planChangeEmail } from './planChangeEmail';
export { type ApprovedPlan, planFromChanges, type ReadUsers } from './planFromChanges';
export {
	type NamedGroup,
	planGroupCreations,
	planGroupDeletions,
	planGroupUpdates,
	type WantedGroup,
	type WantedGroupChange,
} from './planGroups';
export { type Leaver, planLeavers } from './planLeavers';
export {
	type AccessChange,
	noContradiction,
	planReconcile,
	type ReconcileRules,
	type Reconciliation,
	type Scope,
	type ScopeNames,
	scopeOf,
	type UnusableRow,
	type WantedPerson,
} from './planReconcile';
export { asReplacements } from './planReplacement';
export { planRoles, type WantedRole } from './planRoles';
export {
	planActive,
	planDeletions,
	planPatches,
	planReplacements,
	planUpdate,
	planUsers,
	type WantedChange,
	type WantedUser,
	wantsUnseen,
} from './planUsers';
export { type Comparison, differs, summaryOf, totalsOf } from './reconcileSummary';
export { settledAccess } from './settledAccess';
export {
	agreedSnapshot,
	type EventKind,
	eventsBetween,
	holdingsOf,
	IN_GROUP,
	readSnapshot,
	type Snapshot,
	type SnapshotEvent,
	snapshotOf,
	unsureIn,
	withAccess,
	withHeld,
	withUsers,
	writeSnapshot,
} from './snapshot';
export {
	type AppliedPart,
	type Check,
	emptyProvisioningPlan,
	type Member,
	type Proof,
	type ProvisioningPlan,
	type ProvisioningResult,
	type ProvisioningStep,
} from './step';
export { verify } from './verify';

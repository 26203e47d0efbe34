export {
	type Access,
	ambiguousGroups,
	countPeople,
	idsByName,
	knowsPeopleIn,
	type Membership,
	membershipsOf,
	peopleIn,
	placeOfOrganization,
	reachedBy,
	stuckIn,
	usersShowGroups,
	valuesByUser,
} from './access';
export { approvalForm, type Approved, isApproval, leftOut, readApproved } from './approvalForm';
export { carryOutPlan } from './carryOutPlan';
export {
	type AccountChange,
	accountKey,
	accountOf,
	type Change,
	changeOf,
	deactivates,
	endedBy,
	type Ending,
	endingOf,
	type Entitlement,
	type EntitlementChange,
	gained,
	gainsIn,
	isGain,
	isValue,
	type Kind,
	kindOf,
	lossesIn,
	type Loss,
	lost,
	type Member,
	nameOf,
	peopleOf,
	type Rest,
	roleOf,
	subjectOf,
} from './change';
export { connect, type ScimConnection } from './connection';
export { authenticationField, credentialOf } from './credentialChoice';
export { TEST_REFUSALS, testScimProvisioning } from './credentialTest';
export {
	diff,
	heldValue,
	hiddenMembers,
	protectedPerson,
	unknownGroup,
	unknownOrganization,
} from './diff';
export {
	AbsentError,
	type Found,
	foundUser,
	incompleteAccess,
	isNotFound,
	UnknownKeyError,
	userOf,
	type WantedMatch,
} from './found';
export { createReader, type Reader } from './reader';
export { findClashes, findContradictions } from './contradictions';
export {
	emailsWith,
	takenOver,
	type TwoAccounts,
	whyNotRenamed,
	whyNotReplaced,
} from './twoAccounts';
export {
	ALL_GROUPS,
	type GroupReference,
	groupReferenceKey,
	groupReferenceLabel,
	type GroupSelection,
	matchGroups,
	noSuchGroup,
	pickGroup,
	selectGroups,
} from './groupReference';
export {
	type AdminQuestion,
	adminQuestions,
	countLosing,
	type GuardSettings,
	newAdminsFirst,
	permanentRemoval,
	protection,
	protectsBy,
	type ProtectsBy,
	rolesAsGroups,
} from './guards';
export { proofReads, proveGone } from './proof';
export { lackingOf, withoutIncomplete } from './requiredAttributes';
export { openChanges } from './openChanges';
export { newKeyOf, newNameOf, type PresentPerson } from './stale';
export {
	type NamedGroup,
	planGroupCreations,
	planGroupDeletions,
	planGroupUpdates,
	type WantedGroup,
} from './planGroups';
export {
	inactiveWarning,
	notKeptWarnings,
	type WantedChange,
	unseenWarnings,
	wantsUnseen,
} from './planUsers';
export {
	heldBackPlace,
	type ReconcileRules,
	reconcileWishes,
	type RowWish,
	rowWish,
	type Scope,
	scopeOf,
	type ShownLeaver,
	surplusIn,
	type WantedByPerson,
	withoutAccess,
} from './reconcileWishes';
export {
	ABSENT,
	absentWishes,
	newcomerWish,
	noAccount,
	userRowWish,
	type UserRow,
	type UserRules,
	wantedAttributes,
} from './reconcileUsers';
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
	withoutSecrets,
} from './sealedPlan';
export { manyAdded, RISK_KINDS, RISKS, type RiskKind, type Risky, riskyIn } from './risks';
export {
	ACCOUNT,
	agreedLook,
	type Difference,
	differencesBetween,
	type Fact,
	type FactsOfUser,
	type Coverage,
	type Holding,
	holdingsIn,
	isComparable,
	isDouble,
	isHolding,
	type Look,
	type Marking,
	seenGroup,
	type SeenGroup,
	seenValue,
	unsureIn,
	WATCHED,
	withFacts,
} from './facts';
export {
	type AppliedPart,
	nameIn,
	type ProvisioningPlan,
	type ProvisioningResult,
	type ProvisioningStep,
	type Settled,
	userIn,
	whoIs,
} from './result';
export { readsOf, stepsOf } from './requests';
export { groupOf, type Schedule, scheduleOf } from './schedule';
export { formText, type SummaryInput, summarize, type Unusable } from './summary';
export {
	type AffectedBase,
	type Excess,
	excessIn,
	excessWords,
	mostAffected,
	readVolumeLimits,
	safetyLimitsWith,
	type VolumeLimits,
	withinNumber,
} from './volumeLimits';
export type { NamedEntitlement, AccessRules, Diff, WantedUser, Wish } from './wish';

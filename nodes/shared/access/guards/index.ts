export {
	type AdminQuestion,
	lacksAdmin,
	newAdminsFirst,
	askForAdmins,
	keepsAdmin,
	withoutAdmins,
} from './admins';
export {
	resolveConflict,
	activityIn,
	activityShown,
	InactiveError,
	isOtherNow,
	whyNoGain,
	protectedPerson,
	protection,
	protectsBy,
	type ProtectsBy,
} from './accounts';
export {
	type GuardSettings,
	permanentRemoval,
	type Joins,
	joinsIn,
	manyAdded,
	RISK_KINDS,
	type RiskKind,
	RISKS,
	type Risky,
	riskyIn,
	tooManyAdded,
	beyondWords,
	type Excess,
	DEFAULT_LIMITS,
	excessIn,
	excessWords,
	type Most,
	mostAffected,
	readVolumeLimits,
	safetyLimitsWith,
	type VolumeLimits,
	withinNumber,
} from './limits';
export { type Case, judge, type Refusal } from './judge';
export { judgePlan, NOT_GIVEN, type Ruling } from './judgePlan';
export { hiddenMembers, otherGroup, unknownGroup, unknownOrganization } from './places';
export {
	lackingOf,
	withoutEmailNote,
	withoutIncomplete,
	withRequiredEmails,
	withTypoWarnings,
} from './newUsers';
export {
	heldIn,
	type HeldNow,
	nothingElseIn,
	otherAccess,
	sourceOf,
	unknownAccess,
	valuesBeyond,
} from './preconditions';
export {
	comesAlong,
	gives,
	isOfAccess,
	isUpdate,
	newKeyOf,
	newNameOf,
	type PersonChange,
	type PersonOfPlan,
	type PlanRules,
	type PresentPerson,
	otherPersonNow,
	strangerAt,
} from './samePerson';

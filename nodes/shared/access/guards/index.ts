export { type AdminQuestion, lacksAdmin, newAdminsFirst } from './admins';
export { resolveConflict } from './existing';
export { activityIn, activityShown, InactiveError, isOtherNow, whyNoGain } from './gains';
export { type GuardSettings, permanentRemoval } from './guardSettings';
export { type Case, judge, type Refusal } from './judge';
export { judgePlan, NOT_GIVEN, notEnded, type Ruling } from './judgePlan';
export { askForAdmins, keepsAdmin, withoutAdmins } from './lastAdmins';
export { hiddenMembers, otherGroup, unknownGroup, unknownOrganization } from './places';
export { protectedPerson, protection, protectsBy, type ProtectsBy } from './protection';
export {
	lackingOf,
	withoutEmailNote,
	withoutIncomplete,
	withRequiredEmails,
} from './requiredAttributes';
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
} from './samePerson';
export { otherPersonNow, strangerAt } from './stranger';
export { withTypoWarnings } from './typos';
export {
	type Joins,
	joinsIn,
	manyAdded,
	RISK_KINDS,
	type RiskKind,
	RISKS,
	type Risky,
	riskyIn,
	tooManyAdded,
} from './risks';
export {
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
} from './volumeLimits';

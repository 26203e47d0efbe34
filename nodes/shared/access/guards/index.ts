export { type AdminQuestion, adminQuestions, lacksAdmin, newAdminsFirst } from './admins';
export { gainsNothingNow, isOtherNow, whyNoGain } from './gains';
export { type GuardSettings, permanentRemoval } from './guardSettings';
export { protection, protectsBy, type ProtectsBy } from './protection';
export { lackingOf, withoutIncomplete } from './requiredAttributes';
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
	excessIn,
	excessWords,
	mostAffected,
	readVolumeLimits,
	safetyLimitsWith,
	type VolumeLimits,
	withinNumber,
} from './volumeLimits';

export { scimAdvice } from './advice';
export { type Capabilities, probeCapabilities } from './client/capabilities';
export type { Form, FormName, Forms } from './client/forms';
export type { Keeping } from './client/wire';
export {
	listPageIn,
	type Listing,
	type ListLimits,
	type ListQuery,
	wholeList,
} from './client/listing';
export { calledUser } from './protocol/called';
export type { GroupFilterAnswer, GroupNames } from './client/groups';
export { createScimClient, type ScimClient } from './client/scimClient';
export { type Activity, shownActive, shownActivity } from './facts/activity';
export { type Asked, Facts, type Leaving } from './facts/facts';
export { type FilterAnswer, Listed, Questions } from './facts/questions';
export {
	idsIn,
	isCut,
	mayHideSome,
	showsGroup,
	type Showing,
	usersSaidIn,
	whyGroupsOpen,
	whyOpen,
	wordOf,
} from './facts/members';
export { ALL, NOT_SO, type NotTold, notTold, SO, type Told, type Whole } from './facts/told';
export { inWords, namesIn, putAttribute } from './protocol/attributePath';
export {
	accessReachedInPart,
	type AccessValue,
	findValues,
	holdsOneValue,
	lostValues,
	patchValues,
	replaceValues,
	type ValueChanges,
	valueKey,
	valueLabel,
	valuesOf,
} from './protocol/accessValues';
export {
	compareAttributes,
	type Comparison,
	compareUser,
	lostPaths,
	compareWholeLists,
	isSameSpelling,
	missedParts,
	otherValues,
} from './protocol/compare';
export { isScimError } from './protocol/error';
export { comparedAttributes, contains, valuesByFilter } from './protocol/filter';
export {
	type GroupMeaning,
	type GroupMeaning as GroupIds,
	groupMeaning,
	type GroupPattern,
	normalizeOrganization,
	type OrganizationRole,
} from './protocol/groupMeaning';
export type { KnownAttributes, KnowsAttribute } from './protocol/knownAttributes';
export {
	indexUsers,
	mainEmail,
	type MatchAttribute,
	type Matching,
	matchingBy,
	namesOf,
	type Unmatched,
	type UserIndex,
	withEmailTypes,
	withMainEmail,
	withWholeLists,
} from './protocol/matching';
export {
	changeMembers,
	type KeptOfGroup,
	memberEntry,
	patchBody,
	type PatchBody,
	replaceAttributes,
	replaceWhole,
	wholeGroup,
	withoutPaths,
} from './protocol/patch';
export { resourcePath } from './protocol/paths';
export type { RequiredAttribute } from './protocol/requiredAttributes';
export * as requests from './protocol/requests';
export type { WriteRequest } from './protocol/requests';
export {
	attribute,
	type Attributes,
	attributesAlone,
	type Group,
	isAttributeName,
	readText,
	SCHEMA,
	type User,
	readBoolean,
	valueAt,
	versionOf,
	withCanonicalNames,
} from './protocol/resource';
export { MASK, secretNamesIn, withMaskedSecrets, withoutSecrets } from './protocol/secrets';
export { userAttributes, type UserAttribute } from './protocol/userSchema';
export { PRESETS, type ProfileName, PROFILES } from './protocol/presets';
export { accountRole, type ServiceProfile } from './protocol/service';
export { type ScimPrefix, type Traits, TRAITS } from './protocol/traits';

export { scimAdvice, isScimError } from './protocol/errors';
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
export {
	calledUser,
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
export type { GroupFilterAnswer, GroupNames } from './client/groups';
export { createScimClient, type ScimClient } from './client/scimClient';
export {
	type Activity,
	shownActive,
	shownActivity,
	type FilterAnswer,
	Listed,
	Questions,
	ALL,
	NOT_SO,
	type NotTold,
	notTold,
	SO,
	type Told,
	type Whole,
} from './facts/told';
export { type Asked, Facts, type Leaving } from './facts/facts';
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
export {
	inWords,
	namesIn,
	putAttribute,
	comparedAttributes,
	contains,
	valuesByFilter,
} from './protocol/paths';
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
export {
	type GroupMeaning,
	groupMeaning,
	type GroupPattern,
	normalizeOrganization,
	type OrganizationRole,
} from './protocol/groupMeaning';
export {
	type KnownAttributes,
	type KnowsAttribute,
	type RequiredAttribute,
	userAttributes,
	type UserAttribute,
} from './protocol/schema';
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
export { resourcePath, type WriteRequest } from './protocol/requests';
export * as requests from './protocol/requests';
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
	MASK,
	secretNamesIn,
	withMaskedSecrets,
	withoutSecrets,
} from './protocol/resource';
export {
	PRESETS,
	type ProfileName,
	PROFILES,
	accountRole,
	type ServiceProfile,
} from './protocol/service';
export { type ScimPrefix, type Traits, TRAITS } from './protocol/traits';

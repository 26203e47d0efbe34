export { scimAdvice } from './advice';
export { type Capabilities, probeCapabilities } from './client/capabilities';
export {
	incompleteList,
	isRound,
	type Listing,
	type ListLimits,
	type ListQuery,
	wholeList,
} from './client/listing';
export { createScimClient, type FilterAnswer, type ScimClient } from './client/scimClient';
export { compareAttributes, compareUser } from './protocol/compare';
export { isScimError } from './protocol/error';
export { comparedAttributes, contains } from './protocol/filter';
export {
	type GroupIds,
	groupIds,
	normalizeOrganization,
	type OrganizationRole,
} from './protocol/groupId';
export type { KnowsAttribute } from './protocol/knownAttributes';
export type { ListPage } from './protocol/listPage';
export {
	changeMembers,
	type KeptOfGroup,
	patchBody,
	type PatchBody,
	replaceAttributes,
	wholeGroup,
} from './protocol/patch';
export { resourcePath } from './protocol/paths';
export {
	type ProfileName,
	PROFILES,
	type ScimPrefix,
	type ServiceProfile,
} from './protocol/profile';
export {
	attribute,
	type Attributes,
	type Group,
	readGroup,
	readUser,
	SCHEMA,
	type User,
	withCanonicalNames,
} from './protocol/resource';

export {
	connect,
	rolesAsGroups,
	type ScimConnection,
	authenticationField,
	credentialOf,
} from './connection';
export { TEST_REFUSALS, testScimProvisioning } from './credentialTest';

export { connect, rolesAsGroups, type ScimConnection } from './connection';
export { authenticationField, credentialOf } from './credentialChoice';
export { TEST_REFUSALS, testScimProvisioning } from './credentialTest';

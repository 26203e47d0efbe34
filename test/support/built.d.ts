// The classes that n8n loads, as `npm run build` made them.

export { NotificationActionsApi } from '../../credentials/NotificationActionsApi.credentials';
export { ScimProvisioningApi } from '../../credentials/ScimProvisioningApi.credentials';
export { ScimProvisioningOAuth2Api } from '../../credentials/ScimProvisioningOAuth2Api.credentials';
export { NotificationActions } from '../../nodes/NotificationActions/NotificationActions.node';
export { ScimProvisioningTrigger } from '../../nodes/ScimProvisioningTrigger/ScimProvisioningTrigger.node';
export { ScimProvisioning } from '../../nodes/ScimProvisioning/ScimProvisioning.node';

export const alertCodex: object;
export const codex: object;
export const triggerCodex: object;

// The classes that n8n loads, as `npm run build` made them.

export { NotificationActionsApi } from '../../credentials/NotificationActionsApi.credentials';
export { ScimProvisioningApi } from '../../credentials/ScimProvisioningApi.credentials';
export { ScimProvisioning } from '../../nodes/ScimProvisioning/ScimProvisioning.node';

export const codex: object;

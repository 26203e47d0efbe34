'use strict';

// The classes that n8n loads, as `npm run build` made them.

const {
	NotificationActionsApi,
} = require('../../dist/credentials/NotificationActionsApi.credentials.js');
const {
	ScimProvisioningApi,
} = require('../../dist/credentials/ScimProvisioningApi.credentials.js');
const {
	ScimProvisioningOAuth2Api,
} = require('../../dist/credentials/ScimProvisioningOAuth2Api.credentials.js');
const {
	NotificationActions,
} = require('../../dist/nodes/NotificationActions/NotificationActions.node.js');
const alertCodex = require('../../dist/nodes/NotificationActions/NotificationActions.node.json');
const { ScimProvisioning } = require('../../dist/nodes/ScimProvisioning/ScimProvisioning.node.js');
const {
	ScimProvisioningTrigger,
} = require('../../dist/nodes/ScimProvisioningTrigger/ScimProvisioningTrigger.node.js');
const triggerCodex = require('../../dist/nodes/ScimProvisioningTrigger/ScimProvisioningTrigger.node.json');
const codex = require('../../dist/nodes/ScimProvisioning/ScimProvisioning.node.json');

module.exports = {
	NotificationActions,
	NotificationActionsApi,
	ScimProvisioning,
	ScimProvisioningApi,
	ScimProvisioningOAuth2Api,
	ScimProvisioningTrigger,
	alertCodex,
	codex,
	triggerCodex,
};

'use strict';

// The classes that n8n loads, as `npm run build` made them.

const {
	NotificationActionsApi,
} = require('../../dist/credentials/NotificationActionsApi.credentials.js');
const {
	ScimProvisioningApi,
} = require('../../dist/credentials/ScimProvisioningApi.credentials.js');
const {
	NotificationActions,
} = require('../../dist/nodes/NotificationActions/NotificationActions.node.js');
const alertCodex = require('../../dist/nodes/NotificationActions/NotificationActions.node.json');
const { ScimProvisioning } = require('../../dist/nodes/ScimProvisioning/ScimProvisioning.node.js');
const codex = require('../../dist/nodes/ScimProvisioning/ScimProvisioning.node.json');

module.exports = {
	NotificationActions,
	NotificationActionsApi,
	ScimProvisioning,
	ScimProvisioningApi,
	alertCodex,
	codex,
};

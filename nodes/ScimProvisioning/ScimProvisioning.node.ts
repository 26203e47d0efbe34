import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { authenticationField, testScimProvisioning } from '../shared/connection';
import { acceptUnverified, dispatch, operationProperties, requestsField } from '../shared/run';
import { operations, REMOVED_OPERATIONS } from './operations';
import { searchGroups, searchOrganizations, searchUsers } from './listSearch';
import {
	getListedUserAttributes,
	getMoreUserAttributes,
	getNewUserAttributes,
	getUserAttributes,
} from './resourceMapping';

export class ScimProvisioning implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SCIM Provisioning',
		name: 'scimProvisioning',
		icon: { light: 'file:../../icons/scim.svg', dark: 'file:../../icons/scim.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle:
			'={{ $parameter["operation"][0].toUpperCase() + $parameter["operation"].slice(1).replace(/[A-Z]/g, " $&") + ": " + $parameter["resource"] }}',
		description: 'Provision users, groups and access over SCIM 2.0',
		defaults: { name: 'SCIM Provisioning' },
		usableAsTool: true,
		builderHint: {
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-scim-provisioning.scimProvisioningTrigger',
					relationHint: 'Starts a workflow when users or their access change',
				},
			],
			// Newer than the types that the package is built with.
			...{
				searchHint:
					'Use the resource Access for people and their roles: Assign for joiners, Offboard for leavers, Reconcile for a whole list. Turn on Preview to see the plan first.',
			},
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'scimProvisioningApi',
				required: true,
				displayOptions: { show: { authentication: ['apiCredential'] } },
				testedBy: 'testScimProvisioning',
			},
			{
				name: 'scimProvisioningOAuth2Api',
				required: true,
				displayOptions: { show: { authentication: ['oAuth2'] } },
			},
		],
		properties: [
			authenticationField,
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Access', value: 'access' },
					{ name: 'Group', value: 'group' },
					{ name: 'Service', value: 'service' },
					{ name: 'User', value: 'user' },
				],
				default: 'user',
			},
			...operationProperties(operations, {
				user: 'create',
				group: 'getAll',
				access: 'assign',
				service: 'getCapabilities',
			}),
			requestsField(['maxMemory', 'maxWait', 'timeout', 'verifyTime'], acceptUnverified),
		],
	};

	methods = {
		credentialTest: { testScimProvisioning },
		listSearch: { searchGroups, searchOrganizations, searchUsers },
		resourceMapping: {
			getListedUserAttributes,
			getMoreUserAttributes,
			getNewUserAttributes,
			getUserAttributes,
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await dispatch(this, operations, REMOVED_OPERATIONS);
	}
}

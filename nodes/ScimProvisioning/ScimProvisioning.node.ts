import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { authenticationField, testScimProvisioning } from '../shared/access';
import { dispatch } from '../shared/run';
import { operationFields, operations } from './operations';
import { searchGroups, searchOrganizations, searchUsers } from './listSearch';
import { getNewUserAttributes, getUserAttributes } from './resourceMapping';

export class ScimProvisioning implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SCIM Provisioning',
		name: 'scimProvisioning',
		icon: { light: 'file:../../icons/scim.svg', dark: 'file:../../icons/scim.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
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
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				displayOptions: { show: { resource: ['user'] } },
				options: [
					{
						name: 'Activate',
						value: 'activate',
						action: 'Activate user',
						description: 'Reactivate a user. Previous memberships are not restored.',
					},
					{
						name: 'Create',
						value: 'create',
						action: 'Create user',
						description: 'Create a new user',
					},
					{
						name: 'Create or Update',
						value: 'upsert',
						action: 'Create or update user',
						description:
							'Create a new user, or update the current one if it already exists (upsert)',
					},
					{
						name: 'Deactivate',
						value: 'deactivate',
						action: 'Deactivate user',
						description: 'Lock a user out. On some services this removes all memberships.',
					},
					{
						name: 'Delete',
						value: 'delete',
						action: 'Delete user',
						description: 'Delete a user permanently, with all access',
					},
					{ name: 'Get', value: 'get', action: 'Get user', description: 'Retrieve a user' },
					{
						name: 'Get Many',
						value: 'getAll',
						action: 'Get many users',
						description: 'Retrieve a list of users',
					},
					{
						name: 'Reconcile',
						value: 'reconcile',
						action: 'Reconcile users',
						description:
							'Create and update users to match a list. With Absent Users, deactivate the others, too.',
					},
					{
						name: 'Update',
						value: 'update',
						action: 'Update user',
						description: 'Update the attributes of a user',
					},
				],
				default: 'create',
			},
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				displayOptions: { show: { resource: ['group'] } },
				options: [
					{
						name: 'Add Members',
						value: 'addMembers',
						action: 'Add members to group',
						description:
							'Add people to a group. On account organizations this replaces their other role there.',
					},
					{
						name: 'Create',
						value: 'create',
						action: 'Create group',
						description: 'Create a group, on services that allow it',
					},
					{
						name: 'Delete',
						value: 'delete',
						action: 'Delete group',
						description: 'Delete a group permanently. Its members lose the access it gives.',
					},
					{
						name: 'Get',
						value: 'get',
						action: 'Get group',
						description: 'Retrieve a group',
					},
					{
						name: 'Get Many',
						value: 'getAll',
						action: 'Get many groups',
						description: 'Retrieve a list of groups',
					},
					{
						name: 'Remove Members',
						value: 'removeMembers',
						action: 'Remove members from group',
						description: 'Remove people from a group. Their other groups are left alone.',
					},
					{
						name: 'Set Members',
						value: 'setMembers',
						action: 'Set members of group',
						description: 'Set the exact members of a group. Everybody else is removed.',
					},
					{
						name: 'Update',
						value: 'update',
						action: 'Update group',
						description: 'Update the attributes of a group',
					},
				],
				default: 'getAll',
			},
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				displayOptions: { show: { resource: ['access'] } },
				options: [
					{
						name: 'Apply Plan',
						value: 'applyPlan',
						action: 'Apply access plan',
						description: 'Apply a previewed plan after approval, with all its grants and removals',
					},
					{
						name: 'Assign',
						value: 'assign',
						action: 'Assign access to users',
						description: 'Assign groups or roles to new or existing users',
					},
					{
						name: 'Change Email',
						value: 'changeEmail',
						action: 'Change email of user',
						description:
							'Change the user name, or replace the account: the old account is deactivated',
					},
					{
						name: 'Get',
						value: 'get',
						action: 'Get access of user',
						description: 'Retrieve the groups and roles of a user',
					},
					{
						name: 'Get Matrix',
						value: 'getMatrix',
						action: 'Get access matrix',
						description: 'Retrieve all users with their groups and roles, for an access review',
					},
					{
						name: 'Offboard',
						value: 'offboard',
						action: 'Offboard users',
						description:
							'Deactivate or delete users who leave, remove all their access, and verify it',
					},
					{
						name: 'Reconcile',
						value: 'reconcile',
						action: 'Reconcile access with list',
						description:
							'Make access match a complete list. Access in scope that is not listed is removed.',
					},
					{
						name: 'Revoke',
						value: 'revoke',
						action: 'Revoke access from users',
						description: 'Remove groups or roles from users',
					},
					{
						name: 'Set',
						value: 'set',
						action: 'Set access of users',
						description:
							'Give users exactly these groups or roles. Others are removed, groups only within Managed Groups.',
					},
				],
				default: 'assign',
			},
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				displayOptions: { show: { resource: ['service'] } },
				options: [
					{
						name: 'Get Capabilities',
						value: 'getCapabilities',
						action: 'Get capabilities of service',
						description:
							'Find out what the service supports and which credential settings fit. Nothing is changed.',
					},
				],
				default: 'getCapabilities',
			},
			...operationFields,
		],
	};

	methods = {
		credentialTest: { testScimProvisioning },
		listSearch: { searchGroups, searchOrganizations, searchUsers },
		resourceMapping: { getNewUserAttributes, getUserAttributes },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await dispatch(this, operations);
	}
}

import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { dispatch } from '../shared/run';
import { operationFields, operations } from './operations';
import { searchGroups, searchOrganizations, searchUsers } from './listSearch';

export class ScimProvisioning implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SCIM Provisioning',
		name: 'scimProvisioning',
		icon: { light: 'file:../../icons/scim.svg', dark: 'file:../../icons/scim.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Provision people and their roles in organizations over SCIM 2.0',
		defaults: { name: 'SCIM Provisioning' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'scimProvisioningApi', required: true }],
		properties: [
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
						description: 'Let an inactive user in again; lost memberships do not come back',
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
						description: 'Lock a user out, which on some services drops all memberships',
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
							'Add people to a group, which gives them its role; on account organizations it replaces their other role there',
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
						description: 'Delete a group permanently; everybody in it loses what it gives',
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
						description: 'Remove people from a group, if they are in that very group',
					},
					{
						name: 'Set Members',
						value: 'setMembers',
						action: 'Set members of group',
						description: 'Make the members of a group exactly a list; everybody else is removed',
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
						action: 'Apply plan of access',
						description:
							'Apply a plan that Reconcile has previewed, after it was approved; access is given and taken away as it says',
					},
					{
						name: 'Assign',
						value: 'assign',
						action: 'Assign role to people',
						description: 'Give people a role in organizations, and create who is missing (joiner)',
					},
					{
						name: 'Change Email',
						value: 'changeEmail',
						action: 'Change email of user',
						description:
							'Change the user name; where it is fixed, a new account gets the access and the old account is deactivated',
					},
					{
						name: 'Get',
						value: 'get',
						action: 'Get access of user',
						description: 'Retrieve the roles that a person has',
					},
					{
						name: 'Get Matrix',
						value: 'getMatrix',
						action: 'Get access matrix',
						description:
							'Retrieve everybody with their role in every organization, for an access review',
					},
					{
						name: 'Offboard',
						value: 'offboard',
						action: 'Offboard people',
						description:
							'Deactivate or delete people who leave, take all their access, and prove it (leaver)',
					},
					{
						name: 'Reconcile',
						value: 'reconcile',
						action: 'Reconcile access with a list',
						description:
							'Compare a whole list of who should have which role where with what is there, and make it so; access in scope that the list lacks is taken away',
					},
					{
						name: 'Revoke',
						value: 'revoke',
						action: 'Revoke role from people',
						description: 'Take the role in one organization or in all of them from people',
					},
					{
						name: 'Set',
						value: 'set',
						action: 'Set access of user',
						description:
							'Make the roles of a person exactly a list (mover); every other role is taken away',
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
							'Find out what the service can do and which settings of the credential fit; nothing is written',
					},
				],
				default: 'getCapabilities',
			},
			...operationFields,
		],
	};

	methods = { listSearch: { searchGroups, searchOrganizations, searchUsers } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await dispatch(this, operations);
	}
}

import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { dispatch } from '../shared/run';
import { operationFields, operations } from './operations';
import { searchActions, searchModels, searchMonitors } from './listSearch';

export class NotificationActions implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Notification Actions',
		name: 'notificationActions',
		icon: {
			light: 'file:../../icons/notification.svg',
			dark: 'file:../../icons/notification.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Deliver the alerts of monitors: create notification actions and attach them',
		defaults: { name: 'Notification Actions' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'notificationActionsApi', required: true }],
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Action', value: 'action' },
					{ name: 'Monitor', value: 'monitor' },
					{ name: 'Monitor Configuration', value: 'monitorConfiguration' },
				],
				default: 'action',
			},
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				displayOptions: { show: { resource: ['action'] } },
				options: [
					{
						name: 'Create or Update',
						value: 'upsert',
						action: 'Create or update action',
						description:
							'Create a new action, or update the current one if it already exists (upsert)',
					},
					{
						name: 'Delete',
						value: 'delete',
						action: 'Delete action',
						description: 'Delete an action permanently; its ID can never be used again',
					},
					{
						name: 'Disable',
						value: 'disable',
						action: 'Disable action',
						description: 'Stop the deliveries of an action, for all monitors',
					},
					{
						name: 'Enable',
						value: 'enable',
						action: 'Enable action',
						description: 'Let an action deliver again',
					},
					{
						name: 'Get',
						value: 'get',
						action: 'Get action',
						description: 'Retrieve an action',
					},
					{
						name: 'Get Many',
						value: 'getAll',
						action: 'Get many actions',
						description: 'Retrieve a list of actions',
					},
					{
						name: 'Send Test',
						value: 'sendTest',
						action: 'Send test to action',
						description: 'Have the service deliver a test message, once',
					},
				],
				default: 'upsert',
			},
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				displayOptions: { show: { resource: ['monitor'] } },
				options: [
					{
						name: 'Attach Action',
						value: 'attach',
						action: 'Attach action to monitors',
						description: 'Have monitors deliver to an action, beside what they have',
					},
					{
						name: 'Detach Action',
						value: 'detach',
						action: 'Detach action from monitors',
						description: 'Have monitors no longer deliver to an action',
					},
					{
						name: 'Get Many',
						value: 'getAll',
						action: 'Get many monitors',
						description: 'Retrieve the monitors of models, with the actions they have',
					},
					{
						name: 'Replace Action',
						value: 'replaceAction',
						action: 'Replace action on monitors',
						description: 'Detach an action wherever it is, and attach another in its place',
					},
					{
						name: 'Set Actions',
						value: 'setActions',
						action: 'Set actions of monitors',
						description:
							'Make the actions of monitors exactly a list; every other action is detached',
					},
				],
				default: 'attach',
			},
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				displayOptions: { show: { resource: ['monitorConfiguration'] } },
				options: [
					{
						name: 'Get',
						value: 'get',
						action: 'Get monitor configuration',
						description: 'Retrieve the whole monitor configuration of a model',
					},
					{
						name: 'Update',
						value: 'update',
						action: 'Update monitor configuration',
						description:
							'Replace the whole monitor configuration of a model; monitors that it lacks are removed',
					},
				],
				default: 'get',
			},
			...operationFields,
		],
	};

	methods = { listSearch: { searchActions, searchModels, searchMonitors } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await dispatch(this, operations);
	}
}

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
		description: 'Create notification actions and attach them to monitors',
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
					{ name: 'Monitor', value: 'monitor' },
					{ name: 'Monitor Configuration', value: 'monitorConfiguration' },
					// Not Action: n8n puts "Actions" behind the name in its list.
					{ name: 'Notification', value: 'action' },
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
						description: 'Delete an action permanently. Its ID can never be used again.',
					},
					{
						name: 'Disable',
						value: 'disable',
						action: 'Disable action',
						description: 'Stop the deliveries of an action for all monitors',
					},
					{
						name: 'Enable',
						value: 'enable',
						action: 'Enable action',
						description: 'Resume the deliveries of an action',
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
						description: 'Deliver one test message through an action',
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
						description: 'Add an action to monitors, keeping their other actions',
					},
					{
						name: 'Detach Action',
						value: 'detach',
						action: 'Detach action from monitors',
						description: 'Remove an action from monitors. They no longer deliver to it.',
					},
					{
						name: 'Get Many',
						value: 'getAll',
						action: 'Get many monitors',
						description: 'Retrieve a list of monitors with their actions',
					},
					{
						name: 'Replace Action',
						value: 'replaceAction',
						action: 'Replace action on monitors',
						description: 'Detach an action from monitors and attach another in its place',
					},
					{
						name: 'Set Actions',
						value: 'setActions',
						action: 'Set actions of monitors',
						description: 'Replace all actions of monitors: every other action is detached',
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
							'Replace the whole configuration of a model. Monitors missing from it are removed.',
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

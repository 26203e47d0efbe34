import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { dispatch, operationProperties, requestsField } from '../shared/run';
import { operations } from './operations';
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
		subtitle:
			'={{ $parameter["operation"][0].toUpperCase() + $parameter["operation"].slice(1).replace(/[A-Z]/g, " $&") + ": " + $parameter["resource"] }}',
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
			...operationProperties(operations, {
				action: 'upsert',
				monitor: 'attach',
				monitorConfiguration: 'get',
			}),
			requestsField(['maxMemory', 'maxWait', 'timeout', 'verifyTime']),
		],
	};

	methods = { listSearch: { searchActions, searchModels, searchMonitors } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await dispatch(this, operations);
	}
}

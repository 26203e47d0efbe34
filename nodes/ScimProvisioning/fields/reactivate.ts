import type { INodeProperties } from 'n8n-workflow';

/** On everything that gives access to people. */
export const reactivateOption: INodeProperties = {
	displayName: 'Reactivate',
	name: 'reactivate',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description: 'Whether to activate users who are inactive; otherwise they get no access',
};

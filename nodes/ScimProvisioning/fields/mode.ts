import type { INodeProperties } from 'n8n-workflow';

/** Of operations that compare a whole list: they are to be previewed first. */
export const modeField: INodeProperties = {
	displayName: 'Mode',
	name: 'mode',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Apply', value: 'apply', description: 'Make the changes' },
		{
			name: 'Preview',
			value: 'preview',
			description: 'Return the planned changes and a summary, and change nothing',
		},
	],
	default: 'preview',
	description: 'Whether to only plan the changes, or to make them',
};

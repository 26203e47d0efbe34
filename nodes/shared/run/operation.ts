import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

/** One operation of the node: its fields, and what it does with all items of an execution. */
export interface Operation {
	fields: INodeProperties[];
	execute(context: IExecuteFunctions): Promise<INodeExecutionData[]>;
}

/** Shows fields for one operation of one resource only; conditions that a field has already stay. */
export function showFor(
	resource: string,
	operation: string,
	fields: INodeProperties[],
): INodeProperties[] {
	return fields.map((field) => ({
		...field,
		displayOptions: {
			...field.displayOptions,
			show: { ...field.displayOptions?.show, resource: [resource], operation: [operation] },
		},
	}));
}

/** On everything that writes. */
export const previewField: INodeProperties = {
	displayName: 'Preview',
	name: 'preview',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description:
		'Whether to only show what would be done: one item with the plan comes out, and nothing is changed',
};

/** The Options collection, last of every operation's fields. */
export function optionsField(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...options].sort((a, b) => a.displayName.localeCompare(b.displayName)),
	};
}

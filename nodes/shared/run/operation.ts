import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { isObject } from '../util';

/** One operation of the node: its fields, and what it does with all items of an execution. */
export interface Operation {
	fields: INodeProperties[];
	/** The fields of every item, for one that failed where `execute` itself throws. */
	blank?(context: IExecuteFunctions): IDataObject;
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
	description: 'Whether to return the planned changes without making them',
};

/** On what compares a whole list, where a wrong list would concern everybody: it shows the plan until it is turned off. */
export const previewFirstField: INodeProperties = {
	...previewField,
	default: true,
	description: 'Whether to only return the planned changes. Turn this off to make them.',
};

/** The Options collection, last of every operation's fields. */
export function optionsField(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: inOrder(options),
	};
}

/** One entry of Options that holds several settings, each for the whole execution. */
export function settingsOption(
	displayName: string,
	name: string,
	description: string,
	settings: INodeProperties[],
): INodeProperties {
	return {
		displayName,
		name,
		type: 'fixedCollection',
		noDataExpression: true,
		typeOptions: { multipleValues: false },
		// With the group in it, so that the settings show as soon as the entry is added.
		default: { values: {} },
		description,
		options: [{ displayName, name: 'values', values: inOrder(settings) }],
	};
}

/** The settings of such an entry; empty when it was not added. */
export function settingsIn(options: IDataObject, name: string): Record<string, unknown> {
	const entry: unknown = options[name];
	return isObject(entry) && isObject(entry.values) ? entry.values : {};
}

function inOrder(fields: INodeProperties[]): INodeProperties[] {
	return [...fields].sort((a, b) => a.displayName.localeCompare(b.displayName));
}

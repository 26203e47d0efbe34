import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

/** How the editor offers an operation. */
export interface Offer {
	/** In title case, e.g. "Get Many". */
	name: string;
	/** What n8n's list of actions and AI tools say, e.g. "Get many users". */
	action: string;
	description: string;
	fields: INodeProperties[];
}

/** One operation of a node: how it is offered, and what it does with all items of an execution. */
export interface Operation extends Offer {
	/** The fields of every item, for one that failed where `execute` itself throws. */
	blank?(context: IExecuteFunctions): IDataObject;
	execute(context: IExecuteFunctions): Promise<INodeExecutionData[]>;
}

/** Every operation of a node, by resource and by the value of the Operation field. */
export type Operations = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/**
 * The Operation field of every resource, then the fields of all operations, each shown for its own.
 * @param defaults the operation that is chosen first, by resource
 */
export function operationProperties<O extends Operations>(
	operations: O,
	defaults: { [resource in keyof O]: keyof O[resource] & string },
): INodeProperties[] {
	return [
		...Object.entries<string>(defaults).map(([resource, chosen]): INodeProperties => ({
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [resource] } },
			options: Object.entries(operations[resource])
				.map(([value, { name, action, description }]) => ({ name, value, action, description }))
				.sort((a, b) => a.name.localeCompare(b.name)),
			default: chosen,
		})),
		...Object.entries<Operations[string]>(operations).flatMap(([resource, own]) =>
			Object.entries(own).flatMap(([operation, { fields }]) =>
				showFor(resource, operation, fields),
			),
		),
	];
}

/** Shows fields for one operation of one resource only; conditions that a field has already stay. */
function showFor(
	resource: string,
	operation: string,
	fields: readonly INodeProperties[],
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

/** On what compares a whole list, where a wrong list would concern all users: it shows the plan until it is turned off. */
export const previewFirstField: INodeProperties = {
	...previewField,
	default: true,
	description: 'Whether to only return the planned changes. Turn this off to make them.',
};

/** The Options collection, last of an operation's fields. */
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

export function inOrder(fields: INodeProperties[]): INodeProperties[] {
	return [...fields].sort((a, b) => a.displayName.localeCompare(b.displayName));
}

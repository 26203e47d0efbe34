import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { wholeNumber } from './parameter';

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
 * Makes the Operation field of every resource, then the fields of all operations.
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
		...Object.entries(operations).flatMap(([resource, own]) => fieldsOf(resource, own)),
	];
}

/**
 * The fields of all operations of a resource, each in its order and shown for its operation only; conditions that a field
 * has already stay. A field that several operations have alike is there once.
 */
function fieldsOf(resource: string, own: Operations[string]): INodeProperties[] {
	const all: Array<{ text: string; field: INodeProperties; operation: string[] }> = [];
	for (const [operation, { fields }] of Object.entries(own)) {
		let at = 0;
		for (const field of fields) {
			const text = JSON.stringify(field);
			const same = all.findIndex((one, index) => index >= at && one.text === text);
			if (same < 0) all.splice(at, 0, { text, field, operation: [operation] });
			else all[same].operation.push(operation);
			at = Math.max(at, same) + 1;
		}
	}
	return all.map(({ field, operation }) => ({
		...field,
		displayOptions: {
			...field.displayOptions,
			show: { ...field.displayOptions?.show, resource: [resource], operation },
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

/** Makes the Options collection, last of an operation's fields. */
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

/** Sorts fields by the names that people see. */
export function inOrder(fields: INodeProperties[]): INodeProperties[] {
	return [...fields].sort((a, b) => a.displayName.localeCompare(b.displayName));
}

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

export const returnAllField: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

export const limitField: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
	displayOptions: { show: { returnAll: [false] } },
};

/**
 * Reads how many results are wanted at most; undefined for all.
 * @throws InputError for a limit that is no whole number from 1
 */
export function readLimit(context: IExecuteFunctions, item: number): number | undefined {
	if (context.getNodeParameter('returnAll', item, false) === true) return undefined;
	return wholeNumber('Limit', context.getNodeParameter('limit', item, 50), 1);
}

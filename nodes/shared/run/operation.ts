import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { cachedPerObject, checkDepth, InputError, isObject, parseJson } from '../util';

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
		...once(
			Object.entries(operations).flatMap(([resource, own]) =>
				Object.entries(own).map(([operation, { fields }]) => ({ resource, operation, fields })),
			),
		),
	];
}

/** The fields of an operation, or what a collection of it has inside. */
interface Own {
	resource: string;
	operation: string;
	fields: INodeProperties[];
}

/** A field that several operations have alike; of a collection, with what each of them has inside. */
interface Shared {
	field: INodeProperties;
	inside: Map<Own, INodeProperties[]>;
}

/**
 * The fields of all operations, each operation's in its order and shown for it only; conditions that a field has already
 * stay. A field that several operations have alike is there once, and a collection with all that one of them has inside.
 * @param root how n8n is told the fields Resource and Operation from inside: with a slash
 */
function once(all: Own[], root = ''): INodeProperties[] {
	const left = sharedIn(all);
	const ordered: INodeProperties[] = [];
	for (;;) {
		const heads = [...left.values()].flatMap(([head]) => head ?? []);
		const isLast = (head: Shared) => [...left.values()].every((own) => own.indexOf(head) <= 0);
		// Where operations have fields in orders that contradict, one is there twice.
		const next = heads.find(isLast) ?? heads[0];
		if (next === undefined) return ordered;
		const by = all.filter((own) => left.get(own)?.[0] === next);
		for (const own of by) left.get(own)?.shift();
		for (const set of asConditions(by, all)) ordered.push(shownFor(next, set, all, root));
	}
}

/** @returns what each operation has, in its order */
function sharedIn(all: Own[]): Map<Own, Shared[]> {
	const found: Shared[] = [];
	return new Map(
		all.map((own) => [
			own,
			own.fields.map((field) => {
				let shared = found.find((one) => isAlike(one, field));
				if (shared === undefined) found.push((shared = { field, inside: new Map() }));
				shared.inside.set(own, insideOf(field));
				return shared;
			}),
		]),
	);
}

const insideOf = ({ type, options }: INodeProperties): INodeProperties[] =>
	type === 'collection' ? (options as INodeProperties[]) : [];

const textOf = cachedPerObject((field: INodeProperties) =>
	JSON.stringify(field.type === 'collection' ? { ...field, options: [] } : field),
);

/** Of collections, what both have inside under one name has to be alike, too: older editors take the first. */
function isAlike({ field, inside }: Shared, other: INodeProperties): boolean {
	if (textOf(field) !== textOf(other)) return false;
	return insideOf(other).every((its) =>
		[...inside.values()].every((fields) =>
			fields.every((own) => own.name !== its.name || textOf(own) === textOf(its)),
		),
	);
}

function shownFor(
	{ field, inside }: Shared,
	set: Own[],
	all: Own[],
	root: string,
): INodeProperties {
	const shown = {
		...field,
		...(field.type === 'collection' && {
			options: once(
				set.map((own) => ({ ...own, fields: inside.get(own) ?? [] })),
				'/',
			),
		}),
	};
	if (root !== '' && set.length === all.length) return shown;
	const [resource, operation] = namesOf(set);
	const own = { [`${root}resource`]: resource, [`${root}operation`]: operation };
	const { displayOptions } = field;
	return {
		...shown,
		displayOptions: { ...displayOptions, show: { ...displayOptions?.show, ...own } },
	};
}

/**
 * Sorts operations that have a field into as few sets as conditions can name: n8n shows a field for each of some resources
 * with each of some operations.
 */
function asConditions(by: Own[], all: Own[]): Own[][] {
	const sets: Own[][] = [];
	for (const resource of new Set(by.map((own) => own.resource))) {
		const own = by.filter((one) => one.resource === resource);
		const fitting = sets.find((set) => isCondition([...set, ...own], all));
		if (fitting === undefined) sets.push(own);
		else fitting.push(...own);
	}
	return sets;
}

function isCondition(set: Own[], all: Own[]): boolean {
	const [resources, operations] = namesOf(set);
	const shown = all.filter(
		({ resource, operation }) => resources.includes(resource) && operations.includes(operation),
	);
	return shown.length === set.length;
}

const namesOf = (set: Own[]): [resources: string[], operations: string[]] => [
	[...new Set(set.map(({ resource }) => resource))],
	[...new Set(set.map(({ operation }) => operation))],
];

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

/** Reads the text of a parameter, without blanks around it; empty for what is neither text nor number. */
export function parameterText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** What n8n makes of an object where there is text beside its expression. */
const OBJECT_IN_TEXT = /^\s*\[object Object\]/;

/**
 * Reads the value of a JSON parameter: the text parsed, or what an expression gave. Undefined for text that is no JSON.
 * @param name of the field, for the error
 * @throws InputError for what is nested too deeply, and for an expression with text beside it
 */
export function parameterJson(value: unknown, name: string): unknown {
	if (typeof value === 'string' && OBJECT_IN_TEXT.test(value)) {
		throw new InputError(
			`${name} has a text beside its expression`,
			'It may be a blank, or another expression. Clear the field, and drag in what it needs. Nothing was sent.',
		);
	}
	return checkDepth(typeof value === 'string' ? parseJson(value) : value, name);
}

/**
 * Reads the value of a resource locator, or the bare one that an agent or an expression may give. A locator whose expression
 * has no value comes from the editor without one.
 */
export function locatorValue(value: unknown): unknown {
	return isObject(value) ? value.value : value;
}

/** Reads the number of an option. @throws InputError for anything else than a number from `least` to `most` */
export function optionNumber(name: string, value: unknown, least: number, most?: number): number {
	const number = Number(value);
	if (Number.isFinite(number) && number >= least && number <= (most ?? number)) return number;
	const upTo = most === undefined ? '' : ` to ${most}`;
	throw new InputError(`${name} is not a number from ${least}${upTo}`, 'Correct it in the node.');
}

/** Reads the whole number of a field. @throws InputError for anything else than a whole number from `least` */
export function wholeNumber(name: string, value: unknown, least: number): number {
	const number = Number(value);
	if (Number.isInteger(number) && number >= least) return number;
	throw new InputError(`${name} is not a whole number from ${least}`, 'Correct it in the node.');
}

import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Attributes } from '../../shared/scim';
import { isObject } from '../../shared/util';

/** What an empty value of an attribute does to a user who is there. */
export type EmptyCells = 'leave' | 'clear';

export const emptyCellsOption: INodeProperties = {
	displayName: 'Empty Cells',
	name: 'emptyCells',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Clear', value: 'clear', description: 'The attribute is removed from the user' },
		{ name: 'Leave', value: 'leave', description: 'The attribute stays as it is' },
	],
	default: 'leave',
	description: 'What an attribute without a value does: null, an empty text, or blanks',
};

export function readEmptyCells(context: IExecuteFunctions): EmptyCells {
	const { emptyCells } = context.getNodeParameter('options', 0, {}) as IDataObject;
	return emptyCells === 'clear' ? 'clear' : 'leave';
}

/** Whether a cell is empty, however its source writes that: Data Tables as null, sheets as an empty text. */
export function isEmptyCell(value: unknown): boolean {
	return value === null || (typeof value === 'string' && value.trim() === '');
}

/** Attributes in which empty cells are what they mean: nothing, or null, which clears. A list is a value, also without entries. */
export function withEmptyCells(attributes: Attributes, emptyCells: EmptyCells): Attributes {
	return Object.fromEntries(
		Object.entries(attributes).flatMap(([name, value]) => {
			if (isEmptyCell(value)) return emptyCells === 'clear' ? [[name, null]] : [];
			if (!isObject(value)) return value === undefined ? [] : [[name, value]];
			const parts = withEmptyCells(value, emptyCells);
			return Object.keys(parts).length === 0 ? [] : [[name, parts]];
		}),
	);
}

/** The same without what is never cleared: an empty user name or `active` is not given. */
export function withoutClearedAccount(attributes: Attributes): Attributes {
	const isKept = ([name, value]: [string, unknown]) =>
		value !== null || (name !== 'active' && name !== 'userName');
	return Object.fromEntries(Object.entries(attributes).filter(isKept));
}

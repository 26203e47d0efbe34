import type {
	IDataObject,
	IExecuteFunctions,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';

import { attemptSync, InputError, isObject } from '../util';

/**
 * Looks whether every field that takes no expression is on or off, or one of its options. A workflow that was not made in
 * the editor may have anything there, and n8n hands it over as it is: what is not understood must not decide about changes.
 * @throws InputError for the first that is not
 */
export function checkChoices(context: IExecuteFunctions, fields: readonly INodeProperties[]): void {
	for (const field of fields) {
		const { name, type, default: otherwise, noDataExpression } = field;
		// Others are read item by item.
		if (noDataExpression !== true && type !== 'collection') continue;
		const read = attemptSync(() => context.getNodeParameter(name, 0, otherwise as IDataObject));
		// What cannot be evaluated fails where it is read, with all fields of its item.
		if (read === undefined) continue;
		// One name may belong to several fields, of which n8n shows one.
		const options = fields.flatMap((one) => (one.name === name ? (one.options ?? []) : []));
		check({ ...field, options }, read);
	}
}

function check(field: INodeProperties, value: unknown): void {
	const { displayName, type, options = [], noDataExpression } = field;
	if (type === 'collection') return checkEach(options as INodeProperties[], value);
	if (type === 'fixedCollection') {
		for (const { name, values } of options as INodePropertyCollection[]) {
			const rows = isObject(value) ? [value[name]].flat() : [];
			for (const row of rows) checkEach(values, row);
		}
	}
	if (noDataExpression !== true) return;
	const hint = 'Choose it again in the node: it takes no expression. Nothing was sent.';
	if (type === 'boolean' && typeof value !== 'boolean') {
		throw new InputError(`${displayName} is neither on nor off`, hint);
	}
	const isIt = (option: unknown) => (option as INodePropertyOptions).value === value;
	if (type === 'options' && !options.some(isIt)) {
		throw new InputError(`${displayName} is none of its options`, hint);
	}
}

function checkEach(fields: readonly INodeProperties[], values: unknown): void {
	if (!isObject(values)) return;
	for (const field of fields) if (field.name in values) check(field, values[field.name]);
}

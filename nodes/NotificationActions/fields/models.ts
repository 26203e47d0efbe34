import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { InputError, textList } from '../../shared/util';
import { locatorValue, parameterText } from '../../shared/run';
import { checkSegment } from '../../shared/http';
import { locatorField } from './locator';

/** Picks one model: from the list or by id. */
export const modelField = locatorField({
	...{ displayName: 'Model', name: 'model', description: 'The model to use' },
	...{ what: 'a model', search: 'searchModels', example: 'model-61' },
});

/** One model, several, or all. */
export const modelsFields: INodeProperties[] = [
	{
		displayName: 'Select Models By',
		name: 'models',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'All', value: 'all' },
			{ name: 'IDs', value: 'ids' },
			{ name: 'Single Model', value: 'one' },
		],
		default: 'one',
		description: 'How to select the models of the monitors',
	},
	{ ...modelField, displayOptions: { show: { models: ['one'] } } },
	{
		displayName: 'Model IDs',
		name: 'modelIds',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. model-61, model-62',
		displayOptions: { show: { models: ['ids'] } },
		description: 'The models to use',
		hint: 'Separate several IDs with commas',
	},
];

/** @throws InputError when none is given */
export function readModelField(context: IExecuteFunctions, item: number): string {
	const id = parameterText(locatorValue(context.getNodeParameter('model', item)));
	if (id === '') {
		throw new InputError('No model specified', 'Select one from the list, or enter its ID.');
	}
	checkSegment(id);
	return id;
}

/** Ids of the models of an item; undefined for all of the organization. @throws InputError when none is given */
export function readModelsFields(context: IExecuteFunctions, item: number): string[] | undefined {
	const models = context.getNodeParameter('models', item, 'one');
	if (models === 'all') return undefined;
	if (models !== 'ids') return [readModelField(context, item)];
	const ids = textList(context.getNodeParameter('modelIds', item, ''), 'Model IDs');
	if (ids.length === 0) {
		throw new InputError('No models specified', 'Enter their IDs, separated by commas.');
	}
	ids.forEach(checkSegment);
	return [...new Set(ids)];
}

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { SaveSettings } from '../configurations';
import { optionNumber, type Settings } from '../../shared/run';

const DEFAULT_MAX_TRIES = 5;

export const maxTriesOption: INodeProperties = {
	displayName: 'Max Tries',
	name: 'maxTries',
	type: 'number',
	noDataExpression: true,
	typeOptions: { minValue: 1, maxValue: 50, numberPrecision: 0 },
	default: 5,
	description: 'How many times to try to save, including retries after a conflicting write',
};

/** Options of operations that edit monitors. */
export const savingOptions: INodeProperties[] = [
	maxTriesOption,
	{
		displayName: 'Save With',
		name: 'saveWith',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Automatic',
				value: 'automatic',
				description: 'Merge if the service supports it, else the whole document',
			},
			{
				name: 'Merge',
				value: 'merge',
				description: 'Send only the changed monitors, so that other changes are kept',
			},
			{
				name: 'Whole Document',
				value: 'whole',
				description: 'Send the whole configuration. Changes made by others in between are lost.',
			},
		],
		default: 'automatic',
		description: 'How to write a changed configuration',
	},
];

/** Read once, from the first item. @throws InputError for a number out of range */
export function readSaving(
	{ saveWith, maxTries }: IDataObject,
	{ maxWaitMs }: Pick<Settings, 'maxWaitMs'>,
): SaveSettings {
	return {
		saveWith: saveWith === 'merge' || saveWith === 'whole' ? saveWith : 'automatic',
		maxTries: optionNumber('Max Tries', maxTries ?? DEFAULT_MAX_TRIES, 1, 50),
		maxWaitMs,
	};
}

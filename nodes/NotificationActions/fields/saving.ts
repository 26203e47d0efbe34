import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { SaveSettings } from '../configurations';
import { optionNumber, type Settings } from '../../shared/run';

const DEFAULT_MOST_TRIES = 5;

const saveWithOption: INodeProperties = {
	displayName: 'Save With',
	name: 'saveWith',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Automatic',
			value: 'automatic',
			description: 'Merge where the service offers it, else the whole document',
		},
		{
			name: 'Merge',
			value: 'merge',
			description: 'Only the touched monitors travel, so changes of others are not in the way',
		},
		{
			name: 'Whole Document',
			value: 'whole',
			description:
				'The whole configuration is put back; a change that somebody else makes in between is lost',
		},
	],
	default: 'automatic',
	description: 'How a changed configuration is written',
};

const triesOptions: INodeProperties[] = [
	{
		displayName: 'Max Tries',
		name: 'maxTries',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 1, maxValue: 50, numberPrecision: 0 },
		default: 5,
		description:
			'How often a change is made anew when it is missing afterwards because somebody else wrote at the same time',
	},
	{
		displayName: 'Settle Time (Seconds)',
		name: 'settleTime',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 0, maxValue: 600 },
		default: 0,
		description: 'How long to wait between a write and the look whether it is there',
	},
];

/** Options of operations that edit monitors. */
export const savingOptions: INodeProperties[] = [saveWithOption, ...triesOptions];

/** Options of operations that send a whole document. */
export const replacingOptions: INodeProperties[] = triesOptions;

/** Read once, from the first item. @throws InputError for a number out of range */
export function readSaving(
	context: IExecuteFunctions,
	{ maxWaitMs }: Pick<Settings, 'maxWaitMs'>,
): SaveSettings {
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	const { saveWith, maxTries, settleTime } = options;
	return {
		saveWith: saveWith === 'merge' || saveWith === 'whole' ? saveWith : 'automatic',
		mostTries: optionNumber('Max Tries', maxTries ?? DEFAULT_MOST_TRIES, 1, 50),
		settleMs: optionNumber('Settle Time', settleTime ?? 0, 0, 600) * 1000,
		maxWaitMs,
	};
}

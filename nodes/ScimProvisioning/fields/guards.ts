import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { optionNumber } from '../../shared/node/parameter';
import { textList } from '../../shared/textList';
import type { GuardSettings } from '../../shared/provisioning/guards';

const DEFAULT_MOST_PEOPLE = 5;
const DEFAULT_MOST_PERCENT = 10;

/** Guards, on by default, for every operation that can take access away. */
export const guardOptions: INodeProperties[] = [
	{
		displayName: 'Allow Removing Last Admin',
		name: 'allowRemovingLastAdmin',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description: 'Whether an organization may be left without an active admin',
	},
	{
		displayName: 'Max People Losing Access',
		name: 'maxPeopleLosingAccess',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 5,
		description:
			'So many people may lose access in one run; more is blocked unless it stays within Max Percent Losing Access',
	},
	{
		displayName: 'Max Percent Losing Access',
		name: 'maxPercentLosingAccess',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 0, maxValue: 100 },
		default: 10,
		description:
			'Share of the people seen that may lose access in one run; the greater of this and Max People Losing Access counts',
	},
	{
		displayName: 'Protected People',
		name: 'protectedPeople',
		type: 'string',
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. owner@email.com, *@partner.com',
		description: 'IDs, e-mails or patterns with * of people who are never touched, comma-separated',
	},
];

/** Read once, from the first item. @throws InputError for a number out of range */
export function readGuards(context: IExecuteFunctions): GuardSettings {
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	return {
		protectedPeople: textList(options.protectedPeople).map((entry) => entry.toLowerCase()),
		allowRemovingLastAdmin: options.allowRemovingLastAdmin === true,
		maxPeopleLosingAccess: optionNumber(
			'Max People Losing Access',
			options.maxPeopleLosingAccess ?? DEFAULT_MOST_PEOPLE,
			0,
		),
		maxPercentLosingAccess: optionNumber(
			'Max Percent Losing Access',
			options.maxPercentLosingAccess ?? DEFAULT_MOST_PERCENT,
			0,
		),
	};
}

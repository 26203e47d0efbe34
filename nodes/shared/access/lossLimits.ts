import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { LossLimits } from './guards';
import { optionNumber } from '../run';

const DEFAULT_MOST_PEOPLE = 5;
const DEFAULT_MOST_PERCENT = 10;

/** How many may lose access. @param when in what time, such as "in one run" */
export const lossLimitOptions = (when: string): INodeProperties[] => [
	{
		displayName: 'Max Users Losing Access',
		name: 'maxUsersLosingAccess',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 5,
		description: `So many people may lose access ${when}; more is blocked unless it stays within Max Percent Losing Access`,
	},
	{
		displayName: 'Max Percent Losing Access',
		name: 'maxPercentLosingAccess',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 0, maxValue: 100 },
		default: 10,
		description: `Share of those whom it is about that may lose access ${when}, e.g. of the people in scope or in the named group; the greater of this and Max Users Losing Access counts`,
	},
];

/** @param options the Options collection. @throws InputError for a number out of range */
export function readLossLimits(options: IDataObject): LossLimits {
	return {
		maxUsersLosingAccess: optionNumber(
			'Max Users Losing Access',
			options.maxUsersLosingAccess ?? DEFAULT_MOST_PEOPLE,
			0,
		),
		maxPercentLosingAccess: optionNumber(
			'Max Percent Losing Access',
			options.maxPercentLosingAccess ?? DEFAULT_MOST_PERCENT,
			0,
		),
	};
}

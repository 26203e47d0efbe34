import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { LossLimits } from './guards';
import { optionNumber, settingsIn, settingsOption } from '../run';

const DEFAULT_MOST_PEOPLE = 5;
const DEFAULT_MOST_PERCENT = 10;

/** The entry Safety Limits of Options, with the two that go with every loss of access. @param when such as "per run" */
export function safetyLimitsWith(when: string, limits: INodeProperties[] = []): INodeProperties {
	return settingsOption(
		'Safety Limits',
		'safetyLimits',
		'Which changes are blocked because they look wrong',
		[
			{
				displayName: 'Max Users Losing Access',
				name: 'maxUsersLosingAccess',
				type: 'number',
				noDataExpression: true,
				typeOptions: { minValue: 0, numberPrecision: 0 },
				default: 5,
				description: `Most users who can lose access ${when}. Max Percent Losing Access counts instead if it is more.`,
			},
			{
				displayName: 'Max Percent Losing Access',
				name: 'maxPercentLosingAccess',
				type: 'number',
				noDataExpression: true,
				typeOptions: { minValue: 0, maxValue: 100 },
				default: 10,
				description: `Largest share of users who can lose access ${when}. The higher of both limits applies.`,
			},
			...limits,
		],
	);
}

/** The safety limits that are set. @param options the Options collection */
export function safetyLimitsIn(options: IDataObject): Record<string, unknown> {
	return settingsIn(options, 'safetyLimits');
}

/** @param options the Options collection. @throws InputError for a number out of range */
export function readLossLimits(options: IDataObject): LossLimits {
	const { maxUsersLosingAccess, maxPercentLosingAccess } = safetyLimitsIn(options);
	return {
		maxUsersLosingAccess: optionNumber(
			'Max Users Losing Access',
			maxUsersLosingAccess ?? DEFAULT_MOST_PEOPLE,
			0,
		),
		maxPercentLosingAccess: optionNumber(
			'Max Percent Losing Access',
			maxPercentLosingAccess ?? DEFAULT_MOST_PERCENT,
			0,
		),
	};
}

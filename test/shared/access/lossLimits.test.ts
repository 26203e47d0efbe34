import type { INodeProperties } from 'n8n-workflow';

import { readLossLimits, safetyLimitsWith } from '../../../nodes/shared/access/lossLimits';
import { settingsOf } from '../../support/description';

const limits = (values: object) => readLossLimits({ safetyLimits: { values: { ...values } } });

it('5 people or 10 percent can lose access where nothing is set', () => {
	const defaults = { maxUsersLosingAccess: 5, maxPercentLosingAccess: 10 };
	expect(readLossLimits({})).toEqual(defaults);
	const shown = settingsOf([safetyLimitsWith('per run')], 'safetyLimits');
	expect(Object.fromEntries(shown.map((one) => [one.name, one.default]))).toEqual(defaults);
});

it.each([
	[{ maxUsersLosingAccess: 0, maxPercentLosingAccess: 0 }],
	[{ maxUsersLosingAccess: 20, maxPercentLosingAccess: 0.5 }],
])('limits that are set count: %p', (set) => {
	expect(limits(set)).toEqual(set);
});

it.each([
	[{ maxUsersLosingAccess: -1 }, 'Max Users Losing Access is not a number from 0'],
	[{ maxPercentLosingAccess: 'many' }, 'Max Percent Losing Access is not a number from 0'],
])('the limits %p are refused', (set, message) => {
	expect(() => limits(set)).toThrow(message);
});

it('both can only be typed as numbers from 0, and stand among the limits of the operation', () => {
	const own: INodeProperties = {
		displayName: 'Max Age',
		name: 'maxAge',
		type: 'number',
		default: 1,
	};
	const shown = settingsOf([safetyLimitsWith('per plan', [own])], 'safetyLimits');
	expect(shown).toEqual([
		own,
		expect.objectContaining({
			...{ name: 'maxPercentLosingAccess', type: 'number', noDataExpression: true },
			typeOptions: { minValue: 0, maxValue: 100 },
			description: expect.stringContaining('per plan'),
		}),
		expect.objectContaining({
			...{ name: 'maxUsersLosingAccess', type: 'number', noDataExpression: true },
			typeOptions: { minValue: 0, numberPrecision: 0 },
			description: expect.stringContaining('per plan'),
		}),
	]);
});

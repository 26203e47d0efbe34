import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { wholeNumber } from '../../shared/run';
import { type Change, safetyLimitsIn } from '../../shared/access';

const DEFAULT_MOST_CREATES = 100;
const DEFAULT_MOST_DEACTIVATIONS = 5;

/** Safety limits for whole lists, beside the guards of every operation. */
export const volumeLimits: INodeProperties[] = [
	{
		displayName: 'Max Creates',
		name: 'maxCreates',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 100,
		description: 'Maximum number of users created per run',
	},
	{
		displayName: 'Max Deactivations',
		name: 'maxDeactivations',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 5,
		description: 'Maximum number of users deactivated per run',
	},
];

/**
 * Why the changes are too many, one reason each; read once, from the first item.
 * @throws InputError for a number out of range
 */
export function tooMany(context: IExecuteFunctions, changes: readonly Change[]): string[] {
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	const { maxCreates, maxDeactivations } = safetyLimitsIn(options);
	const limits = [
		['create', 'created', 'Max Creates', maxCreates ?? DEFAULT_MOST_CREATES],
		[
			'deactivate',
			'deactivated',
			'Max Deactivations',
			maxDeactivations ?? DEFAULT_MOST_DEACTIVATIONS,
		],
	] as const;
	return limits.flatMap(([kind, done, name, value]) => {
		const limit = wholeNumber(name, value, 0);
		const count = changes.filter((change) => change.kind === kind).length;
		return count > limit ? [`${count} people would be ${done}, more than ${name} (${limit}).`] : [];
	});
}

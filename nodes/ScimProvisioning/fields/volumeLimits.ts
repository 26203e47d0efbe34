import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { wholeNumber } from '../../shared/run';
import { type Change, endingOf, type PlanGuards, safetyLimitsIn } from '../../shared/access';

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

/** How many people one run may create and deactivate; null for as many as there are. */
export type VolumeLimits = Pick<PlanGuards, 'maxCreates' | 'maxDeactivations'>;

/** @param options the Options collection. @throws InputError for a number out of range */
export function readVolumeLimits(options: IDataObject): VolumeLimits {
	const { maxCreates, maxDeactivations } = safetyLimitsIn(options);
	return {
		maxCreates: wholeNumber('Max Creates', maxCreates ?? DEFAULT_MOST_CREATES, 0),
		maxDeactivations: wholeNumber(
			'Max Deactivations',
			maxDeactivations ?? DEFAULT_MOST_DEACTIVATIONS,
			0,
		),
	};
}

/** Why the changes are too many, one reason each. @throws InputError for a number out of range */
export function tooMany(context: IExecuteFunctions, changes: readonly Change[]): string[] {
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	return tooManyFor(readVolumeLimits(options), changes);
}

/** The same with limits of a plan. */
export function tooManyFor(
	{ maxCreates, maxDeactivations }: VolumeLimits,
	changes: readonly Change[],
): string[] {
	const limits = [
		['create', 'created', 'Max Creates', maxCreates],
		['deactivate', 'deactivated', 'Max Deactivations', maxDeactivations],
	] as const;
	return limits.flatMap(([kind, done, name, limit]) => {
		const count = changes.filter((one) => one.kind === kind || endingOf(one) === kind).length;
		return limit !== null && count > limit
			? [`${count} people would be ${done}, more than ${name} (${limit}).`]
			: [];
	});
}

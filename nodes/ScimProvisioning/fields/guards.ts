import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { lossLimitOptions, readLossLimits } from '../../shared/node/lossLimits';
import { textList } from '../../shared/textList';
import type { GuardSettings } from '../../shared/provisioning/guards';

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
	...lossLimitOptions('in one run'),
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

/** @param options the Options collection, of the first item. @throws InputError for a number out of range, and as `textList` does */
export function readGuards(options: IDataObject): GuardSettings {
	return {
		protectedPeople: textList(options.protectedPeople, 'Protected People').map((entry) =>
			entry.toLowerCase(),
		),
		allowRemovingLastAdmin: options.allowRemovingLastAdmin === true,
		...readLossLimits(options),
	};
}

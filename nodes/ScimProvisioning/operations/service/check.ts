import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError } from '../../../shared/util';
import type { Operation } from '../../../shared/run';
import { runRead } from '../../read';

const allowField: INodeProperties = {
	displayName: 'Allow Test Objects',
	name: 'allowTestObjects',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description: 'Whether to create test users and test groups, which are removed again',
};

/** Sees what a service does to test users and test groups, which it makes and removes. */
export const check: Operation = {
	name: 'Check',
	action: 'Check service',
	description: 'Create, change and delete test users and groups to see what the service does',
	fields: [allowField],

	execute: async (context) =>
		await runRead(context, {
			async prepare(_items, operation) {
				if (context.getNodeParameter('allowTestObjects', 0, false) === true)
					return await operation.check();
				throw new InputError(
					'Check needs test objects: two users and two groups named n8n-check-…, with emails at example.com',
					'Turn on Allow Test Objects to create them. They are removed again. Nothing was sent.',
				);
			},
			// One item, however many start it.
			async read(item, { baseUrl, requestsSent }, checked) {
				if (item > 0) return [];
				return [{ baseUrl, ...(checked as unknown as IDataObject), requests: requestsSent() }];
			},
		}),
};

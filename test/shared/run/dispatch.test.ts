import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { dispatch } from '../../../nodes/shared/run/runItems';

const contextOf = (chosen: IDataObject) =>
	({
		getNodeParameter: (name: string) => chosen[name],
		getNode: () => ({ name: 'Node', type: 'node', typeVersion: 1, parameters: {} }),
		continueOnFail: () => true,
	}) as unknown as IExecuteFunctions;

const REMOVED = { 'group merge': 'Use Move instead. Nothing was sent.' };

it.each([
	['merge', 'The operation "merge" of resource "group" was removed', REMOVED['group merge']],
	[
		'toString',
		'The node has no operation "toString" for resource "group"',
		'Choose the operation again in the node.',
	],
])(
	'says what became of an operation that is not there: %s',
	async (operation, message, description) => {
		const context = contextOf({ resource: 'group', operation });
		await expect(dispatch(context, { group: {} }, REMOVED)).rejects.toMatchObject({
			...{ name: 'NodeOperationError', message, description },
		});
	},
);

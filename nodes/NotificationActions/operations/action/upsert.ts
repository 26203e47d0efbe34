import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { checkActionId, planActions, type WantedAction } from '../../actions';
import {
	type Operation,
	optionsField,
	previewField,
	requestsOption,
	showFor,
} from '../../../shared/run';
import { changedAction } from '../../fields/action';
import { namingOptions, payloadFields, readPayload } from '../../fields/actionPayload';
import { organizationOption, showSecretsOption } from '../../fields/connection';
import { runChange } from '../../road';

/** PUT of an action, when it is not as wanted already (docs/interface.md 1.6, 2.4). */
export const upsert: Operation = {
	fields: showFor('action', 'upsert', [
		{
			displayName: 'Action ID',
			name: 'actionId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. marketing-chat',
			description:
				'Your own name for the action: letters, digits, hyphens and underscores, at most 100. The ID of a deleted action can never be used again.',
		},
		...payloadFields,
		previewField,
		optionsField([
			{
				displayName: 'Allow Changing Kind',
				name: 'allowChangingKind',
				type: 'boolean',
				noDataExpression: true,
				default: false,
				description: 'Whether an action that is there may become one of another kind',
			},
			...namingOptions,
			organizationOption,
			showSecretsOption,
			requestsOption('concurrency', 'verifyTime'),
		]),
	]),

	async execute(context) {
		return await runChange<WantedAction>(context, {
			collect: (item) => [
				{
					item,
					id: checkActionId(context.getNodeParameter('actionId', item, '')),
					...readPayload(context, item),
					allowsChangingKind: allowsChangingKind(context),
				},
			],
			plan: async (wanted, { client, actions }) =>
				planActions(wanted, {
					organizationId: client.organizationId,
					actions: wanted.length === 0 ? [] : await actions(),
				}),
			output: changedAction,
		});
	},
};

function allowsChangingKind(context: IExecuteFunctions): boolean {
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	return options.allowChangingKind === true;
}

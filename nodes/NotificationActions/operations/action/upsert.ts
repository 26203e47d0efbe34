import type { IDataObject } from 'n8n-workflow';

import { type ActionWish, checkActionId, planActions } from '../../actions';
import { type Operation, optionsField, previewField } from '../../../shared/run';
import { BLANK_ACTION, changedAction } from '../../fields/action';
import { payloadFields, readPayload } from '../../fields/actionPayload';
import { organizationOption, showSecretsOption, runAlertingWrite } from '../../runWrite';

/** PUT of an action, when it is not as requested already (test/contract/interface.md 1.6, 2.4). */
export const upsert: Operation = {
	name: 'Create or Update',
	action: 'Create or update action',
	description: 'Create a new action, or update the current one if it already exists (upsert)',
	fields: [
		{
			displayName: 'Action ID',
			name: 'actionId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. marketing-chat',
			description: 'An ID of your choice. The ID of a deleted action can never be used again.',
			hint: 'At most 100 letters, digits, hyphens and underscores',
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
				description: 'Whether to allow changing an existing action to another kind',
			},
			{
				displayName: 'Allow Default Email',
				name: 'allowDefaultEmail',
				type: 'boolean',
				noDataExpression: true,
				default: false,
				description:
					'Whether to allow creating the action "email", where the service does not have it by default',
			},
			organizationOption,
			showSecretsOption,
		]),
	],

	async execute(context) {
		const options = context.getNodeParameter('options', 0, {}) as IDataObject;
		const allowsChangingKind = options.allowChangingKind === true;
		return await runAlertingWrite<ActionWish>(context, {
			blank: BLANK_ACTION,
			collect: (item) => [
				{
					item,
					id: checkActionId(context.getNodeParameter('actionId', item, '')),
					...readPayload(context, item),
					allowsChangingKind,
				},
			],
			plan: async (wishes, { actions }) =>
				planActions(
					wishes,
					wishes.length === 0 ? [] : await actions(),
					options.allowDefaultEmail === true,
				),
			output: changedAction,
		});
	},
};

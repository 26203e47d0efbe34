import type { IDataObject } from 'n8n-workflow';

import { planGroupCreations, type WantedGroup } from '../../../shared/access';
import {
	NO_GROUP,
	changedGroup,
	groupAttributeFields,
	readGroupAttributes,
} from '../../fields/groupAttributes';
import {
	type Operation,
	optionsField,
	previewField,
	requestsOption,
	showFor,
} from '../../../shared/run';
import { acceptUnverified } from '../../fields/writeOptions';
import { runScimWrite } from '../../runWrite';

/** POST /Groups (RFC 7644 section 3.3); account organizations make their groups themselves (docs/interface.md 1.1). */
export const create: Operation = {
	fields: showFor('group', 'create', [
		{
			displayName: 'Display Name',
			name: 'displayName',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. Designers',
			description:
				'Name of the group. Account organizations make their groups themselves and refuse this.',
		},
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: groupAttributeFields,
		},
		previewField,
		optionsField([acceptUnverified, requestsOption('concurrency', 'verifyTime')]),
	]),

	execute: async (context) =>
		await runScimWrite<WantedGroup>(context, {
			collect(item) {
				const displayName = context.getNodeParameter('displayName', item) ?? '';
				const fields = context.getNodeParameter('additionalFields', item, {}) as IDataObject;
				return [{ item, ...readGroupAttributes({ ...fields, displayName }) }];
			},
			plan: async (wanted) => planGroupCreations(wanted),
			blank: NO_GROUP,
			output: changedGroup,
		}),
};

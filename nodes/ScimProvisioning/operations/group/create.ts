import type { IDataObject } from 'n8n-workflow';

import { groupItems, groupAttributeFields, readGroupAttributes } from '../../fields/group';
import { optionsField, previewField } from '../../../shared/run';
import { scimWrite } from '../../runWrite';
import { planGroupCreations, type WantedGroup } from '../../../shared/access/plans';

/** POST /Groups (RFC 7644 section 3.3); account organizations make their groups themselves (test/contract/interface.md 1.1). */
export const create = scimWrite<WantedGroup>({
	name: 'Create',
	action: 'Create group',
	description: 'Create a group, on services that allow it',
	fields: [
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
		optionsField([
			{
				displayName: 'If Group Exists',
				name: 'ifGroupExists',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Fail', value: 'fail', description: 'The item fails' },
					{
						name: 'Return It',
						value: 'return',
						description: 'Return the existing group unchanged',
					},
				],
				default: 'fail',
				description: 'What to do when a group with this name already exists',
			},
		]),
	],

	items: groupItems,
	collect(item, { context }) {
		const displayName = context.getNodeParameter('displayName', item) ?? '';
		const fields = context.getNodeParameter('additionalFields', item, {}) as IDataObject;
		return [{ item, ...readGroupAttributes({ ...fields, displayName }) }];
	},
	// Few services refuse a second group of the same name.
	async plan(wanted, { options, reader }) {
		const ifExists = options.ifGroupExists === 'return' ? 'return' : 'fail';
		const names = wanted.map(({ attributes }) => String(attributes.displayName));
		return planGroupCreations(wanted, ifExists, await reader.memberships.groupsOfNames(names));
	},
});

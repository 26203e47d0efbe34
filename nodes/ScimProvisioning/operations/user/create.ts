import type { IDataObject } from 'n8n-workflow';

import { planUsers, type WantedUser } from '../../../shared/access';
import {
	type Operation,
	optionsField,
	previewField,
	requestsOption,
	showFor,
} from '../../../shared/run';
import { checkUserName } from '../../fields/person';
import { readUserAttributes, userAttributeFields } from '../../fields/userAttributes';
import { NO_USER, changedUser } from '../../fields/userItem';
import { runScimWrite } from '../../runWrite';

/** POST /Users for each item (RFC 7644 section 3.3, docs/interface.md 1.5). */
export const create: Operation = {
	fields: showFor('user', 'create', [
		{
			displayName: 'User Name',
			name: 'userName',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'name@email.com',
			description: 'The email of the person. Some services do not allow changing it later.',
		},
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: userAttributeFields,
		},
		previewField,
		optionsField([
			{
				displayName: 'If User Exists',
				name: 'ifUserExists',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Fail', value: 'fail', description: 'The item fails' },
					{
						name: 'Return the Existing User',
						value: 'return',
						description: 'The existing user comes out unchanged',
					},
				],
				default: 'fail',
				description: 'What to do when there is a user with this name already',
			},
			requestsOption('concurrency', 'pageSize', 'verifyTime'),
		]),
	]),

	blank: () => NO_USER,

	async execute(context) {
		const options = context.getNodeParameter('options', 0, {}) as IDataObject;
		const ifExists = options.ifUserExists === 'return' ? 'return' : 'fail';
		return await runScimWrite<WantedUser>(context, {
			collect: (item, { client }) => [
				{
					item,
					userName: checkUserName(context.getNodeParameter('userName', item), client.profile),
					...readUserAttributes(
						context.getNodeParameter('additionalFields', item, {}) as IDataObject,
						['userName'],
					),
				},
			],
			// A create leaves it to the service to say who exists, except in another case; a preview finds out by itself.
			async plan(wanted, { client, directory, previews }) {
				const names = wanted.map(({ userName }) => userName);
				const found = previews
					? await directory.findUsersToCreate(names)
					: await directory.findTwins(names);
				return planUsers(wanted, ifExists, found, client.profile);
			},
			blank: NO_USER,
			output: changedUser,
		});
	},
};

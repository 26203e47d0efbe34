import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { WantedUser } from '../../shared/access';
import type { OperationContext } from '../runWrite';
import { attributesField, otherAttributeFields, readMappedAttributes } from './attributeMapper';
import { checkUserName } from './person';

/** A user who is to exist, by name. @param description of the name */
export function wantedUserFields(description: string): INodeProperties[] {
	return [
		{
			displayName: 'User Name',
			name: 'userName',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'name@email.com',
			description,
		},
		attributesField('getNewUserAttributes'),
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: otherAttributeFields,
		},
	];
}

/** @throws InputError for a name or attributes that cannot be used */
export function readWantedUser(
	context: IExecuteFunctions,
	item: number,
	{ client }: OperationContext,
): WantedUser {
	const userName = checkUserName(context.getNodeParameter('userName', item), client.profile);
	const collected = readMappedAttributes(context, item, 'additionalFields', ['userName']);
	return { item, userName, ...collected };
}

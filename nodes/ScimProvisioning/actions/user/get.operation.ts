import type { IDataObject } from 'n8n-workflow';

import { foundUser } from '../../../shared/provisioning/directory';
import { optionsField, showFor, type Operation } from '../../fields/operation';
import { readUserField, userField } from '../../fields/person';
import { simpleUser } from '../../fields/userItem';
import { simplifyField } from '../../fields/list';
import { runRead } from '../../read';
import { executionOptions } from '../../settings';

/** GET /Users/{id} (RFC 7644 section 3.4.1), or a look-up when the user is given by e-mail. */
export const get: Operation = {
	fields: showFor('user', 'get', [
		userField,
		simplifyField,
		optionsField(executionOptions('concurrency', 'maxWait', 'pageSize', 'timeout')),
	]),

	execute: async (context) =>
		await runRead(context, async (item, { client, directory }) => {
			const reference = readUserField(context, item, client.profile);
			const user =
				reference.by === 'id'
					? await client.getUser(reference.id)
					: foundUser(await directory.findUser(reference.userName), reference.userName);
			const simplify = context.getNodeParameter('simplify', item, true) === true;
			return [simplify ? simpleUser(user) : (user.attributes as IDataObject)];
		}),
};

import type { IDataObject } from 'n8n-workflow';

import { attemptSync } from '../../../shared/util';
import { type Found, foundUser } from '../../../shared/access';
import {
	type Operation,
	optionsField,
	requestsOption,
	showFor,
	simplifyField,
} from '../../../shared/run';
import { readUserField, userField } from '../../fields/person';
import { simpleUser } from '../../fields/userItem';
import { runRead } from '../../read';

/** GET /Users/{id} (RFC 7644 section 3.4.1), or a look-up when the user is given by email. */
export const get: Operation = {
	fields: showFor('user', 'get', [
		userField,
		simplifyField,
		optionsField([requestsOption('concurrency', 'pageSize')]),
	]),

	execute: async (context) =>
		await runRead<Map<string, Found>>(context, {
			// Names are looked up together: on a service without filter that is one listing for all items.
			async prepare(items, { client, directory }) {
				const references = items.flatMap((item) => {
					const reference = attemptSync(() => readUserField(context, item, client.profile));
					return reference?.by === 'userName' ? [reference.userName] : [];
				});
				return await directory.findUsers(references);
			},
			async read(item, { client }, found) {
				const reference = readUserField(context, item, client.profile);
				const user =
					reference.by === 'id'
						? await client.getUser(reference.id)
						: foundUser(found?.get(reference.userName), reference.userName);
				const simplify = context.getNodeParameter('simplify', item, true) === true;
				return [simplify ? simpleUser(user) : (user.attributes as IDataObject)];
			},
		}),
};

import type { IDataObject } from 'n8n-workflow';

import { attemptSync } from '../../../shared/util';
import { type Operation, optionsField, simplifyField } from '../../../shared/run';
import { matchUsersByOption } from '../../fields/matchUsers';
import { lookUp, type Lookup } from '../../fields/people';
import { matchOfUser } from '../../fields/item';
import { labelOf, readUserField, userField, type PersonReference } from '../../fields/person';
import { readUserItem } from '../../fields/userItem';
import { runRead } from '../../read';

/** GET /Users/{id} (RFC 7644 section 3.4.1), or a look-up when the user is given by email. */
export const get: Operation = {
	name: 'Get',
	action: 'Get user',
	description: 'Retrieve a user',
	fields: [userField, simplifyField, optionsField([matchUsersByOption])],

	execute: async (context) =>
		await runRead<Lookup>(context, {
			// Names are looked up together: on a service without filter that is one listing for all items.
			async prepare(items, operation) {
				const references = items.flatMap((item) => {
					const reference = attemptSync(() => readUserField(context, item, operation));
					return reference === undefined || isId(reference) ? [] : [reference];
				});
				return await lookUp(references, operation);
			},
			async read(item, operation, find) {
				const reference = readUserField(context, item, operation);
				const { client, reader } = operation;
				const found =
					isId(reference) || find === undefined
						? await client.getUser(labelOf(reference))
						: find(reference);
				const [user] = await reader.people.showGroups([found]);
				const simplify = context.getNodeParameter('simplify', item, true) === true;
				const shown = simplify ? readUserItem(user, client) : (user.attributes as IDataObject);
				return [{ ...shown, ...matchOfUser(user.id, operation) }];
			},
		}),
};

/** Whether it is an ID for sure. */
function isId(reference: PersonReference): boolean {
	return reference.by === 'id' && reference.orEmail !== true;
}

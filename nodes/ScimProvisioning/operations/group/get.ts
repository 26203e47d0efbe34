import type { IDataObject } from 'n8n-workflow';

import { groupFields, readGroupFields, readGroupItem } from '../../fields/group';
import { matchOfGroup } from '../../fields/item';
import { type Operation, simplifyField } from '../../../shared/run';
import { runRead } from '../../read';
import { readGroup } from '../../fields/state';

/** GET /Groups/{id} (RFC 7644 section 3.4.1). */
export const get: Operation = {
	name: 'Get',
	action: 'Get group',
	description: 'Retrieve a group',
	fields: [...groupFields, simplifyField],

	execute: async (context) =>
		await runRead(context, {
			read: async (item, operation) => {
				const group = await readGroup(readGroupFields(context, item, operation), operation);
				const simplify = context.getNodeParameter('simplify', item, true) === true;
				const shown = simplify
					? readGroupItem(group, operation)
					: (group.attributes as IDataObject);
				return [{ ...shown, ...matchOfGroup(group.id, operation) }];
			},
		}),
};

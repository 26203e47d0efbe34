import type { IDataObject } from 'n8n-workflow';

import { attempt, InputError, mapConcurrent } from '../../../shared/util';
import type { GroupReference } from '../../../shared/access/facts';
import {
	groupFields,
	readGroupFields,
	groupItems,
	displayNameField,
	groupAttributeFields,
	readGroupAttributes,
} from '../../fields/group';
import { previewField } from '../../../shared/run';
import { resolveNamed } from '../../fields/accessPlan';
import type { CollectedAttributes } from '../../fields/attributes';
import { findGroupIds } from '../../fields/state';
import { scimWrite } from '../../runWrite';
import { planGroupUpdates } from '../../../shared/access/plans';

/** Attributes that an item wants a group to have. */
interface NamedUpdate extends CollectedAttributes {
	item: number;
	group: GroupReference;
}

/** PATCH of the given attributes (RFC 7644 section 3.5.2); members have operations of their own. */
export const update = scimWrite<NamedUpdate>({
	name: 'Update',
	action: 'Update group',
	description: 'Update the attributes of a group',
	fields: [
		...groupFields,
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [displayNameField, ...groupAttributeFields],
		},
		previewField,
	],

	items: groupItems,
	collect(item, operation) {
		const group = readGroupFields(operation.context, item, operation);
		const fields = operation.context.getNodeParameter('updateFields', item, {}) as IDataObject;
		const collected = readGroupAttributes(fields);
		if (Object.keys(collected.attributes).length === 0) {
			throw new InputError(
				'There is nothing to update',
				'Add at least one field under Update Fields.',
			);
		}
		return [{ item, group, ...collected }];
	},
	async plan(wanted, operation) {
		const groups = await findGroupIds(
			wanted.map(({ group }) => group),
			operation,
		);
		const { named, settled } = resolveNamed(wanted, groups, 'update');
		const { client } = operation;
		const ids = [...new Set(named.map(({ groupId }) => groupId))];
		// Of one that cannot be read the request itself tells why.
		const read = await mapConcurrent(ids, client.concurrency, async (id) => {
			const group = await attempt(async () => await client.getGroup(id, []));
			return group.ok ? [[id, group.value] as const] : [];
		});
		const plan = planGroupUpdates(named, new Map(read.flat()));
		return { ...plan, settled: [...settled, ...plan.settled] };
	},
});

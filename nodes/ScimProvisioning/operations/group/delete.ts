import type { GroupReference } from '../../../shared/access/facts';
import { membersOf, resolveNamed } from '../../fields/accessPlan';
import { groupFields, readGroupFields, deletedGroupItems } from '../../fields/group';
import { readState } from '../../fields/state';
import { safetyLimitsFields } from '../../fields/options';
import { previewField } from '../../../shared/run';
import { InputError } from '../../../shared/util';
import { scimWrite } from '../../runWrite';
import { planGroupDeletions } from '../../../shared/access/plans';

/** DELETE /Groups/{id} (RFC 7644 section 3.6); all members lose what it gives. */
export const deleteGroup = scimWrite<{ item: number; group: GroupReference }>({
	name: 'Delete',
	action: 'Delete group',
	description: 'Delete a group permanently. Its members lose the access it gives.',
	fields: [...groupFields, previewField, ...safetyLimitsFields()],

	items: deletedGroupItems,
	collect(item, operation) {
		// Else a safety limit would be named, which no setting gets past.
		if (operation.client.profile.groupsAreFixed) {
			throw new InputError(
				'Groups of this service cannot be deleted: they come and go with their organization',
				'To take people out of one, use Set Members or Remove Members.',
			);
		}
		return [{ item, group: readGroupFields(operation.context, item, operation) }];
	},
	async plan(wanted, operation) {
		const groups = wanted.map(({ group }) => group);
		const state = await readState({ groups, people: [] }, operation);
		const access = await operation.reader.memberships.withNested(state.access);
		const { named, settled } = resolveNamed(wanted, state, 'delete');
		const plan = planGroupDeletions(named, access, operation.ids, operation.isProtected);
		const groupIds = named.map(({ groupId }) => groupId);
		return {
			...plan,
			settled: [...settled, ...plan.settled],
			basis: { access, among: membersOf(groupIds, access, operation) },
		};
	},
});

import { planGroupDeletions, type GroupReference } from '../../../shared/access';
import { membersOf, resolveNamed } from '../../fields/accessPlan';
import { groupFields, readGroupFields } from '../../fields/group';
import { NO_GROUP, changedGroup } from '../../fields/groupAttributes';
import { readState } from '../../fields/state';
import { safetyLimitsOption } from '../../fields/guards';
import { type Operation, optionsField, previewField, showFor } from '../../../shared/run';
import { InputError } from '../../../shared/util';
import { withNamesToProtect } from '../../fields/people';
import { writeOptions } from '../../fields/writeOptions';
import { runScimWrite } from '../../runWrite';

/** DELETE /Groups/{id} (RFC 7644 section 3.6); everybody in the group loses what it gives. */
export const deleteGroup: Operation = {
	fields: showFor('group', 'delete', [
		...groupFields,
		previewField,
		optionsField([safetyLimitsOption(), ...writeOptions]),
	]),

	execute: async (context) =>
		await runScimWrite<{ item: number; group: GroupReference }>(context, {
			collect(item, operation) {
				// Else a safety limit would be named, which no setting gets past.
				if (operation.client.profile.groupsAreFixed) {
					throw new InputError(
						'Groups of this service cannot be deleted: they come and go with their organization',
						'To take people out of one, use Set Members or Remove Members.',
					);
				}
				return [{ item, group: readGroupFields(context, item, operation) }];
			},
			async plan(wanted, operation) {
				const groups = wanted.map(({ group }) => group);
				const state = await readState({ groups, people: [] }, operation);
				const { named, settled } = resolveNamed(wanted, state, 'delete');
				const members = [...state.access.held.keys()];
				const access = await withNamesToProtect(state.access, members, operation);
				const plan = planGroupDeletions(named, access, operation.ids, operation.isProtected);
				const groupIds = named.map(({ groupId }) => groupId);
				return {
					...plan,
					settled: [...settled, ...plan.settled],
					access,
					among: membersOf(groupIds, access, operation),
				};
			},
			blank: NO_GROUP,
			output: changedGroup,
		}),
};

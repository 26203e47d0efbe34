import { type NamedGroup, planGroupDeletions } from '../../../shared/access';
import { accessForGroups, membersOf } from '../../fields/accessPlan';
import { groupFields, readGroupFields } from '../../fields/group';
import { changedGroup } from '../../fields/groupAttributes';
import { safetyLimitsOption } from '../../fields/guards';
import {
	type Operation,
	optionsField,
	previewField,
	requestsOption,
	showFor,
} from '../../../shared/run';
import { withNamesToProtect } from '../../fields/people';
import { runChange } from '../../road';

/** DELETE /Groups/{id} (RFC 7644 section 3.6); everybody in the group loses what it gives. */
export const deleteGroup: Operation = {
	fields: showFor('group', 'delete', [
		...groupFields,
		previewField,
		optionsField([safetyLimitsOption(), requestsOption('concurrency', 'pageSize', 'verifyTime')]),
	]),

	execute: async (context) =>
		await runChange<NamedGroup>(context, {
			collect: (item, surroundings) => [
				{ item, groupId: readGroupFields(context, item, surroundings) },
			],
			async plan(wanted, surroundings) {
				const groupIds = wanted.map(({ groupId }) => groupId);
				const shown = await accessForGroups(groupIds, false, surroundings);
				const access = await withNamesToProtect(shown, [...shown.held.keys()], surroundings);
				const { client, ids, isProtected } = surroundings;
				return {
					plan: planGroupDeletions(wanted, access, ids, client.profile, isProtected),
					access,
					among: membersOf(groupIds, access, surroundings),
				};
			},
			output: changedGroup,
		}),
};

import { attemptSync } from '../../../shared/util';
import { assignmentsOf } from '../../../shared/access';
import { assignmentItems, unknownAccess } from '../../fields/accessItem';
import { type Operation, optionsField, requestsOption, showFor } from '../../../shared/run';
import { findPeople } from '../../fields/people';
import { readUserField, userField } from '../../fields/person';
import { runRead } from '../../read';

/** Who a person is and what roles the person has, from the groups and the user (docs/interface.md 1.1). */
export const getAccess: Operation = {
	fields: showFor('access', 'get', [
		userField,
		optionsField([requestsOption('concurrency', 'pageSize')]),
	]),

	execute: async (context) =>
		await runRead<Awaited<ReturnType<typeof findPeople>>>(context, {
			needsOrganizations: true,
			async prepare(items, surroundings) {
				const references = items.flatMap(
					(item) =>
						attemptSync(() => readUserField(context, item, surroundings.client.profile)) ?? [],
				);
				return await findPeople(references, await surroundings.directory.access(), surroundings);
			},
			async read(item, surroundings, find) {
				const { client, directory, ids } = surroundings;
				const found = find?.(readUserField(context, item, client.profile));
				if (found?.ok !== true) throw found?.error;
				const user = found.value.user ?? (await client.getUser(found.value.id));
				const access = await directory.access();
				const assignments = assignmentsOf(access, user.id, ids);
				return [
					{
						id: user.id,
						userName: user.userName,
						...(user.active !== undefined && { active: user.active }),
						assignments: assignmentItems(assignments, surroundings),
						...unknownAccess(access),
					},
				];
			},
		}),
};

import type { IDataObject } from 'n8n-workflow';

import type { Access, AppliedPart, Assignment } from '../../shared/access';
import type { Surroundings } from '../road';
import { outcomeItem, whoOf, worstStatus } from './userItem';

/**
 * The output of an operation on access: one entry per person and change, and the person itself where the item names
 * one only.
 */
export function changedAccess(
	parts: readonly AppliedPart[],
	{ ids, organizations }: Surroundings,
): IDataObject {
	const changes = parts.map((part) => {
		const { result } = part;
		const parsed = result?.group && ids.parse(result.group.id);
		return {
			...whoOf(part),
			...(parsed && {
				organization: parsed.organization,
				organizationName: organizations.nameOf(parsed.organization),
				role: parsed.role,
			}),
			outcome: outcomeItem(part),
		};
	});
	const people = new Map(
		parts
			.map(whoOf)
			.flatMap((who) => (who.id === undefined ? [] : [[who.id ?? who.userName, who]])),
	);
	const [only] = people.size === 1 ? people.values() : [];
	return { ...only, ...worstStatus(parts.map(({ outcome }) => outcome)), changes };
}

/** A word of warning where the service shows nobody in any group: an empty list of roles then says nothing. */
export function unknownAccess({ showsMembers }: Access): IDataObject {
	return showsMembers
		? {}
		: {
				warnings: [
					'No group shows any member, and no user its groups: who has what may not be seen',
				],
			};
}

/** Assignments in the form that Assign takes as a list. */
export function assignmentItems(
	assignments: readonly Assignment[],
	{ organizations }: Surroundings,
): IDataObject[] {
	return assignments.map(({ organization, role }) => ({
		organization,
		organizationName: organizations.nameOf(organization),
		role,
	}));
}

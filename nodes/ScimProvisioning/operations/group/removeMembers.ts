import { ifNotFoundOption } from '../../fields/ifNotFound';
import { membersOperation } from './members';

/** Removes people from groups, if they are in that very group (test/contract/interface.md 2.3: removal is role-blind). */
export const removeMembers = membersOperation('removeMembers', 'drop', {
	name: 'Remove Members',
	action: 'Remove members from group',
	description: 'Remove people from a group. Their other groups are left alone.',
	fields: [ifNotFoundOption],
});

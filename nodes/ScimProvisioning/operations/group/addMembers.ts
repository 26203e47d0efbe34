import { reactivateOption } from '../../fields/reactivate';
import { membersOperation } from './members';

/** Adds people to groups: PATCH with `add` on `members` (RFC 7644 section 3.5.2.1), one request for many items. */
export const addMembers = membersOperation('addMembers', 'hold', {
	name: 'Add Members',
	action: 'Add members to group',
	description:
		'Add people to a group. On account organizations this replaces their other role there.',
	fields: [reactivateOption],
});

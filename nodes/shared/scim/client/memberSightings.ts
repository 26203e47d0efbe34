import type { Group } from '../protocol/resource';

/**
 * Which groups have shown members in this run, and by which request. Some services leave `members` out where a group is
 * empty, others hide members always, or those of large groups: so a group without `members` is empty only when the same
 * request showed some before, and no member was added since, which may have made it large.
 */
export class MemberSightings {
	/** Whether any group has shown a member. */
	some = false;

	/** Whether a group that was read by ID has. */
	byId = false;

	private readonly seen = new Map<string, Set<string>>();

	/**
	 * The group with an empty list of members, where that is known.
	 * @param request equal for two requests that ask for the same
	 */
	complete(group: Group, request: string): Group {
		const requests = this.seen.get(group.id) ?? new Set();
		if (group.members === undefined) {
			return requests.has(request) ? { ...group, members: [] } : group;
		}
		if (group.members.length > 0) {
			this.some = true;
			this.seen.set(group.id, requests.add(request));
		}
		return group;
	}

	/** The requests by which a group has shown members. */
	requestsThatShow(groupId: string): ReadonlySet<string> {
		return this.seen.get(groupId) ?? new Set();
	}

	/** A member is added. */
	grows(groupId: string): void {
		this.seen.delete(groupId);
	}
}

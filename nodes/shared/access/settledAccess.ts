import { poll } from '../util';
import type { ScimClient } from '../scim';
import { doubleRoles, type Access } from './access';
import type { Directory } from './directory';

/**
 * Who is in which group. Two roles of one person in one organization are a stale read where one is the rule: then it is
 * read again until that is over, or patience ends.
 */
export async function settledAccess({
	directory,
	client,
}: {
	directory: Directory;
	client: ScimClient;
}): Promise<Access> {
	let access = await directory.access();
	if (!client.profile.addMovesWithinOrganization) return access;
	let first = true;
	await poll(client.patience, async () => {
		if (!first) access = await directory.accessNow();
		first = false;
		return doubleRoles(access).size > 0 ? undefined : true;
	});
	return access;
}

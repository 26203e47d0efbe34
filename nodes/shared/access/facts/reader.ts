import type { GroupMeaning, Questions, ScimClient } from '../../scim';
import { Memberships } from './memberships';
import { People } from './people';

/** All that a run reads of people and of who is in which group; what was shown is in the store of facts. */
export interface Reader {
	people: People;
	memberships: Memberships;
}

/** @param ids what groups mean to the service @param asked what is not asked again */
export function createReader(client: ScimClient, ids: GroupMeaning, asked: Questions): Reader {
	const people: People = new People(client, async () => await memberships.members(), asked);
	const memberships = new Memberships(client, ids, people, asked);
	return { people, memberships };
}

import type { GroupMeaning, ScimClient } from '../scim';
import { Memberships } from './memberships';
import { People } from './people';

/** All that a run reads of people and of who is in which group; what it has read it remembers. */
export interface Reader {
	people: People;
	memberships: Memberships;
}

/**
 * @param pageSize resources per page of a list
 * @param concurrency requests side by side
 */
export function createReader(
	client: ScimClient,
	ids: GroupMeaning,
	{ pageSize, concurrency }: { pageSize: number; concurrency: number },
): Reader {
	const people: People = new People(
		client,
		pageSize,
		concurrency,
		async () => await memberships.members(),
	);
	const memberships = new Memberships(client, ids, pageSize, concurrency, people);
	return { people, memberships };
}

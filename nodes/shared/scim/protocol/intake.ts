import type { GroupMeaning } from './groupMeaning';
import { attribute, readText, type ResourceType } from './resource';

/** One resource that a request is about. */
export interface Asked {
	type: ResourceType;
	id: string;
}

/** What an answer shows of that resource: a body, or why it says nothing. */
export type Observation = { shows: unknown; against?: undefined } | { against: string };

/**
 * What the body of a 2xx answer says of the resource that was asked for. A body with the ID of another one says nothing: a
 * cache or a gateway may mix up answers, and a database may read `7of9` as 7.
 * @param key equal for two IDs of one group, which answers may write with a prefix (test/contract/interface.md 2.3)
 */
export function intake({ type, id }: Asked, body: unknown, key: GroupMeaning['key']): Observation {
	const shown = readText(attribute(body, 'id'));
	// Without an ID it shows no resource, which its reader finds.
	if (shown === undefined || shown === id) return { shows: body };
	const isSame = type === 'Groups' ? key(shown) === key(id) : shown.trim() === id.trim();
	return isSame
		? { shows: body }
		: { against: `the service answered with another one (ID ${shown})` };
}

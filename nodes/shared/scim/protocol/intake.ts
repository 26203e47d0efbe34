import type { Answer } from '../../http';
import { isObject, shown } from '../../util';
import type { GroupMeaning } from './groupMeaning';
import { attribute, readText, type Resource, type ResourceType, versionOf } from './resource';

/** One resource that a request is about; one that it makes has no ID yet. */
export interface AskedFor<R extends Resource> {
	type: ResourceType;
	id?: string;
	/** Reads it from a body; undefined where that shows none. */
	read(body: unknown): R | undefined;
}

/** What an answer shows of that resource, or why it says nothing of it. */
export type Observation<R extends Resource> =
	{ shows: R; against?: undefined } | { shows?: undefined; against: string; isOther: boolean };

/**
 * What a 2xx answer says of the resource that was asked for, with the ETag that its header alone may have. A body with the ID of
 * another one says nothing: a cache or a gateway may mix up answers, and a database may read `7of9` as 7.
 * @param key equal for two IDs of one group, which answers may write with a prefix (test/contract/interface.md 2.3)
 */
export function intake<R extends Resource>(
	{ type, id, read }: AskedFor<R>,
	answer: Pick<Answer, 'status' | 'body' | 'etag'>,
	key: GroupMeaning['key'],
): Observation<R> {
	const said = readText(attribute(answer.body, 'id'));
	if (id !== undefined && said !== undefined && !isSame(type, said, id, key))
		return { against: `the service answered with another one (ID ${shown(said)})`, isOther: true };
	const shows = read(withVersion(answer));
	if (shows !== undefined) return { shows };
	const against = `the service answered ${answer.status} without a resource that has an ID`;
	return { against, isOther: false };
}

function isSame(type: ResourceType, said: string, id: string, key: GroupMeaning['key']): boolean {
	if (said === id) return true;
	return type === 'Groups' ? key(said) === key(id) : said.trim() === id.trim();
}

function withVersion({ body, etag }: Pick<Answer, 'body' | 'etag'>): unknown {
	const meta = attribute(body, 'meta');
	if (etag === undefined || !isObject(body) || versionOf({ attributes: body }) !== undefined)
		return body;
	return { ...body, meta: { ...(isObject(meta) && meta), version: etag } };
}

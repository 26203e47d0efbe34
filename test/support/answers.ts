import type { Answer, Reply } from './wire';

// What the service says, as test/contract/interface.md describes it: part 1 as documented, part 2 as seen.

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

export const ANA = 'ana@example.com';
export const BEN = 'ben@example.com';
export const CAI = 'cai@example.com';

/** Waits for nothing: one try, one look. */
export const QUICK = { maxWait: 0, verifyTime: 0 };

interface UserBody {
	id?: string;
	userName: string;
	[attribute: string]: unknown;
}

export function user(id: string, userName: string, changes: object = {}): UserBody {
	return {
		schemas: [USER],
		id,
		userName,
		active: true,
		meta: { resourceType: 'User', location: `http://scim.test/scim/Users/${id}` },
		...changes,
	};
}

/** What POST answers (1.2): less than GET. */
export function created(id: string, userName: string, changes: object = {}): Reply {
	const { active, meta } = user(id, userName);
	return [201, { userName, id, active, meta, ...changes }];
}

/** The service answers with the canonical id, and without `members` when there are none (1.3, 2.3). */
export function group(id: string, members: Array<[id: string, userName: string]> = []): object {
	return {
		schemas: [GROUP],
		id,
		displayName: id,
		...(members.length > 0 && {
			members: members.map(([value, display]) => ({ value, display })),
		}),
		meta: { resourceType: 'Group', location: `http://scim.test/scim/Groups/${id}` },
	};
}

export function list(resources: object[], changes: object = {}): object {
	return {
		schemas: [LIST],
		Resources: resources,
		totalResults: resources.length,
		itemsPerPage: resources.length,
		startIndex: 1,
		...changes,
	};
}

export function scimError(status: number, detail: string, scimType?: string): Reply {
	const body = { schemas: [ERROR], detail, status: String(status), scimType };
	return [status, body];
}

export const accessDenied = (status: 401 | 403): Reply => [status, { error: 'Access denied' }];

export const invalidFilter = scimError(400, 'Filter is not supported', 'invalidFilter');

export const notFound = scimError(404, 'Resource not found');

/** The proxy in front of the service when it gives up. */
/** Answers GET of a collection with pages of these resources, as the service does (2.1). */
export function listOf(resources: object[], { filter = true } = {}): Answer {
	return ({ query }) => {
		if (query.filter !== undefined && !filter) return invalidFilter;
		const wanted = /^userName eq "(.*)"$/.exec(query.filter ?? '')?.[1].toLowerCase();
		const hits =
			wanted === undefined
				? resources
				: resources.filter((resource) => (resource as UserBody).userName.toLowerCase() === wanted);
		const start = Number(query.startIndex ?? 1);
		const page = hits.slice(start - 1, start - 1 + Number(query.count ?? hits.length));
		return [
			200,
			list(page, { totalResults: hits.length, itemsPerPage: page.length, startIndex: start }),
		];
	};
}

export const lookUpOf = (userName: string): string =>
	`GET /scim/Users?filter=userName eq "${userName}"`;

export function adding(...ids: string[]): object {
	return {
		schemas: [PATCH],
		Operations: [{ op: 'add', path: 'members', value: ids.map((value) => ({ value })) }],
	};
}

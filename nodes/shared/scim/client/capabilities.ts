import { attempt, isObject, numberOf } from '../../util';
import { hasStatus, type Send } from '../../http';
import { readListPage, type ListPage } from '../protocol/intake';
import { attribute, readGroup, readText, readUser, type Group } from '../protocol/resource';
import { resourcePath } from '../protocol/requests';
import { PRESETS, presetFor, ACCOUNT_ROLES, accountRole } from '../protocol/service';
import type { ScimPrefix, Traits } from '../protocol/traits';

/** What a service says of itself, what reads of it show, and the settings to enter in the credential. */
export type Capabilities = Awaited<ReturnType<typeof probeCapabilities>>;

type Query = Record<string, string | number>;
type Reads = ReturnType<typeof readsOf>;

/** No service is known to refuse a page of this size. */
const PAGE = 100;
/** How a list is begun (RFC 7644 section 3.4.2.4, RFC 9865). */
const BY_INDEX: Query = { startIndex: 1 };
const BY_CURSOR: Query = { cursor: '' };

/**
 * Reads what a service says and shows: nothing is written, so how members are removed is recommended only where the
 * service profile documents it.
 * @param profile where the credential says that `/scim` goes and how lists go on; the others are tried when users are not
 * there
 * @param address host and path of the Base URL, by which a preset is recommended
 * @throws RequestError when the list of users can be read nowhere
 */
export async function probeCapabilities(send: Send, profile: Traits, address: string) {
	const reads = readsOf(send);
	const { prefix, begin, page } = await firstUsers(reads, profile);
	const said = await discovery(reads, prefix === 'nowhere' ? [] : ['scim']);
	const people = page.entries.flatMap((entry) => readUser(entry) ?? []);
	const scimPrefix = await itemPrefix(reads, prefix, people[0]?.id);
	const { paging, isSize } = await pagingOf(reads, prefix, begin, page);
	const listed = await reads.page(prefix, 'Groups', begin === BY_CURSOR ? BY_CURSOR : {});
	const entries = listed.ok ? listed.value.entries : [];
	const groups = entries.flatMap((entry) => readGroup(entry) ?? []);
	const groupsShowMembers = await showMembers(reads, scimPrefix ?? prefix, groups);
	const groupsAreOrganizationRoles = standForOrganizations(groups);

	const serviceProfile = presetFor(address, {
		users: page.entries,
		groups: entries,
		paging,
		saysTotal: page.totalResults !== undefined,
		groupsAreOrganizationRoles: groupsAreOrganizationRoles === 'yes',
	});
	const { memberRemoval }: Partial<Traits> = PRESETS[serviceProfile].traits;
	const countOf = ({ totalResults, nextCursor, entries: all }: ListPage) => {
		if (isSize) return undefined;
		return (
			totalResults ?? (paging === 'cursor' && nextCursor === undefined ? all.length : undefined)
		);
	};
	const config = said.serviceProviderConfig;
	const notes: Array<[boolean, string]> = [
		[!config, 'The service does not describe itself.'],
		[
			config?.patch === false,
			'The service says that it has no PATCH: use Update With and Replace With to send whole resources.',
		],
		[
			config?.securityEvents?.asyncRequest === 'long',
			'The service may answer before a change is made. If changes come out as unverified, raise Verification Time.',
		],
		[!listed.ok, 'The list of groups cannot be read.'],
		[
			prefix !== profile.prefix && prefix !== 'nowhere',
			`Users are found with Path Before /Users "${scimPrefix ?? prefix}".`,
		],
		[
			isSize,
			'The service returns the size of a page as totalResults, so how many there are is unknown.',
		],
		[
			groupsShowMembers === 'no',
			'Groups do not show their members, so memberships come out as unverified unless users show their groups.',
		],
	];
	return {
		said,
		seen: {
			/** `cursor`: the service refuses startIndex, or names its next page. */
			paging,
			...defined({ users: countOf(page), groups: listed.ok ? countOf(listed.value) : undefined }),
			usersShowGroups: people.some(({ groupIds }) => groupIds !== undefined) ? 'yes' : 'unknown',
			groupsShowMembers,
			groupsAreOrganizationRoles,
		},
		notes: notes.flatMap(([holds, note]) => (holds ? [note] : [])),
		/** Nothing that is only assumed. */
		recommended: {
			serviceProfile,
			...defined({ scimPrefix, memberRemoval }),
			...(paging === 'cursor' && { paging }),
			...(serviceProfile !== 'accountOrganizations' && meaningOf(groups)),
		},
	};
}

function readsOf(send: Send) {
	const get = async (path: readonly string[], purpose: string, query?: Query) =>
		(await send({ method: 'GET', path, query, repeat: 'always', purpose })).body;
	/** Reads one resource; undefined where it cannot be read. */
	const one = async (path: readonly string[], purpose: string) => {
		const read = await attempt(async () => await get(path, purpose));
		return read.ok ? read.value : undefined;
	};
	const page = async (prefix: ScimPrefix, type: 'Users' | 'Groups', query: Query) =>
		await attempt(async () => {
			const name = type.toLowerCase();
			const list = readListPage(await get(resourcePath(prefix, type), `list ${name}`, query));
			if (list === undefined) throw new Error(`The list of ${name} is no SCIM list`);
			return list;
		});
	return { one, page };
}

/** Reads the first users, where the credential says that they are or else at the other place, by index or else by cursor. */
async function firstUsers({ page }: Reads, { prefix, paging, entriesPerPage }: Traits) {
	const count = Math.min(PAGE, entriesPerPage);
	const begins = paging === 'cursor' ? [BY_CURSOR] : [BY_INDEX, BY_CURSOR];
	const others: ScimPrefix[] = prefix === 'nowhere' ? ['everyRequest'] : ['nowhere'];
	let failed: unknown;
	for (const candidate of [prefix, ...others]) {
		for (const begin of begins) {
			const tried = await page(candidate, 'Users', { ...begin, count });
			if (tried.ok) return { prefix: candidate, begin, page: tried.value };
			failed ??= tried.error;
			// A token that is refused is refused everywhere.
			if (hasStatus(tried.error, 401, 403, 429)) throw failed;
			if (!hasStatus(tried.error, 400, 501)) break;
		}
	}
	throw failed;
}

/** Reads the discovery resources (RFC 7644 section 4), as far as they can be read. */
async function discovery({ one }: Reads, before: readonly string[]) {
	const read = async (name: string) => await one([...before, name], `read ${name}`);
	const config = await read('ServiceProviderConfig');
	const [types, schemas] = [await read('ResourceTypes'), await read('Schemas')];
	const names = (list: unknown, name: string) =>
		readListPage(list)?.entries.flatMap(
			(entry) => readText(attribute(entry, name) ?? attribute(entry, 'id')) ?? [],
		);
	return defined({
		serviceProviderConfig: isObject(config) ? configOf(config) : undefined,
		resourceTypes: names(types, 'name'),
		schemas: names(schemas, 'id'),
	});
}

/** Reads the configuration (RFC 7643 section 5); `securityEvents` where the service sends events (RFC 9967 section 4). */
function configOf(config: object) {
	const supported = (name: string) => {
		const value = attribute(attribute(config, name), 'supported');
		return typeof value === 'boolean' ? value : undefined;
	};
	const most = numberOf(attribute(attribute(config, 'filter'), 'maxResults'));
	const events = attribute(config, 'securityEvents');
	const uris = [attribute(events, 'eventUris')].flat();
	const asyncRequest = readText(attribute(events, 'asyncRequest'))?.toLowerCase();
	const securityEvents = { asyncRequest, eventUris: uris.flatMap((uri) => readText(uri) ?? []) };
	return defined({
		patch: supported('patch'),
		bulk: supported('bulk'),
		filter: supported('filter'),
		filterMaxResults: most > 0 ? most : undefined,
		etag: supported('etag'),
		securityEvents: isObject(events) ? defined(securityEvents) : undefined,
	});
}

/** Finds out whether single resources stand where their collection does; undefined where there is none to try. */
async function itemPrefix({ one }: Reads, prefix: ScimPrefix, id: string | undefined) {
	if (prefix === 'nowhere' || id === undefined) return prefix === 'nowhere' ? prefix : undefined;
	for (const candidate of ['everyRequest', 'collectionsOnly'] as const) {
		const read = await one(resourcePath(candidate, 'Users', id), `get user ${id}`);
		if (readUser(read) !== undefined) return candidate;
	}
	return undefined;
}

/** Finds out how pages go on, and whether the total is the size of the page. */
async function pagingOf({ page }: Reads, prefix: ScimPrefix, begin: Query, first: ListPage) {
	const { entries, totalResults: total = 0, nextCursor } = first;
	const isWhole = total > 1 && total === entries.length;
	if (begin === BY_CURSOR || nextCursor !== undefined)
		return { paging: 'cursor', isSize: isWhole && nextCursor !== undefined };
	const second = await page(prefix, 'Users', { startIndex: 2, count: 1 });
	const others = second.ok ? second.value.entries : [];
	const isSize = isWhole && others.length === 1 && second.ok && second.value.totalResults === 1;
	if (entries.length < 2 || others.length === 0) return { paging: 'unknown', isSize };
	if (others.length > 1) return { paging: 'countIgnored', isSize };
	const [one, other] = [entries[0], others[0]].map((entry) => readUser(entry)?.id);
	return { paging: one === other ? 'startIndexIgnored' : 'works', isSize };
}

/** Finds out whether groups show members: as listed, or one of them by itself. */
async function showMembers({ one }: Reads, prefix: ScimPrefix, groups: readonly Group[]) {
	if (groups.some(({ members = [] }) => members.length > 0)) return 'yes';
	const [group] = groups;
	if (group === undefined) return 'unknown';
	const read = readGroup(await one(resourcePath(prefix, 'Groups', group.id), 'get a group'));
	if ((read?.members ?? []).length > 0) return 'yes';
	return group.members === undefined && read?.members === undefined ? 'no' : 'unknown';
}

/** Tells whether there are three groups for each organization, as an account has them (test/contract/interface.md 1.1). */
function standForOrganizations(groups: readonly Group[]) {
	const places = groups.map(({ id }) => accountRole(id));
	const there = new Set(places.map((place) => place && `${place.organization}:${place.role}`));
	const isWhole = places.every(
		(place) => place && ACCOUNT_ROLES.every((role) => there.has(`${place.organization}:${role}`)),
	);
	return groups.length === 0 ? 'unknown' : isWhole ? 'yes' : 'no';
}

/** Recommends the settings of What a Group Means, as far as all IDs or all names of groups follow one pattern. */
function meaningOf(groups: readonly Group[]) {
	if (groups.length === 0) return {};
	const groupPatternOn = (['id', 'displayName'] as const).find(
		(on) => groups.length > 1 && groups.every((group) => /^[^:]+:[^:]+$/.test(group[on])),
	);
	if (groupPatternOn === undefined) return { groupsStandFor: 'groups' };
	const groupPattern = '{organization}:{role}';
	return { groupsStandFor: 'organizationAndRole', groupPattern, groupPatternOn };
}

function defined<T extends object>(values: T): Partial<T> {
	const there = Object.entries(values).filter(([, value]) => value !== undefined);
	return Object.fromEntries(there) as Partial<T>;
}

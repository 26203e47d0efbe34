import { attempt, type Attempt, isObject, nameKey, numberOf } from '../../util';
import { hasStatus, type Send } from '../../http';
import { equals } from '../protocol/filter';
import { readListPage, type ListPage } from '../protocol/listPage';
import { attribute, readGroup, readUser, type Group, type User } from '../protocol/resource';
import { resourcePath } from '../protocol/paths';
import { PRESETS, presetFor, type ProfileName } from '../protocol/presets';
import { ACCOUNT_ROLES, accountRole } from '../protocol/service';
import type { ScimPrefix, Traits } from '../protocol/traits';

/** What a try showed: it works, it does not, or nothing can be said. */
export type Seen = 'yes' | 'no' | 'unknown';

/** What a service says of itself (RFC 7644 section 4); undefined where it says nothing. */
export interface Discovery {
	serviceProviderConfig?: {
		patch?: boolean;
		bulk?: boolean;
		filter?: boolean;
		filterMaxResults?: number;
		etag?: boolean;
	};
	resourceTypes?: string[];
	schemas?: string[];
}

export interface Capabilities {
	said: Discovery;
	seen: {
		/** `refused`, or `ignored`: all users come, whatever is asked for. */
		filter: 'works' | 'refused' | 'ignored' | 'unknown';
		filterIgnoresCase: Seen;
		/** `cursor`: the service refuses startIndex, or names its next page (RFC 9865). */
		paging: 'works' | 'cursor' | 'startIndexIgnored' | 'countIgnored' | 'unknown';
		/** Most entries of a page; undefined when a page of 1,000 was given as asked, or there are too few to tell. */
		pageCap?: number;
		users?: number;
		groups?: number;
		usersShowGroups: Seen;
		groupsShowMembers: Seen;
		groupsAreOrganizationRoles: Seen;
	};
	/** Where what the service says of itself is not what it does, and whatever else is worth knowing. */
	notes: string[];
	/** What was seen, or what is documented of the service profile; nothing that is assumed of any service. */
	recommended: {
		serviceProfile: ProfileName;
		scimPrefix?: ScimPrefix;
		memberRemoval?: Traits['memberRemoval'];
		/** Of Override Profile; none where startIndex does. */
		paging?: 'cursor';
		/** The settings of Groups Stand For; none where the service profile has no such settings. */
		groupsStandFor?: 'groups' | 'organizationAndRole';
		groupPattern?: string;
		groupPatternOn?: 'id' | 'displayName';
	};
}

const BIG_PAGE = 1_000;
/** How a list is begun (RFC 7644 section 3.4.2.4, RFC 9865). */
const BY_INDEX = { startIndex: 1 };
const BY_CURSOR = { cursor: '' };
/** A name that no user has, for a filter that has to find nothing. */
const NOBODY = 'nobody-has-this-name@example.invalid';

/**
 * Finds out what a service can do, by harmless reads alone: nothing is written, so how members are removed is never
 * tried, and recommended only where the service profile documents it.
 * @param profile where the credential says that `/scim` goes and how lists go on; the others are tried when users are not
 * there
 * @param address host and path of the Base URL, by which a preset is recommended
 * @throws RequestError when the list of users can be read nowhere
 */
export async function probeCapabilities(
	send: Send,
	profile: Traits,
	address: string,
): Promise<Capabilities> {
	const { prefix } = profile;
	const probe = new Probe(send, profile);
	const found = await probe.findUsers(prefix);
	const said = await probe.discovery(found.prefix);
	const users = usersIn(found.page);
	const [first] = users;
	const placed = await probe.itemPrefix(found.prefix, first);
	const scimPrefix = placed ?? found.prefix;

	const total = found.page.totalResults;
	const paging = await probe.paging(found);
	const big = await probe.firstPage(found.prefix, Math.min(BIG_PAGE, profile.entriesPerPage));
	const all = big.ok ? big.value.entries.length : 0;
	const countsPage = total !== undefined && total < all && total === found.page.entries.length;
	const goesOn = big.ok && big.value.nextCursor !== undefined;
	const more = goesOn || (total !== undefined && total > all);
	const pageCap = big.ok && all > 0 && all < BIG_PAGE && more ? all : undefined;
	const filter = first === undefined ? undefined : await probe.filter(found.prefix, first);

	const listed = await probe.groups(found.prefix);
	const groups = listed.ok ? listed.value.entries.flatMap((entry) => readGroup(entry) ?? []) : [];
	const shown = await probe.members(scimPrefix, groups);
	const isAccount = standForOrganizations(groups);
	const notes = [
		...notesOn(said, filter?.answer ?? 'unknown'),
		...(listed.ok ? [] : ['The list of groups cannot be read.']),
		...(found.prefix === prefix || found.prefix === 'nowhere'
			? []
			: [`Users are found with SCIM Prefix "${scimPrefix}".`]),
		...(countsPage
			? [
					'The service returns the size of a page as totalResults, so the number of users is unknown.',
				]
			: []),
		...(shown === 'no'
			? [
					'Groups do not show their members, so memberships come out as unverified unless users show their groups.',
				]
			: []),
	];
	const serviceProfile = presetFor(address, {
		users: found.page.entries,
		groups: listed.ok ? listed.value.entries : [],
		paging,
		saysTotal: total !== undefined,
		groupsAreOrganizationRoles: isAccount === 'yes',
	});
	const { memberRemoval }: Partial<Traits> = PRESETS[serviceProfile].traits;
	return {
		said,
		seen: {
			filter: filter?.answer ?? 'unknown',
			filterIgnoresCase: filter?.ignoresCase ?? 'unknown',
			paging,
			...(pageCap !== undefined && { pageCap }),
			...(total !== undefined && !countsPage && { users: total }),
			...(listed.ok && defined('groups', listed.value.totalResults ?? unlessMore(listed.value))),
			usersShowGroups: users.some(({ groupIds }) => groupIds !== undefined) ? 'yes' : 'unknown',
			groupsShowMembers: shown,
			groupsAreOrganizationRoles: isAccount,
		},
		notes,
		recommended: {
			serviceProfile,
			...defined('scimPrefix', placed),
			...defined('memberRemoval', memberRemoval),
			...(paging === 'cursor' && { paging }),
			...(serviceProfile !== 'accountOrganizations' && meaningOf(groups)),
		},
	};
}

interface FoundUsers {
	prefix: ScimPrefix;
	page: ListPage;
}

/** One try each. */
class Probe {
	/** What the request for a first page says beside its size. */
	private beginning: Record<string, string | number>;

	constructor(
		private readonly send: Send,
		{ paging }: Traits,
	) {
		this.beginning = paging === 'cursor' ? BY_CURSOR : BY_INDEX;
	}

	async page(
		prefix: ScimPrefix,
		type: 'Users' | 'Groups',
		query: Record<string, string | number>,
	): Promise<Attempt<ListPage>> {
		return await attempt(async () => {
			const path = resourcePath(prefix, type);
			const purpose = `list ${type.toLowerCase()}`;
			const { body } = await this.send({ method: 'GET', path, query, repeat: 'always', purpose });
			const page = readListPage(body);
			if (page === undefined) throw new Error(`The list of ${type.toLowerCase()} is no SCIM list`);
			return page;
		});
	}

	async groups(prefix: ScimPrefix): Promise<Attempt<ListPage>> {
		return await this.page(prefix, 'Groups', this.beginning === BY_CURSOR ? BY_CURSOR : {});
	}

	/** Users from the first; a service that refuses startIndex is asked by cursor from then on. */
	async firstPage(prefix: ScimPrefix, count: number): Promise<Attempt<ListPage>> {
		const page = await this.page(prefix, 'Users', { ...this.beginning, count });
		if (page.ok || this.beginning === BY_CURSOR || !hasStatus(page.error, 400, 501)) return page;
		const byCursor = await this.page(prefix, 'Users', { ...BY_CURSOR, count });
		if (!byCursor.ok) return page;
		this.beginning = BY_CURSOR;
		return byCursor;
	}

	/** The list of users, at the place that the credential names or else at the other one. */
	async findUsers(prefix: ScimPrefix): Promise<FoundUsers> {
		const others: ScimPrefix[] = prefix === 'nowhere' ? ['everyRequest'] : ['nowhere'];
		let failed: unknown;
		for (const candidate of [prefix, ...others]) {
			const page = await this.firstPage(candidate, 2);
			if (page.ok) return { prefix: candidate, page: page.value };
			failed ??= page.error;
			// A token that is refused is refused everywhere.
			if (hasStatus(page.error, 401, 403, 429)) break;
		}
		throw failed;
	}

	/** Whether single resources stand where their collection does; undefined where there is none to try. */
	async itemPrefix(prefix: ScimPrefix, user: User | undefined): Promise<ScimPrefix | undefined> {
		if (prefix === 'nowhere') return prefix;
		if (user === undefined) return undefined;
		for (const candidate of ['everyRequest', 'collectionsOnly'] as const) {
			const path = resourcePath(candidate, 'Users', user.id);
			const read = await this.read(path, `get user ${user.id}`);
			if (readUser(read) !== undefined) return candidate;
		}
		return undefined;
	}

	async discovery(prefix: ScimPrefix): Promise<Discovery> {
		const before = prefix === 'nowhere' ? [] : ['scim'];
		const read = async (name: string) => await this.read([...before, name], `read ${name}`);
		const config = await read('ServiceProviderConfig');
		const [types, schemas] = [await read('ResourceTypes'), await read('Schemas')];
		const supported = (name: string) => {
			const value = attribute(attribute(config, name), 'supported');
			return typeof value === 'boolean' ? value : undefined;
		};
		const most = numberOf(attribute(attribute(config, 'filter'), 'maxResults'));
		const names = (list: unknown, name: string) =>
			readListPage(list)?.entries.flatMap((entry) => {
				const value = attribute(entry, name) ?? attribute(entry, 'id');
				return typeof value === 'string' ? [value] : [];
			});
		return {
			...(isObject(config) && {
				serviceProviderConfig: {
					...defined('patch', supported('patch')),
					...defined('bulk', supported('bulk')),
					...defined('filter', supported('filter')),
					...(most > 0 && { filterMaxResults: most }),
					...defined('etag', supported('etag')),
				},
			}),
			...defined('resourceTypes', names(types, 'name')),
			...defined('schemas', names(schemas, 'id')),
		};
	}

	async paging({ prefix, page }: FoundUsers): Promise<Capabilities['seen']['paging']> {
		if (this.beginning === BY_CURSOR || page.nextCursor !== undefined) return 'cursor';
		if (page.entries.length > 2) return 'countIgnored';
		const second = await this.page(prefix, 'Users', { startIndex: 2, count: 1 });
		if (!second.ok || page.entries.length < 2 || second.value.entries.length === 0)
			return 'unknown';
		if (second.value.entries.length > 1) return 'countIgnored';
		const [[one], [other]] = [usersIn(page), usersIn(second.value)];
		return one?.id === other?.id ? 'startIndexIgnored' : 'works';
	}

	async filter(
		prefix: ScimPrefix,
		{ userName }: User,
	): Promise<{ answer: Capabilities['seen']['filter']; ignoresCase: Seen }> {
		const ask = async (name: string) => {
			const page = await this.page(prefix, 'Users', { filter: equals('userName', name) });
			return page.ok ? usersIn(page.value) : undefined;
		};
		const [hits, none] = [await ask(userName), await ask(NOBODY)];
		if (hits === undefined || none === undefined) {
			return { answer: 'refused', ignoresCase: 'unknown' };
		}
		if (none.length > 0 || hits.some((user) => !isNamed(user, userName))) {
			return { answer: 'ignored', ignoresCase: 'unknown' };
		}
		if (hits.length === 0) return { answer: 'unknown', ignoresCase: 'unknown' };
		const other =
			userName === userName.toUpperCase() ? userName.toLowerCase() : userName.toUpperCase();
		if (other === userName) return { answer: 'works', ignoresCase: 'unknown' };
		const found = await ask(other);
		return {
			answer: 'works',
			ignoresCase: found?.some((user) => isNamed(user, userName)) ? 'yes' : 'no',
		};
	}

	/** Whether groups show members: as listed, or one of them by itself. */
	async members(prefix: ScimPrefix, groups: readonly Group[]): Promise<Seen> {
		if (groups.some(({ members = [] }) => members.length > 0)) return 'yes';
		const [group] = groups;
		if (group === undefined) return 'unknown';
		const read = readGroup(
			await this.read(resourcePath(prefix, 'Groups', group.id), 'get a group'),
		);
		if ((read?.members ?? []).length > 0) return 'yes';
		return group.members === undefined && read?.members === undefined ? 'no' : 'unknown';
	}

	/** Undefined for whatever cannot be read. */
	private async read(path: readonly string[], purpose: string): Promise<unknown> {
		const read = await attempt(
			async () => await this.send({ method: 'GET', path, repeat: 'always', purpose }),
		);
		return read.ok ? read.value.body : undefined;
	}
}

function defined<T>(name: string, value: T | undefined): Record<string, T> {
	return value === undefined ? {} : { [name]: value };
}

/** How many entries the list has, where it is one page. */
function unlessMore({ entries, nextCursor }: ListPage): number | undefined {
	return nextCursor === undefined ? entries.length : undefined;
}

function usersIn(page: ListPage): User[] {
	return page.entries.flatMap((entry) => readUser(entry) ?? []);
}

function isNamed(user: User, userName: string): boolean {
	return nameKey(user.userName) === nameKey(userName);
}

/** Whether there are three groups for each organization, as an account has them (test/contract/interface.md 1.1). */
function standForOrganizations(groups: readonly Group[]): Seen {
	if (groups.length === 0) return 'unknown';
	const roles = new Map<string, Set<string>>();
	for (const { id } of groups) {
		const place = accountRole(id);
		if (place === undefined) return 'no';
		const same = roles.get(place.organization) ?? new Set<string>();
		roles.set(place.organization, same.add(place.role));
	}
	return [...roles.values()].every((own) => ACCOUNT_ROLES.every((role) => own.has(role)))
		? 'yes'
		: 'no';
}

/** What groups stand for, as far as all their ids or all their names follow one pattern. */
function meaningOf(groups: readonly Group[]): Partial<Capabilities['recommended']> {
	const groupPatternOn = (['id', 'displayName'] as const).find(
		(on) => groups.length > 1 && groups.every((group) => /^[^:]+:[^:]+$/.test(group[on])),
	);
	if (groups.length === 0) return {};
	if (groupPatternOn === undefined) return { groupsStandFor: 'groups' };
	const groupPattern = '{organization}:{role}';
	return { groupsStandFor: 'organizationAndRole', groupPattern, groupPatternOn };
}

function notesOn({ serviceProviderConfig }: Discovery, filter: string): string[] {
	if (serviceProviderConfig === undefined) {
		return ['The service does not describe itself: everything below was tried.'];
	}
	const { filter: said, patch } = serviceProviderConfig;
	return [
		...(said === false && filter === 'works'
			? ['The service says that it has no filter, but it works.']
			: []),
		...(said === true && (filter === 'refused' || filter === 'ignored')
			? [`The service says that it has a filter, but it is ${filter}.`]
			: []),
		...(patch === false
			? [
					'The service says that it has no PATCH: use Update With and Replace With to send whole resources.',
				]
			: []),
	];
}

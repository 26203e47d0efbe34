import {
	attempt,
	type Attempt,
	isDeepEqual,
	memoized,
	nameKey,
	type Patience,
	poll,
} from '../../util';
import {
	type Answer,
	hasStatus,
	RequestError,
	type Send,
	type ServiceRequest,
	sideBySide,
} from '../../http';
import { equals } from '../protocol/filter';
import type { GroupMeaning } from '../protocol/groupMeaning';
import { intake } from '../protocol/intake';
import { knownAttributes, type KnownAttributes, nameIn } from '../protocol/knownAttributes';
import { readListPage, type ListPage } from '../protocol/listPage';
import { type MatchAttribute, matchingBy, type Matching } from '../protocol/matching';
import { resourcePath } from '../protocol/paths';
import { type KeptOfGroup, memberEntry, type PatchBody } from '../protocol/patch';
import * as requests from '../protocol/requests';
import {
	requiredAttributes,
	someExtensionRequires,
	type RequiredAttribute,
} from '../protocol/requiredAttributes';
import {
	readGroup,
	readUser,
	versionOf,
	wasThereBefore,
	type Attributes,
	type Group,
	type Resource,
	type ResourceType,
	type User,
} from '../protocol/resource';
import { secretsIn } from '../protocol/secrets';
import type { ServiceProfile } from '../protocol/service';
import { allowsSameNames, userAttributes, type UserAttribute } from '../protocol/userSchema';
import { Forms } from './forms';
import { type Asked, BY_ID, Facts, type Leaving } from '../facts/facts';
import type { FilterAnswer } from '../facts/questions';
import { FILTER_REFUSALS, MemberFilters } from './memberFilters';
import {
	listAll,
	readPage,
	type FilterHabits,
	type Listing,
	type ListLimits,
	type ListQuery,
	ListHabits,
} from './listing';
import { ASKED, OnRequest } from './onRequest';

/** What a filter by name says of groups: all of the name, ignoring case. */
export type GroupFilterAnswer = { usable: true; groups: Group[] } | { usable: false };

/** Groups by id and name. `withMembers`: the service leaves nothing out, so they are read with their members. */
export type GroupNames = Listing<Group> & { withMembers: boolean };

/** What no user has: a hit shows that filters are ignored. */
const NOBODY = 'nobody.of.this.name@example.invalid';

const NO_GROUPS: Listing<Group> = { resources: [], pages: 0 };

/** So often a whole resource is sent again that others change meanwhile. */
const MOST_PUTS = 4;

const MEMBERS = 'members';

/** What a PUT of a group has in its own place, or not at all. */
const SET_BY_SERVICE = /^(?:schemas|id|meta|members)$/i;

/** Answers that refuse attributes to leave out. */
const EXCLUSION_REFUSALS = [400, 403, 501];

/** Answers of a service that has no schemas. */
const NO_SCHEMAS = [404, 501];

/** How long a read that failed behind the service is tried again; so short that the editor can wait for it, too. */
const READ_AGAIN_MS = 1_750;

/** Ways of looking whether a user is there. */
export interface UserLookUps {
	/** The quick one, for looking again and again. */
	quick(): Promise<User | undefined>;
	/** The one that does not trust a filter alone, for looking once at the end. */
	thorough(): Promise<User | undefined>;
	/** Another one, where the quick one finds no user and the request would be sent again. */
	beforeRepeat?(): Promise<User | undefined>;
}

/**
 * The requests of SCIM 2.0 (RFC 7644) on users and groups, one method each. Every method rejects with a
 * RequestError when the service does not answer with 2xx. A method that writes gives what the answer showed, which is
 * no proof: an answer can be empty or old (test/contract/interface.md 2.1).
 */
export interface ScimClient {
	readonly profile: ServiceProfile;
	readonly patience: Patience;
	/** How the service takes what is written of each type. */
	readonly forms: Readonly<Record<ResourceType, Forms>>;
	/** Requests that leave side by side. */
	readonly concurrency: number;
	/** What the run has learned of lists and filters of users. */
	readonly userLists: ListHabits;
	filtersBy(by: MatchAttribute): FilterHabits;
	listUsers(query?: ListQuery): Promise<Listing<User>>;
	listGroups(query?: ListQuery): Promise<Listing<Group>>;
	/** The list for finding groups by name: without members, which may be many, wherever the service can leave them out. */
	listGroupNames(query?: ListQuery): Promise<GroupNames>;
	/** The users with the user name, email or external ID, ignoring case; also those who have the email among others. */
	findUsersByFilter(key: string, matching?: Matching): Promise<FilterAnswer>;
	/** The account refuses a name that no group has: an error, not an empty answer. */
	findGroupsByFilter(displayName: string): Promise<GroupFilterAnswer>;
	getUser(id: string): Promise<User>;
	/** Asks for a user who is active, once, so that it is known whether the service shows it of anybody. Never rejects. */
	findActive(): Promise<void>;
	/** Whether memberships are asked for by name, since the service shows them on request alone. */
	asksForMemberships(): boolean;
	/** The same, decided by this user, who shows no groups, where nothing has decided it yet. */
	findOutByUser(id: string): Promise<boolean>;
	/** A user with the groups that are shown on request, and little else; undefined where that is refused. */
	askUser(id: string): Promise<User | undefined>;
	/** The list of users likewise. */
	askUsers(query?: ListQuery): Promise<Listing<User> | undefined>;
	/** What an answer cannot be that shows fewer than are there: memberships are not asked for any more in this run. */
	stopAsking(): void;
	/** All that the service has shown in this run. */
	readonly facts: Facts;
	/**
	 * Whether a user whom a create has met was there before: not made by an earlier try.
	 * @param wasMissing whether the user was looked for before
	 */
	wasThere(user: User, wasMissing?: boolean): boolean;
	/**
	 * Whether a create may leave it to the service to refuse a second user of one name. Not where `/Schemas`, which is read
	 * before every create anyway, says otherwise, or where the run has seen two. Never rejects.
	 */
	refusesSameNames(): Promise<boolean>;
	/**
	 * What the profile knows to be kept, else what `/Schemas` says, read once; a service without it counts as knowing every
	 * attribute. Never rejects.
	 */
	knownAttributes(): Promise<KnownAttributes>;
	/**
	 * What new users must have: as is known of the service, else as `/Schemas` says, and where an extension requires
	 * something `/ResourceTypes`, each read once. Never rejects.
	 */
	requiredAttributes(): Promise<readonly RequiredAttribute[]>;
	/**
	 * What can be set of users, by `/Schemas`, read once, or by RFC 7643 where the service has none.
	 * @throws RequestError when it cannot be known whether it has
	 */
	userAttributes(): Promise<UserAttribute[]>;
	/**
	 * A group with its members, as far as the service shows them; where only filters tell, by those.
	 * @param of those whose membership alone has to be known
	 */
	getGroup(id: string, of?: readonly string[]): Promise<Group>;
	/**
	 * Groups that show no members, with their members by filter. Undefined where filters cannot be believed, or find none in
	 * any group: then `getGroup` does not use them either.
	 */
	membersByFilter(groups: readonly Group[]): Promise<Group[] | undefined>;
	/** Whether every form of filter that was asked has found a member of a group. */
	filtersFound(): boolean;
	/** Has filters find a member of a group, if there is one, so that it is known whether they find any. */
	findMember(groupId: string): Promise<void>;
	/** A page of the members of a group, by filter; none where that cannot be told. */
	someMembers(groupId: string): Promise<string[]>;
	/**
	 * Never leaves two users behind: after a lost answer it looks whether the user is there before it sends again,
	 * and an answer without id is looked up until `patience` ends.
	 * @returns the user, if seen; `found` when not the answer showed it but a look, so that it may have been there before
	 */
	createUser(body: Attributes, lookUps: UserLookUps): Promise<{ user?: User; found: boolean }>;
	/**
	 * @param again looks before a repeat; the user that it gives is the answer, and nothing is sent again; a body is sent instead
	 * @param hasPlace where writes are paced: whether its place was waited for already (`patience.placeOfWrite`)
	 */
	patchUser(
		id: string,
		body: PatchBody,
		again?: () => Promise<User | PatchBody | undefined>,
		hasPlace?: boolean,
	): Promise<User | undefined>;
	/**
	 * @param again reads the user before a repeat, and gives the whole one to send then
	 * @param version the ETag of what `body` was made from
	 */
	replaceUser(
		id: string,
		body: Attributes,
		again: () => Promise<Attributes>,
		hasPlace?: boolean,
		version?: string,
	): Promise<User | undefined>;
	/**
	 * @param again looks before a repeat, and throws where it is not to be sent again
	 * @returns false when the user was gone before (404, 410): not through an earlier try of this request
	 */
	deleteUser(id: string, again?: () => Promise<void>, hasPlace?: boolean): Promise<boolean>;
	/**
	 * Adds may be sent again as they are. Removals never: the user may have another role by then, which the removal would
	 * take (test/contract/interface.md 2.3).
	 * @param again looks what is left to be sent, before a repeat; without it, removals are sent once only
	 */
	changeMembers(
		groupId: string,
		add: readonly string[],
		remove: readonly string[],
		again?: (mayBeDone: boolean) => Promise<{ add: readonly string[]; remove: readonly string[] }>,
		hasPlace?: boolean,
	): Promise<Group | undefined>;
	/**
	 * Makes the people in a group exactly these.
	 * @param again reads the group before a repeat, and gives the list to send then; undefined when there is nothing to send
	 */
	replaceMembers(
		groupId: string,
		userIds: readonly string[],
		kept: KeptOfGroup,
		again: () => Promise<readonly string[] | undefined>,
		hasPlace?: boolean,
	): Promise<Group | undefined>;
	createGroup(body: Attributes): Promise<Group | undefined>;
	patchGroup(id: string, body: PatchBody): Promise<Group | undefined>;
	/** The same for a group. */
	deleteGroup(id: string): Promise<boolean>;
}

/** @param transport the only way out; its errors pass through */
export function createScimClient(
	transport: Send,
	profile: ServiceProfile,
	patience: Patience,
	limits: ListLimits,
	ids: GroupMeaning = profile.groups(),
): ScimClient {
	/** By the clock of the service, as its latest answer had it. */
	let serverTime: number | undefined;
	const send: Send = async (request) => {
		const answer = await transport(request);
		serverTime = answer.date ?? serverTime;
		return answer;
	};
	const path = (type: ResourceType | 'Schemas' | 'ResourceTypes', id?: string) =>
		resourcePath(profile.prefix, type, id);
	const habits: Record<ResourceType, ListHabits> = {
		Users: new ListHabits(profile.entriesPerPage),
		// Account organizations answer with all groups at once.
		Groups: new ListHabits(profile.listsAreExact ? 0 : profile.entriesPerPage),
	};
	const { key } = ids;
	const list = async <R extends Resource>(
		type: ResourceType,
		read: (entry: unknown) => R | undefined,
		query?: ListQuery,
	) => await listAll(send, profile, type, read, limits, query, habits[type]);
	const wire = { send, profile };
	const filters = new MemberFilters({
		listUsers: async (query) => await list('Users', readUser, query),
		readUsersPage: async (query) => await readPage(wire, 'Users', query),
		readGroupsPage: async (query) => await readPage(wire, 'Groups', query),
	});
	let usesFilters = profile.groupsShowMembers === 'no' && profile.membersByFilter === 'yes';

	const facts = new Facts(profile, patience, ids.key, (group) => filters.hasFoundAs(group));

	const onRequest = new OnRequest(profile.membershipsOnRequest, async () => await knownSchemas());

	const notedGroup = (group: Group) => {
		facts.noteGroup(group);
		return facts.resolved(group);
	};
	const groupIn = (entry: unknown) => {
		const group = readGroup(entry);
		return group && notedGroup(group);
	};

	const notedUser = (user: User, asked: Asked) => {
		facts.noteUser(user, asked);
		if (user.groupIds !== undefined) onRequest.noteShown();
		return user;
	};
	const userIn = (asked: Asked) => (entry: unknown) => {
		const user = readUser(entry);
		return user && notedUser(user, asked);
	};

	/** Reads, and notes what that shows: of each user of a list, of the one of an ID, or why it shows nothing. */
	async function seeingUsers<T>(
		asked: Asked,
		read: (left: Leaving) => Promise<T>,
		usersOf: (answer: T) => readonly User[],
		id?: string,
	): Promise<T> {
		const left = facts.leaving();
		const tried = await attempt(async () => await read(left));
		if (!tried.ok) {
			// That no user is shown by ID does not say yet that there is none.
			if (id !== undefined && !hasStatus(tried.error, 404, 410))
				facts.seeUser(id, { ok: false, error: tried.error }, left, asked);
			throw tried.error;
		}
		for (const user of usersOf(tried.value))
			facts.seeUser(user.id, { ok: true, value: user }, left, asked);
		return tried.value;
	}

	/** What the answer to a write shows of a user, where it is about that one. */
	const answerOf = (id: string, answer: Answer, left: Leaving) => {
		const { shows: user } = intake({ type: 'Users', id, read: readUser }, answer, key);
		if (user === undefined) return undefined;
		facts.noteUser(user, 'write');
		facts.seeUser(id, { ok: true, value: user }, facts.answeredTo(left), 'write');
		return user;
	};

	/** A group of a service that is known to show no members. */
	function withoutMembers(group: Group): Group {
		const shown = { ...group };
		delete shown.members;
		facts.noteNameAlone(shown);
		return shown;
	}

	/** What the answer to a write shows of a group, where it is about that one. */
	const answerOfGroup = (answer: Answer, id?: string) => {
		const { shows } = intake({ type: 'Groups', id, read: readGroup }, answer, key);
		const group = shows && notedGroup(shows);
		return group && profile.groupsShowMembers === 'no' ? withoutMembers(group) : group;
	};

	/** Reads of groups that a failure behind the service spoils, where groups never come and go. */
	const tryAgain = async <T>(what: string, read: () => Promise<T>, fault: FaultOf<T>) =>
		profile.groupsAreFixed ? await readPatiently(what, read, fault, patience) : await read();

	/** Whether it is of use to ask for the members of groups, and of a list that leaves the choice. */
	const mayAskGroups = ({ attributes, excludedAttributes }: ListQuery = {}) =>
		profile.groupsShowMembers === 'unknown' && !attributes && !excludedAttributes;

	async function listGroups(query: ListQuery = {}): Promise<Listing<Group>> {
		const mayAsk = mayAskGroups(query);
		const ask = async () =>
			await onRequest.ask(
				async () => await listShownGroups({ ...query, attributes: ASKED.Groups }),
			);
		const known = mayAsk && onRequest.asks ? await ask() : undefined;
		if (known !== undefined) return known;
		const shown = await listShownGroups(query);
		const isShown = shown.resources.some(({ members }) => members !== undefined);
		if (isShown) onRequest.noteShown();
		if (isShown || !mayAsk || shown.resources.length === 0) return shown;
		let answer: Listing<Group> | undefined;
		const asks = await onRequest.decide(async () => {
			answer = await ask();
			const isShorter = answer && answer.resources.length < shown.resources.length;
			if (answer === undefined || isShorter) return undefined;
			return answer.resources.some(({ members = [] }) => members.length > 0);
		});
		return (asks ? (answer ?? (await ask())) : undefined) ?? shown;
	}

	async function listShownGroups(query: ListQuery): Promise<Listing<Group>> {
		if (!facts.hasGroups) return NO_GROUPS;
		const tried = await attempt(
			async () =>
				await tryAgain(
					'list groups',
					async () => await list('Groups', groupIn, query),
					(read) =>
						faultOfList(read, query, ({ resources, incomplete }) =>
							incomplete === undefined ? resources.length : 1,
						),
				),
		);
		const isPlain = query.attributes === undefined && query.excludedAttributes === undefined;
		if (!tried.ok && isPlain && hasStatus(tried.error, 404, 501) && (await hasNoGroupType())) {
			facts.noteNoGroups();
			return NO_GROUPS;
		}
		if (!tried.ok) throw tried.error;
		const listing = tried.value;
		return { ...listing, resources: completed(listing.resources, query) };
	}

	/** Groups of a list, those empty that are known to be. A list that leaves members out says nothing of them. */
	function completed(groups: Group[], query: ListQuery): Group[] {
		if (profile.groupsShowMembers === 'no') return groups.map(withoutMembers);
		if (profile.groupsShowMembers === 'yes' || isWithoutMembers(query)) return groups;
		const request = JSON.stringify(query);
		return groups.map((group) => facts.completed(group, request));
	}

	let excludes = profile.listsTakeOptions;
	async function listGroupNames(query: ListQuery = {}): Promise<GroupNames> {
		if (excludes) {
			const tried = await attempt(
				async () => await listShownGroups({ ...query, excludedAttributes: MEMBERS }),
			);
			if (tried.ok) {
				// Some say `[]` of what they leave out.
				const resources = tried.value.resources.map(({ id, displayName, attributes }) => ({
					id,
					displayName,
					attributes,
				}));
				return { ...tried.value, resources, withMembers: false };
			}
			if (!hasStatus(tried.error, ...EXCLUSION_REFUSALS)) throw tried.error;
			excludes = false;
		}
		return { ...(await listShownGroups(query)), withMembers: true };
	}

	async function readGroupsPage(query: ListQuery): Promise<ListPage> {
		return await tryAgain(
			'list groups',
			async () => await readPage(wire, 'Groups', query),
			(tried) => faultOfList(tried, query, ({ entries }) => entries.length),
		);
	}

	async function getGroup(id: string, of?: readonly string[]): Promise<Group> {
		const left = facts.leaving();
		const tried = await attempt(async () => facts.resolved(await groupWithMembers(id, of)));
		if (tried.ok || !hasStatus(tried.error, 404, 410)) facts.seeGroup(id, tried, left);
		if (!tried.ok) throw tried.error;
		return tried.value;
	}

	async function groupWithMembers(id: string, of?: readonly string[]): Promise<Group> {
		// Without people to ask about, it is the group itself that is looked at.
		const known = of?.length === 0 ? undefined : facts.nameAlone(id);
		const group = known ?? (await readGroupById(id));
		if (!usesFilters || (group.members ?? []).length > 0) return group;
		return { ...group, ...(await filters.membersOf(id, of)) };
	}

	async function membersByFilter(groups: readonly Group[]): Promise<Group[] | undefined> {
		if (profile.membersByFilter === 'no') return undefined;
		const told: Group[] = [];
		for (const group of groups) {
			const members = await filters.membersOf(group.id);
			if (members === undefined) return undefined;
			told.push({ ...group, ...members });
		}
		usesFilters = told.some(({ members = [] }) => members.length > 0);
		return usesFilters ? told : undefined;
	}

	/** A group by ID; where it shows no members, they are asked for. */
	async function getShownGroup(id: string): Promise<Group> {
		const mayAsk = mayAskGroups();
		const ask = async () =>
			await onRequest.ask(async () => notedGroup(await get('Groups', id, readGroup, ASKED.Groups)));
		const known = mayAsk && onRequest.asks ? await ask() : undefined;
		if (known !== undefined) return known;
		const group = notedGroup(await get('Groups', id, readGroup));
		if (group.members !== undefined) onRequest.noteShown();
		if (group.members !== undefined || !mayAsk) return group;
		let answer: Group | undefined;
		const asks = await onRequest.decide(async () => {
			answer = await ask();
			return answer && (answer.members ?? []).length > 0;
		});
		const asked = asks ? (answer ?? (await ask())) : undefined;
		if (asked === undefined) return group;
		return { ...group, ...asked, attributes: { ...group.attributes, ...asked.attributes } };
	}

	async function readGroupById(id: string): Promise<Group> {
		const group = await tryAgain(
			`get group ${id}`,
			async () => await getShownGroup(id),
			(tried) => (!tried.ok && hasStatus(tried.error, 404) ? saidIn(tried.error) : undefined),
		);
		if (profile.groupsShowMembers === 'yes') return group;
		if (profile.groupsShowMembers === 'no') return withoutMembers(group);
		const known = facts.completed(group, BY_ID);
		const list = facts.listThatShows(id);
		if (known.members !== undefined || list === undefined) return known;
		// Lists have shown the members: so it is a list that says whether there are any.
		const { resources } = await listShownGroups(JSON.parse(list) as ListQuery);
		const listed = resources.find((candidate) => candidate.id === id);
		return listed?.members === undefined ? known : { ...known, members: listed.members };
	}

	/** One resource by id; an answer that is no such resource counts as none. */
	async function get<R extends Resource>(
		type: ResourceType,
		id: string,
		read: (body: unknown) => R | undefined,
		attributes?: string,
	) {
		const purpose = `get ${type === 'Users' ? 'user' : 'group'} ${id}`;
		const query = attributes === undefined ? undefined : { attributes };
		const answer = await send({
			...{ method: 'GET', path: path(type, id), repeat: 'always', purpose },
			...(query && { query }),
		});
		const observed = intake({ type, id, read }, answer, key);
		const { shows, against } = observed;
		if (against !== undefined && observed.isOther) throw otherResource(purpose, against);
		const version = shows && versionOf(shows);
		// What was asked for by name may be without its ETag.
		if (query === undefined || version !== undefined) facts.noteVersion(type, id, version);
		if (shows !== undefined) return shows;
		throw new RequestError(
			`Could not ${purpose}: ${against}`,
			'Check the Service Profile, the Base URL and where the /scim prefix goes.',
			{ kind: 'unreadable', method: 'GET', status: answer.status, mayHaveWorked: false },
		);
	}

	/**
	 * Sends a whole resource: where the service has ETags, only while it is as it was read (RFC 7644 section 3.14). Tags that
	 * change while the resource does not are of no use, and after two such refusals it goes without.
	 * @param again reads the resource and gives the request to send then
	 */
	async function put(
		request: ServiceRequest,
		type: ResourceType,
		id: string,
		version: string | undefined,
		again: () => Promise<{ answer: object } | { body: object }>,
	): Promise<Answer> {
		let [next, ifMatch, same] = [request, version, 0];
		for (let tries = 1; ; tries++) {
			const sent = { ...next, ...(ifMatch !== undefined && { ifMatch }) };
			if (ifMatch === undefined) facts.noteUntagged(type, id);
			const tried = await attempt(async () => await send(sent));
			if (tried.ok) return tried.value;
			if (!hasStatus(tried.error, 412) || ifMatch === undefined || tries > MOST_PUTS)
				throw tried.error;
			const looked = await again();
			if ('answer' in looked) return { status: 200, body: looked.answer, text: '' };
			same = isDeepEqual(looked.body, next.body) ? same + 1 : 0;
			ifMatch = same < 2 ? facts.versionOf(type, id) : undefined;
			next = { ...next, body: looked.body, hasPlace: false };
		}
	}

	/** What was asked for by name lacks the other attributes of a group, which a PUT would clear. */
	async function withOthers(groupId: string, kept: KeptOfGroup): Promise<KeptOfGroup> {
		const { attributes } = notedGroup(await get('Groups', groupId, readGroup));
		const others = Object.entries(attributes).filter(([name]) => !SET_BY_SERVICE.test(name));
		return { ...kept, attributes: { ...Object.fromEntries(others), ...kept.attributes } };
	}

	/** @returns false when it was gone before */
	async function remove(
		request: Pick<ServiceRequest, 'method' | 'path' | 'hasPlace'>,
		purpose: string,
		again?: () => Promise<void>,
	): Promise<boolean> {
		let mayBeOurs = false;
		const repeat = async () => {
			mayBeOurs = true;
			await again?.();
			return undefined;
		};
		const tried = await attempt(async () => await send({ ...request, repeat, purpose }));
		if (tried.ok) return true;
		if (hasStatus(tried.error, 404, 410)) return mayBeOurs;
		throw tried.error;
	}

	/** What the service says of itself. */
	const discover = async (type: 'Schemas' | 'ResourceTypes', what: string) =>
		await attempt(async () => {
			const request = { method: 'GET', path: path(type), repeat: 'never' } as const;
			const { body } = await send({ ...request, purpose: `read the ${what}` });
			return readListPage(body)?.entries ?? [];
		});
	let schemas: Promise<Attempt<readonly unknown[]>> | undefined;
	const readSchemas = async () => await (schemas ??= discover('Schemas', 'schemas'));
	const knownSchemas = async () => {
		const read = await readSchemas();
		return read.ok ? read.value : [];
	};
	let types: Promise<Attempt<readonly unknown[]>> | undefined;
	const resourceTypes = async () => {
		const read = await (types ??= discover('ResourceTypes', 'resource types'));
		return read.ok ? read.value : [];
	};

	/** Whether the service says what types it has, and that no group is among them (RFC 7644 section 4). */
	const hasNoGroupType = async () => {
		const all = await resourceTypes();
		const isGroup = (type: unknown) =>
			/group/i.test(`${nameIn(type, 'name')}${nameIn(type, 'endpoint')}`);
		return all.length > 0 && !all.some(isGroup);
	};

	let active: Promise<void> | undefined;
	/** By filter, and where that shows nobody's `active` by a page of users. */
	const findActive = async () => {
		for (const [asked, query] of ACTIVE_QUERIES) {
			if (facts.saysActivity) return;
			const page = await attempt(async () => await readPage(wire, 'Users', query));
			for (const entry of page.ok ? page.value.entries : []) userIn(asked)(entry);
		}
	};

	/** Whether a filter for users has hits whatever is asked for. */
	const isIgnored = async ({ path: filterPath }: Matching) => {
		const filter = equals(filterPath, NOBODY);
		const answer = await filtered(NOBODY, async () => await readPage(wire, 'Users', { filter }));
		return answer === undefined || answer.entries.length > 0;
	};

	/** What was asked for by name lacks all else, so it is no user as a read shows it. */
	const askedUserIn = (body: unknown) => {
		const user = readUser(body);
		if (user !== undefined) facts.noteUser(user, 'write');
		return user;
	};
	const askUser = async (id: string) =>
		await onRequest.ask(async () => await get('Users', id, askedUserIn, ASKED.Users));
	const mayAskUsers = profile.usersShowGroups === 'unknown';

	return {
		profile,
		patience,
		forms: {
			Users: new Forms(profile.formsAreKnown),
			Groups: new Forms(profile.formsAreKnown),
		},
		asksForMemberships: () => mayAskUsers && onRequest.asks,
		async findOutByUser(id) {
			if (!mayAskUsers) return false;
			return await onRequest.decide(async () => {
				const asked = await askUser(id);
				return asked && (asked.groupIds ?? []).length > 0;
			});
		},
		askUser,
		askUsers: async (query = {}) =>
			await onRequest.ask(async () => {
				return await list('Users', askedUserIn, { ...query, attributes: ASKED.Users });
			}),
		stopAsking: () => onRequest.end(),

		concurrency: sideBySide(profile),
		userLists: habits.Users,
		filtersBy: memoized((): FilterHabits => ({})),
		listUsers: async (query) =>
			await seeingUsers(
				'list',
				async () => await list('Users', userIn('list'), query),
				({ resources }) => resources,
			),
		async listGroups(query) {
			const left = facts.leaving();
			const listing = await listGroups(query);
			for (const group of listing.resources)
				if (group.members !== undefined || profile.groupsShowMembers === 'yes')
					facts.seeGroup(group.id, { ok: true, value: group }, left, 'list');
			return listing;
		},
		listGroupNames,

		async findUsersByFilter(key, matching = matchingBy('userName')) {
			const { by, keysOf } = matching;
			const left = facts.leaving();
			const query = { filter: equals(matching.path, key) };
			const answer = await filtered(key, async () => await readPage(wire, 'Users', query));
			if (answer === undefined) return { usable: false };
			const wanted = nameKey(key);
			const users = answer.entries.flatMap((entry) => userIn('filter')(entry) ?? []);
			for (const user of users) facts.seeUser(user.id, { ok: true, value: user }, left, 'filter');
			const hits = users.filter((user) => keysOf(user).some((one) => nameKey(one) === wanted));
			const { entries, totalResults = 0, nextCursor } = answer;
			// User names are unique at the service; two may have the same email, and have to be seen both.
			const isOnePage = by === 'userName' || totalResults <= entries.length;
			const ignored = hits.length < entries.length || !isOnePage || nextCursor !== undefined;
			if (!ignored) return { usable: true, users: hits };
			const isOne = users.length === 1 && totalResults <= 1 && nextCursor === undefined;
			const finds = isOne && hits.length === 0 && !(await isIgnored(matching));
			return finds ? { usable: true, users: [], other: users[0] } : { usable: false };
		},

		async findGroupsByFilter(displayName) {
			if (!facts.hasGroups) return { usable: true, groups: [] };
			const query = { filter: equals('displayName', displayName) };
			const answer = await filtered(displayName, async () => await readGroupsPage(query));
			if (answer === undefined) return { usable: false };
			const { entries, totalResults = 0, nextCursor } = answer;
			const wanted = nameKey(displayName);
			const groups = entries.flatMap((entry) => groupIn(entry) ?? []);
			const hits = groups.filter((group) => nameKey(group.displayName) === wanted);
			// Two groups of one name have to be seen both.
			const isOnePage = totalResults <= entries.length && nextCursor === undefined;
			const whole = hits.length === entries.length && isOnePage;
			const distinct = [...new Map(hits.map((group) => [group.id, group])).values()];
			return whole ? { usable: true, groups: completed(distinct, query) } : { usable: false };
		},

		facts,
		findActive: async () => await (active ??= findActive()),
		getUser: async (id) =>
			await seeingUsers(
				'id',
				async () => notedUser(await get('Users', id, readUser), 'id'),
				(user) => [user],
				id,
			),
		wasThere: (user, wasMissing) => wasThereBefore(user, serverTime, wasMissing),
		async refusesSameNames() {
			if (facts.hasTwins) return false;
			return profile.requiredAttributes !== undefined || !allowsSameNames(await knownSchemas());
		},
		getGroup,
		membersByFilter,
		filtersFound: () => filters.found,
		findMember: async (groupId) => await filters.findMember(groupId),
		someMembers: async (groupId) => await filters.someOf(groupId),
		async knownAttributes() {
			const { keeps } = profile;
			if (keeps === undefined) return knownAttributes(await knownSchemas());
			return { knows: keeps, hides: () => false };
		},
		async requiredAttributes() {
			const known = profile.requiredAttributes;
			if (known !== undefined) return known.map((path) => ({ path }));
			const all = await knownSchemas();
			return requiredAttributes(all, someExtensionRequires(all) ? await resourceTypes() : []);
		},
		async userAttributes() {
			const read = await readSchemas();
			if (!read.ok && !hasStatus(read.error, ...NO_SCHEMAS)) throw read.error;
			return userAttributes(await knownSchemas(), await resourceTypes());
		},

		async createUser(body, { quick, thorough, beforeRepeat }) {
			const userName = String(body.userName);
			// What goes wrong while looking says nothing of the create.
			const look = async (way: typeof quick) => {
				const seen = await attempt(way);
				return seen.ok ? seen.value : undefined;
			};
			const lookPatiently = async () =>
				(await poll(patience, async () => await look(quick))) ?? (await look(thorough));
			let sentBefore = false;
			let lookedUp: User | undefined;
			const tried = await attempt(
				async () =>
					await send({
						...requests.createUser(profile, body),
						secrets: secretsIn(body),
						purpose: `create user ${userName}`,
						repeat: async ({ mayHaveWorked }) => {
							if (!mayHaveWorked) return undefined;
							sentBefore = true;
							// A look that fails says nothing, and nothing is sent again without one.
							const seen = (await quick()) ?? (await beforeRepeat?.());
							lookedUp = seen;
							return seen && { answer: seen.attributes };
						},
					}),
			);
			if (tried.ok) {
				const made = intake({ type: 'Users', read: readUser }, tried.value, key);
				const shown = lookedUp ?? made.shows;
				if (shown !== undefined) facts.noteUser(shown, 'write');
				if (shown !== undefined) return { user: shown, found: lookedUp !== undefined };
				return { user: await lookPatiently(), found: false };
			}
			// "Exists already" after a lost answer: the one that exists is the one we made.
			const mayBeOurs =
				(sentBefore && hasStatus(tried.error, 409)) ||
				(tried.error instanceof RequestError && tried.error.facts.mayHaveWorked);
			const ours = mayBeOurs ? await lookPatiently() : undefined;
			if (ours === undefined) throw tried.error;
			return { user: ours, found: true };
		},

		async patchUser(id, body, again, hasPlace) {
			const left = facts.leaving();
			const answer = await send({
				...requests.patchUser(profile, id, body),
				// Only values are replaced (see replaceAttributes), which gives the same however often it is done.
				repeat:
					again === undefined
						? 'always'
						: async () => {
								const next = await again();
								if (next === undefined) return undefined;
								return 'Operations' in next ? { body: next } : { answer: next.attributes };
							},
				hasPlace,
				secrets: secretsIn(body),
				purpose: `update user ${id}`,
			});
			return answerOf(id, answer, left);
		},

		async replaceUser(id, body, again, hasPlace, version) {
			const left = facts.leaving();
			const requestFor = (whole: Attributes) => requests.replaceUser(profile, id, whole);
			const next = async () => requestFor(await again());
			const request: ServiceRequest = {
				...requestFor(body),
				repeat: { ifRefused: next },
				hasPlace,
				secrets: secretsIn(body),
				purpose: `replace user ${id}`,
			};
			return answerOf(id, await put(request, 'Users', id, version, next), left);
		},

		deleteUser: async (id, again, hasPlace) =>
			await remove({ ...requests.deleteUser(profile, id), hasPlace }, `delete user ${id}`, again),

		async changeMembers(groupId, add, remove, again, hasPlace) {
			if (add.length > 0) facts.noteGrowth(groupId);
			const requestFor = (adds: readonly string[], removals: readonly string[]) => {
				const entries = adds.map((id) => memberEntry(id, facts.userName(id)));
				return requests.changeMembers(profile, groupId, entries, removals);
			};
			const answer = await send({
				...requestFor(add, remove),
				repeat:
					again === undefined
						? remove.length === 0
							? 'always'
							: 'never'
						: async ({ mayHaveWorked }) => {
								const left = await again(mayHaveWorked);
								if (left.add.length + left.remove.length === 0) return { answer: {} };
								return requestFor(left.add, left.remove);
							},
				hasPlace,
				purpose: `change the members of group ${groupId}`,
			});
			return answerOfGroup(answer, groupId);
		},

		async replaceMembers(groupId, userIds, kept, again, hasPlace) {
			facts.noteGrowth(groupId);
			const whole = onRequest.asks ? await withOthers(groupId, kept) : kept;
			const requestFor = (ids: readonly string[]) => {
				const displayOf = (id: string) => whole.displays.get(id) ?? facts.userName(id);
				const entries = ids.map((id) => memberEntry(id, displayOf(id)));
				return requests.replaceMembers(profile, groupId, entries, whole);
			};
			const next = async () => {
				const wanted = await again();
				return wanted === undefined ? { answer: {} } : requestFor(wanted);
			};
			const request: ServiceRequest = {
				...requestFor(userIds),
				repeat: next,
				hasPlace,
				purpose: `replace the members of group ${groupId}`,
			};
			return answerOfGroup(await put(request, 'Groups', groupId, kept.version, next), groupId);
		},

		async createGroup(body) {
			const answer = await send({
				...requests.createGroup(profile, body),
				repeat: 'never',
				secrets: secretsIn(body),
				purpose: `create group ${String(body.displayName)}`,
			});
			return answerOfGroup(answer);
		},

		async patchGroup(id, body) {
			const answer = await send({
				...requests.patchGroup(profile, id, body),
				repeat: 'always',
				secrets: secretsIn(body),
				purpose: `update group ${id}`,
			});
			return answerOfGroup(answer, id);
		},

		deleteGroup: async (id) =>
			await remove(requests.deleteGroup(profile, id), `delete group ${id}`),
	};
}

/** What shows a user who is active, if anything does. */
const ACTIVE_QUERIES: ReadonlyArray<readonly [Asked, ListQuery]> = [
	['filter', { filter: 'active eq true', count: 1 }],
	['list', { startIndex: 1, count: 10 }],
];

function otherResource(purpose: string, against: string): RequestError {
	return new RequestError(
		`Could not ${purpose}: ${against}`,
		'Check the ID, its upper and lower case too. If it is right, check what is between n8n and the service.',
		{ kind: 'unreadable', method: 'GET', mayHaveWorked: false },
	);
}

/**
 * The answer to a filter for a value; undefined when the service refuses it, or fails at a quote in it, which some put into a
 * query as it is.
 * @throws RequestError for any other failure
 */
async function filtered(
	value: string,
	read: () => Promise<ListPage>,
): Promise<ListPage | undefined> {
	const tried = await attempt(read);
	if (tried.ok) return tried.value;
	const failures = /["'\\]/.test(value) ? [500] : [];
	if (hasStatus(tried.error, ...FILTER_REFUSALS, ...failures)) return undefined;
	throw tried.error;
}

function isWithoutMembers({ excludedAttributes = '' }: ListQuery): boolean {
	return excludedAttributes.split(',').some((name) => name.trim().toLowerCase() === MEMBERS);
}

/** What is wrong with an answer, so that it is none; undefined when nothing is. */
type FaultOf<T> = (tried: Attempt<T>) => string | undefined;

/**
 * Reads until the answer has no fault, with a few growing pauses.
 * @throws RequestError of no status: a 404 would say that the group is gone
 */
async function readPatiently<T>(
	what: string,
	read: () => Promise<T>,
	fault: FaultOf<T>,
	patience: Patience,
): Promise<T> {
	let [said, tries] = ['', 0];
	const answer = await poll({ ...patience, limitMs: READ_AGAIN_MS }, async () => {
		const tried = await attempt(read);
		const found = fault(tried);
		if (found === undefined) return tried;
		[said, tries] = [found, tries + 1];
		return undefined;
	});
	if (answer?.ok === true) return answer.value;
	if (answer !== undefined) throw answer.error;
	throw new RequestError(
		`Could not ${what}: ${said}, ${tries} times`,
		'Check the ID, if one was typed. Otherwise the service cannot reach its own data: run again in a moment.',
		{ kind: 'unreadable', method: 'GET', mayHaveWorked: false },
	);
}

/** An account always has groups, and a filter that the service does not know is its own mistake (test/contract/interface.md 2.1). */
function faultOfList<T>(
	tried: Attempt<T>,
	query: ListQuery,
	size: (list: T) => number,
): string | undefined {
	if (!tried.ok) {
		const { error } = tried;
		const isBehind = hasStatus(error, 400) && error.facts.errorType !== 'invalidFilter';
		return isBehind ? saidIn(error) : undefined;
	}
	const isWhole =
		query.filter === undefined && (query.startIndex ?? 1) === 1 && (query.cursor ?? '') === '';
	return isWhole && size(tried.value) === 0 ? 'the service showed no group' : undefined;
}

function saidIn({ facts: { status, detail } }: RequestError): string {
	return `the service answered ${status}${detail === undefined ? '' : `, ${detail}`}`;
}

import { attempt, nameKey, shown, type Attempt, poll } from '../../util';
import { hasStatus, type ServiceRequest, RequestError } from '../../http';
import { BY_ID } from '../facts/facts';
import { equals } from '../protocol/paths';
import { nameIn } from '../protocol/schema';
import type { ListPage } from '../protocol/intake';
import { type PatchBody, type KeptOfGroup, memberEntry } from '../protocol/patch';
import * as requests from '../protocol/requests';
import { type Attributes, type Group, secretsIn } from '../protocol/resource';
import { discover } from './discovery';
import { readPage, type Listing, type ListQuery } from './listing';
import {
	groupOfAnswer,
	groupReader,
	withoutMembers,
	deleteResource,
	filteredPage,
	getResource,
	listResources,
	putResource,
} from './resources';
import { ASKED, type Wire } from './wire';

/** What a filter by name says of groups: all of the name, ignoring case. */
export type GroupFilterAnswer = { usable: true; groups: Group[] } | { usable: false };

/** Groups by id and name. `withMembers`: the service leaves nothing out, so they are read with their members. */
export type GroupNames = Listing<Group> & { withMembers: boolean };

const NO_GROUPS: Listing<Group> = { resources: [], pages: 0 };

const MEMBERS = 'members';

/** Answers that refuse attributes to leave out. */
const EXCLUSION_REFUSALS = [400, 403, 501];

/** Lists groups (RFC 7644 section 3.4.2), with the members that the service shows; where it shows none, they are asked for. */
export async function listGroups(wire: Wire, query: ListQuery = {}): Promise<Listing<Group>> {
	const { facts, profile } = wire;
	const left = facts.leaving();
	const listing = await listWithMembers(wire, query);
	for (const group of listing.resources)
		if (group.members !== undefined || profile.groupsShowMembers === 'yes')
			facts.seeGroup(group.id, { ok: true, value: group }, left, 'list');
	return listing;
}

/** Tells whether it is of use to ask for the members of groups, and of a list that leaves the choice. */
function mayAskForMembers({ profile }: Wire, query: ListQuery = {}): boolean {
	const isPlain = !query.attributes && !query.excludedAttributes;
	return profile.groupsShowMembers === 'unknown' && isPlain;
}

async function listWithMembers(wire: Wire, query: ListQuery): Promise<Listing<Group>> {
	const list = async (attributes = query.attributes) =>
		await listShown(wire, { ...query, attributes });
	return await readAsking(wire, mayAskForMembers(wire, query), list, ({ resources }) => resources);
}

/**
 * Reads groups; where that shows no members, asks for them by name (RFC 7644 section 3.9), where the service is found to show
 * them on request alone.
 */
async function readAsking<T>(
	{ onRequest }: Wire,
	mayAskByName: boolean,
	read: (attributes?: string) => Promise<T>,
	groupsOf: (answer: T) => readonly Group[],
	merge = (_plain: T, asked: T): T => asked,
): Promise<T> {
	const ask = async () => await onRequest.ask(async () => await read(ASKED.Groups));
	const known = mayAskByName && onRequest.asks ? await ask() : undefined;
	if (known !== undefined) return known;
	const plain = await read();
	const shown = groupsOf(plain);
	const isShown = shown.some(({ members }) => members !== undefined);
	if (isShown) onRequest.noteShown();
	if (isShown || !mayAskByName || shown.length === 0) return plain;
	let answer: T | undefined;
	const isOnRequest = await onRequest.decide(async () => {
		answer = await ask();
		const told = answer && groupsOf(answer);
		if (told === undefined || told.length < shown.length) return undefined;
		return told.some(({ members = [] }) => members.length > 0);
	});
	const asked = isOnRequest ? (answer ?? (await ask())) : undefined;
	return asked === undefined ? plain : merge(plain, asked);
}

/** Lists groups as one request shows them; none where the service has none. */
async function listShown(wire: Wire, query: ListQuery): Promise<Listing<Group>> {
	const { facts } = wire;
	if (!facts.hasGroups) return NO_GROUPS;
	const list = async () => await listResources(wire, 'Groups', groupReader(wire), query);
	const faultOf = faultOfList<Listing<Group>>(query, ({ resources, incomplete }) =>
		incomplete === undefined ? resources.length : 1,
	);
	const tried = await attempt(async () => await readGroups(wire, 'list groups', list, faultOf));
	if (tried.ok) return { ...tried.value, resources: completed(wire, tried.value.resources, query) };
	const isPlain = query.attributes === undefined && query.excludedAttributes === undefined;
	if (!isPlain || !hasStatus(tried.error, 404, 501) || !(await hasNoGroupType(wire)))
		throw tried.error;
	facts.noteNoGroups();
	return NO_GROUPS;
}

/** Tells whether the service says what types it has, and that no group is among them (RFC 7644 section 4). */
async function hasNoGroupType(wire: Wire): Promise<boolean> {
	const all = await discover(wire, 'ResourceTypes');
	const isGroup = (type: unknown) =>
		/group/i.test(`${nameIn(type, 'name')}${nameIn(type, 'endpoint')}`);
	return all.length > 0 && !all.some(isGroup);
}

/** Returns the groups of a list, those empty that are known to be. A list that leaves members out says nothing of them. */
function completed(wire: Wire, groups: Group[], query: ListQuery): Group[] {
	const { facts, profile } = wire;
	if (profile.groupsShowMembers === 'no') return groups.map((group) => withoutMembers(wire, group));
	if (profile.groupsShowMembers === 'yes' || isWithoutMembers(query)) return groups;
	const request = JSON.stringify(query);
	return groups.map((group) => facts.completed(group, request));
}

function isWithoutMembers({ excludedAttributes = '' }: ListQuery): boolean {
	return excludedAttributes.split(',').some((name) => name.trim().toLowerCase() === MEMBERS);
}

/**
 * Lists groups for finding them by name: without members, which may be many, wherever the service can leave them out (RFC 7644
 * section 3.9).
 */
export async function listGroupNames(wire: Wire, query: ListQuery = {}): Promise<GroupNames> {
	if (wire.excludesMembers) {
		const asking = { ...query, excludedAttributes: MEMBERS };
		const tried = await attempt(async () => await listShown(wire, asking));
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
		wire.excludesMembers = false;
	}
	return { ...(await listShown(wire, query)), withMembers: true };
}

/**
 * Finds groups by name by filter (RFC 7644 section 3.4.2.2). The account refuses a name that no group has: an error, not an
 * empty answer (test/contract/interface.md 2.1).
 */
export async function findGroupsByFilter(
	wire: Wire,
	displayName: string,
): Promise<GroupFilterAnswer> {
	if (!wire.facts.hasGroups) return { usable: true, groups: [] };
	const query = { filter: equals('displayName', displayName) };
	const page = async () => await readPage(wire, 'Groups', query);
	const faultOf = faultOfList<ListPage>(query, ({ entries: { length } }) => length);
	const answer = await filteredPage(
		displayName,
		async () => await readGroups(wire, 'list groups', page, faultOf),
	);
	if (answer === undefined) return { usable: false };
	const { entries, totalResults = 0, nextCursor } = answer;
	const wanted = nameKey(displayName);
	const read = groupReader(wire);
	const groups = entries.flatMap((entry) => read(entry) ?? []);
	const hits = groups.filter((group) => nameKey(group.displayName) === wanted);
	// Two groups of one name have to be seen both.
	const isOnePage = totalResults <= entries.length && nextCursor === undefined;
	const whole = hits.length === entries.length && isOnePage;
	const distinct = [...new Map(hits.map((group) => [group.id, group])).values()];
	return whole ? { usable: true, groups: completed(wire, distinct, query) } : { usable: false };
}

/**
 * Gets a group (RFC 7644 section 3.4.1) with its members, as far as the service shows them; where only filters tell, by those.
 * @param of those whose membership alone has to be known
 */
export async function getGroup(wire: Wire, id: string, of?: readonly string[]): Promise<Group> {
	const { facts } = wire;
	const left = facts.leaving();
	const tried = await attempt(async () => facts.resolved(await getWithMembers(wire, id, of)));
	if (tried.ok || !hasStatus(tried.error, 404, 410)) facts.seeGroup(id, tried, left);
	if (!tried.ok) throw tried.error;
	return tried.value;
}

async function getWithMembers(wire: Wire, id: string, of?: readonly string[]): Promise<Group> {
	// Without people to ask about, it is the group itself that is looked at.
	const known = of?.length === 0 ? undefined : wire.facts.nameAlone(id);
	const group = known ?? (await getCompleted(wire, id));
	if (!wire.readsMembersByFilter || (group.members ?? []).length > 0) return group;
	return { ...group, ...(await wire.memberFilters.membersOf(id, of)) };
}

/** Gets a group, empty where that is known. */
async function getCompleted(wire: Wire, id: string): Promise<Group> {
	const { facts, profile } = wire;
	const get = async () => await getShown(wire, id);
	const group = await readGroups(wire, `get group ${id}`, get, faultOfGroup);
	if (profile.groupsShowMembers === 'yes') return group;
	if (profile.groupsShowMembers === 'no') return withoutMembers(wire, group);
	const known = facts.completed(group, BY_ID);
	const list = facts.listThatShows(id);
	if (known.members !== undefined || list === undefined) return known;
	// Lists have shown the members: so it is a list that says whether there are any.
	const { resources } = await listShown(wire, JSON.parse(list) as ListQuery);
	const listed = resources.find((candidate) => candidate.id === id);
	return listed?.members === undefined ? known : { ...known, members: listed.members };
}

async function getShown(wire: Wire, id: string): Promise<Group> {
	const get = async (attributes?: string) =>
		await getResource(wire, 'Groups', id, groupReader(wire), attributes);
	const merge = ({ attributes, ...plain }: Group, asked: Group) => ({
		...{ ...plain, ...asked },
		attributes: { ...attributes, ...asked.attributes },
	});
	return await readAsking(wire, mayAskForMembers(wire), get, (group) => [group], merge);
}

/** Creates a group (RFC 7644 section 3.3), sent once only: the name of a group is not unique. */
export async function createGroup(wire: Wire, body: Attributes): Promise<Group | undefined> {
	const answer = await wire.send({
		...requests.createGroup(wire.profile, body),
		repeat: 'never',
		secrets: secretsIn(body),
		purpose: `create group ${shown(String(body.displayName))}`,
	});
	return groupOfAnswer(wire, answer);
}

/** Updates attributes of a group (RFC 7644 section 3.5.2). */
export async function patchGroup(
	wire: Wire,
	id: string,
	body: PatchBody,
): Promise<Group | undefined> {
	const answer = await wire.send({
		...requests.patchGroup(wire.profile, id, body),
		repeat: 'always',
		secrets: secretsIn(body),
		purpose: `update group ${id}`,
	});
	return groupOfAnswer(wire, answer, id);
}

/** Deletes a group (RFC 7644 section 3.6); false when it was gone before. */
export async function deleteGroup(
	wire: Wire,
	id: string,
	again?: () => Promise<void>,
	hasSlot?: boolean,
): Promise<boolean> {
	const request = { ...requests.deleteGroup(wire.profile, id), hasSlot };
	return await deleteResource(wire, { ...request, purpose: `delete group ${id}` }, again);
}

/** What a PUT of a group has in its own place, or not at all. */
const SET_BY_SERVICE = /^(?:schemas|id|meta|members)$/i;

/**
 * Adds and removes members by PATCH (RFC 7644 section 3.5.2). Adds may be sent again as they are. Removals never: the user may
 * have another role by then, which the removal would take (test/contract/interface.md 2.3).
 * @param again looks what is left to be sent, before a repeat; without it, removals are sent once only
 */
export async function changeMembers(
	wire: Wire,
	groupId: string,
	add: readonly string[],
	remove: readonly string[],
	again?: () => Promise<{ add: readonly string[]; remove: readonly string[] }>,
	hasSlot?: boolean,
): Promise<Group | undefined> {
	const { facts, profile, send } = wire;
	if (add.length > 0) facts.noteGrowth(groupId);
	const requestFor = (adds: readonly string[], removals: readonly string[]) => {
		const entries = adds.map((id) => memberEntry(id, facts.userName(id)));
		return requests.changeMembers(profile, groupId, entries, removals);
	};
	const withoutLook = remove.length === 0 ? 'always' : 'never';
	const answer = await send({
		...requestFor(add, remove),
		repeat:
			again === undefined
				? withoutLook
				: async () => {
						const left = await again();
						if (left.add.length + left.remove.length === 0) return { answer: {} };
						return requestFor(left.add, left.remove);
					},
		hasSlot,
		purpose: `change the members of group ${groupId}`,
	});
	return groupOfAnswer(wire, answer, groupId);
}

/**
 * Replaces a whole group (RFC 7644 section 3.5.1), so that its members are exactly these.
 * @param again reads the group before a repeat, and gives the list to send then; undefined when there is nothing to send
 */
export async function replaceMembers(
	wire: Wire,
	groupId: string,
	userIds: readonly string[],
	kept: KeptOfGroup,
	again: () => Promise<readonly string[] | undefined>,
	hasSlot?: boolean,
): Promise<Group | undefined> {
	const { facts, onRequest, profile } = wire;
	facts.noteGrowth(groupId);
	const whole = onRequest.asks ? await withOthers(wire, groupId, kept) : kept;
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
		hasSlot,
		purpose: `replace the members of group ${groupId}`,
	};
	const answer = await putResource(wire, request, ['Groups', groupId], kept.version, next);
	return groupOfAnswer(wire, answer, groupId);
}

/** Reads the other attributes of a group, which what was asked for by name lacks, and which a PUT would clear. */
async function withOthers(wire: Wire, groupId: string, kept: KeptOfGroup): Promise<KeptOfGroup> {
	const { attributes } = await getResource(wire, 'Groups', groupId, groupReader(wire));
	const others = Object.entries(attributes).filter(([name]) => !SET_BY_SERVICE.test(name));
	return { ...kept, attributes: { ...Object.fromEntries(others), ...kept.attributes } };
}

/**
 * Reads by filter the members of groups that show none. Undefined where filters cannot be believed, or find none in any group:
 * then `getGroup` does not use them either.
 */
export async function membersByFilter(
	wire: Wire,
	groups: readonly Group[],
): Promise<Group[] | undefined> {
	if (wire.profile.membersByFilter === 'no') return undefined;
	const told: Group[] = [];
	for (const group of groups) {
		const members = await wire.memberFilters.membersOf(group.id);
		if (members === undefined) return undefined;
		told.push({ ...group, ...members });
	}
	wire.readsMembersByFilter = told.some(({ members = [] }) => members.length > 0);
	return wire.readsMembersByFilter ? told : undefined;
}

/** Tells whether every form of filter that was asked has found a member of a group. */
export function filtersFound({ memberFilters }: Wire): boolean {
	return memberFilters.found;
}

/** Has filters find a member of a group, if there is one, so that it is known whether they find any. */
export async function findMember({ memberFilters }: Wire, groupId: string): Promise<void> {
	await memberFilters.findMember(groupId);
}

/** Reads by filter a page of the members of a group; none where that cannot be told. */
export async function someMembers({ memberFilters }: Wire, groupId: string): Promise<string[]> {
	return await memberFilters.someOf(groupId);
}

/** How long a read that failed behind the service is tried again; so short that the editor can wait for it, too. */
const READ_AGAIN_MS = 1_750;

/** What is wrong with an answer, so that it is none; undefined when nothing is. */
type FaultOf<T> = (tried: Attempt<T>) => string | undefined;

/**
 * Reads groups; where they never come and go, so that a fault lies behind the service, until the answer has none, with a few
 * growing pauses (test/contract/interface.md 2.1).
 * @throws RequestError of no status: a 404 would say that the group is gone
 */
async function readGroups<T>(
	{ profile, timing }: Wire,
	what: string,
	read: () => Promise<T>,
	faultOf: FaultOf<T>,
): Promise<T> {
	if (!profile.groupsAreFixed) return await read();
	let [said, tries] = ['', 0];
	const answer = await poll({ ...timing, limitMs: READ_AGAIN_MS }, async () => {
		const tried = await attempt(read);
		const found = faultOf(tried);
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

/**
 * Returns what finds the fault of a list: an account always has groups, and a filter that the service does not know is its own
 * mistake (test/contract/interface.md 2.1).
 */
function faultOfList<T>(query: ListQuery, sizeOf: (list: T) => number): FaultOf<T> {
	const { filter, startIndex = 1, cursor = '' } = query;
	const isWhole = filter === undefined && startIndex === 1 && cursor === '';
	return (tried) => {
		if (tried.ok)
			return isWhole && sizeOf(tried.value) === 0 ? 'the service showed no group' : undefined;
		const { error } = tried;
		const isBehind = hasStatus(error, 400) && error.facts.errorType !== 'invalidFilter';
		return isBehind ? saidIn(error) : undefined;
	};
}

/** Finds the fault of a group: it is never gone. */
function faultOfGroup(tried: Attempt<unknown>): string | undefined {
	return !tried.ok && hasStatus(tried.error, 404) ? saidIn(tried.error) : undefined;
}

function saidIn({ facts: { status, detail } }: RequestError): string {
	return `the service answered ${status}${detail === undefined ? '' : `, ${detail}`}`;
}

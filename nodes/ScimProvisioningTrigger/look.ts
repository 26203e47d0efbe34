import { InputError } from '../shared/util';
import {
	type Access,
	Directory,
	type Marking,
	type ScimConnection,
	type SeenGroup,
	settledAccess,
	type Snapshot,
	snapshotOf,
	type VolumeLimits,
} from '../shared/access';
import { type Settings, tooLongToRead } from '../shared/run';
import { wholeList } from '../shared/scim';
import { readsFor, type Wish } from './events';

/** All that one poll goes by. */
export interface Watch {
	connection: ScimConnection;
	settings: Settings;
	wish: Wish;
	limits: VolumeLimits;
	/** Where attributes of users are watched. */
	marking?: Marking;
	/** What the last look showed; nothing before the first. */
	before: Snapshot;
}

const MOST_NAMED = 30;

/**
 * Reads what the chosen events need: all users, all groups, or both.
 * @throws RequestError when a list is incomplete, InputError when groups show nobody, and for an organization that is none
 */
export async function look(watch: Watch): Promise<Snapshot> {
	const { connection, settings, wish, marking } = watch;
	const { client, ids } = connection;
	const needs = readsFor(wish, client.profile);
	const access = needs.access
		? checkKnown(await settledAccess({ directory: directoryOf(watch), client }))
		: undefined;
	const everybody =
		needs.users || needs.values
			? wholeList(await client.listUsers({ count: settings.pageSize }), 'users')
			: undefined;
	const users = needs.users ? everybody : undefined;
	const holders = needs.values ? everybody : undefined;
	const seen = snapshotOf(users, access, ids, client.profile, marking, holders);
	checkOrganizations(seen, watch);
	return seen;
}

/**
 * Looks that are known from the last one to take too long are not begun.
 * @throws InputError when the lists cannot be read in time at the pace of the credential
 */
export function checkTime({ before, connection, settings, wish }: Watch, looks: number): void {
	const { pace } = connection;
	if (pace === undefined) return;
	const needs = readsFor(wish, connection.client.profile);
	const { entriesPerPage, groupsShowMembers, listsAllGroupsAtOnce } = connection.client.profile;
	const pagesOf = (entries: number) =>
		Math.ceil(entries / Math.min(settings.pageSize, entriesPerPage));
	const known = [...before.groups.values()].filter(isGroup).length;
	const listed = listsAllGroupsAtOnce ? 1 : pagesOf(known);
	const groups = listed + (groupsShowMembers === 'no' ? known : 0);
	const people = before.users ?? before.access;
	const users = needs.users || needs.values ? pagesOf(people?.size ?? 0) : 0;
	const why = tooLongToRead(looks * ((needs.access ? groups : 0) + users), pace);
	if (why === undefined) return;
	throw new InputError(
		`The check was skipped: ${why}`,
		'Raise Max Run Time under Options > Requests, or Reads per Minute in the credential. The next successful check reports all changes.',
	);
}

function isGroup({ attribute }: SeenGroup): boolean {
	return attribute === undefined;
}

/** Access that is not known must never look like access that is gone. @throws InputError when nobody shows who is where */
export function checkKnown(access: Access): Access {
	if (access.showsMembers) return access;
	throw new InputError(
		'The service does not show who is in which group: no group shows a member, and no user shows groups',
		'Check the service. If it never shows members, choose only user events under Trigger On. If every group is empty on purpose, replace this node with a new one.',
	);
}

/** Reads again, so a directory serves for one question only. */
export function directoryOf({ connection: { client, ids }, settings }: Watch): Directory {
	return new Directory(client, ids, settings.pageSize, settings.concurrency);
}

/**
 * Events of organizations that nobody can be in would never come.
 * @throws InputError for an organization that no group belongs to, nor did at the last look
 */
function checkOrganizations(seen: Snapshot, { before, wish: { organizations } }: Watch): void {
	// An empty list of groups says nothing of them.
	if (organizations.size === 0 || ![...seen.groups.values()].some(isGroup)) return;
	const known = new Map(
		[...before.groups.values(), ...seen.groups.values()].flatMap(({ place, organization }) =>
			organization === undefined ? [] : [[place, organization] as const],
		),
	);
	const unknown = [...organizations].filter(([place]) => !known.has(place));
	if (unknown.length === 0) return;
	const names = [...known.values()].sort().slice(0, MOST_NAMED).join(', ');
	throw new InputError(
		`No group belongs to the organization ${unknown.map(([, label]) => label).join(', ')}`,
		known.size === 0
			? 'Groups of this service stand for no organizations. Leave Organizations empty, or set Groups Stand For in the credential to Organization and Role.'
			: `Correct Organizations under Options. Known organizations: ${names}.`,
	);
}

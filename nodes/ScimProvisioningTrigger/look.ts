import { InputError } from '../shared/util';
import {
	type Access,
	Directory,
	type LossLimits,
	type ScimConnection,
	settledAccess,
	type Snapshot,
	snapshotOf,
} from '../shared/access';
import type { Settings } from '../shared/run';
import { wholeList } from '../shared/scim';
import type { Wish } from './events';

/** All that one poll goes by. */
export interface Watch {
	connection: ScimConnection;
	settings: Settings;
	wish: Wish;
	limits: LossLimits;
	/** What the last look showed; nothing before the first. */
	before: Snapshot;
}

const MOST_NAMED = 30;

/**
 * Reads what the chosen events need: all users, all groups, or both.
 * @throws RequestError when a list is incomplete, InputError when groups show nobody, and for an organization that is none
 */
export async function look(watch: Watch): Promise<Snapshot> {
	const { connection, settings, wish } = watch;
	const { client, ids } = connection;
	const needs = (what: 'access' | 'user') => [...wish.kinds].some((kind) => kind.startsWith(what));
	const access = needs('access')
		? await settledAccess({ directory: directoryOf(watch), client })
		: undefined;
	if (access?.showsMembers === false) {
		throw new InputError(
			'It is not known who is in which group: no group shows a member, and no user its groups',
			'Look at the service. If it never shows members, choose events of users only under Trigger On. If everybody has left every group, make the node anew.',
		);
	}
	if (access !== undefined) checkOrganizations(access, watch);
	const users = needs('user')
		? wholeList(await client.listUsers({ count: settings.pageSize }), 'users')
		: undefined;
	return snapshotOf(users, access, ids, client.profile);
}

/** Reads anew, so a directory serves for one question only. */
export function directoryOf({ connection: { client, ids }, settings }: Watch): Directory {
	return new Directory(client, ids, settings.pageSize, settings.concurrency);
}

/**
 * Events of organizations that nobody can be in would never come.
 * @throws InputError for an organization that no group belongs to, nor did at the last look
 */
function checkOrganizations(
	{ groups }: Access,
	{ before, connection: { ids }, wish: { organizations } }: Watch,
): void {
	// An empty list of groups says nothing of them.
	if (organizations.size === 0 || groups.size === 0) return;
	const known = new Set([
		...[...groups.values()].flatMap(({ id }) => ids.parse(id)?.organization ?? []),
		...[...(before.access?.values() ?? [])].flatMap((holdings) => [...holdings.keys()]),
	]);
	const unknown = [...organizations].filter((organization) => !known.has(organization));
	if (unknown.length === 0) return;
	throw new InputError(
		`No group belongs to the organization ${unknown.join(', ')}`,
		known.size === 0
			? 'Groups of this service stand for no organizations: leave Organizations empty, or set Groups Stand For in the credential to Organization and Role.'
			: `Correct Organizations under Options. There are: ${[...known].sort().slice(0, MOST_NAMED).join(', ')}.`,
	);
}

import { attempt } from '../attempt';
import { hasStatus } from '../request/requestError';
import type { ScimClient } from '../scim/client/scimClient';
import type { GroupIds } from '../scim/protocol/groupId';
import type { Group } from '../scim/protocol/resource';
import type { Access } from './access';
import type { ProvisioningStep } from './step';

/** So many who are gone are looked at one by one; more cannot have left by themselves. */
const MOST_LOOKED_AT = 20;
const MOST_NAMED = 10;

/** What a service did to people whom nobody wanted to touch. */
export interface Alarm {
	groupId: string;
	/** A whole sentence without its full stop. */
	reason: string;
}

export interface Watch {
	/** The client to carry the plan out with. */
	client: ScimClient;
	/** The first thing that went wrong; nothing more may be sent then. */
	alarm(): Alarm | undefined;
}

/**
 * Watches the groups that people are removed from: some services understand a removal as one of every member
 * (docs/servers.md). Whoever was in the group, is in no step of the plan, and is gone afterwards is put back at once, and the
 * alarm is raised. It looks at what the answers and the read-backs of the run show anyway.
 * @param access who was in which group when the plan was made
 */
export function watchBystanders(
	client: ScimClient,
	steps: readonly ProvisioningStep[],
	access: Access | undefined,
	ids: GroupIds,
): Watch {
	// Where an add moves people, and deactivation drops them, others leave groups all the time.
	if (access === undefined || client.profile.addMovesWithinOrganization) {
		return { client, alarm: () => undefined };
	}
	const touched = touchedIds(steps);
	/** Groups that somebody was removed from and that were not seen since. */
	const unseen = new Set<string>();
	let alarm: Alarm | undefined;

	async function look(group: Group | undefined): Promise<void> {
		const key = group === undefined ? '' : ids.key(group.id);
		if (group?.members === undefined || alarm !== undefined || !unseen.has(key)) return;
		unseen.delete(key);
		const before = access?.groups.get(key)?.members ?? [];
		const there = new Set(group.members.map(({ id }) => id));
		const gone = before.map(({ id }) => id).filter((id) => !there.has(id) && !touched.has(id));
		if (gone.length === 0) return;
		const lost = await stillThere(gone, client);
		if (lost.length === 0) return;
		alarm = { groupId: group.id, reason: `${lost.length} more are being put back` };
		const back = await putBack(group.id, lost, client);
		const names = lost.slice(0, MOST_NAMED).map((id) => access?.names.get(id) ?? id);
		const who = `${names.join(', ')}${lost.length > names.length ? `, and ${lost.length - names.length} more` : ''}`;
		alarm = {
			groupId: group.id,
			reason: `The service removed ${lost.length} more from group ${group.id} than it was asked to (${who}); ${back}, and everything else was stopped. Choose another Member Removal in the credential`,
		};
	}

	return {
		alarm: () => alarm,
		client: {
			...client,
			async changeMembers(groupId, add, remove) {
				if (remove.length > 0) unseen.add(ids.key(groupId));
				const group = await client.changeMembers(groupId, add, remove);
				// An answer can be older than the write, but never lacks somebody who is still there.
				await look(group);
				return group;
			},
			async replaceMembers(groupId, userIds, attributes) {
				unseen.add(ids.key(groupId));
				const group = await client.replaceMembers(groupId, userIds, attributes);
				await look(group);
				return group;
			},
			async getGroup(id) {
				const group = await client.getGroup(id);
				await look(group);
				return group;
			},
		},
	};
}

/** Everybody whom a plan changes in any way. */
function touchedIds(steps: readonly ProvisioningStep[]): Set<string> {
	return new Set(
		steps.flatMap((step) => {
			switch (step.kind) {
				case 'changeMembers':
				case 'replaceMembers':
					return [...step.add, ...step.remove].flatMap(({ person }) => person.id ?? []);
				case 'updateUser':
				case 'replaceUser':
				case 'setActive':
				case 'deleteUser':
					return [step.person.id];
				default:
					return [];
			}
		}),
	);
}

/** Those of a few who are users as before: somebody else may have deleted or deactivated one in the meantime. */
async function stillThere(gone: readonly string[], client: ScimClient): Promise<string[]> {
	if (gone.length > MOST_LOOKED_AT) return [...gone];
	const there: string[] = [];
	for (const id of gone) {
		const user = await attempt(async () => await client.getUser(id));
		const left = user.ok ? user.value.active === false : hasStatus(user.error, 404);
		if (!left) there.push(id);
	}
	return there;
}

/** @returns what became of it, in words */
async function putBack(
	groupId: string,
	lost: readonly string[],
	client: ScimClient,
): Promise<string> {
	const size = client.profile.membersPerRequest;
	for (let at = 0; at < lost.length; at += size) {
		await attempt(async () => await client.changeMembers(groupId, lost.slice(at, at + size), []));
	}
	const seen = await attempt(async () => await client.getGroup(groupId));
	if (!seen.ok) return 'whether they could be put back is not known';
	const members = new Set(seen.value.members?.map(({ id }) => id));
	const missing = lost.filter((id) => !members.has(id));
	if (missing.length === 0) return 'they were put back';
	return `${missing.length} of them could not be put back: ${missing.join(', ')}`;
}

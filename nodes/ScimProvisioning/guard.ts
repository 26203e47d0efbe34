import {
	endingOf,
	excessIn,
	isGain,
	isValue,
	lossesIn,
	manyAdded,
	membershipsOf,
	newAdminsFirst,
	peopleOf,
	permanentRemoval,
	protection,
	knowsPeopleIn,
	protectsBy,
	riskyIn,
	readsOf,
	rolesAsGroups,
	scheduleOf,
	stepsOf,
	unseenWarnings,
	userOf,
	withinNumber,
	withoutIncomplete,
	type Access,
	type Change,
	type GuardSettings,
	type Loss,
	type Member,
} from '../shared/access';
import { tooLong } from '../shared/run';
import type { ScimClient, Traits } from '../shared/scim';
import { attempt, isLate } from '../shared/util';

import type { OperationContext } from './context';

import { allWithAccess, excessReason, sizesOf } from './affected';
import { askForAdmins, withoutAdmins } from './lastAdmins';
import type { Guarded, Planned } from './planned';

/**
 * A plan that knows who is active, which no membership tells: whoever would gain access and was not read yet is read. And
 * who is protected by email, where groups show a name alone: whoever would be changed is read. With somebody who is
 * inactive, protected, or cannot be read the plan is made again.
 * @throws RequestError when one cannot be read, who might be protected
 */
export async function planKnowing(
	make: () => Promise<Planned>,
	operation: OperationContext,
): Promise<Planned> {
	const { client, reader, accounts } = operation;
	const planned = await make();
	const { protectedUsers } = planned.guards ?? operation.guards;
	const byEmail = protectsBy(protectedUsers).emails;
	const gaining = peopleOf(
		planned.changes.filter((change) => change.about === 'entitlement' && isGain(change)),
	);
	const deciding = new Set([...gaining.flatMap(({ id }) => id ?? []), ...(planned.unread ?? [])]);
	const changed = byEmail ? peopleOf(planned.changes).flatMap(({ id }) => id ?? []) : [];
	const unread = [...new Set([...deciding, ...changed])].filter(
		(id) => client.userSeen(id) === undefined && !accounts.has(id),
	);
	const users = await reader.people.readThere(unread);
	for (const user of users.values()) if (byEmail && !user.ok) throw user.error;
	for (const [id, user] of users) {
		accounts.set(id, await attempt(async () => userOf(user, id)));
	}
	const isProtected = protection(protectedUsers, client.userSeen);
	const isOther = (id: string) => {
		const user = users.get(id);
		if (user?.ok !== true || user.value === undefined) return deciding.has(id);
		const { userName, active } = user.value;
		return isProtected({ key: id, id, userName }) || (deciding.has(id) && active === false);
	};
	return unread.some(isOther) ? await planKnowing(make, operation) : planned;
}

/**
 * The plan with its requests and the reasons of the guards. Who has what is read for it only when somebody would lose all
 * access where there are admins, or when more are affected than the number allows; whether remaining admins are
 * active only when an admin would go.
 * @param before what an earlier part of the run has done: limits hold for the run
 */
export async function guarded(
	planned: Planned,
	operation: OperationContext,
	before?: Pick<Guarded, 'losses' | 'risky'>,
): Promise<Guarded> {
	const { reader, ids, client } = operation;
	const { guards = operation.guards } = planned;
	const creates = planned.changes.some(
		({ about, before }) => about === 'account' && before === 'absent',
	);
	const required = creates ? await client.requiredAttributes() : [];
	const { withheld, settled, ...made } = withoutIncomplete(
		planned.changes,
		required,
		client.profile,
	);
	const changes = operation.previews ? await withUnseen(made.changes, client) : made.changes;
	const ending = changes.some((change) => endingOf(change) !== undefined);
	const access =
		planned.access ??
		(ending && ids.standsFor !== 'nothing' ? await reader.memberships.read() : undefined);
	const heldBy = ({ id = '' }: Member) => (access === undefined ? [] : membershipsOf(access, id));
	const losses = [
		...(before?.losses ?? []),
		...lossesIn(changes, heldBy).map((loss) => withPlace(loss, access)),
	];
	const facts = {
		profile: client.profile,
		userSeen: client.userSeen,
		sizeOf: await sizesOf([...manyAdded(changes).keys()], access, operation),
	};
	const risky = riskyIn(changes, facts, before?.risky);
	const base = withinNumber(risky, guards)
		? undefined
		: (planned.among ?? (await allWithAccess(access, reader)));
	const excess = excessIn(risky, base, guards);
	// Whoever approves a plan sees what is beyond the limits, and decides.
	const isAsked = operation.previews && planned.sealed !== undefined;
	const targets = changes.flatMap(groupsIn);
	const mistaken = rolesAsGroups([...client.groupsSeen(), ...targets], ids);
	if (mistaken !== undefined) throw mistaken;
	const { admins, newAdmins, without } = await askForAdmins(
		changes,
		losses,
		access,
		guards,
		operation,
	);
	newAdminsFirst(changes, newAdmins, losses);
	const label = (groupId: string) => operation.label(groupId, access);
	const { ignored } = planned;
	const { profile } = client;
	const schedule = scheduleOf(changes, profile, wholeLists(planned, access, operation));
	const steps = stepsOf(schedule, { ids, profile, label, ...(access && { access }) });
	const isPlanOld = isLate(access?.readAt ?? { at: 0, pauses: 0 }, client.patience);
	const reads = readsOf(schedule, profile, isPlanOld) + (planned.proofReads ?? 0);
	const least = { reads, writes: steps.length };
	return {
		changes,
		withheld: [...(planned.withheld ?? []), ...withheld],
		personOf: new Map((planned.people ?? []).map((person) => [person.key, person])),
		...{ losses, risky },
		protectedUsers: guards.protectedUsers,
		excess: excess.map(({ kind, people, limit }) => ({ kind, people, limit })),
		...{ schedule, admins, steps, least },
		...(ignored && { ignored }),
		settled: [...planned.settled, ...settled],
		notes: [...(planned.notes ?? []), ...(access?.warnings ?? [])],
		warnings: [...(planned.notes ?? []), ...(access?.warnings ?? []), ...planned.warnings],
		blockedBy: [
			...(planned.blockedBy ?? []),
			...withoutAdmins(without),
			...(isAsked ? [] : excess.flatMap((one) => excessReason(one, planned) ?? [])),
			...permanentIn(changes, client.profile, guards),
			...(operation.pace === undefined ? [] : tooLong(least, operation.pace)),
		],
		...(access && { access }),
	};
}

/** Changes with what is said of attributes that nobody will see; whoever sends them learns it from the answers. */
async function withUnseen(changes: Change[], client: ScimClient): Promise<Change[]> {
	const namesOf = (change: Change) =>
		change.about === 'account' ? Object.keys(change.attributes ?? {}) : [];
	if (!changes.some((change) => namesOf(change).length > 0)) return changes;
	const known = await client.knownAttributes();
	return changes.map((change) => {
		const warnings = [...change.warnings, ...unseenWarnings(namesOf(change), known)];
		return { ...change, warnings: [...new Set(warnings)] };
	});
}

function permanentIn(changes: readonly Change[], traits: Traits, guards: GuardSettings): string[] {
	const endings = new Set(changes.flatMap((change) => endingOf(change) ?? []));
	return [...endings].flatMap((kind) => permanentRemoval(kind, traits, guards) ?? []);
}

function groupsIn(change: Change): string[] {
	if (change.about !== 'entitlement') return 'groupId' in change ? [change.groupId ?? ''] : [];
	return [...change.before, ...change.after].flatMap((one) => (isValue(one) ? [] : one.groupId));
}

function withPlace(loss: Loss, access: Access | undefined): Loss {
	const place =
		loss.organization === undefined && loss.groupId !== undefined
			? access?.placeOf(loss.groupId)
			: undefined;
	return place === undefined ? loss : { ...loss, ...place };
}

/** Groups that are sent as whole lists: a list drops whomever it does not name, so it has to be known who is in the group. */
function wholeLists(
	{ sendsWholeLists }: Planned,
	access: Access | undefined,
	{ client }: OperationContext,
) {
	if (sendsWholeLists !== true || access === undefined) return undefined;
	const { groups, membershipIn } = access;
	return {
		isWhole: (key: string) => knowsPeopleIn(access, groups.get(key)?.id ?? key),
		organizationOf: (key: string) =>
			client.profile.addMovesWithinOrganization ? membershipIn(key).organization : undefined,
	};
}

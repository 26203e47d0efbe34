import { attempt } from '../../shared/util';
import {
	type Access,
	type AccessRules,
	countPeople,
	type Directory,
	type LossBase,
	planAccess,
	type ProvisioningPlan,
	settledAccess,
	type WantedAccess,
} from '../../shared/access';
import type { Surroundings } from '../road';
import { notFound } from './ifNotFound';
import { findPeople, type FoundPerson } from './people';
import type { PersonReference } from './person';

/** The rules for planning with what was read. */
export function rulesFor(access: Access, surroundings: Surroundings): AccessRules {
	const { ids, client, accountOrganization, label, isProtected } = surroundings;
	return { access, ids, profile: client.profile, accountOrganization, label, isProtected };
}

/** What an item wants of a person whom it names. */
export interface NamedAccess {
	item: number;
	reference: PersonReference;
	/** Ids of the groups to be in, or what decides them once the person is known. */
	hold(person: FoundPerson): readonly string[];
	drop(person: FoundPerson): readonly string[];
	skipsOtherRole?: boolean;
}

/**
 * Finds everybody and plans; an item whose person cannot be found fails alone.
 * @param asGone whether somebody who cannot be found is as good as gone
 */
export async function planNamed(
	wanted: readonly NamedAccess[],
	access: Access,
	surroundings: Surroundings,
	asGone = false,
): Promise<ProvisioningPlan> {
	const find = await findPeople(
		wanted.map(({ reference }) => reference),
		access,
		surroundings,
	);
	const known: WantedAccess[] = [];
	const unknown: ProvisioningPlan['settled'] = [];
	for (const { item, reference, hold, drop, skipsOtherRole } of wanted) {
		const found = find(reference);
		if (found.ok) {
			const person = found.value;
			known.push({
				...{ item, person, hold: hold(person), drop: drop(person) },
				...(skipsOtherRole && { skipsOtherRole }),
			});
		} else {
			unknown.push(notFound(item, reference, found.error, undefined, asGone));
		}
	}
	const plan = planAccess(known, rulesFor(access, surroundings));
	return { ...plan, settled: [...unknown, ...plan.settled] };
}

/**
 * The groups that an operation on groups needs: all of them where groups belong to organizations, since an add to one
 * changes another there; otherwise just the ones that are named.
 * @param removes whether somebody is to be removed: where the named groups show nobody, the others are looked at too,
 * because a service may never show members
 */
export async function accessForGroups(
	groupIds: readonly string[],
	removes: boolean,
	surroundings: Surroundings,
): Promise<Access> {
	const { directory, ids } = surroundings;
	if (ids.standsFor !== 'nothing') return await settledAccess(surroundings);
	const access = await directory.accessOf(groupIds);
	if (access.showsMembers || !removes) return access;
	return { ...access, showsMembers: await groupsShowMembers(directory) };
}

/** Those against whom losses in groups count. */
export function membersOf(
	groupIds: readonly string[],
	access: Access,
	{ ids }: Surroundings,
): LossBase {
	const named = new Set(groupIds.map(ids.key));
	const people = countPeople(access, (id) => named.has(ids.key(id)));
	return { people, are: 'members of the named groups' };
}

/** Whether a group that has members shows them when it is asked for by itself, as the named ones were. */
async function groupsShowMembers(directory: Directory): Promise<boolean> {
	const listed = await attempt(async () => await directory.access());
	const groups = listed.ok ? [...listed.value.groups.values()] : [];
	const witness = groups.find(({ members = [] }) => members.length > 0);
	if (witness === undefined) return false;
	const alone = await attempt(async () => await directory.accessOf([witness.id]));
	return alone.ok && alone.value.showsMembers;
}

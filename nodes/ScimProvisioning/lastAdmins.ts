import {
	adminQuestions,
	lacksAdmin,
	type AdminQuestion,
	type GuardSettings,
} from '../shared/access/guards';
import type { Reader, Access } from '../shared/access/facts';
import { gainsIn, type Change, type Loss, type Member } from '../shared/access/changes';

import type { OperationContext } from './context';

/** The organizations that lose admins, who becomes admin there instead, and the names of those where no user does. */
interface Admins {
	admins: AdminQuestion[];
	newAdmins: ReadonlyMap<string, Member>;
	without: string[];
}

/** Looks whether an active admin is left wherever one goes, which is asked for only there. */
export async function askForAdmins(
	changes: readonly Change[],
	losses: readonly Loss[],
	access: Access | undefined,
	{ allowRemovingLastAdmin }: GuardSettings,
	{ reader, organizations }: OperationContext,
): Promise<Admins> {
	const newAdmins = new Map<string, Member>();
	const without: string[] = [];
	if (access === undefined || allowRemovingLastAdmin) return { admins: [], newAdmins, without };
	const activated = new Set(
		changes.flatMap((change) =>
			change.about === 'account' && change.attributes === undefined && change.after === 'active'
				? [change.person.id ?? '']
				: [],
		),
	);
	const admins = adminQuestions(losses, gainsIn(changes), access);
	for (const { organization, staying, coming } of admins) {
		const back = staying.find((id) => activated.has(id));
		if (await reader.people.anyActive(staying.filter((id) => !activated.has(id)))) continue;
		const newAdmin =
			back === undefined ? await firstActive(coming, activated, reader) : { key: back, id: back };
		if (newAdmin === undefined) without.push(organizations.nameOf(organization));
		else newAdmins.set(organization, newAdmin);
	}
	return { admins, newAdmins, without };
}

/** The reason of the guard, where organizations would be left without an admin. */
export function withoutAdmins(organizations: readonly string[]): string[] {
	if (organizations.length === 0) return [];
	return [
		`${lacksAdmin(organizations)}. Make another user admin first, or allow it with Allow Removing Last Admin.`,
	];
}

/** A user who is active by the time of becoming admin: created or activated in the same plan, or active already. */
async function firstActive(
	people: readonly Member[],
	activated: ReadonlySet<string>,
	reader: Reader,
): Promise<Member | undefined> {
	const back = people.find(({ id = '' }) => activated.has(id));
	if (back !== undefined) return back;
	const newcomers = people.filter(({ id }) => id === undefined);
	if (people.length === 1 && newcomers.length === 1) return newcomers[0];
	for (const person of people) {
		if (person.id !== undefined && (await reader.people.anyActive([person.id]))) return person;
	}
	// The create of one who is there already, but inactive, ends without an admin; of several it is worth a look.
	for (const person of newcomers) {
		const { userName = '' } = person;
		const read = await reader.people.find([userName], { absence: 'refusable' });
		const found = read.get(userName);
		if (found?.kind === 'absent' || (found?.kind === 'found' && found.user.active === true))
			return person;
	}
	return newcomers[0];
}

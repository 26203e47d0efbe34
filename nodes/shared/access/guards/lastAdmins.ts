import { gainsIn, type Change, type Loss, type Member } from '../changes';
import type { Access, Reader } from '../facts';
import { adminQuestions, lacksAdmin, type AdminQuestion } from './admins';
import type { GuardSettings } from './guardSettings';

const NOBODY: ReadonlySet<string> = new Set();

/**
 * Rule "the last admin": whether an organization keeps an active admin, at every moment.
 * @param members IDs of the users in its group of admins, as just read
 * @param notYet IDs of users of them who are inactive until the plan activates them
 */
export async function keepsAdmin(
	{ leaving }: AdminQuestion,
	members: readonly string[],
	people: Reader['people'],
	notYet: ReadonlySet<string> = NOBODY,
): Promise<boolean> {
	return await people.anyActive(members.filter((id) => !leaving.has(id) && !notYet.has(id)));
}

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
	people: Reader['people'],
	nameOf: (organization: string) => string,
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
	for (const question of admins) {
		const { organization, staying, coming } = question;
		const back = staying.find((id) => activated.has(id));
		if (await keepsAdmin(question, staying, people, activated)) continue;
		const newAdmin =
			back === undefined ? await firstActive(coming, activated, people) : { key: back, id: back };
		if (newAdmin === undefined) without.push(nameOf(organization));
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
	candidates: readonly Member[],
	activated: ReadonlySet<string>,
	people: Reader['people'],
): Promise<Member | undefined> {
	const back = candidates.find(({ id = '' }) => activated.has(id));
	if (back !== undefined) return back;
	const newcomers = candidates.filter(({ id }) => id === undefined);
	if (candidates.length === 1 && newcomers.length === 1) return newcomers[0];
	for (const person of candidates) {
		if (person.id !== undefined && (await people.anyActive([person.id]))) return person;
	}
	// The create of one who is there already, but inactive, ends without an admin; of several it is worth a look.
	for (const person of newcomers) {
		const { userName = '' } = person;
		const read = await people.find([userName], { absence: 'refusable' });
		const found = read.get(userName);
		if (found?.kind === 'absent' || (found?.kind === 'found' && found.user.active === true))
			return person;
	}
	return newcomers[0];
}

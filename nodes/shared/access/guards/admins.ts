import { shown } from '../../util';
import { peopleIn, type Access, type Reader } from '../facts';
import {
	personLosingAccount,
	gained,
	isValue,
	kindOf,
	type Change,
	type Entitlement,
	type EntitlementChange,
	type Gain,
	type Loss,
	type Person,
	gainsIn,
} from '../changes';
import { isAdmin, type GuardSettings } from './limits';

/** Said before a run is blocked (`askForAdmins`), and where an admin went meanwhile (`send/preconditions`). */
export function lacksAdmin(organizations: readonly string[]): string {
	return `${organizations.map(shown).join(', ')} would be left without an active admin`;
}

/** An organization whose admins would be fewer, with the admins it would have left. */
export interface AdminQuestion {
	organization: string;
	/** Id of the group of its admins. */
	groupId: string;
	/** Keys of those who stop being admin. */
	leaving: ReadonlySet<string>;
	/** Ids of those who stay admin; whether they are active has to be looked up. */
	staying: string[];
	/** Who becomes admin in the same plan; without id a user who is created. */
	coming: Person[];
}

/** Organizations in which admins lose that role. */
export function adminQuestions(
	losses: readonly Loss[],
	gains: readonly Gain[],
	access: Access,
): AdminQuestion[] {
	const losers = new Map<string, Set<string>>();
	for (const { person, organization, role } of losses) {
		if (!isAdmin(role) || organization === undefined) continue;
		const same = losers.get(organization) ?? new Set<string>();
		losers.set(organization, same.add(person.key));
	}
	const coming = gains.filter(({ role }) => isAdmin(role));
	const questions: AdminQuestion[] = [];
	for (const [key, group] of access.groups) {
		const place = access.placeOf(group.id);
		if (place === undefined) continue;
		const { organization, role } = place;
		const leaving = isAdmin(role) ? losers.get(organization) : undefined;
		if (leaving === undefined) continue;
		questions.push({
			...{ organization, leaving, groupId: group.id },
			staying: peopleIn(access, key).filter((id) => !leaving.has(id)),
			coming: coming
				.filter((gain) => gain.organization === organization)
				.map(({ person }) => person),
		});
	}
	return questions;
}

/**
 * Makes admins who stop being one wait until the new admin of the organization was seen: the service may refuse that one,
 * and then none would be left.
 * @param newAdmins the person that an organization then depends on, by organization
 */
export function newAdminsFirst(
	changes: readonly Change[],
	newAdmins: ReadonlyMap<string, Person>,
	losses: readonly Loss[],
): void {
	for (const [organization, { key }] of newAdmins) {
		const isThere = (one: Entitlement) => !isValue(one) && one.organization === organization;
		const isOfIt = (change: Change): change is EntitlementChange =>
			change.about === 'entitlement' && [...change.before, ...change.after].some(isThere);
		const gain =
			changes.find(
				(change) =>
					isOfIt(change) &&
					change.person.key === key &&
					gained(change).some((one) => !isValue(one) && isAdmin(one.role)),
			) ??
			// An admin who is let back in.
			changes.find(
				(change) =>
					change.about === 'account' && change.person.key === key && kindOf(change) === 'activated',
			);
		if (gain === undefined) continue;
		const losing = new Set(
			losses
				.filter((loss) => loss.organization === organization && isAdmin(loss.role))
				.map(({ person }) => person.key),
		);
		for (const change of changes) {
			const person = isOfIt(change) ? change.person : personLosingAccount(change);
			if (person === undefined || !losing.has(person.key) || change.key === gain.key) continue;
			change.restsOn = [...change.restsOn, { on: 'change', key: gain.key }];
		}
	}
}

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
	newAdmins: ReadonlyMap<string, Person>;
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
	const newAdmins = new Map<string, Person>();
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
	candidates: readonly Person[],
	activated: ReadonlySet<string>,
	people: Reader['people'],
): Promise<Person | undefined> {
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

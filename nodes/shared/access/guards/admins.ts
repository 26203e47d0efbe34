import { shown } from '../../util';
import { peopleIn, type Access } from '../facts';
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
	type Member,
} from '../changes';
import { isAdmin } from './risks';

/** Said before a run is blocked (`lastAdmins`), and where an admin went meanwhile (`send/preconditions`). */
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
	coming: Member[];
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
	newAdmins: ReadonlyMap<string, Member>,
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

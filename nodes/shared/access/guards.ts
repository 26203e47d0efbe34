import { accountRole, type GroupMeaning, matchingBy, type Traits, type User } from '../scim';
import { InputError, wildcard } from '../util';
import { peopleIn, type Access } from './access';
import {
	endedBy,
	gained,
	isValue,
	kindOf,
	type Change,
	type Ending,
	type Entitlement,
	type EntitlementChange,
	type Gain,
	type Loss,
	type Member,
} from './change';
import { isAdmin } from './risks';
import type { VolumeLimits } from './volumeLimits';

/** What guards allow; settable in the node. */
export interface GuardSettings extends VolumeLimits {
	/** IDs, user names, emails, or patterns of them with `*`. */
	protectedUsers: readonly string[];
	allowRemovingLastAdmin: boolean;
	/** Whether people may be deactivated or deleted where that cannot be undone. */
	allowPermanentRemoval: boolean;
}

/**
 * Why a user must not be deactivated or deleted: the service takes the account away permanently. Undefined where it may be.
 */
export function permanentRemoval(
	kind: Ending,
	{ deactivation, deletionIsFinal }: Traits,
	{ allowPermanentRemoval }: Pick<GuardSettings, 'allowPermanentRemoval'>,
): string | undefined {
	const isFinal = kind === 'deactivate' ? deactivation === 'removes' : deletionIsFinal;
	if (!isFinal || allowPermanentRemoval) return undefined;
	const what =
		kind === 'deactivate'
			? 'Deactivating a person removes the account on this service'
			: 'Deleting a person cannot be undone on this service';
	return `${what}. Allow it with Allow Permanent Removal under Safety Limits.`;
}

/**
 * Why groups must not be taken for groups: on an account with organizations all of them are roles, one of which replaces
 * another, and which no guard for admins would notice. Undefined where one of them is no role, and where none is known.
 */
export function rolesAsGroups(
	groupIds: Iterable<string>,
	{ standsFor }: Pick<GroupMeaning, 'standsFor'>,
): InputError | undefined {
	const all = [...groupIds];
	if (standsFor !== 'nothing' || all.length === 0) return undefined;
	return all.every((id) => accountRole(id) !== undefined)
		? new InputError(
				'These groups are roles in organizations',
				'Set Service Profile to Account with Organizations.',
			)
		: undefined;
}

/**
 * Whether a person must not be touched: matched by ID, by user name and by every email.
 * @param userSeen what is known of a user by ID
 */
export function protection(
	patterns: readonly string[],
	userSeen: (id: string) => User | undefined,
): (person: Member) => boolean {
	const tests = patterns.map(wildcard);
	if (tests.length === 0) return () => false;
	return ({ id, userName }) => {
		const user = id === undefined ? undefined : userSeen(id);
		const emails = user === undefined ? [] : matchingBy('email').keysOf(user);
		return [id, userName, user?.userName, ...emails].some(
			(text) => text !== undefined && tests.some((matches) => matches(text)),
		);
	};
}

/** What has to be known of all before it can be told who is protected. */
export interface ProtectsBy {
	names: boolean;
	ids: boolean;
	emails: boolean;
}

/** A text without `@` may be an ID as well as a user name; one with it is a user name or an email, and so may be a pattern. */
export function protectsBy(patterns: readonly string[]): ProtectsBy {
	return {
		names: patterns.length > 0,
		ids: patterns.some((pattern) => !pattern.includes('@')),
		emails: patterns.some((pattern) => /[@*]/.test(pattern)),
	};
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
			const person = isOfIt(change) ? change.person : endedBy(change);
			if (person === undefined || !losing.has(person.key) || change.key === gain.key) continue;
			change.restsOn = [...change.restsOn, { on: 'change', key: gain.key }];
		}
	}
}

/** How many people would lose access; who changes from one role to another does not. */
export function countLosing(losses: readonly Loss[]): number {
	return new Set(
		losses.filter(({ newRole }) => newRole === undefined).map(({ person }) => person.key),
	).size;
}

import type { User } from '../scim';
import { assignmentsOf } from './access';
import { planAccess, protectedPerson, type AccessRules, type WantedAccess } from './planAccess';
import { planActive, planDeletions, type WantedChange } from './planUsers';
import { failureOf } from '../run';
import type { Member, ProvisioningPlan } from './step';

/** Somebody who leaves. */
export interface Leaver {
	item: number;
	person: Member & { id: string };
	/** What the service showed of the user; undefined for people who are known from their groups. */
	user?: User;
}

/**
 * Plans Offboard: the user is deactivated or deleted; roles are removed one by one only where that does not take them
 * away (docs/interface.md 1.2).
 */
export function planLeavers(
	leavers: readonly Leaver[],
	deletes: boolean,
	rules: AccessRules,
): ProvisioningPlan {
	const { access, ids, profile } = rules;
	const settled: ProvisioningPlan['settled'] = [];
	const changes: WantedChange[] = [];
	const wants: WantedAccess[] = [];
	for (const { item, person, user } of leavers) {
		const label = person.userName ?? person.id;
		if (rules.isProtected(person)) {
			const outcome = failureOf(`offboard ${label}`, protectedPerson(label));
			settled.push({ item, subject: person.key, outcome });
			continue;
		}
		const member = access.held.has(person.id);
		changes.push({ item, label, person, current: user, member, attributes: {}, warnings: [] });
		const held = assignmentsOf(access, person.id, ids).map(({ groupId }) => groupId);
		const keepsRoles = !profile.deactivationDropsMemberships || user?.active === false;
		if (!deletes && keepsRoles && held.length > 0) {
			wants.push({ item, person, hold: [], drop: held });
		}
	}
	const roles = planAccess(wants, rules);
	const users = deletes ? planDeletions(changes, profile) : planActive(changes, false, profile);
	return {
		...users,
		losses: roles.losses,
		steps: [...users.steps, ...roles.steps],
		settled: [...settled, ...users.settled, ...roles.settled],
	};
}

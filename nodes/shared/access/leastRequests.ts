import { isLate } from '../util';
import type { GroupIds, ScimClient } from '../scim';
import type { ProvisioningStep } from './step';

/**
 * How many requests the steps take at the least, counted before the first of them: beside the writes the looks for which
 * the plan was read too long ago, and what no answer to a write proves. Much else is read only where answers do not show it.
 */
export function leastRequests(
	steps: readonly ProvisioningStep[],
	{ profile, patience }: Pick<ScimClient, 'profile' | 'patience'>,
	ids: GroupIds,
): { reads: number; writes: number } {
	// Steps on the same group share a look, and a verification.
	const [looks, proofs] = [new Set<string>(), new Set<string>()];
	for (const step of steps) {
		switch (step.kind) {
			case 'updateUser':
			case 'replaceUser':
				if (step.kind === 'replaceUser' && isLate(step.readAt, patience)) looks.add(step.person.id);
				if (step.attributes.userName !== undefined) proofs.add(step.person.id);
				break;
			case 'setActive':
				if (step.onlyWith !== undefined && isLate(step.onlyWith.readAt, patience))
					looks.add(step.person.id);
				break;
			case 'changeValues':
				if (isLate(step.readAt, patience)) looks.add(step.person.id);
				proofs.add(step.person.id);
				break;
			case 'deleteUser':
				proofs.add(step.person.id);
				break;
			case 'changeMembers':
			case 'replaceMembers': {
				const comesAfterLook = step.kind === 'replaceMembers' || step.remove.length > 0;
				if (comesAfterLook && isLate(step.readAt, patience)) looks.add(ids.key(step.groupId));
				if (profile.groupsShowMembers === 'no') proofs.add(ids.key(step.groupId));
				break;
			}
			case 'deleteGroup':
				proofs.add(ids.key(step.groupId));
		}
	}
	return { reads: looks.size + proofs.size, writes: steps.length };
}

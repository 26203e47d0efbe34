import type { Traits } from '../../scim';
import type { Ending } from '../changes';
import type { VolumeLimits } from './volumeLimits';

/** What guards allow; settable in the node. */
export interface GuardSettings extends VolumeLimits {
	/** IDs, user names, emails, or patterns of them with `*`. */
	protectedUsers: readonly string[];
	/** Groups whose members are protected as well: names, IDs or patterns; the IDs of members are among the above. */
	protectMembersOf?: readonly string[];
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

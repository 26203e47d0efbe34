import type { Plan, PlanRules } from '../../shared/access';
import { attribute, indexUsers, matchingBy, type Matching, type User } from '../../shared/scim';
import { InputError } from '../../shared/util';
import type { OperationContext } from '../runWrite';

/**
 * Why changes of a plan that matched people by email or external ID cannot be made any more: the key of somebody who is to
 * be created, or the external ID that is to be written, belongs to another account by now, or the account has another one.
 * @throws RequestError when the list of users cannot be read
 */
export async function keyFaults(
	{ operation: name, changes, settings: { matchUsersBy } }: Plan,
	{ directory }: OperationContext,
): Promise<PlanRules['keyFault']> {
	if (name !== 'reconcileUsers') return undefined;
	if (matchUsersBy !== 'email' && matchUsersBy !== 'externalId') return undefined;
	const matching = matchingBy(matchUsersBy);
	const given = changes.filter((change) => keyGivenBy(change, matching) !== '');
	if (given.length === 0) return undefined;
	const { users, incomplete } = await directory.allUsers();
	const index = indexUsers(users, matching);
	return (change, user) => {
		const key = keyGivenBy(change, matching);
		if (key === '') return undefined;
		if (incomplete !== undefined) {
			return new InputError(
				`Could not find out who has the ${matching.label} ${key}: the list of users is incomplete`,
				`The service does not show all users (${incomplete}).`,
			);
		}
		const own = user === undefined ? undefined : matching.fold(matching.keyOf(user));
		const isOwn = own === matching.fold(key) || (own === '' && change.change !== 'created');
		const other =
			own === undefined || isOwn ? index.withKey(key).find(({ id }) => id !== user?.id) : user;
		return other && keyTaken(key, other, matching);
	};
}

function keyTaken(key: string, user: User, matching: Matching): InputError {
	const own = matching.keyOf(user) || 'none';
	return new InputError(
		`The ${matching.label} ${key} was to be given, and by now user ${user.userName} (ID ${user.id}) has ${own}`,
		'Nothing was sent for this person. Make a new plan and have it approved.',
	);
}

/** The key that somebody gets by a change: a new account, or one that is linked. */
function keyGivenBy(
	{ change, userName, attributes = {} }: Plan['changes'][number],
	matching: Matching,
): string {
	const links = matching.by === 'externalId' && attribute(attributes, 'externalId') !== undefined;
	return change === 'created' || links
		? matching.keyOf({ userName: userName ?? '', attributes })
		: '';
}

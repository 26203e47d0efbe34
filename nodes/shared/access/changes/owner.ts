import { attribute, type Attributes, type User } from '../../scim';
import { InputError, shown } from '../../util';

/**
 * Why an inactive account is not given to the person that an item means: an address may have a new owner. Of an active one
 * that is no reason, since HR may number people again.
 * @param wanted attributes of the person, as the item says them
 */
export function otherOwner(user: User, wanted: Attributes): InputError | undefined {
	const ids = twoIds(user, wanted);
	if (ids === undefined) return undefined;
	const { is, said } = ids;
	return new InputError(
		`${shown(user.userName)} (ID ${user.id}) is inactive and has the external ID ${is}, and ${said} is wanted: it may be the account of another person`,
		'If it is the same person, change the external ID with User: Update first, or remove it here. Otherwise give the old account another user name. Nothing was sent for this person.',
	);
}

/** The same of an active account, which gets the new external ID. */
export function ownerWarning(user: User, wanted: Attributes): string[] {
	const ids = twoIds(user, wanted);
	if (ids === undefined) return [];
	return [
		`${shown(user.userName)} (ID ${user.id}) has the external ID ${ids.is}, and ${ids.said} is wanted: check that it is the same person.`,
	];
}

/** The external IDs that a user has and is to have, where they differ. */
function twoIds(user: User, wanted: Attributes): { is: string; said: string } | undefined {
	const [is, said] = [user, { attributes: wanted }].map(externalIdIn);
	return is === '' || said === '' || is === said ? undefined : { is, said };
}

/** The external ID of a user, or empty. Compared as it is: IDs may differ in case alone. */
export function externalIdIn({ attributes }: Pick<User, 'attributes'>): string {
	const id = attribute(attributes, 'externalId');
	return typeof id === 'string' || typeof id === 'number' ? String(id).trim() : '';
}

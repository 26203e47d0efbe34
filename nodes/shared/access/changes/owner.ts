import { attribute, type Attributes, type User } from '../../scim';
import { InputError } from '../../util';

/**
 * Why an inactive account is not given to the person that an item means: an address may have a new owner. Of an active one
 * that is no reason, since HR may number people again.
 * @param wanted attributes of the person, as the item says them
 */
export function otherOwner(user: User, wanted: Attributes): InputError | undefined {
	const other = otherIds(user, wanted);
	if (other === undefined) return undefined;
	const [is, said] = other;
	return new InputError(
		`${user.userName} (ID ${user.id}) is inactive and has the external ID ${is}, and ${said} is wanted: it may be the account of another person`,
		'If it is the same person, change the external ID with User: Update first, or remove it here. Otherwise give the old account another user name. Nothing was sent for this person.',
	);
}

/** The same where nobody comes back: HR may have given the person another number, or the address another owner. */
export function otherOwnerWarning(user: User, wanted: Attributes): string[] {
	const other = otherIds(user, wanted);
	if (other === undefined) return [];
	const [is, said] = other;
	return [
		`${user.userName} has the external ID ${is}, and ${said} is wanted: check that it is the account of the same person`,
	];
}

/** The external ID that a user has, and another one that is wanted. */
function otherIds(user: User, wanted: Attributes): [string, string] | undefined {
	const [is, said] = [user, { attributes: wanted }].map(externalIdIn);
	return is === '' || said === '' || is === said ? undefined : [is, said];
}

/** The external ID of a user, or empty. Compared as it is: IDs may differ in case alone. */
export function externalIdIn({ attributes }: Pick<User, 'attributes'>): string {
	const id = attribute(attributes, 'externalId');
	return typeof id === 'string' || typeof id === 'number' ? String(id).trim() : '';
}

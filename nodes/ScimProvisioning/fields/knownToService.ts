import { wantsUnseen } from '../../shared/access/changes';
import type { Attributes, KnowsAttribute, ScimClient, User } from '../../shared/scim';

/** The schemas of the service are read only where a user does not show what is wanted. */
export async function knownToService(
	people: ReadonlyArray<{ user: User | undefined; attributes: Attributes }>,
	{ knownAttributes, profile }: ScimClient,
): Promise<KnowsAttribute> {
	const isNeeded = people.some(({ user, attributes }) => wantsUnseen(attributes, user, profile));
	return isNeeded ? (await knownAttributes()).knows : () => true;
}

import type { IDataObject } from 'n8n-workflow';

import { type Outcome, type Output, worstOf } from '../../shared/run';
import { nameIn, userIn, type AppliedPart } from '../../shared/access';
import type { ItemForm } from '../planned';
import { isObject } from '../../shared/util';
import { attribute, type Attributes, type ScimClient, type User } from '../../shared/scim';

/** What is said of a user whose groups are not known. */
const NO_GROUPS_SHOWN =
	'The service did not show groups of this user, so groups is null. Access: Get reads them from the groups. If users show all their groups, set Users Show Groups to Yes under Override Profile in the credential; for Keycloak, choose its Service Profile.';

/** A user as a read gives it; where groups are not known, it says so. */
export function readUserItem(user: User, client: ShowsGroups): IDataObject {
	const item = simpleUser(user, client);
	return item.groups === null ? { ...item, warnings: [NO_GROUPS_SHOWN] } : item;
}

type ShowsGroups = Pick<ScimClient, 'profile' | 'showsGroups'>;

/** A user with the attributes that workflows use, flat; complex ones are unfolded. Groups that were not shown are null. */
export function simpleUser(user: User, { profile, showsGroups }: ShowsGroups): IDataObject {
	const { attributes } = user;
	const name = attribute(attributes, 'name');
	const emails = attribute(attributes, 'emails');
	const addresses = (Array.isArray(emails) ? emails : []).filter(isObject);
	const primary = addresses.find((entry) => attribute(entry, 'primary') === true) ?? addresses[0];
	return withoutUndefined({
		userId: user.id,
		userName: user.userName,
		active: user.active,
		displayName: attribute(attributes, 'displayName'),
		givenName: attribute(name, 'givenName'),
		familyName: attribute(name, 'familyName'),
		email: attribute(primary, 'value'),
		externalId: attribute(attributes, 'externalId'),
		...extensionsOf(attributes),
		groups: user.groupIds ?? (showsGroups() || !profile.hasGroups ? [] : null),
	});
}

/** Attributes of schema extensions, each under its URN (RFC 7643 section 3.3). */
function extensionsOf(attributes: Attributes): Attributes {
	return Object.fromEntries(
		Object.entries(attributes).filter(
			([name, value]) => name.toLowerCase().startsWith('urn:') && isObject(value),
		),
	);
}

/** The items of an operation that changes users: one for each input item, with the user and what happened to it. */
export function changedUser(
	parts: readonly AppliedPart[],
	{ client }: { client: ShowsGroups },
): Array<Output<AppliedPart>> {
	const part = worstPart(parts);
	if (part === undefined) return [];
	const user = userIn(part.result);
	const { id: userId, userName } = nameIn(part.result);
	const shown = user
		? simpleUser(user, client)
		: { ...NO_USER, ...withoutUndefined({ userId, userName }) };
	const deleted = wasDeleted(part);
	return [
		{
			parts,
			json: {
				...shown,
				...(deleted !== undefined && { deleted }),
				...statusOf(part.outcome),
			},
		},
	];
}

/** The fields of an item whose user is not known. */
export const NO_USER: IDataObject = { userId: null, userName: null };

export function userItems(): ItemForm {
	return { blank: NO_USER, output: changedUser };
}

/** Whether a user who was to be deleted is; undefined as long as that was not seen. */
export function wasDeleted({ result }: AppliedPart): boolean | undefined {
	const kind = result?.who?.kind;
	return kind === 'deleted' || kind === 'kept' ? kind === 'deleted' : undefined;
}

/** The part whose outcome stands for all of an item. */
export function worstPart(parts: readonly AppliedPart[]): AppliedPart | undefined {
	const worst = worstOf(parts.map(({ outcome }) => outcome));
	return parts.find(({ outcome }) => outcome === worst);
}

/** What happened to it, as it stands in items. */
export function statusOf({ status, reason, warnings = [] }: Outcome): IDataObject {
	return { status, reason: reason ?? null, ...(warnings.length > 0 && { warnings }) };
}

function withoutUndefined(object: Record<string, unknown>): IDataObject {
	return Object.fromEntries(
		Object.entries(object).filter(([, value]) => value !== undefined),
	) as IDataObject;
}

import { RequestError, type FailureFacts, withDetail } from '../../http';
import { failureOf, type Outcome, type Verdict } from '../../run';
import {
	compareAttributes,
	compareUser,
	type Attributes,
	type Comparison,
	type Group,
	type ServiceProfile,
	type User,
	shownActivity,
	attribute,
} from '../../scim';
import { InputError, isObject, shown } from '../../util';
import type { GroupChange, IfExists } from './change';
import type { ProvisioningResult } from './result';

/**
 * What a create comes to whose resource exists already. n8n runs a failed node again as a whole, so that `fail` takes what
 * an earlier try has made.
 * @param madeBefore said of that; undefined where nothing proves it
 */
export function outcomeOfExisting(
	ifExists: IfExists,
	action: string,
	warnings: string[],
	madeBefore: string | undefined,
	error: unknown,
): Outcome {
	if (ifExists === 'return') return { status: 'unchanged', action, warnings };
	if (madeBefore === undefined) return failureOf(action, error);
	return { status: 'unchanged', action, reason: madeBefore, warnings };
}

/** Whether a resource is the one of a create. Its identifying name alone proves nothing. */
export function proves({ different, notShown }: Comparison, wanted: Attributes): boolean {
	return (
		different.length === 0 &&
		['name', 'externalId'].some((name) => saysSomething(wanted[name]) && !notShown.includes(name))
	);
}

function saysSomething(value: unknown): boolean {
	if (isObject(value)) return Object.values(value).some(saysSomething);
	return value !== undefined && value !== null && value !== '';
}

// --- users ---

/** Whether a user is the one of this create. A user name alone proves nothing. */
export function isProof(wanted: Attributes, user: User, profile: ServiceProfile): boolean {
	return proves(compareUser(wanted, user, profile), wanted);
}

/** That a user who is in the way of a create was made by the same one, sent before: n8n runs a failed node again as a whole. */
export function isMadeBefore(wanted: Attributes, user: User, profile: ServiceProfile): boolean {
	const wasShutOut = shownActivity(user) === 'inactive' && wanted.active !== false;
	return !wasShutOut && isProof(wanted, user, profile);
}

export const MADE_BEFORE = 'the user is there as sent: an earlier try created the user';

/** Says that a new user is in groups, where the service does not tell whether the account is new. */
export function inGroupsWarning({ userName, id }: User): string {
	return `The new user ${shown(userName)} (ID ${id}) is in groups already: by a default of the service, or as an old account that came back. Check its access.`;
}

/** What is said where the answer to a create shows a user who was there before, as if the create had made it. */
export function metWarning({ userName, id }: User): string {
	return `The service answered the create with a user who was there before: ${shown(userName)} (ID ${id}).`;
}

/** A user that exists although a create was to make it. */
export function existingUser(userName: string, user: User | undefined): InputError {
	const inactive = shownActivity(user) === 'inactive';
	const which = user === undefined ? '' : ` (ID ${user.id}${inactive ? ' and inactive' : ''})`;
	return new InputError(
		`User ${shown(userName)} exists already${which}`,
		inactive
			? 'Use Activate to reactivate the user, or set If User Exists to return the user.'
			: 'Use Create or Update, or set If User Exists to return the user.',
	);
}

// --- groups ---

/** The name of a group to create. */
export function displayNameIn({ displayName }: Attributes): string {
	return String(displayName);
}

/** What the create of a group comes to whose name these have, at least one. */
export function verdictOfExisting(
	{ action, attributes = {}, ifExists = 'fail', warnings }: GroupChange,
	groups: readonly Group[],
	facts?: FailureFacts,
): Verdict<ProvisioningResult> {
	const { message, description } = existingGroups(groups);
	const error = facts
		? new RequestError(withDetail(message, facts), description, facts)
		: new InputError(message, description);
	const [group] = groups;
	if (groups.length > 1) return { outcome: failureOf(action, error) };
	const isProven = proves(compareAttributes(attributes, group.attributes), attributes);
	const madeBefore = isProven ? GROUP_MADE_BEFORE : undefined;
	return {
		outcome: outcomeOfExisting(ifExists, action, [...warnings], madeBefore, error),
		result: { group, intent: 'created' },
	};
}

const GROUP_MADE_BEFORE = 'the group is there as sent: an earlier try created the group';

function existingGroups(groups: readonly Group[]): InputError {
	const [{ id, displayName }] = groups;
	if (groups.length === 1) {
		return new InputError(
			`Group ${shown(displayName)} exists already (ID ${id})`,
			'Use Update to change it, set If Group Exists to return it, or choose another Display Name.',
		);
	}
	return new InputError(
		`More than one group is named ${shown(displayName)} already (IDs ${groups.map((one) => one.id).join(', ')})`,
		'Rename or delete one of them, or choose another Display Name.',
	);
}

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

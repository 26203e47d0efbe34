import type { IDataObject } from 'n8n-workflow';

import { seenAt, type Output } from '../../shared/run';
import { changeOf, nameIn, userIn, type AppliedPart, WORDS } from '../../shared/access/changes';
import type { OperationContext } from '../context';
import type { Guarded } from '../../shared/access/write';
import type { ItemForm } from './item';
import { isObject } from '../../shared/util';
import {
	attribute,
	type Attributes,
	type ScimClient,
	type User,
	readText,
	shownActive,
	userAttributes,
} from '../../shared/scim';
import {
	attributesOf,
	HEAD,
	isMade,
	kindOfPart,
	sentenceOf,
	statusOf,
	whoOf,
	worstPart,
} from './item';

/** What is said of a user whose groups are not known. */
const NO_GROUPS_SHOWN =
	'The service did not show groups of this user, so groups is null. Access: Get reads them from the groups. If users show all their groups, set Users Show Groups to Yes under Override Profile in the credential; for Keycloak, choose its Service Profile.';

/** Makes the output of a user that was read; where groups are not known, a warning says so. */
export function readUserItem(user: User, client: ShowsGroups): IDataObject {
	const item = simpleUser(user, client);
	return item.groups === null ? { ...item, warnings: [NO_GROUPS_SHOWN] } : item;
}

type ShowsGroups = Pick<ScimClient, 'profile' | 'facts'>;

/** Makes a flat user with the attributes that workflows use; complex ones are unfolded. Groups that were not shown are null. */
export function simpleUser(user: User, { profile, facts }: ShowsGroups): IDataObject {
	const { attributes } = user;
	const name = attribute(attributes, 'name');
	const emails = attribute(attributes, 'emails');
	const addresses = (Array.isArray(emails) ? emails : []).filter(isObject);
	const groups = user.groupIds ?? (facts.usersShowGroups || !profile.hasGroups ? [] : null);
	const primary = addresses.find((entry) => attribute(entry, 'primary') === true) ?? addresses[0];
	return withoutUndefined({
		userId: user.id,
		userName: user.userName,
		active: shownActive(user),
		displayName: attribute(attributes, 'displayName'),
		givenName: attribute(name, 'givenName'),
		familyName: attribute(name, 'familyName'),
		email: attribute(primary, 'value'),
		externalId: attribute(attributes, 'externalId'),
		...extensionsOf(attributes),
		groups,
		groupNames: groups && groupNamesOf(groups, attributes, facts),
	});
}

/** The names of groups, as the user or a read of this run shows them; null for one that none shows. */
function groupNamesOf(
	groupIds: readonly string[],
	attributes: Attributes,
	facts: ShowsGroups['facts'],
): Array<string | null> {
	const shown = attribute(attributes, 'groups');
	const names = new Map(
		(Array.isArray(shown) ? shown : []).map((entry) => [
			facts.keyOf(readText(attribute(entry, 'value')) ?? ''),
			readText(attribute(entry, 'display')),
		]),
	);
	return groupIds.map((id) => {
		const key = facts.keyOf(id);
		const read = facts.group(key);
		return names.get(key) ?? (read?.ok === true ? read.value?.displayName : undefined) ?? null;
	});
}

/** Attributes of every user, and what items have beside them: an attribute of an extension with such a name is another one. */
const RESERVED: ReadonlySet<string> = new Set(
	[
		...userAttributes([]).flatMap(({ path }) => (/^urn:/i.test(path) ? [] : path.split('.'))),
		...['id', 'userId', 'groupId', 'active', 'email', 'groups', 'groupNames', 'deleted'],
		...['attributes', 'accessChanges', 'values', 'warnings', 'matchedBy', 'error', 'advice'],
		...Object.keys(HEAD),
	].map((name) => name.toLowerCase()),
);

/** How RFC 7643 section 4.3 writes the attributes of its extension: some services write names in another case. */
const USUAL = new Map(
	userAttributes([]).flatMap(({ path }) => {
		const name = /^urn:.*:(\w+)/i.exec(path)?.[1];
		return name === undefined ? [] : [[name.toLowerCase(), name] as const];
	}),
);

/**
 * Returns attributes of schema extensions (RFC 7643 section 3.3), each under its own name; one whose name another attribute has
 * stays under the URN. Of a manager the name and the ID are two.
 */
function extensionsOf(attributes: Attributes): Attributes {
	const others = Object.keys(attributes).map((name) => name.toLowerCase());
	const all = Object.entries(attributes).flatMap(([urn, own]) =>
		/^urn:/i.test(urn) && isObject(own)
			? Object.entries(own).flatMap(([name, value]) =>
					columnsOf(name, value).map((column) => ({ ...column, urn, name, value })),
				)
			: [],
	);
	const times = new Map<string, number>();
	for (const { key } of all) times.set(key, (times.get(key) ?? 0) + 1);
	const item: Attributes = {};
	for (const { urn, name, value, column, key, shown } of all) {
		const isTaken = RESERVED.has(key) || others.includes(key) || times.get(key) !== 1;
		const inside = item[urn];
		if (!isTaken) item[column] = shown;
		else item[urn] = { ...(isObject(inside) && inside), [name]: value };
	}
	return item;
}

interface Column {
	column: string;
	/** In lower case. */
	key: string;
	shown: unknown;
}

function columnsOf(name: string, value: unknown): Column[] {
	const column = USUAL.get(name.toLowerCase()) ?? name;
	const isPerson = column === 'manager' && isObject(value);
	const parts = isPerson
		? { manager: attribute(value, 'displayName'), managerId: attribute(value, 'value') }
		: { [column]: value };
	return Object.entries(parts).flatMap(([one, shown]) =>
		shown === undefined ? [] : { column: one, key: one.toLowerCase(), shown },
	);
}

/** Makes the items of an operation that changes users: one for each input item, with the user and what happened to it. */
export function changedUser(
	parts: readonly AppliedPart[],
	operation: OperationContext,
	plan: Guarded,
): Array<Output<AppliedPart>> {
	const part = worstPart(parts);
	if (part === undefined) return [];
	const { outcome, result } = part;
	const user = userIn(result);
	const { id: userId, userName } = nameIn(result);
	const shown = user ? simpleUser(user, operation.client) : withoutUndefined({ userId, userName });
	const found = kindOfPart(part, changeOf(part, plan));
	// What only an answer has brought to light is in no plan.
	const kind = found === 'none' && outcome.status === 'done' ? 'updated' : found;
	// Of an item of Update, what is given and taken are values of the user.
	const isOfValues = kind === 'granted' || kind === 'revoked';
	const words = kind === 'none' ? undefined : WORDS[isOfValues ? 'updated' : kind];
	const text = sentenceOf(whoOf(part, operation), words, outcome);
	const change = isMade(outcome) ? kind : 'none';
	const at = seenAt(parts.map((one) => one.outcome));
	const attributes = attributesOf(changeOf(part, plan), result);
	const told = { change, ...statusOf(outcome), text, at };
	return [{ parts, json: { ...NO_USER, ...shown, ...attributes, ...told } }];
}

/** The fields of an item whose user is not known. */
const NO_USER: IDataObject = { ...HEAD, userId: null };

export const noUser = (): IDataObject => NO_USER;

/** Makes the items of an operation that changes users. */
export function userItems(): ItemForm {
	return { blank: noUser, output: changedUser };
}

/** Makes the items of Delete, with n8n's sign of a deletion. */
export function deletedUserItems(): ItemForm {
	return {
		blank: () => ({ ...NO_USER, deleted: false }),
		output: (parts, operation, plan) =>
			changedUser(parts, operation, plan).map(({ json, parts: own }) => ({
				parts: own,
				json: { ...json, deleted: own.some(wasDeleted) },
			})),
	};
}

/** Tells whether a user who was to be deleted was seen to be gone. */
export function wasDeleted({ result }: AppliedPart): boolean {
	return result?.who?.kind === 'deleted';
}

function withoutUndefined(object: Record<string, unknown>): IDataObject {
	return Object.fromEntries(
		Object.entries(object).filter(([, value]) => value !== undefined),
	) as IDataObject;
}

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { asSentence, InputError, textList } from '../shared/util';
import { accessWords, type Kind } from '../shared/access/changes';
import { optionNumber } from '../shared/run';
import {
	ACCOUNT,
	type Difference,
	differencesBetween,
	isHolding,
	type Look,
	placeOfOrganization,
} from '../shared/access/facts';
import type { ScimConnection } from '../shared/connection';
import { calledUser, type Traits } from '../shared/scim';
import { changedAttributes, watchedKey } from './memory';

/** Every event of access, whichever it is. */
export const ANY_ACCESS_CHANGE = 'anyAccessChange';

/** What may be reported, as it stands in the Trigger On field. */
export const EVENTS = [
	{
		name: 'Access Granted',
		value: 'accessGranted',
		description: 'A user was added to a group, or got a role in an organization',
	},
	{
		name: 'Access Revoked',
		value: 'accessRevoked',
		description: 'A user was removed from a group, or lost the role in an organization',
	},
	{
		name: 'Any Access Change',
		value: ANY_ACCESS_CHANGE,
		description: 'Access was granted or revoked, or a role changed',
	},
	{
		name: 'Role Changed',
		value: 'roleChanged',
		description: 'A user has another role in an organization than before',
	},
	{ name: 'User Activated', value: 'userActivated', description: 'A user was activated' },
	{ name: 'User Created', value: 'userCreated', description: 'A user was created' },
	{ name: 'User Deactivated', value: 'userDeactivated', description: 'A user was deactivated' },
	{ name: 'User Deleted', value: 'userDeleted', description: 'A user was deleted' },
	{
		name: 'User Updated',
		value: 'userUpdated',
		description: 'An attribute of a user changed, such as the name, an email or the title',
	},
] as const satisfies ReadonlyArray<{
	name: string;
	value: EventKind | typeof ANY_ACCESS_CHANGE;
	description: string;
}>;

export type UserEventKind =
	'userActivated' | 'userCreated' | 'userDeactivated' | 'userDeleted' | 'userUpdated';
export type AccessEventKind = 'accessGranted' | 'accessRevoked' | 'roleChanged';
export type EventKind = UserEventKind | AccessEventKind;

/** One difference between two looks, with its name. */
export interface Event extends Difference {
	kind: EventKind;
}

/** Lists what has happened between two looks. */
export function eventsBetween(before: Look, after: Look): Event[] {
	return differencesBetween(before, after).map((one) => ({ ...one, kind: kindOf(one) }));
}

function kindOf({ before, after }: Difference): EventKind {
	const { of } = (before ?? after) as NonNullable<typeof before>;
	if (of === 'watched') return 'userUpdated';
	if (of !== 'account') {
		if (before === undefined) return 'accessGranted';
		return after === undefined ? 'accessRevoked' : 'roleChanged';
	}
	if (before === undefined) return 'userCreated';
	if (after?.of !== 'account') return 'userDeleted';
	return after.active === false ? 'userDeactivated' : 'userActivated';
}

const SECOND = 1000;
const DEFAULT_CONFIRM_S = 10;
const MOST_CONFIRM_S = 30;

/** Watched unless others are named. */
export const WATCHED_ATTRIBUTES = 'userName, name, emails, externalId, title';

/** What the panel calls them. */
export const WATCHED_FIELD = 'Watched Attributes';

export const watchedField: INodeProperties = {
	displayName: WATCHED_FIELD,
	name: 'watchedAttributes',
	type: 'string',
	noDataExpression: true,
	required: true,
	displayOptions: { show: { events: ['userUpdated'] } },
	default: WATCHED_ATTRIBUTES,
	placeholder: 'e.g. title, name.familyName',
	description: 'Attributes whose changes are reported',
	hint: 'Attributes, sub-attributes, or URNs of extensions. Separate several with commas.',
};

/** Options of the trigger's own. */
export const eventOptions: INodeProperties[] = [
	{
		displayName: 'Confirm After (Seconds)',
		name: 'confirmAfter',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 0, maxValue: MOST_CONFIRM_S },
		default: 10,
		description: 'Changes are confirmed by a second check after this time',
	},
	{
		displayName: 'Organizations',
		name: 'organizations',
		type: 'string',
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. Marketing, org-9120',
		description: 'Only report access in these organizations, by name or ID. Empty for all.',
	},
];

/** Which events are wanted, and how they are looked for. */
export interface Wish {
	kinds: ReadonlySet<string>;
	/** Organizations by place (`placeOfOrganization`); empty for all. */
	organizations: ReadonlyMap<string, string>;
	confirmMs: number;
	/** Attributes to watch, as they were named, by `watchedKey`; empty where User Updated is not chosen. */
	watched: ReadonlyMap<string, string>;
}

/**
 * Reads which events are to be reported.
 * @throws InputError when nothing is chosen, for an unknown organization name, an attribute that cannot be watched, and
 *   for a number out of range
 */
export function readWish(
	kinds: unknown,
	attributes: unknown,
	options: IDataObject,
	{ organizations, ids }: ScimConnection,
): Wish {
	const chosen = (Array.isArray(kinds) ? kinds : []).map(String);
	if (chosen.length === 0) {
		throw new InputError('Trigger On is empty', 'Choose at least one event.');
	}
	const unknown = chosen.find((kind) => !EVENTS.some(({ value }) => value === kind));
	if (unknown !== undefined) {
		throw new InputError(`Trigger On has an unknown event "${unknown}"`, 'Choose from the list.');
	}
	const named = textList(options.organizations, 'Organizations').map((entry) =>
		organizations.idOf(entry),
	);
	const confirmAfter = options.confirmAfter ?? DEFAULT_CONFIRM_S;
	return {
		kinds: new Set(chosen),
		organizations: new Map(named.map((id) => [placeOfOrganization(id, ids), id])),
		confirmMs: optionNumber('Confirm After', confirmAfter, 0, MOST_CONFIRM_S) * SECOND,
		watched: chosen.includes('userUpdated') ? readWatched(attributes) : new Map(),
	};
}

function readWatched(attributes: unknown): Map<string, string> {
	const names = textList(attributes, WATCHED_FIELD);
	if (names.length > 0)
		return new Map(names.map((name) => [watchedKey(name, WATCHED_FIELD), name]));
	throw new InputError(`${WATCHED_FIELD} is empty`, 'Name at least one attribute.');
}

/** Tells what has to be read for the chosen events. */
export function readsFor(
	{ kinds }: Wish,
	{ accessAttributes }: Traits,
): { users: boolean; access: boolean; values: boolean } {
	const isOfUser = (kind: string) => kind.startsWith('user');
	const all = [...kinds];
	const access = !all.every(isOfUser);
	return { users: all.some(isOfUser), access, values: access && accessAttributes.length > 0 };
}

/** Tells whether an event is to be reported. */
export function isWanted(
	{ kind, place, before, after }: Event,
	{ kinds, organizations }: Wish,
): boolean {
	if (!isHolding(after ?? before)) return kinds.has(kind);
	if (!kinds.has(kind) && !kinds.has(ANY_ACCESS_CHANGE)) return false;
	return organizations.size === 0 || organizations.has(place);
}

/** Makes the item of an event, with the same keys for each. @param names user names by id */
export function eventItem(
	{ kind, id, before, after }: Event,
	{ covers, facts, groups }: Look,
	names: ReadonlyMap<string, string>,
	{
		connection: { client, ids, organizations },
		wish: { watched },
	}: { connection: ScimConnection; wish: Wish },
): IDataObject {
	const [had, has] = [before, after].map((fact) => (isHolding(fact) ? fact : undefined));
	const { keys = [], organization, attribute } = has ?? had ?? {};
	// Several roles are several groups, so none of them is named.
	const group = keys.length === 1 && attribute === undefined ? groups.get(keys[0]) : undefined;
	const account = facts.get(id)?.get(ACCOUNT);
	const changed =
		before?.of === 'watched' && after?.of === 'watched' && covers.watched !== undefined
			? changedAttributes(before.mark, after.mark, covers.watched)
			: undefined;
	const item = {
		event: kind,
		userId: id,
		userName: names.get(id) ?? null,
		active: (account?.of === 'account' ? account.active : undefined) ?? null,
		group: group?.displayName ?? null,
		groupId: group?.id ?? null,
		...(ids.standsFor !== 'nothing' && {
			organization: organization ?? null,
			organizationName: organization === undefined ? null : organizations.nameOf(organization),
		}),
		roleBefore: had?.role || null,
		// Of a value, which is no role in anything, also where it is lost.
		role: (attribute === undefined ? has : (has ?? had))?.role || null,
		...(client.profile.accessAttributes.length > 0 && { attribute: attribute ?? null }),
		changedAttributes:
			changed === undefined
				? null
				: [...watched].flatMap(([key, name]) => (changed.includes(key) ? [name] : [])),
	};
	const user = client.facts.lastRead(id);
	const who = (user && calledUser(user)) ?? names.get(id) ?? id;
	const [done] = accessWords(KINDS[kind], item);
	const which = item.changedAttributes?.length ? `: ${item.changedAttributes.join(', ')}` : '';
	return { ...item, text: asSentence(`${who} was ${done}${which}`) };
}

/** What a change is called that an event tells of. */
const KINDS: Readonly<Record<EventKind, Kind>> = {
	...{ accessGranted: 'granted', accessRevoked: 'revoked', roleChanged: 'moved' },
	...{ userActivated: 'activated', userCreated: 'created', userDeactivated: 'deactivated' },
	...{ userDeleted: 'deleted', userUpdated: 'updated' },
};

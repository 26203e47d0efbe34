import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError, textList } from '../shared/util';
import { optionNumber } from '../shared/run';
import {
	type EventKind,
	placeOfOrganization,
	type ScimConnection,
	type Snapshot,
	type SnapshotEvent,
} from '../shared/access';

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
] as const satisfies ReadonlyArray<{
	name: string;
	value: EventKind | typeof ANY_ACCESS_CHANGE;
	description: string;
}>;

const SECOND = 1000;
const DEFAULT_CONFIRM_S = 10;
const MOST_CONFIRM_S = 30;

/** A look that takes longer than these minutes ends: the next one comes soon. */
export const DEFAULTS = { maxRunTime: 5 };

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
}

/** @throws InputError when nothing is chosen, for an unknown organization name, and for a number out of range */
export function readWish(
	kinds: unknown,
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
	};
}

/** What has to be read for the chosen events. */
export function readsFor({ kinds }: Wish): { users: boolean; access: boolean } {
	const isOfUser = (kind: string) => kind.startsWith('user');
	const all = [...kinds];
	return { users: all.some(isOfUser), access: !all.every(isOfUser) };
}

/** Whether an event is one that is to be reported. */
export function isWanted({ kind, place }: SnapshotEvent, { kinds, organizations }: Wish): boolean {
	if (place === undefined) return kinds.has(kind);
	if (!kinds.has(kind) && !kinds.has(ANY_ACCESS_CHANGE)) return false;
	return organizations.size === 0 || organizations.has(place);
}

/** An event as it stands in an item. @param names user names by id */
export function eventItem(
	event: SnapshotEvent,
	{ users, groups }: Snapshot,
	names: ReadonlyMap<string, string>,
	{ organizations }: ScimConnection,
): IDataObject {
	const { kind, id, before, after } = event;
	const userName = names.get(id);
	const active = users?.get(id);
	const person = {
		event: kind,
		id,
		...(userName !== undefined && { userName }),
		...(active !== undefined && { active }),
	};
	const holding = after ?? before;
	if (holding === undefined) return person;
	const { keys, organization } = holding;
	// Several roles are several groups, and no one of them is meant.
	const group = keys.length === 1 ? groups.get(keys[0]) : undefined;
	return {
		...person,
		group: group?.displayName ?? null,
		groupId: group?.id ?? null,
		organization: organization ?? null,
		organizationName: organization === undefined ? null : organizations.nameOf(organization),
		roleBefore: before?.role || null,
		role: after?.role || null,
	};
}

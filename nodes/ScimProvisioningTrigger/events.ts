import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError, textList } from '../shared/util';
import { optionNumber } from '../shared/run';
import { IN_GROUP, type ScimConnection, type Snapshot, type SnapshotEvent } from '../shared/access';

/** What may be reported, as it stands in the Trigger On field. */
export const EVENTS = [
	{
		name: 'Access Changed',
		value: 'accessChanged',
		description: 'Somebody has another role in an organization than before',
	},
	{
		name: 'Access Granted',
		value: 'accessGranted',
		description: 'Somebody has a role in an organization, or is in a group, who was not before',
	},
	{
		name: 'Access Revoked',
		value: 'accessRevoked',
		description: 'Somebody has no role in an organization any more, or is out of a group',
	},
	{
		name: 'User Activated',
		value: 'userActivated',
		description: 'An inactive user is active again',
	},
	{ name: 'User Created', value: 'userCreated', description: 'There is a user who was not before' },
	{
		name: 'User Deactivated',
		value: 'userDeactivated',
		description: 'A user is inactive who was active before',
	},
	{ name: 'User Deleted', value: 'userDeleted', description: 'A user is no longer there' },
] as const satisfies ReadonlyArray<{
	name: string;
	value: SnapshotEvent['kind'];
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
		displayName: 'Look Again After (Seconds)',
		name: 'confirmAfter',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 0, maxValue: MOST_CONFIRM_S },
		default: 10,
		description:
			'When something has changed, it is looked at once more after this time, and only what both looks show is reported: for a moment a service may show an old state',
	},
	{
		displayName: 'Organizations',
		name: 'organizations',
		type: 'string',
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. Marketing, org-9120',
		description:
			'Report access in these organizations only, by name or ID, comma-separated; empty for all',
	},
];

/** Which events are wanted, and how they are looked for. */
export interface Wish {
	kinds: ReadonlySet<string>;
	/** Ids of organizations; empty for all. */
	organizations: ReadonlySet<string>;
	confirmMs: number;
}

/** @throws InputError when nothing is chosen, for an unknown organization name, and for a number out of range */
export function readWish(
	kinds: unknown,
	options: IDataObject,
	{ organizations }: ScimConnection,
): Wish {
	const chosen = (Array.isArray(kinds) ? kinds : []).map(String);
	if (chosen.length === 0) {
		throw new InputError('Nothing is chosen under Trigger On', 'Choose what is to be reported.');
	}
	const named = textList(options.organizations, 'Organizations').map((entry) =>
		organizations.idOf(entry),
	);
	const confirmAfter = options.confirmAfter ?? DEFAULT_CONFIRM_S;
	return {
		kinds: new Set(chosen),
		organizations: new Set(named),
		confirmMs: optionNumber('Look Again After', confirmAfter, 0, MOST_CONFIRM_S) * SECOND,
	};
}

/** Whether an event is one that is to be reported. */
export function isWanted({ kind, place }: SnapshotEvent, { kinds, organizations }: Wish): boolean {
	if (!kinds.has(kind)) return false;
	return place === undefined || organizations.size === 0 || organizations.has(place);
}

/** An event as it stands in an item. @param names user names by id */
export function eventItem(
	{ kind, id, place, before, after }: SnapshotEvent,
	{ users }: Snapshot,
	names: ReadonlyMap<string, string>,
	{ organizations }: ScimConnection,
): IDataObject {
	const userName = names.get(id);
	const active = users?.get(id);
	const isGroup = (after ?? before) === IN_GROUP;
	return {
		event: kind,
		id,
		...(userName !== undefined && { userName }),
		...(active !== undefined && { active }),
		...(place !== undefined && isGroup && { groupId: place }),
		...(place !== undefined &&
			!isGroup && {
				organization: place,
				organizationName: organizations.nameOf(place),
				roleBefore: before ?? null,
				role: after ?? null,
			}),
	};
}

import type { IDataObject } from 'n8n-workflow';

import {
	CHANGE_WORDS,
	changeOf,
	changeWord,
	nameIn,
	plannedValue,
	type Access,
	type AppliedPart,
	type Change,
	type Membership,
	type ProvisioningResult,
} from '../../shared/access';
import { worstOf, type Output } from '../../shared/run';
import type { AccessValue, OrganizationRole } from '../../shared/scim';
import type { Guarded, OperationContext } from '../runWrite';
import { statusOf } from './userItem';

/** The fields of every item of an operation on access, for one of which nothing is known. */
export const NO_CHANGE: IDataObject = {
	change: 'none',
	...{ userId: null, userName: null, group: null, groupId: null },
	...{ organization: null, organizationName: null, roleBefore: null, role: null },
	...{ status: 'unchanged', reason: null },
};

/** One item per change; the parts of one move, which may take two requests, are one. */
export function changedAccess(
	parts: readonly AppliedPart[],
	operation: OperationContext,
	plan: Guarded,
): Array<Output<AppliedPart>> {
	const { access } = plan;
	const items = new Map<unknown, { own: AppliedPart[]; change?: Change }>();
	for (const part of parts) {
		const change = changeOf(part, plan);
		const key = itemKey(part, change, access) ?? part;
		const item = items.get(key) ?? { own: [] };
		items.set(key, item);
		item.own.push(part);
		// A move is named, whichever of its requests was answered first.
		if (item.change === undefined || change?.kind === 'move') item.change = change;
	}
	return [...items.values()].map(({ own, change }) => ({
		parts: own,
		json: changeItem(own, change, operation, plan),
	}));
}

/**
 * Equal for the grant of a new role and the removal of the old one, and for what one item wants twice and needs no change;
 * undefined for what is an item by itself.
 */
function itemKey(
	{ subject, result }: AppliedPart,
	change: Change | undefined,
	access: Access | undefined,
): string | undefined {
	if (change === undefined) {
		const { group, intent } = result ?? {};
		if (group === undefined) return undefined;
		const place = intent === 'grant' ? access?.placeOf(group.id) : undefined;
		return place ? roleKey(subject, place) : `${subject}\n${intent}\n${group.id}`;
	}
	if (change.target !== 'membership' || change.place === undefined) return undefined;
	const { kind, place } = change;
	const role = kind === 'move' ? place.role : kind === 'revoke' ? change.newRole : undefined;
	return role === undefined ? undefined : roleKey(subject, { ...place, role });
}

function roleKey(subject: string, { organization, role }: OrganizationRole): string {
	return `${subject}\n${organization}\n${role}`;
}

function changeItem(
	parts: readonly AppliedPart[],
	change: Change | undefined,
	operation: OperationContext,
	{ access, notes }: Guarded,
): IDataObject {
	const lead = parts.find((part) => part.change === change?.key) ?? parts[0];
	const outcome = worstOf(parts.map((part) => part.outcome)) ?? lead.outcome;
	const warnings = [
		...new Set([...notes, ...parts.flatMap((part) => part.outcome.warnings ?? [])]),
	];
	const { result } = lead;
	const isMade = outcome.status !== 'unchanged' && outcome.status !== 'skipped';
	// Somebody who was to be created may have been there, inactive.
	const intent = result?.intent ?? change?.kind ?? 'none';
	const isAsked = result?.intent !== undefined || change === undefined;
	const word = intent === 'none' ? intent : isAsked ? CHANGE_WORDS[intent] : changeWord(change);
	const person = change && change.target !== 'group' ? change.person : undefined;
	const known = nameIn(result);
	const groupId = change?.target === 'membership' ? change.groupId : result?.group?.id;
	return {
		...NO_CHANGE,
		change: isMade ? word : 'none',
		userId: known.id ?? person?.id ?? null,
		userName: known.userName ?? person?.userName ?? null,
		...(groupId !== undefined && groupFields(groupId, operation, access)),
		...rolesOf(change, result?.intent, isMade, groupId, access),
		...valueFields(change, result),
		...statusOf({ ...outcome, warnings }),
	};
}

/** A group with what it stands for, as it stands in items. */
export function groupFields(
	groupId: string,
	{ ids, organizations }: OperationContext,
	access: Access | undefined,
): IDataObject {
	const place = access?.placeOf(groupId) ?? ids.parse(groupId);
	return {
		group: access?.groups.get(ids.key(groupId))?.displayName ?? groupId,
		groupId,
		organization: place?.organization ?? null,
		organizationName: place ? organizations.nameOf(place.organization) : null,
	};
}

/** The role before and after; both the same where nothing changes. */
function rolesOf(
	change: Change | undefined,
	intent: string | undefined,
	isMade: boolean,
	groupId: string | undefined,
	access: Access | undefined,
): IDataObject {
	const place: OrganizationRole | undefined =
		groupId === undefined ? undefined : access?.placeOf(groupId);
	const role = place?.role ?? null;
	if (change?.target !== 'membership') {
		if (intent === 'revoke') return { roleBefore: null, role: null };
		return { roleBefore: isMade ? null : role, role };
	}
	if (change.kind === 'revoke') return { roleBefore: role, role: change.newRole ?? null };
	return { roleBefore: change.from.join(', ') || null, role };
}

/** Of a value on the user; the same where it was so already. */
function valueFields(
	change: Change | undefined,
	{ value, intent }: ProvisioningResult = {},
): IDataObject {
	if (change?.target === 'value') return plannedValue(change.kind, change.value);
	if (value === undefined) return {};
	return plannedValue(intent === 'revoke' ? 'revoke' : 'grant', value);
}

/** Values on a user, as they stand in items. */
export function valueItems(values: readonly AccessValue[]): IDataObject[] {
	return values.map((value) => ({ ...value }));
}

/** Groups of a person, in the form that Assign takes as a list; it refuses those that another group gives. */
export function membershipItems(
	memberships: readonly Membership[],
	{ organizations }: OperationContext,
): IDataObject[] {
	return memberships.map(({ displayName, groupId, organization, role, via }) => ({
		group: displayName,
		groupId,
		organization: organization ?? null,
		organizationName: organization === undefined ? null : organizations.nameOf(organization),
		role: role ?? null,
		via: via ?? null,
	}));
}

/** What is said where the service shows nobody in any group: no list of groups would be true. */
export const UNKNOWN_ACCESS =
	'Neither groups nor users of this service show memberships, so access is unknown';

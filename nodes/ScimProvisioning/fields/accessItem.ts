import type { IDataObject } from 'n8n-workflow';

import type { Access, AppliedPart, Change, ChangeKind, Membership } from '../../shared/access';
import { worstOf, type Output } from '../../shared/run';
import type { OrganizationRole } from '../../shared/scim';
import type { Guarded, OperationContext } from '../runWrite';
import { statusOf } from './userItem';

/** The fields of every item of an operation on access, for one of which nothing is known. */
export const NO_CHANGE: IDataObject = {
	change: 'none',
	...{ id: null, userName: null, group: null, groupId: null },
	...{ organization: null, organizationName: null, roleBefore: null, role: null },
	...{ status: 'unchanged', reason: null },
};

const WORDS: Readonly<Record<Change['kind'], ChangeKind>> = {
	create: 'created',
	update: 'updated',
	activate: 'activated',
	deactivate: 'deactivated',
	delete: 'deleted',
	grant: 'granted',
	move: 'moved',
	revoke: 'revoked',
};

/** One item per change; the parts of one move, which may take two requests, are one. */
export function changedAccess(
	parts: readonly AppliedPart[],
	operation: OperationContext,
	plan: Guarded,
): Array<Output<AppliedPart>> {
	const changes = new Map(plan.changes.map((change) => [change.key, change]));
	const access = plan.access;
	const moves = new Map<string, AppliedPart[]>();
	const items: Array<{ own: AppliedPart[]; change?: Change }> = [];
	for (const part of parts) {
		const change = changes.get(part.change ?? '');
		const key = moveKey(part, change, access);
		const same = key === undefined ? undefined : moves.get(key);
		if (same !== undefined) {
			same.push(part);
			continue;
		}
		const own = [part];
		if (key !== undefined) moves.set(key, own);
		items.push({ own, ...(change && { change }) });
	}
	return items.map(({ own, change }) => ({
		parts: own,
		json: changeItem(own, change, operation, plan),
	}));
}

/** Equal for the grant of a new role and the removal of the old one; undefined for what is no part of a move. */
function moveKey(
	part: AppliedPart,
	change: Change | undefined,
	access: Access | undefined,
): string | undefined {
	const place =
		change?.target === 'membership'
			? change.place
			: part.result?.group && access?.placeOf(part.result.group.id);
	if (place === undefined) return undefined;
	const isMove =
		change?.target === 'membership' &&
		(change.kind === 'move' || (change.kind === 'revoke' && change.newRole !== undefined));
	const isHeld = change === undefined && part.result?.intent === 'grant';
	return isMove || isHeld ? `${part.subject}\n${place.organization}` : undefined;
}

function changeItem(
	parts: readonly AppliedPart[],
	change: Change | undefined,
	operation: OperationContext,
	{ access, notes }: Guarded,
): IDataObject {
	const [first] = parts;
	const outcome = worstOf(parts.map((part) => part.outcome)) ?? first.outcome;
	const warnings = [
		...new Set([...notes, ...parts.flatMap((part) => part.outcome.warnings ?? [])]),
	];
	const { result } = first;
	const isMade = outcome.status !== 'unchanged' && outcome.status !== 'skipped';
	const intent = change?.kind ?? result?.intent ?? 'none';
	const groupId =
		change?.target === 'membership' ? change.groupId : result?.group && result.group.id;
	return {
		...NO_CHANGE,
		change: isMade && intent !== 'none' ? WORDS[intent] : 'none',
		id: result?.user?.id ?? result?.person?.id ?? null,
		userName: result?.user?.userName ?? result?.person?.userName ?? null,
		...(groupId !== undefined && groupFields(groupId, operation, access)),
		...rolesOf(change, result?.intent, isMade, groupId, access),
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

/** Groups of a person, in the form that Assign takes as a list. */
export function membershipItems(
	memberships: readonly Membership[],
	{ organizations }: OperationContext,
): IDataObject[] {
	return memberships.map(({ displayName, groupId, organization, role }) => ({
		group: displayName,
		groupId,
		organization: organization ?? null,
		organizationName: organization === undefined ? null : organizations.nameOf(organization),
		role: role ?? null,
	}));
}

/** What is said where the service shows nobody in any group: no list of groups would be true. */
export const UNKNOWN_ACCESS =
	'No group of this service shows a member, and no user groups: who has what is not known';

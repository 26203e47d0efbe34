import type { IDataObject } from 'n8n-workflow';

import {
	type AccessNames,
	accessWords,
	changeOf,
	gained,
	isValue,
	kindOf,
	lost,
	nameIn,
	roleOf,
	type AppliedPart,
	type Change,
	type Entitlement,
	type ProvisioningResult,
	type Settled,
	userIn,
	type Kind,
	WORDS,
	type Words,
} from '../../shared/access/changes';
import type { Access, Membership } from '../../shared/access/facts';
import { seenAt, worstOf, type Outcome, type Output, NO_ITEM, isFailure } from '../../shared/run';
import {
	type AccessValue,
	type Group,
	type OrganizationRole,
	shownActive,
} from '../../shared/scim';
import type { Guarded } from '../../shared/access/write';
import { addTo, asSentence } from '../../shared/util';
import type { OperationContext } from '../context';
import {
	attributesOf,
	HEAD,
	isMade,
	kindOfPart,
	sentenceOf,
	statusOf,
	whoOf,
	NOTHING_CHANGED,
	type ItemForm,
} from './item';
import { isFromList, type RowList } from './rows';
import { wasDeleted } from './userItem';

/** The fields of an item of an operation on access beside the head. */
export const ACCESS_KEYS = [
	...['userId', 'groupId', 'organization', 'organizationName', 'roleBefore', 'role', 'attribute'],
];

/** Fields that a service may have no use for, each with whether it has. */
const SOME_HAVE: Readonly<Record<string, (operation: OperationContext) => boolean>> = {
	organization: hasOrganizations,
	organizationName: hasOrganizations,
	roleBefore: (operation) => hasOrganizations(operation) || hasValues(operation),
	role: (operation) => hasOrganizations(operation) || hasValues(operation),
	attribute: hasValues,
};

/** Whether groups stand for organizations. */
function hasOrganizations({ ids }: OperationContext): boolean {
	return ids.standsFor !== 'nothing';
}

function hasValues({ client }: OperationContext): boolean {
	return client.profile.accessAttributes.length > 0;
}

/** The item of an operation on access of which nothing is known. @param operation missing where the service is not known */
function noChange(operation?: OperationContext): IDataObject {
	const keys = ACCESS_KEYS.filter(
		(key) => !(key in SOME_HAVE) || (operation !== undefined && SOME_HAVE[key](operation)),
	);
	return { ...HEAD, ...Object.fromEntries(keys.map((key) => [key, null])) };
}

/** Makes the items of an operation on access, one per change. */
export function accessItems(): ItemForm {
	return { blank: noChange, output: changedAccess };
}

/** One item per change; the parts of one move, which may take two requests, are one. */
function changedAccess(
	parts: readonly AppliedPart[],
	operation: OperationContext,
	plan: Guarded,
): Array<Output<AppliedPart>> {
	const items = new Map<unknown, { own: AppliedPart[]; change?: Change }>();
	for (const part of parts) {
		const change = changeOf(part, plan);
		const key = change?.key ?? settledKey(part) ?? part;
		const item = items.get(key);
		if (item === undefined) items.set(key, { own: [part], ...(change && { change }) });
		else item.own.push(part);
	}
	return [...items.values()].map(({ own, change }) => ({
		parts: own,
		json: changeItem(own, change, operation, plan),
	}));
}

/** Equal for what one item wants twice and needs no change; undefined for what is an item by itself. */
function settledKey({ subject, result }: AppliedPart): string | undefined {
	const { group, intent } = result ?? {};
	return group === undefined ? undefined : `${subject}\n${intent}\n${group.id}`;
}

function changeItem(
	parts: readonly AppliedPart[],
	change: Change | undefined,
	operation: OperationContext,
	{ basis: { access }, notes }: Guarded,
): IDataObject {
	const [lead] = parts;
	const outcome = worstOf(parts.map((part) => part.outcome)) ?? lead.outcome;
	const warnings = [
		...new Set([...notes, ...parts.flatMap((part) => part.outcome.warnings ?? [])]),
	];
	const { result } = lead;
	const kind = kindOfPart(lead, change);
	const person = change && change.about !== 'group' ? change.person : undefined;
	const known = nameIn(result);
	const group = groupOf(change, outcome) ?? result?.group;
	const item: IDataObject = {
		...noChange(operation),
		change: isMade(outcome) ? kind : 'none',
		userId: known.id ?? person?.id ?? null,
		userName: known.userName ?? person?.userName ?? null,
		...(group !== undefined && groupFields(group, operation, access)),
		...(hasOrganizations(operation) && rolesOf(change, result?.intent, outcome, group?.id, access)),
		...valueFields(change, result),
		...attributesOf(change, result),
		...statusOf({ ...outcome, warnings }),
		at: seenAt(parts.map((part) => part.outcome)),
	};
	const words = kind === 'none' ? undefined : accessWords(kind, item as AccessNames);
	return { ...item, text: sentenceOf(whoOf(lead, operation, person), words, outcome) };
}

type NamedGroup = Pick<Group, 'id' | 'displayName'>;

/** The group that a change is about; of a move the new one, of what is made already what is there. */
function groupOf(change: Change | undefined, { status }: Outcome): NamedGroup | undefined {
	if (change?.about !== 'entitlement') return undefined;
	const there = status === 'unchanged' ? change.after : [];
	const [one] = [...there, ...gained(change), ...lost(change)];
	return one === undefined || isValue(one)
		? undefined
		: { id: one.groupId, displayName: one.displayName };
}

/** A group with what it stands for, as it stands in items. */
function groupFields(
	{ id, displayName }: NamedGroup,
	operation: OperationContext,
	access: Access | undefined,
): IDataObject {
	const { ids, organizations } = operation;
	const place = access?.placeOf(id) ?? ids.parse(id, displayName);
	return {
		group: access?.groups.get(ids.key(id))?.displayName ?? (displayName || id),
		groupId: id,
		...(hasOrganizations(operation) && {
			organization: place?.organization ?? null,
			organizationName: place ? organizations.nameOf(place.organization) : null,
		}),
	};
}

/** The role before and after; both the same where nothing changes. */
function rolesOf(
	change: Change | undefined,
	intent: string | undefined,
	outcome: Outcome,
	groupId: string | undefined,
	access: Access | undefined,
): IDataObject {
	const place: OrganizationRole | undefined =
		groupId === undefined ? undefined : access?.placeOf(groupId);
	const there = place?.role ?? null;
	if (change?.about !== 'entitlement') {
		if (intent === 'revoked') return { roleBefore: null, role: null };
		return { roleBefore: isMade(outcome) ? null : there, role: there };
	}
	const rolesIn = (all: readonly Entitlement[]) => all.map(roleOf).filter(Boolean).join(', ');
	const role = rolesIn(change.after) || null;
	if (outcome.status === 'unchanged' && role !== null) return { roleBefore: role, role };
	return { roleBefore: rolesIn(lost(change)) || null, role };
}

/** Of a value on the user; the same where it was so already, also where it is taken away. */
function valueFields(
	change: Change | undefined,
	{ value, intent }: ProvisioningResult = {},
): IDataObject {
	const isOfAccess = change?.about === 'entitlement';
	const [one] = isOfAccess ? [...gained(change), ...lost(change)].filter(isValue) : [value];
	if (one === undefined) return {};
	const isTaken = isOfAccess ? kindOf(change) === 'revoked' : intent === 'revoked';
	return { roleBefore: isTaken ? one.value : null, role: one.value, attribute: one.attribute };
}

/** Values on a user, as they stand in items. */
export function valueItems(values: readonly AccessValue[]): IDataObject[] {
	return values.map((value) => ({ ...value }));
}

/** Lists the groups of a person in the form that Assign takes; Assign refuses those that another group gives. */
export function membershipItems(
	memberships: readonly Membership[],
	operation: OperationContext,
): IDataObject[] {
	const { nameOf } = operation.organizations;
	return memberships.map(({ displayName, groupId, organization, role, via }) => ({
		group: displayName,
		groupId,
		...(hasOrganizations(operation) && {
			organization: organization ?? null,
			organizationName: organization === undefined ? null : nameOf(organization),
			role: role ?? null,
		}),
		via: via ?? null,
	}));
}

/** What is said where the service shows no members of any group: no list of groups would be true. */
export const UNKNOWN_ACCESS =
	'Neither groups nor users of this service show memberships, so access is unknown';

/** Makes the items of a comparison with a whole list. @param list where the rows come from */
export function reconcileItems(list: RowList): ItemForm {
	return {
		blank: noChange,
		output: (parts, operation, made) =>
			itemsOf(parts, operation, made, isFromList(operation.context, list)),
	};
}

/**
 * One item per change; of a list what rows want and is so already comes out as one item, and only when there is nothing
 * else. A change that no row asked for comes out even where another client has made it meanwhile.
 */
function itemsOf(
	parts: readonly AppliedPart[],
	operation: OperationContext,
	made: Guarded,
	isList: boolean,
): Array<Output<AppliedPart>> {
	// What was sent and has met somebody who was there says so.
	const isWarned = ({ step, outcome: { warnings = [] } }: AppliedPart) =>
		step !== undefined && warnings.length > 0;
	const isShown = (part: AppliedPart) =>
		part.item === NO_ITEM || part.outcome.status !== 'unchanged' || isWarned(part);
	const shown = isList ? parts.filter(isShown) : parts;
	if (shown.length > 0) return changedAccess(shown, operation, made);
	const { changes, settled, notes } = made;
	const isOfNoItem = ({ item }: { item: number }) => item === NO_ITEM;
	const isMore = changes.some((change) => change.items.includes(NO_ITEM));
	return isMore || settled.some(isOfNoItem)
		? []
		: [
				{
					json: {
						...{ ...noChange(operation), text: NOTHING_CHANGED },
						...(notes.length > 0 && { warnings: [...notes] }),
					},
					parts,
				},
			];
}

/** Removals and deactivations that are not made, for the reader of the summary. */
export function leftAlone(
	settled: readonly Settled[],
	{ ids }: OperationContext,
	access?: Access,
): Change[] {
	return settled.flatMap(({ outcome, result, subject }): Change[] => {
		const { intent, group } = result ?? {};
		if (outcome.status !== 'skipped') return [];
		const { action, reason: why = '' } = outcome;
		const person = { key: subject, ...nameIn(result) };
		const common = { key: '', person, action, why, items: [], restsOn: [], warnings: [] };
		if (intent === 'deactivated')
			return [{ ...common, about: 'account', before: 'active', after: 'inactive' }];
		const held = group && access?.membershipIn(ids.key(group.id));
		if (intent !== 'revoked' || held === undefined) return [];
		return [{ ...common, about: 'entitlement', before: [held], after: [] }];
	});
}

/** Makes the fields of every item of Offboard, for an unknown user. */
export function noLeaver(deletes: boolean): IDataObject {
	return {
		...{ ...HEAD, userId: null, active: null, ...(deletes && { deleted: false }) },
		...{ accessRemoved: null, accessRemaining: null, provenAt: null, requests: null },
	};
}

/** Makes the items of Offboard, one per leaver. @param deletes whether the accounts are deleted */
export function leaverItems(deletes: boolean): ItemForm {
	const blank = noLeaver(deletes);
	return {
		blank: () => blank,
		output: (parts, operation, plan) => itemsOfLeavers(parts, operation, plan, blank),
	};
}

/** One flat item per person, with the worst of what was done. */
function itemsOfLeavers(
	parts: readonly AppliedPart[],
	operation: OperationContext,
	plan: Guarded,
	blank: IDataObject,
): Array<Output<AppliedPart>> {
	const rows = new Map<string, AppliedPart[]>();
	for (const part of parts) addTo(rows, part.subject, part);
	return [...rows].map(([key, own]) => {
		const part = madeInPart(own, plan);
		const outcome = part?.outcome ?? together(own.map((one) => one.outcome));
		const proof = own.find((part) => part.proof !== undefined)?.proof;
		const who = proof?.user ?? own.flatMap(({ result }) => userIn(result) ?? []).at(-1);
		const named = own.find(({ result }) => result?.who !== undefined) ?? own[0];
		const person = { ...plan.basis.personOf.get(key), ...nameIn(named.result) };
		const deleted = own.some(wasDeleted);
		const list = (of: readonly Membership[] | undefined) => of && membershipItems(of, operation);
		const warnings = [...(outcome.warnings ?? []), ...plan.warnings];
		return {
			parts: own,
			json: {
				...blank,
				change: changeIn(own, plan),
				userName: who?.userName ?? person.userName ?? null,
				text: [
					sentenceOf(whoOf(named, operation, person), part?.words ?? OFFBOARDED, outcome),
					...(part ? [asSentence(part.leftOut)] : []),
				].join(' '),
				userId: who?.id ?? person.id ?? null,
				active: deleted || proof?.isGone === true ? null : (shownActive(who) ?? null),
				...('deleted' in blank && { deleted }),
				accessRemoved: list(proof?.removed ?? part?.removed) ?? null,
				accessRemaining: list(proof?.remaining) ?? null,
				...(operation.client.profile.accessAttributes.length > 0 && {
					valuesRemoved:
						proof || part ? valueItems(proof?.valuesRemoved ?? part?.valuesRemoved ?? []) : null,
					valuesRemaining: proof ? valueItems(proof.valuesRemaining) : null,
				}),
				provenAt: isFailure(outcome) ? null : (proof?.at ?? null),
				requests: proof?.requests ?? null,
				...statusOf({ ...outcome, warnings: [...new Set(warnings)] }),
				...(part && { reason: part.reason }),
				at: seenAt([{ ...outcome, at: proof?.at ?? outcome.at }]),
			},
		};
	});
}

const OFFBOARDED: Words = ['offboarded', 'already offboarded'];

/** What came of a leaver of whom a part was left out. */
interface Part {
	/** Of what was made. */
	outcome: Outcome;
	words: Words;
	leftOut: string;
	reason: string;
	/** What was seen to be gone. */
	removed: Membership[];
	valuesRemoved: AccessValue[];
}

/** Undefined where a proof tells what is left, and for one of whom nothing was made or something failed. */
function madeInPart(parts: readonly AppliedPart[], plan: Guarded): Part | undefined {
	const made = parts.filter(({ outcome }) => isMade(outcome));
	const leftOut = parts.flatMap(({ outcome: { status, action, reason = '' } }) =>
		status === 'skipped' ? [`${action} (${reason})`] : [],
	);
	const isProved = parts.some(({ proof }) => proof !== undefined);
	if (isProved || made.length === 0 || leftOut.length === 0) return undefined;
	if (made.some(({ outcome }) => outcome.status === 'failed')) return undefined;
	const changesOf = (all: readonly AppliedPart[]) =>
		all.flatMap((part) => changeOf(part, plan) ?? []);
	const done = changesOf(made.filter(({ outcome }) => outcome.status === 'done'));
	const outcome = together(made.map((part) => part.outcome));
	const said = [...new Set(leftOut)].join('; ');
	return {
		...{ outcome, leftOut: `Left out: ${said}` },
		words: [wordsOf(changesOf(made)), ''],
		reason: [...(outcome.reason === undefined ? [] : [outcome.reason]), `left out: ${said}`].join(
			'; ',
		),
		removed: done.flatMap(membershipsLost),
		valuesRemoved: done.flatMap(valuesLost),
	};
}

function wordsOf(changes: readonly Change[]): string {
	const places = changes.flatMap(membershipsLost).map((one) => one.displayName || one.groupId);
	const values = changes
		.flatMap(valuesLost)
		.map(({ attribute, value }) => `${value} (${attribute})`);
	const others = changes.flatMap((change) =>
		change.about === 'entitlement' ? [] : WORDS[kindOf(change)][0],
	);
	return [
		...others,
		...(places.length > 0 ? [`removed from ${places.join(', ')}`] : []),
		...(values.length > 0 ? [`stripped of ${values.join(', ')}`] : []),
	].join(' and ');
}

function membershipsLost(change: Change): Membership[] {
	if (change.about !== 'entitlement') return [];
	return lost(change).flatMap((one) => (isValue(one) ? [] : [one]));
}

function valuesLost(change: Change): AccessValue[] {
	return change.about === 'entitlement' ? lost(change).filter(isValue) : [];
}

/** What was done to a leaver: to the account, else to what it had. */
function changeIn(parts: readonly AppliedPart[], plan: Guarded): Kind | 'none' {
	const kinds = parts.flatMap((part) =>
		isMade(part.outcome) ? kindOfPart(part, changeOf(part, plan)) : [],
	);
	// Where memberships outlive the account, it is deactivated before it is deleted.
	const ofAccount = (['deleted', 'deactivated'] as const).find((kind) => kinds.includes(kind));
	return ofAccount ?? kinds[0] ?? 'none';
}

/** The worst status with every reason for it, and all warnings. */
function together(outcomes: readonly Outcome[]): Outcome {
	const worst = worstOf(outcomes) ?? outcomes[0];
	const reasons = outcomes.flatMap(({ status, reason }) =>
		status === worst.status && reason !== undefined ? [reason] : [],
	);
	return {
		...worst,
		at: seenAt(outcomes) ?? undefined,
		...(reasons.length > 0 && { reason: [...new Set(reasons)].join('; ') }),
		warnings: outcomes.flatMap(({ warnings = [] }) => warnings),
	};
}

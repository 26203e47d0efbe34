import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import {
	kindOf,
	nameIn,
	userIn,
	type AppliedPart,
	type Change,
	type Kind,
	type ProvisioningResult,
	type Words,
} from '../../shared/access/changes';
import type { Guarded } from '../../shared/access/write';
import { worstOf, type Outcome, type Output, fieldsOf, isRouted } from '../../shared/run';
import { attribute, calledUser, withMaskedSecrets } from '../../shared/scim';
import { asSentence, isDeepEqual, shown } from '../../shared/util';
import { MOST_WARNINGS, summarizeRun, type ChangeOfRun } from '../../shared/access/plans';
import type { OperationContext } from '../context';

/** What the items of all writes begin with, in this order. */
export const HEAD: IDataObject = {
	...{ change: 'none', status: 'unchanged', reason: null, userName: null, group: null },
	...{ text: null, at: null },
};

/** Tells what was asked for of a part, as it came about. */
export function kindOfPart({ result }: AppliedPart, change: Change | undefined): Kind | 'none' {
	if (result?.who?.kind === 'kept') return 'deactivated';
	if (result?.who?.kind === 'gone') return 'deleted';
	// A user to be created may have been there, inactive.
	return result?.intent ?? (change ? kindOf(change) : 'none');
}

/** Tells whether something was sent, or was to be. */
export function isMade({ status }: Outcome): boolean {
	return status !== 'unchanged' && status !== 'skipped';
}

/** Makes the fields of an outcome, as they stand in items. */
export function statusOf({ status, reason, warnings = [] }: Outcome): IDataObject {
	return { status, reason: reason ?? null, ...(warnings.length > 0 && { warnings }) };
}

/**
 * Makes the old and the new values of what an update sets, by attribute, as far as they are known; secrets are masked.
 * @param result of the update, where it was sent
 */
export function attributesOf(
	change: Change | undefined,
	result: ProvisioningResult = {},
): IDataObject {
	if (change === undefined || change.about === 'entitlement') return {};
	if (change.before === 'absent' || !change.attributes) return {};
	const { sent: attributes = change.attributes } = result;
	const changed = Object.entries(attributes).flatMap(([name, after]) => {
		const before = attribute(change.was, name) ?? null;
		const shown = (value: unknown) => withMaskedSecrets({ [name]: value })[name];
		return isDeepEqual(before, after)
			? []
			: [[name, { before: shown(before), after: shown(after) }]];
	});
	return { attributes: Object.fromEntries(changed) as IDataObject };
}

/** Returns the part whose outcome stands for all of an item. */
export function worstPart(parts: readonly AppliedPart[]): AppliedPart | undefined {
	const worst = worstOf(parts.map(({ outcome }) => outcome));
	return parts.find(({ outcome }) => outcome === worst);
}

/**
 * Describes an outcome in one sentence, with the reason where there is one.
 * @param words undefined where it is not known what was asked for
 */
export function sentenceOf(
	who: string | undefined,
	words: Words | undefined,
	{ status, reason, action }: Outcome,
): string {
	const why = reason === undefined ? '' : `: ${reason}`;
	const [done, already] = words ?? ['changed', 'not changed'];
	if (status === 'done') return asSentence(who ? `${who} was ${done}` : `Done: ${action}`);
	if (status === 'unchanged') return asSentence(who ? `${who} was ${already}` : NOTHING_CHANGED);
	const isNamed = who !== undefined && (words !== undefined || status === 'skipped');
	const could = { skipped: 'Did not', unverified: 'Could not confirm:', failed: 'Could not' };
	if (!isNamed) return asSentence(`${could[status]} ${action}${why}`);
	const verb = status === 'unverified' ? 'may have been' : 'was not';
	return asSentence(`${who} ${verb} ${done}${why}`);
}

export const NOTHING_CHANGED = 'Nothing was changed.';

/** Returns what a sentence calls the person of a part: as `calledUser` where the user was shown, else the user name or ID. */
export function whoOf(
	{ result }: AppliedPart,
	{ client }: Pick<OperationContext, 'client'>,
	person: { id?: string | null; userName?: string | null } = {},
): string | undefined {
	const { id = person.id, userName = person.userName } = nameIn(result);
	const user = userIn(result) ?? client.facts.lastRead(id ?? '');
	const name = userName ?? id ?? undefined;
	return (user && calledUser(user)) ?? (name && shown(name));
}

/** Marks the output of a user that a model named by email in place of an ID. */
export function matchOfUser(id: unknown, { matched }: OperationContext): IDataObject {
	return matched.users.has(String(id)) ? { matchedBy: 'email' } : {};
}

/** Marks the output of a group that a model named by its name in place of an ID. */
export function matchOfGroup(id: unknown, { matched, ids }: OperationContext): IDataObject {
	return matched.groups.has(ids.key(String(id))) ? { matchedBy: 'name' } : {};
}

/** Marks the item of a write whose user or group a model named. */
export function matchOfItem({ userId, groupId, id }: IDataObject, operation: OperationContext) {
	return { ...matchOfUser(userId, operation), ...matchOfGroup(groupId ?? id, operation) };
}

/** Marks the one item of a preview whose users or groups a model named. */
export function matchOfRun({ matched: { users, groups } }: OperationContext): IDataObject {
	const ways = [users.size > 0 ? 'email' : '', groups.size > 0 ? 'name' : ''].filter(Boolean);
	return ways.length > 0 ? { matchedBy: ways.join(', ') } : {};
}

/** How the items of an operation look. */
export interface ItemForm {
	/** The fields of every item, for one that failed before more was known. */
	blank(operation?: OperationContext): IDataObject;
	/** The items for the parts of one input item, or for those that no item names. */
	output(
		parts: readonly AppliedPart[],
		operation: OperationContext,
		plan: Guarded,
	): Array<Output<AppliedPart>>;
}

/** On what changes many. */
export const returnOption: INodeProperties = {
	displayName: 'Return',
	name: 'return',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'One Item per Change', value: 'perChange' },
		{
			name: 'One Item per Run',
			value: 'perRun',
			description: 'A summary and the list of all changes. Split Out makes an item of each.',
		},
	],
	default: 'perChange',
	description: 'Whether each change is an item, or all changes of the run are in one',
};

/** What there is of a run beside its changes. */
export interface OfRun {
	/** What is said of it as a whole. */
	warnings: readonly string[];
	/** What takes it back. */
	undo?: IDataObject;
}

/** Tells whether a run is to return one item, which has its undo, too. */
export function returnsOne({ options }: Pick<OperationContext, 'options'>): boolean {
	return options.return === 'perRun' || Number(options.undoHours) > 0;
}

/**
 * Makes one item of all that a run has come to. What failed is in it, and is an item of its own besides where the node has
 * an error output. What the summary says of the run as a whole is not said on every change again.
 * @param items one per change, with the same keys
 * @param title what the run is called
 */
export function recordOf(
	items: readonly INodeExecutionData[],
	title: string,
	{ warnings, undo }: OfRun,
	inputs: readonly unknown[],
): INodeExecutionData[] {
	const said = new Set(warnings.slice(0, MOST_WARNINGS));
	const changes = items.map((item) => withoutSaid(fieldsOf(item), said));
	const told = changes as unknown as ChangeOfRun[];
	const json = {
		at: new Date().toISOString(),
		...summarizeRun(title, told, [...said]),
		...{ changes, undo: undo ?? null },
	};
	const pairedItem = inputs.map((_, item) => ({ item }));
	return [{ json, pairedItem }, ...items.filter(isRouted)];
}

function withoutSaid(item: IDataObject, said: ReadonlySet<string>): IDataObject {
	const { warnings } = item;
	if (!Array.isArray(warnings)) return item;
	const left = (warnings as string[]).filter((warning) => !said.has(warning));
	return { ...item, warnings: left.length > 0 ? left : null };
}

import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type IPairedItemData,
	type JsonObject,
} from 'n8n-workflow';

import { asSentence, InputError, isObject, messageOf } from '../util';
import { RequestError } from '../http';
import { isFailure, STATUS_WORDS, type Failure, type Outcome, type Applied } from './plan';

/** How many reasons, and how many items or outcomes, an error lists. */
const MOST_LISTED = 20;

/** How many lines an error has at most: an error workflow sends them on. */
const MOST_LINES = 100;

/** How many of the outcomes that have one reason it names. */
const MOST_OF_A_REASON = 3;

/** How many of them its message names. */
const MOST_IN_MESSAGE = 3;

/** What happened to one input item. */
export interface ItemReport {
	item: number;
	/** What goes out when nothing failed; more than one entry when the item stands for a list. */
	json: IDataObject[];
	/** What failed; the item goes to the error output with it. */
	error?: unknown;
	outcomes: Outcome[];
	/** Items that the output is paired to, when it belongs to all of them. */
	pairedTo?: readonly number[];
}

/**
 * Makes the error that n8n shows for an item: RequestError as NodeApiError, everything else as NodeOperationError, both with
 * what happened as message, what to do as description, and the item.
 */
export function toNodeError(
	node: INode,
	error: unknown,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	if (error instanceof RequestError) {
		const { message, description, status } = error;
		const shown = { message, description };
		return worded(
			new NodeApiError(node, shown as JsonObject, {
				message,
				description,
				...(status !== undefined && { httpCode: String(status) }),
				itemIndex,
			}),
			message,
		);
	}
	const message = messageOf(error);
	const description = error instanceof InputError ? error.description : undefined;
	return worded(new NodeOperationError(node, message, { description, itemIndex }), message);
}

/** Makes the error of a list search: the editor shows the description of a NodeApiError alone. */
export function toListError(node: INode, error: unknown): NodeApiError {
	const shown = toNodeError(node, error);
	if (shown instanceof NodeApiError) return shown;
	const { message } = shown;
	const description = shown.description ?? undefined;
	return worded(new NodeApiError(node, { message }, { message, description }), message);
}

/** n8n replaces messages in which it sees a code such as EPERM, and finds one in "keperman@example.com". */
function worded<E extends Error>(error: E, message: string): E {
	error.message = message;
	return error;
}

/** Reports an item that failed before anything of it was known. @param blank the fields of every item of the operation */
export function failureOfItem(item: number, error: unknown, blank?: IDataObject): ItemReport {
	const reason = messageOf(error);
	const told = { status: 'failed', reason, text: asSentence(reason) };
	return { item, json: blank === undefined ? [] : [{ ...blank, ...told }], outcomes: [], error };
}

/**
 * Makes one error of all that failed of an item; undefined when nothing did.
 * @param acceptsHidden whether what the service cannot show counts as no failure
 */
export function errorOf(parts: ReadonlyArray<Applied<unknown>>, acceptsHidden = false): unknown {
	const failed = parts
		.map(({ outcome }) => outcome)
		.filter(isFailure)
		.filter(({ hidden, error }) => !(acceptsHidden && hidden === true && error === undefined));
	if (failed.length === 0) return undefined;
	// What only waited for another step says less than the failure of that one.
	const cause = failed.find(({ error }) => error !== undefined) ?? failed[0];
	const first = errorOfOutcome(cause);
	if (parts.length === 1) return first;
	const { message, description } = first;
	const others = parts.filter(({ outcome }) => outcome !== cause);
	const listing = listed(
		others.map(({ outcome: { action, status, reason } }) => ({ name: action, status, reason })),
		sentence,
	);
	const whole = `${failed.length} of ${parts.length} failed: ${message}${doneToo(parts)}`;
	const advice = `${description} Also: ${listing}.`;
	return first instanceof RequestError
		? new RequestError(whole, advice, first.facts)
		: new InputError(whole, advice);
}

/** The error output of n8n keeps the message alone, so it also lists what was done. */
function doneToo(parts: ReadonlyArray<Applied<unknown>>): string {
	const done = parts.filter(({ outcome }) => outcome.status === 'done');
	const named = done.slice(0, MOST_IN_MESSAGE).map(({ outcome }) => outcome.action);
	const rest = done.length - named.length;
	return done.length === 0
		? ''
		: `. Done: ${named.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}

/** Makes the error of an outcome: what failed, in words, and what to do. */
export function errorOfOutcome({
	action,
	error,
	reason,
	status,
}: Failure): RequestError | InputError {
	if (status === 'failed') {
		if (error instanceof RequestError || error instanceof InputError) return error;
		return new InputError(`Could not ${action}: ${reason}`, 'Run again to complete.');
	}
	const advice =
		'The request was sent. Check the service, or run again: completed changes are not repeated.';
	const message = `Could not confirm: ${action}: ${reason}`;
	return error instanceof RequestError
		? new RequestError(
				message.includes(error.message) ? message : `${message} (${error.message})`,
				`${error.description} ${advice}`,
				error.facts,
			)
		: new InputError(message, advice);
}

/** What only failed items have: no other one gets it as null. */
const OF_FAILURES: ReadonlySet<string> = new Set(['error', 'advice']);

/**
 * Gives every item the keys of all, in one order: what only others have is null. `error` stays with the items that failed:
 * n8n takes it for a failure.
 */
export function withSameKeys(items: INodeExecutionData[]): INodeExecutionData[] {
	if (items.length < 2) return items;
	const blank: IDataObject = {};
	for (const item of items) {
		for (const key in fieldsOf(item)) if (!OF_FAILURES.has(key)) blank[key] = null;
	}
	return items.map((item) => {
		const fields = { ...blank, ...fieldsOf(item) };
		return { ...item, json: isRouted(item) ? { ...item.json, message: fields } : fields };
	});
}

/** Whether an item goes to the error output, so that its fields are in `message`. */
export function isRouted({ json }: INodeExecutionData): boolean {
	return 'error' in json && isObject(json.message) && Object.keys(json).length === 2;
}

/** Returns the fields of an item, whichever output it goes to. */
export function fieldsOf(item: INodeExecutionData): IDataObject {
	return isRouted(item) ? (item.json.message as IDataObject) : item.json;
}

/**
 * Turns what happened to the items into output items, in the order of the input. An item that failed says so.
 * @throws NodeApiError or NodeOperationError when something failed and the node does not continue on fail; the
 * description has a line per change, because a throw drops the output
 */
export function report(
	node: INode,
	continueOnFail: boolean,
	reports: readonly ItemReport[],
): INodeExecutionData[] {
	const failed = reports.filter(({ error }) => error !== undefined);
	if (failed.length > 0 && !continueOnFail) throw stopping(node, failed, reports);
	// One list for all who share it: a list of all items for each of many people would fill the memory.
	const pairings = new Map<readonly number[], IPairedItemData[]>();
	const pairing = (items: readonly number[]) => {
		const made = pairings.get(items) ?? items.map((item) => ({ item }));
		pairings.set(items, made);
		return made;
	};
	const hasErrorOutput = node.onError === 'continueErrorOutput';
	return reports.flatMap(({ item, json, error, pairedTo }): INodeExecutionData[] => {
		const pairedItem = pairedTo === undefined ? { item } : pairing(pairedTo);
		if (error === undefined) return json.map((entry) => ({ json: entry, pairedItem }));
		const shown = toNodeError(node, error, item);
		const fields = json[0] ?? {};
		const told = hasErrorOutput ? routed(shown, fields) : { ...fields, error: shown.message };
		return [{ json: told, pairedItem }];
	});
}

/** The one form of a failed item that n8n routes to the error output, and does not cut down to the message of the error. */
function routed(error: NodeApiError | NodeOperationError, fields: IDataObject): IDataObject {
	const { message, description } = error;
	const known = 'status' in fields ? fields : { status: 'failed', reason: message, ...fields };
	return { error: message, message: { ...known, ...(description && { advice: description }) } };
}

function stopping(
	node: INode,
	failed: readonly ItemReport[],
	reports: readonly ItemReport[],
): NodeApiError | NodeOperationError {
	const first = toNodeError(node, failed[0].error, failed[0].item);
	if (reports.length === 1) return first;
	const description = [first.description, ...linesOf(reports)].filter(Boolean).join('\n');
	const isOnePerItem = new Set(reports.map(({ item }) => item)).size === reports.length;
	const message =
		failed.length === 1
			? first.message
			: `${failed.length} of ${reports.length} ${isOnePerItem ? 'items' : 'changes'} failed: ${first.message}`;
	const options = { message, description, itemIndex: failed[0].item };
	return worded(
		first instanceof NodeApiError
			? new NodeApiError(
					node,
					{ message, description },
					{ ...options, ...(first.httpCode !== null && { httpCode: first.httpCode }) },
				)
			: new NodeOperationError(node, message, options),
		message,
	);
}

/** From what has to be looked at to what was so before. */
const MOST_URGENT = ['failed', 'unverified', 'done', 'skipped', 'unchanged'] as const;

/** A line for each change, and one for all items that failed as a whole for one reason. */
function linesOf(reports: readonly ItemReport[]): string[] {
	const whole = reports.filter(
		({ outcomes, error }) => outcomes.length === 0 && error !== undefined,
	);
	const failures = perReason(
		whole.map(({ item, error }) => ({ name: `${item}`, reason: messageOf(error) })),
	).map((entries) => `Failed: ${itemsOf(entries)}`);
	const changes = reports.flatMap(({ item, outcomes, error, json }) =>
		outcomes.length > 0 || error !== undefined || json.length === 0
			? outcomes
			: [{ status: 'done' as const, action: `read for item ${item}`, reason: undefined }],
	);
	const lines = [
		...failures,
		...MOST_URGENT.flatMap((status) =>
			changes
				.filter((change) => change.status === status)
				.map(
					({ action, reason }) =>
						`${asTitle(STATUS_WORDS[status])}: ${action}${reason ? ` (${reason})` : ''}`,
				),
		),
	];
	const rest = lines.length - MOST_LINES;
	const all = rest > 0 ? [...lines.slice(0, MOST_LINES), `and ${rest} more`] : lines;
	// The editor shows them as one paragraph.
	return all.map((line) => `${line}.`);
}

const asTitle = (words: string) => `${words[0].toUpperCase()}${words.slice(1)}`;

/** Something that a list names, and why. */
interface Entry {
	name: string;
	status?: Outcome['status'];
	reason?: string;
}

/** Entries of one status and reason. */
interface SameReason extends Omit<Entry, 'name'> {
	names: string[];
}

/** Names what happened, each reason once. @param line one reason with all that it is about, in words */
function listed(entries: readonly Entry[], line: (entries: SameReason) => string): string {
	const all = perReason(entries);
	const lines = all.slice(0, MOST_LISTED).map(line);
	const rest = all.slice(MOST_LISTED).flatMap(({ names }) => names).length;
	return `${lines.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}

/** Entries of one status and reason together. */
function perReason(entries: readonly Entry[]): SameReason[] {
	const groups = new Map<string, SameReason>();
	for (const [index, { name, status, reason }] of entries.entries()) {
		const key = reason === undefined ? `${index}` : `${status}\n${reason}`;
		const group = groups.get(key) ?? { names: [], status, reason };
		groups.set(key, group);
		group.names.push(name);
	}
	return [...groups.values()];
}

/** Items by their numbers; several changes of one item are counted. */
function itemsOf({ names, reason }: SameReason): string {
	const items = [...new Set(names)];
	const times = names.length > items.length ? `, ${names.length} times` : '';
	return `${items.length === 1 ? 'item' : 'items'} ${some(items, MOST_LISTED)} (${reason}${times})`;
}

function sentence({ names, status, reason }: SameReason): string {
	const why = reason === undefined ? '' : ` (${reason})`;
	return `${some(names, MOST_OF_A_REASON)}: ${status && STATUS_WORDS[status]}${why}`;
}

function some(names: readonly string[], most: number): string {
	const rest = names.length - most;
	const more = rest > 0 ? `, and ${rest} more for the same reason` : '';
	return `${names.slice(0, most).join(', ')}${more}`;
}

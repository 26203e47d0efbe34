import type { Traits } from '../scim';
import {
	gained,
	isOfValue,
	isValue,
	lost,
	type Change,
	type Entitlement,
	type EntitlementChange,
} from './change';
import { orderOf, type Forerunner } from './order';

/** What one request does of a change. */
export interface Entry {
	change: Change;
	/** Equal for what goes in the same request. */
	target: string;
	/** Of a membership or a value, what is given or taken. */
	entitlement?: Entitlement;
	gives?: boolean;
	/** Takes what a move leaves behind, once what it gives was seen. */
	isSecondStage?: boolean;
}

/** What leaves together. */
export interface Request {
	id: string;
	entries: Entry[];
}

export interface Schedule {
	/** In the order in which they leave. */
	requests: Request[];
	order: ReadonlyMap<Change, readonly Forerunner[]>;
}

/**
 * The requests that make the changes, each believed to do what it asks for: one per user and per group of its own, the values
 * of one user and the memberships of one group together, so many as one request may carry. The order is one of requests: what
 * could leave at once waits for what goes in the same request later.
 */
export function scheduleOf(changes: readonly Change[], traits: Traits): Schedule {
	const order = orderOf(changes, traits);
	const requests: Request[] = [];
	const numbers = new Map<string, number>();
	/** Moves of which the first stage has left. */
	const moving = new Set<Change>();
	const isBehind = (change: Change) =>
		order.get(change)?.some(({ change: first }) => isOfGroup(first)) === true;
	const now = (change: Change) => entriesOf(change, moving.has(change), isBehind);
	const isMove = (change: Change) => !moving.has(change) && hasTwoStages(change, traits);
	for (let open = changes; open.length > 0;) {
		const isOpen = order.size === 0 ? undefined : new Set(open);
		const isOver = ({ change }: Forerunner) => !isOpen?.has(change) || moving.has(change);
		const ready = open.filter((change) => order.get(change)?.every(isOver) ?? true);
		const isReady = ready.length === open.length ? undefined : new Set(ready);
		const later = new Set<string>();
		for (const change of open) {
			if (isReady?.has(change) === false) for (const { target } of now(change)) later.add(target);
			if (!isMove(change)) continue;
			for (const { target } of entriesOf(change, true, isBehind)) later.add(target);
		}
		const isFree = (change: Change) => now(change).every(({ target }) => !later.has(target));
		const free = later.size === 0 ? ready : ready.filter(isFree);
		// An order that cannot be kept is given up; what needs what was not made is then left out.
		const sent = [free, ready, open].find((some) => some.length > 0) ?? [];
		requests.push(...requestsOf(sent.flatMap(now), traits, numbers));
		const left = new Set(sent.filter(isMove));
		const gone = new Set(sent);
		for (const change of sent) moving.delete(change);
		for (const change of left) moving.add(change);
		open = open.filter((change) => !gone.has(change) || left.has(change));
	}
	return { requests, order };
}

function isOfGroup(change: Change): change is EntitlementChange {
	return change.about === 'entitlement' && !isOfValue(change);
}

/** Where an add does not move, a move is an add and a removal. */
function hasTwoStages(change: Change, { addMovesWithinOrganization }: Traits): boolean {
	if (addMovesWithinOrganization || !isOfGroup(change)) return false;
	return change.before.length > 0 && gained(change).length > 0 && lost(change).length > 0;
}

/**
 * What is sent of a change first, or, once that was seen, then. Of a group, removals that wait for memberships go in requests
 * of their own.
 */
function entriesOf(
	change: Change,
	isSecondStage: boolean,
	isBehind: (change: Change) => boolean,
): Entry[] {
	if (change.about !== 'entitlement') return [{ change, target: change.key }];
	const given = isSecondStage ? [] : gained(change);
	const gives = given.length > 0;
	return (gives ? given : lost(change)).map((entitlement) => {
		if (isValue(entitlement))
			return { change, target: `values\n${change.person.key}`, entitlement, gives };
		const isLater = !gives && (isSecondStage || isBehind(change));
		const target = isLater ? `${entitlement.key}\n` : entitlement.key;
		const entry = { change, target, entitlement, gives };
		return isSecondStage ? { ...entry, isSecondStage } : entry;
	});
}

/** Accounts and values first; of a group who gets in before who gets out. @param numbers of requests so far, by what they are about */
function requestsOf(
	entries: readonly Entry[],
	{ membersPerRequest }: Traits,
	numbers: Map<string, number>,
): Request[] {
	const targets = new Map<string, Entry[]>();
	for (const entry of entries) {
		const same = targets.get(entry.target);
		if (same === undefined) targets.set(entry.target, [entry]);
		else same.push(entry);
	}
	const [others, ofGroups]: [Request[], Request[]] = [[], []];
	for (const [target, own] of targets) {
		const [{ change, entitlement }] = own;
		const isMembers = isOfGroup(change) && entitlement !== undefined && !isValue(entitlement);
		const name = isMembers ? `members\n${entitlement.groupId}` : target;
		const all = isMembers
			? [...own.filter(({ gives }) => gives), ...own.filter(({ gives }) => !gives)]
			: own;
		const most = isMembers ? membersPerRequest : all.length;
		for (let at = 0; at < all.length; at += most) {
			const number = (numbers.get(name) ?? 0) + 1;
			numbers.set(name, number);
			const id = isMembers || number > 1 ? `${name}\n${number}` : name;
			(isMembers ? ofGroups : others).push({ id, entries: all.slice(at, at + most) });
		}
	}
	return [...others, ...ofGroups];
}

import {
	roundsOf,
	type Entry as EntryOf,
	type Forerunner,
	type Order,
	type Plan,
	type Request as RequestOf,
	type Step,
} from '../../run';
import type { Traits } from '../../scim';
import { addTo, cachedPerObject } from '../../util';
import {
	gained,
	isOfValue,
	isValue,
	lost,
	type Change,
	type Entitlement,
	type EntitlementChange,
	orderOf,
	type ProvisioningResult,
} from '../changes';
import type { Membership } from '../facts';

/** What one request does of a change. */
export interface Entry extends EntryOf<Change> {
	/** Of a membership or a value, what is given or taken. */
	entitlement?: Entitlement;
	gives?: boolean;
	/** Gives what a move leads to; what it leaves behind is taken by another request. */
	isFirstStage?: boolean;
}

/** What leaves together. */
export type Request = RequestOf<Entry>;

/** One request of a plan. */
export type ProvisioningStep = Step & { entries: readonly Entry[] };

/** What will be done, decided before anything is sent, and what was decided already. */
export type ProvisioningPlan = Plan<ProvisioningStep, ProvisioningResult>;

export interface Schedule {
	/** In the order in which they leave. */
	rounds: Request[][];
	order: Order<Change>;
}

/** Groups whose members are sent as a whole list; the organization of each, where an add to one moves people out of others. */
export interface WholeLists {
	isWhole(groupKey: string): boolean;
	organizationOf(groupKey: string): string | undefined;
}

/**
 * Makes the requests that make the changes: one per user and per group of its own, the values of one user and the
 * memberships of one group together, so many as one request may carry.
 */
export function scheduleOf(
	changes: readonly Change[],
	traits: Traits,
	lists?: WholeLists,
): Schedule {
	const all = orderOf(changes, traits);
	const order = lists ? withinLists(all, lists) : all;
	const numbers = new Map<string, number>();
	const hasGroups = cachedPerObject((list: ReadonlyArray<Forerunner<Change>>) =>
		list.some(({ change }) => isOfGroup(change)),
	);
	const isBehind = (change: Change) => order.get(change)?.some(hasGroups) === true;
	const stagesOf = (change: Change, isSecondStage: boolean) =>
		entriesOf(change, isSecondStage, isBehind, traits);
	const isMove = (change: Change) => hasTwoStages(change, traits);
	const sizes = lists && sizesOf(changes, stagesOf, isMove);
	const rounds = roundsOf<Change, Entry>(changes, order, {
		entriesOf: stagesOf,
		hasTwoStages: isMove,
		requestsFor: (entries) =>
			requestsOf(
				entries,
				traits,
				numbers,
				(key, count) =>
					// A list drops those it does not name: one that is not all there is of the group is no list.
					lists?.isWhole(key) === true && sizes?.get(key) === count,
			),
	});
	if (lists === undefined) return { rounds, order };
	const split = splitLists(rounds, lists);
	// What goes in several requests after all keeps its order.
	if (split.size > 0)
		return scheduleOf(changes, traits, {
			...lists,
			isWhole: (key) => lists.isWhole(key) && !split.has(key),
		});
	return { rounds: inTurns(rounds, lists), order };
}

/** Finds groups whose changes do not fit into one list, since a part of them has to wait. */
function splitLists(
	rounds: ReadonlyArray<readonly Request[]>,
	{ isWhole }: WholeLists,
): ReadonlySet<string> {
	const keys = rounds
		.flat()
		.flatMap((request) => (request.isWhole === true ? [] : (groupOf(request)?.key ?? [])));
	return new Set(keys.filter(isWhole));
}

/** Drops the order within one list, which needs none. */
function withinLists(order: Order<Change>, { isWhole }: WholeLists): Order<Change> {
	const listOf = (change: Change) => {
		const keys = isOfGroup(change) ? [...change.after, ...change.before].map(({ key }) => key) : [];
		return keys.find(isWhole);
	};
	const left = [...order].map(([change, all]) => {
		const list = listOf(change);
		const others = all.map((first) =>
			first.filter((one) => list === undefined || listOf(one.change) !== list),
		);
		return [change, others.filter(({ length }) => length > 0)] as const;
	});
	return new Map(left.filter(([, all]) => all.length > 0));
}

/** Counts how many entries each group has. */
function sizesOf(
	changes: readonly Change[],
	entries: (change: Change, isSecondStage: boolean) => Entry[],
	isMove: (change: Change) => boolean,
): Map<string, number> {
	const sizes = new Map<string, number>();
	for (const change of changes) {
		for (const { entitlement } of [
			...entries(change, false),
			...(isMove(change) ? entries(change, true) : []),
		]) {
			const key = entitlement?.key ?? '';
			sizes.set(key, (sizes.get(key) ?? 0) + 1);
		}
	}
	return sizes;
}

/** Lists of one organization go one after the other: each move is either in the group or out of it by then. */
function inTurns(rounds: Request[][], { organizationOf }: WholeLists): Request[][] {
	return rounds.flatMap((round) => {
		const turns: Request[][] = [];
		const before = new Map<string | undefined, Request[]>();
		const sorted = [...round].sort((one, other) => Number(one.isWhole) - Number(other.isWhole));
		for (const request of sorted) {
			const organization = organizationOf(groupOf(request)?.key ?? '');
			const others = before.get(organization) ?? [];
			const waits = request.isWhole === true ? others : [];
			const turnOf = (one: Request) => turns.findIndex((some) => some.includes(one));
			const turn = waits.length === 0 ? 0 : Math.max(...waits.map(turnOf)) + 1;
			const own = { ...request, after: [...request.after, ...waits.map(({ id }) => id)] };
			(turns[turn] ??= []).push(own);
			if (organization !== undefined) before.set(organization, [...others, own]);
		}
		return turns;
	});
}

/** Returns the group whose members a request changes. */
export function groupOf({ entries }: Pick<Request, 'entries'>): Membership | undefined {
	const [{ entitlement }] = entries;
	return entitlement === undefined || isValue(entitlement) ? undefined : entitlement;
}

function isOfGroup(change: Change): change is EntitlementChange {
	return change.about === 'entitlement' && !isOfValue(change);
}

/** Tells whether a change is an add and then a removal: a move, where an add does not move. */
function hasTwoStages(change: Change, { addMovesWithinOrganization }: Traits): boolean {
	if (addMovesWithinOrganization || !isOfGroup(change)) return false;
	return gained(change).length > 0 && lost(change).length > 0;
}

/**
 * Returns what is sent of a change first, or, once that was seen, then. Of a group, removals that wait for memberships go
 * in requests of their own.
 */
function entriesOf(
	change: Change,
	isSecondStage: boolean,
	isBehind: (change: Change) => boolean,
	traits: Traits,
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
		if (isSecondStage) return { ...entry, isSecondStage };
		return gives && hasTwoStages(change, traits) ? { ...entry, isFirstStage: true } : entry;
	});
}

type Batch = Omit<Request, 'after'>;

/** Accounts and values first; of a group who gets in before who gets out. @param numbers of requests so far, by what they are about */
function requestsOf(
	entries: readonly Entry[],
	{ membersPerRequest }: Traits,
	numbers: Map<string, number>,
	isList: (groupKey: string, entries: number) => boolean,
): Batch[] {
	const targets = new Map<string, Entry[]>();
	for (const entry of entries) addTo(targets, entry.target, entry);
	const [others, ofGroups]: [Batch[], Batch[]] = [[], []];
	for (const [target, own] of targets) {
		const group = groupOf({ entries: own });
		const name = group ? `members\n${group.groupId}` : target;
		const all = group
			? [...own.filter(({ gives }) => gives), ...own.filter(({ gives }) => !gives)]
			: own;
		const isWhole = group !== undefined && isList(group.key, all.length);
		const most = group && !isWhole ? membersPerRequest : all.length;
		for (let at = 0; at < all.length; at += most) {
			const number = (numbers.get(name) ?? 0) + 1;
			numbers.set(name, number);
			const id = group || number > 1 ? `${name}\n${number}` : name;
			const request: Batch = { id, entries: all.slice(at, at + most), isWhole };
			(group ? ofGroups : others).push(request);
		}
	}
	return [...others, ...ofGroups];
}

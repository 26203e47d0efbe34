import { addTo, cachedPerObject } from '../util';
import type { ChangeBase } from './plan';

/** What a change waits for. `must`: it has to have succeeded; otherwise it only comes first, whatever happens to it. */
export interface Forerunner<C> {
	change: C;
	must: boolean;
}

/** What each change waits for, in lists that thousands of changes may share; those that wait for nothing are left out. */
export type Order<C> = ReadonlyMap<C, ReadonlyArray<ReadonlyArray<Forerunner<C>>>>;

/** What one request does of a change. */
export interface Entry<C> {
	change: C;
	/** Equal for what goes in the same request. */
	target: string;
	/** What a change does once its first stage was seen, such as taking what a move leaves behind. */
	isSecondStage?: boolean;
}

/** What leaves together. */
export interface Request<E> {
	id: string;
	entries: readonly E[];
	/** Ids of the requests that come first. */
	after: readonly string[];
	/** Whether all that its target holds is sent, and not what changes. */
	isWhole?: boolean;
}

/** How the changes of a service are written. */
interface Writing<C, E extends Entry<C>> {
	entriesOf(change: C, isSecondStage: boolean): readonly E[];
	hasTwoStages(change: C): boolean;
	/** The requests for what leaves at the same time, in their order. */
	requestsFor(entries: readonly E[]): ReadonlyArray<Omit<Request<E>, 'after'>>;
}

/**
 * Schedules the requests that make the changes, round by round, each believed to do what it asks for. The order is one of
 * requests: what could leave at once waits for what goes in the same request later.
 */
export function roundsOf<C, E extends Entry<C>>(
	changes: readonly C[],
	order: Order<C>,
	{ entriesOf, hasTwoStages, requestsFor }: Writing<C, E>,
): Array<Array<Request<E>>> {
	// Most plans are one round, of thousands of changes.
	if (order.size === 0 && !changes.some(hasTwoStages)) {
		const entries = changes.flatMap((change) => entriesOf(change, false));
		const requests = requestsFor(entries).map((request) => ({ ...request, after: [] }));
		return requests.length === 0 ? [] : [requests];
	}
	const rounds: Array<Array<Request<E>>> = [];
	const waiting = new Waiting(changes, order);
	const sentIn = new Map<C, string[]>();
	/** By target, how many that are to go there have yet to wait. */
	const later = new Map<string, number>();
	const count = (change: C, isSecondStage: boolean, by: 1 | -1) => {
		for (const { target } of entriesOf(change, isSecondStage))
			later.set(target, (later.get(target) ?? 0) + by);
	};
	const [first, second] = [new Set<C>(), new Set<C>()];
	const indexOf = new Map(changes.map((change, index) => [change, index]));
	const inOrder = (some: Iterable<C>, isSecondStage: boolean) =>
		[...some].map((change) => ({
			change,
			index: indexOf.get(change) ?? 0,
			entries: entriesOf(change, isSecondStage),
		}));
	for (const change of changes) {
		if (waiting.isFree(change)) first.add(change);
		else count(change, false, 1);
		if (hasTwoStages(change)) count(change, true, 1);
	}
	const isAlone = ({ target }: E) => (later.get(target) ?? 0) <= 0;
	const idsOf = (change: C, most?: number) => (sentIn.get(change) ?? []).slice(0, most);
	/** Thousands may wait for the same. */
	const idsAfter = cachedPerObject((list: ReadonlyArray<Forerunner<C>>) =>
		list.flatMap(({ change, must }) => idsOf(change, must ? 1 : undefined)),
	);
	const afterOf = (entries: readonly E[]): readonly string[] => {
		const lists = new Set<ReadonlyArray<Forerunner<C>>>();
		const own: string[] = [];
		for (const { change, isSecondStage } of entries) {
			if (isSecondStage === true) own.push(...idsOf(change, 1));
			else for (const list of order.get(change) ?? []) lists.add(list);
		}
		const [one, ...others] = [...lists].map(idsAfter);
		if (one !== undefined && others.length + own.length === 0) return one;
		return [...new Set([...own, ...(one ?? []), ...others.flat()])];
	};
	for (;;) {
		const stages = [...inOrder(first, false), ...inOrder(second, true)].sort(
			(one, other) => one.index - other.index,
		);
		const free = stages.filter(({ entries }) => entries.every(isAlone));
		// An order that cannot be kept is given up; what needs what was not made is then left out.
		const sent = [free, stages].find((some) => some.length > 0) ?? inOrder(waiting.left(), false);
		if (sent.length === 0) return rounds;
		const requests = requestsFor(sent.flatMap(({ entries }) => entries));
		rounds.push(requests.map((request) => ({ ...request, after: afterOf(request.entries) })));
		for (const { id, entries } of requests) {
			for (const { change } of entries) addTo(sentIn, change, id);
		}
		for (const { change } of sent) {
			if (second.delete(change)) continue;
			if (!first.delete(change)) count(change, false, -1);
			if (hasTwoStages(change)) {
				second.add(change);
				count(change, true, -1);
			}
			for (const next of waiting.over(change)) {
				first.add(next);
				count(next, false, -1);
			}
		}
	}
}

/** Which changes wait for which: each list of forerunners is counted down once, for all that share it. */
class Waiting<C> {
	private readonly lists = new Map<ReadonlyArray<Forerunner<C>>, { open: number; waits: C[] }>();

	private readonly listsOf = new Map<C, Array<{ open: number; waits: C[] }>>();

	/** By change, how many lists it still waits for. */
	private readonly open = new Map<C, number>();

	constructor(changes: readonly C[], order: Order<C>) {
		const all = new Set(changes);
		for (const change of changes) {
			const own = (order.get(change) ?? []).map((list) => this.listOf(list, all));
			const open = own.filter((list) => list.open > 0);
			if (open.length === 0) continue;
			this.open.set(change, open.length);
			for (const list of open) list.waits.push(change);
		}
	}

	isFree(change: C): boolean {
		return !this.open.has(change);
	}

	/** Those that have been waiting to the end. */
	left(): C[] {
		return [...this.open.keys()];
	}

	/** @returns what waits for nothing any more, once a change is over */
	over(change: C): C[] {
		this.open.delete(change);
		const free: C[] = [];
		for (const list of this.listsOf.get(change) ?? []) {
			list.open -= 1;
			for (const one of list.open === 0 ? list.waits : []) {
				const open = (this.open.get(one) ?? 0) - 1;
				if (open === 0) free.push(one);
				if (open > 0) this.open.set(one, open);
				else this.open.delete(one);
			}
		}
		return free;
	}

	private listOf(list: ReadonlyArray<Forerunner<C>>, all: ReadonlySet<C>) {
		const known = this.lists.get(list);
		if (known !== undefined) return known;
		const distinct = new Set(list.map(({ change }) => change).filter((one) => all.has(one)));
		const made = { open: distinct.size, waits: [] };
		this.lists.set(list, made);
		for (const one of distinct) addTo(this.listsOf, one, made);
		return made;
	}
}

/** What comes first of the changes of one owner, by their kinds. */
export interface Rule<C, K> {
	first: readonly K[];
	then: readonly K[];
	/** Whether the first has to have succeeded. */
	must: boolean | ((first: C) => boolean);
	/** Of which later changes it holds; missing: of all. */
	of?(then: C): boolean;
}

/**
 * Orders changes by the rules of their owner, and by the changes that they rest on. Changes that wait for nothing are left
 * out, changes that wait for the same share one list.
 * @param ownerOf whose changes the rules compare; undefined for a change that they are not about
 */
export function orderBy<C extends Pick<ChangeBase<{ on: string }>, 'key' | 'restsOn'>, K>(
	changes: readonly C[],
	rules: ReadonlyArray<Rule<C, K>>,
	kindOf: (change: C) => K,
	ownerOf: (change: C) => string | undefined,
): Order<C> {
	const order = new Map<C, Array<ReadonlyArray<Forerunner<C>>>>();
	const byOwner = new Map<string, C[]>();
	for (const change of changes) {
		const owner = ownerOf(change);
		if (owner !== undefined) addTo(byOwner, owner, change);
	}
	for (const own of byOwner.values()) {
		if (own.length < 2) continue;
		const byKind = new Map<K, C[]>();
		for (const change of own) addTo(byKind, kindOf(change), change);
		const meant = rules.filter(({ first }) => first.some((kind) => byKind.has(kind)));
		if (!meant.some(({ then }) => then.some((kind) => byKind.has(kind)))) continue;
		const lists = new Map<string, ReadonlyArray<Forerunner<C>>>();
		for (const change of own) {
			const held = meant.filter(
				({ then, of }) => then.includes(kindOf(change)) && of?.(change) !== false,
			);
			const same = held.map((rule) => meant.indexOf(rule)).join();
			const first = lists.get(same) ?? held.flatMap((rule) => firstOf(rule, byKind));
			lists.set(same, first);
			if (first.length > 0) order.set(change, [first]);
		}
	}
	if (!changes.some(({ restsOn }) => restsOn.some(({ on }) => on === 'change'))) return order;
	const byKey = new Map(changes.map((change) => [change.key, change]));
	for (const change of changes) {
		const first = change.restsOn.flatMap((rest): Array<Forerunner<C>> => {
			const other = 'key' in rest ? byKey.get(rest.key) : undefined;
			return other === undefined ? [] : [{ change: other, must: true }];
		});
		if (first.length > 0) order.set(change, [...(order.get(change) ?? []), first]);
	}
	return order;
}

function firstOf<C, K>(
	{ first, must }: Rule<C, K>,
	byKind: ReadonlyMap<K, readonly C[]>,
): Array<Forerunner<C>> {
	return first
		.flatMap((kind) => byKind.get(kind) ?? [])
		.map((change) => ({ change, must: typeof must === 'boolean' ? must : must(change) }));
}

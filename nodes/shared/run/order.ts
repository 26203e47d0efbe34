import { addTo } from '../util';
import type { ChangeBase } from './change';
import type { Forerunner, Order } from './schedule';

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
 * What each change waits for: by the rules of its owner, and the changes that it rests on. Those that wait for nothing are
 * left out, those that wait for the same share one list.
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
		const lists = new Map<string, ReadonlyArray<Forerunner<C>>>();
		for (const change of own) {
			const held = rules.filter(
				({ then, of }) => then.includes(kindOf(change)) && of?.(change) !== false,
			);
			const same = held.map((rule) => rules.indexOf(rule)).join();
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

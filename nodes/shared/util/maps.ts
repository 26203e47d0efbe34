/** Puts an entry at the end of the list that a map has under a key; a list of one is replaced, so nobody may hold on to it. */
export function addTo<K, V>(lists: Map<K, V[]>, key: K, entry: V): void {
	const list = lists.get(key);
	if (list === undefined) lists.set(key, [entry]);
	// Many lists have two: V8 makes room for 17 when a second one is pushed.
	else if (list.length === 1) lists.set(key, [list[0], entry]);
	else list.push(entry);
}

/** Caches the result per text. */
export function memoized<T>(work: (text: string) => T): (text: string) => T {
	const known = new Map<string, T>();
	return (text) => {
		const before = known.get(text);
		if (before !== undefined) return before;
		const value = work(text);
		known.set(text, value);
		return value;
	};
}

/** Caches the result per object, as long as the object lives. */
export function cachedPerObject<K extends object, T>(make: (of: K) => T): (of: K) => T {
	const known = new WeakMap<K, { made: T }>();
	return (of) => {
		const before = known.get(of);
		if (before !== undefined) return before.made;
		const made = make(of);
		known.set(of, { made });
		return made;
	};
}

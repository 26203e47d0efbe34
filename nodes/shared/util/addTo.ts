/** Puts an entry at the end of the list that a map has under a key. */
export function addTo<K, V>(lists: Map<K, V[]>, key: K, entry: V): void {
	const list = lists.get(key);
	if (list === undefined) lists.set(key, [entry]);
	else list.push(entry);
}

/** The same function, asked once for each text. */
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

/** The names, each another: the ID stands behind those that are not the only ones. */
export function toldApart(all: ReadonlyArray<{ id: string; name: string }>): string[] {
	const times = new Map<string, number>();
	for (const { name } of all) times.set(name, (times.get(name) ?? 0) + 1);
	const used = new Set<string>();
	return all.map(({ id, name }) => {
		let label = (times.get(name) ?? 0) > 1 ? `${name} (${id})` : name;
		while (used.has(label)) label = `${label} (${id})`;
		used.add(label);
		return label;
	});
}

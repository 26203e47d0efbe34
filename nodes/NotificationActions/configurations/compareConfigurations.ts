import { isDeepEqual, isObject } from '../../shared/util';

/** What makes one list of monitors or analyzers out of another, by id. */
export interface ListDifference {
	added: string[];
	changed: string[];
	removed: string[];
}

export interface Difference {
	monitors: ListDifference;
	analyzers: ListDifference;
	/** Other keys of the document whose values differ. */
	otherKeys: string[];
}

type Document = Readonly<Record<string, unknown>>;

/** Written by the service, whatever is sent (test/contract/interface.md 2.5). */
const METADATA = 'metadata';
/** The two lists that a write of the document replaces (test/contract/interface.md 2.5), and metadata. */
const NOT_OTHER = new Set(['analyzers', 'monitors', METADATA]);

/** Lists what makes the document `after` out of `before`. `metadata` counts nowhere. */
export function compareConfigurations(before: Document, after: Document): Difference {
	return {
		monitors: compareLists(before.monitors, after.monitors),
		analyzers: compareLists(before.analyzers, after.analyzers),
		otherKeys: Object.keys({ ...before, ...after }).filter(
			(key) => !NOT_OTHER.has(key) && !isDeepEqual(before[key], after[key]),
		),
	};
}

/** Tells whether nothing differs. */
export function isSame(difference: Difference): boolean {
	return isSameLists(difference) && difference.otherKeys.length === 0;
}

/** Tells whether the two lists that the service is sure to take are the same. */
export function isSameLists({ monitors, analyzers }: Difference): boolean {
	return [monitors, analyzers].every(
		({ added, changed, removed }) => added.length + changed.length + removed.length === 0,
	);
}

function compareLists(before: unknown, after: unknown): ListDifference {
	const [old, now] = [byName(before), byName(after)];
	return {
		added: [...now.keys()].filter((id) => !old.has(id)),
		changed: [...now].flatMap(([id, entry]) =>
			old.has(id) && !isSameEntry(old.get(id), entry) ? [id] : [],
		),
		removed: [...old.keys()].filter((id) => !now.has(id)),
	};
}

function byId(list: unknown): Map<string, Document> {
	const entries: unknown[] = Array.isArray(list) ? list : [];
	return new Map(
		entries.flatMap((entry) =>
			isObject(entry) && typeof entry.id === 'string' ? [[entry.id, entry] as const] : [],
		),
	);
}

/** All entries: by id, and by their place where they have no id of their own, so that none is overlooked. */
function byName(list: unknown): Map<string, unknown> {
	const named = new Map<string, unknown>(byId(list));
	const seen = new Set<unknown>(named.values());
	(Array.isArray(list) ? (list as unknown[]) : []).forEach((entry, at) => {
		if (!seen.has(entry)) named.set(`entry ${at + 1} (no ID of its own)`, entry);
	});
	return named;
}

function isSameEntry(one: unknown, other: unknown): boolean {
	return isDeepEqual(withoutMetadata(one), withoutMetadata(other));
}

function withoutMetadata(entry: unknown): unknown {
	if (!isObject(entry)) return entry;
	return Object.fromEntries(Object.entries(entry).filter(([name]) => name !== METADATA));
}

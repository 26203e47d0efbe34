import { isDeepEqual, isObject } from '../../shared/util';
import type { PatchOperation } from './editActions';

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
	/** RFC 6902; without `metadata`, which the service writes itself. */
	patch: PatchOperation[];
}

type Document = Readonly<Record<string, unknown>>;

/** The lists that a write of the document replaces (docs/interface.md 2.5). */
const LISTS = ['analyzers', 'monitors'] as const;
/** Written by the service, whatever is sent (docs/interface.md 2.5). */
const METADATA = 'metadata';

/** What makes the document `after` out of `before`. `metadata` counts nowhere. */
export function compareConfigurations(before: Document, after: Document): Difference {
	const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
		(key) => key !== METADATA,
	);
	return {
		monitors: compareLists(before.monitors, after.monitors),
		analyzers: compareLists(before.analyzers, after.analyzers),
		otherKeys: keys.filter((key) => !isList(key) && !isDeepEqual(before[key], after[key])),
		patch: keys.flatMap((key) => patchOf(key, before, after)),
	};
}

/** Whether nothing differs. */
export function isSame({ monitors, analyzers, otherKeys }: Difference): boolean {
	return isSameLists({ monitors, analyzers }) && otherKeys.length === 0;
}

/** Whether the two lists that the service is sure to take are the same. */
export function isSameLists({
	monitors,
	analyzers,
}: Pick<Difference, 'monitors' | 'analyzers'>): boolean {
	return [monitors, analyzers].every(
		({ added, changed, removed }) => added.length + changed.length + removed.length === 0,
	);
}

function isList(key: string): key is (typeof LISTS)[number] {
	return LISTS.some((name) => name === key);
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

function patchOf(key: string, before: Document, after: Document): PatchOperation[] {
	const path = `/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`;
	if (!Object.hasOwn(after, key)) return [{ op: 'remove', path }];
	if (!Object.hasOwn(before, key)) return [{ op: 'add', path, value: after[key] }];
	const [old, now] = [before[key], after[key]];
	const inOrder = isList(key) ? patchOfList(path, old, now) : undefined;
	if (inOrder !== undefined) return inOrder;
	return isDeepEqual(old, now) ? [] : [{ op: 'replace', path, value: now }];
}

/** Undefined where entries have no ids of their own, or were put into another order. */
function patchOfList(path: string, before: unknown, after: unknown): PatchOperation[] | undefined {
	if (!Array.isArray(before) || !Array.isArray(after)) return undefined;
	const [old, now] = [byId(before), byId(after)];
	if (old.size !== before.length || now.size !== after.length) return undefined;
	const kept = [...now.keys()].filter((id) => old.has(id));
	if (
		!isDeepEqual(
			kept,
			[...old.keys()].filter((id) => now.has(id)),
		)
	)
		return undefined;
	// From the back, so that the places of the others still hold.
	const removed = [...old.keys()]
		.flatMap((id, at): PatchOperation[] =>
			now.has(id) ? [] : [{ op: 'remove', path: `${path}/${at}` }],
		)
		.reverse();
	const put = [...now].flatMap(([id, value], at): PatchOperation[] => {
		if (!old.has(id)) return [{ op: 'add', path: `${path}/${at}`, value }];
		return isSameEntry(old.get(id), value) ? [] : [{ op: 'replace', path: `${path}/${at}`, value }];
	});
	return [...removed, ...put];
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

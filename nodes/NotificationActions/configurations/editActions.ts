import { InputError } from '../../shared/util';
import type { ActionEntry, Configuration, Monitor } from './configuration';
import type { TextEdit } from './jsonText';

/** docs/interface.md 2.5. */
export const MOST_ACTIONS_PER_MONITOR = 100;

/** What is wanted of the actions of a monitor. Targets are ids of actions, each once. */
export type ActionChange =
	| { kind: 'attach'; targets: readonly string[] }
	| { kind: 'detach'; targets: readonly string[] }
	| { kind: 'set'; targets: readonly string[] }
	| { kind: 'replace'; from: string; to: string };

/** An operation of JSON Patch (RFC 6902). */
export interface PatchOperation {
	op: 'add' | 'remove' | 'replace';
	path: string;
	value?: unknown;
}

/** What has to be done to one monitor; without edits it is as wanted already. */
export interface MonitorEdit {
	edits: TextEdit[];
	/** The same as JSON Patch for the whole document. */
	patch: PatchOperation[];
	attached: string[];
	detached: string[];
}

/** One entry of `actions` as it is to be: an entry that is there, perhaps with another target, or a new one. */
type Wanted = { entry: ActionEntry; target?: string } | { target: string };

/**
 * What makes the actions of a monitor as all changes want them, one after the other: order, entries of other types and
 * every sign outside of what is added and removed stay. A target is never there twice because of us.
 * @throws InputError when `actions` is no list, or would have more than 100 entries
 */
export function editMonitor(
	{ text }: Pick<Configuration, 'text'>,
	monitor: Monitor,
	changes: readonly ActionChange[],
): MonitorEdit {
	if (monitor.hasStrangeActions) {
		throw new InputError(
			`The actions of monitor ${monitor.id} are no list`,
			'Mend the monitor in the service first.',
		);
	}
	const entries = monitor.actions ?? [];
	const wanted = changes.reduce<Wanted[]>(
		changed,
		entries.map((entry) => ({ entry })),
	);
	if (wanted.length > MOST_ACTIONS_PER_MONITOR && wanted.length > entries.length) {
		throw new InputError(
			`Monitor ${monitor.id} would have ${wanted.length} actions`,
			`A monitor has at most ${MOST_ACTIONS_PER_MONITOR} actions. Detach some first.`,
		);
	}
	const before = targetSet(entries.map((entry) => ({ entry })));
	const after = targetSet(wanted);
	return {
		edits: editsOf(text, monitor, entries, wanted),
		patch: patchOf(monitor, entries, wanted),
		attached: [...after].filter((target) => !before.has(target)),
		detached: [...before].filter((target) => !after.has(target)),
	};
}

function changed(entries: Wanted[], change: ActionChange): Wanted[] {
	const present = targetSet(entries);
	switch (change.kind) {
		case 'attach':
			return [...entries, ...missing(change.targets, present)];
		case 'detach':
			return entries.filter((entry) => !change.targets.includes(targetOf(entry) ?? ''));
		case 'set': {
			const seen = new Set<string>();
			const kept = entries.filter((entry) => {
				const target = targetOf(entry);
				if (target === undefined) return true;
				if (seen.has(target) || !change.targets.includes(target)) return false;
				seen.add(target);
				return true;
			});
			return [...kept, ...missing(change.targets, seen)];
		}
		case 'replace': {
			const { from, to } = change;
			let isThere = present.has(to);
			return entries.flatMap((entry) => {
				if (targetOf(entry) !== from) return [entry];
				if (isThere) return [];
				isThere = true;
				return [{ ...entry, target: to }];
			});
		}
	}
}

function missing(targets: readonly string[], present: ReadonlySet<string>): Wanted[] {
	return targets.filter((target) => !present.has(target)).map((target) => ({ target }));
}

function targetOf(wanted: Wanted): string | undefined {
	return wanted.target ?? ('entry' in wanted ? wanted.entry.target : undefined);
}

function targetSet(entries: readonly Wanted[]): Set<string> {
	return new Set(entries.flatMap((entry) => targetOf(entry) ?? []));
}

const newEntry = (target: string) => ({ type: 'global', target });

/** The edits in the text: targets replaced where they stand, runs of entries removed, new ones behind the last. */
function editsOf(
	text: string,
	monitor: Monitor,
	entries: readonly ActionEntry[],
	wanted: readonly Wanted[],
): TextEdit[] {
	const kept = keptOf(entries, wanted);
	const fresh = wanted.flatMap((entry) => ('entry' in entry ? [] : [entry.target]));
	const texts = fresh.map((target) => JSON.stringify(newEntry(target)));
	const edits: TextEdit[] = [];
	entries.forEach((entry, index) => {
		const target = kept.get(entry);
		if (typeof target === 'string' && entry.targetSpan !== undefined) {
			edits.push({ ...entry.targetSpan, text: JSON.stringify(target) });
		}
		// Behind the last one that stays, removals and additions are one edit.
		if (kept.has(entry) || index > lastKept(entries, kept)) return;
		edits.push({ start: entry.start, end: entries[index + 1].start, text: '' });
	});
	if (monitor.actions === undefined) {
		if (texts.length === 0) return edits;
		const list = `[${texts.join(',')}]`;
		if (monitor.actionsSpan !== undefined) return [{ ...monitor.actionsSpan, text: list }];
		const at = monitor.lastMemberEnd;
		return [{ start: at, end: at, text: `,${monitor.indent}"actions":${list}` }];
	}
	const last = lastKept(entries, kept);
	const open = (monitor.actionsSpan?.start ?? 0) + 1;
	// New entries are set apart like those that are there.
	const blanks = entries.length > 0 ? text.slice(open, entries[0].start) : '';
	const start = last >= 0 ? entries[last].end : (entries[0]?.start ?? open);
	const end = entries.length > 0 ? entries[entries.length - 1].end : open;
	const separator = `,${blanks}`;
	const added = `${last >= 0 && texts.length > 0 ? separator : ''}${texts.join(separator)}`;
	if (start !== end || added !== '') edits.push({ start, end, text: added });
	return edits;
}

/** Entries that stay, each with its new target where it gets one. */
function keptOf(
	entries: readonly ActionEntry[],
	wanted: readonly Wanted[],
): Map<ActionEntry, string | true> {
	const kept = new Map(
		wanted.flatMap((entry) =>
			'entry' in entry ? [[entry.entry, entry.target ?? (true as const)] as const] : [],
		),
	);
	return new Map(
		entries.flatMap((entry) => (kept.has(entry) ? [[entry, kept.get(entry) ?? true]] : [])),
	);
}

function lastKept(
	entries: readonly ActionEntry[],
	kept: ReadonlyMap<ActionEntry, unknown>,
): number {
	return entries.reduce((last, entry, index) => (kept.has(entry) ? index : last), -1);
}

function patchOf(
	{ index, actions }: Monitor,
	entries: readonly ActionEntry[],
	wanted: readonly Wanted[],
): PatchOperation[] {
	const path = `/monitors/${index}/actions`;
	const kept = keptOf(entries, wanted);
	const fresh = wanted.flatMap((entry) => ('entry' in entry ? [] : [newEntry(entry.target)]));
	if (actions === undefined) {
		return fresh.length === 0 ? [] : [{ op: 'add', path, value: fresh }];
	}
	const replaced = entries.flatMap((entry, at): PatchOperation[] => {
		const target = kept.get(entry);
		return typeof target === 'string'
			? [{ op: 'replace', path: `${path}/${at}/target`, value: target }]
			: [];
	});
	// From the back, so that the places of the others still hold.
	const removed = entries
		.flatMap((entry, at): PatchOperation[] =>
			kept.has(entry) ? [] : [{ op: 'remove', path: `${path}/${at}` }],
		)
		.reverse();
	return [
		...replaced,
		...removed,
		...fresh.map((value): PatchOperation => ({ op: 'add', path: `${path}/-`, value })),
	];
}

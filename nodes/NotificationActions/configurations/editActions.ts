import { InputError, isDeepEqual } from '../../shared/util';
import type { ActionEntry, Configuration, Monitor } from './configuration';
import type { TextEdit } from './jsonText';

/** test/contract/interface.md 2.5. */
export const MOST_ACTIONS_PER_MONITOR = 100;

/**
 * The target that stands for the address in the organization's settings (test/contract/interface.md 1.6). Where the list shows an
 * action of that name, it is one like any other (2.4).
 */
export const DEFAULT_EMAIL_TARGET = 'email';

/** What is wanted of the actions of a monitor. Targets are ids of actions, each once. */
export type ActionEdit =
	| { kind: 'attach'; targets: readonly string[] }
	| { kind: 'detach'; targets: readonly string[] }
	| { kind: 'set'; targets: readonly string[] }
	| { kind: 'replace'; from: string; to: string };

/** What has to be done to one monitor; without edits it is as requested already. */
export interface MonitorEdit {
	edits: TextEdit[];
	attached: string[];
	detached: string[];
}

/** One entry of `actions` as it is to be: an entry that is there, perhaps with another target, or a new one. */
type NextEntry = { entry: ActionEntry; target?: string } | { target: string };

/**
 * Makes the edits in the actions of a monitor: order, entries of other types and every character outside of what is added
 * and removed stay. No target is added twice.
 * @throws InputError when `actions` is not a list, would have more than 100 entries, or the edits exclude each other
 */
export function editMonitor(
	{ text }: Pick<Configuration, 'text'>,
	monitor: Monitor,
	edits: readonly ActionEdit[],
): MonitorEdit {
	if (monitor.hasStrangeActions) {
		throw new InputError(
			`The actions of monitor ${monitor.id} are not a list`,
			'Correct the monitor in the service first.',
		);
	}
	const entries = monitor.actions ?? [];
	// What is detached may be replaced as well, whichever item comes first.
	const order = ({ kind }: ActionEdit) => (kind === 'replace' ? 0 : 1);
	const wanted = [...edits]
		.sort((one, other) => order(one) - order(other))
		.reduce<NextEntry[]>(
			entriesAfter,
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
	const isMade = (edit: ActionEdit) =>
		isDeepEqual(entriesAfter(wanted, edit), wanted) &&
		(edit.kind !== 'replace' || !before.has(edit.from) || after.has(edit.to));
	if (!edits.every(isMade)) {
		throw new InputError(
			`Items want different actions on monitor ${monitor.id}`,
			'Set the actions of the monitor in one item only.',
		);
	}
	return {
		edits: editsOf(text, monitor, entries, wanted),
		attached: [...after].filter((target) => !before.has(target)),
		detached: [...before].filter((target) => !after.has(target)),
	};
}

function entriesAfter(entries: NextEntry[], edit: ActionEdit): NextEntry[] {
	const present = targetSet(entries);
	switch (edit.kind) {
		case 'attach':
			return [...entries, ...missing(edit.targets, present)];
		case 'detach':
			return entries.filter((entry) => {
				const target = targetOf(entry);
				return target === undefined || !edit.targets.includes(target);
			});
		case 'set': {
			const seen = new Set<string>();
			const kept = entries.filter((entry) => {
				const target = targetOf(entry);
				if (target === undefined) return true;
				if (seen.has(target) || !edit.targets.includes(target)) return false;
				seen.add(target);
				return true;
			});
			return [...kept, ...missing(edit.targets, seen)];
		}
		case 'replace': {
			const { from, to } = edit;
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

function missing(targets: readonly string[], present: ReadonlySet<string>): NextEntry[] {
	return targets.filter((target) => !present.has(target)).map((target) => ({ target }));
}

function targetOf(wanted: NextEntry): string | undefined {
	return wanted.target ?? ('entry' in wanted ? wanted.entry.target : undefined);
}

function targetSet(entries: readonly NextEntry[]): Set<string> {
	return new Set(entries.flatMap((entry) => targetOf(entry) ?? []));
}

/** The edits in the text: targets replaced where they stand, runs of entries removed, new ones behind the last. */
function editsOf(
	text: string,
	monitor: Monitor,
	entries: readonly ActionEntry[],
	wanted: readonly NextEntry[],
): TextEdit[] {
	const kept = keptOf(wanted);
	const last = lastKept(entries, kept);
	const fresh = wanted.flatMap((entry) => ('entry' in entry ? [] : [entry.target]));
	const texts = fresh.map((target) => JSON.stringify({ type: 'global', target }));
	const edits: TextEdit[] = [];
	entries.forEach((entry, index) => {
		const target = kept.get(entry);
		if (typeof target === 'string' && entry.targetSpan !== undefined) {
			edits.push({ ...entry.targetSpan, text: JSON.stringify(target) });
		}
		// Behind the last one that stays, removals and additions are one edit.
		if (kept.has(entry) || index > last) return;
		edits.push({ start: entry.start, end: entries[index + 1].start, text: '' });
	});
	if (monitor.actions === undefined) {
		if (texts.length === 0) return edits;
		const list = `[${texts.join(',')}]`;
		if (monitor.actionsSpan !== undefined) return [{ ...monitor.actionsSpan, text: list }];
		const at = monitor.lastMemberEnd;
		return [{ start: at, end: at, text: `,${monitor.indent}"actions":${list}` }];
	}
	const open = (monitor.actionsSpan?.start ?? 0) + 1;
	// New entries are set apart like those that are there.
	const space = entries.length > 0 ? text.slice(open, entries[0].start) : '';
	const start = last >= 0 ? entries[last].end : (entries[0]?.start ?? open);
	const end = entries.length > 0 ? entries[entries.length - 1].end : open;
	const separator = `,${space}`;
	const added = `${last >= 0 && texts.length > 0 ? separator : ''}${texts.join(separator)}`;
	if (start !== end || added !== '') edits.push({ start, end, text: added });
	return edits;
}

/** Entries that stay, each with its new target where it gets one. */
function keptOf(wanted: readonly NextEntry[]): Map<ActionEntry, string | true> {
	return new Map(
		wanted.flatMap((entry) =>
			'entry' in entry ? [[entry.entry, entry.target ?? (true as const)] as const] : [],
		),
	);
}

function lastKept(
	entries: readonly ActionEntry[],
	kept: ReadonlyMap<ActionEntry, unknown>,
): number {
	return entries.reduce((last, entry, index) => (kept.has(entry) ? index : last), -1);
}

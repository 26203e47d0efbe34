import { attempt } from '../../shared/util';
import { hasStatus, pauseBeforeRepeat, RequestError } from '../../shared/http';
import { type AlertingClient, isMissingRoute } from '../actions';
import type { Configuration, Monitor } from './configuration';
import { editText, type TextEdit } from './jsonText';

/** How a configuration is saved. */
export interface SaveSettings {
	/**
	 * `merge` sends the touched monitors alone, `whole` the whole document; `automatic` merges, and sends the whole
	 * document where the service does not offer merging.
	 */
	saveWith: 'automatic' | 'merge' | 'whole';
	/** How often at most a save is begun. */
	mostTries: number;
	/** Time between a write and the read that looks for it, in milliseconds. */
	settleMs: number;
	/** Longest time that one save waits for a busy service, all together, in milliseconds. */
	maxWaitMs: number;
}

/** A configuration, and when it was read. */
export interface ReadConfiguration {
	configuration: Configuration;
	/** In milliseconds, as `Date.now` gives it. */
	readAt: number;
}

/** What has to be changed in a configuration, whatever somebody else has made of it meanwhile. */
export interface Edited {
	/** The monitors to be changed, each with the edits inside of it; none: it is as wanted. */
	touched: Array<{ monitor: Monitor; edits: TextEdit[] }>;
}

export interface Saved {
	/** The configuration as it was seen last. */
	configuration: Configuration;
	/** Ids of monitors whose edit was not seen at the last look, or seen where others have vanished. */
	unseen: string[];
	/** What kept the rest from being written, or from being seen. */
	error?: unknown;
	/** Ids of monitors that were in a write which the service took, or may have taken. */
	written: ReadonlySet<string>;
	warnings: string[];
}

const FRESH_MS = 1_000;
const LONGEST_JITTER_MS = 400;

/** A document that was read longer ago is read again before it is written: the shorter, the less others can lose. */
export function isFresh({ readAt }: ReadConfiguration): boolean {
	return Date.now() - readAt <= FRESH_MS;
}

/** Saves configurations; remembers for all models whether the service merges. */
export function configurationSaver(
	client: AlertingClient,
	{ saveWith, mostTries, settleMs, maxWaitMs }: SaveSettings,
): (
	modelId: string,
	read: ReadConfiguration,
	edit: (now: Configuration) => Edited,
) => Promise<Saved> {
	let merges = saveWith !== 'whole';

	async function write(modelId: string, now: Configuration, touched: Edited['touched']) {
		const edits = touched.flatMap((one) => one.edits);
		const whole = async () => await client.putConfiguration(modelId, editText(now.text, edits));
		if (!merges && saveWith === 'merge') throw noMerge();
		if (!merges) return await whole();
		const merged = await attempt(
			async () => await client.mergeConfiguration(modelId, mergeBody(now, touched)),
		);
		if (merged.ok) return;
		// The model was read, so it is the route that is missing, unless the model has gone meanwhile.
		if (!isMissingRoute(merged.error)) throw merged.error;
		if (saveWith === 'merge') throw noMerge(merged.error);
		await whole();
		merges = false;
	}

	/**
	 * Edits, writes at once, reads back and compares our edits. What is missing then (another writer, or a write that was
	 * dropped with 200) is edited anew into what is there by now, up to `mostTries` times (docs/interface.md 2.5). Monitors
	 * that are too many for one merge go in several, one after the other (413, docs/interface.md 2.1). Never throws.
	 */
	return async (modelId, read, edit) => {
		const warnings = new Set<string>();
		const sent = new Set<string>();
		const tooLarge = new Map<string, unknown>();
		let waitedMs = 0;
		let mostPerMerge = Number.POSITIVE_INFINITY;
		let { configuration: current, readAt } = read;
		const end = (rest: Partial<Saved> = {}): Saved => {
			const [error] = tooLarge.values();
			return {
				configuration: current,
				unseen: [],
				written: sent,
				warnings: [...warnings],
				...(error !== undefined && { error }),
				...rest,
			};
		};
		let tries = 1;
		for (;;) {
			let isLast = tries >= mostTries;
			if (!isFresh({ configuration: current, readAt })) {
				const again = await attempt(async () => await client.readConfiguration(modelId));
				if (!again.ok) return end({ error: again.error });
				[current, readAt] = [again.value, Date.now()];
			}
			// Those that were in no write yet come first: whoever undoes the others must not keep them waiting.
			const open = edit(current).touched.filter(({ monitor }) => !tooLarge.has(monitor.id));
			const isSent = ({ monitor }: (typeof open)[number]) => sent.has(monitor.id);
			const touched = [...open.filter((one) => !isSent(one)), ...open.filter(isSent)].slice(
				0,
				mostPerMerge,
			);
			if (touched.length === 0) return end();
			const ids = idsOf(touched);
			const isOnward = ids.some((id) => !sent.has(id));
			const written = await attempt(async () => await write(modelId, current, touched));
			const merged = merges;
			if (!written.ok && isTooLargeToMerge(written.error)) {
				if (ids.length > 1) mostPerMerge = Math.ceil(ids.length / 2);
				else tooLarge.set(ids[0], written.error);
				continue;
			}
			if (written.ok || isUncertain(written.error)) for (const id of ids) sent.add(id);
			if (!written.ok) {
				const pause = pauseAfter(written.error, tries, waitedMs);
				if (pause === undefined && !isUncertain(written.error))
					return end({ error: written.error });
				// What may have worked is looked for, also when it is not sent again.
				isLast ||= pause === undefined;
				await client.patience.wait(pause ?? 0);
				waitedMs += pause ?? 0;
			} else if (settleMs > 0) await client.patience.wait(settleMs);
			const back = await attempt(async () => await client.readConfiguration(modelId));
			if (!back.ok) return end({ unseen: ids, error: written.ok ? back.error : written.error });
			const own = written.ok || isUncertain(written.error) ? 1 : 0;
			for (const warning of foreignWrites(current, back.value, own, ids)) warnings.add(warning);
			const left = new Set(idsOf(edit(back.value).touched).filter((id) => !tooLarge.has(id)));
			const there = new Set(back.value.monitors.map(({ id }) => id));
			const isSeen = ids.every((id) => there.has(id) && !left.has(id));
			// What is seen was written by us, without an answer too. What is not (dropped with 200) has taken nothing away.
			const isOurs = isSeen && (written.ok || isUncertain(written.error));
			const lost = isOurs ? lostByUs(current, back.value, merged) : [];
			[current, readAt] = [back.value, Date.now()];
			if (lost.length > 0) {
				// No other model is to lose as much.
				merges = false;
				return end({ unseen: ids, error: lossOf(lost) });
			}
			if (left.size === 0) return end();
			if (client.patience.cancelled()) return end({ unseen: [...left] });
			if (isSeen && isOnward && [...left].some((id) => !sent.has(id))) {
				// On to those that had no room in this merge.
				tries = 1;
				continue;
			}
			if (isLast) return end({ unseen: [...left], ...(!written.ok && { error: written.error }) });
			await client.patience.wait(jitter());
			tries += 1;
		}
	};

	/** Undefined when the failure is no passing one, or would be waited for too long. */
	function pauseAfter(error: unknown, tries: number, waitedMs: number): number | undefined {
		if (!(error instanceof RequestError) || tries >= mostTries) return undefined;
		return pauseBeforeRepeat(error, tries - 1, waitedMs, maxWaitMs, Math.random());
	}
}

/** Writers that collide and try again at the same moment would collide for ever. */
export function jitter(): number {
	return Math.random() * LONGEST_JITTER_MS;
}

/** Whether a write that failed may have been stored all the same. */
export function isUncertain(error: unknown): boolean {
	return error instanceof RequestError && error.facts.mayHaveWorked;
}

function idsOf(touched: Edited['touched']): string[] {
	return touched.map(({ monitor }) => monitor.id);
}

/** Nothing of it was stored, and fewer monitors may have room. */
function isTooLargeToMerge(error: unknown): boolean {
	return hasStatus(error, 413) && error.facts.method === 'PATCH';
}

/** The touched monitors in full, edited; and the flag that would be deleted if it were left out (docs/interface.md 2.5). */
function mergeBody(
	{ text, allowPartialTargetBatches: flag }: Configuration,
	touched: Edited['touched'],
): string {
	const monitors = touched.map(({ monitor: { start, end }, edits }) =>
		editText(
			text.slice(start, end),
			edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start })),
		),
	);
	const kept = flag === undefined ? '' : `,"allowPartialTargetBatches":${flag}`;
	return `{"monitors":[${monitors.join(',')}]${kept}}`;
}

/** `version` goes up by one with each write: a jump by more means that somebody else wrote between our two reads. */
function foreignWrites(
	before: Configuration,
	after: Configuration,
	own: number,
	touched: readonly string[],
): string[] {
	const jumped = (from?: number, to?: number) =>
		from !== undefined && to !== undefined && to - from > own;
	const versions = new Map(after.monitors.map(({ id, version }) => [id, version]));
	const same = before.monitors.filter(
		({ id, version }) => touched.includes(id) && jumped(version, versions.get(id)),
	);
	return [
		...(jumped(before.version, after.version)
			? [
					'Somebody else wrote this configuration at the same time: look whether that change is still there',
				]
			: []),
		...same.map(
			({ id }) => `Monitor ${id} was written by somebody else at the same time: look at it`,
		),
	];
}

/**
 * Monitors and analyzers that were there before and are gone though nobody but us wrote. Without a version nobody knows
 * who wrote; after a merge it was most likely a service that does not merge.
 */
function lostByUs(before: Configuration, after: Configuration, merged: boolean): string[] {
	const onlyOurs =
		before.version === undefined || after.version === undefined
			? merged
			: after.version - before.version === 1;
	if (!onlyOurs) return [];
	const there = new Set([...after.monitors.map(({ id }) => id), ...after.analyzerIds]);
	return [...before.monitors.map(({ id }) => id), ...before.analyzerIds].filter(
		(id) => !there.has(id),
	);
}

function lossOf(lost: readonly string[]): RequestError {
	const named = lost.slice(0, 10).join(', ');
	return new RequestError(
		`The service has dropped ${lost.length} monitors and analyzers that were not sent to be changed: ${named}${lost.length > 10 ? ', …' : ''}`,
		'Put them back from the configuration before, and set Save With to Whole Document: this service does not merge.',
		{ kind: 'http', method: 'PATCH', mayHaveWorked: true },
	);
}

function noMerge(cause?: unknown): RequestError {
	const status = cause instanceof RequestError ? cause.status : undefined;
	return new RequestError(
		'This service does not offer to merge monitors into a configuration',
		'Set Save With to Automatic or Whole Document under Options.',
		{
			kind: 'http',
			method: 'PATCH',
			mayHaveWorked: false,
			...(status !== undefined && { status }),
		},
	);
}

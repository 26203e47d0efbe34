import {
	attempt,
	isObject,
	type Timing,
	shown,
	type Attempt,
	InputError,
	monotonicNow,
} from '../../shared/util';
import type { PlannedRequest } from '../../shared/run';
import { hasStatus, RequestError, type Send, type WaitBudget } from '../../shared/http';
import {
	readConfiguration,
	type Configuration,
	type JsonObject,
	compareConfigurations,
	isSame,
	isSameLists,
} from './configuration';

interface Model {
	id: string;
	name: string;
}

/** `PATCH` merges monitors by id into the document, `PUT` replaces the whole document. */
type WriteMethod = 'PATCH' | 'PUT';

/**
 * The requests on models and monitor configurations of one organization (test/contract/interface.md 2.5). Every method rejects
 * with a RequestError when the service does not answer with 2xx.
 */
export interface ConfigurationClient {
	readonly organizationId: string;
	readonly timing: Timing;
	readonly budget: WaitBudget;
	listModels(): Promise<Model[]>;
	readConfiguration(modelId: string): Promise<Configuration>;
	/** Sends it once: before it is sent again, the configuration has to be read and planned again. */
	writeConfiguration(method: WriteMethod, modelId: string, body: JsonObject): Promise<void>;
}

/** Makes the client of the configurations of models. @param send the only way out; its errors pass through */
export function createConfigurationClient(
	send: Send,
	organizationId: string,
	timing: Timing,
	budget: WaitBudget,
): ConfigurationClient {
	return {
		organizationId,
		timing,
		budget,

		async listModels() {
			const purpose = 'list the models';
			const path = ['v0', 'organizations', organizationId, 'models'];
			const tried = await attempt(
				async () => await send({ method: 'GET', path, repeat: 'always', purpose }),
			);
			if (!tried.ok) {
				throw isMissingRoute(tried.error) ? noModelList(tried.error) : tried.error;
			}
			const { body, status } = tried.value;
			const items = isObject(body) ? body.items : body;
			if (!Array.isArray(items)) throw unexpectedAnswer(purpose, 'items', status);
			return items.flatMap(readModel);
		},

		async readConfiguration(modelId) {
			const { text } = await send({
				...configurationRequest(organizationId, modelId, 'GET'),
				repeat: 'always',
				purpose: `read the monitor configuration of model ${shown(modelId)}`,
			});
			return readConfiguration(text, { model: modelId, organization: organizationId });
		},

		async writeConfiguration(method, modelId, body) {
			const what = method === 'PATCH' ? 'monitors' : 'the monitor configuration';
			await send({
				...configurationRequest(organizationId, modelId, method),
				body,
				repeat: 'never',
				purpose: `save ${what} of model ${shown(modelId)}`,
			});
		},
	};
}

/** Makes a request on the configuration of a model, as it is previewed and sent. */
export function configurationRequest(
	organizationId: string,
	modelId: string,
	method: 'GET' | WriteMethod,
): PlannedRequest {
	const path = ['v0', 'organizations', organizationId, 'models', modelId, 'monitor-config', 'v3'];
	return { method, path };
}

/** Tells whether an answer may mean that the service does not have a route beside the documented ones. */
export function isMissingRoute(error: unknown): boolean {
	return hasStatus(error, 404, 405, 501);
}

/** Makes the error of a 2xx answer that lacks something. @param what what a 2xx answer lacks */
export function unexpectedAnswer(purpose: string, what: string, status: number): RequestError {
	return new RequestError(
		`Could not ${purpose}: the service answered ${status} without ${what}`,
		'Check the Base URL in the credential.',
		{ kind: 'unreadable', method: 'GET', status, mayHaveWorked: false },
	);
}

function readModel(value: unknown): Model[] {
	if (!isObject(value) || typeof value.id !== 'string' || value.id === '') return [];
	return [{ id: value.id, name: typeof value.name === 'string' ? value.name : value.id }];
}

function noModelList(cause: unknown): RequestError {
	const status = cause instanceof RequestError ? cause.status : undefined;
	return new RequestError(
		'This service does not list its models',
		'Enter the IDs of the models instead.',
		{ kind: 'http', method: 'GET', mayHaveWorked: false, ...(status !== undefined && { status }) },
	);
}

/** How often at most a save is begun, retries after a conflicting write included. */
const MOST_TRIES = 5;

/** A configuration, and when it was read. */
export interface Snapshot {
	configuration: Configuration;
	/** In milliseconds, as `monotonicNow` gives it. */
	readAt: number;
}

/** Returns a read of a model, or an error where the service has shown the configuration of another one. */
export function ownOf(read: Attempt<Snapshot> | undefined): Attempt<Snapshot> | undefined {
	const foreign = read?.ok ? read.value.configuration.foreign : undefined;
	return foreign === undefined ? read : { ok: false, error: foreign };
}

/** A part of the document that is written and seen by itself: a monitor, or the document as a whole. */
export interface Piece {
	id: string;
	/** The value in the configuration that was read. */
	before: JsonObject;
	after: JsonObject;
}

/** What a change still has to do. */
interface Edit {
	pieces: Piece[];
	/** By id of the piece, why it cannot be as requested. */
	refused: ReadonlyMap<string, unknown>;
	/** Why no piece may be written any more. */
	conflict?: Error;
	warnings?: readonly string[];
}

/** Whether a change was sent; `maybe` when the answer was lost. */
type SendState = 'no' | 'maybe' | 'yes';

/** A change of a configuration, whatever another writer does meanwhile. */
export interface ConfigurationEdit {
	/** Whether everything that is not edited has to stay; only then the edits may be merged. */
	keepsRest: boolean;
	/** @returns what is left to do in what is there now; no pieces: it is as requested */
	edit(now: Configuration, isSent: SendState): Edit;
}

export interface SaveResult {
	/** The configuration as it was seen last. */
	configuration: Configuration;
	/** Ids of pieces that were not seen as requested at the last look. */
	open: ReadonlySet<string>;
	/** As in Edit. */
	refused: ReadonlyMap<string, unknown>;
	/** Ids of pieces that were in a write which the service took, or may have taken. */
	sent: ReadonlySet<string>;
	/** What kept the open pieces from being written, or from being seen. */
	error?: unknown;
	warnings: string[];
}

const FRESH_MS = 1_000;
const LONGEST_JITTER_MS = 400;

/**
 * Makes the one function that saves configurations: the touched monitors alone, and the whole document where the service
 * does not offer merging, which is remembered for all models.
 */
export function configurationSaver(
	client: ConfigurationClient,
): (modelId: string, read: Snapshot, change: ConfigurationEdit) => Promise<SaveResult> {
	let merges = true;

	async function write(
		modelId: string,
		now: Configuration,
		pieces: readonly Piece[],
		keepsRest: boolean,
	): Promise<void> {
		if (keepsRest && merges) {
			const merged = await attempt(
				async () => await client.writeConfiguration('PATCH', modelId, mergeBody(now, pieces)),
			);
			if (merged.ok) return;
			// The model was read, so it is the route that is missing, unless the model has gone meanwhile.
			if (!isMissingRoute(merged.error)) throw merged.error;
		}
		await client.writeConfiguration('PUT', modelId, wholeBody(now, pieces));
		if (keepsRest) merges = false;
	}

	/**
	 * Edits, writes at once, reads back and looks for the edits. What is missing then (another writer, or a write that was
	 * dropped with 200) is reapplied to what is there now, up to `MOST_TRIES` times (test/contract/interface.md 2.5). Monitors that
	 * are too many for one merge go in several, one after the other (413, test/contract/interface.md 2.1). Never throws.
	 */
	async function save(
		modelId: string,
		read: Snapshot,
		change: ConfigurationEdit,
	): Promise<SaveResult> {
		const warnings = new Set<string>();
		const sent = new Set<string>();
		const tooLarge = new Map<string, unknown>();
		let isSent: SendState = 'no';
		let tries = 1;
		let waitedMs = 0;
		let maxPieces = Number.POSITIVE_INFINITY;
		let { configuration: now, readAt } = read;
		const readAgain = async () => {
			const again = await client.readConfiguration(modelId);
			// Monitors of another model prove nothing, and are not to be written here.
			if (change.keepsRest && again.foreign !== undefined) throw again.foreign;
			return again;
		};
		const edit = () => {
			const left = change.edit(now, isSent);
			return { ...left, pieces: left.pieces.filter(({ id }) => !tooLarge.has(id)) };
		};
		const end = (
			error: unknown = [...tooLarge.values()][0],
			unseen: readonly string[] = [],
		): SaveResult => {
			const last = change.edit(now, isSent);
			return {
				configuration: now,
				open: new Set([...idsOf(last.pieces), ...unseen]),
				refused: last.refused,
				sent,
				error,
				warnings: [...warnings, ...(last.warnings ?? [])],
			};
		};
		for (;;) {
			if (monotonicNow() - readAt > FRESH_MS) {
				// The shorter the time between read and write, the less others can lose.
				const again = await attempt(readAgain);
				if (!again.ok) return end(again.error);
				[now, readAt] = [again.value, monotonicNow()];
			}
			const { pieces: open, conflict } = edit();
			if (conflict !== undefined || open.length === 0) return end(conflict);
			// Those that were in no write yet come first: a writer who undoes the others must not keep them waiting.
			const wasSent = ({ id }: Piece) => sent.has(id);
			const pieces = [...open.filter((piece) => !wasSent(piece)), ...open.filter(wasSent)].slice(
				0,
				maxPieces,
			);
			const ids = idsOf(pieces);
			const isOnward = !pieces.every(wasSent);
			const before = now;
			const written = await attempt(
				async () => await write(modelId, before, pieces, change.keepsRest),
			);
			const merged = merges;
			if (!written.ok && isTooLargeToMerge(written.error)) {
				if (ids.length > 1) maxPieces = Math.ceil(ids.length / 2);
				else tooLarge.set(ids[0], written.error);
				continue;
			}
			const mayBeStored = written.ok || isUncertain(written.error);
			if (mayBeStored) {
				for (const id of ids) sent.add(id);
				if (isSent !== 'yes') isSent = written.ok ? 'yes' : 'maybe';
			}
			let isLast = tries >= MOST_TRIES;
			if (!written.ok) {
				const pause = isLast ? undefined : pauseAfter(written.error, tries, waitedMs);
				if (pause === undefined && !mayBeStored) return end(written.error);
				// What may have worked is looked for, also when it is not sent again.
				isLast ||= pause === undefined;
				await client.timing.wait(pause ?? 0);
				waitedMs += pause ?? 0;
			}
			const back = await attempt(readAgain);
			if (!back.ok) return end(written.ok ? back.error : written.error, ids);
			[now, readAt] = [back.value, monotonicNow()];
			for (const warning of foreignWrites(before, now, mayBeStored ? 1 : 0, ids)) {
				warnings.add(warning);
			}
			const left = edit();
			const leftIds = idsOf(left.pieces);
			const isSeen = !ids.some((id) => leftIds.includes(id) || left.refused.has(id));
			// What is seen was written by us, without an answer too. What is not (dropped with 200) has taken nothing away.
			const lost = change.keepsRest && isSeen && mayBeStored ? lostByUs(before, now, merged) : [];
			if (lost.length > 0) {
				// No other model is to lose as much.
				merges = false;
				return end(lossOf(lost), ids);
			}
			if (left.conflict !== undefined || leftIds.length === 0) return end(left.conflict);
			const isStopped = client.timing.stopped() !== undefined;
			if (!isStopped && isSeen && isOnward && leftIds.some((id) => !sent.has(id))) {
				// On to those that had no room in this merge.
				tries = 1;
				continue;
			}
			if (isLast || isStopped) return end(written.ok ? undefined : written.error);
			// Writers that collide and try again at the same moment would collide forever.
			if (written.ok) await client.timing.wait(Math.random() * LONGEST_JITTER_MS);
			tries += 1;
		}
	}

	/** Undefined when waiting does not help, or would take too long. */
	function pauseAfter(error: unknown, tries: number, waitedMs: number): number | undefined {
		if (!(error instanceof RequestError)) return undefined;
		return client.budget.pauseAfter('PATCH', error, tries - 1, waitedMs);
	}

	return async (...given) => await client.budget.during('PATCH', async () => await save(...given));
}

/** Whether a write that failed may have been stored anyway. */
function isUncertain(error: unknown): boolean {
	return error instanceof RequestError && error.facts.mayHaveWorked;
}

function idsOf(pieces: readonly Piece[]): string[] {
	return pieces.map(({ id }) => id);
}

/** Nothing of it was stored, and fewer monitors may have room. */
function isTooLargeToMerge(error: unknown): boolean {
	return hasStatus(error, 413) && error.facts.method === 'PATCH';
}

/** The touched monitors in full, edited; and the flag that would be deleted if it were left out (test/contract/interface.md 2.5). */
function mergeBody({ document }: Configuration, pieces: readonly Piece[]): JsonObject {
	const { allowPartialTargetBatches: flag } = document;
	return {
		monitors: pieces.map(({ after }) => after),
		...(flag !== undefined && { allowPartialTargetBatches: flag }),
	};
}

/** The whole document, edited: what it is without would be deleted. */
function wholeBody({ document }: Configuration, pieces: readonly Piece[]): JsonObject {
	const edited = new Map<unknown, JsonObject>(pieces.map(({ before, after }) => [before, after]));
	const monitors = document.monitors as unknown[] | undefined;
	return (
		edited.get(document) ?? {
			...document,
			monitors: monitors?.map((monitor) => edited.get(monitor) ?? monitor),
		}
	);
}

/** `version` goes up by one with each write: a jump by more means another writer between our two reads. */
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
					'Someone else wrote this configuration at the same time: check whether that change is still there',
				]
			: []),
		...same.map(({ id }) => `Someone else wrote monitor ${shown(id)} at the same time: check it`),
	];
}

/**
 * Monitors and analyzers that were there before and are gone without another writer. Without a version it is unknown
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
	const named = lost.slice(0, 10).map(shown).join(', ');
	return new RequestError(
		`The service has dropped ${lost.length} monitors and analyzers that were not part of the change: ${named}${lost.length > 10 ? ', …' : ''}`,
		'Restore them from the previous configuration with Monitor Configuration: Update. This service takes a merge for the whole document.',
		{ kind: 'http', method: 'PATCH', mayHaveWorked: true },
	);
}

/**
 * Makes the change that puts a whole document in the place of the one that was read. It is sent again only while the old one
 * is still there: what another writer stores meanwhile is not overwritten.
 * @param wanted the document to be sent
 */
export function replaceDocument(
	modelId: string,
	read: Configuration,
	wanted: JsonObject,
): ConfigurationEdit {
	const before = read.document;
	const asked = compareConfigurations(before, wanted);
	return {
		keepsRest: false,
		edit(now, isSent): Edit {
			const { document } = now;
			const left = compareConfigurations(document, wanted);
			// Lists that were right before prove nothing: one of the other keys has to be there then.
			const isShown =
				!isSameLists(asked) || asked.otherKeys.some((key) => !left.otherKeys.includes(key));
			const ignored = `The service ignores what was changed in ${left.otherKeys.join(', ')}`;
			const refused = new Map<string, unknown>();
			if (isSameLists(left) && isShown) {
				const warnings = left.otherKeys.length > 0 ? [ignored] : [];
				return { pieces: [], refused, warnings };
			}
			if (isSameLists(left) && isSent === 'yes' && (now.version ?? 0) > (read.version ?? 0)) {
				const advice = 'Only monitors and analyzers can be changed this way.';
				return { pieces: [], refused: refused.set(modelId, new InputError(ignored, advice)) };
			}
			const pieces = [{ id: modelId, before: document, after: wanted }];
			const isOther =
				isSent === 'no' ? now.text !== read.text : !isSame(compareConfigurations(before, document));
			return { pieces, refused, ...(isOther && { conflict: changedSince(modelId) }) };
		},
	};
}

function changedSince(modelId: string): InputError {
	return new InputError(
		`Someone else has changed the configuration of model ${shown(modelId)} meanwhile`,
		'Get it again and make the change there.',
	);
}

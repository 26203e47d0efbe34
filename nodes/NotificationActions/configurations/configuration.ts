import { InputError, isObject, parseJson } from '../../shared/util';
import { lossesIn } from './roundTrip';

/** A value of a configuration, as JSON.parse gives it. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A monitor of a configuration (test/contract/interface.md 2.5). */
export interface Monitor {
	id: string;
	displayName?: string;
	disabled: boolean;
	severity?: number;
	tags: string[];
	/** Goes up by one with every write of the monitor; undefined when the service shows none. */
	version?: number;
	/** All of it. */
	raw: JsonObject;
}

/** A monitor configuration. */
export interface Configuration {
	/** The exact text of the service. */
	text: string;
	document: JsonObject;
	monitors: Monitor[];
	analyzerIds: string[];
	/** Goes up by one with every write of the document; undefined when the service shows none. */
	version?: number;
	/** Why it cannot be written without changing a value that nobody wants to change. */
	loss?: InputError;
	/** Why it is the configuration of another model. */
	foreign?: InputError;
}

/** Whose configuration is read or written. */
export interface Owner {
	model: string;
	organization: string;
}

/**
 * Reads a configuration.
 * @param owner whose it should be, where that is known
 * @throws InputError when the text is not a JSON object, or `monitors` or `analyzers` is there and is not a list
 */
export function readConfiguration(text: string, owner?: Owner): Configuration {
	const document = documentOf(text);
	if (document === undefined) {
		throw new InputError(
			'The monitor configuration is not a JSON object',
			'Check what the service answers for this model.',
		);
	}
	const [monitors, analyzers] = ['monitors', 'analyzers'].map((name): unknown[] => {
		const list = document[name] === undefined ? [] : document[name];
		if (Array.isArray(list)) return list;
		throw new InputError(
			`${name} in the monitor configuration is not a list`,
			'Check what the service answers for this model.',
		);
	});
	const version = versionOf(document);
	const [loss] = lossesIn(text);
	const foreign = owner && whyForeign(document, owner);
	return {
		text,
		document,
		monitors: monitors.flatMap((monitor) => readMonitor(monitor) ?? []),
		analyzerIds: analyzers.flatMap((analyzer) =>
			isObject(analyzer) && typeof analyzer.id === 'string' ? [analyzer.id] : [],
		),
		...(version !== undefined && { version }),
		...(loss !== undefined && { loss: loss.error }),
		...(foreign !== undefined && { foreign }),
	};
}

/** The document as an object; undefined for anything else. */
export function documentOf(text: string): Record<string, unknown> | undefined {
	const document = parseJson(text);
	return isObject(document) ? document : undefined;
}

/** Why a document is not for this model. One that does not name its model or organization may be for any. */
export function whyForeign(
	document: JsonObject,
	{ model, organization }: Owner,
): InputError | undefined {
	for (const [key, own] of [
		['datasetId', model],
		['orgId', organization],
	]) {
		const named = document[key];
		const told = typeof named === 'string' || typeof named === 'number' ? String(named).trim() : '';
		if (told === '' || told.toLowerCase() === own.toLowerCase()) continue;
		return new InputError(
			`The configuration is for another ${key === 'orgId' ? 'organization' : 'model'}: its ${key} is ${told.slice(0, 100)}, not ${own}`,
			`It is not written to model ${model}. If it is the right one, change its ${key} to ${own}, or remove ${key} from it.`,
		);
	}
	return undefined;
}

/** The name that people know a monitor by. */
export function nameOf({ displayName, id }: Monitor): string {
	return displayName ?? id;
}

/** Ids of the actions of a monitor, each once. */
export function targetsOf({ raw: { actions } }: Monitor): string[] {
	const entries: unknown[] = Array.isArray(actions) ? actions : [];
	return [...new Set(entries.flatMap((entry) => targetOf(entry) ?? []))];
}

/** Id of the action that an entry of `actions` names, for entries of type `global`; others are left alone. */
export function targetOf(entry: unknown): string | undefined {
	if (!isObject(entry) || entry.type !== 'global' || typeof entry.target !== 'string') {
		return undefined;
	}
	return entry.target;
}

/** @returns undefined when the document does not say a number */
export function versionOf({ metadata }: JsonObject): number | undefined {
	return isObject(metadata) && typeof metadata.version === 'number' ? metadata.version : undefined;
}

/** @returns undefined for anything else than an object with an id */
function readMonitor(raw: unknown): Monitor | undefined {
	if (!isObject(raw) || typeof raw.id !== 'string') return undefined;
	const { id, displayName, severity, tags } = raw;
	const version = versionOf(raw);
	return {
		id,
		...(typeof displayName === 'string' && displayName !== '' && { displayName }),
		disabled: raw.disabled === true,
		...(typeof severity === 'number' && { severity }),
		tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [],
		...(version !== undefined && { version }),
		raw,
	};
}

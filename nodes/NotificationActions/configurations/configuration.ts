import { InputError, isObject, parseJson, shown, isDeepEqual } from '../../shared/util';

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
interface Owner {
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

/** Returns the document of a text; undefined for a text that is no JSON object. */
export function documentOf(text: string): Record<string, unknown> | undefined {
	const document = parseJson(text);
	return isObject(document) ? document : undefined;
}

/** Tells why a document is not for this model. A document that does not name its model or organization may be for any. */
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
			`The configuration is for another ${key === 'orgId' ? 'organization' : 'model'}: its ${key} is ${shown(told)}, not ${own}`,
			`It is not written to model ${model}. If it is the right one, change its ${key} to ${own}, or remove ${key} from it.`,
		);
	}
	return undefined;
}

/** Returns the name that people know a monitor by. */
export function nameOf({ displayName, id }: Monitor): string {
	return displayName ?? id;
}

/** Lists the IDs of the actions of a monitor, each once. */
export function targetsOf({ raw: { actions } }: Monitor): string[] {
	const entries: unknown[] = Array.isArray(actions) ? actions : [];
	return [...new Set(entries.flatMap((entry) => targetOf(entry) ?? []))];
}

/** Returns the ID of the action that an entry of `actions` names, for entries of type `global`; others are left alone. */
export function targetOf(entry: unknown): string | undefined {
	if (!isObject(entry) || entry.type !== 'global' || typeof entry.target !== 'string') {
		return undefined;
	}
	return entry.target;
}

/** Reads the version of a document. @returns undefined when the document does not say a number */
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

/** What becomes another value, or is lost, where a JSON text is parsed and written again. */
interface Loss {
	/** Where it stands, such as `monitors[3].threshold`. */
	place: string;
	/** The number as the text has it, for a number. */
	literal?: string;
	error: InputError;
}

/** An object or a list that the scan is inside of. */
interface Container {
	/** The index in a list, the name in an object; undefined where a name comes next. */
	step: number | string | undefined;
	names: Set<string>;
}

/** Where a string, an object or a list begins or ends, where one of its parts ends, and numbers. */
const TOKEN = /["[\]{},]|-?\d[\d.eE+-]*/g;
const PARTS = /^(-?)(\d+)\.?(\d*)(?:e(.+))?$/i;
const PLAIN_NAME = /^[\w$-]+$/;
const MOST_SHOWN = 50;

/**
 * Finds the numbers and names that `JSON.parse` and `JSON.stringify` would not keep. It reads the text itself,
 * because a parsed number no longer shows what was written. The text has to be valid JSON.
 */
export function* lossesIn(text: string): Generator<Loss> {
	const token = new RegExp(TOKEN);
	const open: Container[] = [];
	const place = () => open.reduce((path, { step }) => placeIn(path, step), '');
	for (let found = token.exec(text); found !== null; found = token.exec(text)) {
		const [sign] = found;
		const inner = open.at(-1);
		switch (sign) {
			case '"':
				token.lastIndex = endOfString(text, found.index);
				if (inner === undefined || inner.step !== undefined) break;
				inner.step = JSON.parse(text.slice(found.index, token.lastIndex)) as string;
				if (inner.step === '__proto__' || inner.names.has(inner.step)) {
					yield lostName(inner.step, place());
				}
				inner.names.add(inner.step);
				break;
			case '{':
			case '[':
				open.push({ step: sign === '[' ? 0 : undefined, names: new Set() });
				break;
			case '}':
			case ']':
				open.pop();
				break;
			case ',':
				if (inner !== undefined) {
					inner.step = typeof inner.step === 'number' ? inner.step + 1 : undefined;
				}
				break;
			default:
				if (!isKept(sign)) yield lostNumber(sign, place());
		}
	}
}

/** Lists the numbers of a parsed document with their places. The document must not be deeper than `checkDepth` lets through. */
export function* numbersIn(value: unknown, place = ''): Generator<[string, bigint | number]> {
	if (typeof value === 'number' || typeof value === 'bigint') yield [place, value];
	if (typeof value !== 'object' || value === null) return;
	for (const [name, part] of Object.entries(value)) {
		yield* numbersIn(part, placeIn(place, Array.isArray(value) ? Number(name) : name));
	}
}

/** @param step undefined for a place before a name */
function placeIn(path: string, step: number | string | undefined): string {
	if (step === undefined) return path;
	if (typeof step === 'number') return `${path}[${step}]`;
	if (PLAIN_NAME.test(step)) return path === '' ? step : `${path}.${step}`;
	return `${path}[${JSON.stringify(step.slice(0, MOST_SHOWN))}]`;
}

/** Where the string that begins at `start` ends. */
function endOfString(text: string, start: number): number {
	let at = start + 1;
	while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
	return at + 1;
}

/** Whether a number has the same value after it was read and written, exactly. */
function isKept(literal: string): boolean {
	return (
		literal === String(Number(literal)) || decimalOf(literal) === decimalOf(String(Number(literal)))
	);
}

/** A number as its digits and a power of ten, the same for every way to write it: 1.0, 1 and 1e0. */
function decimalOf(literal: string): string {
	const [, sign, whole, fraction, power = '0'] = PARTS.exec(literal) ?? [];
	if (whole === undefined) return literal;
	const digits = `${whole}${fraction}`.replace(/^0+/, '');
	let end = digits.length;
	// A pattern for the zeros at the end would take a time that grows with the square of their number.
	while (digits[end - 1] === '0') end -= 1;
	if (end === 0) return '0';
	return `${sign}${digits.slice(0, end)}e${Number(power) - fraction.length + digits.length - end}`;
}

function lostNumber(literal: string, place: string): Loss {
	const error = new InputError(
		`The number ${shortened(literal)} at ${place} would be written as ${JSON.stringify(Number(literal))}, so the configuration is not written`,
		'n8n keeps whole numbers up to 2^53, and 17 digits of others. Write the number with fewer digits, or as text in quotes.',
	);
	return { place, literal, error };
}

function lostName(name: string, place: string): Loss {
	const key = shortened(name);
	if (name === '__proto__') {
		const error = new InputError(
			`The key ${key} at ${place} cannot be kept, so the configuration is not written`,
			'Remove it.',
		);
		return { place, error };
	}
	const error = new InputError(
		`The key ${key} at ${place} is there twice, so the configuration is not written`,
		'Only one of the two values would be kept. Remove the other.',
	);
	return { place, error };
}

function shortened(text: string): string {
	return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

/** What makes one list of monitors or analyzers out of another, by id. */
interface ListDifference {
	added: string[];
	changed: string[];
	removed: string[];
}

interface Difference {
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

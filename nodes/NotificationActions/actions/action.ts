import { DEEPEST, isDeepEqual, isObject } from '../../shared/util';
import { parseUrl } from '../../shared/http';

/** A notification action as the service lists it (test/contract/interface.md 1.6, 2.4). */
export interface Action {
	id: string;
	/** The kind as the service names it, e.g. `SLACK`. */
	type: string;
	payload: Payload;
	/** Undefined where the service does not say. */
	enabled?: boolean;
	/** The monitors that name the action; undefined where the service does not say, or in a way that is not known here. */
	references?: MonitorReference[];
	creationTime?: number;
	lastUpdate?: number;
}

export interface MonitorReference {
	model: string;
	monitor: string;
}

/** What the service fills in where a field was not sent, and what may be absent (test/contract/interface.md 2.4). */
const FILLED_IN: Readonly<Record<string, unknown>> = {
	method: 'POST',
	headers: {},
	body: undefined,
};

/** What the service stores of an action, secrets included. */
export type Payload = Readonly<Record<string, unknown>>;

function isSameField(name: string, one: Payload, other: Payload): boolean {
	const stored = (value: unknown) => (typeof value === 'number' ? String(value) : value);
	const [mine, yours] = [one, other].map((payload) => stored(payload[name] ?? FILLED_IN[name]));
	return isDeepEqual(mine, yours);
}

/** Whether two payloads deliver the same, whichever of them the service has completed. */
export function isSamePayload(one: Payload, other: Payload): boolean {
	const names = Object.keys({ ...one, ...other });
	return names.every((name) => isSameField(name, one, other));
}

/** Whether a payload that the service shows is the wanted one; it may have unknown fields beside it. */
export function showsPayload(shown: Payload, wanted: Payload): boolean {
	const names = Object.keys({ ...FILLED_IN, ...wanted });
	return names.every((name) => isSameField(name, shown, wanted));
}

/** Fields of payloads that are not secret. */
const OPEN_FIELDS = new Set(['email', 'method']);

function isOpen(name: string, value: unknown): boolean {
	return OPEN_FIELDS.has(name) && typeof value === 'string';
}

/** Reads an entry of the list; undefined for anything else than an object with an id. */
export function readAction(value: unknown): Action | undefined {
	if (!isObject(value) || typeof value.id !== 'string' || value.id === '') return undefined;
	const { id, type, payload, enabled, creationTime, lastUpdate } = value;
	const references = readReferences(value.references);
	return {
		id,
		type: typeof type === 'string' ? type : '',
		payload: isObject(payload) ? payload : {},
		...(typeof enabled === 'boolean' && { enabled }),
		...(references !== undefined && { references }),
		...(typeof creationTime === 'number' && { creationTime }),
		...(typeof lastUpdate === 'number' && { lastUpdate }),
	};
}

/** Undefined when one of them cannot be read: with it left out, an action in use would look like an unused one. */
function readReferences(value: unknown): MonitorReference[] | undefined {
	if (!Array.isArray(value)) return undefined;
	const references = value.flatMap((entry) => readReference(entry) ?? []);
	return references.length === value.length ? references : undefined;
}

function readReference(value: unknown): MonitorReference | undefined {
	if (!isObject(value)) return undefined;
	const { datasetId, itemId } = value;
	return typeof datasetId === 'string' && typeof itemId === 'string'
		? { model: datasetId, monitor: itemId }
		: undefined;
}

/**
 * The payload without what would let others deliver in its name: of a URL the host stays, of everything else nothing
 * but the email address and the HTTP method.
 */
export function maskPayload(payload: Payload): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(payload).map(([name, value]) => [
			name,
			isOpen(name, value) ? value : masked(value),
		]),
	);
}

function masked(value: unknown, depth = 0): unknown {
	if (depth > DEEPEST) return '***';
	if (Array.isArray(value)) return value.map((entry) => masked(entry, depth + 1));
	if (isObject(value)) {
		return Object.fromEntries(
			Object.entries(value).map(([name, entry]) => [name, masked(entry, depth + 1)]),
		);
	}
	if (typeof value === 'number') return '***';
	if (typeof value !== 'string' || value === '') return value;
	const url = /^https?:\/\//i.test(value) ? parseUrl(value) : undefined;
	return url === undefined ? '***' : `${url.protocol}//${url.hostname}/***`;
}

/** A run of characters that is rather a token than a word. */
const TOKEN = /[\w-]{12,}/g;

/**
 * Everything of a payload that must not appear in a message: its values, and the tokens in them, because a service may
 * repeat a part alone, such as the path of a URL, or write quotes in it in another way.
 */
export function secretsOf(payload: Payload): string[] {
	return Object.entries(payload).flatMap(([name, value]) =>
		isOpen(name, value) ? [] : textsIn(value),
	);
}

function textsIn(value: unknown): string[] {
	if (typeof value === 'number') return textsIn(String(value));
	if (typeof value === 'string') {
		if (value.length < 4) return [];
		const quoted = JSON.stringify(value).slice(1, -1);
		return [...new Set([value, quoted, ...(value.match(TOKEN) ?? [])])];
	}
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

import {
	InputError,
	isEmailAddress,
	DEEPEST,
	isDeepEqual,
	isObject,
	type Timing,
} from '../../shared/util';
import { parseUrl, type Send, SIDE_BY_SIDE, type WaitBudget } from '../../shared/http';
import type { PlannedRequest } from '../../shared/run';
import {
	type ConfigurationClient,
	createConfigurationClient,
	unexpectedAnswer,
} from '../configurations';

/** What a service stores for a field that was not sent (test/contract/interface.md 2.4). */
const PLACEHOLDER = 'PLACEHOLDER';
const LONGEST_ID = 100;
const ID = /^[0-9a-zA-Z_-]+$/;

/** Checks and trims the ID of an action. @returns the id, trimmed. @throws InputError for an id that could never be attached */
export function checkActionId(value: unknown): string {
	const id = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (id === '') throw new InputError('No action specified', 'Enter the ID of the action.');
	if (id.startsWith('#')) {
		throw new InputError(
			`"${id.slice(0, LONGEST_ID)}" is a channel, not an ID of an action`,
			'Enter an ID of your choice, with letters, digits, hyphens and underscores. The channel is part of the webhook.',
		);
	}
	if (!ID.test(id)) {
		throw new InputError(
			`"${id.slice(0, LONGEST_ID)}" is not an ID of an action`,
			'Use only letters, digits, hyphens and underscores.',
		);
	}
	if (id.length > LONGEST_ID) {
		throw new InputError(
			`The action ID ${id.slice(0, 20)}… has ${id.length} characters`,
			`An ID with more than ${LONGEST_ID} characters can never be attached to a monitor. Choose a shorter one.`,
		);
	}
	return id;
}

/** Checks the name of a kind. @throws InputError for a name that no kind can have: it is a segment of the path */
export function checkKindName(value: unknown): string {
	const name = String(value ?? '').trim();
	if (ID.test(name)) return name;
	throw new InputError(
		name === '' ? 'The kind name is missing' : `"${name.slice(0, 50)}" is not a kind of action`,
		'Enter it as the service names it in its addresses, e.g. SLACK.',
	);
}

/** Checks an email address. @throws InputError for anything but an email address */
export function checkEmail(value: unknown): string {
	const email = String(value ?? '').trim();
	if (isEmailAddress(email)) return email;
	throw new InputError(
		email === '' ? 'The email is missing' : `"${email.slice(0, 100)}" is not an email address`,
		'Enter one address, e.g. name@email.com.',
	);
}

/** Checks an https URL. It is a secret, so no message shows it. @throws InputError for anything but an https URL */
export function checkHttpsUrl(value: unknown): string {
	const text = String(value ?? '').trim();
	const url = parseUrl(text);
	if (text === '' || url === undefined || /\s/.test(text) || !/^\w+:\/\/[^/]/.test(text)) {
		throw new InputError(
			text === '' ? 'The URL is missing' : 'The URL is not valid',
			'Enter the full URL, starting with https://. The service itself does not check it.',
		);
	}
	if (url.protocol !== 'https:') {
		throw new InputError(
			'The URL does not start with https://',
			'Use an https:// URL: the service delivers over HTTPS only.',
		);
	}
	return text;
}

/**
 * Checks a service key. It is a secret, so no message shows it.
 * @throws InputError for anything that cannot be a service key
 */
export function checkServiceKey(value: unknown): string {
	const key = String(value ?? '').trim();
	if (/^[\x21-\x7e]+$/.test(key) && key !== PLACEHOLDER) return key;
	throw new InputError(
		key === '' ? 'The service key is missing' : 'The service key is not valid',
		'Copy the integration key from your paging tool, without spaces.',
	);
}

/** What the service does to the URL of a Webhook action (test/contract/interface.md 2.4). */
function webhookWarnings(text: string): string[] {
	const url = parseUrl(text);
	const lost = [
		...(url !== undefined && url.port !== '' ? [`the port ${url.port}`] : []),
		...(url !== undefined && url.search !== '' ? ['the query'] : []),
	];
	return lost.length === 0
		? []
		: [
				`Webhook deliveries drop ${lost.join(' and ')} of the URL and go to port 443: put it into the path, or a proxy in front`,
			];
}

/** A kind of action: how the editor offers it, how the service names it, and the field that says where it delivers (test/contract/interface.md 2.4). */
interface ActionKind {
	name: string;
	description: string;
	type: string;
	field: string;
	/** The parameter that the field comes from. */
	parameter: string;
	check(value: unknown): string;
	warnings?(value: string): string[];
}

/** All kinds that are known; a deployment may have others. */
export const KINDS: Readonly<Record<string, ActionKind>> = {
	chatWebhook: {
		...{ name: 'Chat Webhook (e.g. Slack)', description: 'Incoming webhook of a chat channel' },
		...{ type: 'SLACK', field: 'slackWebhook', parameter: 'webhookUrl', check: checkHttpsUrl },
	},
	email: {
		...{ name: 'Email', description: 'One email address' },
		...{ type: 'EMAIL', field: 'email', parameter: 'email', check: checkEmail },
	},
	incidentPaging: {
		...{ name: 'Incident Paging', description: 'Service key of a paging tool' },
		...{
			type: 'PAGER_DUTY',
			field: 'pagerDutyKey',
			parameter: 'serviceKey',
			check: checkServiceKey,
		},
	},
	teams: {
		...{ name: 'Teams', description: 'Incoming webhook of a Teams channel' },
		...{ type: 'TEAMS', field: 'webhook', parameter: 'webhookUrl', check: checkHttpsUrl },
	},
	webhook: {
		...{ name: 'Webhook', description: 'Any HTTPS address, such as that of an n8n workflow' },
		...{ type: 'WEBHOOK', field: 'url', parameter: 'url', check: checkHttpsUrl },
		warnings: webhookWarnings,
	},
};

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

/** Tells whether two payloads deliver the same, whichever of them the service has completed. */
export function isSamePayload(one: Payload, other: Payload): boolean {
	const names = Object.keys({ ...one, ...other });
	return names.every((name) => isSameField(name, one, other));
}

/** Tells whether a payload that the service shows is the wanted one; it may have unknown fields beside it. */
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
 * Masks what would let others deliver in the name of an action: of a URL the host stays, of everything else nothing but the
 * email address and the HTTP method.
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
 * Lists all values of a payload that must not appear in a message, and the tokens in them: a service may repeat a part
 * alone, such as the path of a URL.
 */
export function secretsOf(payload: Payload): string[] {
	return Object.entries(payload).flatMap(([name, value]) =>
		isOpen(name, value) ? [] : textsIn(value),
	);
}

function textsIn(value: unknown): string[] {
	if (typeof value === 'number') return textsIn(String(value));
	if (typeof value === 'string')
		return value === '' ? [] : [...new Set([value, ...(value.match(TOKEN) ?? [])])];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** One write of an action. */
export type ActionWrite =
	| {
			/** Creates or changes. */
			kind: 'put';
			id: string;
			/** The kind as the service names it. */
			type: string;
			payload: Payload;
			/** Whether the list did not have it before. */
			isNew: boolean;
	  }
	| { kind: 'delete' | 'disable' | 'enable' | 'test'; id: string };

/**
 * The requests on notification actions of one organization (test/contract/interface.md 1.6, 2.4), beside those on monitor
 * configurations. Every method rejects with a RequestError when the service does not answer with 2xx. Writes are
 * answered with nothing that shows what is stored: a write has to be read back.
 */
export interface AlertingClient extends ConfigurationClient {
	/** Requests that leave side by side. */
	readonly concurrency: number;
	listActions(): Promise<Action[]>;
	writeAction(write: ActionWrite): Promise<void>;
}

/** Makes the client of the alerting service. @param send the only way out; its errors pass through */
export function createAlertingClient(
	send: Send,
	organizationId: string,
	timing: Timing,
	budget: WaitBudget,
): AlertingClient {
	return {
		...createConfigurationClient(send, organizationId, timing, budget),
		concurrency: SIDE_BY_SIDE,

		async listActions() {
			const purpose = 'list the actions';
			const path = actionsPath(organizationId);
			const { body, status } = await send({ method: 'GET', path, repeat: 'always', purpose });
			if (!Array.isArray(body)) throw unexpectedAnswer(purpose, 'a list', status);
			return body.flatMap((entry) => readAction(entry) ?? []);
		},

		async writeAction(write) {
			await send(requestOf(organizationId, write));
		},
	};
}

/** Makes the request of a write, as it is previewed and sent. `shown` is its body without secrets. */
export function requestOf(
	organizationId: string,
	write: ActionWrite,
): Parameters<Send>[0] & PlannedRequest {
	const path = actionsPath(organizationId);
	const { kind, id } = write;
	const purpose = wordsFor(write);
	switch (kind) {
		case 'put': {
			const { type, payload } = write;
			return {
				method: 'PUT',
				path: [...path, type, id],
				body: payload,
				shown: maskPayload(payload),
				secrets: secretsOf(payload),
				repeat: 'always',
				purpose,
			};
		}
		case 'delete':
			return { method: 'DELETE', path: [...path, id], repeat: 'always', purpose };
		case 'disable':
		case 'enable':
			return { method: 'PUT', path: [...path, id, kind], repeat: 'always', purpose };
		case 'test':
			// Delivers a real message, so it is sent once.
			return { method: 'POST', path: [...path, id, 'test'], repeat: 'never', purpose };
	}
}

/** Describes a write in words that finish the sentence "could not …". */
export function wordsFor(write: ActionWrite): string {
	switch (write.kind) {
		case 'put':
			return `${write.isNew ? 'create' : 'update'} action ${write.id}`;
		case 'test':
			return `send a test to action ${write.id}`;
		default:
			return `${write.kind} action ${write.id}`;
	}
}

function actionsPath(organizationId: string): string[] {
	return ['v0', 'notification-settings', organizationId, 'actions'];
}

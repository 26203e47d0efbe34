import type { Moment, Timing } from '../../nodes/shared/util/timing';
import { createSend } from '../../nodes/shared/http/send';
import { WaitBudget } from '../../nodes/shared/http/limits';
import {
	type Endpoint,
	type Limits,
	type Send,
	type Transport,
	parseBaseUrl,
} from '../../nodes/shared/http/request';
import { scimAdvice, isScimError } from '../../nodes/shared/scim/protocol/errors';
import type { ListLimits } from '../../nodes/shared/scim/client/listing';
import { createScimClient, type ScimClient } from '../../nodes/shared/scim/client/scimClient';
import { PROFILES, type ServiceProfile } from '../../nodes/shared/scim/protocol/service';
import type { MemoryService } from './memoryService';

/** A read that is never too old to remove anybody by. */
export const FRESH: Moment = { at: Number.MAX_SAFE_INTEGER, pauses: 0 };

export const TOKEN = 'key-of-the-account:org-acct1';

export const ENDPOINT: Endpoint = {
	base: parseBaseUrl('https://api.example.com'),
	mediaType: 'application/scim+json',
	secrets: [TOKEN],
	advise: (failure, { path }) => scimAdvice(failure, 'Check the credential.', path),
	errorTypeField: 'scimType',
	isError: isScimError,
};

export const LIMITS: Limits = {
	timeoutMs: 30_000,
	maxWaitMs: 120_000,
	mostBytes: 1_000_000,
	operationMs: 600_000,
};

export const LIST_LIMITS: ListLimits = { mostPages: 1_000, mostResources: 100_000 };

export interface Received {
	method: string;
	/** Below the base URL, decoded, without the query. */
	path: string;
	query: URLSearchParams;
	headers: Record<string, string>;
	body: unknown;
	/** Exactly as it left. */
	url: string;
}

export interface Reply {
	status?: number;
	headers?: Record<string, unknown>;
	json?: unknown;
	text?: string;
}

export type Answerer = (request: Received, nth: number) => Reply | Promise<Reply>;

/** Whatever a test lets be answered, for tests of everything that takes a Transport: nothing leaves, nothing waits. */
export interface FakeTransport extends Transport {
	/** Every request in the order in which it left, e.g. `GET /scim/Users?startIndex=1`, decoded. */
	sent: string[];
	received: Received[];
	/** Every wait that was asked for, in milliseconds. */
	waits: number[];
	cancel(): void;
}

/** @param answer rejects or throws where the connection is to break */
export function fakeTransport(answer: Answerer, onWait?: (self: FakeTransport) => void) {
	let isCancelled = false;
	const transport: FakeTransport = {
		sent: [],
		received: [],
		waits: [],
		cancel() {
			isCancelled = true;
		},
		cancelled: () => isCancelled,
		async wait(ms) {
			transport.waits.push(ms);
			onWait?.(transport);
		},
		async exchange({ method, url, headers, body }) {
			const { pathname, searchParams, search } = new URL(url);
			const request: Received = {
				method,
				path: decodeURIComponent(pathname),
				query: searchParams,
				headers,
				body: body === undefined ? undefined : JSON.parse(body),
				url,
			};
			transport.sent.push(`${method} ${request.path}${decodeURIComponent(search)}`);
			transport.received.push(request);
			const reply = await answer(request, transport.sent.length);
			return {
				status: reply.status ?? 200,
				headers: reply.headers ?? {},
				text: reply.text ?? (reply.json === undefined ? '' : JSON.stringify(reply.json)),
			};
		},
	};
	return transport;
}

/** The service in memory, behind such a transport. */
export function transportTo(service: MemoryService): FakeTransport {
	return fakeTransport(
		async ({ body, ...request }) =>
			await service.exchange({
				...request,
				...(body !== undefined && { body: JSON.stringify(body) }),
			}),
	);
}

/** Answers one after the other; the last one stays. An Error breaks the connection. */
export function inTurn(...replies: Array<Reply | Error>): Answerer {
	return (_, nth) => {
		const reply = replies[Math.min(nth, replies.length) - 1];
		if (reply instanceof Error) throw reply;
		return reply;
	};
}

/** What n8n's helper rejects with: the code stands where a status would be. */
export function broken(code: string): Error {
	return Object.assign(new Error(`request failed: ${code}`), { code });
}

export function scimError(status: number, detail: string, more: object = {}): Reply {
	return {
		status,
		json: {
			schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
			status: String(status),
			detail,
			...more,
		},
	};
}

export function sendOver(
	transport: Transport,
	limits: Partial<Limits> = {},
	endpoint: Partial<Endpoint> = {},
): Send {
	const all = { ...LIMITS, ...limits };
	const budget = new WaitBudget(all.maxWaitMs, transport.cancelled);
	return createSend({ ...ENDPOINT, ...endpoint }, all, transport, budget);
}

export interface FakePatience extends Timing {
	waits: number[];
}

/** Timing that is asked to wait and does not. */
export function fakePatience(limitMs = 1_000): FakePatience {
	const waits: number[] = [];
	return {
		waits,
		limitMs,
		stopped: () => undefined,
		async wait(ms) {
			waits.push(ms);
		},
	};
}

export function clientOver(
	transport: FakeTransport,
	profile: ServiceProfile = PROFILES.accountOrganizations,
	timing: Timing = fakePatience(),
	limits: Partial<Limits> = {},
): ScimClient {
	const stopped = () => (transport.cancelled() ? { reason: 'cancelled' } : undefined);
	const own = { ...timing, stopped };
	return createScimClient(sendOver(transport, limits), profile, own, LIST_LIMITS);
}

export interface FakeUser {
	id: string;
	userName: string;
	[name: string]: unknown;
}

export const user = (id: string, more: object = {}): FakeUser => ({
	id,
	userName: `${id}@example.com`,
	active: true,
	...more,
});

export function listBody(all: readonly unknown[], startIndex = 1, count = all.length) {
	const page = all.slice(startIndex - 1, startIndex - 1 + count);
	return {
		schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
		totalResults: all.length,
		startIndex,
		itemsPerPage: page.length,
		Resources: page,
	};
}

/** Where a list request begins and how long its page is to be. */
export function paging({ query }: Received): { startIndex: number; count?: number } {
	return {
		startIndex: Number(query.get('startIndex') ?? 1),
		...(query.has('count') && { count: Number(query.get('count')) }),
	};
}

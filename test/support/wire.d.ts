import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { RunNodeResult } from '../harness';
import type { AlertResource } from './alertNode';
import type { RunOptions } from './node';

export const HOST: string;

/** Status, body (an object goes out as SCIM JSON, a text as it is), headers, delay in milliseconds. */
export type Reply = [
	status: number,
	body?: object | string,
	headers?: Record<string, string>,
	delayMs?: number,
];

/** `reset`: the request is taken, then the connection breaks. */
export type Answer = Reply | 'reset' | ((request: WireRequest) => Reply | 'reset');

export interface WireRequest {
	/** When it came, in milliseconds since 1970. */
	at: number;
	method: string;
	/** Path and query exactly as they left. */
	uri: string;
	/** The path as it left, encoded. */
	path: string;
	/** The query, decoded. */
	query: Record<string, string>;
	headers: Record<string, string>;
	/** The body, parsed; undefined when there was none. */
	body?: IDataObject;
}

export interface Wire {
	requests: WireRequest[];
	/** Answers for the next requests of a route such as `GET /scim/Users`, one each. */
	answer(route: string, ...answers: Answer[]): void;
	/** The users who are there when they are first asked for by id; later looks are answered as the test says. */
	known(...users: object[]): void;
	/** The answer for every further request of a route. */
	always(route: string, answer: Answer): void;
	/** What left, in order, as `METHOD path?query`; the query is decoded. */
	sent(): string[];
	/** What left and was no GET. */
	writes(): string[];
	/** How many requests left, by method. */
	counts(): Record<string, number>;
	/** The body of the request with this number among those of a route. */
	body(route: string, number?: number): IDataObject | undefined;
}

/**
 * Stands at the address of the test credential, records every request and gives the answers that a test laid out.
 * A test fails when a request came that it had no answer for, or when an answer was left over.
 */
export function wire(): Wire;

/**
 * Runs the node as `run` does and checks what holds for every execution: the token and other secrets appear nowhere,
 * the input items stay as they were, every item that comes out says where it comes from.
 */
export function runChecked(
	resource: 'user' | 'group',
	operation: string,
	parameters?: INodeParameters,
	options?: RunOptions & { secrets?: string[] },
): Promise<RunNodeResult>;

/** The same for the node Notification Actions. */
export function alertChecked(
	resource: AlertResource,
	operation: string,
	parameters?: INodeParameters,
	options?: RunOptions & { secrets?: string[] },
): Promise<RunNodeResult>;

export { search } from './node';

import type { IHttpRequestMethods } from 'n8n-workflow';

/** Why a request has no usable answer. */
type FailureKind =
	| 'http'
	| 'redirect'
	| 'unreadable'
	| 'truncated'
	| 'network'
	| 'certificate'
	| 'timeout'
	| 'token'
	| 'cancelled'
	| 'incomplete'
	| 'tooLarge'
	| 'deadline'
	| 'ended';

export interface FailureFacts {
	kind: FailureKind;
	method: IHttpRequestMethods;
	/** The HTTP status, when there was an answer. */
	status?: number;
	/** What kind of error the body names, without secrets. */
	errorType?: string;
	/** What the service says of it, without secrets. */
	detail?: string;
	/** Time that the service asked us to wait, in milliseconds. */
	retryAfterMs?: number;
	/** True when the service may have done what the request asked for. */
	mayHaveWorked: boolean;
}

/**
 * A request that did not get a usable answer. `message` says what happened, `description` what to do.
 * Neither holds a secret. It becomes a NodeApiError where an item or an execution is told of it.
 */
export class RequestError extends Error {
	constructor(
		message: string,
		readonly description: string,
		readonly facts: FailureFacts,
	) {
		super(message);
		this.name = 'RequestError';
	}

	get status(): number | undefined {
		return this.facts.status;
	}
}

/** A message with what the service says of it. */
export function withDetail(message: string, { detail }: Pick<FailureFacts, 'detail'>): string {
	return detail ? `${message}: ${detail}` : message;
}

/** Tells whether the error is an HTTP answer with one of these statuses. */
export function hasStatus(error: unknown, ...statuses: number[]): error is RequestError {
	return error instanceof RequestError && statuses.includes(error.status ?? 0);
}

/** Tells whether the service refuses the request itself, and not that it was asked too often or without a credential. */
export function isRefusal(error: unknown): boolean {
	const status = error instanceof RequestError ? (error.status ?? 0) : 0;
	return status >= 400 && status < 500 && status !== 401 && status !== 429;
}

/** Tells whether the service may have done what was asked for, although no answer says so. */
export function mayHaveWorked(error: unknown): boolean {
	return error instanceof RequestError && error.facts.mayHaveWorked;
}

import { attempt, attemptSync, InputError, monotonicNow } from '../util';
import { readAnswer, cancelledError, deadlineError, tokenError, transportError } from './answer';
import type { WaitBudget } from './limits';
import type { Pace } from './pace';
import {
	RequestError,
	type FailureFacts,
	type Answer,
	type Endpoint,
	type Limits,
	type Send,
	type ServiceRequest,
	type Transport,
	buildUrl,
} from './request';
import { isForNow } from './retry';

/** Names the package to the service: some refuse requests without a User-Agent (test/contract/interface.md 2.1). */
export const USER_AGENT = 'n8n-nodes-scim-provisioning/0.1.0';

/** A try without a credential says nothing of the try before, which may have worked. */
function withoutCredential(error: RequestError): RequestError {
	const { message, description, facts } = error;
	return error.status === 401 || facts.kind === 'token'
		? new RequestError(message, description, { ...facts, mayHaveWorked: true })
		: error;
}

/**
 * Makes the one function through which every request leaves: URL, headers, time limit, retries, and an error that
 * says what happened. Secrets appear in none of them.
 * @param budget of the run: how long it waits, and when it sends nothing more
 * @param pace where requests are paced: every try takes a place
 */
export function createSend(
	endpoint: Endpoint,
	limits: Limits,
	transport: Transport,
	budget: WaitBudget,
	pace?: Pace,
): Send {
	const deadline = monotonicNow() + limits.operationMs;

	return async (given) => {
		const url = buildUrl(endpoint.base, given.path, given.query);
		if (given.hasSlot !== true) await takeSlot(given);
		return await budget.during(given.method, async () => await sendPatiently(given, url));
	};

	/** Waits for a place, where requests are paced. @throws RequestError where the run sends nothing more */
	async function takeSlot(request: ServiceRequest): Promise<void> {
		budget.require(request);
		await pace?.enter(request);
	}

	/** Checks that a request may leave now. @throws RequestError */
	function requireOpen(request: ServiceRequest): void {
		if (transport.cancelled()) throw cancelledError(request);
		if (monotonicNow() > deadline) throw deadlineError(request, limits);
		budget.require(request);
	}

	async function sendPatiently(given: ServiceRequest, url: string): Promise<Answer> {
		let request = given;
		let waitedMs = 0;
		let heard: RequestError | undefined;
		let mayHaveWorked = false;
		for (let repeats = 0; ; repeats++) {
			const open = await attempt(() => requireOpen(request));
			// What was sent before may have worked.
			if (!open.ok) throw heard ?? open.error;
			const tried = await attempt(async () => await sendOnce(request, url));
			if (tried.ok) {
				budget.accepted(given.method);
				return tried.value;
			}
			if (!(tried.error instanceof RequestError)) throw tried.error;
			mayHaveWorked ||= heard?.facts.mayHaveWorked === true;
			heard = mayHaveWorked ? withoutCredential(tried.error) : tried.error;
			// What may be missing at any service says nothing of the run.
			const isOptional = given.method === 'GET' && request.repeat === 'never';
			const pause = isOptional
				? undefined
				: budget.pauseAfter(given.method, heard, repeats, waitedMs);
			if (!mayRepeat(request, heard)) throw heard;

			let goesOn = false;
			if (pause !== undefined) {
				await transport.wait(pause);
				waitedMs += pause;
				// Before the look, so that nothing is waited for between the two.
				goesOn = (await attempt(async () => await takeSlot(given))).ok;
			}
			if (transport.cancelled()) throw heard;
			const { repeat } = request;
			const { facts } = heard;
			const look = typeof repeat === 'object' ? repeat.ifRefused : repeat;
			if (typeof look === 'function' && (goesOn || facts.mayHaveWorked)) {
				const looked = await attempt(async () => await look(facts));
				// Without a look it is unknown whether the first one worked, so there is no second.
				if (!looked.ok) throw heard;
				if (looked.value !== undefined && 'answer' in looked.value) {
					return { status: 200, body: looked.value.answer, text: '' };
				}
				if (looked.value !== undefined) request = { ...request, body: looked.value.body };
			}
			if (!goesOn) throw heard;
		}
	}

	async function sendOnce(request: ServiceRequest, url: string): Promise<Answer> {
		const { secrets: values = [], body } = request;
		let waiting = false;
		const headers: Record<string, string> = {
			Accept: endpoint.mediaType,
			'User-Agent': USER_AGENT,
		};
		if (body !== undefined) headers['Content-Type'] = endpoint.mediaType;
		if (request.ifMatch !== undefined) headers['If-Match'] = request.ifMatch;
		const text = body === undefined ? undefined : textOf(body, request);
		const limit = AbortSignal.timeout(limits.timeoutMs);
		let giveUp = () => {};
		// The HTTP helper's own limit is for silence only: a service that drips a byte now and then would hold us forever.
		const tooLong = new Promise<never>((_, reject) => {
			giveUp = () => reject(limit.reason);
			limit.addEventListener('abort', giveUp);
		});
		const exchanged = await attempt(
			async () =>
				await Promise.race([
					transport.exchange({
						method: request.method,
						url,
						headers,
						signal: limit,
						waitsForToken: (waits) => (waiting = waits),
						...(text !== undefined && { body: text }),
					}),
					tooLong,
				]),
		);
		// Node.js keeps a signal with a listener, and with it everything here, until its time has come.
		limit.removeEventListener('abort', giveUp);
		const told = { ...endpoint, values };
		if (!exchanged.ok) {
			if (transport.cancelled())
				throw cancelledError(request, request.method !== 'GET' && !waiting);
			if (waiting) throw tokenError(exchanged.error, request, told, limits);
			throw transportError(exchanged.error, request, told, limits);
		}
		return readAnswer(exchanged.value, request, told);
	}
}

/** @throws InputError for a body that no JSON text can be made of: a service may nest what it shows without end */
function textOf(body: object, { purpose }: ServiceRequest): string {
	const text = attemptSync(() => JSON.stringify(body));
	if (text !== undefined) return text;
	throw new InputError(
		`Could not ${purpose}: the request body is nested too deeply`,
		'Nothing was sent. Check the data that the service shows.',
	);
}

function mayRepeat({ repeat }: ServiceRequest, { facts }: RequestError): boolean {
	if (repeat === 'ifRefused' || typeof repeat === 'object')
		return (facts.status !== 408 && isForNow(facts)) || neverArrived(facts);
	return repeat !== 'never';
}

/** No connection came about, so there is nothing that may have worked. */
function neverArrived({ kind, mayHaveWorked }: FailureFacts): boolean {
	return kind === 'network' && !mayHaveWorked;
}

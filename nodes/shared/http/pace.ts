import { monotonicNow } from '../util';
import { deadlineError } from './answer';
import type { Limits, ServiceRequest, Transport } from './request';

const MINUTE = 60_000;

/** Most requests in a minute; 0 for any number. */
export interface PaceLimits {
	/** Of GET. */
	readsPerMinute: number;
	/** Of everything else. */
	writesPerMinute: number;
}

/** Requests side by side where no pace is set. */
export const SIDE_BY_SIDE = 5;

const MOST_SIDE_BY_SIDE = 20;

/** A pace is kept by requests that take no longer than this. */
const SLOW_ANSWERS_PER_MINUTE = 12;

/** Counts the requests that leave side by side: as many as the pace needs with answers that take 5 seconds. */
export function sideBySide({ readsPerMinute, writesPerMinute }: PaceLimits): number {
	const needed = (perMinute: number) =>
		perMinute === 0 ? SIDE_BY_SIDE : Math.ceil(perMinute / SLOW_ANSWERS_PER_MINUTE);
	return Math.min(Math.max(needed(readsPerMinute), needed(writesPerMinute)), MOST_SIDE_BY_SIDE);
}

/** Places for requests, evenly spaced: reads and writes apart, and none saved up while nothing is sent. */
export interface Pace extends PaceLimits {
	/** Waits until the request may leave. @throws RequestError when that is after the time of all requests together */
	enter(request: Pick<ServiceRequest, 'method' | 'purpose'>): Promise<void>;
	/** How long so many requests take at least from now, in milliseconds. */
	timeOf(requests: { reads: number; writes: number }): number;
	/** What is left of the time of all requests together, in milliseconds. */
	timeLeft(): number;
}

/** Makes the one pace of everything that is sent in an execution. */
export function createPace(
	perMinute: PaceLimits,
	limits: Limits,
	transport: Pick<Transport, 'wait'>,
): Pace {
	const deadline = monotonicNow() + limits.operationMs;
	const reads = new Places(perMinute.readsPerMinute);
	const writes = new Places(perMinute.writesPerMinute);
	return {
		...perMinute,
		async enter(request) {
			const places = request.method === 'GET' ? reads : writes;
			const wait = places.waitForNext();
			if (wait > deadline - monotonicNow()) throw deadlineError(request, limits);
			places.take();
			if (wait > 0) await transport.wait(wait);
		},
		timeOf: (requests) => Math.max(reads.timeOf(requests.reads), writes.timeOf(requests.writes)),
		timeLeft: () => deadline - monotonicNow(),
	};
}

/** The places of one kind of request. */
class Places {
	private readonly apart: number;

	private next = 0;

	constructor(perMinute: number) {
		this.apart = perMinute > 0 ? MINUTE / perMinute : 0;
	}

	waitForNext(): number {
		return Math.max(0, this.next - monotonicNow());
	}

	take(): void {
		if (this.apart > 0) this.next = Math.max(this.next, monotonicNow()) + this.apart;
	}

	timeOf(requests: number): number {
		return requests === 0 ? 0 : this.waitForNext() + (requests - 1) * this.apart;
	}
}

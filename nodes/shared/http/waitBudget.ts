import { monotonicNow, type Stop } from '../util';
import { endedError } from './failures';
import type { RequestError } from './requestError';
import { asksToWait, pauseBeforeRepeat } from './retry';
import type { ServiceRequest } from './types';

type Method = ServiceRequest['method'];

/** A run has ended once so many requests in a row found no time left to wait: one may have been refused for what it is about. */
const MOST_WITHOUT_TIME = 2;

/** How reads, or writes, have fared since the last one that was accepted. */
class Streak {
	private underWay = 0;

	private spentMs = 0;

	private since = 0;

	/** What those heard that found no time left to wait. */
	readonly withoutTime = new Set<RequestError>();

	begin(): void {
		if (this.underWay === 0) this.since = monotonicNow();
		this.underWay += 1;
	}

	end(): void {
		this.spentMs = this.spent();
		this.since = monotonicNow();
		this.underWay -= 1;
	}

	/** Counts the time in which a request was tried or waited; those side by side count once. */
	spent(): number {
		return this.spentMs + (this.underWay > 0 ? monotonicNow() - this.since : 0);
	}

	refill(): void {
		[this.spentMs, this.since] = [0, monotonicNow()];
		this.withoutTime.clear();
	}
}

/**
 * How long a run may go without one accepted request, which is what Max Wait says: reads and writes apart, each refilled by its
 * own. What is asked to wait for longer than is left is not sent again. When two in a row have no time left, or a write is
 * refused for its credential, the run sends nothing more; what it has sent is looked at once.
 */
export class WaitBudget {
	private readonly reads = new Streak();

	private readonly writes = new Streak();

	/** Why no more reads are sent, and then no writes either. */
	private endOfReads?: Required<Stop>;

	private endOfWrites?: Required<Stop>;

	/**
	 * @param maxWaitMs also the longest time that one request waits between its tries, all together
	 * @param cancelled whether the execution was cancelled
	 */
	constructor(
		private readonly maxWaitMs: number,
		private readonly cancelled: () => boolean,
	) {}

	/** Tells why nothing more is sent of what is planned; undefined as long as it is. */
	stopped(): Stop | undefined {
		if (this.cancelled()) return { reason: 'the execution was cancelled before it was sent' };
		return this.endFor('PATCH');
	}

	/** Checks that requests with this method are still sent: after the last write there may be looks. @throws RequestError */
	require(request: Pick<ServiceRequest, 'method' | 'purpose'>): void {
		const end = this.endFor(request.method);
		if (end !== undefined) throw endedError(request, end);
	}

	/** Counts the time of work in which requests with this method are tried, or wait to be sent again. */
	async during<T>(method: Method, work: () => Promise<T>): Promise<T> {
		const streak = this.streakOf(method);
		streak.begin();
		try {
			return await work();
		} finally {
			streak.end();
		}
	}

	/** Notes that the service has accepted a request. */
	accepted(method: Method): void {
		this.streakOf(method).refill();
	}

	/**
	 * Computes the pause before a request is sent again (`pauseBeforeRepeat`), and notes what the service has said.
	 * @param repeats how often this request was sent again already
	 * @param waitedMs how long it has waited already
	 * @returns undefined where it must not be sent again
	 */
	pauseAfter(
		method: Method,
		error: RequestError,
		repeats: number,
		waitedMs: number,
	): number | undefined {
		const streak = this.streakOf(method);
		if (error.status === 401 && method !== 'GET') {
			this.end(method, 'the service does not accept the credential', ' (it answered 401)');
			return undefined;
		}
		const isWithoutToken = error.facts.kind === 'token';
		const pause = isWithoutToken ? Infinity : pauseBeforeRepeat(error, repeats, Math.random());
		if (pause === undefined || this.stopped() !== undefined) return undefined;
		const spent = streak.spent();
		if (Math.max(waitedMs, spent) + pause <= this.maxWaitMs) return pause;
		// Where nothing is waited for, a fault says nothing of the run: the next one would come no further.
		const isOfRun = this.maxWaitMs > 0 || asksToWait(error) || error.facts.kind !== 'http';
		if (isOfRun && spent + pause > this.maxWaitMs) streak.withoutTime.add(error);
		if (streak.withoutTime.size < MOST_WITHOUT_TIME) return undefined;
		if (isWithoutToken) this.end(method, 'n8n gets no access token');
		else this.endForTime(method, error);
		return undefined;
	}

	private endFor(method: Method): Required<Stop> | undefined {
		return method === 'GET' ? this.endOfReads : (this.endOfWrites ?? this.endOfReads);
	}

	private endForTime(method: Method, { facts: { retryAfterMs = 0 } }: RequestError): void {
		const most = `Max Wait (${this.maxWaitMs / 1000} seconds)`;
		if (retryAfterMs > this.maxWaitMs) {
			const asked = ` for ${Math.ceil(retryAfterMs / 1000)} seconds, longer than ${most}`;
			this.end(method, 'the service asks to wait', asked);
		} else {
			const kind = method === 'GET' ? 'reads' : 'writes';
			this.end(method, `the service accepts no ${kind}`, `, for the whole of ${most}`);
		}
	}

	private end(method: Method, reason: string, more = ''): void {
		const end = { reason: `not sent: ${reason}`, why: `Nothing more was sent: ${reason}${more}.` };
		if (method === 'GET') this.endOfReads ??= end;
		else this.endOfWrites ??= end;
	}

	private streakOf(method: Method): Streak {
		return method === 'GET' ? this.reads : this.writes;
	}
}

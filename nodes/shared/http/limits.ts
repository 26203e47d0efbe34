import { monotonicNow, type Stop, memoized } from '../util';
import { endedError } from './answer';
import { type ServiceRequest, RequestError, type Send } from './request';
import { asksToWait, pauseBeforeRepeat } from './retry';

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

/** What V8 takes for a text beside its characters, for an object or a list, and for an entry of one. */
const [TEXT, HOLDER, ENTRY] = [16, 32, 8];

/** Estimates the bytes that a value takes which was made of JSON. It walks level by level: a service may nest without end. */
export function bytesOf(value: unknown): number {
	let bytes = 0;
	const open: unknown[] = [value];
	while (open.length > 0) {
		const one = open.pop();
		if (typeof one === 'string') bytes += TEXT + one.length;
		if (typeof one !== 'object' || one === null) continue;
		const entries: unknown[] = Array.isArray(one) ? one : Object.values(one);
		bytes += HOLDER + ENTRY * entries.length;
		for (const entry of entries) open.push(entry);
	}
	return bytes;
}

/**
 * What a run holds of all that it reads, judged until its first write: what is read after that takes the place of what was
 * read before.
 */
export class Memory {
	/** By what is held, its bytes, apart for each kind: a name of both for each of thousands of users would be held as well. */
	private readonly held = memoized(() => new Map<string, number>());

	private bytes = 0;

	private fault: RequestError | undefined;

	private isJudged = true;

	constructor(private readonly mostBytes: number) {}

	/**
	 * Notes that something is held, in place of what was held of it before.
	 * @throws RequestError where all that is held is too much
	 */
	hold(name: string, value: unknown, kind = ''): void {
		if (!this.isJudged) return;
		const bytes = bytesOf(value);
		const held = this.held(kind);
		this.bytes += bytes - (held.get(name) ?? 0);
		held.set(name, bytes);
		if (this.bytes > this.mostBytes) this.fault ??= tooMuch(this.mostBytes);
		this.check();
	}

	/** @throws RequestError where something that was read could not be held */
	check(): void {
		if (this.fault !== undefined) throw this.fault;
	}

	/** Makes a `send` whose first write ends the judging. @throws RequestError for a write of a run that could not read all */
	watch(send: Send): Send {
		return async (request) => {
			this.check();
			if (request.method !== 'GET') this.isJudged = false;
			return await send(request);
		};
	}
}

function tooMuch(mostBytes: number): RequestError {
	return new RequestError(
		`The run reads more than it may hold in memory (${Math.floor(mostBytes / 1_000_000)} MB)`,
		'Nothing was sent. Run it for fewer groups or people, or ask for fewer attributes. Or raise Max Memory under Settings > Requests, if n8n has more: NODE_OPTIONS=--max-old-space-size gives it more.',
		{ kind: 'tooLarge', method: 'GET', mayHaveWorked: false },
	);
}

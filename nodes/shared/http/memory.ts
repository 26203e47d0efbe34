import { memoized } from '../util';
import { RequestError } from './requestError';
import type { Send } from './types';

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

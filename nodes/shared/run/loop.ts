import { attempt, cachedPerObject, mapConcurrent, poll, type Stop, type Timing } from '../util';
import { failureOf, holdsBack, isSeen, type Outcome } from './plan';
import type { Entry, Forerunner, Order, Request } from './schedule';

/** What one request of a change has come to. */
export interface Verdict<R> {
	outcome: Outcome;
	result?: R;
}

/** How a service is asked, and what its answers mean. `send` and `look` note what they are shown; only `verdictOf` decides. */
export interface LoopWorld<E, R> {
	concurrency: number;
	timing: Timing;
	/** Those requests of a round that may leave together; the others follow once these were judged. */
	together(requests: ReadonlyArray<Request<E>>): ReadonlyArray<Request<E>>;
	/** Sends one request for some of its entries, after a look where what is known of them may be old. */
	send(request: Request<E>, entries: readonly E[]): Promise<void>;
	/** Reads what these are about, together. */
	look(entries: readonly E[]): Promise<void>;
	/**
	 * What is known of an entry; undefined as long as it has to be looked for, `again` if it has to be sent again, `waits` if it
	 * was not sent because another one is sent first.
	 */
	verdictOf(entry: E): Verdict<R> | 'again' | 'waits' | undefined;
	/** Whether an entry that no look has shown is sent again, in another way. */
	tryOtherwise(entry: E): boolean;
	/** What is said of an entry that no look has shown. */
	unseen(entry: E): Verdict<R>;
}

/** Why a change is not sent whose forerunner was not done. */
export const NEEDS_STEP = 'it needs a step that did not succeed';

/** So often a change is sent at the most. */
const MOST_SENDS = 3;

/**
 * Carries out the requests round by round, those of a round side by side. What no answer has shown is looked for, together
 * and with growing pauses, before anything that builds on it. Nothing here throws: what builds on a failure is not sent,
 * everything independent of it goes on.
 */
export async function carryOut<C extends { action: string }, E extends Entry<C>, R>(
	rounds: ReadonlyArray<ReadonlyArray<Request<E>>>,
	order: Order<C>,
	world: LoopWorld<E, R>,
): Promise<Map<E, Verdict<R>>> {
	const { concurrency, timing } = world;
	const verdicts = new Map<E, Verdict<R>>();
	/** Changes of which nothing that builds on them may be done, and those that were tried. */
	const [failed, tried] = [new Set<C>(), new Set<C>()];
	const decide = (entry: E, { outcome, ...verdict }: Verdict<R>) => {
		const at = isSeen(outcome) ? new Date(Date.now()).toISOString() : undefined;
		verdicts.set(entry, { ...verdict, outcome: { ...outcome, ...(at && { at }) } });
		tried.add(entry.change);
		if (entry.isSecondStage !== true && holdsBack(outcome)) failed.add(entry.change);
	};
	const fail = (entry: E, reason: string) =>
		decide(entry, { outcome: { status: 'failed', action: entry.change.action, reason } });
	let isWhyTold = false;
	const leave = (entry: E, { reason, why }: Stop) => {
		const warnings = why === undefined || isWhyTold ? undefined : [why];
		isWhyTold = true;
		const { action } = entry.change;
		decide(entry, { outcome: { status: 'failed', action, reason, ...(warnings && { warnings }) } });
	};
	const isOpen = (entry: E) => !verdicts.has(entry);
	const sendAndLook = async (requests: ReadonlyArray<Request<E>>) => {
		const all = requests.flatMap(({ entries }) => entries);
		const sends = new Map<E, number>();
		/** Those that were sent, and leave once more in another way. */
		const sentBefore = new Set<E>();
		while (all.some(isOpen)) {
			const [again, waiting] = [new Set<E>(), new Set<E>()];
			let isAnySent = false;
			/** @returns those that have to be looked for */
			const judgeAll = (entries: readonly E[]) => {
				for (const entry of entries.filter(isOpen)) {
					const verdict = world.verdictOf(entry);
					isAnySent ||= verdict !== 'waits';
					if (verdict === 'again') again.add(entry);
					else if (verdict === 'waits') waiting.add(entry);
					else if (verdict !== undefined) decide(entry, verdict);
				}
				return entries.filter((entry) => isOpen(entry) && !again.has(entry) && !waiting.has(entry));
			};
			await mapConcurrent(requests, concurrency, async (request) => {
				const open = request.entries.filter(isOpen);
				if (open.length === 0) return;
				const stop = timing.stopped();
				if (stop !== undefined) {
					for (const entry of open) {
						if (sentBefore.has(entry)) decide(entry, world.unseen(entry));
						else leave(entry, stop);
					}
					return;
				}
				const sent = await attempt(async () => await world.send(request, open));
				// At once: the answer to another request may be about the same.
				const left = judgeAll(open);
				if (sent.ok) return;
				for (const entry of left)
					decide(entry, { outcome: failureOf(entry.change.action, sent.error) });
			});
			await poll(timing, async () => {
				const open = judgeAll(all);
				if (open.length === 0) return true;
				await world.look(open);
				return judgeAll(open).length === 0 ? true : undefined;
			});
			for (const entry of all.filter(isOpen)) {
				if (waiting.has(entry) && isAnySent) continue;
				const count = (sends.get(entry) ?? 0) + 1;
				sends.set(entry, count);
				const isLast = count === MOST_SENDS || waiting.has(entry);
				if (!isLast && !again.has(entry) && world.tryOtherwise(entry))
					for (const set of [again, sentBefore]) set.add(entry);
				if (isLast || !again.has(entry)) decide(entry, world.unseen(entry));
			}
		}
	};
	for (const requests of rounds) {
		const missingIn = cachedPerObject(
			(list: ReadonlyArray<Forerunner<C>>) =>
				list.find(({ change, must }) => must && (failed.has(change) || !tried.has(change)))?.change,
		);
		const missing = ({ change, isSecondStage }: E) =>
			isSecondStage === true
				? [change].find((own) => failed.has(own))
				: (order.get(change) ?? []).flatMap((list) => missingIn(list) ?? [])[0];
		for (const entry of requests.flatMap(({ entries }) => entries)) {
			const first = missing(entry);
			if (first !== undefined) fail(entry, `${NEEDS_STEP}: ${first.action}`);
		}
		for (let left = requests; left.length > 0;) {
			const leaving = new Set(world.together(left));
			await sendAndLook(left.filter((request) => leaving.has(request)));
			left = left.filter((request) => !leaving.has(request));
		}
	}
	return verdicts;
}

import type { Pace } from '../http';
import type { Step } from './plan';

const MINUTE = 60_000;

/** The requests of a plan, and how long they take at least at that pace: looks and retries come on top. */
export function estimateOf(
	steps: readonly Pick<Step, 'request'>[],
	pace: Pace,
): { requests: number; minutes: number } {
	const requests = requestsOf(steps);
	return {
		requests: requests.writes + requests.reads,
		minutes: tenths(pace.timeOf(requests)),
	};
}

/** Why a plan is not to be begun: its requests cannot all be sent in what is left of Max Run Time. */
export function tooLong(steps: readonly Pick<Step, 'request'>[], pace: Pace): string[] {
	const { requests, minutes } = estimateOf(steps, pace);
	if (pace.timeOf(requestsOf(steps)) <= pace.timeLeft()) return [];
	return [
		`${requests} requests take at least ${minutes} min with ${wordsOf(pace)}, and Max Run Time leaves ${tenths(pace.timeLeft())} min. Raise Max Run Time under Options, or give fewer items.`,
	];
}

/** The same of so many reads. */
export function tooLongToRead(reads: number, pace: Pace): string | undefined {
	const ms = pace.timeOf({ reads, writes: 0 });
	if (ms <= pace.timeLeft()) return undefined;
	return `${reads} requests take at least ${tenths(ms)} min with ${wordsOf(pace)}, and Max Run Time leaves ${tenths(pace.timeLeft())} min`;
}

/** A deletion is proven by one read. */
function requestsOf(steps: readonly Pick<Step, 'request'>[]): { reads: number; writes: number } {
	const reads = steps.filter(({ request }) => request.method === 'DELETE').length;
	return { reads, writes: steps.length };
}

function wordsOf({ readsPerMinute, writesPerMinute }: Pace): string {
	const words = [
		...(readsPerMinute > 0 ? [`Reads per Minute ${readsPerMinute}`] : []),
		...(writesPerMinute > 0 ? [`Writes per Minute ${writesPerMinute}`] : []),
	];
	return words.join(' and ');
}

/** In minutes, rounded up. */
function tenths(ms: number): number {
	return Math.ceil((ms / MINUTE) * 10) / 10;
}

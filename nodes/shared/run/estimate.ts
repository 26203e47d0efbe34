import type { Pace } from '../http';

const MINUTE = 60_000;

/** So many requests, and how long they take at least at that pace: what answers leave open and retries come on top. */
export function estimateOf(
	least: { reads: number; writes: number },
	pace: Pace,
): { requests: number; minutes: number } {
	return { requests: least.writes + least.reads, minutes: tenths(pace.timeOf(least)) };
}

/** Why a plan is not to be begun: its requests cannot all be sent in what is left of the workflow's time. */
export function tooLong(least: { reads: number; writes: number }, pace: Pace): string[] {
	if (pace.timeOf(least) <= pace.timeLeft()) return [];
	const { requests, minutes } = estimateOf(least, pace);
	return [
		`${requests} requests take at least ${minutes} min with ${wordsOf(pace)}, and Timeout Workflow leaves ${tenths(pace.timeLeft())} min. Raise it in the settings of the workflow, or send fewer items.`,
	];
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

/**
 * Reads a clock in milliseconds that setting the clock of the machine does not move. Every wait, every pace and every age of a
 * read is measured by it; when something was seen, and on which day, is told by `Date`.
 */
export function monotonicNow(): number {
	return performance.now();
}

import { failureOf, type Outcome } from '../../run';
import type { Attributes, Comparison } from '../../scim';
import { isObject } from '../../util';

/** What a create does about a resource that exists, where it does not change it. */
export type IfExists = 'fail' | 'return';

/**
 * What a create comes to whose resource exists already. n8n runs a failed node again as a whole, so that `fail` takes what
 * an earlier try has made.
 * @param madeBefore said of that; undefined where nothing proves it
 */
export function outcomeOfExisting(
	ifExists: IfExists,
	action: string,
	warnings: string[],
	madeBefore: string | undefined,
	error: unknown,
): Outcome {
	if (ifExists === 'return') return { status: 'unchanged', action, warnings };
	if (madeBefore === undefined) return failureOf(action, error);
	return { status: 'unchanged', action, reason: madeBefore, warnings };
}

/** Whether a resource is the one of a create. Its identifying name alone proves nothing. */
export function proves({ different, notShown }: Comparison, wanted: Attributes): boolean {
	return (
		different.length === 0 &&
		['name', 'externalId'].some((name) => saysSomething(wanted[name]) && !notShown.includes(name))
	);
}

function saysSomething(value: unknown): boolean {
	if (isObject(value)) return Object.values(value).some(saysSomething);
	return value !== undefined && value !== null && value !== '';
}

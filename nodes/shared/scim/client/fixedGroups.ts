import { type Attempt, attempt, poll } from '../../util';
import { hasStatus, RequestError } from '../../http';
import type { ListQuery } from './listing';
import type { Wire } from './wire';

/** How long a read that failed behind the service is tried again; so short that the editor can wait for it, too. */
const READ_AGAIN_MS = 1_750;

/** What is wrong with an answer, so that it is none; undefined when nothing is. */
type FaultOf<T> = (tried: Attempt<T>) => string | undefined;

/**
 * Reads groups; where they never come and go, so that a fault lies behind the service, until the answer has none, with a few
 * growing pauses (test/contract/interface.md 2.1).
 * @throws RequestError of no status: a 404 would say that the group is gone
 */
export async function readGroups<T>(
	{ profile, timing }: Wire,
	what: string,
	read: () => Promise<T>,
	faultOf: FaultOf<T>,
): Promise<T> {
	if (!profile.groupsAreFixed) return await read();
	let [said, tries] = ['', 0];
	const answer = await poll({ ...timing, limitMs: READ_AGAIN_MS }, async () => {
		const tried = await attempt(read);
		const found = faultOf(tried);
		if (found === undefined) return tried;
		[said, tries] = [found, tries + 1];
		return undefined;
	});
	if (answer?.ok === true) return answer.value;
	if (answer !== undefined) throw answer.error;
	throw new RequestError(
		`Could not ${what}: ${said}, ${tries} times`,
		'Check the ID, if one was typed. Otherwise the service cannot reach its own data: run again in a moment.',
		{ kind: 'unreadable', method: 'GET', mayHaveWorked: false },
	);
}

/**
 * Returns what finds the fault of a list: an account always has groups, and a filter that the service does not know is its own
 * mistake (test/contract/interface.md 2.1).
 */
export function faultOfList<T>(query: ListQuery, sizeOf: (list: T) => number): FaultOf<T> {
	const { filter, startIndex = 1, cursor = '' } = query;
	const isWhole = filter === undefined && startIndex === 1 && cursor === '';
	return (tried) => {
		if (tried.ok)
			return isWhole && sizeOf(tried.value) === 0 ? 'the service showed no group' : undefined;
		const { error } = tried;
		const isBehind = hasStatus(error, 400) && error.facts.errorType !== 'invalidFilter';
		return isBehind ? saidIn(error) : undefined;
	};
}

/** Finds the fault of a group: it is never gone. */
export function faultOfGroup(tried: Attempt<unknown>): string | undefined {
	return !tried.ok && hasStatus(tried.error, 404) ? saidIn(tried.error) : undefined;
}

function saidIn({ facts: { status, detail } }: RequestError): string {
	return `the service answered ${status}${detail === undefined ? '' : `, ${detail}`}`;
}

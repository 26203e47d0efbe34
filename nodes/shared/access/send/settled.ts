import { failureOf, holdsBack, NEEDS_STEP, type Outcome } from '../../run';
import { addTo, InputError, poll } from '../../util';
import { lookAtGroups, readUsers } from './looks';
import { nameIn, type AppliedPart, type Settled } from '../changes';
import type { Schedule } from './schedule';
import { NOT_SHOWN, type SendContext } from './world';

/**
 * Looks again at what was so already: it fails with the change that it needs, and where it is gone once that has let the
 * person in.
 */
export async function settledAfter(
	settled: readonly Settled[],
	sent: readonly AppliedPart[],
	requests: Schedule['rounds'][number],
	world: SendContext,
): Promise<AppliedPart[]> {
	const needing = settled.flatMap(({ needs = [] }) => needs.map(({ step }) => step));
	if (needing.length === 0) return [...settled];
	const { client, ids, facts, label } = world;
	const failed = new Set(
		sent.flatMap(({ change, outcome }) => (holdsBack(outcome) ? (change ?? []) : [])),
	);
	const entries = requests.flatMap((request) => request.entries);
	const since = new Map(
		entries.map((entry) => [entry.change.key, world.stateOf(entry).since] as const),
	);
	const kept = settled.flatMap((part) => {
		const { id } = nameIn(part.result);
		const groupId = part.result?.group?.id;
		const [need] = part.needs ?? [];
		return need === undefined || failed.has(need.step) || id === undefined || groupId === undefined
			? []
			: [{ part, id, groupId, since: since.get(need.step) ?? 0 }];
	});
	type Kept = (typeof kept)[number];
	const knownOf = (one: Kept) => facts.membership(ids.key(one.groupId), one.id, one.since);
	const open = () => kept.filter((one) => knownOf(one).told !== 'so');
	await poll(client.timing, async () => {
		await readUsers([...new Set(open().map(({ id }) => id))], true, world);
		const groups = new Map<string, string[]>();
		for (const { groupId, id } of open()) addTo(groups, groupId, id);
		await lookAtGroups(groups, world);
		return open().length === 0 ? true : undefined;
	});
	const doubtful = new Map<AppliedPart, Kept>(open().map((one) => [one.part, one]));
	return settled.map((part): AppliedPart => {
		const { action } = part.outcome;
		if (part.needs?.some(({ step }) => failed.has(step)) === true) {
			return { ...part, outcome: { status: 'failed', action, reason: NEEDS_STEP } };
		}
		const one = doubtful.get(part);
		if (one === undefined) return part;
		const known = knownOf(one);
		const outcome: Outcome =
			known.told === 'nothing'
				? { ...NOT_SHOWN, status: 'unverified', action, error: known.error }
				: failureOf(action, goneMeanwhile(label(one.groupId)));
		return { ...part, outcome };
	});
}

function goneMeanwhile(group: string): InputError {
	return new InputError(
		`The person was ${group} when this run began, and is not any more`,
		'Another client removed the membership meanwhile. Run again if it is still wanted.',
	);
}

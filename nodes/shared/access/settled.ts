import { failureOf, holdsBack } from '../run';
import type { User } from '../scim';
import { addTo, InputError, poll, type Attempt } from '../util';
import { lookAtGroups, readUsers } from './looks';
import { nameIn, type AppliedPart, type Settled } from './result';
import type { Schedule } from './schedule';
import type { World } from './world';

/** What was so already: it fails with the change that it needs, and where it is gone once that has let the person in. */
export async function settledAfter(
	settled: readonly Settled[],
	sent: readonly AppliedPart[],
	requests: Schedule['rounds'][number],
	world: World,
): Promise<AppliedPart[]> {
	const needing = settled.flatMap(({ needs = [] }) => needs.map(({ step }) => step));
	if (needing.length === 0) return [...settled];
	const { client, ids, evidence, label } = world;
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
	const isThere = (one: Kept) => evidence.membership(ids.key(one.groupId), one.id, one.since).is;
	const open = () => kept.filter((one) => isThere(one) !== true);
	await poll(client.patience, async () => {
		await readUsers([...new Set(open().map(({ id }) => id))], true, world);
		// Who shows other groups is out of this one, whatever it shows of those who are in it through another.
		const silent = open().filter(({ id }) => !showsGroups(evidence.user(id)));
		const groups = new Map<string, string[]>();
		for (const { groupId, id } of silent) addTo(groups, groupId, id);
		await lookAtGroups(groups, world);
		return open().length === 0 ? true : undefined;
	});
	const gone = new Map<AppliedPart, Kept>(
		kept.flatMap((one) => (isThere(one) === false ? [[one.part, one]] : [])),
	);
	return settled.map((part): AppliedPart => {
		const { action } = part.outcome;
		if (part.needs?.some(({ step }) => failed.has(step)) === true) {
			const reason = 'it needs a step that did not succeed';
			return { ...part, outcome: { status: 'failed', action, reason } };
		}
		const one = gone.get(part);
		return one ? { ...part, outcome: failureOf(action, goneMeanwhile(label(one.groupId))) } : part;
	});
}

function showsGroups(user: Attempt<User | undefined> | undefined): boolean {
	return user?.ok === true && (user.value?.groupIds ?? []).length > 0;
}

function goneMeanwhile(group: string): InputError {
	return new InputError(
		`The person was ${group} when this run began, and is not any more`,
		'Another client removed the membership meanwhile. Run again if it is still wanted.',
	);
}

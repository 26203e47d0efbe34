import { carryOut, holdsBack, isFailure, type LoopWorld } from '../../run';
import { nameKey } from '../../util';
import {
	accountKey,
	managerIn,
	newManagerIn,
	NO_PRECONDITIONS,
	nameOf,
	withManager,
	type AccountChange,
	type AppliedPart,
	type ProvisioningResult,
} from '../changes';
import type { Entry, Request } from './schedule';
import {
	type CreateState,
	type EntryState,
	type UpdateState,
	type Verdict,
	idOf,
	type SendContext,
} from './context';

/**
 * Puts the ID of a manager whom this run has created in the place that the plan has left for it. While there is none, the
 * manager is left out, and set once all are created: two may name each other.
 */
export function takeManager(state: CreateState | UpdateState, world: SendContext): void {
	const { change } = state;
	const manager = newManagerIn(change.attributes);
	if (change.attributes === undefined || manager === undefined) return;
	const id = world.identities.get(nameKey(manager));
	if (id === undefined) world.learned.managers.set(change.key, manager);
	state.change = { ...change, attributes: withManager(change.attributes, id) };
}

/** Returns the verdict with the attributes that were sent, where the ID of a new manager has got its place in them. */
export function withSent(verdict: Verdict, { change }: Entry, state: EntryState): Verdict {
	if (state.change === change || state.change.about !== 'account') return verdict;
	const { attributes: sent } = state.change;
	return { ...verdict, result: { ...verdict.result, ...(sent && { sent }) } };
}

/**
 * Sets the managers that were left out, and notes in the verdicts where there is none.
 * @returns a part for each that failed, beside that of the create, which stands
 */
export async function sendManagers(
	requests: readonly Request[],
	verdicts: ReadonlyMap<Entry, Verdict>,
	world: SendContext,
	loop: LoopWorld<Entry, ProvisioningResult>,
): Promise<AppliedPart[]> {
	const { managers } = world.learned;
	if (managers.size === 0) return [];
	const later: Entry[] = [];
	for (const entry of requests.flatMap(({ entries }) => entries)) {
		const manager = managers.get(entry.change.key);
		const verdict = verdicts.get(entry);
		const own = entry.change;
		if (manager === undefined || own.about !== 'account') continue;
		if (verdict === undefined || holdsBack(verdict.outcome)) continue;
		if (!mayBeSet(world.stateOf(entry))) continue;
		const change = managerChange(own, manager, world);
		if (change) later.push({ change, target: entry.change.key });
		else {
			const { outcome } = verdict;
			const said = `The manager ${manager} was not created, so the manager of ${nameOf(own.person)} stays as it is.`;
			verdict.outcome = { ...outcome, warnings: [...(outcome.warnings ?? []), said] };
		}
	}
	const round = later.map((entry) => ({ id: entry.target, entries: [entry], after: [] }));
	const made = await carryOut([round], new Map(), loop);
	return [...made].flatMap(([{ change, target }, { outcome, result }]) =>
		isFailure(outcome)
			? change.items.map((item): AppliedPart => {
					const subject = `manager\n${target}`;
					return { item, subject, outcome, result: { ...result, intent: 'updated' } };
				})
			: [],
	);
}

/** Tells whether a user may get the manager later: nothing changes of one whom a create has only met, unless it updates. */
function mayBeSet(state: EntryState): boolean {
	if (state.kind !== 'create') return state.kind === 'update';
	const { change, made } = state;
	if (change.ifExists === 'update') return true;
	// An earlier try of the create has set none.
	return made !== undefined && !(made.isFound && managerIn(made.user.attributes) !== undefined);
}

/** The change that sets the manager; undefined where one of both was not created. */
function managerChange(
	{ person, items, why }: AccountChange,
	manager: string,
	world: SendContext,
): AccountChange | undefined {
	const [id, managerId] = [idOf(person, world), world.identities.get(nameKey(manager))];
	if (id === undefined || managerId === undefined) return undefined;
	return {
		...{ about: 'account', key: accountKey('update', { key: id }), person: { ...person, id } },
		...{ before: 'there', after: 'there', attributes: withManager({}, managerId) },
		...{ action: `set the manager of ${nameOf(person)}`, why, items, warnings: [] },
		restsOn: NO_PRECONDITIONS,
	};
}

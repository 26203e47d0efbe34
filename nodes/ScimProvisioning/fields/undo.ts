import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	endingOf,
	nameOf,
	personLosingAccount,
	type Account,
	type AccountChange,
	type AppliedPart,
	type Change,
} from '../../shared/access/changes';
import type { Access } from '../../shared/access/facts';
import { JOINT, pathsLacking, UNDO, undoOf, type UndoRules } from '../../shared/access/plans';
import { guard, type Guarded, type Planned } from '../../shared/access/write';
import { optionNumber } from '../../shared/run';
import type { Asked, User } from '../../shared/scim';
import { attempt, InputError, mapConcurrent, memoized, messageOf } from '../../shared/util';
import { type OperationContext, EACH_ALONE } from '../context';
import { sealedExtras } from './accessPreview';
import { matchingOf } from './options';

const NAME = 'Undo Possible for (Hours)';

/** On what changes many and can be taken back. */
export const undoOption: INodeProperties = {
	displayName: NAME,
	name: 'undoHours',
	type: 'number',
	noDataExpression: true,
	typeOptions: { minValue: 0 },
	default: 24,
	description:
		'How long Apply Plan can take back this run, which then returns one item. Empty: not at all.',
	hint: 'In the settings of the node choose On Error: Continue (using error output)',
};

/** Reads for how many hours a run may be taken back; 0 for not at all. @throws InputError for anything but a number from 0 */
function hoursOf({ options: { undoHours } }: Pick<OperationContext, 'options'>): number {
	return undoHours === '' ? 0 : optionNumber(NAME, undoHours ?? 0, 0);
}

/** Says why the plan that takes back the run would be lost. */
function whyLost(operation: OperationContext): InputError | undefined {
	if (hoursOf(operation) === 0) return undefined;
	if (operation.context.continueOnFail()) return undefined;
	return new InputError(
		'The undo would be lost if one change failed',
		'In the settings of the node choose On Error: Continue (using error output). Nothing was sent.',
	);
}

/** @throws InputError for a run whose undo could be lost; a preview warns of it */
export function requireKept(operation: OperationContext): void {
	const lost = operation.previews ? undefined : whyLost(operation);
	if (lost !== undefined) throw lost;
}

/** Returns what a preview says of a run whose undo could be lost. */
export function undoWarnings(operation: OperationContext): string[] {
	const lost = operation.previews ? whyLost(operation) : undefined;
	return lost === undefined ? [] : [`${lost.message}. ${lost.description}`];
}

/** Makes the plan that takes back what was done, or says why there is none. */
export type MakesUndo = (
	applied: readonly AppliedPart[],
) => Promise<{ undo: IDataObject | undefined; whyNone: string[] }>;

/**
 * Notes what is there before anything is sent, as far as an undo has to know it.
 * @returns undefined where no undo is asked for
 */
export async function beforeRun(
	{ basis, seal }: Planned,
	plan: Guarded,
	operation: OperationContext,
): Promise<MakesUndo | undefined> {
	const hours = hoursOf(operation);
	if (hours === 0) return undefined;
	const { client, guards, matching } = operation;
	const usersOf = await usersBefore(plan, operation);
	const access = await accessBefore(plan, operation);
	const by = seal?.made?.settings.matchUsersBy;
	const asked: OperationContext = {
		...operation,
		...{ previews: true, toolCalls: EACH_ALONE, options: {} },
		guards: basis?.approved?.guards ?? guards,
		matching: by === undefined ? matching : matchingOf(by),
	};
	const { by: matchBy, keyOf } = asked.matching;
	return async (applied) => {
		const tried = await attempt(async () => {
			const { changes, notes } = undoOf(plan.changes, applied, {
				profile: client.profile,
				identityOf: (user) => (matchBy === 'userName' ? '' : keyOf(user)),
				...(access && { access }),
				...(await usersOf(applied)),
			});
			const left = await accessAfter(changes, operation);
			const own: Planned = {
				...{ changes, settled: [], warnings: [...notes, ...left.notes], seal: UNDO },
				settings: { maxAge: hours },
			};
			const guarded = await guard(own, asked);
			// What was read before the run does not say what is there now.
			const now = { ...guarded, basis: { ...guarded.basis, access: left.access } };
			return { blockedBy: guarded.blockedBy, ...sealedExtras(own, now, asked) };
		});
		return tried.ok
			? { undo: tried.value, whyNone: [] }
			: { undo: undefined, whyNone: [`There is no undo: ${messageOf(tried.error)}.`] };
	};
}

/**
 * Notes the users whose accounts change as they are read before anything is sent. What a user does not show is empty where the
 * same kind of request shows it of somebody: a list may leave it out. So who lacks something that no list shows is read by ID;
 * and once it was sent, one user who has got it, unless one was.
 */
async function usersBefore(
	{ changes }: Guarded,
	{ client: { facts, concurrency, getUser }, reader: { people } }: OperationContext,
): Promise<(applied: readonly AppliedPart[]) => Promise<Pick<UndoRules, 'before' | 'hadNone'>>> {
	const showing = () =>
		memoized((key) => {
			const [asked, ...path] = key.split(JOINT);
			return facts.showsAttribute(asked as Asked, path);
		});
	const accounts = changes.flatMap((change) => (change.about === 'account' ? change : []));
	const isUntold = ({ before }: AccountChange) => before === 'there' || before === 'unknown';
	const untold = accounts.filter(isUntold).flatMap(({ person }) => person.id ?? []);
	await people.readThere(untold);
	await attempt(async () => await people.tellActivity(untold));
	const read = () =>
		accounts.flatMap((change) => {
			const user = facts.lastRead(change.person.id ?? '');
			if (user === undefined) return [];
			const asked = facts.lastAsked(user.id) ?? 'list';
			const lacking = pathsLacking(change.attributes ?? {}, user);
			const activity = isUntold(change) ? facts.activity(user) : change.before;
			const account: Account = activity === 'not told' ? 'there' : activity;
			return [{ key: change.key, user, asked, lacking, account }];
		});
	const ask = async ({ id }: User) => void (await attempt(async () => await getUser(id)));
	const isShown = showing();
	const unclear = read().filter(
		({ asked, lacking }) =>
			asked !== 'id' && lacking.some((path) => !isShown(`${asked}${JOINT}${path}`)),
	);
	await mapConcurrent(unclear, concurrency, async ({ user }) => await ask(user));
	const before = new Map(read().map((one) => [one.key, one]));
	return async (applied) => {
		const tried = new Set<string>();
		for (const { change = '', outcome } of applied) {
			const { user, asked, lacking = [] } = before.get(change) ?? {};
			if (outcome.status !== 'done' || user === undefined || asked !== 'id') continue;
			const isNews = (path: string) =>
				tried.size < tried.add(path).size && !facts.showsAttribute('id', path.split(JOINT));
			if (lacking.filter(isNews).length > 0) await ask(user);
		}
		const isShownNow = showing();
		return {
			before: ({ key, before: account }) => before.get(key) ?? { account },
			hadNone: ({ key }, path) => isShownNow(`${before.get(key)?.asked}${JOINT}${path}`),
		};
	};
}

/** Who was in which group, where a deactivation takes that along. */
async function accessBefore(
	{ changes, basis: { access } }: Guarded,
	{ client, reader }: OperationContext,
): Promise<Access | undefined> {
	const isLost = changes.some((change) => endingOf(change) === 'deactivate');
	if (client.profile.deactivation !== 'drops' || !isLost || access?.isWhole === true) return access;
	const read = await attempt(async () => await reader.memberships.read());
	return read.ok ? read.value : access;
}

/**
 * Reads where the people are whom an undo locks out, as the run has left them: it locks out nobody who has been given more since.
 * @returns in whole sentences, too, of whom that is not known
 */
async function accessAfter(
	changes: readonly Change[],
	{ reader }: OperationContext,
): Promise<{ access?: Access; notes: string[] }> {
	const shut = changes.flatMap((change) => personLosingAccount(change) ?? []);
	if (shut.length === 0) return { notes: [] };
	const ids = shut.flatMap(({ id }) => id ?? []);
	const read = await attempt(
		async () => await reader.memberships.read({ people: ids, fresh: true }),
	);
	const access = read.ok ? read.value : undefined;
	const untold = shut.filter(({ id = '' }) => access?.everyGroup(id).told !== 'all').map(nameOf);
	const unknown = `Not known in which groups they are, so they are deactivated whatever they are given later: ${untold.join('; ')}.`;
	return { ...(access && { access }), notes: untold.length === 0 ? [] : [unknown] };
}

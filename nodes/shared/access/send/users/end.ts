import type { Missing } from '../../../run';
import { shownActivity, type User } from '../../../scim';
import { nameOf, whoIs } from '../../changes';
import {
	isPlanLate,
	listFault,
	lookAtIdentity,
	looksFirst,
	lookAtRests,
	restsOnIdentity,
	restsOnOthers,
} from '../preconditions';
import type { DeletionState, UpdateState, UserState } from '../states';
import {
	failed,
	nothingMore,
	sendFor,
	unchanged,
	type ExpectedState,
	type SendContext,
} from '../world';
import { expectedOf, noteFailure } from './expected';

/**
 * Looks at what an end of an account rests on, and whose account it is, before the first request leaves. Of any other change
 * nothing is looked at.
 * @returns whether something is left to be sent
 */
export async function lookBeforeEnd(
	state: UpdateState | DeletionState,
	world: SendContext,
): Promise<boolean> {
	const { change } = state;
	const { action, person, warnings } = change;
	const fault = listFault(change, world);
	if (fault !== undefined) {
		state.verdict = failed(action, fault, { who: whoIs(person) });
		return false;
	}
	if (restsOnOthers(change, world) && isPlanLate(world)) {
		const user = await lookAtRests(state, world);
		if (user !== undefined) {
			const [shown, reason] = user === 'gone' ? [undefined, 'the user is gone'] : [user, undefined];
			state.verdict = unchanged(action, warnings, { who: whoIs(person, shown) }, reason);
		}
	}
	if (state.verdict === undefined && restsOnIdentity(change, world))
		await lookAtIdentity(state, world);
	return state.verdict === undefined;
}

/**
 * Looks again before a request that may not be repeated blindly.
 * @returns the user, where an earlier try of it has done its work
 * @throws InputError where nothing more is to be sent
 */
export async function lookBeforeRepeat(
	state: UserState,
	world: SendContext,
): Promise<User | undefined> {
	if (restsOnIdentity(state.change, world)) await lookAtIdentity(state, world, true);
	const user = state.verdict ? undefined : await lookAtRests(state, world);
	// An earlier try may have removed the account.
	if (user === 'gone') state.isRefused = true;
	if (user === 'gone' || state.verdict !== undefined) throw nothingMore();
	return user;
}

/** Deletes a user. */
export async function sendDeletion(state: DeletionState, world: SendContext): Promise<void> {
	const { action, person } = state.change;
	const hasPlace = looksFirst(state.change, world);
	if (hasPlace) await world.client.timing.slotOfWrite?.(action);
	if (!(await lookBeforeEnd(state, world))) return;
	const again = async () => void (await lookBeforeRepeat(state, world));
	const { tried } = await sendFor(
		[state],
		world,
		async () => await world.client.deleteUser(person.id ?? '', again, hasPlace),
	);
	if (state.verdict !== undefined || state.isRefused) return;
	if (!tried.ok) noteFailure(state, tried.error);
	// The service answers 204 whether there was a user or not (test/contract/interface.md 2.1), so only a look proves it.
	else state.wasGone = !tried.value;
}

/** Compares what is known of a deleted user with what is expected. */
export function expectedDeletion(state: DeletionState, world: SendContext): ExpectedState {
	const { person } = state.change;
	const { said, user, isSo } = expectedOf(state, (shown) => missingOf(state, shown), world);
	if (!isSo) return said;
	if (user !== undefined)
		return {
			...said,
			warnings: [...said.warnings, keptWarning(nameOf(person))],
			result: { who: { kind: 'kept', user } },
		};
	const wasSo = state.wasGone && { wasSo: 'the user was gone already' };
	return { ...said, result: { who: { kind: 'deleted', person } }, ...wasSo };
}

function keptWarning(name: string): string {
	return `The service deactivated ${name} instead of deleting the account.`;
}

/** Tells why a user does not count as deleted: some services only deactivate whom they are to delete. */
function missingOf(
	{ change, wasGone, isRefused }: DeletionState,
	user: User | undefined,
): Missing | undefined {
	const isInactive = shownActivity(user) === 'inactive';
	const isOurs = !wasGone && !isRefused;
	if (user === undefined || (isInactive && change.before === 'active' && isOurs)) return undefined;
	return { reason: `the user is still there${isInactive ? ', inactive' : ''}` };
}

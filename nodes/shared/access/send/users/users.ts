import type { UserState } from '../states';
import type { ExpectedState, SendContext } from '../world';
import { expectedCreate, expectedReactivation, sendCreate, sendReactivation } from './create';
import { expectedDeletion, sendDeletion } from './end';
import { expectedUpdate, sendUpdate } from './update';

/** Sends the request of a change of an account, and notes what its answer shows. */
export async function sendUser(state: UserState, world: SendContext): Promise<void> {
	if (state.kind === 'create') await sendCreate(state, world);
	else if (state.kind === 'reactivation') await sendReactivation(state, world);
	else if (state.kind === 'deletion') await sendDeletion(state, world);
	else await sendUpdate(state, world);
}

/** Compares what is known of the user of a change with what is expected. */
export function expectedUser(state: UserState, world: SendContext): ExpectedState {
	if (state.kind === 'create') return expectedCreate(state, world);
	if (state.kind === 'reactivation') return expectedReactivation(state, world);
	if (state.kind === 'deletion') return expectedDeletion(state, world);
	return expectedUpdate(state, world);
}

import { shownActivity } from '../../../scim';
import { type UserState, type ExpectedState, type SendContext, sentInOf } from '../context';
import { isAlwaysRead, isProvenByAnswer, isReadById, readUsers } from '../looks';
import { expectedCreate, expectedReactivation, sendCreate, sendReactivation } from './create';
import { expectedDeletion, sendDeletion, expectedUpdate, sendUpdate, knowUnseen } from './update';
import { userIdOf } from './expected';

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

/** IDs of users who are looked at for something else. */
interface Others {
	byId: ReadonlySet<string>;
	byList: ReadonlySet<string>;
}

/**
 * Looks at users. Those whose answers show what was sent wait until one of each form was read: where that shows the same, the
 * answers to the others are believed.
 */
export async function lookAtUsers(
	sent: readonly UserState[],
	others: Others,
	world: SendContext,
): Promise<void> {
	const idOf = (state: UserState) => userIdOf(state, world);
	const answered = sent.filter((one) => isShownByAnswer(one, world));
	for (const state of answered) state.isAnswered = true;
	const waiting = new Set(answered.filter(({ change }) => !isAlwaysRead(change, world)));
	const open = sent.filter((one) => !waiting.has(one));
	const first = firstOfForms(answered, waiting);
	const alone = [...first, ...open.filter(({ change }) => isReadById(change))];
	const byId = new Set([...others.byId, ...alone.map(idOf)]);
	const byList = new Set([...others.byList, ...open.map(idOf)]);
	await readUsers(
		[...byList].filter((id) => !byId.has(id)),
		true,
		world,
	);
	await readUsers([...byId], false, world);
	await readUsers(silentIn(open, world), false, world);
	noteAfterAnswers(sent, world);
	const left = [...waiting].filter((one) => !first.has(one) && !isProvenByAnswer(one, world));
	await readUsers(left.map(idOf), true, world);
	noteAfterAnswers(left, world);
	await Promise.all(sent.map(async (state) => await knowUnseen(state, world)));
}

/** Returns the IDs of users of whom a list does not say whether they are active, and another kind of request may. */
function silentIn(open: readonly UserState[], world: SendContext): string[] {
	const { facts } = world;
	return open.flatMap((state) => {
		const { change } = state;
		const id = userIdOf(state, world);
		const read = facts.user(id, state.since);
		const user = read?.ok === true ? read.value : undefined;
		const isAsked = change.before !== 'absent' && !isReadById(change);
		const isSilent = shownActivity(user) === 'not told' && facts.lastAsked(id) === 'list';
		return user && isAsked && isSilent && !facts.isActiveNoMore(user) && facts.saysActivity
			? id
			: [];
	});
}

/** Returns one change of each form that waits, where nothing of that form is read anyway. */
function firstOfForms(
	answered: readonly UserState[],
	waiting: ReadonlySet<UserState>,
): ReadonlySet<UserState> {
	const read = answered.filter((one) => !waiting.has(one));
	const forms = new Set(read.map(sentInOf));
	return new Set([...waiting].filter((state) => forms.size < forms.add(sentInOf(state)).size));
}

/** Tells whether the answer to a change shows what was sent. */
function isShownByAnswer(state: UserState, world: SendContext): boolean {
	return world.facts.isAnswerOf(userIdOf(state, world)) && isShown(state, world);
}

/** Tells whether what was shown since a change left is as expected. */
function isShown(state: UserState, world: SendContext): boolean {
	const read = world.facts.user(userIdOf(state, world), state.since);
	return read?.ok === true && expectedUser(state, world).missing === undefined;
}

/** Notes whether reads show what answers have shown before. */
function noteAfterAnswers(sent: readonly UserState[], world: SendContext): void {
	for (const state of sent.filter(({ isAnswered }) => isAnswered)) {
		const id = userIdOf(state, world);
		const read = world.facts.user(id, state.since);
		if (read?.ok !== true || world.facts.isAnswerOf(id)) continue;
		world.facts.noteAfterAnswer(state.change.key, sentInOf(state), isShown(state, world));
	}
}

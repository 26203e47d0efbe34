import { shownActivity } from '../../../scim';
import type { AccountChange } from '../../changes';
import { isAlwaysRead, isProvenByAnswer, isReadById } from '../answers';
import { readUsers } from '../looks';
import { expectedUser, knowUnseen, userIdOf } from '../userRequests';
import type { EntryState, SendContext } from '../world';

/** A change of a user that no answer has proven. */
interface Sent {
	change: AccountChange;
	state: EntryState;
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
	sent: readonly Sent[],
	others: Others,
	world: SendContext,
): Promise<void> {
	const idOf = ({ change, state }: Sent) => userIdOf(change, state, world);
	const answered = sent.filter((one) => isShownByAnswer(one, world));
	for (const { state } of answered) state.isAnswered = true;
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
	const left = [...waiting].filter(
		(one) => !first.has(one) && !isProvenByAnswer(one.change, one.state, world),
	);
	await readUsers(left.map(idOf), true, world);
	noteAfterAnswers(left, world);
	await Promise.all(sent.map(async ({ change, state }) => await knowUnseen(change, state, world)));
}

/** IDs of users of whom a list does not say whether they are active, and another kind of request may. */
function silentIn(open: readonly Sent[], world: SendContext): string[] {
	const { facts } = world;
	return open.flatMap(({ change, state }) => {
		const id = userIdOf(change, state, world);
		const seen = facts.user(id, state.since);
		const user = seen?.ok === true ? seen.value : undefined;
		const isAsked = change.before !== 'absent' && !isReadById(change);
		const isSilent = shownActivity(user) === 'not told' && facts.lastAsked(id) === 'list';
		return user && isAsked && isSilent && !facts.isActiveNoMore(user) && facts.saysActivity
			? id
			: [];
	});
}

/** One change of each form that waits, where nothing of that form is read anyway. */
function firstOfForms(answered: readonly Sent[], waiting: ReadonlySet<Sent>): ReadonlySet<Sent> {
	const read = answered.filter((one) => !waiting.has(one));
	const forms = new Set(read.map(({ state }) => state.sentIn));
	return new Set(
		[...waiting].filter(({ state: { sentIn } }) => forms.size < forms.add(sentIn).size),
	);
}

function isShownByAnswer({ change, state }: Sent, world: SendContext): boolean {
	const id = userIdOf(change, state, world);
	return world.facts.isAnswerOf(id) && isShown({ change, state }, world);
}

function isShown({ change, state }: Sent, world: SendContext): boolean {
	const seen = world.facts.user(userIdOf(change, state, world), state.since);
	return seen?.ok === true && expectedUser(change, state, world).missing === undefined;
}

function noteAfterAnswers(sent: readonly Sent[], world: SendContext): void {
	for (const { change, state } of sent.filter((one) => one.state.isAnswered)) {
		const id = userIdOf(change, state, world);
		const seen = world.facts.user(id, state.since);
		if (seen?.ok !== true || world.facts.isAnswerOf(id)) continue;
		world.facts.noteAfterAnswer(change.key, state.sentIn, isShown({ change, state }, world));
	}
}

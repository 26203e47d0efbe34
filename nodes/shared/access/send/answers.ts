import { compareUser, type Attributes, type Form } from '../../scim';
import { deactivates, type AccountChange } from '../changes';
import type { EntryState, World } from './world';

// Rule of evidence, "did what was asked": what the answer to a change of a user is worth.

/**
 * Whether only a GET of the user counts, and no list, nor the answer to the write: some services answer with the new user
 * name and keep the old one (test/contract/interface.md 2.2).
 */
export function isReadById(change: AccountChange): boolean {
	if (change.before === 'absent') return false;
	return change.after === 'absent' || change.attributes?.userName !== undefined;
}

/** Whether a change is read whatever its answer shows: nobody looks again at who was shut out. */
export function isAlwaysRead(
	change: AccountChange,
	{ client, endsAreRead }: Pick<World, 'client' | 'endsAreRead'>,
): boolean {
	const isRead = client.profile.answersAreKnown || endsAreRead;
	return isReadById(change) || (!isRead && isDeactivation(change));
}

function isDeactivation({ before, after, attributes }: AccountChange): boolean {
	return before !== 'absent' && deactivates(attributes ?? { active: after === 'active' });
}

/** Whether what the answer has shown is so. */
export function isProvenByAnswer(
	change: AccountChange,
	{ sentIn }: EntryState,
	world: Pick<World, 'client' | 'endsAreRead' | 'facts'>,
): boolean {
	const isReadLater = world.endsAreRead && isDeactivation(change);
	return (
		!isAlwaysRead(change, world) && world.facts.believesAnswers(isReadLater ? undefined : sentIn)
	);
}

/** The form of an update as a read after it may prove it; undefined where the user was shown like that before. */
export function formToProve(
	form: Form,
	id: string,
	attributes: Attributes,
	{ client, facts }: Pick<World, 'client' | 'facts'>,
): string | undefined {
	const before = facts.lastRead(id);
	if (before !== undefined) {
		const { different, notShown } = compareUser(attributes, before, client.profile);
		if (different.length + notShown.length === 0) return undefined;
	}
	return [...form].sort().join(' ');
}

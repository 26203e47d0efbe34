import {
	attribute,
	type Asked,
	compareUser,
	lostPaths,
	type Attributes,
	type Form,
	type User,
} from '../../scim';
import { attempt, InputError, shown } from '../../util';
import { deactivates, type AccountChange } from '../changes';
import { isRisky } from './otherMembers';
import { readUserNow } from './looks';
import { sentInOf, type UserState } from './states';
import type { SendContext } from './world';

// Rule of evidence, "did what was asked": what the answer to a change of a user or a group is worth.

/**
 * Tells whether only a GET of the user counts, and no list, nor the answer to the write: some services answer with the new
 * user name and keep the old one (test/contract/interface.md 2.2).
 */
export function isReadById(change: AccountChange): boolean {
	if (change.before === 'absent') return false;
	return change.after === 'absent' || change.attributes?.userName !== undefined;
}

/** Tells whether a change is read whatever its answer shows: nobody looks again at who was shut out. */
export function isAlwaysRead(
	change: AccountChange,
	{ client, endsAreRead }: Pick<SendContext, 'client' | 'endsAreRead'>,
): boolean {
	const isRead = client.profile.answersAreKnown || endsAreRead;
	return isReadById(change) || (!isRead && isDeactivation(change));
}

function isDeactivation({ before, after, attributes }: AccountChange): boolean {
	return before !== 'absent' && deactivates(attributes ?? { active: after === 'active' });
}

/** Tells whether what the answer has shown is so. */
export function isProvenByAnswer(
	state: UserState,
	world: Pick<SendContext, 'client' | 'endsAreRead' | 'facts'>,
): boolean {
	const { change } = state;
	const isReadLater = world.endsAreRead && isDeactivation(change);
	return (
		!isAlwaysRead(change, world) &&
		world.facts.believesAnswers(isReadLater ? undefined : sentInOf(state))
	);
}

/** The forms of a change of a group: its answers are worth something once a read has shown the same. */
export const GROUP_FORMS = {
	adds: 'members added',
	removes: 'members removed',
	attributes: 'attributes of a group',
} as const;

/**
 * Tells whether a group was shown by the answer to a write in this form alone, which is no evidence yet; a proof reads it
 * anyway.
 */
export function isMereAnswer(
	key: string,
	form: string,
	{ facts, endsAreRead }: Pick<SendContext, 'facts' | 'endsAreRead'>,
): boolean {
	return !endsAreRead && facts.isAnswerOfGroup(key) && !facts.believesAnswers(form);
}

/**
 * Tells whether a group has to be read after a removal: an answer may show a part of the members, so that only a read tells
 * of the others.
 */
export function isReadAfterRemoval(
	key: string,
	{ facts, otherMembers }: Pick<SendContext, 'facts' | 'otherMembers'>,
): boolean {
	return isRisky(key, otherMembers) && facts.isUnreadAfterRemoval(key);
}

/** Names the form of an update that a read after it may prove; undefined where the user was shown like that before. */
export function formToProve(
	form: Form,
	id: string,
	attributes: Attributes,
	{ client, facts }: Pick<SendContext, 'client' | 'facts'>,
): string | undefined {
	const before = facts.lastRead(id);
	if (before !== undefined) {
		const { different, notShown } = compareUser(attributes, before, client.profile);
		if (different.length + notShown.length === 0) return undefined;
	}
	return nameOfForm(form);
}

function nameOfForm(form: Form): string {
	return [...form].sort().join(' ');
}

/**
 * Stops an update in a form that has taken other values along.
 * @throws InputError where an update in this form has taken other values along
 */
export function refuseLossy(form: Form, { learned }: Pick<SendContext, 'learned'>): void {
	const loss = learned.losses.get(nameOfForm(form));
	if (loss === undefined) return;
	throw new InputError(
		`Nothing was sent, since an update took other values along: ${loss}`,
		'Check the user at the service, and restore the missing values.',
	);
}

/** A user as shown before an update, and how that was read. */
export interface UserBefore {
	user: User;
	asked: Asked | undefined;
}

/** Finds a user as lists and filters show it now; undefined where they do not tell. */
async function findAgain(
	{ id, userName }: User,
	{ reader }: SendContext,
): Promise<User | undefined> {
	const found = await reader.people.find([userName], { absence: 'refusable', fresh: true });
	const hit = found.get(userName);
	return hit?.kind === 'found' && hit.user.id === id ? hit.user : undefined;
}

/**
 * Reads what an answer does not show any more: it may show a part.
 * @param before as shown before the update
 * @param asked how that was read
 * @returns what is wrong; undefined where all is there
 */
export async function findLoss(
	form: Form,
	{ user: before, asked }: UserBefore,
	answer: User,
	attributes: Attributes,
	world: SendContext,
): Promise<InputError | undefined> {
	const { client, learned } = world;
	const name = nameOfForm(form);
	const isKnown = client.profile.answersAreKnown || learned.partialAnswers.has(name);
	const lostIn = (user: User) => lostPaths(before.attributes, user.attributes, attributes);
	// Whoever is let in or shut out has other attributes of the service's own then.
	const turns = attribute(attributes, 'active') !== undefined;
	if (isKnown || turns || lostIn(answer).length === 0) return undefined;
	const read = await attempt(async () => await readUserNow(before.id, world));
	if (!read.ok) return undefined;
	// A list or a filter may show more than a read by ID does.
	const isLess = lostIn(read.value).length > 0 && asked !== 'id';
	const now = isLess ? await findAgain(before, world) : read.value;
	if (now === undefined) return undefined;
	const lost = lostIn(now);
	if (lost.length === 0) {
		learned.partialAnswers.add(name);
		return undefined;
	}
	const loss = `${shown(before.userName)} no longer has ${lost.join(', ')}, which nobody asked to remove`;
	learned.losses.set(name, loss);
	return new InputError(
		`The update took other values along: ${loss}`,
		'Restore the missing values at the service.',
	);
}

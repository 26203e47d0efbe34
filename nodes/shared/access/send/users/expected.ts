import type { Missing } from '../../../run';
import {
	compareUser,
	otherValues,
	shownActive,
	withMaskedSecrets,
	type Attributes,
	type KnownAttributes,
	type Traits,
	type User,
} from '../../../scim';
import { isRefusal, mayHaveWorked } from '../../../http';
import { isDecisive, overwriteWarnings, whoIs } from '../../changes';
import { isProvenByAnswer } from '../looks';
import {
	unseenBefore,
	type UserState,
	failed,
	type ExpectedState,
	type SendContext,
} from '../context';

export const NO_SUCH_USER: Missing = { reason: 'there is no such user' };

/** Returns the ID of the user of a change; of a create that of the one that it has made or met. */
export function userIdOf(state: UserState, { identities }: SendContext): string {
	if (state.kind === 'create' && state.made !== undefined) return state.made.user.id;
	if (state.kind === 'reactivation') return state.user.id;
	const { person } = state.change;
	return person.id ?? identities.get(person.key) ?? '';
}

/** What is expected of a user, and what was shown of it since the request left. */
interface ExpectedUser {
	said: ExpectedState;
	/** The user as shown; undefined where none was. */
	user: User | undefined;
	/** Whether all is as it is to be. */
	isSo: boolean;
}

/**
 * Compares what is known of a user with what is expected.
 * @param missingIn tells what a user who was looked for lacks
 */
export function expectedOf(
	state: UserState,
	missingIn: (user: User | undefined) => Missing | undefined,
	world: SendContext,
): ExpectedUser {
	const { action, person } = state.change;
	const id = userIdOf(state, world);
	const known = world.facts.user(id, state.since);
	const isProven = !world.facts.isAnswerOf(id) || isProvenByAnswer(state, world);
	const user = known?.ok === true ? known.value : undefined;
	const missing = known?.ok === true ? missingIn(user) : undefined;
	const said = {
		...(isProven && known && { observed: known }),
		...(missing && { missing }),
		...{ action, warnings: warningsFor(state), result: { who: whoIs(person, user) } },
	};
	return { said, user, isSo: known?.ok === true && missing === undefined };
}

/** Returns the warnings, with that of a PUT only where one left without an ETag: the plan could not tell. */
function warningsFor({ change: { warnings }, isUntagged }: UserState): string[] {
	const [mayOverwrite] = overwriteWarnings(undefined);
	const others = warnings.filter((said) => said !== mayOverwrite);
	return isUntagged ? [...others, mayOverwrite] : others;
}

/** Tells what a user lacks who is to be active, or inactive. */
export function missingActivity(
	active: boolean,
	{ facts }: SendContext,
	user?: User,
): Missing | undefined {
	if (user === undefined) return NO_SUCH_USER;
	if (!active && facts.isActiveNoMore(user)) return undefined;
	return shownActive(user) === active ? undefined : otherActive(user);
}

/** Tells that a user shows another value of `active`, or none. */
export function otherActive(user: User): Missing {
	const active = shownActive(user);
	const reason = `the service shows active ${String(active)}`;
	return { reason, ...(active === undefined && { hidden: true }) };
}

/**
 * Tells which attributes are not as they are to be.
 * @param notShown what the service does not show at all
 * @param goesOn whether what builds on it may go on
 */
export function differing(
	different: readonly string[],
	notShown: readonly string[] = [],
	goesOn = false,
): Missing | undefined {
	const names = [...different, ...notShown];
	if (names.length === 0) return undefined;
	const reason = `the service does not show the wanted ${names.join(', ')}`;
	return { reason, ...(different.length === 0 && { hidden: true }), ...(goesOn && { goesOn }) };
}

/** Must be shown as sent: who it is, by what people are found, whether the person may come in, and what gives access. */
function mustBeAsSent(path: string, { accessAttributes }: Traits): boolean {
	const isOf = (other: string) => path.toLowerCase().startsWith(other.toLowerCase());
	const isPerson = isDecisive(path) || /\bmanager(?:\.value)?$/i.test(path);
	return isPerson || ['externalId', 'emails', ...accessAttributes].some(isOf);
}

/**
 * Tells apart which attributes the service shows with a value of its own, which is a warning with both values, and which it
 * has not taken.
 * @param different those that are shown with another value
 * @param before the user as shown before; undefined where nothing was
 */
export function changedByService(
	different: readonly string[],
	wanted: Attributes,
	user: User,
	before: Attributes | undefined,
	profile: Traits,
): { notTaken: string[]; warnings: string[] } {
	const [notTaken, warnings]: [string[], string[]] = [[], []];
	for (const name of different) {
		const others = before && otherValues(name, wanted, user.attributes, before);
		const isTaken = others?.some(({ path }) => mustBeAsSent(path, profile)) === false;
		if (!isTaken) notTaken.push(name);
		for (const { path, ...one } of isTaken ? others : []) {
			const [kept, sent] = [one.shown, one.wanted].map((value) =>
				JSON.stringify(Object.values(withMaskedSecrets({ [path]: value }))[0]),
			);
			warnings.push(
				`The service shows ${path} ${kept} instead of ${sent} for ${user.userName || user.id}.`,
			);
		}
	}
	return { notTaken, warnings };
}

/** Notes a failure: what may have worked, and what was refused, is looked for. */
export function noteFailure(state: UserState, error: unknown): void {
	if (isRefusal(error)) state.isRefused = true;
	else if (!mayHaveWorked(error))
		state.verdict = unseenBefore(state) ?? failed(state.change.action, error);
}

export const EVERYTHING: KnownAttributes = { knows: () => true, hides: () => false };

/** Asks what the service says of its attributes, where an answer does not show all that is wanted. */
export async function knownWhereUnseen(
	wanted: Attributes,
	answer: User | undefined,
	{ client }: SendContext,
): Promise<KnownAttributes> {
	const unseen =
		answer === undefined
			? Object.keys(wanted)
			: compareUser(wanted, answer, client.profile).notShown;
	const isNeeded = unseen.some((name) => !isDecisive(name) && name !== 'password');
	return isNeeded ? await client.knownAttributes() : EVERYTHING;
}

/** Tells whether an attribute is never shown, which says nothing of whether it was taken. */
export function isExcused(name: string, { knows, hides }: KnownAttributes): boolean {
	return name === 'password' || (!isDecisive(name) && (hides(name) || !knows(name)));
}

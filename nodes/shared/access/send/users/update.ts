import { attempt, InputError, isDeepEqual, isLate, isObject } from '../../../util';
import type { Missing } from '../../../run';
import { hasStatus } from '../../../http';
import {
	attribute,
	compareAttributes,
	compareUser,
	isSameSpelling,
	lostPaths,
	missedParts,
	patchBody,
	readText,
	replaceAttributes,
	replaceWhole,
	shownActive,
	type Attributes,
	type Form,
	type FormName,
	type User,
	shownActivity,
} from '../../../scim';
import { deactivates, nameOf, unseenWarnings, wasOf, wholeUser, whoIs } from '../../changes';
import { findLoss, formToProve, refuseLossy, type UserBefore, readUserNow } from '../looks';
import { takeManager } from '../managers';
import {
	looksFirst,
	noteMet,
	isPlanLate,
	listFault,
	lookAtIdentity,
	lookAtRests,
	restsOnIdentity,
	restsOnOthers,
} from '../preconditions';
import {
	type ReactivationState,
	type UpdateState,
	type UserState,
	operationsInForm,
	standsBack,
	failed,
	sendFor,
	type ExpectedState,
	type SendContext,
	type DeletionState,
	nothingMore,
	unchanged,
} from '../context';
import {
	changedByService,
	differing,
	EVERYTHING,
	expectedOf,
	isExcused,
	knownWhereUnseen,
	missingActivity,
	NO_SUCH_USER,
	noteFailure,
	otherActive,
	userIdOf,
} from './expected';

/** Updates, activates or deactivates a user: what changes as PATCH, or the whole user as PUT. */
export async function sendUpdate(state: UpdateState, world: SendContext): Promise<void> {
	takeManager(state, world);
	const { client, learned } = world;
	const { change } = state;
	if (change.attributes && replaceAttributes(change.attributes).length === 0) {
		state.verdict = failed(change.action, noManager());
		return;
	}
	const { action, after, attributes, person, whole } = change;
	const { id = '' } = person;
	const isWhole = whole !== undefined;
	if (isWhole || looksFirst(change, world)) await client.timing.slotOfWrite?.(action);
	if (!(await lookBeforeEnd(state, world))) return;
	if (attributes === undefined && after === 'active') learned.activated.add(id);
	if (isWhole) await sendWholeUser(state, id, world);
	else await sendChanged(state, id, world);
}

/** Says that nothing is left of an update whose manager is not there. */
function noManager(): InputError {
	return new InputError(
		'The manager was not created, so the manager stays as it is',
		'Look at the item of the manager, and run again.',
	);
}

/** Sends what changes of a user as PATCH, unless another change tries its form first. */
async function sendChanged(state: UpdateState, id: string, world: SendContext): Promise<void> {
	const attributes = attributesOf(state);
	if (standsBack(state, world.client.forms.Users, () => nextForm(state, world))) return;
	const answer = await sendAttributes(state, id, attributes, world);
	state.showedBefore = answer !== undefined && isAsBefore(attributes, state, answer);
}

/** Returns the attributes that an update sets. */
function attributesOf({ change: { attributes, after } }: UpdateState): Attributes {
	return attributes ?? { active: after === 'active' };
}

/**
 * Sends attributes as PATCH, in the form that the service takes.
 * @returns the user as the answer shows it, if it does
 */
export async function sendAttributes(
	state: UpdateState | ReactivationState,
	id: string,
	attributes: Attributes,
	world: SendContext,
): Promise<User | undefined> {
	const { client } = world;
	const { change } = state;
	const trial = state.kind === 'update' ? state : undefined;
	const more = trial?.form;
	state.before ??= world.facts.lastRead(id);
	const looks = looksFirst(change, world);
	const look = async () => await lookBeforeRepeat(state, world);
	// What an earlier update of this run has cleared is not lost.
	const user = world.facts.isAnswerOf(id) ? undefined : world.facts.lastRead(id);
	let before: UserBefore | undefined = user && { user, asked: world.facts.lastAsked(id) };
	let isFirst = true;
	let used: Form = new Set();
	const send = async (form: Form) => {
		used = form;
		refuseLossy(form, world);
		state.sentIn = formToProve(form, id, attributes, world);
		const isMade = !isFirst && looks ? await look() : undefined;
		if (isMade !== undefined) return isMade;
		const hasSlot = isFirst && looks;
		isFirst = false;
		if (form.has('wholeResource')) {
			if (more === 'wholeResource') {
				const whole = await readReplaceable(state, id, attributes, world);
				before = whole && { user: whole, asked: 'id' };
				if (whole === undefined) state.verdict = trial?.unseen;
				else state.whole = wholeUser(whole, attributes);
			}
			if (state.verdict !== undefined) return undefined;
			return await putUser(state, id, attributes, hasSlot, world);
		}
		const body = patchBody(await operationsIn(form, id, attributes, world));
		const again = async () => (await look()) ?? body;
		return looks
			? await client.patchUser(id, body, again, hasSlot)
			: await client.patchUser(id, body);
	};
	const inForms = async () => await client.forms.Users.send(attributes, send, more);
	const answer = await noteAnswer(state, attributes, world, inForms);
	const loss = answer && before && (await findLoss(used, before, answer, attributes, world));
	if (loss !== undefined) state.verdict ??= failed(change.action, loss);
	state.isUntagged = world.facts.wasUntagged('Users', id);
	return answer;
}

/** Makes the operations of a PATCH; attributes that are sent whole keep what the user has beside. */
async function operationsIn(
	form: Form,
	id: string,
	attributes: Attributes,
	world: SendContext,
): Promise<ReturnType<typeof replaceAttributes>> {
	const { facts } = world;
	const isWhole = form.has('wholeAttributes') && Object.values(attributes).some(isObject);
	const read = facts.isFreshUser(id) ? facts.user(id) : undefined;
	const known = read?.ok === true ? read.value : undefined;
	const operations = isWhole
		? replaceWhole(attributes, (known ?? (await readUserNow(id, world))).attributes)
		: replaceAttributes(attributes);
	return operationsInForm(operations, form);
}

/**
 * Names the form in which a change is tried again that was taken and is not seen, or a rename that the service has failed at
 * and has not made; undefined where there is none.
 */
export function nextForm(
	state: UpdateState,
	world: SendContext,
	isSecond = false,
): FormName | undefined {
	const { client, facts } = world;
	const attributes = attributesOf(state);
	const isFailedRename = hasStatus(state.error, 500) && attributes.userName !== undefined;
	const read = facts.user(userIdOf(state, world), state.since);
	const user = read?.ok === true ? read.value : undefined;
	const isWhole = state.change.whole !== undefined || state.whole !== undefined;
	const mayBeTried = !isWhole && (state.isTaken || isFailedRename);
	if (!mayBeTried || user === undefined) return undefined;
	const { different, open } = unseenIn(attributes, state, user, world);
	if (isFailedRename)
		return different.includes('userName') ? client.forms.Users.afterFailure(attributes) : undefined;
	const pick = (names: readonly string[]) =>
		Object.fromEntries(names.map((name) => [name, attributes[name]]));
	const unset = open.filter((name) => isKnownUnset(pick([name]), user, world));
	const unseen = pick([...different, ...unset]);
	// Where the answer has shown something else, or nothing, reads may lag behind.
	const isShownAsBefore = state.showedBefore && isAsBefore(attributes, state, user);
	const hasNoEffect = isShownAsBefore && Object.keys(unseen).length > 0;
	return client.forms.Users.afterNoEffect(unseen, hasNoEffect, isSecond);
}

/** Tells whether a user shows all that was sent as before. */
function isAsBefore(attributes: Attributes, { before }: UpdateState, user: User): boolean {
	if (before === undefined) return false;
	return isDeepEqual(wasOf(attributes, before.attributes), wasOf(attributes, user.attributes));
}

/**
 * Reads the user that a PUT is tried of. Rule of evidence, "may be replaced whole": not where the access of the user is not
 * told, nor where a read by ID lacks what another one has shown, as the PUT would clear it.
 * @returns undefined where the user may not be replaced
 */
async function readReplaceable(
	{ before }: UpdateState | ReactivationState,
	id: string,
	attributes: Attributes,
	world: SendContext,
): Promise<User | undefined> {
	const read = await attempt(async () => await readUserNow(id, world));
	if (!read.ok || before === undefined) return undefined;
	const { value: user } = read;
	const isWhole = lostPaths(before.attributes, user.attributes, attributes).length === 0;
	return isWhole && world.facts.untoldValues(user).length === 0 ? user : undefined;
}

/**
 * Tells whether a user who does not show an attribute has none: its path was kept beside it, or another user shows one. What
 * nobody shows may be hidden, and sent as a whole it would lose its other parts.
 */
function isKnownUnset(wanted: Attributes, { attributes }: User, { facts }: SendContext): boolean {
	const [path] = Object.keys(wanted).map((name) => `${name}.`.toLowerCase());
	return (
		Object.keys(attributes).some((key) => key.toLowerCase().startsWith(path)) ||
		facts.hasRead((one) => compareAttributes(wanted, one.attributes).notShown.length === 0)
	);
}

/**
 * Sends the whole user as PUT, who is read by ID where the plan's read was of a list or is late, and before every repeat: an
 * old one would undo what others have changed since, such as a deactivation.
 */
async function sendWholeUser(state: UpdateState, id: string, world: SendContext): Promise<void> {
	const { facts, client } = world;
	const { attributes = {}, whole } = state.change;
	state.before ??= facts.lastRead(id);
	const isOld = !facts.wasRead('Users', id) || isLate(whole?.readAt, client.timing);
	if (!isOld) state.whole = whole?.planned;
	state.sentIn = formToProve(new Set(['wholeResource']), id, attributes, world);
	const put = async () => await putUser(state, id, attributes, true, world);
	await noteAnswer(state, attributes, world, put);
	state.isUntagged = facts.wasUntagged('Users', id);
}

/** Sends `state.whole` as PUT, and where that is missing the user as read now. */
async function putUser(
	state: UpdateState | ReactivationState,
	id: string,
	attributes: Attributes,
	hasSlot: boolean,
	world: SendContext,
): Promise<User | undefined> {
	const { client } = world;
	const read = async () => (state.whole = wholeUser(await readUserNow(id, world), attributes));
	const again = async () => {
		if (looksFirst(state.change, world)) await lookBeforeRepeat(state, world);
		return (await read()).body;
	};
	const { body, version } = state.whole ?? (await read());
	return await client.replaceUser(id, body, again, hasSlot, version);
}

/** Sends, and notes what the answer shows, or what stands in the way. */
async function noteAnswer(
	state: UpdateState | ReactivationState,
	attributes: Attributes,
	world: SendContext,
	send: () => Promise<User | undefined>,
): Promise<User | undefined> {
	const { tried } = await sendFor([state], world, send);
	if (state.verdict !== undefined || state.isRefused) return undefined;
	if (tried.ok) {
		state.known = await knownWhereUnseen(attributes, tried.value, world);
		return tried.value;
	}
	noteFailure(state, tried.error);
	const name = readText(attribute(attributes, 'userName'));
	const findOther = () =>
		world.facts.sharing([name ?? '']).find(({ id }) => id !== state.change.person.id);
	if (name !== undefined && hasStatus(tried.error, 409) && findOther() === undefined)
		await noteMet(name, findOther, world);
	return undefined;
}

/** Compares what is known of an updated user with what is expected. */
export function expectedUpdate(state: UpdateState, world: SendContext): ExpectedState {
	const { attributes } = state.change;
	const missingIn = (shown: User | undefined) => missingOf(state, shown, world);
	const { said, user, isSo } = expectedOf(state, missingIn, world);
	if (!isSo) return said;
	const also = (...more: string[]) => ({ ...said, warnings: [...said.warnings, ...more] });
	const name = nameOf(state.change.person);
	if (user === undefined)
		return also(`${name} is not there any more${state.isTaken ? REMOVED : ''}.`);
	if (attributes === undefined) return said;
	const { notShown } = compareUser(attributes, user, world.client.profile);
	const { changed } = unseenIn(attributes, state, user, world);
	return also(...changed, ...unseenWarnings(notShown, attributes, state.known ?? EVERYTHING));
}

const REMOVED = ': after the deactivation, the service or another client removed the account';

/** Tells what is not so yet; undefined when all is. */
function missingOf(
	state: UpdateState,
	user: User | undefined,
	world: SendContext,
): Missing | undefined {
	const { change, isTaken, isRefused } = state;
	const { before, after, attributes } = change;
	// A user who was there and is not any more has no access: some services remove users when they deactivate them.
	const shutsOut = deactivates(attributesOf(state));
	if (user === undefined && shutsOut && (isTaken || (isRefused && before !== 'unknown')))
		return undefined;
	if (attributes === undefined) return missingActivity(after === 'active', world, user);
	return missingAttributes(attributes, state, user, world);
}

/** Tells which attributes a user lacks who is to have them (rule of evidence, "an attribute was taken"). */
function missingAttributes(
	attributes: Attributes,
	state: UpdateState,
	user: User | undefined,
	world: SendContext,
): Missing | undefined {
	const { whole } = state;
	if (user === undefined) return NO_SUCH_USER;
	if (whole?.activeAfter !== undefined && shownActive(user) !== whole.activeAfter)
		return otherActive(user);
	const { different, open } = unseenIn(attributes, state, user, world);
	const named = (name: string) => missedParts(name, attributes, user.attributes, isSameSpelling);
	return differing(different.flatMap(named), open.flatMap(named));
}

/**
 * Names the attributes that were not taken, and those not shown that may be missing; `changed` says what the service has made
 * of others.
 */
function unseenIn(
	attributes: Attributes,
	{ before, isTaken, known = EVERYTHING }: UpdateState,
	user: User,
	{ client }: SendContext,
): { different: string[]; open: string[]; changed: string[] } {
	const { profile } = client;
	const compared = compareUser(attributes, user, profile, isSameSpelling);
	const { notShown } = compared;
	const was = isTaken ? before?.attributes : undefined;
	const changed = changedByService(compared.different, attributes, user, was, profile);
	// Without an answer it is unknown whether what is never shown was taken.
	const open = notShown.filter((name) => !isTaken || !isExcused(name, known));
	return { different: changed.notTaken, open, changed: changed.warnings };
}

/** Asks what a service says of attributes that a read lacks and the answer has shown: it may never show them. */
export async function knowUnseen(state: UserState, world: SendContext): Promise<void> {
	const { attributes } = state.change;
	if (state.kind !== 'update' || attributes === undefined) return;
	const read = world.facts.user(userIdOf(state, world), state.since);
	if (state.isTaken && read?.ok === true && read.value !== undefined)
		state.known = await knownWhereUnseen(attributes, read.value, world);
}

/**
 * Looks at what an end of an account rests on, and whose account it is, before the first request leaves. Of any other change
 * nothing is looked at.
 * @returns whether something is left to be sent
 */
async function lookBeforeEnd(
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
async function lookBeforeRepeat(state: UserState, world: SendContext): Promise<User | undefined> {
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
	const { said, user, isSo } = expectedOf(state, (shown) => notDeleted(state, shown), world);
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
function notDeleted(
	{ change, wasGone, isRefused }: DeletionState,
	user: User | undefined,
): Missing | undefined {
	const isInactive = shownActivity(user) === 'inactive';
	const isOurs = !wasGone && !isRefused;
	if (user === undefined || (isInactive && change.before === 'active' && isOurs)) return undefined;
	return { reason: `the user is still there${isInactive ? ', inactive' : ''}` };
}

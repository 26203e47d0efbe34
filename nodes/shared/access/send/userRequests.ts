import {
	attempt,
	InputError,
	serially,
	isDeepEqual,
	isLate,
	isObject,
	messageOf,
	nameKey,
} from '../../util';
import type { Missing } from '../../run';
import { hasStatus, isRefusal, mayHaveWorked, RequestError, type FailureFacts } from '../../http';
import {
	compareAttributes,
	compareUser,
	findValues,
	isSameSpelling,
	lostPaths,
	matchingBy,
	missedParts,
	patchBody,
	replaceAttributes,
	replaceWhole,
	valueLabel,
	valuesOf,
	type Attributes,
	type Form,
	type FormName,
	type KnownAttributes,
	type Matching,
	type ServiceProfile,
	type User,
	shownActive,
	shownActivity,
} from '../../scim';
import {
	deactivates,
	type AccountChange,
	inactiveWarning,
	isDecisive,
	isProof,
	MADE_BEFORE,
	metWarning,
	overwriteWarnings,
	unseenWarnings,
	wasOf,
	wholeUser,
	whoIs,
	type Person,
	type ProvisioningResult,
} from '../changes';
import { whyNotFound, type Found, type Question } from '../facts';
import { resolveConflict } from '../guards';
import { findLoss, formToProve, isProvenByAnswer, refuseLossy, type Shown } from './answers';
import { readUserNow } from './looks';
import { newUser } from './requests';
import {
	copiedNow,
	isFinal,
	isPlanLate,
	judgeNow,
	lookAtIdentity,
	lookAtRests,
	restsOnOthers,
} from './preconditions';
import { operationsInForm, standsBack } from './trials';
import {
	failed,
	NOT_SHOWN,
	sendFor,
	unchanged,
	unverified,
	type ExpectedState,
	type Learned,
	type EntryState,
	type SendContext,
} from './world';

const NO_SUCH_USER: Missing = { reason: 'there is no such user' };

export async function sendUser(
	change: AccountChange,
	state: EntryState,
	world: SendContext,
): Promise<void> {
	const { client, learned } = world;
	const { attributes, after, action, person } = change;
	const own: Person = { id: person.id ?? '', userName: person.userName };
	if (state.toReactivate !== undefined) {
		state.isReactivated = true;
		learned.activated.add(state.toReactivate.id);
		await sendAttributes(change, state, state.toReactivate, { active: true }, world);
		return;
	}
	if (change.before === 'absent') {
		// Where people are known by user names, the first are created one by one: the service may change these.
		const create = async () => await sendNewUser(change, state, world);
		const isFree = matchOf(change).matching.by !== 'userName' || learned.names.kept;
		await (isFree ? create() : serially(learned.names, create));
		return;
	}
	const isWhole = change.whole !== undefined;
	const looksFirst = restsOnOthers(change, world);
	if (isWhole || looksFirst) await client.timing.slotOfWrite?.(action);
	if (looksFirst && isPlanLate(world)) {
		const user = await lookAtRests(change, state, world);
		if (user !== undefined) {
			const [shown, reason] = user === 'gone' ? [undefined, 'the user is gone'] : [user, undefined];
			state.verdict = unchanged(action, change.warnings, { who: whoIs(person, shown) }, reason);
		}
	}
	if (state.verdict !== undefined) return;
	if (isFinal(change, client.profile)) await lookAtIdentity(change, state, world);
	if (state.verdict !== undefined) return;
	if (attributes === undefined && after === 'active') learned.activated.add(own.id);
	if (after === 'absent') await sendDeletion(change, state, own, looksFirst, world);
	else if (isWhole) await sendWholeUser(change, state, own, world);
	else
		await sendAttributes(change, state, own, attributes ?? { active: after === 'active' }, world);
}

/**
 * Before a request that may not be repeated blindly.
 * @returns the user, where an earlier try of it has done its work
 * @throws InputError where nothing more is to be sent
 */
function againAfterLook(change: AccountChange, state: EntryState, world: SendContext) {
	return async () => {
		if (isFinal(change, world.client.profile)) await lookAtIdentity(change, state, world, true);
		const user = state.verdict ? undefined : await lookAtRests(change, state, world);
		// An earlier try may have removed the account.
		if (user === 'gone') state.isRefused = true;
		if (user === 'gone' || state.verdict !== undefined)
			throw new InputError('Nothing more is sent', '');
		return user;
	};
}

async function sendDeletion(
	change: AccountChange,
	state: EntryState,
	{ id }: Person,
	looksFirst: boolean,
	world: SendContext,
): Promise<void> {
	const look = againAfterLook(change, state, world);
	const again = async () => void (await look());
	const { tried } = await sendFor(
		[state],
		world,
		async () => await world.client.deleteUser(id, again, looksFirst),
	);
	if (state.verdict !== undefined || state.isRefused) return;
	if (!tried.ok) noteFailure(change, state, tried.error);
	// The service answers 204 whether there was a user or not (test/contract/interface.md 2.1), so only a look proves it.
	else state.wasGone = !tried.value;
}

/** PATCH of attributes, in the form that the service takes. */
async function sendAttributes(
	change: AccountChange,
	state: EntryState,
	person: Person,
	attributes: Attributes,
	world: SendContext,
): Promise<void> {
	const { client } = world;
	const forms = client.forms.Users;
	if (standsBack(state, forms, () => nextForm(change, state, world))) return;
	const { form: more } = state;
	state.before ??= world.facts.lastRead(person.id);
	const looksFirst = restsOnOthers(change, world);
	const look = againAfterLook(change, state, world);
	// What an earlier update of this run has cleared is not lost.
	const user = world.facts.isAnswerOf(person.id) ? undefined : world.facts.lastRead(person.id);
	let before: Shown | undefined = user && { user, asked: world.facts.lastAsked(person.id) };
	let isFirst = true;
	let used: Form = new Set();
	const send = async (form: Form) => {
		used = form;
		refuseLossy(form, world);
		state.sentIn = formToProve(form, person.id, attributes, world);
		const isMade = !isFirst && looksFirst ? await look() : undefined;
		if (isMade !== undefined) return isMade;
		const hasSlot = isFirst && looksFirst;
		isFirst = false;
		if (form.has('wholeResource')) {
			if (more === 'wholeResource') {
				const whole = await readReplaceable(state, person, attributes, world);
				before = whole && { user: whole, asked: 'id' };
				if (whole === undefined) state.verdict = state.unseen;
				else state.whole = wholeUser(whole, attributes);
			}
			if (state.verdict !== undefined) return undefined;
			return await putUser(change, state, person, attributes, hasSlot, world);
		}
		const body = patchBody(await operationsIn(form, person, attributes, world));
		const again = async () => (await look()) ?? body;
		return looksFirst
			? await client.patchUser(person.id, body, again, hasSlot)
			: await client.patchUser(person.id, body);
	};
	const inForms = async () => await forms.send(attributes, send, more);
	const answer = await noteAnswer(change, state, attributes, world, inForms);
	state.showedBefore = answer !== undefined && isAsBefore(attributes, state, answer);
	const loss = answer && before && (await findLoss(used, before, answer, attributes, world));
	if (loss !== undefined) state.verdict ??= failed(change.action, loss);
	state.isUntagged = world.facts.wasUntagged('Users', person.id);
}

async function operationsIn(
	form: Form,
	person: Person,
	attributes: Attributes,
	world: SendContext,
): Promise<ReturnType<typeof replaceAttributes>> {
	const { facts } = world;
	const isWhole = form.has('wholeAttributes') && Object.values(attributes).some(isObject);
	const seen = facts.isFreshUser(person.id) ? facts.user(person.id) : undefined;
	const known = seen?.ok === true ? seen.value : undefined;
	const operations = isWhole
		? replaceWhole(attributes, (known ?? (await readUserNow(person.id, world))).attributes)
		: replaceAttributes(attributes);
	return operationsInForm(operations, form);
}

/**
 * Names the form in which a change is tried again that was taken and is not seen, or a rename that the service has failed at
 * and has not made; undefined where there is none.
 */
export function nextForm(
	change: AccountChange,
	state: EntryState,
	world: SendContext,
	isSecond = false,
): FormName | undefined {
	const { client, facts } = world;
	const { attributes = { active: change.after === 'active' }, before, after, whole } = change;
	const isUpdate = before !== 'absent' && after !== 'absent' && whole === undefined;
	const isFailedRename = hasStatus(state.error, 500) && attributes.userName !== undefined;
	const seen = facts.user(userIdOf(change, state, world), state.since);
	const user = seen?.ok === true ? seen.value : undefined;
	const mayBeTried = isUpdate && (state.isTaken || isFailedRename);
	if (!mayBeTried || state.whole !== undefined || user === undefined) return undefined;
	const { different, open } = unseenIn(attributes, state, user, world);
	if (isFailedRename)
		return different.includes('userName') ? client.forms.Users.afterFailure(attributes) : undefined;
	const pick = (names: readonly string[]) =>
		Object.fromEntries(names.map((name) => [name, attributes[name]]));
	const unset = open.filter((name) => isKnownUnset(pick([name]), user, world));
	const unseen = pick([...different, ...unset]);
	// Where the answer has shown something else, or nothing, reads may lag behind.
	const isShownAsBefore = state.showedBefore === true && isAsBefore(attributes, state, user);
	const hasNoEffect = isShownAsBefore && Object.keys(unseen).length > 0;
	return client.forms.Users.afterNoEffect(unseen, hasNoEffect, isSecond);
}

/** Tells whether a user shows all that was sent as before. */
function isAsBefore(attributes: Attributes, { before }: EntryState, user: User): boolean {
	if (before === undefined) return false;
	return isDeepEqual(wasOf(attributes, before.attributes), wasOf(attributes, user.attributes));
}

/**
 * Reads the user that a PUT is tried of. Rule of evidence, "may be replaced whole": not where the access of the user is not
 * told, nor where a read by ID lacks what another one has shown, as the PUT would clear it.
 * @returns undefined where the user may not be replaced
 */
async function readReplaceable(
	{ before }: EntryState,
	{ id }: Person,
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
 * PUT of the whole user, who is read by ID where the plan's read was of a list or is late, and before every repeat: an old
 * one would undo what others have changed since, such as a deactivation.
 */
async function sendWholeUser(
	change: AccountChange,
	state: EntryState,
	person: Person,
	world: SendContext,
): Promise<void> {
	const { client } = world;
	const { attributes = {}, whole } = change;
	const isOld = !world.facts.wasRead('Users', person.id) || isLate(whole?.readAt, client.timing);
	if (!isOld) state.whole = whole?.planned;
	state.sentIn = formToProve(new Set(['wholeResource']), person.id, attributes, world);
	await noteAnswer(
		change,
		state,
		attributes,
		world,
		async () => await putUser(change, state, person, attributes, true, world),
	);
	state.isUntagged = world.facts.wasUntagged('Users', person.id);
}

/** PUT of `state.whole`, and where that is missing of the user as read now. */
async function putUser(
	change: AccountChange,
	state: EntryState,
	{ id }: Person,
	attributes: Attributes,
	hasSlot: boolean,
	world: SendContext,
): Promise<User | undefined> {
	const { client } = world;
	const read = async () => (state.whole = wholeUser(await readUserNow(id, world), attributes));
	const again = async () => {
		if (restsOnOthers(change, world)) await againAfterLook(change, state, world)();
		return (await read()).body;
	};
	const { body, version } = state.whole ?? (await read());
	return await client.replaceUser(id, body, again, hasSlot, version);
}

/** Sends, and notes what the answer shows, or what stands in the way. */
async function noteAnswer(
	change: AccountChange,
	state: EntryState,
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
	noteFailure(change, state, tried.error);
	return undefined;
}

/** What may have worked, and what was refused, is looked for. */
function noteFailure({ action }: AccountChange, state: EntryState, error: unknown): void {
	if (isRefusal(error)) state.isRefused = true;
	else if (!mayHaveWorked(error)) state.verdict = failed(action, error);
}

/** Whether a create has met a user who is not seen yet. */
export function isUnmet({ conflict, made, toReactivate }: EntryState): boolean {
	return conflict !== undefined && made === undefined && toReactivate === undefined;
}

/** The user of a change; of a create the one that it has made or met. */
export function userIdOf(
	{ person }: AccountChange,
	{ made, toReactivate }: EntryState,
	{ identities }: SendContext,
): string {
	return made?.user.id ?? toReactivate?.id ?? person.id ?? identities.get(person.key) ?? '';
}

/** What is known of a user, and what is to be said of it. */
export function expectedUser(
	change: AccountChange,
	state: EntryState,
	world: SendContext,
): ExpectedState {
	const { person, before, after, attributes } = change;
	const { facts, client } = world;
	const id = userIdOf(change, state, world);
	const shown = facts.user(id, state.since);
	const isProven = !facts.isAnswerOf(id) || isProvenByAnswer(change, state, world);
	const seen = isProven ? shown : undefined;
	const user = shown?.ok === true ? shown.value : undefined;
	const missing = shown?.ok === true ? missingOf(change, state, user, world) : undefined;
	const said = {
		...(seen && { seen }),
		...(missing && { missing }),
		action: change.action,
		warnings: warningsFor(change, state),
		result: { who: whoIs(person, user ?? state.made?.user) } as ProvisioningResult,
	};
	if (isUnmet(state))
		return {
			...said,
			refusal: () => hiddenUser(change, state.found, state.conflict ?? CONFLICT, client.profile),
		};
	if (state.toReactivate !== undefined) {
		const result = { who: whoIs(person, user ?? state.toReactivate), intent: 'activated' as const };
		return { ...said, action: `activate user ${newName(change)}`, result };
	}
	if (missing !== undefined || shown?.ok !== true) return said;
	const also = (...more: string[]) => ({ ...said, warnings: [...said.warnings, ...more] });
	if (before === 'absent' && user !== undefined) {
		const all = also(...warningsOfNew(change, state, user, world));
		return state.conflict === undefined ? all : { ...all, wasSo: MADE_BEFORE };
	}
	if (after === 'absent') {
		if (user !== undefined) return { ...also(KEPT), result: { who: { kind: 'kept', user } } };
		const who = { kind: 'deleted' as const, person };
		return {
			...said,
			result: { who },
			...(state.wasGone && { wasSo: 'the user was gone already' }),
		};
	}
	if (user === undefined) return also(state.isTaken ? REMOVED : GONE);
	if (attributes === undefined) return said;
	const { notShown } = compareUser(attributes, user, client.profile);
	return also(...unseenWarnings(notShown, state.known ?? EVERYTHING));
}

const GONE = 'The user is not there any more.';
const REMOVED =
	'The user is not there any more: after the deactivation, the service or another client removed it.';
const KEPT = 'The service deactivated the user instead of deleting it.';

/** What is not so yet; undefined when all is. */
function missingOf(
	change: AccountChange,
	state: EntryState,
	user: User | undefined,
	world: SendContext,
): Missing | undefined {
	const { before, after, attributes } = change;
	const { isTaken, isRefused, toReactivate } = state;
	const missingActive = (active: boolean) => missingActivity(active, world, user);
	if (toReactivate !== undefined) return missingActive(true);
	if (before === 'absent') return missingOfNew(change, state, user, world);
	if (after === 'absent') {
		const isOurs = !state.wasGone && !isRefused;
		const madeInactive = shownActivity(user) === 'inactive' && before === 'active' && isOurs;
		if (user === undefined || madeInactive) return undefined;
		return {
			reason: `the user is still there${shownActivity(user) === 'inactive' ? ', inactive' : ''}`,
		};
	}
	// A user who was there and is not any more has no access: some services remove users when they deactivate them.
	const shutsOut = deactivates(attributes ?? { active: after === 'active' });
	if (user === undefined && shutsOut && (isTaken || (isRefused && before !== 'unknown')))
		return undefined;
	if (attributes === undefined) return missingActive(after === 'active');
	return missingAttributes(attributes, state, user, world);
}

function missingActivity(
	active: boolean,
	{ facts }: SendContext,
	user?: User,
): Missing | undefined {
	if (user === undefined) return NO_SUCH_USER;
	if (!active && facts.isActiveNoMore(user)) return undefined;
	return shownActive(user) === active ? undefined : otherActive(user);
}

function otherActive(user: User): Missing {
	const active = shownActive(user);
	const reason = `the service shows active ${String(active)}`;
	return { reason, ...(active === undefined && { hidden: true }) };
}

function missingAttributes(
	attributes: Attributes,
	state: EntryState,
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

/** Names the attributes that a user shows with another value, and those not shown that may be missing. */
function unseenIn(
	attributes: Attributes,
	{ isTaken, known = EVERYTHING }: EntryState,
	user: User,
	{ client }: SendContext,
): { different: string[]; open: string[] } {
	const { different, notShown } = compareUser(attributes, user, client.profile, isSameSpelling);
	// Without an answer it is unknown whether what is never shown was taken.
	const open = notShown.filter((name) => !isTaken || !isExcused(name, known));
	return { different, open };
}

/**
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

/** The ETags that a service shows may have been of no use, or none may have been needed. */
function warningsFor({ warnings }: AccountChange, { isUntagged }: EntryState): string[] {
	const [mayOverwrite] = overwriteWarnings(undefined);
	const others = warnings.filter((said) => said !== mayOverwrite);
	return isUntagged ? [...others, mayOverwrite] : others;
}

// --- creates ---

/** Creates a user, once: what a create without an answer has made is looked for, and 409 says that there is a user. */
async function sendNewUser(
	change: AccountChange,
	state: EntryState,
	world: SendContext,
): Promise<void> {
	const { client, learned, identities, facts, reader } = world;
	const { action, ifExists = 'fail' } = change;
	const body = newUser(change);
	const sentName = newName(change);
	const { key, matching } = matchOf(change);
	const isByName = matching.by === 'userName';
	if (isByName && learned.changedName !== undefined) {
		state.verdict = failed(action, createsNobodyElse(learned.changedName));
		return;
	}
	const stillCopies = async (mayBeMade = false) => {
		const copied = await copiedNow(change, world);
		const error = copied && judgeNow(change, '', world, copied)?.error;
		if (error === undefined) return;
		state.verdict = mayBeMade
			? unverified(action, change.warnings, { reason: messageOf(error) }, {}, error)
			: failed(action, error);
		throw error;
	};
	if (isPlanLate(world)) await stillCopies();
	const { tried, left } = await sendFor(
		[state],
		world,
		async () =>
			await client.createUser(body, {
				again: stillCopies,
				quick: async () => await userNow(key, matching, 'refusable', world),
				thorough: async () => await userNow(key, matching, 'expected', world),
				// A user who may have got another user name is not found by the one that was sent.
				...(isByName && !learned.names.kept && byExternalId(change, world)),
			}),
	);
	const give = (reason: string, result: ProvisioningResult = {}, error?: unknown) => {
		state.verdict = unverified(action, change.warnings, { reason }, result, error);
	};
	if (state.verdict !== undefined) return;
	if (!tried.ok) {
		if (hasStatus(tried.error, 409))
			Object.assign(state, { conflict: tried.error.facts, isRefused: true });
		else if (mayHaveWorked(tried.error)) give(NOT_SHOWN.reason, {}, tried.error);
		else state.verdict = failed(action, tried.error);
		return;
	}
	const { user, found } = tried.value;
	if (user === undefined) {
		give('the service took the request but does not show the user');
		return;
	}
	const result: ProvisioningResult = { who: { kind: 'user', user } };
	if (isByName && found && nameKey(user.userName) !== nameKey(sentName)) {
		give(
			`the answer was lost, and ${user.userName} (ID ${user.id}) has the external ID: the service has changed the user name, or that user was there before`,
			result,
		);
		return;
	}
	if (found && !isProof(toldApartBy(change), user, client.profile)) {
		// As it would not have been created, it is a user who was there before; else it is unknown.
		const wasThere = shownActivity(user) === 'inactive' && body.active !== false;
		if (wasThere || ifExists !== 'fail') {
			state.conflict = CONFLICT;
			goOnWith(change, state, { kind: 'found', user }, world);
			return;
		}
		give(
			'the answer was lost; a user of this name is there, but neither a name nor an external ID shows that this request made it',
			result,
		);
		return;
	}
	const mayBeOther = !found && client.wasThere(user);
	const wasMissing = mayBeOther && (await reader.people.wasMissing(user.id, key, matching));
	if (mayBeOther && client.wasThere(user, wasMissing)) {
		const warnings = [...change.warnings, metWarning(user)];
		goOnWith({ ...change, warnings }, state, { kind: 'found', user }, world);
		return;
	}
	const shown = user.userName;
	if (isByName && !found && shown !== '' && nameKey(shown) !== nameKey(sentName)) {
		learned.changedName = { sent: sentName, shown };
		const error = changedName(learned.changedName);
		give(error.message, result, error);
		return;
	}
	if (shown !== '') learned.names.kept = true;
	identities.set(change.person.key, user.id);
	learned.activated.add(user.id);
	state.made = { user, isFound: found };
	state.known = await knownWhereUnseen(
		toldApartBy(change),
		found ? user : withoutEchoes(user, client.profile),
		world,
	);
	facts.seeUser(user.id, { ok: true, value: user }, left, 'write');
}

/** The user that has the key now. @throws what keeps it from being known whether there is one */
async function userNow(
	key: string,
	matching: Matching,
	absence: Question['absence'],
	{ reader }: SendContext,
): Promise<User | undefined> {
	const found = (await reader.people.find([key], { matching, absence, fresh: true })).get(key);
	if (found?.kind === 'found') return found.user;
	if (found?.kind === 'absent' || found?.kind === 'foreign') return undefined;
	throw whyNotFound(found, key, matching);
}

function newName({ person }: AccountChange): string {
	return person.userName ?? person.key;
}

/** What is sent of a new user; where something else tells who it is, the service may write the user name in its own way. */
function toldApartBy(change: AccountChange): Attributes {
	const isByName = matchOf(change).matching.by === 'userName';
	return without(newUser(change), isByName ? ['schemas'] : ['schemas', 'userName']);
}

/** What a created user is known by. */
export function matchOf(change: AccountChange): { key: string; matching: Matching } {
	const matching = matchingBy(change.matchBy ?? 'userName');
	const sent = { userName: newName(change), attributes: newUser(change) };
	return { matching, key: matching.keyOf(sent) };
}

function missingOfNew(
	change: AccountChange,
	state: EntryState,
	user: User | undefined,
	world: SendContext,
): Missing | undefined {
	if (user === undefined) return { reason: 'the user is not there' };
	const { profile } = world.client;
	const { key, matching } = matchOf(change);
	const shown = keptOf(user, state, world);
	if (matching.fold(matching.keyOf(shown)) !== matching.fold(key)) {
		return { reason: `the service does not show the ${matching.label} ${key}` };
	}
	const body = newUser(change);
	const wanted = toldApartBy(change);
	const held = valuesOf(shown, profile);
	const given = valuesOf({ ...shown, attributes: body }, profile);
	const lacking = given.find((value) => findValues(held, value).length === 0);
	if (lacking) return { reason: `the service does not show ${valueLabel(lacking)}` };
	const { different, notShown } = compareUser(wanted, shown, profile, isSameSpelling);
	const known = state.known ?? EVERYTHING;
	// Trust the response for active: true, not for active: false.
	const isOpen = (name: string) =>
		name === 'active' ? body.active === false : !isExcused(name, known);
	const open = notShown.filter(isOpen);
	const goesOn = ![...different, ...open].some(isDecisive);
	const named = (name: string) => missedParts(name, wanted, shown.attributes, isSameSpelling);
	return differing(different.flatMap(named), open.flatMap(named), goesOn);
}

function warningsOfNew(
	change: AccountChange,
	state: EntryState,
	user: User,
	world: SendContext,
): string[] {
	const shown = keptOf(user, state, world);
	const { notShown } = compareUser(toldApartBy(change), shown, world.client.profile);
	const [sent, made] = [newName(change), state.made?.user.userName ?? ''];
	const isChanged = state.made?.isFound === false && made !== '' && nameKey(made) !== nameKey(sent);
	const renamed = isChanged ? [`The service changed the user name ${sent} to ${made}.`] : [];
	return [...renamed, ...unseenWarnings(notShown, state.known ?? EVERYTHING)];
}

/**
 * Looks for the new user by external ID before a create is sent again; nothing where there is none, or where a user who was
 * there before has it: Change Email gives the new account that of the old one.
 */
function byExternalId(
	change: AccountChange,
	world: SendContext,
): { beforeRepeat?: () => Promise<User | undefined> } {
	const matching = matchingBy('externalId');
	const key = matching.keyOf({ userName: newName(change), attributes: newUser(change) });
	if (key === '' || world.facts.hasRead((user) => matching.keyOf(user) === key)) return {};
	return { beforeRepeat: async () => await userNow(key, matching, 'refusable', world) };
}

function changedName({ sent, shown }: NonNullable<Learned['changedName']>): InputError {
	return new InputError(
		`The service changed the user name ${sent} to ${shown}, so set Match Users By under Options to Email`,
		`The user is there, but a later run would not find the user by ${sent}.`,
	);
}

function createsNobodyElse({ sent, shown }: NonNullable<Learned['changedName']>): InputError {
	return new InputError(
		`No more users are created: the service changed the user name ${sent} to ${shown}, so set Match Users By under Options to Email`,
		'Nothing was sent for this user.',
	);
}

/** A new user as it was shown: an answer to the create counts without what it only repeats. */
function keptOf(user: User, { made }: EntryState, { client, facts }: SendContext): User {
	const isAnswer = facts.isAnswerOf(user.id) && made?.isFound === false;
	return isAnswer ? withoutEchoes(user, client.profile) : user;
}

/** The answer to a create without what it only repeats. */
function withoutEchoes(user: User, { keeps }: ServiceProfile): User {
	if (keeps === undefined) return user;
	const kept = Object.entries(user.attributes).filter(([name]) => keeps(name));
	return { ...user, attributes: Object.fromEntries(kept) };
}

const CONFLICT: FailureFacts = { kind: 'http', method: 'POST', status: 409, mayHaveWorked: false };

/** A create that the service refused because there is a user already. */
export interface Conflict {
	change: AccountChange;
	state: EntryState;
}

/**
 * Looks up the users that creates have met, all together: lists lag behind creates of others too, so a user who is not to be seen is
 * looked for again.
 */
export async function lookForMet(
	conflicts: readonly Conflict[],
	world: SendContext,
): Promise<void> {
	if (conflicts.length === 0) return;
	const { people } = world.reader;
	const [{ matching }] = conflicts.map(({ change }) => matchOf(change));
	const wanted = conflicts.map(({ change }) => ({
		key: matchOf(change).key,
		...(matching.by !== 'userName' && { newName: newName(change) }),
	}));
	const isFirst = conflicts.every(({ state }) => state.found === undefined);
	const found = isFirst
		? await people.match(wanted, matching, { absence: 'expected', fresh: true })
		: await people.find(
				wanted.map(({ key }) => key),
				{ matching, absence: 'refusable', fresh: true },
			);
	for (const { change, state } of conflicts) {
		state.found = found.get(matchOf(change).key);
		if (state.found?.kind !== 'absent') goOnWith(change, state, state.found, world);
	}
}

/** Goes on with a user who is there already, as the rules say. */
function goOnWith(
	change: AccountChange,
	state: EntryState,
	found: Found | undefined,
	world: SendContext,
): void {
	const { action, person, warnings } = change;
	const { client, facts, identities, isProtected } = world;
	const { key, matching } = matchOf(change);
	const refuse = (error: unknown) => (state.verdict = failed(action, error));
	if (found?.kind !== 'found') {
		refuse(whyNotFound(found, key, matching));
		return;
	}
	const { user } = found;
	const { id } = user;
	state.isRefused = false;
	const activityOf = (one: User) => facts.activity(one);
	const rules = { profile: client.profile, isProtected, activityOf, wasThere: client.wasThere };
	const resolved = resolveConflict(change, user, toldApartBy(change), rules);
	if (resolved.is === 'exists') {
		const { message, description } = resolved.error;
		refuse(new RequestError(message, description, state.conflict ?? CONFLICT));
		return;
	}
	identities.set(person.key, id);
	if (resolved.is === 'refused') refuse(resolved.error);
	else if (resolved.is === 'ours') {
		state.made = { user, isFound: true };
		facts.seeUser(id, { ok: true, value: user }, facts.leaving());
	} else if (resolved.is === 'taken' && resolved.activate) state.toReactivate = user;
	else {
		const isUpdated = resolved.is === 'updated';
		// Create or Update knows what is wanted, and says so itself.
		const all = [...warnings, ...(isUpdated ? [] : inactiveWarning(user, {}))];
		const wanted = change.attributes ?? {};
		state.verdict = unchanged(
			action,
			all,
			isUpdated ? { existing: { user, wanted } } : { who: { kind: 'user', user } },
		);
	}
}

/** The user that the service says there is cannot be seen. */
function hiddenUser(
	change: AccountChange,
	found: Found | undefined,
	conflict: FailureFacts,
	profile: ServiceProfile,
): unknown {
	const userName = newName(change);
	const { key, matching } = matchOf(change);
	if (found !== undefined && found.kind !== 'absent' && found.kind !== 'found')
		return whyNotFound(found, key, matching);
	const said = conflict.detail ? ` (${conflict.detail})` : '';
	if (matching.by !== 'userName') {
		return new InputError(
			`Could not create ${userName}: the service has the user name or the ${matching.label} ${key} already, with a user whom this credential cannot see${said}`,
			'Ask the service to release it. If the user was created a moment ago, run again in a moment.',
		);
	}
	if (!profile.knowsPeopleByLogin) {
		return new InputError(
			`Could not create ${userName}: the service says that the user exists already${said}, and this credential cannot see that user`,
			'Look at the service, also among users who are inactive or deleted. If the user was created a moment ago, lists may show new users later than Verification Time waits: run again in a moment. If the service changes the user names it is given, set Match Users By under Options to Email.',
		);
	}
	return new InputError(
		`User ${userName} exists already, but belongs to another account: this credential cannot see that user${said}`,
		'If the user was created a moment ago, lists may show new users later than Verification Time waits. Ask the service to release the email, or run again in a moment.',
	);
}

// --- what the service says of attributes ---

const EVERYTHING: KnownAttributes = { knows: () => true, hides: () => false };

/** What the service says of its attributes, asked for only where an answer does not show all that is wanted. */
async function knownWhereUnseen(
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

/** A read may lack what the answer has shown, because the service never shows it. */
export async function knowUnseen(
	change: AccountChange,
	state: EntryState,
	world: SendContext,
): Promise<void> {
	const { attributes, before, after } = change;
	const shown = world.facts.user(userIdOf(change, state, world), state.since);
	if (attributes === undefined || before === 'absent' || after === 'absent') return;
	if (state.isTaken && shown?.ok === true && shown.value !== undefined)
		state.known = await knownWhereUnseen(attributes, shown.value, world);
}

/** That it is never shown says nothing of whether it was taken. */
function isExcused(name: string, { knows, hides }: KnownAttributes): boolean {
	return name === 'password' || (!isDecisive(name) && (hides(name) || !knows(name)));
}

function without(body: Attributes, names: readonly string[]): Attributes {
	return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

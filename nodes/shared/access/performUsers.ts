import { attempt, type Attempt, InputError, isLate, mapConcurrent, nameKey, poll } from '../util';
import { failureOf, partKey, type Missing, type Outcome } from '../run';
import { type FailureFacts, hasStatus, RequestError } from '../http';
import {
	type Attributes,
	compareUser,
	findValues,
	isSameSpelling,
	missedParts,
	type KnownAttributes,
	type Matching,
	matchingBy,
	patchBody,
	replaceAttributes,
	type ScimClient,
	type ServiceProfile,
	type User,
	valueLabel,
	valuesOf,
} from '../scim';
import { usersShowGroups } from './access';
import { protectedPerson } from './diff';
import { foundUser, type Directory, type Found, whyNotFound } from './directory';
import {
	differing,
	inTurn,
	mayHaveWorked,
	parts,
	sendOrLookLater,
	unverified,
	type Identities,
	type Learned,
	putWarnings,
	type StepOf,
} from './performCommon';
import {
	existingUser,
	inactivePerson,
	inactiveWarning,
	isMadeBefore,
	isProof,
	MADE_BEFORE,
	isDecisive,
	unseenWarnings,
	wholeUser,
} from './planUsers';
import type { WholeUser } from './change';
import {
	lookFor,
	whoIs,
	type AppliedPart,
	type Check,
	type KnownAccess,
	type Person,
	type ProvisioningStep,
	type SeenPerson,
	type Who,
} from './step';

/** What a user has to look like after a step; says what is not so yet. */
type Expectation = (user: User | undefined) => Missing | undefined;

/** Where people are known by user names, the first are created one by one: the service may change these. */
export async function createUser(
	step: StepOf<'createUser'>,
	client: ScimClient,
	directory: Directory,
	identities: Identities,
	learned: Learned,
): Promise<AppliedPart[]> {
	const create = async () => await createOne(step, client, directory, identities, learned);
	const isFree = matchOf(step).matching.by !== 'userName' || learned.names.kept;
	return isFree ? await create() : await inTurn(learned.names, create);
}

async function createOne(
	step: StepOf<'createUser'>,
	client: ScimClient,
	directory: Directory,
	identities: Identities,
	learned: Learned,
): Promise<AppliedPart[]> {
	const body = step.request.body;
	const { key, matching } = matchOf(step);
	const isByName = matching.by === 'userName';
	if (isByName && learned.changedName !== undefined) throw createsNobodyElse(learned.changedName);
	const tried = await attempt(
		async () =>
			await client.createUser(body, {
				quick: async () => await directory.lookAgain(key, matching),
				async thorough() {
					const found = (await directory.findAfterConflicts([{ key }], matching)).get(key);
					return found?.kind === 'found' ? found.user : undefined;
				},
				// Whoever may have got another user name is not found by the one that was sent.
				...(isByName && !learned.names.kept && byExternalId(step, client, directory)),
			}),
	);
	if (!tried.ok) {
		if (hasStatus(tried.error, 409)) {
			return conflicting(step, tried.error.facts);
		}
		if (!mayHaveWorked(tried.error)) throw tried.error;
		return parts(step, unverified(step.action, step.warnings, tried));
	}
	const { user, found } = tried.value;
	if (user === undefined) {
		const reason = 'the service took the request but does not show the user';
		return parts(step, { status: 'unverified', action: step.action, reason });
	}
	if (isByName && found && nameKey(user.userName) !== nameKey(step.userName)) {
		const reason = `the answer was lost, and ${user.userName} (ID ${user.id}) has the external ID: the service has changed the user name, or that user was there before`;
		return parts(
			step,
			{ status: 'unverified', action: step.action, reason, warnings: step.warnings },
			{ who: { kind: 'user', user } },
		);
	}
	const wanted = toldApartBy(step);
	if (found && !isProof(wanted, user, client.profile)) {
		// As it would not have been created, it is somebody who was there before; else nobody knows.
		const wasThere = user.active === false && body.active !== false;
		if (wasThere || step.ifExists !== 'fail') {
			return await goOnWith(step, user, CONFLICT, client, identities, learned);
		}
		const reason =
			'the answer was lost; a user of this name is there, but neither a name nor an external ID shows that this request made it';
		return parts(
			step,
			{ status: 'unverified', action: step.action, reason, warnings: step.warnings },
			{ who: { kind: 'user', user } },
		);
	}
	const [sent, shown] = [step.userName, user.userName];
	const isChanged = !found && shown !== '' && nameKey(shown) !== nameKey(sent);
	if (isByName && isChanged) {
		learned.changedName = { sent, shown };
		const error = changedName(learned.changedName);
		const { action, warnings } = step;
		const outcome = {
			status: 'unverified' as const,
			action,
			warnings,
			reason: error.message,
			error,
		};
		return parts(step, outcome, { who: { kind: 'user', user } });
	}
	if (shown !== '') learned.names.kept = true;
	identities.set(step.parts[0].subject, user.id);
	learned.letIn.add(user.id);
	return await judgeCreated(step, user, client, { found, isChanged });
}

/** What is sent of a new user; where something else tells who it is, the service may write the user name in its own way. */
function toldApartBy(step: StepOf<'createUser'>): Attributes {
	const isByName = matchOf(step).matching.by === 'userName';
	return without(step.request.body, isByName ? ['schemas'] : ['schemas', 'userName']);
}

/** @param seen whether the user was `found` after the create, and whether the user name `isChanged` */
async function judgeCreated(
	step: StepOf<'createUser'>,
	user: User,
	client: ScimClient,
	{ found, isChanged }: { found: boolean; isChanged: boolean },
): Promise<AppliedPart[]> {
	const { body } = step.request;
	const sent = step.userName;
	const { key, matching } = matchOf(step);
	const wanted = toldApartBy(step);
	const missing: Expectation = (seen) => {
		if (seen === undefined) return { reason: 'the user is not there' };
		if (matching.fold(matching.keyOf(seen)) !== matching.fold(key)) {
			return { reason: `the service does not show the ${matching.label} ${key}` };
		}
		const held = valuesOf(seen, client.profile);
		const given = valuesOf({ ...seen, attributes: body }, client.profile);
		const lacking = given.find((value) => findValues(held, value).length === 0);
		if (lacking) return { reason: `the service does not show ${valueLabel(lacking)}` };
		const { different, notShown } = compareUser(wanted, seen, client.profile, isSameSpelling);
		// Who is to be let in may be believed to the answer, who is to stay out may not.
		const isOpen = (name: string) =>
			name === 'active' ? body.active === false : !isExcused(name, known);
		const open = notShown.filter(isOpen);
		const goesOn = ![...different, ...open].some(isDecisive);
		const named = (name: string) => missedParts(name, wanted, seen.attributes, isSameSpelling);
		return differing(different.flatMap(named), open.flatMap(named), goesOn);
	};
	const answer = found ? user : withoutEchoes(user, client.profile);
	const known = await knownWhereUnseen(wanted, answer, client);
	const warnings = (seen: User) => {
		const { notShown } = compareUser(wanted, seen === user ? answer : seen, client.profile);
		const renamed = isChanged
			? [`The service changed the user name ${sent} to ${user.userName}.`]
			: [];
		return [...renamed, ...unseenWarnings(notShown, known)];
	};
	const missingInAnswer: Expectation = (seen) => missing(seen === user ? answer : seen);
	return judge(step, user, { ok: true, value: user }, { missing, missingInAnswer, warnings });
}

/**
 * Looks for the new user by external ID before a create is sent again; nothing where there is none, or where a user who was
 * there before has it: Change Email gives the new account that of the old one.
 */
function byExternalId(
	{ userName, request }: StepOf<'createUser'>,
	client: ScimClient,
	directory: Directory,
): { beforeRepeat?: () => Promise<User | undefined> } {
	const matching = matchingBy('externalId');
	const key = matching.keyOf({ userName, attributes: request.body });
	if (key === '' || client.hasSeen((user) => matching.keyOf(user) === key)) return {};
	return {
		async beforeRepeat() {
			const found = (await directory.lookAgainFor([key], matching)).get(key);
			if (found?.kind === 'found') return found.user;
			if (found?.kind === 'absent' || found?.kind === 'foreign') return undefined;
			throw whyNotFound(found, key, matching);
		},
	};
}

/** By what somebody who is created is known. */
function matchOf({ userName, matchBy = 'userName', request }: StepOf<'createUser'>): {
	key: string;
	matching: Matching;
} {
	const matching = matchingBy(matchBy);
	return { matching, key: matching.keyOf({ userName, attributes: request.body }) };
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

/** The answer to a create without what it only repeats. */
function withoutEchoes(user: User, { keptAttributes }: ServiceProfile): User {
	if (keptAttributes === undefined) return user;
	const entries = Object.entries(user.attributes);
	const kept = entries.filter(([name]) => keptAttributes.includes(name.toLowerCase()));
	return { ...user, attributes: Object.fromEntries(kept) };
}

const CONFLICT: FailureFacts = { kind: 'http', method: 'POST', status: 409, mayHaveWorked: false };

/** Not decided yet: see meetExistingUsers. */
function conflicting(step: StepOf<'createUser'>, facts: FailureFacts): AppliedPart[] {
	const reason = 'a user with this user name exists, but was not looked up yet';
	const outcome: Outcome = { status: 'failed', action: step.action, reason };
	return parts(step, outcome, {}, { kind: 'conflict', step, facts });
}

/**
 * Decides what happens to the creates that met somebody: all of them are looked up together, then each goes on as its
 * operation was asked to. Every other part is given back as it is.
 * @param stopped why nothing more may be sent, if so
 */
export async function meetExistingUsers(
	applied: readonly AppliedPart[],
	client: ScimClient,
	directory: Directory,
	identities: Identities,
	learned: Learned,
	concurrency: number,
	stopped: () => string | undefined,
): Promise<AppliedPart[]> {
	const met = applied.flatMap(({ open }) => (open?.kind === 'conflict' ? open : []));
	const conflicts = [...new Set(met)];
	if (conflicts.length === 0) return [...applied];
	const steps = conflicts.map(({ step }) => step);
	const found = await findPatiently(steps, client, directory);
	const decisions = await mapConcurrent(conflicts, concurrency, async ({ step, facts }) => {
		const who = found.get(matchOf(step).key);
		const reason = stopped();
		if (reason !== undefined) {
			return parts(step, { status: 'failed', action: step.action, reason });
		}
		const tried = await attempt(
			async () => await meetExistingUser(step, who, facts, client, identities, learned),
		);
		return tried.ok ? tried.value : parts(step, failureOf(step.action, tried.error));
	});
	const decided = new Map(decisions.flat().map((part) => [partKey(part), part]));
	return applied.map((part) =>
		part.open?.kind === 'conflict' ? (decided.get(partKey(part)) ?? part) : part,
	);
}

/** Who is there, again and again while somebody is not to be seen: lists lag behind creates of others too. */
async function findPatiently(
	steps: ReadonlyArray<StepOf<'createUser'>>,
	client: ScimClient,
	directory: Directory,
): Promise<ReadonlyMap<string, Found>> {
	const [{ matching }] = steps.map(matchOf);
	const wanted = steps.map((step) => {
		const { key } = matchOf(step);
		return { key, ...(matching.by !== 'userName' && { newName: step.userName }) };
	});
	const found = await directory.findAfterConflicts(wanted, matching);
	const unseen = () => [...found].flatMap(([name, { kind }]) => (kind === 'absent' ? [name] : []));
	let first = true;
	await poll(client.patience, async () => {
		if (!first) {
			for (const [key, who] of await directory.lookAgainFor(unseen(), matching))
				found.set(key, who);
		}
		first = false;
		return unseen().length === 0 ? true : undefined;
	});
	return found;
}

/** The service says 409: what that means depends on what the operation was asked to do about it. */
async function meetExistingUser(
	step: StepOf<'createUser'>,
	found: Found | undefined,
	conflict: FailureFacts,
	client: ScimClient,
	identities: Identities,
	learned: Learned,
): Promise<AppliedPart[]> {
	const { userName } = step;
	const { key, matching } = matchOf(step);
	if (found?.kind === 'absent' && matching.by !== 'userName') {
		throw new InputError(
			`Could not create ${userName}: the service has the user name or the ${matching.label} ${key} already, with a user whom this credential cannot see${conflict.detail === undefined ? '' : ` (${conflict.detail})`}`,
			'Ask the service to release it. If the user was created a moment ago, run again in a moment.',
		);
	}
	if (found?.kind === 'absent') {
		throw new InputError(
			`User ${userName} exists already, but belongs to another account: this credential cannot see that user`,
			'If the user was created a moment ago, lists may show new users later than Verification Time waits. Ask the service to release the email, or run again in a moment. If the service changes the user names it is given, set Match Users By under Options to Email.',
		);
	}
	return await goOnWith(
		step,
		foundUser(found, key, matching),
		conflict,
		client,
		identities,
		learned,
	);
}

/** With somebody who exists, as the operation was asked to. */
async function goOnWith(
	step: StepOf<'createUser'>,
	user: User,
	conflict: FailureFacts,
	client: ScimClient,
	identities: Identities,
	{ isProtected }: Learned,
): Promise<AppliedPart[]> {
	const { userName, action } = step;
	const { id, userName: shown } = user;
	const isTaken = step.ifExists === 'adopt' || step.ifExists === 'adoptAndActivate';
	if (isTaken && isProtected({ key: id, id, userName: shown })) throw protectedPerson(shown);
	if (step.ifExists === 'fail') {
		if (!isMadeBefore(toldApartBy(step), user, client.profile)) {
			const { message, description } = existingUser(userName, user);
			throw new RequestError(message, description, conflict);
		}
		identities.set(step.parts[0].subject, user.id);
		const judged = await judgeCreated(step, user, client, { found: true, isChanged: false });
		return judged.map(madeBefore);
	}
	identities.set(step.parts[0].subject, user.id);
	if (user.active === false && step.ifExists === 'adopt') throw inactivePerson(userName);
	if (user.active === false && step.ifExists === 'adoptAndActivate') {
		const body = patchBody(replaceAttributes({ active: true }));
		const shown = await sendOrLookLater(async () => await client.patchUser(user.id, body));
		const activated = judge({ ...step, action: `activate user ${userName}` }, user, shown, {
			missing: expectActive(true, shown.ok),
		});
		return activated.map((part) => ({ ...part, result: { ...part.result, intent: 'activated' } }));
	}
	const outcome: Outcome = {
		status: 'unchanged',
		action,
		// Create or Update knows what is wanted, and says so itself.
		warnings: [...step.warnings, ...(step.ifExists === 'update' ? [] : inactiveWarning(user, {}))],
	};
	return step.ifExists === 'update'
		? parts(step, outcome, {}, { kind: 'existing', user, wanted: step.attributes })
		: parts(step, outcome, { who: { kind: 'user', user } });
}

function madeBefore(part: AppliedPart): AppliedPart {
	if (part.outcome.status !== 'done') return part;
	return { ...part, outcome: { ...part.outcome, status: 'unchanged', reason: MADE_BEFORE } };
}

/** PATCH of attributes. */
export async function updateUser(
	step: StepOf<'updateUser'>,
	client: ScimClient,
): Promise<AppliedPart[]> {
	const send = async () => await client.patchUser(step.person.id, step.request.body);
	const shown =
		step.attributes.active === false
			? await sendDeactivation(step, send)
			: await sendOrLookLater(send);
	return await judgeChange(step, shown, client);
}

/**
 * PUT of the whole user, who is read by ID where the plan's read was of a list or is late, and before every repeat: an old
 * one would undo what others have changed since, such as a deactivation.
 */
export async function replaceUser(
	step: StepOf<'replaceUser'>,
	client: ScimClient,
): Promise<AppliedPart[]> {
	const { person, attributes, action, readAt } = step;
	const { activeAfter, version } = step;
	let whole: WholeUser = { body: step.request.body, activeAfter, version };
	const again = async () => {
		whole = wholeUser(await client.getUser(person.id), attributes);
		return whole.body;
	};
	await client.patience.placeOfWrite?.(action);
	const isRead = client.wasRead('Users', person.id) && !isLate(readAt, client.patience);
	if (!isRead) await again();
	const shown = await sendOrLookLater(
		async () => await client.replaceUser(person.id, whole.body, again, true, whole.version),
	);
	const warnings = putWarnings(step, client, 'Users', person.id);
	return await judgeChange({ ...step, warnings, activeAfter: whole.activeAfter }, shown, client);
}

async function judgeChange(
	step: StepOf<'updateUser'> | StepOf<'replaceUser'>,
	shown: Attempt<User | undefined>,
	client: ScimClient,
): Promise<AppliedPart[]> {
	if (isGone(shown)) return removedInstead(step, shown.error);
	const expected = await expectAttributes(step, client, shown);
	// Some services answer with the new user name and keep the old one (docs/interface.md 2.2).
	const byId = step.attributes.userName !== undefined;
	return judge(step, step.person, shown, { ...expected, byId });
}

export async function setActive(
	step: StepOf<'setActive'>,
	client: ScimClient,
	directory: Directory,
): Promise<AppliedPart[]> {
	if (step.onlyWith !== undefined) {
		return await deactivateLeaver(step, step.onlyWith, client, directory);
	}
	const { id } = step.person;
	const send = async () => await client.patchUser(id, step.request.body);
	const shown = step.active ? await sendOrLookLater(send) : await sendDeactivation(step, send);
	if (isGone(shown)) return removedInstead(step, shown.error);
	return judge(step, step.person, shown, { missing: expectActive(step.active, shown.ok) });
}

/** The same as sendOrLookLater; that a user is gone whom this run has seen is no error either. */
async function sendDeactivation<T>(
	{ seenBefore }: SeenPerson,
	send: () => Promise<T>,
): Promise<Attempt<T>> {
	const tried = await attempt(send);
	if (tried.ok || mayHaveWorked(tried.error) || (seenBefore && isGone(tried))) return tried;
	throw tried.error;
}

function isGone(tried: Attempt<unknown>): tried is { ok: false; error: RequestError } {
	return !tried.ok && hasStatus(tried.error, 404, 410);
}

const REMOVED = 'The service has removed the user on deactivation.';

/** What was shown of the user before says nothing any more. */
function removed(part: AppliedPart, person: Person): AppliedPart {
	return { ...warned(part, [REMOVED]), result: { ...part.result, who: whoIs(person) } };
}

/** Some services remove whom they deactivate: then the user was there before and is not any more. */
function removedInstead(
	step: StepOf<'updateUser'> | StepOf<'replaceUser'> | StepOf<'setActive'>,
	error: RequestError,
): AppliedPart[] {
	const { action, warnings, person } = step;
	const check: Check = {
		kind: 'user',
		id: person.id,
		byId: true,
		missing: (user) => (user === undefined ? undefined : { reason: 'the user is still there' }),
		settled: (part) => removed(part, person),
	};
	const outcome = unverified(action, warnings, { ok: false, error });
	return parts(step, outcome, { who: whoIs(person) }, lookFor(check, true));
}

/**
 * Deactivates somebody for having no other access, after a look where that was read some time ago, and before every
 * repeat.
 * @throws InputError when the person has other access now
 */
async function deactivateLeaver(
	step: StepOf<'setActive'>,
	known: KnownAccess,
	client: ScimClient,
	directory: Directory,
): Promise<AppliedPart[]> {
	const { action, person, warnings, request } = step;
	const inactive = async () => {
		const user = await client.getUser(person.id);
		const groups = await groupsNow(user, client, directory);
		const roles = [
			...groups.filter((groupId) => !known.includes(groupId)).map(known.label),
			...valuesOf(user, client.profile).map((value) => `holder of ${valueLabel(value)}`),
		];
		if (roles.length > 0) throw hasAccess(person, roles);
		return user.active === false ? user : undefined;
	};
	let stopped: InputError | undefined;
	const again = async () => {
		const looked = await attempt(inactive);
		if (looked.ok) return looked.value;
		if (looked.error instanceof InputError) stopped = looked.error;
		throw looked.error;
	};
	const tried = await attempt(async () => {
		await client.patience.placeOfWrite?.(action);
		const user = isLate(known.readAt, client.patience) ? await inactive() : undefined;
		if (user !== undefined) {
			return parts(step, { status: 'unchanged', action, warnings }, { who: whoIs(person, user) });
		}
		const shown = await sendOrLookLater(
			async () => await client.patchUser(person.id, request.body, again, true),
		);
		return judge(step, person, shown, { missing: expectActive(false, shown.ok) });
	});
	if (stopped !== undefined) throw stopped;
	if (tried.ok) return tried.value;
	// Where a deactivation takes the memberships along, those of somebody who is gone would stay.
	const canBeGone = !client.profile.deactivationDropsMemberships && hasStatus(tried.error, 404);
	const user = canBeGone ? (await directory.readUsers([person.id])).get(person.id) : undefined;
	if (user?.ok !== true || user.value !== undefined) throw tried.error;
	return parts(
		step,
		{ status: 'unchanged', action, reason: 'the user is gone', warnings },
		{ who: whoIs(person) },
	);
}

/** Ids of the groups that a user who was just read is in; where users do not say, those that show the user. */
async function groupsNow(
	user: User,
	client: ScimClient,
	directory: Directory,
): Promise<readonly string[]> {
	if (usersShowGroups([user], client.profile)) return user.groupIds ?? [];
	const before = await directory.accessAbout([user.id]);
	const access = isLate(before.readAt, client.patience)
		? await directory.accessAboutNow([user.id])
		: before;
	return [...(access.held.get(user.id) ?? [])].flatMap((key) => access.groups.get(key)?.id ?? []);
}

function hasAccess({ id, userName = id }: Person, roles: readonly string[]): InputError {
	return new InputError(
		`${userName} is ${roles.join(', ')} now, so the user was not deactivated`,
		'Someone gave the person access after the groups were read. Run again to compare again.',
	);
}

export async function deleteUser(
	step: StepOf<'deleteUser'>,
	client: ScimClient,
): Promise<AppliedPart[]> {
	const { action, person, warnings, wasActive } = step;
	const tried = await sendOrLookLater(async () => await client.deleteUser(person.id));
	const wasGone = tried.ok && !tried.value;
	const madeInactive = (user: User) => user.active === false && wasActive && !wasGone;
	// The service answers 204 whether there was a user or not (docs/interface.md 2.1), so only a look proves it.
	const check: Check = {
		kind: 'user',
		id: person.id,
		byId: true,
		missing(user) {
			if (user === undefined || madeInactive(user)) return undefined;
			return { reason: `the user is still there${user.active === false ? ', inactive' : ''}` };
		},
		settled(part, user) {
			if (user !== undefined) {
				const said = 'The service deactivated the user instead of deleting it.';
				return { ...warned(part, [said]), result: { who: { kind: 'kept', user } } };
			}
			const reason = 'the user was gone already';
			const outcome: Outcome = { ...part.outcome, status: 'unchanged', reason };
			const who: Who = { ...(part.result?.who ?? whoIs(person)), kind: 'deleted' };
			return { ...part, ...(wasGone && { outcome }), result: { who } };
		},
	};
	return parts(step, unverified(action, warnings, tried), { who: whoIs(person) }, lookFor(check));
}

/** What a user has to look like after a step, and what is to be said of one who does. */
interface Expected {
	missing: Expectation;
	/** The same of the answer to the write, where that may be older than the write. */
	missingInAnswer?: Expectation;
	/** Whether only a GET of the user counts. */
	byId?: boolean;
	warnings?(user: User): string[];
}

/** `done` when the answer shows what is expected, else `unverified` with the check. */
function judge(
	step: ProvisioningStep,
	person: Person,
	tried: Attempt<User | undefined>,
	{ missing, missingInAnswer = missing, byId = false, warnings: of = () => [] }: Expected,
): AppliedPart[] {
	const { action, warnings } = step;
	const shown = tried.ok ? tried.value : undefined;
	const settled = (part: AppliedPart, user: User | undefined) =>
		user === undefined ? removed(part, person) : warned(part, of(user));
	const result = shown && { who: { kind: 'user' as const, user: shown } };
	if (!byId && shown !== undefined && missingInAnswer(shown) === undefined) {
		return parts(step, { status: 'done', action, warnings }, result).map((part) =>
			settled(part, shown),
		);
	}
	const open = lookFor({ kind: 'user', id: person.id, byId, missing, settled });
	return parts(step, unverified(action, warnings, tried), result, open);
}

function warned(part: AppliedPart, warnings: readonly string[]): AppliedPart {
	const all = [...(part.outcome.warnings ?? []), ...warnings];
	return { ...part, outcome: { ...part.outcome, warnings: all } };
}

const NO_SUCH_USER: Missing = { reason: 'there is no such user' };

function otherActive({ active }: User): Missing {
	const reason = `the service shows active ${String(active)}`;
	return { reason, ...(active === undefined && { hidden: true }) };
}

/** @param answered whether the service took the request: then a user who is gone was removed by it */
function expectActive(active: boolean, answered: boolean): Expectation {
	return (user) => {
		if (user === undefined) return answered && !active ? undefined : NO_SUCH_USER;
		return user.active === active ? undefined : otherActive(user);
	};
}

async function expectAttributes(
	step: StepOf<'updateUser'> | StepOf<'replaceUser'>,
	client: ScimClient,
	shown: Attempt<User | undefined>,
): Promise<Expected> {
	const { profile } = client;
	// Without an answer nothing says that what nobody sees was taken.
	const known = shown.ok
		? await knownWhereUnseen(step.attributes, shown.value, client)
		: EVERYTHING;
	return {
		missing: (user) => {
			const isDeactivated = shown.ok && step.attributes.active === false;
			if (user === undefined) return isDeactivated ? undefined : NO_SUCH_USER;
			const activeAfter = step.kind === 'replaceUser' ? step.activeAfter : undefined;
			if (activeAfter !== undefined && user.active !== activeAfter) return otherActive(user);
			const { different, notShown } = compareUser(step.attributes, user, profile, isSameSpelling);
			const open = notShown.filter((name) => !shown.ok || !isExcused(name, known));
			const named = (name: string) =>
				missedParts(name, step.attributes, user.attributes, isSameSpelling);
			return differing(different.flatMap(named), open.flatMap(named));
		},
		warnings: (user) => unseenWarnings(compareUser(step.attributes, user, profile).notShown, known),
	};
}

const EVERYTHING: KnownAttributes = { knows: () => true, hides: () => false };

/** What the service says of its attributes, asked for only where an answer does not show all that is wanted. */
async function knownWhereUnseen(
	wanted: Attributes,
	answer: User | undefined,
	client: ScimClient,
): Promise<KnownAttributes> {
	const unseen =
		answer === undefined
			? Object.keys(wanted)
			: compareUser(wanted, answer, client.profile).notShown;
	const isNeeded = unseen.some((name) => !isDecisive(name) && name !== 'password');
	return isNeeded ? await client.knownAttributes() : EVERYTHING;
}

/** That nobody sees it says nothing of whether it was taken. */
function isExcused(name: string, { knows, hides }: KnownAttributes): boolean {
	return name === 'password' || (!isDecisive(name) && (hides(name) || !knows(name)));
}

function without(body: Attributes, names: readonly string[]): Attributes {
	return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

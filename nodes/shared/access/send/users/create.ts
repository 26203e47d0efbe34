import { InputError, messageOf, nameKey, serially, shown } from '../../../util';
import type { Missing } from '../../../run';
import {
	hasStatus,
	mayHaveWorked,
	RequestError,
	withDetail,
	type FailureFacts,
} from '../../../http';
import {
	compareUser,
	findValues,
	isSameSpelling,
	matchingBy,
	missedParts,
	shownActivity,
	valueLabel,
	valuesOf,
	type Attributes,
	type Matching,
	type ServiceProfile,
	type User,
} from '../../../scim';
import {
	inactiveWarning,
	isDecisive,
	isProof,
	MADE_BEFORE,
	inGroupsWarning,
	metWarning,
	unseenWarnings,
	whoIs,
	type AccountChange,
	type ProvisioningResult,
} from '../../changes';
import { whyNotFound, type Found, type Question } from '../../facts';
import { resolveConflict } from '../../guards';
import { takeManager } from '../managers';
import { copiedNow, isPlanLate, judgeNow, noteMet } from '../preconditions';
import { newUser } from '../requests';
import {
	reactivationOf,
	type CreateState,
	type ReactivationState,
	failed,
	NOT_SHOWN,
	sendFor,
	unchanged,
	unverified,
	type ExpectedState,
	type Learned,
	type SendContext,
} from '../context';
import {
	changedByService,
	differing,
	EVERYTHING,
	expectedOf,
	isExcused,
	knownWhereUnseen,
	missingActivity,
} from './expected';
import { sendAttributes } from './update';

/** Creates a user. Where people are known by user names, the first are created one by one: the service may change these. */
export async function sendCreate(state: CreateState, world: SendContext): Promise<void> {
	const { names } = world.learned;
	const create = async () => await sendNewUser(state, world);
	const isFree = matchOf(state.change).matching.by !== 'userName' || names.kept;
	await (isFree ? create() : serially(names, create));
}

/** Activates the inactive user that a create has met. */
export async function sendReactivation(
	state: ReactivationState,
	world: SendContext,
): Promise<void> {
	const { id } = state.user;
	state.isSent = true;
	world.learned.activated.add(id);
	await sendAttributes(state, id, { active: true }, world);
}

/** Tells whether a create has met a user who is not seen yet. */
export function isUnmet({ conflict, made, reactivation }: CreateState): boolean {
	return conflict !== undefined && made === undefined && reactivation === undefined;
}

/** Compares what is known of a created user with what is expected. */
export function expectedCreate(state: CreateState, world: SendContext): ExpectedState {
	const { change, conflict, found, made } = state;
	const missingIn = (shown: User | undefined) => missingOf(state, shown, world);
	const { said, user, isSo } = expectedOf(state, missingIn, world);
	const all = { ...said, result: { who: whoIs(change.person, user ?? made?.user) } };
	if (isUnmet(state)) {
		const { profile } = world.client;
		return { ...all, refusal: () => hiddenUser(change, found, conflict ?? CONFLICT, profile) };
	}
	if (!isSo || user === undefined) return all;
	const inGroups = state.isInGroups === true ? [inGroupsWarning(user)] : [];
	const warnings = [...said.warnings, ...inGroups, ...warningsOf(state, user, world)];
	const result = { ...all.result, ...(state.isInGroups && { mayBeOld: true }) };
	return { ...all, result, warnings, ...(conflict !== undefined && { wasSo: MADE_BEFORE }) };
}

/** Compares what is known of a user whom a create activates with what is expected. */
export function expectedReactivation(state: ReactivationState, world: SendContext): ExpectedState {
	const { change } = state;
	const missingIn = (shown: User | undefined) => missingActivity(true, world, shown);
	const { said, user } = expectedOf(state, missingIn, world);
	const who = whoIs(change.person, user ?? state.user);
	const action = `activate user ${newName(change)}`;
	return { ...said, action, result: { who, intent: 'activated' } };
}

/** Creates a user, once: what a create without an answer has made is looked for, and 409 says that there is a user. */
async function sendNewUser(state: CreateState, world: SendContext): Promise<void> {
	takeManager(state, world);
	const { change } = state;
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
	let mayBeOurs = false;
	const { tried, left } = await sendFor(
		[state],
		world,
		async () =>
			await client.createUser(body, {
				again: async (mayBeMade) => {
					mayBeOurs ||= mayBeMade;
					await stillCopies(mayBeMade);
				},
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
		if (hasStatus(tried.error, 409)) {
			const isNews = !mayBeOurs;
			Object.assign(state, { conflict: tried.error.facts, isRefused: true, isNews });
		} else if (mayHaveWorked(tried.error)) give(NOT_SHOWN.reason, {}, tried.error);
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
			`the answer was lost, and ${shown(user.userName)} (ID ${user.id}) has the external ID: the service has changed the user name, or that user was there before`,
			result,
		);
		return;
	}
	if (found && !isProof(toldApartBy(change), user, client.profile)) {
		// As it would not have been created, it is a user who was there before; else it is unknown.
		const wasThere = shownActivity(user) === 'inactive' && body.active !== false;
		if (wasThere || ifExists !== 'fail') {
			if (wasThere || client.wasThere(user)) await noteMet(sentName, () => user, world);
			state.conflict = CONFLICT;
			goOnWith(state, { kind: 'found', user }, world);
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
		await noteMet(sentName, () => user, world);
		const warnings = [...change.warnings, metWarning(user)];
		goOnWith(state, { kind: 'found', user }, world, warnings);
		return;
	}
	const { userName } = user;
	if (isByName && !found && userName !== '' && nameKey(userName) !== nameKey(sentName)) {
		learned.changedName = { sent: sentName, shown: userName };
		const error = changedName(learned.changedName);
		give(error.message, result, error);
		return;
	}
	// Where no inactive user was shown, an old account may have come back.
	const isTold = !mayBeOther || facts.hasRead((one) => shownActivity(one) === 'inactive');
	state.isInGroups = !isTold;
	if (userName !== '') learned.names.kept = true;
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

/** Finds the user that has the key now. @throws what keeps it from being known whether there is one */
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

/** Returns the user name that a create sends. */
function newName({ person }: AccountChange): string {
	return person.userName ?? person.key;
}

/** Returns what is sent of a new user; where something else tells who it is, the service may write the user name in its own way. */
function toldApartBy(change: AccountChange): Attributes {
	const isByName = matchOf(change).matching.by === 'userName';
	return without(newUser(change), isByName ? ['schemas'] : ['schemas', 'userName']);
}

/** Returns what a created user is known by. */
function matchOf(change: AccountChange): { key: string; matching: Matching } {
	const matching = matchingBy(change.matchBy ?? 'userName');
	const sent = { userName: newName(change), attributes: newUser(change) };
	return { matching, key: matching.keyOf(sent) };
}

/** Tells what a user lacks who is to be as created; undefined when nothing. */
function missingOf(
	state: CreateState,
	user: User | undefined,
	world: SendContext,
): Missing | undefined {
	const { change } = state;
	if (user === undefined) return { reason: 'the user is not there' };
	const { profile } = world.client;
	const { key, matching } = matchOf(change);
	const kept = keptOf(user, state, world);
	if (matching.fold(matching.keyOf(kept)) !== matching.fold(key)) {
		return { reason: `the service does not show the ${matching.label} ${key}` };
	}
	const body = newUser(change);
	const wanted = toldApartBy(change);
	const held = valuesOf(kept, profile);
	const given = valuesOf({ ...kept, attributes: body }, profile);
	const lacking = given.find((value) => findValues(held, value).length === 0);
	if (lacking) return { reason: `the service does not show ${valueLabel(lacking)}` };
	const compared = compareUser(wanted, kept, profile, isSameSpelling);
	const { notShown } = compared;
	const different = changedOf(state, kept, compared.different, profile).notTaken;
	const known = state.known ?? EVERYTHING;
	// Trust the response for active: true, not for active: false.
	const isOpen = (name: string) =>
		name === 'active' ? body.active === false : !isExcused(name, known);
	const open = notShown.filter(isOpen);
	const goesOn = ![...different, ...open].some(isDecisive);
	const named = (name: string) => missedParts(name, wanted, kept.attributes, isSameSpelling);
	return differing(different.flatMap(named), open.flatMap(named), goesOn);
}

/** Says what the service has changed of a created user, or does not show. */
function warningsOf(state: CreateState, user: User, world: SendContext): string[] {
	const { change } = state;
	const kept = keptOf(user, state, world);
	const { profile } = world.client;
	const { different } = compareUser(toldApartBy(change), kept, profile, isSameSpelling);
	const { notShown } = compareUser(toldApartBy(change), kept, profile);
	const [sent, made] = [newName(change), state.made?.user.userName ?? ''];
	const isChanged = state.made?.isFound === false && made !== '' && nameKey(made) !== nameKey(sent);
	const renamed = isChanged ? [`The service changed the user name ${sent} to ${made}.`] : [];
	const changed = changedOf(state, kept, different, profile).warnings;
	return [
		...renamed,
		...changed,
		...unseenWarnings(notShown, change.attributes, state.known ?? EVERYTHING),
	];
}

/** Tells what the service has made of attributes of a user that this request has made. */
function changedOf(
	{ change, made }: CreateState,
	kept: User,
	different: readonly string[],
	profile: ServiceProfile,
): ReturnType<typeof changedByService> {
	const before = made?.isFound === false ? {} : undefined;
	return changedByService(different, toldApartBy(change), kept, before, profile);
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

/** Says that the service has changed the user name of a create. */
function changedName({ sent, shown }: NonNullable<Learned['changedName']>): InputError {
	return new InputError(
		`The service changed the user name ${sent} to ${shown}, so set Match Users By under Options to Email`,
		`The user is there, but a later run would not find the user by ${sent}.`,
	);
}

/** Says why no further user is created. */
function createsNobodyElse({ sent, shown }: NonNullable<Learned['changedName']>): InputError {
	return new InputError(
		`No more users are created: the service changed the user name ${sent} to ${shown}, so set Match Users By under Options to Email`,
		'Nothing was sent for this user.',
	);
}

/** Returns a new user as it was shown: an answer to the create counts without what it only repeats. */
function keptOf(user: User, { made }: CreateState, { client, facts }: SendContext): User {
	const isAnswer = facts.isAnswerOf(user.id) && made?.isFound === false;
	return isAnswer ? withoutEchoes(user, client.profile) : user;
}

/** Returns the answer to a create without what it only repeats. */
function withoutEchoes(user: User, { keeps }: ServiceProfile): User {
	if (keeps === undefined) return user;
	const kept = Object.entries(user.attributes).filter(([name]) => keeps(name));
	return { ...user, attributes: Object.fromEntries(kept) };
}

const CONFLICT: FailureFacts = { kind: 'http', method: 'POST', status: 409, mayHaveWorked: false };

/**
 * Looks up the users that creates have met, all together: lists lag behind creates of others too, so a user who is not to be seen is
 * looked for again.
 */
export async function lookForMet(
	conflicts: readonly CreateState[],
	world: SendContext,
): Promise<void> {
	if (conflicts.length === 0) return;
	const { people } = world.reader;
	const [{ matching }] = conflicts.map(({ change }) => matchOf(change));
	const wanted = conflicts.map(({ change }) => ({
		key: matchOf(change).key,
		...(matching.by !== 'userName' && { newName: newName(change) }),
	}));
	const isFirst = conflicts.every((state) => state.found === undefined);
	const found = isFirst
		? await people.match(wanted, matching, { absence: 'expected', fresh: true })
		: await people.find(
				wanted.map(({ key }) => key),
				{ matching, absence: 'refusable', fresh: true },
			);
	for (const state of conflicts) {
		state.found = found.get(matchOf(state.change).key);
		const { isNews, change, found: met } = state;
		const find = () =>
			met?.kind === 'found' ? met.user : world.facts.sharing([newName(change)]).at(0);
		if (isNews === true && met?.kind !== 'foreign') await noteMet(newName(change), find, world);
		if (state.found?.kind !== 'absent') goOnWith(state, state.found, world);
	}
}

/** Goes on with a user who is there already, as the rules say. */
function goOnWith(
	state: CreateState,
	found: Found | undefined,
	world: SendContext,
	warnings: readonly string[] = state.change.warnings,
): void {
	const { change } = state;
	const { action, person } = change;
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
	identities.set(person.key, id);
	if (resolved.is === 'exists') {
		const { message, description } = resolved.error;
		const conflict = state.conflict ?? CONFLICT;
		refuse(new RequestError(withDetail(message, conflict), description, conflict));
		return;
	}
	if (resolved.is === 'refused') refuse(resolved.error);
	else if (resolved.is === 'ours') {
		state.made = { user, isFound: true };
		facts.seeUser(id, { ok: true, value: user }, facts.leaving());
	} else if (resolved.is === 'taken' && resolved.activate)
		state.reactivation = reactivationOf(state, user);
	else {
		const isUpdated = resolved.is === 'updated';
		// Create or Update knows what is wanted, and says so itself.
		const all = [...warnings, ...(isUpdated ? [] : inactiveWarning(user, {}))];
		const wanted = without(change.attributes ?? {}, change.onlyWhenNew ?? []);
		state.verdict = unchanged(
			action,
			all,
			isUpdated ? { existing: { user, wanted } } : { who: { kind: 'user', user } },
		);
	}
}

/** Says that the user that the service says there is cannot be seen. */
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
			`Could not create ${shown(userName)}: the service has the user name or the ${matching.label} ${key} already, with a user whom this credential cannot see${said}`,
			'Ask the service to release it. If the user was created a moment ago, run again in a moment.',
		);
	}
	if (!profile.knowsPeopleByLogin) {
		return new InputError(
			`Could not create ${shown(userName)}: the service says that the user exists already${said}, and this credential cannot see that user`,
			'Look at the service, also among users who are inactive or deleted. If the user was created a moment ago, lists may show new users later than Verification Time waits: run again in a moment. If the service changes the user names it is given, set Match Users By under Options to Email.',
		);
	}
	return new InputError(
		`User ${shown(userName)} exists already, but belongs to another account: this credential cannot see that user${said}`,
		'If the user was created a moment ago, lists may show new users later than Verification Time waits. Ask the service to release the email, or run again in a moment.',
	);
}

function without(body: Attributes, names: readonly string[]): Attributes {
	return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

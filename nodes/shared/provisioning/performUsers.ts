import { attempt, type Attempt } from '../attempt';
import { notDone, type Outcome } from '../change/outcome';
import { InputError } from '../inputError';
import { isLate } from '../patience';
import { mapInOrder } from '../request/pool';
import { hasStatus, RequestError, type FailureFacts } from '../request/requestError';
import type { ScimClient } from '../scim/client/scimClient';
import { compareAttributes } from '../scim/protocol/compare';
import { patchBody, replaceAttributes } from '../scim/protocol/patch';
import type { ServiceProfile } from '../scim/protocol/profile';
import type { Attributes, User } from '../scim/protocol/resource';
import { foundUser, type Directory, type Found } from './directory';
import {
	differing,
	mayHaveWorked,
	parts,
	sendOrLookLater,
	unverified,
	type Identities,
	type StepOf,
} from './performCommon';
import { existingUser, inactivePerson, inactiveWarning, isShown, unusedWarning } from './planUsers';
import type { AppliedPart, KnownAccess, Person, ProvisioningStep } from './step';

/** What a user has to look like after a step; says what is not so yet. */
type Expectation = (user: User | undefined) => string | undefined;

export async function createUser(
	step: StepOf<'createUser'>,
	client: ScimClient,
	directory: Directory,
	identities: Identities,
): Promise<AppliedPart[]> {
	const body = step.request.body;
	const tried = await attempt(
		async () =>
			await client.createUser(body, {
				glance: async (name) => await directory.lookAgain(name),
				async search(name) {
					const found = (await directory.findAfterConflicts([name])).get(name);
					return found?.kind === 'found' ? found.user : undefined;
				},
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
	if (found && user.active === false && body.active !== false) {
		// Not as it would have been created, so it is somebody who was there before.
		return conflicting(step, CONFLICT);
	}
	identities.set(step.parts[0].subject, user.id);
	const wanted = withoutSchemas(body);
	const { notShown } = compareAttributes(wanted, user.attributes);
	const unseen = notShown.filter((name) => name !== 'active' && isShown(name, client.profile));
	const expected: Expectation = (seen) => {
		if (seen === undefined) return 'the user is not there';
		const { different, notShown } = compareAttributes(wanted, seen.attributes);
		// Without an answer it may be somebody who was there before, and nothing says that these were taken.
		const missing = notShown.filter(
			(name) => found && !['active', 'password'].includes(name) && isShown(name, client.profile),
		);
		return differing([...different, ...missing]);
	};
	return judge(
		{ ...step, warnings: [...step.warnings, ...unusedWarning(unseen)] },
		user.id,
		{ ok: true, value: user },
		expected,
	);
}

const CONFLICT: FailureFacts = { kind: 'http', method: 'POST', status: 409, mayHaveWorked: false };

/** Not decided yet: see meetExistingUsers. */
function conflicting(step: StepOf<'createUser'>, facts: FailureFacts): AppliedPart[] {
	const reason = 'there is somebody with this user name, who was not looked up yet';
	return parts(
		step,
		{ status: 'notDone', action: step.action, reason },
		{ conflict: { step, facts } },
	);
}

/**
 * Decides what becomes of the creates that met somebody: all of them are looked up together, then each goes on as its
 * operation was asked to. Every other part is given back as it is.
 * @param stopped why nothing more may be sent, if so
 */
export async function meetExistingUsers(
	applied: readonly AppliedPart[],
	client: ScimClient,
	directory: Directory,
	identities: Identities,
	concurrency: number,
	stopped: () => string | undefined,
): Promise<AppliedPart[]> {
	const conflicts = [...new Set(applied.flatMap(({ result }) => result?.conflict ?? []))];
	if (conflicts.length === 0) return [...applied];
	const found = await directory.findAfterConflicts(conflicts.map(({ step }) => step.userName));
	const met = await mapInOrder(conflicts, concurrency, async ({ step, facts }) => {
		const who = found.get(step.userName);
		const reason = stopped();
		if (reason !== undefined) {
			return parts(step, { status: 'notDone', action: step.action, reason });
		}
		const tried = await attempt(
			async () => await meetExistingUser(step, who, facts, client, identities),
		);
		return tried.ok ? tried.value : parts(step, notDone(step.action, tried.error));
	});
	const decided = new Map(met.flat().map((part) => [`${part.item}\n${part.subject}`, part]));
	return applied.map((part) =>
		part.result?.conflict === undefined
			? part
			: (decided.get(`${part.item}\n${part.subject}`) ?? part),
	);
}

/** The service says 409: what that means depends on what the operation was asked to do about it. */
async function meetExistingUser(
	step: StepOf<'createUser'>,
	found: Found | undefined,
	conflict: FailureFacts,
	client: ScimClient,
	identities: Identities,
): Promise<AppliedPart[]> {
	const { userName, action } = step;
	if (found?.kind === 'absent') {
		throw new InputError(
			`User ${userName} exists already, but this credential cannot see that user`,
			'The e-mail is registered outside this account, or the user is being created right now. Ask the service to release it, or run again in a moment.',
		);
	}
	const user = foundUser(found, userName);
	if (step.ifExists === 'fail') {
		const { message, description } = existingUser(userName, user);
		throw new RequestError(message, description, conflict);
	}
	identities.set(step.parts[0].subject, user.id);
	if (user.active === false && step.ifExists === 'adopt') throw inactivePerson(userName);
	if (user.active === false && step.ifExists === 'adoptAndActivate') {
		const body = patchBody(replaceAttributes({ active: true }));
		const shown = await sendOrLookLater(async () => await client.patchUser(user.id, body));
		return judge(
			{ ...step, action: `activate user ${userName}` },
			user.id,
			shown,
			expectActive(true),
		);
	}
	const outcome: Outcome = {
		status: 'alreadySo',
		action,
		// Create or Update knows what is wanted, and says so itself.
		warnings: [...step.warnings, ...(step.ifExists === 'update' ? [] : inactiveWarning(user, {}))],
	};
	return parts(
		step,
		outcome,
		step.ifExists === 'update' ? { existing: { user, wanted: step.attributes } } : { user },
	);
}

/** PATCH or PUT of attributes. */
export async function changeUser(
	step: StepOf<'updateUser'> | StepOf<'replaceUser'>,
	client: ScimClient,
): Promise<AppliedPart[]> {
	const { id } = step.person;
	const warnings = unusedWarning(unusedNames(step.attributes, client.profile));
	const shown = await sendOrLookLater(async () =>
		step.kind === 'updateUser'
			? await client.patchUser(id, step.request.body)
			: await client.replaceUser(id, step.request.body),
	);
	const expected = expectAttributes(step, client.profile, shown.ok);
	return judge({ ...step, warnings: [...step.warnings, ...warnings] }, id, shown, expected);
}

export async function setActive(
	step: StepOf<'setActive'>,
	client: ScimClient,
	directory: Directory,
): Promise<AppliedPart[]> {
	const { person, onlyWith, request } = step;
	if (onlyWith !== undefined) return await deactivateLeaver(step, onlyWith, client, directory);
	const shown = await sendOrLookLater(async () => await client.patchUser(person.id, request.body));
	return judge(step, person.id, shown, expectActive(step.active));
}

/**
 * Deactivates somebody for having no other access, after a look where that was read some time ago, and before every
 * repeat.
 * @throws InputError when the person has other access by now
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
		const roles = groups.filter((groupId) => !known.includes(groupId)).map(known.label);
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
		const user = isLate(known.readAt, client.patience) ? await inactive() : undefined;
		if (user !== undefined) return parts(step, { status: 'alreadySo', action, warnings }, { user });
		const shown = await sendOrLookLater(
			async () => await client.patchUser(person.id, request.body, again),
		);
		return judge(step, person.id, shown, expectActive(false));
	});
	if (stopped !== undefined) throw stopped;
	if (tried.ok) return tried.value;
	// Where a deactivation takes the memberships along, those of somebody who is gone would stay.
	const canBeGone = !client.profile.deactivationDropsMemberships && hasStatus(tried.error, 404);
	const user = canBeGone ? (await directory.readUsers([person.id])).get(person.id) : undefined;
	if (user?.ok !== true || user.value !== undefined) throw tried.error;
	return parts(
		step,
		{ status: 'alreadySo', action, reason: 'the user is gone', warnings },
		{ person },
	);
}

/** Ids of the groups that a user who was just read is in; where users do not say, those that show the user. */
async function groupsNow(
	{ id, groupIds }: User,
	client: ScimClient,
	directory: Directory,
): Promise<readonly string[]> {
	if (groupIds !== undefined || client.profile.emptyGroupsOmitMembers) return groupIds ?? [];
	const before = await directory.access();
	const access = isLate(before.readAt, client.patience) ? await directory.accessNow() : before;
	return [...(access.held.get(id) ?? [])].flatMap((key) => access.groups.get(key)?.id ?? []);
}

function hasAccess({ id, userName = id }: Person, roles: readonly string[]): InputError {
	return new InputError(
		`${userName} is ${roles.join(', ')} by now, so the user was not deactivated`,
		'Somebody has given the person access since the groups were read. Run again: it is then compared anew.',
	);
}

export async function deleteUser(
	step: StepOf<'deleteUser'>,
	client: ScimClient,
): Promise<AppliedPart[]> {
	const { action, person, warnings } = step;
	const tried = await sendOrLookLater(async () => await client.deleteUser(person.id));
	const result = { person, deleted: true };
	if (tried.ok && !tried.value) {
		const reason = 'the user was gone already';
		return parts(step, { status: 'alreadySo', action, reason, warnings }, result);
	}
	// The service answers 204 whether there was a user or not (docs/interface.md 2.1), so only a look proves it.
	return parts(step, unverified(action, warnings, tried), {
		...result,
		check: {
			kind: 'user',
			id: person.id,
			missing: (user) => (user === undefined ? undefined : 'the user is still there'),
		},
	});
}

/** `done` when the answer shows what is expected, else `unverified` with the check. */
function judge(
	step: ProvisioningStep,
	id: string,
	tried: Attempt<User | undefined>,
	expected: Expectation,
): AppliedPart[] {
	const { action, warnings } = step;
	const shown = tried.ok ? tried.value : undefined;
	if (shown !== undefined && expected(shown) === undefined) {
		return parts(step, { status: 'done', action, warnings }, { user: shown });
	}
	return parts(step, unverified(action, warnings, tried), {
		user: shown,
		check: { kind: 'user', id, missing: expected },
	});
}

function expectActive(active: boolean): Expectation {
	return (user) => {
		if (user === undefined) return 'there is no such user';
		return user.active === active ? undefined : `the service shows active ${String(user.active)}`;
	};
}

function expectAttributes(
	step: StepOf<'updateUser'> | StepOf<'replaceUser'>,
	profile: ServiceProfile,
	answered: boolean,
): Expectation {
	return (user) => {
		if (user === undefined) return 'there is no such user';
		if (step.activeAfter !== undefined && user.active !== step.activeAfter) {
			return `the service shows active ${String(user.active)}`;
		}
		const { different, notShown } = compareAttributes(step.attributes, user.attributes);
		// What the service never shows is believed to its answer; without one, nothing says that it was taken.
		const missing = notShown.filter(
			(name) => !answered || (isShown(name, profile) && name !== 'password'),
		);
		return differing([...different, ...missing]);
	};
}

function unusedNames(attributes: Attributes, profile: ServiceProfile): string[] {
	return Object.keys(attributes).filter((name) => !isShown(name, profile));
}

function withoutSchemas(body: Attributes): Attributes {
	return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'schemas'));
}

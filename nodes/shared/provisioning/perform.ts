import { attempt, type Attempt } from '../attempt';
import { notDone, type Outcome } from '../change/outcome';
import type { Part } from '../change/plan';
import { InputError } from '../inputError';
import { mapInOrder } from '../request/pool';
import { hasStatus, RequestError, type FailureFacts } from '../request/requestError';
import type { ScimClient } from '../scim/client/scimClient';
import { compareAttributes } from '../scim/protocol/compare';
import { patchBody, replaceAttributes } from '../scim/protocol/patch';
import type { ServiceProfile } from '../scim/protocol/profile';
import type { Attributes, Group, User } from '../scim/protocol/resource';
import { foundUser, type Directory, type Found } from './directory';
import { existingUser, inactivePerson, inactiveWarning, isShown, unusedWarning } from './planUsers';
import type { AppliedPart, MemberChange, ProvisioningResult, ProvisioningStep } from './step';

type StepOf<K extends ProvisioningStep['kind']> = Extract<ProvisioningStep, { kind: K }>;

/** Ids of people whom this execution has created or adopted, by the key that plans give them. */
export type Identities = Map<string, string>;

/** What a user has to look like after a step; says what is not so yet. */
type Expectation = (user: User | undefined) => string | undefined;

/**
 * Sends one step. A part is `done` when the answer showed what was wanted; otherwise it is `unverified` and carries
 * the check that a read-back has to pass (see verify). A request whose answer was lost is treated like one that was
 * answered with nothing: what the service shows afterwards decides.
 * @throws RequestError when the step did not happen
 */
export async function performStep(
	step: ProvisioningStep,
	client: ScimClient,
	directory: Directory,
	identities: Identities,
): Promise<AppliedPart[]> {
	switch (step.kind) {
		case 'createUser':
			return await createUser(step, client, directory, identities);
		case 'updateUser':
		case 'replaceUser': {
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
		case 'setActive': {
			const { id } = step.person;
			const shown = await sendOrLookLater(
				async () => await client.patchUser(id, step.request.body),
			);
			return judge(step, id, shown, expectActive(step.active));
		}
		case 'deleteUser':
			return await deleteUser(step, client);
		case 'changeMembers':
			return await changeGroup(step, client, identities);
		case 'replaceMembers':
			return await replaceGroup(step, client);
		case 'createGroup':
			return await createGroup(step, client);
		case 'updateGroup':
			return await updateGroup(step, client);
		case 'deleteGroup':
			return await deleteGroup(step, client);
	}
}

async function createUser(
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

async function deleteUser(step: StepOf<'deleteUser'>, client: ScimClient): Promise<AppliedPart[]> {
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

/** How often a refused request is planned again from what the group shows. */
const MOST_TRIES = 3;

type Came = Map<string, { outcome: Outcome; result?: ProvisioningResult }>;

/**
 * Sends the adds and removals of one group. A refusal may leave a part of them done (docs/interface.md 2.3), so after
 * one the group itself is read, and only what it does not show yet is sent again.
 */
async function changeGroup(
	step: StepOf<'changeMembers'>,
	client: ScimClient,
	identities: Identities,
): Promise<AppliedPart[]> {
	const came: Came = new Map();
	let open = identified(step, identities, came);
	if (open.some(({ mayBeGone }) => mayBeGone)) {
		// A service that moves people by itself would take the new role with this removal (docs/interface.md 2.3).
		const group = await client.getGroup(step.groupId);
		const members = new Set(group.members?.map(({ id }) => id));
		for (const change of open) {
			if (!change.mayBeGone || members.has(change.id)) continue;
			const outcome = await isGone(step, change, group, client);
			if (outcome !== undefined) came.set(change.person.key, outcome);
		}
		open = open.filter(({ person }) => !came.has(person.key));
	}
	let group: Group | undefined;
	let tried: Attempt<Group | undefined> = { ok: true, value: undefined };
	for (let tries = 1; open.length > 0 && tries <= MOST_TRIES; tries++) {
		const ids = (present: boolean) =>
			open.filter((change) => change.present === present).map(({ id }) => id);
		tried = await attempt(
			async () => await client.changeMembers(step.groupId, ids(true), ids(false)),
		);
		if (tried.ok) {
			group = tried.value;
			break;
		}
		const onlyAddsLost = mayHaveWorked(tried.error) && ids(false).length === 0;
		if (onlyAddsLost) break;
		group = await afterRefusal(step, open, tried.error, came, client);
		open = open.filter(({ person }) => !came.has(person.key));
	}
	for (const change of open) {
		came.set(change.person.key, judgeMember(step, change, group, tried, client.profile));
	}
	return step.parts.flatMap((part) => {
		const outcome = came.get(part.subject);
		return outcome === undefined ? [] : [{ ...part, ...outcome }];
	});
}

/**
 * What became of somebody whom the group does not show; undefined for one who says to be in it all the same, where
 * groups show nobody.
 */
async function isGone(
	step: MemberStep,
	change: OpenChange,
	group: Group,
	client: ScimClient,
): Promise<{ outcome: Outcome; result?: ProvisioningResult } | undefined> {
	if (!change.hidden) return seen(step, change, group);
	const user = await attempt(async () => await client.getUser(change.id));
	if (user.ok && user.value.groupIds?.includes(step.groupId)) return undefined;
	return judgeMember(step, change, undefined, user, client.profile);
}

/** Everybody of the step whose parts may be done, with ids; who has none by now is not done. */
function identified(
	step: StepOf<'changeMembers'>,
	identities: Identities,
	came: Came,
): OpenChange[] {
	const free = new Set(step.parts.map(({ subject }) => subject));
	const changes = [
		...step.add.map((change) => ({ ...change, present: true })),
		...step.remove.map((change) => ({ ...change, present: false })),
	];
	return changes.flatMap((change) => {
		const { person, action } = change;
		const id = person.id ?? identities.get(person.key);
		if (!free.has(person.key)) return [];
		if (id !== undefined) return [{ ...change, id }];
		const reason = 'the ID of the person is not known';
		came.set(person.key, { outcome: { status: 'notDone', action, reason } });
		return [];
	});
}

/**
 * After a refusal: notes what became of people as far as it can be told. Who is left is to be sent again.
 * @returns the group as read
 */
async function afterRefusal(
	step: StepOf<'changeMembers'>,
	open: readonly OpenChange[],
	refusal: unknown,
	came: Came,
	client: ScimClient,
): Promise<Group | undefined> {
	const conclude = (
		change: OpenChange,
		outcome: { outcome: Outcome; result?: ProvisioningResult },
	) => came.set(change.person.key, outcome);
	if (!hasStatus(refusal, 400, 404) && !mayHaveWorked(refusal)) {
		for (const change of open) conclude(change, { outcome: notDone(change.action, refusal) });
		return undefined;
	}
	const looked = await attempt(async () => await client.getGroup(step.groupId));
	if (!looked.ok) {
		for (const change of open) conclude(change, refusedUnlessShown(step, change, refusal));
		return undefined;
	}
	const group = looked.value;
	const shown = new Set(open.filter((change) => shows(group, change, client.profile)));
	for (const change of shown) conclude(change, seen(step, change, group));
	if (!hasStatus(refusal, 400)) return group;

	const left = open.filter((change) => !shown.has(change));
	if (shown.size === 0 && left.length > 1) {
		// A service that did nothing at all may have stumbled over one: each is then asked for alone.
		for (const change of left) conclude(change, await changeAlone(step, change, client));
		return group;
	}
	for (const change of left.filter(({ present }) => present)) {
		conclude(change, refusedUnlessShown(step, change, refusal, group));
	}
	return group;
}

interface OpenChange extends MemberChange {
	id: string;
	/** Whether the person has to be in the group afterwards. */
	present: boolean;
}

async function changeAlone(
	step: StepOf<'changeMembers'>,
	change: OpenChange,
	client: ScimClient,
): Promise<{ outcome: Outcome; result?: ProvisioningResult }> {
	const ids = [change.id];
	const tried = await attempt(
		async () =>
			await client.changeMembers(
				step.groupId,
				change.present ? ids : [],
				change.present ? [] : ids,
			),
	);
	if (!tried.ok && !mayHaveWorked(tried.error)) {
		return { outcome: refused(step, change, tried.error), result: { person: change.person } };
	}
	return judgeMember(step, change, tried.ok ? tried.value : undefined, tried, client.profile);
}

async function replaceGroup(
	step: StepOf<'replaceMembers'>,
	client: ScimClient,
): Promise<AppliedPart[]> {
	const ids = [...step.kept, ...step.add.map(({ person }) => person.id ?? '')];
	const tried = await sendOrLookLater(
		async () => await client.replaceMembers(step.groupId, ids, step.rest),
	);
	const group = tried.ok ? tried.value : undefined;
	const changes = new Map<string, OpenChange>();
	for (const change of step.add) {
		changes.set(change.person.key, { ...change, id: change.person.id ?? '', present: true });
	}
	for (const change of step.remove) {
		changes.set(change.person.key, { ...change, id: change.person.id ?? '', present: false });
	}
	return step.parts.flatMap((part) => {
		const change = changes.get(part.subject);
		return change === undefined
			? []
			: [{ ...part, ...judgeMember(step, change, group, tried, client.profile) }];
	});
}

type MemberStep = StepOf<'changeMembers'> | StepOf<'replaceMembers'>;

function seen(
	step: MemberStep,
	{ action, person, id }: OpenChange,
	group: Group,
): { outcome: Outcome; result: ProvisioningResult } {
	return {
		outcome: { status: 'done', action, warnings: step.warnings },
		result: { group: withoutMembers(group), person: { ...person, id } },
	};
}

/** Which group it was. A big group takes many requests, and kept answers with all members would fill the memory. */
function withoutMembers({ id, displayName }: Group): Group {
	return { id, displayName, attributes: {} };
}

/** Whether the group shows the change. One without members says nothing of who is out, since some never show any. */
function shows(
	group: Group,
	{ id, present, hidden }: OpenChange,
	profile: ServiceProfile,
): boolean {
	const isMember = group.members?.some((member) => member.id === id) === true;
	if (present) return isMember;
	if (hidden) return !isMember && (group.members ?? []).length > 0;
	return !isMember && (profile.emptyGroupsOmitMembers || group.members !== undefined);
}

function judgeMember(
	step: MemberStep,
	change: OpenChange,
	group: Group | undefined,
	tried: Attempt<unknown>,
	profile: ServiceProfile,
): { outcome: Outcome; result: ProvisioningResult } {
	const { action, person, id, present } = change;
	if (group !== undefined && shows(group, change, profile)) return seen(step, change, group);
	return {
		outcome: unverified(action, step.warnings, tried),
		result: {
			...(group && { group: withoutMembers(group) }),
			person: { ...person, id },
			check: { kind: 'member', groupId: step.groupId, id, present },
		},
	};
}

/**
 * The service refused, but may have added the person all the same, and a read may lag behind: a last look decides, and
 * what it does not show is refused.
 */
function refusedUnlessShown(
	step: MemberStep,
	change: OpenChange,
	refusal: unknown,
	group?: Group,
): { outcome: Outcome; result: ProvisioningResult } {
	const { person, id, present } = change;
	return {
		outcome: { ...refused(step, change, refusal), status: 'unverified' },
		result: {
			...(group && { group: withoutMembers(group) }),
			person: { ...person, id },
			refused: true,
			check: { kind: 'member', groupId: step.groupId, id, present },
		},
	};
}

function refused(
	step: MemberStep,
	{ action, person, present }: OpenChange,
	error: unknown,
): Outcome {
	const detail = error instanceof RequestError ? error.facts.detail : undefined;
	const who = person.userName ?? person.id ?? person.key;
	return notDone(
		action,
		hasStatus(error, 400) && present
			? new RequestError(
					`The service does not accept ${who} as a member of group ${step.groupId}${detail ? `: ${detail}` : ''}`,
					'Check that the user exists in this account and that the organization allows the e-mail domain. The others of the request were not affected.',
					error.facts,
				)
			: error,
	);
}

async function createGroup(
	step: StepOf<'createGroup'>,
	client: ScimClient,
): Promise<AppliedPart[]> {
	const group = await client.createGroup(step.request.body);
	if (group !== undefined) {
		return parts(step, { status: 'done', action: step.action, warnings: step.warnings }, { group });
	}
	const reason =
		'the service took the request but does not show the group: look for it before running again, which would make a second one';
	return parts(step, { status: 'unverified', action: step.action, reason });
}

async function updateGroup(
	step: StepOf<'updateGroup'>,
	client: ScimClient,
): Promise<AppliedPart[]> {
	const { action, warnings, groupId } = step;
	const tried = await sendOrLookLater(
		async () => await client.patchGroup(groupId, step.request.body),
	);
	const missing = (group: Group | undefined) => {
		if (group === undefined) return 'there is no such group';
		const { different, notShown } = compareAttributes(step.attributes, group.attributes);
		return differing([...different, ...notShown]);
	};
	const shown = tried.ok ? tried.value : undefined;
	if (shown !== undefined && missing(shown) === undefined) {
		return parts(step, { status: 'done', action, warnings }, { group: shown });
	}
	return parts(step, unverified(action, warnings, tried), {
		check: { kind: 'group', id: groupId, missing },
	});
}

async function deleteGroup(
	step: StepOf<'deleteGroup'>,
	client: ScimClient,
): Promise<AppliedPart[]> {
	const { action, warnings, groupId } = step;
	const tried = await sendOrLookLater(async () => await client.deleteGroup(groupId));
	if (tried.ok && !tried.value) {
		const reason = 'the group was gone already';
		return parts(step, { status: 'alreadySo', action, reason, warnings }, { deleted: true });
	}
	return parts(step, unverified(action, warnings, tried), {
		deleted: true,
		check: {
			kind: 'group',
			id: groupId,
			missing: (group) => (group === undefined ? undefined : 'the group is still there'),
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

function differing(names: readonly string[]): string | undefined {
	return names.length === 0
		? undefined
		: `the service does not show the wanted ${names.join(', ')}`;
}

function withoutSchemas(body: Attributes): Attributes {
	return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'schemas'));
}

/** An answer, or the error of a request that may have worked all the same; any other error is thrown. */
async function sendOrLookLater<T>(send: () => Promise<T>): Promise<Attempt<T>> {
	const tried = await attempt(send);
	if (tried.ok) return tried;
	if (mayHaveWorked(tried.error)) return tried;
	throw tried.error;
}

function mayHaveWorked(error: unknown): boolean {
	return error instanceof RequestError && error.facts.mayHaveWorked;
}

function unverified(action: string, warnings: string[], tried: Attempt<unknown>): Outcome {
	return {
		status: 'unverified',
		action,
		warnings,
		reason: 'the service did not show it',
		...(!tried.ok && { error: tried.error }),
	};
}

function parts(
	step: { parts: Part[] },
	outcome: Outcome,
	result: ProvisioningResult = {},
): AppliedPart[] {
	return step.parts.map((part) => ({ ...part, outcome, result }));
}

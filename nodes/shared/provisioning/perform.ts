import { attempt, type Attempt } from '../attempt';
import { notDone, type Outcome } from '../change/outcome';
import type { Part } from '../change/plan';
import { InputError } from '../inputError';
import { mapInOrder } from '../request/pool';
import { hasStatus, RequestError } from '../request/requestError';
import type { ScimClient } from '../scim/client/scimClient';
import { compareAttributes } from '../scim/protocol/compare';
import type { ServiceProfile } from '../scim/protocol/profile';
import type { Attributes, Group, User } from '../scim/protocol/resource';
import { foundUser, type Directory } from './directory';
import { inactiveWarning, isShown, unusedWarning } from './planUsers';
import type { AppliedPart, Person, ProvisioningResult, ProvisioningStep } from './step';

type StepOf<K extends ProvisioningStep['kind']> = Extract<ProvisioningStep, { kind: K }>;

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
): Promise<AppliedPart[]> {
	switch (step.kind) {
		case 'createUser':
			return await createUser(step, client, directory);
		case 'updateUser':
		case 'replaceUser': {
			const { id } = step.person;
			const expected = expectAttributes(step, client.profile);
			const warnings = unusedWarning(unusedNames(step.attributes, client.profile));
			const shown = await sendOrLookLater(async () =>
				step.kind === 'updateUser'
					? await client.patchUser(id, step.request.body)
					: await client.replaceUser(id, step.request.body),
			);
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
		case 'addMembers':
			return await addMembers(step, client);
	}
}

async function createUser(
	step: StepOf<'createUser'>,
	client: ScimClient,
	directory: Directory,
): Promise<AppliedPart[]> {
	const body = step.request.body;
	const tried = await attempt(
		async () => await client.createUser(body, async (name) => await directory.lookAgain(name)),
	);
	if (!tried.ok) {
		if (hasStatus(tried.error, 409)) return await meetExistingUser(step, tried.error, directory);
		throw tried.error;
	}
	const user = tried.value;
	if (user === undefined) {
		const reason = 'the service took the request but does not show the user';
		return parts(step, { status: 'unverified', action: step.action, reason });
	}
	const wanted = withoutSchemas(body);
	const { notShown } = compareAttributes(wanted, user.attributes);
	const unseen = notShown.filter((name) => name !== 'active' && isShown(name, client.profile));
	const expected: Expectation = (seen) =>
		seen === undefined
			? 'the user is not there'
			: differing(compareAttributes(wanted, seen.attributes).different);
	return judge(
		{ ...step, warnings: [...step.warnings, ...unusedWarning(unseen)] },
		user.id,
		{ ok: true, value: user },
		expected,
	);
}

/** The service says 409: what that means depends on what the operation was asked to do about it. */
async function meetExistingUser(
	step: StepOf<'createUser'>,
	conflict: RequestError,
	directory: Directory,
): Promise<AppliedPart[]> {
	const { userName, action } = step;
	const found = await directory.findAfterConflict(userName);
	if (found.kind === 'absent') {
		throw new InputError(
			`User ${userName} exists already, but this credential cannot see that user`,
			'The e-mail is registered outside this account, or the user is being created right now. Ask the service to release it, or run again in a moment.',
		);
	}
	const user = foundUser(found, userName);
	if (step.ifExists === 'fail') {
		const inactive = user.active === false ? ' and inactive' : '';
		throw new RequestError(
			`User ${userName} exists already (ID ${user.id}${inactive})`,
			user.active === false
				? 'Use Activate to let the person in again, or set If User Exists to return the user.'
				: 'Use Create or Update, or set If User Exists to return the user.',
			conflict.facts,
		);
	}
	const outcome: Outcome = {
		status: 'alreadySo',
		action,
		warnings: [...step.warnings, ...inactiveWarning(user, {})],
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

async function addMembers(step: StepOf<'addMembers'>, client: ScimClient): Promise<AppliedPart[]> {
	const ids = step.people.map(({ id }) => id);
	const tried = await sendOrLookLater(async () => await client.addMembers(step.groupId, ids));
	if (!tried.ok && hasStatus(tried.error, 400))
		return await findCulprits(step, tried.error, client);
	const group = tried.ok ? tried.value : undefined;
	return eachPerson(step, (person) => memberOutcome(step, person, group, tried));
}

/**
 * After a 400 the valid ids of the request may have been added all the same (docs/interface.md 2.3): the group itself
 * names the others. A service that added none is asked for each person alone.
 */
async function findCulprits(
	step: StepOf<'addMembers'>,
	refusal: RequestError,
	client: ScimClient,
): Promise<AppliedPart[]> {
	const group = await client.getGroup(step.groupId);
	const added = step.people.filter((person) => isMember(group, person.id));
	if (added.length === 0 && step.people.length > 1) {
		const alone = await mapInOrder(step.people, 1, async (person) => {
			const single = { ...step, people: [person] };
			const tried = await attempt(async () => await client.addMembers(step.groupId, [person.id]));
			return tried.ok
				? memberOutcome(single, person, tried.value, tried)
				: { outcome: refused(step, person, tried.error) };
		});
		return eachPerson(step, (person) => alone[step.people.indexOf(person)]);
	}
	return eachPerson(step, (person) =>
		isMember(group, person.id)
			? memberOutcome(step, person, group, { ok: true, value: group })
			: { outcome: refused(step, person, refusal), result: { group, person } },
	);
}

function memberOutcome(
	step: StepOf<'addMembers'>,
	person: Person,
	group: Group | undefined,
	tried: Attempt<unknown>,
): { outcome: Outcome; result: ProvisioningResult } {
	const action = memberAction(step, person);
	if (group !== undefined && isMember(group, person.id)) {
		return {
			outcome: { status: 'done', action, warnings: step.warnings },
			result: { group, person },
		};
	}
	return {
		outcome: unverified(action, step.warnings, tried),
		result: { group, person, check: { kind: 'member', groupId: step.groupId, id: person.id } },
	};
}

function refused(step: StepOf<'addMembers'>, person: Person, error: unknown): Outcome {
	const detail = error instanceof RequestError ? error.facts.detail : undefined;
	return notDone(
		memberAction(step, person),
		hasStatus(error, 400)
			? new RequestError(
					`The service does not accept ${person.userName ?? person.id} as a member of group ${step.groupId}${detail ? `: ${detail}` : ''}`,
					'Check that the user exists in this account and that the organization allows the e-mail domain. The others of the request were not affected.',
					error.facts,
				)
			: error,
	);
}

function memberAction(step: StepOf<'addMembers'>, person: Person): string {
	return `add ${person.userName ?? person.id} to group ${step.groupId}`;
}

function isMember(group: Group, id: string): boolean {
	return group.members?.some((member) => member.id === id) === true;
}

function eachPerson(
	step: StepOf<'addMembers'>,
	outcomeOf: (person: Person) => { outcome: Outcome; result?: ProvisioningResult },
): AppliedPart[] {
	const byId = new Map(step.people.map((person) => [person.id, outcomeOf(person)]));
	return step.parts.flatMap((part) => {
		const came = byId.get(part.subject);
		return came === undefined ? [] : [{ ...part, ...came }];
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
): Expectation {
	return (user) => {
		if (user === undefined) return 'there is no such user';
		if (step.activeAfter !== undefined && user.active !== step.activeAfter) {
			return `the service shows active ${String(user.active)}`;
		}
		const { different, notShown } = compareAttributes(step.attributes, user.attributes);
		const missing = notShown.filter((name) => isShown(name, profile) && name !== 'password');
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
	if (tried.ok || hasStatus(tried.error, 400)) return tried;
	if (tried.error instanceof RequestError && tried.error.facts.mayHaveWorked) return tried;
	throw tried.error;
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

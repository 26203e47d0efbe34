import { attempt, type Attempt } from '../attempt';
import { notDone, type Outcome } from '../change/outcome';
import { hasStatus, RequestError } from '../request/requestError';
import type { ScimClient } from '../scim/client/scimClient';
import type { ServiceProfile } from '../scim/protocol/profile';
import type { Group } from '../scim/protocol/resource';
import {
	mayHaveWorked,
	sendOrLookLater,
	unverified,
	type Identities,
	type StepOf,
} from './performCommon';
import type { AppliedPart, MemberChange, ProvisioningResult } from './step';

/** How often a refused request is planned again from what the group shows. */
const MOST_TRIES = 3;

type Came = Map<string, { outcome: Outcome; result?: ProvisioningResult }>;

/**
 * Sends the adds and removals of one group. A refusal may leave a part of them done (docs/interface.md 2.3), so after
 * one the group itself is read, and only what it does not show yet is sent again.
 */
export async function changeGroup(
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

export async function replaceGroup(
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

import type { IDataObject } from 'n8n-workflow';

import { attempt, poll } from '../../../shared/util';
import {
	isFailure,
	type Operation,
	optionsField,
	type Outcome,
	previewField,
	requestsOption,
	showFor,
	worstOf,
} from '../../../shared/run';
import {
	type Access,
	type AppliedPart,
	type Assignment,
	assignmentsOf,
	type Leaver,
	planLeavers,
	type Proof,
	type ProvisioningPlan,
	settledAccess,
} from '../../../shared/access';
import { assignmentItems } from '../../fields/accessItem';
import { rulesFor } from '../../fields/accessPlan';
import { safetyLimitsOption } from '../../fields/guards';
import { ifNotFoundOption, notFound, treatsAsGone } from '../../fields/ifNotFound';
import { peopleField } from '../../fields/members';
import { findPeople } from '../../fields/people';
import { labelOf, readPeopleField, type PersonReference } from '../../fields/person';
import { outcomeItem, whoOf, worstStatus } from '../../fields/userItem';
import { runChange, type Surroundings } from '../../road';

interface NamedLeaver {
	item: number;
	reference: PersonReference;
}

/** Takes everything from people who leave, and proves it from users and groups (docs/interface.md 1.2, 2.3). */
export const offboard: Operation = {
	fields: showFor('access', 'offboard', [
		peopleField,
		{
			displayName: 'User Afterwards',
			name: 'method',
			type: 'options',
			noDataExpression: true,
			options: [
				{
					name: 'Deactivated',
					value: 'deactivate',
					description: 'The user stays, inactive and without roles; it can be undone',
				},
				{ name: 'Deleted', value: 'delete', description: 'The user is deleted for good' },
			],
			default: 'deactivate',
			description: 'What becomes of the user',
		},
		previewField,
		optionsField([
			ifNotFoundOption,
			safetyLimitsOption(),
			requestsOption('concurrency', 'pageSize', 'verifyTime'),
		]),
	]),

	async execute(context) {
		const options = context.getNodeParameter('options', 0, {}) as IDataObject;
		const deletes = context.getNodeParameter('method', 0, 'deactivate') === 'delete';
		return await runChange<NamedLeaver>(context, {
			collect: (item, { client }) =>
				readPeopleField(context.getNodeParameter('people', item), client.profile).map(
					(reference) => ({ item, reference }),
				),
			async plan(wanted, surroundings) {
				const access = await settledAccess(surroundings);
				const { leavers, settled } = await whoLeaves(
					wanted,
					access,
					treatsAsGone(options),
					surroundings,
				);
				const plan = planLeavers(leavers, deletes, rulesFor(access, surroundings));
				return { plan: { ...plan, settled: [...settled, ...plan.settled] }, access };
			},
			conclude: prove,
			output: offboarded,
		});
	},
};

/** Finds the leavers. @param asGone whether somebody who cannot be found is as good as gone */
async function whoLeaves(
	wanted: readonly NamedLeaver[],
	access: Access,
	asGone: boolean,
	surroundings: Surroundings,
): Promise<{ leavers: Leaver[]; settled: ProvisioningPlan['settled'] }> {
	const find = await findPeople(
		wanted.map(({ reference }) => reference),
		access,
		surroundings,
	);
	const leavers: Leaver[] = [];
	const settled: ProvisioningPlan['settled'] = [];
	for (const { item, reference } of wanted) {
		const found = find(reference);
		if (found.ok) {
			const { user, ...person } = found.value;
			leavers.push({ item, person, ...(user && { user }) });
		} else {
			const action = `offboard ${labelOf(reference)}`;
			settled.push(notFound(item, reference, found.error, action, asGone));
		}
	}
	return { leavers, settled };
}

/**
 * Reads everything back, again and again until nothing is left or patience ends, and puts what was seen on every
 * leaver. Whoever is still in a group is unverified, also where the group stands for no organization and role.
 */
async function prove(applied: AppliedPart[], surroundings: Surroundings): Promise<AppliedPart[]> {
	const { directory, client, ids } = surroundings;
	const before = await directory.access();
	const leavers = applied.filter(
		({ outcome, result }) => !isFailure(outcome) && !result?.gone && idOf({ result }) !== undefined,
	);
	if (leavers.length === 0) return applied;
	let after = before;
	let shownByUsers: ReadonlyMap<string, string[]> = new Map();
	const looked = await attempt(
		async () =>
			await poll(client.patience, async () => {
				after = await directory.accessNow();
				const people = leavers.flatMap((part) => idOf(part) ?? []);
				shownByUsers = await groupsOfUsers(people, surroundings);
				const left = people.some((id) => after.held.has(id) || shownByUsers.get(id)?.length);
				return left ? undefined : true;
			}),
	);
	return applied.map((part) => {
		const id = idOf(part);
		if (id === undefined || part.result?.gone || isFailure(part.outcome)) return part;
		if (!looked.ok) return unproven(part, 'the groups could not be read back', looked.error);
		const remaining = assignmentsOf(after, id, ids);
		const proof = {
			removed: assignmentsOf(before, id, ids).filter(({ key }) => !after.held.get(id)?.has(key)),
			remaining,
			active: part.result?.user?.active,
			at: new Date().toISOString(),
			requests: surroundings.requestsSent(),
		};
		const proven = { ...part, result: { ...part.result, proof } };
		const inGroups = [...(after.held.get(id) ?? [])].flatMap(
			(key) => after.groups.get(key)?.id ?? [],
		);
		const still = [...new Set([...inGroups, ...(shownByUsers.get(id) ?? [])])];
		if (still.length === 0) {
			const canBeSeen = before.showsMembers || after.showsMembers || shownByUsers.has(id);
			if (canBeSeen) return proven;
			return unproven(proven, 'no group of this service shows a member, and the user no groups');
		}
		const left = still.map(surroundings.label).join(', ');
		return unproven(proven, `the person is still ${left}`);
	});
}

/**
 * The groups that users themselves show, by user, for services whose groups may not show their members; whoever does
 * not show groups at all is left out, and who is gone is in none. @throws RequestError when one cannot be read
 */
async function groupsOfUsers(
	userIds: readonly string[],
	{ client, directory }: Surroundings,
): Promise<Map<string, string[]>> {
	const shown = new Map<string, string[]>();
	if (client.profile.groupsShowMembers === 'yes') return shown;
	for (const [id, user] of await directory.readUsers([...new Set(userIds)])) {
		if (!user.ok) throw user.error;
		const groups = user.value === undefined ? [] : user.value.groupIds;
		if (groups !== undefined) shown.set(id, groups);
	}
	return shown;
}

function idOf({ result }: Pick<AppliedPart, 'result'>): string | undefined {
	return result?.user?.id ?? result?.person?.id;
}

function unproven(part: AppliedPart, reason: string, error?: unknown): AppliedPart {
	return { ...part, outcome: { ...part.outcome, status: 'unverified', reason, error } };
}

/** The proof row of an item; a list when the item names several people. Each says the worst of what was done for it. */
function offboarded(parts: readonly AppliedPart[], surroundings: Surroundings): IDataObject {
	const rows = new Map<string, { shown: IDataObject; outcomes: Outcome[] }>();
	for (const part of parts) {
		const { result } = part;
		const key = idOf(part) ?? part.subject;
		const before = rows.get(key);
		rows.set(key, {
			shown: {
				...whoOf(part),
				...before?.shown,
				...(result?.deleted !== undefined && { deleted: result.deleted }),
				...(result?.proof && proofItem(result.proof, surroundings)),
			},
			outcomes: [...(before?.outcomes ?? []), part.outcome],
		});
	}
	const people = [...rows.values()].map(({ shown, outcomes }) => {
		const outcome = worstOf(outcomes);
		return { ...shown, ...(outcome && { outcome: outcomeItem({ outcome }) }) };
	});
	const [only, ...others] = people;
	if (others.length === 0) return only ?? {};
	return { ...worstStatus(parts.map(({ outcome }) => outcome)), people };
}

function proofItem(
	{ active, at, removed, remaining, requests }: Proof,
	surroundings: Surroundings,
): IDataObject {
	const list = (assignments: readonly Assignment[]) => assignmentItems(assignments, surroundings);
	return {
		...(active !== undefined && { active }),
		accessRemoved: list(removed),
		accessRemaining: list(remaining),
		provenAt: at,
		requests,
	};
}

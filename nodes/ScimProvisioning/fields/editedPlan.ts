import {
	countLosing,
	lossesIn,
	membershipsOf,
	nameOf,
	peopleIn,
	type Access,
	type Change,
	type Loss,
	type AffectedBase,
	type Plan,
	type PlanRules,
} from '../../shared/access';
import type { OperationContext } from '../runWrite';
import { membersOf } from './accessPlan';
import { withNamesToProtect } from './people';

/** What the guards of an operation say of a plan that somebody has edited. */
interface EditedGuards {
	blockedBy: string[];
	/** Those against whom the affected count. */
	among: AffectedBase;
}

/**
 * The guards of an operation beside those of every run, once more. What it was given, such as rows and scope, is in no plan,
 * so nothing that may be edited is believed: losses count against the members of the groups that lose somebody, and where
 * the operation would ask before it leaves nobody in a group, or a person in none, the plan is blocked.
 */
export async function guardEdited(
	{ operation: name }: Plan,
	changes: readonly Change[],
	{ access, isCompared }: Pick<PlanRules, 'access' | 'isCompared'>,
	operation: OperationContext,
): Promise<EditedGuards> {
	const losses = lossesIn(changes, ({ id = '' }) => membershipsOf(access, id));
	const groupIds = [...new Set(losses.flatMap(({ groupId }) => groupId ?? []))];
	const blockedBy =
		name === 'reconcile' || name === 'setMembers'
			? await emptiedGroups(groupIds, changes, losses, access, operation)
			: name === 'set'
				? [
						...emptiedPeople(changes, losses, isCompared, access),
						...accountUnknown(changes, operation),
					]
				: [];
	return { blockedBy, among: membersOf(groupIds, access, operation) };
}

/** Access to the account organization is only safe from being taken when it is known which one that is. */
export function accountUnknown(
	changes: readonly Change[],
	{ client, accountOrganization }: OperationContext,
): string[] {
	const takes = countLosing(lossesIn(changes, () => [])) > 0;
	return takes && accountOrganization === '' && client.profile.organizationIdPrefix !== undefined
		? [
				'The account organization is unknown, so its roles could be removed. Enter the Account Organization ID in the credential.',
			]
		: [];
}

/** Groups in which nobody would be left but those who are protected. */
async function emptiedGroups(
	groupIds: readonly string[],
	changes: readonly Change[],
	losses: readonly Loss[],
	access: Access,
	operation: OperationContext,
): Promise<string[]> {
	const { ids, isProtected, label } = operation;
	const given = new Set(givenIn(changes).map(({ groupId }) => ids.key(groupId)));
	const emptied: string[] = [];
	for (const groupId of groupIds.filter((id) => !given.has(ids.key(id)))) {
		const own = losses.filter((loss) => ids.key(loss.groupId ?? '') === ids.key(groupId));
		const leaving = new Set(own.map(({ person }) => person.id));
		const staying = peopleIn(access, ids.key(groupId)).filter((id) => !leaving.has(id));
		const { names } = await withNamesToProtect(access, staying, operation);
		const counts = (id: string) => !isProtected({ key: id, id, userName: names.get(id) });
		if (countLosing(own) > 0 && !staying.some(counts)) emptied.push(label(groupId, access));
	}
	return emptied.length === 0
		? []
		: [
				`Nobody would be left as ${emptied.join(', ')}, and an edited plan does not show whether this is intended. Make a new plan.`,
			];
}

/** People who would be left without any group that counts. */
function emptiedPeople(
	changes: readonly Change[],
	losses: readonly Loss[],
	isCompared: PlanRules['isCompared'],
	access: Access,
): string[] {
	const given = new Set(givenIn(changes).map(({ person }) => person.key));
	const lost = new Map<string, number>();
	for (const { person } of losses) lost.set(person.key, (lost.get(person.key) ?? 0) + 1);
	const people = new Map(losses.map(({ person }) => [person.key, person]));
	const emptied = [...people.values()].filter(
		({ key, id = '' }) =>
			!given.has(key) &&
			membershipsOf(access, id).filter(({ groupId }) => isCompared(groupId)).length <=
				(lost.get(key) ?? 0),
	);
	return emptied.length === 0
		? []
		: [
				`${emptied.map(nameOf).join(', ')} would be left without any access, and an edited plan does not show whether this is intended. Make a new plan.`,
			];
}

function givenIn(changes: readonly Change[]) {
	return changes.flatMap((change) =>
		change.target === 'membership' && change.kind !== 'revoke' ? [change] : [],
	);
}

import type { IDataObject } from 'n8n-workflow';

import {
	plannedChanges,
	sealPlan,
	summarize,
	type GuardSettings,
	type Plan,
	type PlanGuards,
	type PlanOperation,
	type Unusable,
	withoutSecrets,
} from '../../shared/access';
import { isFailure } from '../../shared/run';
import { isDeepEqual } from '../../shared/util';
import type { Guarded, OperationContext, Planned } from '../runWrite';
import { readGroupRows } from './groupRows';
import { matchingOf } from './matchUsers';

/** Of a plan that is not made by the operation itself. */
type Made = Pick<Plan, 'time' | 'guards' | 'settings'>;

/**
 * What Preview says of access beside the requests: the plan itself, sealed, and the plan in words.
 * @param made when and under what the plan was made, for what is left of an earlier one
 */
export function accessExtras(
	name: PlanOperation,
	planned: Planned,
	operation: OperationContext,
	made?: Made,
): Planned {
	return {
		...planned,
		warnings: [...planned.warnings, ...(operation.previews ? secretsLeftOut(planned) : [])],
		extras: (plan) =>
			extrasOf(name, planned, plan, operation, made ?? madeNow(name, planned, operation)),
	};
}

function extrasOf(
	operation: PlanOperation,
	{ words, people, compares }: Planned,
	{ access, changes, blockedBy, excess, steps, ...plan }: Guarded,
	{ ids, client, organizations, baseUrl, accountOrganization, secret }: OperationContext,
	made: Made,
): IDataObject {
	const { profile } = client;
	const { by, keyOf } = matchingOf(made.settings.matchUsersBy);
	const context = {
		...{ access, ids, profile, nameOf: organizations.nameOf },
		userSeen: client.userSeen,
		...(compares && { isCompared: compares.includes }),
		...(by !== 'userName' && {
			keyOf(id: string) {
				const user = client.userSeen(id);
				return user === undefined ? '' : keyOf(user);
			},
		}),
	};
	const sealed = sealPlan(
		{
			...{
				service: baseUrl,
				account: accountOrganization,
				operation,
				...made,
				blockedBy,
				excess: [...excess],
			},
			changes: plannedChanges(changes, context),
			...(people && {
				people: people.map(({ id, userName }) => ({ id: id ?? null, userName: userName ?? null })),
			}),
		},
		secret(),
	);
	const summary = summarize({
		...{ operation, blockedBy, excess, changes: sealed.changes, requests: steps.length },
		...words,
		unusable: words?.unusable
			? [...words.unusable, ...unusableOf({ settled: withheldIn(plan) })]
			: unusableOf(plan),
	});
	return { summary, plan: sealed as unknown as IDataObject };
}

function madeNow(
	name: PlanOperation,
	{ among, compares }: Planned,
	operation: OperationContext,
): Made {
	const options = operation.context.getNodeParameter('options', 0, {}) as IDataObject;
	return {
		time: new Date().toISOString(),
		guards: { ...planGuards(operation.guards), among: among ?? null },
		settings: {
			...(operation.matching.by !== 'userName' && { matchUsersBy: operation.matching.by }),
			...(options.reactivate === true && { reactivate: true }),
			...groupsIn(options, 'keepMembershipsIn'),
			...groupsIn(options, 'ignoreGroups'),
			...(compares?.managed && { managedGroups: [...compares.managed] }),
			...(name === 'offboard' && {
				method: operation.context.getNodeParameter('method', 0, 'deactivate'),
			}),
		},
	};
}

/** The guards of every operation, as plans hold them. */
export function planGuards(guards: GuardSettings): Omit<PlanGuards, 'among'> {
	return {
		...guards,
		protectedUsers: [...guards.protectedUsers],
	};
}

function groupsIn(options: IDataObject, name: string): Record<string, string[]> {
	const groups = readGroupRows(options[name] ?? {}, name);
	return groups.length === 0 ? {} : { [name]: groups };
}

/** Items that cannot be used, and what cannot be done of the others. */
function unusableOf({
	refused,
	settled,
}: Pick<Guarded, 'settled'> & Partial<Pick<Guarded, 'refused'>>): Unusable[] {
	const bad = [...(refused ?? [])].map(([item, error]) => ({
		row: `item ${item}`,
		reason: error instanceof Error ? error.message : String(error),
	}));
	const failed = settled.flatMap(({ item, outcome }) =>
		isFailure(outcome) ? [{ row: `item ${item}`, reason: outcome.reason ?? outcome.action }] : [],
	);
	return [...bad, ...failed];
}

/** Changes that cannot be made, such as those of users who lack what the service requires. */
function withheldIn({ withheld, settled }: Pick<Guarded, 'withheld' | 'settled'>) {
	const keys = new Set(withheld.map(({ key }) => key));
	return settled.filter(({ change }) => keys.has(change ?? ''));
}

function secretsLeftOut({ changes }: Planned): string[] {
	return changes.flatMap((change) => {
		if (change.target !== 'user' || change.kind !== 'create') return [];
		const isWhole = isDeepEqual(change.attributes, withoutSecrets(change.attributes));
		const who = change.userName;
		return isWhole ? [] : [`A plan holds no passwords: Apply Plan creates ${who} without one.`];
	});
}

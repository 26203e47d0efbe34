import type { IDataObject } from 'n8n-workflow';

import {
	endedBy,
	endingOf,
	membershipsOf,
	sealPlan,
	summarize,
	type Access,
	type Change,
	type GuardSettings,
	type Plan,
	type PlanGuards,
	type PlanOperation,
	type Rest,
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
	planned: Planned,
	{ access, changes, blockedBy, excess, steps, ...plan }: Guarded,
	{ client, organizations, baseUrl, accountOrganization, secret }: OperationContext,
	made: Made,
): IDataObject {
	const { words, people, ignored } = planned;
	const { by, keyOf } = matchingOf(made.settings.matchUsersBy);
	const identityOf = (id: string) => {
		const user = by === 'userName' ? undefined : client.userSeen(id);
		return user === undefined ? '' : keyOf(user);
	};
	const ended = new Set(changes.flatMap((change) => endedBy(change)?.key ?? []));
	const isShutOut = (id: string) =>
		people !== undefined && !ended.has(id) && client.userSeen(id)?.active === false;
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
			changes: changes.map((change) => withRests(change, planned, access, identityOf, isShutOut)),
			...(people && {
				people: people.map(({ id, userName }) => ({ id: id ?? null, userName: userName ?? null })),
			}),
			...(ignored && ignored.size > 0 && { ignored: [...ignored] }),
		},
		secret(),
	);
	const summary = summarize({
		...{ operation, blockedBy, excess, changes: sealed.changes, requests: steps.length },
		nameOf: organizations.nameOf,
		...words,
		unusable: words?.unusable
			? [...words.unusable, ...unusableOf({ settled: withheldIn(plan) })]
			: unusableOf(plan),
	});
	return { summary, plan: sealed as unknown as IDataObject };
}

/** A change with what it rests on for whoever approves it: all that the person has, where that decides, and who the person is. */
function withRests(
	change: Change,
	{ compares }: Planned,
	access: Access | undefined,
	identityOf: (id: string) => string,
	isShutOut: (id: string) => boolean,
): Change {
	if (change.about === 'group' || change.person.id === undefined) return change;
	const { id } = change.person;
	const rests: Rest[] = [];
	const isWhole = endingOf(change) !== undefined;
	const isDecided = isWhole || (compares !== undefined && change.about === 'entitlement');
	const isSaid = change.restsOn.some(({ on }) => on === 'access');
	if (isDecided && !isSaid && access?.knowsAll(id) === true) {
		const held = membershipsOf(access, id);
		const own = isWhole ? held : held.filter(({ groupId }) => compares?.includes(groupId));
		rests.push({ on: 'access', groups: own.map(({ key }) => key) });
	}
	if (isShutOut(id) && !change.restsOn.some(({ on }) => on === 'inactive'))
		rests.push({ on: 'inactive' });
	const is = identityOf(id);
	const isIdentified = change.restsOn.some(({ on }) => on === 'identity');
	if (is !== '' && !isIdentified) rests.push({ on: 'identity', is });
	return rests.length === 0 ? change : { ...change, restsOn: [...change.restsOn, ...rests] };
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
		if (change.about !== 'account' || change.before !== 'absent') return [];
		const { attributes = {} } = change;
		const isWhole = isDeepEqual(attributes, withoutSecrets(attributes));
		const who = change.person.userName ?? change.person.key;
		return isWhole ? [] : [`A plan holds no passwords: Apply Plan creates ${who} without one.`];
	});
}

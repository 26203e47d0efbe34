import type { IDataObject } from 'n8n-workflow';

import {
	approvalForm,
	isReview,
	type Plan,
	planIdOf,
	sealPlan,
	summarize,
	type PlanGuards,
	type Unusable,
} from '../../shared/access/plans';
import {
	byKind,
	personLosingAccount,
	endingOf,
	nameOf,
	type Change,
	type Precondition,
} from '../../shared/access/changes';
import { membershipsOf, type Access } from '../../shared/access/facts';
import type { GuardSettings } from '../../shared/access/guards';
import { isFailure, warningsIn } from '../../shared/run';
import { calledUser, secretNamesIn, shownActivity } from '../../shared/scim';
import type { OperationContext } from '../context';
import type { Basis, Guarded, Planned, Sealed } from '../../shared/access/write';
import { readGroupRows } from './groupRows';
import { matchingOf } from './options';
import { unreadableItems } from './rows';

/** Returns a plan as it is sealed. @param plans how; missing where it is not, or where the plan says it already */
export function asSealed(
	planned: Planned,
	plans: Sealed | undefined,
	{ previews }: OperationContext,
): Planned {
	const seal = planned.seal ?? plans;
	if (seal === undefined) return planned;
	const changes = previews ? planned.changes.map(withLeftOut) : planned.changes;
	return { ...planned, seal, changes };
}

/**
 * Makes what Preview returns beside the requests: the sealed plan, and the plan in words; nothing for a plan that is not
 * sealed.
 */
export function sealedExtras(
	planned: Planned,
	guarded: Guarded,
	operation: OperationContext,
): IDataObject {
	const { seal, words = {}, basis = {} } = planned;
	if (seal === undefined) return {};
	const { changes, blockedBy, steps } = guarded;
	const { access } = guarded.basis;
	const { excess } = guarded.volume;
	const { client, organizations, baseUrl, accountOrganization, secret } = operation;
	const { title, compares, made = madeNow(planned, operation) } = seal;
	const { summary: more } = words;
	const { ignored } = basis;
	// Those that could not be planned are told now, and are no part of the plan.
	const failed = new Set(
		guarded.settled.flatMap(({ subject, outcome }) => (outcome.status === 'failed' ? subject : [])),
	);
	const people = basis.people?.filter(({ key }) => !failed.has(key));
	const { by, keyOf } = matchingOf(made.settings.matchUsersBy);
	const identityOf = (id: string) => {
		const user = by === 'userName' ? undefined : client.facts.lastRead(id);
		return user === undefined ? '' : keyOf(user);
	};
	const ended = new Set(changes.flatMap((change) => personLosingAccount(change)?.key ?? []));
	const isShutOut = (id: string) =>
		people !== undefined &&
		!ended.has(id) &&
		shownActivity(client.facts.lastRead(id)) === 'inactive';
	const own = changes.map((change) =>
		withPreconditions(named(change, client), basis, access, identityOf, isShutOut),
	);
	const names = namesOf(own, client);
	const sealed = sealPlan(
		{
			...{
				service: baseUrl,
				account: accountOrganization,
				operation: seal.operation,
				...made,
				blockedBy: words.blockedBy ?? [],
				excess: [...excess],
			},
			changes: own,
			...(names.length > 0 && { names }),
			...(people && {
				people: people.map(({ id, userName }) => ({ id: id ?? null, userName: userName ?? null })),
			}),
			...(ignored && ignored.size > 0 && { ignored: [...ignored] }),
		},
		secret(),
	);
	// Of a review nobody approves the whole.
	const asksWho = isReview(sealed);
	const barriers = asksWho ? { blockedBy: sealed.blockedBy } : { blockedBy, excess };
	const said = summarize({
		...{ title, compares, ...barriers, changes: sealed.changes, requests: steps.length },
		...{ nameOf: organizations.nameOf, warnings: warningsIn(guarded) },
		called: new Map([...namesOf(more?.leftAlone ?? [], client), ...names]),
		...more,
		unusable: more?.unusable
			? [...more.unusable, ...unusableOf({ settled: withheldIn(guarded) })]
			: unusableOf(guarded),
	});
	return {
		...(asksWho && barriers),
		counts: {
			changes: own.length,
			...Object.fromEntries([...byKind(own)].map(([kind, all]) => [kind, all.length])),
		},
		...said,
		approvalForm: approvalForm(sealed, organizations.nameOf),
		planId: planIdOf(sealed),
		plan: sealed as unknown as IDataObject,
	};
}

/** A change with the name of its person, whom a group may show by ID alone. */
function named(change: Change, { facts }: OperationContext['client']): Change {
	if (change.about === 'group' || change.person.userName !== undefined) return change;
	const userName = facts.lastRead(change.person.id ?? '')?.userName;
	return userName === undefined ? change : { ...change, person: { ...change.person, userName } };
}

/** What an approver calls people, by their keys: the name that the service shows, or that new users get, with the address. */
function namesOf(
	changes: readonly Change[],
	{ facts }: OperationContext['client'],
): NonNullable<Plan['names']> {
	const names = new Map<string, string>();
	for (const change of changes) {
		if (change.about === 'group') continue;
		const { key, id, userName = '' } = change.person;
		const attributes = change.about === 'account' ? change.attributes : undefined;
		const user = id === undefined ? { userName, attributes: attributes ?? {} } : facts.lastRead(id);
		const name = user && calledUser(user);
		const isSaid = name === undefined || name === nameOf(change.person);
		if (!isSaid && !names.has(key)) names.set(key, name);
	}
	return [...names];
}

/** A change with what it rests on for its approver: all that the person has, where that decides, and who the person is. */
function withPreconditions(
	change: Change,
	{ compares }: Basis,
	access: Access | undefined,
	identityOf: (id: string) => string,
	isShutOut: (id: string) => boolean,
): Change {
	if (change.about === 'group' || change.person.id === undefined) return change;
	const { id } = change.person;
	const rests: Precondition[] = [];
	const isWhole = endingOf(change) !== undefined;
	const isDecided = isWhole || (compares !== undefined && change.about === 'entitlement');
	const isSaid = change.restsOn.some(({ on }) => on === 'access');
	if (isDecided && !isSaid && access?.everyGroup(id).told === 'all') {
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
	{ basis: { among, compares } = {}, settings }: Planned,
	{ guards, matching, options }: OperationContext,
): NonNullable<Sealed['made']> {
	return {
		time: new Date().toISOString(),
		guards: { ...planGuards(guards), among: among ?? null },
		settings: {
			...(matching.by !== 'userName' && { matchUsersBy: matching.by }),
			...(options.reactivate === true && { reactivate: true }),
			...groupsIn(options, 'keepMembershipsIn'),
			...(compares?.managed && { managedGroups: [...compares.managed] }),
			...settings,
		},
	};
}

/** Returns the guards of every operation, as plans hold them. */
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
	refused = new Map(),
	settled,
}: Pick<Guarded, 'settled'> & Partial<Pick<Guarded, 'refused'>>): Unusable[] {
	const failed = settled.flatMap(({ item, outcome }) =>
		isFailure(outcome) ? [{ row: `item ${item}`, reason: outcome.reason ?? outcome.action }] : [],
	);
	return [...unreadableItems(refused), ...failed];
}

/** Changes that cannot be made, such as those of users who lack what the service requires. */
function withheldIn({ withheld, settled }: Pick<Guarded, 'withheld' | 'settled'>) {
	const keys = new Set(withheld.map(({ key }) => key));
	return settled.filter(({ change }) => keys.has(change ?? ''));
}

/** A change that says what its plan leaves out, to who approves it and in the item that comes of it. */
function withLeftOut(change: Change): Change {
	if (change.about !== 'account') return change;
	const { attributes = {}, before, person, warnings } = change;
	const names = secretNamesIn(attributes);
	if (names.length === 0) return change;
	const verb = before === 'absent' ? 'creates' : 'updates';
	const said = `A plan holds no secrets: Apply Plan ${verb} ${nameOf(person)} without ${names.join(', ')}.`;
	return { ...change, warnings: [...warnings, said] };
}

import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { InputError, isObject, nameKey } from '../../../shared/util';
import {
	type Access,
	type AccessChange,
	type ApprovedPlan,
	emptyProvisioningPlan,
	foundUser,
	planFromChanges,
	type ReadUsers,
	safetyLimitsIn,
	type ScopeNames,
	scopeOf,
	settledAccess,
} from '../../../shared/access';
import { hasStatus } from '../../../shared/http';
import { attribute, type User } from '../../../shared/scim';
import { changedAccess } from '../../fields/accessItem';
import { rulesFor } from '../../fields/accessPlan';
import { safetyLimitsOption } from '../../fields/guards';
import {
	type Operation,
	optionsField,
	parameterJson,
	previewField,
	requestsOption,
	showFor,
} from '../../../shared/run';
import { tooMany, volumeLimits } from '../../fields/volumeLimits';
import { runChange, type Surroundings } from '../../road';

const KINDS = new Set<unknown>([
	'create',
	'activate',
	'add',
	'move',
	'revoke',
	'deactivate',
	'unwanted',
]);
const HOUR = 3_600_000;

const maxAge: INodeProperties = {
	displayName: 'Max Age (Hours)',
	name: 'maxAge',
	type: 'number',
	noDataExpression: true,
	typeOptions: { minValue: 0 },
	default: 24,
	description: 'Older plans are refused',
};

/** Applies the plan that Reconcile previewed, after somebody has approved it, if nothing has changed since. */
export const applyPlan: Operation = {
	fields: showFor('access', 'applyPlan', [
		{
			displayName: 'Plan',
			name: 'plan',
			type: 'json',
			default: '={{ $json }}',
			required: true,
			description: 'The item that Reconcile gave in Preview',
		},
		previewField,
		optionsField([
			safetyLimitsOption(maxAge, ...volumeLimits),
			requestsOption('concurrency', 'pageSize', 'verifyTime'),
		]),
	]),

	async execute(context) {
		const options = context.getNodeParameter('options', 0, {}) as IDataObject;
		const maxAgeMs = Number(safetyLimitsIn(options).maxAge ?? 24) * HOUR;
		return await runChange<ApprovedPlan>(context, {
			collect: (item, surroundings) => [readPlan(context, item, maxAgeMs, surroundings)],
			async plan(plans, surroundings) {
				const access = await settledAccess(surroundings);
				const [first, ...others] = plans;
				// Two plans could contradict each other, and each was approved by itself.
				if (others.length > 0) throw severalPlans();
				if (first === undefined) return { plan: emptyProvisioningPlan(), access };
				const users = await usersOf(first, access, surroundings);
				const plan = planFromChanges(first, users, rulesFor(access, surroundings));
				const blockedBy = [...plan.blockedBy, ...tooMany(context, first.changes)];
				const among = scopeOf(first.scope, access, surroundings.ids).people;
				return { plan: { ...plan, blockedBy }, access, among };
			},
			output: changedAccess,
		});
	},
};

/**
 * The users of whom the groups do not tell enough: whether somebody who gets a role is active, who is protected by
 * e-mail, and whether somebody who was to be created exists.
 * @throws RequestError when one cannot be read
 */
async function usersOf(
	{ changes }: ApprovedPlan,
	access: Access,
	{ client, directory, protectsBy }: Surroundings,
): Promise<ReadUsers> {
	const { memberDisplayIsUserName, deactivationDropsMemberships } = client.profile;
	const ids = new Set<string>();
	const names = new Set<string>();
	for (const { kind, person } of changes) {
		const { id, userName = '' } = person;
		if (kind === 'unwanted') continue;
		if (id === undefined) {
			// Elsewhere the service says it when the create comes.
			const unseen = !access.idsByName.has(nameKey(userName));
			if (unseen && (!memberDisplayIsUserName || protectsBy.ids)) names.add(userName);
		} else if (
			kind === 'activate' ||
			(kind !== 'revoke' && !(access.held.has(id) && deactivationDropsMemberships)) ||
			(protectsBy.names && !access.names.has(id))
		) {
			ids.add(id);
		}
	}
	const users = new Map<string, User | undefined>();
	for (const [id, user] of await directory.readManyById([...ids])) {
		if (!user.ok && !hasStatus(user.error, 404)) throw user.error;
		users.set(id, user.ok ? user.value : undefined);
	}
	for (const [userName, found] of await directory.findUsersToCreate([...names])) {
		if (found.kind === 'absent') continue;
		const user = foundUser(found, userName);
		users.set(user.id, user);
	}
	return users;
}

function severalPlans(): InputError {
	return new InputError(
		'More than one plan came in',
		'Apply one plan at a time: give the node one item.',
	);
}

/** @throws InputError for anything but a plan of this package for this service, made not too long ago and not blocked */
function readPlan(
	context: IExecuteFunctions,
	item: number,
	maxAgeMs: number,
	{ baseUrl }: Surroundings,
): ApprovedPlan {
	const plan = parameterJson(context.getNodeParameter('plan', item));
	const [changes, scope] = [attribute(plan, 'changes'), attribute(plan, 'scope')];
	if (!isObject(plan) || !Array.isArray(changes) || !changes.every(isChange) || !isScope(scope)) {
		throw new InputError(
			'This is not a plan',
			'Give the whole item that Reconcile gave in Preview, unchanged.',
		);
	}
	if (plan.baseUrl !== baseUrl) {
		throw new InputError(
			`The plan was made for another service (${String(plan.baseUrl).slice(0, 200)})`,
			'Use the credential that it was planned with, or make a new plan.',
		);
	}
	const age = Date.now() - Date.parse(String(plan.plannedAt));
	if (!(age >= -HOUR && age <= maxAgeMs)) {
		throw new InputError(
			'The plan is too old, or its time cannot be read',
			'Make a new plan and have it approved, or raise Max Age under Options.',
		);
	}
	const blockedBy = Array.isArray(plan.blockedBy) ? plan.blockedBy : [];
	if (blockedBy.length > 0) {
		throw new InputError(
			`The plan is blocked: ${String(blockedBy[0])}`,
			'Mend the cause and make a new plan.',
		);
	}
	return { item, changes, scope, reactivate: plan.reactivate === true };
}

function isScope(value: unknown): value is ScopeNames {
	return (
		isObject(value) &&
		[value.organizations, value.roles].every(
			(list) => Array.isArray(list) && list.every((entry) => typeof entry === 'string'),
		)
	);
}

function isChange(value: unknown): value is AccessChange {
	if (!isObject(value) || !isObject(value.person) || !KINDS.has(value.kind)) return false;
	const { id, userName } = value.person;
	const text = (entry: unknown) =>
		entry === undefined || (typeof entry === 'string' && entry !== '');
	const role = (entry: unknown) => entry === null || typeof entry === 'string';
	const named = id !== undefined || userName !== undefined;
	const needsGroup = ['add', 'move', 'revoke'].includes(String(value.kind));
	return (
		named &&
		text(id) &&
		text(userName) &&
		text(value.organization) &&
		(!needsGroup || typeof value.organization === 'string') &&
		role(value.before) &&
		role(value.after) &&
		(value.attributes === undefined || isObject(value.attributes))
	);
}

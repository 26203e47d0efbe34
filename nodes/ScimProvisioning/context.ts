import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { connect, type ScimConnection } from '../shared/connection';
import { createReader } from '../shared/access/facts';
import {
	permanentRemoval,
	protection,
	protectsBy,
	type GuardSettings,
	type ProtectsBy,
	RISK_KINDS,
	type RiskKind,
} from '../shared/access/guards';
import type { Ending, Person } from '../shared/access/changes';
import { readSettings, type Settings, workflowTimeout, type Read, readItems } from '../shared/run';
import type { Keeping, Matching } from '../shared/scim';
import { InputError, shown, attemptSync } from '../shared/util';
import type { WriteContext, ToolCalls } from '../shared/access/write';
import { readProtectMembersOf, withProtectedMembers } from './fields/groupRows';
import { readGuards, readMatching } from './fields/options';

/** What an operation may use to read and plan. */
export interface OperationContext extends ScimConnection, Omit<WriteContext, keyof ScimConnection> {
	context: IExecuteFunctions;
	/** The Options collection, of the first item. */
	options: IDataObject;
	/** The Safety Limits collection likewise, as it is set. */
	limits: IDataObject;
	settings: Settings;
	/** What people are matched by where no ID is given. */
	matching: Matching;
	/** Whether what stands as an ID may be a name or an email: a model knows no IDs. */
	takesNames: boolean;
	/** IDs of users, and keys of groups, that were found by such a name. */
	matched: { users: Set<string>; groups: Set<string> };
	isProtected(person: Person): boolean;
	/** What has to be known of a person before `isProtected` can tell. */
	protectsBy: ProtectsBy;
	/** Whether what the service cannot show goes to the success output. */
	acceptsHidden: boolean;
	/**
	 * Before anything is asked of the service; a preview is blocked by the guards later.
	 * @throws InputError where people must not be deactivated or deleted, since it cannot be undone
	 */
	requireUndoable(kind: Ending | undefined, guards?: GuardSettings): void;
}

/** What ends an account or a group takes no name for an ID. */
const ONLY_BY_ID: ReadonlySet<unknown> = new Set(['delete', 'offboard', 'changeEmail']);

/** What shows users and groups as they came, and what shows access alone. */
const KEEPS: ReadonlyMap<unknown, Keeping['keeps']> = new Map<unknown, Keeping['keeps']>([
	['get', 'all'],
	['getAll', 'all'],
	['getMatrix', []],
]);

/** Whether an agent runs the node: n8n calls the type of a node that is a tool so. */
function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

/**
 * Reads the settings of a run and connects to its service.
 * @param onlyPlans whether nothing may be sent, whatever Preview says
 * @throws InputError when the options or the credential cannot be used
 */
export async function operationContext(
	context: IExecuteFunctions,
	onlyPlans = false,
): Promise<OperationContext> {
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	const limits = context.getNodeParameter('safetyLimits', 0, {}) as IDataObject;
	const requests = context.getNodeParameter('requests', 0, {}) as IDataObject;
	const settings = readSettings(requests, workflowTimeout(context));
	const keeps = KEEPS.get(context.getNodeParameter('operation', 0, ''));
	const connection = await connect(context, { ...settings, keeps, readsAhead: true });
	const reader = createReader(connection.client, connection.ids, connection.client.facts.questions);
	const guards = await withProtectedMembers(
		{
			...readGuards(limits, connection.client.profile),
			protectMembersOf: readProtectMembersOf(context),
		},
		{ reader, ids: connection.ids },
	);
	const previews = onlyPlans || context.getNodeParameter('preview', 0, false) === true;
	const counts = isTool(context) && !previews;
	return {
		...connection,
		context,
		options,
		limits,
		settings,
		guards,
		reader,
		matching: readMatching(context),
		previews,
		toolCalls: counts ? toolCallsOf(context, connection.baseUrl) : EACH_ALONE,
		takesNames: isTool(context) && !ONLY_BY_ID.has(context.getNodeParameter('operation', 0)),
		matched: { users: new Set(), groups: new Set() },
		acceptsHidden: requests.acceptUnverified === true,
		requireUndoable(kind, own = guards) {
			const reason =
				previews || kind === undefined
					? undefined
					: permanentRemoval(kind, connection.client.profile, own);
			if (reason !== undefined) throw new InputError(reason, 'Nothing was sent.');
		},
		isProtected: protection(guards.protectedUsers, (id) => connection.client.facts.lastRead(id)),
		protectsBy: protectsBy(guards.protectedUsers),
		label(groupId, access) {
			const { ids, organizations } = connection;
			const place = access?.placeOf(groupId) ?? ids.parse(groupId);
			if (place !== undefined)
				return `${shown(place.role)} in ${shown(organizations.nameOf(place.organization))}`;
			return `member of group ${shown(access?.groups.get(ids.key(groupId))?.displayName ?? groupId)}`;
		},
	};
}

/** Runs an operation that reads. @throws NodeApiError or NodeOperationError as `report` does */
export async function runRead<P>(
	context: IExecuteFunctions,
	read: Read<OperationContext, P>,
): Promise<INodeExecutionData[]> {
	return await readItems(context, async () => await operationContext(context), read);
}

/** A call as n8n keeps it for the execution: keys of people, and for each group of those who joined it. */
interface Counted {
	joins: Array<{ group: string; people: string[] }>;
	risky: Partial<Record<RiskKind, string[]>>;
}

const KEY = 'scimProvisioningToolCalls';

/** Used where the node is no tool, where it sends nothing, and where n8n keeps nothing. */
export const EACH_ALONE: ToolCalls = {
	enter: () => ({
		joinedEarlier: () => [],
		count: (people) => people,
		takeBack: () => undefined,
	}),
};

/**
 * Finds what earlier tool calls of an agent in this execution have changed at a service.
 * @param service where it is: people of two services are not the same
 */
function toolCallsOf(context: IExecuteFunctions, service: string): ToolCalls {
	// A call without an execution, such as of an MCP server, has nothing to keep it in: n8n throws.
	const flow = attemptSync(() => context.getContext('flow'));
	if (flow === undefined) return EACH_ALONE;
	const services = (flow[KEY] ??= {}) as Record<string, Counted[]>;
	const calls = (services[service] ??= []);
	return {
		enter(joins) {
			const earlier = [...calls];
			const own: Counted = {
				joins: joins.map(({ key, people }) => ({
					group: key,
					people: people.map((one) => one.key),
				})),
				risky: {},
			};
			calls.push(own);
			const joinedEarlier = (key: string) =>
				earlier.flatMap((call) =>
					call.joins.filter(({ group }) => group === key).flatMap(({ people }) => people),
				);
			return {
				joinedEarlier,
				count(people, grown) {
					own.risky = Object.fromEntries([...people].map(([kind, keys]) => [kind, [...keys]]));
					const all = new Map(
						RISK_KINDS.map((kind) => [
							kind,
							new Set(calls.flatMap((call) => call.risky[kind] ?? [])),
						]),
					);
					for (const person of grown.flatMap(joinedEarlier)) all.get('membersAdded')?.add(person);
					return all;
				},
				takeBack: () => void calls.splice(calls.indexOf(own), 1),
			};
		},
	};
}

import type { IExecuteFunctions } from 'n8n-workflow';

import { RISK_KINDS, type Joins, type RiskKind, type Risky } from '../shared/access/guards';
import { attemptSync } from '../shared/util';

/** The tool calls of one execution: each is a run, and limits hold for all of them together. */
export interface ToolCalls {
	/** Counts who joins groups in this call, before anything more is read: calls that run at once count each other. */
	enter(joins: readonly Joins[]): ToolCall;
}

/** One of them. */
export interface ToolCall {
	/** Keys of those who joined a group in calls before this one. @param key of the group */
	joinedEarlier(key: string): readonly string[];
	/**
	 * Counts the people of this call.
	 * @param grown keys of groups where those count who joined in earlier calls
	 * @returns them with those of all other calls
	 */
	count(people: Risky, grown: readonly string[]): Risky;
	/** For a call that changes nothing. */
	takeBack(): void;
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
export function toolCallsOf(context: IExecuteFunctions, service: string): ToolCalls {
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

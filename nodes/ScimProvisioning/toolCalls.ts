import type { IExecuteFunctions } from 'n8n-workflow';

import { RISK_KINDS, type RiskKind } from '../shared/access/guards';
import type { ToolCalls } from '../shared/access/write';
import { attemptSync } from '../shared/util';

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

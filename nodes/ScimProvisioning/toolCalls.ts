import type { IExecuteFunctions } from 'n8n-workflow';

import { RISK_KINDS, type RiskKind, type Risky } from '../shared/access/guards';
import { attemptSync } from '../shared/util';

/** The tool calls of one execution: each is a run, and limits hold for all of them together. */
export interface ToolCalls {
	/** Counts the people of this call. @returns them with those of all other calls, and how to take them back */
	count(people: Risky): { all: Risky; takeBack(): void };
}

/** The people of one call as n8n keeps them for the execution: their keys. */
type Counted = Partial<Record<RiskKind, string[]>>;

const KEY = 'scimProvisioningToolCalls';

/** Used where the node is no tool, where it sends nothing, and where n8n keeps nothing. */
export const EACH_ALONE: ToolCalls = {
	count: (people) => ({ all: people, takeBack: () => undefined }),
};

/** @param service where it is: people of two services are not the same */
export function toolCallsOf(context: IExecuteFunctions, service: string): ToolCalls {
	// A call without an execution, such as of an MCP server, has nothing to keep it in: n8n throws.
	const flow = attemptSync(() => context.getContext('flow'));
	if (flow === undefined) return EACH_ALONE;
	const services = (flow[KEY] ??= {}) as Record<string, Counted[]>;
	const calls = (services[service] ??= []);
	return {
		count(people) {
			const own: Counted = Object.fromEntries([...people].map(([kind, keys]) => [kind, [...keys]]));
			calls.push(own);
			const keysOf = (kind: RiskKind) => calls.flatMap((call) => call[kind] ?? []);
			return {
				all: new Map(RISK_KINDS.map((kind) => [kind, new Set(keysOf(kind))])),
				takeBack: () => void calls.splice(calls.indexOf(own), 1),
			};
		},
	};
}

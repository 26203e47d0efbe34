import type { IExecuteFunctions } from 'n8n-workflow';

import { RISK_KINDS, type RiskKind, type Risky } from '../shared/access/guards';
import { attemptSync } from '../shared/util';

/** Whom the calls of tools in one execution concern: each call is a run, and limits hold for all of them together. */
export interface ToolCalls {
	/** Counts the people of this call. @returns them with those of the calls before */
	add(people: Risky): Risky;
	/** Takes out whom this call has added: nothing of it is sent. */
	takeBack(): void;
}

/** What n8n keeps of them for the execution: keys of people. */
type Counted = Partial<Record<RiskKind, string[]>>;

const KEY = 'scimProvisioningToolCalls';

/** Of what is no tool, or sends nothing, and where n8n keeps nothing. */
export const EACH_ALONE: ToolCalls = { add: (people) => people, takeBack: () => undefined };

/** @param service where it is: people of two services are not the same */
export function toolCallsOf(context: IExecuteFunctions, service: string): ToolCalls {
	// Without an execution of its own, as in a server of tools, n8n throws.
	const flow = attemptSync(() => context.getContext('flow'));
	if (flow === undefined) return EACH_ALONE;
	const services = (flow[KEY] ??= {}) as Record<string, Counted>;
	const counted = (services[service] ??= {});
	const added = new Map<RiskKind, ReadonlySet<string>>();
	return {
		add(people) {
			return new Map(
				RISK_KINDS.map((kind) => {
					const before = counted[kind] ?? [];
					const all = new Set([...before, ...(people.get(kind) ?? [])]);
					added.set(kind, new Set([...all].slice(before.length)));
					counted[kind] = [...all];
					return [kind, all];
				}),
			);
		},
		takeBack() {
			for (const [kind, own] of added) {
				counted[kind] = (counted[kind] ?? []).filter((key) => !own.has(key));
			}
		},
	};
}

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { forerunners, type Plan, type PlannedRequest, type Step } from './plan';

const SECRET_NAMES = new Set(['password']);

/**
 * The plan as one item, paired to all inputs: what would be sent and why, what needs nothing, and what stands in the
 * way. Secrets in requests are masked.
 * @param refused what items cannot be used, and why
 * @param extras what else is to be said of the plan, before its steps
 */
export function previewItem<S extends Step, R>(
	plan: Plan<S, R>,
	refused: ReadonlyMap<number, unknown>,
	items: readonly number[],
	extras: IDataObject = {},
): INodeExecutionData {
	return {
		json: {
			preview: true,
			blockedBy: plan.blockedBy,
			...extras,
			steps: plan.steps.map(({ id, action, request, parts, warnings, after }) => ({
				id,
				action,
				items: [...new Set(parts.map(({ item }) => item))].filter((item) => item >= 0),
				...afterOf({ parts, after }),
				request: {
					method: request.method,
					path: `/${request.path.map(encodeURIComponent).join('/')}`,
					...bodyOf(request),
				},
				...(warnings.length > 0 && { warnings }),
			})),
			warnings: [...new Set([...plan.warnings, ...plan.steps.flatMap(({ warnings }) => warnings)])],
			totals: {
				requests: plan.steps.length,
				unchanged: plan.settled.filter(({ outcome }) => outcome.status === 'unchanged').length,
				failed: plan.settled.filter(({ outcome }) => outcome.status === 'failed').length,
				invalidItems: refused.size,
			},
			settled: plan.settled.map(({ item, outcome }) => ({
				item,
				status: outcome.status,
				action: outcome.action,
				...(outcome.reason !== undefined && { reason: outcome.reason }),
			})),
			invalid: [...refused].map(([item, error]) => ({
				item,
				reason: error instanceof Error ? error.message : String(error),
			})),
		},
		pairedItem: items.map((item) => ({ item })),
	};
}

/** Steps that have to be done before; most have none. */
function afterOf(step: Pick<Step, 'parts' | 'after'>): IDataObject {
	const after = [...new Set([...forerunners(step), ...(step.after ?? [])])];
	return after.length > 0 ? { after } : {};
}

/** What of the body may be shown. */
function bodyOf({ body, shown }: PlannedRequest): IDataObject {
	if (shown !== undefined) return { body: shown as IDataObject };
	return body === undefined ? {} : { body: masked(body) as IDataObject };
}

function masked(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(masked);
	if (typeof value !== 'object' || value === null) return value;
	const path = String((value as { path?: unknown }).path ?? '').toLowerCase();
	const isSecretOperation = SECRET_NAMES.has(path.slice(path.lastIndexOf(':') + 1));
	return Object.fromEntries(
		Object.entries(value).map(([key, entry]) =>
			SECRET_NAMES.has(key.toLowerCase()) || (isSecretOperation && key === 'value')
				? [key, '***']
				: [key, masked(entry)],
		),
	);
}

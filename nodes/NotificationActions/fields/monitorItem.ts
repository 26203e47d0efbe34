import type { IDataObject } from 'n8n-workflow';

import type { AlertingPart } from '../actions';
import { monitorOf } from '../configurations';
import { outcomeItem } from './outcomeItem';

/** The output of an item that changed monitors: what happened to each, and how many of which. */
export function changedMonitors(parts: readonly AlertingPart[]): IDataObject {
	const counts = { changed: 0, unchanged: 0, failed: 0 };
	const warnings = new Set<string>();
	const monitors = parts.flatMap(({ outcome, result, subject }) => {
		for (const warning of outcome.warnings ?? []) warnings.add(warning);
		const { status } = outcome;
		if (status === 'done') counts.changed += 1;
		else if (status === 'unchanged') counts.unchanged += 1;
		else if (status !== 'skipped') counts.failed += 1;
		if (status === 'skipped') return [];
		return [
			{
				...(result !== undefined && 'monitor' in result ? result.monitor : monitorOf(subject)),
				outcome: outcomeItem(outcome),
			},
		];
	});
	return {
		...counts,
		monitors: monitors as unknown as IDataObject[],
		...(warnings.size > 0 && { warnings: [...warnings] }),
	};
}

import type { IDataObject } from 'n8n-workflow';

import type { AlertingPart } from '../actions';
import { monitorOf, targetsOf } from '../configurations';

export const BLANK_MONITOR = { model: null, id: null, displayName: null, actions: null };

/** The monitor that a part is about, as it was seen last. */
export function monitorItem({ result, subject }: AlertingPart): IDataObject {
	const { model = null, id = '' } = monitorOf(subject) ?? {};
	const seen = result !== undefined && 'monitor' in result ? result.monitor : undefined;
	return {
		...{ model, id: id || null, displayName: seen?.displayName ?? null },
		actions: seen === undefined ? null : targetsOf(seen),
	};
}

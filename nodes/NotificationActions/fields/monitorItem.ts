import type { IDataObject } from 'n8n-workflow';

import type { AlertingPart } from '../actions';
import { monitorOf } from '../configurations';

export const BLANK_MONITOR = { model: null, id: null, displayName: null, actions: null };

/** The monitor that a part is about, as it was seen last. */
export function monitorItem({ result, subject }: AlertingPart): IDataObject {
	const { model = null, id = '' } = monitorOf(subject) ?? {};
	const named = { ...BLANK_MONITOR, model, id: id || null };
	return result !== undefined && 'monitor' in result ? { ...named, ...result.monitor } : named;
}

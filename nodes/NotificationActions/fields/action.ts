import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { InputError, textList } from '../../shared/util';
import { type Action, type AlertingPart, checkActionId, maskPayload } from '../actions';
import { locatorValue } from '../../shared/run';
import type { OperationContext } from '../runWrite';
import { locatorField } from './locator';

export const BLANK_ACTION = { id: null, type: null, payload: null };

/** Picks one action: from the list or by id. What differs by operation is a field of its own in what the editor is sent. */
export function actionField(
	displayName = 'Action',
	name = 'action',
	description = 'The action that the operation is about',
): INodeProperties {
	return locatorField({
		...{ displayName, name, description },
		...{ what: 'an action', search: 'searchActions', example: 'marketing-chat' },
		regex: '\\s*[0-9a-zA-Z_-]{1,100}\\s*',
		errorMessage: 'Use at most 100 letters, digits, hyphens and underscores',
	});
}

/** Reads the ID of an action. @throws InputError for no ID, and for one that no action can have */
export function readActionField(context: IExecuteFunctions, name: string, item: number): string {
	return checkActionId(locatorValue(context.getNodeParameter(name, item)));
}

/** Reads the IDs of several actions. @throws InputError as above and as `textList` does; for none unless allowed */
export function readActionIds(value: unknown, mayBeNone = false): string[] {
	const ids = textList(value, 'Action IDs').map(checkActionId);
	if (ids.length > 0 || mayBeNone) return [...new Set(ids)];
	throw new InputError('No actions specified', 'Enter their IDs, separated by commas.');
}

/** Makes the output of an action; secrets of its payload are masked unless they are to be shown. */
export function actionItem(action: Action, showsSecrets: boolean): IDataObject {
	const { references, payload, creationTime, lastUpdate, ...rest } = action;
	return {
		...rest,
		payload: (showsSecrets ? payload : maskPayload(payload)) as IDataObject,
		...(creationTime !== undefined && { creationTime: timeOf(creationTime) }),
		...(lastUpdate !== undefined && { lastUpdate: timeOf(lastUpdate) }),
		...(references !== undefined && { usedBy: references as unknown as IDataObject[] }),
	};
}

/** Makes an ISO 8601 time of milliseconds; a number that is no time stays. */
function timeOf(milliseconds: number): string | number {
	const time = new Date(milliseconds);
	return Number.isNaN(time.getTime()) ? milliseconds : time.toISOString();
}

/** Makes the output of the action that a part is about, as it was seen last. */
export function changedAction(
	{ result, subject }: AlertingPart,
	{ showsSecrets }: OperationContext,
): IDataObject {
	return {
		...BLANK_ACTION,
		...(result !== undefined && 'action' in result
			? actionItem(result.action, showsSecrets)
			: { id: subject }),
	};
}

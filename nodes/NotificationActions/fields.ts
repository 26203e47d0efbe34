import type { INodeProperties, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { InputError, textList } from '../shared/util';
import { locatorValue, parameterText } from '../shared/run';
import { checkSegment } from '../shared/http';
import { type Action, type AlertingPart, checkActionId, maskPayload } from './actions';
import type { OperationContext } from './runWrite';
import type { MonitorSelection } from './configurations';

/** What a field picks, from the list or by ID. */
interface Picked {
	displayName: string;
	name: string;
	description: string;
	/** With its article, e.g. "an action". */
	what: string;
	search: string;
	example: string;
	/** What an ID looks like, and what the editor says of another; anything but blanks if missing. */
	regex?: string;
	errorMessage?: string;
}

/** Picks one thing: from the list or by ID. */
function locatorField({
	displayName,
	name,
	description,
	what,
	search,
	example,
	regex = '\\s*\\S[\\s\\S]*',
	errorMessage = `Enter the ID of ${what}`,
}: Picked): INodeProperties {
	return {
		...{ displayName, name, description },
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select ${what}...`,
				typeOptions: { searchListMethod: search, searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: `e.g. ${example}`,
				validation: [{ type: 'regex', properties: { regex, errorMessage } }],
			},
		],
	};
}

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

/** Picks one model: from the list or by id. */
export const modelField = locatorField({
	...{ displayName: 'Model', name: 'model', description: 'The model to use' },
	...{ what: 'a model', search: 'searchModels', example: 'model-61' },
});

/** One model, several, or all. */
export const modelsFields: INodeProperties[] = [
	{
		displayName: 'Select Models By',
		name: 'models',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'All', value: 'all' },
			{ name: 'IDs', value: 'ids' },
			{ name: 'Single Model', value: 'one' },
		],
		default: 'one',
		description: 'How to select the models of the monitors',
	},
	{ ...modelField, displayOptions: { show: { models: ['one'] } } },
	{
		displayName: 'Model IDs',
		name: 'modelIds',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. model-61, model-62',
		displayOptions: { show: { models: ['ids'] } },
		description: 'The models to use',
		hint: 'Separate several IDs with commas',
	},
];

/** Reads the ID of a model. @throws InputError when none is given */
export function readModelField(context: IExecuteFunctions, item: number): string {
	const id = parameterText(locatorValue(context.getNodeParameter('model', item)));
	if (id === '') {
		throw new InputError('No model specified', 'Select one from the list, or enter its ID.');
	}
	checkSegment(id);
	return id;
}

/** Reads the IDs of the models of an item; undefined for all of the organization. @throws InputError when none is given */
export function readModelsFields(context: IExecuteFunctions, item: number): string[] | undefined {
	const models = context.getNodeParameter('models', item, 'one');
	if (models === 'all') return undefined;
	if (models !== 'ids') return [readModelField(context, item)];
	const ids = textList(context.getNodeParameter('modelIds', item, ''), 'Model IDs');
	if (ids.length === 0) {
		throw new InputError('No models specified', 'Enter their IDs, separated by commas.');
	}
	ids.forEach(checkSegment);
	return [...new Set(ids)];
}

const showFor = (by: string) => ({ show: { monitors: [by] } });

const SEVERITIES = [
	{ name: '1 (High)', value: 1 },
	{ name: '2 (Medium)', value: 2 },
	{ name: '3 (Low)', value: 3 },
];

/** Which monitors of the models to use. */
export const monitorsFields: INodeProperties[] = [
	{
		displayName: 'Select Monitors By',
		name: 'monitors',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'All', value: 'all' },
			{ name: 'IDs', value: 'ids' },
			{ name: 'Name', value: 'name' },
			{ name: 'Severity', value: 'severity' },
			{ name: 'Single Monitor', value: 'one' },
			{ name: 'Tag', value: 'tag' },
		],
		default: 'one',
		description: 'How to select the monitors. All means every monitor of the selected models.',
	},
	{
		...locatorField({
			displayName: 'Monitor',
			name: 'monitor',
			description: 'The monitor to use. The list shows the monitors of the selected model.',
			...{ what: 'a monitor', search: 'searchMonitors', example: 'drift-monitor-1' },
		}),
		displayOptions: showFor('one'),
	},
	{
		displayName: 'Monitor IDs',
		name: 'monitorIds',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. drift-monitor-1, missing-values-monitor',
		displayOptions: showFor('ids'),
		description: 'The monitors to use',
		hint: 'Separate several IDs with commas',
	},
	{
		displayName: 'Name Pattern',
		name: 'namePattern',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. drift*',
		displayOptions: showFor('name'),
		description: 'Display name, or the ID of a monitor without one. Ignores case.',
		hint: '* stands for any characters',
	},
	{
		displayName: 'Severities',
		name: 'severities',
		type: 'multiOptions',
		options: SEVERITIES,
		default: [1],
		required: true,
		displayOptions: showFor('severity'),
		description: 'Monitors with one of these severities. An expression can return other numbers.',
	},
	{
		displayName: 'Tags',
		name: 'tags',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. churn, checkout',
		displayOptions: showFor('tag'),
		description: 'Monitors with at least one of these tags. Ignores case.',
		hint: 'Separate several with commas',
	},
];

/** Options of operations that choose monitors. */
export const ifNoneMatchOption: INodeProperties = {
	displayName: 'If None Match',
	name: 'ifNoneMatch',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Continue', value: 'continue', description: 'Return the item without monitors' },
		{ name: 'Fail', value: 'fail', description: 'Fail the item' },
	],
	default: 'fail',
	description: 'What to do when no monitor matches',
};

/** Tells whether an item may match no monitor. */
export function mayMatchNone(context: IExecuteFunctions): boolean {
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	return options.ifNoneMatch === 'continue';
}

/** Reads which monitors an item selects. @throws InputError when what is needed to choose monitors is missing */
export function readMonitorsFields(context: IExecuteFunctions, item: number): MonitorSelection {
	const by = String(context.getNodeParameter('monitors', item, 'one'));
	const value = (name: string): unknown => context.getNodeParameter(name, item, '');
	switch (by) {
		case 'all':
			return { by: 'all' };
		case 'ids':
			return { by: 'id', ids: listOf(value('monitorIds'), 'Monitor IDs') };
		case 'name': {
			const pattern = parameterText(value('namePattern'));
			if (pattern !== '') return { by: 'name', pattern };
			throw new InputError('The name pattern is empty', 'Enter a name. * stands for all monitors.');
		}
		case 'severity':
			return { by: 'severity', severities: severitiesOf(value('severities')) };
		case 'tag':
			return { by: 'tag', tags: listOf(value('tags'), 'Tags') };
		default:
			return { by: 'id', ids: listOf(locatorValue(value('monitor')), 'Monitor') };
	}
}

/** Reads a list of severities. @throws InputError for none, or for something that is not a number */
export function severitiesOf(value: unknown): number[] {
	const severities = textList(value, 'Severities').map(Number);
	if (severities.length > 0 && severities.every(Number.isFinite)) return severities;
	throw new InputError('No severities specified', 'Enter numbers. 1 is the highest severity.');
}

function listOf(value: unknown, field: string): string[] {
	const entries = textList(value, field);
	if (entries.length > 0) return [...new Set(entries)];
	const what = field === 'Tags' ? 'tags' : 'monitors';
	throw new InputError(`No ${what} specified`, 'Enter them separated by commas.');
}

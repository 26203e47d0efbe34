import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { InputError, textList } from '../../shared/util';
import type { MonitorSelection } from '../configurations';
import { locatorValue } from '../../shared/run';

const showFor = (by: string) => ({ show: { monitors: [by] } });

const SEVERITIES = [
	{ name: '1 (High)', value: 1 },
	{ name: '2 (Medium)', value: 2 },
	{ name: '3 (Low)', value: 3 },
];

/** Which monitors of the models are meant. */
export const monitorsFields: INodeProperties[] = [
	{
		displayName: 'Monitors',
		name: 'monitors',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'All', value: 'all' },
			{ name: 'By ID', value: 'ids' },
			{ name: 'By Name', value: 'name' },
			{ name: 'By Severity', value: 'severity' },
			{ name: 'By Tag', value: 'tag' },
			{ name: 'One', value: 'one' },
		],
		default: 'one',
		description: 'The monitors that are meant',
	},
	{
		displayName: 'Monitor',
		name: 'monitor',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		displayOptions: showFor('one'),
		description: 'The monitor that is meant; the list shows those of the chosen model',
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select a monitor...',
				typeOptions: { searchListMethod: 'searchMonitors', searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. drift-monitor-1',
				validation: [
					{
						type: 'regex',
						properties: { regex: '\\s*\\S[\\s\\S]*', errorMessage: 'Enter the ID of a monitor' },
					},
				],
			},
		],
	},
	{
		displayName: 'Monitor IDs',
		name: 'monitorIds',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. drift-monitor-1, missing-values-monitor',
		displayOptions: showFor('ids'),
		description: 'IDs of monitors, comma-separated',
	},
	{
		displayName: 'Name Pattern',
		name: 'namePattern',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. drift*',
		displayOptions: showFor('name'),
		description:
			'Display name, with * for any characters, in any case. A monitor without a display name goes by its ID.',
	},
	{
		displayName: 'Severities',
		name: 'severities',
		type: 'multiOptions',
		options: SEVERITIES,
		default: [1],
		required: true,
		displayOptions: showFor('severity'),
		description: 'Monitors with one of these severities. An expression may give other numbers.',
	},
	{
		displayName: 'Tags',
		name: 'tags',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. churn, checkout',
		displayOptions: showFor('tag'),
		description: 'Monitors with at least one of these tags, comma-separated, in any case',
	},
];

/** Options of operations that choose monitors. */
export const ifNoneMatchOption: INodeProperties = {
	displayName: 'If None Match',
	name: 'ifNoneMatch',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Fail', value: 'fail', description: 'The item fails' },
		{ name: 'Go On', value: 'goOn', description: 'The item comes out without any monitor' },
	],
	default: 'fail',
	description: 'What happens when no monitor is as chosen',
};

export function mayMatchNone(context: IExecuteFunctions): boolean {
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	return options.ifNoneMatch === 'goOn';
}

/** @throws InputError when what is needed to choose monitors is missing */
export function readMonitorsFields(context: IExecuteFunctions, item: number): MonitorSelection {
	const by = String(context.getNodeParameter('monitors', item, 'one'));
	const value = (name: string): unknown => context.getNodeParameter(name, item, '');
	switch (by) {
		case 'all':
			return { by: 'all' };
		case 'ids':
			return { by: 'id', ids: listOf(value('monitorIds'), 'Monitor IDs') };
		case 'name': {
			const pattern = String(value('namePattern')).trim();
			if (pattern !== '') return { by: 'name', pattern };
			throw new InputError('The name pattern is empty', 'Give a name; * stands for all monitors.');
		}
		case 'severity':
			return { by: 'severity', severities: severitiesOf(value('severities')) };
		case 'tag':
			return { by: 'tag', tags: listOf(value('tags'), 'Tags') };
		default:
			return { by: 'id', ids: listOf(locatorValue(value('monitor')), 'Monitor') };
	}
}

/** @throws InputError for none, or for something that is no number */
export function severitiesOf(value: unknown): number[] {
	const severities = textList(value, 'Severities').map(Number);
	if (severities.length > 0 && severities.every(Number.isFinite)) return severities;
	throw new InputError('No severities are given', 'Give numbers; 1 is the highest severity.');
}

function listOf(value: unknown, field: string): string[] {
	const entries = textList(value, field);
	if (entries.length > 0) return [...new Set(entries)];
	const what = field === 'Tags' ? 'tags' : 'monitors';
	throw new InputError(`No ${what} are given`, 'Give them separated by commas.');
}

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { optionNumber } from './parameter';
import type { Limits } from '../http';

/** What holds for the whole execution; read once, from the first item. */
export interface Settings extends Limits {
	concurrency: number;
	pageSize: number;
	/** Longest time to wait for a write to be seen, in milliseconds. */
	verifyMs: number;
	/** Most pages and most resources that are read of one list. */
	mostPages: number;
	mostResources: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const MEGABYTE = 1_000_000;

/** For list searches and other looks of the editor: somebody is waiting in front of the screen. */
export const EDITOR_LIMITS = {
	timeoutMs: 10 * SECOND,
	maxWaitMs: 5 * SECOND,
	verifyMs: 0,
	mostBytes: 20 * MEGABYTE,
	operationMs: MINUTE,
	mostPages: 50,
	mostResources: 10_000,
};

const NUMBERS = {
	concurrency: {
		displayName: 'Concurrency',
		name: 'concurrency',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 1, maxValue: 50, numberPrecision: 0 },
		default: 5,
		description: 'Most requests under way at the same time',
	},
	maxAnswerSize: {
		displayName: 'Max Answer Size (MB)',
		name: 'maxAnswerSize',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 1, maxValue: 500, numberPrecision: 0 },
		default: 50,
		description: 'An answer that is larger is not read to its end, and the request fails',
	},
	maxPages: {
		displayName: 'Max Pages per List',
		name: 'maxPages',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 1, maxValue: 1000000, numberPrecision: 0 },
		default: 10000,
		description: 'A list with more pages counts as incomplete',
	},
	maxResources: {
		displayName: 'Max Resources per List',
		name: 'maxResources',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 1, maxValue: 10000000, numberPrecision: 0 },
		default: 500000,
		description: 'A list with more entries counts as incomplete',
	},
	maxRunTime: {
		displayName: 'Max Run Time (Minutes)',
		name: 'maxRunTime',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 1, maxValue: 10080, numberPrecision: 0 },
		default: 240,
		description: 'When the node has worked for so long, no further request leaves',
	},
	maxWait: {
		displayName: 'Max Wait (Seconds)',
		name: 'maxWait',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 0, maxValue: 86400, numberPrecision: 0 },
		default: 120,
		description:
			'Longest time that one request waits between its tries, all together, when the service is busy. A service that limits its rate may ask for minutes.',
	},
	pageSize: {
		displayName: 'Page Size',
		name: 'pageSize',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 1, maxValue: 10000, numberPrecision: 0 },
		default: 100,
		description: 'Resources per request when a list is read',
	},
	timeout: {
		displayName: 'Time Limit per Request (Seconds)',
		name: 'timeout',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 1, maxValue: 3600, numberPrecision: 0 },
		default: 30,
		description: 'Longest time to wait for the answer to one request',
	},
	verifyTime: {
		displayName: 'Verification Time (Seconds)',
		name: 'verifyTime',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 0, maxValue: 3600, numberPrecision: 0 },
		default: 10,
		description: 'Longest time to wait until the service shows what was written',
	},
} satisfies Record<string, INodeProperties>;

type NumberSetting = keyof typeof NUMBERS;

/** So that no run can exhaust n8n, whatever the service answers. */
const LIMITS: readonly NumberSetting[] = ['maxAnswerSize', 'maxRunTime'];
const LIST_LIMITS: readonly NumberSetting[] = ['maxPages', 'maxResources'];

/** Options that hold for every operation, with the limits that belong to them; an operation adds its own. */
export function executionOptions(...names: NumberSetting[]): INodeProperties[] {
	const limits = names.includes('pageSize') ? [...LIST_LIMITS, ...LIMITS] : LIMITS;
	return [...names, ...limits].map((name) => NUMBERS[name]);
}

/** @param options the Options collection. @throws InputError for a number out of range */
export function readSettings(options: IDataObject): Settings {
	const number = (name: NumberSetting) => {
		const { displayName, typeOptions } = NUMBERS[name];
		const { minValue: minimum, maxValue: maximum } = typeOptions;
		return optionNumber(displayName, options[name] ?? NUMBERS[name].default, minimum, maximum);
	};
	return {
		concurrency: number('concurrency'),
		pageSize: number('pageSize'),
		timeoutMs: number('timeout') * SECOND,
		maxWaitMs: number('maxWait') * SECOND,
		verifyMs: number('verifyTime') * SECOND,
		mostBytes: number('maxAnswerSize') * MEGABYTE,
		operationMs: number('maxRunTime') * MINUTE,
		mostPages: number('maxPages'),
		mostResources: number('maxResources'),
	};
}

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { MAX_ANSWER_MB, MAX_PAGES_PER_LIST, MAX_RESOURCES_PER_LIST } from './constants';
import { settingsIn, settingsOption } from './operation';
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
		description: 'Maximum number of requests at the same time',
	},
	maxRunTime: {
		displayName: 'Max Run Time (Minutes)',
		name: 'maxRunTime',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 1, maxValue: 10080, numberPrecision: 0 },
		default: 240,
		description: 'No further request is sent after this time',
	},
	maxWait: {
		displayName: 'Max Wait (Seconds)',
		name: 'maxWait',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 0, maxValue: 86400, numberPrecision: 0 },
		default: 120,
		description: 'Maximum total time to wait between retries of a request',
	},
	pageSize: {
		displayName: 'Page Size',
		name: 'pageSize',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 1, maxValue: 10000, numberPrecision: 0 },
		default: 100,
		description: 'Number of results to request per page of a list',
	},
	timeout: {
		displayName: 'Timeout (Seconds)',
		name: 'timeout',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 1, maxValue: 3600, numberPrecision: 0 },
		default: 30,
		description: 'Maximum time to wait for the response to a request',
	},
	verifyTime: {
		displayName: 'Verification Time (Seconds)',
		name: 'verifyTime',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 0, maxValue: 3600, numberPrecision: 0 },
		default: 10,
		description: 'How long to wait for a change to become visible',
	},
} satisfies Record<string, INodeProperties>;

type NumberSetting = keyof typeof NUMBERS;

/** Used by whatever sends a request. */
const ALWAYS: readonly NumberSetting[] = ['maxRunTime', 'maxWait', 'timeout'];

/** The entry Requests of Options. @param names the settings that the operation uses beside those of every request */
export function requestsOption(
	...names: ReadonlyArray<Exclude<NumberSetting, 'maxRunTime' | 'maxWait' | 'timeout'>>
): INodeProperties {
	return requestsOptionWith({}, ...names);
}

/** The same with other defaults. */
export function requestsOptionWith(
	defaults: Partial<Record<NumberSetting, number>>,
	...names: readonly NumberSetting[]
): INodeProperties {
	return settingsOption(
		'Requests',
		'requests',
		'How requests are sent and repeated',
		[...ALWAYS, ...names].map((name) => ({
			...NUMBERS[name],
			default: defaults[name] ?? NUMBERS[name].default,
		})),
	);
}

/**
 * @param options the Options collection
 * @param defaults for what is not set, where they are others than usual
 * @throws InputError for a number out of range
 */
export function readSettings(
	options: IDataObject,
	defaults: Partial<Record<NumberSetting, number>> = {},
): Settings {
	const values = settingsIn(options, 'requests');
	const number = (name: NumberSetting) => {
		const { default: usual, displayName, typeOptions } = NUMBERS[name];
		const { minValue: minimum, maxValue: maximum } = typeOptions;
		const value = values[name] ?? defaults[name] ?? usual;
		return optionNumber(displayName, value, minimum, maximum);
	};
	return {
		concurrency: number('concurrency'),
		pageSize: number('pageSize'),
		timeoutMs: number('timeout') * SECOND,
		maxWaitMs: number('maxWait') * SECOND,
		verifyMs: number('verifyTime') * SECOND,
		operationMs: number('maxRunTime') * MINUTE,
		mostBytes: MAX_ANSWER_MB * MEGABYTE,
		mostPages: MAX_PAGES_PER_LIST,
		mostResources: MAX_RESOURCES_PER_LIST,
	};
}

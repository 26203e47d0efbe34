import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Limits } from '../http';
import { inOrder, optionNumber } from './operation';

// Limits without a setting: they keep a run from exhausting n8n, whatever the service answers. docs/performance.md names them.

/** A larger answer is cut off and its request fails: n8n holds it in memory, several at a time. */
export const MAX_ANSWER_MB = 50;

/** A list that goes on after so many pages counts as incomplete: some services never end one. */
export const MAX_PAGES_PER_LIST = 10_000;

/** A list with more entries counts as incomplete: all of them are held in memory. */
export const MAX_RESOURCES_PER_LIST = 500_000;

/** What holds for the whole execution; read once, from the first item. */
export interface Settings extends Limits {
	/** Longest time to wait for a write to be seen, in milliseconds. */
	verifyMs: number;
	/** Most pages and most resources that are read of one list. */
	mostPages: number;
	mostResources: number;
	/** Most bytes that are held of what is read. */
	mostHeld: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const MEGABYTE = 1_000_000;

/** For list searches and other looks of the editor: a person is waiting in front of the screen. */
export const EDITOR_LIMITS = {
	timeoutMs: 10 * SECOND,
	maxWaitMs: 5 * SECOND,
	verifyMs: 0,
	mostBytes: 20 * MEGABYTE,
	operationMs: MINUTE,
	mostPages: 100,
	mostResources: 10_000,
	mostHeld: 100 * MEGABYTE,
};

const NUMBERS = {
	maxMemory: {
		displayName: 'Max Memory (MB)',
		name: 'maxMemory',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 10, maxValue: 100_000, numberPrecision: 0 },
		default: 200,
		description: 'Maximum memory for what a run reads from the service',
	},
	maxWait: {
		displayName: 'Max Wait (Seconds)',
		name: 'maxWait',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 0, maxValue: 86400, numberPrecision: 0 },
		default: 120,
		description: 'How long a run may go without one accepted request before nothing more is sent',
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

/** On everything that writes and looks afterwards. */
export const acceptUnverified: INodeProperties = {
	displayName: 'Accept Unverified',
	name: 'acceptUnverified',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description: 'Whether to count changes that the service accepts but never shows as successful',
};

/**
 * Makes the Requests collection on the Settings tab of the node, where n8n has Retry On Fail and the like.
 * @param names numbers that the node uses
 */
export function requestsField(
	names: readonly NumberSetting[],
	...others: readonly INodeProperties[]
): INodeProperties {
	return {
		displayName: 'Requests',
		name: 'requests',
		type: 'collection',
		placeholder: 'Add Setting',
		default: {},
		description: 'How requests are sent, repeated and verified',
		isNodeSetting: true,
		options: inOrder([...others, ...names.map((name) => NUMBERS[name])]),
	};
}

/**
 * Reads how long the node may work, in milliseconds: as long as n8n lets the workflow run, where its settings say so.
 * @returns Infinity without *Timeout Workflow*
 */
export function workflowTimeout(context: IExecuteFunctions): number {
	const { executionTimeout = 0 } = context.getWorkflowSettings();
	return executionTimeout > 0 ? executionTimeout * SECOND : Number.POSITIVE_INFINITY;
}

/**
 * Reads the settings of a run.
 * @param values of the Requests collection
 * @param operationMs longest time for all requests together, in milliseconds
 * @throws InputError for a number out of range
 */
export function readSettings(values: IDataObject, operationMs: number): Settings {
	const number = (name: NumberSetting) => {
		const { default: usual, displayName, typeOptions } = NUMBERS[name];
		const { minValue: minimum, maxValue: maximum } = typeOptions;
		return optionNumber(displayName, values[name] ?? usual, minimum, maximum);
	};
	return {
		timeoutMs: number('timeout') * SECOND,
		maxWaitMs: number('maxWait') * SECOND,
		verifyMs: number('verifyTime') * SECOND,
		operationMs,
		mostBytes: MAX_ANSWER_MB * MEGABYTE,
		mostPages: MAX_PAGES_PER_LIST,
		mostResources: MAX_RESOURCES_PER_LIST,
		mostHeld: number('maxMemory') * MEGABYTE,
	};
}

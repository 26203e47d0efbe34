import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import {
	acceptUnverified,
	readSettings,
	requestsField,
	workflowTimeout,
} from '../../../nodes/shared/run/settings';

const HOUR = 3_600_000;

it('what is not set has the defaults, times in milliseconds', () => {
	const usual = {
		timeoutMs: 30_000,
		maxWaitMs: 120_000,
		verifyMs: 10_000,
		operationMs: HOUR,
		mostBytes: 50_000_000,
		mostPages: 10_000,
		mostResources: 500_000,
		mostHeld: 200_000_000,
	};
	expect(readSettings({}, HOUR)).toEqual(usual);
	expect(readSettings({ verifyTime: 7, timeout: '2', maxMemory: 300 }, HOUR)).toEqual({
		...usual,
		...{ verifyMs: 7_000, timeoutMs: 2_000, mostHeld: 300_000_000 },
	});
});

it.each([
	['maxMemory', 10, 100_000, 'Max Memory (MB)'],
	['maxWait', 0, 86_400, 'Max Wait (Seconds)'],
	['timeout', 1, 3_600, 'Timeout (Seconds)'],
	['verifyTime', 0, 3_600, 'Verification Time (Seconds)'],
])('%s goes from %i to %i', (name, least, most, displayName) => {
	for (const value of [least, most]) {
		expect(() => readSettings({ [name]: value }, HOUR)).not.toThrow();
	}
	for (const value of [least - 1, most + 1, 'x']) {
		expect(() => readSettings({ [name]: value }, HOUR)).toThrow(
			`${displayName} is not a number from ${least} to ${most}`,
		);
	}
});

it.each([
	[{}, Infinity],
	[{ executionTimeout: -1 }, Infinity],
	[{ executionTimeout: 0 }, Infinity],
	[{ executionTimeout: 60 }, 60_000],
])('with the workflow settings %j a node may work for %p ms', (settings, ms) => {
	const context = { getWorkflowSettings: () => settings } as unknown as IExecuteFunctions;
	expect(workflowTimeout(context)).toBe(ms);
});

it('a node shows the settings that it uses, on the Settings tab', () => {
	const { isNodeSetting, options } = requestsField(['timeout', 'maxWait'], acceptUnverified);
	expect(isNodeSetting).toBe(true);
	expect((options as INodeProperties[]).map((field) => [field.name, field.default])).toEqual([
		['acceptUnverified', false],
		['maxWait', 120],
		['timeout', 30],
	]);
});

import type { INodeProperties } from 'n8n-workflow';

import {
	readSettings,
	requestsOption,
	requestsOptionWith,
} from '../../../nodes/shared/run/settings';

const withValues = (values: object) => ({ requests: { values } });

it('what is not set has the defaults, times in milliseconds', () => {
	const usual = {
		concurrency: 5,
		pageSize: 100,
		timeoutMs: 30_000,
		maxWaitMs: 120_000,
		verifyMs: 10_000,
		operationMs: 14_400_000,
		mostBytes: 50_000_000,
		mostPages: 10_000,
		mostResources: 500_000,
	};
	expect(readSettings({})).toEqual(usual);
	const given = withValues({ pageSize: 7, timeout: '2' });
	expect(readSettings(given, { pageSize: 50, verifyTime: 0 })).toEqual({
		...usual,
		...{ pageSize: 7, timeoutMs: 2_000, verifyMs: 0 },
	});
});

it.each([
	['concurrency', 1, 50, 'Concurrency'],
	['maxRunTime', 1, 10_080, 'Max Run Time (Minutes)'],
	['maxWait', 0, 86_400, 'Max Wait (Seconds)'],
	['pageSize', 1, 10_000, 'Page Size'],
	['timeout', 1, 3_600, 'Timeout (Seconds)'],
	['verifyTime', 0, 3_600, 'Verification Time (Seconds)'],
])('%s goes from %i to %i', (name, least, most, displayName) => {
	for (const value of [least, most]) {
		expect(() => readSettings(withValues({ [name]: value }))).not.toThrow();
	}
	for (const value of [least - 1, most + 1, 'x']) {
		expect(() => readSettings(withValues({ [name]: value }))).toThrow(
			`${displayName} is not a number from ${least} to ${most}`,
		);
	}
});

it('an operation shows the settings that it uses, and its own defaults', () => {
	const shown = ({ options }: INodeProperties) =>
		(options as Array<{ values: INodeProperties[] }>)[0].values.map(
			(field) => `${field.name} ${String(field.default)}`,
		);
	const always = ['maxRunTime 240', 'maxWait 120'];
	expect(shown(requestsOption())).toEqual([...always, 'timeout 30']);
	expect(shown(requestsOption('pageSize'))).toEqual([...always, 'pageSize 100', 'timeout 30']);
	expect(shown(requestsOptionWith({ timeout: 0 }, 'concurrency'))).toEqual([
		'concurrency 5',
		...always,
		'timeout 0',
	]);
});

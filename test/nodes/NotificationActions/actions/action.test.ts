import {
	maskPayload,
	readAction,
	secretsOf,
} from '../../../../nodes/NotificationActions/actions/action';

const WEBHOOK = {
	url: 'https://user:word@hooks.example.com:8443/path/of-secrets?token=abc#x',
	method: 'POST',
	headers: { Authorization: 'Bearer token-1', 'X-Empty': '' },
	body: ['text of body', { pin: 123_456, deep: ['http://10.0.0.1/inner'] }],
};

describe('maskPayload', () => {
	it('leaves of a URL the host, and of everything else the email and the method', () => {
		expect(maskPayload(WEBHOOK)).toEqual({
			url: 'https://hooks.example.com/***',
			method: 'POST',
			headers: { Authorization: '***', 'X-Empty': '' },
			body: ['***', { pin: '***', deep: ['http://10.0.0.1/***'] }],
		});
		expect(
			maskPayload({ email: 'a@example.com', pagerDutyKey: 'k-1', on: true, no: null }),
		).toEqual({
			email: 'a@example.com',
			pagerDutyKey: '***',
			on: true,
			no: null,
		});
	});

	it('leaves nothing of an email or a method that is no text', () => {
		const payload = { email: { password: 'word-1' }, method: ['word-2'] };
		expect(maskPayload(payload)).toEqual({ email: { password: '***' }, method: ['***'] });
		expect(secretsOf(payload)).toEqual(['word-1', 'word-2']);
	});

	it('masks all that is deeper than any payload, instead of ending in the stack', () => {
		const deep: unknown = JSON.parse(`${'{"a":'.repeat(20_000)}"secret"${'}'.repeat(20_000)}`);
		expect(JSON.stringify(maskPayload({ deep, list: [deep] }))).toContain('***');
	});

	it('takes what only looks like a URL for a secret', () => {
		expect(maskPayload({ a: 'https://', b: ' https://x.example.com/y', c: 'ftp://h/p' })).toEqual({
			a: '***',
			b: '***',
			c: '***',
		});
	});
});

describe('secretsOf', () => {
	it('finds every text at any depth', () => {
		expect(secretsOf({ ...WEBHOOK, email: 'a@example.com', short: 'abc' })).toEqual([
			WEBHOOK.url,
			'Bearer token-1',
			'text of body',
			'123456',
			'http://10.0.0.1/inner',
			'abc',
		]);
	});

	it('finds tokens inside', () => {
		const url = 'https://chat.example.com/T0/token-of-the-path?key=token-of-the-query';
		expect(secretsOf({ url })).toEqual([url, 'token-of-the-path', 'token-of-the-query']);
	});
});

describe('readAction', () => {
	it('reads what the service tells', () => {
		expect(
			readAction({
				id: 'chat',
				type: 'SLACK',
				enabled: false,
				payload: { slackWebhook: 'x' },
				references: [
					{ datasetId: 'model-1', itemId: 'm-1', itemDisplayName: 'First one', type: 'MONITOR' },
					{ datasetId: 'model-2', itemId: 'm-2', type: 'MONITOR' },
				],
				creationTime: 1,
				orgId: 'org-1',
			}),
		).toEqual({
			id: 'chat',
			type: 'SLACK',
			enabled: false,
			payload: { slackWebhook: 'x' },
			references: [
				{ model: 'model-1', monitor: 'm-1' },
				{ model: 'model-2', monitor: 'm-2' },
			],
			creationTime: 1,
		});
	});

	it.each([[null], [{ itemId: 'm-3' }], ['model-2/m-2'], [{ datasetId: 1, itemId: 'm-2' }]])(
		'does not know who uses an action when %j is among the references',
		(strange) => {
			const references = [{ datasetId: 'model-1', itemId: 'm-1' }, strange];
			const action = readAction({ id: 'chat', type: 'SLACK', payload: {}, references });
			expect(action?.references).toBeUndefined();
		},
	);

	it('knows of the documented fields alone what is there', () => {
		expect(readAction({ id: 'chat', type: 'SLACK', payload: null })).toEqual({
			id: 'chat',
			type: 'SLACK',
			payload: {},
		});
	});

	it.each([null, 'chat', [], {}, { id: '' }, { id: 7 }])('is not %j', (value) => {
		expect(readAction(value)).toBeUndefined();
	});
});

import type { IHttpRequestOptions } from 'n8n-workflow';

import { n8nTransport, type RequestContext } from '../../../nodes/shared/request/n8nTransport';
import { parseBaseUrl } from '../../../nodes/shared/request/url';

interface Context {
	context: RequestContext;
	/** Credential type and options of every call. */
	calls: Array<[string, IHttpRequestOptions]>;
	cancel(): void;
}

/** As much of an execution as the transport touches. */
function contextOf(response: object): Context {
	const calls: Context['calls'] = [];
	const controller = new AbortController();
	const context = {
		getExecutionCancelSignal: () => controller.signal,
		helpers: {
			async httpRequestWithAuthentication(type: string, options: IHttpRequestOptions) {
				calls.push([type, options]);
				return response;
			},
		},
	};
	return {
		context: context as unknown as RequestContext,
		calls,
		cancel: () => controller.abort(),
	};
}

const LIMITS = { timeoutMs: 30_000, maxWaitMs: 0 };
const transportOf = (context: RequestContext, ignoreSslIssues = false) =>
	n8nTransport(
		context,
		'scimProvisioningApi',
		parseBaseUrl('https://api.example.com:8443/x'),
		ignoreSslIssues,
		LIMITS,
	);
const REQUEST = {
	method: 'GET' as const,
	url: 'https://api.example.com:8443/x/Users',
	headers: { Accept: 'application/json' },
};

describe('n8nTransport', () => {
	it('sends with the credential, to its host alone, and follows nothing', async () => {
		const { context, calls } = contextOf({ statusCode: 200, headers: { a: 'b' }, body: '{"x":1}' });
		expect(await transportOf(context).exchange(REQUEST)).toEqual({
			status: 200,
			headers: { a: 'b' },
			text: '{"x":1}',
		});
		expect(calls).toEqual([
			[
				'scimProvisioningApi',
				{
					...REQUEST,
					encoding: 'text',
					returnFullResponse: true,
					ignoreHttpStatusErrors: true,
					disableFollowRedirect: true,
					sendCredentialsOnCrossOriginRedirect: false,
					skipSslCertificateValidation: false,
					allowedDomains: 'api.example.com',
					timeout: 30_000,
				},
			],
		]);
	});

	it('ignores certificates only when the credential says so', async () => {
		const { context, calls } = contextOf({ statusCode: 200, headers: {}, body: '' });
		await transportOf(context, true).exchange({ ...REQUEST, method: 'PUT', body: '{}' });
		expect(calls[0][1]).toMatchObject({ skipSslCertificateValidation: true, body: '{}' });
	});

	it.each([
		['text', ' {"a":1.0} ', ' {"a":1.0} '],
		['something parsed', { a: 1 }, '{"a":1}'],
		['nothing', undefined, ''],
		['null', null, ''],
	])('a body that is %s', async (_, body, text) => {
		const { context } = contextOf({ statusCode: 204, headers: {}, body });
		expect((await transportOf(context).exchange(REQUEST)).text).toBe(text);
	});

	it('does not wait once the execution is cancelled', async () => {
		const { context, cancel } = contextOf({});
		const transport = transportOf(context);
		await transport.wait(5);
		expect(transport.cancelled()).toBe(false);
		cancel();
		expect(transport.cancelled()).toBe(true);
		await transport.wait(86_400_000);
	});

	it('works where nothing can be cancelled, as in list searches', async () => {
		const context = { helpers: {} } as unknown as RequestContext;
		expect(transportOf(context).cancelled()).toBe(false);
	});
});

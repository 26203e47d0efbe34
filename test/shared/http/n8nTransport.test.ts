import type { IHttpRequestOptions } from 'n8n-workflow';

import {
	n8nTransport,
	type RequestContext,
	sendWith,
} from '../../../nodes/shared/http/n8nTransport';
import { parseBaseUrl } from '../../../nodes/shared/http/request';

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

const LIMITS = { timeoutMs: 30_000, maxWaitMs: 0, mostBytes: 10, operationMs: 60_000 };
const transportOf = (context: RequestContext, ignoreSslIssues = false) =>
	n8nTransport(
		context,
		parseBaseUrl('https://api.example.com:8443/x'),
		ignoreSslIssues,
		LIMITS,
		sendWith(context, 'scimProvisioningApi'),
	);
const REQUEST = {
	method: 'GET' as const,
	url: 'https://api.example.com:8443/x/Users',
	headers: { Accept: 'application/json' },
	signal: new AbortController().signal,
	waitsForToken: () => {},
};

/** A body of which no piece ever comes. */
function stalled() {
	let fail: (reason: unknown) => void = () => {};
	const piece = new Promise<never>((_, reject) => (fail = reject));
	return {
		destroy: jest.fn((reason: unknown) => fail(reason)),
		[Symbol.asyncIterator]: () => ({ next: async () => await piece }),
	};
}

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
					method: 'GET',
					url: REQUEST.url,
					headers: REQUEST.headers,
					encoding: 'stream',
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

	it('an answer is read piece by piece, and left where it grows too large or takes too long', async () => {
		let left = 0;
		async function* pieces(count: number) {
			try {
				for (let nth = 0; nth < count; nth++) yield await Promise.resolve(Buffer.from('äö'));
			} finally {
				left += 1;
			}
		}
		const answer = (count: number) =>
			transportOf(contextOf({ statusCode: 200, headers: {}, body: pieces(count) }).context);
		expect((await answer(2).exchange(REQUEST)).text).toBe('äöäö');
		await expect(answer(1e9).exchange(REQUEST)).rejects.toThrow('more than 10 bytes');
		const late = { ...REQUEST, signal: AbortSignal.abort(new Error('too late')) };
		await expect(answer(1e9).exchange(late)).rejects.toThrow('too late');
		expect(left).toBe(3);
	});

	it.each([
		['stalls', () => new AbortController()],
		[
			'comes when it is too late',
			() => {
				const late = new AbortController();
				late.abort(new Error('too late'));
				return late;
			},
		],
	])('the connection of an answer that %s is closed', async (_, limitOf) => {
		const limit = limitOf();
		const body = stalled();
		const { context } = contextOf({ statusCode: 200, headers: {}, body });
		const exchanged = transportOf(context).exchange({ ...REQUEST, signal: limit.signal });
		const told = expect(exchanged).rejects.toThrow('too late');
		// Until it waits for a piece.
		for (let turn = 0; turn < 50; turn++) await Promise.resolve();
		limit.abort(new Error('too late'));
		await told;
		expect(body.destroy).toHaveBeenCalledTimes(1);
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

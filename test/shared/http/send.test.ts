import {
	RequestError,
	type FailureFacts,
	type Limits,
	type ServiceRequest,
} from '../../../nodes/shared/http/request';
import { USER_AGENT } from '../../../nodes/shared/http/send';
import { attempt } from '../../../nodes/shared/util';
import {
	broken,
	fakeTransport,
	inTurn,
	scimError,
	sendOver,
	type FakeTransport,
	type Reply,
} from '../../support/fakeTransport';

const LIST: ServiceRequest = {
	...{ method: 'GET', path: ['scim', 'Users'], repeat: 'always', purpose: 'list users' },
};
const CHANGE: ServiceRequest = {
	...{ method: 'PATCH', path: ['scim', 'Users', 'user-1'], body: { active: false } },
	...{ repeat: 'always', purpose: 'update user user-1' },
};
const OK: Reply = { json: { Resources: [] } };

beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => jest.restoreAllMocks());

/** A request, what it is answered in turn, and what comes of it. */
interface Case extends Partial<
	Pick<ServiceRequest, 'method' | 'repeat' | 'secrets' | 'body' | 'path'>
> {
	replies: Array<Reply | Error>;
	limits?: Partial<Limits>;
	/** Requests that leave, 1 unless it says so; and what is waited for between them. */
	sent?: number;
	waits?: number[];
	says?: string | RegExp;
	advises?: RegExp;
	facts?: Partial<FailureFacts>;
	/** Instead of an error. */
	body?: object;
	answer?: unknown;
}

async function play(given: Case) {
	const transport = fakeTransport(inTurn(...given.replies));
	const send = sendOver(transport, given.limits);
	const tried = await attempt(async () => await send({ ...CHANGE, ...given }));
	return { transport, error: tried.ok ? undefined : (tried.error as RequestError), tried };
}

function table(cases: Record<string, Case>) {
	it.each(Object.entries(cases))('%s', async (_, given) => {
		const { transport, error, tried } = await play(given);
		expect(transport.sent).toHaveLength(given.sent ?? 1);
		if (given.waits) expect(transport.waits).toEqual(given.waits);
		if ('answer' in given) expect(tried).toMatchObject({ ok: true, value: { body: given.answer } });
		else expect(error).toBeInstanceOf(Error);
		if (given.says) expect(error?.message).toMatch(given.says);
		if (given.advises) expect(error?.description).toMatch(given.advises);
		if (given.facts) expect(error?.facts).toMatchObject(given.facts);
	});
}

describe('what leaves', () => {
	it.each([
		['a read without a body', LIST, undefined, {}],
		['a write', CHANGE, { active: false }, { 'Content-Type': 'application/json' }],
	])('%s: the media type, a User-Agent, and no credential of its own', async (...row) => {
		const [, request, body, more] = row;
		const transport = fakeTransport(inTurn(OK));
		const answer = await sendOver(transport, {}, { mediaType: 'application/json' })(request);
		expect(answer).toEqual({ status: 200, body: { Resources: [] }, text: '{"Resources":[]}' });
		const headers = { Accept: 'application/json', 'User-Agent': USER_AGENT, ...more };
		const url = `https://api.example.com/${request.path.join('/')}`;
		expect(transport.received).toMatchObject([{ url, body, headers }]);
		expect(Object.keys(transport.received[0].headers)).toEqual(Object.keys(headers));
	});

	table({
		'nothing with a body nested too deeply for JSON': {
			body: { deep: JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as unknown },
			...{ replies: [OK], sent: 0 },
			says: 'Could not update user user-1: the request body is nested too deeply',
		},
		'nothing with an ID that is none': {
			...{ path: ['scim', 'Users', '..'], replies: [OK], sent: 0, says: '".." is not an ID' },
		},
	});
});

const busy = (after?: string): Reply => ({
	...{ status: 429, text: 'slow down' },
	headers: after === undefined ? {} : { 'retry-after': after },
});
const DONE: Reply = { status: 204 };
const [refused, reset] = [broken('ECONNREFUSED'), broken('ECONNRESET')];

describe('a fault', () => {
	table({
		'an absurd pause is not waited for, and the error says how long it is': {
			...{ replies: [busy('86400')], waits: [] },
			says: /the service answered 429, slow down$/,
			advises: /asks to wait 86400 seconds.*Max Wait/,
			facts: { status: 429, retryAfterMs: 86_400_000 },
		},
		'with no budget a busy service is asked once': {
			...{ replies: [busy('1')], limits: { maxWaitMs: 0 }, advises: /Max Wait/ },
		},
		'501 is no passing one': {
			...{ replies: [{ status: 501 }], facts: { mayHaveWorked: false } },
			advises: /^The service does not offer this operation\.$/,
		},
		'a certificate is none, and nothing can have worked': {
			...{ replies: [broken('DEPTH_ZERO_SELF_SIGNED_CERT')], facts: { mayHaveWorked: false } },
			...{ says: /certificate of the service is self-signed/, advises: /Ignore SSL Issues/ },
			...{ facts: { kind: 'certificate', mayHaveWorked: false } },
		},
		'a write that never arrived cannot have worked': {
			...{ replies: [refused], repeat: 'never' },
			...{ says: /user-1: the connection was refused$/, advises: /^(?!.*may still).*api\.example/ },
			facts: { kind: 'network', mayHaveWorked: false },
		},
		'a write that was cut off may have worked, and the error says so': {
			...{ replies: [reset], repeat: 'never', facts: { mayHaveWorked: true } },
			...{ says: /user-1: the connection broke off$/, advises: /may still have worked/ },
		},
		'one that is none of the network is told as it is': {
			...{ replies: [new Error('It could not be decrypted')], repeat: 'never' },
			says: 'could not be decrypted',
		},
	});

	it('is waited for no longer than the budget, all waits together', async () => {
		const { transport, error } = await play({ replies: [busy()], limits: { maxWaitMs: 60_000 } });
		const waited = transport.waits.reduce((total, ms) => total + ms, 0);
		expect([waited > 30_000, waited <= 60_000]).toEqual([true, true]);
		expect(transport.sent).toHaveLength(transport.waits.length + 1);
		expect(error?.description).toMatch(/too many requests.*Max Wait/);
	});

	const CA =
		/^Set NODE_EXTRA_CA_CERTS .* restart n8n\..* As a last resort, turn on Ignore SSL Issues in/;
	const HOST_WORDS = 'is for another host';
	it.each([
		['CERT_HAS_EXPIRED', 'has expired', /^Renew it on the server(?!.*Ignore SSL)/],
		['CERT_NOT_YET_VALID', 'is not valid yet', /^Check the clock(?!.*Ignore SSL)/],
		[
			'ERR_TLS_CERT_ALTNAME_INVALID',
			HOST_WORDS,
			/^In the Base URL, enter .* names\.(?!.*Ignore SSL)/,
		],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'is self-signed', CA],
		['SELF_SIGNED_CERT_IN_CHAIN', 'comes from an authority that n8n does not know', CA],
		['UNABLE_TO_GET_ISSUER_CERT', 'comes from an authority that n8n does not know', CA],
		['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'comes from an authority that n8n does not know', CA],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'comes from an authority that n8n does not know', CA],
		[
			'CERT_REVOKED',
			'cannot be verified (CERT_REVOKED)',
			/^Check the certificate.*(?!.*Ignore SSL)/,
		],
	])('is a certificate: %s', async (httpCode, is, cure) => {
		const wrapped = Object.assign(new Error('What n8n says'), { httpCode });
		const { error } = await play({ replies: [wrapped], repeat: 'never' });
		expect(error?.message).toBe(
			`Could not update user user-1: the certificate of the service ${is}`,
		);
		expect(error?.description).toMatch(cure);
		expect(error?.description).not.toMatch(/may still have worked|reach it/);
	});

	it('is a certificate for other hosts, which are named', async () => {
		const message =
			"Hostname/IP does not match certificate's altnames: Host: a.test. is not in the cert's altnames: DNS:b.test, IP Address:127.0.0.1";
		const wrapped = Object.assign(new Error(message), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
		const { error } = await play({ replies: [wrapped], repeat: 'never' });
		expect(error?.message).toMatch(/for another host \(b\.test, 127\.0\.0\.1\)$/);
	});

	// A proxy that is not found is not the host of the Base URL.
	it.each([
		['ENOTFOUND', ['getaddrinfo ENOTFOUND proxy.invalid'], 'there is no host proxy.invalid'],
		['ENOTFOUND', [], 'there is no host of this name'],
		['EPROTO', [], 'the service does not speak https on this port'],
		['EPROTO', ['write EPROTO: tlsv1 alert 70'], 'the service broke off the https handshake'],
		['ERR_SSL_WRONG_VERSION_NUMBER', [], 'the service does not speak https on this port'],
		['ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN', [], 'the service broke off the https handshake'],
	])('has the code %s where n8n puts it, and %j', async (httpCode, messages, happened) => {
		const wrapped = Object.assign(new Error('What n8n says'), { httpCode, messages });
		const { error } = await play({ replies: [wrapped], repeat: 'never' });
		expect(error?.message).toBe(`Could not update user user-1: ${happened}`);
	});
});

describe('the time limit', () => {
	it('holds even when the service never ends its answer', async () => {
		const silent = fakeTransport(async () => await new Promise<never>(() => {}));
		await expect(
			sendOver(silent, { timeoutMs: 10 })({ ...LIST, repeat: 'never' }),
		).rejects.toMatchObject({
			message: 'Could not list users: no answer within 0.01 seconds',
			description: expect.stringContaining('Raise Timeout under Settings > Requests') as string,
			facts: { kind: 'timeout', mayHaveWorked: false },
		});
	});

	table(
		Object.fromEntries(
			['ECONNABORTED', 'ETIMEDOUT'].map((code): [string, Case] => [
				`${code} of the HTTP helper is the same`,
				{
					...{ replies: [broken(code)], repeat: 'never' },
					says: 'Could not update user user-1: no answer within 30 seconds',
					facts: { kind: 'timeout', mayHaveWorked: true },
				},
			]),
		),
	);

	it('of the whole operation: once it is over, nothing leaves', async () => {
		const transport = fakeTransport(inTurn(OK));
		const send = sendOver(transport, { operationMs: 240_000 });
		await send(LIST);
		jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 240_001);
		await expect(send(LIST)).rejects.toThrow(
			'the node has worked for 4 minutes, which is its limit',
		);
		expect(transport.sent).toHaveLength(1);
	});
});

describe('only what may be repeated is repeated', () => {
	/** Whether a request is sent again after each, which may be repeated `always`, `ifRefused`, after a look. */
	const FAULTS: Array<[string, Reply | Error, boolean, 'found' | 'nobody']> = [
		['429', busy('1'), true, 'found'],
		['500', { status: 500 }, false, 'found'],
		['a reset', reset, false, 'found'],
		['a timeout', broken('ETIMEDOUT'), false, 'found'],
		['a refused connection', refused, true, 'nobody'],
	];

	it.each(FAULTS)('%s', async (_, fault, ifRefused, looks) => {
		const replies = [fault, DONE];
		const sentWith = async (repeat: ServiceRequest['repeat']) =>
			(await play({ replies, repeat })).transport.sent.length;
		expect(await sentWith('always')).toBe(2);
		expect(await sentWith('never')).toBe(1);
		for (const repeat of ['ifRefused', { ifRefused: async () => undefined }] as const)
			expect(await sentWith(repeat)).toBe(ifRefused ? 2 : 1);
		const look = jest.fn(async () => ({ answer: { id: 'user-1' } }));
		const { transport, tried } = await play({ method: 'POST', replies, repeat: look });
		expect(look).toHaveBeenCalledTimes(1);
		expect(look).toHaveBeenCalledWith(
			expect.objectContaining({ mayHaveWorked: looks === 'found' }),
		);
		expect(transport.sent).toHaveLength(1);
		expect(tried).toMatchObject({ ok: true, value: { body: { id: 'user-1' } } });
	});

	const found = async () => ({ answer: { id: 'user-1' } });
	const failing = async () => await Promise.reject(new Error('the look failed'));
	table({
		'ifRefused: no longer once a connection broke off': {
			...{ repeat: 'ifRefused', replies: [refused, refused, reset, OK], sent: 3 },
		},
		'a look is made a last time when no try is left': {
			...{ replies: [{ status: 500 }], repeat: found, limits: { maxWaitMs: 0 } },
			answer: { id: 'user-1' },
		},
		'a look that fails: nobody knows, so it is not sent again': {
			...{ replies: [{ status: 500 }, OK], repeat: failing },
			facts: { status: 500, mayHaveWorked: true },
		},
		'a refusal is no lost answer: no look': {
			...{ replies: [scimError(409, 'already exists')], repeat: found, facts: { status: 409 } },
		},
		'a secret of the request is in no message': {
			...{ replies: [{ status: 400, text: 'The URL https://chat.test/T0 is not valid' }] },
			...{ secrets: ['https://chat.test/T0'], says: 'The URL *** is not valid' },
		},
		'a secret that begins with another leaves no end of itself': {
			...{ replies: [{ status: 400, text: 'The key word-of-chat is not valid' }] },
			...{ secrets: ['word', 'word-of-chat'], says: 'The key *** is not valid' },
		},
	});

	it('a look that finds nothing, or a part, comes after the pause and before what is left', async () => {
		for (const left of [undefined, { body: { left: 1 } }]) {
			const steps: string[] = [];
			const note = (step: string) => void steps.push(step);
			const transport = fakeTransport(
				({ body }, nth) => {
					note(`send ${JSON.stringify(body)}`);
					return nth === 1 ? { status: 500 } : { status: 201 };
				},
				() => note('wait'),
			);
			const repeat = async () => {
				note('look');
				return left;
			};
			expect((await sendOver(transport)({ ...CHANGE, repeat })).status).toBe(201);
			const [first, again] = [CHANGE.body, left?.body ?? CHANGE.body].map((body) =>
				JSON.stringify(body),
			);
			expect(steps).toEqual([`send ${first}`, 'wait', 'look', `send ${again}`]);
		}
	});
});

describe('a cancelled execution', () => {
	const look = jest.fn(async () => undefined);
	type Cancel = (transport: FakeTransport) => FakeTransport;
	const before: Cancel = (transport) => (transport.cancel(), transport);
	const waiting = () => fakeTransport(inTurn({ status: 429 }), (self) => self.cancel());
	const underWay = () => {
		const transport: FakeTransport = fakeTransport(() => {
			transport.cancel();
			throw broken('ERR_CANCELED');
		});
		return transport;
	};

	it.each([
		[
			'nothing leaves afterwards',
			() => before(fakeTransport(inTurn(OK))),
			0,
			'Nothing was sent',
			false,
		],
		['while it waits neither the request nor a look leaves', waiting, 1, 'too many requests', true],
		[
			'a write that had left may have worked',
			underWay,
			1,
			'had left already and may have worked',
			true,
		],
	])('%s', async (_, make, sent, advice, mayHaveWorked) => {
		const transport = make();
		await expect(sendOver(transport)({ ...CHANGE, repeat: look })).rejects.toMatchObject({
			message: expect.stringContaining('Could not update user user-1: the ') as string,
			description: expect.stringContaining(advice) as string,
			facts: { mayHaveWorked, kind: advice.startsWith('too') ? 'http' : 'cancelled' },
		});
		expect(transport.sent).toHaveLength(sent);
		expect(look).not.toHaveBeenCalled();
	});
});

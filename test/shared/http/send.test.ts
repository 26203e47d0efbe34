import { RequestError } from '../../../nodes/shared/http/requestError';
import { USER_AGENT } from '../../../nodes/shared/http/send';
import type { ServiceRequest } from '../../../nodes/shared/http/types';
import {
	broken,
	fakeTransport,
	inTurn,
	scimError,
	sendOver,
	type Reply,
} from '../../support/fakeTransport';

const LIST: ServiceRequest = {
	method: 'GET',
	path: ['scim', 'Users'],
	repeat: 'always',
	purpose: 'list users',
};
const CHANGE: ServiceRequest = {
	method: 'PATCH',
	path: ['scim', 'Users', 'user-1'],
	body: { active: false },
	repeat: 'always',
	purpose: 'update user user-1',
};
const OK: Reply = { json: { Resources: [] } };

async function failureOf(work: Promise<unknown>): Promise<RequestError> {
	const error: unknown = await work.then(
		() => undefined,
		(reason: unknown) => reason,
	);
	expect(error).toBeInstanceOf(RequestError);
	return error as RequestError;
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

beforeEach(() => {
	jest.spyOn(Math, 'random').mockReturnValue(0);
});

afterEach(() => {
	jest.restoreAllMocks();
});

describe('what leaves', () => {
	it('a read: the media type as Accept, a User-Agent, no body, and no credential of its own', async () => {
		const transport = fakeTransport(inTurn(OK));
		const answer = await sendOver(transport)(LIST);
		expect(answer).toEqual({ status: 200, body: { Resources: [] }, text: '{"Resources":[]}' });
		expect(transport.received[0]).toMatchObject({
			url: 'https://api.example.com/scim/Users',
			body: undefined,
			headers: { Accept: 'application/scim+json', 'User-Agent': USER_AGENT },
		});
		expect(Object.keys(transport.received[0].headers)).toEqual(['Accept', 'User-Agent']);
	});

	it('a write: JSON of the same media type', async () => {
		const transport = fakeTransport(inTurn({ status: 204 }));
		await sendOver(transport, {}, { mediaType: 'application/json' })(CHANGE);
		expect(transport.received[0].body).toEqual({ active: false });
		expect(transport.received[0].headers).toMatchObject({
			Accept: 'application/json',
			'Content-Type': 'application/json',
		});
	});

	it('a body nested too deeply for JSON: nothing, and it says so', async () => {
		const transport = fakeTransport(inTurn(OK));
		const body = { deep: JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as unknown };
		await expect(sendOver(transport)({ ...CHANGE, body })).rejects.toThrow(
			'Could not update user user-1: the request body is nested too deeply',
		);
		expect(transport.sent).toStrictEqual([]);
	});

	it('an id that is none: nothing', async () => {
		const transport = fakeTransport(inTurn(OK));
		const sent = sendOver(transport)({ ...LIST, path: ['scim', 'Users', '..'] });
		await expect(sent).rejects.toThrow('".." is not an ID');
		expect(transport.sent).toStrictEqual([]);
	});
});

describe('a busy service', () => {
	const busy = (header?: string): Reply => ({
		status: 429,
		text: 'slow down',
		headers: header === undefined ? {} : { 'retry-after': header },
	});

	it('429 with an absurd number: no wait beyond the budget, and the error says for how long', async () => {
		const transport = fakeTransport(inTurn(busy('86400')));
		const error = await failureOf(sendOver(transport)(LIST));
		expect(transport.sent).toHaveLength(1);
		expect(transport.waits).toStrictEqual([]);
		expect(error.message).toBe('Could not list users: the service answered 429, slow down');
		expect(error.description).toMatch(/asks to wait 86400 seconds.*Max Wait/);
		expect(error.facts).toMatchObject({ status: 429, retryAfterMs: 86_400_000 });
	});

	it('never waits longer than the budget, all waits together', async () => {
		const transport = fakeTransport(inTurn(busy()));
		const error = await failureOf(sendOver(transport, { maxWaitMs: 60_000 })(LIST));
		expect(sum(transport.waits)).toBeLessThanOrEqual(60_000);
		expect(sum(transport.waits)).toBeGreaterThan(30_000);
		expect(transport.sent).toHaveLength(transport.waits.length + 1);
		expect(error.description).toMatch(/too many requests.*Max Wait/);
	});

	it('with no budget asks once', async () => {
		const transport = fakeTransport(inTurn(busy('1')));
		await failureOf(sendOver(transport, { maxWaitMs: 0 })(LIST));
		expect(transport.sent).toHaveLength(1);
	});
});

describe('a service that fails', () => {
	it('501 is no passing fault: asked once, told as an operation that is not offered', async () => {
		const transport = fakeTransport(inTurn({ status: 501 }));
		const error = await failureOf(sendOver(transport)(CHANGE));
		expect(transport.sent).toHaveLength(1);
		expect(error.description).toBe('The service does not offer this operation.');
		expect(error.facts.mayHaveWorked).toBe(false);
	});
});

describe('a connection that breaks', () => {
	it('a write that never arrived cannot have worked', async () => {
		const transport = fakeTransport(inTurn(broken('ECONNREFUSED')));
		const error = await failureOf(sendOver(transport)({ ...CHANGE, repeat: 'never' }));
		expect(error.message).toBe('Could not update user user-1: the connection was refused');
		expect(error.description).toMatch(/api\.example\.com/);
		expect(error.description).not.toMatch(/may still have worked/);
		expect(error.facts).toMatchObject({ kind: 'network', mayHaveWorked: false });
	});

	it('a write that was cut off may have worked, and the error says so', async () => {
		const transport = fakeTransport(inTurn(broken('ECONNRESET')));
		const error = await failureOf(sendOver(transport)({ ...CHANGE, repeat: 'never' }));
		expect(error.message).toBe('Could not update user user-1: the connection broke off');
		expect(error.description).toMatch(/may still have worked/);
		expect(error.facts.mayHaveWorked).toBe(true);
	});

	// A proxy that is not found is not the host of the Base URL.
	it.each([
		['ENOTFOUND', ['getaddrinfo ENOTFOUND proxy.invalid'], 'there is no host proxy.invalid'],
		['ENOTFOUND', [], 'there is no host of this name'],
		['EPROTO', [], 'the service does not speak https on this port'],
		['EPROTO', ['write EPROTO: tlsv1 alert 70'], 'the service broke off the https handshake'],
		['ERR_SSL_WRONG_VERSION_NUMBER', [], 'the service does not speak https on this port'],
	])('reads the code %s where n8n puts it, and %j', async (httpCode, messages, happened) => {
		const wrapped = Object.assign(new Error('What n8n says'), { httpCode, messages });
		const error = await failureOf(
			sendOver(fakeTransport(inTurn(wrapped)))({ ...LIST, repeat: 'never' }),
		);
		expect(error.message).toBe(`Could not list users: ${happened}`);
	});

	it('a certificate is not mended by trying again, and nothing can have worked', async () => {
		const transport = fakeTransport(inTurn(broken('DEPTH_ZERO_SELF_SIGNED_CERT')));
		const error = await failureOf(sendOver(transport)(CHANGE));
		expect(error.message).toMatch(/certificate of the service is self-signed/);
		expect(error.description).toMatch(/Ignore SSL Issues/);
		expect(transport.sent).toHaveLength(1);
		expect(error.facts.mayHaveWorked).toBe(false);
	});

	it('an error that is none of the network is told as it is', async () => {
		const failed = new Error('Credential with ID "7" could not be decrypted');
		const error: unknown = await sendOver(fakeTransport(inTurn(failed)))({
			...CHANGE,
			repeat: 'never',
		}).catch((reason: unknown) => reason);
		expect((error as Error).message).toContain('could not be decrypted');
	});
});

describe('the time limit', () => {
	const silent = async () => await new Promise<never>(() => {});

	it('holds even when the service never ends its answer', async () => {
		const error = await failureOf(
			sendOver(fakeTransport(silent), { timeoutMs: 10 })({ ...LIST, repeat: 'never' }),
		);
		expect(error.message).toBe('Could not list users: no answer within 0.01 seconds');
		expect(error.description).toContain('Raise Timeout under Settings > Requests');
		expect(error.facts).toMatchObject({ kind: 'timeout', mayHaveWorked: false });
	});

	it.each(['ECONNABORTED', 'ETIMEDOUT'])('%s of the HTTP helper is the same', async (code) => {
		const transport = fakeTransport(inTurn(broken(code)));
		const error = await failureOf(sendOver(transport)({ ...CHANGE, repeat: 'never' }));
		expect(error.message).toBe('Could not update user user-1: no answer within 30 seconds');
		expect(error.facts).toMatchObject({ kind: 'timeout', mayHaveWorked: true });
	});
});

describe('only what may be repeated is repeated', () => {
	const faults: Array<[string, Reply | Error]> = [
		['429', { status: 429, headers: { 'retry-after': '1' } }],
		['500', { status: 500 }],
		['a reset', broken('ECONNRESET')],
		['a refused connection', broken('ECONNREFUSED')],
		['a timeout', broken('ETIMEDOUT')],
	];

	it.each(faults)('never: %s', async (_, fault) => {
		const transport = fakeTransport(inTurn(fault, OK));
		await failureOf(sendOver(transport)({ ...CHANGE, repeat: 'never' }));
		expect(transport.sent).toHaveLength(1);
		expect(transport.waits).toStrictEqual([]);
	});

	const mayHaveWorked = faults.filter(([name]) => !['429', 'a refused connection'].includes(name));

	it.each(mayHaveWorked)('ifRefused: %s', async (_, fault) => {
		const transport = fakeTransport(inTurn(fault, OK));
		await failureOf(sendOver(transport)({ ...CHANGE, repeat: 'ifRefused' }));
		expect(transport.sent).toHaveLength(1);
		expect(transport.waits).toStrictEqual([]);
	});

	it.each(['PUT', 'PATCH', 'DELETE'] as const)(
		'ifRefused: %s is sent again after 429, for which there was no room',
		async (method) => {
			const transport = fakeTransport(inTurn(faults[0][1], { status: 204 }));
			await sendOver(transport)({ ...CHANGE, method, repeat: 'ifRefused' });
			expect(transport.sent).toHaveLength(2);
			expect(transport.waits).toEqual([1_000]);
		},
	);

	it('ifRefused: sent again when no connection came about, and no longer when one broke then', async () => {
		const refused = broken('ECONNREFUSED');
		const worked = fakeTransport(inTurn(refused, refused, { status: 204 }));
		await sendOver(worked)({ ...CHANGE, repeat: 'ifRefused' });
		expect(worked.sent).toHaveLength(3);
		const broke = fakeTransport(inTurn(refused, broken('ECONNRESET'), OK));
		await failureOf(sendOver(broke)({ ...CHANGE, repeat: 'ifRefused' }));
		expect(broke.sent).toHaveLength(2);
	});

	it('once the time of the whole operation is over, nothing', async () => {
		const transport = fakeTransport(inTurn(OK, OK));
		const send = sendOver(transport, { operationMs: 240_000 });
		await send(LIST);
		jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 240_001);
		const error = await failureOf(send(LIST));
		expect(error.message).toContain('the node has worked for 4 minutes, which is its limit');
		expect(transport.sent).toHaveLength(1);
	});

	it('the secrets of a request are in no message', async () => {
		const said = { status: 400, text: 'The URL https://chat.test/T0/secret is not valid' };
		const error = await failureOf(
			sendOver(fakeTransport(inTurn(said)))({
				...CHANGE,
				secrets: ['https://chat.test/T0/secret'],
			}),
		);
		expect(error.message).toContain('The URL *** is not valid');
		expect(JSON.stringify(error)).not.toContain('T0');
	});

	it('a secret that begins with another leaves no end of itself', async () => {
		const said = { status: 400, text: 'The key word-of-chat is not valid' };
		const error = await failureOf(
			sendOver(fakeTransport(inTurn(said)))({ ...CHANGE, secrets: ['word', 'word-of-chat'] }),
		);
		expect(error.message).toContain('The key *** is not valid');
	});

	it.each(faults)('always: %s', async (_, fault) => {
		const transport = fakeTransport(inTurn(fault, { status: 204 }));
		await sendOver(transport)(CHANGE);
		expect(transport.sent).toHaveLength(2);
	});

	it.each(faults.filter(([name]) => name !== 'a refused connection'))(
		'a look after %s: found, so it is not sent twice',
		async (_, fault) => {
			const transport = fakeTransport(inTurn(fault));
			const look = jest.fn(async () => ({ answer: { id: 'user-1' } }));
			const answer = await sendOver(transport)({ ...CHANGE, method: 'POST', repeat: look });
			expect(transport.sent).toHaveLength(1);
			expect(look).toHaveBeenCalledTimes(1);
			expect(answer.body).toEqual({ id: 'user-1' });
		},
	);

	it('a look that finds nothing: sent again, after the pause', async () => {
		const steps: string[] = [];
		const transport = fakeTransport(
			(_, nth) => {
				steps.push('send');
				return nth === 1 ? { status: 500 } : { status: 201, json: { id: 'user-1' } };
			},
			() => steps.push('wait'),
		);
		const answer = await sendOver(transport)({
			...CHANGE,
			method: 'POST',
			repeat: async () => {
				steps.push('look');
				return undefined;
			},
		});
		expect(steps).toEqual(['send', 'wait', 'look', 'send']);
		expect(answer.status).toBe(201);
	});

	it('a look before what never arrived knows that nothing can have worked', async () => {
		const transport = fakeTransport(inTurn(broken('ECONNREFUSED'), { status: 201, json: {} }));
		const look = jest.fn(async () => undefined);
		await sendOver(transport)({ ...CHANGE, method: 'POST', repeat: look });
		expect(look).toHaveBeenCalledWith(expect.objectContaining({ mayHaveWorked: false }));
		expect(transport.sent).toHaveLength(2);
	});

	it('a look that finds a part done: what is left is sent', async () => {
		const transport = fakeTransport(inTurn({ status: 429 }, { status: 204 }));
		await sendOver(transport)({ ...CHANGE, repeat: async () => ({ body: { left: 1 } }) });
		expect(transport.received[1].body).toEqual({ left: 1 });
	});

	it('looks a last time when no try is left', async () => {
		const transport = fakeTransport(inTurn({ status: 500 }));
		let looks = 0;
		const answer = await sendOver(transport, { maxWaitMs: 0 })({
			...CHANGE,
			method: 'POST',
			repeat: async () => {
				looks++;
				return { answer: { id: 'user-1' } };
			},
		});
		expect(looks).toBe(1);
		expect(answer.body).toEqual({ id: 'user-1' });
	});

	it('a look that fails: nobody knows, so it is not sent again', async () => {
		const transport = fakeTransport(inTurn({ status: 500 }, { status: 201 }));
		const error = await failureOf(
			sendOver(transport)({
				...CHANGE,
				method: 'POST',
				repeat: async () => await Promise.reject(new Error('the look failed')),
			}),
		);
		expect(transport.sent).toHaveLength(1);
		expect(error.facts).toMatchObject({ status: 500, mayHaveWorked: true });
	});

	it('a refusal is no lost answer: no look', async () => {
		const look = jest.fn(async () => ({ answer: { id: 'user-1' } }));
		const transport = fakeTransport(inTurn(scimError(409, 'already exists')));
		const error = await failureOf(sendOver(transport)({ ...CHANGE, method: 'POST', repeat: look }));
		expect(error.status).toBe(409);
		expect(look).not.toHaveBeenCalled();
	});
});

describe('cancellation', () => {
	it('nothing leaves afterwards', async () => {
		const transport = fakeTransport(inTurn(OK));
		transport.cancel();
		const error = await failureOf(sendOver(transport)(CHANGE));
		expect(transport.sent).toStrictEqual([]);
		expect(error.message).toBe('Could not update user user-1: the execution was cancelled');
		expect(error.description).toMatch(/Nothing was sent/);
		expect(error.facts).toMatchObject({ kind: 'cancelled', mayHaveWorked: false });
	});

	it('while waiting: neither the request nor the look leaves', async () => {
		const transport = fakeTransport(inTurn({ status: 429 }), (self) => self.cancel());
		const look = jest.fn(async () => undefined);
		await failureOf(sendOver(transport)({ ...CHANGE, method: 'POST', repeat: look }));
		expect(transport.sent).toHaveLength(1);
		expect(transport.waits).toHaveLength(1);
		expect(look).not.toHaveBeenCalled();
	});

	it('while under way: a write may have worked', async () => {
		const transport = fakeTransport(() => {
			transport.cancel();
			throw broken('ERR_CANCELED');
		});
		const error = await failureOf(sendOver(transport)(CHANGE));
		expect(transport.sent).toHaveLength(1);
		expect(error.message).toMatch(/the execution was cancelled/);
		expect(error.description).toMatch(/had left already and may have worked/);
		expect(error.facts.mayHaveWorked).toBe(true);
	});
});

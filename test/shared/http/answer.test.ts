import { readAnswer } from '../../../nodes/shared/http/answer';
import { RequestError } from '../../../nodes/shared/http/requestError';
import type { ServiceRequest } from '../../../nodes/shared/http/types';
import { ENDPOINT, TOKEN } from '../../support/fakeTransport';

const GET: ServiceRequest = {
	method: 'GET',
	path: ['scim', 'Users', 'user-1'],
	repeat: 'always',
	purpose: 'get user user-1',
};
const POST: ServiceRequest = { ...GET, method: 'POST', purpose: 'create user ana@example.com' };
const ERROR_URN = 'urn:ietf:params:scim:api:messages:2.0:Error';

const read = (status: number, text: string, request = GET, headers = {}) =>
	readAnswer({ status, headers, text }, request, ENDPOINT);

function failure(status: number, body: unknown, request = GET, headers = {}): RequestError {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	try {
		read(status, text, request, headers);
	} catch (error) {
		expect(error).toBeInstanceOf(RequestError);
		return error as RequestError;
	}
	throw new Error('was taken for a good answer');
}

describe('a good answer', () => {
	it.each([
		['JSON', '{"id":"user-1"}', { id: 'user-1' }],
		['a byte order mark in front', '\uFEFF{"id":"user-1"}', { id: 'user-1' }],
		['blanks in front', '\r\n [1]', [1]],
	])('%s', (_, text, body) => {
		expect(read(200, text).body).toEqual(body);
	});

	it.each([
		['nothing', ''],
		['a blank', ' '],
		['plain text', 'OK'],
		['a web page', '<html></html>'],
		['truncated JSON', '{"id":"us'],
	])('a write answered with %s has happened: whoever sent it reads back', (_, text) => {
		expect(read(204, text, POST)).toMatchObject({ status: 204, body: undefined });
	});

	it('keeps __proto__ a plain key', () => {
		const { body } = read(200, '{"id":"user-1","__proto__":{"active":true}}');
		expect((body as { active?: unknown }).active).toBeUndefined();
		expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
	});
});

describe('a read that is no JSON', () => {
	it('a web page becomes one short sentence', () => {
		const page = `<!doctype html><html><head><title>Sign in
			to Example</title><style>b{}</style></head><body>${'<p>x</p>'.repeat(5_000)}</body></html>`;
		const error = failure(200, page);
		expect(error.message).toBe(
			'Could not get user user-1: the service answered 200 with something that is not JSON ("Sign in to Example")',
		);
		expect(error.description).toMatch(/Base URL.*prefix/);
		expect(error.facts.kind).toBe('unreadable');
	});

	it('truncated JSON is told from a page, because another try may help', () => {
		expect(failure(200, '{"Resources":[{"id"').facts.kind).toBe('truncated');
	});

	it('an empty answer', () => {
		const error = failure(200, '');
		expect(error.message).toBe(
			'Could not get user user-1: the service answered 200 with something that is not JSON',
		);
	});
});

describe('an error of the service', () => {
	it.each([401, 403])(
		'%i with {"error":"Access denied"} says what the credential has to be',
		(status) => {
			const error = failure(status, { error: 'Access denied' });
			expect(error.message).toBe(
				`Could not get user user-1: the service answered ${status}, Access denied`,
			);
			expect(error.description).toBe('Check the credential.');
		},
	);

	it.each([
		['a string', { status: '404' }],
		['a number', { status: 404 }],
		['absent', {}],
		['nonsense', { status: 'gone' }],
		['another one than HTTP says', { status: 200 }],
	])('SCIM error, status %s: HTTP decides', (_, status) => {
		const error = failure(404, { schemas: [ERROR_URN], detail: 'no such user', ...status });
		expect(error.message).toBe('Could not get user user-1: the service answered 404, no such user');
		expect(error.facts).toMatchObject({ status: 404, detail: 'no such user' });
	});

	it('scimType stands in the message and decides the advice', () => {
		const error = failure(400, {
			schemas: [ERROR_URN],
			scimType: 'invalidFilter',
			detail: 'cannot filter',
		});
		expect(error.message).toMatch(/400, cannot filter \(invalidFilter\)$/);
		expect(error.description).toMatch(/does not support this filter/);
		expect(error.facts.errorType).toBe('invalidFilter');
	});

	it('scimType alone', () => {
		expect(failure(400, { scimType: 'mutability' }, POST).message).toBe(
			'Could not create user ana@example.com: the service answered 400, (mutability)',
		);
	});

	it.each(['constructor', 'toString', '__proto__'])('scimType %s is no advice', (scimType) => {
		const error = failure(400, { scimType });
		expect(typeof error.description).toBe('string');
		expect(error.description).toMatch(/does not accept a value/);
	});

	it('attribute names in other case', () => {
		const error = failure(409, { Detail: 'already exists', ScimType: 'uniqueness' }, POST);
		expect(error.message).toMatch(/409, already exists \(uniqueness\)$/);
		expect(error.description).toMatch(/Create or Update/);
	});

	it('409 without scimType', () => {
		const error = failure(409, { detail: 'ana@example.com already exists' }, POST);
		expect(error.message).toBe(
			'Could not create user ana@example.com: the service answered 409, ana@example.com already exists',
		);
		expect(error.description).toMatch(/Create or Update/);
	});

	it.each([
		[413, 'request entity too large', /too large/],
		[429, 'too many requests', /Max Wait/],
		[415, 'unsupported', /media type/],
		[500, 'upstream request timeout', /run again later/],
	])('%i in plain text', (status, text, advice) => {
		const error = failure(status, text, POST);
		expect(error.message).toBe(
			`Could not create user ana@example.com: the service answered ${status}, ${text}`,
		);
		expect(error.description).toMatch(advice);
	});

	it('a web page becomes one short sentence', () => {
		const page = `<html><head><script>alert(1)</script></head><body><h1>502 Bad
			Gateway</h1>${'<p>long</p>'.repeat(500)}</body></html>`;
		const { message } = failure(502, page);
		expect(message).toMatch(
			/^Could not get user user-1: the service answered 502, 502 Bad Gateway/,
		);
		expect(message).not.toMatch(/[<>\n]|alert/);
		expect(message.length).toBeLessThan(400);
	});

	it('nothing at all', () => {
		expect(failure(418, '').message).toBe('Could not get user user-1: the service answered 418');
	});

	it.each([
		[500, true],
		[502, true],
		[429, true],
		[408, true],
		[400, false],
		[404, false],
		[409, false],
	])('a write answered with %i may have worked: %s', (status, mayHaveWorked) => {
		expect(failure(status, '', POST).facts.mayHaveWorked).toBe(mayHaveWorked);
		expect(failure(status, '').facts.mayHaveWorked).toBe(false);
	});
});

describe('a caller that knows nothing of the service', () => {
	const described = (status: number, method: ServiceRequest['method'] = 'GET') => {
		const plain = { ...ENDPOINT, advise: () => undefined, isError: undefined };
		try {
			readAnswer({ status, headers: {}, text: '{}' }, { ...GET, method }, plain);
		} catch (error) {
			return (error as RequestError).description;
		}
		return undefined;
	};

	it.each([400, 401, 403, 404, 405, 409, 412, 413, 415, 429, 500, 501, 503])(
		'%i has advice that names no product',
		(status) => {
			expect(described(status)).toMatch(/^\w.*\.$/);
			expect(described(status)).not.toMatch(/scim|Create or Update|organization|monitor/i);
		},
	);

	it('a lost write may have worked, a lost read may not', () => {
		expect(described(502, 'POST')).toMatch(/may still have worked/);
		expect(described(502)).not.toMatch(/may still have worked/);
	});
});

describe('200 with a SCIM Error inside', () => {
	it.each([
		['a string', '404', 404],
		['a number', 404, 404],
		['absent', undefined, 200],
		['success all the same', '200', 200],
	])('status %s', (_, status, expected) => {
		const error = failure(200, { schemas: [ERROR_URN], status, detail: 'no such user' });
		expect(error.status).toBe(expected);
		expect(error.message).toMatch(/no such user/);
	});

	it('schemas that are no texts are none of an error', () => {
		const body = { id: 'user-1', schemas: [{ toString: 1, valueOf: 2 }] };
		expect(read(200, JSON.stringify(body)).body).toEqual(body);
	});

	it('a status that is no number counts as none', () => {
		const status = { toString: 1, valueOf: 2 };
		expect(failure(200, { schemas: [ERROR_URN], status }).status).toBe(200);
	});

	it('the URN and the names in other case', () => {
		const error = failure(200, { Schemas: [ERROR_URN.toUpperCase()], Status: '400' }, POST);
		expect(error.status).toBe(400);
	});
});

describe('a redirect', () => {
	it('to another host names that host and is not followed', () => {
		const error = failure(302, '', GET, { location: 'https://login.example.org/sso?x=1' });
		expect(error.message).toBe(
			'Could not get user user-1: the service redirects to login.example.org',
		);
		expect(error.description).toMatch(/not followed.*api\.example\.com alone/);
		expect(error.facts).toMatchObject({ kind: 'redirect', status: 302, mayHaveWorked: false });
	});

	it.each([301, 307, 308])('%i on the same host is not followed either', (status) => {
		const error = failure(status, '', POST, { location: '/scim/Users/' });
		expect(error.message).toMatch(/redirects to api\.example\.com$/);
	});

	it.each([
		['no Location', {}],
		['an unreadable one', { location: 'https://' }],
	])('with %s', (_, headers) => {
		expect(failure(302, '', GET, headers).message).toMatch(/redirects to no valid address$/);
	});
});

describe('secrets', () => {
	const everything = (error: RequestError) =>
		`${error.message} ${error.description} ${JSON.stringify(error.facts)} ${error.stack ?? ''}`;

	it.each([
		['in plain text', 401, `bad token ${TOKEN}`],
		['in a SCIM error', 400, { detail: `token ${TOKEN}`, scimType: TOKEN }],
		['in a page', 500, `<html><title>${TOKEN}</title></html>`],
		['split by no tag', 500, `<p>Authorization: Bearer ${TOKEN}</p>`],
		['at the cut', 500, `${'x'.repeat(290)}${TOKEN}`],
		['in something that is not JSON', 200, `your ${TOKEN}`],
	])('a service that echoes the token %s', (_, status, body) => {
		const error = failure(status, body);
		expect(everything(error)).not.toContain(TOKEN);
		expect(everything(error)).not.toContain(TOKEN.slice(0, 12));
		expect(error.message).toContain('***');
	});

	it.each([
		['in upper case', TOKEN.toUpperCase()],
		['cut', TOKEN.slice(0, 12)],
		['in Base64', Buffer.from(TOKEN).toString('base64')],
		['in Base64 with what stands before it', Buffer.from(`ana:${TOKEN}`).toString('base64')],
		['percent-encoded', encodeURIComponent(TOKEN)],
	])('a service that echoes the token %s', (_, shown) => {
		const error = failure(401, { detail: `token ${shown} is not valid` });
		expect(everything(error)).not.toContain(shown.slice(8, 20));
		expect(error.message).toMatch(/token .*\*\*\*.* is not valid$/);
	});

	it('in the address of a redirect', () => {
		const error = failure(302, '', GET, { location: `https://x.example.org/?t=${TOKEN}` });
		expect(everything(error)).not.toContain(TOKEN);
	});

	it('a token with characters of markup', () => {
		const text = 'bad token abcdefgh<secret>ijklmnop';
		expect(() =>
			readAnswer({ status: 401, headers: {}, text }, GET, {
				...ENDPOINT,
				secrets: ['abcdefgh<secret>ijklmnop'],
			}),
		).toThrow(/\*\*\*$/);
	});
});

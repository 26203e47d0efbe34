import { readAnswer } from '../../../nodes/shared/http/answer';
import {
	RequestError,
	type Endpoint,
	type ServiceRequest,
	parseBaseUrl,
} from '../../../nodes/shared/http/request';
import { ENDPOINT, TOKEN } from '../../support/fakeTransport';

const GET: ServiceRequest = {
	...{ method: 'GET', path: ['scim', 'Users', 'user-1'], repeat: 'always' },
	purpose: 'get user user-1',
};
const POST: ServiceRequest = { ...GET, method: 'POST', purpose: 'create user ana' };
const ERROR_URN = 'urn:ietf:params:scim:api:messages:2.0:Error';
const ERROR = { schemas: [ERROR_URN], detail: 'no such user' };
const page = (inside: string) => `<!doctype html><html>${inside}${'<p>x</p>'.repeat(5_000)}</html>`;

const read = (status: number, text: string, request = GET, headers = {}, endpoint = ENDPOINT) =>
	readAnswer({ status, headers, text }, request, endpoint);

function failure(status: number, body: unknown, ...more: [ServiceRequest?, object?, Endpoint?]) {
	try {
		read(status, typeof body === 'string' ? body : JSON.stringify(body), ...more);
	} catch (error) {
		expect(error).toBeInstanceOf(RequestError);
		return error as RequestError;
	}
	throw new Error('was taken for a good answer');
}

it.each<[string, string, unknown, ServiceRequest?]>([
	['JSON', '{"id":"user-1"}', { id: 'user-1' }],
	['a byte order mark in front', '\uFEFF{"id":"user-1"}', { id: 'user-1' }],
	['blanks in front', '\r\n [1]', [1]],
	[
		'an ID of more digits than a number holds',
		'{"id":9007199254740993}',
		{ id: '9007199254740993' },
	],
	[
		'only numbers of that kind, and none within a text',
		'{"a":-12345678901234567890,"b":"x \\" :12345678901234567890","c":0.1234567890123456,"d":1e30,"e":[9007199254740991]}',
		{
			...{ a: '-12345678901234567890', b: 'x " :12345678901234567890', c: 0.1234567890123456 },
			...{ d: 1e30, e: [9007199254740991] },
		},
	],
	['schemas that are no texts', '{"schemas":[{"valueOf":2}]}', { schemas: [{ valueOf: 2 }] }],
	// The sender reads back.
	...['', ' ', 'OK', '<html></html>', '{"id":"us'].map(
		(text) => [`a write with ${JSON.stringify(text)}`, text, undefined, POST] as never,
	),
])('a good answer: %s', (...[, text, body, request]) => {
	expect(read(200, text, request)).toMatchObject({ status: 200, body });
});

it('leaves a text of quotes that never ends at once, also with a long number in it', () => {
	const begun = performance.now();
	const text = `[1111111111111111,"${'\\"'.repeat(40_000)}`;
	expect(read(200, text, POST).body).toBeUndefined();
	expect(performance.now() - begun).toBeLessThan(500);
});

it('takes a body that was not understood for no answer to a write, and none to a read', () => {
	const raw = {
		status: 200,
		headers: {},
		text: '{"id":"j\uFFFDrg"}',
		against: 'bytes that are not UTF-8',
	};
	expect(readAnswer(raw, POST, ENDPOINT).body).toBeUndefined();
	expect(() => readAnswer(raw, GET, ENDPOINT)).toThrow(
		'answered 200 with bytes that are not UTF-8',
	);
	expect(() => readAnswer({ ...raw, status: 404 }, GET, ENDPOINT)).toThrow('answered 404');
});

it('keeps __proto__ a plain key', () => {
	const { body } = read(200, '{"id":"user-1","__proto__":{"active":true}}');
	expect((body as { active?: unknown }).active).toBeUndefined();
	expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
});

/** What is answered to a GET, or a POST where it says so; what is said of it, and what is to be done. */
type Row = [
	what: string,
	status: number,
	body: unknown,
	said: string,
	advice: RegExp,
	facts?: object,
];
const NO_JSON = '200 with something that is not JSON';
const SIGN_IN = page('<head><title>Sign in\n\t to Example</title><style>b{}</style></head>');
const INVALID = { ...ERROR, scimType: 'invalidFilter' };
const TAKEN = { Detail: 'there', ScimType: 'uniqueness' };
const ANY = /^/;

it.each<Row>([
	['a page', 200, SIGN_IN, `${NO_JSON} ("Sign in to Example")`, /Base URL.*prefix/],
	['no JSON is not readable', 200, 'OK', `${NO_JSON} ("OK")`, ANY, { kind: 'unreadable' }],
	['nothing is neither', 200, '', NO_JSON, ANY, { kind: 'unreadable' }],
	[
		'half a JSON may be whole in another try',
		200,
		'{"id":[{"x"',
		NO_JSON,
		ANY,
		{ kind: 'truncated' },
	],
	['no access', 401, { error: 'no' }, '401, no', /^Check the credential\.$/],
	['no rights', 403, { error: 'no' }, '403, no', /^Check the credential\.$/, { status: 403 }],
	[
		'the type decides',
		400,
		INVALID,
		'400, no such user (invalidFilter)',
		/support this filter/,
		{ errorType: 'invalidFilter', detail: 'no such user' },
	],
	['a type alone', 400, { scimType: 'mutability' }, '400, (mutability)', ANY],
	...['constructor', 'toString', '__proto__'].map((scimType): Row => [
		'no type',
		400,
		{ scimType },
		`400, (${scimType})`,
		/does not accept a value/,
	]),
	['POST, in other case', 409, TAKEN, '409, there (uniqueness)', /Create or Update/],
	['POST, without a type', 409, { detail: 'there' }, '409, there', /Create or Update/],
	['POST, too much', 413, 'sorry', '413, sorry', /too large/],
	['POST, of another kind', 415, 'sorry', '415, sorry', /media type/],
	['no plan', 402, 'sorry', '402, sorry', /plan of the account/],
	['no such media type', 406, 'sorry', '406, sorry', /media type of SCIM.*prefix/],
	['gone', 410, 'sorry', '410, sorry', /was deleted/],
	['another host', 421, 'sorry', '421, sorry', /host of the Base URL/],
	['a value', 422, 'sorry', '422, sorry', /does not accept a value/],
	['locked', 423, 'sorry', '423, sorry', /Unlock it/],
	['the law', 451, 'sorry', '451, sorry', /legal reasons/],
	['POST, too often', 429, 'sorry', '429, sorry', /Max Wait/],
	['POST, a fault', 500, 'sorry', '500, sorry', /run again later/],
	['nothing at all', 418, '', '418', ANY],
])('an answer that is none: %s, %i', (...[what, status, body, said, advice, facts = {}]) => {
	const request = what.startsWith('POST') ? POST : GET;
	const error = failure(status, body, request);
	const [, told] = error.message.split(`Could not ${request.purpose}: the service answered `);
	expect(told).toBe(said);
	expect(error.description).toMatch(advice);
	expect(error.facts).toMatchObject(facts);
});

it('a page of an error becomes one short sentence', () => {
	const { message } = failure(502, page('<script>alert(1)</script><h1>502 Bad\n\t\tGateway</h1>'));
	expect(message).toMatch(/the service answered 502, 502 Bad Gateway[^<>\n]{0,300}$/);
});

it.each([
	['a string', '404', 404, 404],
	['a number', 404, 404, 404],
	['absent', undefined, 404, 200],
	['nonsense', 'gone', 404, 200],
	['success', 200, 404, 200],
	['an object', { toString: 1, valueOf: 2 }, 404, 200],
])(
	'the status in an error of SCIM, %s: HTTP decides, unless it says 200',
	(_, status, ...found) => {
		const errors = [404, 200].map((http) => failure(http, { ...ERROR, status }));
		expect(errors.map((error) => error.status)).toEqual(found);
		expect(errors[1].message).toContain('no such user');
	},
);

it('200 with an error inside, in other case', () => {
	const body = { Schemas: [ERROR_URN.toUpperCase()], Status: '400' };
	expect(failure(200, body, POST).status).toBe(400);
});

it.each([
	...[500, 502, 429, 408].map((status) => [status, true] as const),
	...[400, 404, 409].map((status) => [status, false] as const),
])('a write answered with %i may have worked: %s; a read never', (status, mayHaveWorked) => {
	expect(failure(status, '', POST).facts.mayHaveWorked).toBe(mayHaveWorked);
	expect(failure(status, '').facts.mayHaveWorked).toBe(false);
});

describe('a caller that knows nothing of the service', () => {
	const plain = { ...ENDPOINT, advise: () => undefined, isError: undefined };
	const described = (status: number, request = GET) =>
		failure(status, {}, request, {}, plain).description;

	it.each([
		...[400, 401, 402, 403, 404, 405, 406, 409, 410, 412, 413, 415, 421, 422, 423, 429, 451],
		...[500, 501, 503],
	])('%i has advice that names no product', (status) => {
		expect(described(status)).toMatch(/^\w.*\.$/);
		expect(described(status)).not.toMatch(/scim|Create or Update|organization|monitor/i);
	});

	it('a lost write may have worked, a lost read may not', () => {
		expect(described(502, POST)).toMatch(/may still have worked/);
		expect(described(502)).not.toMatch(/may still have worked/);
	});
});

it.each([
	['to another host', 302, { location: 'https://login.example.org/sso?x=1' }, 'login.example.org'],
	...[301, 307, 308].map(
		(status) => ['on the same host', status, { location: '/Users/' }, 'api.example.com'] as const,
	),
	['without an address', 302, {}, 'no valid address'],
	['to an unreadable one', 302, { location: 'https://' }, 'no valid address'],
] as const)('a redirect %s, %i, is not followed', (_, status, headers, host) => {
	const error = failure(status, '', POST, headers);
	expect(error.message).toBe(`Could not create user ana: the service redirects to ${host}`);
	expect(error.description).toMatch(/not followed.*api\.example\.com alone/);
	expect(error.facts).toMatchObject({ kind: 'redirect', status, mayHaveWorked: false });
});

it('a redirect to https says so, and what went there in clear', () => {
	const base = parseBaseUrl('http://api.example.com/v2');
	const to = (location: string) => failure(301, '', GET, { location }, { ...ENDPOINT, base });
	for (const location of ['https://api.example.com/v2/Users', 'https://API.example.com:8443/']) {
		expect(to(location).message).toBe(
			'Could not get user user-1: the service redirects from http to https',
		);
		expect(to(location).description).toMatch(
			/^Enter the Base URL with https:\/\/ .* The credential was sent unencrypted/,
		);
	}
	expect(to('https://other.example.com/').message).toMatch(/redirects to other\.example\.com$/);
	expect(to('http://api.example.com/v2/').message).toMatch(/redirects to api\.example\.com$/);
});

it.each([
	['a read', GET],
	['a write', POST],
])('304 is no redirect: %s', (_, request) => {
	const { message, description, facts } = failure(304, '', request);
	expect(message).toMatch(/: the service answered 304, not modified$/);
	expect(description).toMatch(/^A cache between n8n and the service/);
	expect(facts).toMatchObject({ kind: 'http', status: 304, mayHaveWorked: false });
});

describe('a secret that the service repeats', () => {
	const markup = 'abcdefgh<secret>ijklmnop';
	it.each<[string, number, unknown, string?]>([
		['in plain text', 401, `bad token ${TOKEN}`],
		['in an error of SCIM', 400, { detail: `token ${TOKEN}`, scimType: TOKEN }],
		['in a page', 500, `<html><title>${TOKEN}</title></html>`],
		['behind a tag', 500, `<p>Authorization: Bearer ${TOKEN}</p>`],
		['at the cut', 500, `${'x'.repeat(290)}${TOKEN}`],
		['in what is not JSON', 200, `your ${TOKEN}`],
		['with characters of markup', 401, `bad token ${markup}`, markup],
	])('%s', (...[, status, body, secret = TOKEN]) => {
		const endpoint = { ...ENDPOINT, secrets: [secret] };
		const error = failure(status, body, GET, {}, endpoint);
		const all = `${error.message} ${error.description} ${JSON.stringify(error.facts)} ${error.stack}`;
		expect(all).not.toContain(secret.slice(0, 8));
		expect(error.message).toContain('***');
	});

	it('in the address of a redirect', () => {
		const { message, facts } = failure(302, '', GET, { location: `https://x.org/?t=${TOKEN}` });
		expect(message + JSON.stringify(facts)).not.toContain(TOKEN);
	});
});

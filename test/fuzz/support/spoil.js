'use strict';

// What a service may answer instead of the truth.

const fc = require('fast-check');
const { listOf, number, one, take, weighted, words } = require('./choices');

/** Spread over answers as a service might spread it, and never to be seen in anything that the node says. */
const SECRETS = {
	scim: 'sEcRetToKen-4711.of-the-account:org-account',
	alerting: 'sEcRetKey-0815.of-the-organization:org-3454',
};

const deep = (depth, open, close, core) => `${open.repeat(depth)}${core}${close.repeat(depth)}`;
const DEEP_LIST = deep(5_000, '[', ']', '1');
const DEEP_OBJECT = deep(5_000, '{"a":', '}', '1');
const HUGE = 'x'.repeat(100_000);
const POLLUTED = '{"polluted":true}';
const NO_TEXT = '{"toString":1,"valueOf":2,"toJSON":3,"then":4,"length":5}';

/** No body of these can be taken for a resource, a list or a document that says something. */
const GARBAGE = [
	...['', ' ', '\u0000\u0001\u0002', '\uFEFF', '\uD800', 'data: {"id":"a"}\n\n'],
	...words(
		'OK null true 0 "text" { [ {"Resources":[{"id":"a" [{"id":"a","type" NaN undefined',
		'{"a":1}{"b":2} {"a":1,} {\'id\':\'a\'} {"totalResults":-1} {"totalResults":"many"}',
		'{"id":""} {"id":null} {"id":{"a":1}} {"id":["a"]} {"userName":null,"displayName":7}',
		'{"schemas":["urn:ietf:params:scim:api:messages:2.0:Error"],"status":"500","detail":"no"}',
		'{"schemas":["URN:IETF:params:scim:api:messages:2.0:error"],"status":{}}',
	),
	'<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in</body></html>',
	'<html><body><script>location="https://elsewhere.test/"</script></body></html>',
	...[`{"__proto__":${POLLUTED}}`, `{"constructor":{"prototype":${POLLUTED}}}`],
	...[`{"a":${DEEP_LIST}}`, DEEP_OBJECT, `{"detail":"${HUGE}"}`, NO_TEXT],
	`{"detail":${NO_TEXT},"message":${NO_TEXT},"status":${NO_TEXT},"scimType":${NO_TEXT}}`,
];

/** These may be taken for "there is nothing", or for something that is not so. */
const LIES = [
	...words(
		'{} [] [[]] [null,1,"x",[],{}] {"Resources":[]} {"Resources":{}} {"totalResults":0} {"schemas":[]}',
		'{"Resources":null,"totalResults":0} {"totalResults":1e999,"Resources":[null,1,"x",[],{}]}',
		'{"totalResults":99999999999,"Resources":[{"id":"a"},{"id":"a"}]} {"id":"a"} {"items":[]}',
		'{"id":1,"userName":2,"active":"True","groups":{"value":3}}',
		'{"id":"__proto__","userName":"__proto__","members":[{"value":"__proto__"},"constructor",null]}',
		'[{"id":"a","type":7,"payload":[],"enabled":"yes","references":[null,{}]}]',
		'{"items":[null,{"id":7},{"id":"__proto__","name":{}}]} {"monitors":[],"analyzers":[]}',
		'{"monitors":{},"analyzers":7} {"monitors":[{"id":"__proto__","actions":null}],"analyzers":[{"id":"constructor"}]}',
		'{"monitors":[null,1,{"id":7},{"id":"a","actions":7},{"id":"b","actions":[7,{"type":"global"}]}]}',
		'{"metadata":{"version":1e308},"monitors":[{"id":"a"},{"id":"a"}],"monitors":[]}',
	),
	...[DEEP_LIST, `{"schemas":[${NO_TEXT}]}`, `{"schemas":${NO_TEXT}}`],
	`{"Resources":[${NO_TEXT},{"userName":${NO_TEXT}},{"displayName":${NO_TEXT}}]}`,
	`[{"id":"__proto__","type":"constructor","payload":{"__proto__":${POLLUTED}}}]`,
	`{"monitors":[{"id":"a","tags":[${DEEP_LIST}],"actions":[${DEEP_LIST}]}]}`,
];

/** Values of single fields, for whatever stood there before. */
const WEIRD = [
	...words(
		'null true false 0 -1 1e999 1.5 99999999999999999999 "" "true" "__proto__" "constructor"',
		'"../../etc" "https://elsewhere.test/" "\\ud800" "a\\nb" [] {} [null] [[[]]]',
	),
	...['" "', `{"__proto__":${POLLUTED}}`, NO_TEXT, DEEP_LIST, DEEP_OBJECT, `"${HUGE}"`],
];

/** Members that a service may have beside those that it tells of. */
const EXTRAS = [
	...words('"x-more":1 "toString":1,"valueOf":2,"toJSON":3,"then":4 "hasOwnProperty":1,"length":7'),
	...['"":0', '"\\ud800":"\\udfff"', `"__proto__":${POLLUTED}`, `"x-huge":"${HUGE}"`],
	`"constructor":{"prototype":${POLLUTED}}`,
	...[`"x-deep":${DEEP_LIST}`, `"urn:example:deep":${DEEP_OBJECT}`],
];

const FAILURES = [
	400, 401, 403, 405, 406, 408, 409, 412, 413, 415, 422, 425, 428, 429, 431, 451, 500, 501, 502,
	503, 504, 505, 507, 511, 520, 529, 599,
];
const GONE = [404, 410];
const REDIRECTS = [300, 301, 302, 303, 304, 305, 307, 308];
const STRANGE = [0, -1, 100, 101, 199, 600, 999, 2000, Number.NaN, '200', undefined, null];
const SUCCESSES = [200, 201, 202, 203, 204, 205, 206, 226, 299];

const LOCATIONS = [
	...words(
		'https://elsewhere.test/scim/Users //elsewhere.test/ http://scim.test:81/ /scim/Users?x=1',
	),
	...['javascript:alert(1)', 'http://[', '', undefined, ['https://elsewhere.test/'], { a: 1 }],
];

const PAUSES = [
	...[undefined, ...words('0 1 -1 0.0001 abc 1e9 99999999999999999999999')],
	...['Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT'],
	...['', ['1', '2'], { a: 1 }, Number.NaN, 2, null],
];

const TYPES = [
	...words('application/scim+json application/json application/octet-stream image/png'),
	...['text/html; charset=utf-8', '', undefined],
];

const SCIM_TYPES = words(
	'uniqueness invalidFilter mutability tooMany noTarget invalidValue constructor __proto__ toString',
);

const CODES = words(
	'ECONNRESET ECONNREFUSED ETIMEDOUT ECONNABORTED ENOTFOUND EAI_AGAIN EHOSTUNREACH EPIPE EPROTO',
	'CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT ERR_TLS_CERT_ALTNAME_INVALID HPE_INVALID_CONSTANT',
	'ERR_BAD_RESPONSE __proto__',
);

/** Answers that prove nothing: a client that believes none of them stays with the truth. */
const HONEST_KINDS = words(
	'failure garbage redirect broken cutOff hang endless torn extras noIds twice moreInTotal samePage',
	// Those behind are faults of the service that is as recorded.
	'otherSuccess otherCase otherType behind-plugin 429 429-after',
);

/** Ways to lie. */
const CHAOS_KINDS = [...HONEST_KINDS, 'lie', 'gone', 'strange', 'change', 'another', 'status'];

const TRUTH = { kind: 'truth', write: true, a: 0, b: 0, c: 0 };

/** How one request is answered. `write`: whether it is carried out where its answer says nothing of it. */
const decision = (kinds, truths) =>
	fc.record({
		kind: weighted([truths, fc.constant('truth')], [2, one(...kinds)]),
		write: fc.boolean(),
		a: number,
		b: number,
		c: number,
	});

/** How requests are answered: the first ones each in their own way, the others all in the same. */
const answers = (kinds, truths) =>
	fc.record({
		first: listOf(decision(kinds, truths), 16),
		rest: weighted([4, fc.constant(TRUTH)], [1, decision(kinds, truths)]),
	});

/**
 * How all requests of a run are answered. A run that is spoilt at every step does not come far, and what is claimed
 * stands and falls with how writes are answered.
 */
const decisions = (mode) => {
	const kinds = mode === 'chaos' ? CHAOS_KINDS : HONEST_KINDS;
	const told = (kind) => ({ ...TRUTH, kind });
	// Nothing is wrong but that the service is busy at times, so that writes come late.
	const busy = one('truth', 'truth', '429', '429-after').map(told);
	return fc.oneof(
		fc.record({
			reads: fc.constant({ first: [], rest: TRUTH }),
			writes: fc.record({ first: listOf(busy, 3, 1), rest: fc.constant(TRUTH) }),
		}),
		...[2, 20, 60, 200].map((truths) =>
			fc.record({
				reads: answers(kinds, truths),
				writes: answers([...kinds, 'dropped', 'dropped', 'dropped', 'garbage', 'failure'], 2),
			}),
		),
	);
};

/** What the service says of a failure; it may repeat what it was sent, the token among it. */
function failureText({ b, c }, { secret, body }) {
	const echo = take(['no', `token ${secret} is bad`, `key ${secret.split(':')[0]}`, body ?? ''], c);
	const type = take(SCIM_TYPES, c);
	const urn = 'urn:ietf:params:scim:api:messages:2.0:Error';
	return take(
		[
			() => '',
			() => echo,
			() => JSON.stringify({ schemas: [urn], detail: echo, status: '400', scimType: type }),
			() => JSON.stringify({ message: echo, type: take(['ResourceConstraint', type], b) }),
			() => JSON.stringify({ error: echo, error_description: [echo], status: 200 }),
			() => `<html><head><title>${echo}</title></head><body>${HUGE}</body></html>`,
			() => `<p>${echo}</p><style>${echo}`,
			() => JSON.stringify([echo]),
			() => JSON.stringify({ detail: { echo }, message: echo }),
			() => take(GARBAGE, c),
			() => take(LIES, c),
		],
		b,
	)();
}

/** Objects in a JSON value, from outside to inside, a few of them. */
function objectsIn(value) {
	const found = [];
	const open = [value];
	while (open.length > 0 && found.length < 200) {
		const next = open.shift();
		if (typeof next !== 'object' || next === null) continue;
		if (!Array.isArray(next)) found.push(next);
		open.push(...Object.values(next));
	}
	return found;
}

const MARK = '\u0001fuzz-extra';

/** The same JSON with members added to one of its objects; as text, because no object has two names `__proto__`. */
function withExtras(value, { a, b }) {
	const copy = structuredClone(value);
	const object = take(objectsIn(copy).concat({}), a);
	object[MARK] = 0;
	const name = `${JSON.stringify(MARK)}:0`;
	return JSON.stringify(copy).replace(name, () => take(EXTRAS, b));
}

/** The same JSON with other values here and there, or without them. */
function changed(value, { a, b, c }) {
	const copy = structuredClone(value);
	const places = [];
	const open = [copy];
	while (open.length > 0 && places.length < 500) {
		const next = open.shift();
		if (typeof next !== 'object' || next === null) continue;
		for (const key of Object.keys(next)) {
			places.push([next, key]);
			open.push(next[key]);
		}
	}
	if (places.length === 0) return take(WEIRD, b);
	const texts = new Map();
	for (let time = 0; time <= c % 4; time++) {
		const [parent, key] = take(places, a + time * 37);
		const way = (b + time) % (WEIRD.length + 3);
		if (way === 0) {
			if (Array.isArray(parent)) parent.splice(Number(key), 1);
			else delete parent[key];
		} else if (way === 1) {
			const [other, name] = take(places, a + c);
			parent[key] = other[name] === undefined ? null : structuredClone(other[name]);
		} else if (way === 2) parent[key] = [parent[key]];
		else {
			const mark = `${MARK}${time}`;
			parent[key] = mark;
			texts.set(JSON.stringify(mark), WEIRD[way - 3]);
		}
	}
	let text = attemptText(copy);
	for (const [mark, weird] of texts) text = text.replace(mark, () => weird);
	return text;
}

/** An exchange of parts can make a circle. */
function attemptText(value) {
	try {
		return JSON.stringify(value) ?? 'null';
	} catch {
		return '{"circle":true}';
	}
}

const otherCase = (name, number) =>
	number % 2 === 0 ? name.toUpperCase() : name.charAt(0).toUpperCase() + name.slice(1);

/** Names of SCIM attributes mean the same in any case. */
function inOtherCase(value, number) {
	if (Array.isArray(value)) return value.map((entry) => inOtherCase(entry, number));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, entry]) => [
			name.startsWith('urn:') ? name : otherCase(name, number),
			inOtherCase(entry, number),
		]),
	);
}

const isScimList = (value) => Array.isArray(value?.Resources);

module.exports = {
	...{
		CODES,
		FAILURES,
		GARBAGE,
		GONE,
		LIES,
		LOCATIONS,
		PAUSES,
		REDIRECTS,
		SECRETS,
		STRANGE,
		SUCCESSES,
	},
	...{ TRUTH, TYPES, changed, decisions, failureText, inOtherCase, isScimList, withExtras },
};

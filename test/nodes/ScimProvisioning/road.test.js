'use strict';

const { sleep } = require('n8n-workflow');
const { group, ANA, created, list, user } = require('../../support/answers');
const { byId } = require('../../support/node');
const { runChecked, wire } = require('../../support/wire');

const api = wire();

const POST = 'POST /scim/Users';
const GET = 'GET /scim/Users/user-1';
const MOST_MS = 600;

const items = (count) =>
	Array.from({ length: count }, (_, index) => ({ email: `p${index}@example.com` }));

/** What is cancelled when, at which service, and how many requests may have left by then. */
const CANCELLED = [
	[
		...['between items', 350, 'create'],
		{ userName: '={{ $json.email }}', options: { concurrency: 1, verifyTime: 0 } },
		() =>
			api.always(POST, ({ body }) => {
				const [status, answer] = created('user-x', String(body?.userName));
				return [status, answer, {}, 100];
			}),
		[1, 29],
	],
	[
		...['while it waits for a busy service', 300, 'get'],
		{ user: byId('user-1'), options: { maxWait: 60 } },
		() => api.always(GET, [503, 'Service Unavailable', { 'Retry-After': '1' }]),
		[1, 1],
	],
	[
		...['while it waits for a write to be seen', 1500, 'deactivate'],
		{ user: byId('user-1'), options: { verifyTime: 60 } },
		() => {
			api.always('PATCH /scim/Users/user-1', [204]);
			api.always(GET, [200, user('user-1', ANA)]);
			api.always('GET /scim/Groups', [200, list([group('org-1:admin')])]);
		},
		[3, 20],
	],
	[
		...['to look up or post again what was under way', 200, 'create'],
		{ userName: ANA, options: { verifyTime: 60 } },
		() => api.always(POST, [201, {}, {}, 5000]),
		[1, 1],
	],
	[
		...['between the pages of a list', 300, 'getAll'],
		{ returnAll: true, options: { pageSize: 1 } },
		() =>
			api.always('GET /scim/Users', ({ query }) => {
				const id = `user-${query.startIndex}`;
				const Resources = [user(id, `${id}@example.com`)];
				return [200, { Resources, totalResults: 9999 }, {}, 50];
			}),
		[1, 49],
	],
];

it.each(CANCELLED)('a cancelled execution sends nothing more %s', async (...given) => {
	const [, cancelAfterMs, operation, parameters, prepare, [least, most]] = given;
	prepare();
	const all = items(parameters.userName?.startsWith('=') ? 100 : 1);
	const { status } = await runChecked('user', operation, parameters, { items: all, cancelAfterMs });
	const end = Date.now();
	expect(status).not.toBe('success');
	// Until nothing could leave any more.
	await sleep(MOST_MS + 200);
	const late = api.requests.filter(({ at }) => at - end > MOST_MS);
	expect(late.map(({ method, path }) => `${method} ${path}`)).toStrictEqual([]);
	expect(api.requests.length).toBeGreaterThanOrEqual(least);
	expect(api.requests.length).toBeLessThanOrEqual(most);
	expect(api.counts().PATCH ?? 0).toBeLessThanOrEqual(1);
});

it('Retry On Fail runs all items again, and what was done is not done twice', async () => {
	const there = [];
	let refusals = 1;
	const asked = ({ query }) =>
		there.filter(({ userName }) => query.filter?.includes(userName) ?? true);
	api.always('GET /scim/Users', (request) => [200, list(asked(request))]);
	api.always(POST, ({ body }) => {
		const userName = String(body?.userName);
		if (userName.startsWith('p1') && refusals-- > 0) return [400, 'Bad Request'];
		there.push(user(`id-of-${userName}`, userName));
		return created(`id-of-${userName}`, userName);
	});

	const { json, error } = await runChecked(
		'user',
		'upsert',
		{ userName: '={{ $json.email }}', options: { maxWait: 0, verifyTime: 0 } },
		{ items: items(3), node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 } },
	);

	expect(error).toBeUndefined();
	expect(json.map(({ userName }) => userName)).toEqual(items(3).map(({ email }) => email));
	expect(api.counts().POST).toBe(4);
});

it.each(['promote', 'toString'])('refuses %s, an operation that it does not have', async (name) => {
	const { error } = await runChecked('user', name);

	expect(error).toMatchObject({
		name: 'NodeOperationError',
		message: `The node has no operation "${name}" for resource "user"`,
	});
});

it.each([['service', 'check', /Get Capabilities.*try-a-service\.json.*Nothing was sent/]])(
	'says what to use instead of %s: %s, which it had',
	async (resource, name, instead) => {
		const { error } = await runChecked(resource, name);

		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message: `The operation "${name}" of resource "${resource}" was removed`,
			description: expect.stringMatching(instead),
		});
	},
);

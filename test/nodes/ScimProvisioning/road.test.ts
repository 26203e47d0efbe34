import { sleep } from 'n8n-workflow';

import { group, ANA, created, list, listOf, user } from '../../support/answers';
import { byId } from '../../support/node';
import { runChecked, wire } from '../../support/wire';

const api = wire();

const POST = 'POST /scim/Users';
const GET = 'GET /scim/Users/user-1';
const MOST_MS = 1000;

const items = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ email: `p${index}@example.com` }));

/** Waits until nothing could leave any more, then checks that nothing left too late. */
async function expectSilenceAfter(start: number, cancelAfterMs: number): Promise<void> {
	await sleep(MOST_MS + 500);
	const late = api.requests.filter(({ at }) => at - start - cancelAfterMs > MOST_MS);
	expect(late.map(({ method, path }) => `${method} ${path}`)).toStrictEqual([]);
}

describe('a cancelled execution', () => {
	it('sends nothing more between items', async () => {
		api.always(POST, ({ body }) => {
			const [status, answer] = created('user-x', String(body?.userName));
			return [status, answer, {}, 100];
		});
		const start = Date.now();

		const { status } = await runChecked(
			'user',
			'create',
			{ userName: '={{ $json.email }}', options: { concurrency: 1, verifyTime: 0 } },
			{ items: items(100), cancelAfterMs: 350 },
		);

		expect(status).not.toBe('success');
		await expectSilenceAfter(start, 350);
		expect(api.requests.length).toBeGreaterThan(0);
		expect(api.requests.length).toBeLessThan(30);
	});

	it('sends nothing more while it waits for a busy service', async () => {
		api.always(GET, [503, 'Service Unavailable', { 'Retry-After': '1' }]);
		const start = Date.now();

		const { status } = await runChecked(
			'user',
			'get',
			{ user: byId('user-1'), options: { maxWait: 60 } },
			{ cancelAfterMs: 300 },
		);

		expect(status).not.toBe('success');
		await expectSilenceAfter(start, 300);
		expect(api.requests).toHaveLength(1);
	});

	it('sends nothing more while it waits for a write to be seen', async () => {
		api.always('PATCH /scim/Users/user-1', [204]);
		api.always(GET, [200, user('user-1', ANA)]);
		api.always('GET /scim/Groups', [200, list([group('org-1:admin')])]);
		const start = Date.now();

		await runChecked(
			'user',
			'deactivate',
			{ user: byId('user-1'), options: { verifyTime: 60 } },
			{ cancelAfterMs: 400 },
		);

		await expectSilenceAfter(start, 400);
		expect(api.writes()).toEqual(['PATCH /scim/Users/user-1']);
	});

	it('does not look up or post again what was under way', async () => {
		api.always(POST, [201, {}, {}, 5000]);
		api.always('GET /scim/Users', listOf([]));
		const start = Date.now();

		await runChecked(
			'user',
			'create',
			{ userName: ANA, options: { verifyTime: 60 } },
			{ cancelAfterMs: 200 },
		);

		await expectSilenceAfter(start, 200);
		expect(api.sent()).toEqual([POST]);
	});

	it('sends nothing more between the pages of a list', async () => {
		api.always('GET /scim/Users', ({ query }) => {
			const id = `user-${query.startIndex}`;
			return [200, { Resources: [user(id, `${id}@example.com`)], totalResults: 9999 }, {}, 50];
		});
		const start = Date.now();

		await runChecked(
			'user',
			'getAll',
			{ returnAll: true, options: { pageSize: 1 } },
			{ cancelAfterMs: 300 },
		);

		await expectSilenceAfter(start, 300);
		expect(api.requests.length).toBeLessThan(50);
	});
});

describe('Retry On Fail runs all items again', () => {
	it('and what was done is not done twice', async () => {
		const there: object[] = [];
		let refusals = 1;
		api.always('GET /scim/Users', (request) => {
			const answer = listOf(there);
			return typeof answer === 'function' ? answer(request) : answer;
		});
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
});

it.each(['promote', 'toString'])('refuses %s, an operation that it does not have', async (name) => {
	const { error } = await runChecked('user', name);

	expect(error).toMatchObject({
		name: 'NodeOperationError',
		message: `The node has no operation "${name}" for resource "user"`,
	});
});

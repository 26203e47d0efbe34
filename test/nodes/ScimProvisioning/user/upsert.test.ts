import {
	accessDenied,
	alreadyExists,
	ANA,
	BEN,
	created,
	group,
	htmlPage,
	invalidFilter,
	list,
	listOf,
	lookUpOf,
	QUICK,
	replacing,
	scimError,
	user,
	USER,
} from '../../../support/answers';
import { runChecked, wire } from '../../../support/wire';

const api = wire();

const USERS = 'GET /scim/Users';
const POST = 'POST /scim/Users';
const GET = 'GET /scim/Users/user-1';
const PATCH = 'PATCH /scim/Users/user-1';
const LISTING = 'GET /scim/Users?startIndex=1&count=100';
const GROUPS = 'GET /scim/Groups';

const upsert = async (parameters = {}, more = {}) =>
	await runChecked('user', 'upsert', { userName: ANA, options: QUICK, ...parameters }, more);

const upsertEach = async (items: object[], parameters = {}, more = {}) =>
	await upsert({ userName: '={{ $json.email }}', ...parameters }, { items, ...more });

const inactive = { additionalFields: { active: false } };

describe('one person', () => {
	it('is looked up with a filter and created when absent', async () => {
		api.answer(USERS, listOf([]));
		api.answer(POST, created('user-1', ANA));

		const { json, pairedItems } = await upsert();

		expect(api.sent()).toEqual([lookUpOf(ANA), POST]);
		expect(api.body(POST)).toEqual({ schemas: [USER], userName: ANA, active: true });
		expect(json).toMatchObject([{ id: 'user-1', status: 'done', reason: null }]);
		expect(pairedItems).toEqual([[0]]);
	});

	it('is updated when there: only what differs is sent', async () => {
		const current = user('user-1', ANA, { displayName: 'Ana', title: 'Engineer' });
		api.answer(USERS, listOf([current]));
		api.answer(PATCH, [200, { ...current, displayName: 'Ana Silva' }]);

		const { json } = await upsert({
			additionalFields: {
				active: true,
				displayName: 'Ana Silva',
				attributesJson: '{"title": "Engineer"}',
			},
		});

		expect(api.sent()).toEqual([lookUpOf(ANA), GET, PATCH]);
		expect(api.body(PATCH)).toEqual(replacing({ displayName: 'Ana Silva' }));
		expect(json).toMatchObject([{ id: 'user-1', displayName: 'Ana Silva', status: 'done' }]);
	});

	it('is left alone when nothing is different', async () => {
		api.answer(USERS, listOf([user('user-1', 'Ana@Example.com', { active: 'True' })]));

		const { json } = await upsert({ additionalFields: { active: true } });

		expect(api.writes()).toEqual([]);
		expect(json).toMatchObject([
			{ id: 'user-1', userName: 'Ana@Example.com', status: 'unchanged' },
		]);
	});

	it.each([
		['', []],
		// No text can be made of it.
		[', which has odd entries', [{ toString: 1 }]],
	])(
		'is not written for attributes that the schema of the service leaves out%s',
		async (_, odd) => {
			api.answer(USERS, listOf([user('user-1', ANA)]));
			const schema = {
				id: USER,
				attributes: [{ name: 'userName' }, ...odd.map((name) => ({ name }))],
			};
			api.answer('GET /scim/Schemas', [200, list([...odd.map((id) => ({ id })), schema])]);

			const { json } = await upsert({ additionalFields: { displayName: 'Ana' } });

			expect(api.writes()).toEqual([]);
			expect(json).toMatchObject([
				{ status: 'unchanged', warnings: [expect.stringContaining('displayName')] },
			]);
		},
	);

	it('stays inactive unless asked for otherwise, and that is said', async () => {
		api.answer(USERS, listOf([user('user-1', ANA, { active: 'False' })]));

		const { json } = await upsert();

		expect(api.writes()).toEqual([]);
		expect(json).toMatchObject([
			{
				active: false,
				status: 'unchanged',
				warnings: [expect.stringContaining('inactive')],
			},
		]);
	});

	it('never gets another userName from the JSON', async () => {
		api.answer(USERS, listOf([user('user-1', ANA)]));

		const { json } = await upsert({
			additionalFields: { attributesJson: '{"userName": "eve@example.com"}' },
		});

		expect(api.writes()).toEqual([]);
		expect(json).toMatchObject([{ userName: ANA }]);
	});

	it('is refused when two users differ only in case and neither is an exact match', async () => {
		api.always(
			USERS,
			listOf([user('user-1', 'ANA@example.com'), user('user-2', 'Ana@example.com')]),
		);

		const { error } = await upsert();

		expect(api.writes()).toEqual([]);
		expect(error).toMatchObject({
			message: expect.stringContaining('user-1, user-2'),
			description: expect.stringContaining('Give the ID'),
		});
	});

	it('is the exact match of two that differ only in case', async () => {
		api.always(USERS, listOf([user('user-1', 'ANA@example.com'), user('user-2', ANA)]));

		const { json } = await upsert();

		expect(json).toMatchObject([{ id: 'user-2' }]);
	});
});

describe('a filter that does not work', () => {
	it('is replaced by a listing when the service refuses it', async () => {
		api.answer(USERS, invalidFilter, listOf([user('user-1', ANA)]));

		const { json } = await upsert();

		expect(api.sent()).toEqual([lookUpOf(ANA), LISTING]);
		expect(json).toMatchObject([{ id: 'user-1', status: 'unchanged' }]);
	});

	it('is replaced by a listing when the service ignores it', async () => {
		const everybody = listOf([user('user-2', BEN), user('user-1', ANA)]);
		api.always(USERS, (request) =>
			typeof everybody === 'function' ? everybody({ ...request, query: {} }) : everybody,
		);

		const { json } = await upsert();

		expect(api.sent()).toEqual([lookUpOf(ANA), LISTING]);
		expect(json).toMatchObject([{ id: 'user-1' }]);
	});

	it('that finds nobody and a 409 lead to a listing, then the user is updated', async () => {
		const current = user('user-1', ANA);
		api.answer(USERS, listOf([]), listOf([]), listOf([current]));
		api.answer(POST, alreadyExists(ANA));
		api.answer(GROUPS, [200, list([group('org-1:admin')])]);
		api.answer(PATCH, [200, { ...current, active: false }]);

		const { json } = await upsert(inactive);

		expect(api.sent()).toEqual([lookUpOf(ANA), POST, lookUpOf(ANA), LISTING, GROUPS, PATCH]);
		expect(api.body(PATCH)).toEqual(replacing({ active: false }));
		expect(json).toMatchObject([{ id: 'user-1', active: false, status: 'done' }]);
	});

	it('and a 409 for an inactive user: said once, and not when it is activated', async () => {
		const current = user('user-1', ANA, { active: false });
		api.answer(USERS, listOf([]), listOf([current]), listOf([]), listOf([current]));
		api.answer(POST, alreadyExists(ANA), alreadyExists(ANA));
		api.answer(PATCH, [200, { ...current, active: true }]);

		const left = await upsert();
		const activated = await upsert({ additionalFields: { active: true } });

		expect(left.json).toMatchObject([
			{ status: 'unchanged', warnings: [expect.stringContaining('inactive')] },
		]);
		expect(activated.json).toMatchObject([{ active: true, status: 'done' }]);
		expect(JSON.stringify(activated.json)).not.toContain('The user is inactive');
	});

	it('and a listing that is incomplete: nobody is created or said to be missing', async () => {
		const withoutId = { userName: 'nobody@example.com' };
		api.always(USERS, listOf([withoutId], { filter: false }));

		const { error } = await upsert();

		expect(api.writes()).toEqual([]);
		expect(error?.message).toContain('the list of users is incomplete');
	});

	it('and a service that cannot be asked at all: nothing is written', async () => {
		api.always(USERS, htmlPage(500));

		const { error } = await upsert();

		expect(api.writes()).toEqual([]);
		expect(error).toMatchObject({ httpCode: '500' });
	});
});

describe('many people', () => {
	const emails = Array.from({ length: 100 }, (_, index) => `p${index}@example.com`);

	it('on a service without filter: one listing and the writes', async () => {
		const half = emails.slice(0, 50).map((email, index) => user(`user-${index}`, email));
		api.always(USERS, listOf(half, { filter: false }));
		api.always(POST, ({ body }) => created(`user-of-${body?.userName}`, String(body?.userName)));

		const { json, pairedItems } = await upsertEach(emails.map((email) => ({ email })));

		expect(api.counts()).toEqual({ GET: 1, POST: 50 });
		expect(json.map(({ userName }) => userName)).toEqual(emails);
		expect(pairedItems).toEqual(emails.map((_, index) => [index]));
	});

	it('with a filter, where a listing would take more requests than look-ups', async () => {
		const crowd = Array.from({ length: 2000 }, (_, index) =>
			user(`user-${index}`, `p${index}@example.com`),
		);
		api.always(USERS, listOf(crowd));

		const { json } = await upsertEach(emails.slice(0, 5).map((email) => ({ email })));

		expect(api.counts()).toEqual({ GET: 11 });
		expect(json.map(({ id }) => id)).toEqual(['user-0', 'user-1', 'user-2', 'user-3', 'user-4']);
	});

	it('where the listing shows nobody wrong: a person in another case is found', async () => {
		api.always(USERS, listOf([user('user-1', ANA)], { filter: false }));

		const { json } = await upsertEach([{ email: 'ANA@EXAMPLE.COM' }]);

		expect(json).toMatchObject([{ id: 'user-1', status: 'unchanged' }]);
	});
});

describe('items of the same person', () => {
	const activeOf = { additionalFields: { active: '={{ $json.active }}' } };

	it('complete each other in one request', async () => {
		api.always(USERS, listOf([]));
		api.answer(POST, created('user-1', ANA));

		const result = await upsertEach(
			[
				{ email: ANA, title: 'Engineer' },
				{ email: 'Ana@Example.com', title: 'Engineer' },
			],
			{ additionalFields: { attributesJson: '={{ JSON.stringify({ title: $json.title }) }}' } },
		);

		expect(api.writes()).toEqual([POST]);
		expect(result.json.map(({ id }) => id)).toEqual(['user-1', 'user-1']);
		expect(result.pairedItems).toEqual([[0], [1]]);
	});

	it('that contradict: the second is refused and names both', async () => {
		api.answer(USERS, listOf([user('user-1', ANA)]));
		api.answer(GROUPS, [200, list([group('org-1:admin')])]);
		api.answer(PATCH, [200, user('user-1', ANA, { active: false })]);

		const result = await upsertEach(
			[
				{ email: ANA, active: false },
				{ email: ANA, active: true },
			],
			activeOf,
			{ onError: 'continueErrorOutput' },
		);

		expect(api.writes()).toEqual([PATCH]);
		expect(result.json).toMatchObject([{ active: false, status: 'done' }]);
		expect(result.errorPairedItems).toEqual([[1]]);
		expect(result.errorJson[0].error).toBe(
			'Items 0 and 1 want different values of active for the same user',
		);
	});
});

describe('what the service makes of it', () => {
	it('a stale answer is read again until it shows what was sent', async () => {
		const current = user('user-1', ANA);
		api.answer(USERS, listOf([current]));
		api.answer(GROUPS, [200, list([group('org-1:admin')])]);
		api.answer(PATCH, [200, current]);
		api.answer(
			'GET /scim/Users/user-1',
			[200, current],
			[200, user('user-1', ANA, { active: 'False' })],
		);

		const { json } = await upsert({ ...inactive, options: { maxWait: 0, verifyTime: 1 } });

		expect(json).toMatchObject([{ active: false, status: 'done' }]);
	});

	it('a PATCH that is refused is an error with its status, and nothing is looked at', async () => {
		api.answer(USERS, listOf([user('user-1', ANA)]));
		api.answer(GROUPS, [200, list([group('org-1:admin')])]);
		api.answer(PATCH, scimError(400, 'active is read-only here', 'invalidValue'));
		api.always('GET /scim/Users/user-1', [200, user('user-1', ANA)]);

		const { error } = await upsert(inactive);

		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringContaining('400, active is read-only here'),
			httpCode: '400',
		});
	});

	it('one that fails does not keep the others back', async () => {
		api.always(USERS, listOf([user('user-1', ANA)]));
		api.answer(GROUPS, [200, list([group('org-1:admin')])]);
		api.answer(PATCH, scimError(403, 'Not this one'));
		api.answer(POST, created('user-2', BEN, { active: false }));

		const result = await upsertEach([{ email: ANA }, { email: BEN }], inactive, {
			onError: 'continueErrorOutput',
		});

		expect(result.pairedItems).toEqual([[1]]);
		expect(result.errorPairedItems).toEqual([[0]]);
	});
});

it('Preview reads, writes nothing, and gives one item', async () => {
	api.always(USERS, listOf([user('user-1', ANA)]));
	api.answer(GROUPS, [200, list([group('org-1:admin')])]);

	const { json, pairedItems } = await upsertEach([{ email: ANA }, { email: BEN }, { email: '' }], {
		...inactive,
		preview: true,
	});

	expect(api.writes()).toEqual([]);
	expect(pairedItems).toEqual([[0, 1, 2]]);
	expect(json).toMatchObject([
		{
			preview: true,
			requests: [
				{ items: [0], method: 'PATCH', path: '/scim/Users/user-1' },
				{ items: [1], method: 'POST', path: '/scim/Users' },
			],
			invalid: [{ item: 2 }],
		},
	]);
});

it('Preview says which people could not be looked up', async () => {
	api.always(USERS, accessDenied(403));

	const { json } = await upsertEach([{ email: ANA }], { ...inactive, preview: true });

	expect(json).toMatchObject([
		{
			requests: [],
			settled: [{ item: 0, status: 'failed', reason: expect.stringContaining('Access denied') }],
		},
	]);
});

it('asks for a person once whom two items write in different case', async () => {
	api.always(USERS, listOf([user('user-1', ANA)]));

	const { json } = await upsertEach([{ email: ANA }, { email: 'ANA@example.com' }]);

	expect(json.map(({ id }) => id)).toEqual(['user-1', 'user-1']);
	expect(api.counts()).toEqual({ GET: 2 });
});

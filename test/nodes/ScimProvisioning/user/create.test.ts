import {
	accessDenied,
	alreadyExists,
	ANA,
	BEN,
	CAI,
	created,
	htmlPage,
	listOf,
	lookUpOf,
	QUICK,
	scimError,
	user,
	USER,
} from '../../../support/answers';
import { runChecked, wire, type Reply } from '../../../support/wire';

const api = wire();

const USERS = 'GET /scim/Users';
const POST = 'POST /scim/Users';
const GET = 'GET /scim/Users/user-1';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const people = [{ email: ANA }, { email: BEN }, { email: CAI }];

const create = async (parameters = {}, more = {}) =>
	await runChecked('user', 'create', { userName: ANA, options: QUICK, ...parameters }, more);

const createEach = async (items: Array<{ email: string }>, options = {}, more = {}) =>
	await create(
		{ userName: '={{ $json.email }}', options: { ...QUICK, ...options } },
		{ items, ...more },
	);

describe('what is sent', () => {
	it('posts the userName and nothing more', async () => {
		api.answer(POST, created('user-1', ANA));

		const { json, pairedItems } = await create();

		expect(api.sent()).toEqual([POST]);
		expect(api.requests[0].body).toEqual({ schemas: [USER], userName: ANA, active: true });
		expect(json).toEqual([
			{
				id: 'user-1',
				userName: ANA,
				active: true,
				groups: [],
				status: 'done',
				reason: null,
			},
		]);
		expect(pairedItems).toEqual([[0]]);
	});

	it('posts every field that is given', async () => {
		api.answer(POST, created('user-1', ANA, { active: false }));

		await create({
			additionalFields: {
				active: false,
				displayName: 'Ana Silva',
				emails: {
					email: [
						{ primary: true, type: 'work', value: ANA },
						{ primary: false, type: 'home', value: 'ana@home.example' },
						{ primary: false, type: 'other', value: '' },
					],
				},
				externalId: 'HR-1042',
				familyName: 'Silva',
				givenName: 'Ana',
				attributesJson: '{"title": "Engineer", "name": {"middleName": "Maria"}}',
			},
		});

		expect(api.requests[0].body).toEqual({
			schemas: [USER],
			userName: ANA,
			active: false,
			displayName: 'Ana Silva',
			emails: [
				{ primary: true, type: 'work', value: ANA },
				{ type: 'home', value: 'ana@home.example' },
			],
			externalId: 'HR-1042',
			name: { familyName: 'Silva', givenName: 'Ana', middleName: 'Maria' },
			title: 'Engineer',
		});
	});

	it('never takes schemas, id, meta, groups or userName from the JSON, and says so', async () => {
		api.answer(POST, created('user-1', ANA));

		const { json } = await create({
			additionalFields: {
				attributesJson:
					'{"schemas": ["x"], "id": "user-9", "Groups": [], "meta": {}, "userName": "eve@example.com", "title": "Engineer"}',
			},
		});

		expect(api.requests[0].body).toEqual({
			schemas: [USER],
			userName: ANA,
			active: true,
			title: 'Engineer',
		});
		expect(json).toMatchObject([
			{
				warnings: [
					'Left out of Other Attributes: schemas, id, Groups, meta, userName.',
					'The service does not show title: it may not have kept it.',
				],
			},
		]);
	});

	it('sends an attribute once, whatever the case of its name in the JSON', async () => {
		api.answer(POST, created('user-1', ANA, { active: false }));

		await create({
			additionalFields: {
				active: false,
				attributesJson: '{"Active": true, "USERNAME": "eve@example.com"}',
			},
		});

		const names = Object.keys(api.requests[0].body ?? {});
		expect(names.map((name) => name.toLowerCase()).sort()).toEqual([
			'active',
			'schemas',
			'username',
		]);
		expect(api.requests[0].body).toMatchObject({ userName: ANA, active: false });
	});

	it('names the schema of an extension', async () => {
		api.answer(POST, created('user-1', ANA));

		await create({
			additionalFields: { attributesJson: { [ENTERPRISE]: { department: 'Marketing' } } },
		});

		expect(api.requests[0].body).toMatchObject({
			schemas: [USER, ENTERPRISE],
			[ENTERPRISE]: { department: 'Marketing' },
		});
	});

	it('sends one request per person: 100 for 100', async () => {
		const items = Array.from({ length: 100 }, (_, index) => ({ email: `p${index}@example.com` }));
		api.always(POST, ({ body }) =>
			created(`user-${String(body?.userName)}`, String(body?.userName)),
		);

		const { json, pairedItems } = await createEach(items);

		expect(api.counts()).toEqual({ POST: 100 });
		expect(json.map(({ userName }) => userName)).toEqual(items.map(({ email }) => email));
		expect(pairedItems).toEqual(items.map((_, index) => [index]));
	});

	it('sends one at a time with a concurrency of one', async () => {
		api.always(POST, ({ body }) => {
			const [status, answer] = created('user-1', String(body?.userName));
			return [status, answer, {}, 20];
		});

		await createEach(people, { concurrency: 1 });

		const [first, second, third] = api.requests.map(({ at }) => at);
		expect(second - first).toBeGreaterThanOrEqual(19);
		expect(third - second).toBeGreaterThanOrEqual(19);
	});
});

describe('a user who exists', () => {
	const existing = user('user-1', ANA);

	it('fails the item and names the id', async () => {
		api.answer(POST, alreadyExists(ANA));
		api.answer(USERS, listOf([existing]));

		const { error, status } = await create();

		expect(api.sent()).toEqual([POST, lookUpOf(ANA), GET]);
		expect(status).toBe('error');
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: `User ${ANA} exists already (ID user-1)`,
			description: 'Use Create or Update, or set If User Exists to return the user.',
			httpCode: '409',
			context: { itemIndex: 0 },
		});
	});

	it('says when that user is inactive, also when active comes as text', async () => {
		api.answer(POST, alreadyExists(ANA));
		api.answer(USERS, listOf([{ ...existing, active: 'False' }]));

		const { error } = await create();

		expect(error).toMatchObject({
			message: `User ${ANA} exists already (ID user-1 and inactive)`,
			description: expect.stringContaining('Use Activate'),
		});
	});

	it('comes out unchanged when asked for', async () => {
		api.answer(POST, alreadyExists(ANA));
		api.answer(USERS, listOf([{ ...existing, active: false }]));

		const { json } = await create({ options: { ...QUICK, ifUserExists: 'return' } });

		expect(api.writes()).toEqual([POST]);
		expect(json).toMatchObject([
			{
				id: 'user-1',
				active: false,
				status: 'unchanged',
				warnings: [expect.stringContaining('inactive')],
			},
		]);
	});

	it('is found by listing where the service knows no filter', async () => {
		api.always(POST, ({ body }) => alreadyExists(String(body?.userName)));
		const users = [existing, user('user-2', BEN), user('user-3', CAI)];
		api.always(USERS, listOf(users, { filter: false }));

		const { json } = await createEach(people, { ifUserExists: 'return', concurrency: 1 });

		expect(json.map(({ id }) => id)).toEqual(['user-1', 'user-2', 'user-3']);
		expect(api.sent().filter((line) => line.startsWith('GET') && !line.includes('filter'))).toEqual(
			['GET /scim/Users?startIndex=1&count=100'],
		);
	});

	it('may be one of another account, which is said', async () => {
		api.answer(POST, alreadyExists(ANA));
		api.always(USERS, listOf([]));

		const { error } = await create();

		expect(error).toMatchObject({
			message: `User ${ANA} exists already, but belongs to another account: this credential cannot see that user`,
			description: expect.stringContaining('Verification Time'),
		});
	});

	it('is not said to be of another account when the list is incomplete', async () => {
		api.answer(POST, alreadyExists(ANA));
		const withoutId = { userName: 'nobody@example.com', active: true };
		api.always(USERS, listOf([withoutId], { filter: false }));

		const { error } = await create();

		expect(error?.message).toMatch(/incomplete/);
		expect(error?.description).not.toMatch(/another account/);
	});
});

describe('an answer that is lost', () => {
	const NAMED = { externalId: 'HR-1' };
	const NAMED_FIELDS = { additionalFields: NAMED };

	it('is no proof by the user name alone', async () => {
		api.answer(POST, 'reset');
		api.answer(USERS, listOf([user('user-1', ANA)]));

		const { error } = await create({ options: { maxWait: 1, verifyTime: 0 } });

		expect(api.sent()).toEqual([POST, lookUpOf(ANA), GET]);
		expect(error?.message).toMatch(/Could not verify .* neither a name nor an external ID shows/);
	});

	it('does not post twice when the look-up finds the user', async () => {
		api.answer(POST, 'reset');
		api.answer(USERS, listOf([user('user-1', ANA, NAMED)]));

		const { json } = await create({ ...NAMED_FIELDS, options: { maxWait: 1, verifyTime: 0 } });

		expect(api.sent()).toEqual([POST, lookUpOf(ANA), GET]);
		expect(json).toMatchObject([{ id: 'user-1', status: 'done' }]);
	});

	it('posts again when the look-up finds nobody', async () => {
		api.answer(POST, 'reset', created('user-1', ANA));
		api.answer(USERS, listOf([]));

		const { json } = await create({ options: { maxWait: 1, verifyTime: 0 } });

		expect(api.sent()).toEqual([POST, lookUpOf(ANA), POST]);
		expect(json).toMatchObject([{ id: 'user-1', status: 'done' }]);
	});

	it('takes a 409 to the second try for the user of the first', async () => {
		api.answer(POST, htmlPage(500), alreadyExists(ANA));
		api.answer(USERS, listOf([]), listOf([user('user-1', ANA, NAMED)]));

		const { json } = await create({ ...NAMED_FIELDS, options: { maxWait: 1, verifyTime: 0 } });

		expect(api.counts()).toEqual({ POST: 2, GET: 3 });
		expect(json).toMatchObject([{ id: 'user-1', status: 'done' }]);
	});

	it('is looked for until it shows, because reads lag behind writes', async () => {
		api.answer(POST, htmlPage(500));
		api.answer(USERS, listOf([]));
		api.always(USERS, listOf([user('user-1', ANA, NAMED)]));

		const { json } = await create({ ...NAMED_FIELDS, options: { maxWait: 0, verifyTime: 1 } });

		expect(api.writes()).toEqual([POST]);
		expect(json).toMatchObject([{ id: 'user-1', status: 'done' }]);
	});

	it('is not taken for somebody else when the 409 comes before the user shows', async () => {
		api.answer(POST, htmlPage(500), alreadyExists(ANA));
		api.answer(USERS, listOf([]), listOf([]));
		api.always(USERS, listOf([user('user-1', ANA, NAMED)]));

		const { json } = await create({ ...NAMED_FIELDS, options: { maxWait: 1, verifyTime: 1 } });

		expect(json).toMatchObject([{ id: 'user-1', status: 'done' }]);
	});

	it('after the time limit is looked for too', async () => {
		const [status, answer] = created('user-1', ANA, NAMED);
		api.answer(POST, [status, answer, {}, 3000]);
		api.answer(USERS, listOf([user('user-1', ANA, NAMED)]));

		const { json } = await create({ ...NAMED_FIELDS, options: { ...QUICK, timeout: 1 } });

		expect(api.writes()).toEqual([POST]);
		expect(json).toMatchObject([{ id: 'user-1', status: 'done' }]);
	});

	it('is looked after also when no time is left to wait', async () => {
		api.answer(POST, htmlPage(500));
		api.answer(USERS, listOf([user('user-1', ANA, NAMED)]));

		const { json } = await create(NAMED_FIELDS);

		expect(json).toMatchObject([{ id: 'user-1', status: 'done' }]);
	});

	it('keeps what the service said when the look-up fails too', async () => {
		api.answer(POST, htmlPage(500));
		api.always(USERS, [503, 'Service Unavailable']);

		const { error } = await create(NAMED_FIELDS);

		expect(api.writes()).toEqual([POST]);
		expect(error?.message).toContain(`create user ${ANA}`);
		expect(error?.description).toMatch(/may have worked|was sent/);
	});
});

describe('an answer without the user', () => {
	it.each([
		['201 without id', [201, { userName: ANA, active: true }]],
		['201 with nothing', [201, '']],
		['200 {}', [200, {}]],
	] as Array<[string, Reply]>)('%s is looked up until the user shows', async (_what, reply) => {
		api.answer(POST, reply);
		api.answer(USERS, listOf([]), listOf([user('user-1', ANA)]));

		const { json } = await create({ options: { maxWait: 0, verifyTime: 1 } });

		expect(api.sent()).toEqual([POST, lookUpOf(ANA), lookUpOf(ANA), GET]);
		expect(json).toMatchObject([{ id: 'user-1', userName: ANA, status: 'done' }]);
	});

	it('is found in the list where the filter misses the person', async () => {
		const name = "o'neil+hr@example.com";
		const missed = listOf([]);
		const listed = listOf([user('user-1', name)]);
		api.answer(POST, [201, { userName: name }]);
		api.always(USERS, (request) => {
			const answer = request.query.filter === undefined ? listed : missed;
			return typeof answer === 'function' ? answer(request) : answer;
		});

		const { json } = await create({ userName: name });

		expect(json).toMatchObject([{ id: 'user-1', status: 'done' }]);
	});

	it('is unverified when the user never shows', async () => {
		api.answer(POST, [201, { userName: ANA }]);
		api.always(USERS, listOf([]));

		const { error } = await create();

		expect(error).toMatchObject({
			message: expect.stringContaining(`Could not verify that it worked to create user ${ANA}`),
			description: expect.stringContaining('The request was sent'),
		});
	});

	it('is unverified, not undone, when the look-up fails', async () => {
		api.answer(POST, [201, { userName: ANA }]);
		api.always(USERS, [503, 'Service Unavailable']);

		const { error } = await create();

		expect(error?.message).toContain(`Could not verify that it worked to create user ${ANA}`);
	});

	it('reads active as text and gives a boolean', async () => {
		api.answer(POST, created('user-1', ANA, { active: 'True' }));

		const { json } = await create();

		expect(json).toMatchObject([{ active: true, status: 'done' }]);
	});

	it('is looked at again when it shows another active than was asked for', async () => {
		api.answer(POST, created('user-1', ANA, { active: 'False' }));
		api.answer('GET /scim/Users/user-1', [200, user('user-1', ANA, { active: 'False' })]);

		const { error } = await create();

		expect(error?.message).toContain('does not show the wanted active');
	});
});

describe('a service that refuses', () => {
	it.each([401, 403] as const)('%i says what the credential has to be, once', async (status) => {
		api.answer(POST, accessDenied(status));

		const { error } = await create();

		expect(api.sent()).toEqual([POST]);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: `Could not create user ${ANA}: the service answered ${status}, Access denied`,
			description: expect.stringContaining('account-management scope'),
			httpCode: String(status),
			context: { itemIndex: 0 },
		});
	});

	it('413 as plain text', async () => {
		api.answer(POST, [413, 'Request entity too large']);

		const { error } = await create();

		expect(error).toMatchObject({
			message: expect.stringContaining('413, Request entity too large'),
			httpCode: '413',
		});
	});

	it('429 without Retry-After and without time to wait', async () => {
		api.answer(POST, [429, 'Too many requests']);
		api.always(USERS, listOf([]));

		const { error } = await create();

		// 429 was seen after a stored one, so it is not said to be undone.
		expect(error).toMatchObject({
			message: `Could not verify that it worked to create user ${ANA}: the service did not show it (Could not create user ${ANA}: the service answered 429, Too many requests)`,
		});
		expect(error?.description).toContain('Raise Max Wait');
		expect(error).toMatchObject({ httpCode: '429' });
		expect(api.writes()).toEqual([POST]);
	});

	it('429 waits as long as Retry-After says', async () => {
		api.answer(POST, [429, 'Too many requests', { 'Retry-After': '1' }], created('user-1', ANA));
		api.answer(USERS, listOf([]));

		const { json } = await create({ options: { maxWait: 2, verifyTime: 0 } });

		expect(json).toMatchObject([{ status: 'done' }]);
		const [first, , last] = api.requests;
		expect(last.at - first.at).toBeGreaterThanOrEqual(990);
	});

	it('429 that asks for more than Max Wait is not waited for', async () => {
		api.answer(POST, [429, '', { 'Retry-After': '3600' }]);
		api.always(USERS, listOf([]));

		const { error } = await create({ options: { maxWait: 2, verifyTime: 0 } });

		expect(error).toMatchObject({
			httpCode: '429',
			description: expect.stringContaining('3600 seconds'),
		});
	});

	it('500 as a web page: its title, no tags', async () => {
		api.answer(POST, htmlPage(500));
		api.always(USERS, listOf([]));

		const { error } = await create();

		expect(error).toMatchObject({
			message: `Could not verify that it worked to create user ${ANA}: the service did not show it (Could not create user ${ANA}: the service answered 500, Server Error)`,
		});
		expect(error?.message).not.toMatch(/[<>]/);
		expect(error?.description).toContain('may have worked all the same');
		expect(error?.description).not.toMatch(/[<>]/);
		expect(error).toMatchObject({ httpCode: '500' });
	});

	it('a SCIM Error inside a 200', async () => {
		const [, body] = scimError(400, 'userName is not allowed', 'invalidValue');
		api.answer(POST, [200, body]);

		const { error } = await create();

		expect(error).toMatchObject({
			message: expect.stringContaining('400, userName is not allowed (invalidValue)'),
			httpCode: '400',
		});
		expect(api.sent()).toEqual([POST]);
	});

	it('a redirect is not followed', async () => {
		api.answer(POST, [302, '', { Location: 'https://elsewhere.example/scim/Users' }]);

		const { error } = await create();

		expect(error?.message).toContain('the service redirects to elsewhere.example');
	});

	it('a token that the service repeats does not reach the message', async () => {
		const token = 'key-of-the-account:org-acct1';
		api.answer(POST, scimError(400, `The token ${token} is expired`, 'invalidValue'));

		const { error } = await create();

		expect(error?.message).toContain('The token *** is expired');
	});
});

describe('several items', () => {
	const oneRefused = () =>
		api.always(POST, ({ body }) =>
			body?.userName === BEN
				? scimError(400, 'The domain is not allowed', 'invalidValue')
				: created(`user-of-${String(body?.userName)}`, String(body?.userName)),
		);

	it('send the one that fails to the error output', async () => {
		oneRefused();

		const result = await createEach(people, {}, { onError: 'continueErrorOutput' });

		expect(result.json.map(({ userName }) => userName)).toEqual([ANA, CAI]);
		expect(result.pairedItems).toEqual([[0], [2]]);
		expect(result.errorPairedItems).toEqual([[1]]);
		expect(result.errorJson).toMatchObject([
			{ error: expect.stringContaining('The domain is not allowed') },
		]);
		expect(result.errorOutput[0].error).toMatchObject({
			name: 'NodeApiError',
			httpCode: '400',
			context: { itemIndex: 1 },
		});
		expect(result.error).toBeUndefined();
	});

	it('keep their order when all go on', async () => {
		oneRefused();

		const result = await createEach(people, {}, { onError: 'continueRegularOutput' });

		expect(result.pairedItems).toEqual([[0], [1], [2]]);
		expect(result.json.map(({ error }) => typeof error)).toEqual([
			'undefined',
			'string',
			'undefined',
		]);
		expect(result.output[1].error).toMatchObject({ httpCode: '400' });
	});

	it('are all carried out before the node stops, and the error lists them', async () => {
		oneRefused();

		const { error, output } = await createEach(people);

		expect(api.counts()).toEqual({ POST: 3 });
		expect(output).toEqual([]);
		expect(error).toMatchObject({
			message: expect.stringContaining(`Could not create user ${BEN}`),
			httpCode: '400',
			context: { itemIndex: 1 },
		});
		expect(error?.description).toContain('Failed: item 1');
		expect(error?.description).toContain(`Done: item 0 (create user ${ANA}: done)`);
		expect(error?.description).toContain('item 2');
	});

	it('that name the same new person: the second is refused', async () => {
		api.answer(POST, created('user-1', ANA));

		const result = await createEach(
			[{ email: ANA }, { email: 'Ana@Example.com' }],
			{},
			{ onError: 'continueErrorOutput' },
		);

		expect(api.sent()).toEqual([POST]);
		expect(result.pairedItems).toEqual([[0]]);
		expect(result.errorPairedItems).toEqual([[1]]);
		expect(result.errorJson[0].error).toContain('Items 0 and 1 both create user');
	});

	it('that name the same person share one request where an existing user is fine', async () => {
		api.answer(POST, created('user-1', ANA));

		const result = await createEach([{ email: ANA }, { email: ANA }], { ifUserExists: 'return' });

		expect(api.sent()).toEqual([POST]);
		expect(result.json.map(({ id }) => id)).toEqual(['user-1', 'user-1']);
		expect(result.pairedItems).toEqual([[0], [1]]);
	});
});

describe('input that cannot be used', () => {
	it.each([
		['no email', { userName: '={{ "" }}' }, 'The user name is missing'],
		['null', { userName: '={{ null }}' }, 'The user name is missing'],
		['no address', { userName: '={{ "ana" }}' }, '"ana" is not an email address'],
		[
			'two addresses',
			{ userName: '={{ "a@x.org, b@x.org" }}' },
			'has a blank (U+0020) at position 9',
		],
		['a domain without a dot', { userName: '={{ "ana@localhost" }}' }, 'is not an email address'],
		[
			'JSON that does not parse',
			{ additionalFields: { attributesJson: '={{ "{\\"title\\": " }}' } },
			'Other Attributes is not valid JSON',
		],
		[
			'JSON that is a list',
			{ additionalFields: { attributesJson: '[1]' } },
			'Other Attributes is not a JSON object',
		],
		[
			'active that is neither true nor false',
			{ additionalFields: { active: '={{ "no" }}' } },
			'Active is "no"',
		],
	])('%s: nothing is sent', async (_what, parameters, message) => {
		const { error } = await create(parameters);

		expect(api.sent()).toEqual([]);
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message: expect.stringContaining(message),
			context: { itemIndex: 0 },
		});
		expect(error?.description).toBeTruthy();
	});

	it('leaves the other items alone', async () => {
		api.always(POST, ({ body }) => created('user-x', String(body?.userName)));

		const result = await createEach(
			[{ email: ANA }, { email: '' }, { email: CAI }],
			{},
			{ onError: 'continueErrorOutput' },
		);

		expect(api.counts()).toEqual({ POST: 2 });
		expect(result.pairedItems).toEqual([[0], [2]]);
		expect(result.errorPairedItems).toEqual([[1]]);
	});

	it('an option out of range is refused for every item', async () => {
		const result = await createEach(people, { concurrency: 0 }, { onError: 'continueErrorOutput' });

		expect(api.sent()).toEqual([]);
		expect(result.errorPairedItems).toEqual([[0], [1], [2]]);
		expect(result.errorJson[0].error).toContain('Concurrency');
	});
});

describe('Preview', () => {
	it('looks, writes nothing and gives the plan as one item', async () => {
		api.always(USERS, listOf([]));

		const preview = await create(
			{ userName: '={{ $json.email }}', preview: true },
			{ items: [{ email: ANA }, { email: 'nobody' }, { email: CAI }] },
		);

		expect(api.sent().sort()).toEqual([lookUpOf(ANA), lookUpOf(CAI)]);
		expect(preview.output).toHaveLength(1);
		expect(preview.pairedItems).toEqual([[0, 1, 2]]);
		expect(preview.json[0]).toMatchObject({
			preview: true,
			blockedBy: [],
			requests: [
				{
					action: `create user ${ANA}`,
					items: [0],
					method: 'POST',
					path: '/scim/Users',
					body: { schemas: [USER], userName: ANA, active: true },
				},
				{ action: `create user ${CAI}`, items: [2] },
			],
			invalid: [{ item: 1, reason: expect.stringContaining('not an email address') }],
		});
	});

	it('says who exists already, as the operation would', async () => {
		api.always(USERS, listOf([user('user-1', ANA)]));

		const failing = await create({ preview: true });
		const returning = await create({
			preview: true,
			options: { ...QUICK, ifUserExists: 'return' },
		});

		expect(api.writes()).toEqual([]);
		expect(failing.json).toMatchObject([
			{
				requests: [],
				settled: [{ item: 0, status: 'failed', reason: `User ${ANA} exists already (ID user-1)` }],
			},
		]);
		expect(returning.json).toMatchObject([{ requests: [], settled: [{ status: 'unchanged' }] }]);
	});

	it('shows no password', async () => {
		api.answer(USERS, listOf([]));
		const password = 'correct-horse-battery';
		const additionalFields = { attributesJson: JSON.stringify({ password }) };

		const { json } = await create({ preview: true, additionalFields });

		expect(api.writes()).toEqual([]);
		expect(json).toMatchObject([{ requests: [{ body: { password: '***' } }] }]);
		expect(JSON.stringify(json)).not.toContain(password);
	});
});

import {
	ANA,
	BEN,
	CAI,
	created,
	htmlPage,
	listOf,
	QUICK,
	scimError,
	user,
	USER,
} from '../../../support/answers';
import { mapped } from '../../../support/node';
import { runChecked, wire } from '../../../support/wire';

const api = wire();

const USERS = 'GET /scim/Users';
const POST = 'POST /scim/Users';

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
				userId: 'user-1',
				userName: ANA,
				active: true,
				groups: [],
				...{ change: 'created', status: 'done', reason: null, group: null },
				text: `${ANA} was created.`,
			},
		]);
		expect(pairedItems).toEqual([[0]]);
	});

	it('posts every field that is given', async () => {
		const kept = {
			emails: [
				{ primary: true, type: 'work', value: ANA },
				{ type: 'home', value: 'ana@home.example' },
			],
			externalId: 'HR-1042',
			name: { familyName: 'Silva', givenName: 'Ana', middleName: 'Maria' },
		};
		api.answer(POST, created('user-1', ANA, { active: false, ...kept }));

		await create({
			...mapped({
				displayName: 'Ana Silva',
				emails: [
					{ primary: true, type: 'work', value: ANA },
					{ type: 'home', value: 'ana@home.example' },
				],
				externalId: 'HR-1042',
				'name.familyName': 'Silva',
				'name.givenName': 'Ana',
			}),
			additionalFields: {
				active: false,
				attributesJson: '{"title": "Engineer", "name": {"middleName": "Maria", "givenName": "An"}}',
			},
		});

		expect(api.requests[0].body).toEqual({
			schemas: [USER],
			userName: ANA,
			active: false,
			displayName: 'Ana Silva',
			...kept,
			title: 'Engineer',
		});
	});

	it('takes neither what only the service sets nor what has a field from the JSON, in any case', async () => {
		api.answer(POST, created('user-1', ANA, { active: false }));

		const { json } = await create({
			additionalFields: {
				active: false,
				attributesJson:
					'{"schemas": ["x"], "id": "user-9", "Groups": [], "meta": {}, "USERNAME": "eve@example.com", "Active": true, "title": "Engineer"}',
			},
		});

		expect(api.requests[0].body).toEqual({
			schemas: [USER],
			userName: ANA,
			active: false,
			title: 'Engineer',
		});
		expect(json).toMatchObject([
			{
				warnings: [
					'Left out of Other Attributes: schemas, id, Groups, meta, USERNAME.',
					'The service does not keep title.',
				],
			},
		]);
	});
});

it('500 as a web page: its title, no tags', async () => {
	api.answer(POST, htmlPage(500));
	api.always(USERS, listOf([]));

	const { error } = await create();

	expect(error).toMatchObject({
		message: `Could not confirm: create user ${ANA}: the service did not show it (Could not create user ${ANA}: the service answered 500, Server Error)`,
	});
	expect(error?.message).not.toMatch(/[<>]/);
	expect(error?.description).toContain('may still have worked');
	expect(error?.description).not.toMatch(/[<>]/);
	expect(error).toMatchObject({ httpCode: '500' });
});

it('sends the item that fails to the error output', async () => {
	api.always(POST, ({ body }) =>
		body?.userName === BEN
			? scimError(400, 'The domain is not allowed', 'invalidValue')
			: created(`user-of-${String(body?.userName)}`, String(body?.userName)),
	);

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

	expect(api.sent()).toStrictEqual([]);
	expect(error).toMatchObject({
		name: 'NodeOperationError',
		message: expect.stringContaining(message),
		context: { itemIndex: 0 },
	});
	expect(error?.description).toBeTruthy();
});

it('Preview says who exists already, as the operation would', async () => {
	api.always(USERS, listOf([user('user-1', ANA)]));

	const failing = await create({ preview: true });
	const returning = await create({
		preview: true,
		options: { ...QUICK, ifUserExists: 'return' },
	});

	expect(api.writes()).toStrictEqual([]);
	expect(failing.json).toMatchObject([
		{
			requests: [],
			settled: [{ item: 0, status: 'failed', reason: `User ${ANA} exists already (ID user-1)` }],
		},
	]);
	expect(returning.json).toMatchObject([{ requests: [], settled: [{ status: 'unchanged' }] }]);
});

import {
	accessDenied,
	ANA,
	BEN,
	CAI,
	htmlPage,
	invalidFilter,
	listOf,
	lookUpOf,
	notFound,
	user,
} from '../../../support/answers';
import { byEmail, byId } from '../../../support/node';
import { runChecked, wire, type Answer } from '../../../support/wire';

const api = wire();

const USERS = 'GET /scim/Users';
const GET = 'GET /scim/Users/user-1';
const LISTING = 'GET /scim/Users?startIndex=1&count=100';

const full = user('user-1', ANA, {
	active: 'True',
	displayName: 'Ana Silva',
	name: { givenName: 'Ana', familyName: 'Silva' },
	emails: [{ value: 'other@example.com' }, { value: ANA, primary: true }],
	externalId: 'HR-1042',
	groups: [{ value: 'whylabs-org-1:member', type: 'direct' }],
});

const get = async (parameters = {}, more = {}) =>
	await runChecked(
		'user',
		'get',
		{ user: byId('user-1'), options: { maxWait: 0 }, ...parameters },
		more,
	);

it('gets a user by id, simplified', async () => {
	api.answer(GET, [200, full]);

	const { json, pairedItems } = await get();

	expect(api.sent()).toEqual([GET]);
	expect(json).toEqual([
		{
			id: 'user-1',
			userName: ANA,
			active: true,
			displayName: 'Ana Silva',
			givenName: 'Ana',
			familyName: 'Silva',
			email: ANA,
			externalId: 'HR-1042',
			groups: ['whylabs-org-1:member'],
		},
	]);
	expect(pairedItems).toEqual([[0]]);
});

it('gives everything as it came without Simplify', async () => {
	api.answer(GET, [200, full]);

	const { json } = await get({ simplify: false });

	expect(json).toEqual([full]);
});

it('reads attribute names in any case', async () => {
	api.answer(GET, [200, { ID: 'user-1', username: ANA, ACTIVE: 'false' }]);

	const { json } = await get();

	expect(json).toEqual([{ id: 'user-1', userName: ANA, active: false, groups: [] }]);
});

it('finds a user by email, in any case', async () => {
	api.answer(USERS, listOf([full]));

	const { json } = await get({ user: byEmail('ANA@example.com') });

	expect(api.sent()).toEqual([lookUpOf('ANA@example.com'), GET]);
	expect(json).toMatchObject([{ id: 'user-1', userName: ANA }]);
});

it('lists when the filter finds nobody, because filters miss people', async () => {
	api.answer(USERS, listOf([]), listOf([full]));

	const { json } = await get({ user: byEmail(ANA) });

	expect(api.sent()).toEqual([lookUpOf(ANA), LISTING]);
	expect(json).toMatchObject([{ id: 'user-1' }]);
});

it('lists once for many people on a service without filter', async () => {
	api.always(USERS, listOf([full, user('user-2', BEN), user('user-3', CAI)], { filter: false }));

	const { json, pairedItems } = await get(
		{ user: byEmail('={{ $json.email }}') },
		{ items: [{ email: ANA }, { email: BEN }, { email: CAI }] },
	);

	expect(json.map(({ id }) => id)).toEqual(['user-1', 'user-2', 'user-3']);
	expect(pairedItems).toEqual([[0], [1], [2]]);
	expect(api.sent()).toEqual([LISTING]);
});

it('does not find an unknown email', async () => {
	api.always(USERS, listOf([user('user-2', BEN)]));

	const { error } = await get({ user: byEmail(ANA) });

	expect(error).toMatchObject({
		name: 'NodeOperationError',
		message: `No user has the user name ${ANA}`,
		context: { itemIndex: 0 },
	});
});

it('says that the list is incomplete rather than that nobody is there', async () => {
	api.always(USERS, listOf([{ userName: BEN }], { filter: false }));

	const { error } = await get({ user: byEmail(ANA) });

	expect(error?.message).toContain('the list of users is incomplete');
});

it('reads the page sizes that the options say', async () => {
	api.always(USERS, ({ query }) =>
		query.filter === undefined
			? [
					200,
					{
						Resources: query.startIndex === '1' ? [user('user-2', BEN)] : [full],
						totalResults: 2,
					},
				]
			: invalidFilter,
	);

	const { json } = await get({ user: byEmail(ANA), options: { maxWait: 0, pageSize: 1 } });

	expect(json).toMatchObject([{ id: 'user-1' }]);
	expect(api.sent().slice(1)).toEqual([
		'GET /scim/Users?startIndex=1&count=1',
		'GET /scim/Users?startIndex=2&count=1',
	]);
});

it.each([
	['404', notFound, '404', 'Check the ID'],
	['401', accessDenied(401), '401', 'account-management scope'],
	['403', accessDenied(403), '403', 'account-management scope'],
	['429', [429, 'Too many requests'], '429', 'Raise Max Wait'],
	['HTML 500', htmlPage(500), '500', 'run again later'],
] as Array<[string, Answer, string, string]>)(
	'%s is an error with status and advice',
	async (_what, answer, httpCode, advice) => {
		api.answer(GET, answer);

		const { error } = await get();

		expect(api.sent()).toEqual([GET]);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringContaining(
				`Could not get user user-1: the service answered ${httpCode}`,
			),
			description: expect.stringContaining(advice),
			httpCode,
			context: { itemIndex: 0 },
		});
	},
);

it.each([
	['{}', [200, {}]],
	['a list', [200, { Resources: [] }]],
	['a user without id', [200, { userName: ANA }]],
] as Array<[string, Answer]>)('200 with %s is no user', async (_what, answer) => {
	api.answer(GET, answer);

	const { error } = await get();

	expect(error?.message).toContain('without a resource that has an ID');
});

it.each([
	['a web page', htmlPage(200)],
	['nothing', [204]],
] as Array<[string, Answer]>)('2xx with %s is an error', async (_what, answer) => {
	api.answer(GET, answer);

	const { error } = await get();

	expect(error?.message).toContain('not JSON');
	expect(error?.description).toContain('Check the Base URL');
});

it('asks again after 5xx, a broken connection and truncated JSON, within Max Wait', async () => {
	api.answer(GET, 'reset', [200, '{"id": "user-1", "userNa'], [200, full]);

	const { json } = await get({ options: { maxWait: 3 } });

	expect(json).toMatchObject([{ id: 'user-1' }]);
});

it('gives up on an answer that does not come', async () => {
	api.answer(GET, [200, full, {}, 3000]);

	const { error } = await get({ options: { maxWait: 0, timeout: 1 } });

	expect(error).toMatchObject({
		message: 'Could not get user user-1: no answer within 1 seconds',
		description: expect.stringContaining('Raise Timeout under Options'),
	});
});

it('sends an item that fails to the error output', async () => {
	api.answer(GET, [200, full]);
	api.answer('GET /scim/Users/user-2', notFound);

	const result = await get(
		{ user: byId('={{ $json.id }}') },
		{
			items: [{ id: 'user-2' }, { id: 'user-1' }, { id: '' }],
			onError: 'continueErrorOutput',
		},
	);

	expect(result.pairedItems).toEqual([[1]]);
	expect(result.errorPairedItems).toEqual([[0], [2]]);
	expect(result.errorOutput[0].error).toMatchObject({
		httpCode: '404',
		context: { itemIndex: 0 },
	});
	expect(result.errorJson[1].error).toBe('No user specified');
});

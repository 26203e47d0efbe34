import {
	ANA,
	BEN,
	group,
	htmlPage,
	list,
	listOf,
	lookUpOf,
	notFound,
	PATCH as PATCH_SCHEMA,
	QUICK,
	replacing,
	scimError,
	user,
	USER,
} from '../../../support/answers';
import { byEmail, byId } from '../../../support/node';
import { runChecked, wire } from '../../../support/wire';

const api = wire();

beforeEach(() =>
	api.known(user('user-1', ANA), user('user-2', BEN), user('user-3', 'cai@example.com')),
);

const USERS = 'GET /scim/Users';
const GET = 'GET /scim/Users/user-1';
const PATCH = 'PATCH /scim/Users/user-1';
const GROUPS = 'GET /scim/Groups';
const PUT = 'PUT /scim/Users/user-1';

/** Who has what is asked before somebody is made inactive, and never otherwise. */
const withGroups = () => api.answer(GROUPS, [200, list([group('org-1:admin')])]);

const update = async (updateFields: object, parameters = {}, more = {}) =>
	await runChecked(
		'user',
		'update',
		{ user: byId('user-1'), updateFields: { ...updateFields }, options: QUICK, ...parameters },
		more,
	);

const whole = { options: { ...QUICK, updateWith: 'put' } };

describe('PATCH', () => {
	it('sends the given fields, part by part, and nothing else', async () => {
		api.known(user('user-1', ANA, { title: 'Engineer' }));
		withGroups();
		const shown = user('user-1', ANA, { active: false });
		api.answer(PATCH, [200, shown]);
		api.answer(GET, [200, shown]);

		const { json } = await update({
			active: false,
			displayName: 'Ana Silva',
			emails: { email: [{ primary: true, type: 'home', value: 'ana@home.example' }] },
			givenName: 'Ana',
			attributesJson: '{"groups": [], "id": "user-9", "title": ""}',
		});

		expect(api.sent()).toEqual([GET, GROUPS, PATCH, GET]);
		expect(api.body(PATCH)).toMatchObject({ schemas: [PATCH_SCHEMA] });
		expect(api.body(PATCH)?.Operations).toEqual(
			expect.arrayContaining([
				{ op: 'replace', path: 'active', value: false },
				{ op: 'replace', path: 'displayName', value: 'Ana Silva' },
				{
					op: 'replace',
					path: 'emails',
					value: [{ primary: true, type: 'home', value: 'ana@home.example' }],
				},
				{ op: 'replace', path: 'name.givenName', value: 'Ana' },
				{ op: 'replace', path: 'title', value: '' },
			]),
		);
		expect(api.body(PATCH)?.Operations).toHaveLength(5);
		expect(json).toMatchObject([
			{
				id: 'user-1',
				active: false,
				status: 'done',
				warnings: [
					'Left out of Other Attributes: groups, id.',
					expect.stringContaining('does not show'),
				],
			},
		]);
	});

	it('asks for a user given by email first, and writes nothing that is so already', async () => {
		api.answer(USERS, listOf([user('user-1', ANA)]));

		const { json } = await update({ active: true }, { user: byEmail(ANA) });

		expect(api.sent()).toEqual([lookUpOf(ANA), GET]);
		expect(json).toMatchObject([{ id: 'user-1', status: 'unchanged' }]);
	});

	it('answered with 204 is read back', async () => {
		withGroups();
		api.answer(PATCH, [204]);
		api.answer(GET, [200, user('user-1', ANA, { active: 'False' })]);

		const { json } = await update({ active: false });

		expect(json).toMatchObject([{ active: false, status: 'done' }]);
	});

	it('answered with 204 for an unknown user is an error', async () => {
		withGroups();
		api.answer(PATCH, [204]);
		api.answer(GET, notFound);

		const { error } = await update({ active: false });

		expect(error?.message).toContain('there is no such user');
	});

	it('refused with 400 is an error also when the service does not show the attribute', async () => {
		api.answer(PATCH, scimError(400, 'externalId is too long', 'invalidValue'));
		api.always(GET, [200, user('user-1', ANA)]);

		const { error } = await update({ externalId: 'HR-1' });

		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringContaining('400, externalId is too long'),
			httpCode: '400',
			context: { itemIndex: 0 },
		});
		expect(api.sent()).toEqual([GET, PATCH]);
	});

	it('lost on the way is unverified when the service does not show the attribute', async () => {
		api.answer(PATCH, htmlPage(500));
		api.always(GET, [200, user('user-1', ANA)]);

		const { error, output } = await update({ externalId: 'HR-1' });

		expect(output).toEqual([]);
		expect(error?.message).toContain('Could not verify');
	});

	it('lost on the way is done when the service shows the value', async () => {
		withGroups();
		api.answer(PATCH, 'reset');
		api.answer(GET, [200, user('user-1', ANA, { active: false })]);

		const { json } = await update({ active: false });

		expect(json).toMatchObject([{ status: 'done' }]);
	});

	it('of a user who is not there is an error with the status', async () => {
		withGroups();
		api.answer(PATCH, notFound);
		api.answer(GET, [200, user('user-1', ANA)]);

		const { error } = await update({ active: false });

		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '404' });
		expect(api.sent()).toEqual([GET, GROUPS, PATCH, GET]);
	});

	it('sends no request without operations', async () => {
		api.always(PATCH, [200, user('user-1', ANA)]);

		const { error } = await update({ attributesJson: '{"name": {}}' });

		expect(api.sent()).toEqual([]);
		expect(error?.message).toBe('There is nothing to update');
	});
});

describe('PUT', () => {
	beforeEach(() => api.known());

	const current = user('user-1', ANA, {
		active: 'False',
		displayName: 'Ana',
		name: { givenName: 'Ana', familyName: 'Silva' },
		groups: [{ value: 'whylabs-org-1:member', display: 'whylabs-org-1:member', type: 'direct' }],
		favouriteColour: 'green',
	});

	it('sends the whole user without id, meta and groups, and keeps active', async () => {
		api.answer(GET, [200, current]);
		const name = { givenName: 'Anna', familyName: 'Silva' };
		api.answer(PUT, [200, { ...current, displayName: 'Ana S.', name }]);

		const { json } = await update({ displayName: 'Ana S.', givenName: 'Anna' }, whole);

		expect(api.sent()).toEqual([GET, PUT]);
		expect(api.body(PUT)).toEqual({
			schemas: [USER],
			userName: ANA,
			active: false,
			displayName: 'Ana S.',
			name: { givenName: 'Anna', familyName: 'Silva' },
			favouriteColour: 'green',
		});
		expect(json).toMatchObject([{ active: false, status: 'done' }]);
	});

	it('sends each attribute once where the service writes names in other case', async () => {
		api.answer(GET, [200, { Id: 'user-1', UserName: ANA, Active: 'False', DisplayName: 'Ana' }]);
		api.answer(PUT, [200, user('user-1', ANA, { active: false, displayName: 'Ana S.' })]);

		await update({ displayName: 'Ana S.' }, whole);

		const body = api.body(PUT) ?? {};
		const names = Object.keys(body).map((name) => name.toLowerCase());
		expect(names.sort()).toEqual(['active', 'displayname', 'schemas', 'username']);
		const [, active] = Object.entries(body).find(([name]) => /^active$/i.test(name)) ?? [];
		expect(active).toBe(false);
	});

	it('that switched the user on is not passed over', async () => {
		api.answer(GET, [200, current], [200, { ...current, active: true }]);
		api.answer(PUT, [200, { ...current, active: true, displayName: 'Ana S.' }]);

		const { error } = await update({ displayName: 'Ana S.' }, whole);

		expect(error?.message).toContain('the service shows active true');
	});

	it('reads a user who is given by email once', async () => {
		api.answer(USERS, listOf([current]));
		api.answer(PUT, [200, { ...current, displayName: 'Ana S.' }]);

		await update({ displayName: 'Ana S.' }, { user: byEmail(ANA), ...whole });

		expect(api.sent()).toEqual([lookUpOf(ANA), GET, PUT]);
	});

	it('of a user who is not there writes nothing', async () => {
		api.answer(GET, notFound);

		const { error } = await update({ displayName: 'Ana S.' }, whole);

		expect(api.sent()).toEqual([GET]);
		expect(error?.message).toBe('No user has the ID user-1');
	});

	it('whose answer is lost is looked at, not sent again', async () => {
		withGroups();
		api.answer(GET, [200, current], [200, { ...current, active: false }]);
		api.answer(PUT, htmlPage(500));

		const { error, json } = await update({ active: false }, whole);

		expect(api.writes()).toEqual([PUT]);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ status: 'done' }]);
	});

	it('waits when the service asks to wait', async () => {
		api.always(GET, [200, current]);
		api.answer(
			PUT,
			[429, 'Too many requests', { 'Retry-After': '1' }],
			[200, { ...current, displayName: 'Ana S.' }],
		);

		const { json } = await update(
			{ displayName: 'Ana S.' },
			{ options: { updateWith: 'put', maxWait: 2, verifyTime: 0 } },
		);

		expect(api.writes()).toEqual([PUT, PUT]);
		expect(json).toMatchObject([{ displayName: 'Ana S.', status: 'done' }]);
	});
});

describe('what is refused before anything is written', () => {
	it.each([
		['nothing given', {}],
		['an empty JSON', { attributesJson: '{}' }],
		['only what is never sent', { attributesJson: '{"groups": [], "schemas": []}' }],
	])('%s', async (_what, fields) => {
		const { error } = await update(fields);

		expect(api.sent()).toEqual([]);
		expect(error).toMatchObject({
			message: 'There is nothing to update',
			description: expect.stringContaining('Update Fields'),
		});
	});

	it.each(['userName', 'UserName'])('a changed user name, written %s', async (name) => {
		api.always(GET, [200, user('user-1', ANA)]);
		api.always(PATCH, [200, user('user-1', ANA)]);

		const { error } = await update({ attributesJson: JSON.stringify({ [name]: BEN }) });

		expect(api.writes()).toEqual([]);
		expect(error).toMatchObject({
			message: `The user name of user-1 cannot be changed to ${BEN}`,
			description: expect.stringContaining('create a user with the new one'),
		});
	});

	it('the same user name in another case is no change', async () => {
		api.known();
		api.answer(GET, [200, user('user-1', ANA)]);

		const { json } = await update({ attributesJson: '{"userName": "ANA@example.com"}' });

		expect(api.writes()).toEqual([]);
		expect(json).toMatchObject([{ status: 'unchanged' }]);
	});

	it('a user name may change where the profile says so', async () => {
		api.known();
		api.answer('GET /Users/user-1', [200, user('user-1', ANA)], [200, user('user-1', BEN)]);
		api.answer('PATCH /Users/user-1', [200, user('user-1', BEN)]);

		const { json } = await update(
			{ attributesJson: JSON.stringify({ userName: BEN }) },
			{},
			{ credential: { serviceProfile: 'generic' } },
		);

		expect(api.body('PATCH /Users/user-1')).toEqual(replacing({ userName: BEN }));
		expect(json).toMatchObject([{ userName: BEN, status: 'done' }]);
	});

	it('a new user name that the answer alone shows is unverified', async () => {
		api.known();
		api.always('GET /Users/user-1', [200, user('user-1', ANA)]);
		api.answer('PATCH /Users/user-1', [200, user('user-1', BEN)]);

		const { error } = await update(
			{ attributesJson: JSON.stringify({ userName: BEN }) },
			{},
			{ credential: { serviceProfile: 'generic' } },
		);

		expect(error?.message).toMatch(/^Could not verify that it worked to update user .*userName/);
	});

	it('an unknown email', async () => {
		api.always(USERS, listOf([]));

		const { error } = await update({ active: false }, { user: byEmail(ANA) });

		expect(api.writes()).toEqual([]);
		expect(error?.message).toBe(`No user has the user name ${ANA}`);
	});
});

describe('several items', () => {
	const each = { user: byId('={{ $json.id }}') };

	it('of one person with different values: the second is refused', async () => {
		withGroups();
		api.answer(PATCH, [200, user('user-1', ANA, { active: false })]);

		const result = await update({ active: '={{ $json.active }}' }, each, {
			items: [
				{ id: 'user-1', active: false },
				{ id: 'user-1', active: true },
			],
			onError: 'continueErrorOutput',
		});

		expect(api.writes()).toEqual([PATCH]);
		expect(result.pairedItems).toEqual([[0]]);
		expect(result.errorJson[0].error).toContain('Items 0 and 1 want different values of active');
	});

	it('whose read-back fails for one: the others are done all the same', async () => {
		withGroups();
		const ids = ['user-1', 'user-2', 'user-3'];
		for (const id of ids) {
			api.answer(`PATCH /scim/Users/${id}`, [204]);
			api.answer(
				`GET /scim/Users/${id}`,
				id === 'user-2' ? scimError(403, 'Not this one') : [200, user(id, ANA, { active: false })],
			);
		}

		const result = await update({ active: false }, each, {
			items: ids.map((id) => ({ id })),
			onError: 'continueErrorOutput',
		});

		expect(result.pairedItems).toEqual([[0], [2]]);
		expect(result.errorPairedItems).toEqual([[1]]);
	});
});

it.each([
	['PATCH', {}],
	['PUT', whole],
])('Preview of %s writes nothing', async (method, parameters) => {
	withGroups();
	api.always(GET, [200, user('user-1', ANA, { groups: [{ value: 'org-1:admin' }] })]);

	const { json, pairedItems } = await update(
		{ active: false },
		{ user: byId('={{ $json.id }}'), preview: true, ...parameters },
		{ items: [{ id: 'user-1' }, { id: '' }] },
	);

	expect(api.writes()).toEqual([]);
	expect(pairedItems).toEqual([[0, 1]]);
	expect(json).toMatchObject([
		{
			preview: true,
			requests: [{ items: [0], method, path: '/scim/Users/user-1' }],
			invalid: [{ item: 1 }],
		},
	]);
	expect(JSON.stringify(json)).not.toContain('org-1:admin');
});

it('an update that makes the last admin inactive is blocked like a deactivation', async () => {
	api.always(GROUPS, [200, list([group('whylabs-org-1:admin', [['user-1', ANA]])])]);
	api.always(GET, [200, user('user-1', ANA)]);

	const patched = await update({ active: false });
	const replaced = await update({ active: false }, whole);

	expect(api.writes()).toEqual([]);
	for (const { error } of [patched, replaced]) {
		expect(error?.message).toContain('org-1 would be left without an active admin');
	}
});

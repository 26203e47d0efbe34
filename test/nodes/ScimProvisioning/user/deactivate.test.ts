import {
	ANA,
	BEN,
	group,
	htmlPage,
	invalidFilter,
	list,
	listOf,
	lookUpOf,
	notFound,
	QUICK,
	replacing,
	scimError,
	user,
} from '../../../support/answers';
import { byEmail, byId } from '../../../support/node';
import { runChecked, wire, type Reply } from '../../../support/wire';

const api = wire();

const USERS = 'GET /scim/Users';
const GET = 'GET /scim/Users/user-1';
const GROUPS = 'GET /scim/Groups';
const PATCH = 'PATCH /scim/Users/user-1';
const off = user('user-1', ANA, { active: false });

/** Before somebody loses all access the guards ask who has what. */
beforeEach(() => api.always(GROUPS, [200, list([group('org-1:admin')])]));

beforeEach(() => api.known(user('user-1', ANA)));

const WARNING = 'Deactivation drops all memberships; activating again does not bring them back.';

const deactivate = async (parameters = {}, more = {}) =>
	await runChecked(
		'user',
		'deactivate',
		{ user: byId('user-1'), options: QUICK, ...parameters },
		more,
	);

const deactivateEach = async (ids: string[], more = {}, parameters = {}) =>
	await deactivate(
		{ user: byId('={{ $json.id }}'), ...parameters },
		{ items: ids.map((id) => ({ id })), ...more },
	);

describe('by id', () => {
	it('is one look at who has what and one request when the answer shows it', async () => {
		api.answer(PATCH, [200, off]);

		const { json, pairedItems } = await deactivate();

		expect(api.sent()).toEqual([GET, GROUPS, PATCH]);
		expect(api.body(PATCH)).toEqual(replacing({ active: false }));
		expect(json).toEqual([
			{
				id: 'user-1',
				userName: ANA,
				active: false,
				groups: [],
				status: 'done',
				reason: null,
				warnings: [WARNING],
			},
		]);
		expect(pairedItems).toEqual([[0]]);
	});

	it('takes a person picked from the list by id', async () => {
		api.answer(PATCH, [200, off]);

		await deactivate({
			user: { __rl: true, mode: 'list', value: 'user-1', cachedResultName: ANA },
		});

		expect(api.sent()).toEqual([GET, GROUPS, PATCH]);
	});

	it.each([
		['204', [204]],
		['200 {}', [200, {}]],
		['a stale answer', [200, user('user-1', ANA)]],
		['a list instead of a user', [200, []]],
	] as Array<[string, Reply]>)('reads back after %s', async (_what, answer) => {
		api.answer(PATCH, answer);
		api.answer(GET, [200, { ...off, active: 'False' }]);

		const { json } = await deactivate();

		expect(api.sent()).toEqual([GET, GROUPS, PATCH, GET]);
		expect(json).toMatchObject([{ active: false, status: 'done' }]);
	});

	it('reads back until the service shows it', async () => {
		api.answer(PATCH, [204]);
		api.answer(GET, [200, user('user-1', ANA)], [200, user('user-1', ANA)], [200, off]);

		const { json } = await deactivate({ options: { maxWait: 0, verifyTime: 1 } });

		expect(json).toMatchObject([{ status: 'done' }]);
	});

	it('is unverified when the service never shows it', async () => {
		api.answer(PATCH, [200, user('user-1', ANA)]);
		api.answer(GET, [200, user('user-1', ANA)]);

		const { error } = await deactivate();

		expect(error).toMatchObject({
			message:
				'Could not verify that it worked to deactivate user user-1: the service shows active true',
			description: expect.stringContaining('The request was sent'),
		});
	});

	it('of an unknown user is an error although the service answers 204', async () => {
		api.answer(PATCH, [204]);
		api.answer(GET, notFound);

		const { error, output } = await deactivate();

		expect(output).toEqual([]);
		expect(error?.message).toContain('there is no such user');
	});

	it('refused with 400 is an error with its status, without a read-back', async () => {
		api.answer(PATCH, scimError(400, 'The last admin stays', 'invalidValue'));
		api.always(GET, [200, user('user-1', ANA)]);

		const { error } = await deactivate();

		expect(api.sent()).toEqual([GET, GROUPS, PATCH]);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringContaining('400, The last admin stays'),
			httpCode: '400',
		});
	});

	it('whose answer is lost counts by what the service shows', async () => {
		api.answer(PATCH, htmlPage(500));
		api.answer(GET, [200, off]);

		const { json } = await deactivate();

		expect(json).toMatchObject([{ status: 'done' }]);
	});
});

describe('by email', () => {
	it('looks the person up, then sends', async () => {
		api.answer(USERS, listOf([user('user-1', ANA)]));
		api.answer(PATCH, [200, off]);

		const { json } = await deactivate({ user: byEmail(` ${ANA} `) });

		expect(api.sent()).toEqual([lookUpOf(ANA), GET, GROUPS, PATCH]);
		expect(json).toMatchObject([{ id: 'user-1', active: false }]);
	});

	it('sends nothing for who is inactive already', async () => {
		api.answer(USERS, listOf([{ ...off, active: 'False' }]));

		const { json } = await deactivate({ user: byEmail(ANA) });

		expect(api.writes()).toEqual([]);
		expect(json).toMatchObject([{ active: false, status: 'unchanged' }]);
	});

	it('lists once for many people on a service without filter', async () => {
		const crowd = Array.from({ length: 10 }, (_, index) =>
			user(`user-${index}`, `p${index}@example.com`),
		);
		api.always(USERS, listOf(crowd, { filter: false }));
		for (const { id, userName } of crowd) {
			api.answer(`PATCH /scim/Users/${id}`, [200, user(String(id), userName, { active: false })]);
		}

		const { json } = await deactivate(
			{ user: byEmail('={{ $json.email }}'), options: { ...QUICK, maxUsersLosingAccess: 10 } },
			{ items: crowd.map(({ userName }) => ({ email: userName })) },
		);

		expect(api.counts()).toEqual({ GET: 2, PATCH: 10 });
		expect(api.sent().filter((request) => request === GROUPS)).toHaveLength(1);
		expect(json.every(({ active }) => active === false)).toBe(true);
	});

	it('does not know a person whom neither filter nor list shows', async () => {
		api.always(USERS, listOf([user('user-2', BEN)]));

		const { error } = await deactivate({ user: byEmail(ANA) });

		expect(api.writes()).toEqual([]);
		expect(error).toMatchObject({
			message: `No user has the user name ${ANA}`,
			context: { itemIndex: 0 },
		});
	});

	it('does not say so when the list is incomplete', async () => {
		api.always(USERS, listOf([{ userName: BEN }], { filter: false }));

		const { error } = await deactivate({ user: byEmail(ANA) });

		expect(api.writes()).toEqual([]);
		expect(error?.message).toContain('the list of users is incomplete');
	});

	it('encodes what has a meaning in a filter or an address', async () => {
		const name = "o'neil+hr%&@example.com";
		api.answer(USERS, listOf([user('user-1', name)]));
		api.answer(PATCH, [200, off]);

		await deactivate({ user: byEmail(name) });

		expect(api.requests[0].query).toEqual({ filter: `userName eq "${name}"` });
		expect(api.requests[0].uri).toContain('%2B');
	});
});

describe('several items', () => {
	it('of the same person are one request, with an item each', async () => {
		api.answer(PATCH, [200, off]);

		const { json, pairedItems } = await deactivateEach(['user-1', 'user-1']);

		expect(api.sent()).toEqual([GET, GROUPS, PATCH]);
		expect(json.map(({ active }) => active)).toEqual([false, false]);
		expect(pairedItems).toEqual([[0], [1]]);
	});

	it.each(['', ' ', '..', '.'])('with "%s" as an id: that item alone is refused', async (id) => {
		api.answer(PATCH, [200, off]);

		const result = await deactivateEach(['user-1', id], { onError: 'continueErrorOutput' });

		expect(api.sent()).toEqual([GET, GROUPS, PATCH]);
		expect(result.pairedItems).toEqual([[0]]);
		expect(result.errorPairedItems).toEqual([[1]]);
		expect(result.errorOutput[0].error).toMatchObject({ context: { itemIndex: 1 } });
	});

	it('keep an odd id inside its segment', async () => {
		const id = 'a/../b?c#d%e@f:g h';
		const path = `PATCH /scim/Users/${encodeURIComponent(id)}`;
		api.known(user(id, ANA));
		api.answer(path, [200, user(id, ANA, { active: false })]);

		const { json } = await deactivateEach([id]);

		expect(api.requests[2].uri).toBe(`/scim/Users/${encodeURIComponent(id)}`);
		expect(json).toMatchObject([{ id }]);
	});

	it('by id are read back even where a look-up by email could not be made', async () => {
		api.always(USERS, ({ query }) =>
			query.filter === undefined ? scimError(403, 'No listing here') : invalidFilter,
		);
		api.answer(PATCH, [204]);
		api.answer(GET, [200, off]);

		const mixed = await deactivate(
			{ user: '={{ $json.person }}' },
			{ items: [{ person: BEN }, { person: 'user-1' }], onError: 'continueErrorOutput' },
		);

		expect(mixed.errorPairedItems).toEqual([[0]]);
		expect(mixed.json).toMatchObject([{ id: 'user-1', status: 'done' }]);
	});
});

it('Preview writes nothing and gives one item for all', async () => {
	api.answer(USERS, listOf([{ ...off, active: 'False' }]), listOf([user('user-2', BEN)]));

	const { json, pairedItems } = await deactivate(
		{ user: byEmail('={{ $json.email }}'), preview: true },
		{ items: [{ email: ANA }, { email: BEN }, { email: '' }] },
	);

	expect(api.writes()).toEqual([]);
	expect(pairedItems).toEqual([[0, 1, 2]]);
	expect(json).toMatchObject([
		{
			requests: [
				{
					action: `deactivate user ${BEN}`,
					items: [1],
					method: 'PATCH',
					body: replacing({ active: false }),
				},
			],
			settled: [{ item: 0, status: 'unchanged' }],
			invalid: [{ item: 2 }],
		},
	]);
});

it('Preview names an id that no request could be meant by', async () => {
	const { json } = await deactivateEach(['..'], {}, { preview: true });

	expect(json).toMatchObject([{ requests: [], invalid: [{ item: 0 }] }]);
});

describe('guards', () => {
	const admins = (...people: string[]) =>
		group(
			'whylabs-org-1:admin',
			people.map((id) => [id, `${id}@example.com`]),
		);
	const has = (...groups: object[]) => api.always(GROUPS, [200, list(groups)]);

	it('the last active admin stays: nothing is sent, and the organization is named', async () => {
		has(admins('user-1', 'user-2'));
		api.answer('GET /scim/Users/user-2', [200, user('user-2', BEN, { active: 'False' })]);

		const { error } = await deactivate(
			{},
			{ credential: { organizationNames: { organization: [{ name: 'Marketing', id: 'org-1' }] } } },
		);

		expect(api.writes()).toEqual([]);
		expect(error).toMatchObject({
			message: expect.stringContaining('Marketing would be left without an active admin'),
			description: expect.stringContaining('Preview'),
		});
	});

	it('another active admin is enough, and only admins are looked at', async () => {
		has(admins('user-1', 'user-2', 'user-3'), group('org-1:member', [['user-4', BEN]]));
		api.answer('GET /scim/Users/user-2', [200, user('user-2', BEN)]);
		api.answer(PATCH, [200, off]);

		const { json } = await deactivate();

		expect(json).toMatchObject([{ status: 'done' }]);
	});

	it('the last admin goes where that is allowed', async () => {
		has(admins('user-1'));
		api.answer(PATCH, [200, off]);

		const { json } = await deactivate({ options: { ...QUICK, allowRemovingLastAdmin: true } });

		expect(json).toMatchObject([{ status: 'done' }]);
	});

	it('two who are the only admins together are not let go together', async () => {
		api.known(user('user-1', ANA), user('user-2', BEN));
		has(admins('user-1', 'user-2'));

		const { errorOutput } = await deactivateEach(['user-1', 'user-2'], {
			onError: 'continueErrorOutput',
		});

		expect(api.writes()).toEqual([]);
		expect(errorOutput).toHaveLength(2);
	});

	it('too many people at once: nothing is sent', async () => {
		const ids = Array.from({ length: 6 }, (_, index) => `user-${index}`);
		api.always(USERS, listOf(ids.map((id) => user(id, `${id}@example.com`))));

		const { error } = await deactivateEach(ids);

		expect(api.writes()).toEqual([]);
		expect(error?.message).toContain('6 people would lose access, more than the limit of 5');
	});

	it('too many is measured against everybody who has a role', async () => {
		const ids = Array.from({ length: 6 }, (_, index) => `user-${index}`);
		const crowd = Array.from({ length: 60 }, (_, index): [string, string] => [
			`user-${index}`,
			`p${index}@example.com`,
		]);
		has(group('whylabs-org-1:member', crowd));
		api.always(USERS, listOf(crowd.map(([id, userName]) => user(id, userName))));
		for (const id of ids) {
			api.answer(`PATCH /scim/Users/${id}`, [200, user(id, ANA, { active: false })]);
		}

		const { json } = await deactivateEach(ids);

		expect(json).toHaveLength(6);
	});

	it.each([
		['by id', 'user-1', byId('user-1'), [GET]],
		['by a pattern, whom the item gives by id', '*@EXAMPLE.com', byId('user-1'), [GET]],
		['by email', ANA, byEmail(ANA), [lookUpOf(ANA), GET]],
	] as const)('protected %s: refused', async (_what, protectedUsers, person, reads) => {
		api.always(GET, [200, user('user-1', ANA)]);
		api.always(USERS, listOf([user('user-1', ANA)]));

		const { error } = await deactivate({
			user: person,
			options: { ...QUICK, protectedUsers },
		});

		expect(api.sent()).toEqual(reads);
		expect(error?.message).toMatch(/ is protected: nothing was changed$/);
	});

	it('protected people do not hold up the others', async () => {
		api.known(user('user-1', ANA), user('user-2', BEN));
		api.answer('PATCH /scim/Users/user-2', [200, user('user-2', BEN, { active: false })]);

		const result = await deactivateEach(
			['user-1', 'user-2'],
			{ onError: 'continueErrorOutput' },
			{ options: { ...QUICK, protectedUsers: 'user-1' } },
		);

		expect(result.pairedItems).toEqual([[1]]);
		expect(result.errorPairedItems).toEqual([[0]]);
	});

	it('who has what cannot be read: nothing is sent', async () => {
		api.always(GROUPS, [403, 'Not your groups']);

		const { error } = await deactivate();

		expect(api.writes()).toEqual([]);
		expect(error?.message).toContain('403, Not your groups');
	});

	it('an incomplete list of groups: nothing is sent', async () => {
		api.always(GROUPS, [200, list([admins('user-2')], { totalResults: 9 })]);

		const { error } = await deactivate();

		expect(api.writes()).toEqual([]);
		expect(error?.message).toContain('The list of groups is incomplete');
	});

	it('Preview says what blocks, and shows the plan', async () => {
		api.known();
		has(admins('user-1'));
		api.answer(GET, [200, user('user-1', ANA, { groups: [{ value: 'whylabs-org-1:admin' }] })]);

		const { json } = await deactivate({ preview: true });

		expect(api.writes()).toEqual([]);
		expect(json).toMatchObject([
			{
				blockedBy: [expect.stringContaining('without an active admin')],
				requests: [{ method: 'PATCH' }],
				warnings: [expect.stringContaining('drops these memberships: whylabs-org-1:admin.')],
			},
		]);
	});

	it('where ids of groups say nothing of organizations no groups are read', async () => {
		api.answer('PATCH /Users/user-1', [200, off]);

		const { json } = await deactivate({}, { credential: { serviceProfile: 'generic' } });

		expect(api.sent()).toEqual(['GET /Users/user-1', 'PATCH /Users/user-1']);
		expect(json).toMatchObject([{ status: 'done' }]);
		expect(json[0]).not.toHaveProperty('warnings');
	});
});

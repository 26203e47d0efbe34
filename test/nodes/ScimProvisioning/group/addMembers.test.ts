import {
	accessDenied,
	adding,
	ANA,
	BEN,
	CAI,
	group,
	htmlPage,
	list,
	listOf,
	lookUpOf,
	notFound,
	QUICK,
	scimError,
	user,
} from '../../../support/answers';
import { itemsOf } from '../../../support/items';
import { byId } from '../../../support/node';
import { runChecked, wire, type Answer } from '../../../support/wire';

const api = wire();

const USERS = 'GET /scim/Users';
const GROUPS = 'GET /scim/Groups';
const MEMBER = 'whylabs-org-1:member';
const GET = 'GET /scim/Groups/whylabs-org-1%3Amember';
const LOOK = 'GET /scim/Users/user-1';
const LISTING = [1, 101, 201].map((start) => `${USERS}?startIndex=${start}&count=100`);
const PATCH = 'PATCH /scim/Groups/whylabs-org-1%3Amember';

const inGroup = { chooseGroupBy: 'group', group: byId('org-1:member') };

const add = async (parameters = {}, more = {}) =>
	await runChecked(
		'group',
		'addMembers',
		{ ...inGroup, people: 'user-1', options: QUICK, ...parameters },
		more,
	);

const addEach = async (items: object[], parameters = {}, more = {}) =>
	await add({ people: '={{ $json.person }}', ...parameters }, { items, ...more });

const ids = (count: number) => Array.from({ length: count }, (_, index) => `user-${index + 1}`);
const membersOf = (people: string[]) =>
	group(
		MEMBER,
		people.map((id) => [id, `${id}@example.com`]),
	);

/** Everybody whom the tests name by id is there. */
const people = [...ids(250), 'user-nobody'].map((id) => user(id, `${id}@example.com`));

beforeEach(() => {
	api.known(...people);
	api.always(USERS, listOf(people));
});

const added = (...people: string[]): Answer => [200, membersOf(people)];

describe('the group', () => {
	it.each([
		['by id', inGroup],
		[
			'by organization and role',
			{
				chooseGroupBy: 'organizationAndRole',
				organization: { __rl: true, mode: 'id', value: 'org-1' },
				role: 'member',
			},
		],
		[
			'by the name of the organization',
			{
				chooseGroupBy: 'organizationAndRole',
				organization: { __rl: true, mode: 'name', value: 'Marketing' },
				role: 'member',
			},
		],
	])(
		'%s: one read of all groups, one write, by the id that the service uses',
		async (_what, parameters) => {
			api.answer(GROUPS, [200, list([group(MEMBER)])]);
			api.answer(PATCH, added('user-1'));

			const { json, pairedItems } = await add(parameters, {
				credential: { organizationNames: { organization: [{ name: 'Marketing', id: 'org-1' }] } },
			});

			expect(api.sent()).toEqual([GROUPS, LOOK, PATCH]);
			expect(api.body(PATCH)).toEqual(adding('user-1'));
			expect(json).toEqual([
				{
					change: 'granted',
					id: 'user-1',
					userName: 'user-1@example.com',
					group: MEMBER,
					groupId: MEMBER,
					organization: 'org-1',
					organizationName: 'Marketing',
					roleBefore: null,
					role: 'member',
					status: 'done',
					reason: null,
				},
			]);
			expect(pairedItems).toEqual([[0]]);
		},
	);

	it.each(['id', 'list'])('in the form of answers, given by %s', async (mode) => {
		api.answer(GROUPS, [200, list([group(MEMBER)])]);
		api.answer(PATCH, added('user-1'));

		await add({ group: { __rl: true, mode, value: MEMBER } });

		expect(api.sent()).toEqual([GROUPS, LOOK, PATCH]);
	});

	it('written in three ways is one group: one read, one write', async () => {
		api.answer(GROUPS, [200, list([group(MEMBER)])]);
		api.answer(PATCH, added('user-1', 'user-2', 'user-3'));

		const { json } = await addEach(
			[
				{ group: 'org-1:MEMBER', person: 'user-1' },
				{ group: 'whylabs-org-1:member', person: 'user-2' },
				{ group: 'org-1:member', person: 'user-3' },
			],
			{ group: byId('={{ $json.group }}') },
		);

		expect(api.counts()).toEqual({ GET: 4, PATCH: 1 });
		expect(api.body(PATCH)).toEqual(adding('user-1', 'user-2', 'user-3'));
		expect(json).toHaveLength(3);
	});

	it('that does not exist fails the items that name it, and no others', async () => {
		api.answer(GROUPS, [200, list([group(MEMBER)])]);
		api.answer(PATCH, added('user-1'));

		const result = await addEach(
			[
				{ group: 'org-9:member', person: 'user-1' },
				{ group: 'org-1:member', person: 'user-1' },
			],
			{ group: byId('={{ $json.group }}') },
			{ onError: 'continueErrorOutput' },
		);

		expect(result.errorPairedItems).toEqual([[0]]);
		expect(result.errorOutput[0].error).toMatchObject({
			message: expect.stringContaining('There is no organization org-9') as string,
			description: 'The account has: org-1.',
			context: { itemIndex: 0 },
		});
		expect(api.sent()).toEqual([GROUPS, LOOK, PATCH]);
		expect(result.pairedItems).toEqual([[1]]);
	});
});

describe('several people', () => {
	it('50 by id from 50 items: one read, one write, own outcomes', async () => {
		const people = ids(50);
		api.answer(GROUPS, [200, list([group(MEMBER)])]);
		api.answer(PATCH, added(...people));

		const { json, pairedItems } = await addEach(people.map((person) => ({ person })));

		expect(api.sent()).toEqual([GROUPS, ...LISTING, PATCH]);
		expect(api.body(PATCH)).toEqual(adding(...people));
		expect(json.map(({ id, status }) => [id, status])).toEqual(people.map((id) => [id, 'done']));
		expect(pairedItems).toEqual(people.map((_, index) => [index]));
	});

	it('in one item, as text or as a list: one item for each of them', async () => {
		api.answer(GROUPS, [200, list([group(MEMBER)])], [200, list([group(MEMBER)])]);
		api.answer(PATCH, added('user-1', 'user-2'), added('user-1', 'user-2'));

		const text = await add({ people: ' user-1, user-2;\nuser-1 ' });
		api.known(...people);
		const listed = await addEach([{ person: ['user-1', 'user-2'] }]);

		expect(api.body(PATCH, 0)).toEqual(adding('user-1', 'user-2'));
		expect(api.body(PATCH, 1)).toEqual(adding('user-1', 'user-2'));
		for (const { json, pairedItems } of [text, listed]) {
			expect(json.map(({ id }) => id)).toEqual(['user-1', 'user-2']);
			expect(pairedItems).toEqual([[0], [0]]);
		}
	});

	it('250: requests of 100 each', async () => {
		const people = ids(250);
		api.answer(GROUPS, [200, list([group(MEMBER)])]);
		api.always(PATCH, added(...people));

		await addEach(people.map((person) => ({ person })));

		expect(api.counts()).toEqual({ GET: 4, PATCH: 3 });
		const sizes = [0, 1, 2].map(
			(number) =>
				(api.body(PATCH, number) as { Operations: Array<{ value: object[] }> }).Operations[0].value
					.length,
		);
		expect(sizes.sort()).toEqual([100, 100, 50]);
	});

	it('as many in one request as the credential says', async () => {
		api.answer(GROUPS, [200, list([group(MEMBER)])]);
		api.always(PATCH, added('user-1', 'user-2', 'user-3'));

		await addEach(
			ids(3).map((person) => ({ person })),
			{},
			{ credential: { overrideProfile: true, membersPerRequest: 2 } },
		);

		expect(api.counts()).toEqual({ GET: 4, PATCH: 2 });
	});

	it('who are members already are not added again', async () => {
		api.answer(GROUPS, [200, list([membersOf(['user-1'])])]);
		api.answer(PATCH, added('user-1', 'user-2'));

		const { json } = await addEach([{ person: 'user-1' }, { person: 'user-2' }]);

		expect(api.body(PATCH)).toEqual(adding('user-2'));
		expect(json).toMatchObject([
			{ id: 'user-1', status: 'unchanged' },
			{ id: 'user-2', status: 'done' },
		]);
	});

	it('all members already: nothing is written', async () => {
		api.answer(GROUPS, [200, list([membersOf(['user-1'])])]);

		const { json } = await add({ people: 'user-1' });

		expect(api.writes()).toEqual([]);
		expect(json).toMatchObject([{ status: 'unchanged' }]);
	});
});

describe('people by email', () => {
	it('are looked up', async () => {
		api.answer(GROUPS, [200, list([group(MEMBER)])]);
		api.answer(USERS, listOf([user('user-1', ANA)]));
		api.answer(PATCH, added('user-1'));

		const { json } = await add({ people: ANA });

		expect(api.sent()).toEqual([GROUPS, lookUpOf(ANA), LOOK, PATCH]);
		expect(json).toMatchObject([{ id: 'user-1', userName: ANA, status: 'done' }]);
	});

	it('who are members are known from the group', async () => {
		api.answer(GROUPS, [200, list([group(MEMBER, [['user-1', ANA]])])]);

		const { json } = await add({ people: ANA });

		expect(api.sent()).toEqual([GROUPS]);
		expect(json).toMatchObject([{ id: 'user-1', status: 'unchanged' }]);
	});

	it('who are not there fail their item; the others of the same request are added', async () => {
		api.answer(GROUPS, [200, list([group(MEMBER)])]);
		api.always(USERS, listOf([user('user-1', ANA)]));
		api.answer(PATCH, added('user-1'));

		const result = await addEach(
			[{ person: ANA }, { person: BEN }, { person: `${ANA}, ${CAI}` }],
			{},
			{ onError: 'continueErrorOutput' },
		);

		expect(api.body(PATCH)).toEqual(adding('user-1'));
		expect(result.pairedItems).toEqual([[0], [2]]);
		expect(result.errorPairedItems).toEqual([[1], [2]]);
		expect(result.errorJson).toEqual([
			{ error: `No user has the user name ${BEN}` },
			{ error: `No user has the user name ${CAI}` },
		]);
		expect(itemsOf(result.returned.filter(({ error }) => error))).toEqual([
			`none ${BEN} failed`,
			`none ${CAI} failed`,
		]);
		expect(itemsOf(result.json)).toEqual([
			`granted ${ANA} org-1 >member done`,
			`granted ${ANA} org-1 >member done`,
		]);
	});

	it('given once by email and once by id are one person', async () => {
		api.answer(GROUPS, [200, list([group(MEMBER)])]);
		api.answer(USERS, listOf([user('user-1', ANA)]));
		api.answer(PATCH, added('user-1'));

		const { json } = await addEach([{ person: 'user-1' }, { person: ANA }]);

		expect(api.body(PATCH)).toEqual(adding('user-1'));
		expect(json).toHaveLength(2);
	});
});

describe('what the service makes of it', () => {
	it.each([
		['204', [204]],
		['200 {}', [200, {}]],
		['a group that shows nobody yet', [200, group(MEMBER)]],
	] as Array<[string, Answer]>)('%s is read back', async (_what, answer) => {
		api.answer(GROUPS, [200, list([group(MEMBER)])]);
		api.answer(PATCH, answer);
		api.answer(GET, added('user-1'));

		const { json } = await add();

		expect(json).toMatchObject([{ id: 'user-1', status: 'done' }]);
	});

	it('a group that never shows members is verified through the user', async () => {
		api.answer(GROUPS, [200, list([group(MEMBER)])]);
		api.answer(PATCH, [204]);
		api.answer(GET, [200, group(MEMBER)]);
		api.answer('GET /scim/Users/user-1', [
			200,
			user('user-1', ANA, { groups: [{ value: 'org-1:member' }] }),
		]);

		const { json } = await add();

		expect(json).toMatchObject([{ status: 'done' }]);
	});

	it('what neither shows is unverified', async () => {
		api.answer(GROUPS, [200, list([group(MEMBER)])]);
		api.answer(PATCH, [204]);
		api.answer(GET, [200, group(MEMBER)]);
		api.answer('GET /scim/Users/user-1', [200, user('user-1', ANA)]);

		const { error } = await add();

		expect(error?.message).toContain(
			`Could not verify that it worked to make user-1@example.com member in org-1: neither the group nor the user shows it`,
		);
	});

	it('an unknown id: the culprit is named, the others are done', async () => {
		api.answer(GROUPS, [200, list([group(MEMBER)])]);
		api.answer(PATCH, scimError(400, 'Invalid user id', 'invalidValue'));
		api.always(GET, added('user-1', 'user-3'));

		const result = await addEach(
			[{ person: 'user-1' }, { person: 'user-nobody' }, { person: 'user-3' }],
			{},
			{ onError: 'continueErrorOutput' },
		);

		expect(api.writes()).toEqual([PATCH]);
		expect(result.pairedItems).toEqual([[0], [2]]);
		expect(result.errorPairedItems).toEqual([[1]]);
		expect(result.errorOutput[0].error).toMatchObject({
			name: 'NodeApiError',
			message: `The service does not accept user-nobody@example.com as a member of group ${MEMBER}: Invalid user id`,
			httpCode: '400',
			context: { itemIndex: 1 },
		});
	});

	it('an unknown id on a service that then adds none: each person is asked for alone', async () => {
		api.answer(GROUPS, [200, list([group(MEMBER)])]);
		const refusal = scimError(400, 'Invalid user id', 'invalidValue');
		api.always(PATCH, ({ body }) => {
			const [{ value }] = body?.Operations as Array<{ value: Array<{ value: string }> }>;
			const wanted = value.map(({ value: id }) => id);
			return wanted.includes('user-nobody') ? refusal : [200, membersOf(wanted)];
		});
		api.always(GET, [200, group(MEMBER)]);

		const result = await addEach(
			[{ person: 'user-1' }, { person: 'user-nobody' }],
			{},
			{ onError: 'continueErrorOutput' },
		);

		expect(result.pairedItems).toEqual([[0]]);
		expect(result.errorPairedItems).toEqual([[1]]);
	});

	it('an unknown id and a group that cannot be read then: nobody is said to be not added', async () => {
		api.answer(GROUPS, [200, list([group(MEMBER)])]);
		api.answer(PATCH, scimError(400, 'Invalid user id', 'invalidValue'));
		api.always(GET, htmlPage(500));

		const { error } = await addEach([{ person: 'user-1' }, { person: 'user-nobody' }]);

		expect(error?.message).toMatch(/Could not verify/);
	});

	it('a read of the group that lags behind the write does not make culprits', async () => {
		api.answer(GROUPS, [200, list([group(MEMBER)])]);
		api.answer(PATCH, scimError(400, 'Invalid user id', 'invalidValue'));
		api.answer(GET, added('user-1'));
		api.answer(PATCH, added('user-1', 'user-3'));

		const result = await addEach(
			[{ person: 'user-1' }, { person: 'user-nobody' }, { person: 'user-3' }],
			{ options: { maxWait: 0, verifyTime: 1 } },
			{ onError: 'continueErrorOutput' },
		);

		expect(result.errorPairedItems).toEqual([[1]]);
	});

	it.each([
		['403', accessDenied(403), '403'],
		['413 as text', [413, 'Payload too large'], '413'],
		['404', notFound, '404'],
		['429', [429, 'Too many requests'], '429'],
	] as Array<[string, Answer, string]>)('%s fails every item', async (_what, answer, httpCode) => {
		api.answer(GROUPS, [200, list([group(MEMBER)])]);
		api.always(PATCH, answer);
		api.always(GET, [200, group(MEMBER)]);
		for (const id of ids(2)) api.always(`GET /scim/Users/${id}`, [200, user(id, ANA)]);

		const { errorOutput } = await addEach(
			[{ person: 'user-1' }, { person: 'user-2' }],
			{},
			{ onError: 'continueErrorOutput' },
		);

		expect(errorOutput).toHaveLength(2);
		const said = JSON.stringify(
			errorOutput.map(({ error }) => [error?.message, error?.description]),
		);
		expect(said).toContain(httpCode);
	});

	it('a lost answer counts by what the group shows', async () => {
		api.answer(GROUPS, [200, list([group(MEMBER)])]);
		api.answer(PATCH, 'reset');
		api.answer(GET, added('user-1'));

		const { json } = await add();

		expect(api.writes()).toEqual([PATCH]);
		expect(json).toMatchObject([{ status: 'done' }]);
	});
});

describe('roles', () => {
	it('two roles for one person in one organization: neither is sent', async () => {
		const viewer = 'whylabs-org-1:viewer';
		api.answer(GROUPS, [200, list([group(MEMBER), group(viewer)])]);
		api.answer(PATCH, added('user-2'));

		const result = await addEach(
			[
				{ group: 'org-1:member', person: 'user-1' },
				{ group: 'whylabs-org-1:VIEWER', person: 'user-1' },
				{ group: 'org-1:member', person: 'user-2' },
			],
			{ group: byId('={{ $json.group }}') },
			{ onError: 'continueErrorOutput' },
		);

		expect(api.sent()).toEqual([GROUPS, LOOK, 'GET /scim/Users/user-2', PATCH]);
		expect(api.body(PATCH)).toEqual(adding('user-2'));
		expect(result.errorPairedItems).toEqual([[0], [1]]);
		expect(result.errorJson[0].error).toContain(
			'Items 0 and 1 want two roles for user-1@example.com in one organization',
		);
		expect(result.pairedItems).toEqual([[2]]);
	});

	it('in different organizations go together, both groups from one list', async () => {
		const other = 'whylabs-org-2:admin';
		api.answer(GROUPS, [200, list([group(MEMBER), group(other)])]);
		api.answer(PATCH, added('user-1'));
		api.answer('PATCH /scim/Groups/whylabs-org-2%3Aadmin', [200, group(other, [['user-1', ANA]])]);

		const { json } = await addEach(
			[
				{ group: 'org-1:member', person: 'user-1' },
				{ group: 'org-2:admin', person: 'user-1' },
			],
			{ group: byId('={{ $json.group }}') },
		);

		expect(api.counts()).toEqual({ GET: 2, PATCH: 2 });
		expect(json).toMatchObject([
			{ organization: 'org-1', role: 'member' },
			{ organization: 'org-2', role: 'admin' },
		]);
	});

	it.each([
		['member', 1],
		['admin', 0],
	])('%s in the account organization: %i warning', async (role, count) => {
		const id = `whylabs-org-1:${role}`;
		api.answer(GROUPS, [200, list([group(id)])]);
		api.answer(`PATCH /scim/Groups/${encodeURIComponent(id)}`, [200, group(id, [['user-1', ANA]])]);

		const { json } = await add(
			{ group: byId(`org-1:${role}`) },
			{ credential: { accountOrganizationId: ' whylabs-org-1 ' } },
		);

		const [{ warnings = [] }] = json as Array<{ warnings?: string[] }>;
		expect(warnings).toHaveLength(count);
		if (count > 0) expect(warnings[0]).toContain('account organization');
	});
});

it.each([
	['nobody', '={{ "" }}', 'No users specified'],
	['only separators', ' , ;', 'Entry 1 of People is empty'],
	['a hole in text', 'user-1,,user-2', 'Entry 2 of People is empty'],
	['a hole in a list', "={{ ['user-1', null] }}", 'Entry 2 of People is empty'],
	[
		'an object in a list',
		"={{ ['user-1', { id: 'user-2' }] }}",
		'Entry 2 of People is neither text nor a number',
	],
	['a malformed email', 'ana@', '"ana@" is not an email address'],
	['a number is an id; null is nobody', '={{ null }}', 'No users specified'],
])('%s: nothing is sent', async (_what, people, message) => {
	const { error } = await add({ people });

	expect(api.sent()).toEqual([]);
	expect(error).toMatchObject({ message, context: { itemIndex: 0 } });
});

it('Preview reads, writes nothing and gives one item for all', async () => {
	api.answer(GROUPS, [200, list([membersOf(['user-1'])])]);

	const { json, pairedItems } = await addEach(
		[{ person: 'user-1' }, { person: 'user-2' }, { person: '' }, { person: 'user-3' }],
		{ preview: true },
		{ credential: { accountOrganizationId: 'org-1' } },
	);

	expect(api.writes()).toEqual([]);
	expect(pairedItems).toEqual([[0, 1, 2, 3]]);
	expect(json).toMatchObject([
		{
			warnings: [expect.stringContaining('account organization')],
			requests: [
				{
					items: [1, 3],
					method: 'PATCH',
					path: '/scim/Groups/whylabs-org-1%3Amember',
					body: adding('user-2', 'user-3'),
				},
			],
			settled: [{ item: 0, status: 'unchanged' }],
			invalid: [{ item: 2 }],
		},
	]);
});

describe('a person who has another role in the organization', () => {
	const ADMIN = 'whylabs-org-1:admin';
	const ADD = 'PATCH /scim/Groups/whylabs-org-1%3Aadmin';
	const toAdmin = { group: byId('org-1:admin') };

	it('is moved by one add, never by a removal, and that is said', async () => {
		api.answer(GROUPS, [200, list([membersOf(['user-1', 'user-2']), group(ADMIN)])]);
		api.answer(ADD, [200, group(ADMIN, [['user-1', ANA]])]);

		const { json } = await add(toAdmin);

		expect(api.sent()).toEqual([GROUPS, ADD]);
		expect(api.body(ADD)).toEqual(adding('user-1'));
		expect(itemsOf(json)).toEqual(['moved user-1@example.com org-1 member>admin done']);
	});

	it('is not moved away as the last active admin', async () => {
		api.known(people[0]);
		const admins = group(ADMIN, [
			['user-1', ANA],
			['user-2', BEN],
		]);
		api.answer(GROUPS, [200, list([admins, group(MEMBER)])]);
		api.answer('GET /scim/Users/user-2', [200, user('user-2', BEN, { active: false })]);

		const { error } = await add();

		expect(api.writes()).toEqual([]);
		expect(error?.message).toContain('org-1 would be left without an active admin');
	});

	it('an old read that shows two roles is read again until it is over', async () => {
		const admins = group(ADMIN, [
			['user-1', ANA],
			['user-9', CAI],
		]);
		const settled = group(ADMIN, [['user-9', CAI]]);
		api.answer(
			GROUPS,
			[200, list([admins, membersOf(['user-1'])])],
			[200, list([settled, membersOf(['user-1'])])],
		);

		const { json } = await add({ options: { maxWait: 0, verifyTime: 1 } });

		expect(api.sent()).toEqual([GROUPS, GROUPS]);
		expect(json).toMatchObject([{ status: 'unchanged' }]);
	});

	it('an old read that does not end: nothing is changed for that person', async () => {
		api.answer(GROUPS, [
			200,
			list([group(ADMIN, [['user-1', ANA]]), membersOf(['user-1']), group('whylabs-org-1:viewer')]),
		]);

		const { error } = await add({ group: byId('org-1:viewer') });

		expect(api.writes()).toEqual([]);
		expect(error?.message).toContain('conflicting roles');
	});

	it('all groups cannot be seen: nothing is changed', async () => {
		api.answer(GROUPS, [200, list([membersOf(['user-2'])], { totalResults: 6 })]);
		api.always('GET /scim/Groups', [200, list([], { totalResults: 6 })]);

		const { error } = await add();

		expect(api.writes()).toEqual([]);
		expect(error?.message).toContain('The list of groups is incomplete');
	});
});

describe('on a service whose groups stand for themselves', () => {
	const generic = { credential: { serviceProfile: 'generic' } };

	it('only the group that is named is read', async () => {
		api.answer('GET /Groups/g1', [200, group('g1', [['user-9', CAI]])]);
		api.answer('PATCH /Groups/g1', [
			200,
			group('g1', [
				['user-9', CAI],
				['user-1', ANA],
			]),
		]);

		const { json } = await add({ group: byId('g1') }, generic);

		expect(api.sent()).toEqual(['GET /Groups/g1', 'GET /Users/user-1', 'PATCH /Groups/g1']);
		expect(json).toMatchObject([{ groupId: 'g1', organization: null, role: null, status: 'done' }]);
	});

	it('a group that is not there fails its item', async () => {
		api.answer('GET /Groups/g9', notFound);

		const { error } = await add({ group: byId('g9') }, generic);

		expect(api.writes()).toEqual([]);
		expect(error?.message).toContain('There is no group "g9"');
	});
});

import { adding, ANA, BEN, CAI, group, list, listOf, QUICK, user } from '../../../support/answers';
import { itemsOf } from '../../../support/items';
import { byId } from '../../../support/node';
import { runChecked, wire, type Answer } from '../../../support/wire';

const api = wire();

const USERS = 'GET /scim/Users';
const GROUPS = 'GET /scim/Groups';
const MEMBER = 'whylabs-org-1:member';
const LOOK = 'GET /scim/Users/user-1';
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

const membersOf = (people: string[]) =>
	group(
		MEMBER,
		people.map((id) => [id, `${id}@example.com`]),
	);

beforeEach(() => api.known(user('user-1', 'user-1@example.com')));

const added = (...people: string[]): Answer => [200, membersOf(people)];

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
				userId: 'user-1',
				userName: 'user-1@example.com',
				group: MEMBER,
				groupId: MEMBER,
				organization: 'org-1',
				organizationName: 'Marketing',
				roleBefore: null,
				role: 'member',
				status: 'done',
				reason: null,
				text: 'user-1@example.com was added to Marketing as member.',
			},
		]);
		expect(pairedItems).toEqual([[0]]);
	},
);

it('people who are not there fail their item; the others of the same request are added', async () => {
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
	['null', '={{ null }}', 'No users specified'],
])('%s: nothing is sent', async (_what, people, message) => {
	const { error } = await add({ people });

	expect(api.sent()).toStrictEqual([]);
	expect(error).toMatchObject({ message, context: { itemIndex: 0 } });
});

it('an old read that shows two roles is read again until it is over', async () => {
	const admins = group('whylabs-org-1:admin', [
		['user-1', ANA],
		['user-9', CAI],
	]);
	const settled = group('whylabs-org-1:admin', [['user-9', CAI]]);
	api.answer(
		GROUPS,
		[200, list([admins, membersOf(['user-1'])])],
		[200, list([settled, membersOf(['user-1'])])],
	);

	const { json } = await add({ options: { maxWait: 0, verifyTime: 1 } });

	expect(api.sent()).toEqual([GROUPS, GROUPS]);
	expect(json).toMatchObject([{ status: 'unchanged' }]);
});

it('where groups stand for themselves, only the one that is named is read', async () => {
	api.answer('GET /Groups/g1', [200, group('g1', [['user-9', CAI]])]);
	api.answer('PATCH /Groups/g1', [
		200,
		group('g1', [
			['user-9', CAI],
			['user-1', ANA],
		]),
	]);

	const { json } = await add({ group: byId('g1') }, { credential: { serviceProfile: 'generic' } });

	expect(api.sent()).toEqual(['GET /Groups/g1', 'GET /Users/user-1', 'PATCH /Groups/g1']);
	expect(json).toMatchObject([{ groupId: 'g1', role: null, status: 'done' }]);
});

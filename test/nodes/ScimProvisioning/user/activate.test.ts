import { ANA, listOf, notFound, QUICK, replacing, user } from '../../../support/answers';
import { byEmail, byId } from '../../../support/node';
import { runChecked, wire } from '../../../support/wire';

const api = wire();

beforeEach(() => api.known(user('user-1', ANA, { active: false })));

const USERS = 'GET /scim/Users';
const GET = 'GET /scim/Users/user-1';
const PATCH = 'PATCH /scim/Users/user-1';
const off = user('user-1', ANA, { active: false });

const NOT_BACK = expect.stringContaining('do not come back');

const activate = async (parameters = {}, more = {}) =>
	await runChecked(
		'user',
		'activate',
		{ user: byId('user-1'), options: QUICK, ...parameters },
		more,
	);

it('sets active and says that memberships do not come back', async () => {
	api.answer(PATCH, [200, user('user-1', ANA)]);

	const { json, pairedItems } = await activate();

	expect(api.sent()).toEqual([GET, PATCH]);
	expect(api.body(PATCH)).toEqual(replacing({ active: true }));
	expect(json).toMatchObject([
		{ id: 'user-1', active: true, status: 'done', warnings: [NOT_BACK] },
	]);
	expect(pairedItems).toEqual([[0]]);
});

it('does not say so where deactivation keeps memberships', async () => {
	api.answer('PATCH /Users/user-1', [200, user('user-1', ANA)]);

	const { json } = await activate({}, { credential: { serviceProfile: 'generic' } });

	expect(json).toMatchObject([{ status: 'done' }]);
	expect(json[0]).not.toHaveProperty('warnings');
});

it('reads back after 204 and keeps the warning', async () => {
	api.answer(PATCH, [204]);
	api.answer(GET, [200, user('user-1', ANA, { active: 'True' })]);

	const { json } = await activate();

	expect(json).toMatchObject([{ active: true, status: 'done', warnings: [NOT_BACK] }]);
});

it('is an error for an unknown user whom the service answers with 204', async () => {
	api.answer(PATCH, [204]);
	api.answer(GET, notFound);

	const { error } = await activate();

	expect(error?.message).toContain('there is no such user');
});

it('goes on looking after a stale answer', async () => {
	api.answer(PATCH, [200, off]);
	api.answer(GET, [200, off], [200, user('user-1', ANA)]);

	const { json } = await activate({ options: { maxWait: 0, verifyTime: 1 } });

	expect(json).toMatchObject([{ active: true, status: 'done' }]);
});

it('sends nothing for who is active already', async () => {
	api.answer(USERS, listOf([user('user-1', ANA, { active: 'True' })]));

	const { json } = await activate({ user: byEmail(ANA) });

	expect(api.writes()).toEqual([]);
	expect(json).toMatchObject([{ active: true, status: 'unchanged' }]);
});

it('sends for whom the service does not say', async () => {
	api.answer(USERS, listOf([user('user-1', ANA, { active: 'undefined' })]));
	api.answer(PATCH, [200, user('user-1', ANA)]);

	const { json } = await activate({ user: byEmail(ANA) });

	expect(api.writes()).toEqual([PATCH]);
	expect(json).toMatchObject([{ status: 'done' }]);
});

it('Preview reads the user, writes nothing and shows the warning', async () => {
	api.known();
	api.answer(GET, [200, off]);

	const { json, pairedItems } = await activate({ preview: true }, { items: [{}, {}] });

	expect(api.sent()).toEqual([GET]);
	expect(pairedItems).toEqual([[0, 1]]);
	expect(json).toMatchObject([
		{
			warnings: [NOT_BACK],
			requests: [{ items: [0, 1], method: 'PATCH' }],
		},
	]);
});

it('Preview says who is not there, and who is active already', async () => {
	api.known();
	api.answer(GET, notFound, [200, user('user-1', ANA)]);

	const absent = await activate({ preview: true });
	const active = await activate({ preview: true });

	expect(api.writes()).toEqual([]);
	expect(absent.json).toMatchObject([
		{
			requests: [],
			settled: [{ item: 0, status: 'failed', reason: 'No user has the ID user-1' }],
		},
	]);
	expect(active.json).toMatchObject([{ requests: [], settled: [{ status: 'unchanged' }] }]);
});

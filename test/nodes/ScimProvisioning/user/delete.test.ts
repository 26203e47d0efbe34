import {
	accessDenied,
	ANA,
	BEN,
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
import { byEmail, byId } from '../../../support/node';
import { runChecked, wire, type Answer } from '../../../support/wire';

const api = wire();

const USERS = 'GET /scim/Users';
const GET = 'GET /scim/Users/user-1';
const GROUPS = 'GET /scim/Groups';
const DELETE = 'DELETE /scim/Users/user-1';

/** Before somebody loses all access the guards ask who has what. */
beforeEach(() => api.always(GROUPS, [200, list([group('org-1:admin')])]));

beforeEach(() => api.known(user('user-1', ANA), user('user-2', BEN)));

const remove = async (parameters = {}, more = {}) =>
	await runChecked('user', 'delete', { user: byId('user-1'), options: QUICK, ...parameters }, more);

it('deletes by id and looks that the user is gone', async () => {
	api.answer(DELETE, [204]);
	api.answer(GET, notFound);

	const { json, pairedItems } = await remove();

	expect(api.sent()).toEqual([GET, GROUPS, DELETE, GET]);
	expect(api.requests[2].body).toBeUndefined();
	expect(json).toEqual([
		{
			id: 'user-1',
			userName: ANA,
			deleted: true,
			status: 'done',
			reason: null,
		},
	]);
	expect(pairedItems).toEqual([[0]]);
});

it('deletes by email', async () => {
	api.answer(USERS, listOf([user('user-1', ANA)]));
	api.answer(DELETE, [200, user('user-1', ANA)]);
	api.answer(GET, notFound);

	const { json } = await remove({ user: byEmail(ANA) });

	expect(api.sent()).toEqual([lookUpOf(ANA), GET, GROUPS, DELETE, GET]);
	expect(json).toMatchObject([{ id: 'user-1', userName: ANA, deleted: true }]);
});

it('refuses an unknown email', async () => {
	api.always(USERS, listOf([user('user-2', BEN)]));

	const { error } = await remove({ user: byEmail(ANA) });

	expect(api.writes()).toEqual([]);
	expect(error?.message).toBe(`No user has the user name ${ANA}`);
});

it('counts 404 as already gone, once a look has shown it', async () => {
	api.answer(DELETE, notFound);
	api.answer(GET, notFound);

	const { json } = await remove();

	expect(api.sent()).toEqual([GET, GROUPS, DELETE, GET]);
	expect(json).toMatchObject([
		{
			id: 'user-1',
			deleted: true,
			status: 'unchanged',
			reason: 'the user was gone already',
		},
	]);
});

it('is unverified when the user is still there after 204', async () => {
	api.answer(DELETE, [204]);
	api.answer(GET, [200, user('user-1', ANA)]);

	const { error, errorOutput } = await remove();

	expect(errorOutput).toEqual([]);
	expect(error?.message).toBe(
		'Could not verify that it worked to delete user user-1: the user is still there',
	);
});

it('does not show deleted on the item of a user who is still there', async () => {
	api.answer(DELETE, [204]);
	api.answer(GET, [200, user('user-1', ANA)]);

	const { errorJson } = await remove({}, { onError: 'continueErrorOutput' });

	expect(errorJson[0]).not.toHaveProperty('deleted');
});

it('looks again when the user goes a moment later', async () => {
	api.answer(DELETE, [204]);
	api.answer(GET, [200, user('user-1', ANA)], notFound);

	const { json } = await remove({ options: { maxWait: 0, verifyTime: 1 } });

	expect(json).toMatchObject([{ deleted: true, status: 'done' }]);
});

it.each([
	['500', htmlPage(500)],
	['a connection that broke', 'reset'],
] as Array<[string, Answer]>)('counts what the service shows after %s', async (_what, answer) => {
	api.answer(DELETE, answer);
	api.answer(GET, notFound);

	const { json } = await remove();

	expect(json).toMatchObject([{ deleted: true, status: 'done' }]);
});

it.each([
	['400', scimError(400, 'An owner cannot be deleted', 'mutability'), '400'],
	['403', accessDenied(403), '403'],
] as Array<[string, Answer, string]>)('refused with %s', async (_what, answer, httpCode) => {
	api.answer(DELETE, answer);
	api.always(GET, [200, user('user-1', ANA)]);

	const { error } = await remove();

	expect(api.sent()).toEqual([GET, GROUPS, DELETE]);
	expect(error).toMatchObject({ name: 'NodeApiError', httpCode });
});

it('does several people, one bad id among them', async () => {
	for (const id of ['user-1', 'user-2']) {
		api.answer(`DELETE /scim/Users/${id}`, [204]);
		api.answer(`GET /scim/Users/${id}`, notFound);
	}

	const result = await remove(
		{ user: byId('={{ $json.id }}') },
		{
			items: [{ id: 'user-1' }, { id: '..' }, { id: 'user-2' }],
			onError: 'continueErrorOutput',
		},
	);

	expect(result.json.map(({ id, deleted }) => [id, deleted])).toEqual([
		['user-1', true],
		['user-2', true],
	]);
	expect(result.pairedItems).toEqual([[0], [2]]);
	expect(result.errorJson[0].error).toBe('".." is not an ID');
});

it('Preview sends nothing but looks', async () => {
	api.answer(USERS, listOf([user('user-1', ANA)]));

	const { json, pairedItems } = await remove(
		{ user: byEmail(ANA), preview: true },
		{ items: [{}, {}] },
	);

	expect(api.writes()).toEqual([]);
	expect(pairedItems).toEqual([[0, 1]]);
	expect(json).toMatchObject([
		{
			requests: [{ items: [0, 1], method: 'DELETE', path: '/scim/Users/user-1' }],
		},
	]);
	expect(JSON.stringify(json)).not.toContain('body');
});

describe('guards', () => {
	it('the last admin of an organization is not deleted', async () => {
		api.always(GROUPS, [200, list([group('whylabs-org-1:admin', [['user-1', ANA]])])]);

		const { error } = await remove();

		expect(api.writes()).toEqual([]);
		expect(error?.message).toContain('org-1 would be left without an active admin');
	});

	it('too many people at once', async () => {
		const items = Array.from({ length: 6 }, (_, index) => ({ id: `user-${index}` }));
		api.always(USERS, listOf(items.map(({ id }) => user(id, `${id}@example.com`))));

		const { error } = await remove({ user: byId('={{ $json.id }}') }, { items });

		expect(api.writes()).toEqual([]);
		expect(error?.message).toContain('6 people would lose access');
	});

	it('a protected person', async () => {
		const { error } = await remove({ options: { ...QUICK, protectedUsers: 'user-1' } });

		expect(api.writes()).toEqual([]);
		expect(error?.message).toContain('is protected');
	});
});

import { ANA, group, list, notFound, QUICK, replacing, user } from '../../../support/answers';
import { runChecked, wire } from '../../../support/wire';

// Activate, Deactivate and Delete: what leaves, and the item.

const api = wire();

const GET = 'GET /scim/Users/user-1';
const GROUPS = 'GET /scim/Groups';
const PATCH = 'PATCH /scim/Users/user-1';
const DELETE = 'DELETE /scim/Users/user-1';

/** Before somebody loses all access the guards ask who has what. */
beforeEach(() => api.always(GROUPS, [200, list([group('org-1:admin')])]));

const run = async (operation: string, mode = 'id') =>
	await runChecked('user', operation, {
		user: { __rl: true, mode, value: 'user-1', cachedResultName: ANA },
		options: QUICK,
	});

it.each([
	['activate', true, 'id', [GET, PATCH], 'do not come back'],
	['deactivate', false, 'id', [GET, GROUPS, PATCH], 'Deactivation drops all memberships'],
	['deactivate', false, 'list', [GET, GROUPS, PATCH], 'Deactivation drops all memberships'],
])('%s: active %s, picked by %s', async (operation, active, mode, sent, warning) => {
	api.known(user('user-1', ANA, { active: !active }));
	api.answer(PATCH, [200, user('user-1', ANA, { active })]);

	const { json, pairedItems } = await run(operation, mode);

	expect(api.sent()).toEqual(sent);
	expect(api.body(PATCH)).toEqual(replacing({ active }));
	expect(json).toEqual([
		{
			userId: 'user-1',
			userName: ANA,
			active,
			groups: [],
			...{ change: `${operation}d`, status: 'done', reason: null, group: null },
			text: `${ANA} was ${operation}d.`,
			warnings: [expect.stringContaining(warning)],
		},
	]);
	expect(pairedItems).toEqual([[0]]);
});

it.each([
	['204', 204, { change: 'deleted', status: 'done', reason: null, text: `${ANA} was deleted.` }],
	[
		'404',
		404,
		{
			...{ change: 'none', status: 'unchanged', reason: 'the user was gone already' },
			text: `${ANA} was already gone.`,
		},
	],
])('delete answered with %s: it is looked that the user is gone', async (_what, status, said) => {
	api.known(user('user-1', ANA));
	api.answer(DELETE, [status]);
	api.answer(GET, notFound);

	const { json, pairedItems } = await run('delete');

	expect(api.sent()).toEqual([GET, GROUPS, DELETE, GET]);
	expect(api.requests[2].body).toBeUndefined();
	expect(json).toEqual([{ userId: 'user-1', userName: ANA, group: null, deleted: true, ...said }]);
	expect(pairedItems).toEqual([[0]]);
});

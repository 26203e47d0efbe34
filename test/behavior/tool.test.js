'use strict';

// What an agent names otherwise than by ID, on a service with other IDs: the editor puts what a model fills in into ID mode.

const { defaultsOf } = require('../support/modelGroupsPlay');
const { runOnModel } = require('../support/modelNode');
const { Groups, UNDOABLE, email, emails, locator, rows, table } = require('../support/behavior');

const byId = (value) => locator('id', value);
const inGroup = (name, more) => ({ chooseGroupBy: 'group', group: byId(name), ...more });
const named = (id, displayName) => ({ id, displayName });
const groups = [named('g1', 'Engineering'), named('g2', 'Support'), named('g3', 'Support')];
const on =
	(more = {}) =>
	() => {
		const people = {
			ana: { has: '', userName: 'ana', emails: [{ value: email('ana') }] },
			ben: 'g1 g2',
			cid: { has: '', userName: 'cid', emails: [{ value: email('both') }] },
			...{ both: '', dan: '' },
		};
		return new Groups(people, { isTool: true, groups, credential: UNDOABLE, ...more });
	};
const onTool = { on: on() };
const DAN = { people: emails('dan') };
const byName = [{ groupId: 'g1', matchedBy: 'name' }];

table(
	...['group', 'addMembers'],
	[
		{
			it: 'a group by its exact name: the item says how it was found',
			wish: inGroup('Engineering', DAN),
			items: [{ status: 'done', group: 'Engineering', groupId: 'g1', matchedBy: 'name' }],
			ends: { dan: 'g1' },
		},
		{
			...{ it: 'the same in a preview', wish: inGroup('Engineering', { ...DAN, preview: true }) },
			items: [{ preview: true, matchedBy: 'name' }],
		},
		{
			it: 'an ID that is the name of another group',
			on: on({ groups: [...groups, named('g4', 'g1')] }),
			...{ wish: inGroup('g1', DAN) },
			fails: ['"g1" is the ID of group Engineering and the name of another one (IDs g1, g4)'],
		},
		{
			it: 'the same from the list, which has IDs alone',
			on: on({ groups: [...groups, named('g4', 'g1')] }),
			wish: { chooseGroupBy: 'group', group: locator('list', 'g1'), ...DAN },
			...{ items: ['granted dan g1 done'], ends: { dan: 'g1' } },
		},
		{
			it: 'the same where groups cannot be filtered',
			on: on({ groups: [...groups, named('g4', 'g1')], groupFilter: 'off' }),
			...{ wish: inGroup('g1', DAN), fails: ['"g1" is the ID of group Engineering and the name'] },
		},
		...[
			['another case', 'engineering', 'There is no group "engineering"'],
			['two groups of the name', 'Support', 'More than one group is named "Support"'],
			['no group of the name', 'Sales', 'There is no group "Sales"'],
		].map(([it, name, message]) => ({ it, wish: inGroup(name, DAN), fails: [message] })),
	],
	onTool,
);

table(
	...['group', 'get'],
	[
		{ it: 'by name', wish: inGroup('Engineering'), items: [{ id: 'g1', matchedBy: 'name' }] },
		{
			it: 'an ID is an ID, and says nothing',
			wish: inGroup('g1'),
			items: [expect.not.objectContaining({ matchedBy: expect.anything() })],
		},
	],
	onTool,
);

table(
	...['group', 'update'],
	[
		{
			it: 'by name',
			wish: inGroup('Engineering', { updateFields: { displayName: 'Research' } }),
			...{ items: [{ id: 'g1', matchedBy: 'name' }], sends: ['PATCH g1'], once: true },
		},
	],
	onTool,
);

const user = (name, more) => ({ user: byId(email(name)), ...more });
const found = [{ matchedBy: 'email' }];
table(
	...['user', 'get'],
	[
		{ it: 'by an email', wish: user('ana'), items: [{ userName: 'ana', matchedBy: 'email' }] },
		{ it: 'by a user name that is one', wish: user('ben'), items: found },
	],
	onTool,
);
table(
	...['user', 'deactivate'],
	[
		{
			...{ it: 'by an email in any case', wish: user('ana'), items: found },
			...{ ends: { ana: 'inactive' }, once: true },
		},
		{
			it: 'an email that two users have, one as the user name, names neither',
			...{ wish: user('both'), fails: [`More than one user has the email ${email('both')}`] },
		},
	],
	onTool,
);
table('access', 'get', [{ it: 'by an email', wish: user('ben'), items: found }], onTool);
table(
	...['access', 'assign'],
	[
		{
			it: 'in rows, by name: the item says so',
			wish: { ...DAN, accessBy: 'group', groups: rows(byId('Engineering')) },
			...{ items: byName, ends: { dan: 'g1' } },
		},
		{
			it: 'an ID that is the name of another group, in a row',
			on: on({ groups: [...groups, named('g4', 'g1')] }),
			wish: { ...DAN, accessBy: 'group', groups: rows(byId('g1')) },
			fails: ['"g1" is the ID of group Engineering and the name of another one (IDs g1, g4)'],
		},
	],
	onTool,
);

// What ends an account or a group takes an ID alone.
const alone = (wish, message) => [{ it: 'takes an ID alone', wish, fails: [message] }];
describe('User: Delete', () =>
	table('user', 'delete', alone(user('ben'), /No user has the ID.*/), onTool));
describe('Group: Delete', () =>
	table('group', 'delete', alone(inGroup('Engineering'), /There is no group/), onTool));
describe('Access: Change Email', () =>
	table(
		...['access', 'changeEmail'],
		alone(user('ben', { newEmail: email('x') }), /No user has the ID/),
		onTool,
	));

// The list ends before its total says so: the one with the ID may be among the rest.
describe('a list that is not whole proves nothing', () => {
	const more = Array.from({ length: 30 }, (_, at) => named(`y${at}`, `Y ${at}`));
	const cut = { ignoresCount: true, pageCap: 20, overlap: 20 };
	table('group', 'get', [
		{
			...{ it: 'of groups', on: on({ ...cut, groups: [...groups, ...more] }) },
			...{ wish: inGroup('Engineering'), fails: [/list of groups is incomplete/] },
		},
	]);
});

test.each([
	['user', 'deactivate', user('ben'), /choose By Email in User/],
	['user', 'get', user('ben'), /for an email By Email/],
	['group', 'addMembers', inGroup('Engineering', DAN), /choose By Name in Group/],
	['group', 'get', inGroup('Engineering'), /For a name choose By Name/],
])('outside a tool %s %s says which mode to choose', async (resource, operation, wish, advice) => {
	const { service, credential } = on()();
	const parameters = { ...defaultsOf(resource, operation), ...wish };
	const run = { resource, operation, parameters, credential, continueOnFail: false };
	const { thrown } = await runOnModel(service, run);
	expect(thrown.description).toMatch(advice);
	expect(service.written()).toStrictEqual([]);
});

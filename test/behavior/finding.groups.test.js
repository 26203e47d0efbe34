'use strict';

// Which group is meant: an error names what is not understood, and nothing is sent for it.

const {
	Account,
	Groups,
	emails,
	expression,
	listed,
	locator,
	play,
	rows,
	table,
} = require('../support/behavior');
const { withService } = require('../support/service');

/** `g5` is called like the ID of `g4`; `g1` and `g2` differ in case alone. */
const NAMED = [
	{ id: 'g1', displayName: 'Engineering' },
	{ id: 'g2', displayName: 'engineering' },
	{ id: 'g3', displayName: 'Sales, EMEA' },
	{ id: 'g4', displayName: 'VPN' },
	{ id: 'g5', displayName: 'g4' },
	{ id: 'g6', displayName: 'Support' },
	{ id: 'g7', displayName: 'Support' },
	{ id: 'g8', displayName: 'Finance ' },
];
const ANA = { people: emails('ana') };
const sends = (ids) => ids.split(' ').map((id) => `PATCH ${id}`);

/** Rows in which Ana gets the groups that a wish names. */
const gives = (it, wish, ids, more) => ({
	...{ it: `${it}: ${ids}`, on: () => new Groups({ ana: '' }, { groups: NAMED, ...more }) },
	...{ wish: () => ({ ...ANA, ...wish }), ends: { ana: ids } },
});
/** Rows that give no access. */
const refuses = (it, wish, message, more) => ({
	...{
		it: `${it}: ${message}`,
		on: () => new Groups({ ana: 'g1 g4' }, { groups: NAMED, ...more }),
	},
	...{ wish: () => ({ ...ANA, ...wish }), fails: [message] },
});

describe.each([
	['By Name', (name) => listed(locator('name', name))],
	['a row', (name) => listed(name)],
	['a row with the JSON of a list', (name) => listed(JSON.stringify([name]))],
	['an object in a list', (name) => listed(expression([{ group: name }]))],
	['an expression', (name) => listed(expression(name))],
	['a list of an expression', (name) => listed(expression([name]))],
])('a name in %s', (_, named) => {
	table('access', 'assign', [
		gives('one in another case is another group', named('Engineering'), 'g1'),
		gives('one in another case is another group', named('engineering'), 'g2'),
		gives('any case', named('vpn'), 'g4'),
		gives('a blank at its end', named('Finance'), 'g8'),
		gives('a comma is part of it', named('Sales, EMEA'), 'g3'),
		refuses('two', named('ENGINEERING'), '(IDs g2, g1)'),
		refuses('two', named('Support'), 'named "Support" (IDs g6, g7)'),
		refuses('none', named('Marketing'), 'There is no group "Marketing"'),
	]);
});

describe.each([
	['a row', (text) => listed(text)],
	['an expression', (text) => listed(expression(text))],
])('%s may be a name or an ID', (_, named) => {
	table('access', 'assign', [
		gives('what is no name', named('g3'), 'g3'),
		refuses(
			'both',
			named('g4'),
			'"g4" is the ID of group VPN and the name of another one (IDs g4, g5)',
		),
	]);
});

describe('what is an ID is no name', () => {
	const json = (...groups) => listed(expression(groups));
	table('access', 'assign', [
		{ ...gives('a typed one is read alone', listed(locator('id', 'g4')), 'g4'), reads: 3 },
		gives('groupId', json({ groupId: 'g4' }), 'g4'),
		gives('groupId beside its name', json({ groupId: 'g4', group: 'VPN' }), 'g4'),
		refuses(
			'groupId beside another name',
			json({ groupId: 'g4', group: 'Engineering' }),
			'g4 is VPN (ID g4), and Engineering is another group (ID g1)',
		),
		gives('By Name', listed(locator('name', 'g4')), 'g5'),
		refuses('typed', listed(locator('id', 'VPN')), 'There is no group "VPN"'),
	]);
});

describe('an expression in a row gives several', () => {
	const objects = [{ groupId: 'g4' }, { group: 'Sales, EMEA' }];
	table('access', 'assign', [
		gives('names and IDs', listed(expression(['VPN', 'g3'])), 'g3 g4'),
		gives('the JSON of a list', listed(expression('["VPN"]')), 'g4'),
		gives('an object', listed(expression({ group: 'VPN' })), 'g4'),
		gives('objects', listed(expression(objects)), 'g3 g4'),
	]);
});

test('n8n tells an expression from an ID that was typed', async () => {
	await withService({}, async (service, scim) => {
		const person = { people: 'dmitri.volkov@example.com', preview: true, accessBy: 'group' };
		const run = async (value) =>
			await scim('access', 'assign', { ...person, ...listed(locator('id', value)) });
		const { json } = await run('={{ "org-3454: viewer" }}');
		expect(json[0].summary).toContain('viewer');
		const typed = await run('org-3454: viewer');
		expect(typed.json[0].summary).toContain('Organization org-3454 has no role');
	});
});

describe.each(['on', 'exactCase', 'ignored', 'off'])('filters of groups are %s', (groupFilter) => {
	describe.each([true, false])('lists leave out members: %s', (excludesAttributes) => {
		const more = { groupFilter, excludesAttributes };
		table('access', 'assign', [
			gives('found', listed(locator('name', 'vpn')), 'g4', more),
			gives('found', listed(locator('name', 'engineering')), 'g2', more),
			refuses('two', listed(locator('name', 'Support')), '(IDs g6, g7)', more),
		]);
	});
});

test('two items that name one group in two ways are one change', async () => {
	const world = new Groups({ ana: '' }, { groups: NAMED });
	const items = [listed('VPN'), listed(expression([{ groupId: 'g4' }]))];
	await play(world, ['access', 'assign'], { accessBy: 'group', ...ANA }, items);
	expect(world.service.adds).toHaveLength(1);
});

describe.each(['assign', 'set', 'revoke'])('%s with a row of nothing', (operation) => {
	const managedGroups = rows('*');
	const more = operation === 'set' ? { managedGroups, options: { allowEmpty: true } } : {};
	const none = { ...more, options: {} };
	const nothing = [undefined, null, '', '  ', ['VPN', null]];
	table('access', operation, [
		...nothing.flatMap((value) => [
			refuses(`alone, ${value}`, { ...listed(expression(value)), ...more }, 'names no group'),
			refuses('beside one', { ...listed('VPN', expression(value)), ...more }, 'names no group'),
		]),
		refuses('[]', { ...listed(expression([])), ...none }, /no assignments|assignments is empty/),
		refuses('[] beside one', { ...listed('VPN', expression([])), ...none }, /assignments/),
	]);
});

// ---- Roles in organizations ----

const PATTERN = {
	groupsStandFor: 'organizationAndRole',
	groupPattern: 'app-{organization}-{role}',
};
const onNames = { credential: { ...PATTERN, groupPatternOn: 'displayName' } };
const APPS = [
	{ id: 'g1', displayName: 'Team: Engineering' },
	{ id: 'g2', displayName: 'app-Team-Engineering' },
	{ id: 'g3', displayName: 'app-Marketing-member' },
	{ id: 'g4', displayName: 'app-Sales-member' },
	{ id: 'g5', displayName: 'app-Sales-viewer' },
];
const inApps = (row) => ({
	...row,
	on: () => new Groups({ ana: '' }, { groups: APPS, ...onNames }),
});
const role = (organization, word) => ({
	accessBy: 'organizationAndRole',
	roles: { role: [{ organization, role: word }] },
});
const owner = (organization, word) => role(locator('id', organization), word);

describe('a name is that of a group before it is a role in an organization', () => {
	table(
		'access',
		'assign',
		[
			gives('By Name', listed(locator('name', 'Team: Engineering')), 'g1'),
			gives('text', listed('Team: Engineering'), 'g1'),
			gives('a role', listed(locator('name', 'Marketing: member')), 'g3'),
			refuses('near', listed('Team: Enginering'), '(did you mean Team: Engineering?)'),
			refuses('near', listed('Marketng: member'), '(did you mean Marketing: member?)'),
			refuses('near', listed('Marketing: membr'), '(did you mean Marketing: member?)'),
			refuses('near', owner('Marketng', 'member'), '(did you mean member in Marketing?)'),
			refuses('nothing near', listed('Finance'), /There is no group "Finance"$/m),
			refuses('unknown', owner('Sales', 'owner'), 'There is no group "owner in Sales"'),
			gives('an expression', role(expression('Marketing'), 'member'), 'g3'),
			gives('organizations', role(expression(['Marketing', 'Sales']), 'member'), 'g3 g4'),
			gives(
				'objects with roles of their own',
				role(expression([{ organization: 'Sales', role: 'viewer' }]), 'member'),
				'g5',
			),
			...[undefined, null, '', '  '].map((value) =>
				refuses(`${value}`, role(expression(value), 'member'), 'names no group'),
			),
		].map(inApps),
	);
});

describe('a role as the list of groups shows it', () => {
	const organizationNames = { organization: [{ name: 'Marketing', id: 'org-a' }] };
	const on = () =>
		new Account({ ana: '', bob: 'b:admin a:admin' }, { credential: { organizationNames } });
	const member = (it, group) => ({
		...{ it, on, wish: () => ({ ...ANA, ...group, createMissing: false }) },
		ends: { ana: 'a:member' },
	});
	const none = (name, message) => ({
		...refuses(name, listed(locator('name', name)), message),
		on,
	});
	table('access', 'assign', [
		member('by name', listed(locator('name', 'Marketing: member'))),
		member('of an expression', listed(expression('Marketing: Member'))),
		member('by the ID of the organization', listed(locator('name', 'org-a: member'))),
		member('in two fields', owner('marketing', 'Member')),
		none('Marketing: owner', 'There is no group "Marketing: owner"'),
		none('Marketng: member', '(did you mean Marketing: member?)'),
		none('Marketing: membr', '(did you mean Marketing: member?)'),
		none('org-b: membr', '(did you mean org-b: member?)'),
		{ ...refuses('unknown', owner('org-x', 'member'), 'There is no organization org-x'), on },
	]);
	table('access', 'reconcile', {
		...member('in a row of Reconcile', {
			...{ accessBy: 'group', preview: false, unwanted: 'keep', wantedFrom: 'json' },
			...{ scopeGroups: rows('*org-a:*') },
			wantedJson: [{ email: emails('ana'), group: 'Marketing: member' }],
		}),
	});
});

const OLD_AND_NEW = { credential: { ...PATTERN, groupPatternOn: 'id' } };
describe.each([
	['assign', { ...ANA, ...listed('app-sales-admin') }],
	['revoke', { people: emails('ben'), revokeIn: 'one', ...listed('app-sales-Admin') }],
	['offboard', ANA],
	['getMatrix', {}],
])('%s: two groups that stand for one role are an error', (operation, wish) => {
	table('access', operation, {
		it: 'and nothing is sent',
		on: () => new Groups({ ana: 'app-sales-Admin', ben: 'app-sales-admin' }, OLD_AND_NEW),
		wish: () => wish,
		fails: [/Two groups stand for.*\(IDs app-sales-Admin, app-sales-admin\)/],
	});
});

describe('a service whose groups stand for no organization', () => {
	const says = 'The credential does not say which organization and role a group stands for';
	const member = owner('org-1', 'member');
	test.each([
		['assign', member],
		['revoke', { accessBy: 'organizationAndRole', revokeIn: 'all' }],
		['set', member],
		['set', { ...role(expression([]), ''), options: { allowEmpty: true } }],
		['assign', listed(expression([{ organization: 'org-1', role: 'admin' }]))],
	])('%s fails before a request', async (operation, wish) => {
		for (const preview of [true, false]) {
			const world = new Groups({ ana: 'eng' });
			const [item] = await play(world, ['access', operation], { ...ANA, ...wish, preview });
			expect(item.error ?? item.invalid[0].reason).toContain(says);
			expect(world.service.requests).toStrictEqual([]);
		}
	});
});

// ---- An ID that no group has ----

const SERVICES = [
	['plain groups', {}],
	['a pattern on names', { ...onNames }],
	['a pattern on IDs', OLD_AND_NEW],
];
describe.each(SERVICES)('an ID that no group has, %s', (_, more) => {
	const on = () =>
		new Groups({ ana: '', ben: 'app-hr-viewer', cleo: '' }, { groups: ['app-x-viewer'], ...more });
	const wants = (...ids) => ({ groups: rows(expression(ids.map((groupId) => ({ groupId })))) });
	const none = /There is no (group|organization) "?(app-)?nope/;

	describe.each([
		['assign', {}, 'app-x-viewer'],
		['revoke', { revokeIn: 'one' }, ''],
		['set', { managedGroups: rows('*') }, 'app-x-viewer'],
	])('%s', (operation, own, has) => {
		table('access', operation, {
			it: 'sends nothing for the person',
			on: () =>
				new Groups(
					{ ana: 'eng', cleo: operation === 'revoke' ? 'app-x-viewer' : '' },
					{ groups: ['app-x-viewer'], ...more },
				),
			wish: () => ({
				...{ accessBy: 'group', ...ANA, ...own },
				items: [
					wants('app-x-viewer', 'app-nope'),
					{ people: emails('cleo'), ...wants('app-x-viewer') },
				],
			}),
			fails: [none],
			sends: ['PATCH app-x-viewer'],
			ends: { cleo: has },
		});
	});

	table('access', 'assign', {
		it: 'in another item of the person: nothing is sent either',
		on,
		wish: (w) => ({
			accessBy: 'group',
			items: [
				{ ...ANA, ...wants('app-x-viewer') },
				{ ...ANA, ...wants('app-nope') },
				{ people: w.user('ana').value, ...wants('app-hr-viewer') },
				{ people: emails('cleo'), ...wants('app-x-viewer') },
			],
		}),
		fails: ['item 1 is about the same person', none, 'item 1 is about the same person'],
		sends: ['PATCH app-x-viewer'],
		ends: { cleo: 'app-x-viewer' },
	});
});

table('access', 'assign', {
	it: 'a role that an organization does not have is an error that says it',
	on: () => new Groups({ ana: '' }, { groups: ['app-x-viewer', 'app-y-viewer'], ...OLD_AND_NEW }),
	wish: () => ({
		...{ ...ANA, accessBy: 'organizationAndRole' },
		roles: {
			role: ['x viewer', 'x admin', 'y viewer'].map((text) => {
				const [organization, word] = text.split(' ');
				return { organization, role: word };
			}),
		},
	}),
	items: [{ groupId: 'app-x-admin', organization: 'x', role: 'admin', status: 'failed' }],
	fails: ['Organization x has no role admin'],
});

// ---- Only These Groups, and other lists of groups that say what may be taken ----

describe('Only These Groups of Set', () => {
	const set = (it, managed, wanted, more) => ({
		it,
		on: () => new Groups({ ana: 'g1 g3', ben: '' }, { groups: NAMED }),
		wish: () => ({ ...ANA, ...listed(...wanted), managedGroups: rows(...managed) }),
		...more,
	});
	const both = { ends: { ana: 'g3 g4' } };
	const warned = expect.arrayContaining([expect.stringContaining('Market*')]);
	table('access', 'set', [
		set('others are left alone', ['Engineering', 'VPN'], ['VPN'], both),
		set('* is all', ['*'], ['VPN'], { ends: { ana: 'g4' } }),
		set('a name that no group has', ['VPN', 'Marketing'], ['VPN'], { fails: ['"Marketing"'] }),
		set('an ID and a name', ['g4'], ['VPN'], { fails: ['(IDs g4, g5)'] }),
		set('none', [], ['VPN'], { fails: ['Only These Groups is empty'] }),
		set('a pattern that matches none warns', ['Engineering', 'VPN', 'Market*'], ['VPN'], {
			...both,
			items: [{ warnings: warned }, {}],
		}),
		...['Marketing', 'Sales, EMEA'].map((wanted) =>
			set(`${wanted} is not in them: that stops one person`, ['Engineering', 'VPN'], [], {
				wish: () => ({
					...{ accessBy: 'group', managedGroups: rows('Engineering', 'VPN') },
					items: [
						{ ...ANA, ...listed(expression(['VPN', wanted])) },
						{ people: emails('ben'), ...listed(expression(['VPN'])) },
					],
				}),
				fails: [wanted],
				ends: { ben: 'g4' },
			}),
		),
	]);
});

const inOptions = (name) => (value) => ({ options: { [name]: value } });
const reconciled = (groups) => ({
	...{ accessBy: 'group', preview: false, wantedFrom: 'json', scopeGroups: groups },
	wantedJson: [{ email: emails('ana'), group: 'VPN' }],
});
describe.each([
	['Only These Groups', 'revoke', { revokeIn: 'all' }, inOptions('managedGroups')],
	['Only These Groups', 'assign', listed('VPN'), inOptions('managedGroups')],
	['Only These Groups', 'set', listed('VPN'), (managedGroups) => ({ managedGroups })],
	['Keep Memberships In', 'offboard', {}, inOptions('keepMembershipsIn')],
	['Groups in Scope', 'reconcile', reconciled(), (scopeGroups) => ({ scopeGroups })],
	['Ignore Groups', 'reconcile', reconciled(rows('VPN')), inOptions('ignoreGroups')],
])('%s of %s', (name, operation, wish, field) => {
	const given = (...values) => ({ accessBy: 'group', ...wish, items: values.map(field) });
	table('access', operation, [
		{
			...refuses('two items', given(rows(['VPN']), rows(['VPN', 'Sales*']))),
			fails: Array(2).fill(`${name} is VPN for item 0 and VPN, Sales* for item 1`),
		},
	]);
});

describe('Only These Groups of Revoke', () => {
	table(
		'access',
		'revoke',
		[rows('VPN'), rows('["VPN"]'), rows(['VPN'])].map((managedGroups) => ({
			it: JSON.stringify(managedGroups),
			on: () => new Groups({ ana: 'g1 g4' }, { groups: NAMED }),
			wish: () => ({ ...ANA, accessBy: 'group', revokeIn: 'all', options: { managedGroups } }),
			ends: { ana: 'g1' },
		})),
	);
});

describe('a filter that fails with 500 for the quote in its value', () => {
	const TEAM = { id: 'g1', displayName: "Ana's team" };
	const on = () => {
		const world = new Groups({ ana: '' }, { groups: [TEAM, 'vpn'] });
		const exchange = world.service.exchange.bind(world.service);
		world.service.exchange = async (request) =>
			/filter=.*('|%27)/.test(request.url)
				? { status: 500, headers: {}, text: '{"detail":"unterminated string"}' }
				: await exchange(request);
		return world;
	};
	const group = locator('name', TEAM.displayName);
	table('group', 'get', [{ it: 'Get', on, wish: { group }, items: [{ id: 'g1' }] }]);
	table('group', 'addMembers', [
		{ it: 'Add Members', on, wish: { group, ...ANA }, ends: { ana: 'g1' } },
	]);
	table('group', 'create', [
		{
			it: 'Create: it is there',
			on,
			wish: { displayName: TEAM.displayName },
			fails: [/is named|exists already/],
		},
		{
			it: 'Create: it is not',
			on,
			wish: { displayName: "Ben's team" },
			sends: ['POST Groups'],
			once: true,
		},
	]);
});

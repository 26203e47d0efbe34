'use strict';

require('../support/noWaiting');
const { inGroup, person, withServer } = require('../wild/play');
const { byEmail, byId } = require('../support/node');
const { withService } = require('../support/service');
const { oneRole } = require('../support/accessRows');

// Preview, then Apply Plan, ends as the operation itself does: the same requests that write, the same state, the same
// items.

const email = (name) => `${name}@example.com`;
const seed = {
	account: 'org-acct',
	organizations: ['org-acct', 'org-a', 'org-b'].map((id) => ({ id, name: id })),
	users: [
		...['ana', 'bob', 'cid', 'dan'].map((name) => ({ userName: email(name) })),
		{ userName: email('eve'), active: false },
	],
	memberships: [
		{ userName: email('ana'), organization: 'org-a', role: 'admin' },
		{ userName: email('bob'), organization: 'org-a', role: 'admin' },
		{ userName: email('bob'), organization: 'org-b', role: 'member' },
		{ userName: email('cid'), organization: 'org-a', role: 'viewer' },
	],
};

const place = (organization, role) => oneRole(byId(organization), role);
const groupFields = (organization, role) => ({
	chooseGroupBy: 'group',
	group: byId(`${organization}:${role}`),
});

/** By name: resource, operation, parameters. */
const ON_ORGANIZATIONS = {
	// Without a role: where somebody could be new, a run creates first and a preview looks first.
	Assign: [
		'access',
		'assign',
		{ people: email('dan'), createMissing: false, ...place('org-a', 'member') },
	],
	'Assign, a new user': [
		'access',
		'assign',
		{
			...{ people: email('new'), createMissing: true, ...place('org-b', 'viewer') },
			newUserFields: { givenName: 'Nia', familyName: 'New' },
		},
	],
	'Assign, a move': ['access', 'assign', { people: email('cid'), ...place('org-a', 'member') }],
	'Assign, reactivated': [
		'access',
		'assign',
		{
			...{ people: email('eve'), createMissing: false, ...place('org-a', 'member') },
			options: { reactivate: true },
		},
	],
	Revoke: ['access', 'revoke', { people: email('cid'), organization: byId('org-a') }],
	'Revoke, all access': ['access', 'revoke', { people: email('bob'), revokeIn: 'all' }],
	Set: [
		'access',
		'set',
		{
			people: email('bob'),
			...oneRole('org-a', 'viewer'),
		},
	],
	Offboard: ['access', 'offboard', { people: `${email('bob')}, ${email('dan')}` }],
	'Offboard, deleted': ['access', 'offboard', { people: email('bob'), method: 'delete' }],
	'Change Email': [
		'access',
		'changeEmail',
		{ user: byEmail(email('bob')), newEmail: email('rob') },
	],
	Reconcile: [
		'access',
		'reconcile',
		{
			...{ scopeOrganizations: 'org-a, org-b', wantedFrom: 'json', createMissing: true },
			accessColumns: { attributes: 'name.givenName' },
			wantedJson: JSON.stringify([
				{ email: email('ana'), organization: 'org-a', role: 'admin' },
				{ email: email('bob'), organization: 'org-b', role: 'admin' },
				{ email: email('new'), organization: 'org-b', role: 'viewer', 'name.givenName': 'Nia' },
			]),
			options: { deactivatesEmpty: true },
		},
	],
	'Add Members': [
		'group',
		'addMembers',
		{ people: email('dan'), ...groupFields('org-a', 'member') },
	],
	'Remove Members': [
		'group',
		'removeMembers',
		{ people: email('cid'), ...groupFields('org-a', 'viewer') },
	],
	'Set Members': [
		'group',
		'setMembers',
		{ people: email('dan'), ...groupFields('org-a', 'viewer') },
	],
};

const USERS = [person(1), person(2), person(3), person(4, { active: false })];
const GROUPS = [
	{ id: 'g-1', displayName: 'Everyone', members: ['user-1', 'user-2', 'user-3'] },
	{ id: 'g-2', displayName: 'VPN', members: ['user-1'] },
	{ id: 'g-3', displayName: 'Engineering', members: ['user-2'] },
];
const P1 = 'person1@example.com';
const rows = (...names) => ({ group: names.map((group) => ({ group })) });

const ON_GROUPS = {
	Assign: ['access', 'assign', { people: P1, accessBy: 'group', groups: rows(byId('g-3')) }],
	'Assign, a new user': [
		'access',
		'assign',
		{
			...{ people: 'new@example.com', accessBy: 'group', groups: rows(byId('g-2')) },
			...{ createMissing: true, newUserFields: { givenName: 'Nia' } },
		},
	],
	'Assign, reactivated': [
		'access',
		'assign',
		{
			...{ people: 'person4@example.com', accessBy: 'group', groups: rows(byId('g-2')) },
			options: { reactivate: true },
		},
	],
	Revoke: ['access', 'revoke', { people: P1, accessBy: 'group', groups: rows(byId('g-2')) }],
	Set: [
		'access',
		'set',
		{
			...{ people: P1, accessBy: 'group', groups: rows(byId('g-3')) },
			managedGroups: rows('VPN', 'Engineering'),
		},
	],
	Offboard: ['access', 'offboard', { people: `${P1}, user-4` }],
	'Offboard, memberships kept': [
		'access',
		'offboard',
		{ people: P1, options: { keepMembershipsIn: rows('Everyone') } },
	],
	'Offboard, deleted': ['access', 'offboard', { people: P1, method: 'delete' }],
	'Change Email': ['access', 'changeEmail', { user: byEmail(P1), newEmail: 'one@example.com' }],
	Reconcile: [
		'access',
		'reconcile',
		{
			...{ accessBy: 'group', scopeGroups: rows('VPN', 'Engineering'), wantedFrom: 'json' },
			accessColumns: { attributes: 'name.givenName' },
			wantedJson: JSON.stringify([
				{ email: P1, group: 'Engineering' },
				{ email: 'new@example.com', group: 'VPN', 'name.givenName': 'Nia' },
			]),
			createMissing: true,
			options: { deactivatesEmpty: true, ignoreGroups: rows('Everyone') },
		},
	],
	'Add Members': ['group', 'addMembers', { people: P1, ...inGroup('g-3') }],
	'Remove Members': ['group', 'removeMembers', { people: P1, ...inGroup('g-2') }],
	'Set Members': ['group', 'setMembers', { people: P1, ...inGroup('g-3') }],
};

/** Runs the operation, or its preview and then Apply Plan. */
async function play(scim, [resource, operation, parameters], isPlanned, more = {}) {
	const run = async (own) =>
		await scim(
			resource,
			operation,
			{ ...parameters, ...own },
			{ onError: 'continueErrorOutput', ...more },
		);
	if (!isPlanned) return await run(operation === 'reconcile' ? { preview: false } : {});
	const preview = await run(operation === 'reconcile' ? { preview: true } : { preview: true });
	expect(preview.errorJson).toStrictEqual([]);
	expect(preview.json).toHaveLength(1);
	const [item] = preview.json;
	expect(item).toMatchObject({ preview: true, blockedBy: [], plan: { operation, blockedBy: [] } });
	expect(item.plan.changes).not.toStrictEqual([]);
	expect(item.summary).toContain('**');
	const applies = async (own) =>
		await scim(
			'access',
			'applyPlan',
			{ plan: '={{ $json }}', ...own },
			{ items: [JSON.parse(JSON.stringify(item))], onError: 'continueErrorOutput', ...more },
		);
	const again = await applies({ preview: true });
	expect(again.json.map(({ plan }) => essence(plan))).toEqual([essence(item.plan)]);
	expect(again.json[0].requests.map(({ path }) => path).sort()).toEqual(
		item.requests.map(({ path }) => path).sort(),
	);
	return await applies();
}

/** The plan without its seal and the order of its changes, and without the items and what only the second look showed of people. */
function essence({ seal, changes, people = [], ...plan }) {
	const own = changes.map(({ items, person, action, ...one }) => ({ ...one, who: person.key }));
	return {
		...plan,
		changes: own.sort((one, other) => (one.key < other.key ? -1 : 1)),
		people: people.map(({ id }) => id).sort(),
	};
}

/** Without what differs from run to run: times, numbers of requests, and the name of somebody whom only groups showed. */
function comparable({ json, errorJson }) {
	expect(errorJson).toStrictEqual([]);
	return json
		.map(({ provenAt, requests, userName, text, warnings, ...item }) => ({
			...item,
			warnings: warnings?.length ?? 0,
		}))
		.filter(({ change }) => change !== 'none')
		.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

describe('account organizations', () => {
	test.each(Object.keys(ON_ORGANIZATIONS))('%s', async (name) => {
		const ends = [];
		for (const isPlanned of [false, true]) {
			await withService({ seed }, async (service, scim) => {
				const items = comparable(await play(scim, ON_ORGANIZATIONS[name], isPlanned));
				expect(items).not.toStrictEqual([]);
				const written = service.log.requests
					.filter(({ method }) => method !== 'GET')
					.map(({ method, path, status }) => `${method} ${path} ${status}`);
				ends.push({ items, written: written.sort(), table: service.state.table() });
			});
		}
		expect(ends[1]).toEqual(ends[0]);
	});
});

describe.each([
	['groups and users show memberships', {}, {}],
	['only groups do', { usersShowGroups: 'absent' }, {}],
	['only users do', { showsMembers: 'absent' }, {}],
	['user names cannot change', {}, { overrideProfile: true, userNameCanChange: 'no' }],
])('plain groups: %s', (_, switches, credential) => {
	test.each(Object.keys(ON_GROUPS))('%s', async (name) => {
		const ends = [];
		for (const isPlanned of [false, true]) {
			await withServer({ users: USERS, groups: GROUPS, ...switches }, async (server, scim) => {
				const items = comparable(await play(scim, ON_GROUPS[name], isPlanned, { credential }));
				expect(items).not.toStrictEqual([]);
				ends.push({
					items,
					written: server.written().sort(),
					users: [...server.users.values()].map(({ id, userName, active, name: own, emails }) => ({
						...{ id, userName, active, own, emails },
					})),
					groups: [...server.scim.groups].map(([id, members]) => [id, [...members].sort()]),
				});
			});
		}
		expect(ends[1]).toEqual(ends[0]);
	});
});

test.each([
	['deactivate', {}],
	['delete', { deleted: false }],
])(
	'an Offboard plan that cannot be applied fails as an Offboard does: %s',
	async (method, more) => {
		await withService({ seed }, async (service, scim) => {
			const leaver = { people: email('bob'), method };
			const { json } = await scim('access', 'offboard', { ...leaver, preview: true });
			json[0].plan.time = new Date(0).toISOString();
			const { returned } = await scim(
				'access',
				'applyPlan',
				{ plan: '={{ $json }}' },
				{ items: json, onError: 'continueErrorOutput' },
			);
			expect(returned).toEqual([
				{
					...{
						...{ change: 'none', userId: null, userName: null, group: null, active: null },
						...{ ...more, provenAt: null, requests: null },
						text: 'The plan was edited after it was made.',
					},
					...{ accessRemoved: null, accessRemaining: null, status: 'failed' },
					...{ reason: expect.stringContaining('was edited'), error: expect.anything() },
				},
			]);
		});
	},
);

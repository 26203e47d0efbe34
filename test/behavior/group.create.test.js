'use strict';

const { Account, Groups, table } = require('../support/behavior');

/** A group beside the words: its ID is not its name. */
const named = (id, displayName, more) => ({ id, displayName, ...more });

const on =
	(groups, switches = {}) =>
	() =>
		new Groups({}, { groups, ...switches });

/** Fields of the operation. */
const create =
	(displayName, { externalId, ...fields } = {}) =>
	() => ({ displayName, ...(externalId && { additionalFields: { externalId } }), ...fields });
const returnIt = (displayName, { options, ...fields } = {}) =>
	create(displayName, { ...fields, options: { ifGroupExists: 'return', ...options } });
const items = (...displayNames) => displayNames.map((displayName) => ({ displayName }));

const lost = (kind) => ({ faults: [{ method: 'POST', kind }] });
const refused = { faults: [{ method: 'POST', kind: 'status', status: 409 }] };
const plants = (...groups) => [
	'POST Groups',
	(scim) => groups.forEach((group) => scim.plantGroup(group)),
];

const VPN = named('g-1', 'VPN');
const TWO = [VPN, named('g-2', 'VPN')];
const OTHERS = ['eng', 'ops', 'hr'];
const RETURNED = {
	...{ change: 'none', status: 'unchanged', reason: null, group: 'VPN', id: 'g-1' },
	text: 'Group VPN was already there.',
};
const CREATED = { change: 'created', status: 'done', group: 'VPN', id: 'group-1' };

/** How services let groups be found. */
const FOUND = {
	'by filter': {},
	'by a filter that minds the case': { groupFilter: 'exactCase' },
	'by a filter that shows a group twice': { listsTwice: true },
	'by list, as a filter is refused': { groupFilter: 'off' },
	'by list, as a filter is ignored': { groupFilter: 'ignored' },
	'by filter, as the list is long': { pageCap: 1 },
};

describe.each(Object.entries(FOUND))('groups are found %s', (_, switches) => {
	table('group', 'create', [
		{
			it: 'a group that is not there is created',
			on: on(OTHERS, switches),
			wish: create('VPN'),
			items: [CREATED],
			sends: ['POST Groups'],
			once: true,
		},
		{
			it: 'a group that is there is an error with its ID',
			on: on([VPN, ...OTHERS], switches),
			wish: create('VPN'),
			items: [{ status: 'failed', id: 'g-1', group: 'VPN' }],
			fails: ['Group VPN exists already (ID g-1)'],
		},
		{
			it: 'a group that is there is returned with Return It',
			on: on([VPN, ...OTHERS], switches),
			wish: returnIt('VPN'),
			items: [RETURNED],
		},
		{
			it: 'two groups of the name are an error with both IDs',
			on: on([...TWO, ...OTHERS], switches),
			wish: create('VPN'),
			fails: [/More than one group is named VPN already \(IDs g-1, g-2\)/],
		},
		{
			it: 'two groups of the name are an error with Return It, too',
			on: on([...TWO, ...OTHERS], switches),
			wish: returnIt('VPN'),
			fails: [/More than one group is named VPN already \(IDs g-1, g-2\)/],
		},
		{
			it: 'a second run with Return It creates nothing',
			on: on(OTHERS, switches),
			wish: returnIt('VPN'),
			items: [CREATED],
			sends: ['POST Groups'],
		},
	]);
});

table('group', 'create', [
	{
		it: 'a lost answer where no look told before: one that is there may be another',
		on: on([VPN], { faults: [{ method: 'GET', path: /Groups/, kind: 'status', status: 403 }] }),
		meanwhile: [
			'POST Groups',
			(_, { service: { faults } }) => {
				faults.clear();
				faults.add({ method: 'POST', kind: 'reset-before' });
			},
		],
		wish: create('VPN'),
		sends: ['POST Groups'],
		fails: ['which may have been there before'],
	},
]);

describe('what counts as the same group', () => {
	table('group', 'create', [
		{
			it: 'one in another case',
			on: on([VPN]),
			wish: returnIt('vpn'),
			items: [RETURNED],
		},
		{
			it: 'the exact one before one in another case',
			on: on([named('g-2', 'vpn'), VPN]),
			wish: returnIt('VPN'),
			items: [RETURNED],
		},
		{
			it: 'the one that only a list shows, with its members',
			on: () => new Groups({ ana: 'eng' }, { groups: [named('eng', 'VPN')], groupFilter: 'off' }),
			wish: returnIt('VPN'),
			items: [{ ...RETURNED, id: 'eng', members: [expect.objectContaining({})] }],
		},
		{
			it: 'the one that an earlier try has created, by its external ID',
			on: on([named('g-1', 'VPN', { externalId: 'HR-1' })]),
			wish: create('VPN', { externalId: 'HR-1' }),
			items: [
				{
					...RETURNED,
					reason: 'the group is there as sent: an earlier try created the group',
				},
			],
		},
		{
			it: 'one that came up meanwhile is an error with what the service says of it',
			on: on([], {
				faults: [
					{ method: 'POST', kind: 'status', status: 409, body: { detail: 'group is archived' } },
				],
			}),
			meanwhile: plants(VPN),
			wish: create('VPN'),
			fails: [/^Group VPN exists already \(ID g-1\): group is archived$/],
			sends: ['POST Groups'],
		},
		{
			it: 'one with another external ID is an error',
			on: on([named('g-1', 'VPN', { externalId: 'HR-1' })]),
			wish: create('VPN', { externalId: 'HR-2' }),
			fails: ['exists already (ID g-1)'],
		},
	]);
});

describe('where groups cannot be looked up', () => {
	table('group', 'create', [
		{
			it: 'a group is created, and the item says so',
			on: on([VPN], { without: ['GET Groups'] }),
			wish: returnIt('VPN'),
			items: [{ ...CREATED, warnings: [expect.stringContaining('does not show its groups')] }],
			sends: ['POST Groups'],
			once: true,
		},
		{
			it: 'nothing is sent after a failure that may pass',
			on: on([VPN], { faults: [{ method: 'GET', kind: '500-html' }] }),
			wish: returnIt('VPN'),
			fails: [/500/],
		},
		{
			it: 'nothing is asked of a service without groups',
			on: on([], { types: ['Users'], credential: { overrideProfile: true, hasGroups: 'no' } }),
			wish: returnIt('VPN'),
			fails: [/404/],
			reads: 0,
			sends: ['POST Groups 404'],
		},
	]);
});

describe('a 409', () => {
	table('group', 'create', [
		{
			it: 'of a group that came meanwhile is an error with its ID',
			on: on([], refused),
			wish: create('VPN'),
			meanwhile: plants(VPN),
			fails: ['Group VPN exists already (ID g-1)'],
			sends: ['POST Groups'],
		},
		{
			it: 'of a group that came meanwhile returns it with Return It',
			on: on([], refused),
			wish: returnIt('VPN'),
			meanwhile: plants(VPN),
			items: [RETURNED],
			sends: ['POST Groups'],
		},
		{
			it: 'of a group that no look-up shows is the error of the service',
			on: on([], refused),
			wish: returnIt('VPN'),
			fails: [/409/],
			sends: ['POST Groups'],
		},
	]);
});

describe('a lost answer: nothing is sent a second time', () => {
	table('group', 'create', [
		{
			it: 'a group that is seen afterwards is created',
			on: on([], lost('reset-after')),
			wish: create('VPN'),
			items: [CREATED],
			sends: ['POST Groups'],
			once: true,
		},
		{
			it: 'of an answer without the group, too',
			on: on([], {
				faults: [{ method: 'POST', kind: 'status', status: 204, write: true }],
			}),
			wish: create('VPN'),
			items: [CREATED],
			sends: ['POST Groups'],
			once: true,
		},
		{
			it: 'a group that is not seen may have been created',
			on: on([], lost('reset-before')),
			wish: returnIt('VPN'),
			items: [{ status: 'unverified', id: null }],
			fails: [/may have created the group/],
			sends: ['POST Groups'],
		},
		{
			it: 'of two groups that are seen either may be the new one',
			on: on([], lost('reset-after')),
			wish: create('VPN'),
			meanwhile: plants(VPN),
			items: [{ status: 'unverified' }],
			fails: [/more than one group of this name \(IDs g-1, group-1\)/],
			sends: ['POST Groups'],
		},
		{
			it: 'a group with another external ID is not the new one',
			on: on([], lost('reset-before')),
			wish: create('VPN', { externalId: 'HR-2' }),
			meanwhile: plants({ ...VPN, externalId: 'HR-1' }),
			items: [{ status: 'unverified' }],
			fails: [/a group of this name is there \(ID g-1\), with another externalId/],
			sends: ['POST Groups'],
		},
		{
			it: 'a group with another external ID is returned with Return It',
			on: on([], lost('reset-before')),
			wish: returnIt('VPN', { externalId: 'HR-2' }),
			meanwhile: plants({ ...VPN, externalId: 'HR-1' }),
			items: [RETURNED],
			sends: ['POST Groups'],
		},
	]);
});

describe('several items', () => {
	table('group', 'create', [
		{
			it: 'a second one of the same name fails',
			on: on([]),
			wish: () => ({ items: items('VPN', 'vpn') }),
			items: [{ ...CREATED }, { status: 'failed' }],
			fails: ['Items 0 and 1 both create group vpn'],
			sends: ['POST Groups'],
		},
		{
			it: 'are one group with Return It',
			on: on([VPN]),
			wish: () => ({
				items: items('Sales', 'sales', 'VPN', 'VPN'),
				options: { ifGroupExists: 'return' },
			}),
			items: [
				{ status: 'done', group: 'Sales', id: 'group-1' },
				{ status: 'done', group: 'Sales', id: 'group-1' },
				RETURNED,
				RETURNED,
			],
			sends: ['POST Groups'],
		},
		{
			it: 'that contradict each other are an error with Return It',
			on: on([]),
			wish: () => ({
				items: ['HR-1', 'HR-2'].map((externalId) => ({ additionalFields: { externalId } })),
				displayName: 'VPN',
				options: { ifGroupExists: 'return' },
			}),
			items: [CREATED, { status: 'failed' }],
			fails: ['Items 0 and 1 want different values of externalId for the same group'],
			sends: ['POST Groups'],
		},
	]);
});

describe('Preview sends nothing', () => {
	table('group', 'create', [
		{
			it: 'and counts a group that is there as unchanged',
			on: on([VPN]),
			wish: returnIt('VPN', { preview: true }),
			items: [{ requests: [], settled: [expect.objectContaining({ status: 'unchanged' })] }],
		},
		{
			it: 'and says that a group is there',
			on: on([VPN]),
			wish: create('VPN', { preview: true }),
			items: [{ settled: [expect.objectContaining({ reason: expect.stringContaining('g-1') })] }],
		},
	]);
});

describe('on the account, which makes its groups itself', () => {
	table('group', 'create', [
		{
			it: 'a group that is there is returned with Return It',
			on: () => new Account({ ana: 'a:viewer' }),
			wish: returnIt('whylabs-org-a:member'),
			items: [{ status: 'unchanged', id: 'whylabs-org-a:member', organization: 'org-a' }],
		},
		{
			it: 'another one is refused',
			on: () => new Account({ ana: 'a:viewer' }),
			wish: create('Designers'),
			fails: [/400/],
			sends: ['POST Groups 400'],
		},
	]);
});

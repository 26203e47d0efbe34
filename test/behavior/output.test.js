'use strict';

const { Account, Groups, UNDOABLE, email, locator, play, wanted } = require('../support/behavior');

// What items say: the head first, the same keys on every item of a run, and one sentence.

const HEAD = ['change', 'status', 'reason', 'userName', 'group', 'text'];
const plain = (more) =>
	new Groups(
		{
			ana: { has: '', displayName: 'Ana Silva' },
			ben: { has: 'eng', displayName: undefined, name: { givenName: 'Ben', familyName: 'Okafor' } },
			eve: { has: 'inactive vpn', displayName: undefined, name: undefined },
		},
		{
			groups: [
				{ id: 'eng', displayName: 'Engineering' },
				{ id: 'vpn', displayName: 'VPN' },
			],
			...{ credential: UNDOABLE, ...more },
		},
	);
const keysOf = (item) => Object.keys(item).filter((key) => key !== 'error');
const byId = (world, ...names) =>
	names.map((name) => ({ user: locator('id', name && (world.user(name).value ?? name)) }));
const people = (...names) => names.map((name) => ({ people: name && email(name) }));
const inGroup = (...ids) => ids.map((id) => ({ chooseGroupBy: 'group', group: locator('id', id) }));
const [ENG] = inGroup('eng');
const LAX = { options: { maxPercentAffected: 100 } };

/** Operation, fields, items; what becomes of each (`change status`), and the sentences, as far as they are one's own. */
test.each([
	[
		'group addMembers',
		...[() => ENG, () => people('ana', 'ben', 'cid', '')],
		['granted done', 'none unchanged', 'none failed', 'none failed'],
		[
			'Ana Silva (ana@example.com) was added to Engineering.',
			'Ben Okafor (ben@example.com) was already in Engineering.',
			'Could not find cid@example.com: No user has the user name cid@example.com.',
			'No users specified.',
		],
	],
	[
		'group addMembers',
		...[() => ENG, () => people('eve'), ['granted failed']],
		[expect.stringMatching(/^eve@example\.com was not added to Engineering: .*\.$/)],
	],
	[
		'group removeMembers',
		...[() => ENG, () => people('ben', 'ana'), ['revoked done', 'none unchanged']],
		[
			'Ben Okafor (ben@example.com) was removed from Engineering.',
			'Ana Silva (ana@example.com) was not in Engineering.',
		],
	],
	[
		'access offboard',
		...[() => ({}), () => people('ben', 'ana', 'nobody')],
		['deactivated done', 'deactivated done', 'none failed'],
		[
			'Ben Okafor (ben@example.com) was offboarded.',
			'Ana Silva (ana@example.com) was offboarded.',
			expect.any(String),
		],
	],
	[
		'user upsert',
		() => ({}),
		() => ['dan', 'ana', ''].map((name) => ({ userName: name && email(name) })),
		['created done', 'none unchanged', 'none failed'],
		[
			'dan@example.com was created.',
			'Ana Silva (ana@example.com) was not changed.',
			expect.any(String),
		],
	],
	[
		'user deactivate',
		...[
			() => ({}),
			(w) => byId(w, 'ana'),
			['deactivated done'],
			['Ana Silva (ana@example.com) was deactivated.'],
		],
	],
	[
		'user delete',
		...[
			() => ({}),
			(w) => byId(w, 'ana', 'zoe', ''),
			['deleted done', 'none failed', 'none failed'],
		],
		['Ana Silva (ana@example.com) was deleted.', expect.any(String), expect.any(String)],
		[true, false, false],
	],
	[
		'user delete',
		...[() => ({ options: { protectedUsers: email('ana') } }), (w) => byId(w, 'ana')],
		...[['deleted failed'], [expect.stringContaining('Ana Silva')], [false]],
	],
	[
		'group delete',
		...[() => LAX, () => inGroup('eng', 'g-9', ''), ['deleted done', 'none failed', 'none failed']],
		['Group Engineering was deleted.', expect.any(String), expect.any(String)],
		[true, false, false],
	],
])('%s', async (operation, fields, items, became, texts, deleted = undefined) => {
	const world = plain();
	const out = await play(world, operation.split(' '), fields(world), items(world));
	expect(keysOf(out[0]).slice(0, HEAD.length)).toEqual(HEAD);
	for (const item of out) expect(keysOf(item)).toEqual(keysOf(out[0]));
	expect(out.map(({ change, status }) => `${change} ${status}`)).toEqual(became);
	expect(out.map(({ text }) => text)).toEqual(texts);
	if (deleted) expect(out.map((item) => item.deleted)).toEqual(deleted);
	// Where groups stand for themselves there is no organization.
	for (const key of ['organization', 'organizationName']) expect(out[0]).not.toHaveProperty(key);
});

test('what a membership is of', async () => {
	const world = plain();
	const [item] = await play(world, ['group', 'addMembers'], ENG, people('ana'));
	expect(item).toMatchObject({
		...{ reason: null, userName: email('ana'), group: 'Engineering' },
		...{ userId: world.user('ana').value, groupId: 'eng' },
	});
});

test('on the account every item has the organization', async () => {
	const world = new Account({ ana: 'a:viewer', bob: 'a:admin' }, { groups: ['b'] });
	const wish = { createMissing: false, ...world.roles('b:member') };
	const items = people('ana', 'nobody', '');
	const out = await play(world, ['access', 'assign'], wish, items);
	for (const item of out) expect(keysOf(item)).toEqual(keysOf(out[0]));
	expect(out).toMatchObject([
		{
			organization: 'org-b',
			role: 'member',
			text: 'ana (ana@example.com) was added to org-b as member.',
		},
		{},
		{ organization: null, organizationName: null, role: null },
	]);
});

test('summaries call a person what items do', async () => {
	const world = new Groups({ ana: { has: 'vpn', displayName: 'Ana Silva' }, ben: 'eng' });
	const rows = { preview: true, ...wanted([{ email: email('ana'), groupId: 'eng' }]) };
	const scope = { scopeGroups: { group: ['eng', 'vpn'].map((group) => ({ group })) } };
	for (const unwanted of ['revoke', 'report']) {
		const fields = { ...rows, ...scope, unwanted, options: { maxPeopleAffected: 100 } };
		const [{ summaryText }] = await play(world, ['access', 'reconcile'], fields);
		expect(summaryText).toContain('"Ana Silva (ana@example.com)": gets group "eng"');
		const loses = unwanted === 'revoke' ? 'loses' : 'would lose';
		expect(summaryText).toContain(`"ben (ben@example.com)": ${loses} group "eng"`);
	}
});

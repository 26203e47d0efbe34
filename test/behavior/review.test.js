'use strict';

const { answerOf, questionsOf } = require('../support/form');
const {
	Account,
	Groups,
	email,
	errorsIn,
	locator,
	play,
	put,
	UNDOABLE,
} = require('../support/behavior');

// A review is the plan of a removal of everybody, or of everything: its form asks who should leave, and Apply Plan takes who is
// ticked and lists who was kept.

const PEOPLE = {
	ana: 'all eng',
	ben: { has: 'all sales vpn', roles: [{ value: 'auditor' }, { value: 'editor' }] },
	cleo: 'all',
	dan: '',
	eve: 'inactive all vpn',
};
const VALUES = { overrideProfile: true, accessAttributes: 'roles' };
const start = (more) => new Groups(PEOPLE, { groups: ['none'], credential: VALUES, ...more });
const REVIEW = ['access', 'planReview'];
const LOOKED = 'I have looked at everybody';

/** Who is in a group. */
const ofGroup = (word, more) => (w) => ({ chooseGroupBy: 'group', group: w.group(word), ...more });
/** What a person has. */
const ofUser = (name) => () => ({ reviewOf: 'user', user: locator('email', email(name)) });
const ask = async (world, fields) => {
	const [item] = await play(world, REVIEW, fields(world));
	world.service.requests.length = 0;
	return JSON.parse(JSON.stringify(item));
};
const answering = async (world, plan, approvedChanges, more) =>
	await play(world, ['access', 'applyPlan'], { plan, approvedChanges, ...more });
/** Ticks lines, and that everybody was looked at. */
const apply = async (world, { plan, approvalForm }, tick, more) => {
	const answer = answerOf(approvalForm, (line, label) => line === LOOKED || tick(line, label));
	return await answering(world, plan, { data: answer }, more);
};
const these =
	(...names) =>
	(line) =>
		names.some((name) => line.includes(name.includes(' ') ? name : `(${email(name)})`));
const linesOf = (items, world) => items.map((item) => world.itemOf(item)).sort();
const LAST = ['Confirm', [LOOKED]];

describe('the form', () => {
	test.each([
		[
			'of a group: who is in it',
			ofGroup('vpn'),
			'1. Who should leave? Who is ticked loses group "vpn"',
			['ben (ben@example.com)', 'eve (eve@example.com)'],
		],
		[
			'of a user: all that it has',
			ofUser('ben'),
			'1. ben (ben@example.com): what should go?',
			[
				...['loses group "all"', 'loses group "sales"', 'loses group "vpn"'],
				...['loses "roles" "auditor"', 'loses "roles" "editor"'],
			],
		],
	])('%s', async (_, fields, label, lines) => {
		const world = start();
		const item = await ask(world, fields);
		const [[shown, [all, ...own]], last] = questionsOf(item.approvalForm);
		expect([shown, all, last]).toEqual([label, '1. all of these', LAST]);
		const plain = (line) => line.replace(/^\d+\. /, '');
		expect(own.map(plain).sort()).toEqual([...lines].sort());
		const [confirm] = JSON.parse(item.approvalForm).slice(-2);
		expect(confirm).toMatchObject({ fieldLabel: 'Confirm', requiredField: true });
		expect(item.summary).not.toContain('a button is not enough');
		expect(item.summary).toContain('Only what is ticked in the form is removed.');
	});

	test('names people whom the group shows by ID alone, and by name', async () => {
		for (const more of [{}, { usersShowGroups: 'absent' }]) {
			const { approvalForm } = await ask(start(more), ofGroup('all'));
			expect(questionsOf(approvalForm)[0][1]).toContain('3. ben (ben@example.com)');
		}
	});

	test('asks of several groups at once by person', async () => {
		const world = start();
		const items = ['vpn', 'eng'].map((group) => ({ group: world.group(group) }));
		const [{ approvalForm }] = await play(world, REVIEW, { chooseGroupBy: 'group' }, items);
		expect(questionsOf(approvalForm)).toEqual([
			['1. ben (ben@example.com): what should go?', ['1. loses group "vpn"']],
			['2. eve (eve@example.com): what should go?', ['2. loses group "vpn"']],
			['3. ana (ana@example.com): what should go?', ['3. loses group "eng"']],
			LAST,
		]);
	});
});

test.each([
	['a preview that is turned off', { preview: false }],
	['an option of another operation', { options: { allowEmptying: true } }],
])('nothing is sent by the plan of a review, whatever stands in the node: %s', async (_, more) => {
	const world = start();
	const items = await play(world, REVIEW, { ...ofGroup('vpn')(world), ...more });
	expect(items).toMatchObject([{ preview: true, plan: { operation: 'planReview' } }]);
	expect(world.service.written()).toStrictEqual([]);
	expect(world.shape()).toEqual(world.before);
});

test.each([
	['a group without members', 'none', [{ status: 'unchanged' }]],
	['a group that there is not', 'gone', [{ status: 'failed' }]],
])('%s has nobody to ask of', async (_, group, settled) => {
	const item = await ask(start(), ofGroup(group));
	expect(item).toMatchObject({ plan: { changes: [] }, settled });
	expect(questionsOf(item.approvalForm)).toEqual([LAST]);
});

test('a group that does not show its members cannot be reviewed', async () => {
	const world = start({
		showsMembers: 'absent',
		usersShowGroups: 'absent',
		membershipFilter: 'nobody',
	});
	const { plan, settled } = await ask(world, ofGroup('vpn'));
	expect(plan.changes).toStrictEqual([]);
	expect(settled).toMatchObject([{ status: 'failed' }]);
});

test('what would block the removal of everybody blocks no review', async () => {
	const world = new Account({ ana: 'a:admin', bob: 'a:admin' });
	const asked = await ask(world, ofGroup('a:admin'));
	expect(asked).toMatchObject({ blockedBy: [], plan: { blockedBy: [] } });
	const items = await apply(world, asked, these('bob'));
	expect(linesOf(items, world)).toEqual(['none ana a:admin skipped', 'revoked bob a:admin done']);
	expect(errorsIn(await apply(world, asked, these('ana')))[0]).toContain('active admin');
	expect(world.shape()).toEqual({ ana: 'a:admin', bob: '' });
});

test('groups that are members are left alone', async () => {
	const world = start();
	world.service.groups.get('vpn').push('eng');
	const asked = await ask(world, ofGroup('vpn'));
	expect(asked.plan.changes).toHaveLength(2);
	await apply(world, asked, these('ben', 'eve'));
	expect(world.service.groups.get('vpn')).toEqual(['eng']);
});

const KEPT = { change: 'none', status: 'skipped', reason: 'kept' };
/** Who is ticked leaves, and who was kept has an item. */
test.each([
	[
		'one of two leaves',
		ofGroup('vpn'),
		these('ben'),
		['none eve vpn skipped', 'revoked ben vpn done'],
		{ ben: 'all sales' },
	],
	[
		'the other is inactive',
		ofGroup('vpn'),
		these('eve'),
		['none ben vpn skipped', 'revoked eve vpn done'],
		{ eve: 'inactive all' },
	],
	[
		'nobody leaves',
		ofGroup('vpn'),
		() => false,
		['none ben vpn skipped', 'none eve vpn skipped'],
		{},
	],
	['a user keeps nothing', ofUser('cleo'), () => true, ['revoked cleo all done'], { cleo: '' }],
])('%s', async (_, fields, tick, lines, ends) => {
	const world = start();
	const items = await apply(world, await ask(world, fields), tick);
	expect(errorsIn(items)).toStrictEqual([]);
	expect(linesOf(items, world)).toEqual(lines);
	const kept = items.filter(({ status }) => status !== 'done');
	for (const item of kept) expect(item).toMatchObject({ ...KEPT, userName: expect.any(String) });
	expect(world.shape()).toEqual({ ...world.before, ...ends });
});

test('a user loses a value and a group, and keeps the rest', async () => {
	const world = start();
	const asked = await ask(world, ofUser('ben'));
	const items = await apply(world, asked, these('"roles" "auditor"', 'group "vpn"'));
	expect(errorsIn(items)).toStrictEqual([]);
	expect(items.filter(({ status }) => status === 'done')).toHaveLength(2);
	expect(items.filter(({ reason }) => reason === 'kept')).toHaveLength(3);
	expect(world.shape().ben).toBe('all sales');
	expect(world.attributes().ben.roles).toEqual([{ value: 'editor' }]);
});

/** Another client acts between the form and its answer. */
test.each([
	['took it already', (scim, id) => scim.modify('vpn', [{ op: 'remove', ids: [id] }]), 'unchanged'],
	['gave more', (scim, id) => scim.modify('eng', [{ op: 'add', ids: [id] }]), 'done'],
	['renamed the group', (scim) => scim.about.set('vpn', { displayName: 'Prod' }), 'failed'],
	[
		'gave the ID to another person',
		(scim, id) => scim.store({ ...scim.users.get(id), userName: email('boss') }),
		'failed',
	],
	['deleted the user', (scim, id) => scim.delete(id), 'unchanged'],
])('who %s', async (_, act, status) => {
	for (const fields of [ofGroup('vpn'), ofUser('ben')]) {
		const world = start();
		const asked = await ask(world, fields);
		await act(world.service, world.userId('ben'));
		const items = await apply(world, asked, (line) => /ben@|"vpn"/.test(line));
		expect(items.filter(({ reason }) => reason !== 'kept')).toMatchObject([{ status }]);
	}
});

describe('is answered by its own form alone', () => {
	const alone = 'A review is answered by its own form alone';
	const unread = `The review was not answered to its end: "${LOOKED}" is not ticked`;
	const ticked = ({ approvalForm }, tick = () => true) => answerOf(approvalForm, tick);
	test.each([
		['a button', () => ({ data: { approved: true } }), alone],
		['a Yes', () => ({ 'Approve these changes?': 'Yes' }), alone],
		['a form without its last answer', (item) => ticked(item, (line) => line !== LOOKED), unread],
		['nobody ticked, without the last answer', (item) => ticked(item, () => false), unread],
		['a form without the question', (item) => ({ ...ticked(item), Confirm: undefined }), unread],
		['no answer', (item) => item, 'is not the answer to the form'],
		['the form of another review', (_, other) => ticked(other), 'the answer of another plan'],
		[
			'a line of another group',
			(item) => ({ ...ticked(item), x: ['9. zoe'] }),
			'not in the form: 9. zoe',
		],
	])('%s', async (_, answerOfItem, message) => {
		const world = start();
		const [asked, other] = [await ask(world, ofGroup('vpn')), await ask(world, ofGroup('all'))];
		const items = await answering(world, asked.plan, answerOfItem(asked, other));
		expect(errorsIn(items)[0]).toContain(message);
		expect(world.service.written()).toStrictEqual([]);
	});

	test.each([
		['beside nothing', () => ({})],
		['beside a button', () => ({ data: { approved: true } })],
		['beside its form', (item) => ticked(item)],
	])('All, Without an Approval: %s', async (_, inputOf) => {
		const world = start();
		const item = await ask(world, ofGroup('vpn'));
		const fields = { changes: 'all', plan: item.plan };
		const items = await play(world, ['access', 'applyPlan'], fields, [{ json: inputOf(item) }]);
		expect(errorsIn(items)[0]).toContain(alone);
		expect(world.service.written()).toStrictEqual([]);
	});

	test('a No declines it: nobody is asked again, and nobody was kept', async () => {
		const world = start();
		const { plan } = await ask(world, ofGroup('vpn'));
		const items = await answering(world, plan, { data: { approved: false } });
		expect(items.map(({ status, reason }) => `${status}: ${reason}`)).toEqual(
			Array(2).fill('skipped: declined'),
		);
	});
});

describe('what guards say is judged of who is ticked', () => {
	const names = (count) => Array.from({ length: count }, (_, at) => `p${at}`);
	const big = (count = 40) =>
		new Groups(Object.fromEntries(names(count).map((name) => [name, 'vpn'])));
	const intended = 'More than 5 people would lose access: intended';
	test.each([
		[5, [], 5],
		[6, [], '6 people would lose access, more than the limit of 5'],
		[6, [intended], 6],
	])('%i of 40, with %j approved', async (count, kinds, expected) => {
		const world = big();
		const tick = these(...names(count));
		const asked = await ask(world, ofGroup('vpn'));
		const [, excess, last] = questionsOf(asked.approvalForm);
		expect([excess, last]).toEqual([['Allow More Than the Limit For', [intended]], LAST]);
		const items = await apply(
			...[world, asked, (line) => kinds.includes(line) || (line !== intended && tick(line))],
		);
		if (typeof expected === 'string') expect(errorsIn(items)[0]).toContain(expected);
		else expect(items.filter(({ status }) => status === 'done')).toHaveLength(expected);
	});

	test.each([
		['the last admin', ['bob', 'cid'], 'org-a would be left without an active admin'],
		['another one', ['cid'], undefined],
	])('%s of an organization', async (_, ticked, message) => {
		const world = new Account({ ana: 'a:viewer', bob: 'a:admin', cid: 'a:admin' });
		const asked = await ask(world, ofGroup('a:admin'));
		expect(asked.plan.blockedBy).toStrictEqual([]);
		expect(asked.summary).not.toContain('Blocked');
		const tick = (line) => ticked.some((name) => line.includes(email(name)));
		const items = await apply(world, asked, tick);
		if (message) expect(errorsIn(items)[0]).toContain(message);
		else expect(world.shape()).toEqual({ ...world.before, cid: '' });
	});

	test('a protected user is not asked about', async () => {
		const world = start();
		const safetyLimits = { protectedUsers: email('ben') };
		const { plan, settled } = await ask(world, ofGroup('vpn', { safetyLimits }));
		expect(plan.changes.map(({ person }) => person.userName)).toEqual([email('eve')]);
		expect(settled).toMatchObject([
			{ status: 'skipped', reason: expect.stringContaining('protected') },
		]);
	});

	test('five hundred have a line each', async () => {
		const { approvalForm } = await ask(big(501), ofGroup('vpn'));
		expect(questionsOf(approvalForm).map(([, lines]) => lines.length)).toEqual([501, 1, 1, 1]);
	});
});

test.each([
	['too old', {}, { safetyLimits: { maxAge: 0 } }, 'The plan is too old'],
	['of another service', { baseUrl: 'https://two.example/scim' }, {}, 'made for another service'],
	['of another token', { accountApiToken: 'another' }, {}, 'secret has changed'],
])('a review that is %s', async (_, credential, fields, message) => {
	const world = start();
	const asked = await ask(world, ofGroup('vpn'));
	await new Promise((done) => setTimeout(done, 2));
	world.credential = { ...world.credential, ...credential };
	expect(errorsIn(await apply(world, asked, these('ben'), fields))[0]).toContain(message);
	expect(world.shape()).toEqual(world.before);
});

test('a review that was edited', async () => {
	const world = start();
	const { plan, approvalForm } = await ask(world, ofGroup('vpn'));
	const edited = { ...plan, settings: {} };
	const items = await apply(world, { plan: edited, approvalForm }, these('ben'));
	expect(errorsIn(items)[0]).toContain('was edited');
});

test('a saved workflow that applies reviews as they were is told what to do', async () => {
	const { runOnModel } = require('../support/modelNode');
	const world = start();
	const { thrown } = await runOnModel(world.service, {
		...{ resource: 'access', operation: 'applyReview', credential: world.credential },
		...{ parameters: {}, items: [{}] },
	});
	expect(thrown.message).toContain('was removed');
	expect(thrown.description).toContain('Plan Review');
});

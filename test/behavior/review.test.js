'use strict';

const { answerOf, questionsOf } = require('../support/form');
const { Account, Groups, email, emails, errorsIn, play } = require('../support/behavior');

// An access review is the plan of a removal: its form has a line for each membership, and Apply Plan takes what is ticked.

const PEOPLE = {
	ana: 'all eng',
	ben: 'all sales vpn',
	cleo: 'all',
	dan: '',
	eve: 'inactive all vpn',
};
const start = (more) => new Groups(PEOPLE, { groups: ['none'], ...more });
/** Who is in a group, of which nobody has to stay. */
const ofGroup = (group, more) => [
	...['group', 'setMembers'],
	(w) => ({
		...{ chooseGroupBy: 'group', group: w.group(group), people: '', preview: true },
		options: { allowEmptying: true, ...more },
	}),
];
/** What a person has. */
const ofPerson = (name) => [
	...['access', 'revoke'],
	() => ({ people: email(name), accessBy: 'group', revokeIn: 'all', preview: true }),
];
const ask = async (world, [resource, operation, fields]) =>
	(await play(world, [resource, operation], fields(world)))[0];
const apply = async (world, { plan, approvalForm }, tick, more) => {
	const approvedChanges = { data: answerOf(approvalForm, tick) };
	const fields = { plan, changes: 'approved', approvedChanges, ...more };
	return await play(world, ['access', 'applyPlan'], fields);
};
const these =
	(...names) =>
	(line) =>
		names.some((name) => line.endsWith(name.includes(' ') ? name : email(name)));
const isDone = ({ status }) => status === 'done';

describe('the form', () => {
	test.each([
		['of a group: who is in it', ofGroup('vpn'), 'loses group "vpn"', ['ben', 'eve'].map(email)],
		['of a person: what it has', ofPerson('ben'), email('ben'), ['all', 'sales', 'vpn']],
		['of a group that shows its members by ID alone', ofGroup('all'), 'loses group "all"'],
	])('%s', async (_, what, label, lines = ['ana', 'ben', 'cleo', 'eve'].map(email)) => {
		const named = lines.map((line) => (label === email('ben') ? `loses group "${line}"` : line));
		const { approvalForm } = await ask(start(), what);
		expect(questionsOf(approvalForm)).toEqual([
			[`1. ${label}`, named.map((line, at) => `${at + 1}. ${line}`)],
		]);
	});

	test('has no line where nobody is in the group', async () => {
		const { approvalForm, plan } = await ask(start(), ofGroup('none'));
		expect([plan.changes, questionsOf(approvalForm)]).toStrictEqual([[], []]);
	});

	test('leaves groups that are members alone', async () => {
		const world = start();
		world.service.groups.get('vpn').push('eng');
		const asked = await ask(world, ofGroup('vpn'));
		expect(asked.plan.changes).toHaveLength(2);
		await apply(world, asked, these('ben', 'eve'));
		expect(world.service.groups.get('vpn')).toEqual(['eng']);
	});
});

/** What is ticked leaves, by its lines; who has what then. */
test.each([
	['one of two leaves', ofGroup('vpn'), these('ben'), { ben: 'all sales' }],
	['the other is inactive', ofGroup('vpn'), these('eve'), { eve: 'inactive all' }],
	['nobody leaves', ofGroup('vpn'), these(), {}],
	[
		'a person keeps two of three groups',
		ofPerson('ben'),
		these('group "vpn"'),
		{ ben: 'all sales' },
	],
	['a person keeps nothing', ofPerson('cleo'), () => true, { cleo: '' }],
])('%s', async (_, what, tick, ends) => {
	const world = start();
	const items = await apply(world, await ask(world, what), tick);
	expect(errorsIn(items)).toStrictEqual([]);
	const others = items.filter((item) => !isDone(item));
	expect(others.every(({ reason }) => reason === 'not approved')).toBe(true);
	expect(world.shape()).toEqual({ ...world.before, ...ends });
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
])('who %s', async (_, act, status) => {
	const world = start();
	const asked = await ask(world, ofGroup('vpn'));
	await act(world.service, world.userId('ben'));
	const items = await apply(world, asked, these('ben'));
	expect(items.filter(({ reason }) => reason !== 'not approved')).toMatchObject([{ status }]);
});

describe('safety limits are those of what is ticked', () => {
	const names = (count) => Array.from({ length: count }, (_, at) => `p${at}`);
	const big = () => new Groups(Object.fromEntries(names(40).map((name) => [name, 'vpn'])));
	test.each([
		[5, [], 5],
		[6, [], '6 people would lose access, more than the limit of 5'],
		[6, ['Losses of Access'], 6],
	])('%i of 40, with %j approved', async (count, kinds, expected) => {
		const world = big();
		const tick = these(...names(count));
		const ticks = (line, label) =>
			kinds.includes(line) || (label !== 'Approved Excess' && tick(line));
		const items = await apply(world, await ask(world, ofGroup('vpn')), ticks);
		if (typeof expected === 'string') expect(errorsIn(items)[0]).toContain(expected);
		else expect(items.filter(isDone)).toHaveLength(expected);
	});

	test.each([
		['the last admin', ['bob', 'cid'], 'org-a would be left without an active admin'],
		['another one', ['cid'], undefined],
	])('%s of an organization', async (_, ticked, message) => {
		const world = new Account({ ana: 'a:viewer', bob: 'a:admin', cid: 'a:admin' });
		const asked = await ask(world, ofGroup('a:admin'));
		expect(asked.blockedBy).toEqual([expect.stringContaining('without an active admin')]);
		const items = await apply(world, asked, these(...ticked));
		if (message) expect(errorsIn(items)[0]).toContain(message);
		else expect(world.shape()).toEqual({ ...world.before, cid: '' });
	});

	test('five hundred have a line each', async () => {
		const many = names(501);
		const world = new Groups(Object.fromEntries(many.map((name) => [name, 'vpn'])));
		const { approvalForm } = await ask(world, ofGroup('vpn'));
		expect(questionsOf(approvalForm).map(([, lines]) => lines.length)).toEqual([500, 1, 1]);
	});
});

test.each([
	['too old', {}, { safetyLimits: { maxAge: 0 } }, 'The plan is too old'],
	['of another service', { baseUrl: 'https://two.example/scim' }, {}, 'made for another service'],
])('a review that is %s', async (_, credential, fields, message) => {
	const world = start();
	const asked = await ask(world, ofGroup('vpn'));
	await new Promise((done) => setTimeout(done, 2));
	world.credential = { ...world.credential, ...credential };
	expect(errorsIn(await apply(world, asked, these('ben'), fields))[0]).toContain(message);
	expect(world.shape()).toEqual(world.before);
});

'use strict';

const { answerOf, questionsOf } = require('../support/form');
const { Groups, SHOWN, email, errorsIn, play } = require('../support/behavior');

// An access review: Get Matrix makes forms with all access ticked, Apply Review plans to revoke what a manager unticks.

const CONFIRM = 'Confirm';
const PEOPLE = {
	ana: 'all eng',
	ben: 'all sales vpn',
	cleo: 'all',
	dan: '',
	eve: 'inactive all vpn',
};
const GROUPS = [{ id: 'sales', displayName: 'Sales, EMEA' }];
const start = (people = PEOPLE, more) => new Groups(people, { groups: GROUPS, ...more });
const idOf = (world, name) => world.user(name).value;
const statuses = (items) => items.map(({ status }) => status);
const formsOf = async (world, reviewForms) =>
	await play(world, ['access', 'getMatrix'], { reviewForms });
const ofBen = async (world) =>
	(await formsOf(world, 'user')).find(({ userName }) => userName === email('ben'));
const review = async (world, item, answer, more = {}) =>
	await play(world, ['access', 'applyReview'], { review: item, answer, ...more });
const applyPlan = async (world, plan) => await play(world, ['access', 'applyPlan'], { plan });
/** As it is shown, but for lines with these words. */
const without =
	(...words) =>
	(line, label, isTicked) =>
		label === CONFIRM || (isTicked && !words.some((word) => line.includes(word)));

describe('forms', () => {
	test('one for each person: everything is ticked, and must be confirmed', async () => {
		const items = await formsOf(start(), 'user');
		expect(items.map(({ userName }) => userName)).toEqual(['ana', 'ben', 'cleo', 'eve'].map(email));
		const lines = ['1. all', '2. Sales‚ EMEA', '3. vpn'];
		expect(questionsOf(items[1].reviewForm)).toEqual([
			['Access: ben@example.com', lines],
			[CONFIRM, ['Revoke what is not ticked above']],
		]);
		expect(questionsOf(items[3].reviewForm)[0][0]).toBe('Access: eve@example.com (inactive)');
		expect(answerOf(items[1].reviewForm, (_line, _label, isTicked) => isTicked)).toMatchObject({
			...{ 'Access: ben@example.com': lines, [CONFIRM]: [] },
		});
	});

	test('one for each group', async () => {
		const items = await formsOf(start(), 'group');
		expect(items.map(({ group }) => group)).toEqual(['all', 'eng', 'Sales, EMEA', 'vpn']);
		expect(questionsOf(items[3].reviewForm)[0]).toEqual([
			...['Access: vpn', ['1. ben@example.com', '2. eve@example.com (inactive)']],
		]);
	});

	test('several for a long list', async () => {
		const names = Array.from({ length: 201 }, (_, at) => [`p${at}`, 'vpn']);
		const items = await formsOf(start(Object.fromEntries(names)), 'group');
		expect(items.map(({ review: { lines } }) => lines.length)).toEqual([100, 100, 1]);
		expect(questionsOf(items[2].reviewForm)[0]).toEqual([
			...['Access: vpn (3 of 3)', ['201. p99@example.com']],
		]);
	});

	test('none where memberships are unknown', async () => {
		const world = start(PEOPLE, SHOWN.nowhere);
		expect(errorsIn(await formsOf(world, 'group'))[0]).toContain('access is unknown');
	});
});

describe('what is unticked', () => {
	test('becomes a sealed plan, that Apply Plan applies', async () => {
		const world = start();
		const item = await ofBen(world);
		const data = answerOf(item.reviewForm, without('vpn', 'Sales'));
		const [{ plan, summaryText }] = await review(world, item, { data }, { preview: true });
		expect(summaryText).toContain('loses group "vpn" (not ticked in the review)');
		expect(world.service.written()).toStrictEqual([]);
		const lines = (await applyPlan(world, plan)).map((one) => world.itemOf(one));
		expect(lines).toEqual(['revoked ben sales done', 'revoked ben vpn done']);
		expect(world.shape()).toEqual({ ...world.before, ben: 'all' });
	});

	test('goes without a plan, of several forms at once', async () => {
		const world = start();
		const answers = (await formsOf(world, 'group')).map((item) => ({
			...{ review: item.review, answer: answerOf(item.reviewForm, without('ben@')) },
		}));
		const out = await play(world, ['access', 'applyReview'], {}, answers);
		expect(statuses(out)).toEqual(['done', 'unchanged', 'done', 'done']);
		expect(world.shape()).toEqual({ ...world.before, ben: '' });
	});

	test('is nothing: a plan without changes', async () => {
		const world = start();
		const item = await ofBen(world);
		const answer = answerOf(item.reviewForm, without());
		const [{ plan }] = await review(world, item, answer, { preview: true });
		expect(plan.changes).toStrictEqual([]);
		expect(await applyPlan(world, plan)).toMatchObject([
			{ status: 'unchanged', reason: 'the plan has no changes' },
		]);
	});

	test('may be all of a person', async () => {
		const world = start();
		const item = (await formsOf(world, 'user'))[2];
		await review(world, item, answerOf(item.reviewForm, without('all')));
		expect(world.shape()).toEqual({ ...world.before, cleo: '' });
	});

	test('may be a role of a user', async () => {
		const roles = [{ value: 'buyer' }, { value: 'clerk' }];
		const world = start({ ana: { has: 'eng', roles } });
		const [item] = await formsOf(world, 'user');
		const lines = ['1. eng', '2. roles: buyer', '3. roles: clerk'];
		expect(questionsOf(item.reviewForm)[0][1]).toEqual(lines);
		const out = await review(world, item, answerOf(item.reviewForm, without('clerk')));
		expect(out).toMatchObject([{ change: 'revoked', status: 'done' }]);
		expect(world.attributes().ana.roles).toEqual([{ value: 'buyer' }]);
	});

	test('is unchanged where another client has taken it, and what came since stays', async () => {
		const world = start();
		const item = await ofBen(world);
		const ids = [idOf(world, 'ben')];
		world.service.modify('vpn', [{ op: 'remove', ids }]);
		world.service.modify('eng', [{ op: 'add', ids }]);
		const out = await review(world, item, answerOf(item.reviewForm, without('vpn')));
		expect(statuses(out)).toEqual(['unchanged']);
		expect(world.shape().ben).toBe('all eng sales');
		expect(world.service.written()).toStrictEqual([]);
	});
});

const NO_ANSWER = 'is not the answer to the form';
const BEN = 'Access: ben@example.com';
test.each([
	['is missing', () => undefined, `Answer ${NO_ANSWER}`],
	['is the item: nobody answered in time', ({ item }) => item, NO_ANSWER],
	['came without its boxes', ({ none }) => none, 'The review is not confirmed'],
	['is not confirmed', ({ whole }) => ({ ...whole, [CONFIRM]: [] }), 'The review is not confirmed'],
	['is of another review', ({ other }) => other, 'Answer is the answer to another review'],
	[
		'has an unknown line',
		({ whole }) => ({ ...whole, [BEN]: ['1. Sales'] }),
		'Answer has a line that is not in the form: 1. Sales',
	],
	// What stays ticked is not revoked, whatever becomes of the question.
	['lacks the question', ({ whole: { [BEN]: _, ...answer } }) => answer, 'is not the answer'],
	['says nothing to it', ({ whole }) => ({ ...whole, [BEN]: null }), 'is not the answer'],
	['is a text', ({ whole }) => ({ ...whole, [BEN]: whole[BEN][0] }), 'is not the answer'],
	[
		'is JSON',
		({ whole }) => ({ ...whole, [BEN]: JSON.stringify(whole[BEN]) }),
		'is not the answer',
	],
])('an answer that %s is an error, and nothing is sent', async (_, answerFrom, message) => {
	const world = start();
	const [another, item] = await formsOf(world, 'user');
	const answer = answerFrom({
		...{ item, none: answerOf(item.reviewForm, () => false) },
		whole: answerOf(item.reviewForm, without()),
		other: answerOf(another.reviewForm, without()),
	});
	expect(errorsIn(await review(world, item, answer))[0]).toContain(message);
	expect(world.service.written()).toStrictEqual([]);
});

test.each([
	['nothing', ''],
	['another item', { userName: 'ben', answer: 1 }],
	['a review that was edited', { review: { time: 'now', lines: [{ line: 'x' }] } }],
])('%s is no review', async (_, value) => {
	const world = start();
	const item = await ofBen(world);
	const out = await review(world, value, answerOf(item.reviewForm, without()));
	expect(errorsIn(out)[0]).toContain('This is not a review');
});

test.each(['Confirm', 'reviewOf', 'submittedAt', '__proto__'])(
	'what stays ticked of a group or a person named %s is not revoked',
	async (name) => {
		const world = start(
			{ ana: 'eng', ben: { has: 'eng', userName: name } },
			{ groups: [{ id: 'eng', displayName: name }] },
		);
		for (const way of ['group', 'user'])
			for (const item of await formsOf(world, way))
				await review(
					world,
					item,
					answerOf(item.reviewForm, () => true),
				);
		expect(world.service.written()).toStrictEqual([]);
	},
);

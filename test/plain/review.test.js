'use strict';

require('../support/noWaiting');
const { answerOf, questionsOf } = require('../support/form');
const {
	ID,
	email,
	errorsIn,
	idOf,
	membersIn,
	person,
	play,
	serviceWith,
} = require('../support/modelGroupsPlay');

// An access review: Get Matrix makes forms with all access ticked, Apply Review plans to revoke what a manager unticks.

const formsOf = async (service, reviewForms) => await play(service, 'getMatrix', { reviewForms });
const review = async (service, item, answer, more = {}) =>
	await play(service, 'applyReview', { review: item, answer, ...more });
const CONFIRM = 'Confirm';
/** As it is shown, but for lines with these words. */
const without =
	(...words) =>
	(line, label, isTicked) =>
		label === CONFIRM || (isTicked && !words.some((word) => line.includes(word)));

test('one form per person: everything is ticked, and must be confirmed', async () => {
	const service = serviceWith();
	const items = await formsOf(service, 'user');
	expect(items.map(({ userName }) => userName)).toEqual(['ana', 'ben', 'cleo', 'eve'].map(email));
	expect(questionsOf(items[1].reviewForm)).toEqual([
		['Access: ben@example.com', ['1. Everyone', '2. Sales‚ EMEA', '3. VPN']],
		[CONFIRM, ['Revoke what is not ticked above']],
	]);
	expect(questionsOf(items[3].reviewForm)[0][0]).toBe('Access: eve@example.com (inactive)');
	expect(answerOf(items[1].reviewForm, (_line, _label, isTicked) => isTicked)).toMatchObject({
		'Access: ben@example.com': ['1. Everyone', '2. Sales‚ EMEA', '3. VPN'],
		[CONFIRM]: [],
	});
});

test('one form per group', async () => {
	const items = await formsOf(serviceWith(), 'group');
	expect(items.map(({ group }) => group)).toEqual([
		...['Engineering', 'Everyone', 'Sales, EMEA', 'VPN'],
	]);
	expect(questionsOf(items[3].reviewForm)[0]).toEqual([
		'Access: VPN',
		['1. ben@example.com', '2. eve@example.com (inactive)'],
	]);
});

test('a long list comes in several forms', async () => {
	const people = Array.from({ length: 201 }, (_, at) => person(`p${at}`, ['vpn']));
	const items = await formsOf(serviceWith({ people }), 'group');
	expect(items.map(({ review: { lines } }) => lines.length)).toEqual([100, 100, 1]);
	expect(questionsOf(items[2].reviewForm)[0]).toEqual([
		'Access: VPN (3 of 3)',
		['201. p99@example.com'],
	]);
});

test('what is unticked becomes a sealed plan, that Apply Plan applies', async () => {
	const service = serviceWith();
	const [, item] = await formsOf(service, 'user');
	const answer = answerOf(item.reviewForm, without('VPN', 'Sales'));
	const [{ plan, summaryText }] = await review(service, item, { data: answer }, { preview: true });
	expect(summaryText).toContain('loses group "VPN" (not ticked in the review)');
	expect(service.written()).toStrictEqual([]);
	const applied = await play(service, 'applyPlan', { plan });
	expect(errorsIn(applied)).toStrictEqual([]);
	expect(applied.map(({ change, groupId, status }) => [change, groupId, status])).toEqual([
		['revoked', ID.sales, 'done'],
		['revoked', ID.vpn, 'done'],
	]);
	expect(membersIn(service)).toEqual({
		...{ eng: ['ana'], vpn: ['eve'], everyone: ['ana', 'ben', 'cleo', 'eve'] },
	});
});

test('the same without a plan, of several forms at once', async () => {
	const service = serviceWith();
	const items = await formsOf(service, 'group');
	const answers = items.map((item) => ({
		review: item.review,
		answer: answerOf(item.reviewForm, without('ben@')),
	}));
	const out = await play(service, 'applyReview', {}, answers);
	expect(out.map(({ status }) => status)).toEqual(['unchanged', 'done', 'done', 'done']);
	expect(Object.values(membersIn(service)).flat()).not.toContain('ben');
});

test('everything is ticked: a plan without changes', async () => {
	const service = serviceWith();
	const [item] = await formsOf(service, 'user');
	const answer = answerOf(item.reviewForm, without());
	const [{ plan }] = await review(service, item, answer, { preview: true });
	expect(plan.changes).toStrictEqual([]);
	expect(await play(service, 'applyPlan', { plan })).toMatchObject([
		{ status: 'unchanged', reason: 'the plan has no changes' },
	]);
});

test('all of a person may be unticked', async () => {
	const service = serviceWith();
	const item = (await formsOf(service, 'user'))[2];
	await review(service, item, answerOf(item.reviewForm, without('Everyone')));
	expect(membersIn(service).everyone).toEqual(['ana', 'ben', 'eve']);
});

test('roles on users are reviewed, too', async () => {
	const roles = [{ value: 'buyer' }, { value: 'clerk' }];
	const service = serviceWith({ people: [person('ana', ['eng'])] });
	const ana = service.users.get(idOf('ana'));
	service.store({ ...ana, attributes: { ...ana.attributes, roles } });
	const [item] = await formsOf(service, 'user');
	expect(questionsOf(item.reviewForm)[0][1]).toEqual([
		'1. Engineering',
		'2. roles: buyer',
		'3. roles: clerk',
	]);
	const out = await review(service, item, answerOf(item.reviewForm, without('clerk')));
	expect(out).toMatchObject([{ change: 'revoked', status: 'done' }]);
	expect(service.users.get(idOf('ana')).attributes.roles).toEqual([{ value: 'buyer' }]);
});

test('what somebody else has taken since is unchanged, what somebody has got since stays', async () => {
	const service = serviceWith();
	const item = (await formsOf(service, 'user'))[1];
	service.modify(ID.vpn, [{ op: 'remove', ids: [idOf('ben')] }]);
	service.modify(ID.support1, [{ op: 'add', ids: [idOf('ben')] }]);
	const out = await review(service, item, answerOf(item.reviewForm, without('VPN')));
	expect(out.map(({ status }) => status)).toEqual(['unchanged']);
	expect(membersIn(service).support1).toEqual(['ben']);
	expect(service.written()).toStrictEqual([]);
});

test.each([
	['is missing', () => undefined, 'Answer is not the answer to the form'],
	['is the item: nobody answered in time', ({ item }) => item, 'is not the answer to the form'],
	[
		'came without its boxes',
		({ form }) => answerOf(form, () => false),
		'The review is not confirmed',
	],
	['is not confirmed', ({ whole }) => ({ ...whole, [CONFIRM]: [] }), 'The review is not confirmed'],
	['is of another review', ({ other }) => other, 'Answer is the answer to another review'],
	[
		'has an unknown line',
		({ whole }) => ({ ...whole, 'Access: ben@example.com': ['1. Sales'] }),
		'Answer has a line that is not in the form: 1. Sales',
	],
])('an answer that %s is an error, and nothing is sent', async (_, answerFrom, message) => {
	const service = serviceWith();
	const [another, item] = await formsOf(service, 'user');
	const answer = answerFrom({
		...{ item, form: item.reviewForm, whole: answerOf(item.reviewForm, without()) },
		other: answerOf(another.reviewForm, without()),
	});
	expect(errorsIn(await review(service, item, answer))[0]).toContain(message);
	expect(service.written()).toStrictEqual([]);
});

test.each([
	['nothing', ''],
	['another item', { userName: 'ben', answer: 1 }],
	['a review that was edited', { review: { time: 'now', lines: [{ line: 'x' }] } }],
])('%s is no review', async (_, value) => {
	const service = serviceWith();
	const [item] = await formsOf(service, 'user');
	const out = await review(service, value, answerOf(item.reviewForm, without()));
	expect(errorsIn(out)[0]).toContain('This is not a review');
});

test('where memberships are unknown there is no form', async () => {
	const service = serviceWith({ membersShownOn: 'nowhere' });
	expect(errorsIn(await formsOf(service, 'group'))[0]).toContain('access is unknown');
});

describe('what stays ticked is not revoked', () => {
	test.each(['Confirm', 'reviewOf', 'submittedAt', '__proto__'])(
		'of a group or a person named %s',
		async (name) => {
			const people = [person('ana', ['eng']), { ...person('ben', ['eng']), userName: name }];
			const service = serviceWith({ groups: [{ id: ID.eng, displayName: name }], people });
			for (const way of ['group', 'user'])
				for (const item of await formsOf(service, way))
					await review(
						service,
						item,
						answerOf(item.reviewForm, () => true),
					);
			expect(service.written()).toStrictEqual([]);
		},
	);

	const LABEL = 'Access: VPN';
	test.each([
		['is missing', ({ [LABEL]: _, ...answer }) => answer],
		['says nothing', (answer) => ({ ...answer, [LABEL]: null })],
		['is a text', (answer) => ({ ...answer, [LABEL]: answer[LABEL][0] })],
		['is JSON', (answer) => ({ ...answer, [LABEL]: JSON.stringify(answer[LABEL]) })],
	])('by an answer in which the question %s', async (_, change) => {
		const service = serviceWith();
		const item = (await formsOf(service, 'group')).find(({ group }) => group === 'VPN');
		const answer = change(answerOf(item.reviewForm, () => true));
		expect(errorsIn(await review(service, item, answer)).join()).toContain('is not the answer');
		expect(service.written()).toStrictEqual([]);
	});
});

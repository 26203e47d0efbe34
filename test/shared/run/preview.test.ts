import { NO_ITEM, type Plan, type Step } from '../../../nodes/shared/run/plan';
import { previewItem } from '../../../nodes/shared/run/preview';
import { InputError } from '../../../nodes/shared/util/inputError';
import { planUpdates, planUsers } from '../../../nodes/shared/access/planUsers';
import { withSteps } from '../../support/plans';
import { PROFILES } from '../../../nodes/shared/scim/protocol/presets';

const STEP: Step = {
	id: 'add to org-1:admin from 0',
	action: 'add 2 people to group org-1:admin',
	parts: [
		{ item: 0, subject: 'a' },
		{ item: 2, subject: 'b' },
		{ item: 0, subject: 'c' },
	],
	warnings: ['mind'],
	request: { method: 'PATCH', path: ['scim', 'Groups', 'org-1:admin'], body: { Operations: [] } },
	after: ['create ana@example.com'],
};

/** What the other one waits for. */
const CREATE: Step = {
	id: 'create ana@example.com',
	action: 'create ana@example.com',
	parts: [],
	warnings: [],
	request: { method: 'POST', path: ['scim', 'Users'] },
};

const planOf = (more: Partial<Plan<Step, unknown>>) => ({
	...{ steps: [], settled: [], warnings: [], blockedBy: [] },
	...more,
});

describe('previewItem', () => {
	it('is one item, paired to all inputs, with what would be sent and for whom', () => {
		const item = previewItem(
			planOf({
				steps: [CREATE, STEP],
				settled: [
					{ item: 1, subject: 'd', outcome: { status: 'unchanged', action: 'add d' } },
					{
						item: 3,
						subject: 'e',
						outcome: { status: 'failed', action: 'add e', reason: 'two roles' },
					},
				],
				warnings: ['mind', 'more'],
			}),
			new Map([[4, new InputError('The user name is missing', 'Give it.')]]),
			[0, 1, 2, 3, 4],
		);
		expect(item).toStrictEqual({
			json: {
				preview: true,
				blockedBy: [],
				warnings: [
					...['mind', 'more', 'Could not use item 4: The user name is missing. Give it.'],
					'Could not add e: two roles. Run again to complete.',
				],
				requests: [
					{ action: CREATE.action, items: [], method: 'POST', path: '/scim/Users' },
					{
						action: STEP.action,
						items: [0, 2],
						after: [0],
						method: 'PATCH',
						path: '/scim/Groups/org-1%3Aadmin',
						body: { Operations: [] },
						warnings: ['mind'],
					},
				],
				settled: [
					{ item: 1, status: 'unchanged', action: 'add d' },
					{ item: 3, status: 'failed', action: 'add e', reason: 'two roles' },
				],
				invalid: [{ item: 4, reason: 'The user name is missing' }],
			},
			pairedItem: [0, 1, 2, 3, 4].map((index) => ({ item: index })),
		});
	});

	it('a step that waits for no other says nothing of it', () => {
		const alone = { ...STEP, after: undefined };
		const { json } = previewItem(planOf({ steps: [alone] }), new Map(), [0]);
		expect(json.requests).toEqual([expect.not.objectContaining({ after: expect.anything() })]);
	});

	it('names each request once that comes first, whatever becomes of it, and no item of nobody', () => {
		const step = {
			...STEP,
			parts: [...STEP.parts, { item: NO_ITEM, subject: 'd' }],
			after: ['other', CREATE.id, 'gone'],
		};
		const steps = [CREATE, { ...CREATE, id: 'other' }, step];
		const { json } = previewItem(planOf({ steps }), new Map(), [0]);
		expect(json.requests).toMatchObject([{}, {}, { items: [0, 2], after: [1, 0] }]);
	});

	it('says without an error why an item cannot be used', () => {
		const { json } = previewItem(planOf({}), new Map([[1, 'no name']]), [0, 1]);
		expect(json.invalid).toEqual([{ item: 1, reason: 'no name' }]);
	});

	it('says what blocks the plan', () => {
		const { json } = previewItem(planOf({ blockedBy: ['too many'] }), new Map(), [0]);
		expect(json.blockedBy).toEqual(['too many']);
	});

	it('begins with what matters most', () => {
		const { json } = previewItem(planOf({}), new Map(), [0]);
		expect(Object.entries(json)).toEqual([
			['preview', true],
			['blockedBy', []],
			['requests', []],
			['warnings', []],
			['settled', []],
			['invalid', []],
		]);
	});

	it('what else is to be said comes before the requests', () => {
		const { json } = previewItem(planOf({}), new Map(), [0], { losses: [{ id: 'user-1' }] });
		expect(Object.keys(json).slice(0, 4)).toEqual(['preview', 'blockedBy', 'losses', 'requests']);
	});

	it('is plain JSON', () => {
		const item = previewItem(planOf({ steps: [STEP] }), new Map(), [0]);
		expect(JSON.parse(JSON.stringify(item))).toEqual(item);
	});

	it('does not touch the plan', () => {
		const secret = { ...STEP, request: { ...STEP.request, body: { password: 'hunter2' } } };
		previewItem(planOf({ steps: [secret] }), new Map(), [0]);
		expect(secret.request.body.password).toBe('hunter2');
	});

	describe('a password is masked', () => {
		const attributes = {
			password: 'hunter2',
			'urn:ietf:params:scim:schemas:core:2.0:User': { password: 'hunter2' },
		};

		it('in a create', () => {
			const plan = planUsers(
				[{ item: 0, userName: 'ana', attributes, warnings: [] }],
				'fail',
				undefined,
				{ profile: PROFILES.generic },
			);
			const text = JSON.stringify(previewItem(withSteps(plan), new Map(), [0]));
			expect(text).not.toContain('hunter2');
			expect(text).toContain('***');
		});

		it.each(Object.entries(attributes))('in an update of %s', (name, value) => {
			const plan = planUpdates(
				[
					{
						item: 0,
						person: { key: 'user-1', id: 'user-1', userName: 'ana' },
						attributes: { [name]: value },
						warnings: [],
					},
				],
				{ profile: PROFILES.generic },
			);
			const text = JSON.stringify(previewItem(withSteps(plan), new Map(), [0]));
			expect(text).not.toContain('hunter2');
			expect(text).toContain('***');
		});

		it.each<[string, object, object]>([
			[
				'in any case, at any depth',
				{ x: [{ PassWord: 7, a: null }] },
				{ x: [{ PassWord: '***', a: null }] },
			],
			[
				'of an operation, and no other value of it',
				{ path: 'urn:example:User:Password', op: 'add', value: { a: 1 } },
				{ path: 'urn:example:User:Password', op: 'add', value: '***' },
			],
			[
				'of one of several operations',
				{
					x: [
						{ path: 'title', value: 'x' },
						{ path: 'password', value: 7 },
					],
				},
				{
					x: [
						{ path: 'title', value: 'x' },
						{ path: 'password', value: '***' },
					],
				},
			],
			['alone', { path: 'title', value: 'x', a: null }, { path: 'title', value: 'x', a: null }],
			['even where a path is no text', { path: 7, value: 'x' }, { path: 7, value: 'x' }],
		])('%s', (_, body, expected) => {
			const step = { ...CREATE, request: { ...CREATE.request, body } };
			const { json } = previewItem(planOf({ steps: [step] }), new Map(), [0]);
			expect(json.requests).toMatchObject([{ body: expected }]);
		});

		it('by what the step says may be shown of its body', () => {
			const request = { ...CREATE.request, body: { key: 'hunter2' }, shown: { key: 'hidden' } };
			const { json } = previewItem(planOf({ steps: [{ ...CREATE, request }] }), new Map(), [0]);
			expect(json.requests).toMatchObject([{ body: { key: 'hidden' } }]);
		});
	});
});

import { NO_ITEM, type Plan, type Step } from '../../../nodes/shared/run/plan';
import { previewItem } from '../../../nodes/shared/run/preview';
import { InputError } from '../../../nodes/shared/util/errors';

const CREATE: Step = {
	...{ id: 'create ana', action: 'create ana@example.com', parts: [], warnings: [] },
	request: { method: 'POST', path: ['scim', 'Users'] },
};
const STEP: Step = {
	...{ id: 'add', action: 'add 2 people to group org-1:admin', warnings: ['mind'] },
	parts: [0, 2, 0].map((item, at) => ({ item, subject: 'abc'[at] })),
	request: { method: 'PATCH', path: ['scim', 'Groups', 'org-1:admin'], body: { Operations: [] } },
	after: [CREATE.id],
};

const previewOf = (
	plan: Partial<Plan<Step, unknown>>,
	invalid = new Map<number, InputError>(),
	items = [0],
	more?: object,
) =>
	previewItem(
		{ steps: [], settled: [], warnings: [], blockedBy: [], ...plan },
		invalid,
		items,
		more as never,
	);
const requestsOf = (...steps: Step[]) => previewOf({ steps }).json.requests;

it('is one item of plain JSON, paired to all inputs, with what would be sent for each person', () => {
	const item = previewOf(
		{
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
			blockedBy: ['too many'],
		},
		new Map([[4, new InputError('The user name is missing', 'Give it.')]]),
		[0, 1, 2, 3, 4],
	);
	expect(item).toStrictEqual({
		json: {
			...{ preview: true, blockedBy: ['too many'] },
			counts: { requests: 2, unchanged: 1, skipped: 0, failed: 2, warnings: 2 },
			warnings: [
				...['mind', 'more', 'Could not use item 4: The user name is missing. Give it.'],
				'Could not add e: two roles. Run again to complete.',
			],
			requests: [
				{ action: CREATE.action, items: [], method: 'POST', path: '/scim/Users' },
				{
					...{ action: STEP.action, items: [0, 2], after: [0], method: 'PATCH' },
					...{ path: '/scim/Groups/org-1%3Aadmin', body: { Operations: [] }, warnings: ['mind'] },
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
	expect(JSON.parse(JSON.stringify(item))).toEqual(item);
});

it('begins with what matters most, and says what else is to be said before the requests', () => {
	const first = ['preview', 'counts', 'blockedBy'];
	const last = ['requests', 'warnings', 'settled', 'invalid'];
	expect(Object.keys(previewOf({}).json)).toEqual([...first, ...last]);
	const extras = { plan: {}, summary: 'no changes', blockedBy: ['none'], counts: { granted: 2 } };
	const { json } = previewOf({}, undefined, undefined, extras);
	expect(Object.keys(json)).toEqual([...first, 'summary', ...last, 'plan']);
	expect(json).toMatchObject({ blockedBy: ['none'], counts: { granted: 2, requests: 0 } });
});

it('names each request once that comes first, whatever becomes of it, and no item of nobody', () => {
	const parts = [...STEP.parts, { item: NO_ITEM, subject: 'd' }];
	const step = { ...STEP, parts, after: ['other', CREATE.id, 'gone'] };
	const shown = requestsOf(CREATE, { ...CREATE, id: 'other' }, step);
	expect(shown).toMatchObject([{}, {}, { items: [0, 2], after: [1, 0] }]);
	expect(requestsOf({ ...STEP, after: undefined })).toEqual([
		expect.not.objectContaining({ after: expect.anything() as unknown }),
	]);
});

const title = { path: 'title', value: 'x', a: null };
const urn = { path: 'urn:example:User:Password', op: 'add' };
it.each<[string, object, object]>([
	[
		'in any case, at any depth',
		{ x: [{ PassWord: 7, a: null }] },
		{ x: [{ PassWord: '***', a: null }] },
	],
	[
		'of an operation, and no other value of it',
		{ ...urn, value: { a: 1 } },
		{ ...urn, value: '***' },
	],
	[
		'of one of several operations',
		{ x: [title, { path: 'password', value: 7 }] },
		{ x: [title, { path: 'password', value: '***' }] },
	],
	['of whatever holds a secret', { x: { apiKey: 'k' } }, { x: { apiKey: '***' } }],
	['and not whether there is one', { resetPassword: true }, { resetPassword: true }],
	['and no other value', title, title],
	['even where a path is no text', { path: 7, value: 'x' }, { path: 7, value: 'x' }],
])('a secret is masked %s', (_, body, expected) => {
	const request = { ...CREATE.request, body: structuredClone(body) };
	expect(requestsOf({ ...CREATE, request })).toMatchObject([{ body: expected }]);
	expect(request.body).toEqual(body);
});

it('of a body is shown what the step says may be', () => {
	const request = { ...CREATE.request, body: { key: 'hunter2' }, shown: { key: 'hidden' } };
	expect(requestsOf({ ...CREATE, request })).toMatchObject([{ body: { key: 'hidden' } }]);
});

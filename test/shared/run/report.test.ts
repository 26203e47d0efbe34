import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import type { Failure, Outcome } from '../../../nodes/shared/run/outcome';
import type { Applied } from '../../../nodes/shared/run/plan';
import {
	errorOf,
	failureOfItem,
	report,
	toListError,
	toNodeError,
	type ItemReport,
	withSameKeys,
} from '../../../nodes/shared/run/report';
import { InputError } from '../../../nodes/shared/util/inputError';
import { RequestError } from '../../../nodes/shared/http/requestError';

const NODE: INode = {
	id: '1',
	name: 'SCIM Provisioning',
	type: 'n8n-nodes-scim-provisioning.scimProvisioning',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const http = (message: string, status?: number, description = 'Do this.') =>
	new RequestError(message, description, {
		kind: status === undefined ? 'network' : 'http',
		method: 'POST',
		status,
		mayHaveWorked: false,
	});

const outcome = (status: Outcome['status'], action: string, more: Partial<Failure> = {}): Outcome =>
	({ ...more, action, status }) as Outcome;
const part = (item: number, result: Outcome): Applied<unknown> => ({
	item,
	subject: 'x',
	outcome: result,
});

const good = (item: number, action = `create user ${item}`): ItemReport => ({
	item,
	json: [{ id: item }],
	outcomes: [outcome('done', action)],
});
const bad = (
	item: number,
	error: unknown = http(`Could not create user ${item}`, 409),
): ItemReport => ({
	item,
	json: [],
	outcomes: [],
	error,
});

function thrown(reports: ItemReport[]): NodeApiError | NodeOperationError {
	try {
		report(NODE, false, reports);
	} catch (error) {
		return error as NodeApiError;
	}
	throw new Error('did not throw');
}

describe('toNodeError', () => {
	it('a request error is a NodeApiError with httpCode, message, description and item', () => {
		const error = toNodeError(NODE, http('Could not get user 7: gone', 404), 3);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'Could not get user 7: gone',
			messages: ['Could not get user 7: gone'],
			description: 'Do this.',
			httpCode: '404',
			context: { itemIndex: 3 },
		});
	});

	it('without an HTTP status there is no httpCode, and item 0 is kept', () => {
		const error = toNodeError(NODE, http('Could not: the connection was refused'), 0);
		expect(error).toMatchObject({ httpCode: null, context: { itemIndex: 0 } });
	});

	it('an input error is a NodeOperationError', () => {
		const error = toNodeError(NODE, new InputError('The user name is missing', 'Give it.'), 2);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({
			message: 'The user name is missing',
			description: 'Give it.',
			context: { itemIndex: 2 },
		});
	});

	it.each(['text', new Error('text')])('anything else keeps its words', (failure) => {
		expect(toNodeError(NODE, failure, 1)).toMatchObject({
			message: 'text',
			context: { itemIndex: 1 },
		});
	});

	it('an error of n8n stays as it is', () => {
		const error = new NodeOperationError(NODE, 'x');
		expect(toNodeError(NODE, error)).toBe(error);
	});

	it.each([
		['a request error', http('gone', 404), 'gone', 'Do this.', '404'],
		['an input error', new InputError('no EPERM', 'Give it.'), 'no EPERM', 'Give it.', null],
		['anything else', new Error('text'), 'text', undefined, null],
	])('for lists %s is a NodeApiError, too', (_, failure, message, description, httpCode) => {
		const error = toListError(NODE, failure);
		expect(error).toBeInstanceOf(NodeApiError);
		expect([error.message, error.description ?? undefined]).toEqual([message, description]);
		expect(error).toMatchObject({ httpCode, messages: expect.arrayContaining([message]) });
	});

	// n8n replaces messages in which it sees such a code, and sees EPERM in the first of them.
	it.each([
		'keperman@example.com',
		'econnreset@example.com',
		'enoent',
		'getaddrinfo',
		'eaccess.team@example.com',
	])('words of the message are not taken for a code: %s', (name) => {
		for (const failure of [http(`Could not create user ${name}`, 409), new InputError(name, 'x')]) {
			expect(toNodeError(NODE, failure, 0).message).toBe(failure.message);
		}
	});

	it.each([401, 403, 404, 429, 500, 502, 503])('%i does not replace the message', (status) => {
		expect(toNodeError(NODE, http('Could not, bad gateway', status), 0).message).toBe(
			'Could not, bad gateway',
		);
	});
});

describe('report', () => {
	it('items in the order of the input, each paired with its own', () => {
		expect(report(NODE, false, [good(0), good(1)])).toEqual([
			{ json: { id: 0 }, pairedItem: { item: 0 } },
			{ json: { id: 1 }, pairedItem: { item: 1 } },
		]);
	});

	it('an item that stands for a list gives one entry per resource, all paired with it', () => {
		const list = { item: 2, json: [{ id: 'a' }, { id: 'b' }], outcomes: [] };
		expect(report(NODE, false, [list])).toEqual([
			{ json: { id: 'a' }, pairedItem: { item: 2 } },
			{ json: { id: 'b' }, pairedItem: { item: 2 } },
		]);
	});

	it('an empty list gives no item', () => {
		expect(report(NODE, false, [{ item: 0, json: [], outcomes: [] }])).toStrictEqual([]);
	});

	it('with an error output: the failed item carries its error, the others go on', () => {
		const routed = { ...NODE, onError: 'continueErrorOutput' as const };
		const [first, second] = report(routed, true, [bad(0), good(1)]);
		expect(first.json).toEqual({ error: 'Could not create user 0' });
		expect(first.pairedItem).toEqual({ item: 0 });
		expect(first.error).toBeInstanceOf(NodeApiError);
		expect(first.error).toMatchObject({ httpCode: '409', context: { itemIndex: 0 } });
		expect(second).toEqual({ json: { id: 1 }, pairedItem: { item: 1 } });
	});

	it('continue on fail: what is known of the item stays, so n8n must not see the error', () => {
		const [item] = report(NODE, true, [{ ...bad(0), json: [{ id: 'user-1' }] }]);
		expect(item.json).toEqual({ id: 'user-1', error: 'Could not create user 0' });
		expect(item.error).toBeUndefined();
	});

	it('the same keys on every item, in one order; only what failed has an error', () => {
		const json = [{ status: 'failed', error: 'no' }, { status: 'done', id: 1 }, { deleted: true }];
		const items = withSameKeys(json.map((one) => ({ json: one })));
		expect(items.map((item) => Object.entries(item.json))).toEqual([
			Object.entries({ status: 'failed', id: null, deleted: null, error: 'no' }),
			Object.entries({ status: 'done', id: 1, deleted: null }),
			Object.entries({ status: null, id: null, deleted: true }),
		]);
	});

	it.each([
		[undefined, { error: 'no' }],
		[{ group: 'VPN' }, { group: 'VPN', status: 'failed', reason: 'no', text: 'no.', error: 'no' }],
	])('continue on fail: an item of which nothing is known, with the fields %j', (blank, json) => {
		const failed = failureOfItem(3, new Error('no'), blank);
		const [item] = report(NODE, true, [failed]);
		expect([item.json, item.pairedItem]).toEqual([json, { item: 3 }]);
		expect(failed.outcomes).toStrictEqual([]);
	});

	it('stops: one item throws its own error', () => {
		const error = thrown([bad(0)]);
		expect(error).toMatchObject({
			message: 'Could not create user 0',
			description: 'Do this.',
			httpCode: '409',
			context: { itemIndex: 0 },
		});
	});

	it('stops: the throw lists what was done and what was not', () => {
		const error = thrown([good(0), bad(1), good(2)]);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'Could not create user 1',
			messages: ['Could not create user 1'],
			httpCode: '409',
			context: { itemIndex: 1 },
		});
		expect(error.description).toBe(
			'Do this. Failed: item 1 (Could not create user 1). Done: item 0 (create user 0: done); item 2 (create user 2: done).',
		);
	});

	it('stops: several failures are counted, the first one speaks', () => {
		const error = thrown([bad(0, new InputError('The user name is missing', 'Give it.')), bad(1)]);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error.message).toBe('2 of 2 items failed: The user name is missing');
		expect(error.description).toMatch(/Done: nothing\.$/);
	});

	it('stops: several things of one item are changes', () => {
		expect(thrown([bad(0), bad(0)]).message).toMatch(/^2 of 2 changes failed: /);
	});

	it('stops: an item is listed with all that it did, or as read', () => {
		const done = [outcome('done', 'add a'), outcome('unchanged', 'add b')];
		const items = [
			bad(0, http('no')),
			{ ...good(1), outcomes: done },
			{ ...good(2), outcomes: [] },
		];
		const error = thrown(items);
		expect(error).toMatchObject({ httpCode: null });
		expect(error.description).toBe(
			'Do this. Failed: item 0 (no). Done: item 1 (add a: done, add b: unchanged); item 2 (read).',
		);
	});

	it('stops: an error without advice is listed, too', () => {
		const error = thrown([bad(0, new Error('no')), good(1)]);
		expect(error.description).toMatch(/^Failed: item 0 \(no\)\. Done: /);
	});

	it('stops: words of the message are not taken for a code', () => {
		const failing = bad(0, http('Could not create user keperman@example.com', 409));
		expect(thrown([failing]).message).toBe('Could not create user keperman@example.com');
		expect(thrown([failing, good(1)]).message).toBe('Could not create user keperman@example.com');
		expect(thrown([failing, bad(1)]).message).toMatch(/^2 of 2 .*keperman@example\.com$/);
	});

	it('stops: a reason of several items is said once, with their numbers', () => {
		const failing = (count: number, error: Error) =>
			Array.from({ length: count }, (_, index) => bad(index, error));
		const [no, other] = [new Error('no'), new Error('other')];
		expect(thrown([...failing(3, no), bad(3, other), bad(4, no), good(5)]).description).toBe(
			'Failed: items 0, 1, 2, 4 (no); item 3 (other). Done: item 5 (create user 5: done).',
		);
		expect(thrown(failing(25, no)).description).toMatch(
			/^Failed: items 0, 1, [0-9, ]+, 19, and 5 more for the same reason \(no\)\. Done: nothing\.$/,
		);
		expect(thrown([bad(7, no), bad(7, no)]).description).toContain('Failed: item 7 (no, 2 times).');
	});

	it('stops: a long list is cut, and says how many more there are', () => {
		const many = (count: number) =>
			thrown([
				bad(0),
				...Array.from({ length: count }, (_, index) => good(index + 1, `create u${index + 1}`)),
			]).description;
		expect(many(30)).toMatch(/create u20: done\); and 10 more\.$/);
		expect(many(21)).toMatch(/create u20: done\); and 1 more\.$/);
		expect(many(20)).toMatch(/create u20: done\)\.$/);
	});
});

describe('errorOf', () => {
	it('nothing failed: no error', () => {
		expect(
			errorOf([part(0, outcome('done', 'x')), part(0, outcome('skipped', 'y'))]),
		).toBeUndefined();
		expect(errorOf([part(0, outcome('unchanged', 'x'))])).toBeUndefined();
		expect(errorOf([])).toBeUndefined();
	});

	it('one part that was not done: its own error', () => {
		const error = http('Could not', 400);
		expect(errorOf([part(0, outcome('failed', 'x', { error }))])).toBe(error);
	});

	it('not done without an error says why', () => {
		expect(
			errorOf([part(0, outcome('failed', 'create user a', { reason: 'it was cancelled' }))]),
		).toMatchObject({ message: 'Could not create user a: it was cancelled' });
	});

	it('unverified says that it was sent', () => {
		expect(
			errorOf([
				part(0, outcome('unverified', 'deactivate user a', { reason: 'active is still true' })),
			]),
		).toMatchObject({
			message: 'Could not confirm: deactivate user a: active is still true',
			description: expect.stringMatching(/The request was sent/),
		});
	});

	it.each([
		['could not read', 'Could not confirm: x: could not read'],
		['not seen', 'Could not confirm: x: not seen (could not read)'],
	])('unverified with the reason %s names its error once', (reason, message) => {
		const error = http('could not read', 500);
		expect(errorOf([part(0, outcome('unverified', 'x', { reason, error }))])).toMatchObject({
			message,
		});
	});

	it('several parts: says which, and what became of the others', () => {
		const error = errorOf([
			part(0, outcome('done', 'add a')),
			part(0, outcome('failed', 'add b', { reason: 'refused', error: http('b refused', 400) })),
			part(0, outcome('failed', 'add c', { reason: 'refused', error: http('c refused', 400) })),
		]);
		expect(error).toMatchObject({
			message: '2 of 3 failed: b refused. Done: add a',
			description: 'Do this. Also: add a: done; add c: failed (refused).',
		});
	});

	it('several parts: the HTTP status of the first is kept', () => {
		const error = errorOf([
			part(0, outcome('done', 'add a')),
			part(0, outcome('failed', 'add b', { error: http('b refused', 403) })),
		]);
		expect(toNodeError(NODE, error, 0)).toMatchObject({ httpCode: '403' });
	});

	it.each([
		[3, '. Done: add 0; add 1; add 2'],
		[5, '. Done: add 0; add 1; add 2; and 2 more'],
	])('%i parts done: the message names three', (count, words) => {
		const done = Array.from({ length: count }, (_, index) =>
			part(0, outcome('done', `add ${index}`)),
		);
		const failed = part(0, outcome('failed', 'add x', { reason: 'no' }));
		const message = `1 of ${count + 1} failed: Could not add x: no${words}`;
		expect(errorOf([...done, failed])).toMatchObject({ message });
	});

	it('what waited for another part says less than the failure of that one', () => {
		const waiting = part(0, outcome('failed', 'add a', { reason: 'a was not created' }));
		const error = new InputError('a is taken', 'Rename.');
		const cause = part(0, outcome('failed', 'create a', { reason: 'taken', error }));
		const both = errorOf([waiting, cause]);
		expect(both).toBeInstanceOf(InputError);
		expect(both).toMatchObject({
			message: '2 of 2 failed: a is taken',
			description: 'Rename. Also: add a: failed (a was not created).',
		});
	});

	it.each([
		['is none where that is accepted', true, { hidden: true }, false],
		['is one otherwise', undefined, { hidden: true }, true],
		['is one where an error stood in the way', true, { hidden: true, error: new Error('x') }, true],
		['is one where it shows otherwise', true, {}, true],
	])('what the service cannot show %s', (_, acceptsHidden, more, isError) => {
		const parts = [part(0, outcome('unverified', 'x', { reason: 'y', ...more }))];
		expect(errorOf(parts, acceptsHidden) !== undefined).toBe(isError);
	});

	it('very many parts: says how many more there are', () => {
		const advice = (count: number) => {
			const all = Array.from({ length: count }, (_, index) =>
				part(0, outcome('failed', `add ${index}`, { reason: `no ${index}` })),
			);
			return (errorOf(all) as InputError).description;
		};
		expect(advice(60)).toMatch(/; add 20: failed \(no 20\); and 39 more\.$/);
		expect(advice(21)).toMatch(/; add 20: failed \(no 20\)\.$/);
	});

	it('very many parts, several for one reason: says how many more parts there are', () => {
		const reasons = [...Array(21).keys(), 21, 21, 20, 20];
		const all = reasons.map((reason, index) =>
			part(0, outcome('failed', `add ${index}`, { reason: `no ${reason}` })),
		);
		expect((errorOf(all) as InputError).description).toMatch(
			/; add 20, add 23, add 24: failed \(no 20\); and 2 more\.$/,
		);
	});

	it('three parts for one reason are all named, in the words of their status', () => {
		const no = (index: number) => part(0, outcome('unverified', `add ${index}`, { reason: 'no' }));
		const failed = part(0, outcome('failed', 'x', { reason: 'y' }));
		expect((errorOf([failed, no(1), no(2), no(3)]) as InputError).description).toMatch(
			/Also: add 1, add 2, add 3: not verified \(no\)\.$/,
		);
	});

	it('many parts for one reason: the reason is said once', () => {
		const all = Array.from({ length: 19 }, (_, index) =>
			part(0, outcome(index === 5 ? 'skipped' : 'failed', `add ${index}`, { reason: 'no' })),
		);
		const done = part(0, outcome('done', 'add x'));
		expect((errorOf([...all, done]) as InputError).description).toBe(
			'Run again to complete. Also: add 1, add 2, add 3, and 14 more for the same reason: failed (no); add 5: skipped (no); add x: done.',
		);
	});
});

test('output that belongs to all items shares one list of them: lists of its own would fill the memory', () => {
	const pairedTo = [0, 1, 2];
	const [first, second] = report(NODE, true, [
		{ ...good(0), pairedTo },
		{ ...good(0), pairedTo },
	]);
	expect(first.pairedItem).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
	expect(second.pairedItem).toBe(first.pairedItem);
});

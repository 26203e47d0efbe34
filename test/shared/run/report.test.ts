import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import type { Failure, Outcome, Applied } from '../../../nodes/shared/run/plan';
import {
	errorOf,
	failureOfItem,
	report,
	toListError,
	toNodeError,
	type ItemReport,
	withSameKeys,
} from '../../../nodes/shared/run/report';
import { InputError } from '../../../nodes/shared/util/errors';
import { RequestError } from '../../../nodes/shared/http/request';

const NODE = { name: 'SCIM Provisioning', type: 'x.y', typeVersion: 1, parameters: {} } as INode;

const http = (message: string, status?: number, description = 'Do this.') =>
	new RequestError(message, description, {
		...{ kind: status === undefined ? 'network' : 'http', method: 'POST', status },
		mayHaveWorked: false,
	});
const MISSING = new InputError('The user name is missing', 'Give it.');
const [NO, OTHER] = [new Error('no'), new Error('other')];
const counted = <T>(count: number, one: (index: number) => T) =>
	Array.from({ length: count }, (_, index) => one(index));

describe('an error of a node', () => {
	const gone = http('Could not get user 7: gone', 404);
	const ADVICE = { description: 'Do this.' };

	it.each([
		[
			'a request error',
			gone,
			NodeApiError,
			{ ...ADVICE, httpCode: '404', messages: [gone.message] },
		],
		['one without an answer', http('The connection was refused'), NodeApiError, { httpCode: null }],
		['an input error', MISSING, NodeOperationError, { description: 'Give it.' }],
		['any other one', NO, NodeOperationError, {}],
		['a text', 'no', NodeOperationError, { message: 'no' }],
	] as const)('of %s', (_, failure, type, more) => {
		const error = toNodeError(NODE, failure, 0);
		expect(error).toBeInstanceOf(type);
		expect(error).toMatchObject({
			...(failure instanceof Error && { message: failure.message }),
			...more,
		});
		expect(error.context).toEqual(expect.objectContaining({ itemIndex: 0 }));
		expect(toNodeError(NODE, error, 1)).toBe(error);
	});

	it.each([
		['a request error', gone, 'Do this.', '404'],
		['an input error', new InputError('no EPERM', 'Give it.'), 'Give it.', null],
		['any other one', NO, undefined, null],
	])('for a list is a NodeApiError: of %s', (_, failure, description, httpCode) => {
		const error = toListError(NODE, failure);
		expect(error).toBeInstanceOf(NodeApiError);
		const messages = expect.arrayContaining([failure.message]) as string[];
		expect(error).toMatchObject({ message: failure.message, httpCode, messages });
		expect(error.description ?? undefined).toBe(description);
	});

	// n8n replaces messages in which it sees such a code, and those of some statuses.
	it.each([
		...['keperman@example.com', 'econnreset@example.com', 'eaccess.team@example.com'],
		...['enoent', 'getaddrinfo', 'bad gateway'],
	])('keeps the words of its message: %s', (words) => {
		const failures = [401, 403, 404, 409, 429, 500, 502, 503].map((status) => http(words, status));
		for (const failure of [...failures, new InputError(words, 'x')]) {
			expect(toNodeError(NODE, failure, 0).message).toBe(words);
			for (const count of [1, 2])
				expect(thrown(...counted(count, () => bad(0, failure))).message).toContain(words);
		}
	});
});

const outcome = (status: Outcome['status'], action: string, more: Partial<Failure> = {}): Outcome =>
	({ ...more, action, status }) as Outcome;
const good = (item: number, ...actions: string[]): ItemReport => ({
	...{ item, json: [{ id: item }], outcomes: actions.map((action) => outcome('done', action)) },
});
const bad = (item: number, error: unknown = NO): ItemReport => ({
	...{ item, json: [], outcomes: [], error },
});

function thrown(...reports: ItemReport[]): NodeApiError | NodeOperationError {
	try {
		report(NODE, false, reports);
	} catch (error) {
		return error as NodeApiError;
	}
	throw new Error('did not throw');
}

describe('items', () => {
	it.each<[string, ItemReport[], unknown[]]>([
		[
			'in the order of the input, each paired with its own',
			[good(0), good(1)],
			[0, 1].map((id) => ({ json: { id }, pairedItem: { item: id } })),
		],
		[
			'a list: one per resource, all paired with the item that it stands for',
			[{ ...good(2), json: [{ id: 'a' }, { id: 'b' }] }],
			['a', 'b'].map((id) => ({ json: { id }, pairedItem: { item: 2 } })),
		],
		['an empty list: none', [{ ...good(0), json: [] }], []],
	])('%s', (_, reports, items) => {
		expect(report(NODE, false, reports)).toStrictEqual(items);
	});

	it.each([
		[
			'its fields',
			{ ...bad(0, http('no', 409)), json: [{ change: 'granted', status: 'failed', reason: 'no' }] },
			{ change: 'granted', status: 'failed', reason: 'no', advice: 'Do this.' },
		],
		['what is known of any', bad(0), { status: 'failed', reason: 'no' }],
	])('with an error output, what failed is an error and %s, and the others go on', (...row) => {
		const [, failed, message] = row;
		const routed = { ...NODE, onError: 'continueErrorOutput' as const };
		expect(report(routed, true, [failed, good(1)])).toStrictEqual([
			{ json: { error: 'no', message }, pairedItem: { item: 0 } },
			{ json: { id: 1 }, pairedItem: { item: 1 } },
		]);
	});

	it.each([
		['what is known stays', { ...bad(3), json: [{ id: 'u' }] }, { id: 'u', error: 'no' }],
		['nothing is known', failureOfItem(3, NO), { error: 'no' }],
		[
			'nothing is known, of an item with these fields',
			failureOfItem(3, NO, { group: 'VPN' }),
			{ group: 'VPN', status: 'failed', reason: 'no', text: 'no.', error: 'no' },
		],
	])('of a workflow that goes on, without an error that n8n would see: %s', (_, failed, json) => {
		expect(report(NODE, true, [failed])).toStrictEqual([{ json, pairedItem: { item: 3 } }]);
		expect(failed.outcomes).toStrictEqual([]);
	});

	it('have the same keys in one order; only what failed has an error', () => {
		const json = [{ status: 'failed', error: 'no' }, { status: 'done', id: 1 }, { deleted: true }];
		const items = withSameKeys(json.map((one) => ({ json: one })));
		expect(items.map((item) => Object.entries(item.json))).toEqual([
			Object.entries({ status: 'failed', id: null, deleted: null, error: 'no' }),
			Object.entries({ status: 'done', id: 1, deleted: null }),
			Object.entries({ status: null, id: null, deleted: true }),
		]);
	});

	it('have the same keys on the error output, where n8n takes no key beside two', () => {
		const failed = { error: 'no', message: { status: 'failed', advice: 'Do this.' } };
		const items = withSameKeys([failed, { status: 'done', id: 1 }].map((json) => ({ json })));
		expect(items.map(({ json }) => json)).toStrictEqual([
			{ error: 'no', message: { status: 'failed', id: null, advice: 'Do this.' } },
			{ status: 'done', id: 1 },
		]);
	});

	it('that belong to all items share one list of them: lists of their own would fill the memory', () => {
		const pairedTo = [0, 1, 2];
		const reports = [1, 2].map((id) => ({ ...good(id), pairedTo }));
		const all = report(NODE, true, reports);
		expect(all[0].pairedItem).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		expect(all[1].pairedItem).toBe(all[0].pairedItem);
	});
});

describe('an error that stops the workflow', () => {
	const half = [outcome('done', 'add a'), outcome('unchanged', 'add b')];
	const many = (count: number) => [bad(0), ...counted(count, (at) => good(at + 1, `u${at + 1}`))];
	const mixed = (['unchanged', 'skipped', 'done', 'unverified', 'failed'] as const).map(
		(status, item): ItemReport => ({
			...{ item, json: [], outcomes: [outcome(status, `add ${item}`, { reason: 'r' })] },
			...(item > 2 && { error: NO }),
		}),
	);

	it.each<[string, ItemReport[], string, string | RegExp]>([
		['of one item is its own', [bad(0, http('no'))], 'no', 'Do this.'],
		[
			'says what was done, in full or as read, and what was not',
			[good(0, 'create a'), bad(1, http('no')), { ...good(2), outcomes: half }, good(3)],
			'no',
			'Do this.\nFailed: item 1 (no).\nDone: create a.\nDone: add a.\nDone: read for item 3.\nUnchanged: add b.',
		],
		[
			'says nothing of an item of which nothing came',
			[bad(0), { item: 1, json: [], outcomes: [] }],
			'no',
			'Failed: item 0 (no).',
		],
		[
			'has a line per change, what failed first',
			mixed,
			'2 of 5 items failed: no',
			[
				...['Failed: add 4 (r).', 'Not verified: add 3 (r).', 'Done: add 2 (r).'],
				...['Skipped: add 1 (r).', 'Unchanged: add 0 (r).'],
			].join('\n'),
		],
		[
			'counts items, and the first one speaks',
			[bad(0, MISSING), bad(1)],
			'2 of 2 items failed: The user name is missing',
			'Give it.\nFailed: item 0 (The user name is missing).\nFailed: item 1 (no).',
		],
		[
			'counts changes of one item',
			[bad(7), bad(7)],
			'2 of 2 changes failed: no',
			'Failed: item 7 (no, 2 times).',
		],
		[
			'says a reason of several items once, with their numbers',
			[bad(0), bad(1), bad(2), bad(3, OTHER), bad(4), good(5)],
			'5 of 6 items failed: no',
			'Failed: items 0, 1, 2, 4 (no).\nFailed: item 3 (other).\nDone: read for item 5.',
		],
		[
			'names 20 items of a reason',
			counted(25, (item) => bad(item)),
			'25 of 25 items failed: no',
			/items 0, 1, [0-9, ]+, 19, and 5 more for the same reason \(no\)\.$/,
		],
		['has 100 lines', many(109), 'no', /\nDone: u99\.\nand 10 more\.$/],
		['says so of a single one', many(100), 'no', /\nDone: u99\.\nand 1 more\.$/],
		['has all 100', many(99), 'no', /\nDone: u99\.$/],
	])('%s', (_, reports, message, description) => {
		const error = thrown(...reports);
		expect(error.message).toBe(message);
		if (typeof description === 'string') expect(error.description).toBe(description);
		else expect(error.description).toMatch(description);
	});

	it('has the status and the number of the item that failed', () => {
		for (const reports of [[bad(1, http('no', 409))], [good(0), bad(1, http('no', 409))]]) {
			const error = thrown(...reports);
			expect(error).toMatchObject({ httpCode: '409', context: { itemIndex: 1 } });
			expect(error).toMatchObject({ messages: ['no'] });
		}
		expect(thrown(bad(0, MISSING), bad(1))).toBeInstanceOf(NodeOperationError);
	});
});

describe('the error of an item', () => {
	type Part = Applied<unknown>;
	const part = (status: Outcome['status'], action: string, more?: Partial<Failure>): Part => ({
		...{ item: 0, subject: 'x', outcome: outcome(status, action, more) },
	});
	const done = (action: string) => part('done', action);
	const failed = (action: string, reason?: string, error?: Error) =>
		part('failed', action, { reason, error });
	const unverified = (action: string, reason: string, error?: Error) =>
		part('unverified', action, { reason, error });
	const unread = http('unread', 500);
	const refused = http('b refused', 403);
	const sameReasons = [...Array(21).keys(), 21, 21, 20, 20];
	const AGAIN = 'Run again to complete.';
	const SENT = /The request was sent/;

	it('is none where nothing failed', () => {
		for (const parts of [[], [done('x'), part('skipped', 'y')], [part('unchanged', 'x')]])
			expect(errorOf(parts)).toBeUndefined();
	});

	it('is its own where one part was not done, and keeps the status where several were', () => {
		expect(errorOf([failed('x', 'y', refused)])).toBe(refused);
		const error = errorOf([done('add a'), failed('add b', 'y', refused)]);
		expect(toNodeError(NODE, error, 0)).toMatchObject({ httpCode: '403' });
	});

	it.each<[string, Part[], string | RegExp, string | RegExp]>([
		[
			'not done without an error',
			[failed('create a', 'cancelled')],
			'Could not create a: cancelled',
			AGAIN,
		],
		[
			'not verified',
			[unverified('deactivate a', 'still active')],
			'Could not confirm: deactivate a: still active',
			SENT,
		],
		['its error once', [unverified('x', 'unread', unread)], 'Could not confirm: x: unread', SENT],
		['its error', [unverified('x', 'y', unread)], 'Could not confirm: x: y (unread)', SENT],
		[
			'which part, and what became of the others',
			[done('add a'), failed('add b', 'no', refused), failed('add c', 'no', http('c', 400))],
			'2 of 3 failed: b refused. Done: add a',
			'Do this. Also: add a: done; add c: failed (no).',
		],
		[
			'three parts that were done',
			[...counted(3, (at) => done(`add ${at}`)), failed('add x', 'no')],
			'1 of 4 failed: Could not add x: no. Done: add 0; add 1; add 2',
			/^Run again/,
		],
		[
			'three parts of five that were done',
			[...counted(5, (at) => done(`add ${at}`)), failed('add x', 'no')],
			'1 of 6 failed: Could not add x: no. Done: add 0; add 1; add 2; and 2 more',
			/^Run again/,
		],
		[
			'the failure that another part waited for',
			[failed('add a', 'a was not created'), failed('create a', 'taken', MISSING)],
			'2 of 2 failed: The user name is missing',
			'Give it. Also: add a: failed (a was not created).',
		],
		[
			'20 of very many',
			counted(60, (at) => failed(`add ${at}`, `no ${at}`)),
			/ failed: /,
			/; add 20: failed \(no 20\); and 39 more\.$/,
		],
		[
			'all 20',
			counted(21, (at) => failed(`add ${at}`, `no ${at}`)),
			/ failed: /,
			/; add 20: failed \(no 20\)\.$/,
		],
		[
			'how many more parts, where several have one reason',
			sameReasons.map((reason, at) => failed(`add ${at}`, `no ${reason}`)),
			/ failed: /,
			/; add 20, add 23, add 24: failed \(no 20\); and 2 more\.$/,
		],
		[
			'three parts for one reason, in the words of their status',
			[failed('x', 'y'), ...counted(3, (at) => unverified(`add ${at}`, 'no'))],
			/ failed: /,
			/Also: add 0, add 1, add 2: not verified \(no\)\.$/,
		],
		[
			'a reason of many parts once',
			[
				...counted(19, (at) =>
					part(at === 5 ? 'skipped' : 'failed', `add ${at}`, { reason: 'no' }),
				),
				done('add x'),
			],
			/ failed: /,
			'Run again to complete. Also: add 1, add 2, add 3, and 14 more for the same reason: failed (no); add 5: skipped (no); add x: done.',
		],
	])('says %s', (_, parts, message, description) => {
		const matching = (text: string | RegExp) =>
			typeof text === 'string' ? text : (expect.stringMatching(text) as string);
		const error = errorOf(parts) as InputError;
		expect([error.message, error.description]).toEqual([matching(message), matching(description)]);
	});

	it.each([
		['is none where that is accepted', true, { hidden: true }, false],
		['is one otherwise', undefined, { hidden: true }, true],
		['is one where an error stood in the way', true, { hidden: true, error: NO }, true],
		['is one where it shows otherwise', true, {}, true],
	])('of what the service cannot show %s', (_, acceptsHidden, more, isError) => {
		const parts = [part('unverified', 'x', { reason: 'y', ...more })];
		expect(errorOf(parts, acceptsHidden) !== undefined).toBe(isError);
	});
});

'use strict';

// The loop itself.

require('../support/noWaiting');

const run = require('../../dist/nodes/shared/run');

afterEach(() => jest.restoreAllMocks());

test('changes that need each other are left out', async () => {
	const [a, b] = ['a', 'b'].map((key) => ({ key, action: key }));
	const order = new Map([
		[a, [[{ change: b, must: true }]]],
		[b, [[{ change: a, must: true }]]],
	]);
	const rounds = run.roundsOf([a, b], order, {
		entriesOf: (change) => [{ change, target: change.key }],
		hasTwoStages: () => false,
		requestsFor: (entries) => entries.map((entry) => ({ id: entry.target, entries: [entry] })),
	});
	const sent = [];
	await run.carryOut(rounds, order, {
		concurrency: 2,
		timing: { wait: async () => {}, cancelled: () => false, limitMs: 0 },
		stopped: () => undefined,
		together: (requests) => requests,
		send: async ({ id }) => void sent.push(id),
		look: async () => {},
		verdictOf: ({ change }) => ({ outcome: { status: 'done', action: change.action } }),
		unseen: ({ change }) => ({
			outcome: { status: 'unverified', action: change.action, reason: '' },
		}),
	});
	expect(sent).toEqual([]);
});

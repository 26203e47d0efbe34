'use strict';

// Nobody waits here: the pauses of the package pass at once, and are written down. To be required before the package.

/** The pauses, in milliseconds, and what happens during each. */
const mockWaiting = { pauses: [], during: undefined };

jest.mock('n8n-workflow', () => ({
	...jest.requireActual('n8n-workflow'),
	sleep: async (ms) => {
		mockWaiting.pauses.push(ms);
		await mockWaiting.during?.(ms);
	},
}));

beforeEach(() => {
	Object.assign(mockWaiting, { pauses: [], during: undefined });
});

/** How long the package has waited in this test, in milliseconds. */
const waited = () => mockWaiting.pauses.reduce((sum, ms) => sum + ms, 0);

module.exports = { waited, waiting: mockWaiting };

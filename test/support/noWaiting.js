'use strict';

// Nobody waits here: the pauses of the package pass at once. To be required before the package.

jest.mock('n8n-workflow', () => ({
	...jest.requireActual('n8n-workflow'),
	sleep: async () => {},
}));

/** Tests run against the built node where a user would meet it (dist), and against the sources where they are pure. */
module.exports = {
	testEnvironment: '<rootDir>/test/environment/index.js',
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts', '**/*.test.js'],
	// `npm run lint` checks the types of the tests, all at once.
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.json' }] },
	moduleNameMapper: {
		'^(fast-check|n8n-core|n8n-workflow)$': '<rootDir>/test/environment/once/$1.js',
	},
	maxWorkers: 2,
	// Each file leaves a few MB behind in the world that it shares with the others.
	workerIdleMemoryLimit: '340MB',
	testTimeout: 20_000,
};

const { existsSync } = require('node:fs');
const { join } = require('node:path');

/** Tests run against the built node where a user would meet it (dist), and against the sources where they are pure. */
module.exports = {
	testEnvironment: '<rootDir>/test/environment/index.js',
	// With the sources and what is built of them, `--findRelatedTests` and watch find the tests of a source.
	roots: ['test', 'nodes', 'credentials', 'demo', 'dist']
		.filter((folder) => existsSync(join(__dirname, folder)))
		.map((folder) => `<rootDir>/${folder}`),
	dependencyExtractor: '<rootDir>/test/environment/dependencies.js',
	testMatch: ['**/*.test.ts', '**/*.test.js'],
	// Their SCIM servers are a package of their own: `npm run test:servers`.
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/servers/'],
	// `npm run lint` checks the types of the tests, all at once.
	transform: {
		'^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.json' }],
		'/(dist|demo/service)/.+\\.js$': '<rootDir>/test/environment/built.js',
	},
	moduleNameMapper: {
		'^(fast-check|n8n-core|n8n-workflow|typescript)$': '<rootDir>/test/environment/once/$1.js',
	},
	maxWorkers: 2,
	// Each file leaves a few MB behind in the world that it shares with the others.
	workerIdleMemoryLimit: '290MB',
	testTimeout: 20_000,
};

'use strict';

const { spawnSync } = require('node:child_process');
const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { problemsOf } = require('../.ci/check-release');

const ROOT = join(__dirname, '..');
const READY = {
	name: 'n8n-nodes-scim-provisioning',
	version: '1.2.3',
	author: { name: 'Ana Author', email: 'ana@author.dev' },
	homepage: 'https://github.com/ana/scim#readme',
	bugs: { url: 'https://github.com/ana/scim/issues' },
	repository: { type: 'git', url: 'git+https://github.com/ana/scim.git' },
};
const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-12-01\n';
const ENV = {
	GITHUB_REPOSITORY: 'ana/scim',
	GITHUB_REF_TYPE: 'tag',
	GITHUB_REF_NAME: 'v1.2.3',
};

const found = ({ changelog = CHANGELOG, env = {}, ...manifest }) =>
	problemsOf({ ...READY, ...manifest }, changelog, { ...ENV, ...env }).join('\n');

describe('A release', () => {
	test.each([
		{},
		{ homepage: 'https://scim.author.dev/n8n' },
		{ env: { GITHUB_REF_TYPE: 'branch', GITHUB_REF_NAME: 'main' } },
	])('goes out with %j', (given) => {
		expect(found(given)).toBe('');
	});

	test.each([
		[{ author: { ...READY.author, name: `${READY.name} maintainers` } }, 'author.name'],
		[{ author: undefined }, 'author.name'],
		[{ author: { ...READY.author, email: 'me@scim.example' } }, 'author.email'],
		[{ author: { ...READY.author, email: 'me@example.com' } }, 'author.email'],
		[{ author: { name: 'Ana Author' } }, 'author.email'],
		[{ homepage: 'https://github.com/somebody/else#readme' }, 'homepage'],
		[{ homepage: 'https://scim.example/' }, 'homepage'],
		[{ homepage: undefined }, 'homepage'],
		[{ bugs: { url: 'https://github.com/ana/scim-other/issues' } }, 'bugs.url'],
		[{ repository: { url: 'git+https://github.com/somebody/else.git' } }, 'repository.url'],
		[{ repository: undefined }, 'repository.url'],
		[{ env: { GITHUB_REPOSITORY: undefined } }, 'GITHUB_REPOSITORY'],
		[{ env: { GITHUB_REF_NAME: 'v1.2.4' } }, 'The tag is v1.2.4'],
		[{ changelog: '# Changelog\n\n## [Unreleased]\n' }, 'CHANGELOG.md'],
	])('is refused with %j: %s', (given, said) => {
		expect(found(given)).toContain(said);
	});

	test('is refused while the placeholders of this package are there', () => {
		const { status, stderr } = spawnSync(process.execPath, [join(ROOT, '.ci/check-release.js')], {
			encoding: 'utf8',
			env: { ...process.env, GITHUB_REPOSITORY: 'ana/scim', GITHUB_REF_TYPE: 'branch' },
		});
		const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
		const hasPlaceholders = manifest.author.email.endsWith('.example');
		expect([status, /author\.email/.test(stderr)]).toEqual([1, hasPlaceholders]);
	});

	const FOLDER = join(ROOT, '.github/workflows');
	const workflows = readdirSync(FOLDER).map((name) => [
		name,
		readFileSync(join(FOLDER, name), 'utf8'),
	]);

	test.each(workflows)('uses actions by commit, and leaves no token in .git: %s', (_, text) => {
		const used = [...text.matchAll(/uses: *(.+)/g)].map(([, action]) => action);
		expect(used.length).toBeGreaterThan(0);
		const loose = /^(?!\.\/)(?![\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$)/;
		expect(used.filter((action) => loose.test(action))).toStrictEqual([]);
		const steps = text.split(/^ +- /m).filter((step) => step.includes('actions/checkout@'));
		expect(steps.filter((step) => !step.includes('persist-credentials: false'))).toStrictEqual([]);
	});

	test('is published by its workflow, which has no token of npm', () => {
		const text = readFileSync(join(FOLDER, 'publish.yml'), 'utf8');
		expect(text).toContain('id-token: write');
		expect(text).toMatch(/npm publish --provenance/);
		expect(text).not.toMatch(/secrets\.|_TOKEN|_authToken/);
	});

	test('is checked before anything is published', () => {
		const workflow = readFileSync(join(ROOT, '.github/workflows/publish.yml'), 'utf8');
		const [check, publish] = ['node .ci/check-release.js', 'npm publish'].map((step) =>
			workflow.indexOf(step),
		);
		expect([check > 0, check < publish]).toEqual([true, true]);
	});
});

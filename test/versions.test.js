'use strict';

const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const read = (file) => readFileSync(join(__dirname, '..', file), 'utf8');

/** Those that every change is tested on. */
const VERSIONS = /^ +node: \[(.+)\]$/m
	.exec(read('.github/workflows/ci.yml'))[1]
	.replaceAll("'", '')
	.split(', ');

test('the oldest Node.js that is tested is the oldest that the package takes', () => {
	expect(JSON.parse(read('package.json')).engines.node).toBe(`>=${VERSIONS[0]}`);
});

test.each(['README.md', 'CONTRIBUTING.md'])('%s names the versions that are tested', (page) => {
	expect(read(page)).toContain(
		`Node.js ${VERSIONS.slice(0, -1).join(', ')} and ${VERSIONS.at(-1)}`,
	);
});

test('what is published was tested as every change is', () => {
	expect(read('.github/workflows/publish.yml')).toMatch(
		/^ {4}uses: \.\/\.github\/workflows\/ci\.yml$[^]*^ {4}needs: test$/m,
	);
});

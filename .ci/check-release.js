'use strict';

/*
 * What a published package says of itself has to be true: the placeholders of package.json are gone, the repository is the
 * one that publishes, and the changelog has the version. Run by the release workflow; elsewhere give GITHUB_REPOSITORY.
 */
const { readFileSync } = require('node:fs');
const path = require('node:path');

/** Names that belong to no one (RFC 2606), at the end of an address. */
const RESERVED = /[@./](?:example(?:\.(?:com|net|org))?|test|invalid|localhost)(?:[/?#]|$)/i;

/**
 * @param {object} manifest package.json
 * @param {string} changelog
 * @param {Record<string, string | undefined>} env what GitHub Actions says of the run
 * @returns {string[]} what has to be changed before a release
 */
function problemsOf({ name, version, author, homepage, bugs, repository }, changelog, env) {
	const problems = [];
	const owned = String(env.GITHUB_REPOSITORY ?? '');
	const source = /github\.com\/([^/]+\/[^/]+?)(?:\.git)?$/.exec(repository?.url ?? '')?.[1];
	if (owned === '')
		problems.push('GITHUB_REPOSITORY is not set: it is the owner/name that publishes.');
	else if (source !== owned) {
		problems.push(`repository.url names ${source ?? 'no repository'}, and ${owned} publishes.`);
	}
	if (!author?.name || author.name.includes(name)) {
		problems.push('author.name is a placeholder: enter who publishes.');
	}
	if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(author?.email ?? '') || RESERVED.test(author.email)) {
		problems.push('author.email is a placeholder: enter an address that is read.');
	}
	for (const [field, address] of [
		['homepage', homepage],
		['bugs.url', bugs?.url],
	]) {
		const isOwn = new RegExp(`github\\.com/${owned}(?:[/#]|$)`).test(address ?? '');
		const isElsewhere = /^https:\/\//.test(address ?? '') && !address.includes('github.com/');
		if (!isOwn && (!isElsewhere || RESERVED.test(address))) {
			problems.push(
				`${field} (${address}) is a placeholder: enter a page of ${owned || 'the project'}.`,
			);
		}
	}
	if (!changelog.includes(`\n## [${version}] - `)) {
		problems.push(`CHANGELOG.md has no "## [${version}] - <date>": move there what is Unreleased.`);
	}
	const tag = env.GITHUB_REF_TYPE === 'tag' ? env.GITHUB_REF_NAME : undefined;
	if (tag !== undefined && tag !== `v${version}`) {
		problems.push(`The tag is ${tag}, and package.json has version ${version}.`);
	}
	return problems;
}

function main() {
	const read = (file) => readFileSync(path.join(__dirname, '..', file), 'utf8');
	const problems = problemsOf(JSON.parse(read('package.json')), read('CHANGELOG.md'), process.env);
	for (const problem of problems) console.error(`Not ready for a release: ${problem}`);
	process.exitCode = problems.length > 0 ? 1 : 0;
}

if (require.main === module) main();

module.exports = { problemsOf };

const { readdir, readFile, rm, writeFile } = require('node:fs/promises');
const { join } = require('node:path');
const { dest, src } = require('gulp');
const { homepage } = require('./package.json');

/** Empties dist, so that nothing of an earlier build is published. */
async function clean() {
	await rm('dist', { recursive: true, force: true });
}

/** Copies the icons beside the built code; `encoding: false` keeps gulp 5 from re-encoding them. */
function icons() {
	return src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));
}

/** What nodes and credentials have as their documentation is under the homepage, which package.json alone names. */
async function links() {
	const built = await readdir('dist', { recursive: true });
	const linked = built.filter((name) => /\.(node\.json|credentials\.js)$/.test(name));
	for (const file of linked.map((name) => join('dist', name))) {
		const text = await readFile(file, 'utf8');
		await writeFile(
			file,
			text.replaceAll('https://homepage.invalid/', homepage.replace(/#.*/, '')),
		);
	}
}

/**
 * `n8n-generate-metadata` writes `known` and `types`, which n8n reads when it starts instead of loading the nodes, and this,
 * which it does not read. n8n 2.22 forgets there which nodes a credential is for, and cannot test one of an API.
 */
async function trim() {
	await rm('dist/methods', { recursive: true });
}

module.exports = { clean, icons, links, trim };

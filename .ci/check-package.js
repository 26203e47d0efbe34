'use strict';

/*
 * The tarball holds dist, package.json, README, licence and changelog, and n8n's own scanner for community packages
 * finds nothing in it. Subcategories in a codex file are for nodes of n8n itself: it refuses those of others.
 */
const { execFileSync } = require('node:child_process');
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const ALLOWED = /^(dist\/.+\.(js|json|svg)|package\.json|README\.md|LICENSE\.md|CHANGELOG\.md)$/;
const { credentials, nodes } = require('../package.json').n8n;
const codexFiles = nodes.map((file) => file.replace(/\.js$/, '.json'));
const REQUIRED = [
	'README.md',
	'LICENSE.md',
	'CHANGELOG.md',
	...credentials,
	...nodes,
	...codexFiles,
	// What n8n reads of them when it starts, instead of loading them.
	...['known', 'types'].flatMap((of) => [`dist/${of}/nodes.json`, `dist/${of}/credentials.json`]),
	'dist/icons/scim.svg',
	'dist/icons/notification.svg',
];

async function main() {
	const folder = mkdtempSync(path.join(tmpdir(), 'package-'));
	try {
		const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		});
		const [{ files, filename, size }] = Object.values(JSON.parse(packed));
		const names = files.map((file) => file.path);
		const extra = names.filter((name) => !ALLOWED.test(name));
		const missing = REQUIRED.filter((name) => !names.includes(name));
		if (extra.length > 0) throw new Error(`Not for users: ${extra.join(', ')}`);
		if (missing.length > 0) throw new Error(`Missing: ${missing.join(', ')}`);

		const sorted = codexFiles.filter((file) => 'subcategories' in require(`../${file}`));
		if (sorted.length > 0) throw new Error(`With subcategories: ${sorted.join(', ')}`);

		execFileSync('tar', ['-xzf', path.join(folder, filename), '-C', folder]);
		const { analyzePackage } = await import('@n8n/scan-community-package/scanner/scanner.mjs');
		const { passed, message, details } = await analyzePackage(path.join(folder, 'package'));
		if (!passed) throw new Error(`n8n's scanner: ${message ?? ''} ${details ?? ''}`);
		console.log(`${names.length} files, ${size} bytes; n8n's scanner finds nothing`);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

main().catch((error) => {
	console.error(error.message);
	process.exitCode = 1;
});

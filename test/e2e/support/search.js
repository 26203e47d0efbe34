'use strict';

/** Looks for values where they must not be: in files byte by byte, in a database column by column. */

const { execFileSync } = require('node:child_process');
const { readdirSync, readFileSync } = require('node:fs');
const { join, relative } = require('node:path');

/**
 * The ways in which a value may stand somewhere: as it is, in an address, in JSON with `\/`, in base64 at
 * each of the three places where it may begin.
 */
function formsOf(value) {
	const base64 = [0, 1, 2].map((offset) => {
		const text = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)]).toString('base64');
		// The ends depend on what stands beside it.
		return text.slice(Math.ceil((offset * 8) / 6), -4);
	});
	const hex = Buffer.from(value).toString('hex');
	const escaped = value.replaceAll('/', '\\/');
	return [...new Set([value, encodeURIComponent(value), escaped, hex, ...base64])];
}

/**
 * In: `secrets`: `[what it is, value]`. Out: `findIn(where, text)`: sentences for what is found there.
 */
function searcher(secrets) {
	const forms = secrets.flatMap(([what, value]) =>
		formsOf(value).map((form) => [what, Buffer.from(form)]),
	);
	return function findIn(where, text) {
		const bytes = Buffer.isBuffer(text) ? text : Buffer.from(String(text));
		const found = forms
			.filter(([, form]) => bytes.includes(form))
			.map(([what, form]) => {
				const at = bytes.indexOf(form);
				const around = bytes.subarray(Math.max(0, at - 120), at + form.length + 40);
				return `${what} in ${where}: …${around.toString('latin1').replace(/[^\x20-\x7e]+/g, ' ')}…`;
			});
		return [...new Set(found)];
	};
}

/** Out: the paths of all files below a folder, but for those in folders of these names. */
function filesBelow(folder, leftOut = []) {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return leftOut.includes(entry.name) ? [] : filesBelow(path, leftOut);
		return entry.isFile() ? [path] : [];
	});
}

/** Out: `{ found, bytes, files }`: sentences for what `findIn` finds in the files of a folder. */
function searchFolder(findIn, folder, leftOut) {
	const files = filesBelow(folder, leftOut);
	let bytes = 0;
	const found = files.flatMap((path) => {
		const content = readFileSync(path);
		bytes += content.length;
		return findIn(relative(folder, path), content);
	});
	return { found, bytes, files: files.map((path) => relative(folder, path)) };
}

/** Runs in n8n's own Node.js, which brings SQLite along: prints each cell as `[where, text]` in JSON. */
const PRINT_CELLS = `
	const { DatabaseSync } = require('node:sqlite');
	const database = new DatabaseSync(process.argv[1], { readOnly: true });
	const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
	for (const { name } of tables) {
		for (const row of database.prepare('SELECT * FROM "' + name + '"').iterate()) {
			for (const [column, value] of Object.entries(row)) {
				if (value === null) continue;
				const text = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
				process.stdout.write(JSON.stringify([name + '.' + column, text]) + '\\n');
			}
		}
	}
`;
const MOST_BYTES = 2 ** 30;

/**
 * A value that goes over the edge of a page of the file is not in one piece there, so each cell is read, too.
 *
 * In: `findIn`, n8n's Node program, the file. Out: `{ found, cells }`.
 */
function searchDatabase(findIn, node, file) {
	const args = ['--no-warnings', '-e', PRINT_CELLS, file];
	const printed = execFileSync(node, args, { encoding: 'utf8', maxBuffer: MOST_BYTES });
	const cells = printed
		.trimEnd()
		.split('\n')
		.map((line) => JSON.parse(line));
	return { found: cells.flatMap(([where, text]) => findIn(where, text)), cells: cells.length };
}

module.exports = { searcher, searchFolder, searchDatabase };

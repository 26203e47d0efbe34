'use strict';

const { readdirSync, statSync } = require('node:fs');
const path = require('node:path');

const ROOT = path.join(__dirname, '../..');

/** What the compiler reads. */
const SOURCES = ['nodes', 'credentials'];

/** @returns when a file in these folders was last written, in ms */
function lastWritten(folders) {
	const files = folders.flatMap((folder) =>
		readdirSync(path.join(ROOT, folder), { recursive: true }).map((file) =>
			path.join(ROOT, folder, file),
		),
	);
	return Math.max(...files.map(timeOf));
}

/** @returns when a file was written, in ms; 0 where there is none */
const timeOf = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

module.exports = { ROOT, SOURCES, lastWritten, round: { began: 0, built: 0 }, timeOf };

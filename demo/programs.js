'use strict';

/** Programs of the machine. Nothing is installed here. */

const { accessSync, constants } = require('node:fs');
const { delimiter, join } = require('node:path');

/** In: a program's name, folders to look in beside those of PATH. Out: its path; undefined when it is in none. */
function programOnPath(name, more = []) {
	return [...(process.env.PATH ?? '').split(delimiter), ...more]
		.filter(Boolean)
		.map((folder) => join(folder, name))
		.find(isProgram);
}

function isProgram(path) {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

module.exports = { programOnPath, isProgram };

'use strict';

/**
 * Finds the programs of the machine that a test needs. Nothing is installed here: whoever runs the test
 * decides that. Run with names, it says which are missing, and ends with 1 then.
 */

const { readdirSync } = require('node:fs');
const { join } = require('node:path');
const { isProgram, programOnPath } = require('../../../demo/programs');

const DEBIAN_POSTGRESQL = '/usr/lib/postgresql';

const HOW_TO_GET = {
	chromium:
		'apt-get install -y --no-install-recommends chromium fonts-dejavu-core (elsewhere name the program in the variable CHROMIUM)',
	'redis-server': 'apt-get install -y --no-install-recommends redis-server',
	initdb: 'apt-get install -y --no-install-recommends postgresql',
	postgres: 'apt-get install -y --no-install-recommends postgresql',
};

/** Where the machine's own name for it is another one. */
const NAMED_BY = { chromium: process.env.CHROMIUM };

/**
 * In: names of programs. Out: their paths by name.
 * Throws: when some are missing, with how to get each.
 */
function findPrograms(names) {
	const found = Object.fromEntries(names.map((name) => [name, pathOf(name)]));
	const missing = names.filter((name) => !found[name]);
	if (missing.length === 0) return found;
	const commands = [...new Set(missing.map((name) => HOW_TO_GET[name]))];
	throw new Error(
		[
			`This needs ${missing.join(' and ')}, which ${missing.length > 1 ? 'are' : 'is'} not on this machine. On Debian:`,
			...commands.map((command) => `  ${command}`),
		].join('\n'),
	);
}

function pathOf(name) {
	const named = NAMED_BY[name];
	if (named) return isProgram(named) ? named : undefined;
	return programOnPath(name, postgresFolders());
}

/** Debian keeps PostgreSQL's own programs out of the way, a folder for each version. */
function postgresFolders() {
	try {
		return readdirSync(DEBIAN_POSTGRESQL)
			.sort((a, b) => Number(b) - Number(a))
			.map((version) => join(DEBIAN_POSTGRESQL, version, 'bin'));
	} catch {
		return [];
	}
}

if (require.main === module) {
	try {
		findPrograms(process.argv.slice(2));
	} catch (problem) {
		process.stdout.write(`${problem.message}\n`);
		process.exitCode = 1;
	}
}

module.exports = { findPrograms };

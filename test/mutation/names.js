'use strict';

const { appendFileSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

/** The tests of each file, as the first run without a mutant came upon them; other processes read it. */
const namesFile = ({ rootDir }) => join(rootDir, '.test-names');

const addNames = (config, testPath, names) =>
	appendFileSync(namesFile(config), `${JSON.stringify([testPath, names])}\n`);

let known;

function namesIn(config, testPath) {
	known ??= new Map(readFileSync(namesFile(config), 'utf8').trim().split('\n').map(JSON.parse));
	return known.get(testPath) ?? [];
}

module.exports = { addNames, namesIn };

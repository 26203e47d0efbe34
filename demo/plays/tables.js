'use strict';

/** The data tables that examples read, as their notes say to import them. */

const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { EXAMPLES } = require('./hr');

const TABLES = {
	'Access Record': 'access-record.csv',
	'Access by Date': 'access-by-date.csv',
	'Desired Access': 'desired-access.csv',
	'Groups of Departments': 'groups-of-departments.csv',
	Leavers: 'leavers.csv',
	'Requested Access': 'requested-access.csv',
};

/** In: a stage (see n8n/stage.js), the names of tables. The tables are as new. */
async function fillTables(stage, names = Object.keys(TABLES)) {
	for (const name of names) await stage.fillTable(name, tableOf(name));
}

/** Out: what is in the file of a table. */
function tableOf(name) {
	return readFileSync(join(EXAMPLES, TABLES[name]), 'utf8');
}

module.exports = { fillTables, tableOf };

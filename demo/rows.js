'use strict';

/** The answer of the joiner and the mover workflow, row by row, as lines. */

const { wrapped } = require('./table');

/** In: rows `{ email, externalId, result, done, failed, reason }`. Out: lines. */
function rowLines(rows) {
	const width = Math.max(...rows.map((row) => who(row).length));
	return rows.flatMap((row) => [
		`  ${who(row).padEnd(width)}  ${row.result}`,
		...wrapped(row.reason, '      '),
		...row.done.map((action) => `      ${action}`),
		...row.failed.map((action) => `      not: ${action}`),
	]);
}

function who({ email, externalId }) {
	return email || externalId;
}

module.exports = { rowLines, who };
